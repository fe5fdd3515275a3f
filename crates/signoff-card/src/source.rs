//! The text of the operation as it is shown: in lines, with deceptive characters made visible and with the parts marked
//! that the reasons are about.

use std::iter::Peekable;

use compact_str::CompactString;
use signoff_analysis::disguise::{self, Disguised};
use signoff_model::Span;

use crate::{Detail, Language, texts::Texts, visible::revealed};

/// A text of more lines than this is shown in part.
const LINES_AT_MOST: usize = 40;
/// How many lines are shown of its beginning and of its end.
const FIRST_LINES: usize = 10;
const LAST_LINES: usize = 5;
/// Of so many lines with a mark, with so many lines around each.
const MARKED_LINES: usize = 12;
const AROUND: usize = 2;
/// A line of more characters than this is shown in part.
const CHARACTERS_AT_MOST: usize = 2000;
/// How many characters are shown of its beginning and of its end, and around the beginning of a mark.
const ENDS: usize = 400;
const AROUND_MARK: usize = 200;
/// Around how many marks of a line.
const MARKS_AT_MOST: usize = 5;
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
    pub pieces: Box<[Piece]>,
    /// Whether a reason is about it as a part of many lines.
    pub in_long_mark: bool,
}

/// A stretch of characters that look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What is shown. A line of a mebibyte may have as many pieces as letters, nearly all of them short.
    pub text: CompactString,
    /// Whether this stands for something that would not be seen by itself, and must not be broken.
    pub revealed: bool,
    /// Whether a reason is about it.
    pub marked: bool,
}

/// Where a line stands in the text, and what the reasons say about it.
struct Outline {
    span: Span,
    marked: bool,
    in_long_mark: bool,
}

/// The marks of a text, in order and without overlaps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Marks {
    /// Over few lines: underlined.
    short: Vec<Span>,
    /// Over many lines: in the margin.
    long: Vec<Span>,
}

/// The first of the marks that end behind this place.
fn from(marks: &[Span], at: usize) -> &[Span] {
    marks.get(marks.partition_point(|mark| mark.end <= at)..).unwrap_or_default()
}

/// The text of an operation with its marks. Its lines are drawn when they are asked for, one by one: a text may have very
/// many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    text: String,
    marks: Marks,
    /// Which lines are shown; none if all are.
    kept: Option<Vec<bool>>,
    detail: Detail,
    language: Language,
}

impl Source {
    pub(crate) fn new(text: &str, marks: &[Span], detail: Detail, language: Language) -> Self {
        let is_long = |mark: &Span| mark.of(text).is_some_and(|part| part.matches('\n').count() >= UNDERLINED_LINES);
        let (long, short): (Vec<Span>, Vec<Span>) = marks.iter().partition(|mark| is_long(mark));
        let marks = Marks { short: merged(short), long: merged(long) };
        let mut source = Self { text: text.to_owned(), marks, kept: None, detail, language };
        if detail == Detail::Brief && source.line_count() > LINES_AT_MOST {
            let outlines: Vec<Outline> = source.outlines().collect();
            source.kept = Some(kept_lines(&outlines));
        }
        source
    }

    /// How many lines the text has.
    pub fn line_count(&self) -> usize {
        self.whole().matches('\n').count() + 1
    }

    /// What is shown of the text, from the first line to the last.
    pub fn parts(&self) -> impl Iterator<Item = SourcePart> {
        let texts = Texts::of(self.language);
        // What counts as a disguise depends on the whole text.
        let mut hidden = disguise::find(&self.text).peekable();
        let mut omitted = 0;
        self.outlines()
            .enumerate()
            .flat_map(move |(index, outline)| {
                if self.kept.as_ref().is_some_and(|kept| !kept.get(index).copied().unwrap_or(true)) {
                    omitted += 1;
                    return [None, None];
                }
                let left_out = std::mem::take(&mut omitted);
                let gap = (left_out > 0)
                    .then(|| SourcePart::Omitted(texts.lines_omitted.replace("{}", &left_out.to_string())));
                let pieces = pieces(&self.text, outline.span, &self.marks.short, &mut hidden, self.detail, texts);
                let line = Line { number: index + 1, pieces, in_long_mark: outline.in_long_mark };
                [gap, Some(SourcePart::Line(line))]
            })
            .flatten()
    }

    /// The text without the line break at its end.
    fn whole(&self) -> &str {
        self.text.strip_suffix('\n').unwrap_or(&self.text)
    }

    fn outlines(&self) -> impl Iterator<Item = Outline> {
        let mut start = 0;
        self.whole().split('\n').map(move |line| {
            let span = Span::new(start, start + line.len());
            let meets = |marks: &[Span], end: usize| from(marks, start).first().is_some_and(|mark| mark.start < end);
            let marked = meets(&self.marks.short, span.end);
            // An empty line in the middle of a long mark belongs to it.
            let in_long_mark = meets(&self.marks.long, span.end.max(span.start + 1));
            start = span.end + 1;
            Outline { span, marked, in_long_mark }
        })
    }
}

