//! `signoff mcp --proxy --url`, with a stand-in for a server over HTTP: what passes, what is held, and what a server could try.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use program::{
    Home, complains,
    gateway::Gateway,
    output,
    speaking::{Speaking, python},
};
use serde_json::{Value, json};

const SERVER: &str = include_str!("program/stand_in_http.py");
const SECRET: &str = "Bearer open sesame";

/// A server that runs, and what it was told.
struct Server {
    child: Child,
    url: String,
    heard: PathBuf,
}

impl Server {
    fn start(home: &Home, name: &str, elsewhere: &str) -> Self {
        Self::started(home, name, &[elsewhere])
    }

    fn started(home: &Home, name: &str, arguments: &[&str]) -> Self {
        let script = home.root.path().join("stand_in_http.py");
        let heard = home.root.path().join(name);
        fs::write(&script, SERVER).unwrap();
        fs::write(&heard, "").unwrap();
        let mut command = Command::new("python3");
        command.arg("-u").arg(&script).arg(&heard).args(arguments).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut port = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Self { child, url: format!("http://127.0.0.1:{}/mcp", port.trim()), heard }
    }

    /// What it was told, each with its head.
    fn requests(&self) -> Vec<Value> {
        let text = fs::read_to_string(&self.heard).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The requests with this in their body.
    fn told(&self, part: &str) -> Vec<Value> {
        self.requests().into_iter().filter(|request| request["body"].as_str().unwrap().contains(part)).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn proxy(home: &Home, server: &Server, more: &[&str]) -> Speaking {
    let url = ["mcp", "--proxy", "--name", "wiki", "--url", &server.url, "--header-env", "Authorization=WIKI_KEY"];
    let mut command = home.signoff(&[&url, more].concat());
    command.env("WIKI_KEY", SECRET);
    Speaking::with(command, server.heard.clone())
}

/// A proxy whose client has introduced itself.
fn introduced(home: &Home, server: &Server) -> Speaking {
    let mut proxy = proxy(home, server, &[]);
    proxy.say(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}));
    assert_eq!(proxy.next()["result"]["protocolVersion"], "2025-11-25");
    proxy.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    // What the server says by itself.
    assert_eq!(proxy.next()["params"]["data"], "hello");
    proxy
}

fn call(id: impl Into<Value>, tool: &str, args: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": {"name": tool, "arguments": args}})
}

fn ask(id: u32, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method})
}

#[test]
fn all_forms_of_answers_pass_and_what_has_to_be_asked_does_not() {
    if !python() {
        return;
    }
    let home = Home::new();
    let server = Server::start(&home, "heard", "");
    let mut proxy = introduced(&home, &server);
    // JSON on several lines, events in single bytes, large ones of both kinds.
    for (id, method) in [(1, "ping"), (2, "x/odd")] {
        proxy.say(&ask(id, method));
        let said = proxy.next();
        assert_eq!((&said["id"], &said["result"]["was"]), (&json!(id), &json!(method)), "{said}");
    }
    for (id, method) in [(3, "x/large"), (4, "x/large_event")] {
        proxy.say(&ask(id, method));
        assert_eq!(proxy.next()["result"]["x"].as_str().unwrap().len(), 20_000_000);
    }
    // What the server wants of the client, and the answer to that; what it says by itself.
    proxy.say(&ask(5, "x/ask"));
    assert_eq!(proxy.next()["method"], "sampling/createMessage");
    proxy.say(&json!({"jsonrpc": "2.0", "id": "q1", "result": {"role": "assistant"}}));
    assert_eq!(proxy.next()["id"], 5);
    proxy.say(&json!({"jsonrpc": "2.0", "method": "x/changed"}));
    assert_eq!(proxy.next()["method"], "notifications/tools/list_changed");
    // Without a gateway nobody can be asked, and nothing of it reaches the server.
    proxy.say(&call(6, "delete_page", json!({"page": 7})));
    assert_eq!(proxy.next()["result"]["isError"], true);
    proxy.say_bytes(
        b"[{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"delete_page\"}}]\n",
    );
    assert_eq!(proxy.next()["error"]["code"], -32600);
    assert!(server.told("delete_page").is_empty());
    proxy.say(&call(8, "get_page", json!({"page": 7})));
    assert_eq!(proxy.next()["result"]["was"], "tools/call");
    // Byte for byte, with the head of the session, and with the key.
    let told = &server.told("get_page")[0];
    assert_eq!(told["body"], call(8, "get_page", json!({"page": 7})).to_string());
    let head = &told["headers"];
    assert_eq!((&head["mcp-session-id"], &head["mcp-protocol-version"]), (&json!("s1"), &json!("2025-11-25")));
    assert_eq!((&head["authorization"], head.get("mcp-method")), (&json!(SECRET), None));
    assert!(server.told("initialize")[0]["headers"].get("mcp-session-id").is_none());
    proxy.go();
    assert_eq!(proxy.ended(), Some(0));
    let last = server.requests().pop().unwrap();
    assert_eq!((&last["http"], &last["headers"]["mcp-session-id"]), (&json!("DELETE"), &json!("s1")), "it has left");
}

