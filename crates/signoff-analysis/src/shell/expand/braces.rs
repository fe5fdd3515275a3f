//! Brace expansion, as bash does it: before everything else, over the parts of a word.

use crate::shell::syntax::tree::WordPart;

/// At most this many words come out of one; a word with more is left to be unknown.
const MAX_RESULTS: usize = 512;

/// A letter of unquoted text, or any other part.
#[derive(Clone, Debug)]
enum Atom<'w> {
    Letter(char),
    Part(&'w WordPart),
}

/// The words that brace expansion makes of the parts; none if there is nothing to expand. `Err` if there are too many.
pub(super) fn expand(parts: &[WordPart]) -> Result<Option<Vec<Vec<WordPart>>>, ()> {
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
    let mut budget = MAX_RESULTS;
    let words = expand_atoms(&atoms, &mut budget, 0)?;
    if words.len() == 1 {
        return Ok(None);
    }
    Ok(Some(words.into_iter().map(|atoms| join(&atoms)).collect()))
}

fn join(atoms: &[Atom<'_>]) -> Vec<WordPart> {
    let mut parts: Vec<WordPart> = Vec::new();
    for atom in atoms {
        match (atom, parts.last_mut()) {
            (Atom::Letter(letter), Some(WordPart::Literal(text))) => text.push(*letter),
            (Atom::Letter(letter), _) => parts.push(WordPart::Literal(letter.to_string().into())),
            (Atom::Part(part), _) => parts.push((*part).clone()),
        }
    }
    parts
}

fn expand_atoms<'w>(atoms: &[Atom<'w>], budget: &mut usize, depth: usize) -> Result<Vec<Vec<Atom<'w>>>, ()> {
    if depth > 16 {
        return Err(());
    }
    let mut start = 0;
    while let Some(open) = find_open(atoms, start) {
        let Some((close, commas)) = find_close(atoms, open) else {
            start = open + 1;
            continue;
        };
        let inside = atoms.get(open + 1..close).unwrap_or_default();
        let alternatives: Vec<Vec<Atom<'w>>> = if commas.is_empty() {
            match sequence(inside) {
                Some(items) => items.into_iter().map(|item| item.chars().map(Atom::Letter).collect()).collect(),
                None => {
                    start = open + 1;
                    continue;
                }
            }
        } else {
            let mut list = Vec::new();
            let mut from = open + 1;
            for end in commas.iter().copied().chain([close]) {
                list.extend(expand_atoms(atoms.get(from..end).unwrap_or_default(), budget, depth + 1)?);
                from = end + 1;
            }
            list
        };
        let head = atoms.get(..open).unwrap_or_default();
        let tails = expand_atoms(atoms.get(close + 1..).unwrap_or_default(), budget, depth + 1)?;
        let count = alternatives.len().saturating_mul(tails.len());
        *budget = budget.checked_sub(count).ok_or(())?;
        let mut words = Vec::with_capacity(count);
        for alternative in &alternatives {
            for tail in &tails {
                words.push([head, alternative.as_slice(), tail.as_slice()].concat());
            }
        }
        return Ok(words);
    }
    Ok(vec![atoms.to_vec()])
}

fn is(atom: &Atom<'_>, wanted: char) -> bool {
    matches!(atom, Atom::Letter(letter) if *letter == wanted)
}

fn find_open(atoms: &[Atom<'_>], start: usize) -> Option<usize> {
    atoms.iter().enumerate().skip(start).find(|(_, atom)| is(atom, '{')).map(|(at, _)| at)
}

/// The brace that closes the one at `open`, with the commas between them on the same level.
fn find_close(atoms: &[Atom<'_>], open: usize) -> Option<(usize, Vec<usize>)> {
    let mut level = 0;
    let mut commas = Vec::new();
    for (at, atom) in atoms.iter().enumerate().skip(open + 1) {
        match atom {
            Atom::Letter('{') => level += 1,
            Atom::Letter('}') if level == 0 => return Some((at, commas)),
            Atom::Letter('}') => level -= 1,
            Atom::Letter(',') if level == 0 => commas.push(at),
            _ => {}
        }
    }
    None
}

/// `{1..5}`, `{a..e}`, `{01..10..2}`.
fn sequence(inside: &[Atom<'_>]) -> Option<Vec<String>> {
    let mut text = String::new();
    for atom in inside {
        match atom {
            Atom::Letter(letter) => text.push(*letter),
            Atom::Part(_) => return None,
        }
    }
    let mut ends = text.split("..");
    let (first, last) = (ends.next()?, ends.next()?);
    let step = ends.next().map(str::parse::<i64>);
    if ends.next().is_some() {
        return None;
    }
    let step = match step {
        None => 1,
        Some(Ok(step)) => step.checked_abs()?.max(1),
        Some(Err(_)) => return None,
    };
    let (from, to, numeric) = match (first.parse::<i64>(), last.parse::<i64>()) {
        (Ok(from), Ok(to)) => (from, to, true),
        _ => {
            let one = |text: &str| {
                let mut letters = text.chars();
                letters.next().filter(|letter| letter.is_ascii_alphabetic() && letters.next().is_none())
            };
            (i64::from(u32::from(one(first)?)), i64::from(u32::from(one(last)?)), false)
        }
    };
    let count = usize::try_from(to.checked_sub(from)?.checked_abs()? / step).ok()?;
    if count >= MAX_RESULTS {
        return None;
    }
    let padded = |text: &str| text.trim_start_matches('-').len() > 1 && text.trim_start_matches('-').starts_with('0');
    let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
    let mut items = Vec::with_capacity(count + 1);
    let mut value = from;
    for _ in 0..=count {
        items.push(if numeric {
            format!("{value:0width$}")
        } else {
            u32::try_from(value).ok().and_then(char::from_u32)?.to_string()
        });
        value = if from <= to { value.checked_add(step)? } else { value.checked_sub(step)? };
    }
    Some(items)
}
