//! What each client sends is understood, and what each client hears makes it do what was decided.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;
use serde_json::{Value, json};
use signoff_agents::{
    Client,
    hook::{Answer, Call, Moment, Unreadable, can_change, operation, reply, unheeded},
};
use signoff_model::{Dialect, Operation, ShellCommand};

const COMMAND: &str = "rm -rf ./tmp_a";

/// What each client sends before it runs a command, as they were seen to.
fn payloads() -> Vec<(Client, &'static str, Value)> {
    let claude = json!({
        "session_id": "s-1", "transcript_path": "/t/s-1.jsonl", "cwd": "/p", "prompt_id": "p", "permission_mode": "default",
        "effort": {"level": "medium"}, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": COMMAND, "description": "Remove temporary files"}, "tool_use_id": "toolu_1",
    });
    let codex = json!({
        "session_id": "s-1", "turn_id": "t", "transcript_path": "/t/rollout.jsonl", "cwd": "/p", "hook_event_name": "PreToolUse",
        "model": "gpt", "permission_mode": "bypassPermissions", "tool_name": "Bash", "tool_input": {"command": COMMAND},
        "tool_use_id": "call_1",
    });
    let gemini = json!({
        "session_id": "s-1", "transcript_path": "/t/session.jsonl", "cwd": "/p", "hook_event_name": "BeforeTool",
        "timestamp": "2026-11-15T18:10:43.931Z", "tool_name": "run_shell_command",
        "tool_input": {"command": COMMAND, "description": "remove temp"},
    });
    let copilot = json!({
        "sessionId": "s-1", "timestamp": 1_794_767_418_096_u64, "cwd": "/p", "toolName": "bash",
        "toolArgs": {"command": COMMAND, "description": "Remove temp dir"},
    });
    let copilot_as_claude = json!({
        "hook_event_name": "PreToolUse", "session_id": "s-1", "timestamp": "2026-11-15T18:30:23.065Z", "cwd": "/p",
        "tool_name": "Bash", "tool_input": {"command": COMMAND, "description": "Remove temp dir"},
    });
    let qwen = json!({
        "session_id": "s-1", "transcript_path": "/t/chat.jsonl", "cwd": "/p", "hook_event_name": "PreToolUse",
        "timestamp": "2026-11-15T18:43:24.406Z", "permission_mode": "yolo", "prompt_id": "p", "tool_name": "run_shell_command",
        "tool_input": {"command": COMMAND, "description": "remove temp", "is_background": false},
        "tool_use_id": "toolu_1", "tool_call_id": "call_1",
    });
    let kimi = json!({
        "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": "/p", "client_type": "kimi_code_cli", "tool_name": "Bash",
        "tool_input": {"command": COMMAND}, "tool_call_id": "call_1",
    });
    let cline = json!({
        "clineVersion": "", "timestamp": "2026-11-15T18:48:38.887Z", "taskId": "s-1", "workspaceRoots": ["/p"],
        "workspaceInfo": {"rootPath": "/p", "hint": "p"}, "userId": "unknown", "hookName": "tool_call", "iteration": 1,
        "tool_call": {"id": "call_1", "name": "run_commands", "input": {"commands": [COMMAND]}},
        "preToolUse": {"toolName": "run_commands", "parameters": {"commands": format!("[{COMMAND:?}]")}},
    });
    let cursor = json!({
        "conversation_id": "s-1", "generation_id": "g", "model": "m", "hook_event_name": "beforeShellExecution",
        "cursor_version": "2", "workspace_roots": ["/p"], "command": COMMAND, "cwd": "/p", "sandbox": false,
    });
    let windsurf = json!({
        "agent_action_name": "pre_run_command", "trajectory_id": "s-1", "execution_id": "e", "timestamp": "t",
        "tool_info": {"command_line": COMMAND, "cwd": "/p"},
    });
    let goose = json!({
        "event": "PreToolUse", "session_id": "s-1", "matcher_context": "x", "tool_name": "shell",
        "tool_input": {"command": COMMAND}, "working_dir": "/p",
    });
    let antigravity = json!({
        "toolCall": {"name": "run_command", "args": {"CommandLine": COMMAND, "Cwd": "/p"}}, "workspacePaths": ["/p"],
        "conversationId": "s-1",
    });
    let opencode = json!({
        "event": "tool.execute.before", "tool": "bash", "sessionID": "s-1", "callID": "c", "cwd": "/p",
        "args": {"command": COMMAND, "description": "x"},
    });
    vec![
        (Client::Claude, "claude", claude),
        (Client::Codex, "codex", codex),
        (Client::Gemini, "gemini", gemini),
        (Client::Copilot, "copilot", copilot.clone()),
        (Client::Copilot, "claude", copilot),
        (Client::Copilot, "claude", copilot_as_claude),
        (Client::Qwen, "qwen", qwen),
        (Client::Kimi, "kimi", kimi),
        (Client::Cline, "cline", cline),
        (Client::Cursor, "cursor", cursor.clone()),
        (Client::Cursor, "claude", cursor),
        (Client::Windsurf, "windsurf", windsurf),
        (Client::Goose, "goose", goose),
        (Client::Antigravity, "antigravity", antigravity),
        (Client::OpenCode, "opencode", opencode),
    ]
}

