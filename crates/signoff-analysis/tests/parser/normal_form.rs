//! Texts beside what a shell prints when it is asked how it has read them: both must have the same form, or else we
//! read the text otherwise than the shell does.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use serde_json::Value;
use signoff_analysis::shell::syntax::{Arena, Limits, parse};
use signoff_model::Dialect;

use crate::{form, lister, oracle, writer};

/// Whether zsh is there.
static ZSH: LazyLock<bool> = LazyLock::new(|| oracle::is_installed("zsh"));

/// Compares a text with the shell's own print of it. Nothing to say if the shell or we refuse it.
pub(crate) fn differs(text: &str, dialect: Dialect) -> Option<String> {
    let arena = Arena::new();
    let ours = parse(text, dialect, &Limits::default(), &arena);
    // At the end of a file, bash and zsh drop a backslash that they keep at the end of an argument.
    if !ours.errors.is_empty() || text.ends_with('\\') || !form::is_printed_well(&ours, dialect) {
        return None;
    }
    let printed = match dialect {
        Dialect::Zsh => oracle::zsh_prints(text)?,
        Dialect::Bash | Dialect::Sh => oracle::bash_prints(text)?,
    };
    let arena = Arena::new();
    let theirs = parse(&printed, dialect, &Limits::default(), &arena);
    let bash_takes = || dialect == Dialect::Zsh || oracle::bash_accepts(&printed);
    if !theirs.errors.is_empty() && !bash_takes() {
        // Bash refuses its own print: it puts what follows a heredoc on a line of its own.
        return None;
    }
    let (ours, theirs) = (form::of(&ours), form::of(&theirs));
    (ours != theirs).then(|| format!("{text}\n--- is printed as\n{printed}\n--- ours\n{ours}\n--- theirs\n{theirs}\n"))
}

/// The commands of a written text are listed, all of them and nothing else.
fn is_listed(written: &writer::Written, dialect: Dialect) -> Result<(), TestCaseError> {
    let arena = Arena::new();
    let script = parse(&written.text, dialect, &Limits::default(), &arena);
    prop_assert!(script.errors.is_empty(), "{:?}\n{}", script.errors, written.text);
    let mut names = lister::names(&script, &written.text);
    names.sort();
    let mut expected = written.names.clone();
    expected.sort();
    prop_assert_eq!(names, expected, "{}", &written.text);
    Ok(())
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..160)
}

/// The same texts in every run, because what bash prints cannot always be read again; `SIGNOFF_CASES` draws others, and
/// so many times as many.
fn cases(count: u32) -> ProptestConfig {
    let times = std::env::var("SIGNOFF_CASES").ok().and_then(|times| times.parse().ok());
    ProptestConfig {
        cases: count * times.unwrap_or(1),
        max_shrink_iters: 4000,
        failure_persistence: None,
        rng_seed: if times.is_some() { RngSeed::Random } else { RngSeed::Fixed(7) },
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn written_texts_list_their_commands(choices in choices()) {
        for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh] {
            is_listed(&writer::write(&choices, dialect), dialect)?;
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn written_texts_are_what_bash_reads(choices in choices()) {
        let text = writer::write(&choices, Dialect::Bash).text;
        prop_assume!(oracle::bash_accepts(&text), "bash refuses it, or does not end over it");
        let difference = differs(&text, Dialect::Bash);
        prop_assert!(difference.is_none(), "{}", difference.unwrap_or_default());
    }

    #[test]
    fn written_texts_are_what_zsh_reads(choices in choices()) {
        if !*ZSH {
            return Ok(());
        }
        let text = writer::write(&choices, Dialect::Zsh).text;
        prop_assume!(oracle::zsh_accepts(&text), "zsh refuses it");
        let difference = differs(&text, Dialect::Zsh);
        prop_assert!(difference.is_none(), "{}", difference.unwrap_or_default());
    }
}

/// The texts of our own corpora and the hard cases.
fn collected() -> Vec<String> {
    let corpora = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora");
    let files = std::fs::read_dir(corpora).expect("the corpora are a directory").flatten().map(|entry| entry.path());
    let lines: String = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .map(|path| std::fs::read_to_string(path).expect("a corpus is UTF-8"))
        .collect();
    lines
        .lines()
        .chain(include_str!("nasty.jsonl").lines())
        .filter_map(|line| Some(serde_json::from_str::<Value>(line).ok()?["cmd"].as_str()?.to_owned()))
        .filter(|text| !text.contains('\0'))
        .collect()
}

/// Every so many of the collected texts, so that a run is short; `SIGNOFF_CASES` takes them all.
fn sample() -> Vec<String> {
    let step = if std::env::var_os("SIGNOFF_CASES").is_some() { 1 } else { 4 };
    collected().into_iter().step_by(step).collect()
}

#[test]
fn collected_texts_are_what_bash_reads() {
    let wrong: Vec<String> = sample().iter().filter_map(|text| differs(text, Dialect::Bash)).collect();
    assert!(wrong.is_empty(), "{} texts:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn collected_texts_are_what_zsh_reads() {
    if !*ZSH {
        return;
    }
    let wrong: Vec<String> = sample().iter().filter_map(|text| differs(text, Dialect::Zsh)).collect();
    assert!(wrong.is_empty(), "{} texts:\n{}", wrong.len(), wrong.join("\n"));
}

/// A tool: prints where bash or zsh reads a text with a few characters changed otherwise than we do, though nobody
/// objects to it.
///
/// `SIGNOFF_DIFFERENCES=<count> cargo test -p signoff-analysis --release --test parser forms_that_differ -- --nocapture`
#[test]
fn forms_that_differ() {
    let Some(count) = std::env::var("SIGNOFF_DIFFERENCES").ok().and_then(|count| count.parse::<usize>().ok()) else {
        println!("SIGNOFF_DIFFERENCES is not set: nothing was compared");
        return;
    };
    let signs: Vec<char> = "$(){}[]<>|&;'\"`\\\n #=!@*ax/:-~^?%".chars().collect();
    let change = (any::<prop::sample::Index>(), 0..3usize, prop::sample::select(signs));
    let strategy = (choices(), prop::collection::vec(change, 1..4));
    let mut runner = TestRunner::new(ProptestConfig::default());
    for _ in 0..count {
        let (choices, changes) = strategy.new_tree(&mut runner).expect("a text").current();
        for dialect in [Dialect::Bash, Dialect::Zsh] {
            let short = &choices[..choices.len().min(30)];
            let mut characters: Vec<char> = writer::write(short, dialect).text.chars().collect();
            for (index, kind, sign) in &changes {
                let at = index.index(characters.len().max(1));
                match kind {
                    0 if !characters.is_empty() => drop(characters.remove(at)),
                    1 if !characters.is_empty() => characters[at] = *sign,
                    _ => characters.insert(at, *sign),
                }
            }
            let text: String = characters.into_iter().collect();
            if (dialect == Dialect::Bash || *ZSH)
                && let Some(difference) = differs(&text, dialect)
            {
                println!("{dialect:?} {difference}");
            }
        }
    }
}
