//! The state of one parse: the text, the position, the limits and the errors.

use std::{cell::Cell, collections::HashSet};

use signoff_model::{Dialect, Span};

use super::Limits;
use super::arena::Arena;
use super::heredoc::Pending;
use super::keyword::Keyword;
use super::origin::Origin;
use super::tree::{Command, Item, Script, SyntaxError, SyntaxErrorKind, Word};

/// What all texts of one parse share: the errors, and what is left of the limits.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// The errors so far, with spans in the outermost text.
    pub(super) errors: Vec<SyntaxError>,
    /// The work that is left.
    pub(super) fuel: usize,
    /// The nesting that is left.
    pub(super) depth: usize,
    /// Whether a limit was met. Then every text counts as ended.
    pub(super) stopped: bool,
}

/// A parser of one text.
#[derive(Debug)]
pub(super) struct Parser<'t> {
    /// Where the tree is kept.
    pub(super) arena: &'t Arena,
    pub(super) text: &'t str,
    /// The bytes up to where the text counts as ended. A heredoc body is read by moving that.
    bytes: &'t [u8],
    pub(super) origin: Origin,
    /// The next byte. Never at a line continuation, except while something is read raw.
    pub(super) pos: usize,
    pub(super) dialect: Dialect,
    pub(super) progress: Progress,
    /// The heredocs of the script that is being read whose bodies have not come yet.
    pub(super) pending: Vec<Pending<'t>>,
    /// Whether the script being read is the inside of `$(…)`, where `)` may follow the delimiter of a heredoc.
    pub(super) in_substitution: bool,
    /// The places of `((` that turned out not to begin arithmetic. Without this memory nested ones would be tried
    /// again and again.
    pub(super) not_arithmetic: HashSet<usize>,
    /// The end of a line, and the place after the heredoc bodies that were already taken from behind it.
    pub(super) taken_lines: Option<(usize, usize)>,
    /// The reserved word that was found last, with the place and the end of the text for which it was looked for.
    pub(super) last_keyword: Cell<(usize, usize, Option<Keyword>)>,
    /// The comments so far.
    pub(super) comments: Vec<Span>,
    /// What lists are being read of: those of an outer one lie below those of one inside it, and each takes as much room in
    /// the tree as it needs when it ends.
    pub(super) piles: Piles<'t>,
}

/// The parts of lists that are being read.
#[derive(Debug, Default)]
pub(super) struct Piles<'t> {
    pub(super) items: Vec<Item<'t>>,
    pub(super) commands: Vec<Command<'t>>,
    pub(super) words: Vec<Word<'t>>,
}

impl<'t> Parser<'t> {
    /// A parser of an outermost text.
    pub(super) fn new(text: &'t str, dialect: Dialect, limits: Limits, arena: &'t Arena) -> Self {
        let progress = Progress { errors: Vec::new(), fuel: limits.fuel, depth: limits.depth, stopped: false };
        let mut parser = Self::over(text, Origin::default(), dialect, progress, arena);
        if text.len() > limits.bytes {
            let end = text.floor_char_boundary(limits.bytes);
            parser.end_at(end);
            let span = Span::new(end, text.len());
            parser.progress.errors.push(SyntaxError { kind: SyntaxErrorKind::TooLong, span });
        }
        parser
    }

    /// A parser of any text, that goes on with the progress of another one.
    pub(super) fn over(text: &'t str, origin: Origin, dialect: Dialect, progress: Progress, arena: &'t Arena) -> Self {
        let end = if progress.stopped { 0 } else { text.len() };
        let mut parser = Self {
            arena,
            text,
            bytes: text.as_bytes().get(..end).unwrap_or_default(),
            origin,
            pos: 0,
            dialect,
            progress,
            pending: Vec::new(),
            in_substitution: false,
            not_arithmetic: HashSet::new(),
            taken_lines: None,
            last_keyword: Cell::new((usize::MAX, usize::MAX, None)),
            comments: Vec::new(),
            piles: Piles::default(),
        };
        parser.settle();
        parser
    }

