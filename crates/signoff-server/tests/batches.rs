//! An agent that asks too much at once, over HTTP.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]
#![allow(dead_code, reason = "the place has more than one test needs")]

mod place;

use axum::http::StatusCode;
use place::{From, Place};
use serde_json::{Value, json};

/// A place where so many questions a minute are asked one by one.
async fn place(burst: u32) -> Place {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    place.configure(&format!("[approval]\nburst = {burst}\n"));
    place
}

/// Asks something of medium risk, and says as what and in which batch.
async fn asked(place: &Place, command: &str) -> (String, Value) {
    let (_, verdict) = place.ask(command, command).await;
    let id = verdict["approval"].as_str().unwrap_or_else(|| panic!("{command} asks: {verdict}")).to_owned();
    let batch = place.person("GET", &format!("/v1/approvals/{id}"), None).await.1["batch"].clone();
    (id, batch)
}

async fn batch(place: &Place, id: &Value) -> Value {
    place.person("GET", &format!("/v1/batches/{}", id.as_str().unwrap()), None).await.1
}

async fn answer(place: &Place, id: &Value, answer: Value) -> (StatusCode, Value) {
    place.person("POST", &format!("/v1/batches/{}/answer", id.as_str().unwrap()), Some(answer)).await
}

fn ids(members: &Value) -> Vec<String> {
    members.as_array().unwrap().iter().map(|member| member["id"].as_str().unwrap().to_owned()).collect()
}

/// What is beyond the rate is one batch, which is answered once by somebody who has seen all of it.
#[tokio::test]
async fn what_is_too_much_is_answered_in_one_go() {
    let place = place(2).await;
    for name in ["one", "two"] {
        assert_eq!(asked(&place, &format!("git push origin {name}")).await.1, Value::Null);
    }
    let (first, together) = asked(&place, "git push origin three").await;
    assert_eq!(together, json!(first));
    let (second, same) = asked(&place, "git push origin four").await;
    assert_eq!(same, together);
    let seen = batch(&place, &together).await;
    assert_eq!(ids(&seen["members"]), [first.clone(), second.clone()]);
    for (member, name) in seen["members"].as_array().unwrap().iter().zip(["three", "four"]) {
        assert!(member["card"]["text"].as_str().unwrap().contains(&format!("git push origin {name}")), "{member}");
    }
    // Another one has come since: whoever has not seen it says nothing about it.
    let (third, _) = asked(&place, "git push origin five").await;
    let yes = |seen: &Value| json!({"answer": "approve", "seen": seen["seen"]});
    assert_eq!(answer(&place, &together, yes(&seen)).await.1["code"], "not-seen");
    assert_eq!(answer(&place, &together, json!({"answer": "approve", "seen": "all"})).await.1["code"], "invalid");
    assert_eq!(place.outcome(&first).await["outcome"], "pending");
    let seen = batch(&place, &together).await;
    let (status, answered) = answer(&place, &together, yes(&seen)).await;
    assert_eq!(status, StatusCode::OK, "{answered}");
    let mut permits = Vec::new();
    for (id, member) in [first, second, third].iter().zip(answered.as_array().unwrap()) {
        assert_eq!((&member["approval"]["id"], &member["approval"]["stage"]), (&json!(id), &json!("approved")));
        permits.push(place.outcome(id).await["permit"].as_str().unwrap().to_owned());
    }
    // Each has its own permit, which is good for itself and once.
    assert_eq!(place.redeem(&permits[0], 1, json!({})).await.0, StatusCode::OK);
    assert_eq!(place.redeem(&permits[0], 2, json!({})).await.1["code"], "used-before");
    assert_eq!(place.redeem(&permits[1], 1, json!({})).await.0, StatusCode::OK);
    assert_eq!(place.deeds("answered").await.len(), 3, "each has its own line");
    // It was decided, once.
    assert_eq!(answer(&place, &together, yes(&seen)).await.1["code"], "closed");
    assert_eq!(batch(&place, &together).await["members"], json!([]));
}

/// Whoever asks by other names is the same person's agent: the rate is theirs, and so is the batch.
#[tokio::test]
async fn another_name_is_no_way_around_the_rate() {
    let place = place(2).await;
    let cwd = place.cwd();
    let mut keys = vec![place.agent_key.clone()];
    for name in ["one", "two", "three"] {
        let (_, agent) = place.person("POST", "/v1/agents", Some(json!({"agent": name}))).await;
        keys.push(agent["key"].as_str().unwrap().to_owned());
    }
    let mut together = Vec::new();
    for (number, key) in keys.iter().enumerate() {
        let from = From { agent_key: key, session: "session-1", cwd: &cwd };
        let verdict = place.ask_from(from, "k", &format!("git push origin n{number}")).await;
        let id = verdict["approval"].as_str().unwrap();
        together.push(place.person("GET", &format!("/v1/approvals/{id}"), None).await.1["batch"].clone());
    }
    assert_eq!(together[..2], [Value::Null, Value::Null]);
    assert!(together[2].is_string() && together[2] == together[3], "{together:?}");
    let seen = batch(&place, &together[2]).await;
    let agents: Vec<&str> =
        seen["members"].as_array().unwrap().iter().map(|one| one["agent"].as_str().unwrap()).collect();
    assert_eq!(agents, ["two", "three"]);
}

/// What is high or critical stands by itself, however much is asked.
#[tokio::test]
async fn what_is_grave_is_in_no_batch() {
    let place = place(1).await;
    asked(&place, "git push origin one").await;
    let (_, together) = asked(&place, "git push origin two").await;
    assert_ne!(together, Value::Null);
    assert_eq!(asked(&place, "rm notes.txt").await.1, Value::Null);
    assert_eq!(asked(&place, "rm -rf .").await.1, Value::Null);
    let seen = batch(&place, &together).await;
    assert_eq!(seen["members"].as_array().unwrap().len(), 1);
    // A no is for all of them, and for nothing else.
    let (_, answered) =
        answer(&place, &together, json!({"answer": "deny", "seen": seen["seen"], "words": "slower"})).await;
    assert_eq!((answered[0]["approval"]["stage"].as_str(), answered.as_array().unwrap().len()), (Some("denied"), 1));
    assert_eq!(
        place.person("GET", "/v1/approvals?stage=pending", None).await.1["approvals"].as_array().unwrap().len(),
        3
    );
}

/// The key says from when on, and whoever has no say in the questions has none in the batch.
#[tokio::test]
async fn the_rate_is_what_the_key_says() {
    let calm = place(5).await;
    for number in 0..5 {
        assert_eq!(asked(&calm, &format!("git push origin n{number}")).await.1, Value::Null);
    }
    assert_ne!(asked(&calm, "git push origin more").await.1, Value::Null);
    // Who is not asked about the questions is not asked about all of them either.
    let place = place(1).await;
    asked(&place, "git push origin one").await;
    let (id, together) = asked(&place, "git push origin two").await;
    let ann = place.join("ann").await;
    let seen = batch(&place, &together).await;
    let path = format!("/v1/batches/{}/answer", together.as_str().unwrap());
    let yes = json!({"answer": "approve", "seen": seen["seen"]});
    let (_, answered) = place.call("POST", &path, Some(&ann), Some(yes)).await;
    assert_eq!(answered[0]["refused"], "not-asked", "{answered}");
    assert_eq!(place.outcome(&id).await["outcome"], "pending");
    // What is no batch has no members.
    let (alone, _) = asked(&place, "rm notes.txt").await;
    let (status, _) = place.person("GET", &format!("/v1/batches/{alone}"), None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}
