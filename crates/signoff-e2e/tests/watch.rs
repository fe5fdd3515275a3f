//! `signoff watch` in a real tmux, with stand-ins that draw the dialogs of agents and write down each key.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use program::{Home, speaking::python, swarm::Swarm};
use serde_json::{Value, json};

fn key(at: &str, key: &str) -> (String, String) {
    (at.to_owned(), key.to_owned())
}

/// A dialog of Claude Code.
fn asks(command: &str) -> Value {
    json!({"command": command})
}

#[test]
fn what_is_harmless_gets_the_plain_yes_once() {
    if !python() {
        return;
    }
    let home = Home::new();
    let swarm = Swarm::new(&home);
    let claude = swarm.agent("claude", &json!([asks("ls -l"), asks("cargo test"), asks("git status")]));
    let codex = swarm.agent("codex", &json!([{"style": "codex", "command": "ls src", "ends": ["y"]}]));
    swarm.watch("");
    claude.wait_until_done();
    codex.wait_until_done();
    assert_eq!(claude.keys(), [key("0", "1"), key("1", "1"), key("2", "1")], "one digit each, and no Enter behind it");
    assert_eq!(codex.keys(), [key("0", "y")]);
    let said = swarm.event(&claude, "confirmed");
    assert_eq!((&said["sent"], &said["by"], &said["program"]), (&json!("1"), &json!("policy"), &json!("claude")));
    assert_eq!(said["subject"], "ls -l");
}

/// How would a prompt get two answers? By being there after the first.
#[test]
fn the_same_prompt_is_answered_once_however_often_it_is_drawn() {
    if !python() {
        return;
    }
    let home = Home::new();
    let swarm = Swarm::new(&home);
    let stubborn = swarm.agent("claude", &json!([{"command": "ls", "redraws": true}]));
    swarm.watch("");
    let stuck = swarm.event(&stubborn, "stuck");
    assert_eq!(stuck["sent"], "1");
    assert_eq!(stuck["by_hand"], format!("tmux -L {} send-keys -t {} -l 1", swarm.socket, stubborn.pane));
    // Ten times the same, drawn anew each time that somebody presses something else.
    for _ in 0..10 {
        swarm.tmux(&["send-keys", "-t", &stubborn.pane, "x"]);
    }
    let other = swarm.agent("claude", &json!([asks("ls")]));
    other.wait_until_done();
    let ours = stubborn.keys().iter().filter(|(_, key)| !key.starts_with('x')).cloned().collect::<Vec<_>>();
    assert!(
        matches!(ours.as_slice(), [(_, one)] if one == "1") || ours == [key("0", "1"), key("0", "\\r")],
        "{ours:?}"
    );
    let typed = ours.len();
    assert!(typed <= 2, "an Enter follows only where the mark stands at the yes");
}

#[test]
fn digits_that_are_lost_or_only_mark_are_followed_by_enter_only_where_the_mark_stands_at_the_yes() {
    if !python() {
        return;
    }
    let home = Home::new();
    let swarm = Swarm::new(&home);
    let lost = swarm.agent("claude", &json!([{"command": "ls", "lose": 1, "ends": ["1", "\r"]}]));
    let marks = swarm.agent(
        "claude",
        &json!([{"command": "ls", "choices": ["No", "Yes"], "mark": 0, "marks": {"2": 1}, "ends": ["\r"]}]),
    );
    // Behind a digit that is lost Enter would say no.
    let refuses =
        swarm.agent("claude", &json!([{"command": "ls", "choices": ["No", "Yes"], "lose": 9, "ends": ["\r"]}]));
    swarm.watch("");
    lost.wait_until_done();
    assert_eq!(lost.keys(), [key("0", "1"), key("0", "\\r")]);
    swarm.event(&refuses, "stuck");
    assert_eq!(refuses.keys(), [key("0", "2")]);
    marks.wait_until_done();
    assert_eq!(marks.keys(), [key("0", "2"), key("0", "\\r")]);
}

#[test]
fn what_is_for_people_or_in_doubt_is_left_to_them_with_what_to_paste() {
    if !python() {
        return;
    }
    let home = Home::new();
    let swarm = Swarm::new(&home);
    let rule = "─".repeat(110);
    let trust = format!(
        "{rule}\n Accessing workspace:\n\n /srv/app\n\n Quick safety check: Is this a project you created or one you trust?\n\n \
         Claude Code'll be able to read, edit, and execute files here.\n\n ❯ No, exit\n   Yes, I trust this folder\n\n Enter to confirm · Esc to cancel"
    );
    let trust = swarm.agent("claude", &json!([{"style": "raw", "text": trust}]));
    let cut = swarm.agent("claude", &json!([asks("cat a.txt … +12 lines")]));
    let standing =
        swarm.agent("claude", &json!([{"command": "ls", "choices": ["Yes, and don't ask again for: ls", "No"]}]));
    let word = swarm.agent("claude", &json!([asks("echo remove")]));
    let grave = swarm.agent("claude", &json!([asks("rm -rf ~/")]));
    let typing = swarm.agent("claude", &json!([asks("tmux send-keys -t %1 y Enter")]));
    let another = swarm.agent("gemini", &json!([asks("ls")]));
    swarm.watch("");
    for (agent, why) in [
        (&trust, "for_people"),
        (&cut, "doubt"),
        (&standing, "doubt"),
        (&word, "danger_word"),
        (&grave, "blocked"),
        (&typing, "not_approved"),
        (&another, "another_agent"),
    ] {
        let said = swarm.event(agent, "left_to_person");
        assert!(said["why"] == why || why == "for_people" && said["why"] == "doubt", "{said}");
        let by_hand = said["by_hand"].as_str().unwrap();
        assert!(by_hand.starts_with(&format!("tmux -L {}", swarm.socket)), "{by_hand}");
    }
    let harmless = swarm.agent("claude", &json!([asks("ls")]));
    harmless.wait_until_done();
    for agent in [&trust, &cut, &standing, &word, &grave, &typing, &another] {
        assert_eq!(agent.keys(), [], "{}", agent.pane);
    }
}

