//! Words.

use signoff_model::Dialect;

use super::cursor::{Class, ends_word};
use super::parser::Parser;
use super::parts::Parts;
use super::quote::Quoting;
use super::tree::{ProcessKind, SyntaxErrorKind, Word, WordPart};

/// Where a word stands, which decides what may be in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// First in a command: `name()` begins a function there.
    Command,
    /// An argument, a target, a pattern.
    Argument,
    /// An argument of `declare` and its kin: `name=(…)` is an array there.
    Declaration,
    /// After `function`: parentheses belong to the function.
    FunctionName,
    /// After `=~`: parentheses and `|` belong to the expression.
    Regex,
}

impl<'t> Parser<'t> {
    /// A word, with no parts if none begins here.
    pub(super) fn word(&mut self, place: Place) -> Word<'t> {
        if let Some(word) = self.plain_word(Class::Word) {
            return word;
        }
        let start = self.pos;
        self.rest_of_word(place, start, &mut Parts::new(self.arena))
    }

    /// A word that is one stretch of bytes of a class, as most words are. Nothing is consumed where it may be more than
    /// that: what follows it must end every word.
    pub(super) fn plain_word(&mut self, class: Class) -> Option<Word<'t>> {
        let start = self.pos;
        let rest = self.bytes().get(start..)?;
        let length = rest.iter().position(|byte| !class.holds(*byte)).unwrap_or(rest.len());
        let ends = matches!(rest.get(length), None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b')'));
        // In zsh a word may begin with a substitution, or end a group.
        if length == 0 || !ends || self.dialect == Dialect::Zsh {
            return None;
        }
        self.pos = start + length;
        if !self.spend(1) {
            return Some(Word::default());
        }
        let text = WordPart::Literal(self.slice(start, self.pos));
        Some(Word { parts: self.arena.list(&[text]), span: self.span_from(start) })
    }

    /// The rest of a word whose beginning is already in `parts`.
    pub(super) fn rest_of_word(&mut self, place: Place, start: usize, parts: &mut Parts<'t>) -> Word<'t> {
        while let Some(byte) = self.peek() {
            if !self.piece_of_word(byte, place, parts) {
                break;
            }
        }
        if parts.is_empty() || !self.spend(1) {
            return Word::default();
        }
        let parts = parts.finish();
        if self.dialect == Dialect::Zsh && closes_group(parts) {
            // zsh takes the last brace for the end of a group.
            self.error(SyntaxErrorKind::Unexpected, self.pos.saturating_sub(1), self.pos);
        }
        Word { parts, span: self.span_from(start) }
    }

    /// Reads what comes next of a word. Says no at its end.
    fn piece_of_word(&mut self, byte: u8, place: Place, parts: &mut Parts<'t>) -> bool {
        match byte {
            b'(' => return self.parenthesis_in_word(place, parts),
            b'|' if place == Place::Regex => {
                parts.literal("|");
                self.bump();
            }
            b'<' | b'>' if self.peek_after(1) == Some(b'(') => {
                let kind = if byte == b'<' { ProcessKind::Output } else { ProcessKind::Input };
                self.process(kind, parts);
            }
            b'=' if self.dialect == Dialect::Zsh && parts.is_empty() && self.peek_after(1) == Some(b'(') => {
                self.process(ProcessKind::Output, parts);
            }
            b'<' if self.at_numeric_glob() => self.numeric_glob(parts),
            _ if ends_word(byte) => return false,
            b'@' | b'*' | b'+' | b'?' | b'!' if self.peek_after(1) == Some(b'(') => {
                return self.extended_glob(byte, place, parts);
            }
            b'\\' | b'\'' | b'"' | b'$' | b'`' => self.unquoted_piece(byte, parts),
            _ => self.plain(Class::Word, parts),
        }
        true
    }

    /// Reads a quote, an expansion or a stretch of unquoted text, where nothing ends the word.
    pub(super) fn unquoted_piece(&mut self, byte: u8, parts: &mut Parts<'t>) {
        if matches!(byte, b'\\' | b'\'') && !self.spend(1) {
            return;
        }
        match byte {
            b'\\' => self.escaped(parts),
            b'\'' => self.single_quoted(parts),
            b'"' => self.double_quoted(parts),
            b'$' => self.dollar(Quoting::None, parts),
            b'`' => self.back_quotes(Quoting::None, parts),
            _ => self.plain(Class::Plain, parts),
        }
    }

    /// A stretch of ordinary bytes, at least one.
    fn plain(&mut self, class: Class, parts: &mut Parts<'t>) {
        let start = self.pos;
        self.pos += 1;
        self.skip_class(class);
        parts.literal(self.slice(start, self.pos));
        self.settle();
    }

    /// A character behind a backslash. At the end of the text the backslash stands for itself.
    pub(super) fn escaped(&mut self, parts: &mut Parts<'t>) {
        self.pos += 1;
        if self.peek().is_none() {
            parts.quoted("\\");
        } else {
            parts.quoted(self.take_character());
        }
    }

    /// `(` within a word.
    fn parenthesis_in_word(&mut self, place: Place, parts: &mut Parts<'t>) -> bool {
        match place {
            Place::Regex => self.group_in_word(None, parts),
            Place::Declaration if parts.only_literal().is_some_and(is_assignment_prefix) => {
                let elements = self.array();
                parts.push(WordPart::Array(elements));
            }
            Place::Argument if self.dialect == Dialect::Zsh => {
                if self.at_empty_parentheses() {
                    // All words before them are names of functions then, and what follows is their body.
                    self.unexpected();
                }
                // A group of alternatives or glob qualifiers.
                self.group_in_word(None, parts);
            }
            _ => return false,
        }
        true
    }

    /// `@(…)` and its kin.
    fn extended_glob(&mut self, operator: u8, place: Place, parts: &mut Parts<'t>) -> bool {
        let sign = self.slice(self.pos, self.pos + 1);
        self.bump();
        let function = matches!(place, Place::Command | Place::FunctionName) && self.at_empty_parentheses();
        if function || (operator == b'!' && place == Place::Command && parts.is_empty()) {
            // Without `extglob`, `f+()` begins a function of that name.
            parts.literal(sign);
            return true;
        }
        if self.dialect == Dialect::Zsh && self.at_empty_parentheses() {
            self.unexpected();
        }
        self.group_in_word(Some(char::from(operator)), parts);
        true
    }

    /// `(…)` within a word, blanks and all.
    fn group_in_word(&mut self, operator: Option<char>, parts: &mut Parts<'t>) {
        let start = self.pos;
        self.spend(1);
        self.bump();
        let inside = self.nested(|parser| parser.group_inside(operator));
        if !self.eat(b")") {
            self.error(SyntaxErrorKind::UnclosedBracket, start, self.pos);
        }
        match operator {
            Some(operator) => parts.push(WordPart::ExtendedGlob { operator, inside }),
            None => {
                parts.literal("(");
                parts.append(inside);
                parts.literal(")");
            }
        }
    }

    fn group_inside(&mut self, operator: Option<char>) -> &'t [WordPart<'t>] {
        let start = self.pos;
        let mut parts = Parts::new(self.arena);
        while let Some(byte) = self.peek() {
            match byte {
                b')' => break,
                b'(' => self.group_in_word(None, &mut parts),
                b'@' | b'*' | b'+' | b'?' | b'!' if operator.is_some() && self.peek_after(1) == Some(b'(') => {
                    self.bump();
                    self.group_in_word(Some(char::from(byte)), &mut parts);
                }
                b'<' | b'>' if self.peek_after(1) == Some(b'(') && operator.is_some() => {
                    let kind = if byte == b'<' { ProcessKind::Output } else { ProcessKind::Input };
                    self.process(kind, &mut parts);
                }
                _ if ends_word(byte) => {
                    parts.literal(self.slice(self.pos, self.pos + 1));
                    self.bump();
                }
                _ => self.unquoted_piece(byte, &mut parts),
            }
        }
        self.spend_on_bytes(self.pos.saturating_sub(start));
        if self.dialect == Dialect::Zsh && runs_code(self.slice(start, self.pos)) {
            self.error(SyntaxErrorKind::BadExpansion, start, self.pos);
        }
        parts.finish()
    }
}

