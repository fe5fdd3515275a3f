//! A call that must be refused, put to the hook as the client would put it.

use std::{
    io::{Read as _, Write as _},
    path::Path,
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use signoff_agents::Client;

/// What nobody ever lets through.
const ABSURD: &str = "rm -rf --no-preserve-root /";

/// Whether the hook refuses what is absurd.
pub(super) fn is_refused(program: &Path, client: Client) -> bool {
    put(program, client, &payload(client).to_string())
}

/// Whether it refuses what nobody can read.
pub(super) fn is_closed(program: &Path, client: Client) -> bool {
    put(program, client, "{\"broken\": ")
}

/// Whether the hook answers with a whole no: in JSON, with words on standard error, and with exit code 2.
fn put(program: &Path, client: Client, payload: &str) -> bool {
    let started = Command::new(program)
        .args(["hook", client.name()])
        .env("AGENT_TOOL_NAME", "Bash")
        .env_remove("CLAUDE_CODE_SESSION_ATTENDED")
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = started else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        // One that does not read has not refused.
        let _ = stdin.write_all(payload.as_bytes());
    }
    let (mut out, mut err) = (String::new(), String::new());
    let _ = child.stdout.take().map(|mut stdout| stdout.read_to_string(&mut out));
    let _ = child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut err));
    let refused = child.wait().is_ok_and(|status| status.code() == Some(2));
    refused && !err.trim().is_empty() && serde_json::from_str::<Value>(&out).is_ok()
}

/// The call in the words of the client.
fn payload(client: Client) -> Value {
    let input = json!({"command": ABSURD});
    let tool = "Bash";
    match client {
        Client::Claude | Client::Codex | Client::Qwen => json!({
            "hook_event_name": "PreToolUse", "session_id": "canary", "transcript_path": "/nonexistent", "cwd": "/",
            "tool_name": tool, "tool_input": input,
        }),
        Client::Gemini => json!({
            "hook_event_name": "BeforeTool", "session_id": "canary", "cwd": "/", "tool_name": "run_shell_command",
            "tool_input": input,
        }),
        Client::Kimi => json!({
            "hook_event_name": "PreToolUse", "session_id": "canary", "cwd": "/", "client_type": "kimi_code_cli",
            "tool_name": tool, "tool_input": input,
        }),
        Client::Copilot => {
            json!({"sessionId": "canary", "timestamp": 0, "cwd": "/", "toolName": "bash", "toolArgs": input})
        }
        Client::Cline => json!({
            "clineVersion": "", "taskId": "canary", "workspaceRoots": ["/"], "hookName": "tool_call",
            "tool_call": {"id": "1", "name": "run_commands", "input": {"commands": [ABSURD]}},
        }),
        Client::Cursor => json!({
            "hook_event_name": "beforeShellExecution", "conversation_id": "canary", "cursor_version": "0",
            "workspace_roots": ["/"], "command": ABSURD, "cwd": "/",
        }),
        Client::Windsurf => json!({
            "agent_action_name": "pre_run_command", "trajectory_id": "canary",
            "tool_info": {"command_line": ABSURD, "cwd": "/"},
        }),
        Client::Goose => json!({
            "event": "PreToolUse", "session_id": "canary", "tool_name": "shell", "tool_input": input, "working_dir": "/",
        }),
        Client::Antigravity => json!({
            "toolCall": {"name": "run_command", "args": {"CommandLine": ABSURD, "Cwd": "/"}}, "workspacePaths": ["/"],
            "conversationId": "canary",
        }),
        Client::Amp => json!({"cmd": ABSURD}),
        Client::OpenCode => json!({
            "event": "tool.execute.before", "tool": "bash", "sessionID": "canary", "callID": "1", "cwd": "/", "args": input,
        }),
    }
}
