//! What callers send: words on the command line and lines of a batch. These types are the wire's and nobody else's.

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};
use signoff_analysis::screen::{Agent, Cursor};
use signoff_card::visible;
use signoff_model::{Dialect, FileAction, FileOperation, Operation, ShellCommand, ToolCall, ToolHints};

use crate::{
    arguments::Kind,
    failure::Failure,
    fields::{ARGUMENTS, Fields, exact},
};

/// What a line is called by its sender, sign for sign: a number would not survive being read.
pub(crate) type Id = Option<Box<RawValue>>;

/// One line of a batch. Fields that are not known are ignored, so that a line may carry notes of its own, unless they
/// look like one that is known.
pub(crate) struct Request {
    pub(crate) id: Id,
    pub(crate) cwd: Option<String>,
    fields: Fields,
}

/// The id of a line that is otherwise broken.
#[derive(Deserialize)]
pub(crate) struct OnlyId {
    #[serde(default)]
    pub(crate) id: Id,
}

/// What the command line gives to lines that leave it out.
#[derive(Clone, Copy)]
pub(crate) struct Defaults<'a> {
    pub(crate) kind: Kind,
    pub(crate) dialect: Option<&'a str>,
}

impl OnlyId {
    pub(crate) fn parse(line: &str) -> Option<Self> {
        // The parser would take the values of an array for the fields in their order.
        if line.trim_start().starts_with('[') { None } else { serde_json::from_str(line).ok() }
    }
}

impl Request {
    pub(crate) fn parse(line: &str) -> Result<Self, Failure> {
        let example = r#"{"id": 1, "kind": "shell", "cmd": "ls"}"#;
        let mut fields = Fields::parse(line).map_err(|failure| {
            failure.hint(
                format!("one JSON object a line, such as {example}"),
                format!("每行一个 JSON 对象，例如 {example}"),
            )
        })?;
        let named = fields.value("id").is_some();
        let id = OnlyId::parse(line).filter(|_| named).and_then(|only| only.id);
        let cwd = fields.text("cwd")?;
        Ok(Self { id, cwd, fields })
    }

    pub(crate) fn operation(self, defaults: Defaults<'_>) -> Result<Operation, Failure> {
        let mut fields = self.fields;
        let kind = match fields.text("kind")? {
            Some(name) => kind(&name)?,
            None => defaults.kind,
        };
        fields.check(kind)?;
        match kind {
            Kind::Shell => {
                let command = fields.text("cmd")?.ok_or_else(|| missing("cmd", kind))?;
                let dialect = fields.text("dialect")?;
                shell(command, dialect.as_deref().or(defaults.dialect))
            }
            Kind::File => {
                let op = fields.text("op")?.ok_or_else(|| missing("op", kind))?;
                let path = fields.text("path")?.ok_or_else(|| missing("path", kind))?;
                let content = fields.text("content")?;
                Ok(Operation::File(FileOperation { content, ..file_in_words(&op, &path)? }))
            }
            Kind::Tool => {
                let name = fields.text("tool")?.ok_or_else(|| missing("tool", kind))?;
                let args = fields.under_one_of(&ARGUMENTS)?.unwrap_or_else(no_arguments);
                let hints = fields.value("hints").map_or_else(|| Ok(ToolHints::default()), hints)?;
                tool(&name, args, hints)
            }
            Kind::Sql | Kind::Reply | Kind::Screen => Err(later(kind)),
        }
    }

    /// The screen that it holds, if that is what it holds.
    pub(crate) fn screen(&mut self, default: Kind) -> Result<Option<ScreenRequest>, Failure> {
        let is_screen = self.fields.says("kind").map_or(default == Kind::Screen, |kind| kind == Kind::Screen.name());
        if !is_screen {
            return Ok(None);
        }
        self.fields.text("kind")?;
        self.fields.check(Kind::Screen)?;
        let screen = self.fields.text("screen")?.ok_or_else(|| missing("screen", Kind::Screen))?;
        let columns = self.fields.count("columns")?;
        let cursor = self.fields.value("cursor").map(cursor).transpose()?;
        let running = self.fields.text("running")?.map(|name| running(&name)).transpose()?;
        Ok(Some(ScreenRequest { screen, columns, cursor, running }))
    }
}

