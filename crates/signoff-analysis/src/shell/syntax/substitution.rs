//! Command and process substitutions.

use super::keyword::Keyword;
use super::origin::Rewritten;
use super::parser::Parser;
use super::parts::Parts;
use super::quote::Quoting;
use super::tree::{Item, ProcessKind, Script, Substitution, SyntaxErrorKind, WordPart};

impl<'t> Parser<'t> {
    /// `(…)` of a substitution that begins at `start`.
    pub(super) fn substitution(&mut self, start: usize) -> Substitution<'t> {
        let errors = self.progress.errors.len();
        let pending = std::mem::take(&mut self.pending);
        let in_substitution = std::mem::replace(&mut self.in_substitution, true);
        self.bump();
        let items = self.nested(|parser| parser.substitution_items());
        if !self.eat(b")") {
            self.end_here_documents();
            self.error(SyntaxErrorKind::UnclosedBracket, start, self.pos);
        }
        self.read_late_here_documents();
        self.pending = pending;
        self.in_substitution = in_substitution;
        self.finish_substitution(items, errors, start)
    }

    /// `<(…)` and `>(…)`, in zsh `=(…)`.
    pub(super) fn process(&mut self, kind: ProcessKind, parts: &mut Parts<'t>) {
        let start = self.pos;
        self.bump();
        let inner = self.substitution(start);
        parts.push(WordPart::Process { kind, inner });
    }

    /// `${ …; }` and `${| …; }`, which newer shells run and older ones refuse. The position is after `{`.
    pub(super) fn brace_substitution(&mut self, start: usize) -> Substitution<'t> {
        let errors = self.progress.errors.len();
        let pending = std::mem::take(&mut self.pending);
        self.eat(b"|");
        let items = self.inner_list_or_nothing();
        if !self.eat_keyword(Keyword::CloseBrace) && !self.eat(b"}") {
            self.error(SyntaxErrorKind::UnclosedBracket, start, self.pos);
        }
        self.end_here_documents();
        self.pending = pending;
        self.error(SyntaxErrorKind::BadExpansion, start, self.pos);
        self.finish_substitution(items, errors, start)
    }

    /// Back-quotes. One level of backslashes is taken away before the inside is read.
    pub(super) fn back_quotes(&mut self, quoting: Quoting, parts: &mut Parts<'t>) {
        let start = self.pos;
        let errors = self.progress.errors.len();
        let mut inside = Rewritten::default();
        let mut at = start + 1;
        let mut stretch = at;
        let closed = loop {
            match self.raw(at) {
                None => break false,
                Some(b'`') => break true,
                Some(b'\\') => {
                    let dropped = match self.raw(at + 1) {
                        Some(b'$' | b'`' | b'\\') => true,
                        Some(b'"') => matches!(quoting, Quoting::Double | Quoting::Operand),
                        _ => false,
                    };
                    if dropped {
                        inside.append(self.slice(stretch, at), stretch, &self.origin);
                        stretch = at + 1;
                    }
                    at += 2;
                }
                Some(_) => at += 1,
            }
        };
        let end = at.min(self.end().max(start));
        inside.append(self.slice(stretch, end), stretch, &self.origin);
        self.pos = end;
        if !closed {
            self.error(SyntaxErrorKind::UnclosedBracket, start, end);
        }
        if !self.spend(4 + inside.stretches()) || !self.spend_on_bytes(end - start) {
            return;
        }
        let origin = inside.origin;
        let items = self.nested(|parser| parser.within(&inside.text, origin, |inner| inner.script_items()));
        if closed {
            self.bump();
        }
        let substitution = self.finish_substitution(items, errors, start);
        parts.push(WordPart::Command(substitution));
    }

    fn finish_substitution(&mut self, items: &'t [Item<'t>], errors: usize, start: usize) -> Substitution<'t> {
        let errors = self.arena.list(self.progress.errors.get(errors..).unwrap_or_default());
        self.spend(2 + errors.len());
        let script = self.arena.node(Script { items, errors, comments: &[] });
        Substitution { script, span: self.span_from(start) }
    }
}
