//! Loops.

use signoff_model::Dialect;

use super::cursor::begins_name;
use super::keyword::Keyword;
use super::parser::Parser;
use super::tree::{Compound, Item, SyntaxErrorKind, Word, WordPart};
use super::word::Place;

impl<'t> Parser<'t> {
    pub(super) fn while_loop(&mut self, until: bool, start: usize) -> Compound<'t> {
        let condition = self.condition_list();
        let body = self.loop_body(start);
        Compound::While { until, condition, body }
    }

    pub(super) fn for_loop(&mut self, keyword: Keyword, start: usize) -> Compound<'t> {
        self.skip_blanks();
        if keyword == Keyword::For && self.at(b"((") {
            return self.arithmetic_for(start);
        }
        let mut names = Vec::new();
        loop {
            let name = self.loop_name();
            let found = !name.is_empty();
            names.extend(found.then_some(name));
            self.skip_blanks();
            let more = self.dialect == Dialect::Zsh && found && self.keyword() != Some(Keyword::In);
            if !more || !self.peek().is_some_and(begins_name) || self.keyword() == Some(Keyword::Do) {
                break;
            }
        }
        if names.is_empty() {
            self.unexpected();
        }
        let mut words = None;
        if self.dialect == Dialect::Zsh && self.peek() == Some(b'(') {
            words = Some(self.parenthesised_words());
        } else {
            self.skip_lines();
            if self.eat_keyword(Keyword::In) {
                words = Some(self.loop_words());
            }
            self.skip_blanks();
            if self.peek() == Some(b';') && !self.at_closer() {
                self.bump();
            }
        }
        let body = if keyword == Keyword::Foreach { self.foreach_body(start) } else { self.loop_body(start) };
        let names = self.arena.list(&names);
        Compound::For { select: keyword == Keyword::Select, names, words, body }
    }

    /// The variable of a loop. Bash refuses anything but a name when it runs; then what was written stands as it is.
    fn loop_name(&mut self) -> &'t str {
        let start = self.pos;
        let name = self.take_name();
        if self.peek().is_some_and(|byte| !super::cursor::ends_word(byte)) {
            self.word(Place::Argument);
            self.error(SyntaxErrorKind::Unexpected, start, self.pos);
        }
        name
    }

    fn loop_words(&mut self) -> &'t [Word<'t>] {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            let word = self.word(Place::Argument);
            if word.parts.is_empty() {
                break;
            }
            words.push(word);
        }
        if !matches!(self.peek(), None | Some(b';' | b'\n')) {
            self.unexpected();
        }
        self.arena.list(&words)
    }

    /// In zsh, `(a b)` after the name.
    fn parenthesised_words(&mut self) -> &'t [Word<'t>] {
        let start = self.pos;
        self.bump();
        let mut words = Vec::new();
        loop {
            self.skip_lines();
            let word = self.word(Place::Argument);
            if word.parts.is_empty() {
                break;
            }
            words.push(word);
        }
        if words.is_empty() {
            // Empty brackets begin a function without a name, which is the body.
            self.unexpected();
        }
        if !self.eat(b")") {
            self.unclosed(SyntaxErrorKind::UnclosedBracket, start);
        }
        self.arena.list(&words)
    }

    fn arithmetic_for(&mut self, start: usize) -> Compound<'t> {
        let opening = self.pos;
        let header = match self.try_arithmetic() {
            Some(header) => header,
            None => {
                self.error(SyntaxErrorKind::Unexpected, opening, opening + 2);
                // The brackets are skipped so that the rest is read as commands, not lost.
                self.bump_by(2);
                &[]
            }
        };
        let semicolons: usize = header
            .iter()
            .map(|part| match part {
                WordPart::Literal(text) => text.matches(';').count(),
                _ => 0,
            })
            .sum();
        if semicolons != 2 || self.dialect == Dialect::Sh {
            self.error(SyntaxErrorKind::Unexpected, opening, self.pos);
        }
        self.skip_blanks();
        if self.peek() == Some(b';') && !self.at_closer() {
            self.bump();
        }
        let body = self.loop_body(start);
        Compound::ArithmeticFor { header, body }
    }

    /// In zsh, `repeat n do … done`.
    pub(super) fn repeat_loop(&mut self, start: usize) -> Compound<'t> {
        self.skip_blanks();
        let count = self.word(Place::Argument);
        self.skip_blanks();
        if self.peek() == Some(b';') && !self.at_closer() {
            self.bump();
        }
        let body = self.loop_body(start);
        Compound::For { select: false, names: &[], words: Some(self.arena.list(&[count])), body }
    }

    /// `do … done`, or `{ … }`, or in zsh one command.
    fn loop_body(&mut self, start: usize) -> &'t [Item<'t>] {
        self.skip_lines();
        if self.eat_keyword(Keyword::Do) {
            let items = self.inner_list();
            self.expect(Keyword::Done, start);
            return items;
        }
        if self.dialect == Dialect::Zsh {
            return self.zsh_body(start);
        }
        if self.eat_keyword(Keyword::OpenBrace) {
            let items = self.inner_list();
            self.expect(Keyword::CloseBrace, start);
            return items;
        }
        self.unclosed(SyntaxErrorKind::UnclosedCompound, start);
        &[]
    }

    /// In zsh, what stands between the header of `foreach` and `end`.
    fn foreach_body(&mut self, start: usize) -> &'t [Item<'t>] {
        let items = self.inner_list();
        self.expect(Keyword::End, start);
        items
    }
}
