//! Standing permission: what it answers, and everything that it does not.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

#[allow(dead_code, reason = "each file of tests uses its own part")]
mod place;

use std::time::Duration;

use axum::http::StatusCode;
use place::{From, Place};
use serde_json::{Value, json};

/// A question that is open.
async fn asked(place: &Place, command: &str) -> String {
    let (_, verdict) = place.ask(&format!("first {command}"), command).await;
    verdict["approval"].as_str().unwrap_or_else(|| panic!("{command} asks: {verdict}")).to_owned()
}

async fn grant_to(place: &Place, id: &str, body: Value) -> (StatusCode, Value) {
    place.person("POST", &format!("/v1/approvals/{id}/grant"), Some(body)).await
}

async fn give(place: &Place, body: Value) -> (StatusCode, Value) {
    place.person("POST", "/v1/grants", Some(body)).await
}

/// A grant for a form of command in every project.
async fn everywhere(place: &Place, pattern: &str, covers: &str) -> String {
    let body = json!({
        "kind": "pattern", "pattern": pattern, "everywhere": true, "covers": covers, "for_seconds": 3600,
    });
    let (status, grant) = give(place, body).await;
    assert_eq!(status, StatusCode::CREATED, "{grant}");
    grant["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_grant_straight_from_a_question_answers_it_and_others_like_it() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    let id = asked(&place, "git push origin a").await;
    let body = json!({"kind": "pattern", "pattern": "git push *", "for_seconds": 3600});
    let (status, granted) = grant_to(&place, &id, body).await;
    assert_eq!((status, &granted["approval"]["stage"]), (StatusCode::CREATED, &json!("approved")), "{granted}");
    let grant = &granted["grant"];
    for (name, value) in [
        ("pattern", json!("git push *")),
        ("project", json!(place.cwd())),
        ("agent", json!("claude")),
        ("by", json!("olga")),
        ("covers", json!("medium")),
    ] {
        assert_eq!(grant[name], value, "{grant}");
    }
    // The question itself runs by its own permit.
    assert!(place.outcome(&id).await["permit"].is_string());

    let told = place.verdict("git push origin b").await;
    assert_eq!((&told["verdict"], &told["grant"]), (&json!("allow"), &grant["id"]), "{told}");
    let cwd = place.cwd();
    for (command, expected) in [
        ("git push".to_owned(), "allow"),
        ("git status && git push origin c".to_owned(), "allow"),
        (format!("cd {cwd} && git push origin c"), "allow"),
        ("git push origin b && rm notes.txt".to_owned(), "ask"),
        ("git push origin b; git pull; rm -rf src".to_owned(), "ask"),
        ("git push origin $BRANCH".to_owned(), "ask"),
        ("git push origin $(cat notes.txt)".to_owned(), "ask"),
        ("git push origin b > notes.txt".to_owned(), "ask"),
        ("GIT_SSH=./x git push origin b".to_owned(), "ask"),
        ("git() { rm notes.txt; }; git push origin b".to_owned(), "ask"),
        ("bash -c 'git push origin b'".to_owned(), "ask"),
        ("cd /tmp && git push origin b".to_owned(), "ask"),
        ("git -C /tmp push origin b".to_owned(), "ask"),
        ("git push --force origin main".to_owned(), "ask"),
        ("git push origin --delete b".to_owned(), "ask"),
    ] {
        let told = place.verdict(&command).await;
        assert_eq!(told["verdict"], expected, "{command}: {told}");
    }
    let used = place.deeds("grant-used").await;
    assert_eq!(used.len(), 4, "{used:?}");
    assert!(used.iter().all(|deed| deed["details"]["grant"] == grant["id"] && deed["by"]["agent"] == "claude"));
    let made = place.deeds("grant-made").await;
    assert_eq!((made.len(), &made[0]["approval"], &made[0]["by"]["person"]), (1, &json!(id), &json!("olga")));
}

#[tokio::test]
async fn an_exact_grant_is_for_this_and_nothing_else() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    place.file("deploy.sh", "git push origin a");
    let id = asked(&place, "rm notes.txt").await;
    let (status, granted) = grant_to(&place, &id, json!({"kind": "exact", "for_seconds": 3600})).await;
    assert_eq!(status, StatusCode::CREATED, "{granted}");
    assert_eq!(place.verdict("rm notes.txt").await["verdict"], "allow");
    place.file("other.txt", "mine");
    for other in ["rm  notes.txt", "rm ./notes.txt", "rm other.txt", "rm notes.txt other.txt"] {
        assert_eq!(place.verdict(other).await["verdict"], "ask", "{other}");
    }
    let (key, elsewhere) = (place.agent_key.clone(), place.elsewhere());
    std::fs::write(format!("{elsewhere}/notes.txt"), "another's").unwrap();
    let from = From { agent_key: &key, session: "session-1", cwd: &elsewhere };
    assert_eq!(place.ask_from(from, "e", "rm notes.txt").await["verdict"], "ask");

    // What a script holds is a part of it.
    let id = asked(&place, "bash deploy.sh").await;
    let (status, granted) = grant_to(&place, &id, json!({"kind": "exact", "for_seconds": 3600})).await;
    assert_eq!(status, StatusCode::CREATED, "{granted}");
    assert_eq!(place.verdict("bash deploy.sh").await["verdict"], "allow");
    place.file("deploy.sh", "git push origin b");
    assert_eq!(place.verdict("bash deploy.sh").await["verdict"], "ask");

    // By itself, it is looked at first.
    let body = |cmd: &str| {
        json!({
            "kind": "exact", "operation": {"kind": "shell", "cmd": cmd}, "cwd": place.cwd(), "for_seconds": 60,
        })
    };
    assert_eq!(give(&place, body("git push origin z")).await.0, StatusCode::CREATED);
    assert_eq!(place.verdict("git push origin z").await["verdict"], "allow");
    assert_eq!(place.verdict("git push origin y").await["verdict"], "ask");
    for (command, code) in [("ls", "grant-not-needed"), ("rm -rf /", "blocked")] {
        assert_eq!(give(&place, body(command)).await.1["code"], code, "{command}");
    }
}

