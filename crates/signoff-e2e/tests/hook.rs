//! `signoff hook`, as coding agents call it: with and without a gateway, and with everything that can go wrong.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{
    io::Write as _,
    process::{Child, Output, Stdio},
    time::{Duration, Instant},
};

use program::{Home, gateway::Gateway};
use serde_json::{Value, json};

/// All of them.
const CLIENTS: [&str; 13] = [
    "claude",
    "codex",
    "gemini",
    "copilot",
    "qwen",
    "kimi",
    "cline",
    "cursor",
    "windsurf",
    "goose",
    "antigravity",
    "amp",
    "opencode",
];

/// A call of a shell, as most of them say it.
fn shell(home: &Home, event: &str, command: &str) -> Value {
    json!({
        "session_id": "s-1", "transcript_path": "/nonexistent", "cwd": home.project(), "hook_event_name": event,
        "tool_name": "Bash", "tool_input": {"command": command},
    })
}

fn start(home: &Home, client: &str, payload: &[u8], variables: &[(&str, &str)]) -> Child {
    let mut command = home.signoff(&["hook", client]);
    command.env_remove("CLAUDE_CODE_SESSION_ATTENDED");
    command.envs(variables.iter().copied());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let payload = payload.to_vec();
    // Written aside, and whoever does not read it to its end is not waited for.
    std::thread::spawn(move || drop(stdin.write_all(&payload)));
    child
}

fn hook(home: &Home, client: &str, payload: &Value) -> Output {
    start(home, client, payload.to_string().as_bytes(), &[]).wait_with_output().unwrap()
}

/// The decision and the reason, as Claude Code reads them.
#[track_caller]
fn said(output: &Output) -> (String, String) {
    let said: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let text = |name: &str| said["hookSpecificOutput"][name].as_str().unwrap_or_default().to_owned();
    (text("permissionDecision"), text("permissionDecisionReason"))
}

/// A no that every client heeds.
#[track_caller]
fn refused(output: &Output, words: &str) {
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{stdout}{stderr}");
    assert!(stderr.contains(words), "{stderr}");
    assert!(serde_json::from_str::<Value>(&stdout).unwrap().to_string().contains(words), "{stdout}");
}

/// The same in the form of one client.
#[track_caller]
fn refused_by(client: &str, output: &Output, words: &str) {
    refused(output, words);
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (decision, reason) = match client {
        "claude" | "codex" | "qwen" | "kimi" => {
            let said = &said["hookSpecificOutput"];
            (said["permissionDecision"] == "deny", &said["permissionDecisionReason"])
        }
        "gemini" | "opencode" | "antigravity" => (said["decision"] == "deny", &said["reason"]),
        "copilot" => (said["permissionDecision"] == "deny", &said["permissionDecisionReason"]),
        "cline" => (said["cancel"] == true, &said["errorMessage"]),
        "cursor" => (said["permission"] == "deny" && said["user_message"].is_string(), &said["agent_message"]),
        "goose" => (said["decision"] == "block", &said["reason"]),
        // They heed the exit code, and show what stands on standard error.
        "windsurf" | "amp" => (true, &said["reason"]),
        other => panic!("nobody knows {other}"),
    };
    assert!(decision && reason.as_str().is_some_and(|reason| reason.contains(words)), "{client}: {said}");
}

