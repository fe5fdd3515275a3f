//! Collecting the parts of a word.

use smallvec::SmallVec;

use super::arena::Arena;
use super::tree::{WordPart, WordParts};

/// The parts of a word so far. Text joins the part before it when both are of one kind.
#[derive(Debug)]
pub(super) struct Parts<'t> {
    arena: &'t Arena,
    list: SmallVec<[WordPart<'t>; 4]>,
    /// The text of the last part, once it was put together from several pieces.
    joined: String,
}

impl<'t> Parts<'t> {
    /// None yet.
    pub(super) fn new(arena: &'t Arena) -> Self {
        Self { arena, list: SmallVec::new(), joined: String::new() }
    }

    /// Appends unquoted text.
    pub(super) fn literal(&mut self, text: &'t str) {
        if text.is_empty() {
            return;
        }
        match self.list.last() {
            Some(WordPart::Literal(before)) => join(&mut self.joined, before, text),
            _ => self.push(WordPart::Literal(text)),
        }
    }

    /// Appends text that stands for itself. Empty text counts too: `''` is a word.
    pub(super) fn quoted(&mut self, text: &'t str) {
        match self.list.last_mut() {
            // Nothing was there to be joined.
            Some(WordPart::SingleQuoted(before)) if before.is_empty() && self.joined.is_empty() => *before = text,
            Some(WordPart::SingleQuoted(before)) => join(&mut self.joined, before, text),
            _ => self.push(WordPart::SingleQuoted(text)),
        }
    }

    /// Appends any other part.
    pub(super) fn push(&mut self, part: WordPart<'t>) {
        self.settle();
        self.list.push(part);
    }

    /// Appends many parts.
    pub(super) fn append(&mut self, parts: &[WordPart<'t>]) {
        for part in parts {
            match *part {
                WordPart::Literal(text) => self.literal(text),
                WordPart::SingleQuoted(text) => self.quoted(text),
                other => self.push(other),
            }
        }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The text, if the word so far is unquoted text only.
    pub(super) fn only_literal(&self) -> Option<&str> {
        match self.list.as_slice() {
            [] => Some(""),
            [WordPart::Literal(_)] if !self.joined.is_empty() => Some(&self.joined),
            [WordPart::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The parts.
    pub(super) fn finish(&mut self) -> WordParts<'t> {
        self.settle();
        self.arena.list(&self.list)
    }

    /// Gives the last part the text that was put together for it.
    fn settle(&mut self) {
        if self.joined.is_empty() {
            return;
        }
        if let Some(WordPart::Literal(text) | WordPart::SingleQuoted(text)) = self.list.last_mut() {
            *text = self.arena.text(&self.joined);
        }
        self.joined.clear();
    }
}

/// Joins a text with what stands before it.
fn join(joined: &mut String, before: &str, text: &str) {
    if joined.is_empty() {
        joined.push_str(before);
    }
    joined.push_str(text);
}
