//! The API as agents and people use it, on a real store and real files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

#[allow(dead_code, reason = "each file of tests uses its own part")]
mod place;

use std::sync::Arc;

use axum::http::StatusCode;
use place::Place;
use serde_json::{Value, json};

#[tokio::test]
async fn an_agent_asks_a_person_answers_and_it_runs_once() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    let (status, verdict) = place.ask("k1", "rm notes.txt").await;
    assert_eq!((status, &verdict["verdict"]), (StatusCode::ACCEPTED, &json!("ask")), "{verdict}");
    let id = verdict["approval"].as_str().unwrap().to_owned();
    assert_eq!(place.outcome(&id).await["outcome"], "pending");
    // Whoever died comes back to the same question.
    assert_eq!(place.ask("k1", "rm notes.txt").await.1["approval"], id);

    let (_, page) = place.person("GET", "/v1/approvals?stage=pending", None).await;
    assert_eq!(page["approvals"][0]["id"], id);
    for (language, word) in [("en", "deletes"), ("zh", "删除")] {
        let (_, shown) = place.person("GET", &format!("/v1/approvals/{id}?lang={language}"), None).await;
        let card = shown["card"]["text"].as_str().unwrap();
        assert!(card.contains(word) && card.contains("notes.txt"), "{card}");
    }
    let (status, answered) = place.answer(&id, json!({"answer": "approve"})).await;
    assert_eq!((status, &answered["approval"]["stage"]), (StatusCode::OK, &json!("approved")), "{answered}");

    let outcome = place.outcome(&id).await;
    let permit = outcome["permit"].as_str().unwrap().to_owned();
    assert_eq!(place.redeem(&permit, 1, json!({})).await, (StatusCode::OK, json!({"manner": "as-shown"})));
    let (status, again) = place.redeem(&permit, 2, json!({})).await;
    assert_eq!((status, &again["code"]), (StatusCode::CONFLICT, &json!("used-before")));
    let report = json!({"permit": permit, "success": true});
    assert_eq!(place.agent("POST", "/v1/permits/report", Some(report)).await.0, StatusCode::NO_CONTENT);
    assert_eq!(place.person("GET", &format!("/v1/approvals/{id}"), None).await.1["stage"], "executed");
}

#[tokio::test]
async fn the_harmless_passes_and_the_absurd_does_not() {
    let place = Place::new().await;
    for (command, verdict) in [("ls -la", "allow"), ("rm -rf /", "block")] {
        let (status, body) = place.ask(command, command).await;
        assert_eq!((status, &body["verdict"]), (StatusCode::OK, &json!(verdict)), "{body}");
        assert!(body.get("approval").is_none());
    }
    // Every decision is in the ledger.
    let (_, entries) = place.person("GET", "/v1/ledger", None).await;
    let what: Vec<String> = entries
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let body: Value = serde_json::from_str(entry["body"].as_str().unwrap()).unwrap();
            body["what"].as_str().unwrap().to_owned()
        })
        .collect();
    assert!(what.contains(&"allowed".to_owned()) && what.contains(&"blocked".to_owned()), "{what:?}");
}

/// Whatever is different at the time of running from what was shown, it does not run, and both sides are told what differs. It stays so,
/// also once everything is as it was.
async fn is_stale(command: &str, differs: &[&str], differences: &[&str], tamper: impl FnOnce(&Place) -> Value) {
    let place = Place::new().await;
    for (file, text) in [("notes.txt", "mine"), ("tmp_a", "a"), ("tmp_b", "b"), ("deploy.sh", "rm -rf tmp_a")] {
        place.file(file, text);
    }
    let id = place.verdict(command).await["approval"].as_str().unwrap().to_owned();
    let permit = place.approve(&id).await;
    let around = tamper(&place);
    for around in [around, json!({})] {
        let (status, body) = place.redeem(&permit, 1, around).await;
        assert_eq!((status, &body["code"]), (StatusCode::CONFLICT, &json!("stale")), "{body}");
    }
    let (_, outcome) = place.agent("GET", &format!("/v1/requests/{id}"), None).await;
    assert_eq!((&outcome["outcome"], &outcome["differs"]), (&json!("stale"), &json!(differs)));
    // What differs is told thing by thing: to whoever wanted to run it, to whoever asks what became of it, and to people.
    let (_, shown) = place.person("GET", &format!("/v1/approvals/{id}?lang=en"), None).await;
    let (_, problem) = place.redeem(&permit, 1, json!({})).await;
    for told in [&outcome, &shown, &problem] {
        let told: Vec<&str> =
            told["differences"].as_array().unwrap().iter().map(|one| one["words"].as_str().unwrap()).collect();
        let told: Vec<String> = told.iter().map(|line| line.replace(&place.cwd(), "…")).collect();
        assert_eq!(told, differences, "{outcome}");
    }
    assert!(place.deeds("redemption-refused").await[0]["details"]["differs"].is_string());
}

