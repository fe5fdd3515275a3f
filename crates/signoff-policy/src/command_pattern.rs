//! Patterns over the words of a command. A pattern is compared word by word with what the shell would run, never with the
//! text: a text can hold any command behind, around or inside the one that a pattern means.

use std::{fmt, str::FromStr};

/// Why a text is no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// There is no word in it.
    Empty,
    /// A quote that does not end.
    UnclosedQuote,
    /// Longer than any command that somebody would write a pattern for.
    TooLong,
}

/// The longest pattern, in bytes: matching stays cheap whatever a file says.
const LONGEST: usize = 4096;

/// One word in which `*` stands for any text; `\*` is the sign itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WordPattern {
    /// The literal stretches between the stars; one more than there are stars.
    stretches: Vec<String>,
}

impl WordPattern {
    /// A pattern in the notation of configuration files.
    pub fn new(text: &str) -> Self {
        let mut stretches = vec![String::new()];
        let mut escaped = false;
        for character in text.chars() {
            let escapes_before = std::mem::take(&mut escaped);
            match (character, stretches.last_mut()) {
                ('\\', _) if !escapes_before => escaped = true,
                ('*', _) if !escapes_before => stretches.push(String::new()),
                (character, Some(last)) => {
                    if escapes_before && !matches!(character, '*' | '\\') {
                        last.push('\\');
                    }
                    last.push(character);
                }
                (_, None) => {}
            }
        }
        if let (true, Some(last)) = (escaped, stretches.last_mut()) {
            last.push('\\');
        }
        Self { stretches }
    }

    /// Whether the pattern stands for every text.
    pub fn is_any(&self) -> bool {
        self.is_open() && self.stretches.iter().all(String::is_empty)
    }

    /// Whether a `*` is in it.
    pub fn is_open(&self) -> bool {
        self.stretches.len() > 1
    }

    /// Whether the word is of this form.
    pub fn matches(&self, word: &str) -> bool {
        let Some((first, rest)) = self.stretches.split_first() else { return false };
        let Some((last, between)) = rest.split_last() else { return word == first };
        let Some(word) = word.strip_prefix(first.as_str()).and_then(|word| word.strip_suffix(last.as_str())) else {
            return false;
        };
        // The leftmost place for each stretch leaves the most room for the next.
        let mut word = word;
        for stretch in between {
            match word.split_once(stretch.as_str()) {
                Some((_, behind)) => word = behind,
                None => return false,
            }
        }
        true
    }

    /// Whether a permission for this form reaches the word: as `matches`, but a `*` never climbs out of where it stands.
    pub fn permits(&self, word: &str) -> bool {
        let climbs = |text: &str| text.split('/').any(|part| part == "..");
        let meant = self.stretches.iter().any(|stretch| climbs(stretch));
        self.matches(word) && (!self.is_open() || meant || !climbs(word))
    }

    /// Whether some word is of both forms, as far as their beginnings and ends tell.
    pub(crate) fn may_meet(&self, other: &Self) -> bool {
        match (self.is_open(), other.is_open()) {
            (false, _) => self.stretches.first().is_some_and(|word| other.matches(word)),
            (_, false) => other.may_meet(self),
            (true, true) => {
                let begins = |one: &Self, two: &Self| {
                    one.stretches.first().zip(two.stretches.first()).is_some_and(|(a, b)| a.starts_with(b.as_str()))
                };
                let ends = |one: &Self, two: &Self| {
                    one.stretches.last().zip(two.stretches.last()).is_some_and(|(a, b)| a.ends_with(b.as_str()))
                };
                (begins(self, other) || begins(other, self)) && (ends(self, other) || ends(other, self))
            }
        }
    }
}

impl fmt::Display for WordPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escaped = self.stretches.iter().map(|stretch| stretch.replace('\\', "\\\\").replace('*', "\\*"));
        f.write_str(&escaped.collect::<Vec<_>>().join("*"))
    }
}

/// How sure it is that a pattern means a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Match {
    /// It does not.
    No,
    /// It may, depending on words that only the shell will know.
    Possible,
    /// It does.
    Yes,
}

/// What follows behind the words of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Nothing, unless the pattern ends in `*`.
    AsWritten,
    /// Anything.
    Open,
}

/// The words of a command; `*` as the last word stands for any further words, or none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CommandPattern {
    words: Vec<WordPattern>,
    open: bool,
    text: String,
}

impl CommandPattern {
    /// Whether it names the program, so that a permission for it means something in particular.
    pub fn names_program(&self) -> bool {
        self.words.first().is_some_and(|word| !word.is_open())
    }

    /// The program that it names, without the directory that it lies in.
    pub(crate) fn program(&self) -> Option<String> {
        let word = self.words.first().filter(|word| !word.is_open())?;
        word.stretches.first().map(|program| base_name(program).to_owned())
    }

    /// Whether it stands for more than one command.
    pub(crate) fn is_open(&self) -> bool {
        self.open || self.words.iter().any(WordPattern::is_open)
    }

    /// Whether the pattern means this command.
    pub(crate) fn matches(&self, argv: &[Option<String>], end: End) -> Match {
        let mut argv = argv.iter();
        for (place, pattern) in self.words.iter().enumerate() {
            match argv.next() {
                None => return Match::No,
                // An unknown word may be one word, several or none: from here on everything is possible.
                Some(None) => return Match::Possible,
                Some(Some(word)) if pattern.matches(word) => {}
                Some(Some(word)) if place == 0 && pattern.matches(base_name(word)) => {}
                Some(Some(_)) => return Match::No,
            }
        }
        if self.open || end == End::Open || argv.len() == 0 {
            return Match::Yes;
        }
        if argv.all(Option::is_none) { Match::Possible } else { Match::No }
    }

