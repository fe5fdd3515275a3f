#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};
use signoff_agents::{
    door::Door,
    passage::{Discard, House},
};
use signoff_card::Language;
use signoff_gate::{Places, judging::Look};
use signoff_server::client::CallError;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex},
    runtime::Runtime,
};

use super::*;

/// A house without a gateway.
struct Lonely(Places);

impl House for Lonely {
    fn places(&self) -> &Places {
        &self.0
    }
    fn door(&self) -> Result<Door, String> {
        Err("no gateway is running".to_owned())
    }
    fn note(&self, _: &str, _: &Look) {}
    fn locked_by(&self) -> Option<String> {
        None
    }
    fn back_up(&self, _: &Look) -> Result<Discard, String> {
        Err("no copies here".to_owned())
    }
    fn tell(&self, _: &str) {}
    fn failed(&self, error: &CallError) -> String {
        error.to_string()
    }
}

/// A proxy with both of its sides in the hands of a test.
struct Bench {
    client: DuplexStream,
    server: DuplexStream,
    _root: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let house = Arc::new(Lonely(Places::below(root.path())));
        let keeper = Gatekeeper::new(house, Language::English, Duration::from_secs(5), BTreeMap::new());
        let (client, client_side) = duplex(1 << 20);
        let (server, server_side) = duplex(1 << 20);
        let (from_client, to_client) = tokio::io::split(client_side);
        let (from_server, to_server) = tokio::io::split(server_side);
        let name = ServerName::new("wiki").unwrap();
        let cwd = root.path().to_owned();
        let proxy = Proxy::new(name, cwd, keeper, Outlet::new(to_client), Outlet::new(to_server));
        let ends = Arc::clone(&proxy);
        tokio::spawn(async move {
            let _ = Arc::clone(&ends).from_client(from_client).await;
            ends.to_server.close().await;
        });
        tokio::spawn(async move {
            let _ = Arc::clone(&proxy).from_server(from_server).await;
            proxy.to_client.close().await;
        });
        Self { client, server, _root: root }
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

async fn line(stream: &mut DuplexStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let byte = timeout(Duration::from_secs(10), stream.read_u8()).await.unwrap().unwrap();
        bytes.push(byte);
        if byte == b'\n' {
            return String::from_utf8(bytes).unwrap();
        }
    }
}

fn call(id: Value, tool: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": {"page": 7}}})
        .to_string()
}

