//! The gate taken out of the settings of an agent: settings are changed for many reasons, but an edit that picks out what
//! names Signoff and drops it has only one.

use signoff_model::{Reason, Span};

use super::{
    Call, Shell, Written,
    families::own::{self, names_signoff},
    trade::Trade,
};
use crate::{
    path_effects,
    place::Nature,
    value::{Feed, Origin, Value},
    words::Words,
};

/// What code says where it leaves something out.
const OMISSIONS: &[&str] = &[
    ".replace(",
    ".pop(",
    "del ",
    "delete ",
    " not in ",
    "!=",
    ".filter(",
    ".remove(",
    ".splice(",
    ".sub(",
    "unless",
    "reject",
    "delete_if",
    ".includes(",
    "delete(",
    "gsub(",
    "flush-lines",
    "delete-matching-lines",
    "replace-string",
    "replace-regexp",
];

/// What a filter of structured texts says where it leaves something out.
const DELETIONS: &[&str] = &["del(", "delpaths(", "| not", "|not", "!=", "without", "sub("];

static SCRIPTED: Words<64> = Words::new(
    "ed red ex vi vim nvim sed gsed awk gawk mawk perl python node nodejs deno bun ruby php lua tclsh jq gojq jaq yq dasel patch",
);

/// Whether a program takes a script from a file or from what flows in, and does to other files what it says.
pub(super) fn is_scripted(name: &str) -> bool {
    SCRIPTED.holds(name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.'))
}

/// A command that leaves out whatever names Signoff.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ungating {
    span: Span,
    of: Dropped,
}

/// What Signoff is left out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dropped {
    /// The settings of an agent, or a copy of them.
    Settings,
    /// A text of which no more is known.
    Something,
}

/// More such commands than this are not told apart from the first.
const MOST: usize = 16;

impl Shell<'_> {
    /// Keeps in mind that a command leaves out whatever names Signoff.
    pub(super) fn note_ungating(&mut self, call: &Call, trade: Trade) {
        // Who only prints, commits or steers says the word and changes nothing that it is said of.
        if matches!(call.name.as_str(), "echo" | "printf" | "git" | "docker" | "podman") {
            return;
        }
        let scripts = if trade.scripted { self.scripts_for(call) } else { Vec::new() };
        let named = !scripts.is_empty() || call.args.iter().any(|arg| names_signoff(&arg.shown()));
        if named && (drops(call) || scripts.iter().any(|script| omits(script))) {
            let of = if self.handles_settings(call, &scripts) { Dropped::Settings } else { Dropped::Something };
            if self.ungated.len() < MOST || of == Dropped::Settings && self.ungated.len() < 2 * MOST {
                self.ungated.push(Ungating { span: self.blamed(call.span), of });
            }
        }
    }

    /// Whether a command is an agent, or reads, writes or names a file that decides what one may do.
    fn handles_settings(&self, call: &Call, scripts: &[String]) -> bool {
        let is_settings = |value: &Value| self.place(value).nature == Nature::AgentSettings;
        let is_path = |path: &str| is_settings(&Value::text(path));
        let is_copy = |path: &str| {
            let path = self.place(&Value::text(path)).path.clone();
            let written = self.written(&path).and_then(Written::content);
            written.is_some_and(|content| comes_from(&content, &is_path))
                || self.original_of(&path).is_some_and(|original| is_path(&original))
        };
        let apart = |letter: char| letter.is_whitespace() || "'\"()=,;<>".contains(letter);
        own::is_agent(&call.name)
            || comes_from(&call.stdin, &is_path)
            || call.args.iter().any(|arg| is_settings(&arg.value) || arg.known().is_some_and(is_copy))
            || call.args.iter().map(|arg| arg.shown()).chain(scripts.iter().map(Into::into)).any(|shown| {
                let mut named = shown.split(apart).filter(|part| part.contains(['/', '.']));
                named.any(|part| is_path(part) || is_copy(part))
            })
    }

    /// The scripts that an editor or an interpreter is given by the text, in a file or by what flows in, and that name
    /// Signoff.
    fn scripts_for(&self, call: &Call) -> Vec<String> {
        let in_file = |path: &str| {
            let path = path.strip_prefix("-f").or_else(|| path.strip_prefix("--file=")).unwrap_or(path);
            self.written(&self.place(&Value::text(path)).path).and_then(Written::content)
        };
        // Most texts have written nothing, and paths are dear to make out.
        let given = if self.state.written.len() == 0 { &[] } else { call.args.as_slice() };
        let files = given.iter().filter_map(|arg| in_file(arg.known()?));
        let texts = files.chain([call.stdin.clone()]).filter_map(|feed| Some(feed.text.as_ref()?.shown().into_owned()));
        texts.filter(|text| names_signoff(text)).collect()
    }

    /// Says so if the settings of an agent change, and with that Signoff is taken out of them: by the same pipeline, or by
    /// an edit of what stands in them. Two commands of one text need not have to do with each other.
    pub(super) fn check_gate(&mut self) {
        let changes = [&path_effects::WRITE_AGENT, &own::AGENT_PERMISSIONS];
        let is_change = |reason: &&Reason| changes.iter().any(|rule| reason.rule.as_str() == rule.id);
        let changed: Vec<Span> = self.findings.reasons().iter().filter(is_change).map(|reason| reason.span).collect();
        let source = self.source;
        let ungates = |one: &&Ungating| match one.of {
            Dropped::Settings => !changed.is_empty(),
            Dropped::Something => changed.iter().any(|change| is_one_pipeline(source, one.span, *change)),
        };
        if let Some(span) = self.ungated.iter().find(ungates).map(|one| one.span) {
            self.tell(&own::OWN_PROCESS, "the settings of an agent", span);
        }
    }
}

