//! An operation as it is stored.

use serde::{Deserialize, Serialize};
use signoff_model::{Dialect, FileAction, FileOperation, Operation, ShellCommand, ToolCall, ToolHints};

use super::{Unreadable, missing};

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
pub(super) enum WireOperation {
    Shell {
        command: String,
        dialect: String,
    },
    File {
        action: String,
        path: String,
        to: Option<String>,
        content: Option<String>,
    },
    Tool {
        name: String,
        /// The text of the arguments: they may nest as deep as a door lets through, and this record around them nests, too.
        args: String,
        read_only: Option<bool>,
        destructive: Option<bool>,
        open_world: Option<bool>,
    },
}

impl From<&Operation> for WireOperation {
    fn from(operation: &Operation) -> Self {
        match operation {
            Operation::Shell(ShellCommand { command, dialect }) => {
                Self::Shell { command: command.clone(), dialect: dialect.name().to_owned() }
            }
            Operation::File(FileOperation { action, path, to, content }) => Self::File {
                action: action.name().to_owned(),
                path: path.clone(),
                to: to.clone(),
                content: content.clone(),
            },
            Operation::Tool(ToolCall { name, args, hints: ToolHints { read_only, destructive, open_world } }) => {
                Self::Tool {
                    name: name.clone(),
                    args: args.to_string(),
                    read_only: *read_only,
                    destructive: *destructive,
                    open_world: *open_world,
                }
            }
        }
    }
}

impl TryFrom<WireOperation> for Operation {
    type Error = Unreadable;

    fn try_from(wire: WireOperation) -> Result<Self, Unreadable> {
        Ok(match wire {
            WireOperation::Shell { command, dialect } => {
                let dialect = Dialect::from_name(&dialect).ok_or_else(|| missing("dialect"))?;
                Self::Shell(ShellCommand { command, dialect })
            }
            WireOperation::File { action, path, to, content } => {
                let action = FileAction::from_name(&action).ok_or_else(|| missing("action"))?;
                Self::File(FileOperation { action, path, to, content })
            }
            WireOperation::Tool { name, args, read_only, destructive, open_world } => {
                let args = serde_json::from_str(&args)?;
                Self::Tool(ToolCall { name, args, hints: ToolHints { read_only, destructive, open_world } })
            }
        })
    }
}
