//! The operation that a call describes: a command, a file operation or the call of another tool.

use std::path::{Path, PathBuf};

use rmcp::model::JsonObject;
use serde_json::{Value, json};
use signoff_model::{Dialect, FileAction, FileOperation, Operation, ShellCommand, ToolCall, ToolHints};

use super::{
    Hands, House,
    given::{Given, Misfit},
};

/// Takes the operation out of the arguments of a call. Exactly one has to be there.
pub(super) fn described(given: &mut Given) -> Result<Operation, Misfit> {
    let named: Vec<&str> = ["command", "action", "tool"].into_iter().filter(|name| given.has(name)).collect();
    match named.as_slice() {
        ["command"] => Ok(Operation::Shell(ShellCommand { command: given.words("command")?, dialect: Dialect::Bash })),
        ["action"] => file(given).map(Operation::File),
        ["tool"] => {
            let args = if given.has("arguments") { given.object("arguments")? } else { JsonObject::new() };
            let hints = ToolHints::default();
            Ok(Operation::Tool(ToolCall { name: given.words("tool")?, args: Value::Object(args), hints }))
        }
        _ => Err(Misfit(
            "name exactly one operation: `command`, or `action` with `path`, or `tool` with `arguments`".to_owned(),
        )),
    }
}

fn file(given: &mut Given) -> Result<FileOperation, Misfit> {
    let name = given.text("action")?;
    let action = FileAction::from_name(&name).ok_or_else(|| {
        let known = FileAction::ALL.map(FileAction::name).join(", ");
        Misfit(format!("unknown action `{}`: one of {known}", signoff_card::visible(&name)))
    })?;
    let (path, to, content) = (given.words("path")?, given.text_if_any("to")?, given.text_if_any("content")?);
    if action.takes_two_paths() != to.is_some() {
        let needs = if action.takes_two_paths() { "needs" } else { "takes no" };
        return Err(Misfit(format!("`{}` {needs} `to`", action.name())));
    }
    Ok(FileOperation { action, path, to, content })
}

/// Where an operation runs: as the call says, seen from where the server works.
pub(super) fn directory(given: &mut Given, hands: &Hands) -> Result<PathBuf, Misfit> {
    let named = given.text_if_any("cwd")?;
    Ok(named.map_or_else(|| hands.directory.clone(), |named| hands.directory.join(named)))
}

/// Where an operation would run, as far as can be said. Whoever is elsewhere has to say it in full: what is here means nothing to them.
pub(super) fn place(given: &mut Given, house: &House) -> Result<String, Misfit> {
    if let Some(hands) = &house.hands {
        return Ok(directory(given, hands)?.to_string_lossy().into_owned());
    }
    let named = given.words("cwd")?;
    match Path::new(&named).is_absolute() {
        true => Ok(named),
        false => Err(Misfit("`cwd` must be an absolute path".to_owned())),
    }
}

/// The operation as `signoff check` reads it, with its kind.
pub(super) fn for_check(operation: &Operation) -> Result<(&'static str, String), Misfit> {
    Ok(match operation {
        Operation::Shell(shell) => ("shell", shell.command.clone()),
        Operation::Tool(call) => ("tool", json!({"tool": call.name, "args": call.args}).to_string()),
        Operation::File(FileOperation { action, path, to, content }) => {
            let path = match to {
                None => path.clone(),
                // Nobody could tell the two apart.
                Some(to) if path.contains("->") || to.contains("->") => {
                    return Err(Misfit(
                        "a path with `->` in its name cannot be judged together with another one".to_owned(),
                    ));
                }
                Some(to) => format!("{path} -> {to}"),
            };
            ("file", json!({"op": action.name(), "path": path, "content": content}).to_string())
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    fn read(value: Value) -> Result<Operation, Misfit> {
        let mut given = Given::new(value.as_object().cloned());
        let operation = described(&mut given)?;
        given.nothing_else()?;
        Ok(operation)
    }

    #[test]
    fn one_operation_and_all_of_it() {
        let shell = read(json!({"command": "ls"})).unwrap();
        assert_eq!(for_check(&shell).unwrap(), ("shell", "ls".to_owned()));
        let moved = read(json!({"action": "move", "path": "a", "to": "b"})).unwrap();
        assert_eq!(for_check(&moved).unwrap(), ("file", r#"{"content":null,"op":"move","path":"a -> b"}"#.to_owned()));
        let tool = read(json!({"tool": "drop_table", "arguments": {"name": "users"}})).unwrap();
        assert_eq!(for_check(&tool).unwrap(), ("tool", r#"{"args":{"name":"users"},"tool":"drop_table"}"#.to_owned()));
        for wrong in [
            json!({}),
            json!({"command": ""}),
            json!({"command": "ls", "tool": "x"}),
            json!({"command": "ls", "path": "x"}),
            json!({"action": "move", "path": "a"}),
            json!({"action": "delete", "path": "a", "to": "b"}),
            json!({"action": "explode", "path": "a"}),
            json!({"tool": "x", "arguments": "y"}),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
        assert!(for_check(&read(json!({"action": "copy", "path": "a -> b", "to": "c"})).unwrap()).is_err());
    }
}