/// What was shown is what is allowed: no more files are lost by an exact grant than those that people have seen, and none longer.
#[tokio::test]
async fn an_exact_grant_is_never_wider_than_what_was_shown() {
    let place = Place::new().await;
    let data = format!("{}/data", place.cwd());
    std::fs::create_dir(&data).unwrap();
    let file = |name: &str, text: &str| std::fs::write(format!("{data}/{name}"), text).unwrap();
    for name in ["a", "b", "c"] {
        file(name, "mine");
    }
    let id = asked(&place, "rm -rf data").await;
    let (status, granted) = grant_to(&place, &id, json!({"kind": "exact", "for_seconds": 3600})).await;
    assert_eq!((status, &granted["grant"]["loses_files"]), (StatusCode::CREATED, &json!(3)), "{granted}");
    let verdict = async || place.verdict("rm -rf data").await["verdict"].clone();
    assert_eq!(verdict().await, "allow");
    // Fewer and shorter ones are no more than that.
    file("a", "m");
    std::fs::remove_file(format!("{data}/b")).unwrap();
    assert_eq!(verdict().await, "allow");
    file("a", "mine, and more");
    assert_eq!(verdict().await, "ask", "a file has grown");
    file("a", "mine");
    assert_eq!(verdict().await, "allow");
    file("d", "");
    assert_eq!(verdict().await, "ask", "another file has come");
    for number in 0..3_000 {
        file(&format!("nobody-brings-this-back-{number}"), "mine");
    }
    assert_eq!(verdict().await, "ask");
    // What cannot be listed in full is no measure, neither from a question nor by itself.
    let (_, again) = place.ask("again", "rm -rf data").await;
    let id = again["approval"].as_str().unwrap().to_owned();
    let (_, refused) = grant_to(&place, &id, json!({"kind": "exact", "for_seconds": 3600})).await;
    assert_eq!(refused["code"], "grant-not-shown", "{refused}");
    assert_eq!(place.outcome(&id).await["outcome"], "pending");
    let by_itself = json!({
        "kind": "exact", "operation": {"kind": "shell", "cmd": "rm -rf data"}, "cwd": place.cwd(), "for_seconds": 60,
    });
    assert_eq!(give(&place, by_itself).await.1["code"], "grant-not-shown");
}

