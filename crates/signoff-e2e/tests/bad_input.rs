//! What is wrong with what callers send, and with what the gateway stands on: each is a problem with a stable code, nothing is
//! lost by it, and others are served.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on fails, and one that cannot be done says so"
)]

use std::{
    fs,
    io::{Seek as _, SeekFrom, Write as _},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use axum::http::Method;
use serde_json::{Value, json};
use signoff_e2e::{
    Kept,
    gateway::{Joined, Line, Reply, Running, Site},
};
use signoff_gate::Change;
use signoff_testbed::{Durability, Server};

const PROGRAM: &str = env!("CARGO_BIN_EXE_signoff-e2e");

/// A gateway with a person and an agent on their connections.
struct Gateway {
    site: Site,
    running: Running,
    agent: Line,
    person: Line,
}

impl Gateway {
    async fn new(kept: Kept, settings: &str) -> Self {
        let site = Site::new(kept);
        site.configure(settings);
        let joined = site.join(1, 1).await;
        let running = site.serve(Path::new(PROGRAM), &[]);
        let (agent, person) = lines(&running, &joined).await;
        Self { site, running, agent, person }
    }

    async fn ask(&mut self, key: &str, command: &str) -> Reply {
        let body = self.asking(key, command);
        self.agent.post("/v1/requests", &body).await
    }

    fn asking(&self, key: &str, command: &str) -> Value {
        let directory = self.site.work().to_str().unwrap().to_owned();
        json!({"key": key, "operation": {"kind": "shell", "cmd": command}, "cwd": directory})
    }

    /// Asks about something that people are asked about, and gives its id.
    async fn asked(&mut self, key: &str) -> String {
        let asked = self.ask(key, "rm notes.txt").await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        asked.text("approval").to_owned()
    }

    async fn approved(&mut self, id: &str) -> String {
        let answered = self.person.post(&format!("/v1/approvals/{id}/answer"), &json!({"answer": "approve"})).await;
        assert_eq!(answered.status, 200, "{}", answered.body);
        self.agent.get(&format!("/v1/requests/{id}")).await.text("permit").to_owned()
    }

    async fn redeem(&mut self, permit: &str, attempt: &str) -> Reply {
        let body = json!({"permit": permit, "attempt": attempt.repeat(64)});
        self.agent.post("/v1/permits/redeem", &body).await
    }

    /// Whoever does nothing wrong is served.
    async fn serves_others(&mut self) {
        assert_eq!(self.ask("harmless", "ls").await.text("verdict"), "allow");
    }
}

async fn lines(running: &Running, joined: &Joined) -> (Line, Line) {
    let address = running.address();
    (Line::agent(address, &joined.keys[0], "s").await, Line::person(address, &joined.people[0]).await)
}

#[track_caller]
fn is_problem(reply: &Reply, status: u16, code: &str) {
    let Reply { status: found, body } = reply;
    assert_eq!((*found, reply.text("code")), (status, code), "{body}");
    assert_eq!(body["status"], status, "{body}");
    assert_eq!(body["type"], format!("urn:signoff:problem:{code}"), "{body}");
    assert!(!reply.text("detail").is_empty(), "{body}");
}

#[tokio::test]
async fn malformed_json() {
    let mut gateway = Gateway::new(Kept::InAFile, "").await;
    for text in ["{\"key\":", "nonsense", "[]]", "\u{0}", "{\"key\": \"k\", \"key\": \"k\"}", &"[".repeat(100_000)] {
        let reply = gateway.agent.call(Method::POST, "/v1/requests", text.to_owned()).await;
        assert!([400, 422].contains(&reply.status), "{text:.20}: {}", reply.body);
        is_problem(&reply, reply.status, "malformed");
    }
    let nothing = gateway.agent.call(Method::POST, "/v1/requests", String::new()).await;
    is_problem(&nothing, 415, "malformed");
    gateway.serves_others().await;
}

#[tokio::test]
async fn unknown_fields_and_wrong_types() {
    let mut gateway = Gateway::new(Kept::InAFile, "").await;
    let good = gateway.asking("k", "ls");
    for (name, value) in [
        ("confirmed", json!(true)),
        ("key", json!(7)),
        ("key", json!(null)),
        ("cwd", json!(["/"])),
        ("operation", json!("ls")),
        ("operation", json!({"kind": "shell", "cmd": "ls", "approved": true})),
        ("environment", json!({"PATH": 1})),
    ] {
        let mut body = good.clone();
        body[name] = value.clone();
        is_problem(&gateway.agent.post("/v1/requests", &body).await, 422, "malformed");
    }
    let id = gateway.asked("asked").await;
    let answer = format!("/v1/approvals/{id}/answer");
    for body in [json!({}), json!({"answer": "maybe"}), json!({"answer": "approve", "for": "all"}), json!("approve")] {
        is_problem(&gateway.person.post(&answer, &body).await, 422, "malformed");
    }
    assert_eq!(gateway.agent.get(&format!("/v1/requests/{id}")).await.text("outcome"), "pending");
    gateway.serves_others().await;
}

#[tokio::test]
async fn oversized_bodies() {
    let mut gateway = Gateway::new(Kept::InAFile, "").await;
    let mut body = gateway.asking("k", "ls");
    body["intent"] = json!("x".repeat(4 * 1024 * 1024));
    is_problem(&gateway.agent.post("/v1/requests", &body).await, 413, "too-large");
    // One that arrives and is too long to be kept.
    let long = format!("rm notes.txt # {}", "x".repeat(1_100_000));
    is_problem(&gateway.ask("long", &long).await, 413, "unkeepable");
    gateway.serves_others().await;
}

#[tokio::test]
async fn unknown_ids() {
    let mut gateway = Gateway::new(Kept::InAFile, "").await;
    for id in ["0".repeat(32), "xyz".to_owned(), "..%2f..".to_owned(), "f".repeat(33)] {
        is_problem(&gateway.agent.get(&format!("/v1/requests/{id}?wait_ms=1000")).await, 404, "not-found");
        is_problem(&gateway.agent.post(&format!("/v1/requests/{id}/withdraw"), &json!({})).await, 404, "not-found");
        is_problem(&gateway.person.get(&format!("/v1/approvals/{id}")).await, 404, "not-found");
        let answer = gateway.person.post(&format!("/v1/approvals/{id}/answer"), &json!({"answer": "approve"})).await;
        is_problem(&answer, 404, "not-found");
    }
    gateway.serves_others().await;
}

#[tokio::test]
async fn expired_and_replayed_permits() {
    let mut gateway = Gateway::new(Kept::InAFile, "[approval]\nrun_within = \"1s\"\n").await;
    let id = gateway.asked("late").await;
    let late = gateway.approved(&id).await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    is_problem(&gateway.redeem(&late, "a").await, 409, "expired");
    let id = gateway.asked("twice").await;
    let permit = gateway.approved(&id).await;
    assert_eq!(gateway.redeem(&permit, "a").await.status, 200);
    is_problem(&gateway.redeem(&permit, "b").await, 409, "used-before");
    // A permit is for the session that it was given to.
    let (agent, permits) = (gateway.agent.again_in("another session").await, gateway.asked("other").await);
    let permit = gateway.approved(&permits).await;
    let own = std::mem::replace(&mut gateway.agent, agent);
    is_problem(&gateway.redeem(&permit, "c").await, 409, "not-requester");
    gateway.agent = own;
    for permit in ["", "yes", "sgp1.AA.AA", permit.split_at(permit.len() - 4).0] {
        is_problem(&gateway.redeem(permit, "d").await, 403, "bad-permit");
    }
    gateway.serves_others().await;
}

#[tokio::test]
async fn expired_and_replayed_logins_and_invitations() {
    let mut gateway = Gateway::new(Kept::InAFile, "").await;
    let invited = gateway.person.post("/v1/invitations", &json!({"person": "ann"})).await;
    let body = json!({"invitation": invited.text("invitation"), "password": "a long password"});
    let mut nobody = gateway.person.as_nobody().await;
    assert_eq!(nobody.post("/v1/people", &body).await.status, 201);
    is_problem(&nobody.post("/v1/people", &body).await, 403, "not-invited");
    // Whoever has logged out is nobody, whatever they still hold.
    let mut left = Line::person(gateway.running.address(), "person-0").await;
    assert_eq!(left.post("/v1/logout", &json!({})).await.status, 204);
    is_problem(&left.get("/v1/approvals").await, 401, "unauthorized");
    // And so is whoever has logged in long ago.
    assert_eq!(gateway.person.get("/v1/me").await.status, 200);
    let Gateway { site, running, person, .. } = gateway;
    running.stop();
    let store = site.store().await;
    for item in store.items("logins", None, 10).await.unwrap() {
        let mut login: Value = serde_json::from_str(&item.text).unwrap();
        login["until"] = json!(1);
        let to = Some(login.to_string());
        let change = Change { shelf: "logins", name: item.name, from: Some(item.text), to, deed: None };
        assert!(store.change(vec![change]).await.unwrap());
    }
    drop(store);
    let running = site.serve(Path::new(PROGRAM), &[]);
    let mut late = person.again_at(running.address()).await;
    is_problem(&late.get("/v1/me").await, 401, "unauthorized");
    is_problem(&late.get("/v1/events").await, 401, "unauthorized");
}

/// What a gateway that does not start says.
fn refused(site: &Site, arguments: &[&str]) -> String {
    let words = [&["serve", "--bind", "127.0.0.1:0"], arguments].concat();
    let output = site.command(Path::new(PROGRAM), &words).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said
}

#[tokio::test]
async fn a_database_from_a_newer_version() {
    let site = Site::new(Kept::InAFile);
    site.join(1, 0).await;
    let path = site.places().store();
    // Where SQLite keeps the version of whoever has written the file.
    let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(60)).unwrap();
    file.write_all(&99_u32.to_be_bytes()).unwrap();
    drop(file);
    let before = fs::read(&path).unwrap();
    let said = refused(&site, &[]);
    assert!(said.contains("the store has version 99") && said.contains("install the version"), "{said}");
    assert!(fs::read(&path).unwrap() == before, "it is left as it is");

    let database = Server::shared().unwrap().database().unwrap();
    let site = Site::new(Kept::InADatabase(database.url()));
    site.join(1, 0).await;
    database.sql("UPDATE signoff.version SET version = 99").unwrap();
    let said = refused(&site, &["--store", &database.url()]);
    assert!(said.contains("the store has version 99") && said.contains("install the version"), "{said}");
}

