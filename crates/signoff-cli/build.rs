//! Links the unwinder into the program where the compiler's own copy of it can be found.
//!
//! One call of a hook is mostly the start of a process, and every library that the loader has to find, map and look through
//! costs as much as all that Signoff does in it ("One process" in `docs/benchmarks.md`). Where there is no such copy the
//! program is linked with `libgcc_s` as usual.

use std::{env, fs, path::PathBuf, process::Command};

const UNWINDER: &str = "libgcc_eh.a";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CC");
    if let Some(directory) = unwinder_alone() {
        println!("cargo::rustc-link-search=native={}", directory.display());
        // Whole, since whatever needs it is linked later, and before anything asks for the shared one.
        println!("cargo::rustc-link-lib=static:+whole-archive,-bundle=gcc_eh");
    }
}

/// A directory with nothing in it but a copy of the unwinder: beside the original lie libraries that nobody asked for.
fn unwinder_alone() -> Option<PathBuf> {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    // Only for the machine that builds: another one's compiler is somebody else.
    if !is("CARGO_CFG_TARGET_OS", "linux")
        || !is("CARGO_CFG_TARGET_ENV", "gnu")
        || env::var("HOST").ok()? != env::var("TARGET").ok()?
    {
        return None;
    }
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
