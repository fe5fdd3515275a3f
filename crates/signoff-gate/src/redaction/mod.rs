//! What the ledger tells of an operation: its text, without the secrets in it. Where it is in doubt whether something is one, it is
//! masked. The digest of the whole operation stands beside it, so that whoever has the original can show that it was this one.
//!
//! This module reads texts and nothing else. What it does not recognise stays, so it is no licence to write secrets into commands.

mod commands;
mod names;
mod quotes;
mod shapes;
#[cfg(test)]
mod tests;

use std::ops::Range;

use signoff_model::Operation;

use quotes::Quotes;

/// What stands in the place of a secret.
pub const MASK: &str = "[masked]";

/// No more of a text is told, in bytes.
pub const TOLD_AT_MOST: usize = 4 * 1_024;

/// No more of a text is looked at: so much of it may turn into masks before there is too little to tell.
const READ_AT_MOST: usize = 4 * TOLD_AT_MOST;

/// A masked value that is shorter is not looked for elsewhere: it would be found in words.
const FOUND_AGAIN_FROM: usize = 6;

/// So many different values are looked for elsewhere.
const FOUND_AGAIN_AT_MOST: usize = 64;

/// A text without its secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redacted {
    /// The text, with [`MASK`] in place of each secret.
    pub text: String,
    /// How many there were.
    pub masked: usize,
    /// So many bytes of the original are not told at its end.
    pub cut: usize,
}

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// By a shell: `$NAME` is a name and no value.
    Shell,
    /// As it is.
    Plain,
}

impl Redacted {
    /// An operation as people read it.
    pub fn of(operation: &Operation) -> Self {
        let reading = match operation {
            Operation::Shell(_) => Reading::Shell,
            Operation::File(_) | Operation::Tool(_) => Reading::Plain,
        };
        redacted(&operation.text(), reading)
    }

    /// Any other text.
    pub fn of_text(text: &str) -> Self {
        redacted(text, Reading::Plain)
    }

    /// What the ledger says of it, by name: nothing is left out without a word.
    pub fn details(self) -> Vec<(&'static str, String)> {
        let Self { text, masked, cut } = self;
        let mut details = vec![("text", text)];
        if masked > 0 {
            details.push(("masked", masked.to_string()));
        }
        if cut > 0 {
            details.push(("cut", cut.to_string()));
        }
        details
    }
}

/// Where secrets stand, in any order and on top of each other.
#[derive(Default)]
struct Marks(Vec<Range<usize>>);

impl Marks {
    fn add(&mut self, range: Range<usize>) {
        if range.start < range.end {
            self.0.push(range);
        }
    }

    /// The same without overlaps, from the first to the last.
    fn merged(mut self) -> Vec<Range<usize>> {
        self.0.sort_by_key(|range| (range.start, range.end));
        let mut merged: Vec<Range<usize>> = Vec::new();
        for range in self.0 {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        merged
    }
}

fn redacted(whole: &str, reading: Reading) -> Redacted {
    let text = beginning(whole);
    let quotes = Quotes::of(text);
    let mut marks = Marks::default();
    shapes::mark(text, &mut marks);
    names::mark(text, &quotes, reading, &mut marks);
    commands::mark(text, reading, &mut marks);
    let mut ranges = marks.merged();
    let again = elsewhere(text, &ranges);
    if !again.is_empty() {
        ranges.extend(again);
        ranges = Marks(ranges).merged();
    }
    told(whole, text, &ranges)
}

/// The beginning of a text that is looked at. It ends between words, so that no half of a secret is taken for something else.
fn beginning(whole: &str) -> &str {
    if whole.len() <= READ_AT_MOST {
        return whole;
    }
    let text = whole.get(..whole.floor_char_boundary(READ_AT_MOST)).unwrap_or_default();
    text.rfind(char::is_whitespace).and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Where the same values stand once more.
fn elsewhere(text: &str, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut values: Vec<&str> = ranges
        .iter()
        .filter_map(|range| text.get(range.clone()))
        .map(|value| value.trim_matches(|sign: char| sign.is_whitespace() || "'\"\\`".contains(sign)))
        .filter(|value| value.len() >= FOUND_AGAIN_FROM)
        .collect();
    values.sort_unstable();
    values.dedup();
    let found = |value: &&str| {
        let length = value.len();
        text.match_indices(*value).map(move |(at, _)| at..at + length).collect::<Vec<_>>()
    };
    values.iter().take(FOUND_AGAIN_AT_MOST).flat_map(found).collect()
}

fn told(whole: &str, text: &str, ranges: &[Range<usize>]) -> Redacted {
    let mut told = Redacted::default();
    let mut at = 0;
    for range in ranges {
        let (start, end) = (text.floor_char_boundary(range.start), text.ceil_char_boundary(range.end));
        let plain = text.get(at..start).unwrap_or_default();
        if told.text.len() + plain.len() + MASK.len() > TOLD_AT_MOST {
            break;
        }
        told.text.push_str(plain);
        told.text.push_str(MASK);
        told.masked += 1;
        at = end;
    }
    // Up to the next secret, or as far as there is room.
    let next = ranges.get(told.masked).map_or(text.len(), |range| text.floor_char_boundary(range.start));
    let room = TOLD_AT_MOST.saturating_sub(told.text.len());
    let end = text.floor_char_boundary(next.min(at.saturating_add(room))).max(at);
    told.text.push_str(text.get(at..end).unwrap_or_default());
    told.cut = whole.len().saturating_sub(end);
    told
}
