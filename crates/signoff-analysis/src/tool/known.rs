//! Tools of known agents and of widespread servers, by what they are: a shell, a file operation, a look at the web.

use serde_json::Value;
use signoff_model::FileAction;

use super::{
    Reader, TOOL_RUNS, TOOL_SENDS, TOOL_TYPES, UNKNOWN_TOOL,
    arguments::{Arguments, PATHS, SQL, plain},
    carried, code, commands, contents,
    inspect::is_path_like,
    kinds::{Kind, is_foreign, kind},
    patch,
    run::{run_code, run_shell, run_sql, run_words, touch},
    statement::is_sql,
    verbs::tool_part,
};
use crate::{lexicon::words, place::join};

/// Judges a tool that is known; tells what it is.
pub(super) fn judge(reader: &mut Reader<'_>, args: &Arguments) -> Option<Kind> {
    let tool = tool_part(&reader.call.name).to_owned();
    let parts = words(&tool);
    if parts.first().is_some_and(|first| first == "git") && parts.len() > 1 {
        git(reader, args, &parts);
        return Some(Kind::Shell);
    }
    if let [program] = parts.as_slice()
        && PROGRAMS.contains(&program.as_str())
        && program_call(reader, args, program)
    {
        return Some(Kind::Shell);
    }
    let kind = kind(&parts.concat())?;
    // A server may call its remote list or store whatever it likes; only what names a local thing is one.
    if matches!(kind, Kind::Harmless) && is_foreign(&reader.call.name) {
        return None;
    }
    enter_directory(reader, &args.value);
    let texts = args.texts();
    let by_key = |keys: &[&str]| -> Vec<String> {
        texts
            .iter()
            .filter(|(key, text)| keys.contains(&key.as_str()) && !text.is_empty())
            .map(|(_, text)| text.clone())
            .collect()
    };
    let judged = match kind {
        Kind::Harmless => true,
        Kind::Shell => {
            commands::run_tool(reader, args);
            true
        }
        Kind::Types => {
            let typed = by_key(&["input", "chars", "text", "data", "stdin", "keys", "command"]).concat();
            // Without anything to type it only waits for what the program prints.
            if !typed.is_empty() {
                let span = reader.span_of(&typed);
                let keys = ["{enter}", "{return}", "<enter>"];
                let line = keys.iter().fold(typed.clone(), |line, key| line.replace(key, "\n"));
                reader.say(&TOOL_TYPES, typed.trim().to_owned(), span);
                run_shell(reader, &line);
            }
            true
        }
        Kind::Code(language) => {
            let language = code::named(reader, args).unwrap_or(language);
            match by_key(&["code", "script", "source", "input", "python", "javascript"]).as_slice() {
                [] => reader.say(&TOOL_RUNS, reader.call.name.clone(), reader.title),
                codes => codes.iter().for_each(|code| run_code(reader, language, code)),
            }
            true
        }
        Kind::File(action) => files(reader, args, action, &by_key(PATHS)),
        Kind::Editor => {
            let action = match by_key(&["command"]).first().map(String::as_str) {
                Some("view") => FileAction::Read,
                Some("create" | "write") => FileAction::Write,
                Some("delete") => FileAction::Delete,
                _ => FileAction::Edit,
            };
            files(reader, args, action, &by_key(PATHS))
        }
        Kind::Patch => {
            let patches = by_key(&["input", "patch", "diff", "content", "patchtext", "command", ""]);
            let changes = patches.iter().find_map(|text| patch::changes(text));
            match changes {
                Some(changes) => {
                    for (action, path, to) in changes {
                        touch(reader, action, &path, to.as_deref());
                    }
                    true
                }
                None => files(reader, args, FileAction::Edit, &by_key(PATHS)),
            }
        }
        Kind::Sql => {
            let statements = by_key(SQL);
            let readable = !statements.is_empty() && statements.iter().all(|statement| is_sql(statement));
            if readable {
                statements.iter().for_each(|statement| run_sql(reader, statement));
            }
            readable
        }
        Kind::Fetch => {
            let changes = by_key(&["method"])
                .iter()
                .any(|method| !matches!(method.to_ascii_uppercase().as_str(), "GET" | "HEAD" | "OPTIONS"));
            if changes {
                reader.say(&TOOL_SENDS, reader.call.name.clone(), reader.title);
            }
            true
        }
        Kind::Carrier => {
            if !carried::judge(reader, args, carried::Names::Any) {
                reader.say(&UNKNOWN_TOOL, reader.call.name.clone(), reader.title);
            }
            true
        }
    };
    judged.then_some(kind)
}