/// Whoever writes into the store has no grant: one that is made up, changed, or put under another name is none of the gate's.
#[tokio::test]
async fn a_grant_that_was_written_into_the_store_is_not_used() {
    let place = Place::new().await;
    let body = |pattern: &str| json!({"kind": "pattern", "pattern": pattern, "project": place.cwd(), "for_seconds": 60, "uses": 5});
    let made = async |pattern: &str| give(&place, body(pattern)).await.1["id"].as_str().unwrap().to_owned();
    let id = made("git push origin *").await;
    let text = place.item("grants", &id).await.unwrap();
    let bare = text.split_once(' ').unwrap().1.to_owned();
    let verdict = async || place.verdict("git push origin a").await["verdict"].clone();
    for (name, forged) in [
        ("more uses", text.replace("\"uses\":5", "\"uses\":9")),
        ("another form", text.replace("git push origin *", "git push *")),
        ("no mark", bare.clone()),
        ("a mark of somebody else", format!("{} {bare}", "0".repeat(64))),
    ] {
        assert_ne!(forged, text, "{name}");
        place.put("grants", &id, place.item("grants", &id).await, Some(forged)).await;
        assert_eq!(verdict().await, "ask", "{name}");
        assert_eq!(place.item("grants", &id).await, None, "{name}: it is taken away");
    }
    assert_eq!(place.deeds("grant-unsealed").await.len(), 4, "and the ledger says so, once each");
    // Under another name it is none either.
    let other = "0".repeat(32);
    place.put("grants", &other, None, Some(text)).await;
    assert_eq!(verdict().await, "ask");
    assert!(place.deeds("grant-used").await.is_empty());
    // Untouched it counts, so that the above means something.
    made("git push origin *").await;
    assert_eq!(verdict().await, "allow");
}

/// A plan: people see its steps, and their yes is one for each of those that are not grave, once.
#[tokio::test]
async fn a_yes_to_a_plan_is_one_for_each_of_its_steps() {
    let place = Place::new().await;
    place.file("old.txt", "mine");
    place.file("notes.txt", "mine");
    let shell = |command: &str| json!({"operation": {"kind": "shell", "cmd": command}});
    let plan = |key: &str, first: &str, then: &[&str]| {
        let then: Vec<Value> = then.iter().map(|command| shell(command)).collect();
        json!({"key": key, "operation": {"kind": "shell", "cmd": first}, "cwd": place.cwd(), "then": then})
    };
    let steps = ["rm old.txt", "ls", "git push origin b", "rm -rf ."];
    let body = plan("p", "git push origin a", &steps);
    let (_, asked) = place.agent("POST", "/v1/requests", Some(body.clone())).await;
    let id = asked["approval"].as_str().unwrap_or_else(|| panic!("{asked}")).to_owned();
    assert_eq!(asked["verdict"], "ask");
    let (_, shown) = place.person("GET", &format!("/v1/approvals/{id}?lang=en"), None).await;
    let settled: Vec<&str> =
        shown["steps"].as_array().unwrap().iter().map(|step| step["settled"].as_str().unwrap()).collect();
    assert_eq!(settled, ["by-the-yes", "harmless", "by-the-yes", "later"]);
    for step in steps {
        assert!(shown["card"]["text"].as_str().unwrap().contains(step), "{step}: {shown}");
    }
    // It is as grave as the gravest of what the yes is for.
    assert_eq!(shown["risk"], "high", "{shown}");
    // Before the yes, nothing of it counts, and a plan with other steps is another plan.
    assert_eq!(place.verdict("rm old.txt").await["verdict"], "ask");
    let (_, other) = place.agent("POST", "/v1/requests", Some(plan("p", "git push origin a", &steps[..1]))).await;
    assert_eq!(other["code"], "key-taken");
    assert_eq!(place.agent("POST", "/v1/requests", Some(body)).await.1["approval"], json!(id));

    assert_eq!(place.answer(&id, json!({"answer": "approve"})).await.0, StatusCode::OK);
    let (_, grants) = place.person("GET", "/v1/grants", None).await;
    let kinds: Vec<(&Value, &Value, &Value)> =
        grants.as_array().unwrap().iter().map(|one| (&one["kind"], &one["plan"], &one["uses_left"])).collect();
    assert_eq!(kinds, vec![(&json!("plan-step"), &json!(id), &json!(1)); 2], "{grants}");
    // Exactly this, here, in this session, losing no more than what was shown, and once.
    let (key, cwd) = place.here();
    let other = From { agent_key: &key, session: "session-2", cwd: &cwd };
    assert_eq!(place.ask_from(other, "s2", "rm old.txt").await["verdict"], "ask");
    for other in ["rm ./old.txt", "rm old.txt notes.txt", "rm -rf .", "git push origin c"] {
        assert_eq!(place.verdict(other).await["verdict"], "ask", "{other}");
    }
    place.file("old.txt", "mine, and much more than anybody has seen");
    assert_eq!(place.verdict("rm old.txt").await["verdict"], "ask");
    place.file("old.txt", "mine");
    assert_eq!(place.verdict("rm old.txt").await["verdict"], "allow");
    assert_eq!(place.verdict("rm old.txt").await["verdict"], "ask", "it was for once");
    assert_eq!(place.verdict("git push origin b").await["verdict"], "allow");
    assert_eq!(place.deeds("grant-made").await.iter().filter(|made| made["details"]["plan"] == json!(id)).count(), 2);
}

