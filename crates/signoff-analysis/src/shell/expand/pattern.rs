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

/// Removes a matching prefix.
pub(super) fn remove_prefix<'t>(text: &'t str, pattern: &str, longest: bool) -> &'t str {
    let tokens = compile(pattern);
    let cuts = borders(text);
    let fits = |cut: &&usize| text.get(..**cut).is_some_and(|head| run(&tokens, &head.chars().collect::<Vec<_>>()));
    let found = if longest { cuts.iter().rev().find(fits) } else { cuts.iter().find(fits) };
    found.and_then(|cut| text.get(*cut..)).unwrap_or(text)
}

/// Removes a matching suffix.
pub(super) fn remove_suffix<'t>(text: &'t str, pattern: &str, longest: bool) -> &'t str {
    let tokens = compile(pattern);
    let cuts = borders(text);
    let fits = |cut: &&usize| text.get(**cut..).is_some_and(|tail| run(&tokens, &tail.chars().collect::<Vec<_>>()));
    let found = if longest { cuts.iter().find(fits) } else { cuts.iter().rev().find(fits) };
    found.and_then(|cut| text.get(..*cut)).unwrap_or(text)
}

/// Replaces the longest match at each place, the first only or all of them.
pub(super) fn replace(text: &str, pattern: &str, with: &str, all: bool) -> String {
    replace_by(text, pattern, |_| with.to_owned(), all)
}

/// The same with what depends on the part that is replaced.
pub(super) fn replace_by(text: &str, pattern: &str, with: impl Fn(&str) -> String, all: bool) -> String {
    let tokens = compile(pattern);
    let letters: Vec<char> = text.chars().collect();
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    let mut done = false;
    while at <= letters.len() {
        let longest = if done || tokens.is_empty() {
            None
        } else {
            (at + 1..=letters.len()).rev().find(|end| letters.get(at..*end).is_some_and(|part| run(&tokens, part)))
        };
        match longest {
            Some(end) => {
                let found: String = letters.get(at..end).unwrap_or_default().iter().collect();
                result.push_str(&with(&found));
                at = end;
                done = !all;
            }
            None => {
                if let Some(letter) = letters.get(at) {
                    result.push(*letter);
                }
                at += 1;
            }
        }
    }
    result
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

fn borders(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
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
            (Some(Token::One), Some(_)) => true,
            (Some(Token::Letter(wanted)), Some(found)) => wanted == found,
            (Some(Token::Set { negated, ranges }), Some(found)) => {
                ranges.iter().any(|(low, high)| low <= found && found <= high) != *negated
            }
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
