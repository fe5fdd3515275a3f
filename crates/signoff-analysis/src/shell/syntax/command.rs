//! One command of a pipeline: which kind it is, and simple commands.

use signoff_model::Dialect;
use smallvec::SmallVec;

use super::assignment::FirstWord;
use super::keyword::Keyword;
use super::parser::Parser;
use super::tree::{Command, CompoundCommand, RedirectOperator, SimpleCommand, SyntaxErrorKind, Word, WordPart};
use super::word::Place;
use crate::words::Words;

/// The commands whose arguments are assignments and may hold arrays.
static DECLARATIONS: Words<32> = Words::new("declare typeset local export readonly alias eval let integer");

impl<'t> Parser<'t> {
    /// One command with its redirections. Nothing is consumed when no command begins here.
    pub(super) fn command(&mut self) -> Option<Command<'t>> {
        if !self.spend(3) {
            return None;
        }
        let start = self.pos;
        let kind = match self.peek()? {
            b'(' => self.nested(|parser| parser.parenthesis()),
            _ => match self.keyword() {
                Some(Keyword::Bang) => return None,
                Some(Keyword::Function) => return self.nested(|parser| parser.function_keyword()),
                Some(Keyword::Coproc) => return self.nested(|parser| parser.coproc()),
                Some(keyword) if keyword.opens() => self.nested(|parser| parser.compound(keyword)),
                Some(keyword) if keyword.closes() => return None,
                _ if self.at_negated_parenthesis() => return None,
                _ if self.at_glued_brace() => {
                    // zsh opens a group here, blank or not, and a `}` at the end of a word may close it.
                    self.unexpected();
                    self.bump();
                    return self.nested(|parser| parser.command());
                }
                _ => return self.simple(),
            },
        };
        let kind = match kind {
            Some(Opened::Compound(kind)) => kind,
            Some(Opened::Command(command)) => return Some(command),
            None => return None,
        };
        let mut end = self.pos;
        let mut redirects = SmallVec::<[_; 2]>::new();
        loop {
            self.skip_blanks();
            match self.redirect() {
                Some(redirect) => redirects.push(redirect),
                None => break,
            }
            end = self.pos;
        }
        let span = self.span_of(start, end);
        let redirects = self.arena.list(&redirects);
        Some(Command::Compound(self.arena.node(CompoundCommand { kind, redirects, span })))
    }

    /// Assignments, words and redirections, or a function whose name comes first.
    pub(super) fn simple(&mut self) -> Option<Command<'t>> {
        let start = self.pos;
        let mut assignments = SmallVec::<[_; 1]>::new();
        let mut redirects = SmallVec::<[_; 2]>::new();
        let below = self.piles.words.len();
        let mut end = start;
        let mut place = Place::Argument;
        let mut both = false;
        loop {
            self.skip_blanks();
            if let Some(redirect) = self.redirect() {
                both |= matches!(redirect.operator, RedirectOperator::WriteBoth | RedirectOperator::AppendBoth);
                redirects.push(redirect);
                end = self.pos;
                continue;
            }
            let Some(byte) = self.peek() else { break };
            match byte {
                b'\n' | b';' | b'&' | b'|' | b')' => break,
                b'(' => {
                    let only_name = assignments.is_empty() && redirects.is_empty();
                    if only_name && self.piles.words.len() <= below + 1 && self.at_empty_parentheses() {
                        let name = self.piles.words.drain(below..).next().unwrap_or_default();
                        return self.nested(|parser| parser.function_after_name(&name, start));
                    }
                    // In zsh this can also be a pattern.
                    if self.dialect != Dialect::Zsh || self.piles.words.len() == below {
                        break;
                    }
                }
                b'}' if self.dialect == Dialect::Zsh && self.keyword() == Some(Keyword::CloseBrace) => break,
                _ => {}
            }
            let before = self.pos;
            if both && self.dialect == Dialect::Sh {
                // A plain sh ends a command at the `&` of `&>`: what follows the file would be another command.
                self.unexpected();
            }
            if self.piles.words.len() == below {
                match self.first_word() {
                    FirstWord::Assignment(assignment) => assignments.push(assignment),
                    FirstWord::Word(word) => {
                        if word.parts.len() == 1
                            && let Some(WordPart::Literal(name)) = word.parts.first()
                            && DECLARATIONS.holds(name)
                        {
                            place = Place::Declaration;
                        }
                        self.put_word(word);
                    }
                }
            } else {
                let word = self.word(place);
                self.put_word(word);
            }
            if self.pos == before || self.progress.stopped {
                break;
            }
            end = self.pos;
        }
        let words = self.arena.pile(&mut self.piles.words, below);
        if end == start && words.is_empty() && assignments.is_empty() {
            return None;
        }
        let (assignments, redirects) = (self.arena.list(&assignments), self.arena.list(&redirects));
        Some(Command::Simple(SimpleCommand { assignments, words, redirects, span: self.span_of(start, end) }))
    }

    pub(super) fn put_word(&mut self, word: Word<'t>) {
        if !word.parts.is_empty() {
            self.piles.words.push(word);
        }
    }

    /// `coproc`, with or without a name.
    fn coproc(&mut self) -> Option<Command<'t>> {
        let start = self.pos;
        if self.dialect == Dialect::Sh {
            self.unexpected();
        }
        self.skip_keyword();
        self.skip_blanks();
        let mut name = None;
        if !self.at_compound() {
            let before = self.pos;
            while self.peek().is_some_and(super::cursor::continues_name) {
                self.bump();
            }
            let word_end = self.pos;
            self.skip_blanks();
            if word_end > before && self.pos > word_end && self.at_compound() {
                name = Some(self.arena.text(&self.slice(before, word_end).replace("\\\n", "")));
            } else {
                self.go_to(before);
            }
        }
        match self.command() {
            Some(body) => {
                let span = self.span_of(start, start).to(body.span());
                Some(Command::Coproc { name, body: self.arena.node(body), span })
            }
            None => {
                self.error(SyntaxErrorKind::Unexpected, start, self.pos);
                None
            }
        }
    }

    /// Whether `!(` comes next at the start of a command. Without `extglob` that is the negation of a subshell, and
    /// reading it as a pattern would lose what runs in it.
    fn at_negated_parenthesis(&self) -> bool {
        self.at(b"!(")
    }
}

/// What an opening bracket or reserved word turned out to be.
#[derive(Debug)]
pub(super) enum Opened<'t> {
    /// A compound command that may have redirections after it.
    Compound(super::tree::Compound<'t>),
    /// A whole command.
    Command(Command<'t>),
}
