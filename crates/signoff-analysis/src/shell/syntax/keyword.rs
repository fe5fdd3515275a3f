//! Reserved words. They are reserved only where a command may begin, unquoted and whole.

use signoff_model::Dialect;

use super::cursor::ends_word;
use super::parser::Parser;

/// A reserved word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Bang,
    Time,
    OpenBrace,
    CloseBrace,
    Test,
    If,
    Then,
    Elif,
    Else,
    Fi,
    While,
    Until,
    For,
    Select,
    Do,
    Done,
    Case,
    In,
    Esac,
    Function,
    Coproc,
    /// zsh
    Foreach,
    /// zsh
    End,
    /// zsh
    Repeat,
    /// zsh
    Always,
}

impl Keyword {
    fn of(text: &[u8], dialect: Dialect) -> Option<Self> {
        // The length leaves few to compare with.
        Some(match (text.len(), text) {
            (1, b"!") => Self::Bang,
            (4, b"time") => Self::Time,
            (1, b"{") => Self::OpenBrace,
            (1, b"}") => Self::CloseBrace,
            (2, b"[[") => Self::Test,
            (2, b"if") => Self::If,
            (4, b"then") => Self::Then,
            (4, b"elif") => Self::Elif,
            (4, b"else") => Self::Else,
            (2, b"fi") => Self::Fi,
            (5, b"while") => Self::While,
            (5, b"until") => Self::Until,
            (3, b"for") => Self::For,
            (6, b"select") => Self::Select,
            (2, b"do") => Self::Do,
            (4, b"done") => Self::Done,
            (4, b"case") => Self::Case,
            (2, b"in") => Self::In,
            (4, b"esac") => Self::Esac,
            (8, b"function") => Self::Function,
            (6, b"coproc") => Self::Coproc,
            (7, b"foreach") if dialect == Dialect::Zsh => Self::Foreach,
            (3, b"end") if dialect == Dialect::Zsh => Self::End,
            (6, b"repeat") if dialect == Dialect::Zsh => Self::Repeat,
            (6, b"always") if dialect == Dialect::Zsh => Self::Always,
            _ => return None,
        })
    }

    /// Whether it ends the list before it.
    pub(super) fn closes(self) -> bool {
        matches!(
            self,
            Self::CloseBrace
                | Self::Then
                | Self::Elif
                | Self::Else
                | Self::Fi
                | Self::Do
                | Self::Done
                | Self::Esac
                | Self::End
        )
    }

    /// Whether a compound command begins with it.
    pub(super) fn opens(self) -> bool {
        matches!(
            self,
            Self::OpenBrace
                | Self::Test
                | Self::If
                | Self::While
                | Self::Until
                | Self::For
                | Self::Select
                | Self::Case
                | Self::Foreach
                | Self::Repeat
        )
    }
}

/// Whether a word is one of the shell's own where a command begins.
pub(in crate::shell) fn is_reserved(word: &str, dialect: Dialect) -> bool {
    Keyword::of(word.as_bytes(), dialect).is_some()
}

/// Longer than the longest reserved word.
const LONGEST: usize = 9;

impl Parser<'_> {
    /// The reserved word that comes next, if one does.
    pub(super) fn keyword(&self) -> Option<Keyword> {
        // Lists, pipelines and commands ask in turn at the same place.
        let (pos, end, known) = self.last_keyword.get();
        if (pos, end) == (self.pos, self.end()) {
            return known;
        }
        let found = if self.may_be_keyword() { self.read_keyword() } else { None };
        self.last_keyword.set((self.pos, self.end(), found));
        found
    }

    /// Whether a reserved word may begin with the next two bytes. Most commands begin otherwise.
    fn may_be_keyword(&self) -> bool {
        match (self.raw(self.pos), self.raw(self.pos + 1)) {
            // A line may go on in the middle of one.
            (Some(_), Some(b'\\')) => true,
            (Some(first), Some(second)) => matches!(
                (first, second),
                (b'!' | b'{' | b'}' | b'[', _)
                    | (b't', b'h' | b'i')
                    | (b'i', b'f' | b'n')
                    | (b'e', b'l' | b's' | b'n')
                    | (b'f', b'i' | b'o' | b'u')
                    | (b'w', b'h')
                    | (b'u', b'n')
                    | (b's', b'e')
                    | (b'd', b'o')
                    | (b'c', b'a' | b'o')
                    | (b'a', b'l')
                    | (b'r', b'e')
            ),
            (Some(b'!' | b'{' | b'}'), None) => true,
            _ => false,
        }
    }

    fn read_keyword(&self) -> Option<Keyword> {
        let mut word = [0u8; LONGEST];
        let mut at = self.pos;
        for length in 0..LONGEST {
            match self.raw(at) {
                Some(byte) if !ends_word(byte) => {
                    let ordinary = byte.is_ascii_lowercase() || matches!(byte, b'!' | b'{' | b'}' | b'[');
                    if !ordinary {
                        return None;
                    }
                    *word.get_mut(length)? = byte;
                    at = self.settled(at + 1);
                }
                _ => return Keyword::of(word.get(..length)?, self.dialect),
            }
        }
        None
    }

    /// Steps over a reserved word if it comes next.
    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.keyword() == Some(keyword);
        if found {
            self.skip_keyword();
        }
        found
    }

    /// Steps over the reserved word that comes next.
    pub(super) fn skip_keyword(&mut self) {
        while self.peek().is_some_and(|byte| !ends_word(byte)) {
            self.bump();
        }
    }

    /// Whether a compound command comes next.
    pub(super) fn at_compound(&self) -> bool {
        self.peek() == Some(b'(') || self.keyword().is_some_and(Keyword::opens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::syntax::{Arena, Limits};

    const WORDS: &str = "! time { } [[ if then elif else fi while until for select do done case in esac function coproc \
        foreach end repeat always";

    fn read(text: &str) -> Option<Keyword> {
        Parser::new(text, Dialect::Zsh, Limits::default(), &Arena::new()).keyword()
    }

    #[test]
    fn every_reserved_word_is_found_wherever_its_line_goes_on() {
        for word in WORDS.split_whitespace() {
            let plain = read(word);
            assert!(plain.is_some(), "{word}");
            assert_eq!(plain, Keyword::of(word.as_bytes(), Dialect::Zsh), "{word}");
            for end in [" ", "\n", ";", "(", "\\\n ", "\\\n"] {
                assert_eq!(read(&format!("{word}{end}")), plain, "{word:?} before {end:?}");
            }
            for cut in 1..word.len() {
                let (front, back) = word.split_at(cut);
                assert_eq!(read(&format!("{front}\\\n{back} x")), plain, "{front}\\{back}");
            }
            assert_eq!(read(&format!("{word}x")), None, "{word}x");
            assert_eq!(read(&format!("x{word}")), None, "x{word}");
        }
    }
}
