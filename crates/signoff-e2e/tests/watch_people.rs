//! `signoff watch` and people: what they answer at the gateway, what they see, and what they tell it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use program::{Home, gateway::Gateway, lines, speaking::python, swarm::Swarm};
use serde_json::{Value, json};

fn key(at: &str, key: &str) -> (String, String) {
    (at.to_owned(), key.to_owned())
}

fn asks(command: &str) -> Value {
    json!({"command": command})
}

#[test]
fn what_people_answer_at_the_gateway_is_typed_and_what_is_gone_is_superseded() {
    if !python() {
        return;
    }
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    // `rm` is a word of danger to nobody here: the file is.
    let swarm = Swarm::new(&gateway.home);
    let agent = swarm
        .agent("claude", &json!([asks("rm notes.txt"), asks("shred notes.txt"), asks("rm notes.txt"), asks("ls")]));
    swarm.watch("");
    let asked = swarm.event(&agent, "asked");
    assert_eq!(asked["subject"], "rm notes.txt");
    assert!(asked["by_hand"].as_str().unwrap().ends_with("-l 1"));
    gateway.log_in("s inbox");
    gateway.asked_about("rm notes.txt");
    assert_eq!(agent.keys(), []);
    gateway.answer(1, "y");
    assert_eq!(swarm.event(&agent, "confirmed")["by"], "person");
    gateway.asked_about("shred notes.txt");
    gateway.answer(2, "n");
    assert_eq!(swarm.event(&agent, "refused")["sent"], "3");
    // A person answers in the pane itself: nobody has to at the gateway.
    swarm.wait_for("the third question", |said| {
        said["event"] == "asked" && swarm.said().iter().filter(|said| said["event"] == "asked").count() == 3
    });
    swarm.tmux(&["send-keys", "-t", &agent.pane, "3"]);
    swarm.event(&agent, "superseded");
    agent.wait_until_done();
    let keys = [key("0", "1"), key("1", "3"), key("2", "3"), key("3", "1")];
    assert_eq!(agent.keys(), keys);
    gateway.desk.key("C-c");
    gateway.log_in("s ledger list --json");
    gateway.desk.wait_for("withdrawn");
}

#[test]
fn a_pane_that_is_closed_takes_its_question_with_it_and_the_others_go_on() {
    if !python() {
        return;
    }
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    let swarm = Swarm::new(&gateway.home);
    let closed = swarm.agent("claude", &json!([asks("rm notes.txt")]));
    swarm.watch("");
    swarm.event(&closed, "asked");
    swarm.tmux(&["kill-pane", "-t", &closed.pane]);
    swarm.event(&closed, "superseded");
    let other = swarm.agent("claude", &json!([asks("ls")]));
    other.wait_until_done();
    assert_eq!(closed.keys(), []);
}

#[test]
fn nothing_is_typed_where_it_is_switched_off_paused_tried_or_left_to_a_hook() {
    if !python() {
        return;
    }
    let home = Home::new();
    home.write("user/config.toml", "[watch]\nauto_confirm = false\n");
    let swarm = Swarm::new(&home);
    let off = swarm.agent("claude", &json!([asks("ls"), asks("ls -l")]));
    swarm.watch("");
    assert_eq!(swarm.event(&off, "left_to_person")["why"], "switched_off");
    // Another one is answered, once somebody has switched it on.
    home.write("user/config.toml", "[watch]\nauto_confirm = true\n");
    let paused = swarm.agent("claude", &json!([{"command": "ls", "pause_ms": 4000}, asks("ls -l")]));
    let person = swarm.person();
    person.run(&format!("s watch pause -L {} {}", swarm.socket, paused.pane));
    person.wait_for("is paused");
    assert_eq!(swarm.event(&paused, "left_to_person")["why"], "paused");
    person.run(&format!("s watch resume -L {} {}", swarm.socket, paused.pane));
    person.wait_for("is answered again");
    swarm.tmux(&["send-keys", "-t", &paused.pane, "3"]);
    paused.wait_until_done();
    assert_eq!(paused.keys(), [key("0", "3"), key("1", "1")]);
    let hook = r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "'/usr/bin/signoff' hook claude"}]}]}}"#;
    home.write("home/.claude/settings.json", hook);
    let hooked = swarm.agent("claude", &json!([{"command": "ls", "pause_ms": 6000}]));
    assert_eq!(swarm.event(&hooked, "left_to_person")["why"], "hook");
    assert_eq!((off.keys(), hooked.keys()), (vec![], vec![]));
}

