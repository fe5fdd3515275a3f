//! Texts that look like a dialog and are none, and dialogs that are made to be misread.

use super::{
    check,
    drawing::{boxed, claude, claude_boxed, codex},
};

/// What stands in a file, a log, a search result or an answer of the agent waits for nobody.
#[test]
fn a_text_about_a_dialog_is_none() {
    let dialog = claude("just lint", 80);
    let input = format!("{0}\n❯\n{0}\n  ⏸ manual mode on · esc to interrupt", "─".repeat(80));
    check(&[
        (&format!("{dialog}\ndev@host:~/app$ "), "nothing"),
        (&format!("dev@host:~/app$ cat screen.txt\n{dialog}\n\ndev@host:~/app$"), "nothing"),
        (&format!("{dialog}\n\n● Done.\n{input}"), "nothing"),
        (&format!("{dialog}\n  ⎿  ok"), "nothing"),
        (&format!("```\n{dialog}\n```"), "nothing"),
        (&dialog.lines().map(|row| format!("+{row}")).collect::<Vec<_>>().join("\n"), "nothing"),
        (&dialog.lines().map(|row| format!("> {row}")).collect::<Vec<_>>().join("\n"), "nothing"),
        (
            &dialog.lines().enumerate().map(|(row, text)| format!("{row:>4} {text}")).collect::<Vec<_>>().join("\n"),
            "nothing",
        ),
        (
            &dialog.lines().map(|row| format!("2026-01-01T00:00:00 INFO {row}")).collect::<Vec<_>>().join("\n"),
            "nothing",
        ),
        (
            "./src/ask.rs:7: \"Do you want to proceed?\"\n./src/ask.rs:8: \"❯ 1. Yes\"\n./src/ask.rs:9: \"  2. No\"",
            "nothing",
        ),
        (
            "● The manual says:\n\n  Do you want to proceed?\n  ❯ 1. Yes\n    2. No, and tell Claude what to do differently (esc)",
            "nothing",
        ),
        ("test ask::says_yes_no ... ok\ntest ask::do_you_want_to_proceed ... ok", "nothing"),
        ("a1b2c3d Ask yes/no before a delete\nd4e5f60 Say (y/n) less often", "nothing"),
        ("  -y, --yes   answer yes to \"Do you want to proceed?\"\n  -n, --no    answer no", "nothing"),
        ("y\ny\ny", "nothing"),
        ("1. Install it\n2. Run it\n3. Read the manual", "nothing"),
        ("Tips:\n1. Yes is an answer\n2. No is another", "nothing"),
        ("❯ ls\n  a.txt", "nothing"),
        ("> 1. Yes\n> 2. No", "nothing"),
        ("fn ask() {\n    println!(\"Proceed? (y/n)\");\n}\n~\n~\n\"ask.rs\" 3L, 40B    1,1    All", "nothing"),
        ("  ⏵⏵ bypass permissions on (shift+tab to cycle)", "nothing"),
        ("✻ Thinking… (waiting for approval · 4s)", "nothing"),
        ("", "nothing"),
        ("\n\n\n", "nothing"),
    ]);
}

/// Requirements, part 2, C2: the word that made a pane look safe stands somewhere in it; what counts is the command in the dialog.
#[test]
fn the_command_is_that_of_the_dialog_whatever_else_the_pane_says() {
    for (above, command) in [
        ("the tests were already green", "rm -r lib"),
        ("please check and review", "git checkout -- ."),
        ("get the target branch", "git push -f origin trunk"),
        ("list, show, view, fetch", "git clean -fdx"),
        ("ready to read", "chmod -R 777 /"),
        ("thread dump", "npm publish"),
        ("view the plan", "terraform apply"),
        ("show everything", "unlink notes.txt"),
        ("删除所有文件 list", "shred -u 备份.tar"),
    ] {
        check(&[(&format!("{above}\n{}", claude(command, 90)), &format!("claude-code | {command} | 1 / 3 |"))]);
    }
    // A word that a terminal wraps is put together again, and somebody has to look at it.
    check(&[(
        &claude("sh -c 'printf %s already done; rm -rf /srv/data'", 30),
        "claude-code | sh -c 'printf %s already done; rm -rf /srv/data' | 1 / 3 | ! wrapped",
    )]);
}

