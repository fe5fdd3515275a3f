//! The `signoff` command with its own files below a directory of the caller's choice, for tests from end to end.
//!
//! The real command takes no such wish: where its policy lies must not be for an agent to say. So this is a program of its
//! own, which nobody installs.

use std::{env, path::PathBuf, process::ExitCode};

use signoff_cli::Places;

/// Without this nothing is configured.
const ROOT: &str = "SIGNOFF_E2E_ROOT";

fn main() -> ExitCode {
    let root = env::var_os(ROOT).map_or_else(|| PathBuf::from("/nonexistent/signoff"), PathBuf::from);
    signoff_cli::main_at(Places::below(&root))
}