/// Nobody but people makes a plan count: neither a no nor a change gives its steps, and one that is blocked is none.
#[tokio::test]
async fn a_plan_gives_nothing_without_a_yes_to_it_as_it_is() {
    let place = Place::new().await;
    place.file("old.txt", "mine");
    let ask = async |key: &str, first: &str, then: &str| {
        let then = json!([{"operation": {"kind": "shell", "cmd": then}}]);
        let body = json!({"key": key, "operation": {"kind": "shell", "cmd": first}, "cwd": place.cwd(), "then": then});
        place.agent("POST", "/v1/requests", Some(body)).await.1
    };
    let denied = ask("a", "git push origin a", "rm old.txt").await;
    place.answer(denied["approval"].as_str().unwrap(), json!({"answer": "deny"})).await;
    let changed = ask("b", "git push origin b", "rm old.txt").await;
    let instead = json!({"answer": "modify", "operation": {"kind": "shell", "cmd": "git push origin c"}});
    place.answer(changed["approval"].as_str().unwrap(), instead).await;
    assert_eq!(place.person("GET", "/v1/grants", None).await.1, json!([]));
    assert_eq!(place.verdict("rm old.txt").await["verdict"], "ask");
    assert_eq!(ask("c", "git push origin d", "rm -rf /").await["code"], "blocked");
    // What is harmless is asked about where its plan is not, and is what runs then.
    let plain = ask("d", "ls", "rm old.txt").await;
    let id = plain["approval"].as_str().unwrap_or_else(|| panic!("{plain}"));
    place.answer(id, json!({"answer": "approve"})).await;
    let outcome = place.outcome(id).await;
    assert_eq!(place.redeem(outcome["permit"].as_str().unwrap(), 1, json!({})).await.0, StatusCode::OK);
    assert_eq!(place.verdict("rm old.txt").await["verdict"], "allow");
    // Where several have to agree, nobody's yes alone is one beforehand.
    place.configure("[approval]\napprovers = [\"olga\", \"ann\", \"zoe\"]\nquorum = 2\n");
    let several = ask("q", "git push origin e", "rm -f old.txt").await;
    let id = several["approval"].as_str().unwrap_or_else(|| panic!("{several}"));
    let (_, shown) = place.person("GET", &format!("/v1/approvals/{id}"), None).await;
    assert_eq!(shown["steps"][0]["settled"], "later", "{shown}");
    place.configure("");
    // Where everything of it is harmless, nobody is asked.
    assert_eq!(ask("e", "ls", "pwd").await["verdict"], "allow");
    let many: Vec<Value> = (0..21).map(|_| json!({"operation": {"kind": "shell", "cmd": "ls"}})).collect();
    let body = json!({"key": "f", "operation": {"kind": "shell", "cmd": "ls"}, "cwd": place.cwd(), "then": many});
    assert_eq!(place.agent("POST", "/v1/requests", Some(body)).await.1["code"], "invalid");
}

