//! Brace expansion, as bash does it: before everything else, over the parts of a word.

use std::ops::Range;

use crate::shell::syntax::tree::WordPart;

/// At most this many words come out of one; a word with more is unknown.
const MAX_RESULTS: usize = 512;

/// At most this many letters come out of one word, in all of its results together.
const MAX_LETTERS: usize = 1 << 17;

/// Braces in braces, and braces behind braces, deeper than this are not followed.
const MAX_DEPTH: usize = 16;

/// Everything together is more work than is done for one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;

/// A part of a word that the expansion makes.
#[derive(Clone, Debug)]
pub(super) enum Made<'t> {
    /// Unquoted text.
    Text(String),
    /// A part as it was written.
    Part(&'t WordPart<'t>),
    /// Something out of a range that is longer than is followed: the words differ in a number or a letter there.
    OfRange,
}

/// A letter of unquoted text, or any other part.
#[derive(Clone, Debug)]
enum Atom<'t> {
    Letter(char),
    Part(&'t WordPart<'t>),
    OfRange,
}

/// A brace that is closed, with the commas between the two on the same level.
#[derive(Debug)]
struct Brace {
    open: usize,
    close: usize,
    commas: Vec<usize>,
}

/// The words that brace expansion makes of the parts; none if there is nothing to expand.
pub(super) fn expand<'t>(parts: &'t [WordPart<'t>]) -> Result<Option<Vec<Vec<Made<'t>>>>, TooMany> {
    let alive = parts.iter().any(|part| matches!(part, WordPart::Literal(text) if text.contains('{')));
    if !alive {
        return Ok(None);
    }
    let mut atoms = Vec::new();
    for part in parts {
        match part {
            WordPart::Literal(text) => atoms.extend(text.chars().map(Atom::Letter)),
            part => atoms.push(Atom::Part(part)),
        }
    }
    let braces = closed(&atoms);
    let mut expansion = Expansion { atoms: &atoms, braces: &braces, results: MAX_RESULTS, letters: MAX_LETTERS };
    let words = expansion.expand(0..atoms.len(), 0)?;
    let ranges = |word: &Vec<Atom<'_>>| word.iter().any(|atom| matches!(atom, Atom::OfRange));
    if words.len() == 1 && !words.iter().any(ranges) {
        return Ok(None);
    }
    Ok(Some(words.into_iter().map(|atoms| join(&atoms)).collect()))
}

fn join<'t>(atoms: &[Atom<'t>]) -> Vec<Made<'t>> {
    let mut parts: Vec<Made<'t>> = Vec::new();
    for atom in atoms {
        match (atom, parts.last_mut()) {
            (Atom::Letter(letter), Some(Made::Text(text))) => text.push(*letter),
            (Atom::Letter(letter), _) => parts.push(Made::Text(letter.to_string())),
            (Atom::Part(part), _) => parts.push(Made::Part(part)),
            (Atom::OfRange, _) => parts.push(Made::OfRange),
        }
    }
    parts
}

/// Every brace that is closed, in the order of their openings. One way through the word, however it is nested.
fn closed(atoms: &[Atom<'_>]) -> Vec<Brace> {
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut braces = Vec::new();
    for (at, atom) in atoms.iter().enumerate() {
        match atom {
            Atom::Letter('{') => open.push((at, Vec::new())),
            Atom::Letter('}') => {
                braces.extend(open.pop().map(|(open, commas)| Brace { open, close: at, commas }));
            }
            Atom::Letter(',') => {
                if let Some((_, commas)) = open.last_mut() {
                    commas.push(at);
                }
            }
            _ => {}
        }
    }
    braces.sort_unstable_by_key(|brace| brace.open);
    braces
}

/// The expansion of one word, and how much of it may still be done.
struct Expansion<'a, 'w> {
    atoms: &'a [Atom<'w>],
    braces: &'a [Brace],
    results: usize,
    letters: usize,
}

