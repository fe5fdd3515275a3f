//! Heredocs. The body stands after the end of the line, when the redirection is already in the tree; it is filled in
//! when it comes.

use signoff_model::Dialect;

use super::origin::Rewritten;
use super::parser::Parser;
use super::quote::Quoting;
use super::tree::{HereDocument, RedirectTarget, SyntaxErrorKind, Word, WordPart};

/// A heredoc whose body has not come yet.
#[derive(Debug)]
pub(super) struct Pending<'t> {
    delimiter: String,
    strip_tabs: bool,
    document: &'t HereDocument<'t>,
    /// Where the redirection stands.
    start: usize,
    end: usize,
}

/// The lines of a body.
struct Lines {
    /// Where the body ends.
    end: usize,
    /// Where the text goes on.
    behind: usize,
    /// Whether the delimiter came.
    closed: bool,
}

impl<'t> Parser<'t> {
    /// Notes a heredoc whose body is to come, and gives what stands in for it.
    pub(super) fn expect_here_document(
        &mut self,
        delimiter: &Word<'t>,
        strip_tabs: bool,
        start: usize,
    ) -> RedirectTarget<'t> {
        self.spend(3);
        let mut text = String::new();
        let mut quoted = false;
        for part in delimiter.parts {
            match part {
                WordPart::Literal(piece) => text.push_str(piece),
                WordPart::SingleQuoted(piece) => {
                    quoted = true;
                    text.push_str(piece);
                }
                WordPart::DoubleQuoted(pieces) => {
                    quoted = true;
                    for piece in *pieces {
                        match piece {
                            WordPart::SingleQuoted(piece) => text.push_str(piece),
                            _ => self.error(SyntaxErrorKind::BadExpansion, start, self.pos),
                        }
                    }
                }
                // The delimiter is not expanded. Shells disagree about how such a one is compared.
                _ => self.error(SyntaxErrorKind::BadExpansion, start, self.pos),
            }
        }
        let document = self.arena.node(HereDocument::expected(quoted, self.span_of(self.pos, self.pos)));
        self.pending.push(Pending { delimiter: text, strip_tabs, document, start, end: self.pos });
        RedirectTarget::HereDocument(document)
    }

    /// Takes the bodies that stand here, at the beginning of a line.
    pub(super) fn read_here_documents(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        for pending in std::mem::take(&mut self.pending) {
            self.read_here_document(&pending);
        }
    }

    /// Notes the heredocs whose bodies never came.
    pub(super) fn end_here_documents(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            self.error(SyntaxErrorKind::UnclosedHereDocument, pending.start, pending.end);
        }
    }

    /// The heredocs of a substitution whose `)` came first. Bash warns, and takes the bodies from behind the line.
    pub(super) fn read_late_here_documents(&mut self) {
        let Some(pending) = self.pending.first() else { return };
        self.error(SyntaxErrorKind::UnclosedHereDocument, pending.start, pending.end);
        let here = self.pos;
        let line_end = self.find(b'\n', here).unwrap_or(self.end().max(here));
        let behind = match self.taken_lines {
            Some((taken_end, behind)) if taken_end == line_end => behind,
            _ => line_end + 1,
        };
        self.spend_on_bytes(line_end - here);
        self.pos = behind;
        self.read_here_documents();
        self.taken_lines = Some((line_end, self.pos));
        self.pos = here;
    }

    fn read_here_document(&mut self, pending: &Pending<'t>) {
        let start = self.pos;
        let lines = self.here_document_lines(pending, start);
        if !self.spend_on_bytes(lines.behind.saturating_sub(start)) {
            return;
        }
        if !lines.closed {
            self.error(SyntaxErrorKind::UnclosedHereDocument, pending.start, pending.end);
        }
        let body = self.nested(|parser| parser.here_document_body(pending, start, lines.end));
        pending.document.fill(body, self.span_of(start, lines.end));
        self.pos = lines.behind;
    }

    /// Looks for the line that is the delimiter.
    fn here_document_lines(&mut self, pending: &Pending<'t>, start: usize) -> Lines {
        let mut line = start;
        while line < self.end() {
            let mut line_end = self.find(b'\n', line).unwrap_or(self.end());
            let mut joined = None;
            // In an unquoted heredoc a line that ends in a backslash goes on in the next one, and the delimiter is
            // looked for in the joined line.
            while !pending.document.quoted && line_end < self.end() && self.odd_backslashes_before(line_end, line) {
                let next_end = self.find(b'\n', line_end + 1).unwrap_or(self.end());
                let text: &mut String = joined.get_or_insert_with(|| self.slice(line, line_end).to_owned());
                text.pop();
                text.push_str(self.slice(line_end + 1, next_end));
                line_end = next_end;
            }
            let text = joined.as_deref().unwrap_or_else(|| self.slice(line, line_end));
            let content = if pending.strip_tabs { text.trim_start_matches('\t') } else { text };
            if content == pending.delimiter {
                return Lines { end: line, behind: (line_end + 1).min(self.end()), closed: true };
            }
            if self.in_substitution
                && let Some(rest) = content.strip_prefix(pending.delimiter.as_str())
                && rest.contains(')')
                && joined.is_none()
            {
                // Bash 5 lets the delimiter be followed by the `)` of the substitution; other shells and versions
                // differ, and about other text before the `)` all the more.
                let behind = line_end - rest.len();
                if !rest.trim_start_matches([' ', '\t']).starts_with(')') || self.dialect != Dialect::Bash {
                    self.error(SyntaxErrorKind::UnclosedHereDocument, pending.start, pending.end);
                }
                return Lines { end: line, behind, closed: true };
            }
            line = line_end + 1;
        }
        Lines { end: self.end().max(start), behind: self.end().max(start), closed: false }
    }

    fn odd_backslashes_before(&self, at: usize, start: usize) -> bool {
        let before = self.text.as_bytes().get(start..at).unwrap_or_default();
        before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
    }

    fn here_document_body(&mut self, pending: &Pending<'t>, start: usize, end: usize) -> &'t [WordPart<'t>] {
        if !pending.strip_tabs {
            if pending.document.quoted {
                return self.arena.list(&[WordPart::SingleQuoted(self.slice(start, end))]);
            }
            return self.up_to(end, |parser| {
                parser.go_to(start);
                parser.quoted_parts(Quoting::HereDocument)
            });
        }
        let mut stripped = Rewritten::default();
        let mut line = start;
        let mut joins = false;
        while line < end {
            let line_end = self.find(b'\n', line).map_or(end, |newline| newline + 1).min(end);
            let text = self.slice(line, line_end);
            let kept = if joins { text } else { text.trim_start_matches('\t') };
            stripped.append(kept, line + (text.len() - kept.len()), &self.origin);
            joins = !pending.document.quoted && self.odd_backslashes_before(line_end.saturating_sub(1), line);
            line = line_end;
        }
        if pending.document.quoted {
            return self.arena.list(&[WordPart::SingleQuoted(self.arena.text(&stripped.text))]);
        }
        if !self.spend(stripped.stretches() / 2) {
            return &[];
        }
        self.within(&stripped.text, stripped.origin, |parser| parser.quoted_parts(Quoting::HereDocument))
    }
}
