//! Our parser beside bash over JSON lines: always over the project's own corpora, and over any other directory on request.
//!
//! `cargo xtask parser --corpora <directory>` runs the tests that are left out here, since the texts of other corpora have
//! owners and licences of their own and are not in the repository.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use signoff_analysis::shell::syntax::{Arena, Limits, parse};
use signoff_model::Dialect;

use crate::{lister, normal_form, oracle};

const VARIABLE: &str = "SIGNOFF_CORPORA";

/// The directory that the environment names. A test that asks for it fails without it, and never passes unheard.
fn named() -> PathBuf {
    PathBuf::from(std::env::var_os(VARIABLE).expect("SIGNOFF_CORPORA names a directory of JSON lines"))
}

/// The project's own corpora.
fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora")
}

fn rows(directory: &Path) -> Vec<(String, Value)> {
    let mut files = Vec::new();
    collect(directory, &mut files);
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for line in std::fs::read_to_string(&file).expect("a corpus is UTF-8").lines() {
            rows.push((name.clone(), serde_json::from_str(line).expect("a corpus holds JSON lines")));
        }
    }
    rows
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("the corpora are a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
}

#[test]
#[ignore = "needs SIGNOFF_CORPORA; `cargo xtask parser` runs it"]
fn corpora_list_the_expected_commands() {
    let rows = rows(&named());
    let mut wrong = Vec::new();
    let mut listed = 0usize;
    for (_, row) in &rows {
        let (Some(text), Some(expected)) = (row["cmd"].as_str(), row.get("commands")) else { continue };
        listed += 1;
        let arena = Arena::new();
        let script = parse(text, Dialect::Bash, &Limits::default(), &arena);
        let names = lister::names(&script, text);
        let right = match expected.as_array() {
            Some(expected) => {
                script.errors.is_empty()
                    && expected.iter().map(|name| name.as_str()).eq(names.iter().map(|name| Some(name.as_str())))
            }
            None => !script.errors.is_empty(),
        };
        if !right {
            wrong.push(format!("{text:?}: expected {expected}, got {names:?} {:?}", script.errors));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(listed > 0, "no row lists its commands");
}

/// The shell texts of some corpora, with the set each is from. `${{ … }}` is filled in by a build server before a shell sees
/// it; `bash -n` lets it stand and bash itself does not, so texts of our own with it are left out.
fn texts(directory: &Path) -> Vec<(String, String)> {
    let shell = |set: &str| !matches!(set, "sql" | "file_ops" | "screens" | "chat_replies");
    let filled = |text: &str| directory != own() || !text.contains("${{");
    let texts = rows(directory).into_iter().filter_map(|(set, row)| Some((set, row["cmd"].as_str()?.to_owned())));
    let texts: Vec<_> = texts.filter(|(set, text)| shell(set) && !text.contains('\0') && filled(text)).collect();
    assert!(!texts.is_empty(), "no texts to compare");
    texts
}

/// Compares what we accept with what a shell accepts. Of what the shell accepts, at most one in `most` may be refused.
fn are_accepted_alike(directory: &Path, dialect: Dialect, accepts: impl Fn(&str) -> bool, most: usize) {
    let texts = texts(directory);
    let (mut accepted, mut refused) = (0usize, 0usize);
    let (mut strict, mut lenient) = (Vec::new(), Vec::new());
    let mut took = Duration::ZERO;
    let mut bytes = 0usize;
    for (set, text) in &texts {
        let begin = Instant::now();
        let arena = Arena::new();
        let script = parse(text, dialect, &Limits::default(), &arena);
        took += begin.elapsed();
        bytes += text.len();
        if accepts(text) {
            accepted += 1;
            if !script.errors.is_empty() {
                strict.push(format!("{set}: {text:?}\n    {:?}", script.errors));
            }
        } else {
            refused += 1;
            if script.errors.is_empty() {
                lenient.push(format!("{set}: {text:?}"));
            }
        }
    }
    println!("{dialect:?} refuses, we accept ({} of {refused}):\n{}\n", lenient.len(), lenient.join("\n"));
    println!("{dialect:?} accepts, we refuse ({} of {accepted}):\n{}\n", strict.len(), strict.join("\n"));
    println!("{} texts, {bytes} bytes, {:?} each", texts.len(), took / u32::try_from(texts.len()).unwrap_or(1).max(1));
    assert!(strict.len() * most <= accepted, "more than one in {most} refused");
}

fn are_read_alike(directory: &Path, dialect: Dialect) {
    let texts = texts(directory);
    let wrong: Vec<String> = texts.iter().filter_map(|(_, text)| normal_form::differs(text, dialect)).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), texts.len(), wrong.join("\n"));
}

#[test]
fn our_own_corpora_are_accepted_as_bash_accepts_them() {
    are_accepted_alike(&own(), Dialect::Bash, oracle::bash_accepts, 1000);
}

#[test]
#[ignore = "needs SIGNOFF_CORPORA; `cargo xtask parser` runs it"]
fn corpora_are_accepted_as_bash_accepts_them() {
    are_accepted_alike(&named(), Dialect::Bash, oracle::bash_accepts, 1000);
}

#[test]
#[ignore = "needs SIGNOFF_CORPORA; `cargo xtask parser` runs it"]
fn corpora_are_accepted_as_dash_accepts_them() {
    if oracle::is_installed("dash") {
        are_accepted_alike(&named(), Dialect::Sh, oracle::dash_accepts, 100);
    }
}

#[test]
#[ignore = "needs SIGNOFF_CORPORA; `cargo xtask parser` runs it"]
fn corpora_are_accepted_as_zsh_accepts_them() {
    if oracle::is_installed("zsh") {
        are_accepted_alike(&named(), Dialect::Zsh, oracle::zsh_accepts, 100);
    }
}

#[test]
#[ignore = "needs SIGNOFF_CORPORA; `cargo xtask parser` runs it"]
fn corpora_are_what_bash_reads() {
    are_read_alike(&named(), Dialect::Bash);
}

#[test]
#[ignore = "needs SIGNOFF_CORPORA; `cargo xtask parser` runs it"]
fn corpora_are_what_zsh_reads() {
    if oracle::is_installed("zsh") {
        are_read_alike(&named(), Dialect::Zsh);
    }
}