fn read(installed: &str, payload: &Value) -> Call {
    Call::read(Client::from_name(installed).unwrap(), &payload.to_string(), None).unwrap()
}

/// One call of every client.
fn calls() -> Vec<Call> {
    let mut calls: Vec<Call> = payloads().iter().map(|(_, installed, payload)| read(installed, payload)).collect();
    calls.push(Call::read(Client::Amp, &json!({"cmd": COMMAND}).to_string(), Some("Bash")).unwrap());
    calls
}

#[test]
fn every_client_is_understood() {
    for (client, installed, payload) in payloads() {
        let call = read(installed, &payload);
        assert_eq!((call.client, call.moment), (client, Moment::Before), "{payload}");
        assert_eq!((call.session.as_str(), call.cwd.as_deref()), ("s-1", Some("/p")), "{payload}");
        let text = operation(&call).text().into_owned();
        assert!(text.contains(COMMAND), "{text}");
    }
    let met: std::collections::BTreeSet<Client> = calls().iter().map(|call| call.client).collect();
    assert_eq!(met.len(), Client::ALL.len(), "each of them is met");
}

#[test]
fn a_plain_command_is_shown_as_a_command() {
    for call in calls() {
        let is_shell = matches!(operation(&call), Operation::Shell(shell) if shell.command == COMMAND);
        // With another directory beside it, it is a call that names both.
        assert_eq!(is_shell, !matches!(call.client, Client::Windsurf | Client::Antigravity), "{call:?}");
    }
}

#[test]
fn other_moments_are_told_apart() {
    let event = |installed, event: &str, more: Value| {
        let mut payload = json!({"hook_event_name": event, "session_id": "s", "transcript_path": "/t", "cwd": "/p"});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        read(installed, &payload).moment
    };
    let tool = || json!({"tool_name": "Bash", "tool_input": {"command": "ls"}});
    assert_eq!(event("claude", "PermissionRequest", tool()), Moment::Permission);
    assert_eq!(event("codex", "PermissionRequest", tool()), Moment::Permission);
    assert_eq!(event("claude", "PostToolUse", tool()), Moment::After { success: true });
    assert_eq!(event("claude", "PostToolUseFailure", tool()), Moment::After { success: false });
    assert_eq!(event("gemini", "AfterTool", tool()), Moment::After { success: true });
    for other in ["SessionStart", "UserPromptSubmit", "Stop", "Notification"] {
        assert_eq!(event("claude", other, json!({})), Moment::Other);
    }
    let asked = json!({
        "hookName": "permissionRequest", "sessionId": "s", "timestamp": 1, "cwd": "/p", "toolName": "bash",
        "toolInput": {"command": "ls"}, "permissionSuggestions": [],
    });
    assert_eq!(read("copilot", &asked).moment, Moment::Permission);
}

