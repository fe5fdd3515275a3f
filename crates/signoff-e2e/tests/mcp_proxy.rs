//! `signoff mcp --proxy`, with a stand-in for a server: what passes, what is held, and what a server or a client could try.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use program::{
    Home, complains,
    gateway::Gateway,
    output,
    speaking::{Speaking, python, runs},
};
use serde_json::{Value, json};

/// Answers everything, and writes down what it is told.
const SERVER: &str = r#"
import json, sys
heard = open(sys.argv[1], "a")
description = "first"
for line in sys.stdin:
    heard.write(line); heard.flush()
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    if method == "x/redefine":
        description = message["params"]
    elif method == "x/die":
        sys.exit(7)
    elif method == "x/large":
        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {"x": "y" * 20_000_000}}), flush=True)
    elif method == "x/ask":
        print('{"jsonrpc": "2.0",  "id":"s1","method":"sampling/createMessage"}', flush=True)
    elif method == "tools/list":
        tool = {"name": "delete_page", "description": description, "inputSchema": {"type": "object"}}
        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {"tools": [tool], "nextCursor": "2"}}), flush=True)
    elif id is not None and method:
        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {"content": [], "was": method}}), flush=True)
"#;

fn call(id: impl Into<Value>, tool: &str, args: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": {"name": tool, "arguments": args}})
}

fn proxy(home: &Home) -> Speaking {
    Speaking::start(home, &["mcp", "--proxy", "--name", "wiki"], SERVER)
}

/// The words of a call that was refused.
#[track_caller]
fn refused(said: &Value) -> &str {
    assert_eq!(said["result"]["isError"], true, "{said}");
    said["result"]["content"][0]["text"].as_str().unwrap()
}

#[test]
fn a_thousand_calls_at_once_keep_their_order_and_their_ids() {
    if !python() {
        return;
    }
    let home = Home::new();
    let mut proxy = proxy(&home);
    let calls: Vec<String> = (0..1_000).map(|id| format!("{}\n", call(id, "get_page", json!({"page": id})))).collect();
    proxy.say_bytes(calls.concat().as_bytes());
    for id in 0..1_000 {
        assert_eq!(proxy.next()["id"], id);
    }
    assert_eq!(proxy.heard(), calls.concat(), "byte for byte, and in order");
}

#[test]
fn without_a_gateway_what_has_to_be_asked_is_refused_and_the_rest_flows() {
    if !python() {
        return;
    }
    let home = Home::new();
    let mut proxy = proxy(&home);
    let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}});
    proxy.say(&first);
    assert_eq!(proxy.next()["result"]["was"], "initialize");
    let discover = json!({"jsonrpc": "2.0", "id": "d", "method": "server/discover", "params": {"_meta": {}}});
    proxy.say(&discover);
    assert_eq!(proxy.next()["id"], "d");
    proxy.say(&call(1, "delete_page", json!({"page": 7})));
    assert!(refused(&proxy.next()).contains("signoff serve"));
    proxy.say(&call(2, "run_command", json!({"command": "rm -rf /"})));
    assert!(refused(&proxy.next()).contains("nobody can approve it"));
    // What a server wants of the client, and its answer to that, pass.
    proxy.say(&json!({"method": "x/ask"}));
    assert_eq!(proxy.line(), r#"{"jsonrpc": "2.0",  "id":"s1","method":"sampling/createMessage"}"#);
    proxy.say(&json!({"id": "s1", "result": {"role": "assistant"}}));
    // Large results stream.
    proxy.say(&json!({"id": 3, "method": "x/large"}));
    assert_eq!(proxy.next()["result"]["x"].as_str().unwrap().len(), 20_000_000);
    for garbage in [&b"\xff\xfe\n"[..], b"[]\n", b"{\"method\":\"tools/call\",\n", b"{\"id\":1,\"id\":2}\n"] {
        proxy.say_bytes(garbage);
        assert!(proxy.next()["error"]["code"].is_i64());
    }
    let heard = proxy.heard();
    assert!(!heard.contains("delete_page") && !heard.contains("rm -rf") && heard.contains("assistant"), "{heard}");
    assert_eq!(heard.lines().count(), 5, "{heard}");
}

