//! `signoff mcp` as its clients use it: lines of JSON-RPC, in both eras of the protocol, with and without people to ask.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{
    fs,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use program::{
    Home,
    gateway::Gateway,
    mcp::{Era, McpClient},
    stdout,
};
use serde_json::{Value, json};

const BOTH: [Era; 2] = [Era::Sessions, Era::Stateless];

fn said(result: &Value) -> Value {
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
}

#[track_caller]
fn until(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(30));
    }
}

#[test]
fn the_tools_are_listed_and_none_decides() {
    for era in BOTH {
        let home = Home::new();
        let mut client = McpClient::start(&home, era, json!({}));
        let listed = client.ask("tools/list", json!({}));
        let tools = listed["result"]["tools"].as_array().unwrap().clone();
        let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        let all = "check safe_exec request_approval approval_status approval_prompt ask_user plan_review \
                   read_file write_file delete_file move_file";
        assert_eq!(names.join(" "), all);
        for tool in &tools {
            let (name, hints) = (tool["name"].as_str().unwrap(), &tool["annotations"]);
            assert_eq!(hints["readOnlyHint"], ["check", "approval_status", "read_file"].contains(&name), "{tool}");
            let destroys = ["safe_exec", "write_file", "delete_file", "move_file"].contains(&name);
            assert_eq!(hints["destructiveHint"], destroys, "{tool}");
            assert_eq!(tool["inputSchema"]["type"], "object");
        }
        assert_eq!(client.leave(), Some(0));
    }
}

#[test]
fn without_a_gateway_the_harmless_runs_and_nothing_else() {
    for era in BOTH {
        let home = Home::new();
        home.write("work/project/notes.txt", "mine");
        let mut client = McpClient::start(&home, era, json!({}));
        // The same words as on the command line.
        let judged = client.call("check", json!({"command": "rm notes.txt"}));
        let told: Value = serde_json::from_str(stdout(&home.output(&["check", "--json", "rm notes.txt"]))).unwrap();
        assert_eq!(judged["structuredContent"], told);
        assert_eq!(said(&judged), told);
        let judged = client.call("check", json!({"action": "delete", "path": "notes.txt"}));
        assert_eq!(judged["structuredContent"]["verdict"], "ask", "{judged}");
        let judged = client.call("check", json!({"tool": "fetch", "arguments": {"url": "https://example.com"}}));
        assert_eq!(judged["structuredContent"]["verdict"], "allow", "{judged}");

        let ran = client.call("safe_exec", json!({"command": "echo out; echo err >&2; false", "cwd": "src"}));
        let result = &ran["structuredContent"];
        assert_eq!((&result["stdout"], &result["stderr"]), (&"out\n".into(), &"err\n".into()), "{ran}");
        assert_eq!(
            (&result["exit_code"], &result["success"], &ran["isError"]),
            (&1.into(), &false.into(), &false.into())
        );
        let ran = client.call("safe_exec", json!({"command": "sleep 30", "timeout_s": 1}));
        assert_eq!(ran["structuredContent"]["success"], false, "{ran}");
        assert!(ran["structuredContent"]["error_message"].as_str().unwrap().contains("time limit"), "{ran}");

        // Somebody would have to be asked, and nobody can be.
        let refused = client.call("safe_exec", json!({"command": "rm notes.txt"}));
        let result = &refused["structuredContent"];
        assert_eq!((&result["confirmation_required"], &result["precondition_passed"]), (&true.into(), &false.into()));
        assert_eq!(refused["isError"], true);
        let blocked = client.call("safe_exec", json!({"command": "rm -rf ~/"}));
        assert_eq!(blocked["structuredContent"]["confirmation_required"], false, "{blocked}");
        assert!(blocked["structuredContent"]["error_message"].is_string(), "{blocked}");
        for (tool, arguments) in [
            ("request_approval", json!({"command": "rm notes.txt"})),
            ("approval_status", json!({"approval_id": "0198a1ed83"})),
        ] {
            let answer = client.call(tool, arguments);
            assert_eq!(answer["isError"], true, "{answer}");
            assert!(answer["content"][0]["text"].as_str().unwrap().contains("signoff serve"), "{answer}");
        }

        let prompt = |command: &str| json!({"tool_name": "Bash", "input": {"command": command}, "tool_use_id": "t"});
        let allowed = client.call("approval_prompt", prompt("ls"));
        assert_eq!(said(&allowed), json!({"behavior": "allow", "updatedInput": {"command": "ls"}}));
        for command in ["rm notes.txt", "rm -rf ~/"] {
            let denied = said(&client.call("approval_prompt", prompt(command)));
            assert_eq!(denied["behavior"], "deny", "{denied}");
            assert!(!denied["message"].as_str().unwrap().is_empty());
        }
        // A plan is the user's to approve and a question theirs to answer: whoever is not asked has not said yes.
        for (tool, input) in [
            ("ExitPlanMode", json!({"plan": "# Plan\nDelete everything"})),
            ("AskUserQuestion", json!({"questions": []})),
        ] {
            let asked = json!({"tool_name": tool, "input": input, "tool_use_id": "t"});
            let denied = said(&client.call("approval_prompt", asked));
            assert_eq!(denied["behavior"], "deny", "{denied}");
            assert!(denied["message"].as_str().unwrap().contains("plan_review"), "{denied}");
        }
        assert!(home.project().join("notes.txt").exists());
    }
}