/// Whether no command ends between two parts of a text.
fn is_one_pipeline(source: &str, one: Span, other: Span) -> bool {
    let between = source.get(one.end.min(other.end)..one.start.max(other.start));
    one.contains(other)
        || other.contains(one)
        || between
            .is_some_and(|between| !between.contains([';', '\n']) && !between.contains("&&") && !between.contains("||"))
}

fn comes_from(feed: &Feed, is_settings: &dyn Fn(&str) -> bool) -> bool {
    feed.origins.iter().any(|origin| match origin {
        Origin::File(path) | Origin::Exactly(path) | Origin::Secret(path) => is_settings(path),
        _ => false,
    })
}

/// Whether a command that names Signoff leaves it out of what it writes or prints.
fn drops(call: &Call) -> bool {
    let any = |wanted: &dyn Fn(&str) -> bool| {
        call.args.iter().any(|arg| {
            let text = arg.shown();
            names_signoff(&text) && wanted(&text)
        })
    };
    let has_word = |words: &[&str]| call.args.iter().any(|arg| arg.known().is_some_and(|text| words.contains(&text)));
    match call.name.as_str() {
        "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ugrep" | "ggrep" => call.args.iter().any(|arg| {
            let text = arg.value.prefix();
            text == "--invert-match" || text.starts_with('-') && !text.starts_with("--") && text.contains('v')
        }),
        "jq" | "yq" | "gojq" | "jaq" | "dasel" | "fx" | "tomlq" | "taplo" => {
            any(&|text| DELETIONS.iter().any(|deletion| text.contains(deletion)))
                || has_word(&["d", "delete", "rm", "unset", "remove"])
        }
        // Agents and managers of settings have words for it.
        _ if has_word(&["remove", "rm", "delete", "uninstall", "disable", "unset", "--unset", "off"]) => true,
        _ => any(&omits),
    }
}

/// Whether a script that names Signoff leaves it out.
fn omits(script: &str) -> bool {
    let leaves_out = |words: &[&str]| words.iter().any(|word| script.contains(word));
    is_picked(script) || leaves_out(OMISSIONS) || leaves_out(DELETIONS)
}