#[test]
fn the_harmless_passes_the_absurd_is_blocked_and_nothing_else_runs_unasked() {
    let home = Home::new();
    home.write("work/project/notes.txt", "mine");
    assert_eq!(said(&hook(&home, "claude", &shell(&home, "PreToolUse", "ls"))).0, "allow");
    refused(&hook(&home, "claude", &shell(&home, "PreToolUse", "rm -rf /")), "nobody can approve it");
    // Nobody can be asked.
    refused(&hook(&home, "claude", &shell(&home, "PreToolUse", "rm notes.txt")), "signoff serve");
    refused(&hook(&home, "codex", &shell(&home, "PreToolUse", "rm notes.txt")), "signoff serve");
    // Claude Code has a dialog of its own, where somebody sits in front of it.
    let attended = [("CLAUDE_CODE_SESSION_ATTENDED", "1")];
    let asked = start(&home, "claude", shell(&home, "PreToolUse", "rm notes.txt").to_string().as_bytes(), &attended);
    let (decision, reason) = said(&asked.wait_with_output().unwrap());
    assert_eq!(decision, "ask");
    assert!(reason.contains("Signoff: deletes"), "{reason}");
    // Nobody else has.
    let asked = start(&home, "qwen", shell(&home, "PreToolUse", "rm notes.txt").to_string().as_bytes(), &attended);
    refused(&asked.wait_with_output().unwrap(), "signoff serve");
    // A plan is the user's to approve, and a question theirs to answer.
    for tool in ["ExitPlanMode", "AskUserQuestion"] {
        let mut call = shell(&home, "PreToolUse", "x");
        (call["tool_name"], call["tool_input"]) = (tool.into(), json!({"plan": "delete nothing"}));
        assert_eq!(hook(&home, "claude", &call).stdout, b"{}\n", "{tool}");
    }
    // What they were told about what is harmless is for the user to say.
    home.write("user/config.toml", "hook.on_allow = \"defer\"\n");
    let left = hook(&home, "claude", &shell(&home, "PreToolUse", "ls"));
    assert_eq!((left.status.code(), left.stdout.as_slice()), (Some(0), &b"{}\n"[..]));
    // Our plugin has to be told so: an empty object could be anybody's. A question of OpenCode itself is left to it as well.
    for (tool, args) in
        [("bash", json!({"command": "ls"})), ("plan_exit", json!({})), ("question", json!({"questions": []}))]
    {
        let call = json!({"event": "tool.execute.before", "tool": tool, "sessionID": "s", "callID": "c", "cwd": home.project(), "args": args});
        let left = hook(&home, "opencode", &call);
        assert_eq!(
            (left.status.code(), left.stdout.as_slice()),
            (Some(0), &b"{\"decision\":\"defer\"}\n"[..]),
            "{tool}"
        );
    }
}

#[test]
fn what_the_user_said_is_heard() {
    let home = Home::new();
    home.write("work/project/data/a.csv", "1");
    home.write("t.jsonl", r#"{"type":"user","message":{"role":"user","content":"delete the log files"}}"#);
    let mut call = shell(&home, "PreToolUse", "rm -rf data");
    let vague = |call: &Value| String::from_utf8_lossy(&hook(&home, "claude", call).stderr).into_owned();
    assert!(!vague(&call).contains("goes further"), "{}", vague(&call));
    call["transcript_path"] = home.root.path().join("t.jsonl").to_str().unwrap().into();
    assert!(vague(&call).contains("goes further than the words that asked for it"), "{}", vague(&call));
}

#[test]
fn whatever_is_wrong_is_a_no() {
    let home = Home::new();
    let good = shell(&home, "PreToolUse", "ls").to_string();
    let mut latin = good.clone().into_bytes();
    latin[20] = 0xe9;
    let huge = good.replace("ls", &format!("echo {}", "x".repeat(17 << 20)));
    let deep = good.replace("\"ls\"", &format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000)));
    let renamed = good.replace("PreToolUse", "BeforeEverything");
    let toolless = good.replace("tool_name", "tool");
    let nowhere = good.replace(home.project().to_str().unwrap(), "/nonexistent/directory");
    for client in CLIENTS {
        for (payload, words) in [
            (&b""[..], "no JSON"),
            (&good.as_bytes()[..good.len() / 2], "no JSON"),
            (b"[1]", "no JSON object"),
            (&latin, "not UTF-8"),
            (huge.as_bytes(), "longer than 16 MiB"),
            (deep.as_bytes(), "no JSON"),
        ] {
            refused_by(client, &start(&home, client, payload, &[]).wait_with_output().unwrap(), words);
        }
    }
    for (payload, words) in
        [(renamed, "BeforeEverything"), (toolless, "tool_name"), (nowhere, "/nonexistent/directory")]
    {
        refused(&start(&home, "claude", payload.as_bytes(), &[]).wait_with_output().unwrap(), words);
    }
    refused(&start(&home, "nobody", good.as_bytes(), &[]).wait_with_output().unwrap(), "knows no agent");
    // A tool that nobody knows is asked about.
    let mut unknown = shell(&home, "PreToolUse", "x");
    unknown["tool_name"] = "frobnicate".into();
    refused(&hook(&home, "claude", &unknown), "signoff serve");
    // Ten megabytes of something harmless are read.
    let long = good.replace("\"ls\"", &format!("\"echo {}\"", "x".repeat(10 << 20)));
    let output = start(&home, "claude", long.as_bytes(), &[]).wait_with_output().unwrap();
    refused(&output, "signoff serve");
}