#[tokio::test]
async fn a_file_that_comes_to_the_pattern_makes_a_yes_stale() {
    let differences = [
        "lost for good, in all: was 2 files (2 B), is 3 files (5 B)",
        "tmp_c: was nothing, is 1 file (3 B)",
        "what tmp_* stands for is another one now",
    ];
    is_stale("rm tmp_*", &["preview"], &differences, |place| {
        place.file("tmp_c", "new");
        json!({})
    })
    .await;
}

#[tokio::test]
async fn another_file_in_its_place_makes_a_yes_stale() {
    let differences =
        ["lost for good, in all: was 1 file (4 B), is 1 file (38 B)", "notes.txt: was 1 file (4 B), is 1 file (38 B)"];
    is_stale("rm notes.txt", &["preview"], &differences, |place| {
        place.file("notes.txt", "something longer that nobody was shown");
        json!({})
    })
    .await;
}

#[tokio::test]
async fn another_script_makes_a_yes_stale() {
    is_stale("bash deploy.sh", &["operation"], &["what …/deploy.sh holds is another one now"], |place| {
        place.file("deploy.sh", "rm -rf tmp_a # and more");
        json!({})
    })
    .await;
}

#[tokio::test]
async fn another_directory_in_its_place_makes_a_yes_stale() {
    is_stale("rm notes.txt", &["operation"], &["the directory … is another one now"], |place| {
        place.replace_directory();
        json!({})
    })
    .await;
}

#[tokio::test]
async fn another_environment_makes_a_yes_stale() {
    let differences = ["the environment or the schema of the tool is another one now"];
    is_stale("rm notes.txt", &["operation"], &differences, |_| json!({"environment": {"GIT_DIR": "/elsewhere"}})).await;
}

#[tokio::test]
async fn another_schema_of_the_tool_makes_a_yes_stale() {
    let differences = ["the environment or the schema of the tool is another one now"];
    is_stale("rm notes.txt", &["operation"], &differences, |_| json!({"schema": {"type": "object"}})).await;
}

#[tokio::test]
async fn another_policy_makes_a_yes_stale() {
    is_stale("rm notes.txt", &["policy"], &["the policy is another one now"], |place| {
        place.configure("[policy]\nposture = \"strict\"\n");
        json!({})
    })
    .await;
}

/// Nobody hands over what would run: it is what was asked about. Under the same key there is no other command.
#[tokio::test]
async fn other_words_of_a_command_find_no_yes() {
    let place = Place::new().await;
    for file in ["notes.txt", "tmp_a"] {
        place.file(file, "mine");
    }
    let asked = |command: &str| json!({"key": "k", "operation": {"kind": "shell", "cmd": command}, "cwd": place.cwd()});
    let (_, first) = place.agent("POST", "/v1/requests", Some(asked("rm notes.txt"))).await;
    place.approve(first["approval"].as_str().unwrap()).await;
    let (status, problem) = place.agent("POST", "/v1/requests", Some(asked("rm notes.txt tmp_a"))).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("key-taken")), "{problem}");
}

