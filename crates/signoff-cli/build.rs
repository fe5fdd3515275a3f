//! Links the program so that it starts quickly on Linux.
//!
//! One call of a hook is mostly the start of a process: what the loader has to find, map and write costs more than all that
//! Signoff does in it ("One process" in `docs/benchmarks.md`). So the unwinder is linked into the program where the
//! compiler's own copy of it can be found, and the program lies at a fixed address, which leaves the loader 29,000 addresses less
//! to write into 138 pages. Stack, heap and libraries are still placed at random; whoever wants the program there as well sets
//! `SIGNOFF_POSITION_INDEPENDENT=1` when building.

use std::{env, fs, path::PathBuf, process::Command};

const UNWINDER: &str = "libgcc_eh.a";
const POSITION_INDEPENDENT: &str = "SIGNOFF_POSITION_INDEPENDENT";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CC");
    println!("cargo::rerun-if-env-changed={POSITION_INDEPENDENT}");
    if !is_for_this_machine() {
        return;
    }
    if env::var_os(POSITION_INDEPENDENT).is_none_or(|asked| asked.is_empty() || asked == "0") {
        println!("cargo::rustc-link-arg-bin=signoff=-no-pie");
    }
    if let Some(directory) = unwinder_alone() {
        println!("cargo::rustc-link-search=native={}", directory.display());
        // Whole, since whatever needs it is linked later, and before anything asks for the shared one.
        println!("cargo::rustc-link-lib=static:+whole-archive,-bundle=gcc_eh");
    }
}

/// Whether the program is for Linux with glibc, and for the machine that builds: another one's compiler is somebody else.
fn is_for_this_machine() -> bool {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && env::var("HOST") == env::var("TARGET")
}

/// A directory with nothing in it but a copy of the unwinder: beside the original lie libraries that nobody asked for.
fn unwinder_alone() -> Option<PathBuf> {
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let said = Command::new(compiler).arg(format!("-print-file-name={UNWINDER}")).output().ok()?;
    let original = PathBuf::from(String::from_utf8(said.stdout).ok()?.trim());
    // A compiler that does not have it repeats the name.
    if !original.is_absolute() {
        return None;
    }
    let directory = PathBuf::from(env::var_os("OUT_DIR")?);
    fs::copy(original, directory.join(UNWINDER)).ok()?;
    Some(directory)
}
