//! What is written for each client: under which events, and in which words.

use serde_json::{Value, json};

use super::{File, Scope};
use crate::Client;

/// The program that Amp calls, beside its settings.
pub(super) const DELEGATE: &str = "signoff-hook";

/// How the entries of an event lie in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// `{"hooks": {EVENT: [{"matcher": "*", "hooks": [ENTRY]}]}}`
    Grouped,
    /// `{"hooks": {EVENT: [ENTRY]}}`
    Plain,
    /// `{"amp.permissions": [ENTRY]}`, of which the first that fits counts.
    Rules,
}

/// The events at which a client calls a hook before it runs something, and after.
pub(super) const fn events(client: Client) -> &'static [&'static str] {
    match client {
        Client::Claude => &["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"],
        Client::Codex => &["PreToolUse", "PermissionRequest", "PostToolUse"],
        Client::Qwen => &["PreToolUse", "PostToolUse"],
        Client::Kimi | Client::Goose | Client::Cline => &["PreToolUse", "PostToolUse"],
        Client::Gemini => &["BeforeTool", "AfterTool"],
        Client::Copilot => &["preToolUse", "postToolUse"],
        Client::Cursor => &["beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "preToolUse"],
        Client::Windsurf => &["pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use"],
        Client::Antigravity => &["PreToolUse"],
        Client::Amp => &["amp.permissions"],
        Client::OpenCode => &["tool.execute.before", "tool.execute.after"],
    }
}

pub(super) const fn layout(client: Client) -> Layout {
    match client {
        Client::Copilot | Client::Cursor | Client::Windsurf => Layout::Plain,
        Client::Amp => Layout::Rules,
        _ => Layout::Grouped,
    }
}

/// The entry that calls our hook, with its fields in this order.
pub(super) fn entry(file: &File<'_>) -> Option<Vec<(&'static str, Value)>> {
    let (client, program, command) = (file.client, file.program?, file.command()?);
    let seconds = client.waits().as_secs();
    Some(match client {
        // Closed where the hook dies, hangs or is gone.
        Client::Claude => {
            let called = match file.scope {
                // Copilot reads the settings of a project as well, and drops the arguments.
                Scope::Project => vec![("command", json!(command))],
                // Without a shell.
                Scope::User | Scope::Managed => {
                    vec![("command", json!(program)), ("args", json!(["hook", "claude"]))]
                }
            };
            let rest = [
                ("timeout", json!(seconds)),
                ("onFailure", json!("block")),
                ("statusMessage", json!("waiting for approval at Signoff")),
            ];
            [("type", json!("command"))].into_iter().chain(called).chain(rest).collect()
        }
        Client::Codex | Client::Goose | Client::Antigravity => {
            vec![("type", json!("command")), ("command", json!(command)), ("timeout", json!(seconds))]
        }
        Client::Gemini | Client::Qwen => vec![
            ("type", json!("command")),
            ("name", json!(super::NAME)),
            ("command", json!(command)),
            // In milliseconds.
            ("timeout", json!(seconds * 1_000)),
        ],
        Client::Copilot => {
            vec![("type", json!("command")), ("bash", json!(command)), ("timeoutSec", json!(seconds))]
        }
        Client::Cursor => {
            vec![("command", json!(command)), ("timeout", json!(seconds)), ("failClosed", json!(true))]
        }
        Client::Windsurf => vec![("command", json!(command)), ("show_output", json!(true))],
        // It starts what stands there as one path.
        Client::Amp => {
            let script = file.path.with_file_name(DELEGATE);
            vec![("tool", json!("*")), ("action", json!("delegate")), ("to", json!(script))]
        }
        Client::Kimi | Client::Cline | Client::OpenCode => return None,
    })
}

/// The command that an entry runs, if it runs one.
pub(super) fn command_of(entry: &Value) -> Option<String> {
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let command = ["command", "bash", "to"].into_iter().find_map(text)?;
    let arguments = entry.get("args").and_then(Value::as_array);
    let arguments = arguments.into_iter().flatten().filter_map(Value::as_str);
    Some(std::iter::once(command).chain(arguments).collect::<Vec<_>>().join(" "))
}
