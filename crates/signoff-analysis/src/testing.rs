//! Short ways to judge a command in the tests of this crate.

use signoff_model::{Assessment, Coverage, Dialect, Risk, Span, Verdict};

use crate::{
    facts::{NoFacts, Whereabouts},
    shell::Shell,
    value::{Arg, Feed},
};

/// What the balanced posture makes of an assessment, in short.
pub(crate) fn verdict(assessment: &Assessment) -> Verdict {
    match assessment {
        Assessment { prohibition: Some(_), .. } => Verdict::Block,
        Assessment { coverage: Coverage::Partial(_), .. } => Verdict::Ask,
        Assessment { risk: Risk::None | Risk::Low, .. } => Verdict::Allow,
        _ => Verdict::Ask,
    }
}

/// Judges one simple command, given as words with plain quotes.
pub(crate) fn assess(command: &str) -> Assessment {
    let whereabouts = Whereabouts::assumed();
    let mut shell = Shell::new(&whereabouts, &NoFacts, Dialect::Bash);
    shell.run(&words(command), Feed::none(), Span::new(0, command.len()));
    shell.findings.finish()
}

/// Checks that every command gets the verdict, and says which did not.
#[track_caller]
pub(crate) fn check(expected: Verdict, commands: &[&str]) {
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

fn words(command: &str) -> Vec<Arg> {
    let mut all = Vec::new();
    let mut word: Option<String> = None;
    let mut start = 0;
    let mut quote = None;
    for (at, letter) in command.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                start = if word.is_none() { at } else { start };
                word.get_or_insert_default();
            }
            (None, ' ') => {
                if let Some(word) = word.take() {
                    all.push(Arg::text(word, Span::new(start, at)));
                }
            }
            (_, letter) => {
                start = if word.is_none() { at } else { start };
                word.get_or_insert_default().push(letter);
            }
        }
    }
    if let Some(word) = word {
        all.push(Arg::text(word, Span::new(start, command.len())));
    }
    all
}
