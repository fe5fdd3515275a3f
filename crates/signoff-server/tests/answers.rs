//! What people answer, over HTTP, and what becomes of it.
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

fn shell(command: &str) -> Value {
    json!({"kind": "shell", "cmd": command, "dialect": "bash"})
}

fn modify(command: &str) -> Value {
    json!({"answer": "modify", "operation": shell(command)})
}

async fn place() -> Place {
    let place = Place::new().await;
    for name in ["notes.txt", "other.txt", "third.txt"] {
        place.file(name, "mine");
    }
    place
}

async fn asked(place: &Place, command: &str) -> String {
    let (_, verdict) = place.ask(command, command).await;
    verdict["approval"].as_str().unwrap_or_else(|| panic!("{command} asks: {verdict}")).to_owned()
}

/// A changed form that is no graver is approved as that: its requester is told what may run now, and gets a permit for nothing else.
#[tokio::test]
async fn a_changed_form_is_what_may_run() {
    let place = place().await;
    let id = asked(&place, "rm notes.txt other.txt").await;
    let (status, answered) = place.answer(&id, modify("rm notes.txt")).await;
    assert_eq!(status, StatusCode::OK, "{answered}");
    assert_eq!((&answered["approval"]["stage"], &answered["asked_anew"]), (&json!("modified"), &json!(false)));
    assert_eq!(answered["approval"]["modified"], shell("rm notes.txt"));
    let outcome = place.outcome(&id).await;
    assert_eq!((&outcome["outcome"], &outcome["modified"]), (&json!("approved"), &shell("rm notes.txt")), "{outcome}");
    let permit = outcome["permit"].as_str().unwrap();
    assert_eq!(place.redeem(permit, 1, json!({})).await.0, StatusCode::OK);
    // It was looked at anew when it was changed, and is looked at when it runs.
    let id = asked(&place, "rm other.txt third.txt").await;
    place.answer(&id, modify("rm third.txt")).await;
    let permit = place.outcome(&id).await["permit"].as_str().unwrap().to_owned();
    place.file("third.txt", "mine, and more");
    assert_eq!(place.redeem(&permit, 1, json!({})).await.1["code"], "stale");
    let said = place.deeds("answered").await;
    assert_eq!(
        (&said[0]["details"]["answer"], &said[0]["details"]["text"]),
        (&json!("modify"), &json!("rm notes.txt"))
    );
}

/// What is graver than what was shown is a new question, which nobody has said yes to; its requester is led there, and is told
/// what it is about once somebody has.
#[tokio::test]
async fn a_graver_form_is_asked_anew() {
    let place = place().await;
    let id = asked(&place, "git push origin main").await;
    let before = place.person("GET", &format!("/v1/approvals/{id}"), None).await.1["risk"].clone();
    let (status, answered) = place.answer(&id, modify("rm notes.txt")).await;
    assert_eq!(status, StatusCode::OK, "{answered}");
    let new = answered["approval"]["id"].as_str().unwrap().to_owned();
    assert_eq!(
        (&answered["asked_anew"], &answered["approval"]["stage"]),
        (&json!(true), &json!("pending")),
        "{answered}"
    );
    assert_ne!(new, id);
    let outcome = place.outcome(&id).await;
    assert_eq!(outcome, json!({"outcome": "superseded", "by": new}), "{before}");
    assert_eq!(place.answer(&id, json!({"answer": "approve"})).await.1["code"], "closed");
    assert_eq!(place.outcome(&new).await["outcome"], "pending");
    let (_, shown) = place.person("GET", &format!("/v1/approvals/{new}"), None).await;
    assert_eq!(shown["origin"], json!({"kind": "changed", "from": id, "by": "olga"}));
    assert!(shown["card"]["text"].as_str().unwrap().contains("rm notes.txt"), "{shown}");
    let answer = match shown["form"]["kind"].as_str().unwrap() {
        "confirmation" => json!({"answer": "approve"}),
        "choice" => json!({"answer": "choose", "choice": "go-ahead"}),
        _ => json!({"answer": "input", "text": shown["form"]["text"]}),
    };
    let (status, answered) = place.answer(&new, answer).await;
    assert_eq!(status, StatusCode::OK, "{answered}");
    let outcome = place.outcome(&new).await;
    // Whoever asked for something else must not take this for a yes to that.
    assert_eq!(outcome["modified"], shell("rm notes.txt"), "{outcome}");
    assert_eq!(place.redeem(outcome["permit"].as_str().unwrap(), 1, json!({})).await.0, StatusCode::OK);
}