/// What a server offers is not what the client has under the same name.
#[test]
fn a_tool_of_a_server_keeps_the_name_of_its_server() {
    for tool in ["task", "memory", "finish", "todo_write", "web_search", "Bash", "run_command", "read_file"] {
        let cursor = json!({
            "conversation_id": "s", "hook_event_name": "beforeMCPExecution", "cursor_version": "2", "workspace_roots": ["/p"],
            "tool_name": tool, "tool_input": "{\"command\": \"ls\"}", "url": "https://server.example/mcp",
        });
        let windsurf = json!({
            "agent_action_name": "pre_mcp_tool_use", "trajectory_id": "s",
            "tool_info": {"mcp_server_name": "files", "mcp_tool_name": tool, "mcp_tool_arguments": {"command": "ls"}},
        });
        for (installed, payload, name) in
            [("cursor", cursor, format!("mcp__unknown__{tool}")), ("windsurf", windsurf, format!("mcp__files__{tool}"))]
        {
            let call = read(installed, &payload);
            assert_eq!(call.tool, name);
            assert!(matches!(operation(&call), Operation::Tool(called) if called.name == name), "{name}");
        }
    }
}

/// Every kind of payload that was seen, whole, with values of our own.
#[test]
fn every_kind_of_payload_is_known() {
    let claude = |event: &str, more: Value| {
        let mut payload = json!({
            "session_id": "s-1", "transcript_path": "/t/s-1.jsonl", "cwd": "/p", "prompt_id": "p", "permission_mode": "default",
            "effort": {"level": "medium"}, "hook_event_name": event,
        });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        payload
    };
    let bash = json!({"command": COMMAND, "description": "Remove temporary files"});
    let mut older = claude("PreToolUse", json!({"tool_name": "Bash", "tool_input": bash, "tool_use_id": "toolu_1"}));
    (older["permission_mode"], older["effort"]) = ("bypassPermissions".into(), json!({"level": "high"}));
    let codex = json!({
        "session_id": "s-1", "turn_id": "t", "transcript_path": "/t/rollout.jsonl", "cwd": "/p",
        "hook_event_name": "PermissionRequest", "model": "gpt", "permission_mode": "default", "tool_name": "Bash",
        "tool_input": {"command": COMMAND, "description": "Do you want to remove it?"},
    });
    let suggestions = json!([
        {"type": "addDirectories", "directories": ["/p"], "destination": "session"},
        {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
    ]);
    let response =
        json!({"stdout": "a", "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false});
    let done = Moment::After { success: true };
    for (installed, payload, moment, tool, id) in [
        (
            "claude",
            claude(
                "PreToolUse",
                json!({"tool_name": "mcp__db__danger", "tool_input": {"table": "users"}, "tool_use_id": "toolu_1", "mcp_server": {"name": "db", "source": "dynamic"}}),
            ),
            Moment::Before,
            "mcp__db__danger",
            Some("toolu_1"),
        ),
        ("claude", older, Moment::Before, "Bash", Some("toolu_1")),
        (
            "claude",
            claude(
                "PermissionRequest",
                json!({"tool_name": "Bash", "tool_input": bash, "permission_suggestions": suggestions}),
            ),
            Moment::Permission,
            "Bash",
            None,
        ),
        ("codex", codex, Moment::Permission, "Bash", None),
        (
            "claude",
            claude(
                "PostToolUse",
                json!({"tool_name": "Bash", "tool_input": bash, "tool_response": response, "tool_use_id": "toolu_1", "duration_ms": 3}),
            ),
            done,
            "Bash",
            Some("toolu_1"),
        ),
        ("claude", claude("PostToolBatch", json!({"tool_calls": [{"tool_name": "Bash"}]})), Moment::Other, "", None),
        (
            "claude",
            claude(
                "Notification",
                json!({"message": "Claude needs your permission", "notification_type": "permission_prompt"}),
            ),
            Moment::Other,
            "",
            None,
        ),
        ("claude", claude("SessionStart", json!({"source": "startup"})), Moment::Other, "", None),
        ("claude", claude("UserPromptSubmit", json!({"prompt": "clean"})), Moment::Other, "", None),
    ] {
        let call = read(installed, &payload);
        assert_eq!((call.moment, call.tool.as_str(), call.id.as_deref()), (moment, tool, id), "{payload}");
        assert_eq!((call.session.as_str(), call.cwd.as_deref()), ("s-1", Some("/p")), "{payload}");
    }
    // Amp sends what the tool is given, whatever that is.
    for (tool, input) in
        [("Bash", json!({"cmd": COMMAND})), ("edit_file", json!({"path": "a", "old_str": "x", "new_str": "y"}))]
    {
        let call = Call::read(Client::Amp, &input.to_string(), Some(tool)).unwrap();
        assert_eq!((call.moment, call.tool.as_str(), &call.input), (Moment::Before, tool, &input));
    }
    // Nobody has installed a hook at these, and what they would mean is not known.
    let form = claude(
        "Elicitation",
        json!({"mcp_server_name": "db", "message": "Drop it?", "mode": "form", "requested_schema": {"type": "object"}}),
    );
    let asked = json!({"event": "permission.asked", "id": "per_1", "sessionID": "s-1", "permission": "bash", "patterns": [COMMAND], "metadata": {"command": COMMAND}, "always": ["rm *"]});
    for (client, payload, event) in
        [(Client::Claude, form, "Elicitation"), (Client::OpenCode, asked, "permission.asked")]
    {
        let why = Call::read(client, &payload.to_string(), None).unwrap_err().why;
        assert_eq!(why, Unreadable::UnknownEvent(event.to_owned()));
    }
}

#[test]
fn what_cannot_be_read_names_the_field() {
    let why = |client, payload: &str| Call::read(client, payload, None).unwrap_err().why;
    assert!(matches!(why(Client::Claude, "{"), Unreadable::NotJson(_)));
    assert_eq!(why(Client::Claude, "[]"), Unreadable::NotAnObject);
    assert_eq!(why(Client::Claude, "{}"), Unreadable::Missing("hook_event_name"));
    let new = json!({"hook_event_name": "BeforeAnything", "tool_name": "Bash", "tool_input": {}});
    assert_eq!(why(Client::Claude, &new.to_string()), Unreadable::UnknownEvent("BeforeAnything".to_owned()));
    let nameless = json!({"hook_event_name": "PreToolUse", "tool_input": {}});
    assert_eq!(why(Client::Claude, &nameless.to_string()), Unreadable::Missing("tool_name"));
    let empty = json!({"hook_event_name": "PreToolUse", "tool_name": "", "tool_input": {}});
    assert_eq!(why(Client::Claude, &empty.to_string()), Unreadable::Wrong("tool_name"));
    for input in [json!(null), json!("ls"), json!([1]), json!(7)] {
        let wrong = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": input});
        assert_eq!(why(Client::Claude, &wrong.to_string()), Unreadable::Wrong("tool_input"));
    }
    assert_eq!(why(Client::Amp, "{}"), Unreadable::Missing("AGENT_TOOL_NAME"));
    // A directory that is none is not another one.
    for (client, field, mut payload) in [
        (Client::Claude, "cwd", json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}})),
        (Client::Goose, "working_dir", json!({"event": "PreToolUse", "tool_name": "shell", "tool_input": {}})),
        (Client::Copilot, "cwd", json!({"sessionId": "s", "toolName": "bash", "toolArgs": {}})),
    ] {
        for bad in [json!(5), json!(["/p"]), json!({"x": 1}), json!(true), json!("."), json!("sub/dir"), json!("~")] {
            payload[field] = bad.clone();
            assert_eq!(why(client, &payload.to_string()), Unreadable::Wrong(field), "{client:?} {bad}");
        }
    }
    // Nobody can tell which of two the client goes by.
    let twice = |name: &str| Unreadable::Twice(name.to_owned());
    let once = r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf x"}"#;
    assert_eq!(why(Client::Claude, &format!("{once}, \"tool_input\": {{\"command\": \"ls\"}}}}")), twice("tool_input"));
    assert_eq!(why(Client::Claude, &format!("{once}, \"hook_event_name\": \"Stop\"}}")), twice("hook_event_name"));
    let within =
        r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm", "command": "ls"}}"#;
    assert_eq!(why(Client::Codex, within), twice("command"));
    let as_text = r#"{"sessionId": "s", "toolName": "bash", "toolArgs": "{\"command\": \"rm\", \"command\": \"ls\"}"}"#;
    assert_eq!(why(Client::Copilot, as_text), twice("command"));
    // Whoever was told apart hears it in their own form.
    let copilot = json!({"toolName": "bash", "sessionId": "s"}).to_string();
    assert_eq!(Call::read(Client::Claude, &copilot, None).unwrap_err().client, Client::Copilot);
}