#[test]
fn what_is_wrong_is_said_and_ends_nothing() {
    for era in BOTH {
        let home = Home::new();
        let mut client = McpClient::silent(&home, era, json!({}));
        client.line("this is no JSON");
        client.line("\u{0}\u{1}");
        let mut client = McpClient::start(&home, era, json!({}));
        for garbage in ["no JSON", "{\"jsonrpc\": \"2.0\"", "[]", "42", "{\"x\": 1}", ""] {
            client.line(garbage);
        }
        let unknown = client.call_with("approve", json!({"approval_id": "x"}), json!({}));
        let unknown = client.answer(unknown);
        assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
        let unknown = client.ask("tools/burn", json!({}));
        assert!(unknown["error"].is_object(), "{unknown}");
        for (tool, arguments) in [
            ("safe_exec", json!({})),
            ("safe_exec", json!({"command": ""})),
            ("safe_exec", json!({"command": ["ls"]})),
            ("safe_exec", json!({"command": "ls", "confirmed": true})),
            ("safe_exec", json!({"command": "ls", "approval_id": "a"})),
            ("safe_exec", json!({"command": "ls", "timeout_s": -1})),
            ("safe_exec", json!({"command": "ls", "cwd": "nowhere"})),
            ("safe_exec", json!({"command": "ls\u{0}"})),
            ("safe_exec", json!({"approval_id": "--json"})),
            ("check", json!({"command": "ls", "tool": "x"})),
            ("check", json!({"action": "explode", "path": "x"})),
            ("approval_status", json!({"approval_id": "../people"})),
        ] {
            let answer = client.call(tool, arguments.clone());
            assert_eq!(answer["isError"], true, "{tool} {arguments}: {answer}");
        }
        for arguments in [json!({}), json!({"tool_name": "Bash"}), json!({"tool_name": "Bash", "input": "ls"})] {
            assert_eq!(said(&client.call("approval_prompt", arguments.clone()))["behavior"], "deny", "{arguments}");
        }
        let ran = client.call("safe_exec", json!({"command": "echo still here"}));
        assert_eq!(ran["structuredContent"]["stdout"], "still here\n");
    }
}

