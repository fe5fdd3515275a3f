//! Quotes.

use signoff_model::Dialect;

use super::cursor::Class;
use super::parser::Parser;
use super::parts::Parts;
use super::tree::{SyntaxErrorKind, WordPart};

/// Inside which quotes something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// None.
    None,
    /// `"…"`
    Double,
    /// The body of a heredoc.
    HereDocument,
    /// The word of `${x:-word}` and its kin, itself inside double quotes or a heredoc.
    Operand,
    /// Arithmetic.
    Arithmetic,
}

impl<'t> Parser<'t> {
    /// `'…'`
    pub(super) fn single_quoted(&mut self, parts: &mut Parts<'t>) {
        let start = self.pos;
        match self.find(b'\'', start + 1) {
            Some(close) => {
                parts.quoted(self.slice(start + 1, close));
                self.go_to(close + 1);
            }
            None => {
                parts.quoted(self.slice(start + 1, self.end()));
                self.pos = self.end().max(start);
                self.error(SyntaxErrorKind::UnclosedQuote, start, self.pos);
            }
        }
    }

    /// `"…"`
    pub(super) fn double_quoted(&mut self, parts: &mut Parts<'t>) {
        let start = self.pos;
        self.spend(2);
        self.bump();
        let inside = self.nested(|parser| parser.quoted_parts(Quoting::Double));
        if !self.eat(b"\"") {
            self.error(SyntaxErrorKind::UnclosedQuote, start, self.pos);
        }
        parts.push(WordPart::DoubleQuoted(inside));
    }

    /// What stands inside quotes, up to what ends them: text that stands for itself, and expansions.
    pub(super) fn quoted_parts(&mut self, quoting: Quoting) -> &'t [WordPart<'t>] {
        let mut parts = Parts::new(self.arena);
        while let Some(byte) = self.peek() {
            match (byte, quoting) {
                (b'"', Quoting::Double) | (b'}', Quoting::Operand) => break,
                (b'"', Quoting::Operand) => self.double_quoted(&mut parts),
                (b'\'', Quoting::Operand) => self.single_quotes_in_quotes(&mut parts),
                (b'\\', _) => self.escaped_in_quotes(quoting, &mut parts),
                (b'$', _) => self.dollar(quoting, &mut parts),
                (b'`', _) => self.back_quotes(quoting, &mut parts),
                _ => {
                    let text = self.plain_in_quotes();
                    parts.quoted(text);
                }
            }
        }
        parts.finish()
    }

    /// A stretch of bytes without a meaning inside quotes, at least one.
    pub(super) fn plain_in_quotes(&mut self) -> &'t str {
        let start = self.pos;
        self.pos += 1;
        self.skip_class(Class::Quoted);
        let text = self.slice(start, self.pos);
        self.settle();
        text
    }

    /// A backslash inside quotes: it quotes only what would have a meaning there.
    fn escaped_in_quotes(&mut self, quoting: Quoting, parts: &mut Parts<'t>) {
        let special = match self.raw(self.pos + 1) {
            Some(b'$' | b'`' | b'\\') => true,
            Some(b'"') => quoting != Quoting::HereDocument,
            Some(b'}') => quoting == Quoting::Operand,
            _ => false,
        };
        if special {
            self.pos += 1;
            parts.quoted(self.take_character());
        } else {
            parts.quoted("\\");
            self.pos += 1;
            if self.peek().is_some() {
                parts.quoted(self.take_character());
            }
        }
    }

    /// `'…'` where a double quote is around it: `"${x:-'…'}"`. In bash the single quotes still hide a `}`, but they
    /// stay in the value, and what is between them is expanded.
    pub(super) fn single_quotes_in_quotes(&mut self, parts: &mut Parts<'t>) {
        let start = self.pos;
        self.spend(3);
        parts.quoted("'");
        if self.dialect != Dialect::Bash {
            self.bump();
            return;
        }
        match self.find(b'\'', start + 1) {
            Some(close) => {
                self.spend_on_bytes(close - start);
                self.bump();
                let inside = self.nested(|parser| {
                    parser.up_to(close, |parser| {
                        parser.settle();
                        parser.quoted_parts(Quoting::HereDocument)
                    })
                });
                parts.append(inside);
                parts.quoted("'");
                if !self.progress.stopped {
                    self.go_to(close + 1);
                }
            }
            None => {
                self.bump();
                self.error(SyntaxErrorKind::UnclosedQuote, start, self.end());
            }
        }
    }

    /// `$'…'`, with the position at the quote.
    pub(super) fn ansi_c_quoted(&mut self, parts: &mut Parts<'t>) {
        let start = self.pos;
        let mut at = start + 1;
        let mut escaped_quote = false;
        let close = loop {
            match self.raw(at) {
                None => break None,
                Some(b'\'') => break Some(at),
                Some(b'\\') => {
                    escaped_quote |= self.raw(at + 1) == Some(b'\'');
                    at += 2;
                }
                Some(_) => at += 1,
            }
        };
        let end = close.unwrap_or_else(|| self.end().max(start));
        let decoded = decode_ansi_c(self.slice(start + 1, end).as_bytes());
        parts.quoted(self.arena.text(&decoded));
        if close.is_none() {
            self.error(SyntaxErrorKind::UnclosedQuote, start, end);
            self.pos = end;
            return;
        }
        if escaped_quote && self.dialect == Dialect::Sh {
            // A plain sh ends the quote there, and reads the rest as code.
            self.error(SyntaxErrorKind::BadExpansion, start, end);
        }
        self.go_to(end + 1);
    }
}