#[test]
fn a_call_is_held_while_the_rest_flows_and_let_go_once_with_a_yes() {
    if !python() {
        return;
    }
    let gateway = Gateway::start();
    let mut proxy = proxy(&gateway.home);
    let mut held = call(1, "delete_page", json!({"page": 7}));
    held["params"]["_meta"] = json!({"progressToken": "p1"});
    proxy.say(&held);
    proxy.say(&json!({"id": 2, "method": "ping"}));
    proxy.say(&call(3, "get_page", json!({})));
    assert_eq!((proxy.next()["id"].clone(), proxy.next()["id"].clone()), (json!(2), json!(3)));
    // The same id once more is refused, and what is held stays.
    proxy.say(&call(1, "get_page", json!({})));
    assert_eq!(proxy.next()["error"]["code"], -32600);
    let told = proxy.next();
    assert_eq!((&told["method"], &told["params"]["progressToken"]), (&json!("notifications/progress"), &json!("p1")));
    assert!(!proxy.heard().contains("delete_page"));
    gateway.log_in("s inbox");
    gateway.asked_about("delete_page");
    gateway.answer(1, "y");
    let answered = proxy.next();
    assert_eq!((&answered["id"], &answered["result"]["was"]), (&json!(1), &json!("tools/call")));
    assert!(proxy.heard().contains(&held.to_string()), "as the client has said it");
    // The yes was for one call.
    proxy.say(&call(4, "delete_page", json!({"page": 7})));
    gateway.answer(2, "n");
    let words = refused(&proxy.next()).to_owned();
    assert!(words.contains("refused this") && words.contains("keep it"), "{words}");
    assert_eq!(proxy.heard().matches("delete_page").count(), 1);
}

#[test]
fn a_yes_is_for_the_tool_as_it_was_described() {
    if !python() {
        return;
    }
    let gateway = Gateway::start();
    let mut proxy = proxy(&gateway.home);
    proxy.say(&json!({"id": 1, "method": "tools/list"}));
    assert_eq!(proxy.next()["result"]["nextCursor"], "2");
    proxy.say(&call(2, "delete_page", json!({"page": 7})));
    gateway.log_in("s inbox");
    gateway.asked_about("delete_page");
    // The server becomes another one between the question and the answer.
    proxy.say(&json!({"method": "x/redefine", "params": "also pays the bill"}));
    proxy.say(&json!({"id": 3, "method": "tools/list"}));
    assert_eq!(proxy.next()["id"], 3);
    gateway.answer(1, "y");
    gateway.answer(2, "y");
    assert_eq!(proxy.next()["id"], 2);
    assert_eq!(proxy.heard().matches("tools/call").count(), 1);
}

#[test]
fn a_time_out_is_no_refusal_and_the_same_call_finds_its_yes() {
    if !python() {
        return;
    }
    let gateway = Gateway::start();
    let mut proxy = Speaking::start(&gateway.home, &["mcp", "--proxy", "--name", "wiki", "--wait", "1s"], SERVER);
    proxy.say(&call(1, "delete_page", json!({"page": 7})));
    let words = refused(&proxy.next()).to_owned();
    assert!(words.contains("that is not a no") && words.contains("stays open"), "{words}");
    gateway.log_in("s inbox");
    gateway.answer(1, "y");
    gateway.desk.wait_for("It is approved");
    // A call that differs in anything has no yes.
    proxy.say(&call(2, "delete_page", json!({"page": 8})));
    assert!(refused(&proxy.next()).contains("that is not a no"));
    proxy.say(&call(3, "delete_page", json!({"page": 7})));
    assert_eq!(proxy.next()["result"]["was"], "tools/call");
    assert_eq!(proxy.heard().lines().count(), 1);
}