/// What the client hears about something that the server must never see.
#[track_caller]
fn never_passed(said: &str) -> Value {
    runtime().block_on(async {
        let mut bench = Bench::new();
        bench.client.write_all(format!("{said}\n{}\n", r#"{"method":"last"}"#).as_bytes()).await.unwrap();
        assert_eq!(line(&mut bench.server).await, "{\"method\":\"last\"}\n", "{said}");
        serde_json::from_str(&line(&mut bench.client).await).unwrap()
    })
}

#[test]
fn what_is_not_understood_is_never_passed_on() {
    let deep = format!("{{\"arguments\":{}{},\"name\":\"x\"}}", "[".repeat(300), "]".repeat(300));
    for (said, code) in [
        ("garbage".to_owned(), -32600),
        (r#"{"method":"tools/call""#.to_owned(), -32700),
        (format!("[{}]", call(json!(1), "get_page")), -32600),
        (format!("{} {}", r#"{"method":"ping"}"#, call(json!(1), "delete_page")), -32700),
        (r#"{"id":1,"method":"ping","method":"tools/call","params":{"name":"delete_page"}}"#.to_owned(), -32600),
        (r#"{"id":1,"method":"ping","METHOD":"tools/call","params":{"name":"delete_page"}}"#.to_owned(), -32600),
        (r#"{"id":1,"method":["tools/call"],"params":{"name":"delete_page"}}"#.to_owned(), -32600),
        (format!("{{\"method\":\"ping\",\"x\":\r{}\r}}", call(json!(1), "delete_page")), -32700),
        (r#"{"id":1,"method":"tools/call","params":["delete_page"]}"#.to_owned(), -32602),
        (r#"{"id":1,"method":"tools/call"}"#.to_owned(), -32602),
        (r#"{"method":"tools/call","params":{"name":"get_page"}}"#.to_owned(), -32600),
        (format!(r#"{{"id":1,"method":"tools/call","params":{deep}}}"#), -32700),
    ] {
        assert_eq!(never_passed(&said)["error"]["code"], code, "{said}");
    }
}

#[test]
fn a_refused_call_is_a_result_that_the_model_reads() {
    // Nobody can be asked here.
    let said = never_passed(&call(json!("a\u{e9}"), "delete_page"));
    assert_eq!((&said["id"], &said["result"]["isError"]), (&json!("a\u{e9}"), &json!(true)));
    let words = said["result"]["content"][0]["text"].as_str().unwrap();
    assert!(words.contains("signoff serve") && words.contains("mcp__wiki__delete_page"), "{words}");
    assert_eq!(said["result"].get("resultType"), None);
    // Nobody could say yes to this one.
    let absurd = json!({"id": 1, "method": "tools/call", "params": {
        "name": "run_command", "arguments": {"command": "rm -rf /"},
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}});
    let said = never_passed(&absurd.to_string());
    assert!(said["result"]["content"][0]["text"].as_str().unwrap().contains("nobody can approve it"), "{said}");
    assert_eq!(said["result"]["resultType"], "complete");
    // A name that only looks like that of a tool that reads, and one that claims to be ours.
    for tool in ["gеt_page", "signoff_check", "get_page\u{202e}"] {
        assert_eq!(never_passed(&call(json!(1), tool))["result"]["isError"], true, "{tool}");
    }
}

#[test]
fn harmless_calls_pass_in_order_as_they_are_and_an_id_is_used_once_at_a_time() {
    runtime().block_on(async {
        let mut bench = Bench::new();
        let mut wanted = Vec::new();
        for id in 0..50 {
            wanted.push(format!("{}\n", call(json!(id), "get_page").replace(':', " : ")));
            wanted.push(format!("{{\"method\":\"n{id}\"}}\r\n"));
        }
        bench.client.write_all(wanted.concat().as_bytes()).await.unwrap();
        for line_wanted in &wanted {
            assert_eq!(line(&mut bench.server).await, *line_wanted);
        }
        // The first one was not answered yet.
        for again in [call(json!(0), "get_page"), r#"{"id":0,"method":"ping"}"#.to_owned()] {
            bench.client.write_all(format!("{again}\n").as_bytes()).await.unwrap();
            assert!(line(&mut bench.client).await.contains("of this id is under way"));
        }
        bench.server.write_all(b"{\"id\":0,\"result\":{}}\n").await.unwrap();
        assert_eq!(line(&mut bench.client).await, "{\"id\":0,\"result\":{}}\n");
        bench.client.write_all(format!("{}\n", call(json!(0), "get_page")).as_bytes()).await.unwrap();
        assert_eq!(line(&mut bench.server).await, format!("{}\n", call(json!(0), "get_page")));
    });
}

#[test]
fn what_a_tool_says_of_itself_counts_from_the_moment_the_client_hears_it() {
    runtime().block_on(async {
        let mut bench = Bench::new();
        let list = json!({"id": 1, "result": {"tools": [
            {"name": "get_page", "description": "x".repeat(200_000), "annotations": {"destructiveHint": true}}]}});
        bench.server.write_all(format!("{list}\n").as_bytes()).await.unwrap();
        assert_eq!(line(&mut bench.client).await, format!("{list}\n"));
        bench.client.write_all(format!("{}\n", call(json!(2), "get_page")).as_bytes()).await.unwrap();
        assert!(line(&mut bench.client).await.contains("isError"), "it would have passed before");
    });
}

#[test]
fn a_call_that_the_server_wants_once_more_goes_on_without_a_new_question_once() {
    runtime().block_on(async {
        let mut bench = Bench::new();
        bench.client.write_all(format!("{}\n", call(json!(1), "get_page")).as_bytes()).await.unwrap();
        line(&mut bench.server).await;
        let more = r#"{"id":1,"result":{"resultType":"input_required","requestState":"s"}}"#;
        bench.server.write_all(format!("{more}\n").as_bytes()).await.unwrap();
        line(&mut bench.client).await;
        // From here on it would be asked about.
        let list = json!({"id": 9, "result": {"tools": [{"name": "get_page", "annotations": {"destructiveHint": true}}]}});
        bench.server.write_all(format!("{list}\n").as_bytes()).await.unwrap();
        line(&mut bench.client).await;
        let again = |id: i32, more: &str| {
            format!("{{\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"get_page\",\"arguments\":{{\"page\":7}},\"requestState\":\"s\"{more}}}}}\n")
        };
        // With answers that nobody has seen it is another call.
        bench.client.write_all(again(2, r#","inputResponses":{"k":1}"#).as_bytes()).await.unwrap();
        assert!(line(&mut bench.client).await.contains("isError"));
        bench.client.write_all(again(3, "").as_bytes()).await.unwrap();
        assert_eq!(line(&mut bench.server).await, again(3, ""));
        bench.client.write_all(again(4, "").as_bytes()).await.unwrap();
        assert!(line(&mut bench.client).await.contains("isError"));
    });
}

#[test]
fn a_name_of_a_server_cannot_be_taken_for_another_one() {
    for name in ["files", "github-mcp-server", "a_b", "X1"] {
        assert!(ServerName::new(name).is_ok(), "{name}");
    }
    for name in ["", "a__b", "_a", "a_", "signoff", "Sign-Off", "my-signoff", "é", "a b", "a/b", &"x".repeat(65)] {
        assert!(ServerName::new(name).is_err(), "{name}");
    }
}

/// Whatever is no call, as one line: messages of any shape, with blanks where they may be.
fn message() -> impl Strategy<Value = String> {
    let method = prop_oneof![
        Just("ping".to_owned()),
        Just("tools/list".to_owned()),
        Just("tools/Call".to_owned()),
        Just("initialize".to_owned()),
        Just("server/discover".to_owned()),
        Just("notifications/cancelled".to_owned()),
        "[a-z/]{1,12}",
    ];
    let text = "[^\r\n\u{85}\u{2028}\u{2029}]{0,24}";
    let blank = "[ \t]{0,3}";
    prop_oneof![
        (any::<i64>(), method, text, blank).prop_map(|(id, method, text, blank)| {
            let params = json!({"name": "delete_page", "x": [text]});
            format!("{blank}{{{blank}\"id\":{id},\"method\":{blank}\"{method}\",\"params\":{params}}}{blank}")
        }),
        (any::<u32>(), text).prop_map(|(id, text)| json!({"id": id, "result": {"x": text}}).to_string()),
        (any::<u32>(), text)
            .prop_map(|(id, text)| json!({"id": id, "error": {"code": 1, "message": text}}).to_string()),
        Just(String::new()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_byte_that_is_no_call_passes_in_order(messages in prop::collection::vec((message(), any::<bool>()), 1..20)) {
        let wanted: String = messages.iter().map(|(text, dos)| format!("{text}{}", if *dos { "\r\n" } else { "\n" })).collect();
        runtime().block_on(async {
            let Bench { mut client, server, _root } = Bench::new();
            client.write_all(wanted.as_bytes()).await.unwrap();
            client.shutdown().await.unwrap();
            let mut passed = vec![0; wanted.len()];
            let (mut from_proxy, _keep) = tokio::io::split(server);
            timeout(Duration::from_secs(10), from_proxy.read_exact(&mut passed)).await.unwrap().unwrap();
            assert_eq!(String::from_utf8(passed).unwrap(), wanted);
        });
    }

    /// From a server everything passes, whatever it is.
    #[test]
    fn every_byte_of_a_server_passes_in_order(bytes in prop::collection::vec(any::<u8>(), 0..300_000)) {
        runtime().block_on(async {
            let Bench { client, mut server, _root } = Bench::new();
            let (mut from_proxy, _keep) = tokio::io::split(client);
            let written = bytes.clone();
            tokio::spawn(async move {
                server.write_all(&written).await.unwrap();
                server.shutdown().await.unwrap();
            });
            let mut passed = Vec::new();
            timeout(Duration::from_secs(20), from_proxy.read_to_end(&mut passed)).await.unwrap().unwrap();
            assert!(passed == bytes);
        });
    }
}