#[test]
fn a_dry_run_says_what_would_have_been_typed() {
    if !python() {
        return;
    }
    let home = Home::new();
    home.write("work/project/notes.txt", "mine");
    let swarm = Swarm::new(&home);
    let harmless = swarm.agent("claude", &json!([asks("ls")]));
    let grave = swarm.agent("claude", &json!([asks("rm notes.txt")]));
    swarm.watch("--dry-run");
    assert_eq!(swarm.event(&harmless, "would_confirm")["sent"], "1");
    assert_eq!(swarm.event(&grave, "would_ask")["subject"], "rm notes.txt");
    assert_eq!((harmless.keys(), grave.keys()), (vec![], vec![]));
}

#[test]
fn a_swarm_is_started_seen_and_interrupted() {
    if !python() {
        return;
    }
    let home = Home::new();
    let swarm = Swarm::new(&home);
    let (words, _) = swarm.command("claude", &json!([{"command": "shred notes.txt", "redraws": true}]));
    let person = swarm.person();
    person.run(&format!("s watch start -L {} -n 2 --session mine -- {}", swarm.socket, words.join(" ")));
    let screen = person.wait_for("see them:");
    assert!(screen.contains("agent-0") && screen.contains("agent-1"), "{screen}");
    let status = || lines(&home.output(&["watch", "status", "-L", &swarm.socket, "--json"])).remove(0);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let all = loop {
        let all = status();
        let waiting = all.as_array().unwrap().iter().filter(|agent| agent["state"] == "waiting").count();
        if waiting == 2 {
            break all;
        }
        assert!(std::time::Instant::now() < until, "{all}");
    };
    assert_eq!((&all[0]["agent"], &all[0]["program"]), (&json!("agent-0"), &json!("claude")));
    assert_eq!((&all[0]["waiting_for"], &all[0]["watched"]), (&json!("shred notes.txt"), &json!(false)));
    let table = home.output(&["watch", "status", "-L", &swarm.socket, "--session", "mine"]);
    let table = String::from_utf8_lossy(&table.stdout).into_owned();
    assert!(table.starts_with("AGENT") && table.contains("waiting"), "{table}");
    // With a watcher it is known for how long.
    swarm.watch("--session mine");
    swarm.wait_for("a word about it", |said| said["agent"] == "agent-1");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while status()[0]["waiting_ms"].is_null() {
        assert!(std::time::Instant::now() < until, "{}", status());
    }
    person.run(&format!("s watch stop -L {} agent-0", swarm.socket));
    person.wait_for("interrupted agent-0 (sent: Escape)");
    let keys = std::fs::read_to_string(home.root.path().join("keys-0")).unwrap();
    assert!(keys.contains(r"key 0 '\x1b'"), "{keys}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let home = Home::new();
    let swarm = Swarm::new(&home);
    swarm.watch("--session nobody");
    let said = swarm.wait_for("trouble", |said| said["event"] == "trouble");
    assert_eq!((&said["kind"], &said["about"]), (&json!("no_session"), &json!("nobody")));
    // An agent does not start what answers it.
    let by_agent = home.signoff(&["watch"]).env("CLAUDECODE", "1").output().unwrap();
    assert_eq!(by_agent.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&by_agent.stderr).contains("for a person"));
    let person = swarm.person();
    person.run("(PATH=/nonexistent; s watch)");
    person.wait_for("tmux is not installed");
    person.run(&format!("s watch stop -L {} nobody", swarm.socket));
    person.wait_for("there is no agent");
    let old = home.root.path().join("old");
    home.write("old/tmux", "#!/bin/sh\necho tmux 3.1c\n");
    std::process::Command::new("chmod").args(["+x", old.join("tmux").to_str().unwrap()]).status().unwrap();
    person.run(&format!("(PATH={}:/usr/bin:/bin; s watch)", old.display()));
    person.wait_for("tmux 3.1 is too old");
}