/// A no as the table of faults demands it: in the form of the client, with a reason, on standard error as well, and with exit code 2.
#[track_caller]
fn is_whole_no(client: Client, reply: &signoff_agents::hook::Reply, reason: &str) {
    assert_eq!(reply.code, 2, "{client:?}");
    assert!(reply.stderr.contains(reason), "{client:?} {reply:?}");
    let said: Value = serde_json::from_str(&reply.stdout).unwrap();
    let (decision, words) = match client {
        Client::Claude | Client::Codex | Client::Qwen | Client::Kimi => {
            let output = &said["hookSpecificOutput"];
            match output.get("decision") {
                Some(decision) => (&decision["behavior"] == "deny", &decision["message"]),
                None => (output["permissionDecision"] == "deny", &output["permissionDecisionReason"]),
            }
        }
        Client::Gemini | Client::OpenCode | Client::Antigravity => (said["decision"] == "deny", &said["reason"]),
        Client::Copilot => match said.get("behavior") {
            Some(behaviour) => (behaviour == "deny", &said["message"]),
            None => (said["permissionDecision"] == "deny", &said["permissionDecisionReason"]),
        },
        Client::Cline => (said["cancel"] == true, &said["errorMessage"]),
        Client::Cursor => (said["permission"] == "deny", &said["agent_message"]),
        Client::Goose => (said["decision"] == "block", &said["reason"]),
        Client::Windsurf | Client::Amp => (true, &said["reason"]),
    };
    assert!(decision, "{client:?} {said}");
    assert!(words.as_str().unwrap().contains(reason), "{client:?} {said}");
}