/// Some tools name the directory in which they run.
pub(super) fn enter_directory(reader: &mut Reader<'_>, args: &Value) {
    let Value::Object(fields) = args else { return };
    let directory = fields.iter().find_map(|(key, value)| {
        ["cwd", "workdir", "workingdirectory", "dirpath", "workingdir"]
            .contains(&plain(key).as_str())
            .then(|| value.as_str())
            .flatten()
    });
    if let Some(directory) = directory.filter(|directory| !directory.is_empty())
        && let Some(path) = join(Some(&reader.whereabouts.cwd), directory)
    {
        reader.whereabouts.cwd = path;
    }
}

/// Does something to the paths that the arguments name.
fn files(reader: &mut Reader<'_>, args: &Arguments, action: FileAction, paths: &[String]) -> bool {
    let texts = args.texts();
    let find = |keys: &[&str]| texts.iter().find(|(key, _)| keys.contains(&key.as_str())).map(|(_, text)| text.clone());
    if matches!(action, FileAction::Move | FileAction::Copy | FileAction::Symlink) {
        let from = find(&["source", "from", "src", "oldpath", "sourcepath", "linkpath", "path", "oldname"]);
        let to = find(&["destination", "to", "dst", "dest", "newpath", "destinationpath", "target", "newname"]);
        return match (from, to) {
            (Some(from), Some(to)) => {
                touch(reader, action, &from, Some(&to));
                true
            }
            _ => {
                reader.say(&UNKNOWN_TOOL, reader.call.name.clone(), reader.title);
                true
            }
        };
    }
    let to = find(&["mode", "permissions"]).filter(|_| action == FileAction::Chmod);
    // A file of a remote repository or store is no file here.
    let remote = ["repo", "repository", "owner", "projectid", "bucket", "branch", "fileid", "workspaceid"];
    if texts.iter().any(|(key, _)| remote.contains(&key.as_str())) {
        return false;
    }
    // A path may stand under a name of its own.
    let others: Vec<String> =
        texts.iter().filter(|(key, text)| is_path_like(key, text)).map(|(_, text)| text.clone()).collect();
    let paths = if paths.is_empty() { others.as_slice() } else { paths };
    if let [path] = paths
        && let Some(text) = contents::new_text(args, action)
    {
        reader.files().rewrite(path, text);
    }
    for path in paths {
        // Who lists what is a secret by its own name, and no directory, is after what is in it.
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let action = match action {
            FileAction::List if reader.files().secret(name).is_some() => FileAction::Read,
            action => action,
        };
        touch(reader, action, path, to.as_deref());
    }
    if !paths.is_empty() || matches!(action, FileAction::Read | FileAction::List) {
        return true;
    }
    if action != FileAction::Delete {
        reader.say(&UNKNOWN_TOOL, reader.call.name.clone(), reader.title);
    }
    action != FileAction::Delete
}

/// Programs that give their name to a tool, which takes a command of theirs as an argument.
const PROGRAMS: &[&str] = &[
    "git",
    "gh",
    "glab",
    "docker",
    "podman",
    "kubectl",
    "helm",
    "npm",
    "pnpm",
    "yarn",
    "cargo",
    "terraform",
    "aws",
    "gcloud",
    "az",
    "uv",
    "pip",
    "go",
    "make",
];

