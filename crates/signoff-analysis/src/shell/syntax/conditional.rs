//! `[[ … ]]`, which has a grammar of its own.

use signoff_model::Dialect;

use super::cursor::ends_word;
use super::parser::Parser;
use super::parts::Parts;
use super::tree::{Compound, SyntaxErrorKind, Word, WordPart};
use super::word::Place;

const BINARY: [&str; 13] = ["=", "==", "!=", "=~", "-nt", "-ot", "-ef", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl<'t> Parser<'t> {
    /// The inside of `[[ … ]]`, with the position after `[[`.
    pub(super) fn conditional(&mut self, start: usize) -> Compound<'t> {
        let mut words = Vec::new();
        self.nested(|parser| parser.expression(&mut words));
        self.skip_lines();
        if self.at_conditional_end() {
            self.bump_by(2);
        } else {
            self.unclosed(SyntaxErrorKind::UnclosedBracket, start);
        }
        if self.dialect == Dialect::Sh && words.iter().any(|word| has_text(word, &["&&", "||", "<", ">", "(", ")"])) {
            // A plain sh has no `[[`, and takes these for operators: what follows them would run.
            self.error(SyntaxErrorKind::Unexpected, start, self.pos);
        }
        Compound::Test(self.arena.list(&words))
    }

    fn at_conditional_end(&self) -> bool {
        self.at(b"]]") && self.peek_after(2).is_none_or(ends_word)
    }

    /// Terms joined by `&&` and `||`.
    fn expression(&mut self, words: &mut Vec<Word<'t>>) {
        loop {
            if !self.term(words) {
                return;
            }
            self.skip_lines();
            if self.at(b"&&") || self.at(b"||") {
                self.operator(2, words);
            } else {
                return;
            }
        }
    }

    /// One term. Says no when it could not be read.
    fn term(&mut self, words: &mut Vec<Word<'t>>) -> bool {
        self.skip_lines();
        while self.peek() == Some(b'!') && self.peek_after(1).is_none_or(ends_word) {
            self.operator(1, words);
            self.skip_lines();
        }
        if self.peek() == Some(b'(') {
            let start = self.pos;
            self.operator(1, words);
            self.nested(|parser| parser.expression(words));
            self.skip_lines();
            if self.peek() != Some(b')') {
                self.unclosed(SyntaxErrorKind::UnclosedBracket, start);
                return false;
            }
            self.operator(1, words);
            return true;
        }
        let Some(left) = self.operand_of_test(Place::Argument) else { return false };
        let unary = is_unary(&left);
        words.push(left);
        if unary {
            self.skip_blanks();
            return self.push_operand(Place::Argument, words);
        }
        self.skip_blanks();
        match self.peek() {
            Some(b'<' | b'>') if self.peek_after(1) != Some(b'(') => {
                self.operator(1, words);
                self.skip_blanks();
                self.push_operand(Place::Argument, words)
            }
            None | Some(b'&' | b'|' | b')' | b';') => true,
            Some(b'\n') => {
                self.unexpected();
                true
            }
            _ if self.at_conditional_end() => true,
            _ => self.binary(words),
        }
    }

    fn binary(&mut self, words: &mut Vec<Word<'t>>) -> bool {
        let start = self.pos;
        let Some(operator) = self.operand_of_test(Place::Argument) else { return false };
        if !has_text(&operator, &BINARY) {
            words.push(operator);
            self.error(SyntaxErrorKind::Unexpected, start, self.pos);
            return true;
        }
        let place = if has_text(&operator, &["=~"]) { Place::Regex } else { Place::Argument };
        words.push(operator);
        self.skip_blanks();
        self.push_operand(place, words)
    }

    fn push_operand(&mut self, place: Place, words: &mut Vec<Word<'t>>) -> bool {
        match self.operand_of_test(place) {
            Some(word) => {
                words.push(word);
                true
            }
            None => false,
        }
    }

    /// A word, or an error if none stands here.
    fn operand_of_test(&mut self, place: Place) -> Option<Word<'t>> {
        if !self.at_conditional_end() {
            let word = self.word(place);
            if !word.parts.is_empty() {
                return Some(word);
            }
        }
        self.unexpected();
        None
    }

    /// Takes an operator as a word.
    fn operator(&mut self, length: usize, words: &mut Vec<Word<'t>>) {
        let start = self.pos;
        let mut parts = Parts::new(self.arena);
        for _ in 0..length {
            parts.literal(self.slice(self.pos, self.pos + 1));
            self.bump();
        }
        words.push(Word { parts: parts.finish(), span: self.span_from(start) });
    }
}

fn has_text(word: &Word<'_>, texts: &[&str]) -> bool {
    matches!(word.parts, [WordPart::Literal(text)] if texts.contains(text))
}

/// Whether a word is an operator such as `-f`, that takes one operand.
fn is_unary(word: &Word<'_>) -> bool {
    match word.parts {
        [WordPart::Literal(text)] => match text.as_bytes() {
            [b'-', letter] => b"abcdefghknoprstuvwxzGLNORS".contains(letter),
            _ => false,
        },
        _ => false,
    }
}