/// Each of those lets some client run the call unless it hears a no.
#[test]
fn a_defect_is_a_no() {
    let home = Home::new();
    let payload = shell(&home, "PreToolUse", "ls").to_string();
    for client in CLIENTS {
        for fault in ["panic", "panic-elsewhere"] {
            let output = start(&home, client, payload.as_bytes(), &[("SIGNOFF_E2E_FAULT", fault)]);
            refused_by(client, &output.wait_with_output().unwrap(), "this is a defect");
        }
    }
    // Where not even that can be said, the exit code and standard error do, which all but Cline heed.
    let output =
        start(&home, "codex", payload.as_bytes(), &[("SIGNOFF_E2E_FAULT", "overflow")]).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("overflowed its stack"), "{output:?}");
    let output =
        start(&home, "codex", payload.as_bytes(), &[("SIGNOFF_E2E_FAULT", "abort")]).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// A call of a shell in the words of each client.
fn said_by(client: &str, home: &Home, command: &str) -> Value {
    let (cwd, input) = (home.project(), json!({"command": command}));
    match client {
        "claude" | "codex" | "qwen" => shell(home, "PreToolUse", command),
        "gemini" => json!({
            "hook_event_name": "BeforeTool", "session_id": "s", "cwd": cwd, "tool_name": "run_shell_command", "tool_input": input,
        }),
        "kimi" => json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": cwd, "client_type": "kimi_code_cli", "tool_name": "Bash",
            "tool_input": input, "tool_call_id": "c",
        }),
        "copilot" => json!({"sessionId": "s", "timestamp": 1, "cwd": cwd, "toolName": "bash", "toolArgs": input}),
        "cline" => json!({
            "clineVersion": "", "taskId": "s", "workspaceRoots": [cwd], "hookName": "tool_call",
            "tool_call": {"id": "c", "name": "run_commands", "input": {"commands": [command]}},
        }),
        "cursor" => json!({
            "hook_event_name": "beforeShellExecution", "conversation_id": "s", "cursor_version": "2", "workspace_roots": [cwd],
            "command": command, "cwd": cwd,
        }),
        "windsurf" => json!({
            "agent_action_name": "pre_run_command", "trajectory_id": "s", "tool_info": {"command_line": command, "cwd": cwd},
        }),
        "goose" => json!({
            "event": "PreToolUse", "session_id": "s", "tool_name": "shell", "tool_input": input, "working_dir": cwd,
        }),
        "antigravity" => json!({
            "toolCall": {"name": "run_command", "args": {"CommandLine": command, "Cwd": cwd}}, "workspacePaths": [cwd],
            "conversationId": "s",
        }),
        "amp" => json!({"cmd": command}),
        "opencode" => json!({
            "event": "tool.execute.before", "tool": "bash", "sessionID": "s", "callID": "c", "cwd": cwd, "args": input,
        }),
        other => panic!("nobody knows {other}"),
    }
}

/// Whatever is wrong with the settings, what is not harmless is refused in the form of each client.
#[test]
fn settings_that_cannot_be_read_are_a_no_for_every_client() {
    for fault in [Some(&b"policy = = ["[..]), Some(&[0xff, 0xfe, 0x00]), None] {
        let home = Home::new();
        home.write("work/project/notes.txt", "mine");
        let settings = home.root.path().join("user/config.toml");
        std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
        match fault {
            Some(bytes) => std::fs::write(&settings, bytes).unwrap(),
            None => std::fs::create_dir(&settings).unwrap(),
        }
        for client in CLIENTS {
            let payload = said_by(client, &home, "rm notes.txt").to_string();
            let output = start(&home, client, payload.as_bytes(), &[("AGENT_TOOL_NAME", "Bash")]);
            let output = output.wait_with_output().unwrap();
            refused_by(client, &output, "config.toml");
            assert!(home.project().join("notes.txt").exists(), "{fault:?}");
        }
    }
}

