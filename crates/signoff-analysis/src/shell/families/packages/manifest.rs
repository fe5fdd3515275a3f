//! The scripts of a project's manifest, read where that is possible and judged by their names where it is not.

use signoff_model::{Dialect, Span, Unread};

use crate::{
    facts::FileText,
    shell::{Call, Language, Shell, families::builds::tasks},
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
            let Some(code) = script_of(&text, manifest.key, script) else { return Outcome::NoSuchScript };
            let hooks = [format!("pre{script}"), format!("post{script}")];
            let [before, after] = hooks.map(|hook| script_of(&text, manifest.key, &hook));
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
            Outcome::ByName
        }
    }
}

/// Runs the scripts that a package manager starts by itself, if they can be read.
pub(super) fn run_hooks(shell: &mut Shell<'_>, directory: Option<&Arg>, names: &[&str], span: Span) {
    if let FileText::Text(text) = read(shell, PACKAGE, directory) {
        for name in names {
            if let Some(code) = script_of(&text, PACKAGE.key, name) {
                run_value(shell, PACKAGE, directory, name, Value::text(code), span);
            }
        }
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
        shell.state.cwd = Some(place.path).filter(|path| !path.is_empty());
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
    if let Some(crate::shell::Written::Content(feed)) = shell.written(&path)
        && let Some(text) = feed.known()
    {
        return FileText::Text(text.to_owned());
    }
    shell.facts().text(&path)
}

/// The text of a script. A list of texts, as composer has it, is one after the other.
fn script_of(text: &str, key: &str, name: &str) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_str(text).ok()?;
    match manifest.get(key)?.get(name)? {
        serde_json::Value::String(code) => Some(code.clone()),
        serde_json::Value::Array(parts) => {
            Some(parts.iter().filter_map(|part| part.as_str()).collect::<Vec<_>>().join("\n"))
        }
        serde_json::Value::Object(task) => task.get("command").and_then(|code| code.as_str()).map(str::to_owned),
        _ => None,
    }
}
