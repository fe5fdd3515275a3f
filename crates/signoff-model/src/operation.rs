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

/// One operation on a file or directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOperation {
    /// What it does.
    pub action: FileAction,
    /// To which path.
    pub path: String,
    /// The other path of a move, copy or link.
    pub to: Option<String>,
    /// The new content, where the door knows it.
    pub content: Option<String>,
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