/// Nobody but a kill ends a hook without a word.
#[test]
fn a_signal_is_a_no() {
    let home = Home::new();
    let payload = shell(&home, "PreToolUse", "ls").to_string();
    let signals =
        ["TERM", "HUP", "INT", "QUIT", "ALRM", "USR1", "USR2", "XCPU", "XFSZ", "VTALRM", "PROF", "IO", "TRAP", "SYS"];
    for (signal, client) in signals.into_iter().zip(["codex", "gemini", "qwen", "kimi", "cline"].into_iter().cycle()) {
        let hung = start(&home, client, payload.as_bytes(), &[("SIGNOFF_E2E_FAULT", "hang")]);
        let status = format!("/proc/{}/status", hung.id());
        let until = Instant::now() + Duration::from_secs(20);
        // Until it listens: the highest of them is caught last.
        let listens = || {
            let status = std::fs::read_to_string(&status).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim().to_owned();
            u64::from_str_radix(&caught, 16).unwrap_or(0) & (1 << 30) != 0
        };
        while !listens() {
            assert!(Instant::now() < until, "{signal}");
            std::thread::sleep(Duration::from_millis(10));
        }
        std::process::Command::new("kill").args(["-s", signal, &hung.id().to_string()]).status().unwrap();
        refused_by(client, &hung.wait_with_output().unwrap(), "ended by a signal");
    }
}

/// A disk that does not answer.
#[test]
fn a_hook_that_hangs_says_no_before_the_client_gives_up() {
    let home = Home::new();
    let begun = Instant::now();
    // Those that wait for the shortest time; the others go by the same clock.
    let hung = ["cursor", "windsurf", "goose", "antigravity", "amp"].map(|client| {
        let call = said_by(client, &home, "ls").to_string();
        let faults = [("SIGNOFF_E2E_FAULT", "hang"), ("AGENT_TOOL_NAME", "Bash")];
        (client, start(&home, client, call.as_bytes(), &faults))
    });
    for (client, hung) in hung {
        refused_by(client, &hung.wait_with_output().unwrap(), "could not decide in time");
    }
    assert!(begun.elapsed() < Duration::from_secs(29));
}

#[test]
fn a_gateway_that_is_killed_comes_back_with_the_question() {
    let gateway = Gateway::start();
    let home = &gateway.home;
    home.write("work/project/notes.txt", "mine");
    let held = start(home, "claude", shell(home, "PreToolUse", "rm notes.txt").to_string().as_bytes(), &[]);
    gateway.log_in("s inbox list");
    gateway.desk.wait_for("pending");
    gateway.kill();
    gateway.restart();
    gateway.log_in("s inbox");
    gateway.answer(1, "y");
    assert_eq!(said(&held.wait_with_output().unwrap()).0, "allow");
}

/// Nor one that does not come back. The others wait for longer, by the same clock.
#[test]
fn a_gateway_that_is_gone_while_a_call_is_held_is_a_no() {
    let gateway = Gateway::start();
    let home = &gateway.home;
    home.write("work/project/notes.txt", "mine");
    let begun = Instant::now();
    let held = ["cursor", "windsurf", "goose", "antigravity", "amp"].map(|client| {
        let call = said_by(client, home, "rm notes.txt").to_string();
        (client, start(home, client, call.as_bytes(), &[("AGENT_TOOL_NAME", "Bash")]))
    });
    gateway.log_in("s inbox list");
    gateway.desk.wait_for("pending");
    gateway.kill();
    for (client, held) in held {
        refused_by(client, &held.wait_with_output().unwrap(), "");
    }
    assert!(begun.elapsed() < Duration::from_secs(29), "it has to be heard before the client gives up");
}

#[test]
fn a_broken_file_of_settings_is_the_strict_posture() {
    let home = Home::new();
    home.write("work/project/.signoff/config.toml", "policy.postur = \"strict\"\n");
    assert_eq!(said(&hook(&home, "claude", &shell(&home, "PreToolUse", "ls"))).0, "allow", "harmless reads still pass");
    let new = hook(&home, "claude", &shell(&home, "PreToolUse", "touch new.txt"));
    refused(&new, "postur");
}