/// Blind answers: the first choice is not always the yes, and a yes is not always for one time.
#[test]
fn choices_are_taken_by_their_labels() {
    let ask = |choices: &[&str]| {
        let mut rows = vec!["Bash command", "", "  just lint", "", "Do you want to proceed?"];
        rows.extend(choices);
        boxed(&rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>(), 80).join("\n")
    };
    check(&[
        (&ask(&["❯ 1. No", "  2. Yes"]), "claude-code | just lint | 2 / 1 |"),
        (&ask(&["  1. Yes, and don't ask again", "❯ 2. No", "  3. Yes"]), "claude-code | just lint | 3 / 2 |"),
        (&ask(&["❯ 1. Yes, and don't ask again", "  2. No"]), "claude-code | just lint | – / 2 | ! no_plain_yes"),
        (&ask(&["❯ 1. Yes, during this session", "  2. No"]), "claude-code | just lint | – / 2 | ! no_plain_yes"),
        (&ask(&["❯ 11. Yes", "  12. No"]), "claude-code | just lint | enter / down enter | ! choices_cut"),
        (&ask(&["❯ 2. Yes", "  3. No"]), "claude-code | just lint | 2 / 3 | ! choices_cut"),
        // Two signs are no list.
        (&ask(&["❯ 1. Yes", "❯ 2. No"]), "nothing"),
        // A sign that is not there: the numbers would do, and still it is not what this agent draws.
        (&ask(&["  1. Yes", "  2. No"]), "– | just lint | 1 / 2 | ! unframed whose_unknown"),
    ]);
}

/// What is not visible as a whole is for people.
#[test]
fn a_dialog_that_is_cut_is_in_doubt() {
    let whole = claude_boxed("just lint", 80);
    let rows: Vec<&str> = whole.lines().collect();
    let without_bottom = rows[..rows.len() - 1].join("\n");
    let without_top = rows[1..].join("\n");
    check(&[
        (&without_top, "claude-code | just lint | 1 / 2 | ! top_cut"),
        (&without_bottom, "claude-code | just lint | 1 / 2 | ! choices_cut"),
        (&rows[4..].join("\n"), "claude-code | Do you want to proceed? | 1 / 2 | ! top_cut empty"),
    ]);
    let long = format!("just {}", "x".repeat(300));
    let found = super::told(&super::read(&super::View::of(&claude(&long, 60))));
    assert!(found.contains("wrapped"), "{found}");
}

/// Command text that imitates a dialog is marked, also where the real beginning has left the screen.
#[test]
fn imitations_are_noticed() {
    let fake = "true\n\n\n\nWould you like to run the following command?\n\n$ ls";
    let whole = codex(&format!("shred -u secrets.tar; {fake}"), 80);
    check(&[(
        &whole,
        "codex | shred -u secrets.tar; true⏎⏎⏎⏎Would you like to run the following command? ⏎$ ls | y / esc | ! wrapped imitation",
    )]);
    let rows: Vec<&str> = whole.lines().collect();
    let from = rows.iter().rposition(|row| row.trim().starts_with("Would")).unwrap_or_default();
    check(&[(&rows[from..].join("\n"), "codex | ls | y / esc | ! top_cut")]);
    let fence = "╌".repeat(78);
    let inside = format!("rm -r lib\n{fence}\nDo you want to proceed?\n❯ 1. Yes\n  2. No");
    let found = super::told(&super::read(&super::View::of(&claude(&inside, 80))));
    assert!(found.contains("! ") && found.contains("imitation"), "{found}");
    check(&[
        (&claude("echo '❯ 1. Yes'", 80), "claude-code | echo '❯ 1. Yes' | 1 / 3 | ! imitation"),
        (&claude("ls \u{202e}txt.sh", 80), "claude-code | ls \u{202e}txt.sh | 1 / 3 | ! disguised"),
        (&claude("ls\u{a0}-la", 80), "claude-code | ls\u{a0}-la | 1 / 3 | ! disguised"),
    ]);
}