#[test]
fn a_no_is_whole_for_every_client() {
    for call in calls() {
        is_whole_no(call.client, &reply(&call, &Answer::Deny("because".to_owned())), "because");
        // A reason is what some of them need to heed it.
        is_whole_no(call.client, &reply(&call, &Answer::Deny(" ".to_owned())), "not allowed");
        let asked = Call { moment: Moment::Permission, event: "PermissionRequest".to_owned(), ..call };
        is_whole_no(asked.client, &reply(&asked, &Answer::Deny("because".to_owned())), "because");
    }
    for client in Client::ALL {
        is_whole_no(client, &unheeded(client, "broken"), "broken");
    }
}

#[test]
fn a_question_goes_to_nobody_who_would_run_the_call() {
    for call in calls() {
        let replied = reply(&call, &Answer::AskThere("look".to_owned()));
        if call.client == Client::Claude {
            let said: Value = serde_json::from_str(&replied.stdout).unwrap();
            assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "ask");
        } else {
            is_whole_no(call.client, &replied, "look");
        }
        assert!(!replied.stdout.contains("review"), "{replied:?}");
    }
}

#[test]
fn a_changed_form_goes_to_nobody_who_would_run_the_first() {
    let changed = Operation::Shell(ShellCommand { command: "rm -r ./tmp_a".to_owned(), dialect: Dialect::Bash });
    for call in calls() {
        let replied = reply(&call, &Answer::AllowChanged(Box::new(changed.clone()), "yes".to_owned()));
        if can_change(&call, &changed) {
            assert_eq!(replied.code, 0);
            assert!(replied.stdout.contains("rm -r ./tmp_a") && !replied.stdout.contains(COMMAND), "{replied:?}");
        } else {
            is_whole_no(call.client, &replied, "rm -r ./tmp_a");
        }
        // Whoever asks for permission takes no other form.
        let asked = Call { moment: Moment::Permission, event: "PermissionRequest".to_owned(), ..call };
        is_whole_no(
            asked.client,
            &reply(&asked, &Answer::AllowChanged(Box::new(changed.clone()), String::new())),
            "rm -r",
        );
    }
    let taking: Vec<Client> =
        calls().into_iter().filter(|call| can_change(call, &changed)).map(|call| call.client).collect();
    assert!(!taking.contains(&Client::Qwen) && !taking.contains(&Client::Kimi), "they were seen to run the first form");
}

