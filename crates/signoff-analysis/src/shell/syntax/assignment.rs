//! Assignments and arrays.

use signoff_model::Dialect;

use super::cursor::{Class, begins_name};
use super::parser::Parser;
use super::parts::Parts;
use super::tree::{ArrayElement, AssignedValue, Assignment, SyntaxErrorKind, Word};
use super::word::Place;

/// What stands before the arguments of a simple command.
#[derive(Debug)]
pub(super) enum FirstWord<'t> {
    /// An assignment.
    Assignment(Assignment<'t>),
    /// The name of the program.
    Word(Word<'t>),
}

impl<'t> Parser<'t> {
    /// An assignment, or the first word of a command.
    pub(super) fn first_word(&mut self) -> FirstWord<'t> {
        let start = self.pos;
        // No byte of this class belongs to an assignment, except to its name.
        if let Some(word) = self.plain_word(Class::Plain) {
            return FirstWord::Word(word);
        }
        if !self.peek().is_some_and(begins_name) {
            return FirstWord::Word(self.word(Place::Command));
        }
        let name = self.take_name();
        let mut index = None;
        if self.peek() == Some(b'[') {
            index = Some(self.nested(|parser| parser.subscript()));
        }
        let append = self.at(b"+=");
        if append || self.peek() == Some(b'=') {
            self.bump_by(1 + usize::from(append));
            let value = if self.peek() == Some(b'(') {
                AssignedValue::Array(self.array())
            } else {
                AssignedValue::Scalar(self.word(Place::Argument))
            };
            let span = self.span_from(start);
            return FirstWord::Assignment(Assignment { name, index, append, value, span });
        }
        let Some(index) = index else {
            // The name is only the beginning of a word, which is one stretch of the text.
            self.go_to(start);
            return FirstWord::Word(self.word(Place::Command));
        };
        let mut parts = Parts::new(self.arena);
        parts.literal(name);
        parts.literal("[");
        parts.append(index.parts);
        parts.literal("]");
        FirstWord::Word(self.rest_of_word(Place::Command, start, &mut parts))
    }

    /// `[…]` with the position at the bracket. Brackets nest in it, and blanks do not end it.
    pub(super) fn subscript(&mut self) -> Word<'t> {
        let opening = self.pos;
        self.bump();
        let start = self.pos;
        let word = self.subscript_inside(start, b'\n');
        if !self.eat(b"]") {
            self.error(SyntaxErrorKind::UnclosedBracket, opening, self.pos);
        }
        word
    }

    /// What stands in `[…]`, up to its end or to `barrier`.
    pub(super) fn subscript_inside(&mut self, start: usize, barrier: u8) -> Word<'t> {
        let mut parts = Parts::new(self.arena);
        let mut open = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b']' if open == 0 => break,
                b'[' => open += 1,
                b']' => open -= 1,
                _ if byte == barrier => break,
                b'\'' => {
                    // An index is arithmetic, or the key of a table, and is expanded in spite of single quotes in it.
                    self.single_quotes_in_quotes(&mut parts);
                    continue;
                }
                _ => {}
            }
            self.unquoted_piece(byte, &mut parts);
        }
        Word { parts: parts.finish(), span: self.span_from(start) }
    }

    /// `(…)` after `name=`.
    pub(super) fn array(&mut self) -> &'t [ArrayElement<'t>] {
        self.nested(|parser| parser.array_elements())
    }

    fn array_elements(&mut self) -> &'t [ArrayElement<'t>] {
        let start = self.pos;
        if self.dialect == Dialect::Sh {
            self.unexpected();
        }
        self.bump();
        let mut elements = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'\n') => {
                    if !self.pending.is_empty() {
                        // Shells disagree about where the body of a heredoc begins then.
                        self.error(SyntaxErrorKind::UnclosedHereDocument, start, self.pos);
                    }
                    self.newline();
                    continue;
                }
                Some(b')') => {
                    self.bump();
                    break;
                }
                None => {
                    self.error(SyntaxErrorKind::UnclosedBracket, start, self.pos);
                    break;
                }
                Some(_) => {}
            }
            let before = self.pos;
            let element = self.array_element();
            if self.pos == before || self.progress.stopped {
                self.unexpected();
                break;
            }
            elements.push(element);
        }
        self.arena.list(&elements)
    }

    fn array_element(&mut self) -> ArrayElement<'t> {
        let start = self.pos;
        if self.peek() != Some(b'[') {
            return ArrayElement { index: None, value: self.word(Place::Argument) };
        }
        let index = self.subscript();
        let append = self.at(b"+=");
        if append || self.peek() == Some(b'=') {
            self.bump_by(1 + usize::from(append));
            return ArrayElement { index: Some(index), value: self.word(Place::Argument) };
        }
        // A pattern such as `[ab]*`.
        let mut parts = Parts::new(self.arena);
        parts.literal("[");
        parts.append(index.parts);
        parts.literal("]");
        ArrayElement { index: None, value: self.rest_of_word(Place::Argument, start, &mut parts) }
    }
}
