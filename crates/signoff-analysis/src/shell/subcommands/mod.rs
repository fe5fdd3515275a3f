//! Programs with subcommands, such as `kubectl delete pod x`: finding the subcommand in a table, and falling back on what
//! its verb says.
//!
//! This describes programs whose words form a tree: the longest path of words wins, and what it does may depend on the
//! options that are given. Programs whose options decide, or that have hardly any words, are described in
//! [`families::tool`](super::families), whose tables say the names of the programs as well.

mod line;
mod verbs;

pub use line::{Given, Line};
pub use verbs::{Verb, verb};

use super::{call::Call, families, machine::Shell};
use crate::{
    lexicon::{self, Meaning},
    rule::Rule,
    value::{Feed, Origin},
    words::is_listed,
};

/// What a subcommand does.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    /// Nothing that needs a question: it reads, prints, builds, or makes something new here.
    Harmless,
    /// What a rule says.
    Tell(&'static Rule),
    /// It prints a secret.
    Reveal(&'static Rule),
    /// It depends on more than the words.
    Judge(fn(&mut Shell<'_>, &Call, &Line<'_>) -> Feed),
    /// What the verb among the words says.
    ByVerb(&'static ByVerb),
}

/// What verbs mean for a tool.
#[derive(Clone, Copy, Debug)]
pub struct ByVerb {
    /// For verbs that destroy.
    pub destroys: Deed,
    /// For verbs that change something.
    pub changes: Deed,
    /// When there is no verb that is known.
    pub unclear: Deed,
}

/// A program with subcommands.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Options that take the next argument as their value, with their dashes, separated by spaces.
    pub values: &'static str,
    /// Options that make the whole call a dry run.
    pub dry: &'static [&'static str],
    /// What subcommands do, each list separated by commas. The entry with the most matching words wins.
    pub deeds: &'static [(Deed, &'static str)],
    /// What any other subcommand does.
    pub otherwise: Deed,
}

impl Tool {
    /// Judges a call of the tool.
    pub fn judge(&self, shell: &mut Shell<'_>, call: &Call) -> Feed {
        let line = Line::read(&call.args, self.values);
        self.judge_line(shell, call, &line)
    }

    /// Judges a call whose arguments are already read.
    pub fn judge_line(&self, shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
        let printed = call.output();
        if line.asks_for_help() || line.asks_for_version() || line.is_dry(self.dry) {
            return printed;
        }
        let deed = self.deed(line);
        deed.done(shell, call, line)
    }

    /// What the words of the line do.
    pub fn deed(&self, line: &Line<'_>) -> Deed {
        let mut best = (0, self.otherwise);
        for (deed, patterns) in self.deeds {
            for pattern in patterns.split(", ") {
                let length = line.matches(pattern);
                if length > best.0 {
                    best = (length, *deed);
                }
            }
        }
        match best {
            // A harmless topic says nothing of what is done to it: `sandbox` and `sandbox delete`.
            (length, Deed::Harmless) if length > 0 && ruins_topic(line, length) => self.otherwise,
            (_, deed) => deed,
        }
    }
}

/// Whether the word behind a topic takes it away. Behind a word that looks, such as `logs` or `docs`, it is only a name.
fn ruins_topic(line: &Line<'_>, length: usize) -> bool {
    let (topic, next) = (line.word(length - 1), line.word(length));
    let takes = |next: &str| {
        next == "unset" || matches!(lexicon::meaning(next), Some(Meaning::Ruins)) || matches!(next, "remove" | "rm")
    };
    // A cache is made again, and some topics only speak of what comes next.
    const SPEAKS_OF: &str = "cache can-i docs doc completion examples test about options history who";
    let acted_on = |topic: &str| !is_listed(SPEAKS_OF, topic) && !matches!(verb(topic), Some(Verb::Reads));
    topic.is_none_or(acted_on) && next.is_some_and(takes)
}

impl Deed {
    /// Says to the machine what happens.
    pub fn done(self, shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
        match self {
            Self::Harmless => families::unknown::carried::judge(shell, call),
            Self::Tell(rule) => {
                families::network::takes_files_along(shell, call, rule);
                let name = line.named(&call.name) + &line.further_named(call);
                shell.tell(rule, name, line.span().unwrap_or(call.span));
            }
            Self::Reveal(rule) => {
                let name = line.named(&call.name);
                shell.tell(rule, name.clone(), line.span().unwrap_or(call.span));
                return Feed::from(Origin::Secret(name));
            }
            Self::Judge(judge) => return judge(shell, call, line),
            Self::ByVerb(by) => {
                if line.words.is_empty() {
                    return call.output();
                }
                let deed = match line.verb() {
                    Some(Verb::Reads | Verb::Mentions) => Self::Harmless,
                    Some(Verb::Changes) => by.changes,
                    Some(Verb::Destroys) => by.destroys,
                    None => by.unclear,
                };
                return deed.done(shell, call, line);
            }
        }
        call.output()
    }
}
