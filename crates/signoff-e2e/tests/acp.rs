//! `signoff acp`, with a stand-in for an agent: what it asks permission for, and what everybody hears.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use program::{
    Home,
    gateway::Gateway,
    speaking::{Speaking, python},
};
use serde_json::{Value, json};

/// Opens a session, sends whatever it is prompted with as its own words, and writes down what it is told.
const AGENT: &str = r#"
import json, sys
heard = open(sys.argv[1], "a")
for line in sys.stdin:
    heard.write(line); heard.flush()
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    if method == "session/new":
        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {"sessionId": "s-1"}}), flush=True)
    elif method == "session/prompt":
        print(message["params"]["say"], flush=True)
    elif method is None and "outcome" in (message.get("result") or {}):
        print(json.dumps({"jsonrpc": "2.0", "method": "x/heard", "params": {"id": id, **message["result"]["outcome"]}}), flush=True)
"#;

fn options() -> Value {
    json!([
        {"optionId": "always", "name": "Allow for this session", "kind": "allow_always"},
        {"optionId": "once", "name": "Allow", "kind": "allow_once"},
        {"optionId": "reject", "name": "Reject", "kind": "reject_once"},
    ])
}

/// A request as OpenCode makes it.
fn request(id: u32, command: &str, options: &Value) -> String {
    let call = json!({"toolCallId": format!("c{id}"), "title": command, "kind": "execute", "status": "pending", "rawInput": {"command": command}});
    let params = json!({"sessionId": "s-1", "toolCall": call, "options": options});
    json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": params}).to_string()
}

/// An editor with a session in the project.
fn editor(home: &Home) -> Speaking {
    // Started elsewhere: the session says where the agent works.
    let mut editor = Speaking::start(home, &["acp"], AGENT);
    editor.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {"cwd": home.project()}}));
    assert_eq!(editor.next()["result"]["sessionId"], "s-1");
    editor
}

fn prompt(editor: &mut Speaking, say: &str) {
    editor.say(&json!({"jsonrpc": "2.0", "id": 9, "method": "session/prompt", "params": {"say": say}}));
}

/// What the agent has heard as the answer.
#[track_caller]
fn answer(editor: &mut Speaking, say: &str) -> Value {
    prompt(editor, say);
    let heard = editor.next();
    assert_eq!(heard["method"], "x/heard", "{heard}");
    heard["params"].clone()
}

#[test]
fn without_a_gateway_the_harmless_passes_the_absurd_does_not_and_the_user_decides_in_the_editor() {
    if !python() {
        return;
    }
    let home = Home::new();
    home.write("work/project/notes.txt", "mine");
    let mut editor = editor(&home);
    assert_eq!(answer(&mut editor, &request(1, "ls", &options()))["optionId"], "once");
    assert_eq!(answer(&mut editor, &request(2, "rm -rf /", &options()))["optionId"], "reject");
    // Without an option for a no nothing is chosen, and without one for this once there is no yes.
    let always = json!([{"optionId": "always", "name": "Allow once", "kind": "allow_always"}]);
    assert_eq!(answer(&mut editor, &request(3, "rm -rf /", &always))["outcome"], "cancelled");
    assert_eq!(answer(&mut editor, &request(4, "ls", &always))["outcome"], "cancelled");
    // What an agent only says it runs is asked about, and what is absurd in it is refused.
    let said = |title: &str| request(5, title, &options()).replace("rawInput", "other");
    assert_eq!(answer(&mut editor, &said("rm -rf /"))["optionId"], "reject");
    for asked in [said("ls"), request(6, "rm notes.txt", &options())] {
        prompt(&mut editor, &asked);
        assert_eq!(editor.line(), asked, "as the agent has said it");
    }
    // The answer of the editor passes.
    editor.say(&json!({"jsonrpc": "2.0", "id": 6, "result": {"outcome": {"outcome": "selected", "optionId": "once"}}}));
    assert_eq!(editor.next()["params"]["id"], 6);
    // What is graver than a plain yes does not go there.
    home.write("user/config.toml", "[approval]\nquorum = 2\n");
    assert_eq!(answer(&mut editor, &request(7, "rm notes.txt", &options()))["optionId"], "reject");
    // Nobody knows what settings say that cannot be read.
    home.write("user/config.toml", "[approval]\nquorm = 2\n");
    assert_eq!(answer(&mut editor, &request(8, "rm notes.txt", &options()))["optionId"], "reject");
    // Whatever cannot be read does not pass.
    prompt(&mut editor, "some words of a log");
    prompt(&mut editor, &format!("[{}]", request(8, "ls", &options())));
    prompt(&mut editor, &request(9, "ls", &options()).replacen("\"method\"", "\"method\":\"x\",\"method\"", 1));
    prompt(&mut editor, r#"{"jsonrpc": "2.0",  "method":"session/update","params":{}}"#);
    assert_eq!(editor.line(), r#"{"jsonrpc": "2.0",  "method":"session/update","params":{}}"#);
}

#[test]
fn a_request_is_held_until_a_person_decides() {
    if !python() {
        return;
    }
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    let mut editor = editor(&gateway.home);
    prompt(&mut editor, &request(1, "rm notes.txt", &options()));
    prompt(&mut editor, r#"{"method":"session/update"}"#);
    assert_eq!(editor.line(), r#"{"method":"session/update"}"#);
    gateway.log_in("s inbox");
    gateway.asked_about("rm notes.txt");
    // Nobody else answers what only the gate has heard.
    editor.say(&json!({"id": 1, "result": {"outcome": {"outcome": "selected", "optionId": "always"}}}));
    assert!(editor.is_silent());
    gateway.answer(1, "y");
    assert_eq!(editor.next()["params"]["optionId"], "once");
    prompt(&mut editor, &request(2, "rm notes.txt", &options()));
    gateway.answer(2, "n");
    assert_eq!(editor.next()["params"]["optionId"], "reject");
    // What the editor takes back is not asked about any more.
    prompt(&mut editor, &request(3, "rm notes.txt", &options()));
    gateway.asked_about("rm notes.txt");
    editor.say(&json!({"method": "session/cancel", "params": {"sessionId": "s-1"}}));
    assert_eq!(editor.next()["params"]["outcome"], "cancelled");
}
