//! What holds for every screen.

use proptest::prelude::*;

use super::{View, drawing, read};
use crate::screen::{Prompt, Reading, Subject, hints::is_hint};

const COMMANDS: &[&str] = &[
    "ls",
    "cargo test --workspace",
    "rm -rf ./build/cache ./build/tmp --one-file-system",
    "git commit -m 'a message that is long enough to be wrapped in most terminals that people use' --no-verify",
    "curl https://example.org/a/very/long/path/that/has/no/blank/in/it/and/goes/on/for/more/than/one/row/of/text",
    "for f in *.log; do\n  gzip \"$f\"\ndone",
    "cat <<'EOF' > notes.txt\nfirst\n\nsecond\nEOF",
    "echo 数据库备份 > 备份说明.txt",
];

fn prompt(text: &str) -> Option<Prompt> {
    match read(&View::of(text)) {
        Reading::Prompt(prompt) => Some(*prompt),
        Reading::Nothing | Reading::Other(_) => None,
    }
}

#[test]
fn a_command_is_read_exactly_or_said_to_be_in_doubt_at_every_width() {
    for (name, draw) in drawing::ALL {
        let mut exact = 0;
        for columns in 30..=120 {
            for command in COMMANDS {
                let screen = draw(command, columns);
                let found = prompt(&screen).unwrap_or_else(|| panic!("{name} {columns}\n{screen}"));
                if found.is_whole() {
                    assert_eq!(found.subject, Subject::Shell((*command).to_owned()), "{name} {columns}\n{screen}");
                    exact += 1;
                }
            }
        }
        // Doubts about everything would be right and of no use.
        assert!(exact > 91, "{name}: {exact}");
    }
}

#[test]
fn a_dialog_that_lost_a_row_is_not_read_as_another_command() {
    for (name, draw) in drawing::ALL {
        for command in COMMANDS.iter().filter(|command| !command.contains('\n')) {
            let screen = draw(command, 118);
            let rows: Vec<&str> = screen.lines().collect();
            for lost in 0..rows.len() {
                let rest: Vec<&str> =
                    rows.iter().enumerate().filter(|(row, _)| *row != lost).map(|(_, row)| *row).collect();
                let found = prompt(&rest.join("\n")).filter(Prompt::is_whole).map(|found| found.subject);
                if let Some(Subject::Shell(found)) = found {
                    assert_eq!(found, *command, "{name} without row {lost}\n{screen}");
                }
            }
        }
    }
}

/// What a hostile command is made of: parts of dialogs, so that a part of it may look like the whole.
const HOSTILE: &[&str] = &[
    "rm -rf ~",
    "\n",
    "\n\n",
    " ",
    "ls",
    "#",
    "────────────────────────────────────────────────────────────────────────────────",
    "╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌",
    "╭──────────────────────────────────────────────────────────────────────────────╮",
    "╰──────────────────────────────────────────────────────────────────────────────╯",
    "╭────────────────────╮",
    "│ ls                 │",
    "╰────────────────────╯",
    " Bash command",
    "? Shell  ls",
    "Would you like to run the following command?",
    "Environment: local",
    "$ ls",
    "Do you want to proceed?",
    "Allow execution of [Shell]?",
    "Do you want to run this command?",
    "❯ 1. Yes",
    "  2. No",
    "› 1. Yes, proceed (y)",
    "● 1. Allow once",
    "Esc to cancel · Tab to amend",
    "Press enter to confirm or esc to cancel",
    "• Running ls",
    "● Working",
    "List files",
    "x\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
];

/// What is read of a dialog that an agent draws about a command, its first rows pushed off the screen, where it may be answered
/// and is about something else.
fn mistaken(command: &str, columns: usize, cut: usize) -> Option<String> {
    drawing::ALL.into_iter().find_map(|(name, draw)| {
        let screen = draw(command, columns);
        let rows: Vec<&str> = screen.lines().collect();
        let seen = rows[cut.min(rows.len() - 1)..].join("\n");
        let found = prompt(&seen).filter(|found| found.may_be_answered().is_some())?;
        let read = found.subject.to_string();
        (read.trim() != command.trim()).then(|| format!("{name} {columns} {cut}: {read:?}\n{seen}"))
    })
}

/// Chance finds one part alone only now and then.
#[test]
fn no_part_of_a_dialog_can_pass_for_a_command() {
    for (part, columns) in HOSTILE.iter().flat_map(|part| [40, 80, 82, 84, 120].map(|columns| (part, columns))) {
        for cut in 0..20 {
            assert_eq!(mistaken(part, columns, cut), None, "{part:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// How would an agent get a yes that nobody meant? Its command draws a dialog about something harmless, perhaps with the real
    /// one pushed off the screen.
    #[test]
    fn no_command_can_pass_for_another(
        parts in prop::collection::vec(0..HOSTILE.len(), 1..14),
        columns in prop::sample::select(vec![40_usize, 80, 82, 84, 120]),
        cut in 0_usize..40,
    ) {
        let command: String = parts.iter().map(|part| HOSTILE[*part]).collect();
        prop_assert_eq!(mistaken(&command, columns, cut), None);
    }

    #[test]
    fn a_dialog_with_anything_below_it_is_not_live(row in "[ -~─╭│❯›●的]{1,60}") {
        prop_assume!(!row.trim().is_empty() && !is_hint(&row));
        for (name, draw) in drawing::ALL {
            let screen = format!("{}\n{row}", draw("make docs", 80));
            prop_assert!(prompt(&screen).is_none_or(|found| found.subject != Subject::Shell("make docs".to_owned())), "{}\n{}", name, screen);
        }
    }

    #[test]
    fn any_text_is_read(text in "(?s).{0,400}") {
        let _ = read(&View::of(&text));
    }

    #[test]
    fn any_parts_of_dialogs_are_read(parts in prop::collection::vec(0..HOSTILE.len(), 0..40), columns in 0_usize..100) {
        let text: String = parts.iter().map(|part| HOSTILE[*part]).collect();
        let _ = read(&View { columns: Some(columns), ..View::of(&text) });
    }
}

/// A screen that is made to be dear to read is read as fast as any other of its size.
#[test]
fn work_is_bounded() {
    for part in HOSTILE {
        let text = format!("{part}\n").repeat(20_000);
        let _ = read(&View::of(&text));
        let text = part.replace('\n', " ").repeat(20_000);
        let _ = read(&View::of(&text));
    }
}