/// What the description names is there: each route answers, and asks who calls where it says that it does. What it does not name is not.
#[tokio::test]
async fn the_description_is_of_the_routes_that_there_are() {
    let place = Place::new().await;
    let (status, served) = place.call("GET", "/v1/openapi.json", None, None).await;
    let described = serde_json::to_value(signoff_server::openapi()).unwrap();
    assert_eq!((status, &served), (StatusCode::OK, &described), "it is served as it is");
    let mut seen = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        for (method, route) in methods.as_object().unwrap() {
            let path = path.replace("{id}", &"0".repeat(32)).replace("{agent}", "a").replace("{person}", "p");
            let (status, answer) = place.call(&method.to_uppercase(), &path, None, Some(json!({}))).await;
            let expected = match route["security"][0].as_object() {
                Some(_) => StatusCode::UNAUTHORIZED,
                // Whoever logs in or joins has to say who they are; the others tell everybody the same.
                None if method == "post" => StatusCode::UNPROCESSABLE_ENTITY,
                None => StatusCode::OK,
            };
            assert_eq!(status, expected, "{method} {path}: {answer}");
            seen += 1;
        }
        let (status, answer) = place.call("PATCH", &path.replace("{id}", "0"), None, None).await;
        assert_eq!((status, &answer["code"]), (StatusCode::METHOD_NOT_ALLOWED, &json!("wrong-method")), "{path}");
    }
    assert!(seen > 40, "{seen}");
    assert_eq!(place.call("GET", "/v1/anything", None, None).await.1["code"], "not-found");
}

/// Numbers for Prometheus: what waits is counted, and nothing of what is asked is told.
#[tokio::test]
async fn numbers_for_prometheus_count_what_waits() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    let waiting = async || {
        let (status, text) = place.text("/metrics", None).await;
        assert_eq!(status, StatusCode::OK);
        assert!(text.contains("# TYPE signoff_store_flushes_total counter") && !text.contains("notes"), "{text}");
        let line = text.lines().find_map(|line| line.strip_prefix("signoff_pending "));
        line.unwrap().to_owned()
    };
    assert_eq!(waiting().await, "0");
    let id = place.verdict("rm notes.txt").await["approval"].as_str().unwrap().to_owned();
    assert_eq!(waiting().await, "1");
    place.answer(&id, json!({"answer": "deny"})).await;
    assert_eq!(waiting().await, "0");
}