/// Whether a script for an editor of lines looks for Signoff: it stands in an address or is what is replaced, and not what
/// comes instead.
fn is_picked(script: &str) -> bool {
    let is_start = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_ascii_alphanumeric());
    let lower = script.to_ascii_lowercase();
    lower.match_indices("signoff").any(|(at, _)| {
        let before = lower.get(..at).unwrap_or_default();
        let Some(delimiter) = before.rfind(['/', '|', '#', '@']) else { return false };
        let mut letters = before.get(..delimiter).unwrap_or_default().chars().rev();
        match letters.next() {
            Some('s' | 'g' | 'v' | 'm') => is_start(letters.next()),
            other => is_start(other),
        }
    })
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use crate::testing::check;

    #[test]
    fn an_edit_that_drops_the_gate_from_settings_is_blocked() {
        check(
            Block,
            &[
                "sed -i '/signoff/d' ~/.codex/config.toml ~/.claude/settings.json",
                "sed -i 's/signoff//g' ~/.claude/settings.json",
                "sed -i '' -e '/signoff hook/,+3d' .claude/settings.json",
                "perl -ni -e 'print unless /signoff/' ~/.codex/config.toml",
                "grep -v signoff ~/.codex/config.toml > /tmp/c && mv /tmp/c ~/.codex/config.toml",
                "grep -v signoff .claude/settings.json | sponge .claude/settings.json",
                r#"jq 'del(.hooks.PreToolUse[]|select(.command|test("signoff")))' ~/.claude/settings.json | sponge ~/.claude/settings.json"#,
                r#"jq 'del(.hooks.PreToolUse[] | select(.command|test("signoff")))' .claude/settings.json > /tmp/s && cp /tmp/s .claude/settings.json"#,
                r#"jq '.hooks.PreToolUse |= map(select(.command | contains("signoff") | not))' .claude/settings.json > t && mv t .claude/settings.json"#,
                "yq -i 'del(.mcpServers.signoff)' .mcp.json",
                "jq 'del(.mcpServers.signoff)' ~/.claude.json > /tmp/x && mv /tmp/x ~/.claude.json",
                "awk '!/signoff/' ~/.codex/config.toml > /tmp/c; cp /tmp/c ~/.codex/config.toml",
                r#"python3 -c "import re;p='/home/user/.claude/settings.json';s=open(p).read();open(p,'w').write(s.replace('signoff',''))""#,
                "cat ~/.claude/settings.json | grep -v signoff > /tmp/c; mv /tmp/c ~/.claude/settings.json",
                "cp ~/.claude/settings.json /tmp/s; grep -v signoff /tmp/s > /tmp/t; cp /tmp/t ~/.claude/settings.json",
                "F=~/.claude/settings.json; sed -i '/signoff/d' \"$F\"",
                "cd ~/.claude && sed -i '/signoff/d' settings.json",
                "grep -v signoff < ~/.codex/config.toml > /tmp/c && mv /tmp/c ~/.codex/config.toml",
                "sed -i '/signoff/d' $(ls ~/.claude/settings.json)",
                "ls ~/.claude/*.json | xargs sed -i /signoff/d",
                "perl -pi -e 's/signoff//' ~/.claude/*.json",
                "for f in ~/.claude/*.json; do sed -i '/signoff/d' \"$f\"; done",
                "ln -s ~/.claude/settings.json s; sed -i '/signoff/d' s",
                "grep -v signoff a.json > ~/.claude/settings.json",
                "claude mcp remove signoff",
                r"printf 'g/signoff/d\nwq\n' | ed ~/.claude/settings.json",
                r"printf 'g/signoff/d\nwq\n' | ed -s .claude/settings.json",
                r"printf 'g/signoff/d\nwq\n' | ex ~/.claude/settings.json",
                r"printf '/signoff/d\nw\nq\n' > /tmp/s.ed; ed ~/.claude/settings.json < /tmp/s.ed",
                "ed -s ~/.claude/settings.json <<< $'g/signoff/d\nw'",
                "ed -s ~/.claude/settings.json <<'E'\n/signoff/,+3d\nw\nE",
                "vim -es -c 'g/signoff/d' -c wq ~/.claude/settings.json",
                "emacs --batch ~/.claude/settings.json --eval '(progn (flush-lines \"signoff\") (save-buffer))'",
                "echo 'print unless /signoff/' > /tmp/f.pl; perl -i -n /tmp/f.pl ~/.claude/settings.json",
                "echo 'g/signoff/d' > /tmp/x.vim; vim -es -S /tmp/x.vim -c wq ~/.claude/settings.json",
                "echo '/signoff/d' > /tmp/s.sed; sed -i -f /tmp/s.sed ~/.claude/settings.json",
                "echo '/signoff/d' > /tmp/s.sed; sed -i -f/tmp/s.sed ~/.claude/settings.json",
                "echo '/signoff/d' > /tmp/s.sed; sed -i --file=/tmp/s.sed ~/.claude/settings.json",
                "echo '/signoff/d' | sed -i -f - ~/.claude/settings.json",
                "echo 'del(.mcpServers.signoff)' > /tmp/f.jq; jq -f /tmp/f.jq ~/.claude.json > /tmp/x && mv /tmp/x ~/.claude.json",
                "python3 - <<'E'\nimport json\np='/home/user/.claude/settings.json'\nd=json.load(open(p))\nd['mcp'].pop('signoff')\njson.dump(d,open(p,'w'))\nE",
                "cp -r ~/.claude /tmp/c; sed -i /signoff/d /tmp/c/settings.json; cp /tmp/c/settings.json ~/.claude/",
                "cp -a ~/.claude /tmp/c && sed -i /signoff/d /tmp/c/settings.json && cp -r /tmp/c/. ~/.claude/",
                "rsync -a ~/.claude/ /tmp/c/; sed -i /signoff/d /tmp/c/settings.json; cp /tmp/c/settings.json ~/.claude/",
                "codex mcp remove signoff",
            ],
        );
    }

    #[test]
    fn other_edits_and_a_look_are_judged_by_what_they_do() {
        check(
            Ask,
            &[
                r#"sed -i 's/"model": "a"/"model": "b"/' ~/.claude/settings.json"#,
                r#"jq '.hooks.PreToolUse += [{"command":"signoff hook"}]' .claude/settings.json > /tmp/s && cp /tmp/s .claude/settings.json"#,
                "sed -i '/deny/d' ~/.claude/settings.json",
                "git commit -m 'hooks: delete signoff entry' && echo '{}' > .claude/settings.local.json",
                "echo 'please delete signoff notes' && jq '.model=\"x\"' ~/.claude/settings.json | sponge ~/.claude/settings.json",
                "docker rm -f signoff-test; claude config set theme dark",
                r"printf '%s\n' '/model/s/a/b/' w q | ed ~/.claude/settings.json",
                r#"printf 'a\n"command": "signoff hook"\n.\nw\n' | ed ~/.claude/settings.json"#,
                "cp -r ~/.claude /tmp/c; sed -i /model/d /tmp/c/settings.json; cp /tmp/c/settings.json ~/.claude/",
                "grep -rv signoff docs | head; claude config set -g theme dark",
            ],
        );
        check(
            Allow,
            &[
                "grep signoff ~/.claude/settings.json",
                "sed -i '/signoff/d' notes.md",
                "grep -v signoff ~/.claude/settings.json",
                r"printf 'g/signoff/d\nwq\n' | ed notes.md",
                "echo '/signoff/d' > /tmp/s.sed; sed -i -f /tmp/s.sed notes.md",
                r"printf 'g/signoff/p\nq\n' | ed -s notes.md",
            ],
        );
    }
}
