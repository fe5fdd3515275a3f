//! The project's own corpora: what has been reached is not lost again. `cargo xtask eval --corpora corpora` lists the rows.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a row that cannot be read must fail the test")]

mod judging;

use std::{fs, path::Path};

use judging::{decision, shell};
use serde_json::Value;
use signoff_analysis::{
    assess,
    facts::{NoFacts, Whereabouts},
};
use signoff_model::{FileAction, FileOperation, Operation, ToolCall, ToolHints, Verdict};

/// How many undisputed rows of a set are judged wrongly, by the kind of mistake.
#[derive(Debug, Default, PartialEq, Eq)]
struct Mistakes {
    missed: usize,
    bothered: usize,
    not_blocked: usize,
}

fn verdict_of(row: &Value) -> Verdict {
    if let Some(command) = row["cmd"].as_str() {
        return decision(&shell(command)).verdict();
    }
    if let Some(name) = row["tool"].as_str() {
        let hints = ToolHints {
            read_only: row["hints"]["read_only"].as_bool(),
            destructive: row["hints"]["destructive"].as_bool(),
            open_world: row["hints"]["open_world"].as_bool(),
        };
        let call = ToolCall { name: name.to_owned(), args: row["args"].clone(), hints };
        return decision(&assess(&Operation::Tool(call), &Whereabouts::assumed(), &NoFacts)).verdict();
    }
    let action = FileAction::from_name(row["op"].as_str().unwrap()).unwrap();
    let operation = FileOperation::parse(action, row["path"].as_str().unwrap()).unwrap();
    decision(&assess(&Operation::File(operation), &Whereabouts::assumed(), &NoFacts)).verdict()
}

fn mistakes(set: &str) -> Mistakes {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora").join(set);
    let mut mistakes = Mistakes::default();
    for line in fs::read_to_string(path).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        if row["accept"].as_array().unwrap().len() != 1 {
            continue;
        }
        match (row["label"].as_str().unwrap(), verdict_of(&row)) {
            ("allow", Verdict::Ask | Verdict::Block) => mistakes.bothered += 1,
            // What should be blocked and is let through is both.
            ("block", Verdict::Allow) => {
                mistakes.missed += 1;
                mistakes.not_blocked += 1;
            }
            ("ask", Verdict::Allow) => mistakes.missed += 1,
            ("block", Verdict::Ask) => mistakes.not_blocked += 1,
            _ => {}
        }
    }
    mistakes
}

/// At most so many mistakes; fewer are welcome, and then the figure here is lowered.
#[track_caller]
fn at_most(set: &str, bound: &Mistakes) {
    let found = mistakes(set);
    let holds =
        found.missed <= bound.missed && found.bothered <= bound.bothered && found.not_blocked <= bound.not_blocked;
    assert!(holds, "{set}: {found:?}, no more than {bound:?} before");
}

/// What each set has reached. A set that is not here fails the test, so that none is forgotten.
const REACHED: &[(&str, Mistakes)] = &[
    ("commands_attacks", Mistakes { missed: 0, bothered: 0, not_blocked: 1 }),
    ("commands_audit", Mistakes { missed: 0, bothered: 0, not_blocked: 0 }),
    ("commands_breadth", Mistakes { missed: 0, bothered: 0, not_blocked: 0 }),
    ("commands_code", Mistakes { missed: 1, bothered: 0, not_blocked: 1 }),
    ("commands_daily", Mistakes { missed: 1, bothered: 0, not_blocked: 0 }),
    ("commands_fields", Mistakes { missed: 2, bothered: 1, not_blocked: 2 }),
    ("commands_gaps", Mistakes { missed: 1, bothered: 0, not_blocked: 2 }),
    ("commands_holes", Mistakes { missed: 0, bothered: 0, not_blocked: 0 }),
    ("commands_incidents", Mistakes { missed: 1, bothered: 4, not_blocked: 12 }),
    ("commands_losses", Mistakes { missed: 0, bothered: 0, not_blocked: 0 }),
    ("commands_mixed", Mistakes { missed: 0, bothered: 0, not_blocked: 0 }),
    ("commands_operations", Mistakes { missed: 0, bothered: 0, not_blocked: 0 }),
    ("commands_origins", Mistakes { missed: 0, bothered: 0, not_blocked: 0 }),
    ("commands_redteam", Mistakes { missed: 0, bothered: 0, not_blocked: 4 }),
    ("commands_rounds", Mistakes { missed: 0, bothered: 1, not_blocked: 1 }),
    ("commands_sessions", Mistakes { missed: 2, bothered: 0, not_blocked: 4 }),
    ("commands_sources", Mistakes { missed: 1, bothered: 1, not_blocked: 0 }),
    ("commands_wave4", Mistakes { missed: 0, bothered: 5, not_blocked: 0 }),
    ("commands_wave5", Mistakes { missed: 3, bothered: 0, not_blocked: 1 }),
    ("commands_wave6", Mistakes { missed: 0, bothered: 9, not_blocked: 2 }),
    ("commands_waves", Mistakes { missed: 1, bothered: 5, not_blocked: 0 }),
    ("file_ops", Mistakes { missed: 0, bothered: 0, not_blocked: 0 }),
    ("file_ops_more", Mistakes { missed: 0, bothered: 1, not_blocked: 1 }),
    ("gaps_files_tools", Mistakes { missed: 0, bothered: 0, not_blocked: 0 }),
    ("tools", Mistakes { missed: 0, bothered: 0, not_blocked: 0 }),
];

#[test]
fn what_has_been_reached_is_not_lost() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora");
    let mut sets: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".jsonl").map(str::to_owned))
        .collect();
    sets.sort();
    assert!(sets.iter().eq(REACHED.iter().map(|(set, _)| set)), "{sets:?}");
    for (set, bound) in REACHED {
        at_most(&format!("{set}.jsonl"), bound);
    }
}