/// Who may do what, route by route from the OpenAPI list: whoever is no administrator changes nothing that is everybody's, and decides
/// nothing that is not theirs. A route that is not in the table below fails this test, so that somebody thinks about it.
#[tokio::test]
async fn members_get_no_further_than_what_is_theirs() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    let id = place.verdict("rm notes.txt").await["approval"].as_str().unwrap().to_owned();
    let grant = json!({"kind": "pattern", "pattern": "git push *", "project": place.cwd(), "for_seconds": 60});
    let grant = place.person("POST", "/v1/grants", Some(grant)).await.1["id"].as_str().unwrap().to_owned();
    place.person("POST", "/v1/lockdown", Some(json!({}))).await;
    let zoe = place.join("zoe").await;
    // What a member hears: the code of a refusal, or nothing of the kind where it is theirs to do.
    let table: &[(&str, &str, Value, Option<&str>)] = &[
        ("GET", "/v1/approvals", Value::Null, None),
        ("GET", "/v1/approvals/{id}", Value::Null, None),
        ("POST", "/v1/approvals/{id}/answer", json!({"answer": "approve"}), Some("not-asked")),
        ("POST", "/v1/approvals/{id}/grant", json!({"kind": "exact", "for_seconds": 60}), Some("not-asked")),
        ("GET", "/v1/batches/{id}", Value::Null, Some("not-found")),
        ("POST", "/v1/batches/{id}/answer", json!({"answer": "deny", "seen": "0".repeat(64)}), Some("not-found")),
        ("GET", "/v1/delegations", Value::Null, None),
        ("POST", "/v1/delegations", json!({"to": "olga", "for_seconds": 60}), None),
        ("DELETE", "/v1/delegations", Value::Null, Some("not-found")),
        ("POST", "/v1/logout", Value::Null, None),
        ("GET", "/v1/me", Value::Null, None),
        ("GET", "/v1/people", Value::Null, None),
        ("DELETE", "/v1/people/{person}", Value::Null, Some("administrators-only")),
        ("POST", "/v1/password", json!({"password": "no", "new": "correct horse 2"}), Some("wrong-password")),
        ("POST", "/v1/invitations", json!({"person": "eve"}), Some("administrators-only")),
        ("GET", "/v1/agents", Value::Null, None),
        ("POST", "/v1/agents", json!({"agent": "codex"}), None),
        ("DELETE", "/v1/agents/{agent}", Value::Null, Some("administrators-only")),
        ("GET", "/v1/ledger", Value::Null, None),
        ("GET", "/v1/ledger/export", Value::Null, None),
        ("GET", "/v1/ledger/beginning", Value::Null, None),
        ("GET", "/v1/checkpoints", Value::Null, None),
        ("POST", "/v1/ledger/prune", json!({"older_than_seconds": 0}), Some("administrators-only")),
        ("GET", "/v1/stats", Value::Null, None),
        ("GET", "/v1/grants", Value::Null, None),
        (
            "POST",
            "/v1/grants",
            json!({"kind": "pattern", "pattern": "*", "everywhere": true, "for_seconds": 60}),
            Some("grant-boundless"),
        ),
        ("GET", "/v1/grants/suggestions", Value::Null, None),
        // Whoever takes a permission away makes nothing laxer.
        ("DELETE", "/v1/grants/{grant}", Value::Null, None),
        ("GET", "/v1/standing", Value::Null, None),
        ("GET", "/v1/trust", Value::Null, None),
        ("DELETE", "/v1/trust/{id}", Value::Null, Some("not-found")),
        ("GET", "/v1/policy", Value::Null, None),
        ("POST", "/v1/pause", json!({"for_seconds": 60}), None),
        ("DELETE", "/v1/pause", Value::Null, None),
        ("POST", "/v1/lockdown", json!({}), None),
        ("DELETE", "/v1/lockdown", Value::Null, Some("not-yours")),
    ];
    let described = serde_json::to_value(signoff_server::openapi()).unwrap();
    for (path, methods) in described["paths"].as_object().unwrap() {
        for (method, route) in methods.as_object().unwrap() {
            let needs = route["security"][0].as_object().map(|need| need.keys().next().unwrap().clone());
            if needs.as_deref() != Some("person") || path == "/v1/events" {
                continue;
            }
            let method = method.to_uppercase();
            let known = path.replace("/v1/grants/{id}", "/v1/grants/{grant}");
            let row = table.iter().find(|(verb, of, ..)| *verb == method && *of == known);
            let (_, _, body, expected) = row.unwrap_or_else(|| panic!("who may {method} {path}?"));
            if known == "/v1/logout" {
                continue;
            }
            let path = known.replace("{id}", &id).replace("{grant}", &grant);
            let path = path.replace("{person}", "olga").replace("{agent}", "claude");
            let body = (!body.is_null()).then(|| body.clone());
            let (status, answer) = place.call(&method, &path, Some(&zoe), body).await;
            assert_eq!(answer["code"].as_str(), *expected, "{method} {path}: {status} {answer}");
        }
    }
    assert_eq!(place.outcome(&id).await["outcome"], "pending");
}

/// Without a change it runs, so that the tests above mean something.
#[tokio::test]
async fn what_was_shown_runs() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    let permit = place.approved("rm notes.txt").await;
    assert_eq!(place.redeem(&permit, 1, json!({})).await.0, StatusCode::OK);
}

