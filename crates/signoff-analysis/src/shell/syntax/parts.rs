//! Collecting the parts of a word.

use super::tree::{WordPart, WordParts};

/// The parts of a word so far. Text joins the part before it when both are of one kind.
#[derive(Debug, Default)]
pub(super) struct Parts {
    list: WordParts,
}

impl Parts {
    /// Appends unquoted text.
    pub(super) fn literal(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(WordPart::Literal(before)) = self.list.last_mut() {
            before.push_str(text);
        } else {
            self.push(WordPart::Literal(text.into()));
        }
    }

    /// Appends text that stands for itself. Empty text counts too: `''` is a word.
    pub(super) fn quoted(&mut self, text: &str) {
        if let Some(WordPart::SingleQuoted(before)) = self.list.last_mut() {
            before.push_str(text);
        } else {
            self.push(WordPart::SingleQuoted(text.into()));
        }
    }

    /// Appends any other part.
    pub(super) fn push(&mut self, part: WordPart) {
        // A word with two parts mostly has more.
        if self.list.len() == 1 {
            self.list.reserve(3);
        }
        self.list.push(part);
    }

    /// Appends many parts.
    pub(super) fn append(&mut self, parts: impl IntoIterator<Item = WordPart>) {
        for part in parts {
            match part {
                WordPart::Literal(text) => self.literal(&text),
                WordPart::SingleQuoted(text) => self.quoted(&text),
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
            [WordPart::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The parts.
    pub(super) fn finish(self) -> WordParts {
        self.list
    }
}
