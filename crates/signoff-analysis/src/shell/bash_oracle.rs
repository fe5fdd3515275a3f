//! The real bash, asked what it makes of a text.

use proptest::test_runner::RngSeed;

use signoff_model::Dialect;

use super::{
    Shell,
    syntax::{
        self, Arena, Limits,
        tree::{Command, Script, SimpleCommand},
    },
};
use crate::{
    facts::{NoFacts, Whereabouts},
    value::Feed,
};

/// How many texts are generated: as many as `PROPTEST_CASES` says, or the usual number.
pub(super) fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The same texts in every run, so that a run that is checked elsewhere ends the same; other texts when more are wanted.
pub(super) fn seed() -> RngSeed {
    if std::env::var_os("PROPTEST_CASES").is_some() { RngSeed::Random } else { RngSeed::Fixed(7) }
}

/// The words that bash hands to the last command of a text, which must be `args …`.
pub(super) fn bash(text: &str) -> Vec<Option<String>> {
    let output = run(text);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    words(&output)
}

/// The same for a text that bash may give up on; none if it never comes to the last command.
pub(super) fn bash_or_nothing(text: &str) -> Option<Vec<Option<String>>> {
    let output = run(text);
    let endless = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("maximum function nesting level");
    let gave_up = endless(&output.stdout) || endless(&output.stderr) || !output.stdout.ends_with(b"\0");
    (!gave_up).then(|| words(&output))
}

/// Walks all of a text but its last command, and hands over the shell with that command.
pub(super) fn before_the_last<T>(text: &str, then: impl for<'a> FnOnce(&mut Shell<'a>, &SimpleCommand<'a>) -> T) -> T {
    let whereabouts = Whereabouts::assumed();
    let arena = Arena::new();
    let mut shell = Shell::new(&whereabouts, &NoFacts, Dialect::Bash, &arena);
    shell.follows_last = true;
    let script = syntax::parse(text, Dialect::Bash, &Limits::default(), &arena);
    assert_eq!(script.errors, [], "{text}");
    let (last, items) = script.items.split_last().expect("a command");
    shell.walk(&Script { items, ..script }, Feed::none());
    let Command::Simple(simple) = last.list.first.commands.first().expect("a command") else {
        panic!("not a simple command: {text}")
    };
    then(&mut shell, simple)
}

/// Runs a text in an empty directory. Only generated texts and those of the tests themselves come here.
fn run(text: &str) -> std::process::Output {
    let directory = tempfile::tempdir().expect("a directory");
    let script = format!("args() {{ for word; do printf '%s\\0' \"$word\"; done; }}\n{text}");
    std::process::Command::new("bash")
        .args(["--norc", "-c", &script])
        .stdin(std::process::Stdio::null())
        .current_dir(directory.path())
        .env_clear()
        .env("HOME", &Whereabouts::assumed().home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("LC_ALL", "C.UTF-8")
        // A function that calls itself for ever ends with an error.
        .env("FUNCNEST", "40")
        .output()
        .expect("bash")
}

fn words(output: &std::process::Output) -> Vec<Option<String>> {
    let mut words: Vec<_> =
        output.stdout.split(|byte| *byte == 0).map(|word| Some(String::from_utf8_lossy(word).into_owned())).collect();
    words.pop();
    words
}
