//! `signoff mcp --wrap`: the servers in a client's own file, each behind a proxy, and out again by a person.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::fs;

use program::{
    Home, complains,
    gateway::terminal,
    speaking::{Speaking, python},
    stdout,
};
use serde_json::{Value, json};

/// Answers every call, and writes down what it is told.
const SERVER: &str = r#"
import json, sys
heard = open(sys.argv[1], "a")
for line in sys.stdin:
    heard.write(line); heard.flush()
    message = json.loads(line)
    print(json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": {"content": [], "was": message.get("method")}}), flush=True)
"#;

fn file(home: &Home) -> String {
    home.project().join(".mcp.json").to_str().unwrap().to_owned()
}

#[test]
fn a_client_that_starts_what_its_file_says_starts_the_proxy() {
    if !python() {
        return;
    }
    let home = Home::new();
    home.write("work/project/server.py", SERVER);
    let heard = home.root.path().join("heard");
    fs::write(&heard, "").unwrap();
    let before =
        json!({"mcpServers": {"wiki": {"command": "python3", "args": ["-u", "server.py", heard]}}}).to_string();
    home.write("work/project/.mcp.json", &before);
    let path = file(&home);
    // First only shown.
    let shown = home.output(&["mcp", "--wrap", &path, "--dry-run"]);
    assert!(stdout(&shown).contains("Nothing was written"), "{}", stdout(&shown));
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    let done = home.output(&["mcp", "--wrap", &path]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(stdout(&done).contains("wiki   is behind the proxy") && stdout(&done).contains("\"--proxy\""));
    assert_eq!(fs::read_to_string(format!("{path}.before-signoff")).unwrap(), before);
    // Once more, and nothing changes.
    let wrapped = fs::read_to_string(&path).unwrap();
    let again = home.output(&["mcp", "--wrap", &path]);
    assert!(stdout(&again).contains("was behind the proxy before"), "{}", stdout(&again));
    assert_eq!(fs::read_to_string(&path).unwrap(), wrapped);

    let entry: Value = serde_json::from_str::<Value>(&wrapped).unwrap()["mcpServers"]["wiki"].clone();
    let args: Vec<&str> = entry["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(entry["command"], env!("CARGO_BIN_EXE_signoff-e2e"));
    let mut proxy = Speaking::with(home.signoff(&args), heard);
    let call =
        |id: u32, tool: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool}});
    proxy.say(&call(1, "get_page"));
    assert_eq!(proxy.next()["result"]["was"], "tools/call");
    proxy.say(&call(2, "delete_page"));
    assert_eq!(proxy.next()["result"]["isError"], true, "nobody can be asked");
    assert!(!proxy.heard().contains("delete_page"));
}

#[test]
fn only_a_person_takes_the_proxy_out_again() {
    let home = Home::new();
    let before =
        "{\n  // mine\n  \"mcpServers\": {\n    \"a\": { \"command\": \"server\", \"args\": [\"x\"] }\n  }\n}\n";
    home.write("work/project/.mcp.json", before);
    let path = file(&home);
    assert_eq!(home.output(&["mcp", "--wrap", &path]).status.code(), Some(0));
    let wrapped = fs::read_to_string(&path).unwrap();
    // An agent has no terminal of its own.
    complains(&home.output(&["mcp", "--wrap", &path, "--undo"]), "no terminal");
    assert_eq!(fs::read_to_string(&path).unwrap(), wrapped);
    let desk = terminal(&home);
    desk.run(&format!("s mcp --wrap '{path}' --undo"));
    desk.wait_for("is no longer behind the proxy");
    let value = |text: &str| serde_json::from_str::<Value>(&text.replace("// mine", "")).unwrap();
    let after = fs::read_to_string(&path).unwrap();
    assert_eq!(value(&after), value(before));
    assert!(after.contains("// mine"));
}

#[test]
fn what_stays_unguarded_is_said() {
    let home = Home::new();
    home.write(
        "work/project/.mcp.json",
        r#"{"mcpServers": {"a": {"command": "x"}, "b": {"type": "sse", "url": "https://example.com/sse"}}}"#,
    );
    let done = home.output(&["mcp", "--wrap", &file(&home)]);
    assert_eq!(done.status.code(), Some(1));
    let said = stdout(&done);
    assert!(said.contains("a   is behind the proxy") && said.contains("b   is NOT GUARDED"), "{said}");
    for (text, words) in [("{", "no JSON"), ("{}", "no `mcpServers`"), (r#"{"servers":{"a":{},"a":{}}}"#, "twice")] {
        home.write("work/project/.mcp.json", text);
        complains(&home.output(&["mcp", "--wrap", &file(&home)]), words);
        assert_eq!(fs::read_to_string(file(&home)).unwrap(), text);
    }
    complains(&home.output(&["mcp", "--wrap", "/nonexistent/file"]), "left alone");
}
