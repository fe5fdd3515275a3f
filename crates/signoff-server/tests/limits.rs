//! Whoever is slow, silent or greedy keeps nobody else out, and whoever is no longer logged in hears nothing more.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

#[allow(dead_code, reason = "each file of tests uses its own part")]
mod place;

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use axum::http::StatusCode;
use place::Place;
use serde_json::json;
use signoff_model::Timestamp;
use signoff_server::Limits;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

fn short() -> Limits {
    let a_moment = Duration::from_millis(300);
    Limits { connections: 4, head_within: a_moment, body_within: a_moment, waits: 2, streams: 2 }
}

/// What comes back on a connection until it is closed.
async fn heard(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text).await;
    String::from_utf8_lossy(&text).into_owned()
}

/// All places are taken by those who say nothing, or one letter at a time. They are hung up on, and the next one is served.
#[tokio::test]
async fn the_silent_are_hung_up_on() {
    let place = Place::limited(short()).await;
    let address = place.serve().await;
    let mut silent = Vec::new();
    for _ in 0..3 {
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.write_all(b"GET /v1/health HT").await.unwrap();
    let mut next = TcpStream::connect(address).await.unwrap();
    next.write_all(place.raw("GET", "/v1/health", "").as_bytes()).await.unwrap();
    assert!(heard(next).await.starts_with("HTTP/1.1 200"), "whoever speaks is served");
    for stream in silent.into_iter().chain([slow]) {
        assert!(!heard(stream).await.starts_with("HTTP/1.1 200"));
    }
}

/// A body that does not come is not waited for.
#[tokio::test]
async fn a_slow_body_is_a_problem() {
    let place = Place::limited(short()).await;
    let address = place.serve().await;
    let mut slow = TcpStream::connect(address).await.unwrap();
    let head = place.raw("POST", "/v1/requests", "content-type: application/json\r\ncontent-length: 100\r\n");
    slow.write_all(head.as_bytes()).await.unwrap();
    slow.write_all(b"{\"key\":").await.unwrap();
    let answer = heard(slow).await;
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("\"too-slow\""), "{answer}");
    assert_eq!(place.ask("after", "ls").await.0, StatusCode::OK);
}

/// Whoever writes all of a body before reading anything is told that it is too long, on a connection that can be used again, and
/// so is whoever has no key. What has no end is not read to it.
#[tokio::test(flavor = "multi_thread")]
async fn an_oversized_body_is_answered() {
    use std::io::{Read as _, Write as _};
    let place = Place::new().await;
    let address = place.serve().await;
    let length = 10 * 1024 * 1024;
    let head = |key: &str, length: usize| {
        let head = place.raw(
            "POST",
            "/v1/requests",
            &format!("content-type: application/json\r\ncontent-length: {length}\r\n"),
        );
        head.replace("connection: close\r\n", "").replace(&place.agent_key, key)
    };
    let (known, unknown) = (head(&place.agent_key, length), head("sga1.nobody", length));
    let endless = head(&place.agent_key, 1 << 40);
    let told = move || {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut answer = [0; 12];
        for (head, status) in [(known, "HTTP/1.1 413"), (unknown, "HTTP/1.1 401")] {
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(&vec![b' '; length]).unwrap();
            stream.read_exact(&mut answer).unwrap();
            assert_eq!(String::from_utf8_lossy(&answer), status);
            // The rest of the answer ends with that of its body.
            let mut rest = Vec::new();
            while !rest.ends_with(b"}") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                rest.push(byte[0]);
            }
        }
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.write_all(endless.as_bytes()).unwrap();
        let much = vec![b' '; 1024 * 1024];
        let written = (0..200).take_while(|_| stream.write_all(&much).is_ok()).count();
        assert!(written < 100, "{written} MiB were read");
    };
    tokio::task::spawn_blocking(told).await.unwrap();
}