#[test]
fn a_call_that_is_taken_back_ends_what_it_runs() {
    for era in BOTH {
        let home = Home::new();
        let mut client = McpClient::start(&home, era, json!({}));
        let id = client.call_with("safe_exec", json!({"command": "echo $$ > pid; sleep 321"}), json!({}));
        let pid = home.project().join("pid");
        until("it does not run", || fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')));
        let process = format!("/proc/{}", fs::read_to_string(&pid).unwrap().trim());
        assert!(fs::exists(&process).unwrap());
        client.tell("notifications/cancelled", json!({"requestId": id, "reason": "enough"}));
        until("it runs on", || !fs::exists(&process).unwrap());
        // Whoever leaves takes all of it along.
        fs::remove_file(&pid).unwrap();
        client.call_with("safe_exec", json!({"command": "echo $$ > pid; sleep 321"}), json!({}));
        until("it does not run", || fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')));
        let process = format!("/proc/{}", fs::read_to_string(&pid).unwrap().trim());
        client.leave();
        until("it runs on", || !fs::exists(&process).unwrap());
        // So does a server that is told to end.
        fs::remove_file(&pid).unwrap();
        let mut client = McpClient::start(&home, era, json!({}));
        client.call_with("safe_exec", json!({"command": "echo $$ > pid; sleep 321"}), json!({}));
        until("it does not run", || fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')));
        let process = format!("/proc/{}", fs::read_to_string(&pid).unwrap().trim());
        Command::new("kill").arg(client.child.id().to_string()).status().unwrap();
        until("it runs on", || !fs::exists(&process).unwrap());
    }
}

#[test]
fn a_person_decides_while_the_call_waits() {
    let gateway = Gateway::start();
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    for (era, name) in BOTH.into_iter().zip(["notes.txt", "diary.txt"]) {
        let (notes, kept) = (gateway.home.project().join(name), format!("work/project/{name}"));
        gateway.home.write(&kept, "mine");
        let mut client = McpClient::start(&gateway.home, era, json!({}));
        // A yes, after the client has heard that somebody is asked.
        let id = client.call_with("safe_exec", json!({"command": format!("rm {name}")}), json!({"progressToken": "p"}));
        let screen = gateway.asked_about(&format!("rm {name}"));
        assert!(screen.contains("mcp asks for "), "{screen}");
        let heard = client.wait_for("progress", |message| message["method"] == "notifications/progress");
        assert_eq!(heard["params"]["progressToken"], "p", "{heard}");
        assert!(notes.exists());
        gateway.desk.enter("y");
        gateway.desk.wait_for("It is approved.");
        let ran = client.answer(id)["result"]["structuredContent"].clone();
        assert_eq!((&ran["success"], &ran["confirmation_required"]), (&true.into(), &false.into()), "{ran}");
        assert!(!notes.exists());
        let status = client.call("approval_status", json!({"approval_id": ran["approval_id"]}));
        assert!(["used", "over"].contains(&status["structuredContent"]["status"].as_str().unwrap()), "{status}");

        // A no.
        gateway.home.write(&kept, "mine");
        let id = client.call_with("safe_exec", json!({"command": format!("rm -f {name}")}), json!({}));
        gateway.asked_about(&format!("rm -f {name}"));
        gateway.desk.enter("n");
        gateway.desk.wait_for("Words for the agent");
        gateway.desk.enter("move it instead");
        gateway.desk.wait_for("It is denied.");
        let refused = client.answer(id)["result"].clone();
        let words = refused["structuredContent"]["error_message"].as_str().unwrap();
        assert!(words.contains("move it instead"), "{refused}");
        assert_eq!(refused["isError"], true);
        assert!(notes.exists());

        // A call that is taken back takes its question along.
        let id = client.call_with("safe_exec", json!({"command": format!("rm -v {name}")}), json!({}));
        gateway.asked_about(&format!("rm -v {name}"));
        client.tell("notifications/cancelled", json!({"requestId": id}));
        thread::sleep(Duration::from_millis(500));
        gateway.desk.enter("y");
        let screen = gateway.desk.wait_for("no longer open");
        assert!(notes.exists(), "{screen}");
    }
}

#[test]
fn what_was_approved_beforehand_runs_once() {
    let gateway = Gateway::start();
    let notes = gateway.home.project().join("notes.txt");
    gateway.home.write("work/project/notes.txt", "mine");
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let mut client = McpClient::start(&gateway.home, Era::Stateless, json!({}));
    // Who does not wait finds the question again.
    let asked =
        client.call("request_approval", json!({"command": "rm notes.txt", "wait_s": 1}))["structuredContent"].clone();
    assert_eq!(asked["status"], "pending", "{asked}");
    let status = client.call("approval_status", json!({"approval_id": asked["approval_id"]}));
    assert_eq!(status["structuredContent"]["status"], "pending");
    let id = client.call_with("request_approval", json!({"command": "rm notes.txt"}), json!({}));
    gateway.asked_about("rm notes.txt");
    gateway.desk.enter("y");
    gateway.desk.wait_for("It is approved.");
    let answer = client.answer(id)["result"]["structuredContent"].clone();
    assert_eq!((&answer["status"], &answer["approval_id"]), (&"approved".into(), &asked["approval_id"]), "{answer}");
    assert_eq!(answer.as_object().unwrap().len(), 3, "no permit: {answer}");
    assert!(notes.exists(), "nothing runs by an answer");
    // Another session has no part in it.
    let mut other = gateway.home.signoff(&["exec", "--json", "--agent", "mcp", "--session", "other", "--approval"]);
    other.arg(asked["approval_id"].as_str().unwrap());
    assert!(!other.output().unwrap().status.success());
    assert!(notes.exists());
    let ran = client.call("safe_exec", json!({"approval_id": asked["approval_id"]}));
    assert_eq!(ran["structuredContent"]["success"], true, "{ran}");
    assert!(!notes.exists());
    gateway.home.write("work/project/notes.txt", "mine");
    let again = client.call("safe_exec", json!({"approval_id": asked["approval_id"]}));
    assert_eq!(again["isError"], true, "{again}");
    assert!(notes.exists());

    // A tool that somebody else calls: the yes is used up by the answer.
    let wanted = json!({"tool": "delete_page", "arguments": {"page": 7}});
    let id = client.call_with("request_approval", wanted, json!({}));
    gateway.asked_about("delete_page");
    gateway.desk.enter("y");
    gateway.desk.wait_for("It is approved.");
    let answer = client.answer(id)["result"]["structuredContent"].clone();
    assert_eq!(answer["status"], "approved", "{answer}");
    let status = client.call("approval_status", json!({"approval_id": answer["approval_id"]}));
    assert_eq!(status["structuredContent"]["status"], "used", "{status}");
    assert_eq!(client.call("request_approval", json!({"command": "ls"}))["structuredContent"]["status"], "allowed");
    assert_eq!(
        client.call("request_approval", json!({"command": "rm -rf ~/"}))["structuredContent"]["status"],
        "blocked"
    );
}

#[test]
fn claude_code_is_told_what_a_person_says() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let mut client = McpClient::start(&gateway.home, Era::Sessions, json!({"elicitation": {"form": {}, "url": {}}}));
    let prompt = |command: &str| json!({"tool_name": "Bash", "input": {"command": command}, "tool_use_id": "t"});
    let id = client.call_with("approval_prompt", prompt("rm notes.txt"), json!({"progressToken": 2}));
    gateway.asked_about("rm notes.txt");
    gateway.desk.enter("y");
    gateway.desk.wait_for("It is approved.");
    let allowed = said(&client.answer(id)["result"]);
    assert_eq!(allowed, json!({"behavior": "allow", "updatedInput": {"command": "rm notes.txt"}}));
    let id = client.call_with("approval_prompt", prompt("rm -f notes.txt"), json!({"progressToken": 3}));
    gateway.asked_about("rm -f notes.txt");
    gateway.desk.enter("n");
    gateway.desk.wait_for("Words for the agent");
    gateway.desk.enter("not now");
    let denied = said(&client.answer(id)["result"]);
    assert_eq!(denied["behavior"], "deny");
    assert!(denied["message"].as_str().unwrap().contains("not now"), "{denied}");
}

#[test]
fn the_user_is_asked_in_front_of_the_client() {
    let home = Home::new();
    let can_ask = json!({"elicitation": {"form": {}, "url": {}}});
    for (arguments, content, wanted) in [
        (json!({"question": "Shall I?"}), json!({"answer": false}), json!({"answered": true, "answer": false})),
        (
            json!({"question": "Which?", "kind": "choice", "options": ["a", "b"]}),
            json!({"answer": "b"}),
            json!({"answered": true, "answer": "b"}),
        ),
        (
            json!({"question": "What name?", "kind": "input"}),
            json!({"answer": "ada"}),
            json!({"answered": true, "answer": "ada"}),
        ),
    ] {
        let question = arguments["question"].as_str().unwrap();
        // By a request of the server.
        let mut client = McpClient::start(&home, Era::Sessions, can_ask.clone());
        let id = client.call_with("ask_user", arguments.clone(), json!({}));
        let asked = client.wait_for("question", |message| message["method"] == "elicitation/create");
        assert!(asked["params"]["message"].as_str().unwrap().contains(question), "{asked}");
        assert!(asked["params"]["message"].as_str().unwrap().contains("approves nothing"), "{asked}");
        assert_eq!(asked["params"]["mode"], "form");
        let answer = json!({"action": "accept", "content": content});
        client.line(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer}).to_string());
        assert_eq!(client.answer(id)["result"]["structuredContent"], wanted);
        // By an answer that wants more input.
        let mut client = McpClient::start(&home, Era::Stateless, can_ask.clone());
        let asked = client.call("ask_user", arguments.clone());
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        let request = &asked["inputRequests"]["answer"];
        assert_eq!((&request["method"], &request["params"]["mode"]), (&"elicitation/create".into(), &"form".into()));
        let mut again = json!({"name": "ask_user", "arguments": arguments, "inputResponses": {"answer": answer}});
        assert_eq!(client.ask("tools/call", again.clone())["result"]["structuredContent"], wanted);
        for (action, answered) in [("decline", false), ("cancel", false)] {
            again["inputResponses"] = json!({"answer": {"action": action}});
            let said = client.ask("tools/call", again.clone());
            assert_eq!(said["result"]["structuredContent"]["answered"], answered, "{said}");
        }
        for wrong in [
            json!({}),
            json!({"answer": {"action": "accept"}}),
            json!({"answer": {"action": "accept", "content": {"answer": 7}}}),
        ] {
            again["inputResponses"] = wrong.clone();
            let said = client.ask("tools/call", again.clone());
            assert_eq!(said["result"]["isError"], true, "{wrong}: {said}");
        }
    }
    let mut client = McpClient::start(&home, Era::Stateless, can_ask);
    let plan = json!({"title": "Clean up", "steps": ["rm -rf build", "make"]});
    let asked = client.call("plan_review", plan.clone());
    let shown = asked["inputRequests"]["answer"]["params"]["message"].as_str().unwrap();
    assert!(shown.contains("Clean up\n1. rm -rf build\n2. make"), "{shown}");
    let answer = json!({"action": "accept", "content": {"answer": "modify", "words": "keep build"}});
    let said = client
        .ask("tools/call", json!({"name": "plan_review", "arguments": plan, "inputResponses": {"answer": answer}}));
    assert_eq!(
        said["result"]["structuredContent"],
        json!({"answered": true, "decision": "modify", "words": "keep build"})
    );
    // A yes in front of the client approves nothing.
    home.write("work/project/notes.txt", "mine");
    let mut call = json!({"name": "safe_exec", "arguments": {"command": "rm notes.txt"}});
    call["inputResponses"] = json!({"answer": {"action": "accept", "content": {"answer": true}}});
    let said = client.ask("tools/call", call);
    assert_eq!(said["result"]["structuredContent"]["confirmation_required"], true, "{said}");
    assert!(home.project().join("notes.txt").exists());
}