/// With every secret that an agent can hold, no route for people lets it in, and nothing happens.
#[tokio::test]
async fn agents_get_into_no_route_for_people() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    let (_, verdict) = place.ask("k", "rm notes.txt").await;
    let id = verdict["approval"].as_str().unwrap().to_owned();
    let permit = place.approved("rm notes.txt ./notes.txt").await;
    let described = serde_json::to_value(signoff_server::openapi()).unwrap();
    let before = place.ledger_length().await;
    let mut tried = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        for (method, route) in methods.as_object().unwrap() {
            let needs = route["security"][0].as_object().map(|need| need.keys().next().unwrap().clone());
            let path = path.replace("{id}", &id).replace("{agent}", "claude").replace("{person}", "olga");
            let method = method.to_uppercase();
            if needs.as_deref() == Some("person") {
                for secret in [None, Some(&*place.agent_key), Some(&permit), Some("sgl1."), Some("")] {
                    for body in
                        [json!({"answer": "approve"}), json!({"person": "mallory"}), json!({"agent": "mallory"})]
                    {
                        let (status, answer) = place.call(&method, &path, secret, Some(body)).await;
                        assert_eq!(status, StatusCode::UNAUTHORIZED, "{method} {path} {secret:?}: {answer}");
                        tried += 1;
                    }
                }
            }
            // Nor does the socket of agents open any, also where somebody would only become a person.
            if route["tags"][0] == "people" {
                let status = place.on_socket(&method, &path, &place.agent_key).await;
                assert_eq!(status, StatusCode::FORBIDDEN, "{method} {path}");
            }
            if needs.as_deref() == Some("agent") {
                // And a person's login opens no route for agents.
                let (status, _) = place.call(&method, &path, Some(&place.login), Some(json!({}))).await;
                assert_eq!(status, StatusCode::UNAUTHORIZED, "{method} {path}");
            }
        }
    }
    assert!(tried > 60, "{tried}");
    assert_eq!(place.outcome(&id).await["outcome"], "pending");
    assert_eq!(place.ledger_length().await, before, "nothing has happened");
}

#[tokio::test]
async fn bad_input_is_a_problem_with_a_code() {
    let place = Place::new().await;
    let good = |key: &str| json!({"key": key, "operation": {"kind": "shell", "cmd": "ls"}, "cwd": place.cwd()});
    let with = |name: &str, value: Value| {
        let mut body = good("k");
        body[name] = value;
        body
    };
    for (body, status, code) in [
        (with("unknown", json!(1)), 422, "malformed"),
        (with("key", json!("")), 422, "invalid"),
        (with("key", json!(7)), 422, "malformed"),
        (with("cwd", json!("/nowhere/at/all")), 422, "invalid"),
        // Whoever asks does not say how closely the gate looks, nor from where.
        (with("facts", json!("none")), 422, "malformed"),
        (with("cwd", json!(".")), 422, "invalid"),
        (with("cwd", json!("")), 422, "invalid"),
        (with("cwd", json!("~")), 422, "invalid"),
        (with("operation", json!({"kind": "spell", "cmd": "ls"})), 422, "malformed"),
        (with("operation", json!({"kind": "shell", "cmd": "ls", "sudo": true})), 422, "malformed"),
        (with("operation", json!({"kind": "shell", "cmd": "ls", "dialect": "fish"})), 422, "invalid"),
        (with("operation", json!({"kind": "file", "op": "explode", "path": "x"})), 422, "invalid"),
        (with("intent", json!("x".repeat(4 * 1024 * 1024))), 413, "too-large"),
    ] {
        let (found, problem) = place.agent("POST", "/v1/requests", Some(body)).await;
        assert_eq!((found.as_u16(), problem["code"].as_str()), (status, Some(code)), "{problem}");
        assert_eq!(problem["status"], status);
    }
    let unknown = "0".repeat(32);
    for (method, path, status) in [
        ("GET", format!("/v1/requests/{unknown}"), 404),
        ("GET", "/v1/requests/xyz".to_owned(), 404),
        ("GET", format!("/v1/requests/{unknown}?wait=5"), 400),
        ("PATCH", "/v1/requests".to_owned(), 405),
        ("GET", "/v2/requests".to_owned(), 404),
    ] {
        let (found, problem) = place.agent(method, &path, None).await;
        assert_eq!(found.as_u16(), status, "{method} {path}: {problem}");
        assert!(problem["code"].is_string(), "{problem}");
    }
    for permit in ["", "yes", "sgp1.AA.AA"] {
        assert_eq!(place.redeem(permit, 1, json!({})).await.1["code"], "bad-permit");
    }
    // The server goes on.
    assert_eq!(place.ask("after", "ls").await.0, StatusCode::OK);
}

