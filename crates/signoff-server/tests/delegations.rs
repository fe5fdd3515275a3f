//! Answering in somebody's stead, over HTTP.
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
use place::Place;
use serde_json::{Value, json};

async fn place(approval: &str) -> Place {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    place.configure(&format!("[approval]\n{approval}\n"));
    place
}

async fn asked(place: &Place, command: &str) -> String {
    let (_, verdict) = place.ask(command, command).await;
    verdict["approval"].as_str().unwrap_or_else(|| panic!("{command} asks: {verdict}")).to_owned()
}

async fn hand_over(place: &Place, login: &str, to: &str, seconds: u64) -> (StatusCode, Value) {
    let body = json!({"to": to, "for_seconds": seconds});
    place.call("POST", "/v1/delegations", Some(login), Some(body)).await
}

fn yes() -> Value {
    json!({"answer": "approve"})
}

fn code(answered: &(StatusCode, Value)) -> &str {
    answered.1["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn somebody_answers_in_anothers_stead() {
    let place = place("approvers = [\"ann\", \"bob\"]\nquorum = 2").await;
    let (ann, bob, dora) = (place.join("ann").await, place.join("bob").await, place.join("dora").await);
    let id = asked(&place, "rm notes.txt").await;
    assert_eq!(code(&place.answer_as(&dora, &id, yes()).await), "not-asked");
    let (status, handed) = hand_over(&place, &ann, "dora", 3_600).await;
    assert_eq!((status, &handed["from"], &handed["to"]), (StatusCode::CREATED, &json!("ann"), &json!("dora")));
    let (_, all) = place.person("GET", "/v1/delegations", None).await;
    assert_eq!(all.as_array().unwrap().len(), 1);
    let (_, answered) = place.answer_as(&dora, &id, yes()).await;
    assert_eq!(answered["missing"], 1, "{answered}");
    let vote = &answered["approval"]["votes"][0];
    assert_eq!((&vote["person"], &vote["stead"]), (&json!("dora"), &json!("ann")));
    // One voice, and one person.
    assert_eq!(code(&place.answer_as(&dora, &id, yes()).await), "said-before");
    assert_eq!(code(&place.answer_as(&ann, &id, yes()).await), "said-before");
    let (_, answered) = place.answer_as(&bob, &id, yes()).await;
    assert_eq!(answered["approval"]["stage"], "approved", "{answered}");
    let said = place.deeds("answered").await;
    assert_eq!((&said[0]["by"]["person"], &said[0]["details"]["stead"]), (&json!("dora"), &json!("ann")));
    assert_eq!(said[1]["details"]["stead"], Value::Null);
    let deed = &place.deeds("handed-over").await[0];
    assert_eq!((&deed["by"]["person"], &deed["details"]["to"]), (&json!("ann"), &json!("dora")));
    // What was taken back is gone at once.
    let id = asked(&place, "rm -f notes.txt").await;
    assert_eq!(place.call("DELETE", "/v1/delegations", Some(&ann), None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(code(&place.answer_as(&dora, &id, yes()).await), "not-asked");
    assert_eq!(place.deeds("taken-back").await.len(), 1);
    assert_eq!(place.call("DELETE", "/v1/delegations", Some(&ann), None).await.0, StatusCode::NOT_FOUND);
}

/// What was handed over is no more than its giver had, and is not handed on, turned into a grant or kept beyond an account.
#[tokio::test]
async fn nobody_gets_more_than_was_theirs() {
    let place = place("approvers = [\"ann\", \"olga\"]\nseparation = true").await;
    let (ann, dora, erik) = (place.join("ann").await, place.join("dora").await, place.join("erik").await);
    let id = asked(&place, "rm notes.txt").await;
    // For whom the agent works has no yes to hand over, and gets none.
    hand_over(&place, &place.login, "dora", 3_600).await;
    assert_eq!(code(&place.answer_as(&dora, &id, yes()).await), "owners-word");
    hand_over(&place, &ann, "olga", 3_600).await;
    assert_eq!(code(&place.answer(&id, yes()).await), "owners-word");
    // Whoever it was handed to does not hand it on, and whoever had it before does not have it any more.
    hand_over(&place, &ann, "dora", 3_600).await;
    hand_over(&place, &dora, "erik", 3_600).await;
    assert_eq!(code(&place.answer_as(&erik, &id, yes()).await), "not-asked");
    let grant = json!({"kind": "exact", "for_seconds": 600});
    let granted = place.call("POST", &format!("/v1/approvals/{id}/grant"), Some(&dora), Some(grant)).await;
    assert_eq!(code(&granted), "not-asked");
    assert_eq!(place.outcome(&id).await["outcome"], "pending");
    for (to, seconds, expected) in [
        ("ann", 3_600, "delegation-oneself"),
        ("nobody", 3_600, "delegation-nobody"),
        ("", 3_600, "delegation-nobody"),
        ("erik", 0, "delegation-lasting"),
        ("erik", 59, "delegation-lasting"),
        ("erik", 30 * 24 * 3_600 + 1, "delegation-lasting"),
        ("erik", u64::MAX, "delegation-lasting"),
    ] {
        assert_eq!(code(&hand_over(&place, &ann, to, seconds).await), expected, "{to} {seconds}");
    }
    // Nobody speaks for somebody who is gone.
    place.remove("ann").await;
    assert_eq!(code(&place.answer_as(&dora, &id, yes()).await), "owners-word");
    let (_, left) = place.person("GET", "/v1/delegations", None).await;
    let from: Vec<&str> = left.as_array().unwrap().iter().map(|one| one["from"].as_str().unwrap()).collect();
    assert_eq!(from, ["dora", "olga"], "{left}");
    place.remove("dora").await;
    assert_eq!(place.person("GET", "/v1/delegations", None).await.1, json!([]));
}
