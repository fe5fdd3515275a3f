//! The arguments of a call, read as words and options.

use signoff_model::Span;

use super::verbs::{Verb, verb};
use crate::{
    shell::{
        Call,
        families::tool::attached_or_next,
        options::{Rehearsals, is_dry, is_off, is_truth, strip},
    },
    value::Arg,
    words::is_listed,
};

/// An option as it was given.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    /// The option as it is written, with its dashes and without a value behind `=`.
    pub name: &'a str,
    /// The value: the next argument if the option is known to take one, or what follows `=`.
    pub value: Option<Arg>,
}

/// The arguments of a call, read as words and options.
#[derive(Clone, Debug, Default)]
pub struct Line<'a> {
    /// The words above those that count, which a person would name as well.
    above: Vec<&'a Arg>,
    /// The words that are neither options nor their values, up to `--`.
    pub words: Vec<&'a Arg>,
    /// The options in order.
    pub given: Vec<Given<'a>>,
    /// What follows `--`; for [`Line::leading`], everything from the first word on.
    pub rest: &'a [Arg],
    /// Options that take a value.
    values: &'static str,
    /// How many words come before the first option that follows a word.
    phrase: Option<usize>,
    help: bool,
}

impl<'a> Line<'a> {
    /// Reads all arguments up to `--`.
    pub fn read(args: &'a [Arg], values: &'static str) -> Self {
        Self::collect(args, values, usize::MAX)
    }

    /// Reads the options before the first word; the word and all that follows is the rest.
    pub fn leading(args: &'a [Arg], values: &'static str) -> Self {
        Self::collect(args, values, 0)
    }