impl<'w> Expansion<'_, 'w> {
    fn expand(&mut self, range: Range<usize>, depth: usize) -> Result<Vec<Vec<Atom<'w>>>, TooMany> {
        if depth > MAX_DEPTH {
            return Err(TooMany);
        }
        let (atoms, braces) = (self.atoms, self.braces);
        let first = braces.partition_point(|brace| brace.open < range.start);
        let inside = braces.get(first..).unwrap_or_default().iter().take_while(|brace| brace.open < range.end);
        for brace in inside {
            let alternatives: Vec<Vec<Atom<'w>>> = if brace.commas.is_empty() {
                match sequence(atoms.get(brace.open + 1..brace.close).unwrap_or_default()) {
                    Some(Sequence::Items(items)) => {
                        items.into_iter().map(|item| item.chars().map(Atom::Letter).collect()).collect()
                    }
                    // The words beside the range are known all the same.
                    Some(Sequence::Long) => vec![vec![Atom::OfRange]],
                    None => continue,
                }
            } else {
                let mut list = Vec::new();
                let mut from = brace.open + 1;
                for end in brace.commas.iter().copied().chain([brace.close]) {
                    list.extend(self.expand(from..end, depth + 1)?);
                    from = end + 1;
                    if list.len() > MAX_RESULTS {
                        return Err(TooMany);
                    }
                }
                list
            };
            let head = atoms.get(range.start..brace.open).unwrap_or_default();
            let tails = self.expand(brace.close + 1..range.end, depth + 1)?;
            return self.combine(head, &alternatives, &tails);
        }
        let only = atoms.get(range).unwrap_or_default();
        self.letters = self.letters.checked_sub(only.len()).ok_or(TooMany)?;
        Ok(vec![only.to_vec()])
    }

    /// Every alternative with every tail.
    fn combine(
        &mut self,
        head: &[Atom<'w>],
        alternatives: &[Vec<Atom<'w>>],
        tails: &[Vec<Atom<'w>>],
    ) -> Result<Vec<Vec<Atom<'w>>>, TooMany> {
        let count = alternatives.len().saturating_mul(tails.len());
        self.results = self.results.checked_sub(count).ok_or(TooMany)?;
        let letters_of = |words: &[Vec<Atom<'w>>]| words.iter().map(Vec::len).sum::<usize>();
        let letters = (head.len().saturating_mul(count))
            .saturating_add(letters_of(alternatives).saturating_mul(tails.len()))
            .saturating_add(letters_of(tails).saturating_mul(alternatives.len()));
        self.letters = self.letters.checked_sub(letters).ok_or(TooMany)?;
        let mut words = Vec::with_capacity(count);
        for alternative in alternatives {
            for tail in tails {
                words.push([head, alternative.as_slice(), tail.as_slice()].concat());
            }
        }
        Ok(words)
    }
}

/// What a range stands for.
enum Sequence {
    Items(Vec<String>),
    /// More than is followed.
    Long,
}

/// `{1..5}`, `{a..e}`, `{01..10..2}`; none if it is no range, and then it stands for itself.
fn sequence(inside: &[Atom<'_>]) -> Option<Sequence> {
    let mut text = String::new();
    for atom in inside {
        match atom {
            // Nothing else stands in a range: braces in braces are not gone through again and again.
            Atom::Letter(letter @ ('0'..='9' | 'a'..='z' | 'A'..='Z' | '-' | '+' | '.')) => text.push(*letter),
            _ => return None,
        }
    }
    let (from, to, step, numeric) = range_of(&text)?;
    let count = to.checked_sub(from).and_then(i64::checked_abs).and_then(|span| usize::try_from(span / step).ok());
    let Some(count) = count.filter(|count| *count < MAX_RESULTS) else { return Some(Sequence::Long) };
    let mut ends = text.split("..");
    let (first, last) = (ends.next().unwrap_or_default(), ends.next().unwrap_or_default());
    let padded = |text: &str| text.trim_start_matches('-').len() > 1 && text.trim_start_matches('-').starts_with('0');
    let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
    let mut items = Vec::with_capacity(count + 1);
    let mut value = from;
    for _ in 0..=count {
        items.push(if numeric {
            format!("{value:0width$}")
        } else {
            u32::try_from(value).ok().and_then(char::from_u32).map(String::from).unwrap_or_default()
        });
        value = if from <= to { value.saturating_add(step) } else { value.saturating_sub(step) };
    }
    Some(Sequence::Items(items))
}

/// The ends and the step of a range, and whether it is one of numbers.
fn range_of(text: &str) -> Option<(i64, i64, i64, bool)> {
    let mut ends = text.split("..");
    let (first, last) = (ends.next()?, ends.next()?);
    let step = match ends.next() {
        None => 1,
        Some(step) => step.parse::<i64>().ok()?.checked_abs()?.max(1),
    };
    if ends.next().is_some() {
        return None;
    }
    if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        return Some((from, to, step, true));
    }
    let one = |text: &str| {
        let mut letters = text.chars();
        letters.next().filter(|letter| letter.is_ascii_alphabetic() && letters.next().is_none())
    };
    Some((i64::from(u32::from(one(first)?)), i64::from(u32::from(one(last)?)), step, false))
}
