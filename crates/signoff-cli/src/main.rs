//! The `signoff` command.

use std::process::ExitCode;

use signoff_cli::Places;

fn main() -> ExitCode {
    signoff_cli::main_at(Places::of_this_machine)
}