    /// The bytes up to where the text counts as ended.
    pub(super) fn bytes(&self) -> &'t [u8] {
        self.bytes
    }

    /// Where the text counts as ended.
    pub(super) fn end(&self) -> usize {
        self.bytes.len()
    }

    /// The text counts as ended here.
    fn end_at(&mut self, end: usize) {
        self.bytes = self.text.as_bytes().get(..end).unwrap_or_default();
    }

    /// Reads the whole text as an outermost script.
    pub(super) fn script(mut self) -> Script<'t> {
        let items = self.script_items();
        Script { items, errors: self.arena.list(&self.progress.errors), comments: self.arena.list(&self.comments) }
    }

    /// Notes an error over a stretch of this text.
    pub(super) fn error(&mut self, kind: SyntaxErrorKind, start: usize, end: usize) {
        if self.spend(1) {
            // A byte in the middle of a character stands for the whole character.
            let start = (0..=start.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
            let end = (end.min(self.text.len())..=self.text.len()).find(|at| self.text.is_char_boundary(*at));
            let span = self.span_of(start, end.unwrap_or(start));
            self.progress.errors.push(SyntaxError { kind, span });
        }
    }

    /// Notes that what stands here cannot stand here.
    pub(super) fn unexpected(&mut self) {
        self.error(SyntaxErrorKind::Unexpected, self.pos, self.pos.saturating_add(1));
    }

    /// Takes work from the limit. Says no, and stops the parse, when there is none left.
    pub(super) fn spend(&mut self, work: usize) -> bool {
        if self.progress.stopped {
            return false;
        }
        match self.progress.fuel.checked_sub(work) {
            Some(left) => {
                self.progress.fuel = left;
                true
            }
            None => {
                self.stop(SyntaxErrorKind::OutOfFuel);
                false
            }
        }
    }

    /// Takes the work of reading `bytes` bytes once more than the descent itself does.
    pub(super) fn spend_on_bytes(&mut self, bytes: usize) -> bool {
        self.spend(bytes / 64)
    }

    /// Ends the parse at a limit.
    pub(super) fn stop(&mut self, kind: SyntaxErrorKind) {
        if !self.progress.stopped {
            self.progress.stopped = true;
            let span = self.span_of(self.pos, self.end());
            self.progress.errors.push(SyntaxError { kind, span });
        }
        self.end_at(0);
    }

    /// Goes one level deeper for `inside`, or stops the parse when that is too deep.
    pub(super) fn nested<T: Default>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        match self.progress.depth.checked_sub(1) {
            Some(left) => {
                self.progress.depth = left;
                let value = inside(self);
                self.progress.depth = left + 1;
                value
            }
            None => {
                self.stop(SyntaxErrorKind::TooDeep);
                T::default()
            }
        }
    }

    /// Reads `inside` as if the text ended at `end`. The position afterwards is where `inside` left it.
    pub(super) fn up_to<T>(&mut self, end: usize, inside: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.end();
        self.end_at(if self.progress.stopped { 0 } else { end.min(before) });
        let value = inside(self);
        self.end_at(if self.progress.stopped { 0 } else { before });
        value
    }

    /// Reads `text`, which was made out of this one, with a parser of its own.
    pub(super) fn within<T>(&mut self, text: &str, origin: Origin, inside: impl FnOnce(&mut Self) -> T) -> T {
        let progress = std::mem::take(&mut self.progress);
        let mut parser = Parser::over(self.arena.text(text), origin, self.dialect, progress, self.arena);
        let value = inside(&mut parser);
        self.progress = parser.progress;
        if self.progress.stopped {
            self.end_at(0);
        }
        value
    }

    /// The span, in the outermost text, from `start` to here.
    pub(super) fn span_from(&self, start: usize) -> Span {
        self.span_of(start, self.pos)
    }

    /// The span, in the outermost text, of a stretch of this text.
    pub(super) fn span_of(&self, start: usize, end: usize) -> Span {
        let end = end.min(self.text.len());
        let start = start.min(end);
        let first = self.origin.outer(start);
        if start == end { Span::new(first, first) } else { Span::new(first, self.origin.outer(end - 1) + 1) }
    }
}
