//! A while without questions, and a lockdown: what they do, and what nothing can make them do.

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

async fn pause(place: &Place, seconds: u64) -> (StatusCode, Value) {
    place.person("POST", "/v1/pause", Some(json!({"for_seconds": seconds}))).await
}

#[tokio::test]
async fn a_pause_spares_its_person_and_lifts_nothing_else() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    for (seconds, code) in [(0, "too-long"), (3_601, "too-long")] {
        let (status, problem) = pause(&place, seconds).await;
        assert_eq!((status, &problem["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!(code)), "{problem}");
    }
    assert_eq!(place.verdict("rm notes.txt").await["verdict"], "ask");
    assert_eq!(pause(&place, 3_600).await.0, StatusCode::OK);
    let told = place.verdict("rm notes.txt").await;
    assert_eq!(
        (&told["verdict"], &told["decision"], &told["paused_by"]),
        (&json!("allow"), &json!("execute_directly"), &json!("olga")),
        "{told}"
    );
    // Law 5, and what is critical.
    for (command, expected) in [("rm -rf /", "block"), ("terraform destroy -auto-approve", "ask"), ("ls", "allow")] {
        let told = place.verdict(command).await;
        assert_eq!(told["verdict"], expected, "{command}: {told}");
        assert!(told["paused_by"].is_null(), "{command}: {told}");
    }
    // It is in the ledger who spared whom what.
    let deeds = place.deeds("allowed").await;
    assert!(deeds.iter().any(|deed| deed.to_string().contains("paused-by")), "{deeds:?}");
    assert_eq!(place.deeds("paused").await.len(), 1);

    assert_eq!(place.person("DELETE", "/v1/pause", None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(place.verdict("rm notes.txt").await["verdict"], "ask");

    // It ends by itself.
    assert_eq!(pause(&place, 1).await.0, StatusCode::OK);
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    assert_eq!(place.verdict("rm notes.txt").await["verdict"], "ask");
    assert!(place.person("GET", "/v1/standing", None).await.1["pause"].is_null());
}

#[tokio::test]
async fn nobody_pauses_the_questions_to_others() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    for settings in [
        "[approval]\napprovers = [\"ann\"]\n",
        "[approval]\napprovers = [\"olga\", \"ann\", \"bob\"]\nquorum = 2\n",
        "[approval]\napprovers = [\"olga\", \"ann\"]\nseparation = true\n",
        "[approval.assurance]\nhigh = \"passkey\"\n",
    ] {
        place.configure(settings);
        assert_eq!(pause(&place, 60).await.0, StatusCode::OK);
        assert_eq!(place.verdict("rm notes.txt").await["verdict"], "ask", "{settings}");
    }
    // Whoever is no agent's owner spares that agent nothing.
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    let zoe = place.join("zoe").await;
    let (status, _) = place.call("POST", "/v1/pause", Some(&zoe), Some(json!({"for_seconds": 60}))).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(place.verdict("rm notes.txt").await["verdict"], "ask");
}

#[tokio::test]
async fn a_lockdown_blocks_whatever_is_not_harmless_until_a_person_lifts_it() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    let permit = place.approved("rm notes.txt").await;
    let open = place.verdict("rm -f notes.txt").await["approval"].as_str().unwrap().to_owned();
    assert_eq!(place.verdict("touch new.txt").await["verdict"], "allow");
    assert_eq!(pause(&place, 60).await.0, StatusCode::OK);
    assert_eq!(place.person("POST", "/v1/lockdown", None).await.0, StatusCode::OK);

    // A yes from before, a pause and a low risk do not help.
    for command in ["rm notes.txt", "touch new.txt", "git push origin main"] {
        let told = place.verdict(command).await;
        assert_eq!((&told["verdict"], &told["locked_down_by"]), (&json!("block"), &json!("olga")), "{command}: {told}");
    }
    let (status, problem) = place.redeem(&permit, 1, json!({})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::LOCKED, &json!("locked-down")), "{problem}");
    assert_eq!(place.answer(&open, json!({"answer": "approve"})).await.0, StatusCode::OK, "people go on");
    let late = place.outcome(&open).await["permit"].as_str().unwrap().to_owned();
    assert_eq!(place.redeem(&late, 2, json!({})).await.0, StatusCode::LOCKED);
    for command in ["ls", "git status"] {
        assert_eq!(place.verdict(command).await["verdict"], "allow", "{command}");
    }
    // An agent does not lift it.
    assert_ne!(place.agent("DELETE", "/v1/lockdown", None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(place.person("GET", "/v1/standing", None).await.1["lockdown"]["by"], "olga");

    assert_eq!(place.person("DELETE", "/v1/lockdown", None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(place.verdict("touch new.txt").await["verdict"], "allow");
    assert_eq!(place.redeem(&permit, 3, json!({})).await.0, StatusCode::OK, "the yes was still good");
    for what in ["locked-down", "lifted"] {
        assert_eq!(place.deeds(what).await.len(), 1, "{what}");
    }
}
