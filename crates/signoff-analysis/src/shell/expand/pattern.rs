//! Shell patterns on known text: matching, trimming and replacing, without backtracking blow-up.

/// Whether the whole text matches the pattern: `*`, `?`, `[…]` and backslash escapes.
pub fn matches(pattern: &str, text: &str) -> bool {
    Pattern::new(pattern).matches(text)
}

/// A pattern that is tried on several texts.
#[derive(Debug)]
pub struct Pattern {
    tokens: Vec<Token>,
    /// How many letters a text has at least.
    letters: usize,
    /// Whether a text may have more of them.
    open: bool,
}

impl Pattern {
    /// Reads a pattern.
    pub fn new(pattern: &str) -> Self {
        let tokens = compile(pattern);
        let letters = tokens.iter().filter(|token| !matches!(token, Token::Any)).count();
        let open = letters < tokens.len();
        Self { tokens, letters, open }
    }

    /// Whether a text with so many letters may match at all.
    pub fn has_room_for(&self, letters: usize) -> bool {
        self.letters == letters || self.open && self.letters < letters
    }

    /// Whether the whole text matches.
    pub fn matches(&self, text: &str) -> bool {
        self.letters <= text.len() && run(&self.tokens, &text.chars().collect::<Vec<_>>())
    }
}

/// Puts a text behind a pattern so that every sign in it means itself.
pub(in crate::shell) fn push_plain(pattern: &mut String, text: &str) {
    for letter in text.chars() {
        if matches!(letter, '*' | '?' | '[' | ']' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
}

/// A pattern that parts of known texts are taken off or replaced by. It counts what it does, for somebody has to pay.
pub(super) struct Cutter {
    tokens: Vec<Token>,
    /// How many comparisons a letter may take.
    weight: usize,
    /// How many comparisons it has made.
    pub(super) steps: usize,
}

/// The work is more than one expansion is worth.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooDear;

/// A longer text does not come out of an expansion.
pub(super) const LONGEST_RESULT: usize = 1 << 16;

/// One expansion compares at most so often.
const MOST_STEPS: usize = 1 << 18;

/// Which of several matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Shortest,
    Longest,
}

impl Reach {
    pub(super) const fn of(longest: bool) -> Self {
        if longest { Self::Longest } else { Self::Shortest }
    }
}

impl Cutter {
    pub(super) fn new(pattern: &str) -> Self {
        let tokens = compile(pattern);
        let comparisons = |token: &Token| if let Token::Set { ranges, .. } = token { 1 + ranges.len() } else { 1 };
        let weight = 1 + tokens.iter().map(comparisons).sum::<usize>();
        Self { tokens, weight, steps: 0 }
    }

    /// A matching prefix and the rest; none where nothing matches, not even nothing.
    pub(super) fn prefix<'t>(&mut self, text: &'t str, reach: Reach) -> Result<Option<(&'t str, &'t str)>, TooDear> {
        let letters: Vec<char> = text.chars().collect();
        let Some(end) = self.end(letters.iter(), reach)? else { return Ok(None) };
        let cut = letters.iter().take(end).map(|letter| letter.len_utf8()).sum();
        Ok(text.split_at_checked(cut))
    }

    /// The rest and a matching suffix; none where nothing matches, not even nothing.
    pub(super) fn suffix<'t>(&mut self, text: &'t str, reach: Reach) -> Result<Option<(&'t str, &'t str)>, TooDear> {
        let letters: Vec<char> = text.chars().collect();
        self.tokens.reverse();
        let end = self.end(letters.iter().rev(), reach);
        self.tokens.reverse();
        let Some(end) = end? else { return Ok(None) };
        let cut: usize = letters.iter().rev().take(end).map(|letter| letter.len_utf8()).sum();
        Ok(text.split_at_checked(text.len() - cut))
    }

    /// The text with the longest match at each place replaced, the first one only or all of them.
    pub(super) fn replaced(&mut self, text: &str, with: impl Fn(&str) -> String, all: bool) -> Result<String, TooDear> {
        let letters: Vec<char> = text.chars().collect();
        let mut result = String::with_capacity(text.len());
        let mut at = 0;
        let mut done = self.tokens.is_empty();
        // In an empty text, nothing is what matches.
        if letters.is_empty() && !done && self.end(letters.iter(), Reach::Longest)?.is_some() {
            return Ok(with(""));
        }
        while let Some(letter) = letters.get(at) {
            let rest = letters.get(at..).unwrap_or_default();
            let length = if done { None } else { self.end(rest.iter(), Reach::Longest)? };
            match length {
                Some(length) if length > 0 => {
                    let found: String = rest.iter().take(length).collect();
                    result.push_str(&with(&found));
                    if result.len() > LONGEST_RESULT {
                        return Err(TooDear);
                    }
                    at += length;
                    done = !all;
                }
                _ => {
                    result.push(*letter);
                    at += 1;
                }
            }
        }
        Ok(result)
    }

    /// Behind how many letters a match ends that begins with the first: every place in the pattern that the letters so far
    /// may lead to is followed at once.
    fn end<'l>(&mut self, letters: impl Iterator<Item = &'l char>, reach: Reach) -> Result<Option<usize>, TooDear> {
        let mut places = vec![false; self.tokens.len() + 1];
        if let Some(first) = places.first_mut() {
            *first = true;
        }
        self.skip_stars(&mut places);
        let mut found = places.last().copied().unwrap_or_default().then_some(0);
        for (index, letter) in letters.enumerate() {
            if found.is_some() && reach == Reach::Shortest {
                break;
            }
            let mut next = vec![false; places.len()];
            let mut alive = false;
            for (at, token) in self.tokens.iter().enumerate() {
                if places.get(at) != Some(&true) {
                    continue;
                }
                let goes_to = match token {
                    Token::Any => Some(at),
                    token => token.fits(*letter).then_some(at + 1),
                };
                if let Some(place) = goes_to.and_then(|place| next.get_mut(place)) {
                    *place = true;
                    alive = true;
                }
            }
            self.steps += self.weight;
            if self.steps > MOST_STEPS {
                return Err(TooDear);
            }
            if !alive {
                break;
            }
            self.skip_stars(&mut next);
            places = next;
            if places.last() == Some(&true) {
                found = Some(index + 1);
            }
        }
        Ok(found)
    }

    /// A star stands for nothing as well.
    fn skip_stars(&self, places: &mut [bool]) {
        for (at, token) in self.tokens.iter().enumerate() {
            if matches!(token, Token::Any)
                && places.get(at) == Some(&true)
                && let Some(place) = places.get_mut(at + 1)
            {
                *place = true;
            }
        }
    }
}

