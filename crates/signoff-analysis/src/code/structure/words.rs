//! Blocks that the word `end` ends.

use super::{
    Kind,
    scan::{Ends, LONGEST_HEAD, Scan},
};
use crate::{
    code::{extents::ends_operand, lexer::Token},
    shell::Language,
};

impl Scan<'_> {
    pub(super) fn words(&mut self) {
        let mut level = 0;
        let mut awaited = false;
        for at in 0..self.frame.tokens.len() {
            match self.token(at) {
                Some(Token::Open(mark)) => {
                    // A block of Ruby stands behind what it is handed to.
                    let behind = ends_operand(self.before(at)) || matches!(self.before(at), Some(Token::Sign("->")));
                    if *mark == '{' && self.language != Language::Lua && behind {
                        self.block(at);
                    }
                    level += 1;
                }
                Some(Token::Close(_)) => {
                    self.close_statements(at, level, false);
                    level = level.saturating_sub(1);
                }
                Some(Token::End) => {
                    awaited = false;
                    self.close_statements(at, level, false);
                }
                Some(Token::Name(_)) if !self.is_plain_name(at) => self.opening(at, level, &mut awaited),
                _ => {}
            }
        }
        self.confused |= self.open.iter().any(|open| matches!(open.ends, Ends::Word | Ends::Until));
    }

    /// `{ |a| … }`, or the same with words, which ends elsewhere.
    fn block(&mut self, at: usize) {
        self.add(at, self.frame.partner_of(at) + 1, Kind::Function { closed: false });
        self.bars(at);
    }

    fn bars(&mut self, at: usize) {
        if !matches!(self.token(at + 1), Some(Token::Sign("|"))) {
            return;
        }
        let to = (at + 2..at + LONGEST_HEAD).find(|at| matches!(self.token(*at), Some(Token::Sign("|"))));
        self.parameters(at, at + 2, to.unwrap_or(at));
    }

    fn opening(&mut self, at: usize, level: usize, awaited: &mut bool) {
        self.declared(at);
        let lua = self.language == Language::Lua;
        let behind = !lua && (ends_operand(self.before(at)) || at > 0 && leaves(self.word(at - 1)));
        let word = self.word(at).to_owned();
        match &*word {
            "end" => match self.open.last() {
                Some(open) if open.ends == Ends::Word => {
                    // `begin … end while …`.
                    let again = matches!(self.word(at + 1), "while" | "until");
                    if let Some(open) = self.open.last_mut().filter(|open| again && open.kind == Some(Kind::Branch)) {
                        open.kind = Some(Kind::Loop);
                    }
                    self.close(at + 1);
                }
                _ => self.confused = true,
            },
            "until" if lua => {
                if matches!(self.open.last(), Some(open) if open.ends == Ends::Until) {
                    if let Some(open) = self.open.last_mut() {
                        open.ends = Ends::Statement;
                        open.level = level;
                    }
                } else {
                    self.confused = true;
                }
            }
            "repeat" if lua => self.push(Some(Kind::Loop), at, Ends::Until, level, usize::MAX),
            "for" | "while" | "until" if behind => {
                let start = self.statement_before(at);
                self.push(Some(Kind::Loop), start, Ends::Statement, level, usize::MAX);
            }
            "for" | "while" | "until" => {
                *awaited = true;
                self.push(Some(Kind::Loop), at, Ends::Word, level, usize::MAX);
            }
            "do" if *awaited => *awaited = false,
            "do" if lua => self.push(None, at, Ends::Word, level, usize::MAX),
            "do" => {
                self.push(Some(Kind::Function { closed: false }), at, Ends::Word, level, usize::MAX);
                self.bars(at);
            }
            "if" | "unless" | "case" if !behind => {
                self.push(Some(Kind::Branch), at, Ends::Word, level, usize::MAX);
            }
            "begin" | "try" | "cond" | "receive" => self.push(Some(Kind::Branch), at, Ends::Word, level, usize::MAX),
            "else" | "elsif" | "elseif" | "when" | "rescue" | "ensure" | "catch" | "after"
                if !behind || word == "else" || word == "elsif" || word == "elseif" =>
            {
                self.split(at);
            }
            "def" | "function" | "fn" | "defp" | "macro" => {
                let mut head = at + 1;
                while matches!(self.token(head), Some(Token::Name(_) | Token::Sign("." | ":" | "::"))) && head < at + 8
                {
                    head += 1;
                }
                if matches!(self.token(head), Some(Token::Open('('))) {
                    let partner = self.frame.partner_of(head);
                    self.parameters(at, head + 1, partner);
                    head = partner + 1;
                }
                let short = matches!(self.token(head), Some(Token::Sign("="))) && !lua;
                let ends = if short { Ends::Statement } else { Ends::Word };
                let closed = self.language == Language::Ruby;
                self.push(Some(Kind::Function { closed }), at, ends, level, usize::MAX);
            }
            "class" | "module" | "struct" | "quote" if !lua => {
                self.push(Some(Kind::Branch), at, Ends::Word, level, usize::MAX);
            }
            _ => {}
        }
    }
}

/// Words behind which a condition says whether they count.
fn leaves(word: &str) -> bool {
    matches!(word, "return" | "next" | "break" | "redo" | "retry" | "raise" | "exit" | "abort" | "yield" | "end")
}
