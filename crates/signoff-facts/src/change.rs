//! How files would differ from what they are: the lines that go and the lines that come.
//!
//! Every answer is bounded: by the length of what is read, by how many files are compared, and by a deadline behind which
//! lines are no longer matched with each other but told as gone and come.

use std::{
    ops::Range,
    path::Path,
    time::{Duration, Instant},
};

use signoff_analysis::{
    facts::{FileText, Whereabouts},
    place::Place,
};
use signoff_model::{
    Basis, Change, Comparison, DiffLine, Difference, Hunk, LineEnd, NewText, Occurrences, Part, Rewrite, Side,
};
use similar::{Algorithm, DiffOp};

use crate::{
    LocalFacts,
    follow::{Plain, follow},
    script,
};

/// Longer texts are not compared: nobody reads such a difference.
const TEXT_AT_MOST: u64 = 1 << 20;

/// So many files are compared.
const FILES_AT_MOST: usize = 32;

/// All of them in this time, after which lines are not matched with each other.
const COMPARED_WITHIN: Duration = Duration::from_millis(400);

/// So many lines are shown around those that differ.
const AROUND: usize = 3;

impl LocalFacts {
    /// How the files that an assessment says are rewritten would differ from what they are now.
    pub(crate) fn changes(&self, rewrites: &[Rewrite], whereabouts: &Whereabouts) -> Vec<Change> {
        let deadline = Instant::now() + COMPARED_WITHIN;
        let compare = |(index, rewrite): (usize, &Rewrite)| Change {
            path: Place::exactly(rewrite.path.clone(), whereabouts).shown,
            comparison: if index < FILES_AT_MOST { compare(rewrite, deadline) } else { Comparison::TooMany },
        };
        rewrites.iter().enumerate().map(compare).collect()
    }
}

fn compare(rewrite: &Rewrite, deadline: Instant) -> Comparison {
    if rewrite.text == NewText::Secret {
        return Comparison::Secret;
    }
    if rewrite.text.len() as u64 > TEXT_AT_MOST {
        return Comparison::TooLarge;
    }
    let old = match text_at(&rewrite.path) {
        Ok(text) => text,
        Err(comparison) => return comparison,
    };
    let basis = if old.is_some() { Basis::File } else { Basis::Nothing };
    let old = old.unwrap_or_default();
    match &rewrite.text {
        NewText::Whole(new) => difference(&old, new, basis, deadline),
        NewText::Appended(more) => difference(&old, &format!("{old}{more}"), basis, deadline),
        NewText::Parts(parts) => replaced(old, parts, basis, deadline),
        NewText::Copied(from) => match text_at(from) {
            Ok(Some(new)) => difference(&old, &new, basis, deadline),
            Ok(None) => Comparison::Unreadable,
            Err(comparison) => comparison,
        },
        NewText::Secret => Comparison::Secret,
    }
}

/// What is in the file at a path, none where there is no file; or why that cannot be compared.
fn text_at(path: &str) -> Result<Option<String>, Comparison> {
    let path = Path::new(path);
    let text = match script::read_at_most(path, TEXT_AT_MOST) {
        FileText::Text(text) => Some(text),
        FileText::Missing => None,
        FileText::Binary => return Err(Comparison::Binary),
        FileText::TooLarge => return Err(Comparison::TooLarge),
        FileText::Unreadable | FileText::NotKnown => return Err(Comparison::Unreadable),
    };
    // A link that was put there since could lead to what nobody may see.
    if follow(path, &mut Plain::default()).as_deref() == Some(path) { Ok(text) } else { Err(Comparison::Unreadable) }
}

/// What becomes of a text whose parts are replaced one after the other. Where it cannot be told which part is meant, the
/// part alone is compared with what comes in its place.
fn replaced(old: String, parts: &[Part], basis: Basis, deadline: Instant) -> Comparison {
    let mut text = old.clone();
    for part in parts {
        let found = if part.old.is_empty() { 0 } else { text.matches(part.old.as_str()).count() as u64 };
        let clear = found == 1 || found > 1 && part.occurrences == Occurrences::All;
        // Nothing in the place of nothing is how some tools write a new file.
        if part.old.is_empty() && text.is_empty() {
            text.push_str(&part.new);
        } else if clear {
            let longest = u64::try_from(part.new.len()).unwrap_or(u64::MAX).saturating_mul(found);
            if longest.saturating_add(text.len() as u64) > 2 * TEXT_AT_MOST {
                return Comparison::TooLarge;
            }
            text = text.replace(part.old.as_str(), &part.new);
        } else {
            return difference(&part.old, &part.new, Basis::Part { found }, deadline);
        }
    }
    difference(&old, &text, basis, deadline)
}

fn difference(old: &str, new: &str, basis: Basis, deadline: Instant) -> Comparison {
    if old == new && basis == Basis::File {
        return Comparison::Same;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old), lines(new));
    let ops = similar::capture_diff_slices_deadline(Algorithm::Myers, &old, &new, Some(deadline));
    let mut found = Difference { basis, hunks: Vec::new(), added: 0, removed: 0 };
    for op in &ops {
        let (removed, added) = match op {
            DiffOp::Equal { .. } => (0, 0),
            DiffOp::Delete { old_len, .. } => (*old_len, 0),
            DiffOp::Insert { new_len, .. } => (0, *new_len),
            DiffOp::Replace { old_len, new_len, .. } => (*old_len, *new_len),
        };
        found.removed += removed as u64;
        found.added += added as u64;
    }
    for group in similar::group_diff_ops(ops, AROUND) {
        found.hunks.extend(hunk(&group, &old, &new));
    }
    Comparison::Lines(found)
}

/// The lines of a text, each with its line break. Only that ends a line: whatever else some program takes for one is shown
/// for what it is.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn hunk(ops: &[DiffOp], old: &[&str], new: &[&str]) -> Option<Hunk> {
    let first = ops.first()?;
    let start = |range: Range<usize>| range.start as u64 + 1;
    let mut hunk = Hunk { old_start: start(first.old_range()), new_start: start(first.new_range()), lines: Vec::new() };
    let mut add = |side, lines: &[&str], range: Range<usize>| {
        let lines = lines.get(range).unwrap_or_default();
        hunk.lines.extend(lines.iter().map(|line| diff_line(side, line)));
    };
    for op in ops {
        match op {
            DiffOp::Equal { .. } => add(Side::Both, old, op.old_range()),
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                add(Side::Old, old, op.old_range());
                add(Side::New, new, op.new_range());
            }
        }
    }
    Some(hunk)
}

fn diff_line(side: Side, line: &str) -> DiffLine {
    match line.strip_suffix('\n') {
        Some(text) => DiffLine { side, text: text.to_owned(), end: LineEnd::Break },
        None => DiffLine { side, text: line.to_owned(), end: LineEnd::Text },
    }
}

#[cfg(test)]
mod tests;
