//! MCP under `/mcp` of a real gateway: who gets in, what is there, and that nothing runs and nothing is decided by it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{fs, path::Path, time::Duration};

use axum::http::Method;
use futures_util::future::join_all;
use program::{mcp::Era, mcp_http::HttpClient};
use serde_json::{Value, json};
use signoff_e2e::{
    Kept,
    gateway::{Joined, Line, Running, Site},
};
use tokio::time::{sleep, timeout};

const BOTH: [Era; 2] = [Era::Sessions, Era::Stateless];

/// A gateway with one person and two agents.
struct Place {
    site: Site,
    gateway: Running,
    joined: Joined,
}

impl Place {
    async fn new() -> Self {
        let site = Site::new(Kept::InAFile);
        let joined = site.join(1, 2).await;
        let gateway = site.serve(Path::new(env!("CARGO_BIN_EXE_signoff-e2e")), &[]);
        Self { site, gateway, joined }
    }

    /// An agent that has said nothing yet.
    fn agent(&self, number: usize, era: Era) -> HttpClient {
        HttpClient::new(self.gateway.address(), &self.joined.keys[number], era)
    }

    async fn person(&self) -> Line {
        Line::person(self.gateway.address(), "person-0").await
    }

    /// The one question that is open, once there is one.
    async fn open_question(&self, person: &mut Line) -> Value {
        for _ in 0..600 {
            let page = person.get("/v1/approvals?stage=pending").await;
            if let Some(first) = page.body["approvals"].get(0) {
                return first.clone();
            }
            sleep(Duration::from_millis(50)).await;
        }
        panic!("nobody is asked");
    }

    async fn answer(&self, answer: Value) -> Value {
        let mut person = self.person().await;
        let question = self.open_question(&mut person).await;
        let path = format!("/v1/approvals/{}", question["id"].as_str().unwrap());
        let said = person.post(&format!("{path}/answer"), &answer).await;
        assert_eq!(said.status, 200, "{}", said.body);
        question
    }

    /// What has happened, but for people who log in.
    async fn ledger_length(&self) -> usize {
        let entries = self.person().await.get("/v1/ledger").await.body;
        let is_login = |entry: &&Value| entry["body"].as_str().unwrap().contains("\"logged-in\"");
        entries.as_array().unwrap().iter().filter(|entry| !is_login(entry)).count()
    }
}

fn rm() -> Value {
    json!({"command": "git push --force origin main", "cwd": "/srv"})
}

#[tokio::test]
async fn the_tools_that_run_nothing_are_there_and_no_others() {
    let place = Place::new().await;
    let notes = place.site.work().join("notes.txt");
    for era in BOTH {
        let agent = place.agent(0, era).introduced().await;
        let listed = agent.ask("tools/list", json!({})).await;
        let tools = listed["result"]["tools"].as_array().unwrap().clone();
        let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names.join(" "), "check request_approval approval_status ask_user plan_review");
        for tool in &tools {
            let (name, hints) = (tool["name"].as_str().unwrap(), &tool["annotations"]);
            assert_eq!(hints["readOnlyHint"], ["check", "approval_status"].contains(&name), "{tool}");
            assert_eq!(hints["destructiveHint"], false, "{tool}");
            assert!(!tool.to_string().contains("safe_exec"), "{tool}");
        }
        // What runs, reads or decides is not there, whatever it is given.
        let path = notes.to_str().unwrap();
        let ran = place.site.work().join("ran");
        for (tool, arguments) in [
            ("safe_exec", json!({"command": format!("touch '{}'", ran.display())})),
            ("read_file", json!({"path": path})),
            ("write_file", json!({"path": path, "content": "theirs"})),
            ("delete_file", json!({"path": path})),
            ("move_file", json!({"path": path, "to": "elsewhere"})),
            ("approval_prompt", json!({"tool_name": "Bash", "input": {"command": "ls"}})),
            ("approve", json!({"approval_id": "0198a1ed83"})),
            ("answer", json!({"approval_id": "0198a1ed83", "answer": "approve"})),
            ("grant", json!({"command": "rm *"})),
            ("pause", json!({})),
        ] {
            let said = agent.call(tool, arguments).await;
            assert_eq!(said["error"]["code"], -32602, "{tool}: {said}");
        }
        assert_eq!(fs::read_to_string(&notes).unwrap(), "mine");
        assert!(!ran.exists());
        // And nothing that is there takes a word for a yes.
        for (tool, arguments) in [
            ("request_approval", json!({"command": "rm x", "cwd": "/", "confirmed": true})),
            ("request_approval", json!({"command": "rm x", "cwd": "/", "permit": "p"})),
            ("request_approval", json!({"command": "rm x", "cwd": "/", "facts": "local"})),
            ("request_approval", json!({"command": "rm x"})),
            ("request_approval", json!({"command": "rm x", "cwd": "srv"})),
            ("check", json!({"command": "ls", "cwd": "."})),
            ("ask_user", json!({"question": "May I?", "answer": true})),
            ("approval_status", json!({"approval_id": "../people"})),
        ] {
            let said = agent.call(tool, arguments.clone()).await;
            assert_eq!(said["result"]["isError"], true, "{tool} {arguments}: {said}");
        }
    }
}

