//! What a person does at their desk beside answering: whom they trust, what they grant, and what happened.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use program::{
    gateway::{Gateway, ended, terminal},
    stdout,
};

/// Waits until a command ends with a code.
#[track_caller]
fn until_code(gateway: &Gateway, arguments: &[&str], code: i32) {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let output = gateway.home.output(arguments);
        if output.status.code() == Some(code) {
            return;
        }
        assert!(
            Instant::now() < until,
            "{arguments:?}: {:?} {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        thread::sleep(Duration::from_millis(100));
    }
}

/// Whoever is trusted too little is asked about in everything, also where `exec` would have decided by itself; a person begins anew
/// with them.
#[test]
fn a_person_sees_whom_they_trust_and_begins_anew() {
    let gateway = Gateway::start();
    gateway.home.write("user/config.toml", "[trust]\ninitial = 0.25\n");
    gateway.home.write("work/project/notes.txt", "mine");
    gateway.log_in("s trust");
    gateway.desk.wait_for("Everybody starts at");
    until_code(&gateway, &["exec", "--no-wait", "--", "ls"], 0);
    until_code(&gateway, &["exec", "--no-wait", "--", "rm notes.txt"], 120);
    let id = gateway.open_question();
    gateway.log_in(&format!("s inbox deny {id} not today"));
    gateway.desk.wait_for("denied");
    gateway.log_in("s trust");
    gateway.desk.wait_for("0.200  exec");
    // The mark for those who decide by themselves comes a moment later.
    until_code(&gateway, &["exec", "--no-wait", "--", "ls"], 120);
    // It outlives the gateway.
    gateway.kill();
    assert!(gateway.home.root.path().join("state/run/distrust").exists());
    gateway.restart();
    gateway.log_in("s trust reset nobody");
    gateway.desk.wait_for("there is no such score");
    gateway.log_in("s trust reset exec");
    gateway.desk.wait_for("It starts anew.");
    until_code(&gateway, &["exec", "--no-wait", "--", "ls"], 0);
}

#[test]
fn a_person_grants_and_revokes() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/a.txt", "mine");
    gateway.home.write("work/project/b.txt", "mine");
    gateway.log_in("s grant list");
    gateway.desk.wait_for("Nothing is granted.");
    gateway.log_in("s grant add 'rm a.txt' --exact --for 1h --uses 1");
    gateway.desk.wait_for("Granted:");
    gateway.log_in("s grant list");
    gateway.desk.wait_for("rm a.txt");
    let (code, said) = ended(gateway.request(&["rm a.txt"]));
    assert_eq!((code, said["grant"].is_string()), (Some(0), true), "{said}");
    let (code, said) = ended(gateway.request(&["--wait", "1s", "rm a.txt"]));
    assert_eq!((code, &said["outcome"]), (Some(120), &"pending".into()), "it was for once: {said}");
    gateway.log_in("s grant add 'rm b.txt' --exact --for 1h");
    let screen = gateway.desk.wait_for("Granted:");
    let granted = gateway.desk.wait_for("rm b.txt");
    let id = granted
        .split_whitespace()
        .find(|word| word.len() == 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .unwrap_or_else(|| panic!("no id on:\n{screen}"))
        .to_owned();
    gateway.log_in(&format!("s grant revoke {id}"));
    gateway.desk.wait_for("It is revoked");
    let (code, said) = ended(gateway.request(&["--wait", "1s", "rm b.txt"]));
    assert_eq!((code, &said["outcome"]), (Some(120), &"pending".into()), "{said}");
    // Nobody else gives one.
    let refused = gateway.home.output(&["grant", "add", "rm b.txt", "--exact", "--for", "1h"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no terminal"));
}

#[test]
fn a_person_reads_the_ledger_through_the_gateway() {
    let gateway = Gateway::start();
    let (code, _) = ended(gateway.request(&["ls"]));
    assert_eq!(code, Some(0));
    gateway.log_in("s ledger list --what allowed");
    gateway.desk.wait_for("script");
    gateway.log_in("s ledger show 1");
    gateway.desk.wait_for("digest");
    gateway.log_in("s ledger stats");
    gateway.desk.wait_for("decisions by agent");
    gateway.log_in("s ledger verify");
    gateway.desk.wait_for("Whole:");
    let file = gateway.home.root.path().join("ledger.jsonl");
    gateway.log_in(&format!("s ledger export '{}'; echo code $?", file.display()));
    gateway.desk.wait_for("code 0");
    assert!(fs::read_to_string(&file).unwrap().lines().count() > 2);
    let whole = gateway.home.output(&["ledger", "verify", file.to_str().unwrap()]);
    assert!(stdout(&whole).contains("Whole:"), "{}", stdout(&whole));
    // What happened today stays, whoever wants it gone.
    gateway.log_in("s ledger prune --older-than 1h");
    gateway.desk.wait_for("kept for 1 days at least");
    gateway.log_in("s ledger prune --older-than 1day");
    gateway.desk.wait_for("Nothing was removed");
    let refused = gateway.home.output(&["ledger", "prune", "--older-than", "1day"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no terminal"));
}

/// Ctrl-C takes the question back that is open at the gateway.
#[test]
fn an_interrupted_exec_takes_its_question_back() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    let hands = terminal(&gateway.home);
    hands.run("s exec -- 'rm notes.txt'");
    hands.wait_for("Run it?");
    gateway.open_question();
    hands.key("C-c");
    let until = Instant::now() + Duration::from_secs(30);
    while hands.screen().lines().last() != Some("$") {
        assert!(Instant::now() < until, "it does not end:\n{}", hands.screen());
        thread::sleep(Duration::from_millis(30));
    }
    gateway.log_in("s inbox list --all --json");
    gateway.desk.wait_for("\"stage\":\"withdrawn\"");
    assert!(gateway.home.project().join("notes.txt").exists());
}