/// The agents of one person have only so many replies held, and those of others have theirs.
#[tokio::test]
async fn nobody_waits_for_everything() {
    let place = Arc::new(Place::limited(Limits { connections: 100, ..short() }).await);
    place.file("notes.txt", "mine");
    let id = place.ask("k", "rm notes.txt").await.1["approval"].as_str().unwrap().to_owned();
    let waiting: Vec<_> = (0..2)
        .map(|_| {
            let (place, path) = (Arc::clone(&place), format!("/v1/requests/{id}?wait_ms=60000"));
            tokio::spawn(async move {
                // The one below is in the way for a moment.
                loop {
                    let (status, outcome) = place.agent("GET", &path, None).await;
                    if status == StatusCode::OK {
                        return outcome;
                    }
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            })
        })
        .collect();
    // As soon as both are held, the third is refused; without waiting it is told at once.
    let wait = format!("/v1/requests/{id}?wait_ms=1");
    let refused = loop {
        let (status, problem) = place.agent("GET", &wait, None).await;
        if status != StatusCode::OK {
            break (status, problem["code"].clone());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    assert_eq!(refused, (StatusCode::TOO_MANY_REQUESTS, json!("too-many-waiting")));
    assert_eq!(place.outcome(&id).await["outcome"], "pending");
    let other = place.person("POST", "/v1/agents", Some(json!({"agent": "codex"}))).await.1;
    let theirs = place.call("GET", &wait, other["key"].as_str(), None).await;
    assert_eq!(theirs.0, StatusCode::TOO_MANY_REQUESTS, "another agent of the same person has no share of its own");
    let zoe = place.log_in_as("zoe").await;
    let other = place.call("POST", "/v1/agents", Some(&zoe), Some(json!({"agent": "aider"}))).await.1;
    let theirs = place.call("GET", &wait, other["key"].as_str(), None).await;
    assert_eq!(theirs.0, StatusCode::NOT_FOUND, "somebody else's may wait, and this is not theirs: {theirs:?}");
    place.answer(&id, json!({"answer": "approve"})).await;
    for one in waiting {
        assert_eq!(one.await.unwrap()["outcome"], "approved");
    }
    assert_eq!(place.agent("GET", &wait, None).await.0, StatusCode::OK, "what was held is free again");
}

/// A person has only so many streams.
#[tokio::test]
async fn nobody_listens_without_end() {
    let place = Place::limited(Limits { connections: 100, ..short() }).await;
    let first = place.stream(&place.login).await.unwrap();
    let _second = place.stream(&place.login).await.unwrap();
    assert_eq!(place.stream(&place.login).await.unwrap_err(), StatusCode::TOO_MANY_REQUESTS);
    drop(first);
    assert!(place.stream(&place.login).await.is_ok());
}

/// Whoever logs out, or whose account is taken away, hears nothing of what comes then, though the connection is open still.
#[tokio::test]
async fn a_stream_ends_with_its_login() {
    let place = Place::new().await;
    let ann = place.join("ann").await;
    let mut leaves = place.stream(&place.login).await.unwrap();
    let mut removed = place.stream(&ann).await.unwrap();
    place.ask("before", "ls").await;
    leaves.until("allowed").await;
    removed.until("allowed").await;
    let other = place.log_in("olga").await;
    assert_eq!(place.call("POST", "/v1/logout", Some(&place.login), None).await.0, StatusCode::NO_CONTENT);
    place.ask("secret", "pwd").await;
    assert!(!leaves.rest().await.contains("pwd"), "it ends, and tells nothing more");
    removed.until("pwd").await;
    place.remove("ann").await;
    place.ask("another", "whoami").await;
    let heard = removed.rest().await;
    assert!(!heard.contains("whoami"), "{heard}");
    // The logout is in the ledger, and another login of the same person goes on.
    assert_eq!(place.deeds("logged-out").await.len(), 1);
    place.stream(&other).await.unwrap().until("whoami").await;
}

/// The time of a login runs out while somebody listens.
#[tokio::test]
async fn a_stream_ends_when_its_login_runs_out() {
    let hands = Arc::new(AtomicI64::new(1_000_000));
    let seen = Arc::clone(&hands);
    let place = Place::with_clock(Arc::new(move || Timestamp::from_millis(seen.load(Ordering::SeqCst)))).await;
    let mut listening = place.stream(&place.login).await.unwrap();
    place.ask("before", "ls").await;
    listening.until("allowed").await;
    hands.fetch_add(12 * 60 * 60 * 1_000, Ordering::SeqCst);
    place.ask("after", "pwd").await;
    assert!(!listening.rest().await.contains("pwd"));
    assert_eq!(place.person("GET", "/v1/me", None).await.0, StatusCode::UNAUTHORIZED);
}

/// Behind a proxy that speaks TLS, a browser sends the cookie on no other way; without one it could not send it at all.
#[tokio::test]
async fn the_cookie_is_secure_behind_tls() {
    for (place, secure) in [(Place::new().await, false), (Place::behind_tls().await, true)] {
        let credentials = json!({"person": "olga", "password": "correct horse"});
        let made = place.cookie("/v1/login", None, Some(credentials)).await;
        let taken = place.cookie("/v1/logout", Some(&place.login), None).await;
        for cookie in [&made, &taken] {
            assert_eq!(cookie.split("; ").any(|part| part == "Secure"), secure, "{cookie}");
            assert!(cookie.contains("; HttpOnly; SameSite=Strict; Path=/; Max-Age="), "{cookie}");
        }
        assert!(taken.starts_with("signoff=;") && taken.ends_with("Max-Age=0"), "{taken}");
    }
}

/// At the socket an agent says by itself what it is called: whose it is, is what counts.
#[tokio::test]
async fn another_name_on_the_socket_is_no_way_around_the_limit() {
    let place = Place::new().await;
    assert_eq!(place.heard_on_socket(6_050).await, 6_000);
}
