//! Short ways to judge a command in the tests of this crate.

use signoff_model::{Assessment, Coverage, Dialect, Operation, Risk, ShellCommand, Verdict};

use crate::facts::{NoFacts, Whereabouts};

/// What the balanced posture makes of an assessment, in short.
pub(crate) fn verdict(assessment: &Assessment) -> Verdict {
    match assessment {
        Assessment { prohibition: Some(_), .. } => Verdict::Block,
        Assessment { coverage: Coverage::Partial(_), .. } => Verdict::Ask,
        Assessment { risk: Risk::None | Risk::Low, .. } => Verdict::Allow,
        _ => Verdict::Ask,
    }
}

/// Judges a shell command by its text alone.
pub(crate) fn assess(command: &str) -> Assessment {
    let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    crate::assess(&operation, &Whereabouts::assumed(), &NoFacts)
}

/// The same for a line of zsh.
fn assess_zsh(command: &str) -> Assessment {
    let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Zsh });
    crate::assess(&operation, &Whereabouts::assumed(), &NoFacts)
}

/// Checks that every command gets the verdict, and says which did not.
#[track_caller]
pub(crate) fn check(expected: Verdict, commands: &[&str]) {
    check_by(assess, expected, commands);
}

/// The same for lines of zsh.
#[track_caller]
pub(crate) fn check_zsh(expected: Verdict, commands: &[&str]) {
    check_by(assess_zsh, expected, commands);
}

#[track_caller]
fn check_by(assess: fn(&str) -> Assessment, expected: Verdict, commands: &[&str]) {
    let wrong: Vec<String> = commands
        .iter()
        .filter_map(|command| {
            let assessment = assess(command);
            let found = verdict(&assessment);
            let rules: Vec<_> = assessment.reasons.iter().map(|reason| reason.rule.as_str().to_owned()).collect();
            (found != expected).then(|| format!("{found}, not {expected}: {command}   {rules:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), commands.len(), wrong.join("\n"));
}

/// The same for commands that are put together.
#[track_caller]
pub(crate) fn check_all(expected: Verdict, commands: &[String]) {
    check(expected, &commands.iter().map(String::as_str).collect::<Vec<_>>());
}
