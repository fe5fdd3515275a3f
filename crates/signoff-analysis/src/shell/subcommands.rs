//! Programs with subcommands, such as `kubectl delete pod x`: reading the words and options of a call, finding the
//! subcommand in a table, and falling back on what its verb says.

use signoff_model::Span;

use super::{call::Call, machine::Shell, options::strip};
use crate::{
    lexicon::{self, Meaning},
    rule::Rule,
    value::{Arg, Feed, Origin},
    words::Words,
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
        best.1
    }
}

impl Deed {
    /// Says to the machine what happens.
    pub fn done(self, shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
        match self {
            Self::Harmless => {}
            Self::Tell(rule) => shell.tell(rule, line.named(&call.name), line.span().unwrap_or(call.span)),
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
            let text = arg.value.prefix();
            // An option before it may take the word as its value, in which case it is no request for help.
            if !after_option && (arg.is("--help") || (arg.is("-h") || arg.is("-help")) && index == args.len()) {
                line.help = true;
            }
            let (name, inline) = match text.split_once('=') {
                Some((name, _)) => (name, Some(Arg { value: strip(&arg.value, name.len() + 1), span: arg.span })),
                None => (text, None),
            };
            let value = match inline {
                Some(value) => Some(value),
                None if line.takes_value(name) => {
                    index += 1;
                    args.get(index - 1).cloned()
                }
                None => None,
            };
            after_option = value.is_none();
            line.given.push(Given { name, value });
        }
        line
    }

    /// Whether the option takes the next argument: it is known to, or it is a cluster that ends in a letter that is.
    fn takes_value(&self, name: &str) -> bool {
        if holds(self.values, name) {
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
        self.values.split_ascii_whitespace().any(|option| {
            option.strip_prefix('-').is_some_and(|rest| {
                let mut letters = rest.chars();
                letters.next() == Some(letter) && letters.next().is_none()
            })
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
                    if given.name.starts_with(name) && !holds(self.values, given.name) {
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
    fn asks_for_version(&self) -> bool {
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
                Some(value) => value.known().is_some_and(|value| !matches!(value, "false" | "none" | "0" | "no" | "")),
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
    fn matches(&self, pattern: &str) -> usize {
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

    /// The part of the input from the first word to the last.
    pub fn span(&self) -> Option<Span> {
        let first = self.words.first()?;
        let last = self.words.last()?;
        Some(first.span.to(last.span))
    }
}

/// Whether a list of words, separated by white space, holds the word.
pub fn holds(list: &str, word: &str) -> bool {
    list.as_bytes().split(u8::is_ascii_whitespace).any(|known| known == word.as_bytes()) && !word.is_empty()
}

/// What a verb says about a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// It looks at something.
    Reads,
    /// It changes something.
    Changes,
    /// It takes something away.
    Destroys,
    /// It names something that one looks at.
    Mentions,
}

// What administration tools say besides the verbs that mean the same everywhere. Their words are orders, so `down`,
// `stop` and `up` count, and a word such as `login` or `connect` changes something.
static READS: Words<64> = Words::new(
    "wait estimate simulate top filter select detect discover decode print download fetch ping stat du cat \
    calculate suggest exists details summary browse dashboard analyze ps doctor diagnose display",
);

/// Words that name what is looked at; as the only verb they mean looking, beside another verb they mean nothing.
static READ_NOUNS: Words<128> = Words::new(
    "log history usage docs doc completion events versions regions metrics monitor env examples schema test \
    about locations report audit options can who trace tree graph open types sizes quota pricing templates \
    available health outputs output watch",
);

static DESTROYS: Words<32> =
    Words::new("deregister undeploy rb rmi clear clean decommission abandon teardown down rollback");

static CHANGES: Words<256> = Words::new(
    "release detach stop run invoke disable cp mv untag associate disassociate authorize revoke allow deny \
    failover export call exec ssh connect login suspend resume cancel execute unset build launch rebuild \
    request initialize mb unlink switch use bind unbind map unmap increase decrease allocate swap undelete \
    shutdown poweroff power snapshot backup clone redeploy trigger abort pause unpause config logout sign \
    issue join leave drain cordon taint assume batch bulk post replicate rekey seal up reload reconfigure \
    purchase subscribe unsubscribe extend renew stage rollout invalidate confirm notify format load lease \
    demote",
);

/// What a word says as a verb: by its first part, as in `describe-instances` and `DescribeInstances`, or else by its
/// last, as in `clusters-list`.
pub fn verb(word: &str) -> Option<Verb> {
    const AT_THE_END: &[&str] =
        &["list", "view", "show", "get", "info", "delete", "create", "update", "remove", "rm", "add", "inspect"];
    let parts = || word.split(['-', ':', '_']).filter(|part| !part.is_empty());
    let first = parts().next()?;
    let head = first_hump(first);
    if matches!(head, "batch" | "bulk" | "Batch")
        && let Some(found) = parts().nth(1).and_then(read_part)
    {
        return Some(found);
    }
    read_part(head).or_else(|| parts().next_back().filter(|last| AT_THE_END.contains(last)).and_then(read_part))
}

/// The part of a word in camel case before its second hump.
fn first_hump(word: &str) -> &str {
    let end =
        word.char_indices().skip(1).find(|(_, letter)| letter.is_ascii_uppercase()).map_or(word.len(), |(at, _)| at);
    if word.starts_with(|letter: char| letter.is_ascii_uppercase()) { word.get(..end).unwrap_or(word) } else { word }
}

fn read_part(part: &str) -> Option<Verb> {
    let part = part.to_ascii_lowercase();
    match lexicon::meaning(&part) {
        Some(Meaning::Looks) => return Some(Verb::Reads),
        Some(Meaning::Ruins | Meaning::Removes) => return Some(Verb::Destroys),
        Some(Meaning::Publishes | Meaning::Sends | Meaning::Changes) => return Some(Verb::Changes),
        None => {}
    }
    if READS.holds(&part) {
        Some(Verb::Reads)
    } else if DESTROYS.holds(&part) {
        Some(Verb::Destroys)
    } else if CHANGES.holds(&part) {
        Some(Verb::Changes)
    } else if READ_NOUNS.holds(&part) {
        Some(Verb::Mentions)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(text: &str) -> Vec<Arg> {
        text.split(' ').map(|word| Arg::text(word, Span::default())).collect()
    }

    #[test]
    fn verbs_are_found_in_all_their_spellings() {
        for (word, expected) in [
            ("describe-instances", Some(Verb::Reads)),
            ("DescribeInstances", Some(Verb::Reads)),
            ("clusters-list", Some(Verb::Reads)),
            ("batch-get-item", Some(Verb::Reads)),
            ("batch-write-item", Some(Verb::Changes)),
            ("TerminateInstances", Some(Verb::Destroys)),
            ("instances", None),
        ] {
            assert_eq!(verb(word), expected, "{word}");
        }
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