#[test]
fn a_call_that_is_taken_back_is_not_asked_about_any_more() {
    if !python() {
        return;
    }
    let gateway = Gateway::start();
    let mut proxy = proxy(&gateway.home);
    proxy.say(&call("c", "delete_page", json!({"page": 7})));
    gateway.log_in("s inbox list");
    gateway.desk.wait_for("pending");
    proxy.say(&json!({"method": "notifications/cancelled", "params": {"requestId": "c"}}));
    proxy.say(&json!({"id": 2, "method": "ping"}));
    assert_eq!(proxy.next()["id"], 2);
    assert!(proxy.is_silent());
    gateway.desk.run("clear");
    gateway.log_in("s inbox list --all");
    gateway.desk.wait_for("withdrawn");
    assert!(!proxy.heard().contains("cancelled") && !proxy.heard().contains("delete_page"), "{}", proxy.heard());
    // The id is free again, and a call that the server has is cancelled there.
    proxy.say(&call("c", "get_page", json!({})));
    assert_eq!(proxy.next()["id"], "c");
    proxy.say(&json!({"method": "notifications/cancelled", "params": {"requestId": "c"}}));
    proxy.say(&json!({"id": 4, "method": "ping"}));
    assert_eq!(proxy.next()["id"], 4);
    assert!(proxy.heard().contains("cancelled"));
}

#[test]
fn when_one_side_goes_so_does_the_other() {
    if !python() {
        return;
    }
    let home = Home::new();
    let mut proxy = proxy(&home);
    proxy.say(&json!({"method": "x/die"}));
    assert_eq!(proxy.ended(), Some(7));
    // One that does not heed the end of its input.
    let stubborn = "import sys, time, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('{}', flush=True)\ntime.sleep(600)\n";
    let mut proxy = Speaking::start(&home, &["mcp", "--proxy"], stubborn);
    assert_eq!(proxy.line(), "{}");
    let script = home.root.path().join("stand_in.py");
    assert!(runs(&script));
    proxy.go();
    assert_eq!(proxy.ended(), Some(137));
    assert!(!runs(&script));
}

#[test]
fn what_cannot_be_stood_in_front_of_is_told() {
    complains(&output(&["mcp", "--proxy"]), "no server is named");
    complains(&output(&["mcp", "--proxy", "--name", "signoff", "--", "true"]), "no name for a server");
    complains(&output(&["mcp", "--proxy", "--name", "a__b", "--", "true"]), "no name for a server");
    let missing = output(&["mcp", "--proxy", "--", "/nonexistent/server"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("cannot start `/nonexistent/server`"));
}

/// One call after the other, each behind the answer to the one before: the times that they take, shortest first.
fn times(mut command: std::process::Command, calls: usize) -> Vec<std::time::Duration> {
    use std::io::{BufRead as _, Write as _};
    let (input, output) = (std::process::Stdio::piped(), std::process::Stdio::piped());
    let mut child = command.stdin(input).stdout(output).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut taken = Vec::new();
    let mut line = String::new();
    for id in 0..calls {
        let text = format!("{}\n", call(id, "get_page", json!({"page": id, "words": "some words to search for"})));
        let begun = std::time::Instant::now();
        stdin.write_all(text.as_bytes()).unwrap();
        line.clear();
        stdout.read_line(&mut line).unwrap();
        taken.push(begun.elapsed());
    }
    drop(stdin);
    child.wait().unwrap();
    taken.sort();
    taken
}

#[test]
#[ignore = "a measurement: run it alone, in release mode, with --nocapture"]
fn what_the_proxy_costs() {
    use std::io::Write as _;
    const CALLS: usize = 3_000;
    let home = Home::new();
    // As where somebody has used a gateway: each decision leaves a line for the ledger.
    std::fs::create_dir_all(signoff_gate::Places::below(home.root.path()).spool()).unwrap();
    let script = home.root.path().join("server.py");
    std::fs::write(&script, SERVER).unwrap();
    let (script, heard) = (script.to_str().unwrap(), "/dev/null");
    for round in 1..=3 {
        let mut alone = std::process::Command::new("python3");
        alone.args(["-u", script, heard]);
        let behind = home.signoff(&["mcp", "--proxy", "--name", "wiki", "--", "python3", "-u", script, heard]);
        let (alone, behind) = (times(alone, CALLS), times(behind, CALLS));
        let at = |times: &[std::time::Duration], part: usize| times[times.len() * part / 100].as_micros();
        let _ = writeln!(
            std::io::stderr(),
            "round {round}: median {} µs alone, {} µs behind the proxy; 99th percentile {} µs and {} µs",
            at(&alone, 50),
            at(&behind, 50),
            at(&alone, 99),
            at(&behind, 99),
        );
    }
}
