use std::borrow::Cow;

use serde_json::Value;

/// The language that a shell command is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// GNU bash.
    #[default]
    Bash,
    /// POSIX sh.
    Sh,
    /// zsh.
    Zsh,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 3] = [Self::Bash, Self::Sh, Self::Zsh];

    /// The stable name used on the wire and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Sh => "sh",
            Self::Zsh => "zsh",
        }
    }

    /// The dialect of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

/// A text for a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellCommand {
    /// The text as the shell would get it.
    pub command: String,
    /// Which shell.
    pub dialect: Dialect,
}

/// What a file operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileAction {
    /// Looks at the content.
    Read,
    /// Lists or searches.
    List,
    /// Makes a new file or directory.
    Create,
    /// Writes the whole content.
    Write,
    /// Changes a part of the content.
    Edit,
    /// Adds to the end.
    Append,
    /// Replaces a file that exists.
    Overwrite,
    /// Empties a file.
    Truncate,
    /// Removes.
    Delete,
    /// Renames or moves to another place.
    Move,
    /// Copies to another place.
    Copy,
    /// Changes the rights.
    Chmod,
    /// Makes a symbolic link: `path` is the new link, `to` what it points at.
    Symlink,
}

impl FileAction {
    /// Every action.
    pub const ALL: [Self; 13] = [
        Self::Read,
        Self::List,
        Self::Create,
        Self::Write,
        Self::Edit,
        Self::Append,
        Self::Overwrite,
        Self::Truncate,
        Self::Delete,
        Self::Move,
        Self::Copy,
        Self::Chmod,
        Self::Symlink,
    ];

    /// The stable name used on the wire and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::List => "list",
            Self::Create => "create",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Append => "append",
            Self::Overwrite => "overwrite",
            Self::Truncate => "truncate",
            Self::Delete => "delete",
            Self::Move => "move",
            Self::Copy => "copy",
            Self::Chmod => "chmod",
            Self::Symlink => "symlink",
        }
    }

    /// The action of a name, or of another word that agents have for it.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = match name {
            "mkdir" => "create",
            "rename" => "move",
            "remove" => "delete",
            "replace" => "overwrite",
            name => name,
        };
        Self::ALL.into_iter().find(|action| action.name() == name)
    }

    /// Whether it takes a second path, written `from -> to`.
    pub const fn takes_two_paths(self) -> bool {
        matches!(self, Self::Move | Self::Copy | Self::Symlink)
    }
}

/// One operation on a file or directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOperation {
    /// What it does.
    pub action: FileAction,
    /// To which path.
    pub path: String,
    /// The other path of a move, copy or link; the mode of a chmod, where it is known.
    pub to: Option<String>,
    /// The new content, where the door knows it.
    pub content: Option<String>,
}

impl FileOperation {
    /// An operation on a path; moves, copies and links name both paths as `from -> to`. None when a path is missing, or
    /// when a second arrow leaves open where one path ends and the other begins.
    pub fn parse(action: FileAction, path: &str) -> Option<Self> {
        let (path, to) = if action.takes_two_paths() {
            let (from, to) = path.split_once(" -> ").filter(|(_, to)| !to.contains(" -> "))?;
            (from.trim(), Some(to.trim().to_owned()))
        } else {
            (path, None)
        };
        let complete = !path.is_empty() && to.as_deref() != Some("");
        complete.then(|| Self { action, path: path.to_owned(), to, content: None })
    }
}

/// What a tool says about itself. A tool can lie, so a hint may raise a verdict and never lower one by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ToolHints {
    /// It says that it changes nothing.
    pub read_only: Option<bool>,
    /// It says that it may destroy.
    pub destructive: Option<bool>,
    /// It says that it reaches beyond this machine.
    pub open_world: Option<bool>,
}

/// A call of any other tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The name of the tool, with the server's name before it where there is one.
    pub name: String,
    /// Its arguments.
    pub args: Value,
    /// What the tool says about itself.
    pub hints: ToolHints,
}

