//! Many answer at the same moment, over HTTP. `cargo xtask races` does it a thousand times on each store.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;

use signoff_e2e::{
    Kept,
    gateway::races::{self, Races},
};
use signoff_testbed::Server;

fn raced(kept: &Kept, rounds: usize) -> Races {
    let races = races::run(Path::new(env!("CARGO_BIN_EXE_signoff-e2e")), kept, rounds);
    assert!(races.wrong.is_empty() && races.rounds >= rounds, "{races}");
    races
}

#[test]
fn one_wins_and_all_are_told_the_same_on_a_file() {
    raced(&Kept::InAFile, 96);
}

#[test]
fn one_wins_and_all_are_told_the_same_on_two_nodes() {
    let database = Server::shared().unwrap().database().unwrap();
    raced(&Kept::InADatabase(database.url()), 48);
}
