//! The difference between a file and what it would become, as people and programs see it, and what nobody gets to see.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{fs, os::unix::fs::symlink};

use program::{Home, stdout, tmux::Terminal};
use serde_json::{Value, json};

fn check(home: &Home, operation: &Value, more: &[&str]) -> (Option<i32>, String) {
    let kind = operation["kind"].as_str().unwrap().to_owned();
    let text = operation.to_string();
    let arguments = [&["check", "--lang", "en", "--kind", &kind], more, &[&text]].concat();
    let output = home.output(&arguments);
    (output.status.code(), stdout(&output).to_owned())
}

fn write(path: &str, content: &str) -> Value {
    json!({"kind": "file", "op": "write", "path": path, "content": content})
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"kind": "tool", "tool": "Edit", "args": {"file_path": path, "old_string": old, "new_string": new}})
}

fn with_notes() -> Home {
    let home = Home::new();
    home.write("work/project/notes.txt", "one\ntwo\nthree\n");
    home
}

#[test]
fn a_person_and_a_program_are_shown_what_differs() {
    let home = with_notes();
    let (code, card) = check(&home, &write("notes.txt", "one\nzwei\u{202e}\nthree\n"), &[]);
    assert_eq!(code, Some(10));
    assert!(
        card.contains("notes.txt  +1 -1") && card.contains("2 - two") && card.contains("2 + zwei‹U+202E›"),
        "{card}"
    );
    let (_, line) = check(&home, &write("notes.txt", "one\nzwei\nthree\n"), &["--json"]);
    let report: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        report["preview"]["changes"],
        json!([{
            "path": "notes.txt",
            "comparison": "lines",
            "against": "file",
            "added": 1,
            "removed": 1,
            "diff": "--- notes.txt\n+++ notes.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n",
        }])
    );
    // Edits of tools, where they ask.
    let (_, card) = check(&home, &edit("notes.txt", "two", "2"), &["--posture", "strict"]);
    assert!(card.contains("2 - two") && card.contains("2 + 2"), "{card}");
    let (_, card) = check(&home, &edit("notes.txt", "gone", "2"), &["--posture", "strict"]);
    assert!(card.contains("the part to be replaced is not in it"), "{card}");
    // Written through a link, it is what the link leads to that differs.
    symlink("notes.txt", home.project().join("link.txt")).unwrap();
    let (_, card) = check(&home, &write("link.txt", "one\n"), &[]);
    assert!(card.contains("notes.txt  +0 -2") && card.contains("2 - two"), "{card}");
    // What comes over a file out of another one.
    home.write("work/project/other.txt", "one\n2\nthree\n");
    for op in ["copy", "move"] {
        let (_, card) = check(&home, &json!({"kind": "file", "op": op, "path": "other.txt -> notes.txt"}), &[]);
        assert!(card.contains("2 - two") && card.contains("2 + 2"), "{card}");
    }
}

#[test]
fn a_long_difference_is_cut_at_a_glance_and_whole_in_full() {
    let home = with_notes();
    let content: String = (1..=300).map(|n| format!("line {n}\n")).collect();
    let (_, brief) = check(&home, &write("notes.txt", &content), &[]);
    assert!(brief.lines().count() < 30 && brief.contains("more lines: show everything (--full)"), "{brief}");
    let (_, full) = check(&home, &write("notes.txt", &content), &["--full"]);
    assert!(full.contains("300 + line 300") && full.contains("3 - three"), "{full}");
}

