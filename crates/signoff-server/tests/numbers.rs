//! The number on the screen of whoever asks, over HTTP.
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

async fn place(from: &str) -> Place {
    let place = Place::new().await;
    for name in ["notes.txt", "other.txt"] {
        place.file(name, "mine");
    }
    place.configure(&format!("[approval]\nmatch_number = \"{from}\"\n"));
    place
}

/// Asks from in front of a screen, and says as what and with which number.
async fn asked(place: &Place, key: &str, command: &str) -> (String, Option<String>) {
    let body = json!({
        "key": key, "operation": {"kind": "shell", "cmd": command}, "cwd": place.cwd(), "screen": true,
    });
    let (_, verdict) = place.agent("POST", "/v1/requests", Some(body)).await;
    let id = verdict["approval"].as_str().unwrap_or_else(|| panic!("{command} asks: {verdict}")).to_owned();
    (id, verdict["number"].as_str().map(str::to_owned))
}

fn yes(number: Option<&str>) -> Value {
    json!({"answer": "approve", "number": number})
}

fn other_than(number: &str) -> &'static str {
    if number == "11" { "12" } else { "11" }
}

/// How would an agent get a yes that nobody meant? By a person who says yes to whatever comes, without having seen who asks. So
/// nobody learns the number but whoever shows it, and a yes without it is none.
#[tokio::test]
async fn a_yes_without_the_screen_is_none() {
    let place = place("high").await;
    let (id, number) = asked(&place, "k", "rm notes.txt").await;
    let number = number.unwrap();
    assert_eq!(place.answer(&id, yes(None)).await.1["code"], "number-needed");
    assert_eq!(place.answer(&id, yes(Some("4"))).await.1["code"], "invalid", "what can be none is no try");
    let grant = json!({"kind": "exact", "for_seconds": 600});
    let granted = place.person("POST", &format!("/v1/approvals/{id}/grant"), Some(grant)).await;
    assert_eq!(granted.1["code"], "number-needed");
    assert!(!place.person("GET", "/v1/grants", None).await.1.to_string().contains("notes.txt"));
    // Nothing that anybody else can ask for tells it: no list, no card, no ledger, no stream, no outcome.
    let told = format!("\"{number}\"");
    for path in ["/v1/approvals", "/v1/ledger", "/v1/ledger/export", &format!("/v1/approvals/{id}?detail=full")] {
        let (_, text) = place.text(path, Some(&place.login)).await;
        assert!(text.contains(&id) && !text.contains(&told), "{path}: {text}");
        assert!(!text.contains(&format!("number\":{number}")), "{path}: {text}");
    }
    let (_, shown) = place.person("GET", &format!("/v1/approvals/{id}"), None).await;
    assert_eq!(shown["needs_number"], true);
    assert!(!place.outcome(&id).await.to_string().contains(&told));
    // Whoever asks again under the same key shows the same, and another session finds nothing there.
    assert_eq!(asked(&place, "k", "rm notes.txt").await, (id.clone(), Some(number.clone())));
    let (agent_key, cwd) = place.here();
    let from = place::From { agent_key: &agent_key, session: "another", cwd: &cwd };
    let theirs = place.ask_from(from, "k", "rm notes.txt").await;
    assert_ne!(theirs["approval"], json!(id));
    assert_eq!(theirs["number"], Value::Null);
    let wrong = other_than(&number);
    assert_eq!(place.answer(&id, yes(Some(wrong))).await.1["code"], "wrong-number");
    let (status, answered) = place.answer(&id, yes(Some(&number))).await;
    assert_eq!((status, &answered["approval"]["stage"]), (StatusCode::OK, &json!("approved")), "{answered}");
}

/// Three tries for everybody together; then it is refused, and the right number comes too late.
#[tokio::test]
async fn a_number_is_not_found_by_trying() {
    let place = place("high").await;
    let (id, number) = asked(&place, "k", "rm notes.txt").await;
    let number = number.unwrap();
    for left in [2, 1, 0] {
        let (_, problem) = place.answer(&id, yes(Some(other_than(&number)))).await;
        assert_eq!(problem["code"], "wrong-number");
        assert!(left == 0 || problem["detail"].as_str().unwrap().contains(&left.to_string()), "{problem}");
    }
    assert_eq!(place.answer(&id, yes(Some(&number))).await.1["code"], "closed");
    let outcome = place.outcome(&id).await;
    assert_eq!(outcome["outcome"], "denied");
    assert!(outcome["words"].as_str().unwrap().contains("not matched"), "{outcome}");
    // What comes from it needs another one: whoever has read the first has seen that question, and refused it.
    let (_, again) =
        place.agent("POST", &format!("/v1/requests/{id}/reopen"), Some(json!({"reason": "I mistyped it"}))).await;
    let other = again["number"].as_str().unwrap();
    assert_ne!(other, number, "{again}");
    let new = again["approval"].as_str().unwrap();
    assert_eq!(place.answer(new, yes(None)).await.1["code"], "number-needed");
    assert_eq!(place.answer(new, yes(Some(&number))).await.1["code"], "wrong-number");
    assert_eq!(place.answer(new, yes(Some(other))).await.0, StatusCode::OK);
    // Whoever states the same again hears the same.
    let (_, same) =
        place.agent("POST", &format!("/v1/requests/{id}/reopen"), Some(json!({"reason": "I mistyped it"}))).await;
    assert_eq!((&same["approval"], &same["number"]), (&again["approval"], &again["number"]));
}

/// The agent writes its texts before there is a number, and none of them ever names it, however often it asks.
#[tokio::test]
async fn no_text_of_the_agent_names_the_number() {
    let place = place("high").await;
    let numbers: String = (10..=95).map(|number| format!("{number} ")).collect();
    for round in 0..4 {
        let (_, number) = asked(&place, &format!("k{round}"), &format!("rm notes.txt # type one of {numbers}")).await;
        assert!(["96", "97", "98", "99"].contains(&number.unwrap().as_str()));
    }
    let every: String = (10..=99).map(|number| format!("{number} ")).collect();
    let body = json!({
        "key": "all", "operation": {"kind": "shell", "cmd": format!("rm notes.txt # {every}")}, "cwd": place.cwd(),
        "screen": true,
    });
    let (_, problem) = place.agent("POST", "/v1/requests", Some(body)).await;
    assert_eq!(problem["code"], "invalid", "nobody is asked then");
}

/// The key says from which risk on; without a screen there is no number.
#[tokio::test]
async fn the_key_of_numbers_is_heard() {
    for (from, high, critical) in [("high", true, true), ("critical", false, true), ("never", false, false)] {
        let place = place(from).await;
        let found = [asked(&place, "high", "rm notes.txt").await.1, asked(&place, "critical", "rm -rf .").await.1];
        assert_eq!(found.map(|number| number.is_some()), [high, critical], "{from}");
        let (_, alone) = place.ask("alone", "rm -rf ./.").await;
        assert_eq!(alone["number"], Value::Null);
    }
    // Where nobody has said anything, what is critical.
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    assert!(asked(&place, "high", "rm notes.txt").await.1.is_none());
    assert!(asked(&place, "critical", "rm -rf .").await.1.is_some());
}