fn pieces(
    text: &str,
    span: Span,
    marks: &[Span],
    hidden: &mut Peekable<impl Iterator<Item = Disguised>>,
    detail: Detail,
    texts: &Texts,
) -> Box<[Piece]> {
    let line = span.of(text).unwrap_or_default();
    let marks = from(marks, span.start);
    let shown = match detail {
        Detail::Brief => shown_parts(line, span, marks),
        Detail::Full => vec![span],
    };
    let mut marks = marks.iter().peekable();
    let mut shown = shown.iter().peekable();
    let mut pieces = Pieces::default();
    let mut left_out = 0;
    for (offset, character) in line.char_indices() {
        let at = span.start + offset;
        while marks.next_if(|mark| mark.end <= at).is_some() {}
        while hidden.next_if(|disguised| disguised.span.end <= at).is_some() {}
        while shown.next_if(|part| part.end <= at).is_some() {}
        if shown.peek().is_none_or(|part| at < part.start) {
            left_out += 1;
            continue;
        }
        pieces.leave_out(std::mem::take(&mut left_out), texts);
        let marked = marks.peek().is_some_and(|mark| mark.start <= at);
        match hidden.next_if(|disguised| disguised.span.start == at) {
            Some(disguised) => pieces.reveal(disguised.character, marked),
            None => pieces.add(character, marked),
        }
    }
    pieces.leave_out(left_out, texts);
    pieces.finish()
}

/// The parts of a line that are shown: all of it, or its ends and what stands around its first marks.
fn shown_parts(line: &str, span: Span, marks: &[Span]) -> Vec<Span> {
    if line.len() <= CHARACTERS_AT_MOST || line.chars().count() <= CHARACTERS_AT_MOST {
        return vec![span];
    }
    let of_line = marks.iter().take_while(|mark| mark.start < span.end).filter(|mark| span.start <= mark.start);
    let around = of_line.take(MARKS_AT_MOST).map(|mark| {
        Span::new(mark.start.saturating_sub(AROUND_MARK).max(span.start), (mark.start + AROUND_MARK).min(span.end))
    });
    let ends = [Span::new(span.start, span.start + ENDS), Span::new(span.end - ENDS, span.end)];
    merged(ends.into_iter().chain(around).collect())
}

/// The pieces of a line, as they come.
#[derive(Default)]
struct Pieces {
    done: Vec<Piece>,
    /// The hidden character that was met last, how often in a row, and whether it is marked.
    run: Option<(char, usize, bool)>,
}

impl Pieces {
    fn add(&mut self, character: char, marked: bool) {
        self.end_run();
        let character = if character == '\t' { '⇥' } else { character };
        match self.done.last_mut() {
            Some(last) if !last.revealed && last.marked == marked => last.text.push(character),
            _ => self.done.push(Piece { text: CompactString::from_iter([character]), revealed: false, marked }),
        }
    }

    fn reveal(&mut self, character: char, marked: bool) {
        match &mut self.run {
            Some((last, count, last_marked)) if *last == character && *last_marked == marked => *count += 1,
            _ => {
                self.end_run();
                self.run = Some((character, 1, marked));
            }
        }
    }

    /// Says how many characters are not shown at this place.
    fn leave_out(&mut self, count: usize, texts: &Texts) {
        if count > 0 {
            self.end_run();
            let text = texts.characters_omitted.replace("{}", &count.to_string());
            self.done.push(Piece { text: text.into(), revealed: true, marked: false });
        }
    }

    fn end_run(&mut self) {
        if let Some((character, count, marked)) = self.run.take() {
            self.done.push(Piece { text: revealed(character, count).into(), revealed: true, marked });
        }
    }

    fn finish(mut self) -> Box<[Piece]> {
        self.end_run();
        self.done.into_boxed_slice()
    }
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

/// Which lines are kept: the beginning, the end and what stands around the marks.
fn kept_lines(outlines: &[Outline]) -> Vec<bool> {
    let count = outlines.len();
    let mut keep = vec![false; count];
    let mut marked = 0;
    let mut was_in_long_mark = false;
    for (index, line) in outlines.iter().enumerate() {
        let at_an_end = index < FIRST_LINES || index + LAST_LINES >= count;
        // A long mark would keep everything; its first line stands for it.
        let begins = line.in_long_mark && !was_in_long_mark;
        was_in_long_mark = line.in_long_mark;
        let is_marked = line.marked && !line.in_long_mark || begins;
        marked += usize::from(is_marked);
        let is_among_the_first = is_marked && marked <= MARKED_LINES;
        if at_an_end || is_among_the_first {
            let around = if is_among_the_first { AROUND } else { 0 };
            let from = index.saturating_sub(around);
            keep.iter_mut().take(index + around + 1).skip(from).for_each(|kept| *kept = true);
        }
    }
    keep
}
