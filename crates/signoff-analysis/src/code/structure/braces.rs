//! Blocks in braces, and statements that stand in their place.

use super::{
    Kind,
    scan::{Ends, LONGEST_HEAD, Scan},
};
use crate::{
    code::{extents::ends_operand, lexer::Token},
    shell::Language,
};

impl Scan<'_> {
    pub(super) fn braces(&mut self) {
        let mut level = 0;
        for at in 0..self.frame.tokens.len() {
            match self.token(at) {
                Some(Token::Open(mark)) => {
                    if *mark == '{' && !self.taken.contains(&at) {
                        self.anonymous(at);
                    }
                    level += 1;
                }
                Some(Token::Close(_)) => {
                    self.close_statements(at, level, false);
                    level = level.saturating_sub(1);
                }
                Some(Token::End) => self.close_statements(at, level, false),
                Some(Token::Sign(",")) => self.close_statements(at, level, true),
                Some(Token::Sign("=>")) if matches!(self.language, Language::JavaScript | Language::Php) => {
                    self.arrow(at, level)
                }
                Some(Token::Sign("->")) if self.language == Language::Java => self.arrow(at, level),
                Some(Token::Name(_)) if !self.is_plain_name(at) => self.head(at, level),
                _ => {}
            }
        }
    }

    /// Words that open a block in braces, or a statement without them.
    fn head(&mut self, at: usize, level: usize) {
        self.declared(at);
        let word = self.word(at);
        let kind = match word {
            "for" | "foreach" | "while" | "until" | "do" | "loop" => Kind::Loop,
            "if" | "else" | "elseif" | "elsif" | "unless" | "switch" | "try" | "catch" | "finally" | "match"
            | "except" | "select" | "eval" => Kind::Branch,
            "function" | "sub" | "func" | "fn" | "fun" => Kind::Function {
                closed: self.language == Language::Php && matches!(self.token(at + 1), Some(Token::Name(_))),
            },
            _ => return,
        };
        if word == "eval" && !matches!(self.token(at + 1), Some(Token::Open('{'))) {
            return;
        }
        // In Perl and awk a condition may stand behind what it is for; then it is seen when the variable is set.
        let left = at > 0 && matches!(self.word(at - 1), "return" | "next" | "last" | "redo" | "die" | "exit");
        let behind = self.language == Language::Perl && (left || ends_operand(self.before(at)));
        if behind && !matches!(kind, Kind::Function { .. }) {
            if kind == Kind::Loop {
                let start = self.statement_before(at);
                self.push(Some(Kind::Loop), start, Ends::Statement, level, usize::MAX);
            }
            return;
        }
        let switches = matches!(word, "switch" | "match");
        let mut body = at + 1;
        while body < at + LONGEST_HEAD {
            match self.token(body) {
                Some(Token::Open('(')) => {
                    let partner = self.frame.partner_of(body);
                    if matches!(kind, Kind::Function { .. }) {
                        self.parameters(at, body + 1, partner);
                    }
                    body = partner + 1;
                    // Languages without brackets around the head may go on behind them.
                    if !matches!(self.language, Language::Go | Language::Rust) && !matches!(kind, Kind::Function { .. })
                    {
                        break;
                    }
                }
                Some(Token::Open('{') | Token::End) | None => break,
                Some(Token::Open(_)) => body = self.frame.partner_of(body) + 1,
                Some(_) if matches!(word, "else" | "do" | "try" | "finally" | "loop") => break,
                Some(_) => body += 1,
            }
        }
        while matches!(self.token(body), Some(Token::End)) && !matches!(word, "while") {
            body += 1;
        }
        match self.token(body) {
            Some(Token::Open('{')) => {
                let to = self.frame.partner_of(body) + 1;
                self.taken.insert(body);
                self.add(at, to, kind);
                if switches {
                    self.arms(body, to);
                }
                if self.open.last().is_some_and(|outer| outer.body == at && outer.ends == Ends::Statement) {
                    // The statement that this is all of ends with it.
                    if let Some(outer) = self.open.pop()
                        && let Some(kind) = outer.kind
                    {
                        self.add(outer.from, to, kind);
                    }
                }
            }
            // `if (…): … endif;`
            Some(Token::Sign(":")) if self.language == Language::Php => self.alternative(at, body, kind),
            _ => self.push(Some(kind), at, Ends::Statement, level, body),
        }
    }

    /// The cases of a block, each of which may run without those before it.
    fn arms(&mut self, open: usize, to: usize) {
        let mut at = open + 1;
        let mut arm = None;
        while at < to {
            let Some(left) = self.work.checked_sub(1) else {
                self.confused = true;
                return;
            };
            self.work = left;
            match self.token(at) {
                Some(Token::Open(_)) => at = self.frame.partner_of(at),
                Some(Token::Name(word)) if matches!(&**word, "case" | "default") => {
                    if let Some(from) = arm.replace(at) {
                        self.add(from, at, Kind::Branch);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        if let Some(from) = arm {
            self.add(from, to.saturating_sub(1), Kind::Branch);
        }
    }

    /// A block of PHP that ends with a word of its own.
    fn alternative(&mut self, at: usize, body: usize, kind: Kind) {
        let word = self.word(at).to_owned();
        let first = match &*word {
            "else" | "elseif" => "if",
            word => word,
        };
        let ends = format!("end{first}");
        let mut depth = 0_usize;
        let mut to = body + 1;
        while to < self.frame.tokens.len() {
            match self.word(to) {
                "else" | "elseif" if depth == 0 && first == "if" => break,
                found if found == ends => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => break,
                },
                found if found == first => depth += 1,
                _ => {}
            }
            to += 1;
            let Some(left) = self.work.checked_sub(1) else {
                self.confused = true;
                return;
            };
            self.work = left;
        }
        self.add(at, to, kind);
    }

    /// A function that is written as an arrow.
    fn arrow(&mut self, at: usize, level: usize) {
        let from = match self.before(at) {
            Some(Token::Name(_)) => at - 1,
            Some(Token::Close(')')) => self.closers.get(at - 1).map_or(at, |open| *open as usize),
            _ => return,
        };
        // In PHP only behind `fn`, which is a head of its own.
        if self.language == Language::Php {
            return;
        }
        self.parameters(from, from, at);
        if matches!(self.token(at + 1), Some(Token::Open('{'))) {
            self.taken.insert(at + 1);
            self.add(from, self.frame.partner_of(at + 1) + 1, Kind::Function { closed: false });
        } else {
            self.push(Some(Kind::Function { closed: false }), from, Ends::Comma, level, usize::MAX);
        }
    }

    /// Braces without a word that says what they are for.
    fn anonymous(&mut self, at: usize) {
        let to = self.frame.partner_of(at) + 1;
        let mut behind = at;
        while matches!(self.before(behind), Some(Token::End)) {
            behind -= 1;
        }
        let same_line = behind == at;
        match self.before(behind) {
            // A rule of awk runs for every line.
            Some(Token::Name(word)) if self.language == Language::Awk && matches!(&**word, "BEGIN" | "END") => {}
            _ if self.language == Language::Awk => self.add(at, to, Kind::Loop),
            Some(Token::Name(word)) if matches!(&**word, "map" | "grep" | "sort" | "first" | "any" | "all") => {
                self.add(at, to, Kind::Loop)
            }
            Some(Token::Name(word)) if matches!(&**word, "return" | "unsafe" | "static") => {}
            // A method: `name(…) {`.
            Some(Token::Close(')')) => {
                let open = self.closers.get(behind - 1).map_or(at, |open| *open as usize);
                self.parameters(open, open + 1, behind - 1);
                let from = open.saturating_sub(1);
                self.add(from, to, Kind::Function { closed: false });
            }
            Some(Token::Name(_)) if same_line => self.add(at, to, Kind::Branch),
            _ => {}
        }
    }
}