/// Whoever may ask for a difference must not be told what a secret holds, by no way that leads to it.
#[test]
fn no_difference_tells_what_a_secret_holds() {
    let home = with_notes();
    home.write("work/project/.env", "TOKEN=hunter2\n");
    home.write("work/project/config/server.key", "hunter2\n");
    fs::create_dir_all(home.project().join("deep")).unwrap();
    for (link, target) in [("plain.txt", ".env"), ("way", "config"), ("deep/up", "../.env")] {
        symlink(target, home.project().join(link)).unwrap();
    }
    for path in [
        ".env",
        "./.env",
        "src/../.env",
        ".env ",
        "\".env\"",
        "%2Eenv",
        ".ENV",
        "plain.txt",
        "way/server.key",
        "deep/up",
        "config/server.key",
    ] {
        for operation in [write(path, "TOKEN=guess\n"), edit(path, "TOKEN", "x"), edit(path, "hunter2", "x")] {
            for more in [&["--posture", "strict", "--full"][..], &["--posture", "strict", "--json"]] {
                let (_, told) = check(&home, &operation, more);
                let own = operation.to_string().matches("hunter2").count();
                // What stands there twice is the operation itself, as its text and as the part of it that is replaced.
                assert!(told.matches("hunter2").count() <= 2 * own, "{path}: {told}");
                assert!(!told.contains("+1 -1"), "{path}: {told}");
            }
        }
    }
    for path in [".env -> notes.txt", "plain.txt -> notes.txt", "notes.txt -> plain.txt", "way/server.key -> notes.txt"]
    {
        for op in ["copy", "move"] {
            let operation = json!({"kind": "file", "op": op, "path": path});
            let (_, told) = check(&home, &operation, &["--posture", "strict", "--full"]);
            assert!(!told.contains("hunter2"), "{op} {path}: {told}");
        }
    }
    let (_, told) = check(&home, &write("plain.txt", "x"), &[]);
    assert!(told.contains(".env: holds secrets, the difference is not shown"), "{told}");
    // Not even whether a guess is right.
    let (right, wrong) = (write(".env", "TOKEN=hunter2\n"), write(".env", "TOKEN=wrong42\n"));
    assert_eq!(check(&home, &right, &["--json"]), check(&home, &wrong, &["--json"]));
}

#[test]
fn a_difference_is_shown_before_it_runs_and_looked_at_again() {
    let home = with_notes();
    let terminal = Terminal::open(&home.project(), 110, 60);
    let program = env!("CARGO_BIN_EXE_signoff-e2e");
    terminal.enter(&format!("export SIGNOFF_E2E_ROOT='{}'; s() {{ '{program}' \"$@\"; }}", home.root.path().display()));
    terminal.run("s exec -- \"printf 'one\\nzwei\\n' > notes.txt\"; echo code $?");
    let screen = terminal.wait_for("Run it?");
    assert!(screen.contains("2 - two") && screen.contains("2 + zwei"), "{screen}");
    terminal.enter("s");
    terminal.wait_for("> s\nask");
    terminal.wait_for_prompt("Run it?");
    let screen = terminal.screen();
    assert_eq!(screen.matches("2 + zwei").count(), 2, "{screen}");
    // The lengths are the same, and what differs is not.
    home.write("work/project/notes.txt", "one\nTWO\nthree\n");
    terminal.enter("y");
    let screen = terminal.wait_for("code 123");
    assert!(screen.contains("changed  notes.txt"), "{screen}");
    assert_eq!(fs::read_to_string(home.project().join("notes.txt")).unwrap(), "one\nTWO\nthree\n");
}

#[test]
fn the_gravest_question_shows_everything_too() {
    let home = with_notes();
    home.write("user/config.toml", "[policy]\nposture = \"strict\"\n");
    let terminal = Terminal::open(&home.project(), 110, 60);
    let program = env!("CARGO_BIN_EXE_signoff-e2e");
    terminal.enter(&format!("export SIGNOFF_E2E_ROOT='{}'; s() {{ '{program}' \"$@\"; }}", home.root.path().display()));
    terminal.run("s exec -- 'rm -rf .'; echo code $?");
    terminal.wait_for("Type `");
    terminal.enter("s");
    terminal.wait_for("notes.txt  14 B");
    terminal.enter("anything");
    terminal.wait_for("code 121");
    assert!(home.project().join("notes.txt").exists());
}
