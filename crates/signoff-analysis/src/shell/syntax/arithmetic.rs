//! Arithmetic. It is kept as text with its expansions: the shell expands it as if in double quotes before it counts.

use signoff_model::Dialect;

use super::parser::Parser;
use super::parts::Parts;
use super::quote::Quoting;
use super::tree::{SyntaxErrorKind, Word, WordPart};

/// What ends an arithmetic text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closing {
    /// `))`
    Parentheses,
    /// `]`
    Bracket,
    /// The `:` or `}` after the offset in `${x:offset:length}`.
    Offset,
    /// The `}` after the length.
    Length,
}

impl<'t> Parser<'t> {
    /// `((…))`, with the position at it. If the brackets do not close as those of arithmetic do, they open two
    /// subshells: then nothing is consumed.
    pub(super) fn try_arithmetic(&mut self) -> Option<&'t [WordPart<'t>]> {
        let start = self.pos;
        if self.not_arithmetic.contains(&start) {
            return None;
        }
        let errors = self.progress.errors.len();
        let taken_lines = self.taken_lines;
        self.bump_by(2);
        let inside = self.nested(|parser| parser.arithmetic(Closing::Parentheses));
        if inside.is_none() && !self.progress.stopped {
            self.progress.errors.truncate(errors);
            self.taken_lines = taken_lines;
            self.not_arithmetic.insert(start);
            let tried = self.pos - start;
            self.go_to(start);
            self.spend(tried / 4);
        }
        if self.dialect == Dialect::Zsh && inside.is_some_and(has_lone_bracket) {
            // zsh takes this for two subshells, and runs what is inside.
            self.error(SyntaxErrorKind::Unexpected, start, self.pos);
        }
        inside
    }

    /// `$[…]`, with the position after the bracket.
    pub(super) fn bracket_arithmetic(&mut self, start: usize) -> &'t [WordPart<'t>] {
        self.arithmetic(Closing::Bracket).unwrap_or_else(|| {
            self.error(SyntaxErrorKind::UnclosedBracket, start, self.pos);
            &[]
        })
    }

    /// The offset in `${x:offset:length}`.
    pub(super) fn substring_offset(&mut self) -> Word<'t> {
        self.arithmetic_word(Closing::Offset)
    }

    /// The length in `${x:offset:length}`.
    pub(super) fn substring_length(&mut self) -> Word<'t> {
        self.arithmetic_word(Closing::Length)
    }

    fn arithmetic_word(&mut self, closing: Closing) -> Word<'t> {
        let start = self.pos;
        let parts = self.arithmetic(closing).unwrap_or_default();
        Word { parts, span: self.span_from(start) }
    }

    fn arithmetic(&mut self, closing: Closing) -> Option<&'t [WordPart<'t>]> {
        let mut parts = Parts::new(self.arena);
        let mut open = 0usize;
        let mut questions = 0usize;
        loop {
            let byte = self.peek()?;
            match byte {
                b')' if closing == Closing::Parentheses && open == 0 => {
                    if self.peek_after(1) != Some(b')') {
                        return None;
                    }
                    self.bump_by(2);
                    break;
                }
                b']' if closing == Closing::Bracket && open == 0 => {
                    self.bump();
                    break;
                }
                b'}' if matches!(closing, Closing::Offset | Closing::Length) => break,
                b':' if closing == Closing::Offset && open == 0 && questions == 0 => break,
                b'"' => {
                    self.double_quoted(&mut parts);
                    continue;
                }
                b'\'' => {
                    self.single_quotes_in_quotes(&mut parts);
                    continue;
                }
                b'\\' => {
                    self.escaped(&mut parts);
                    continue;
                }
                b'$' => {
                    self.dollar(Quoting::Arithmetic, &mut parts);
                    continue;
                }
                b'`' => {
                    self.back_quotes(Quoting::Arithmetic, &mut parts);
                    continue;
                }
                b'(' if closing != Closing::Bracket => open += 1,
                b')' if closing != Closing::Bracket => open = open.saturating_sub(1),
                b'[' if closing == Closing::Bracket => open += 1,
                b']' if closing == Closing::Bracket => open = open.saturating_sub(1),
                b'?' => questions += 1,
                b':' => questions = questions.saturating_sub(1),
                _ => {}
            }
            let start = self.pos;
            self.pos += 1;
            while self.peek().is_some_and(|byte| !is_special(byte)) {
                self.pos += 1;
            }
            parts.literal(self.slice(start, self.pos));
            self.settle();
        }
        if self.progress.stopped { None } else { Some(parts.finish()) }
    }
}

/// Whether `[` and `]` in an arithmetic text do not pair.
fn has_lone_bracket(parts: &[WordPart<'_>]) -> bool {
    let mut open = 0usize;
    for part in parts {
        let WordPart::Literal(text) = part else { continue };
        for byte in text.bytes() {
            match byte {
                b'[' => open += 1,
                b']' if open == 0 => return true,
                b']' => open -= 1,
                _ => {}
            }
        }
    }
    open > 0
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'[' | b']' | b'}' | b':' | b'?' | b'"' | b'\'' | b'\\' | b'$' | b'`')
}
