//! Definitions of functions.

use signoff_model::Dialect;

use super::keyword::Keyword;
use super::parser::Parser;
use super::tree::{Command, FunctionDefinition, SimpleCommand, SyntaxErrorKind, Word, WordPart};
use super::word::Place;

impl<'t> Parser<'t> {
    /// Whether `(` and `)` come next with at most blanks between them.
    pub(super) fn at_empty_parentheses(&self) -> bool {
        if self.peek() != Some(b'(') {
            return false;
        }
        let mut at = self.settled(self.pos + 1);
        while matches!(self.raw(at), Some(b' ' | b'\t')) {
            at = self.settled(at + 1);
        }
        self.raw(at) == Some(b')')
    }

    /// `()` and the body, after the name.
    pub(super) fn function_after_name(&mut self, name: &Word<'t>, start: usize) -> Option<Command<'t>> {
        self.skip_empty_parentheses();
        if name.parts.is_empty() && self.dialect != Dialect::Zsh {
            self.error(SyntaxErrorKind::Unexpected, start, self.pos);
        }
        let name = self.function_name(name, start);
        self.function_body(name, start)
    }

    /// `function name`, with or without `()`.
    pub(super) fn function_keyword(&mut self) -> Option<Command<'t>> {
        let start = self.pos;
        if self.dialect == Dialect::Sh {
            // A plain sh runs a command of this name, and then the body.
            self.error(SyntaxErrorKind::Unexpected, start, start + "function".len());
        }
        self.skip_keyword();
        self.skip_blanks();
        let anonymous = self.dialect == Dialect::Zsh && (self.peek() == Some(b'(') || self.at_compound());
        let mut name = if anonymous { Word::default() } else { self.word(Place::FunctionName) };
        if name.parts.is_empty() && !anonymous {
            self.unexpected();
        }
        self.skip_blanks();
        while self.dialect == Dialect::Zsh && !self.at_compound() && self.peek().is_some_and(|byte| byte != b'\n') {
            // zsh defines the same body under several names; the last one stands for all of them, with an error.
            let before = self.pos;
            self.error(SyntaxErrorKind::Unexpected, start, self.pos);
            name = self.word(Place::FunctionName);
            self.skip_blanks();
            if self.pos == before {
                break;
            }
        }
        if self.at_empty_parentheses() {
            self.skip_empty_parentheses();
        }
        let name = self.function_name(&name, start);
        self.function_body(name, start)
    }

    fn skip_empty_parentheses(&mut self) {
        self.bump();
        self.skip_blanks();
        self.bump();
    }

    /// The name as text. A name that would have to be expanded is one the shell refuses.
    fn function_name(&mut self, word: &Word<'t>, start: usize) -> &'t str {
        if let [WordPart::Literal(name)] = word.parts {
            return name;
        }
        let mut name = String::new();
        for part in word.parts {
            match part {
                WordPart::Literal(text) => name.push_str(text),
                WordPart::SingleQuoted(text) => {
                    self.error(SyntaxErrorKind::BadExpansion, start, self.pos);
                    name.push_str(text);
                }
                _ => self.error(SyntaxErrorKind::BadExpansion, start, self.pos),
            }
        }
        self.arena.text(&name)
    }

    fn function_body(&mut self, name: &'t str, start: usize) -> Option<Command<'t>> {
        self.skip_lines();
        let compound = self.at_compound();
        if !compound && self.dialect == Dialect::Bash {
            self.unexpected();
        }
        let body = if self.keyword().is_some_and(Keyword::closes) { None } else { self.command() };
        let body = body.unwrap_or_else(|| {
            if compound || self.dialect != Dialect::Bash {
                self.unexpected();
            }
            Command::Simple(SimpleCommand { span: self.span_of(self.pos, self.pos), ..SimpleCommand::default() })
        });
        let span = self.span_of(start, start).to(body.span());
        let args = if name.is_empty() && self.dialect == Dialect::Zsh { self.anonymous_args() } else { &[] };
        let span = args.last().map_or(span, |last| span.to(last.span));
        Some(Command::Function(FunctionDefinition { name, body: self.arena.node(body), args, span }))
    }

    /// The words behind the body of a function without a name.
    fn anonymous_args(&mut self) -> &'t [Word<'t>] {
        let below = self.piles.words.len();
        loop {
            self.skip_blanks();
            match self.peek() {
                None | Some(b'\n' | b';' | b'&' | b'|' | b')' | b'<' | b'>') => break,
                Some(b'}') if self.keyword() == Some(Keyword::CloseBrace) => break,
                Some(_) => {}
            }
            let before = self.pos;
            let word = self.word(Place::Argument);
            self.put_word(word);
            if self.pos == before || self.progress.stopped {
                break;
            }
        }
        self.arena.pile(&mut self.piles.words, below)
    }
}
