//! Files in the repository that are made from the table of keys. Run with `SIGNOFF_BLESS=1` to bring them up to date.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{env, fs, path::PathBuf};

/// Compares a file with what it should hold, or writes it when asked to.
#[track_caller]
fn check(path: &str, wanted: &str) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if env::var_os("SIGNOFF_BLESS").is_some() {
        fs::write(&file, wanted).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found == wanted,
        "{path} is stale; bring it up to date with: SIGNOFF_BLESS=1 cargo test -p signoff-config --test generated"
    );
}

#[test]
fn the_schema_is_up_to_date() {
    let schema = serde_json::to_string_pretty(&signoff_config::schema()).unwrap();
    check("docs/config.schema.json", &format!("{schema}\n"));
}

#[test]
fn the_reference_is_up_to_date() {
    check("docs/configuration.md", &signoff_config::reference());
}

#[test]
fn the_example_of_the_reference_is_a_configuration() {
    let reference = signoff_config::reference();
    let example = reference.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let settings = signoff_config::read_text(example, "example.toml".as_ref()).unwrap();
    assert_eq!(settings.rules.len(), 1);
}