#[tokio::test]
async fn what_lies_on_the_machine_of_the_gateway_is_nobodys_to_see() {
    let place = Place::new().await;
    place.site.write("work/precious.txt", "the only copy");
    let before = place.ledger_length().await;
    for era in BOTH {
        let agent = place.agent(0, era).introduced().await;
        let cwd = place.site.work().to_str().unwrap().to_owned();
        let judged = async |name: &str| {
            let asked = json!({"action": "write", "path": name, "content": "x", "cwd": cwd});
            agent.call("check", asked).await["result"]["structuredContent"].to_string().replace(name, "it")
        };
        let (there, gone) = (judged("precious.txt").await, judged("missingx.txt").await);
        assert_eq!(there, gone, "whether a file is there cannot be told");
        let judged = agent.call("check", json!({"command": "rm -rf /", "cwd": "/srv"})).await;
        assert_eq!(judged["result"]["structuredContent"]["verdict"], "block", "{judged}");
        let judged = agent.call("check", rm()).await;
        assert_eq!(judged["result"]["structuredContent"]["verdict"], "ask", "{judged}");
    }
    assert_eq!(place.ledger_length().await, before, "a look leaves nothing behind");
}

#[tokio::test]
async fn people_are_asked_and_their_yes_is_used_up_by_the_answer() {
    for era in BOTH {
        let place = Place::new().await;
        let agent = place.agent(0, era).introduced().await;
        let asking = tokio::spawn({
            let agent = agent.clone();
            async move { agent.call("request_approval", rm()).await }
        });
        let question = place.answer(json!({"answer": "approve"})).await;
        assert_eq!(question["agent"], "agent-0", "{question}");
        let said = asking.await.unwrap();
        let told = &said["result"]["structuredContent"];
        assert_eq!(told["status"], "approved", "{said}");
        assert!(!said.to_string().contains("permit") && !said.to_string().contains("safe_exec"), "{said}");
        let id = told["approval_id"].as_str().unwrap().to_owned();
        let status = agent.call("approval_status", json!({"approval_id": id})).await;
        assert_eq!(status["result"]["structuredContent"]["status"], "used", "{status}");
        // Neither another agent nor another session of this one hears of it.
        for other in [place.agent(1, era), place.agent(0, era).with("signoff-session", "another")] {
            let status = other.introduced().await.call("approval_status", json!({"approval_id": id})).await;
            assert_eq!(status["result"]["isError"], true, "{status}");
        }
        // A no, with words; the same call finds it again.
        let asking = tokio::spawn({
            let agent = agent.clone();
            async move {
                agent.call("request_approval", json!({"command": "git push --force origin more", "cwd": "/srv"})).await
            }
        });
        place.answer(json!({"answer": "deny", "words": "keep it"})).await;
        let said = asking.await.unwrap();
        assert_eq!(said["result"]["structuredContent"]["status"], "denied", "{said}");
        let again =
            agent.call("request_approval", json!({"command": "git push --force origin more", "cwd": "/srv"})).await;
        assert!(again["result"]["structuredContent"]["message"].as_str().unwrap().contains("keep it"), "{again}");
    }
}