/// A page of somebody else, or one that was led here by another name, gets nothing; nor does one with the cookie alone.
#[tokio::test]
async fn other_pages_are_sent_away() {
    let place = Place::new().await;
    for (name, value, code) in [
        ("host", "evil.example", "wrong-host"),
        ("host", "127.0.0.1", "wrong-host"),
        ("origin", "http://evil.example", "wrong-origin"),
        ("origin", "null", "wrong-origin"),
    ] {
        let (status, problem) = place.with_header(name, value).await;
        assert_eq!(problem["code"], code, "{status} {problem}");
    }
    assert_eq!(place.with_header("origin", "http://127.0.0.1:7777").await.0, StatusCode::OK);
    assert_eq!(place.by_cookie(None).await, StatusCode::FORBIDDEN);
    assert_eq!(place.by_cookie(Some("wrong")).await, StatusCode::FORBIDDEN);
    assert_eq!(place.by_cookie(Some(&place.csrf)).await, StatusCode::CREATED);
}

#[tokio::test]
async fn passwords_cannot_be_guessed_for_long_and_invitations_are_good_once() {
    let place = Place::new().await;
    let invited = place.person("POST", "/v1/invitations", Some(json!({"person": "ann"}))).await.1;
    let invitation = invited["invitation"].as_str().unwrap();
    let accept = |password: &str| json!({"invitation": invitation, "password": password});
    assert_eq!(place.call("POST", "/v1/people", None, Some(accept("short"))).await.0.as_u16(), 422);
    assert_eq!(place.call("POST", "/v1/people", None, Some(accept("long enough 密码"))).await.0.as_u16(), 201);
    assert_eq!(place.call("POST", "/v1/people", None, Some(accept("another password"))).await.0.as_u16(), 403);
    let again = place.person("POST", "/v1/invitations", Some(json!({"person": "ann"}))).await;
    assert_eq!(again.1["code"], "taken");
    let log_in = |person: &str, password: &str| json!({"person": person, "password": password});
    assert_eq!(place.call("POST", "/v1/login", None, Some(log_in("ann", "long enough 密码"))).await.0.as_u16(), 200);
    let unknown = place.call("POST", "/v1/login", None, Some(log_in("nobody", "long enough 密码"))).await;
    let wrong = place.call("POST", "/v1/login", None, Some(log_in("ann", "wrong password"))).await;
    assert_eq!(unknown, wrong, "nobody learns which names there are");
    for _ in 0..9 {
        place.call("POST", "/v1/login", None, Some(log_in("ann", "wrong password"))).await;
    }
    let (status, _) = place.call("POST", "/v1/login", None, Some(log_in("ann", "long enough 密码"))).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
}

/// Each key that says how people are asked does what it says.
#[tokio::test]
async fn the_keys_of_approvals_are_heard() {
    async fn asked(place: &Place) -> String {
        place.file("notes.txt", "mine");
        place.ask("k", "rm notes.txt").await.1["approval"].as_str().unwrap().to_owned()
    }
    let code = |answered: (StatusCode, Value)| answered.1["code"].as_str().unwrap_or_default().to_owned();
    let yes = || json!({"answer": "approve"});

    let place = Place::new().await;
    place.configure("[approval]\napprovers = [\"ann\", \"bob\"]\nquorum = 2\n");
    let id = asked(&place).await;
    assert_eq!(code(place.answer(&id, yes()).await), "not-asked");
    let (ann, bob) = (place.join("ann").await, place.join("bob").await);
    assert_eq!(place.answer_as(&ann, &id, yes()).await.1["missing"], 1);
    assert_eq!(code(place.answer_as(&ann, &id, yes()).await), "said-before");
    assert_eq!(place.answer_as(&bob, &id, yes()).await.1["approval"]["stage"], "approved");

    let place = Place::new().await;
    place.configure("[approval]\napprovers = [\"olga\", \"ann\"]\nseparation = true\n");
    let id = asked(&place).await;
    assert_eq!(code(place.answer(&id, yes()).await), "owners-word");
    let ann = place.join("ann").await;
    assert_eq!(place.answer_as(&ann, &id, yes()).await.0, StatusCode::OK);
    // Whoever comes too late is told who decided.
    let late = place.answer(&id, json!({"answer": "deny"})).await;
    assert_eq!(late.1["code"], "closed");
    assert!(late.1["detail"].as_str().unwrap().contains("approved by ann"), "{late:?}");

    let place = Place::new().await;
    place.configure("[approval.assurance]\nhigh = \"passkey\"\n");
    let id = asked(&place).await;
    assert_eq!(code(place.answer(&id, yes()).await), "assurance-too-low");

    let place = Place::new().await;
    place.configure("[approval]\nrun_within = \"1s\"\n[approval.escalation]\nafter = \"1s\"\nto = [\"zoe\"]\n");
    let (id, zoe) = (asked(&place).await, place.join("zoe").await);
    assert_eq!(code(place.answer_as(&zoe, &id, yes()).await), "not-asked");
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    assert_eq!(place.answer_as(&zoe, &id, yes()).await.0, StatusCode::OK);
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    assert_eq!(place.outcome(&id).await, json!({"outcome": "expired", "clock": "run"}));

    let place = Place::new().await;
    place.configure("[approval]\ntimeout = \"1s\"\n");
    let id = asked(&place).await;
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    assert_eq!(place.outcome(&id).await, json!({"outcome": "expired", "clock": "decide"}));
    assert_eq!(code(place.answer(&id, yes()).await), "expired");
}

