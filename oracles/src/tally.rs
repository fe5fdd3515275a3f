//! Comparing the lists of commands, and asking bash or zsh whose fault a difference is.

use std::collections::HashMap;

use signoff_analysis::shell::syntax::{Arena, Limits, parse};
use signoff_model::Dialect;

use crate::writer::Written;
use crate::{brush, form, lister, shells, shuck};

#[derive(Default)]
struct Tally {
    same: usize,
    /// The oracle refuses the text.
    refused: usize,
    /// The names are the same, the arguments are not.
    arguments: usize,
    /// We list commands that the oracle does not.
    more: usize,
    /// The oracle lists commands that we do not, and the shell itself reads the text as we do, or we list what was
    /// meant by whoever wrote the text.
    oracles_fault: usize,
    /// The same, and the shell does not accept the text.
    invalid: usize,
    /// The same, and the shell does not take our side.
    missing: Vec<String>,
}

/// Compares our reading of some texts with that of the oracles. Says how many may hold a silent miss. A text may come with
/// the names of its commands, if whoever wrote it knows them.
pub(crate) fn compare(name: &str, texts: &[Written], dialect: Dialect, show: usize) -> usize {
    let oracles: &[&str] = if dialect == Dialect::Zsh { &["shuck"] } else { &["brush", "shuck"] };
    let mut tallies: Vec<(&str, Tally)> = oracles.iter().map(|oracle| (*oracle, Tally::default())).collect();
    let mut flagged = 0;
    for Written { text, names: expected } in texts {
        let arena = Arena::new();
        let script = parse(text, dialect, &Limits::default(), &arena);
        if !script.errors.is_empty() {
            flagged += 1;
            continue;
        }
        let ours = lister::commands(&script, text);
        let known = !expected.is_empty() && same(expected.clone(), names(&ours));
        for (oracle, tally) in &mut tallies {
            let theirs = std::panic::catch_unwind(|| match *oracle {
                "brush" => brush::commands(text),
                _ => shuck::commands(text, dialect),
            });
            match theirs.ok().flatten() {
                None => tally.refused += 1,
                Some(theirs) => tally.count(text, dialect, &ours, &theirs, known),
            }
        }
    }
    println!("{name}: {} texts, {flagged} flagged by us", texts.len());
    let mut misses = 0;
    for (oracle, tally) in &tallies {
        println!(
            "  {oracle}: same {}, refused {}, other arguments {}, fewer commands {}, more commands: {} wrongly, {} in texts that the shell refuses, {} to be looked at",
            tally.same,
            tally.refused,
            tally.arguments,
            tally.more,
            tally.oracles_fault,
            tally.invalid,
            tally.missing.len()
        );
        tally.missing.iter().take(show).for_each(|difference| println!("{difference}"));
        misses += tally.missing.len();
    }
    misses
}

impl Tally {
    fn count(&mut self, text: &str, dialect: Dialect, ours: &[Vec<String>], theirs: &[Vec<String>], known: bool) {
        let lost = without(&names(theirs), &names(ours));
        if lost.is_empty() {
            let more = names(ours).len() > names(theirs).len();
            let whole =
                |commands: &[Vec<String>]| commands.iter().map(|words| even(&words.join(" "))).collect::<Vec<_>>();
            let arguments = !without(&whole(theirs), &whole(ours)).is_empty();
            if more {
                self.more += 1;
            } else if arguments {
                self.arguments += 1;
            } else {
                self.same += 1;
            }
            return;
        }
        match reads_as_we_do(text, dialect) {
            _ if known => self.oracles_fault += 1,
            Judgement::AsWeDo => self.oracles_fault += 1,
            Judgement::NotAtAll => self.invalid += 1,
            Judgement::Otherwise => {
                self.missing.push(format!("    {text:?}\n      lost {lost:?}\n      ours {ours:?}"))
            }
        }
    }
}

enum Judgement {
    AsWeDo,
    NotAtAll,
    Otherwise,
}

/// Lets the shell print what it has read, and compares that with our reading.
fn reads_as_we_do(text: &str, dialect: Dialect) -> Judgement {
    let (printed, accepted) = match dialect {
        Dialect::Zsh => (shells::zsh_prints(text), shells::zsh_accepts(text)),
        Dialect::Bash | Dialect::Sh => (shells::bash_prints(text), shells::bash_accepts(text)),
    };
    let form = |text: &str| form::of(&parse(text, dialect, &Limits::default(), &Arena::new()));
    match printed {
        _ if !accepted => Judgement::NotAtAll,
        Some(printed) if form(&printed) == form(text) => Judgement::AsWeDo,
        _ => Judgement::Otherwise,
    }
}

fn same(mut first: Vec<String>, mut second: Vec<String>) -> bool {
    first.sort();
    second.sort();
    first == second
}

fn names(commands: &[Vec<String>]) -> Vec<String> {
    commands.iter().filter_map(|words| words.first()).map(|name| even(name)).collect()
}

/// A text without what rewriting inside back-quotes takes away, and with its blanks evened out.
fn even(text: &str) -> String {
    text.replace("\\\n", "").replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is in the first list and not as often in the second.
fn without(first: &[String], second: &[String]) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in second {
        *counts.entry(text).or_default() += 1;
    }
    let mut left = Vec::new();
    for text in first {
        match counts.get_mut(text.as_str()) {
            Some(count) if *count > 0 => *count -= 1,
            _ => left.push(text.clone()),
        }
    }
    left
}
