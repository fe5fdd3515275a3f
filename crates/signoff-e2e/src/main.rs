//! The `signoff` command with its own files below a directory of the caller's choice, for tests from end to end.
//!
//! The real command takes no such wish: where its policy lies must not be for an agent to say. So this is a program of its
//! own, which nobody installs.

use std::{env, hint::black_box, path::PathBuf, process::ExitCode, thread, time::Duration};

use signoff_cli::Places;

/// Without this nothing is configured.
const ROOT: &str = "SIGNOFF_E2E_ROOT";

/// The machine whose files begin there, as the real command finds them: for what concerns several users.
const MACHINE: &str = "SIGNOFF_E2E_MACHINE";

/// What goes wrong inside.
const FAULT: &str = "SIGNOFF_E2E_FAULT";

fn main() -> ExitCode {
    if let Some(machine) = env::var_os(MACHINE).map(PathBuf::from) {
        let home = machine.join("home").join(signoff_facts::user_name().unwrap_or_default());
        return signoff_cli::main_at(|| Places::of_machine(&machine, &home));
    }
    let root = env::var_os(ROOT).map(PathBuf::from).or_else(beside);
    // Nobody can make anything there, not even an administrator: a gateway that a test starts without a root has to fail.
    let root = root.unwrap_or_else(|| PathBuf::from("/dev/null/signoff"));
    signoff_cli::main_at(|| {
        go_wrong(env::var(FAULT).as_deref().unwrap_or_default());
        Places::below(&root)
    })
}

/// Something goes wrong inside, for tests of what is heard then.
#[allow(clippy::panic, reason = "that is what goes wrong")]
fn go_wrong(fault: &str) {
    match fault {
        "panic" => panic!("a defect"),
        "panic-elsewhere" => drop(thread::spawn(|| panic!("a defect elsewhere")).join()),
        "abort" => std::process::abort(),
        "overflow" => drop(black_box(deeper(black_box(0)))),
        "hang" => thread::sleep(Duration::from_secs(600)),
        _ => {}
    }
}

/// Needs more stack than there is.
fn deeper(depth: u64) -> u64 {
    let room = black_box([depth; 128]);
    if depth == u64::MAX { 0 } else { deeper(depth + 1) + room.iter().sum::<u64>() }
}

/// The root whose program this is: a copy that lies there as `signoff`, for what starts it without any environment.
fn beside() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let root = program.parent()?;
    (program.ends_with("signoff") && root.join("work").is_dir()).then(|| root.to_owned())
}
