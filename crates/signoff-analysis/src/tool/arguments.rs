//! What the arguments of a tool hold: texts by the names of their keys.

use serde_json::Value;
use signoff_model::FileAction;

use super::{Reader, known, verbs::words};

/// Keys whose value is a text for a shell.
pub(super) const COMMANDS: &[&str] =
    &["command", "cmd", "commands", "commandline", "shellcommand", "bash", "shell", "script"];
/// Keys whose value is a path.
pub(super) const PATHS: &[&str] = &[
    "path",
    "filepath",
    "file",
    "filename",
    "absolutepath",
    "targetfile",
    "notebookpath",
    "paths",
    "filepaths",
    "files",
    "uri",
    "directory",
    "dir",
    "dirpath",
    "folder",
    "relativepath",
    "sourcefile",
    "inputpath",
    "filenames",
    "directorypath",
    "localpath",
    "targetdirectory",
    "relativeworkspacepath",
    "absolutefilepath",
];
/// Keys whose value is SQL.
pub(super) const SQL: &[&str] = &["sql", "query", "statement", "sqlquery", "querystring", "statements"];

/// Every text among the arguments, with the name of its key in lower case and without signs.
pub(super) fn texts(args: &Value) -> Vec<(String, String)> {
    fn collect(key: &str, value: &Value, depth: usize, found: &mut Vec<(String, String)>) {
        if depth > 8 || found.len() > 256 {
            return;
        }
        match value {
            Value::String(text) => found.push((key.to_owned(), text.clone())),
            Value::Array(items) => items.iter().for_each(|item| collect(key, item, depth + 1, found)),
            Value::Object(fields) => {
                for (name, item) in fields {
                    collect(&words(name).concat(), item, depth + 1, found);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut found = Vec::new();
    collect("", args, 0, &mut found);
    found
}

/// Looks at the arguments of a tool that is judged by its name: what they hold may be worse than the name.
pub(super) fn inspect(reader: &mut Reader<'_>) {
    for (key, text) in texts(&reader.call.args) {
        if COMMANDS.contains(&key.as_str()) {
            known::run_shell(reader, &text);
        } else if SQL.contains(&key.as_str()) && known::is_sql(&text) {
            known::run_sql(reader, &text);
        } else if PATHS.contains(&key.as_str()) && !text.is_empty() {
            known::touch(reader, FileAction::Read, &text, None);
        } else if key == "method" && matches!(text.to_ascii_uppercase().as_str(), "POST" | "PUT" | "PATCH" | "DELETE") {
            let span = reader.span_of(&text);
            reader.say(&super::TOOL_SENDS, reader.call.name.clone(), span);
        } else if matches!(key.as_str(), "url" | "uri" | "href") && crate::shell::families::own::is_own_address(&text) {
            let span = reader.span_of(&text);
            reader.findings.report(
                &crate::shell::families::own::OWN_STATE,
                crate::path_effects::named(text),
                signoff_model::Scope::System,
                span,
            );
        }
    }
}
