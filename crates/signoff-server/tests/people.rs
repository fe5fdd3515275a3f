//! Who may do what: administrators and members, how people come and go, and what goes with them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

#[allow(dead_code, reason = "each file of tests uses its own part")]
mod place;

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use axum::http::StatusCode;
use place::Place;
use serde_json::{Value, json};
use signoff_model::Timestamp;

const HOUR: i64 = 3_600_000;

async fn invite(place: &Place, login: &str, person: &str, role: Option<&str>) -> (StatusCode, Value) {
    let mut body = json!({"person": person});
    if let Some(role) = role {
        body["role"] = json!(role);
    }
    place.call("POST", "/v1/invitations", Some(login), Some(body)).await
}

async fn accept(place: &Place, invitation: &Value, password: &str) -> (StatusCode, Value) {
    let body = json!({"invitation": invitation, "password": password});
    place.call("POST", "/v1/people", None, Some(body)).await
}

async fn log_in(place: &Place, person: &str, password: &str) -> (StatusCode, String) {
    let body = json!({"person": person, "password": password});
    let (status, login) = place.call("POST", "/v1/login", None, Some(body)).await;
    (status, login["token"].as_str().unwrap_or_default().to_owned())
}

async fn roles(place: &Place, login: &str) -> Vec<(String, String)> {
    let (_, people) = place.call("GET", "/v1/people", Some(login), None).await;
    let text = |person: &Value, name: &str| person[name].as_str().unwrap().to_owned();
    people.as_array().unwrap().iter().map(|person| (text(person, "person"), text(person, "role"))).collect()
}

fn code((status, body): &(StatusCode, Value)) -> (u16, &str) {
    (status.as_u16(), body["code"].as_str().unwrap_or_default())
}

/// Whoever an agent works for does not make the people who are to look at what it does.
#[tokio::test]
async fn nobody_but_an_administrator_makes_the_people_of_a_quorum() {
    let place = Place::new().await;
    place.configure("[approval]\napprovers = [\"boss\", \"ann\"]\nquorum = 2\nseparation = true\n");
    place.file("notes.txt", "mine");
    let mallory = place.join("mallory").await;
    let body = Some(json!({"agent": "hers"}));
    let (_, made) = place.call("POST", "/v1/agents", Some(&mallory), body).await;
    let (_, cwd) = place.here();
    let from = place::From { agent_key: made["key"].as_str().unwrap(), session: "s", cwd: &cwd };
    let verdict = place.ask_from(from, "k", "rm notes.txt").await;
    assert_eq!(verdict["verdict"], "ask", "{verdict}");
    for person in ["boss", "ann"] {
        for role in [None, Some("member"), Some("administrator")] {
            let refused = invite(&place, &mallory, person, role).await;
            assert_eq!(code(&refused), (403, "administrators-only"), "{refused:?}");
        }
    }
    let me = place.call("GET", "/v1/me", Some(&mallory), None).await;
    assert_eq!(me.1, json!({"person": "mallory", "role": "member"}));
}