#[test]
fn where_the_client_cannot_ask_the_gateway_does() {
    let home = Home::new();
    let mut client = McpClient::start(&home, Era::Sessions, json!({}));
    for arguments in
        [json!({"question": "Shall I?"}), json!({"question": "What?", "kind": "input"}), json!({"question": " "})]
    {
        assert_eq!(client.call("ask_user", arguments.clone())["isError"], true, "{arguments}");
    }
    let gateway = Gateway::start();
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let mut client = McpClient::start(&gateway.home, Era::Stateless, json!({}));
    let id = client.call_with("ask_user", json!({"question": "Shall I begin?"}), json!({}));
    gateway.asked_about("Shall I begin?");
    gateway.desk.enter("y");
    assert_eq!(client.answer(id)["result"]["structuredContent"], json!({"answered": true, "answer": true}));
    let id = client.call_with("plan_review", json!({"steps": ["first", "then"]}), json!({}));
    gateway.asked_about("plan_review");
    gateway.desk.enter("n");
    gateway.desk.wait_for("Words for the agent");
    gateway.desk.enter("later");
    let said = client.answer(id)["result"]["structuredContent"].clone();
    assert_eq!(said, json!({"answered": true, "decision": "cancel", "words": "later"}));
}

#[test]
fn files_go_through_the_gate() {
    let gateway = Gateway::start();
    let project = gateway.home.project();
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let mut client = McpClient::start(&gateway.home, Era::Stateless, json!({}));
    // A new file asks nobody.
    let written = client.call("write_file", json!({"path": "notes.txt", "content": "mine\n"}));
    assert_eq!(written["structuredContent"]["success"], true, "{written}");
    let read = client.call("read_file", json!({"path": "./src/../notes.txt"}));
    assert_eq!(read["structuredContent"]["stdout"], "mine\n", "{read}");
    // Over what nobody brings back: a person sees the difference.
    let id = client.call_with("write_file", json!({"path": "notes.txt", "content": "yours\n"}), json!({}));
    let screen = gateway.asked_about("notes.txt");
    assert!(screen.contains("yours"), "{screen}");
    gateway.desk.enter("y");
    let written = client.answer(id)["result"]["structuredContent"].clone();
    assert_eq!((&written["success"], written["approval_id"].is_string()), (&true.into(), true), "{written}");
    assert_eq!(fs::read_to_string(project.join("notes.txt")).unwrap(), "yours\n");
    // A move over another file, and a delete that is refused.
    gateway.home.write("work/project/diary.txt", "old");
    let id = client.call_with("move_file", json!({"path": "notes.txt", "to": "diary.txt"}), json!({}));
    gateway.asked_about("diary.txt");
    gateway.desk.enter("y");
    let moved = client.answer(id)["result"]["structuredContent"].clone();
    assert_eq!(moved["success"], true, "{moved}");
    assert_eq!(fs::read_to_string(project.join("diary.txt")).unwrap(), "yours\n");
    // What is configured for the tool by its name counts: here nothing is lost, and somebody is asked all the same.
    gateway.home.write("work/project/.gitignore", "node_modules/\n");
    gateway.home.write("work/project/package.json", "{}");
    gateway.home.write("work/project/node_modules/m.js", "x");
    let judged = client.call("check", json!({"action": "delete", "path": "node_modules/m.js"}));
    assert_eq!(judged["structuredContent"]["verdict"], "allow", "{judged}");
    let id = client.call_with("delete_file", json!({"path": "node_modules/m.js"}), json!({}));
    gateway.asked_about("m.js");
    assert!(project.join("node_modules/m.js").exists());
    gateway.desk.enter("y");
    let deleted = client.answer(id)["result"].clone();
    assert_eq!(deleted["structuredContent"]["success"], true, "{deleted}");
    gateway.home.write("work/project/letters.txt", "old");
    let id = client.call_with("delete_file", json!({"path": "letters.txt"}), json!({}));
    gateway.asked_about("letters.txt");
    gateway.desk.enter("n");
    gateway.desk.wait_for("Words for the agent");
    gateway.desk.enter("keep it");
    let kept = client.answer(id)["result"].clone();
    assert_eq!((&kept["isError"], project.join("letters.txt").exists()), (&true.into(), true), "{kept}");
}

