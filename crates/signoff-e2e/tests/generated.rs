//! Files in the repository that are made from the program. Run with `SIGNOFF_BLESS=1` to bring them up to date.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod picture;

use std::{env, fs, path::PathBuf, process::Command};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a file with what it should hold, or writes it when asked to.
#[track_caller]
fn check(path: &str, wanted: &str) {
    let file = root().join(path);
    if env::var_os("SIGNOFF_BLESS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, wanted).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found == wanted,
        "{path} is stale; bring it up to date with: SIGNOFF_BLESS=1 cargo test -p signoff-e2e --test generated"
    );
}

fn output(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_signoff-e2e")).args(arguments).env("LANG", "C").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn manual_pages_are_up_to_date() {
    check("docs/man/signoff.1", &output(&["man"]));
    for command in [
        "check",
        "exec",
        "undo",
        "trust",
        "pause",
        "lockdown",
        "separate",
        "serve",
        "inbox",
        "request",
        "people",
        "permit",
        "ledger",
        "config",
        "rules",
        "grant",
        "mcp",
        "acp",
        "watch",
        "completions",
        "mcp",
    ] {
        check(&format!("docs/man/signoff-{command}.1"), &output(&["man", command]));
    }
}

/// What the README shows of the program at work.
const SCENES: [&str; 4] = [
    r#"cd /srv && find . -name "*.log" | xargs rm -rf && git push -f origin main"#,
    r#"git commit -m "remove rm -rf from docs""#,
    "X=rm; $X -rf src",
    "rm -rf ~/",
];

#[test]
fn the_picture_of_the_readme_is_up_to_date() {
    check("docs/check.svg", &picture::of(&SCENES));
}

#[test]
fn the_picture_shows_what_the_program_prints() {
    for command in SCENES {
        assert_eq!(picture::plain(command), output(&["check", "--facts", "none", command]));
    }
}