/// Whether an unquoted word ends in a `}` that it has not opened.
fn closes_group(parts: &[WordPart<'_>]) -> bool {
    let Some(WordPart::Literal(last)) = parts.last() else { return false };
    if !last.ends_with('}') {
        return false;
    }
    let literals = parts.iter().filter_map(|part| match part {
        WordPart::Literal(text) => Some(*text),
        _ => None,
    });
    let mut open = 0usize;
    let mut unopened = false;
    for byte in literals.flat_map(str::bytes) {
        unopened = false;
        match byte {
            b'{' => open += 1,
            b'}' if open == 0 => unopened = true,
            b'}' => open -= 1,
            _ => {}
        }
    }
    unopened
}

/// Whether unquoted text is the beginning of an assignment, as in `declare name=`.
fn is_assignment_prefix(text: &str) -> bool {
    let Some(name) = text.strip_suffix('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.split_once('[').map_or(name, |(name, _)| name);
    let mut bytes = name.bytes();
    bytes.next().is_some_and(super::cursor::begins_name) && bytes.all(super::cursor::continues_name)
}

/// Whether the inside of a zsh group may be qualifiers that run code: `e:…:`, `e[…]` or `+name`.
fn runs_code(inside: &str) -> bool {
    let mut bytes = inside.bytes().peekable();
    while let Some(byte) = bytes.next() {
        let next = bytes.peek().copied();
        let delimiter = next.is_some_and(|next| next.is_ascii_punctuation() && !matches!(next, b'.' | b'-' | b'_'));
        if (byte == b'e' && delimiter) || (byte == b'+' && next.is_some_and(super::cursor::begins_name)) {
            return true;
        }
    }
    false
}