#[test]
fn no_file_is_touched_without_a_yes() {
    let home = Home::new();
    home.write("work/project/notes.txt", "mine");
    home.write("outside/secret", "s");
    std::os::unix::fs::symlink(home.root.path().join("outside"), home.project().join("way")).unwrap();
    let mut client = McpClient::start(&home, Era::Stateless, json!({}));
    for (tool, arguments) in [
        ("write_file", json!({"path": "notes.txt", "content": "yours"})),
        ("delete_file", json!({"path": "notes.txt"})),
        ("move_file", json!({"path": "src/a.rs", "to": "notes.txt"})),
        ("write_file", json!({"path": "/etc/passwd", "content": "x"})),
    ] {
        let refused = client.call(tool, arguments.clone());
        assert_eq!(refused["isError"], true, "{tool} {arguments}: {refused}");
        assert_eq!(refused["structuredContent"]["precondition_passed"], false, "{refused}");
    }
    for (tool, arguments) in [
        ("write_file", json!({"path": "notes.txt"})),
        ("write_file", json!({"path": "nowhere/notes.txt", "content": ""})),
        ("delete_file", json!({"path": "src/"})),
        ("delete_file", json!({"path": "notes.txt", "force": true})),
        ("read_file", json!({"path": "/"})),
        ("move_file", json!({"path": "notes.txt"})),
    ] {
        assert_eq!(client.call(tool, arguments.clone())["isError"], true, "{tool} {arguments}");
    }
    let read = client.call("read_file", json!({"path": "src"}));
    assert_eq!(read["structuredContent"]["success"], false, "{read}");
    assert_eq!(fs::read_to_string(home.project().join("notes.txt")).unwrap(), "mine");
    let read = client.call("read_file", json!({"path": "way/secret"}));
    assert_eq!(read["structuredContent"]["stdout"], "s", "{read}");
}
