//! What nobody should ever let run, and its harmless neighbours: reverse shells in every language, standing back doors,
//! wiped machines, secrets on their way, fork bombs. One line a case: the verdict, and the command with `⏎` for a line end.
#![allow(clippy::unwrap_used, reason = "a row that cannot be read must fail the test")]

mod judging;

use std::{fs, path::Path};

use judging::{decision, shell};
use signoff_model::Verdict;

#[test]
fn absurd_commands_and_their_neighbours_are_told_apart() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/absurd.txt");
    let mut wrong = Vec::new();
    let mut judged = 0;
    for line in fs::read_to_string(path).unwrap().lines().filter(|line| !line.starts_with("##")) {
        let (label, command) = line.split_once(' ').unwrap();
        let wanted = match label {
            "allow" => Verdict::Allow,
            "ask" => Verdict::Ask,
            "block" => Verdict::Block,
            other => panic!("{other} is no verdict"),
        };
        let found = decision(&shell(&command.replace('⏎', "\n"))).verdict();
        judged += 1;
        if found != wanted {
            wrong.push(format!("{found:?}, not {label}: {command}"));
        }
    }
    assert!(judged > 600, "only {judged} rows");
    assert!(wrong.is_empty(), "{} of {judged} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
