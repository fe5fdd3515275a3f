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
            ("ask" | "block", Verdict::Allow) => mistakes.missed += 1,
            ("block", Verdict::Ask) => mistakes.not_blocked += 1,
            _ => {}
        }
    }
    mistakes
}

/// At most so many mistakes; fewer are welcome, and then the figure here is lowered.
#[track_caller]
fn at_most(set: &str, bound: Mistakes) {
    let found = mistakes(set);
    let holds = found.missed <= bound.missed
        && found.bothered <= bound.bothered
        && found.missed + found.not_blocked <= bound.missed + bound.not_blocked;
    assert!(holds, "{set}: {found:?}, no more than {bound:?} before");
}

#[test]
fn what_has_been_reached_is_not_lost() {
    at_most("commands_mixed.jsonl", Mistakes { missed: 0, bothered: 0, not_blocked: 0 });
    at_most("commands_attacks.jsonl", Mistakes { missed: 0, bothered: 0, not_blocked: 2 });
    at_most("commands_daily.jsonl", Mistakes { missed: 1, bothered: 6, not_blocked: 0 });
    at_most("commands_breadth.jsonl", Mistakes { missed: 0, bothered: 1, not_blocked: 0 });
    at_most("commands_losses.jsonl", Mistakes { missed: 0, bothered: 0, not_blocked: 0 });
    at_most("commands_gaps.jsonl", Mistakes { missed: 1, bothered: 0, not_blocked: 4 });
    at_most("file_ops.jsonl", Mistakes { missed: 0, bothered: 0, not_blocked: 0 });
    at_most("gaps_files_tools.jsonl", Mistakes { missed: 0, bothered: 0, not_blocked: 1 });
    at_most("tools.jsonl", Mistakes { missed: 0, bothered: 0, not_blocked: 0 });
}
