//! What callers send: words on the command line and lines of a batch. These types are the wire's and nobody else's.

use serde::Deserialize;
use serde_json::{Map, Value};
use signoff_model::{Dialect, FileAction, FileOperation, Operation, ShellCommand, ToolCall, ToolHints};

use crate::{arguments::Kind, failure::Failure};

/// One line of a batch. Fields that are not known are ignored, so that a line may carry notes of its own; a field that
/// stands there twice is an error, since nobody can tell which of the two would be run.
#[derive(Deserialize)]
pub(crate) struct Request {
    #[serde(default)]
    pub(crate) id: Value,
    kind: Option<String>,
    pub(crate) cwd: Option<String>,
    cmd: Option<String>,
    dialect: Option<String>,
    op: Option<String>,
    path: Option<String>,
    content: Option<String>,
    tool: Option<String>,
    args: Option<Value>,
    hints: Option<Hints>,
}

/// The id of a line that is otherwise broken.
#[derive(Deserialize)]
pub(crate) struct OnlyId {
    #[serde(default)]
    pub(crate) id: Value,
}

#[derive(Deserialize)]
struct Hints {
    read_only: Option<bool>,
    destructive: Option<bool>,
    open_world: Option<bool>,
}

/// What the command line gives to lines that leave it out.
#[derive(Clone, Copy)]
pub(crate) struct Defaults<'a> {
    pub(crate) kind: Kind,
    pub(crate) dialect: Option<&'a str>,
}

impl Request {
    pub(crate) fn parse(line: &str) -> Result<Self, Failure> {
        serde_json::from_str(line).map_err(|error| {
            let hint = r#"one JSON object a line, such as {"id": 1, "kind": "shell", "cmd": "ls"}"#;
            // The parser counts lines of its own input, which is a single one.
            let place = error.to_string().replace(" at line 1 column", " at column");
            Failure::usage(format!("not a request: {place}")).hint(hint)
        })
    }

    pub(crate) fn operation(self, defaults: Defaults<'_>) -> Result<Operation, Failure> {
        let kind = match &self.kind {
            Some(name) => kind(name)?,
            None => defaults.kind,
        };
        match kind {
            Kind::Shell => {
                let command = self.cmd.ok_or_else(|| missing("cmd", kind))?;
                shell(command, self.dialect.as_deref().or(defaults.dialect))
            }
            Kind::File => {
                let op = self.op.ok_or_else(|| missing("op", kind))?;
                let path = self.path.ok_or_else(|| missing("path", kind))?;
                let Operation::File(file) = file(&op, &path)? else { return Err(missing("op", kind)) };
                Ok(Operation::File(FileOperation { content: self.content, ..file }))
            }
            Kind::Tool => {
                let name = self.tool.ok_or_else(|| missing("tool", kind))?;
                let hints = self.hints.map_or_else(ToolHints::default, |hints| ToolHints {
                    read_only: hints.read_only,
                    destructive: hints.destructive,
                    open_world: hints.open_world,
                });
                Ok(Operation::Tool(ToolCall { name, args: self.args.unwrap_or_else(no_arguments), hints }))
            }
            Kind::Sql | Kind::Reply | Kind::Screen => Err(later(kind)),
        }
    }
}

/// The operation that the words of the command line mean.
pub(crate) fn from_words(kind: Kind, words: &[String], dialect: Option<&str>) -> Result<Operation, Failure> {
    match (kind, words) {
        (Kind::Sql | Kind::Reply | Kind::Screen, _) => Err(later(kind)),
        (Kind::Shell, [command]) if !command.trim().is_empty() => shell(command.clone(), dialect),
        (Kind::Shell, [_]) => Err(Failure::usage("the command is empty").hint("give a command as one argument")),
        (Kind::Shell, _) => {
            Err(Failure::usage("a shell command is one argument")
                .hint("put it in quotes: signoff check 'rm -rf build'"))
        }
        (Kind::File, [both]) => match both.trim().split_once(' ') {
            Some((op, path)) => file(op, path.trim()),
            None => Err(Failure::usage(format!("`{both}` names no path")).hint(file_hint())),
        },
        (Kind::File, [op, path]) => file(op, path),
        (Kind::File, _) => Err(Failure::usage("a file operation is `OP PATH`").hint(file_hint())),
        (Kind::Tool, [call]) if call.trim_start().starts_with('{') => {
            Request::parse(call)?.operation(Defaults { kind, dialect })
        }
        (Kind::Tool, [name]) => tool(name, no_arguments()),
        (Kind::Tool, [name, args]) => {
            let args = serde_json::from_str(args).map_err(|error| {
                Failure::usage(format!("the arguments of `{name}` are not JSON: {error}")).hint(tool_hint())
            })?;
            tool(name, args)
        }
        (Kind::Tool, _) => Err(Failure::usage("a tool call is a name and a JSON object").hint(tool_hint())),
    }
}

fn kind(name: &str) -> Result<Kind, Failure> {
    Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let known = Kind::ALL.map(Kind::name).join(", ");
        Failure::usage(format!("unknown kind `{name}`")).hint(format!("one of {known}"))
    })
}

fn shell(command: String, dialect: Option<&str>) -> Result<Operation, Failure> {
    let dialect = match dialect {
        None => Dialect::default(),
        Some(name) => Dialect::from_name(name).ok_or_else(|| {
            let known = Dialect::ALL.map(Dialect::name).join(", ");
            Failure::usage(format!("unknown dialect `{name}` of the shell")).hint(format!("one of {known}"))
        })?,
    };
    Ok(Operation::Shell(ShellCommand { command, dialect }))
}

fn file(op: &str, path: &str) -> Result<Operation, Failure> {
    let action = FileAction::from_name(op)
        .ok_or_else(|| Failure::usage(format!("unknown file operation `{op}`")).hint(file_hint()))?;
    let operation = FileOperation::parse(action, path).ok_or_else(|| {
        let needed = if action.takes_two_paths() { "two paths, as `from -> to`" } else { "a path" };
        Failure::usage(format!("`{op}` needs {needed}")).hint(file_hint())
    })?;
    Ok(Operation::File(operation))
}

fn tool(name: &str, args: Value) -> Result<Operation, Failure> {
    if name.trim().is_empty() {
        return Err(Failure::usage("the tool has no name").hint(tool_hint()));
    }
    Ok(Operation::Tool(ToolCall { name: name.to_owned(), args, hints: ToolHints::default() }))
}

fn no_arguments() -> Value {
    Value::Object(Map::new())
}

fn missing(field: &str, kind: Kind) -> Failure {
    Failure::usage(format!("`{field}` is missing")).hint(match kind {
        Kind::File => r#"a file operation is {"kind": "file", "op": "delete", "path": "src/"}"#,
        Kind::Tool => r#"a tool call is {"kind": "tool", "tool": "fetch", "args": {}}"#,
        Kind::Shell | Kind::Sql | Kind::Reply | Kind::Screen => r#"a shell command is {"kind": "shell", "cmd": "ls"}"#,
    })
}

fn later(kind: Kind) -> Failure {
    Failure::usage(format!("the kind `{}` arrives later", kind.name())).hint("shell, file and tool can be judged now")
}

fn file_hint() -> String {
    let known = FileAction::ALL.map(FileAction::name).join(", ");
    format!("for example `delete src/` or `move a -> b`; operations are {known}")
}

const fn tool_hint() -> &'static str {
    r#"for example: signoff check --kind tool fetch '{"url": "https://example.com"}'"#
}