#[test]
fn what_is_printed_is_no_prompt_and_a_pane_that_does_not_listen_gets_no_key() {
    if !python() {
        return;
    }
    let home = Home::new();
    let swarm = Swarm::new(&home);
    // The dialog of an agent, in a file that a shell prints and in one that a program of another name shows.
    let model = swarm.agent("claude", &json!([{"command": "ls", "redraws": true}]));
    model.wait_for("shown");
    let fake = home.root.path().join("fake.txt");
    std::fs::write(&fake, swarm.tmux(&["capture-pane", "-p", "-t", &model.pane])).unwrap();
    swarm.tmux(&["kill-pane", "-t", &model.pane]);
    let shell = format!("cat '{}'; exec sleep 1000", fake.display());
    let printed = swarm.tmux(&["new-window", "-d", "-P", "-F", "#{pane_id}", "-t", "swarm:", &shell]);
    let looking = swarm.agent("claude", &json!([asks("ls")]));
    looking.wait_for("shown");
    swarm.tmux(&["copy-mode", "-t", &looking.pane]);
    let together = swarm.agent("claude", &json!([asks("ls")]));
    swarm.tmux(&["set-option", "-w", "-t", &together.pane, "synchronize-panes", "on"]);
    swarm.watch("");
    assert_eq!(swarm.event(&together, "left_to_person")["why"], "not_listening");
    let other = swarm.agent("claude", &json!([asks("ls")]));
    other.wait_until_done();
    assert_eq!((looking.keys(), together.keys()), (vec![], vec![]));
    assert!(swarm.said().iter().all(|said| said["pane"] != printed.as_str()), "nobody asks there");
    // Whoever has looked at it comes back, and it is answered.
    swarm.tmux(&["send-keys", "-t", &looking.pane, "-X", "cancel"]);
    looking.wait_until_done();
    assert_eq!(looking.keys(), [key("0", "1")]);
}

#[test]
fn what_takes_the_place_of_a_prompt_is_judged_by_itself() {
    if !python() {
        return;
    }
    let home = Home::new();
    home.write("work/project/notes.txt", "mine");
    let swarm = Swarm::new(&home);
    let swapped = swarm.agent(
        "claude",
        &json!([{"command": "sleep 1", "pause_ms": 3000, "swap_ms": 3}, asks("shred notes.txt"), asks("ls")]),
    );
    swarm.watch("");
    let said = swarm.event(&swapped, "left_to_person");
    assert_eq!(said["subject"], "shred notes.txt");
    assert!(swapped.keys().iter().all(|(at, _)| at != "1"), "{:?}", swapped.keys());
}

#[test]
fn in_a_narrow_pane_a_command_is_read_whole_or_not_at_all() {
    if !python() {
        return;
    }
    let home = Home::new();
    let swarm = Swarm::new(&home);
    let (long, harm) =
        ("ls -l src/some/very/long/path/that/does/not/fit", "ls; rm -rf src/aaaaaaaaaaaaaaaaaa ~/Documents");
    let narrow: Vec<_> = [long, harm, "ls -l"]
        .iter()
        .map(|command| {
            let agent = swarm.agent("claude", &json!([{"command": command, "pause_ms": 1500}]));
            swarm.tmux(&["resize-window", "-t", &agent.pane, "-x", "40"]);
            agent
        })
        .collect();
    swarm.watch("");
    narrow[2].wait_until_done();
    let said = swarm.wait_for("a word about it", |said| said["pane"] == narrow[1].pane.as_str());
    assert_eq!(said["event"], "left_to_person", "{said}");
    assert_eq!(narrow[1].keys(), []);
    let said = swarm.wait_for("a word about it", |said| said["pane"] == narrow[0].pane.as_str());
    assert!(said["event"] == "left_to_person" || said["subject"] == long, "{said}");
    // The watcher is no client that anything is made to fit.
    assert_eq!(swarm.tmux(&["display-message", "-p", "-t", &narrow[0].pane, "#{pane_width}"]), "40");
}

/// How fast, and how dear: `cargo test --release -p signoff-e2e --test watch -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn reaction_and_idle_cost() {
    let home = Home::new();
    let swarm = Swarm::new(&home);
    let steps: Vec<Value> = (0..40).map(|at| json!({"command": format!("ls {at}"), "pause_ms": 400})).collect();
    let agent = swarm.agent("claude", &Value::from(steps));
    swarm.watch("");
    agent.wait_until_done();
    let mut all = agent.reactions();
    all.sort_by(f64::total_cmp);
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize];
    println!(
        "prompt drawn to key read: {} prompts, median {:.0} ms, p90 {:.0} ms, most {:.0} ms",
        all.len(),
        at(0.5),
        at(0.9),
        at(1.0)
    );
    for _ in 0..20 {
        swarm.agent("claude", &json!([]));
    }
    std::thread::sleep(std::time::Duration::from_secs(5));
    let cost = || program::swarm::computed(&["watch", "-L", &swarm.socket]).iter().map(|(_, ms)| ms).sum::<u64>();
    let (before, seconds) = (cost(), 30);
    std::thread::sleep(std::time::Duration::from_secs(seconds));
    let spent = cost() - before;
    println!(
        "idle: 20 agents, {spent} ms of computing in {seconds} s: {:.2} %",
        spent as f64 / (seconds as f64 * 10.0)
    );
}
