//! What begins with `$`.

use signoff_model::Dialect;

use super::cursor::{begins_name, ends_word};
use super::parser::Parser;
use super::parts::Parts;
use super::quote::Quoting;
use super::tree::{Parameter, ParameterOperation, SyntaxErrorKind, Word, WordPart};

impl<'t> Parser<'t> {
    /// `$` and whatever it begins.
    pub(super) fn dollar(&mut self, quoting: Quoting, parts: &mut Parts<'t>) {
        let start = self.pos;
        if !self.spend(2) {
            return;
        }
        let text_follows = matches!(quoting, Quoting::None | Quoting::Operand);
        match self.peek_after(1) {
            Some(b'(') => {
                self.bump();
                if self.at(b"((")
                    && let Some(inside) = self.try_arithmetic()
                {
                    parts.push(WordPart::Arithmetic(inside));
                } else {
                    let substitution = self.substitution(start);
                    parts.push(WordPart::Command(substitution));
                }
            }
            Some(b'{') => {
                self.bump_by(2);
                let part = self.nested(|parser| Some(parser.braced_parameter(quoting, start)));
                if let Some(part) = part {
                    parts.push(part);
                }
            }
            Some(b'[') => {
                self.bump_by(2);
                let inside = self.nested(|parser| parser.bracket_arithmetic(start));
                if self.dialect == Dialect::Sh
                    && quoting == Quoting::None
                    && self.slice(start, self.pos).bytes().any(ends_word)
                {
                    // To a plain sh this is text, and what would end a word ends it.
                    self.error(SyntaxErrorKind::BadExpansion, start, self.pos);
                }
                parts.push(WordPart::Arithmetic(inside));
            }
            Some(b'\'') if text_follows => {
                self.bump();
                self.ansi_c_quoted(parts);
            }
            Some(b'"') if quoting == Quoting::None => {
                self.bump();
                self.double_quoted(parts);
            }
            Some(byte) if begins_name(byte) => {
                self.bump();
                let name = self.take_name();
                self.push_parameter(name, ParameterOperation::Value, start, parts);
            }
            Some(b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                self.bump();
                let name = self.slice(self.pos, self.pos + 1);
                self.bump();
                self.push_parameter(name, ParameterOperation::Value, start, parts);
            }
            Some(b'+' | b'=' | b'~' | b'^')
                if self.dialect == Dialect::Zsh && self.peek_after(2).is_some_and(begins_name) =>
            {
                self.bump_by(2);
                let name = self.take_name();
                self.push_parameter(name, ParameterOperation::Other(self.arena.node(Word::default())), start, parts);
            }
            _ => {
                self.bump();
                if quoting == Quoting::None || quoting == Quoting::Arithmetic {
                    parts.literal("$");
                } else {
                    parts.quoted("$");
                }
            }
        }
    }

    fn push_parameter(
        &mut self,
        name: &'t str,
        operation: ParameterOperation<'t>,
        start: usize,
        parts: &mut Parts<'t>,
    ) {
        let span = self.span_from(start);
        let parameter = Parameter { name, index: None, indirect: false, operation, span };
        parts.push(WordPart::Parameter(self.arena.node(parameter)));
    }
}
