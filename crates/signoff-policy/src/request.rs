//! What is judged, beside its assessment: the operation and the commands in it.

use std::borrow::Cow;

use signoff_model::{FileAction, Invocation, Operation};

/// An operation together with the commands that it runs.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// What the agent wants to do.
    pub operation: &'a Operation,
    /// Every command in it, at any depth, that could be told.
    pub invocations: &'a [Invocation],
}

/// What configuration calls the tool behind an operation, such as `shell_execute` or `delete_file`.
pub fn tool_name(operation: &Operation) -> Cow<'_, str> {
    match operation {
        Operation::Shell(_) => "shell_execute".into(),
        Operation::Tool(call) => call.name.as_str().into(),
        Operation::File(file) => match file.action {
            FileAction::Read => "read_file",
            FileAction::List => "list_files",
            FileAction::Create => "create_file",
            FileAction::Write => "write_file",
            FileAction::Edit => "edit_file",
            FileAction::Append => "append_file",
            FileAction::Overwrite => "overwrite_file",
            FileAction::Truncate => "truncate_file",
            FileAction::Delete => "delete_file",
            FileAction::Move => "move_file",
            FileAction::Copy => "copy_file",
            FileAction::Chmod => "chmod_file",
            FileAction::Symlink => "symlink_file",
        }
        .into(),
    }
}

/// The names under which somebody may have meant a tool when they asked for care: as it is called, and without its server.
pub(crate) fn names_of(tool: &str) -> [String; 2] {
    let alike = |name: &str| name.to_ascii_lowercase().replace('-', "_");
    let last = tool.rsplit("__").next().unwrap_or(tool);
    let last = last.rsplit(['.', '/', ':']).next().unwrap_or(last);
    [alike(tool), alike(last)]
}