#[tokio::test]
async fn members_keep_to_what_is_their_own() {
    let place = Place::new().await;
    let ann = place.join("ann").await;
    let as_ann =
        |method: &'static str, path: &'static str, body: Option<Value>| place.call(method, path, Some(&ann), body);
    for (method, path) in [("DELETE", "/v1/people/olga"), ("DELETE", "/v1/people/ann"), ("DELETE", "/v1/agents/claude")]
    {
        assert_eq!(code(&as_ann(method, path, None).await), (403, "administrators-only"), "{method} {path}");
    }
    assert_eq!(as_ann("POST", "/v1/agents", Some(json!({"agent": "hers"}))).await.0, StatusCode::CREATED);
    assert_eq!(as_ann("DELETE", "/v1/agents/hers", None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(code(&as_ann("DELETE", "/v1/agents/hers", None).await), (404, "not-found"));

    // Neither lifted, nor taken over to be lifted then.
    place.person("POST", "/v1/lockdown", None).await;
    assert_eq!(code(&as_ann("DELETE", "/v1/lockdown", None).await), (403, "not-yours"));
    assert_eq!(as_ann("POST", "/v1/lockdown", None).await.1["by"], "olga");
    assert_eq!(code(&as_ann("DELETE", "/v1/lockdown", None).await), (403, "not-yours"));
    assert_eq!(place.verdict("rm x").await["verdict"], "block");
    assert_eq!(place.person("DELETE", "/v1/lockdown", None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(as_ann("POST", "/v1/lockdown", None).await.1["by"], "ann");
    assert_eq!(as_ann("DELETE", "/v1/lockdown", None).await.0, StatusCode::NO_CONTENT);

    let pause = || Some(json!({"for_seconds": 60}));
    place.person("POST", "/v1/pause", pause()).await;
    assert_eq!(code(&as_ann("DELETE", "/v1/pause", None).await), (403, "not-yours"));
    assert_eq!(code(&as_ann("POST", "/v1/pause", pause()).await), (403, "not-yours"));
    assert_eq!(place.person("DELETE", "/v1/pause", None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(as_ann("POST", "/v1/pause", pause()).await.1["by"], "ann");
    // And an administrator ends whatever was ordered.
    assert_eq!(place.person("DELETE", "/v1/pause", None).await.0, StatusCode::NO_CONTENT);
    as_ann("POST", "/v1/lockdown", None).await;
    assert_eq!(place.person("DELETE", "/v1/lockdown", None).await.0, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn administrators_make_others_and_the_last_one_stays() {
    let place = Place::new().await;
    assert_eq!(code(&place.person("DELETE", "/v1/people/olga", None).await), (409, "last-administrator"));
    let (_, invited) = invite(&place, &place.login, "ann", Some("administrator")).await;
    assert_eq!(accept(&place, &invited["invitation"], "long enough").await.1["role"], "administrator");
    let (_, invited) = invite(&place, &place.login, "bob", None).await;
    assert_eq!(accept(&place, &invited["invitation"], "long enough").await.1["role"], "member");
    let (_, ann) = log_in(&place, "ann", "long enough").await;
    let found = roles(&place, &ann).await;
    let expected = [("ann", "administrator"), ("bob", "member"), ("olga", "administrator")];
    assert_eq!(found, expected.map(|(person, role)| (person.to_owned(), role.to_owned())));
    let (_, people) = place.person("GET", "/v1/people", None).await;
    assert_eq!((&people[1]["invited_by"], &people[2]["invited_by"]), (&json!("olga"), &Value::Null), "{people}");
    assert_eq!(place.deeds("joined").await.last().unwrap()["details"]["invited_by"], "olga");
    assert_eq!(code(&invite(&place, &ann, "x", Some("king")).await), (422, "malformed"));

    assert_eq!(place.call("DELETE", "/v1/people/olga", Some(&ann), None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(code(&place.call("DELETE", "/v1/people/olga", Some(&ann), None).await), (404, "not-found"));
    assert_eq!(code(&place.call("DELETE", "/v1/people/ann", Some(&ann), None).await), (409, "last-administrator"));
}

/// Two who remove each other in the same moment do not both succeed.
#[tokio::test]
async fn there_is_always_an_administrator() {
    for _ in 0..20 {
        let place = Place::new().await;
        let (_, invited) = invite(&place, &place.login, "ann", Some("administrator")).await;
        accept(&place, &invited["invitation"], "long enough").await;
        let (_, ann) = log_in(&place, "ann", "long enough").await;
        let (one, other) = tokio::join!(
            place.call("DELETE", "/v1/people/olga", Some(&ann), None),
            place.call("DELETE", "/v1/people/ann", Some(&place.login), None),
        );
        let gone = [&one, &other].iter().filter(|answer| answer.0 == StatusCode::NO_CONTENT).count();
        assert_eq!(gone, 1, "{one:?} {other:?}");
    }
}

/// With somebody goes whatever was theirs, and whoever comes later under the name finds nothing of it.
#[tokio::test]
async fn whoever_is_removed_leaves_nothing_behind() {
    let place = Place::new().await;
    let (_, invited) = invite(&place, &place.login, "ann", Some("administrator")).await;
    accept(&place, &invited["invitation"], "long enough").await;
    let (_, ann) = log_in(&place, "ann", "long enough").await;
    let (_, made) = place.call("POST", "/v1/agents", Some(&ann), Some(json!({"agent": "hers"}))).await;
    let key = made["key"].as_str().unwrap().to_owned();
    let (_, hers) = invite(&place, &ann, "puppet", Some("administrator")).await;
    place.call("POST", "/v1/pause", Some(&ann), Some(json!({"for_seconds": 60}))).await;
    let handed = json!({"to": "olga", "for_seconds": 60});
    assert_eq!(place.call("POST", "/v1/delegations", Some(&ann), Some(handed)).await.0, StatusCode::CREATED);

    assert_eq!(place.person("DELETE", "/v1/people/ann", None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(place.call("GET", "/v1/me", Some(&ann), None).await.0, StatusCode::UNAUTHORIZED);
    let ask = json!({"key": "k", "operation": {"kind": "shell", "cmd": "ls"}, "cwd": place.cwd()});
    assert_eq!(place.call("POST", "/v1/requests", Some(&key), Some(ask)).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(code(&accept(&place, &hers["invitation"], "long enough").await), (403, "not-invited"));
    assert_eq!(place.person("GET", "/v1/standing", None).await.1["pause"], Value::Null);
    let (_, delegations) = place.person("GET", "/v1/delegations", None).await;
    assert_eq!(delegations.as_array().map(Vec::len), Some(0), "{delegations}");
    assert_eq!(place.deeds("removed").await.len(), 1);
    assert_eq!(place.deeds("agent-removed").await.len(), 1);

    place.join("ann").await;
    assert_eq!(place.call("GET", "/v1/me", Some(&ann), None).await.0, StatusCode::UNAUTHORIZED);
}

/// Where a login has outlived an account in any way, it is not that of the next one of the name.
#[tokio::test]
async fn a_login_is_of_one_account() {
    let now = Arc::new(AtomicI64::new(1_000 * HOUR));
    let clock = Arc::clone(&now);
    let place = Place::with_clock(Arc::new(move || Timestamp::from_millis(clock.load(Ordering::SeqCst)))).await;
    let ann = place.join("ann").await;
    let before = place.logins_of("ann").await;
    place.person("DELETE", "/v1/people/ann", None).await;
    now.fetch_add(HOUR, Ordering::SeqCst);
    place.join("ann").await;
    for (name, text) in before {
        place.put("logins", &name, None, Some(text)).await;
    }
    assert_eq!(place.call("GET", "/v1/me", Some(&ann), None).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn logins_whose_time_is_over_are_swept() {
    let now = Arc::new(AtomicI64::new(1_000 * HOUR));
    let clock = Arc::clone(&now);
    let place = Place::with_clock(Arc::new(move || Timestamp::from_millis(clock.load(Ordering::SeqCst)))).await;
    invite(&place, &place.login, "late", None).await;
    for _ in 0..3 {
        log_in(&place, "olga", "correct horse").await;
    }
    assert_eq!((place.kept("logins").await, place.kept("invitations").await), (4, 1));
    now.fetch_add(12 * HOUR - 1, Ordering::SeqCst);
    log_in(&place, "olga", "correct horse").await;
    assert_eq!(place.kept("logins").await, 5, "they are good until then");
    now.fetch_add(1, Ordering::SeqCst);
    log_in(&place, "olga", "correct horse").await;
    assert_eq!(place.kept("logins").await, 2);
    now.fetch_add(12 * HOUR, Ordering::SeqCst);
    let (_, login) = log_in(&place, "olga", "correct horse").await;
    assert_eq!(invite(&place, &login, "other", None).await.0, StatusCode::CREATED);
    assert_eq!(place.kept("invitations").await, 1);
}

/// In a store of a version that knew no roles, the oldest account is the administrator, and stays the only one.
#[tokio::test]
async fn the_oldest_account_of_an_earlier_version_is_the_administrator() {
    let now = Arc::new(AtomicI64::new(1_000 * HOUR));
    let clock = Arc::clone(&now);
    let place = Place::with_clock(Arc::new(move || Timestamp::from_millis(clock.load(Ordering::SeqCst)))).await;
    now.fetch_add(1_000, Ordering::SeqCst);
    let ann = place.join("ann").await;
    place.forget_roles().await;
    assert_eq!(code(&invite(&place, &ann, "x", None).await), (403, "administrators-only"));
    assert_eq!(place.deeds("became-administrator").await.len(), 1);
    let (_, invited) = invite(&place, &place.login, "bob", Some("administrator")).await;
    accept(&place, &invited["invitation"], "long enough").await;
    let (_, bob) = log_in(&place, "bob", "long enough").await;
    assert_eq!(place.call("DELETE", "/v1/people/olga", Some(&bob), None).await.0, StatusCode::NO_CONTENT);
    // Whoever is the oldest then becomes nothing by that.
    assert_eq!(code(&invite(&place, &ann, "x", None).await), (403, "administrators-only"));
    assert_eq!(place.deeds("became-administrator").await.len(), 1);
}

#[tokio::test]
async fn a_password_is_changed_by_whoever_knows_it() {
    let place = Place::new().await;
    let (_, other) = log_in(&place, "olga", "correct horse").await;
    let change = |old: &str, new: &str| Some(json!({"password": old, "new": new}));
    for (old, new, expected) in
        [("wrong horse", "another horse", (401, "wrong-password")), ("correct horse", "short", (422, "bad-password"))]
    {
        assert_eq!(code(&place.person("POST", "/v1/password", change(old, new)).await), expected);
    }
    assert_eq!(place.call("GET", "/v1/me", Some(&other), None).await.0, StatusCode::OK);
    let changed = place.person("POST", "/v1/password", change("correct horse", "another horse")).await;
    assert_eq!(changed.0, StatusCode::NO_CONTENT, "{changed:?}");
    assert_eq!(log_in(&place, "olga", "correct horse").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(log_in(&place, "olga", "another horse").await.0, StatusCode::OK);
    // Whoever had come in with the old one is out, but for the one who changed it.
    assert_eq!(place.call("GET", "/v1/me", Some(&other), None).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(place.person("GET", "/v1/me", None).await.0, StatusCode::OK);
    assert_eq!(place.deeds("password-changed").await.len(), 1);
    // Nobody finds it out here who is not let try at the door.
    for _ in 0..10 {
        place.person("POST", "/v1/password", change("wrong horse", "another horse")).await;
    }
    let tried = place.person("POST", "/v1/password", change("another horse", "correct horse")).await;
    assert_eq!(tried.0, StatusCode::TOO_MANY_REQUESTS);
}

/// People see by whom those who said yes were invited.
#[tokio::test]
async fn a_yes_tells_who_invited_whoever_said_it() {
    let place = Place::new().await;
    place.configure("[approval]\napprovers = [\"ann\", \"bob\"]\nquorum = 2\nseparation = true\n");
    place.file("notes.txt", "mine");
    let (_, invited) = invite(&place, &place.login, "ann", None).await;
    accept(&place, &invited["invitation"], "long enough").await;
    let (_, ann) = log_in(&place, "ann", "long enough").await;
    let (_, verdict) = place.ask("k", "rm notes.txt").await;
    let id = verdict["approval"].as_str().unwrap().to_owned();
    let (_, answered) = place.answer_as(&ann, &id, json!({"answer": "approve"})).await;
    assert_eq!(answered["missing"], 1, "{answered}");
    let (_, shown) = place.person("GET", &format!("/v1/approvals/{id}"), None).await;
    assert_eq!((&shown["owner"], &shown["votes"][0]["invited_by"]), (&json!("olga"), &json!("olga")), "{shown}");
}
