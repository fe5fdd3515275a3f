//! Patterns compared with bash, on generated patterns and trees.

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

use proptest::prelude::*;

use super::{Limits, expand, has_signs};
use crate::testing::generated;

const FAR: Limits = Limits { names: 1 << 20, matches: 1 << 20 };

/// What bash makes of an unquoted pattern; nothing where nothing matches.
fn bash(directory: &Path, pattern: &str) -> Vec<String> {
    let text = format!("shopt -s nullglob; for x in {pattern}; do printf '%s\\0' \"$x\"; done");
    let output = Command::new("bash")
        .current_dir(directory)
        .env("LC_ALL", "C.UTF-8")
        .args(["--norc", "--noprofile", "-c", &text])
        .output()
        .unwrap();
    assert!(output.status.success(), "{pattern}: {}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).unwrap();
    // How many slashes stand between two names means nothing.
    let mut names: Vec<String> = names.split_terminator('\0').map(|name| name.replace("//", "/")).collect();
    // What is no pattern after all, such as a bracket that is never closed, stays as it is.
    names.retain(|name| directory.join(name).symlink_metadata().is_ok());
    names.sort();
    names
}

fn ours(directory: &Path, pattern: &str) -> Option<Vec<String>> {
    let mut names = expand(directory, pattern, FAR)?;
    names.sort();
    Some(names)
}

fn tree(names: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in names {
        let path = dir.path().join(name);
        match name.strip_suffix('/') {
            Some(_) => fs::create_dir_all(path).unwrap(),
            None => {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                if !path.exists() {
                    fs::write(path, "").unwrap();
                }
            }
        }
    }
    dir
}

#[test]
fn patterns_match_what_bash_says() {
    let dir = tree(&[
        "a", "b", "ab", "a.c", "A", ".h", ".git/x", "tmp_a/f", "tmp_b/", "d/e/f", "d/.e/f", "é", "x y", "a]", "[a",
        "-r", "1", "a\\b",
    ]);
    symlink("d", dir.path().join("link")).unwrap();
    symlink("nowhere", dir.path().join("dangling")).unwrap();
    for pattern in [
        "*",
        "?",
        "??",
        "./*",
        "././?",
        "*/",
        "*//",
        "d/*",
        "d/*/f",
        "*/*",
        "*/*/*",
        "[ab]",
        "[!a]",
        "[^a]*",
        "[a-c]",
        "tmp_*",
        "tmp_*/f",
        ".h*",
        "d/.e*",
        "./.g*/x",
        "*\\ *",
        "[]a]*",
        "a[]]",
        "[[]a",
        "nothing*",
        "nothing/*",
        "a/*",
        "link/*",
        "*link*",
        "dang*",
        "dang*/",
        "link/*/",
        "../*nothing",
        "d//*",
        "[a",
        "a\\\\*",
        "[-a]",
        "[a-]",
        "?*",
        "**",
        "d/**",
        "-*",
        "*é*",
        "[é]",
    ] {
        assert_eq!(
            ours(dir.path(), pattern),
            Some(bash(dir.path(), pattern)).filter(|_| has_signs(pattern)),
            "{pattern}"
        );
    }
}

#[test]
fn classes_are_those_of_plain_letters() {
    let dir = tree(&["a", "B", "1", "-", "a1", ".h"]);
    for pattern in ["[[:upper:]]", "[[:digit:]]", "[[:alpha:]]*", "[![:alnum:]]", "[[:lower:][:digit:]]?"] {
        assert_eq!(ours(dir.path(), pattern), Some(bash(dir.path(), pattern)), "{pattern}");
    }
    fs::write(dir.path().join("é"), "").unwrap();
    assert_eq!(ours(dir.path(), "[[:alpha:]]"), None, "what else is a letter depends on the locale");
}

#[test]
fn what_shells_disagree_on_is_not_told() {
    let dir = tree(&["a", ".h"]);
    for pattern in [".*", ".?", "..*/x", "[[=a=]]", "[[.a.]]"] {
        assert_eq!(ours(dir.path(), pattern), None, "{pattern}");
    }
}

#[test]
fn absolute_patterns_and_limits() {
    let dir = tree(&["a1", "a2", "a3", "b/c"]);
    let root = dir.path().canonicalize().unwrap();
    let pattern = format!("{}/a*", root.display());
    let expected: Vec<String> = (1..4).map(|number| format!("{}/a{number}", root.display())).collect();
    assert_eq!(ours(Path::new("/nonexistent"), &pattern), Some(expected));
    assert_eq!(expand(&root, "a*", Limits { names: 3, matches: 9 }), None, "more names than are looked at");
    assert_eq!(expand(&root, "a*", Limits { names: 9, matches: 2 }), None, "more matches than are followed");
}

proptest! {
    #![proptest_config(generated(64))]
    #[test]
    fn generated_patterns_match_what_bash_says(
        names in prop::collection::vec(prop::sample::select(vec![
            "a", "b", "ab", "ba", "abc", ".a", "a.b", "A", "d/a", "d/.b", "d/ab/c", "e/", "é", "a b", "[", "]", "-", "a]", "!",
        ]), 1..12),
        pieces in prop::collection::vec(prop::sample::select(vec![
            "a", "b", "*", "?", "[ab]", "[!a]", "[a-b]", "/", ".", "d", "[", "]", "é", "\\*", "\\ ", "-", "[[:alpha:]]", "!", "^",
        ]), 1..6),
    ) {
        let pattern = pieces.concat();
        let is_plain = pattern.starts_with(['/', '!', '-', '^']) || !has_signs(&pattern);
        if is_plain {
            return Ok(());
        }
        let dir = tree(&names);
        if let Some(ours) = ours(dir.path(), &pattern) {
            prop_assert_eq!(ours, bash(dir.path(), &pattern), "{} in {:?}", pattern, names);
        }
    }
}