/// The text of `$'…'`. A NUL ends it, as it does in bash.
fn decode_ansi_c(text: &[u8]) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte != b'\\' {
            decoded.push(*byte);
            continue;
        }
        let from_escape = rest;
        let Some((escape, after)) = rest.split_first() else {
            decoded.push(b'\\');
            break;
        };
        rest = after;
        match escape {
            b'a' => decoded.push(0x07),
            b'b' => decoded.push(0x08),
            b'e' | b'E' => decoded.push(0x1b),
            b'f' => decoded.push(0x0c),
            b'n' => decoded.push(b'\n'),
            b'r' => decoded.push(b'\r'),
            b't' => decoded.push(b'\t'),
            b'v' => decoded.push(0x0b),
            b'\\' | b'\'' | b'"' | b'?' => decoded.push(*escape),
            b'0'..=b'7' => {
                let (value, after) = digits(from_escape, 8, 3);
                rest = after;
                decoded.push(value.to_le_bytes().first().copied().unwrap_or_default());
            }
            b'x' if rest.first() == Some(&b'{') => {
                let (value, after) = digits(rest.get(1..).unwrap_or_default(), 16, 8);
                rest = after.strip_prefix(b"}").unwrap_or(after);
                decoded.push(value.to_le_bytes().first().copied().unwrap_or_default());
            }
            b'x' | b'u' | b'U' => {
                let most = match escape {
                    b'x' => 2,
                    b'u' => 4,
                    _ => 8,
                };
                let (value, after) = digits(rest, 16, most);
                if after.len() == rest.len() {
                    decoded.extend([b'\\', *escape]);
                } else if *escape == b'x' {
                    decoded.push(value.to_le_bytes().first().copied().unwrap_or_default());
                } else {
                    let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
                    decoded.extend(character.encode_utf8(&mut [0; 4]).bytes());
                }
                rest = after;
            }
            b'c' => match rest.split_first() {
                Some((control, after)) => {
                    rest = if *control == b'\\' { after.strip_prefix(b"\\").unwrap_or(after) } else { after };
                    decoded.push(if *control == b'?' { 0x7f } else { control.to_ascii_uppercase() & 0x1f });
                }
                None => decoded.extend([b'\\', b'c']),
            },
            other => decoded.extend([b'\\', *other]),
        }
        if decoded.last() == Some(&0) {
            decoded.pop();
            break;
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// The value of at most `most` digits, and what follows them.
fn digits(text: &[u8], radix: u32, most: usize) -> (u32, &[u8]) {
    let mut value = 0u32;
    let mut rest = text;
    for _ in 0..most {
        let Some((byte, after)) = rest.split_first() else { break };
        let Some(digit) = char::from(*byte).to_digit(radix) else { break };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        rest = after;
    }
    (value, rest)
}

#[cfg(test)]
mod tests {
    use super::decode_ansi_c;

    #[test]
    fn ansi_c_escapes() {
        for (text, expected) in [
            (r"plain", "plain"),
            (r"a\nb\tc", "a\nb\tc"),
            (r"\x72\155", "rm"),
            (r"\x7", "\u{7}"),
            (r"\x{72}m", "rm"),
            (r"\u4f60\U0001F600", "你😀"),
            (r"\cA\c?", "\u{1}\u{7f}"),
            (r#"\'\"\\\?"#, "'\"\\?"),
            (r"\e[0m\E", "\u{1b}[0m\u{1b}"),
            (r"rm\0hidden", "rm"),
            (r"\q\xzz\u", r"\q\xzz\u"),
            (r"end\", r"end\"),
            (r"\1012", "A2"),
        ] {
            assert_eq!(decode_ansi_c(text.as_bytes()), expected, "{text}");
        }
    }
}