/// What an agent wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Run a shell command.
    Shell(ShellCommand),
    /// Touch a file.
    File(FileOperation),
    /// Call another tool.
    Tool(ToolCall),
}

impl Operation {
    /// Whether whoever would run the one can run the other: the same shell, file operations, or the same tool. Another shell
    /// would read the same text in another way.
    pub fn is_run_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Shell(one), Self::Shell(other)) => one.dialect == other.dialect,
            (Self::File(_), Self::File(_)) => true,
            (Self::Tool(one), Self::Tool(other)) => one.name == other.name && one.hints == other.hints,
            (Self::Shell(_) | Self::File(_) | Self::Tool(_), _) => false,
        }
    }

    /// The operation as the text that is shown to people. Every span of its assessment is a range of this text.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Shell(shell) => Cow::Borrowed(&shell.command),
            Self::File(file) => Cow::Owned(match &file.to {
                // The mode stands where people write it.
                Some(mode) if file.action == FileAction::Chmod => format!("chmod {mode} {}", file.path),
                Some(to) => format!("{} {} -> {to}", file.action.name(), file.path),
                None => format!("{} {}", file.action.name(), file.path),
            }),
            Self::Tool(tool) => Cow::Owned(format!("{} {}", tool.name, tool.args)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Dialect, FileAction, FileOperation, Operation, ShellCommand, ToolCall, ToolHints};

    #[test]
    fn an_operation_is_shown_as_one_text() {
        let file =
            |action, path| FileOperation::parse(action, path).map(|file| Operation::File(file).text().into_owned());
        assert_eq!(file(FileAction::Delete, "src/").as_deref(), Some("delete src/"));
        assert_eq!(file(FileAction::Move, "a -> b").as_deref(), Some("move a -> b"));
        let mode =
            FileOperation { action: FileAction::Chmod, path: "src/".into(), to: Some("777".into()), content: None };
        assert_eq!(Operation::File(mode).text(), "chmod 777 src/");
        let tool = ToolCall { name: "fetch".into(), args: json!({"url": "x"}), hints: ToolHints::default() };
        assert_eq!(Operation::Tool(tool).text(), r#"fetch {"url":"x"}"#);
    }

    #[test]
    fn what_runs_one_operation_does_not_run_every_other() {
        let shell = |dialect| Operation::Shell(ShellCommand { command: "x".to_owned(), dialect });
        let file = Operation::File(FileOperation::parse(FileAction::Delete, "x").unwrap());
        let tool =
            |name: &str| Operation::Tool(ToolCall { name: name.into(), args: json!({}), hints: ToolHints::default() });
        assert!(shell(Dialect::Bash).is_run_like(&shell(Dialect::Bash)) && file.is_run_like(&file));
        assert!(tool("a").is_run_like(&tool("a")) && !tool("a").is_run_like(&tool("b")));
        assert!(!shell(Dialect::Bash).is_run_like(&shell(Dialect::Zsh)));
        assert!(!shell(Dialect::Bash).is_run_like(&file) && !file.is_run_like(&tool("a")));
    }

    #[test]
    fn every_action_is_found_by_its_name() {
        for action in FileAction::ALL {
            assert_eq!(FileAction::from_name(action.name()), Some(action));
        }
        assert_eq!(FileAction::from_name("explode"), None);
    }

    #[test]
    fn two_paths_are_split_and_one_path_is_kept_whole() {
        let parse = |action, path| FileOperation::parse(action, path).map(|op| (op.path, op.to));
        assert_eq!(parse(FileAction::Move, "a b -> c/d"), Some(("a b".into(), Some("c/d".into()))));
        assert_eq!(
            parse(FileAction::Symlink, "build -> target/debug"),
            Some(("build".into(), Some("target/debug".into())))
        );
        assert_eq!(parse(FileAction::Delete, "a -> b"), Some(("a -> b".into(), None)));
        assert_eq!(parse(FileAction::Copy, "a"), None);
        assert_eq!(parse(FileAction::Copy, "a -> b -> c"), None);
        assert_eq!(parse(FileAction::Copy, "a -> "), None);
        assert_eq!(parse(FileAction::Read, ""), None);
    }
}