#[tokio::test]
async fn another_session_project_or_agent_is_asked_about() {
    let place = Place::new().await;
    let ((key, cwd), elsewhere) = (place.here(), place.elsewhere());
    let (_, other) = place.person("POST", "/v1/agents", Some(json!({"agent": "codex"}))).await;
    let other = other["key"].as_str().unwrap();
    let id = asked(&place, "git push origin a").await;
    let body = json!({"kind": "pattern", "pattern": "git push *", "for_seconds": 60, "this_session": true});
    assert_eq!(grant_to(&place, &id, body).await.0, StatusCode::CREATED);
    for (name, from, expected) in [
        ("the same", From { agent_key: &key, session: "session-1", cwd: &cwd }, "allow"),
        ("another session", From { agent_key: &key, session: "session-2", cwd: &cwd }, "ask"),
        ("another project", From { agent_key: &key, session: "session-1", cwd: &elsewhere }, "ask"),
        ("another agent", From { agent_key: other, session: "session-1", cwd: &cwd }, "ask"),
    ] {
        assert_eq!(place.ask_from(from, name, "git push origin b").await["verdict"], expected, "{name}");
    }
}

#[tokio::test]
async fn a_grant_ends_by_time_by_use_and_by_hand() {
    let place = Place::new().await;
    let project = place.cwd();
    let body = |pattern: &str, seconds: u64, uses: Value| {
        json!({
            "kind": "pattern", "pattern": pattern, "project": project, "for_seconds": seconds, "uses": uses,
        })
    };
    assert_eq!(give(&place, body("git push a *", 1, Value::Null)).await.0, StatusCode::CREATED);
    assert_eq!(place.verdict("git push a x").await["verdict"], "allow");
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert_eq!(place.verdict("git push a x").await["verdict"], "ask");

    assert_eq!(give(&place, body("git push b *", 60, json!(2))).await.1["uses_left"], 2);
    assert_eq!(place.deeds("grant-expired").await.len(), 1);
    assert_eq!(place.verdict("git push b x").await["verdict"], "allow");
    assert_eq!(place.person("GET", "/v1/grants", None).await.1[0]["uses_left"], 1);
    assert_eq!(place.verdict("git push b y").await["verdict"], "allow");
    assert_eq!(place.verdict("git push b z").await["verdict"], "ask");
    assert_eq!(place.person("GET", "/v1/grants", None).await.1, json!([]));
    let left: Vec<Value> = place.deeds("grant-used").await.iter().map(|deed| deed["details"]["left"].clone()).collect();
    assert_eq!(left, [Value::Null, json!("1"), json!("0")]);

    let (_, grant) = give(&place, body("git push c *", 60, Value::Null)).await;
    let path = format!("/v1/grants/{}", grant["id"].as_str().unwrap());
    assert_eq!(place.verdict("git push c x").await["verdict"], "allow");
    assert_eq!(place.person("DELETE", &path, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(place.person("DELETE", &path, None).await.0, StatusCode::NOT_FOUND);
    assert_eq!(place.verdict("git push c x").await["verdict"], "ask");
    assert_eq!(place.deeds("grant-revoked").await.len(), 1);
}

#[tokio::test]
async fn the_last_use_has_one_winner() {
    let place = Place::new().await;
    for round in 0..4 {
        let body = json!({
            "kind": "pattern", "pattern": "git push *", "project": place.cwd(), "for_seconds": 60, "uses": round + 1,
        });
        assert_eq!(give(&place, body).await.0, StatusCode::CREATED);
        let keys: Vec<String> = (0..16).map(|number| format!("race {round} {number}")).collect();
        let (key, cwd) = place.here();
        let from = From { agent_key: &key, session: "session-1", cwd: &cwd };
        let races = keys.iter().map(|name| place.ask_from(from, name, "git push origin x"));
        let told = together(races.collect()).await;
        let allowed = told.iter().filter(|told| told["verdict"] == "allow").count();
        assert_eq!(allowed, usize::try_from(round + 1).unwrap(), "{told:?}");
        assert!(told.iter().all(|told| told["verdict"] == "allow" || told["approval"].is_string()));
    }
    assert_eq!(place.deeds("grant-used").await.len(), 1 + 2 + 3 + 4);
}

/// Polls everything in turn until all of it is there.
async fn together<F: Future<Output = Value>>(futures: Vec<F>) -> Vec<Value> {
    let mut waiting: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        for (future, done) in waiting.iter_mut().filter(|(_, done)| done.is_none()) {
            if let std::task::Poll::Ready(value) = future.as_mut().poll(context) {
                *done = Some(value);
            }
        }
        let all: Option<Vec<Value>> = waiting.iter().map(|(_, done)| done.clone()).collect();
        all.map_or(std::task::Poll::Pending, std::task::Poll::Ready)
    })
    .await
}