#[test]
fn a_call_is_held_and_let_go_once_with_a_yes() {
    if !python() {
        return;
    }
    let gateway = Gateway::start();
    let server = Server::start(&gateway.home, "heard", "");
    let mut proxy = introduced(&gateway.home, &server);
    let held = call(1, "delete_page", json!({"page": 7}));
    proxy.say(&held);
    proxy.say(&ask(2, "ping"));
    assert_eq!(proxy.next()["id"], 2);
    assert!(server.told("delete_page").is_empty());
    gateway.log_in("s inbox");
    gateway.asked_about("delete_page");
    gateway.answer(1, "y");
    let answered = proxy.next();
    assert_eq!((&answered["id"], &answered["result"]["was"]), (&json!(1), &json!("tools/call")));
    assert_eq!(server.told("delete_page")[0]["body"], held.to_string());
    proxy.say(&call(3, "delete_page", json!({"page": 7})));
    gateway.answer(2, "n");
    assert_eq!(proxy.next()["result"]["isError"], true);
    assert_eq!(server.told("delete_page").len(), 1);
}

#[test]
fn a_server_that_answers_wrongly_is_told_as_that_and_leads_nowhere() {
    if !python() {
        return;
    }
    let home = Home::new();
    let evil = Server::start(&home, "evil", "");
    let server = Server::start(&home, "heard", &evil.url);
    let mut proxy = introduced(&home, &server);
    for (id, method, words) in [
        (1, "x/redirect", "nobody goes there"),
        (2, "x/html", "no answer to this"),
        (3, "x/other", "no answer to this"),
        (4, "x/batch", "no answer to this"),
        (5, "x/fail", "500"),
        (6, "x/cut", "without one"),
    ] {
        proxy.say(&ask(id, method));
        let said = proxy.next();
        assert_eq!(said["id"], id, "{said}");
        assert!(said["error"]["message"].as_str().unwrap().contains(words), "{method}: {said}");
        assert!(!said.to_string().contains("sesame"), "{said}");
    }
    // Its own refusal passes as it is.
    proxy.say(&ask(7, "x/refuse"));
    assert_eq!(proxy.next()["error"]["code"], -32042);
    assert!(evil.requests().is_empty(), "neither the call nor the key has come there");
    assert_eq!(server.told("x/cut").len(), 1, "what may have run is not sent again");
    proxy.say(&ask(8, "ping"));
    assert_eq!(proxy.next()["id"], 8);
    // A server that is gone fails each call, and the proxy stays.
    drop(server);
    for id in [9, 10] {
        proxy.say(&call(id, "get_page", json!({})));
        let said = proxy.next();
        assert!(said["error"]["message"].as_str().unwrap().contains("cannot be reached"), "{said}");
    }
}

#[test]
fn what_breaks_off_is_taken_up_again_and_a_session_that_is_gone_begun_anew() {
    if !python() {
        return;
    }
    let home = Home::new();
    let server = Server::start(&home, "heard", "");
    let mut proxy = introduced(&home, &server);
    proxy.say(&ask(1, "x/break"));
    assert_eq!(proxy.next()["result"]["was"], "x/break");
    assert!(server.requests().iter().any(|request| request["headers"]["last-event-id"] == "e1"));
    assert_eq!(server.told("x/break").len(), 1);
    proxy.say(&ask(2, "x/forget"));
    assert_eq!(proxy.next()["id"], 2);
    proxy.say(&call(3, "get_page", json!({"page": 7})));
    let said: Vec<Value> = (0..2).map(|_| proxy.next()).collect();
    assert!(said.iter().any(|said| said["id"] == 3 && said["result"]["was"] == "tools/call"), "{said:?}");
    assert!(said.iter().any(|said| said["params"]["data"] == "hello"), "{said:?}");
    let sessions: Vec<Value> =
        server.told("get_page").iter().map(|request| request["headers"]["mcp-session-id"].clone()).collect();
    assert_eq!(sessions, ["s1", "s2"]);
    assert_eq!(server.told("\"initialize\"").len(), 2);
}

#[test]
fn what_comes_too_late_answers_nothing() {
    if !python() {
        return;
    }
    let home = Home::new();
    let server = Server::start(&home, "heard", "");
    let mut proxy = introduced(&home, &server);
    proxy.say(&ask(1, "x/slow"));
    proxy.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}));
    // The id is used again before the late answer comes.
    proxy.say(&ask(1, "ping"));
    assert_eq!(proxy.next()["result"]["was"], "ping");
    assert!(proxy.is_silent());
    assert_eq!(server.told("notifications/cancelled").len(), 1);
}

