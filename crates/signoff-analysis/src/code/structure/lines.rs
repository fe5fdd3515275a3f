//! Blocks that are lines which are indented further than their head.

use super::{
    Kind,
    scan::{Ends, LONGEST_HEAD, Scan},
};
use crate::code::lexer::Token;

impl Scan<'_> {
    pub(super) fn lines(&mut self) {
        let mut lines = self.frame.lines.iter().copied().peekable();
        let mut level = 0;
        for at in 0..self.frame.tokens.len() {
            if let Some((_, indent)) = lines.next_if(|(start, _)| *start <= at) {
                while let Some(open) = self.open.last() {
                    if matches!(open.ends, Ends::Line(own) if own < indent) {
                        break;
                    }
                    self.close(at);
                }
                let head = at + usize::from(self.word(at) == "async");
                let kind = match self.word(head) {
                    "for" | "while" => Some(Kind::Loop),
                    "if" | "elif" | "else" | "try" | "except" | "finally" | "match" | "case" | "class"
                        if !self.is_plain_name(head) =>
                    {
                        Some(Kind::Branch)
                    }
                    "def" => Some(Kind::Function { closed: false }),
                    _ => None,
                };
                if let Some(kind) = kind {
                    self.push(Some(kind), at, Ends::Line(indent), 0, usize::MAX);
                }
                if self.word(head) == "def" && matches!(self.token(head + 2), Some(Token::Open('('))) {
                    self.parameters(at, head + 3, self.frame.partner_of(head + 2));
                }
            }
            match self.token(at) {
                Some(Token::Open(_)) => level += 1,
                Some(Token::Close(_)) => {
                    self.close_statements(at, level, false);
                    level = level.saturating_sub(1);
                }
                Some(Token::End) if level == 0 => self.close_statements(at, level, false),
                Some(Token::Sign(",")) if !self.in_parameters() => self.close_statements(at, level, true),
                Some(Token::Sign(":")) => {
                    if let Some(open) =
                        self.open.last_mut().filter(|open| open.ends == Ends::Comma && open.level == level)
                    {
                        open.body = 0;
                    }
                }
                Some(Token::Name(name)) => match &**name {
                    "global" | "nonlocal" => self.declared(at),
                    "lambda" => {
                        let end = (at..at + LONGEST_HEAD).find(|at| matches!(self.token(*at), Some(Token::Sign(":"))));
                        self.push(Some(Kind::Function { closed: false }), at, Ends::Comma, level, usize::MAX);
                        self.parameters(at, at + 1, end.unwrap_or(at));
                    }
                    // Within brackets: `[x for x in xs]`.
                    "for" if level > 0 => self.comprehension(at),
                    _ => {}
                },
                _ => {}
            }
        }
    }

    /// Whether a comma belongs to the parameters of a lambda.
    fn in_parameters(&self) -> bool {
        self.open.last().is_some_and(|open| open.ends == Ends::Comma && open.body == usize::MAX)
    }

    /// A list that is made of another one has a variable of its own.
    fn comprehension(&mut self, at: usize) {
        let mut open = at;
        for _ in 0..4 * LONGEST_HEAD {
            let Some(before) = open.checked_sub(1) else { return };
            open = before;
            match self.token(open) {
                Some(Token::Open(_)) => break,
                Some(Token::Close(_)) => open = self.closers.get(open).map_or(0, |at| *at as usize),
                _ => {}
            }
        }
        if !matches!(self.token(open), Some(Token::Open(_))) {
            self.confused = true;
            return;
        }
        let to = self.frame.partner_of(open) + 1;
        if self.taken.insert(open) {
            self.add(open, to, Kind::Loop);
        }
        let targets = (at..at + LONGEST_HEAD).find(|at| self.word(*at) == "in").unwrap_or(at);
        self.parameters(open, at + 1, targets);
    }
}
