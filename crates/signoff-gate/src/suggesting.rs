//! Which grants would have answered many of the last questions. Nothing here gives one: a person reads it, and decides.

use std::collections::BTreeMap;

use signoff_model::{Approval, Form, Grant, Invocation, Operation, Risk, Stage};
use signoff_policy::GrantPattern;

/// A grant that somebody may want to give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The pattern over the words of commands.
    pub pattern: String,
    /// The project in which it would count.
    pub project: String,
    /// The gravest of what it would have answered.
    pub covers: Risk,
    /// So many questions it would have answered.
    pub answered: usize,
    /// Of so many that were decided. None of those that it would have answered was denied.
    pub of: usize,
}

/// So often something has to be asked before it is worth a word.
const AT_LEAST: usize = 3;
/// So many suggestions there are.
const AT_MOST: usize = 10;

/// Grants that would have answered some of these questions, and none that was denied; those that answer most come first.
pub fn suggestions(decided: &[Approval]) -> Vec<Suggestion> {
    let asked: Vec<Asked<'_>> = decided.iter().filter_map(Asked::of).collect();
    let mut forms: BTreeMap<(String, &str), GrantPattern> = BTreeMap::new();
    for asked in asked.iter().filter(|asked| asked.approved) {
        for pattern in asked.invocations.iter().filter_map(form) {
            if let Ok(form) = GrantPattern::parse(&pattern, &[]) {
                forms.insert((pattern, asked.project), form);
            }
        }
    }
    let mut all: Vec<Suggestion> = Vec::new();
    for ((pattern, project), form) in forms {
        let meant = || asked.iter().filter(|asked| asked.project == project && asked.is_meant_by(&form));
        let answered = meant().filter(|asked| asked.approved).count();
        // A no to any command of the form is a no to the form, also where others stood beside it.
        let denied = asked.iter().any(|asked| !asked.approved && asked.invocations.iter().any(|one| form.means(one)));
        let covers = meant().map(|asked| asked.risk).max().unwrap_or_default();
        if answered >= AT_LEAST && !denied {
            all.push(Suggestion { pattern, project: project.to_owned(), covers, answered, of: decided.len() });
        }
    }
    all.sort_by(|one, other| other.answered.cmp(&one.answered).then_with(|| one.pattern.cmp(&other.pattern)));
    all.truncate(AT_MOST);
    all
}

/// A question that was decided, as far as a grant could have done that.
struct Asked<'a> {
    project: &'a str,
    directory: &'a str,
    risk: Risk,
    approved: bool,
    invocations: Vec<Invocation>,
}

impl<'a> Asked<'a> {
    fn of(approval: &'a Approval) -> Option<Self> {
        let question = &approval.question;
        let approved = match &approval.stage {
            Stage::Denied { .. } => false,
            // What was changed first is no yes to what was asked.
            stage => stage.consent().is_some_and(|consent| consent.modified.is_none()),
        };
        let answerable = question.risk <= Grant::AT_MOST && !matches!(question.form, Form::Input(_));
        let shell = matches!(question.operation, Operation::Shell(_));
        (shell && (answerable || !approved)).then(|| Self {
            project: &question.project,
            directory: &question.directory,
            risk: question.risk,
            approved,
            invocations: signoff_analysis::invocations(&question.operation),
        })
    }

    /// Whether every command is one that the form means, or stays where it is. What else was harmless is not known any more:
    /// the count is too low rather than too high.
    fn is_meant_by(&self, form: &GrantPattern) -> bool {
        let stays = |one: &Invocation| match one.argv.as_slice() {
            [Some(program), Some(to)] => program == "cd" && (to == self.directory || to == self.project),
            _ => false,
        };
        self.invocations.iter().any(|one| form.means(one))
            && self.invocations.iter().all(|one| form.means(one) || stays(one))
    }
}

/// The form that a command has: the program with what it is told to do, and anything behind that; without such a word, exactly
/// its words.
fn form(invocation: &Invocation) -> Option<String> {
    let words: Option<Vec<&str>> = invocation.argv.iter().map(Option::as_deref).collect();
    let words = words.filter(|words| invocation.plain && words.iter().all(|word| is_plain(word)))?;
    match words.as_slice() {
        ["cd", ..] | [] => None,
        [program, verb, ..] if is_verb(verb) => Some(format!("{program} {verb} *")),
        words => Some(words.join(" ")),
    }
}

/// Whether a word means itself in a pattern.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|letter| letter.is_alphanumeric() || "_./:=@%+,-".contains(letter))
}

fn is_verb(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
        && word.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-')
}
