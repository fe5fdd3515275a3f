//! Screens and what they are read as. All of them are written for these tests.

mod agents;
mod drawing;
mod lines;
mod properties;
mod traps;

use super::{Agent, Cursor, Reading, View, read};

/// A reading in one line: what it is, of whom, about what, the keys, and the doubts.
fn told(reading: &Reading) -> String {
    match reading {
        Reading::Nothing => "nothing".to_owned(),
        Reading::Other(waiting) => {
            format!("other {} {}", waiting.program.as_deref().unwrap_or("–"), waiting.what.name())
        }
        Reading::Prompt(prompt) => {
            let keys = |keys: &Option<super::Keys>| keys.as_ref().map_or_else(|| "–".to_owned(), ToString::to_string);
            let doubts: Vec<&str> = prompt.doubts.iter().map(|doubt| doubt.name()).collect();
            let by_itself = if prompt.may_be_answered().is_some() { "" } else { " !" };
            format!(
                "{} | {} | {} / {} |{by_itself}{}{}",
                prompt.agent.map_or("–", Agent::name),
                prompt.subject,
                keys(&prompt.yes),
                keys(&prompt.no),
                if doubts.is_empty() { "" } else { " " },
                doubts.join(" ")
            )
        }
    }
}

/// Compares readings with what is expected of them. The line breaks of a command are shown as `⏎`.
#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (screen, expected) in cases {
        let found = told(&read(&View::of(screen))).replace('\n', "⏎");
        if found != *expected {
            wrong.push(format!("{screen}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Where the cursor is when it is known makes a difference: a dialog that it is not in is not live.
#[test]
fn the_cursor_is_in_the_dialog_that_waits() {
    let screen = "$ aider\n\nnotes/today.md\nAdd file to the chat? (Y)es/(N)o [Yes]: ";
    let dialog = drawing::codex("cargo doc", 80);
    let at = |text: &str, row: usize, column: usize| {
        read(&View { cursor: Some(Cursor { row, column }), ..View::of(text) }) != Reading::Nothing
    };
    assert!(at(screen, 3, 40));
    assert!(!at(screen, 3, 2));
    assert!(!at(screen, 0, 2));
    let rows = dialog.lines().count();
    assert!(at(&dialog, rows - 3, 0) && at(&dialog, rows, 0));
    assert!(!at(&dialog, 0, 0) && !at(&dialog, rows + 9, 0));
}

/// The caller may know which program runs; the screen has to agree.
#[test]
fn the_agent_in_the_foreground_is_a_hint() {
    let with = |text: &str, running| told(&read(&View { running: Some(running), ..View::of(text) }));
    let dialog = drawing::codex("cargo doc", 80);
    assert_eq!(with(&dialog, Agent::Codex), "codex | cargo doc | y / esc |");
    assert_eq!(with(&dialog, Agent::Unnamed), "codex | cargo doc | y / esc |");
    assert_eq!(with(&dialog, Agent::Claude), "codex | cargo doc | y / esc | ! whose_unknown");
    let dialog = drawing::gemini("cargo doc", 80);
    assert_eq!(with(&dialog, Agent::Qwen), "qwen-code | cargo doc | 1 / 3 |");
    let line = "Run `cargo doc`? (y/n) ";
    assert_eq!(with(line, Agent::Unnamed), "agent | cargo doc | y / n |");
    assert_eq!(with(line, Agent::Claude), "other – confirmation");
}

/// What a watcher reports to people in words and programs in names.
#[test]
fn every_doubt_has_a_name_of_its_own() {
    let mut names: Vec<&str> = super::Doubt::ALL.iter().map(|doubt| doubt.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), super::Doubt::ALL.len());
    for agent in Agent::ALL {
        assert_eq!(Agent::from_name(agent.name()), Some(agent));
    }
}
