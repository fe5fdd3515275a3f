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

/// What a tool says about itself, under our names or those of MCP's annotations. A misspelt hint would be no hint at all,
/// so that a name that is not known is an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hints {
    #[serde(alias = "readOnlyHint")]
    read_only: Option<bool>,
    #[serde(alias = "destructiveHint")]
    destructive: Option<bool>,
    #[serde(alias = "openWorldHint")]
    open_world: Option<bool>,
    // These decide nothing: a second call is judged like the first, and a title is for people.
    #[serde(rename = "idempotent", alias = "idempotentHint")]
    _idempotent: Option<bool>,
    #[serde(rename = "title")]
    _title: Option<String>,
}

/// What the command line gives to lines that leave it out.
#[derive(Clone, Copy)]
pub(crate) struct Defaults<'a> {
    pub(crate) kind: Kind,
    pub(crate) dialect: Option<&'a str>,
}

impl OnlyId {
    pub(crate) fn parse(line: &str) -> Option<Self> {
        if is_array(line) { None } else { serde_json::from_str(line).ok() }
    }
}

/// The parser would take the values of an array for the fields in their order.
fn is_array(line: &str) -> bool {
    line.trim_start().starts_with('[')
}

impl Request {
    pub(crate) fn parse(line: &str) -> Result<Self, Failure> {
        let hint = r#"one JSON object a line, such as {"id": 1, "kind": "shell", "cmd": "ls"}"#;
        if is_array(line) {
            return Err(Failure::usage("not a request: an array is no object").hint(hint));
        }
        serde_json::from_str(line).map_err(|error| {
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
                tool(&name, self.args.unwrap_or_else(no_arguments), hints)
            }
            Kind::Sql | Kind::Reply | Kind::Screen => Err(later(kind)),
        }
    }
}

/// The operation that the words of the command line mean.
pub(crate) fn from_words(kind: Kind, words: &[String], dialect: Option<&str>) -> Result<Operation, Failure> {
    match (kind, words) {
        (Kind::Sql | Kind::Reply | Kind::Screen, _) => Err(later(kind)),
        (Kind::Shell, [command]) => shell(command.clone(), dialect),
        (Kind::Shell, _) => Err(unquoted(words)),
        (Kind::File, [both]) => match both.trim().split_once(' ') {
            Some((op, rest)) => file_in_words(op, rest.trim()),
            None => Err(Failure::usage(format!("`{both}` names no path")).hint(file_hint())),
        },
        (Kind::File, [op, rest]) => file_in_words(op, rest),
        (Kind::File, [op, mode, path]) if is_mode(mode) => file_in_words(op, &format!("{mode} {path}")),
        (Kind::File, _) => Err(Failure::usage("a file operation is `OP PATH`").hint(file_hint())),
        (Kind::Tool, [call]) if call.trim_start().starts_with('{') => {
            Request::parse(call)?.operation(Defaults { kind, dialect })
        }
        (Kind::Tool, [name]) => tool(name, no_arguments(), ToolHints::default()),
        (Kind::Tool, [name, args]) => {
            let args = serde_json::from_str(args).map_err(|error| {
                Failure::usage(format!("the arguments of `{name}` are not JSON: {error}")).hint(tool_hint())
            })?;
            tool(name, args, ToolHints::default())
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

/// A command whose words came one by one: the shell of the caller has already taken its quotes and expanded it.
pub(crate) fn unquoted(words: &[String]) -> Failure {
    let plain = words.iter().all(|word| !word.is_empty() && !word.contains([' ', '\n', '\t', '\'', '"']));
    let command = if plain { signoff_card::visible(&words.join(" ")) } else { "rm -rf build".to_owned() };
    Failure::usage("a shell command is one argument").hint(format!("put it in quotes: signoff check '{command}'"))
}

fn shell(command: String, dialect: Option<&str>) -> Result<Operation, Failure> {
    if command.trim().is_empty() {
        return Err(Failure::usage("the command is empty").hint("give a command as one text, such as `ls`"));
    }
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

/// A file operation as a person writes it; the mode of `chmod` stands before the path, as in the shell.
fn file_in_words(op: &str, rest: &str) -> Result<Operation, Failure> {
    if FileAction::from_name(op) != Some(FileAction::Chmod) {
        return file(op, rest);
    }
    let (mode, path) = rest.split_once(' ').unwrap_or((rest, ""));
    match (is_mode(mode), path.trim()) {
        (false, _) => file(op, rest),
        (true, "") => Err(Failure::usage("`chmod` needs a path").hint("for example `chmod 644 README.md`")),
        (true, path) => {
            let Operation::File(file) = file(op, path)? else { return Err(missing("op", Kind::File)) };
            Ok(Operation::File(FileOperation { to: Some(mode.to_owned()), ..file }))
        }
    }
}

/// Whether a word is a mode such as `755` or `u+x,go-w`.
fn is_mode(word: &str) -> bool {
    let octal = matches!(word.len(), 3 | 4) && word.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    let symbolic = word.split(',').all(|part| {
        let change = part.trim_start_matches(['u', 'g', 'o', 'a']);
        change.strip_prefix(['+', '-', '=']).is_some_and(|rights| rights.chars().all(|right| "rwxXst".contains(right)))
    });
    octal || symbolic
}

fn tool(name: &str, args: Value, hints: ToolHints) -> Result<Operation, Failure> {
    if name.trim().is_empty() {
        return Err(Failure::usage("the tool has no name").hint(tool_hint()));
    }
    Ok(Operation::Tool(ToolCall { name: name.to_owned(), args, hints }))
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