    /// A line of words alone, for a part of a longer one.
    pub fn of_words(words: &[&'a Arg]) -> Self {
        Self::below(&[], words)
    }

    /// A line of words alone that stand below others, as `down` does in `docker compose down`.
    pub fn below(above: &[&'a Arg], words: &[&'a Arg]) -> Self {
        Self { above: above.to_vec(), words: words.to_vec(), ..Self::default() }
    }

    fn collect(args: &'a [Arg], values: &'static str, most: usize) -> Self {
        let mut line = Self { values, ..Self::default() };
        let rehearsals = Rehearsals::of(args);
        let mut index = 0;
        let mut after_option = false;
        while let Some(arg) = args.get(index) {
            index += 1;
            if !arg.is_option() {
                if line.words.len() >= most {
                    line.rest = args.get(index - 1..).unwrap_or_default();
                    return line;
                }
                line.words.push(arg);
                after_option = false;
                continue;
            }
            if !line.words.is_empty() && line.phrase.is_none() {
                line.phrase = Some(line.words.len());
            }
            if arg.is("--") {
                line.rest = args.get(index..).unwrap_or_default();
                return line;
            }
            let at = index - 1;
            let text = arg.value.prefix();
            // An option before it may take the word as its value, in which case it is no request for help.
            if !after_option && (arg.is("--help") || (arg.is("-h") || arg.is("-help")) && index == args.len()) {
                line.help = true;
            } else if text.strip_prefix("--help=").is_some_and(is_off) {
                line.help = false;
            }
            let (name, inline) = match text.split_once('=') {
                Some((name, _)) => (name, Some(Arg { value: strip(&arg.value, name.len() + 1), span: arg.span })),
                None => (text, None),
            };
            let value = match inline {
                Some(value) => Some(value),
                None if line.takes_value(name)
                    || is_dry(name.trim_start_matches('-')) && args.get(index).is_some_and(is_truth) =>
                {
                    index += 1;
                    args.get(index - 1).cloned()
                }
                None => None,
            };
            after_option = value.is_none();
            if !rehearsals.is_off(at) {
                line.given.push(Given { name, value });
            }
        }
        line
    }

    /// Whether the option takes the next argument: it is known to, or it is a cluster that ends in a letter that is.
    fn takes_value(&self, name: &str) -> bool {
        if is_listed(self.values, name) {
            return true;
        }
        if name.starts_with("--") || name.len() < 3 {
            return false;
        }
        for (at, letter) in name.char_indices().skip(1) {
            if self.is_value_letter(letter) {
                return at + letter.len_utf8() == name.len();
            }
        }
        false
    }

    /// Whether the letter alone is an option that takes a value.
    fn is_value_letter(&self, letter: char) -> bool {
        let Ok(letter) = u8::try_from(letter) else { return false };
        // The list is long and asked for every letter: only where the letter stands there is something to look at.
        let values = self.values.as_bytes();
        let ends = |at: Option<usize>| at.and_then(|at| values.get(at)).is_none_or(u8::is_ascii_whitespace);
        memchr::memchr_iter(letter, values).any(|at| {
            let dash = at.checked_sub(1);
            dash.and_then(|dash| values.get(dash)) == Some(&b'-')
                && ends(dash.and_then(|dash| dash.checked_sub(1)))
                && ends(Some(at + 1))
        })
    }

    /// Whether one of these options is given and not turned off. A letter is found in clusters as well.
    pub fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|given| names.iter().any(|name| self.is_given(given, name)))
    }

    fn is_given(&self, given: &Given<'_>, name: &str) -> bool {
        if given.name == name {
            let off =
                given.value.as_ref().and_then(Arg::known).is_some_and(|value| matches!(value, "false" | "0" | "no"));
            return !off;
        }
        let mut letters = name.chars();
        let (Some('-'), Some(letter), None) = (letters.next(), letters.next(), letters.next()) else { return false };
        if letter == '-' || given.name.starts_with("--") {
            return false;
        }
        for other in given.name.chars().skip(1) {
            if other == letter {
                return true;
            }
            if self.is_value_letter(other) {
                return false;
            }
        }
        false
    }

    /// The last value of one of these options.
    pub fn value(&self, names: &[&str]) -> Option<Arg> {
        self.all_values(names).pop()
    }

    /// Every value of one of these options, for programs in which a single dash begins a long option.
    pub fn plain_values(&self, names: &[&str]) -> Vec<Arg> {
        self.given.iter().filter(|given| names.contains(&given.name)).filter_map(|given| given.value.clone()).collect()
    }

    /// Whether one of these options is given in exactly this spelling.
    pub fn has_plain(&self, names: &[&str]) -> bool {
        self.given.iter().any(|given| names.contains(&given.name) && self.is_given(given, given.name))
    }

    /// Every value of one of these options.
    pub fn all_values(&self, names: &[&str]) -> Vec<Arg> {
        let mut all = Vec::new();
        for given in &self.given {
            for name in names {
                if given.name == *name {
                    all.extend(given.value.clone());
                } else if name.len() == 2 && !given.name.starts_with("--") && given.name.len() > 2 {
                    // The letter ends a cluster (`-itv x`) or has its value attached (`-nprod`).
                    if given.name.starts_with(name) && !is_listed(self.values, given.name) {
                        let attached = given.name.get(2..).unwrap_or_default();
                        let tail = given.value.as_ref().map(|value| format!("={}", value.shown())).unwrap_or_default();
                        all.push(Arg::text(format!("{attached}{tail}"), Span::default()));
                    } else if given.name.ends_with(name.get(1..).unwrap_or("?")) && self.is_given(given, name) {
                        all.extend(given.value.clone());
                    }
                }
            }
        }
        all
    }

    /// Whether the call only asks for help.
    pub fn asks_for_help(&self) -> bool {
        self.help
            || self.words.first().is_some_and(|word| word.is("help") || word.is("version") || word.is("completion"))
    }

    /// Whether the call, read from its first argument on, only asks for a version.
    pub(super) fn asks_for_version(&self) -> bool {
        self.words.is_empty()
            && self.rest.is_empty()
            && self
                .given
                .iter()
                .any(|given| matches!(given.name, "--version" | "-v" | "-V" | "-version" | "-help" | "--info"))
    }

    /// Whether one of these options makes the call a dry run.
    pub fn is_dry(&self, names: &[&str]) -> bool {
        self.given.iter().rev().find(|given| names.contains(&given.name)).is_some_and(|given| {
            match given.value.as_ref() {
                None => true,
                Some(value) => value.known().is_some_and(|value| !is_off(value)),
            }
        })
    }

    /// The known text of a word.
    pub fn word(&self, index: usize) -> Option<&'a str> {
        let word: Option<&'a Arg> = self.words.get(index).copied();
        word.and_then(Arg::known)
    }

    /// The words from this one on.
    pub fn words_from(&self, index: usize) -> &[&'a Arg] {
        self.words.get(index..).unwrap_or_default()
    }

    /// How many words the pattern covers, if the line begins with it; otherwise none.
    pub(super) fn matches(&self, pattern: &str) -> usize {
        let mut count = 0;
        for part in pattern.split(' ') {
            if self.word(count) != Some(part) {
                return 0;
            }
            count += 1;
        }
        count
    }

    /// What the verbs among the words say: a verb that destroys counts wherever it stands, then one that looks.
    pub fn verb(&self) -> Option<Verb> {
        // Values of options that are not known stand among the later words, so the words before them are asked first.
        let phrase = self.phrase.unwrap_or(self.words.len());
        self.verb_among(phrase).or_else(|| self.verb_among(self.words.len()))
    }

    fn verb_among(&self, count: usize) -> Option<Verb> {
        let mut found = None;
        for word in self.words.iter().take(count.min(6)).filter_map(|word| word.known()) {
            let next = verb(word);
            found = match (found, next) {
                (_, Some(Verb::Destroys)) => return next,
                (Some(Verb::Reads), _) => found,
                (_, Some(Verb::Reads)) => next,
                (Some(Verb::Changes), _) => found,
                (_, Some(Verb::Changes)) => next,
                (None, other) => other,
                (found, None) => found,
                (found, Some(_)) => found,
            };
        }
        match found {
            Some(Verb::Mentions) => Some(Verb::Reads),
            found => found,
        }
    }

    /// The call as a person would name it: the program and its words, not too long.
    pub fn named(&self, program: &str) -> String {
        let mut name = program.to_owned();
        for word in self.above.iter().chain(&self.words).take(6) {
            name.push(' ');
            name.push_str(&word.shown());
        }
        if self.above.len() + self.words.len() > 6 {
            name.push_str(" …");
        }
        name
    }

    /// The options of a call that say which one is meant, as they are written: a resource, an account, a group.
    pub fn further_named(&self, call: &Call) -> String {
        const NAMING: &str = "--name -n --app -a --stack --stack-name --bucket --project --namespace --namespace-id \
            --resource-group -g --vault-name --cluster --context --stage --env --environment --database --instance";
        const MOST: usize = 3;
        let mut all = String::new();
        let own = call.args.iter().take_while(|arg| !arg.is("--"));
        let naming = own
            .enumerate()
            .filter(|(_, arg)| is_listed(NAMING, arg.value.prefix().split('=').next().unwrap_or_default()));
        for (at, arg) in naming.take(MOST) {
            let option = arg.value.prefix().split('=').next().unwrap_or_default();
            let Some(value) = attached_or_next(call, at).filter(|value| !value.is_option() && !value.value.is_empty())
            else {
                continue;
            };
            // What stands among the words is named already, and may be no value at all.
            if !self.above.iter().chain(&self.words).any(|word| word.value == value.value) {
                all.push_str(&format!(" {option} {}", value.shown()));
            }
        }
        all
    }

    /// The part of the input from the first word to the last.
    pub fn span(&self) -> Option<Span> {
        let first = self.words.first()?;
        let last = self.words.last()?;
        Some(first.span.to(last.span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(text: &str) -> Vec<Arg> {
        text.split(' ').map(|word| Arg::text(word, Span::default())).collect()
    }

    #[test]
    fn options_with_values_do_not_hide_words() {
        let all = args("--profile x iam delete-user -nprod --output=json --user-name=a -- y");
        let line = Line::read(&all, "--profile -n");
        assert_eq!(line.words.iter().filter_map(|word| word.known()).collect::<Vec<_>>(), ["iam", "delete-user"]);
        assert_eq!(line.value(&["-n"]).and_then(|value| value.known().map(str::to_owned)).as_deref(), Some("prod"));
        assert_eq!(line.rest.len(), 1);
    }

    #[test]
    fn help_behind_an_option_may_be_its_value() {
        assert!(Line::read(&args("delete --help"), "").asks_for_help());
        assert!(!Line::read(&args("delete x --field-manager --help"), "").asks_for_help());
    }

    #[test]
    fn a_dry_run_can_be_turned_off() {
        assert!(Line::read(&args("apply --dry-run=client"), "").is_dry(&["--dry-run"]));
        assert!(!Line::read(&args("apply --dry-run=none"), "").is_dry(&["--dry-run"]));
        assert!(!Line::read(&args("apply -- --dry-run"), "").is_dry(&["--dry-run"]));
    }
}