#[tokio::test]
async fn a_question_of_the_agent_goes_to_whoever_can_answer_it() {
    for era in BOTH {
        let place = Place::new().await;
        let agent = place.agent(0, era).introduced().await;
        let asking = tokio::spawn({
            let agent = agent.clone();
            async move { agent.call("ask_user", json!({"question": "Shall I go on?"})).await }
        });
        place.answer(json!({"answer": "approve"})).await;
        let said = asking.await.unwrap();
        assert_eq!(said["result"]["structuredContent"], json!({"answered": true, "answer": true}), "{said}");
        let said = agent.call("ask_user", json!({"question": "Which?", "kind": "input"})).await;
        assert_eq!(said["result"]["isError"], true, "{said}");

        // In front of the client, where it can ask: on the stream of the call, or by its answer.
        let mut asks = place.agent(0, era);
        asks.capabilities = json!({"elicitation": {"form": {}}});
        let asks = asks.introduced().await;
        let question = json!({"name": "ask_user", "arguments": {"question": "Which?", "kind": "input"}});
        let answer = json!({"action": "accept", "content": {"answer": "this"}});
        let mut heard = asks.send("tools/call", question.clone(), 5).await;
        let said = match era {
            Era::Sessions => {
                let asked = heard.next().await.unwrap();
                assert_eq!(asked["method"], "elicitation/create", "{asked}");
                // Nobody else answers it.
                let reply = json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer}).to_string();
                let mallory = place.agent(1, era).with("mcp-session-id", asks.session());
                assert_eq!(mallory.post(&reply).await.status, 404);
                assert_eq!(asks.post(&reply).await.status, 202);
                heard.answer().await
            }
            Era::Stateless => {
                let asked = heard.answer().await;
                assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
                let mut again = question;
                again["inputResponses"] = json!({"answer": answer});
                asks.ask("tools/call", again).await
            }
        };
        assert_eq!(said["result"]["structuredContent"], json!({"answered": true, "answer": "this"}), "{said}");
    }
}

#[tokio::test]
async fn nobody_gets_in_without_the_key_of_an_agent() {
    let place = Place::new().await;
    let mut person = place.person().await;
    let login =
        person.post("/v1/login", &json!({"person": "person-0", "password": signoff_e2e::gateway::PASSWORD})).await;
    let token = login.text("token").to_owned();
    let before = place.ledger_length().await;
    let agent = place.agent(0, Era::Stateless);
    let address = place.gateway.address();
    for (who, client) in [
        ("nobody", agent.clone().without("authorization")),
        ("a person", agent.clone().with("authorization", &format!("Bearer {token}"))),
        ("a cookie", agent.clone().without("authorization").with("cookie", &format!("signoff={token}"))),
        ("a wrong key", agent.clone().with("authorization", "Bearer sga1.x")),
        ("another scheme", agent.clone().with("authorization", &format!("Basic {}", place.joined.keys[0]))),
    ] {
        for method in [Method::POST, Method::GET, Method::DELETE] {
            let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
            let mut said = client.request(method, &ping, &[]).await;
            assert_eq!(said.status, 401, "{who}");
            assert_eq!(said.headers["www-authenticate"], "Bearer");
            assert_eq!(said.next().await.unwrap()["code"], "unauthorized");
        }
    }
    // A page that was led here by a name of its own, with whatever it could know.
    for (name, value, status) in [
        ("host", "evil.example", 421),
        ("host", &*format!("evil.example:{}", address.port()), 421),
        ("origin", "https://evil.example", 403),
        ("origin", "null", 403),
        ("origin", &*format!("http://evil.example:{}", address.port()), 403),
    ] {
        let said = agent.clone().with(name, value).send("tools/list", json!({}), 1).await;
        assert_eq!(said.status, status, "{name}: {value}");
    }
    let said = agent.clone().with("origin", &format!("http://{address}")).send("tools/list", json!({}), 1).await;
    assert_eq!(said.status, 200);
    assert_eq!(place.ledger_length().await, before, "nothing has happened");
}