#[tokio::test]
async fn what_is_critical_or_blocked_is_covered_by_nothing() {
    let place = Place::new().await;
    everywhere(&place, "terraform destroy *", "high").await;
    everywhere(&place, "rm *", "high").await;
    everywhere(&place, "git push *", "low").await;
    for (command, expected) in [
        ("terraform destroy -auto-approve", "ask"),
        ("rm -rf /", "block"),
        ("rm -rf ~", "block"),
        ("git push origin x", "ask"),
    ] {
        let told = place.verdict(command).await;
        assert_eq!(told["verdict"], expected, "{command}: {told}");
    }
    let id = asked(&place, "terraform destroy -auto-approve").await;
    let (status, problem) = grant_to(&place, &id, json!({"kind": "exact", "for_seconds": 60})).await;
    assert!(status.is_client_error(), "{problem}");
    assert!(["grant-typed", "grant-too-grave"].contains(&problem["code"].as_str().unwrap()), "{problem}");
    assert_eq!(place.outcome(&id).await["outcome"], "pending");
    assert!(place.deeds("grant-used").await.is_empty());
}

#[tokio::test]
async fn what_is_wider_than_shown_is_refused_and_the_question_stays() {
    let place = Place::new().await;
    let id = asked(&place, "git push origin a").await;
    for (body, code) in [
        (json!({"kind": "pattern", "pattern": "*", "for_seconds": 60}), "grant-boundless"),
        (json!({"kind": "pattern", "pattern": "g* push *", "for_seconds": 60}), "grant-boundless"),
        (json!({"kind": "pattern", "pattern": "bash *", "for_seconds": 60}), "grant-boundless"),
        (json!({"kind": "pattern", "pattern": "git pull *", "for_seconds": 60}), "grant-does-not-fit"),
        (json!({"kind": "pattern", "pattern": "git push", "for_seconds": 60}), "grant-does-not-fit"),
        (json!({"kind": "pattern", "pattern": "git 'push", "for_seconds": 60}), "grant-pattern"),
        (json!({"kind": "pattern", "pattern": "git push *", "for_seconds": 0}), "grant-lasting"),
        (json!({"kind": "pattern", "pattern": "git push *", "for_seconds": 31 * 24 * 3600}), "grant-lasting"),
        (json!({"kind": "pattern", "pattern": "git push *", "for_seconds": u64::MAX}), "grant-lasting"),
        (json!({"kind": "exact", "for_seconds": 60, "uses": 0}), "grant-no-use"),
        (json!({"kind": "exact", "for_seconds": 60, "pattern": "git push *"}), "invalid"),
        (json!({"kind": "pattern", "for_seconds": 60}), "invalid"),
        (json!({"kind": "all", "for_seconds": 60}), "invalid"),
        (json!({"kind": "exact"}), "malformed"),
        (json!({"kind": "exact", "for_seconds": 60, "covers": "critical"}), "malformed"),
    ] {
        let (_, problem) = grant_to(&place, &id, body.clone()).await;
        assert_eq!(problem["code"], code, "{body}: {problem}");
    }
    for (body, code) in [
        (json!({"kind": "pattern", "pattern": "git push *", "for_seconds": 60}), "invalid"),
        (json!({"kind": "pattern", "pattern": "git push *", "for_seconds": 60, "project": "p"}), "grant-no-project"),
        (
            json!({"kind": "pattern", "pattern": "a", "for_seconds": 60, "everywhere": true, "covers": "critical"}),
            "invalid",
        ),
        (json!({"kind": "exact", "for_seconds": 60}), "invalid"),
        (json!({"kind": "pattern", "pattern": "a", "for_seconds": 60, "everywhere": true, "forever": 1}), "malformed"),
    ] {
        let (_, problem) = give(&place, body.clone()).await;
        assert_eq!(problem["code"], code, "{body}: {problem}");
    }
    assert_eq!(place.outcome(&id).await["outcome"], "pending");
    assert!(place.deeds("grant-made").await.is_empty());
    // A question that somebody has decided takes no grant.
    place.answer(&id, json!({"answer": "deny"})).await;
    let (_, late) = grant_to(&place, &id, json!({"kind": "exact", "for_seconds": 60})).await;
    assert_eq!(late["code"], "closed", "{late}");
    assert!(place.deeds("grant-made").await.is_empty());
}