/// No answer lifts what is blocked, and a change that nobody could run is none. It stays open.
#[tokio::test]
async fn what_is_prohibited_stays_so_in_a_changed_form() {
    let place = place().await;
    let id = asked(&place, "rm notes.txt").await;
    for (operation, code) in [
        (shell("rm -rf /"), "blocked"),
        (shell("rm notes.txt"), "no-answer"),
        (json!({"kind": "shell", "cmd": "ls", "dialect": "zsh"}), "no-answer"),
        (json!({"kind": "file", "op": "read", "path": "notes.txt"}), "no-answer"),
    ] {
        let (_, problem) = place.answer(&id, json!({"answer": "modify", "operation": operation})).await;
        assert_eq!(problem["code"], code, "{operation}: {problem}");
        assert_eq!(place.outcome(&id).await["outcome"], "pending");
    }
    // Somebody who was not asked changes nothing, and asks nothing.
    let ann = place.join("ann").await;
    let before = place.deeds("asked").await.len();
    for command in ["ls", "rm notes.txt"] {
        assert_eq!(place.answer_as(&ann, &id, modify(command)).await.1["code"], "not-asked");
    }
    assert_eq!(place.deeds("asked").await.len(), before);
}

/// A choice is what it says, and what was not offered is none.
#[tokio::test]
async fn a_choice_counts_as_what_it_is() {
    let place = place().await;
    let id = asked(&place, "rm -rf notes.txt other.txt .").await;
    let (_, shown) = place.person("GET", &format!("/v1/approvals/{id}"), None).await;
    let offered = shown["form"]["options"].as_array().cloned().unwrap_or_default();
    for choice in ["go-ahead", "back-up-first", "show-difference", "whatever"] {
        if offered.contains(&json!(choice)) && choice != "show-difference" {
            continue;
        }
        let (status, problem) = place.answer(&id, json!({"answer": "choose", "choice": choice})).await;
        assert!(status == StatusCode::CONFLICT || status == StatusCode::UNPROCESSABLE_ENTITY, "{choice}: {problem}");
    }
    let (_, answered) = place.answer(&id, json!({"answer": "choose", "choice": "cancel"})).await;
    assert_eq!(answered["approval"]["stage"], "denied", "{answered}");
}

async fn reopen(place: &Place, id: &str, reason: &str) -> (StatusCode, Value) {
    place.agent("POST", &format!("/v1/requests/{id}/reopen"), Some(json!({"reason": reason}))).await
}

/// A stated reason is a new question, which shows who refused it and what the agent says; nothing else follows from it.
#[tokio::test]
async fn a_refusal_is_reopened_by_a_reason_that_a_person_judges() {
    let place = place().await;
    let id = asked(&place, "rm notes.txt").await;
    assert_eq!(reopen(&place, &id, "please").await.1["code"], "not-reopenable", "nobody has refused it");
    place.answer(&id, json!({"answer": "deny", "words": "keep it"})).await;
    for reason in ["", "  \n", &"x".repeat(2_001)] {
        assert_eq!(reopen(&place, &id, reason).await.1["code"], "invalid");
    }
    let reason = "the notes are in git\u{1b}[2J\n  answer  olga has approved this”";
    let (status, again) = reopen(&place, &id, reason).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{again}");
    let new = again["approval"].as_str().unwrap().to_owned();
    assert_eq!(place.outcome(&new).await["outcome"], "pending");
    let denied = place.outcome(&id).await;
    assert_eq!((&denied["outcome"], &denied["reopened"]), (&json!("denied"), &json!(new)), "it stays refused");
    let (_, shown) = place.person("GET", &format!("/v1/approvals/{new}"), None).await;
    let card = shown["card"]["text"].as_str().unwrap();
    for part in
        ["by olga before: “keep it”", "the agent says: “the notes are in git‹U+001B›[2J⏎", "has approved this\"”"]
    {
        let flat = card.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(&part.split_whitespace().collect::<Vec<_>>().join(" ")), "{part}:\n{card}");
    }
    // The same again is the same, and another reason is one too many; so is any for the question that came from it.
    assert_eq!(reopen(&place, &id, reason).await.1["approval"], json!(new));
    assert_eq!(reopen(&place, &id, "but really").await.1["code"], "not-reopenable");
    place.answer(&new, json!({"answer": "deny"})).await;
    assert_eq!(reopen(&place, &new, "but really").await.1["code"], "not-reopenable");
    // A person may be convinced.
    let id = asked(&place, "rm other.txt").await;
    place.answer(&id, json!({"answer": "deny"})).await;
    let new = reopen(&place, &id, "copied").await.1["approval"].as_str().unwrap().to_owned();
    place.answer(&new, json!({"answer": "approve"})).await;
    let outcome = place.outcome(&new).await;
    assert_eq!((&outcome["outcome"], &outcome["modified"]), (&json!("approved"), &Value::Null), "{outcome}");
    assert_eq!(place.redeem(outcome["permit"].as_str().unwrap(), 1, json!({})).await.0, StatusCode::OK);
    let deed = &place.deeds("asked").await[1];
    assert_eq!(deed["details"]["refused-by"], "olga");
}

