//! The scripts of a project's manifest, read where that is possible and judged by their names where it is not.

use signoff_model::{Dialect, Span, Unread};

use crate::{
    facts::FileText,
    shell::{
        Call, Language, Shell,
        families::{builds::tasks, unknown},
    },
    value::{Arg, Feed, Value},
};

/// A manifest and the key under which its scripts stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manifest {
    pub(super) file: &'static str,
    pub(super) key: &'static str,
}

pub(super) const PACKAGE: Manifest = Manifest { file: "package.json", key: "scripts" };
pub(super) const DENO: Manifest = Manifest { file: "deno.json", key: "tasks" };
pub(super) const DENO_COMMENTED: Manifest = Manifest { file: "deno.jsonc", key: "tasks" };
pub(super) const COMPOSER: Manifest = Manifest { file: "composer.json", key: "scripts" };

/// What became of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It was read and judged, or could not be read, which was said.
    Judged,
    /// There is a manifest, and no such script in it.
    NoSuchScript,
    /// Nobody looked: the name decided.
    ByName,
}

/// Runs a script with arguments. Scripts named `pre…` and `post…` run around it.
pub(super) fn run(
    shell: &mut Shell<'_>,
    manifest: Manifest,
    directory: Option<&Arg>,
    name: &Arg,
    args: &[Arg],
    call: &Call,
) -> Outcome {
    let shown = format!("{} {}", call.name, name.shown());
    let span = name.span;
    let Some(script) = name.known() else {
        tasks::judge(shell, name.value.prefix(), &shown, span);
        return Outcome::ByName;
    };
    match read(shell, manifest, directory) {
        FileText::Text(text) => {
            let Some(parsed) = parse(&text) else {
                shell.opaque(Unread::Part(manifest.file.to_owned()), span);
                return Outcome::Judged;
            };
            let Some(code) = script_of(&parsed, manifest.key, script) else { return Outcome::NoSuchScript };
            if code.lines().any(is_callback) {
                shell.opaque(Unread::Part(format!("{script}: {code}")), span);
            }
            let hooks = [format!("pre{script}"), format!("post{script}")];
            let [before, after] = hooks.map(|hook| script_of(&parsed, manifest.key, &hook));
            let mut whole = before.map(|code| code + "\n").unwrap_or_default();
            whole.push_str(&code);
            let mut value = Value::text(whole);
            for arg in args {
                value.extend(Value::text(" "));
                match arg.known() {
                    Some(known) => value.extend(Value::text(format!("'{}'", known.replace('\'', r"'\''")))),
                    None => value.extend(arg.value.clone()),
                }
            }
            if let Some(after) = after {
                value.extend(Value::text(format!("\n{after}")));
            }
            run_value(shell, manifest, directory, script, value, span);
            Outcome::Judged
        }
        FileText::TooLarge | FileText::Unreadable => {
            shell.opaque(Unread::Part(manifest.file.to_owned()), span);
            Outcome::Judged
        }
        FileText::NotKnown | FileText::Missing | FileText::Binary => {
            let verb = args.iter().find(|arg| !arg.is_option()).and_then(|arg| arg.known());
            let spoken = tasks::judge(shell, script, &shown, span);
            // `yarn wrangler deploy`: the script is a tool, and its verb says what for.
            if let Some(verb) = verb
                .filter(|verb| !spoken && verb.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-'))
            {
                tasks::judge(shell, &format!("{script}:{verb}"), &format!("{shown} {verb}"), span);
            }
            if !spoken {
                unknown::judge_flags(shell, call, name, args);
            }
            Outcome::ByName
        }
    }
}

/// Runs a script of the first of several manifests that has one of this name.
pub(super) fn run_first(
    shell: &mut Shell<'_>,
    manifests: &[Manifest],
    directory: Option<&Arg>,
    name: &Arg,
    args: &[Arg],
    call: &Call,
) -> Outcome {
    let has = |manifest: &&Manifest| match (read(shell, **manifest, directory), name.known()) {
        (FileText::Text(text), Some(name)) => {
            parse(&text).is_none_or(|parsed| script_of(&parsed, manifest.key, name).is_some())
        }
        (FileText::TooLarge | FileText::Unreadable, _) => true,
        _ => false,
    };
    let Some(manifest) = manifests.iter().find(has).or(manifests.first()).copied() else { return Outcome::ByName };
    run(shell, manifest, directory, name, args, call)
}

/// Runs the scripts that a package manager starts by itself, if they can be read.
pub(super) fn run_hooks(
    shell: &mut Shell<'_>,
    manifest: Manifest,
    directory: Option<&Arg>,
    names: &[&str],
    span: Span,
) {
    match read(shell, manifest, directory) {
        FileText::Text(text) => match parse(&text) {
            Some(parsed) => {
                for name in names {
                    if let Some(code) = script_of(&parsed, manifest.key, name) {
                        run_value(shell, manifest, directory, name, Value::text(code), span);
                    }
                }
            }
            None => shell.opaque(Unread::Part(manifest.file.to_owned()), span),
        },
        FileText::TooLarge | FileText::Unreadable => shell.opaque(Unread::Part(manifest.file.to_owned()), span),
        FileText::NotKnown | FileText::Missing | FileText::Binary => {}
    }
}

fn run_value(shell: &mut Shell<'_>, manifest: Manifest, directory: Option<&Arg>, name: &str, value: Value, span: Span) {
    let key = format!("{}#{name}", path_of(shell, manifest, directory));
    if shell.reading.contains(&key) {
        return;
    }
    shell.reading.push(key);
    let before = shell.state.cwd.clone();
    if let Some(directory) = directory {
        let place = shell.place(&directory.value);
        shell.state.stand_in(&place.path);
    }
    shell.run_code(Language::Shell(Dialect::Sh), &Arg { value, span }, Feed::none());
    shell.state.cwd = before;
    shell.reading.pop();
}

fn path_of(shell: &Shell<'_>, manifest: Manifest, directory: Option<&Arg>) -> String {
    let place = shell.place(&directory.map_or_else(|| Value::text("."), |directory| directory.value.clone()));
    format!("{}/{}", place.path, manifest.file)
}

fn read(shell: &Shell<'_>, manifest: Manifest, directory: Option<&Arg>) -> FileText {
    let path = path_of(shell, manifest, directory);
    match shell.text_at(&path) {
        // What a tool has put in is the manifest that it was, with changes.
        FileText::Unreadable => shell.facts().text(&path),
        text => text,
    }
}

/// Reads a manifest. Comments are let through where the text is no plain JSON.
fn parse(text: &str) -> Option<serde_json::Value> {
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&without_comments(text))).ok()
}