#[test]
fn a_thousand_calls_at_once_have_one_answer_each() {
    if !python() {
        return;
    }
    let home = Home::new();
    let server = Server::start(&home, "heard", "");
    let mut proxy = introduced(&home, &server);
    let calls: Vec<String> = (1..=1_000).map(|id| format!("{}\n", call(id, "get_page", json!({"page": id})))).collect();
    proxy.say_bytes(calls.concat().as_bytes());
    let answered: Vec<i64> = (0..1_000)
        .map(|_| {
            let said = proxy.next();
            assert_eq!(said["result"]["was"], "tools/call", "{said}");
            said["id"].as_i64().unwrap()
        })
        .collect();
    assert_eq!(answered.iter().copied().collect::<BTreeSet<i64>>(), (1..=1_000).collect());
    let told: BTreeSet<String> =
        server.told("get_page").iter().map(|request| format!("{}\n", request["body"].as_str().unwrap())).collect();
    assert_eq!(told, calls.into_iter().collect());
    assert!(proxy.is_silent());
}

#[test]
fn without_sessions_the_head_says_what_the_body_says() {
    if !python() {
        return;
    }
    let home = Home::new();
    let server = Server::start(&home, "heard", "");
    let mut proxy = proxy(&home, &server, &[]);
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let with = |mut message: Value| {
        message["params"]["_meta"] = meta.clone();
        message
    };
    proxy.say(&with(ask(1, "tools/list")));
    assert_eq!(proxy.next()["result"]["nextCursor"], "2");
    proxy.say(&with(call(2, "get_页", json!({"wiki": "a"}))));
    assert_eq!(proxy.next()["id"], 2);
    let head = server.told("tools/call")[0]["headers"].clone();
    assert_eq!(head["mcp-protocol-version"], "2026-07-28");
    assert_eq!((&head["mcp-method"], head.get("mcp-session-id")), (&json!("tools/call"), None));
    assert_eq!(head["mcp-name"], "=?base64?Z2V0X+mhtQ==?=");
    // Whoever takes a call back hangs up, and nothing else is said.
    proxy.say(&with(ask(3, "x/slow")));
    proxy.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}));
    proxy.say(&with(ask(4, "ping")));
    assert_eq!(proxy.next()["id"], 4);
    assert!(server.told("notifications/cancelled").is_empty());
    assert!(server.requests().iter().all(|request| request["http"] == "POST"), "there is no stream to listen to");
}

/// A certificate for this machine that nobody else knows; none where nothing makes one.
fn certificate(home: &Home) -> Option<String> {
    let at = home.root.path().join("server.pem").to_str().unwrap().to_owned();
    let mut command = Command::new("openssl");
    command.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]);
    command.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
    command.args(["-addext", "subjectAltName=DNS:localhost", "-keyout", &at, "-out", &format!("{at}.crt")]);
    let made = command.output().ok()?;
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let both = [fs::read_to_string(&at).unwrap(), fs::read_to_string(format!("{at}.crt")).unwrap()];
    fs::write(&at, both.concat()).unwrap();
    Some(at)
}

#[test]
fn only_a_server_that_proves_its_name_is_spoken_to() {
    let home = Home::new();
    let Some(certificate) = certificate(&home).filter(|_| python()) else { return };
    let server = Server::started(&home, "heard", &["", &certificate]);
    let port = server.url.split(':').nth(2).unwrap().to_owned();
    let ask = |name: &str, roots: &str| {
        let url = format!("https://{name}:{port}");
        let mut command = home.signoff(&["mcp", "--proxy", "--url", &url, "--header-env", "Authorization=WIKI_KEY"]);
        command.env("WIKI_KEY", SECRET).env("SSL_CERT_FILE", roots).env_remove("SSL_CERT_DIR");
        let mut proxy = Speaking::with(command, server.heard.clone());
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
        proxy.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}));
        proxy.next()
    };
    let known = format!("{certificate}.crt");
    assert_eq!(ask("localhost", &known)["result"]["nextCursor"], "2");
    let told = server.requests().len();
    // Another name for the same machine, and a name that nobody vouches for.
    let stranger = Home::new();
    let unknown = format!("{}.crt", self::certificate(&stranger).unwrap());
    for (name, roots) in [("127.0.0.1", &known), ("localhost", &unknown)] {
        let said = ask(name, roots);
        assert!(said["error"]["message"].as_str().unwrap().contains("certificate"), "{said}");
    }
    assert_eq!(server.requests().len(), told, "neither a word nor the key");
}

#[test]
fn what_cannot_be_spoken_to_is_told() {
    complains(&output(&["mcp", "--proxy", "--url", "http://example.com/mcp"]), "use https");
    complains(&output(&["mcp", "--proxy", "--url", "https://me:secret@example.com/"]), "send a header instead");
    complains(&output(&["mcp", "--proxy", "--url", "example.com"]), "must be an address");
    let with = |header: &[&str]| output(&[&["mcp", "--proxy", "--url", "http://127.0.0.1:9/"], header].concat());
    complains(&with(&["--header-env", "Authorization=SIGNOFF_NO_SUCH_VARIABLE"]), "not found");
    complains(&with(&["--header-file", "Authorization=/nonexistent/key"]), "No such file");
    complains(&with(&["--header-env", "Authorization"]), "no `=`");
    complains(&with(&["--header-env", "Mcp-Session-Id=PATH"]), "cannot be sent along");
}