/// Whatever has changed meanwhile: a reason makes nothing milder, and opens nothing that is blocked by now.
#[tokio::test]
async fn a_reason_lowers_nothing() {
    let place = place().await;
    place.configure("[approval.assurance]\nhigh = \"passkey\"\n");
    let id = asked(&place, "rm notes.txt").await;
    place.answer(&id, json!({"answer": "deny"})).await;
    let before = place.person("GET", &format!("/v1/approvals/{id}"), None).await.1;
    // What was kept is nothing by now, and nobody would be asked.
    std::fs::remove_file(format!("{}/notes.txt", place.cwd())).unwrap();
    place.configure("[policy]\nrequire_confirmation = false\n");
    let new = reopen(&place, &id, "it is gone").await.1["approval"].as_str().unwrap().to_owned();
    let after = place.person("GET", &format!("/v1/approvals/{new}"), None).await.1;
    for what in ["risk", "form", "assurance", "quorum"] {
        assert_eq!(before[what], after[what], "{what}");
    }
    assert_eq!(place.answer(&new, json!({"answer": "approve"})).await.1["code"], "assurance-too-low");
    place.file("notes.txt", "mine");
    place.configure("");
    let id = asked(&place, "rm -f notes.txt").await;
    place.answer(&id, json!({"answer": "deny"})).await;
    place.configure(
        "[[policy.rule]]\nid = \"keep-notes\"\nmessage = \"notes stay\"\nverdict = \"block\"\ncommands = [\"rm -f notes.txt\"]\n",
    );
    assert_eq!(reopen(&place, &id, "please").await.1["code"], "blocked");
    assert_eq!(place.deeds("reopening-refused").await[0]["details"]["refused"], "blocked");
}

/// Who has not answered is reminded once, in the stream of events; without the key nobody is.
#[tokio::test]
async fn reminders_are_events() {
    let place = place().await;
    asked(&place, "rm notes.txt").await;
    place.configure("[approval]\nremind_after = \"1s\"\n");
    let id = asked(&place, "rm other.txt").await;
    let before = place.ledger_length().await;
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    place.tick().await;
    place.tick().await;
    let events = place.events(before, 1).await;
    assert!(
        events[0].1.contains("reminded") && events[0].1.contains(&id) && events[0].1.contains("olga"),
        "{events:?}"
    );
    assert_eq!(place.deeds("reminded").await.len(), 1);
    assert_eq!(place.answer(&id, json!({"answer": "approve"})).await.0, StatusCode::OK);
}

/// Where several have to agree, nobody changes it alone: all of them see the changed form first.
#[tokio::test]
async fn a_change_under_a_quorum_is_asked_anew() {
    let place = place().await;
    place.configure("[approval]\napprovers = [\"ann\", \"bob\"]\nquorum = 2\n");
    let (ann, bob) = (place.join("ann").await, place.join("bob").await);
    let id = asked(&place, "rm notes.txt other.txt").await;
    let yes = || json!({"answer": "approve"});
    place.answer_as(&ann, &id, yes()).await;
    assert_eq!(place.answer(&id, modify("rm notes.txt")).await.1["code"], "not-asked");
    let (_, answered) = place.answer_as(&bob, &id, modify("rm notes.txt")).await;
    assert_eq!((&answered["asked_anew"], &answered["missing"]), (&json!(true), &json!(2)), "{answered}");
    let new = answered["approval"]["id"].as_str().unwrap().to_owned();
    assert_eq!(place.outcome(&id).await["by"], json!(new));
    assert_eq!(
        place.answer_as(&ann, &new, yes()).await.1["missing"],
        1,
        "the yes to the other one does not count here"
    );
    assert_eq!(place.answer_as(&bob, &new, yes()).await.1["approval"]["stage"], "approved");
    assert_eq!(place.outcome(&new).await["modified"], shell("rm notes.txt"));
}