#[tokio::test]
async fn a_session_belongs_to_the_agent_that_has_begun_it() {
    let place = Place::new().await;
    let mine = place.agent(0, Era::Sessions).introduced().await;
    let theirs = place.agent(1, Era::Sessions).introduced().await;
    let stolen = theirs.clone().with("mcp-session-id", mine.session());
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    for method in [Method::POST, Method::GET, Method::DELETE] {
        assert_eq!(stolen.request(method, &list, &[]).await.status, 404);
    }
    let nobodys = theirs.clone().with("mcp-session-id", "7f1c9f0e-0000-4000-8000-000000000000");
    assert_eq!(nobodys.post(&list).await.status, 404, "what is not there looks the same");
    assert!(mine.ask("tools/list", json!({})).await["result"].is_object(), "and it goes on");
    // A call that is waited for is not taken back by another agent, and not resumed by it.
    let mut waiting = mine.send("tools/call", json!({"name": "request_approval", "arguments": rm()}), 3).await;
    place.open_question(&mut place.person().await).await;
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}).to_string();
    assert_eq!(stolen.post(&cancel).await.status, 404);
    assert_eq!(stolen.request(Method::GET, "", &[("last-event-id", "0/0")]).await.status, 404);
    place.answer(json!({"answer": "approve"})).await;
    assert_eq!(waiting.answer().await["result"]["structuredContent"]["status"], "approved");
    // One that has ended is gone.
    assert_eq!(mine.request(Method::DELETE, "", &[]).await.status, 204);
    assert_eq!(mine.post(&list).await.status, 404);
    // There are only so many of them.
    let begun = join_all((0..70).map(|_| {
        let agent = place.agent(1, Era::Sessions);
        async move {
            let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
            let said = agent.send("initialize", hello, 0).await;
            sleep(Duration::from_millis(1)).await;
            said.status
        }
    }));
    let begun = begun.await;
    assert!(begun.iter().all(|status| [200, 429].contains(status)), "{begun:?}");
    assert_eq!(place.agent(1, Era::Sessions).send("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}), 0).await.status, 429);
}

#[tokio::test]
async fn what_is_no_message_is_refused_and_asks_nobody() {
    let place = Place::new().await;
    let before = place.ledger_length().await;
    let call = |id: u64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "request_approval", "arguments": rm()}});
    for era in BOTH {
        let agent = place.agent(0, era).introduced().await;
        let batch = json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, call(2)]).to_string();
        let nested = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [call(2)]}).to_string();
        for (what, body) in [
            ("a batch", batch.as_str()),
            ("a call inside of a ping", &nested),
            ("two messages", &format!("{}\n{}", json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}), call(2))),
            ("no JSON", "{\"jsonrpc\":"),
            ("nothing", ""),
            ("a word", "\"tools/call\""),
        ] {
            let said = agent.post(body).await;
            assert!((400..500).contains(&said.status) || what.contains("ping"), "{what}: {}", said.status);
        }
        let large = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"{}\"}}", "y".repeat(4 << 20));
        let mut said = agent.post(&large).await;
        assert_eq!((said.status, said.next().await.unwrap()["code"].clone()), (413, json!("too-large")));
        let plain = agent.request(Method::PUT, "", &[]).await;
        assert_eq!(plain.status, 405);
    }
    assert_eq!(place.ledger_length().await, before, "nobody was asked");
}

#[tokio::test]
async fn many_wait_at_once_each_for_its_own_and_people_still_get_in() {
    let place = Place::new().await;
    // Sessions that are open and say nothing hold nothing.
    for _ in 0..40 {
        place.agent(0, Era::Sessions).introduced().await;
    }
    let agent = place.agent(0, Era::Stateless);
    let asked = join_all((0..300).map(|number| {
        let agent = agent.clone();
        async move {
            let arguments =
                json!({"command": format!("git push --force origin b{number}"), "cwd": "/srv", "wait_s": 8});
            let mut heard =
                agent.send("tools/call", json!({"name": "request_approval", "arguments": arguments}), number).await;
            if heard.status != 200 {
                return (number, heard.status, Value::Null);
            }
            (number, 200, heard.answer().await)
        }
    }));
    let asked = tokio::spawn(asked);
    sleep(Duration::from_secs(3)).await;
    let list = timeout(Duration::from_secs(5), async { place.person().await.get("/v1/approvals?stage=pending").await });
    assert_eq!(list.await.unwrap().status, 200, "people find a connection");
    let mut answered = 0;
    for (number, status, said) in asked.await.unwrap() {
        assert!([200, 429].contains(&status), "{status}");
        if status == 200 {
            answered += 1;
            assert_eq!(said["id"], number);
            assert_eq!(said["result"]["structuredContent"]["status"], "pending", "{said}");
        }
    }
    assert!((240..=256).contains(&answered), "{answered}");
}

#[tokio::test]
async fn who_hangs_up_on_a_call_still_holds_it() {
    let place = Place::new().await;
    let agent = place.agent(0, Era::Sessions).introduced().await;
    let mut refused = 0;
    for number in 0..300 {
        let arguments = json!({"command": format!("git push --force origin b{number}"), "cwd": "/srv", "wait_s": 60});
        let heard = agent.send("tools/call", json!({"name": "request_approval", "arguments": arguments}), number).await;
        refused += usize::from(heard.status == 429);
        drop(heard);
    }
    assert!((44..=60).contains(&refused), "{refused}");
}
