//! `${…}`.

use signoff_model::Dialect;

use super::cursor::{begins_name, continues_name};
use super::parser::Parser;
use super::parts::Parts;
use super::quote::Quoting;
use super::tree::{Index, Parameter, ParameterOperation, ProcessKind, ReplaceWhich, SyntaxErrorKind, Word, WordPart};

/// The parameters whose name is one character.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
}

impl<'t> Parser<'t> {
    /// `${…}`, with the position after the brace and `start` at the dollar.
    pub(super) fn braced_parameter(&mut self, quoting: Quoting, start: usize) -> WordPart<'t> {
        if !self.spend(1) {
            return WordPart::Literal("");
        }
        if matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'|')) {
            return WordPart::Command(self.brace_substitution(start));
        }
        if let Some(name) = self.template() {
            let operation = ParameterOperation::Value;
            let span = self.span_from(start);
            return WordPart::Parameter(self.arena.node(Parameter {
                name,
                index: None,
                indirect: false,
                operation,
                span,
            }));
        }
        let flagged = self.dialect == Dialect::Zsh && self.zsh_flags();
        let mut indirect = false;
        let mut length = false;
        match self.peek() {
            Some(b'#') if self.counts() => {
                length = true;
                self.bump();
            }
            Some(b'!') if self.dialect != Dialect::Zsh && self.points() => {
                indirect = true;
                self.bump();
            }
            _ => {}
        }
        let name = self.parameter_name();
        let index = if !name.is_empty() && self.peek() == Some(b'[') { self.parameter_index() } else { None };
        let operation = match self.peek() {
            _ if name.is_empty() => self.unknown_operation(start),
            _ if length => self.length(start),
            Some(b'}') if flagged => ParameterOperation::Other(self.arena.node(Word::default())),
            _ => self.operation(quoting, indirect, start),
        };
        if !self.eat(b"}") {
            if self.peek().is_some() {
                self.error(SyntaxErrorKind::BadExpansion, start, self.pos);
                self.operand(b"}", quoting);
            }
            if !self.eat(b"}") {
                self.error(SyntaxErrorKind::UnclosedBracket, start, self.pos);
            }
        }
        let span = self.span_from(start);
        WordPart::Parameter(self.arena.node(Parameter { name, index, indirect, operation, span }))
    }

    /// Steps over the rest of `${{ name }}`, which a build server puts a value in for before a shell sees it. A shell that
    /// sees it reads over it and fails when it comes to run it: in either case it is a value that nobody knows.
    fn template(&mut self) -> Option<&'t str> {
        if self.dialect == Dialect::Zsh || self.peek() != Some(b'{') {
            return None;
        }
        let mut inside = String::new();
        let mut quotes = 0;
        let mut at = self.pos + 1;
        loop {
            match self.raw(at)? {
                b'}' if self.raw(at + 1) == Some(b'}') => break,
                b'{' | b'}' | b'$' | b'`' | b'"' | b'\\' | b'\n' => return None,
                b'\'' => quotes += 1,
                byte => inside.push(char::from(byte)),
            }
            at += 1;
        }
        if quotes % 2 != 0 || !self.spend(at - self.pos) {
            return None;
        }
        self.go_to(at + 2);
        Some(self.arena.text(&format!("{{{}}}", inside.trim())))
    }

    /// Whether the `#` that comes next asks for a length, and is not the parameter `#` itself.
    fn counts(&self) -> bool {
        match self.peek_after(1) {
            Some(byte) if continues_name(byte) => true,
            Some(b'}') => false,
            Some(byte) if is_special(byte) => matches!(self.peek_after(2), Some(b'}' | b'[')),
            Some(b'$' | b'{' | b'"' | b'(') => self.dialect == Dialect::Zsh,
            _ => false,
        }
    }

    /// Whether the `!` that comes next asks for the variable that a variable names.
    fn points(&self) -> bool {
        match self.peek_after(1) {
            Some(byte) if continues_name(byte) => true,
            Some(byte) if is_special(byte) => self.peek_after(2) == Some(b'}'),
            _ => false,
        }
    }

    fn parameter_name(&mut self) -> &'t str {
        match self.peek() {
            Some(first) if begins_name(first) => self.take_name(),
            Some(first) if first.is_ascii_digit() => self.parameter_number(),
            Some(first) if is_special(first) && !self.at_nested_expansion() => {
                let name = self.slice(self.pos, self.pos + 1);
                self.bump();
                name
            }
            _ => "",
        }
    }

    fn parameter_number(&mut self) -> &'t str {
        let mut number = String::new();
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            number.push(char::from(digit));
            self.bump();
        }
        self.arena.text(&number)
    }

    /// In zsh, `${${…}…}` and `${$(…)…}` take the value of another expansion, where bash has the parameter `$`.
    fn at_nested_expansion(&self) -> bool {
        self.dialect == Dialect::Zsh
            && self.peek() == Some(b'$')
            && self.peek_after(1).is_some_and(|byte| begins_name(byte) || matches!(byte, b'(' | b'{' | b'[' | b'$'))
    }

    fn parameter_index(&mut self) -> Option<Index<'t>> {
        let opening = self.pos;
        self.bump();
        let start = self.pos;
        let word = self.nested(|parser| parser.subscript_inside(start, b'}'));
        if !self.eat(b"]") {
            self.error(SyntaxErrorKind::BadExpansion, opening, self.pos);
        }
        match word.parts {
            [WordPart::Literal(text)] if *text == "@" => Some(Index::All),
            [WordPart::Literal(text)] if *text == "*" => Some(Index::Joined),
            _ => Some(Index::At(self.arena.node(word))),
        }
    }

    fn length(&mut self, start: usize) -> ParameterOperation<'t> {
        if self.peek() == Some(b'}') { ParameterOperation::Length } else { self.unknown_operation(start) }
    }

    fn operation(&mut self, quoting: Quoting, indirect: bool, start: usize) -> ParameterOperation<'t> {
        let Some(byte) = self.peek() else { return ParameterOperation::Value };
        match byte {
            b'}' => ParameterOperation::Value,
            b'*' | b'@' if indirect && self.peek_after(1) == Some(b'}') => {
                self.bump();
                ParameterOperation::NamesWithPrefix
            }
            b'-' | b'=' | b'?' | b'+' => {
                self.bump();
                self.conditional_operation(byte, false, quoting)
            }
            b':' => {
                self.bump();
                match self.peek() {
                    Some(operator @ (b'-' | b'=' | b'?' | b'+')) => {
                        self.bump();
                        self.conditional_operation(operator, true, quoting)
                    }
                    // `${name::=value}` assigns, whatever the variable had.
                    Some(next)
                        if self.dialect == Dialect::Zsh
                            && (!is_offset(next) || next == b':' && self.peek_after(1) == Some(b'=')) =>
                    {
                        ParameterOperation::Other(self.operand(b"}", quoting))
                    }
                    _ => self.substring(),
                }
            }
            b'#' | b'%' => {
                self.bump();
                let longest = self.eat(&[byte]);
                let pattern = self.pattern(b"}");
                if byte == b'#' {
                    ParameterOperation::RemovePrefix { longest, pattern }
                } else {
                    ParameterOperation::RemoveSuffix { longest, pattern }
                }
            }
            b'/' => self.replacement(),
            b'^' | b',' => {
                self.bump();
                let all = self.eat(&[byte]);
                ParameterOperation::ChangeCase { upper: byte == b'^', all, pattern: self.pattern(b"}") }
            }
            b'@' if self.peek_after(2) == Some(b'}') => {
                self.bump();
                let transform = self.peek().map_or('@', char::from);
                self.bump();
                ParameterOperation::Transform(transform)
            }
            b'~' => {
                self.bump();
                ParameterOperation::Other(self.pattern(b"}"))
            }
            _ => self.unknown_operation(start),
        }
    }

    fn conditional_operation(&mut self, operator: u8, or_empty: bool, quoting: Quoting) -> ParameterOperation<'t> {
        let word = self.operand(b"}", quoting);
        match operator {
            b'-' => ParameterOperation::Default { or_empty, word },
            b'=' => ParameterOperation::Assign { or_empty, word },
            b'?' => ParameterOperation::Require { or_empty, word },
            _ => ParameterOperation::Alternate { or_empty, word },
        }
    }

    fn substring(&mut self) -> ParameterOperation<'t> {
        let offset = self.substring_offset();
        let offset = self.arena.node(offset);
        let length = self.eat(b":").then(|| self.substring_length()).map(|length| self.arena.node(length));
        ParameterOperation::Substring { offset, length }
    }

    fn replacement(&mut self) -> ParameterOperation<'t> {
        self.bump();
        let which = match self.peek() {
            Some(b'/') => ReplaceWhich::All,
            Some(b'#') => ReplaceWhich::Prefix,
            Some(b'%') => ReplaceWhich::Suffix,
            _ => ReplaceWhich::First,
        };
        if which != ReplaceWhich::First {
            self.bump();
        }
        let pattern = self.pattern(b"/}");
        let with = if self.eat(b"/") { self.pattern(b"}") } else { self.arena.node(Word::default()) };
        ParameterOperation::Replace { which, pattern, with }
    }

    /// Something that this shell refuses, kept so that what is nested in it is seen.
    fn unknown_operation(&mut self, start: usize) -> ParameterOperation<'t> {
        let word = self.pattern(b"}");
        if self.dialect != Dialect::Zsh {
            self.error(SyntaxErrorKind::BadExpansion, start, self.pos);
        }
        ParameterOperation::Other(word)
    }

    /// A word after an operator. Inside double quotes it is quoted too.
    fn operand(&mut self, stops: &[u8], quoting: Quoting) -> &'t Word<'t> {
        if quoting == Quoting::None {
            return self.pattern(stops);
        }
        let start = self.pos;
        let parts = self.quoted_parts(Quoting::Operand);
        self.arena.node(Word { parts, span: self.span_from(start) })
    }

    /// A pattern after an operator. Inside double quotes it is unquoted all the same. Blanks and operators are text.
    fn pattern(&mut self, stops: &[u8]) -> &'t Word<'t> {
        let start = self.pos;
        let mut parts = Parts::new(self.arena);
        while let Some(byte) = self.peek() {
            match byte {
                _ if stops.contains(&byte) => break,
                b'<' | b'>' if self.peek_after(1) == Some(b'(') => {
                    let kind = if byte == b'<' { ProcessKind::Output } else { ProcessKind::Input };
                    self.process(kind, &mut parts);
                }
                _ => self.unquoted_piece(byte, &mut parts),
            }
        }
        self.arena.node(Word { parts: parts.finish(), span: self.span_from(start) })
    }

    /// In zsh, what stands between `${` and the name: `(flags)` and `^`, `=`, `~`, `+`.
    fn zsh_flags(&mut self) -> bool {
        let start = self.pos;
        if self.peek() == Some(b'(') {
            let close = self.find(b')', start).unwrap_or(start);
            let flags = self.slice(start + 1, close.max(start + 1));
            let harmless = !flags.is_empty() && flags.len() < 64 && !flags.contains(['e', '$', '`']);
            self.go_to(close.max(start) + 1);
            if !harmless {
                // The flag `e` expands the value once more, and so may run anything.
                self.error(SyntaxErrorKind::BadExpansion, start, self.pos);
            }
        }
        while matches!(self.peek(), Some(b'^' | b'=' | b'~' | b'+')) {
            self.bump();
        }
        self.pos != start
    }
}

/// Whether a byte begins an offset rather than a modifier of zsh.
fn is_offset(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b' ' | b'$' | b'(' | b'-' | b':')
}