/// A file system of so many KiB, which is gone with the process that runs in it: the words that have a program run there.
fn confined(at: &Path, kibibytes: usize) -> Option<Vec<String>> {
    let script = format!("mount -t tmpfs -o size={kibibytes}k tmpfs '{}' && exec \"$@\"", at.display());
    let words = |how: &[&str]| {
        let shell = ["sh", "-c", &script, "sh"];
        how.iter().chain(&shell).map(|word| (*word).to_owned()).collect::<Vec<String>>()
    };
    let works = |words: &Vec<String>| {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg("true").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    [words(&["unshare", "--mount"]), words(&["unshare", "--user", "--map-root-user", "--mount"])]
        .into_iter()
        .find(works)
}

#[tokio::test]
async fn a_full_disk() {
    let site = Site::new(Kept::InAFile);
    let joined = site.join(1, 1).await;
    let state = site.root().join("small");
    fs::create_dir(&state).unwrap();
    let Some(words) = confined(&state, 1_024) else {
        eprintln!("skipped: neither root nor a name space of its own may mount anything here");
        return;
    };
    // People and agents who have joined come along, and then there is little room left.
    let store = state.join("gate.db");
    let script = format!("cp '{}' '{}' && exec \"$@\"", site.places().store().display(), store.display());
    let inner = ["sh", "-c", &script, "sh", PROGRAM, "serve", "--bind", "127.0.0.1:0", "--store"];
    let mut command = site.command(Path::new(&words[0]), &[]);
    command.args(&words[1..]).args(inner).arg(&store);
    let running = site.serve_with(command);
    let (agent, person) = lines(&running, &joined).await;
    let mut gateway = Gateway { site, running, agent, person };
    let first = gateway.asked("first").await;
    let filler = format!("rm notes.txt # {}", "x".repeat(60_000));
    let mut kept = Vec::new();
    let full = loop {
        let asked = gateway.ask(&format!("filler {}", kept.len()), &filler).await;
        if asked.status != 202 {
            break asked;
        }
        kept.push(asked.text("approval").to_owned());
        assert!(kept.len() < 100, "a mebibyte holds no more than that");
    };
    is_problem(&full, 507, "store-full");
    // A line of the ledger is shorter. Once there is no room for it either, nothing is allowed: what is not in the ledger does
    // not run.
    let mut allowed = 0;
    let refused = loop {
        let answer = gateway.ask("harmless", "ls").await;
        if answer.text("verdict") != "allow" {
            break answer;
        }
        allowed += 1;
        assert!(allowed < 1_000, "a mebibyte holds no more than that");
    };
    is_problem(&refused, 507, "store-full");
    is_problem(&gateway.person.get("/v1/ready").await, 503, "store-full");
    // What was kept is there, and can be looked at.
    for id in kept.iter().chain([&first]) {
        assert_eq!(gateway.agent.get(&format!("/v1/requests/{id}")).await.text("outcome"), "pending", "{id}");
    }
    let page = gateway.person.get("/v1/approvals?stage=pending&limit=200").await;
    assert_eq!(page.body["approvals"].as_array().unwrap().len(), kept.len() + 1);
    assert_eq!(gateway.person.get("/v1/health").await.status, 200);
}

/// The database goes away while an agent waits. Who only wants to know whether the gateway lives is told so; everybody else is
/// told that the store is away; and the agent who waits is woken when it is back and somebody has answered.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_goes_away_in_mid_wait() {
    let server = Server::start(Durability::Flushed).unwrap();
    let database = server.database().unwrap();
    let mut gateway = Gateway::new(Kept::InADatabase(database.url()), "").await;
    let id = gateway.asked("k").await;
    let mut waiter = gateway.agent.again().await;
    let path = format!("/v1/requests/{id}?wait_ms=60000");
    let waiting = tokio::spawn(async move { waiter.get(&path).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    server.crash().unwrap();
    assert_eq!(gateway.person.get("/v1/health").await.status, 200);
    is_problem(&gateway.person.get("/v1/ready").await, 503, "store-unavailable");
    is_problem(&gateway.ask("meanwhile", "rm notes.txt").await, 503, "store-unavailable");
    assert!(!waiting.is_finished(), "whoever waits has time");
    server.restart().unwrap();
    // It comes back by itself.
    while gateway.person.get("/v1/ready").await.status != 200 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    gateway.approved(&id).await;
    assert_eq!(waiting.await.unwrap().text("outcome"), "approved");
    gateway.serves_others().await;
    // Nobody was asked what was refused.
    let page = gateway.person.get("/v1/approvals").await;
    assert_eq!(page.body["approvals"].as_array().unwrap().len(), 1, "{}", page.body);
}

/// Somebody puts an older copy of the store in its place, in which a yes is unused that was used since.
#[tokio::test]
async fn a_store_that_was_replaced() {
    let mut gateway = Gateway::new(Kept::InAFile, "").await;
    let id = gateway.asked("k").await;
    let permit = gateway.approved(&id).await;
    let store = gateway.site.places().store();
    let beside = |name: &str, ending: &str| store.with_file_name(format!("{name}{ending}"));
    for ending in ["", "-wal"] {
        fs::copy(beside("gate.db", ending), beside("older.db", ending)).unwrap();
    }
    assert_eq!(gateway.redeem(&permit, "a").await.status, 200);
    assert_eq!(gateway.person.get("/v1/ready").await.status, 200);
    for ending in ["", "-wal", "-shm"] {
        fs::rename(beside("gate.db", ending), beside("moved.db", ending)).unwrap();
    }
    for ending in ["", "-wal"] {
        fs::copy(beside("older.db", ending), beside("gate.db", ending)).unwrap();
    }
    is_problem(&gateway.person.get("/v1/ready").await, 503, "store-replaced");
    is_problem(&gateway.ask("meanwhile", "rm notes.txt").await, 503, "store-replaced");
    let again = gateway.redeem(&permit, "b").await;
    assert_ne!(again.status, 200, "{}", again.body);
    assert_eq!(gateway.person.get("/v1/health").await.status, 200);
}