/// `git {"operation": "status"}`, `kubectl {"command": "get pods"}`: tells whether it could be read.
fn program_call(reader: &mut Reader<'_>, args: &Arguments, program: &str) -> bool {
    const VERBS: &[&str] = &["operation", "action", "subcommand", "command", "cmd", "verb", "op"];
    const REST: &[&str] = &["args", "arguments", "argv", "parameters", "params"];
    let Value::Object(fields) = &args.value else { return false };
    // What holds further arguments may hold anything.
    if fields.values().any(|value| match value {
        Value::Object(_) => true,
        Value::Array(items) => items.iter().any(|item| item.is_object() || item.is_array()),
        _ => false,
    }) {
        return false;
    }
    enter_directory(reader, &args.value);
    let held = |keys: &[&str]| fields.iter().find(|(key, _)| keys.contains(&plain(key).as_str()));
    let (verb, rest) = (held(VERBS), held(REST));
    let known = |key: &str| {
        let name = plain(key);
        VERBS.contains(&name.as_str())
            || REST.contains(&name.as_str())
            || ["cwd", "workdir", "workingdirectory", "repopath", "repo", "timeout", "path", "directory"]
                .contains(&name.as_str())
    };
    if program == "git"
        && rest.is_none()
        && let Some((used, Value::String(verb))) = verb
        && verb.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'))
    {
        let mut others = fields.clone();
        others.remove(used);
        let parts: Vec<String> = ["git".to_owned()].into_iter().chain(words(verb)).collect();
        git(reader, &Arguments { value: Value::Object(others), complete: args.complete }, &parts);
        return true;
    }
    if !fields.keys().all(|key| known(key)) {
        return false;
    }
    let mut text = String::new();
    let mut all: Vec<&str> = vec![program];
    for (_, value) in verb.into_iter().chain(rest) {
        match value {
            Value::String(more) => text = format!("{text} {more}"),
            Value::Array(items) => match items.iter().map(Value::as_str).collect::<Option<Vec<_>>>() {
                Some(items) => all.extend(items),
                None => return false,
            },
            _ => return false,
        }
    }
    let own = text.split_whitespace().next() == Some(program);
    match (text.is_empty(), all.len()) {
        (true, 1) => false,
        (true, _) => {
            run_words(reader, &all);
            true
        }
        (false, 1) => {
            run_shell(reader, &if own { text } else { format!("{program}{text}") });
            true
        }
        (false, _) => {
            let mut words: Vec<&str> = vec![program];
            words.extend(text.split_whitespace().skip(usize::from(own)));
            words.extend(all.into_iter().skip(1));
            run_words(reader, &words);
            true
        }
    }
}

/// Tools of git servers: the words behind `git` are a command of git, the arguments its operands.
fn git(reader: &mut Reader<'_>, args: &Arguments, parts: &[String]) {
    let verb = match parts.get(1..).unwrap_or_default() {
        [verb] => verb.clone(),
        [diff, ..] if diff == "diff" => return,
        [create, branch] if create == "create" && branch == "branch" => "branch".to_owned(),
        [list, ..] if list == "list" || list == "get" || list == "show" => return,
        many => many.join("-"),
    };
    let mut argv = vec!["git".to_owned(), verb];
    if let Value::Object(fields) = &args.value {
        for (key, value) in fields {
            let key = words(key).join("-");
            match value {
                Value::Bool(true) => argv.push(format!("--{key}")),
                Value::String(text)
                    if !["repo-path", "path", "message", "repo", "directory", "cwd"].contains(&key.as_str()) =>
                {
                    argv.push(text.clone())
                }
                Value::String(text) if key == "message" => argv.extend(["-m".to_owned(), text.clone()]),
                Value::Array(items) => argv.extend(items.iter().filter_map(|item| item.as_str().map(str::to_owned))),
                _ => {}
            }
        }
    }
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    run_words(reader, &words);
}