/// Whoever sends a nonce gets a proof that it was this gate that said this, now, under this name.
#[tokio::test]
async fn replies_can_be_proved() {
    let place = Place::new().await;
    let (status, proof, body) = place.proved("n-1").await;
    let says = |nonce: &str, host: &str, status: u16, body: &[u8]| {
        place.verifier.has_signed(&signoff_server::statement(nonce, host, status, body), &proof)
    };
    assert!(says("n-1", place::HOST, status, &body));
    assert!(!says("n-2", place::HOST, status, &body));
    assert!(!says("n-1", "127.0.0.1:1", status, &body));
    assert!(!says("n-1", place::HOST, 500, &body));
    assert!(!says("n-1", place::HOST, status, b"{\"verdict\":\"allow\"}"));
}

/// Events come with numbers, and whoever was cut off goes on behind the last.
#[tokio::test]
async fn events_resume() {
    let place = Place::new().await;
    place.ask("a", "ls").await;
    let first = place.events(0, 3).await;
    assert_eq!(first.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 2, 3]);
    place.ask("b", "pwd").await;
    let length = place.ledger_length().await;
    let rest = place.events(3, usize::try_from(length - 3).unwrap()).await;
    assert_eq!(rest.first().unwrap().0, 4);
    assert!(rest.last().unwrap().1.contains("allowed"));
}

