//! Quoted texts: where strings, commands, word lists and here-documents begin and end.

use super::{
    Lexer, Part, Token,
    flavour::{Backtick, Interpolation},
    interpolation::{Escapes, Style, field, parts_of},
};

impl Lexer<'_> {
    /// Reads a quoted text, if one begins here.
    pub(super) fn quoted(&mut self, letter: char) -> bool {
        let flavour = self.flavour;
        match letter {
            '\'' if flavour.lifetimes && self.is_lifetime() => return false,
            '\'' if flavour.primes && self.is_prime() => return false,
            '~' if flavour.primes => return self.sigil_pattern(),
            '\'' | '"' => {
                let style = match letter {
                    _ if flavour.decimal_escapes => Style::DECIMAL,
                    '\'' if flavour.plain_single_quotes => Style::PLAIN,
                    '\'' => Style::ESCAPED,
                    _ if flavour.interpolation == Interpolation::Template => Style::ESCAPED,
                    _ => Style::with(flavour.interpolation),
                };
                self.string(letter, style);
            }
            '`' if flavour.backtick != Backtick::Nothing => {
                self.at += 1;
                let parts = self.until('`', Style::with(flavour.interpolation));
                let token = match flavour.backtick {
                    Backtick::Command => Token::Command(parts),
                    Backtick::Name => Token::Name(plain(&parts).into()),
                    Backtick::Template | Backtick::Nothing => Token::Text(parts),
                };
                self.push(token);
            }
            '[' if flavour.long_brackets => {
                let Some(close) = self.long_bracket() else { return false };
                let body = self.take_past(&close);
                self.push(Token::Text(vec![Part::Text(body)]));
            }
            '/' if flavour.slash_patterns && !self.after_operand() => return self.slash_pattern(),
            '<' if flavour.heredocs && self.starts("<<") => return self.here_document(),
            '<' if flavour.perl_quotes && (!self.after_operand() || self.after_function()) => return self.angle(),
            '%' if flavour.percent_quotes && (!self.after_operand() || self.after_space()) => return self.percent(),
            ':' if flavour.symbols => return self.symbol(),
            letter if flavour.prefixed_quotes && letter.is_ascii_alphabetic() => return self.prefixed(),
            'r' | 'b' | 'c' if flavour.rust_quotes => return self.rust_quote(),
            letter if flavour.perl_quotes && letter.is_ascii_lowercase() => return self.perl_quote(),
            'r' | 'R' if flavour.dots_in_names => return self.r_raw(),
            _ => return false,
        }
        true
    }

    /// A string in plain or triple quotes; the current letter is the quote.
    fn string(&mut self, quote: char, style: Style) {
        let triple = quote.to_string().repeat(3);
        if self.flavour.triple_quotes && self.starts(&triple) {
            self.at += 3;
            let body = self.take_past(&triple);
            let parts = parts_of(&body, style);
            self.push(Token::Text(parts));
            return;
        }
        self.at += 1;
        let parts = self.until(quote, style);
        self.push(Token::Text(parts));
    }

    /// The text up to `close`, which is consumed.
    fn take_past(&mut self, close: &str) -> String {
        let rest = self.rest();
        match rest.find(close) {
            Some(found) => {
                self.at += found + close.len();
                rest.get(..found).unwrap_or_default().to_owned()
            }
            None => {
                self.tokens.confused = true;
                self.at = self.text.len();
                rest.to_owned()
            }
        }
    }

    /// The parts of a text that ends with `close`, which is consumed. A backslash keeps the quote after it inside, and
    /// so does code that is put in.
    fn until(&mut self, close: char, style: Style) -> Vec<Part> {
        let body = self.raw_until(close, close, style);
        parts_of(body, style)
    }

    /// The raw text up to the closing mark of a pair that may nest.
    fn raw_until(&mut self, open: char, close: char, style: Style) -> &str {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(letter) = self.bump() {
            if letter == '\\' && style.escapes != Escapes::None {
                self.bump();
            } else if letter == close && depth == 0 {
                return self.text.get(start..self.at - letter.len_utf8()).unwrap_or_default();
            } else if letter == close {
                depth -= 1;
            } else if letter == open && open != close {
                depth += 1;
            } else if letter == '{' && style.braces {
                // Two of them are a brace.
                if self.peek() == Some('{') {
                    self.bump();
                } else if let Some(length) = field(self.rest()) {
                    self.at += length + 1;
                }
            } else if let Some(inner) = code_bracket(letter, style)
                && self.peek() == Some(inner.0)
            {
                self.bump();
                self.skip_code(inner.0, inner.1);
            } else if letter == '\n' && self.flavour.quotes_end_with_line && matches!(close, '\'' | '"') {
                // No string of this language runs over a line: the quote was something else.
                self.tokens.confused = true;
                return self.text.get(start..self.at - 1).unwrap_or_default();
            }
        }
        self.tokens.confused = true;
        self.text.get(start..).unwrap_or_default()
    }

    /// Skips code inside a text up to its closing bracket; quotes inside the code may hold brackets.
    fn skip_code(&mut self, open: char, close: char) {
        let mut depth = 0_usize;
        let mut quote = None;
        while let Some(letter) = self.bump() {
            match quote {
                Some(_) if letter == '\\' => {
                    self.bump();
                }
                Some(mark) if mark == letter => quote = None,
                Some(_) => {}
                None if matches!(letter, '\'' | '"' | '`') => quote = Some(letter),
                None if letter == open => depth += 1,
                None if letter == close && depth == 0 => return,
                None if letter == close => depth -= 1,
                None => {}
            }
        }
    }

    /// Python's `r''`, `b""`, `f'''…'''`.
    fn prefixed(&mut self) -> bool {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_alphabetic).take(4).count();
        let Some(quote @ ('\'' | '"')) = rest.get(length..).and_then(|rest| rest.chars().next()) else { return false };
        let prefix = rest.get(..length).unwrap_or_default().to_ascii_lowercase();
        if !matches!(prefix.as_str(), "r" | "b" | "u" | "f" | "t" | "br" | "rb" | "fr" | "rf" | "tr" | "rt") {
            return false;
        }
        self.at += length;
        let raw = prefix.contains('r');
        let style = Style {
            escapes: if raw { Escapes::None } else { Escapes::All },
            interpolation: Interpolation::Nothing,
            braces: prefix.contains('f') || prefix.contains('t'),
        };
        if raw && !self.starts(&quote.to_string().repeat(3)) {
            // In a raw string a backslash stays, but the quote behind it does not end the text.
            self.at += 1;
            let body = self.raw_until(quote, quote, Style { braces: style.braces, ..Style::PLAIN }).to_owned();
            self.push(Token::Text(parts_of(&body, style)));
        } else {
            self.string(quote, style);
        }
        true
    }

    /// Whether the quote at the current position opens no text: `'static`, `'outer: loop`.
    fn is_lifetime(&self) -> bool {
        let mut letters = self.rest().chars().skip(1);
        letters.next().is_some_and(|first| first == '_' || first.is_alphabetic()) && letters.next() != Some('\'')
    }

    /// Whether a quote that stands close behind an operand is a sign of its own: `A'` in a calculation, `foldl'` as a name.
    /// With another quote behind it nobody knows, and what stands between them may be code.
    fn is_prime(&mut self) -> bool {
        if self.after_space() || !self.after_operand() {
            return false;
        }
        let rest = self.rest().get(1..).unwrap_or_default();
        if !rest.contains(['\'', '"', '`']) {
            return true;
        }
        let inner = rest.split('\'').next().unwrap_or(rest);
        self.tokens.confused |= inner.contains(['(', '`', ';', '\n']);
        false
    }

    /// A pattern of Elixir such as `~r/"/`, if nothing in it can be code of another language.
    fn sigil_pattern(&mut self) -> bool {
        let Some(inner) = self.rest().strip_prefix("~r/").or_else(|| self.rest().strip_prefix("~s/")) else {
            return false;
        };
        let Some((inner, _)) = inner.split_once('/') else { return false };
        if inner.contains(|letter: char| letter.is_whitespace() || "(`;={\\".contains(letter)) {
            return false;
        }
        self.at += inner.len() + 4;
        self.push(Token::Pattern);
        true
    }

    /// Rust's `r"…"`, `r#"…"#`, `br"…"` and `b"…"`.
    fn rust_quote(&mut self) -> bool {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_alphabetic).take(3).count();
        let prefix = rest.get(..length).unwrap_or_default();
        let behind = rest.get(length..).unwrap_or_default();
        let hashes = behind.bytes().take_while(|byte| *byte == b'#').take(32).count();
        if !matches!(prefix, "r" | "b" | "br" | "c" | "cr")
            || !behind.get(hashes..).is_some_and(|rest| rest.starts_with('"'))
        {
            return false;
        }
        self.at += length;
        if prefix.contains('r') {
            self.at += hashes + 1;
            let body = self.take_past(&format!("\"{}", "#".repeat(hashes)));
            self.push(Token::Text(vec![Part::Text(body)]));
            return true;
        }
        if hashes > 0 {
            self.at -= length;
            return false;
        }
        self.string('"', Style::ESCAPED);
        true
    }

    /// R's `r"(…)"`.
    fn r_raw(&mut self) -> bool {
        let Some(quote @ ('\'' | '"')) = self.rest().chars().nth(1) else { return false };
        let Some(open @ ('(' | '[' | '{')) = self.rest().chars().nth(2) else { return false };
        self.at += 3;
        let body = self.take_past(&format!("{}{quote}", closing(open)));
        self.push(Token::Text(vec![Part::Text(body)]));
        true
    }

    /// Perl's `q()`, `qq{}`, `qw[]`, `qx``, `m//`, `qr//`, `s///`, `tr///`.
    fn perl_quote(&mut self) -> bool {
        let rest = self.rest();
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let word = rest.get(..length).unwrap_or_default();
        if !matches!(word, "q" | "qq" | "qw" | "qx" | "m" | "qr" | "s" | "tr" | "y") {
            return false;
        }
        if matches!(self.tokens.all.last(), Some(Token::Sign("->"))) {
            return false;
        }
        let after = rest.get(length..).unwrap_or_default();
        let gap = after.len() - after.trim_start().len();
        let Some(open) = after.trim_start().chars().next() else { return false };
        // `-s $file` asks how large a file is, whatever stands before it.
        let close = self.text.get(..self.at).is_some_and(|before| before.ends_with('-'));
        if word == "s" && close && matches!(self.tokens.all.last(), Some(Token::Sign("-"))) && !"/?<=".contains(open) {
            return false;
        }
        // `s => 1`, `y = 2`, `{s}` are plain words; a comma or a closing bracket cannot quote here.
        let plain_word = open.is_alphanumeric()
            || matches!(open, ',' | ';' | ')' | '}' | ']' | '>')
            || open == '=' && (gap > 0 || after.trim_start().starts_with("=>"))
            || open == '#' && gap > 0
            || open == '_';
        if plain_word {
            return false;
        }
        self.at += length + gap + open.len_utf8();
        let close = closing(open);
        let interpolated = Style::with(self.flavour.interpolation);
        match word {
            "q" => {
                let body = self.raw_until(open, close, Style::PLAIN).to_owned();
                self.push(Token::Text(parts_of(&body, Style::PLAIN)));
            }
            "qq" | "qx" => {
                let body = self.raw_until(open, close, interpolated).to_owned();
                let parts = parts_of(&body, interpolated);
                self.push(if word == "qx" { Token::Command(parts) } else { Token::Text(parts) });
            }
            "qw" => {
                let body = self.raw_until(open, close, Style::PLAIN).to_owned();
                self.push(Token::Words(body.split_whitespace().map(str::to_owned).collect()));
            }
            word => self.pattern_behind(word, open, close),
        }
        true
    }

    /// The raw text of a delimited part, for the patterns.
    pub(super) fn delimited(&mut self, open: char, close: char) -> String {
        self.raw_until(open, close, Style::PLAIN).to_owned()
    }

    /// Ruby's `%w[]`, `%x()`, `%q()`, `%(…)`.
    fn percent(&mut self) -> bool {
        let mut letters = self.rest().chars().skip(1);
        let Some(kind) = letters.next() else { return false };
        let (kind, open, length) = match letters.next() {
            Some(open) if kind.is_ascii_alphabetic() && !open.is_alphanumeric() && !open.is_whitespace() => {
                (kind, open, 3)
            }
            _ if matches!(kind, '(' | '[' | '{' | '<' | '|' | '!') => ('Q', kind, 2),
            _ => return false,
        };
        if !"wWiIqQxrs".contains(kind) || !open.is_ascii() {
            return false;
        }
        self.at += length;
        let close = closing(open);
        let style =
            if matches!(kind, 'Q' | 'x' | 'W') { Style::with(self.flavour.interpolation) } else { Style::PLAIN };
        let body = self.raw_until(open, close, style).to_owned();
        if kind == 'W' && body.contains("#{") {
            return self.put_words(&body, style);
        }
        self.push(match kind {
            'w' | 'W' | 'i' | 'I' => Token::Words(body.split_whitespace().map(str::to_owned).collect()),
            'x' => Token::Command(parts_of(&body, style)),
            'r' => Token::Pattern,
            _ => Token::Text(parts_of(&body, style)),
        });
        true
    }

    /// Words with values put in: `%W[a #{b}]` is `["a", "#{b}"]`.
    fn put_words(&mut self, body: &str, style: Style) -> bool {
        self.push(Token::Open('['));
        let mut depth = 0_usize;
        let mut word = String::new();
        for letter in body.chars().chain([' ']) {
            match letter {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > 0 || !letter.is_whitespace() {
                word.push(letter);
            } else if !word.is_empty() {
                self.push(Token::Text(parts_of(&word, style)));
                self.push(Token::Sign(","));
                word.clear();
            }
        }
        self.tokens.confused |= !word.is_empty();
        self.push(Token::Close(']'));
        true
    }

    /// A symbol such as `:name` is a text.
    fn symbol(&mut self) -> bool {
        let rest = self.rest().get(1..).unwrap_or_default();
        let begins = rest.chars().next().is_some_and(|letter| letter.is_alphabetic() || letter == '_');
        if !begins || self.after_operand() && !self.after_space() {
            return false;
        }
        let length = rest
            .find(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '?' | '!')))
            .unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default().to_owned();
        self.at += length + 1;
        self.push(Token::Text(vec![Part::Text(name)]));
        true
    }

    /// Whether the name of a function has just ended and what follows stands close: `unlink <*.txt>`.
    fn after_function(&self) -> bool {
        let close = self.rest().chars().nth(1).is_some_and(|next| !next.is_whitespace() && next != '=');
        close && matches!(self.tokens.all.last(), Some(Token::Name(name)) if !name.starts_with(['$', '@', '%', '&']))
    }

    /// Perl's `<STDIN>`, `<>`, `<$handle>` and `<*.txt>`.
    fn angle(&mut self) -> bool {
        let rest = self.rest().get(1..).unwrap_or_default();
        let found = rest.char_indices().take(200).find(|(_, letter)| matches!(letter, '>' | '\n' | ';' | '='));
        let Some((length, _)) = found else { return false };
        if rest.as_bytes().get(length) != Some(&b'>') {
            return false;
        }
        let body = rest.get(..length).unwrap_or_default().to_owned();
        self.at += length + 2;
        let handle = body.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$' | ':'));
        self.push(if handle { Token::ReadLine(body.as_str().into()) } else { Token::Glob(body) });
        true
    }

    /// `<<EOF`, `<<'EOF'`, `<<~EOF`, `<<<EOT`: the body stands behind the current line.
    fn here_document(&mut self) -> bool {
        let php = self.flavour.html;
        let mark = if php { "<<<" } else { "<<" };
        let Some(after) = self.rest().strip_prefix(mark) else { return false };
        let after = if php { after.trim_start_matches([' ', '\t']) } else { after };
        let indent = after.strip_prefix(['~', '-']);
        if self.after_operand() && indent.is_none() {
            return false;
        }
        let word = indent.unwrap_or(after);
        let quote = word.chars().next().filter(|letter| matches!(letter, '\'' | '"' | '`'));
        let inner = word.get(quote.map_or(0, char::len_utf8)..).unwrap_or_default();
        let length = inner.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(inner.len());
        let Some(name) =
            inner.get(..length).filter(|name| !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()))
        else {
            return false;
        };
        let behind = inner.get(length..).unwrap_or_default();
        let closing = quote.filter(|quote| behind.starts_with(*quote)).map_or(0, char::len_utf8);
        self.at = self.text.len() - behind.len() + closing;
        let from = self.heredoc.last().copied().unwrap_or_else(|| {
            self.text
                .get(self.at..)
                .and_then(|rest| rest.find('\n'))
                .map_or(self.text.len(), |found| self.at + found + 1)
        });
        let mut body = String::new();
        let mut end = from;
        let mut closed = false;
        for line in self.text.get(from..).unwrap_or_default().split_inclusive('\n') {
            end += line.len();
            if line.trim().trim_end_matches([';', ',', ')']) == name {
                closed = true;
                break;
            }
            body.push_str(line);
        }
        self.tokens.confused |= !closed;
        self.heredoc.push(end);
        let style = if quote == Some('\'') { Style::RAW } else { Style::with(self.flavour.interpolation) };
        let parts = parts_of(&body, style);
        self.push(if quote == Some('`') { Token::Command(parts) } else { Token::Text(parts) });
        true
    }
}

/// The bracket that opens code behind this letter inside a text.
fn code_bracket(letter: char, style: Style) -> Option<(char, char)> {
    match (style.interpolation, letter) {
        (Interpolation::Hash, '#') | (Interpolation::Template, '$') => Some(('{', '}')),
        (Interpolation::Any, '$' | '#') => Some(('{', '}')),
        _ => None,
    }
}

/// The bracket that closes this one; the same mark if it is none.
pub(super) fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

fn plain(parts: &[Part]) -> String {
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) | Part::Code(text) => text.as_str(),
        })
        .collect()
}