#[test]
fn a_call_is_held_until_somebody_decides_and_let_go_once() {
    let gateway = Gateway::start();
    let home = &gateway.home;
    home.write("work/project/notes.txt", "mine");
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let call = shell(home, "PreToolUse", "rm notes.txt");
    let held = start(home, "claude", call.to_string().as_bytes(), &[]);
    let screen = gateway.asked_about("rm notes.txt");
    assert!(screen.contains("claude asks for "), "{screen}");
    gateway.desk.enter("y");
    let (decision, reason) = said(&held.wait_with_output().unwrap());
    assert_eq!(decision, "allow");
    assert!(reason.contains("approved by a person"), "{reason}");
    // The dialog of the client itself is answered by the same yes, once.
    let mut asked = shell(home, "PermissionRequest", "rm notes.txt");
    asked["tool_input"]["description"] = "what is said about it makes no other call of it".into();
    let permitted: Value = serde_json::from_slice(&hook(home, "claude", &asked).stdout).unwrap();
    assert_eq!(permitted["hookSpecificOutput"]["decision"]["behavior"], "allow");
    // What became of it gets into the ledger, and the same call asks anew.
    let mut after = shell(home, "PostToolUse", "rm notes.txt");
    after["tool_response"] = json!({"stdout": ""});
    assert_eq!(hook(home, "claude", &after).status.code(), Some(0));
    let again = start(home, "claude", call.to_string().as_bytes(), &[]);
    gateway.answer(2, "n");
    refused(&again.wait_with_output().unwrap(), "keep it");
    // A no stays one in this session, and nobody is asked again.
    refused(&hook(home, "claude", &call), "Do not retry");
    gateway.desk.key("C-c");
    gateway.log_in("s ledger list --json");
    gateway.desk.wait_for("executed");
}

