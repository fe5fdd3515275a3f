//! The gateway, the agent or both die at every named point. `cargo xtask crash` does the same two thousand times.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;

use signoff_e2e::{Kept, crash::Harness};
use signoff_testbed::Server;

const ROUNDS: usize = 50;

#[test]
fn nothing_is_lost_or_doubled_on_a_file() {
    let tally = Harness::new(Path::new(env!("CARGO_BIN_EXE_signoff-crash")), Kept::InAFile).run(ROUNDS);
    assert!(tally.is_clean() && tally.deaths >= ROUNDS / 2, "{tally}");
}

#[test]
fn nothing_is_lost_or_doubled_on_two_nodes() {
    let database = Server::shared().unwrap().database().unwrap();
    let kept = Kept::InADatabase(database.url());
    let tally = Harness::new(Path::new(env!("CARGO_BIN_EXE_signoff-crash")), kept).run(ROUNDS);
    assert!(tally.is_clean() && tally.deaths >= ROUNDS / 2, "{tally}");
}
