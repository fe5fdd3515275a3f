//! What becomes of the servers in a file.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::json;

use super::*;

const OURS: &str = "/usr/local/bin/signoff";
const FILE: &str = r#"{
  // kept as it is
  "theme": "dark",
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "server-files", "/srv"], "env": { "A": "b" } }, // mine
    "bare": { "command": "server" },
    "git hub": {
      "type": "http",
      "url": "https://api.example.com/mcp",
      "headers": { "Authorization": "Bearer ${TOKEN}", "X-Team": "a" },
    },
    "keyed": { "url": "https://example.com/mcp?key=secret" },
    "old": { "type": "sse", "url": "https://example.com/sse" },
    "signoff": { "command": "/usr/local/bin/signoff", "args": ["mcp"] },
  },
}
"#;

fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !name.is_empty() && name.bytes().all(plain) && !name.contains("signoff")
}

fn guard(text: &str) -> Servers {
    guard_servers(text, OURS, &is_name).unwrap()
}

fn value(text: &str) -> Value {
    CstRootNode::parse(text, &ParseOptions::default()).unwrap().to_serde_value().unwrap()
}

#[test]
fn each_server_is_put_behind_the_proxy_and_the_rest_stays() {
    let Servers { text, fates } = guard(FILE);
    let of = |name: &str| fates.iter().find(|(key, _)| key == name).unwrap().1.clone();
    for name in ["files", "bare", "git hub", "keyed"] {
        assert_eq!(of(name), Fate::Guarded, "{name}");
    }
    assert!(matches!(of("old"), Fate::Left(_)));
    assert_eq!(of("signoff"), Fate::Itself);
    assert!(text.contains("// kept as it is") && text.contains("// mine"), "{text}");
    let servers = value(&text)["mcpServers"].clone();
    assert_eq!(
        servers["files"],
        json!({"command": OURS, "env": {"A": "b"},
            "args": ["mcp", "--proxy", "--name", "files", "--", "npx", "-y", "server-files", "/srv"]})
    );
    assert_eq!(
        servers["git hub"],
        json!({"type": "stdio", "command": OURS,
            "args": ["mcp", "--proxy", "--name", "git-hub", "--url", "https://api.example.com/mcp",
                "--header-env", "Authorization=SIGNOFF_HEADER_1", "--header-env", "X-Team=SIGNOFF_HEADER_2"],
            "env": {"SIGNOFF_HEADER_1": "Bearer ${TOKEN}", "SIGNOFF_HEADER_2": "a"}})
    );
    assert!(!servers["keyed"]["args"].to_string().contains("secret"), "no key on a command line");
    assert_eq!(servers["old"], json!({"type": "sse", "url": "https://example.com/sse"}));
    // Once more, and nothing changes.
    let again = guard(&text);
    assert_eq!(again.text, text);
    assert!(again.fates.iter().all(|(_, fate)| *fate != Fate::Guarded), "{:?}", again.fates);
}

#[test]
fn and_back_again() {
    let back = bare_servers(&guard(FILE).text).unwrap();
    let (mut before, after) = (value(FILE), value(&back.text));
    before["mcpServers"]["bare"]["args"] = json!([]);
    assert_eq!(after, before);
    assert!(back.text.contains("// kept as it is") && back.text.contains("// mine"), "{}", back.text);
    assert_eq!(bare_servers(&back.text).unwrap().text, back.text);
}

#[test]
fn another_program_under_our_name_is_not_believed() {
    let planted =
        |command: &str, args: Value| json!({"mcpServers": {"x": {"command": command, "args": args}}}).to_string();
    let proxied = json!(["mcp", "--proxy", "--name", "x", "--", "server"]);
    let Servers { text, fates } = guard(&planted("./signoff", proxied));
    assert_eq!(fates[0].1, Fate::Guarded);
    assert_eq!(value(&text)["mcpServers"]["x"]["command"], OURS);
    let Servers { text, .. } = guard(&planted("./signoff", json!(["mcp"])));
    assert_eq!(value(&text)["mcpServers"]["x"]["args"][4], "--", "{text}");
}

#[test]
fn what_could_be_read_in_two_ways_is_left_alone() {
    let fault = |text: &str| guard_servers(text, OURS, &is_name).unwrap_err();
    assert_eq!(
        fault(r#"{"mcpServers":{"a":{"command":"x","command":"y"}}}"#),
        StrangeServers::Twice("command".to_owned())
    );
    assert_eq!(fault(r#"{"mcpServers":{"a":{},"a":{}}}"#), StrangeServers::Twice("a".to_owned()));
    assert_eq!(fault(r#"{"mcpServers":{},"mcpServers":{}}"#), StrangeServers::Twice("mcpServers".to_owned()));
    let same = r#"{"mcpServers":{"a b":{"command":"x"},"a-b":{"command":"y"}}}"#;
    assert_eq!(fault(same), StrangeServers::SameName("a-b".to_owned()));
    assert_eq!(fault("{}"), StrangeServers::None);
    assert!(matches!(fault("{"), StrangeServers::NotJson(_)));
    let odd = guard(r#"{"mcpServers":{"a":{"command":["x"]},"b":{"command":"x","args":"y"},"c":{}}}"#);
    assert!(odd.fates.iter().all(|(_, fate)| matches!(fate, Fate::Left(_))), "{:?}", odd.fates);
    // Those of a single project count, too.
    let deep = guard(r#"{"projects":{"/p":{"mcpServers":{"a":{"command":"x"}}}}}"#);
    assert_eq!(deep.fates, [("a".to_owned(), Fate::Guarded)]);
}
