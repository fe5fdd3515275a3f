//! `signoff check --kind screen`: the contract of its answers.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod program;

use program::{complains, lines, output, stdout, with_input};
use serde_json::json;

const DIALOG: &str = "\
• Running it

  Would you like to run the following command?

  $ just docs

› 1. Yes, proceed (y)
  2. Yes, and don't ask again for it (p)
  3. No, and tell Codex what to do differently (esc)

  Press enter to confirm or esc to cancel
";

#[test]
fn a_screen_is_told_to_programs() {
    for (screen, code, expected) in [
        (DIALOG, 10, json!({"screen": "prompt", "agent": "codex", "command": "just docs", "yes": "y", "no": "esc"})),
        (
            "[sudo] password for dev: ",
            20,
            json!({"screen": "other_prompt", "agent": "sudo", "command": null, "yes": null, "no": null}),
        ),
        ("dev@host:~$ ", 0, json!({"screen": "not_prompt", "agent": null, "command": null, "yes": null, "no": null})),
        (
            "Execute this command? [y/N] ",
            10,
            json!({"screen": "prompt", "agent": null, "command": "Execute this command?", "yes": "y", "no": "n",
                   "held": ["for_people", "default_is_no", "unframed", "whose_unknown"]}),
        ),
    ] {
        let read = with_input(&["check", "--kind", "screen", "--json"], screen.as_bytes());
        assert_eq!(read.status.code(), Some(code), "{screen}");
        assert_eq!(lines(&read), [expected], "{screen}");
    }
}

#[test]
fn a_batch_may_hold_screens_beside_other_lines() {
    let screen = |more: serde_json::Value| {
        let mut line = json!({"id": 7, "kind": "screen", "screen": DIALOG});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        line.to_string()
    };
    let input = [
        screen(json!({"columns": 80, "cursor": [0, 9], "running": "codex"})),
        screen(json!({"cursor": [0, 0]})),
        screen(json!({"running": "claude"})),
        screen(json!({"running": "nobody"})),
        screen(json!({"cursor": 3})),
        r#"{"id": 8, "cmd": "ls"}"#.to_owned(),
    ];
    let read = with_input(&["check", "--batch", "--facts", "none"], input.join("\n").as_bytes());
    assert_eq!(read.status.code(), Some(2));
    let answers = lines(&read);
    assert_eq!(
        answers[0],
        json!({"id": 7, "screen": "prompt", "agent": "codex", "command": "just docs", "yes": "y", "no": "esc"})
    );
    assert_eq!(answers[1]["screen"], "not_prompt");
    assert_eq!(answers[2]["held"], json!(["whose_unknown"]));
    assert_eq!(answers[3]["error"]["message"], "unknown agent `nobody`");
    assert_eq!(answers[4]["error"]["message"], "`cursor` must be a column and a row");
    assert_eq!(answers[5]["verdict"], "allow");
}

#[test]
fn a_screen_is_told_to_people_in_their_language() {
    let told = |language: &str, screen: &str| {
        let read = with_input(&["check", "--kind", "screen", "--lang", language], screen.as_bytes());
        stdout(&read).to_owned()
    };
    let english = told("en", DIALOG);
    for part in ["codex waits for permission", "just docs", "yes  y", "no   esc"] {
        assert!(english.contains(part), "{part}: {english}");
    }
    assert!(!english.contains("held"), "{english}");
    let doubted = DIALOG.lines().skip(2).collect::<Vec<_>>().join("\n");
    assert!(told("en", &doubted).contains("held  its beginning is not on the screen"));
    assert!(told("zh", &doubted).contains("须人工  开头不在屏幕上"));
    assert!(told("zh", "ls").contains("没有等待许可的请求"));
    complains(&output(&["check", "--kind", "screen", "one", "two"]), "a screen is one text");
}