/// The ledger as a whole, for whoever wants to check it without this server, and what it adds up to.
#[tokio::test]
async fn the_ledger_can_be_taken_away_and_checked() {
    let place = Place::new().await;
    place.file("notes.txt", "mine");
    place.approved("rm notes.txt").await;
    place.ask("secret", "PASSWORD=hunter2 ls").await;
    let sealed = place.checkpoint().await;
    place.ask("after", "pwd").await;
    let (status, lines) = place.text("/v1/ledger/export", Some(&place.login)).await;
    assert_eq!(status, StatusCode::OK);
    let verified = signoff_store::verify_export(lines.as_bytes(), &[place.verifier]).unwrap();
    assert_eq!(verified.last, place.ledger_length().await);
    assert_eq!(verified.up_to.map(|checkpoint| checkpoint.number), Some(sealed));
    // Of the operation its text is told, and of its secret nothing.
    assert!(lines.contains("rm notes.txt") && lines.contains("PASSWORD=[masked] ls") && !lines.contains("hunter2"));
    let (_, checkpoints) = place.person("GET", "/v1/checkpoints", None).await;
    assert_eq!(checkpoints[0]["name"], format!("{sealed:020}"));
    let text = checkpoints[0]["checkpoint"].as_str().unwrap();
    assert_eq!(place.verifier.checkpoint(text).unwrap().number, sealed);
    let behind = place.person("GET", &format!("/v1/checkpoints?after={sealed:020}&limit=5"), None).await;
    assert_eq!(behind, (StatusCode::OK, json!([])));
    let (_, stats) = place.person("GET", "/v1/stats", None).await;
    assert_eq!(stats["what"]["asked"], 1, "{stats}");
    assert_eq!((&stats["agents"]["claude"], &stats["what"]["allowed"]), (&json!(3), &json!(2)), "{stats}");
    assert_eq!(stats["answers"]["olga"].as_object().unwrap().values().next(), Some(&json!(1)), "{stats}");
    assert!(stats["median_to_decide_ms"].is_u64() && stats["expired"] == 0 && stats["stale"] == 0, "{stats}");
    let (_, last) = place.person("GET", "/v1/ledger?last=2", None).await;
    let numbers: Vec<u64> = last.as_array().unwrap().iter().map(|entry| entry["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [verified.last - 1, verified.last]);
    for path in ["/v1/ledger?last=x", "/v1/checkpoints?limit=-1", "/v1/checkpoints?before=1"] {
        assert_eq!(place.person("GET", path, None).await.1["code"], "malformed", "{path}");
    }
}

/// A person removes what is old, the ledger says who, and nothing younger goes than is to be kept. Agents remove nothing:
/// [`agents_get_into_no_route_for_people`] tries this route, too.
#[tokio::test]
async fn a_person_removes_old_entries() {
    use std::sync::atomic::{AtomicI64, Ordering};
    const DAY: i64 = 24 * 60 * 60;
    let hands = Arc::new(AtomicI64::new(1_700_000_000_000));
    let clock = Arc::clone(&hands);
    let place =
        Place::with_clock(Arc::new(move || signoff_model::Timestamp::from_millis(clock.load(Ordering::SeqCst)))).await;
    place.file("notes.txt", "mine");
    place.ask("k", "pwd").await;
    let sealed = place.checkpoint().await;
    assert_eq!(place.person("GET", "/v1/ledger/beginning", None).await, (StatusCode::OK, Value::Null));
    let prune = async |days: i64| {
        place.person("POST", "/v1/ledger/prune", Some(json!({"older_than_seconds": days * DAY}))).await
    };
    assert_eq!(prune(0).await.1["code"], "kept");
    assert_eq!(prune(1).await, (StatusCode::OK, Value::Null), "nothing is as old as that");
    hands.fetch_add(3 * DAY * 1_000, Ordering::SeqCst);
    let credentials = json!({"person": "olga", "password": "correct horse"});
    let (_, login) = place.call("POST", "/v1/login", None, Some(credentials)).await;
    let login = login["token"].as_str().unwrap();
    let (status, gone) =
        place.call("POST", "/v1/ledger/prune", Some(login), Some(json!({"older_than_seconds": 2 * DAY}))).await;
    assert_eq!((status, &gone), (StatusCode::OK, &json!({"from": 1, "to": sealed})));
    let (_, lines) = place.text("/v1/ledger/export", Some(login)).await;
    let verified = signoff_store::verify_export(lines.as_bytes(), &[place.verifier]).unwrap();
    assert_eq!(verified.begins.map(|begins| begins.number), Some(sealed));
    assert!(lines.contains("\\\"pruned\\\"") && lines.contains("olga"), "{lines}");
    let (_, begins) = place.call("GET", "/v1/ledger/beginning", Some(login), None).await;
    assert_eq!(begins["name"], format!("{sealed:020}"));
}

/// Reasons are told in the language that the caller names first of those that are spoken here.
#[tokio::test]
async fn reasons_are_told_in_the_callers_language() {
    let place = Place::new().await;
    let address = place.serve().await;
    for (wanted, chinese) in [("zh-CN,zh;q=0.9,en;q=0.8", true), ("fr, en", false), ("", false), ("z", false)] {
        let body =
            json!({"key": format!("k {wanted}."), "operation": {"kind": "shell", "cmd": "rm -rf /"}, "cwd": "/"})
                .to_string();
        let more = format!(
            "content-type: application/json\r\ncontent-length: {}\r\naccept-language: {wanted}\r\n",
            body.len()
        );
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = format!("{}{body}", place.raw("POST", "/v1/requests", &more));
        tokio::io::AsyncWriteExt::write_all(&mut stream, request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        tokio::io::AsyncReadExt::read_to_string(&mut stream, &mut answer).await.unwrap();
        assert!(answer.contains("\"verdict\":\"block\""), "{answer}");
        let reason = answer.split("\"reason\":\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(reason.chars().any(|sign| ('\u{4e00}'..='\u{9fff}').contains(&sign)), chinese, "{wanted}: {reason}");
    }
}