/// A screen, with what is known of its terminal.
pub(crate) struct ScreenRequest {
    pub(crate) screen: String,
    pub(crate) columns: Option<usize>,
    pub(crate) cursor: Option<Cursor>,
    pub(crate) running: Option<Agent>,
}

/// A cursor as tmux tells it: its column and its row.
fn cursor(value: Value) -> Result<Cursor, Failure> {
    let count = |value: &Value| value.as_u64().and_then(|count| usize::try_from(count).ok());
    let place = match value.as_array().map(Vec::as_slice) {
        Some([column, row]) => count(column).zip(count(row)),
        _ => None,
    };
    place.map(|(column, row)| Cursor { row, column }).ok_or_else(|| {
        Failure::usage("`cursor` must be a column and a row", "`cursor` 必须是列和行")
            .hint(r#"for example "cursor": [0, 12], counted from zero"#, r#"例如 "cursor": [0, 12]，从零开始计数"#)
    })
}

fn running(name: &str) -> Result<Agent, Failure> {
    Agent::from_name(name).ok_or_else(|| {
        let (known, name) = (Agent::ALL.map(Agent::name).join(", "), visible(name));
        Failure::usage(format!("unknown agent `{name}`"), format!("未知代理 `{name}`"))
            .hint(format!("one of {known}"), format!("可用：{known}"))
    })
}

/// What a tool says about itself, under our names or those of MCP's annotations. A misspelt hint would be no hint at all,
/// so that a name that is not known is an error.
fn hints(value: Value) -> Result<ToolHints, Failure> {
    const KNOWN: &str = "read_only (readOnlyHint), destructive (destructiveHint), open_world (openWorldHint), idempotent \
                         (idempotentHint), title";
    let Value::Object(given) = value else {
        return Err(Failure::usage("`hints` must be an object", "`hints` 必须是对象")
            .hint(r#"for example "hints": {"destructive": true}"#, r#"例如 "hints": {"destructive": true}"#));
    };
    let mut hints = ToolHints::default();
    let mut unused = [None, None];
    for (name, value) in given {
        let shown = visible(&name);
        let [idempotent, title] = &mut unused;
        let (hint, is_text) = match name.as_str() {
            "read_only" | "readOnlyHint" => (&mut hints.read_only, false),
            "destructive" | "destructiveHint" => (&mut hints.destructive, false),
            "open_world" | "openWorldHint" => (&mut hints.open_world, false),
            // These decide nothing: a second call is judged like the first, and a title is for people.
            "idempotent" | "idempotentHint" => (idempotent, false),
            "title" => (title, true),
            _ => {
                return Err(Failure::usage(format!("unknown hint `{shown}`"), format!("未知提示项 `{shown}`"))
                    .hint(format!("one of {KNOWN}"), format!("可用：{KNOWN}")));
            }
        };
        let said = match value {
            Value::Null => continue,
            Value::Bool(said) if !is_text => said,
            Value::String(_) if is_text => true,
            _ => {
                let [english, chinese] =
                    if is_text { ["a text", "文本"] } else { ["true or false", "true 或 false"] };
                let example = if is_text { r#""…""# } else { "true" };
                return Err(Failure::usage(
                    format!("the hint `{shown}` must be {english}"),
                    format!("提示项 `{shown}` 必须是 {chinese}"),
                )
                .hint(format!("write \"{shown}\": {example}"), format!("写作 \"{shown}\": {example}")));
            }
        };
        if hint.replace(said).is_some() {
            return Err(Failure::usage(
                format!("the hint `{shown}` stands there twice, under two names"),
                format!("提示项 `{shown}` 以两个名称重复出现"),
            )
            .hint("keep one of the two names", "请只保留其中一个名称"));
        }
    }
    Ok(hints)
}

/// The operation that the words of the command line mean.
pub(crate) fn from_words(kind: Kind, words: &[String], dialect: Option<&str>) -> Result<Operation, Failure> {
    match (kind, words) {
        (Kind::Sql | Kind::Reply | Kind::Screen, _) => Err(later(kind)),
        (Kind::File | Kind::Tool, _) if dialect.is_some() => {
            Err(Failure::usage("--dialect is for shell texts", "--dialect 仅用于 shell 文本")
                .hint("leave it out, or use --kind shell", "请去掉它，或使用 --kind shell"))
        }
        (Kind::Shell, [command]) => shell(command.clone(), dialect),
        (Kind::Shell, _) => Err(unquoted(kind, words)),
        // With the content that is to be written, which no other form has room for.
        (Kind::File, [call]) if call.trim_start().starts_with('{') => {
            Request::parse(call)?.operation(Defaults { kind, dialect })
        }
        (Kind::File, [both]) => match both.trim().split_once(' ') {
            Some((op, rest)) => file_in_words(op, rest.trim()).map(Operation::File),
            None => {
                let both = visible(both);
                Err(with_file_hint(Failure::usage(format!("`{both}` names no path"), format!("`{both}` 未指明路径"))))
            }
        },
        (Kind::File, [op, rest]) => file_in_words(op, rest).map(Operation::File),
        (Kind::File, [op, first, second]) if is_mode(first) || is_mode(second) => {
            file_in_words(op, &format!("{first} {second}")).map(Operation::File)
        }
        (Kind::File, [op, from, arrow, to]) if arrow == "->" => {
            file_in_words(op, &format!("{from} -> {to}")).map(Operation::File)
        }
        (Kind::File, _) => {
            Err(with_file_hint(Failure::usage("a file operation is `OP PATH`", "文件操作的形式是 `操作 路径`")))
        }
        (Kind::Tool, [call]) if call.trim_start().starts_with('{') => {
            Request::parse(call)?.operation(Defaults { kind, dialect })
        }
        (Kind::Tool, [name]) => tool(name, no_arguments(), ToolHints::default()),
        (Kind::Tool, [name, args]) => {
            let args = exact(args).map_err(with_tool_hint)?;
            tool(name, args, ToolHints::default())
        }
        (Kind::Tool, _) => Err(with_tool_hint(Failure::usage(
            "a tool call is a name and a JSON object",
            "工具调用由名称和 JSON 对象组成",
        ))),
    }
}

fn kind(name: &str) -> Result<Kind, Failure> {
    Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        // Only what can be judged today is worth trying.
        let known: Vec<&str> = Kind::ALL.into_iter().filter(|kind| kind.is_judged()).map(Kind::name).collect();
        let (known, name) = (known.join(", "), visible(name));
        Failure::usage(format!("unknown kind `{name}`"), format!("未知类型 `{name}`"))
            .hint(format!("one of {known}"), format!("可用：{known}"))
    })
}

/// An operation whose words came one by one: the shell of the caller has already taken its quotes and expanded it.
pub(crate) fn unquoted(kind: Kind, words: &[String]) -> Failure {
    let plain = words.iter().all(|word| !word.is_empty() && !word.contains([' ', '\n', '\t', '\'', '"']));
    let given = || plain.then(|| visible(&words.join(" ")));
    let (english, chinese, command) = match kind {
        Kind::File => {
            let operation = given().unwrap_or_else(|| "move a -> b".to_owned());
            ("a file operation is one argument", "文件操作是一个参数", format!("--kind file '{operation}'"))
        }
        Kind::Tool => (
            "a tool call is a name and a JSON object",
            "工具调用由名称和 JSON 对象组成",
            r#"--kind tool fetch '{"url": "https://example.com"}'"#.to_owned(),
        ),
        Kind::Shell | Kind::Sql | Kind::Reply | Kind::Screen => {
            let command = given().unwrap_or_else(|| "rm -rf build".to_owned());
            ("a shell command is one argument", "shell 命令是一个参数", format!("'{command}'"))
        }
    };
    Failure::usage(english, chinese)
        .hint(format!("put it in quotes: signoff check {command}"), format!("请加引号：signoff check {command}"))
}

fn shell(command: String, dialect: Option<&str>) -> Result<Operation, Failure> {
    if command.trim().is_empty() {
        return Err(Failure::usage("the command is empty", "命令为空")
            .hint("give a command as one text, such as `ls`", "请以一段文本给出命令，例如 `ls`"));
    }
    let dialect = match dialect {
        None => Dialect::default(),
        Some(name) => Dialect::from_name(name).ok_or_else(|| {
            let known = Dialect::ALL.map(Dialect::name).join(", ");
            let name = visible(name);
            Failure::usage(format!("unknown dialect `{name}` of the shell"), format!("未知的 shell 方言 `{name}`"))
                .hint(format!("one of {known}"), format!("可用：{known}"))
        })?,
    };
    Ok(Operation::Shell(ShellCommand { command, dialect }))
}

fn file(op: &str, path: &str) -> Result<FileOperation, Failure> {
    let shown = visible(op);
    let action = FileAction::from_name(op).ok_or_else(|| {
        with_file_hint(Failure::usage(format!("unknown file operation `{shown}`"), format!("未知的文件操作 `{shown}`")))
    })?;
    FileOperation::parse(action, path).ok_or_else(|| {
        let [english, chinese] = if action.takes_two_paths() {
            ["two paths, as `from -> to`", "两个路径，写作 `from -> to`"]
        } else {
            ["a path", "一个路径"]
        };
        with_file_hint(Failure::usage(format!("`{shown}` needs {english}"), format!("`{shown}` 需要{chinese}")))
    })
}

/// A file operation as a person writes it; the mode of `chmod` stands before the path, as in the shell, or behind it.
fn file_in_words(op: &str, rest: &str) -> Result<FileOperation, Failure> {
    let rest = rest.trim();
    let (mode, path) = match (rest.split_once(' '), rest.rsplit_once(' ')) {
        (Some((mode, path)), _) if is_mode(mode) => (mode, path),
        (_, Some((path, mode))) if is_mode(mode) => (mode, path),
        _ => (rest, ""),
    };
    let has_mode = FileAction::from_name(op) == Some(FileAction::Chmod) && is_mode(mode);
    match (has_mode, path.trim()) {
        (false, _) => file(op, rest),
        (true, "") => Err(Failure::usage("`chmod` needs a path", "`chmod` 需要一个路径")
            .hint("for example `chmod 644 README.md`", "例如 `chmod 644 README.md`")),
        (true, path) => Ok(FileOperation { to: Some(mode.to_owned()), ..file(op, path)? }),
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
        return Err(with_tool_hint(Failure::usage("the tool has no name", "工具没有名称")));
    }
    Ok(Operation::Tool(ToolCall { name: name.to_owned(), args, hints }))
}

fn no_arguments() -> Value {
    Value::Object(Map::new())
}

fn missing(field: &str, kind: Kind) -> Failure {
    let (english, chinese, example) = match kind {
        Kind::File => ("a file operation", "文件操作", r#"{"kind": "file", "op": "delete", "path": "src/"}"#),
        Kind::Tool => ("a tool call", "工具调用", r#"{"kind": "tool", "tool": "fetch", "args": {}}"#),
        Kind::Shell | Kind::Sql | Kind::Reply => ("a shell command", "shell 命令", r#"{"kind": "shell", "cmd": "ls"}"#),
        Kind::Screen => ("a screen", "屏幕", r#"{"kind": "screen", "screen": "…"}"#),
    };
    Failure::usage(format!("`{field}` is missing"), format!("缺少 `{field}`"))
        .hint(format!("{english} is {example}"), format!("{chinese}写作 {example}"))
}

fn later(kind: Kind) -> Failure {
    let kind = kind.name();
    Failure::usage(format!("the kind `{kind}` arrives later"), format!("类型 `{kind}` 尚未支持"))
        .hint("shell, file, tool and screen can be judged now", "目前可判断 shell、file、tool 和 screen")
}

fn with_file_hint(failure: Failure) -> Failure {
    let known = FileAction::ALL.map(FileAction::name).join(", ");
    failure.hint(
        format!("for example `delete src/` or `move a -> b`; operations are {known}"),
        format!("例如 `delete src/` 或 `move a -> b`；可用操作：{known}"),
    )
}

fn with_tool_hint(failure: Failure) -> Failure {
    let example = r#"signoff check --kind tool fetch '{"url": "https://example.com"}'"#;
    failure.hint(format!("for example: {example}"), format!("例如：{example}"))
}
