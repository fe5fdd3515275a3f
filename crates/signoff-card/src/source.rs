//! The text of the operation as it is shown: in lines, with deceptive characters made visible and with the parts marked
//! that the reasons are about.

use signoff_analysis::disguise;
use signoff_model::Span;

use crate::{Detail, texts::Texts, visible::revealed};

/// A text of more lines than this is shown in part.
const LINES_AT_MOST: usize = 40;
/// How many lines are shown of its beginning and of its end.
const FIRST_LINES: usize = 10;
const LAST_LINES: usize = 5;
/// How many lines are shown around one with a mark.
const AROUND: usize = 2;
/// A stretch without a change of look that is longer than this many characters is shown in part.
const STRETCH_AT_MOST: usize = 1200;
/// How many characters are shown of its beginning and of its end.
const STRETCH_ENDS: usize = 400;
/// A mark over more lines than this stands in the margin, since underlining everything underlines nothing.
const UNDERLINED_LINES: usize = 3;

/// A part of the text of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourcePart {
    /// A line of it.
    Line(Line),
    /// Lines that are not shown, with the words that say so.
    Omitted(String),
}

/// One line of the text of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, from one.
    pub number: usize,
    /// What stands on it.
    pub pieces: Vec<Piece>,
    /// Whether a reason is about it as a part of many lines.
    pub in_long_mark: bool,
}

/// A stretch of characters that look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What is shown.
    pub text: String,
    /// Whether this stands for something that would not be seen by itself, and must not be broken.
    pub revealed: bool,
    /// Whether a reason is about it.
    pub marked: bool,
}

impl Line {
    fn is_marked(&self) -> bool {
        self.in_long_mark || self.pieces.iter().any(|piece| piece.marked)
    }
}

pub(crate) fn draw(text: &str, marks: &[Span], detail: Detail, texts: &Texts) -> Vec<SourcePart> {
    let lines = lines(text, marks, detail, texts);
    match detail {
        Detail::Brief if lines.len() > LINES_AT_MOST => with_omissions(lines, texts),
        Detail::Brief | Detail::Full => lines.into_iter().map(SourcePart::Line).collect(),
    }
}

fn lines(text: &str, marks: &[Span], detail: Detail, texts: &Texts) -> Vec<Line> {
    let (long, short): (Vec<Span>, Vec<Span>) =
        marks.iter().partition(|mark| mark.of(text).is_some_and(|part| part.matches('\n').count() >= UNDERLINED_LINES));
    let short = merged(short);
    let mut marks = short.iter().peekable();
    let disguised = disguise::find(text);
    let mut hidden = disguised.iter().peekable();
    let mut lines = Vec::new();
    let mut start = 0;
    for (index, line) in text.strip_suffix('\n').unwrap_or(text).split('\n').enumerate() {
        let span = Span::new(start, start + line.len());
        let mut pieces = Vec::new();
        for (offset, character) in line.char_indices() {
            let at = start + offset;
            while marks.next_if(|mark| mark.end <= at).is_some() {}
            let marked = marks.peek().is_some_and(|mark| mark.start <= at);
            let is_hidden = hidden.next_if(|disguised| disguised.span.start == at).is_some();
            add(&mut pieces, character, is_hidden, marked);
        }
        if detail == Detail::Brief {
            shorten(&mut pieces, texts);
        }
        let in_long_mark = long.iter().any(|mark| mark.start < span.end.max(span.start + 1) && span.start < mark.end);
        lines.push(Line { number: index + 1, pieces, in_long_mark });
        start = span.end + 1;
    }
    lines
}

/// The marks in order and without overlaps, so that one walk over the text meets each once.
fn merged(mut marks: Vec<Span>) -> Vec<Span> {
    marks.sort_unstable();
    let mut merged: Vec<Span> = Vec::with_capacity(marks.len());
    for mark in marks {
        match merged.last_mut() {
            Some(last) if mark.start <= last.end => *last = last.to(mark),
            _ => merged.push(mark),
        }
    }
    merged
}

fn add(pieces: &mut Vec<Piece>, character: char, is_hidden: bool, marked: bool) {
    if is_hidden {
        pieces.push(Piece { text: revealed(character), revealed: true, marked });
        return;
    }
    let character = if character == '\t' { '⇥' } else { character };
    match pieces.last_mut() {
        Some(last) if !last.revealed && last.marked == marked => last.text.push(character),
        _ => pieces.push(Piece { text: character.to_string(), revealed: false, marked }),
    }
}

/// Takes the middle out of long stretches and says how much that was.
fn shorten(pieces: &mut Vec<Piece>, texts: &Texts) {
    if pieces.iter().all(|piece| piece.text.len() <= STRETCH_AT_MOST) {
        return;
    }
    let whole = std::mem::take(pieces);
    for piece in whole {
        let count = piece.text.chars().count();
        if count <= STRETCH_AT_MOST {
            pieces.push(piece);
            continue;
        }
        let note = texts.characters_omitted.replace("{}", &(count - 2 * STRETCH_ENDS).to_string());
        let end = piece.text.chars().skip(count - STRETCH_ENDS).collect();
        let beginning = piece.text.chars().take(STRETCH_ENDS).collect();
        pieces.push(Piece { text: beginning, ..piece });
        pieces.push(Piece { text: note, revealed: true, marked: piece.marked });
        pieces.push(Piece { text: end, ..piece });
    }
}

/// Keeps the beginning, the end and what stands around the marks.
fn with_omissions(lines: Vec<Line>, texts: &Texts) -> Vec<SourcePart> {
    let count = lines.len();
    let mut keep = vec![false; count];
    for (index, line) in lines.iter().enumerate() {
        let at_an_end = index < FIRST_LINES || index + LAST_LINES >= count;
        // A long mark would keep everything; its first line stands for it.
        let is_marked = line.is_marked() && (!line.in_long_mark || index == 0 || !was_in_long_mark(&lines, index));
        if at_an_end || is_marked {
            let around = if is_marked { AROUND } else { 0 };
            let from = index.saturating_sub(around);
            keep.iter_mut().take(index + around + 1).skip(from).for_each(|kept| *kept = true);
        }
    }
    let mut parts = Vec::new();
    let mut omitted = 0;
    for (line, kept) in lines.into_iter().zip(keep) {
        if !kept {
            omitted += 1;
            continue;
        }
        if omitted > 0 {
            parts.push(SourcePart::Omitted(texts.lines_omitted.replace("{}", &omitted.to_string())));
            omitted = 0;
        }
        parts.push(SourcePart::Line(line));
    }
    parts
}

fn was_in_long_mark(lines: &[Line], index: usize) -> bool {
    index.checked_sub(1).and_then(|previous| lines.get(previous)).is_some_and(|line| line.in_long_mark)
}
