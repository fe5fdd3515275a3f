//! What a tool call is for the gate: a shell command or a file as such where the tool is known for it, so that people see it as
//! they know it, and the call as it stands everywhere else.

use serde_json::{Map, Value};
use signoff_model::{Dialect, FileAction, FileOperation, Operation, ShellCommand, ToolCall, ToolHints};

use super::Call;

/// Tools that give one text to a shell.
const SHELLS: [&str; 12] = [
    "Bash",
    "bash",
    "Shell",
    "shell",
    "local_shell",
    "exec_command",
    "run_shell_command",
    "run_command",
    "run_commands",
    "execute_command",
    "run_terminal_cmd",
    "run_terminal_command",
];

/// How they call it.
const COMMANDS: [&str; 5] = ["command", "cmd", "command_line", "CommandLine", "commands"];

/// What else they may be given, and which changes nothing about what runs where.
const BESIDE: [&str; 16] = [
    "description",
    "explanation",
    "justification",
    "timeout",
    "timeout_ms",
    "timeoutMs",
    "run_in_background",
    "is_background",
    "background",
    "initial_wait",
    "mode",
    "sessionId",
    "yield_time_ms",
    "max_output_tokens",
    "requires_approval",
    "title",
];

/// Tools that put a text into a file, whatever was there.
const WRITERS: [&str; 6] = ["Write", "write", "write_file", "WriteFile", "create", "write_to_file"];

/// What a call would do.
pub fn operation(call: &Call) -> Operation {
    let fields = call.input.as_object();
    if let Some(command) = fields.and_then(|fields| shell_text(&call.tool, fields)) {
        return Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    }
    if let Some(file) = fields.and_then(|fields| written(&call.tool, fields)) {
        return Operation::File(file);
    }
    Operation::Tool(ToolCall { name: call.tool.clone(), args: call.input.clone(), hints: ToolHints::default() })
}

/// What the tool has to be given so that another operation of the same kind runs instead; none where it cannot be.
pub(super) fn changed_input(call: &Call, operation: &Operation) -> Option<Value> {
    let fields = call.input.as_object()?;
    let mut changed = fields.clone();
    match operation {
        Operation::Shell(shell) => {
            shell_text(&call.tool, fields)?;
            let name = COMMANDS.into_iter().find(|name| fields.contains_key(*name))?;
            let command = Value::String(shell.command.clone());
            let several = fields.get(name).is_some_and(Value::is_array);
            changed.insert(name.to_owned(), if several { Value::Array(vec![command]) } else { command });
        }
        Operation::Tool(tool) if tool.name == call.tool => return Some(tool.args.clone()),
        Operation::File(_) | Operation::Tool(_) => return None,
    }
    Some(Value::Object(changed))
}

/// The text for the shell, where that is all that the tool is given.
fn shell_text<'c>(tool: &str, fields: &'c Map<String, Value>) -> Option<&'c str> {
    SHELLS.contains(&tool).then(|| command_alone(fields)).flatten()
}

/// The one command among what a shell is given, where nothing stands beside it that changes what runs where.
pub(crate) fn command_alone(fields: &Map<String, Value>) -> Option<&str> {
    let mut commands = fields.iter().filter(|(name, _)| COMMANDS.contains(&name.as_str()));
    let (Some((_, command)), None) = (commands.next(), commands.next()) else { return None };
    if !fields.keys().all(|name| COMMANDS.contains(&name.as_str()) || BESIDE.contains(&name.as_str())) {
        return None;
    }
    let text = match command {
        // Several run one by one, each in a shell of its own, and are read so as a call.
        Value::Array(commands) => match commands.as_slice() {
            [command] => command.as_str(),
            _ => None,
        },
        command => command.as_str(),
    };
    text.filter(|command| !command.trim().is_empty())
}

/// The file that is written, where that is all that the tool does.
fn written(tool: &str, fields: &Map<String, Value>) -> Option<FileOperation> {
    if !WRITERS.contains(&tool) || fields.len() != 2 {
        return None;
    }
    let text = |names: [&str; 2]| names.into_iter().find_map(|name| fields.get(name)).and_then(Value::as_str);
    let path = text(["file_path", "path"]).filter(|path| !path.trim().is_empty())?;
    let content = text(["content", "file_text"])?;
    Some(FileOperation {
        action: FileAction::Write,
        path: path.to_owned(),
        to: None,
        content: Some(content.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use serde_json::json;

    use super::*;
    use crate::{Client, hook::Moment};

    fn call(tool: &str, input: Value) -> Call {
        Call {
            client: Client::Claude,
            moment: Moment::Before,
            event: "PreToolUse".to_owned(),
            tool: tool.to_owned(),
            input,
            cwd: None,
            session: String::new(),
            id: None,
            transcript: None,
            mode: None,
        }
    }

    #[test]
    fn a_shell_is_a_shell_only_where_nothing_else_is_given() {
        let shell = |tool, input| matches!(operation(&call(tool, input)), Operation::Shell(_));
        assert!(shell("Bash", json!({"command": "ls", "description": "x", "timeout": 5})));
        assert!(shell("run_commands", json!({"commands": ["ls"]})));
        assert!(shell("run_command", json!({"CommandLine": "ls"})));
        for (tool, input) in [
            // Elsewhere, in another way, or more than one.
            ("run_shell_command", json!({"command": "ls", "directory": "/srv"})),
            ("Bash", json!({"command": "ls", "stdin": "rm -rf /"})),
            ("Bash", json!({"command": "ls", "cmd": "rm -rf /"})),
            ("run_commands", json!({"commands": ["cd /tmp", "rm -rf x"]})),
            ("Bash", json!({"command": ["rm", "-rf"]})),
            ("Bash", json!({"command": "  "})),
            ("mcp__x__run", json!({"command": "ls"})),
        ] {
            assert!(!shell(tool, input.clone()), "{tool} {input}");
        }
    }

    #[test]
    fn a_text_for_a_file_is_a_file() {
        let Operation::File(file) = operation(&call("Write", json!({"file_path": "a", "content": "b"}))) else {
            panic!("no file");
        };
        assert_eq!((file.path.as_str(), file.content.as_deref()), ("a", Some("b")));
        assert!(matches!(
            operation(&call("Write", json!({"file_path": "a", "content": "b", "mode": "777"}))),
            Operation::Tool(_)
        ));
    }

    #[test]
    fn what_is_changed_is_only_the_command() {
        let asked = call("Bash", json!({"command": "rm -rf a b", "description": "x"}));
        let other = Operation::Shell(ShellCommand { command: "rm -rf a".to_owned(), dialect: Dialect::Bash });
        assert_eq!(changed_input(&asked, &other).unwrap(), json!({"command": "rm -rf a", "description": "x"}));
        let several = call("run_commands", json!({"commands": ["x"]}));
        assert_eq!(changed_input(&several, &other).unwrap(), json!({"commands": ["rm -rf a"]}));
        assert_eq!(changed_input(&call("Edit", json!({})), &other), None);
    }
}
