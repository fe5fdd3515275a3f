//! An operation as agents send it, in the same words as a line of `signoff check --batch`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use signoff_model::{Dialect, FileAction, FileOperation, Operation, ShellCommand, ToolCall, ToolHints};
use utoipa::ToSchema;

use crate::problem::Problem;

/// Something that an agent wants to do.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub(crate) enum WireOperation {
    /// A text for a shell.
    Shell {
        /// The text.
        cmd: String,
        /// The shell that reads it: bash, sh or zsh.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dialect: Option<String>,
    },
    /// Something done to a file.
    File {
        /// What: read, create, write, edit, overwrite, delete, move, copy, chmod, symlink.
        op: String,
        /// To which.
        path: String,
        /// Where to, for those that have two ends.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
        /// The new text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<String>,
    },
    /// A call of any other tool.
    Tool {
        /// Its name.
        tool: String,
        /// Its arguments.
        #[serde(default)]
        #[schema(value_type = Object)]
        args: Value,
        /// What the tool says about itself.
        #[serde(default)]
        hints: WireHints,
    },
}

/// What a tool says about itself.
#[derive(Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireHints {
    /// It changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read_only: Option<bool>,
    /// It may destroy something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    destructive: Option<bool>,
    /// It reaches out of this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    open_world: Option<bool>,
}

impl TryFrom<WireOperation> for Operation {
    type Error = Problem;

    fn try_from(wire: WireOperation) -> Result<Self, Problem> {
        Ok(match wire {
            WireOperation::Shell { cmd, dialect } => {
                let dialect = match dialect {
                    None => Dialect::default(),
                    Some(name) => Dialect::from_name(&name)
                        .ok_or_else(|| Problem::wrong("`dialect` must be one of bash, sh, zsh"))?,
                };
                Self::Shell(ShellCommand { command: cmd, dialect })
            }
            WireOperation::File { op, path, to, content } => {
                let action = FileAction::from_name(&op).ok_or_else(|| {
                    let known: Vec<&str> = FileAction::ALL.iter().map(|action| action.name()).collect();
                    Problem::wrong(format!("`op` must be one of {}", known.join(", ")))
                })?;
                Self::File(FileOperation { action, path, to, content })
            }
            WireOperation::Tool { tool, args, hints } => {
                let WireHints { read_only, destructive, open_world } = hints;
                let args = if args.is_null() { Value::Object(serde_json::Map::new()) } else { args };
                Self::Tool(ToolCall { name: tool, args, hints: ToolHints { read_only, destructive, open_world } })
            }
        })
    }
}

impl From<&Operation> for WireOperation {
    fn from(operation: &Operation) -> Self {
        match operation {
            Operation::Shell(ShellCommand { command, dialect }) => {
                Self::Shell { cmd: command.clone(), dialect: Some(dialect.name().to_owned()) }
            }
            Operation::File(FileOperation { action, path, to, content }) => Self::File {
                op: action.name().to_owned(),
                path: path.clone(),
                to: to.clone(),
                content: content.clone(),
            },
            Operation::Tool(ToolCall { name, args, hints }) => {
                let ToolHints { read_only, destructive, open_world } = *hints;
                let hints = WireHints { read_only, destructive, open_world };
                Self::Tool { tool: name.clone(), args: args.clone(), hints }
            }
        }
    }
}