/// A grant is the word of a person, and counts no further than that.
#[tokio::test]
async fn a_grant_counts_only_where_the_yes_of_its_giver_would() {
    let place = Place::new().await;
    let ann = place.log_in_as("ann").await;
    let body = json!({"kind": "pattern", "pattern": "git push *", "everywhere": true, "for_seconds": 60});
    assert_eq!(place.call("POST", "/v1/grants", Some(&ann), Some(body.clone())).await.0, StatusCode::CREATED);
    assert_eq!(place.verdict("git push origin a").await["verdict"], "ask", "nobody has asked ann");
    let id = asked(&place, "git push origin a").await;
    let path = format!("/v1/approvals/{id}/grant");
    let exact = json!({"kind": "exact", "for_seconds": 60});
    let (_, problem) = place.call("POST", &path, Some(&ann), Some(exact.clone())).await;
    assert_eq!(problem["code"], "not-asked");

    place.configure("[approval]\napprovers = [\"ann\"]\n");
    assert_eq!(place.verdict("git push origin a").await["verdict"], "allow", "now ann is the one who is asked");
    place.configure("[approval]\napprovers = [\"ann\", \"olga\"]\nquorum = 2\n");
    assert_eq!(give(&place, body).await.0, StatusCode::CREATED);
    let (_, told) = place.ask("two", "git push origin a").await;
    assert_eq!(told["code"], "nobody-to-ask", "two have to agree, and the owner is none of them: {told}");
    place.configure("[approval]\napprovers = [\"olga\"]\nseparation = true\n");
    let (_, told) = place.ask("apart", "git push origin a").await;
    assert_eq!(told["code"], "nobody-to-ask", "{told}");

    // Who is gone permits nothing.
    place.configure("[approval]\napprovers = [\"ann\"]\n");
    assert_eq!(place.verdict("git push origin a").await["verdict"], "allow");
    place.remove("ann").await;
    assert_eq!(place.verdict("git push origin a").await["verdict"], "ask");
}

#[tokio::test]
async fn a_rule_that_asks_every_time_does() {
    let place = Place::new().await;
    place.configure(
        "[[policy.rule]]\nid = \"push\"\nmessage = \"look\"\nverdict = \"ask\"\ncommands = [\"git push *\"]\n\
         examples = { ask = [\"git push origin a\"] }\n",
    );
    everywhere(&place, "git push *", "high").await;
    let told = place.verdict("git push origin a").await;
    assert_eq!(told["verdict"], "ask", "{told}");
    let id = asked(&place, "git push origin a").await;
    let (_, problem) = grant_to(&place, &id, json!({"kind": "exact", "for_seconds": 60})).await;
    assert_eq!(problem["code"], "grant-does-not-fit", "{problem}");
}

#[tokio::test]
async fn suggestions_are_shown_and_never_given() {
    let place = Place::new().await;
    for branch in ["a", "b", "c", "d"] {
        let id = asked(&place, &format!("git push origin {branch}")).await;
        place.answer(&id, json!({"answer": "approve"})).await;
    }
    for package in ["a", "b", "c"] {
        let id = asked(&place, &format!("npm publish {package}")).await;
        place.answer(&id, json!({"answer": "approve"})).await;
    }
    let (status, found) = place.person("GET", "/v1/grants/suggestions", None).await;
    assert_eq!(status, StatusCode::OK, "{found}");
    let shown: Vec<[&Value; 4]> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|one| ["pattern", "project", "answered", "of"].map(|name| &one[name]))
        .collect();
    let cwd = json!(place.cwd());
    let (push, publish) = (json!("git push *"), json!("npm publish *"));
    assert_eq!(shown, [[&push, &cwd, &json!(4), &json!(7)], [&publish, &cwd, &json!(3), &json!(7)]]);
    // One no is enough.
    let id = asked(&place, "npm publish evil && ls").await;
    place.answer(&id, json!({"answer": "deny"})).await;
    let (_, found) = place.person("GET", "/v1/grants/suggestions", None).await;
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    assert_eq!(place.person("GET", "/v1/grants", None).await.1, json!([]));
    assert_eq!(place.verdict("git push origin e").await["verdict"], "ask");
}
