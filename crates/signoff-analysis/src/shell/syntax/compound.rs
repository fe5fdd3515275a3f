//! Compound commands: groups, subshells, `if` and `case`.

use signoff_model::Dialect;

use super::command::Opened;
use super::keyword::Keyword;
use super::parser::Parser;
use super::tree::{CaseArm, Compound, Item, SyntaxErrorKind, Word};
use super::word::Place;

impl<'t> Parser<'t> {
    /// The compound command that begins with `keyword`.
    pub(super) fn compound(&mut self, keyword: Keyword) -> Option<Opened<'t>> {
        let start = self.pos;
        self.skip_keyword();
        let kind = match keyword {
            Keyword::OpenBrace => self.group(start),
            Keyword::Test => self.conditional(start),
            Keyword::If => self.condition(start),
            Keyword::While | Keyword::Until => self.while_loop(keyword == Keyword::Until, start),
            Keyword::For | Keyword::Select | Keyword::Foreach => self.for_loop(keyword, start),
            Keyword::Repeat => self.repeat_loop(start),
            Keyword::Case => self.case(start),
            _ => return None,
        };
        Some(Opened::Compound(kind))
    }

    /// What begins with `(`: arithmetic, a subshell, or in zsh a function without a name.
    pub(super) fn parenthesis(&mut self) -> Option<Opened<'t>> {
        let start = self.pos;
        if self.dialect == Dialect::Zsh && self.at_empty_parentheses() {
            return self.function_after_name(&Word::default(), start).map(Opened::Command);
        }
        if self.at(b"((") {
            match self.try_arithmetic() {
                Some(_) if self.dialect == Dialect::Sh => {
                    // A plain sh takes this for two subshells, and runs what is inside; one that is bash does not.
                    self.error(SyntaxErrorKind::Unexpected, start, self.pos);
                    self.go_to(start);
                }
                Some(parts) => return Some(Opened::Compound(Compound::Arithmetic(parts))),
                None => {}
            }
            if self.progress.stopped {
                return None;
            }
        }
        self.bump();
        let items = self.inner_list();
        if !self.eat(b")") {
            self.unclosed(SyntaxErrorKind::UnclosedBracket, start);
        }
        Some(Opened::Compound(Compound::Subshell(items)))
    }

    /// Notes that what began at `start` does not end: at the end of the text with `kind`, otherwise with what stands
    /// in the way.
    pub(super) fn unclosed(&mut self, kind: SyntaxErrorKind, start: usize) {
        if self.peek().is_none() {
            self.error(kind, start, self.pos);
        } else {
            self.unexpected();
        }
    }

    /// Steps over a reserved word that must come next, or notes that it is missing.
    pub(super) fn expect(&mut self, keyword: Keyword, start: usize) -> bool {
        let found = self.eat_keyword(keyword);
        if !found {
            self.unclosed(SyntaxErrorKind::UnclosedCompound, start);
        }
        found
    }

    fn group(&mut self, start: usize) -> Compound<'t> {
        let items = self.inner_list();
        let closed = self.expect(Keyword::CloseBrace, start);
        if closed && self.dialect == Dialect::Zsh {
            return self.always(items, start);
        }
        Compound::Group(items)
    }

    /// In zsh, `{ … } always { … }`: both run, one after the other.
    fn always(&mut self, items: &'t [Item<'t>], start: usize) -> Compound<'t> {
        let before = self.pos;
        self.skip_blanks();
        if !self.eat_keyword(Keyword::Always) {
            self.go_to(before);
            return Compound::Group(items);
        }
        self.skip_lines();
        if !self.expect(Keyword::OpenBrace, start) {
            return Compound::Group(items);
        }
        let always = self.inner_list();
        self.expect(Keyword::CloseBrace, start);
        Compound::Group(self.arena.list(&[items, always].concat()))
    }

    fn condition(&mut self, start: usize) -> Compound<'t> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let (condition, body) = self.branch(start);
            let short = body.short;
            branches.push((condition, body.items));
            if short {
                self.skip_blanks();
                match self.keyword() {
                    Some(Keyword::Elif) => self.skip_keyword(),
                    Some(Keyword::Else) => {
                        self.skip_keyword();
                        otherwise = Some(self.zsh_body(start));
                        break;
                    }
                    _ => break,
                }
                continue;
            }
            match self.keyword() {
                Some(Keyword::Elif) => self.skip_keyword(),
                Some(Keyword::Else) => {
                    self.skip_keyword();
                    otherwise = Some(self.inner_list());
                    self.expect(Keyword::Fi, start);
                    break;
                }
                _ => {
                    self.expect(Keyword::Fi, start);
                    break;
                }
            }
        }
        Compound::If { branches: self.arena.list(&branches), otherwise }
    }

    /// A condition and what follows `then`.
    fn branch(&mut self, start: usize) -> (&'t [Item<'t>], Body<'t>) {
        let condition = self.condition_list();
        if self.dialect == Dialect::Zsh && self.keyword() != Some(Keyword::Then) {
            let items = self.zsh_body(start);
            return (condition, Body { items, short: true });
        }
        let items = if self.expect(Keyword::Then, start) { self.inner_list() } else { &[] };
        (condition, Body { items, short: false })
    }

    fn case(&mut self, start: usize) -> Compound<'t> {
        self.skip_blanks();
        let word = self.word(Place::Argument);
        if word.parts.is_empty() {
            self.unexpected();
        }
        self.skip_lines();
        let closer = if self.dialect == Dialect::Zsh && self.eat_keyword(Keyword::OpenBrace) {
            Keyword::CloseBrace
        } else if self.expect(Keyword::In, start) {
            Keyword::Esac
        } else {
            return Compound::Case { word, arms: &[] };
        };
        let mut arms = Vec::new();
        loop {
            self.skip_lines();
            if self.eat_keyword(closer) {
                break;
            }
            if self.peek().is_none() {
                self.error(SyntaxErrorKind::UnclosedCompound, start, self.pos);
                break;
            }
            let before = self.pos;
            let Some((arm, ended)) = self.nested(|parser| parser.case_arm()) else { break };
            arms.push(arm);
            if !ended {
                self.skip_lines();
                self.expect(closer, start);
                break;
            }
            if self.pos == before {
                break;
            }
        }
        Compound::Case { word, arms: self.arena.list(&arms) }
    }

    /// One arm, and whether `;;` or its kin ended it.
    fn case_arm(&mut self) -> Option<(CaseArm<'t>, bool)> {
        if !self.spend(1) {
            return None;
        }
        self.eat(b"(");
        let mut patterns = Vec::new();
        loop {
            self.skip_blanks();
            let pattern = self.word(Place::Argument);
            if pattern.parts.is_empty() {
                self.unexpected();
            } else {
                patterns.push(pattern);
            }
            self.skip_blanks();
            if self.at(b"|") && !self.at(b"||") {
                self.bump();
            } else {
                break;
            }
        }
        if !self.eat(b")") {
            // What follows may well be a command: it is read as the body, so that it is not lost.
            self.unexpected();
            if patterns.is_empty() && !self.at_closer() {
                self.bump();
            }
        }
        let body = self.inner_list_or_nothing();
        let mut falls_through = false;
        let ended = if self.eat(b";;") {
            falls_through = self.eat(b"&");
            true
        } else if self.eat(b";&") || self.eat(b";|") {
            falls_through = true;
            true
        } else {
            false
        };
        Some((CaseArm { patterns: self.arena.list(&patterns), body, falls_through }, ended))
    }
}

/// What follows a condition.
#[derive(Debug)]
struct Body<'t> {
    items: &'t [Item<'t>],
    /// Whether it is in a short form of zsh, that needs no `fi`.
    short: bool,
}