/// Says what the person thinks, once they are asked.
#[track_caller]
fn decide(gateway: &Gateway, keys: &str) {
    gateway.desk.wait_for_prompt("Approve?");
    gateway.desk.enter(keys);
    if keys == "n" {
        gateway.desk.wait_for_prompt("Words for the agent");
        gateway.desk.enter("keep it");
    }
    let until = Instant::now() + Duration::from_secs(30);
    while gateway.desk.screen().lines().last().is_some_and(|line| line.contains("Approve?")) {
        assert!(Instant::now() < until, "{}", gateway.desk.screen());
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// After `cd` a client works elsewhere, and says so after the call.
#[test]
fn one_yes_answers_one_question_wherever_the_call_went() {
    let gateway = Gateway::start();
    let home = &gateway.home;
    home.write("work/project/notes.txt", "mine");
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    for (id, command) in [(Some("toolu_1"), "cd src && rm ../notes.txt"), (None, "cd src && rm -f ../notes.txt")] {
        let mut call = shell(home, "PreToolUse", command);
        if let Some(id) = id {
            call["tool_use_id"] = id.into();
        }
        let held = start(home, "claude", call.to_string().as_bytes(), &[]);
        decide(&gateway, "y");
        assert_eq!(said(&held.wait_with_output().unwrap()).0, "allow");
        let mut after = call.clone();
        (after["hook_event_name"], after["cwd"]) = ("PostToolUse".into(), home.project().join("src").to_str().into());
        assert_eq!(hook(home, "claude", &after).status.code(), Some(0));
        // Whoever is asked for it once more has not said anything yet.
        let dialog = start(home, "claude", shell(home, "PermissionRequest", command).to_string().as_bytes(), &[]);
        decide(&gateway, "n");
        let said: Value = serde_json::from_slice(&dialog.wait_with_output().unwrap().stdout).unwrap();
        assert_eq!(said["hookSpecificOutput"]["decision"]["behavior"], "deny", "{said}");
    }
    // A yes of which nobody has heard the end is not good for the same call after a no.
    let call = shell(home, "PreToolUse", "rm notes.txt");
    for (keys, wanted) in [("y", "allow"), ("n", "deny")] {
        let held = start(home, "claude", call.to_string().as_bytes(), &[]);
        decide(&gateway, keys);
        assert_eq!(said(&held.wait_with_output().unwrap()).0, wanted);
    }
    let dialog = hook(home, "claude", &shell(home, "PermissionRequest", "rm notes.txt"));
    let said: Value = serde_json::from_slice(&dialog.stdout).unwrap();
    assert_eq!(said["hookSpecificOutput"]["decision"]["behavior"], "deny", "{said}");
    gateway.desk.key("C-c");
    gateway.log_in("s ledger list --what reported --json | grep -c executed");
    gateway.desk.wait_for("\n2");
}

/// Whatever is refused or asked elsewhere without the gateway gets into the ledger, too.
#[test]
fn what_is_refused_here_is_in_the_ledger() {
    let gateway = Gateway::start();
    let home = &gateway.home;
    home.write("work/project/notes.txt", "mine");
    gateway.kill();
    refused(&start(home, "codex", b"{\"x\": ", &[]).wait_with_output().unwrap(), "no JSON");
    let attended = [("CLAUDE_CODE_SESSION_ATTENDED", "1")];
    let call = shell(home, "PreToolUse", "rm notes.txt").to_string();
    let spool = home.root.path().join("state/run/spool");
    let spooled = || -> String {
        let files = std::fs::read_dir(&spool).into_iter().flatten().flatten();
        files.map(|file| std::fs::read_to_string(file.path()).unwrap_or_default()).collect()
    };
    assert!(spooled().contains("\"refused\"") && spooled().contains("no JSON"), "{}", spooled());
    // The gateway that the hook starts by itself does not find its way here, so that nobody can be asked.
    refused(&start(home, "codex", call.as_bytes(), &[]).wait_with_output().unwrap(), "signoff serve");
    assert!(spooled().contains("rm notes.txt"), "{}", spooled());
    assert_eq!(said(&start(home, "claude", call.as_bytes(), &attended).wait_with_output().unwrap()).0, "ask");
    assert!(spooled().contains("asked-at-client"), "{}", spooled());
    gateway.restart();
    gateway.log_in("s ledger list --json | grep -o 'asked-at-client\\|refused' | sort | uniq -c");
    gateway.desk.wait_for("asked-at-client");
}

#[test]
fn a_yes_that_comes_late_is_good_for_the_next_try() {
    let gateway = Gateway::start();
    let home = &gateway.home;
    home.write("work/project/notes.txt", "mine");
    // This one waits for 24 s at most.
    let call = json!({
        "event": "PreToolUse", "session_id": "s-1", "tool_name": "shell", "tool_input": {"command": "rm notes.txt"},
        "working_dir": home.project(),
    });
    let begun = Instant::now();
    let late = hook(home, "goose", &call);
    assert!(begun.elapsed() < Duration::from_secs(29), "it has to be heard before the client gives up");
    refused(&late, "stays open");
    gateway.log_in("s inbox");
    gateway.asked_about("rm notes.txt");
    gateway.desk.enter("y");
    gateway.desk.wait_for("It is approved.");
    // Another session does not get it.
    let mut other = call.clone();
    other["session_id"] = "s-2".into();
    let other = start(home, "goose", other.to_string().as_bytes(), &[]);
    gateway.answer(2, "n");
    refused(&other.wait_with_output().unwrap(), "keep it");
    let now = hook(home, "goose", &call);
    assert_eq!((now.status.code(), now.stdout.as_slice()), (Some(0), &b"{}\n"[..]));
}

#[test]
fn what_changed_since_the_yes_is_not_let_go() {
    let gateway = Gateway::start();
    let home = &gateway.home;
    home.write("work/project/tmp_a/one.txt", "mine");
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let call = shell(home, "PreToolUse", "rm -rf tmp_*");
    let held = start(home, "claude", call.to_string().as_bytes(), &[]);
    gateway.asked_about("rm -rf tmp_*");
    // Between the question and the yes, one more thing would go.
    home.write("work/project/tmp_b/two.txt", "also mine");
    gateway.desk.enter("y");
    refused(&held.wait_with_output().unwrap(), "approved, but not run");
}

/// The dialog of Claude Code was answered: it ends the hook that it has called, and the question goes from the other screens.
#[test]
fn a_question_that_was_answered_in_the_dialog_leaves_the_desk() {
    let gateway = Gateway::start();
    let home = &gateway.home;
    home.write("work/project/notes.txt", "mine");
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let attended = [("CLAUDE_CODE_SESSION_ATTENDED", "1")];
    // Before the call the dialog is raised, although there is a gateway.
    let before = start(home, "claude", shell(home, "PreToolUse", "rm notes.txt").to_string().as_bytes(), &attended);
    assert_eq!(said(&before.wait_with_output().unwrap()).0, "ask");
    let dialog =
        start(home, "claude", shell(home, "PermissionRequest", "rm notes.txt").to_string().as_bytes(), &attended);
    gateway.asked_about("rm notes.txt");
    std::process::Command::new("kill").arg(dialog.id().to_string()).status().unwrap();
    dialog.wait_with_output().unwrap();
    gateway.desk.wait_for("Nobody needs to answer it any more: it is withdrawn.");
}