/// The name of a class such as `[:xdigit:]`, with all its signs, is not longer than this.
const LONGEST_CLASS: usize = 16;

#[derive(Debug)]
enum Token {
    Any,
    One,
    Letter(char),
    Set { negated: bool, ranges: Vec<(char, char)> },
}

impl Token {
    /// Whether it stands for this letter; a star stands for any number of them.
    fn fits(&self, letter: char) -> bool {
        match self {
            Self::Any | Self::One => true,
            Self::Letter(wanted) => *wanted == letter,
            Self::Set { negated, ranges } => {
                ranges.iter().any(|(low, high)| *low <= letter && letter <= *high) != *negated
            }
        }
    }
}

fn compile(pattern: &str) -> Vec<Token> {
    let letters: Vec<char> = pattern.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    // Behind a set that is never closed none is, but for the class that may stand in it: a look at a few letters is enough.
    let mut look = usize::MAX;
    while let Some(letter) = letters.get(at) {
        at += 1;
        tokens.push(match letter {
            '*' => {
                if matches!(tokens.last(), Some(Token::Any)) {
                    continue;
                }
                Token::Any
            }
            '?' => Token::One,
            '\\' => {
                let escaped = letters.get(at).copied().unwrap_or('\\');
                at += 1;
                Token::Letter(escaped)
            }
            '[' => match set(letters.get(..at.saturating_add(look)).unwrap_or(&letters), at) {
                Some((token, after)) => {
                    at = after;
                    token
                }
                None => {
                    look = LONGEST_CLASS;
                    Token::Letter('[')
                }
            },
            letter => Token::Letter(*letter),
        });
    }
    tokens
}

fn set(letters: &[char], start: usize) -> Option<(Token, usize)> {
    let mut at = start;
    let negated = matches!(letters.get(at), Some('!' | '^'));
    at += usize::from(negated);
    let first = at;
    let mut ranges = Vec::new();
    loop {
        let letter = *letters.get(at)?;
        if letter == ']' && at > first {
            return Some((Token::Set { negated, ranges }, at + 1));
        }
        if letter == '[' && letters.get(at + 1) == Some(&':') {
            let name: String =
                letters.get(at + 2..)?.iter().take(LONGEST_CLASS).take_while(|letter| **letter != ':').collect();
            at += name.chars().count() + 4;
            ranges.extend(class(&name));
            continue;
        }
        match (letters.get(at + 1), letters.get(at + 2)) {
            (Some('-'), Some(end)) if *end != ']' => {
                ranges.push((letter, *end));
                at += 3;
            }
            _ => {
                ranges.push((letter, letter));
                at += 1;
            }
        }
    }
}

fn class(name: &str) -> Vec<(char, char)> {
    match name {
        "alpha" => vec![('a', 'z'), ('A', 'Z')],
        "digit" => vec![('0', '9')],
        "alnum" => vec![('a', 'z'), ('A', 'Z'), ('0', '9')],
        "upper" => vec![('A', 'Z')],
        "lower" => vec![('a', 'z')],
        "space" => vec![(' ', ' '), ('\t', '\r')],
        "blank" => vec![(' ', ' '), ('\t', '\t')],
        "punct" => vec![('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "xdigit" => vec![('0', '9'), ('a', 'f'), ('A', 'F')],
        _ => Vec::new(),
    }
}

/// Greedy matching with one point of return: linear in the product of the lengths.
fn run(tokens: &[Token], letters: &[char]) -> bool {
    let (mut token, mut letter) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        let step = match (tokens.get(token), letters.get(letter)) {
            (Some(Token::Any), _) => {
                retry = Some((token, letter));
                token += 1;
                continue;
            }
            (Some(token), Some(found)) => token.fits(*found),
            (None, None) => return true,
            _ => false,
        };
        if step {
            token += 1;
            letter += 1;
            continue;
        }
        match retry {
            Some((star, from)) if from < letters.len() => {
                retry = Some((star, from + 1));
                token = star + 1;
                letter = from + 1;
            }
            _ => return false,
        }
    }
}