    /// Whether a permission for this pattern reaches the command, every word of which must be known.
    pub(crate) fn permits(&self, argv: &[Option<String>]) -> bool {
        let enough = if self.open { argv.len() >= self.words.len() } else { argv.len() == self.words.len() };
        let permits = |(pattern, word): (&WordPattern, &Option<String>)| {
            word.as_deref().is_some_and(|word| pattern.permits(word))
        };
        enough && argv.iter().all(Option::is_some) && self.words.iter().zip(argv).all(permits)
    }

    /// Whether the words of the pattern stand one behind the other somewhere in a text, upper and lower case alike.
    pub(crate) fn occurs_in(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        let wanted: Vec<WordPattern> =
            self.words.iter().map(|word| WordPattern::new(&word.to_string().to_lowercase())).collect();
        !wanted.is_empty()
            && words
                .windows(wanted.len())
                .any(|window| wanted.iter().zip(window).all(|(pattern, word)| pattern.matches(word)))
    }
}

impl fmt::Display for CommandPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for CommandPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        if text.len() > LONGEST {
            return Err(PatternError::TooLong);
        }
        let mut words = split(text)?;
        if words.is_empty() {
            return Err(PatternError::Empty);
        }
        let open = words.last().is_some_and(|last| last == "*");
        if open {
            words.pop();
        }
        Ok(Self { words: words.iter().map(|word| WordPattern::new(word)).collect(), open, text: text.to_owned() })
    }
}

/// The words of a pattern: blanks part them, quotes hold them together. Stars mean the same inside quotes.
fn split(text: &str) -> Result<Vec<String>, PatternError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in text.chars() {
        match quote {
            Some(open) if character == open => quote = None,
            None if matches!(character, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    if quote.is_some() { Err(PatternError::UnclosedQuote) } else { Ok(words) }
}

/// The program without the directory that it lies in.
fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

#[cfg(test)]
mod tests {
    use super::{CommandPattern, End, Match, PatternError, WordPattern};

    fn argv(words: &[&str]) -> Vec<Option<String>> {
        words.iter().map(|word| (*word != "?").then(|| (*word).to_owned())).collect()
    }

    #[test]
    fn a_star_stands_for_text_of_one_word() {
        for (pattern, word, expected) in [
            ("git", "git", true),
            ("git", "gitk", false),
            ("*", "", true),
            ("test*", "test", true),
            ("test*", "tests", true),
            ("*.rs", "a.rs", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "acb", false),
            ("ab*ba", "aba", false),
            ("**", "x", true),
            (r"\*", "*", true),
            (r"\*", "x", false),
            (r"a\b", r"a\b", true),
            (r"a\\*", r"a\x", true),
        ] {
            assert_eq!(WordPattern::new(pattern).matches(word), expected, "{pattern} on {word}");
            let again = WordPattern::new(&WordPattern::new(pattern).to_string());
            assert_eq!(again.matches(word), expected, "{pattern} written again");
        }
    }

    #[test]
    fn a_permission_does_not_climb() {
        for (pattern, word, expected) in [
            ("./build/*", "./build/x", true),
            ("./build/*", "./build/../src", false),
            ("./build/*", "./build/a..b", true),
            ("../*", "../x", true),
            ("..", "..", true),
        ] {
            assert_eq!(WordPattern::new(pattern).permits(word), expected, "{pattern} on {word}");
        }
    }

    #[test]
    fn words_are_compared_one_by_one() {
        use Match::{No, Possible, Yes};
        for (pattern, words, expected) in [
            ("git status", &["git", "status"][..], Yes),
            ("git status", &["git", "status", "-s"], No),
            ("git status *", &["git", "status"], Yes),
            ("git status *", &["git", "status", "-s", "x"], Yes),
            ("git push *", &["/usr/bin/git", "push"], Yes),
            ("git push *", &["git", "?"], Possible),
            ("git push *", &["?", "push"], Possible),
            ("git push", &["git", "push", "?"], Possible),
            ("git push", &["git", "push", "?", "x"], No),
            ("git push", &["git"], No),
            ("kill", &["skill"], No),
            ("*", &["anything", "at", "all"], Yes),
            ("git commit -m 'a b'", &["git", "commit", "-m", "a b"], Yes),
        ] {
            let pattern: CommandPattern = pattern.parse().unwrap();
            assert_eq!(pattern.matches(&argv(words), End::AsWritten), expected, "{pattern} on {words:?}");
            assert_eq!(
                pattern.permits(&argv(words)),
                expected == Yes && !words[0].contains('/'),
                "permission for {pattern} on {words:?}"
            );
        }
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        for (text, expected) in [
            ("", PatternError::Empty),
            ("   ", PatternError::Empty),
            ("echo 'a", PatternError::UnclosedQuote),
            (&"x".repeat(5000), PatternError::TooLong),
        ] {
            assert_eq!(text.parse::<CommandPattern>(), Err(expected), "{text:?}");
        }
    }

    #[test]
    fn two_forms_meet_unless_their_ends_tell_them_apart() {
        for (one, two, expected) in [
            ("*.rs", ".env", false),
            ("*.rs", "*.env", false),
            ("a*", "*b", true),
            (".e*", ".env", true),
            ("x", "x", true),
        ] {
            let (one, two) = (WordPattern::new(one), WordPattern::new(two));
            assert_eq!(one.may_meet(&two), expected, "{one} and {two}");
            assert_eq!(two.may_meet(&one), expected, "{two} and {one}");
        }
    }
}
