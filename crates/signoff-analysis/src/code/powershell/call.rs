//! A cmdlet with its words: which of them are parameters, and which are values.

use signoff_model::Span;

use super::things::Thing;
use crate::value::Arg;

/// A word behind the name of a command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Given {
    /// `-Name` as it is written, and whether its value follows for certain.
    Name(String, bool),
    /// A value.
    Value(Thing),
}

impl Given {
    pub(super) fn into_value(self) -> Option<Thing> {
        match self {
            Self::Value(thing) => Some(thing),
            Self::Name(..) => None,
        }
    }

    /// The words that a program gets.
    pub(super) fn args(&self, span: Span) -> Vec<Arg> {
        match self {
            Self::Name(raw, _) => vec![Arg::text(raw.as_str(), span)],
            Self::Value(Thing::List(list)) => list.iter().map(|thing| Arg { value: thing.value(), span }).collect(),
            Self::Value(Thing::Block(_, source)) => vec![Arg::text(&**source, span)],
            Self::Value(thing) => vec![Arg { value: thing.value(), span }],
        }
    }
}

/// A cmdlet or program that is called.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// In small letters, aliases resolved.
    pub(super) name: String,
    pub(super) written: String,
    pub(super) given: Vec<Given>,
    pub(super) input: Thing,
}

/// The parameters and values of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    pub(super) named: Vec<(String, Option<Thing>)>,
    pub(super) free: Vec<Thing>,
}

/// Parameters that never take a value, whatever the cmdlet.
const SWITCHES: &[&str] = &[
    "recurse",
    "force",
    "r",
    "f",
    "rf",
    "fr",
    "confirm",
    "verbose",
    "passthru",
    "append",
    "whatif",
    "usebasicparsing",
    "rec",
    "fo",
    "nonewline",
    "wait",
    "hidden",
    "noclobber",
    "raw",
    "nonewwindow",
    "asplaintext",
    "asjob",
    "debug",
    "quiet",
    "list",
    "simplematch",
    "casesensitive",
    "unique",
    "descending",
    "notypeinformation",
    "allmatches",
    "leaf",
    "parent",
    "compress",
    "removedata",
    "removeoem",
    "online",
    "all",
    "norestart",
    "ascii",
    "full",
    "disablekeepalive",
    "skipcertificatecheck",
    "usedefaultcredentials",
    "notmatch",
    "ashashtable",
    "useutf8",
    "allowclobber",
    "system",
    "readonly",
    "la",
    "l",
    "a",
    "p",
    "s",
    "q",
    "la",
    "al",
    "lah",
];

impl Call {
    /// Binds values to parameters; `switches` are those of this cmdlet besides the usual ones.
    pub(super) fn bound(&self, switches: &[&str]) -> Bound {
        let mut bound = Bound::default();
        let mut words = self.given.iter().peekable();
        while let Some(word) = words.next() {
            match word {
                Given::Value(thing) => bound.free.push(thing.clone()),
                Given::Name(raw, certain) => {
                    let name = raw.trim_start_matches('-').to_ascii_lowercase();
                    let is_switch = SWITCHES.contains(&name.as_str())
                        || switches.contains(&name.as_str())
                        || name.len() > 3
                            && name != "verb"
                            && SWITCHES.iter().chain(switches).any(|switch| switch.starts_with(&name));
                    let value = match words.peek() {
                        Some(Given::Value(thing)) if *certain || !is_switch => {
                            let thing = thing.clone();
                            words.next();
                            Some(thing)
                        }
                        _ => None,
                    };
                    bound.named.push((name, value));
                }
            }
        }
        bound
    }
}

impl Bound {
    pub(super) fn has(&self, full: &str) -> bool {
        self.named.iter().any(|(name, value)| {
            is_short_for(name, full) && value.as_ref().and_then(Thing::known).is_none_or(|text| text != "False")
        })
    }

    pub(super) fn get(&self, names: &[&str]) -> Option<&Thing> {
        self.named
            .iter()
            .find(|(name, _)| names.iter().any(|full| is_short_for(name, full)))
            .and_then(|(_, value)| value.as_ref())
    }

    /// The value of one of these parameters, or else the value at this position.
    pub(super) fn at(&self, names: &[&str], position: usize) -> Option<&Thing> {
        self.get(names).or_else(|| self.free.get(position))
    }

    /// Every value of these parameters, and those without a parameter.
    pub(super) fn all(&self, names: &[&str]) -> Vec<Thing> {
        let named = self
            .named
            .iter()
            .filter(|(name, _)| names.iter().any(|full| is_short_for(name, full)))
            .filter_map(|(_, value)| value.clone());
        named.chain(self.free.iter().cloned()).collect()
    }

    pub(super) fn shown(&self, names: &[&str], position: usize) -> String {
        self.at(names, position).map(|thing| thing.value().shown().into_owned()).unwrap_or_default()
    }
}

fn is_short_for(name: &str, full: &str) -> bool {
    name == full || name.len() >= 2 && full.starts_with(name)
}

/// A program by its name or path, with the slashes of other systems.
pub(super) fn program(thing: &Thing, span: Span) -> Arg {
    // A name is no pattern.
    let value = thing.value();
    match value.known() {
        Some(text) => Arg::text(text.replace('\\', "/"), span),
        None => Arg { value, span },
    }
}