#[test]
fn a_yes_is_said_in_the_form_of_each() {
    for call in calls() {
        let replied = reply(&call, &Answer::Allow("harmless".to_owned()));
        assert_eq!((replied.code, replied.stderr.as_str()), (0, ""));
        let expected = match call.client {
            Client::Claude | Client::Qwen => json!({"hookSpecificOutput": {
                "hookEventName": "PreToolUse", "permissionDecision": "allow", "permissionDecisionReason": "harmless",
            }}),
            Client::Gemini | Client::OpenCode => json!({"decision": "allow"}),
            Client::Copilot => json!({"permissionDecision": "allow", "permissionDecisionReason": "harmless"}),
            Client::Cline => json!({"cancel": false}),
            Client::Cursor => json!({"permission": "allow"}),
            Client::Antigravity => json!({"decision": "allow", "reason": "harmless"}),
            // They heed a no alone.
            Client::Codex | Client::Kimi | Client::Goose => json!({}),
            Client::Windsurf | Client::Amp => {
                assert_eq!(replied.stdout, "");
                continue;
            }
        };
        assert_eq!(serde_json::from_str::<Value>(&replied.stdout).unwrap(), expected);
    }
}

#[test]
fn nothing_is_decided_after_a_call() {
    for call in calls() {
        for moment in [Moment::After { success: true }, Moment::After { success: false }, Moment::Other] {
            let after = Call { moment, ..call.clone() };
            for answer in [Answer::Nothing, Answer::Deny("x".to_owned()), Answer::AskThere("x".to_owned())] {
                assert_eq!(reply(&after, &answer).code, 0);
            }
        }
    }
}

proptest! {
    /// Whatever comes is read or refused, and a no about it is whole.
    #[test]
    fn no_payload_is_a_yes(text in "\\PC{0,200}", client in 0..Client::ALL.len()) {
        let client = Client::ALL[client];
        if let Err(misread) = Call::read(client, &text, Some("Bash")) {
            is_whole_no(misread.client, &unheeded(misread.client, &misread.why.to_string()), "");
        }
    }

    /// A field that goes missing or changes its type is refused, and never read as something else to run.
    #[test]
    fn a_broken_payload_never_becomes_another_command(
        which in 0..15_usize,
        place in 0..12_usize,
        broken in prop_oneof![Just(None), Just(Some(json!(null))), Just(Some(json!(7))), Just(Some(json!([]))), Just(Some(json!({})))],
    ) {
        let (_, installed, mut payload) = payloads().swap_remove(which);
        let fields = payload.as_object_mut().unwrap();
        let name = fields.keys().nth(place % fields.len()).unwrap().clone();
        match broken {
            None => drop(fields.remove(&name)),
            Some(value) => drop(fields.insert(name, value)),
        }
        if let Ok(call) = Call::read(Client::from_name(installed).unwrap(), &payload.to_string(), None)
            && call.moment == Moment::Before
        {
            let text = operation(&call).text().into_owned();
            prop_assert!(text.contains(COMMAND) || !matches!(operation(&call), Operation::Shell(_)), "{text}");
        }
    }
}