/// A text without the comments and the commas at the end that some manifests may have.
fn without_comments(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quoted => {
                all.push(letter);
                all.extend(letters.next());
                continue;
            }
            '"' => quoted = !quoted,
            '/' if !quoted && letters.peek() == Some(&'/') => {
                while letters.next_if(|letter| *letter != '\n').is_some() {}
                continue;
            }
            '/' if !quoted && letters.peek() == Some(&'*') => {
                let mut before = ' ';
                for letter in letters.by_ref().skip(1) {
                    if before == '*' && letter == '/' {
                        break;
                    }
                    before = letter;
                }
                continue;
            }
            '}' | ']' if !quoted && all.trim_end().ends_with(',') => {
                all.truncate(all.trim_end().len() - 1);
            }
            _ => {}
        }
        all.push(letter);
    }
    all
}

/// The text of a script. A list of texts, as composer has it, is one after the other.
fn script_of(manifest: &serde_json::Value, key: &str, name: &str) -> Option<String> {
    match manifest.get(key)?.get(name)? {
        serde_json::Value::String(code) => Some(translated(code)),
        serde_json::Value::Array(parts) => {
            Some(parts.iter().filter_map(|part| part.as_str()).map(translated).collect::<Vec<_>>().join("\n"))
        }
        serde_json::Value::Object(task) => {
            let needs = task.get("dependencies").and_then(|needs| needs.as_array());
            let needs = needs.into_iter().flatten().filter_map(|need| need.as_str());
            let mut lines: Vec<String> = needs.map(|need| format!("deno task '{}'", need.replace('\'', ""))).collect();
            lines.extend(task.get("command").and_then(|code| code.as_str()).map(str::to_owned));
            Some(lines.join("\n"))
        }
        _ => None,
    }
}

/// Composer's own words in a script: `@php`, `@composer`, `@putenv`, `@other-script`.
fn translated(code: &str) -> String {
    let Some(rest) = code.strip_prefix('@') else { return code.to_owned() };
    match rest.split_whitespace().next() {
        Some("php" | "composer") => rest.to_owned(),
        Some("putenv") => rest.replacen("putenv", "export", 1),
        Some(_) => format!("composer run {rest}"),
        None => code.to_owned(),
    }
}

/// `Vendor\\Class::method`: code of PHP that composer calls.
fn is_callback(line: &str) -> bool {
    line.contains("::") && line.chars().all(|letter| letter.is_ascii_alphanumeric() || "\\_:".contains(letter))
}
