//! Trust: what raises it, what lowers it, and what it never covers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

#[allow(dead_code, reason = "each file of tests uses its own part")]
mod place;

use axum::http::StatusCode;
use place::Place;
use serde_json::{Value, json};

async fn score(place: &Place) -> Option<u64> {
    place.person("GET", "/v1/trust", None).await.1[0]["score"].as_u64()
}

/// Asks, and lets the person say yes; then it is run and reported.
async fn done(place: &Place, command: &str, report: Value) {
    let id = place.verdict(command).await["approval"].as_str().unwrap().to_owned();
    assert_eq!(place.answer(&id, json!({"answer": "approve"})).await.0, StatusCode::OK);
    let permit = place.outcome(&id).await["permit"].as_str().unwrap().to_owned();
    assert_eq!(place.redeem(&permit, 1, json!({})).await.0, StatusCode::OK);
    let mut body = json!({"permit": permit});
    body.as_object_mut().unwrap().extend(report.as_object().unwrap().clone());
    // Whoever says it twice has said it once.
    for _ in 0..2 {
        assert_eq!(place.agent("POST", "/v1/permits/report", Some(body.clone())).await.0, StatusCode::NO_CONTENT);
    }
}

async fn refused(place: &Place, command: &str) {
    let id = place.verdict(command).await["approval"].as_str().unwrap().to_owned();
    assert_eq!(place.answer(&id, json!({"answer": "deny"})).await.0, StatusCode::OK);
}

#[tokio::test]
async fn trust_follows_what_people_said_and_what_became_of_it() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    // Looking, and what nobody was asked about, teaches nothing.
    for _ in 0..5 {
        place.verdict("ls").await;
        place.verdict("touch new.txt").await;
    }
    assert_eq!(score(&place).await, None);
    done(&place, "git push origin a", json!({"success": true})).await;
    assert_eq!(score(&place).await, Some(510));
    done(&place, "git push origin b", json!({"success": false})).await;
    assert_eq!(score(&place).await, Some(510), "what failed earns nothing");
    refused(&place, "git push origin c").await;
    assert_eq!(score(&place).await, Some(460));
    assert_eq!(place.deeds("trust-changed").await.len(), 2);

    // It is that person's to forget, and nobody else's.
    let id = place.person("GET", "/v1/trust", None).await.1[0]["id"].as_str().unwrap().to_owned();
    let zoe = place.join("zoe").await;
    assert_eq!(place.call("DELETE", &format!("/v1/trust/{id}"), Some(&zoe), None).await.0, StatusCode::NOT_FOUND);
    assert_eq!(place.person("DELETE", &format!("/v1/trust/{id}"), None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(score(&place).await, None);
}

#[tokio::test]
async fn whoever_is_refused_again_and_again_is_asked_about_in_everything() {
    let place = Place::new().await;
    for number in 0..6 {
        assert_eq!(place.verdict("ls").await["verdict"], "allow", "after {number}");
        refused(&place, &format!("git push origin {number}")).await;
    }
    assert_eq!(score(&place).await, Some(200));
    assert_eq!(place.verdict("ls").await["verdict"], "ask");
    // Neither a pause nor a grant helps.
    assert_eq!(place.person("POST", "/v1/pause", Some(json!({"for_seconds": 60}))).await.0, StatusCode::OK);
    let grant = json!({"kind": "pattern", "pattern": "ls *", "everywhere": true, "for_seconds": 60});
    assert_eq!(place.person("POST", "/v1/grants", Some(grant)).await.0, StatusCode::CREATED);
    assert_eq!(place.verdict("ls").await["verdict"], "ask");
}

#[tokio::test]
async fn trust_covers_low_risk_and_no_more() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    place.configure("[policy]\nposture = \"strict\"\n[trust]\nincrement = 0.3\n");
    assert_eq!(place.verdict("touch new.txt").await["verdict"], "ask");
    done(&place, "touch other.txt", json!({"success": true})).await;
    assert_eq!(score(&place).await, Some(800));
    assert_eq!(place.verdict("touch new.txt").await["verdict"], "allow");
    for command in ["git push origin main", "rm notes.txt"] {
        assert_eq!(place.verdict(command).await["verdict"], "ask", "{command}");
    }
    assert_eq!(place.verdict("rm -rf /").await["verdict"], "block");
}

#[tokio::test]
async fn the_policy_is_told_with_where_it_comes_from() {
    let place = Place::new().await;
    place.configure("[policy]\nposture = \"strict\"\n");
    let (status, policy) = place.person("GET", "/v1/policy", None).await;
    assert_eq!(status, StatusCode::OK, "{policy}");
    let posture = policy["settings"].as_array().unwrap().iter().find(|one| one["key"] == "policy.posture").unwrap();
    assert_eq!((&posture["layer"], &posture["line"]), (&json!("user"), &json!(2)), "{posture}");
    assert!(posture["value"].as_str().unwrap().contains("strict"), "{posture}");
    assert_ne!(place.agent("GET", "/v1/policy", None).await.0, StatusCode::OK);
}
