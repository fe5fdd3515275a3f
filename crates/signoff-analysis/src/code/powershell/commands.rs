//! The text of a script as a tree: commands and their words.

use super::{
    parse::Parser,
    tree::{Element, ElementKind, Expression, Part, Redirect, Word},
};

impl Parser<'_> {
    pub(super) fn element(&mut self) -> Element {
        self.blanks();
        let rest = self.rest();
        let invoked = match self.peek() {
            Some('&') => true,
            Some('.') => rest.get(1..).is_some_and(|rest| rest.starts_with([' ', '\t', '\'', '"', '$', '(', '{'])),
            _ => false,
        };
        if invoked {
            self.bump();
            self.blanks();
            let name = self.argument();
            let mut element = self.command(name);
            if let ElementKind::Command { invoked, .. } = &mut element.kind {
                // Other shells have the dot as well.
                *invoked = rest.starts_with('&') || rest.starts_with(".{") || rest.starts_with(". {");
            }
            return element;
        }
        if self.begins_expression() {
            let expression = self.expression();
            let mut redirects = Vec::new();
            self.blanks();
            while self.redirect(&mut redirects) {
                self.blanks();
            }
            return Element { kind: ElementKind::Expression(expression), redirects };
        }
        let name = self.argument();
        self.command(name)
    }

    fn begins_expression(&self) -> bool {
        let rest = self.rest();
        match self.peek() {
            Some('$' | '(' | '\'' | '"' | '{' | '!' | ',' | '‘' | '’' | '“' | '”') => true,
            Some('@') => {
                rest.starts_with("@(") || rest.starts_with("@{") || rest.starts_with("@'") || rest.starts_with("@\"")
            }
            // `[ -f x ]` is no type.
            Some('[') => self.second().is_some_and(|letter| !letter.is_whitespace()),
            Some(letter) if letter.is_ascii_digit() => self.number_length().is_some(),
            Some('-' | '+') => {
                let behind = rest.get(1..).unwrap_or_default();
                behind.starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '$' | '('))
                    || ["not ", "not(", "not\t", "join", "split", "bnot"]
                        .iter()
                        .any(|word| behind.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))
                    || rest.starts_with("++")
                    || rest.starts_with("--$")
            }
            _ => false,
        }
    }

    fn command(&mut self, name: Expression) -> Element {
        self.lost |= is_of_another_shell(&name);
        let mut words = Vec::new();
        let mut redirects = Vec::new();
        let inside = std::mem::take(&mut self.inside);
        loop {
            self.blanks();
            match self.peek() {
                None | Some(';' | '\n' | '|' | ')' | '}' | '&') => break,
                Some(',') => self.bump(),
                // Nothing is read from a file like this.
                Some('<') => {
                    self.lost = true;
                    self.bump();
                }
                _ if self.redirect(&mut redirects) => {}
                Some('-') if self.second().is_some_and(|letter| letter.is_alphabetic() || letter == '?') => {
                    words.push(self.parameter());
                }
                Some('-') if self.rest().starts_with("--% ") => {
                    let rest = self.rest();
                    let end = rest.find(['\n', '|']).unwrap_or(rest.len());
                    let line = rest.get(4..end).unwrap_or_default();
                    words.extend(
                        line.split_whitespace().map(|word| Word::Argument(Expression::text(word.trim_matches('"')))),
                    );
                    self.at += end;
                }
                Some('@') if self.second().is_some_and(|letter| letter.is_alphabetic() || letter == '_') => {
                    self.bump();
                    let rest = self.rest();
                    let end =
                        rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(rest.len());
                    let splat = rest.get(..end).unwrap_or_default().to_ascii_lowercase();
                    // `@scope/name` is a bare word.
                    if rest.get(end..).is_some_and(|rest| rest.starts_with(['/', '.', '-'])) {
                        let word = self.bare(String::from("@"));
                        words.push(Word::Argument(word));
                    } else {
                        self.at += end;
                        words.push(Word::Splat(splat));
                    }
                }
                _ => {
                    let before = self.at;
                    words.push(Word::Argument(self.arguments()));
                    if self.at == before {
                        self.lost = true;
                        self.bump();
                    }
                }
            }
        }
        self.inside = inside;
        Element { kind: ElementKind::Command { name, words, invoked: false }, redirects }
    }

    fn parameter(&mut self) -> Word {
        let rest = self.rest();
        let end =
            rest.find(|letter: char| letter.is_whitespace() || ";|(){},&'\"$:`".contains(letter)).unwrap_or(rest.len());
        let raw = rest.get(..end).unwrap_or_default().to_owned();
        self.at += end;
        if self.peek() == Some(':') {
            self.bump();
            self.blanks();
            let value = (!matches!(self.peek(), None | Some(';' | '\n' | '|' | ')' | '}'))).then(|| self.arguments());
            return Word::Parameter { raw, value };
        }
        // `-DFOO="bar"`: the word goes on.
        if matches!(self.peek(), Some('\'' | '"' | '$')) && raw.contains('=') {
            return Word::Argument(self.bare(raw));
        }
        Word::Parameter { raw, value: None }
    }

    fn redirect(&mut self, redirects: &mut Vec<Redirect>) -> bool {
        let rest = self.rest();
        let stream = rest.starts_with(|letter: char| letter.is_ascii_digit() || letter == '*');
        let behind = if stream { rest.get(1..).unwrap_or_default() } else { rest };
        if !behind.starts_with('>') {
            return false;
        }
        self.at += usize::from(stream);
        let appends = self.eat(">>");
        if !appends {
            self.eat(">");
        }
        if self.eat("&1") || self.eat("&2") {
            return true;
        }
        self.blanks();
        let target = self.argument();
        redirects.push(Redirect { appends, target });
        true
    }

    /// An argument, or several with commas between them.
    fn arguments(&mut self) -> Expression {
        let first = self.argument();
        let mut all = vec![first];
        loop {
            let before = self.at;
            self.blanks();
            if self.peek() != Some(',') {
                self.at = before;
                break;
            }
            self.bump();
            self.lines();
            if matches!(self.peek(), None | Some(';' | '|' | ')' | '}')) {
                self.lost = true;
                break;
            }
            all.push(self.argument());
        }
        match all.len() {
            1 => all.pop().unwrap_or_else(|| Expression::text("")),
            _ => Expression::List(all),
        }
    }

    /// One argument: a bare word, or an expression of one part.
    pub(super) fn argument(&mut self) -> Expression {
        let rest = self.rest();
        let grouped = ["(", "$(", "@(", "@{", "{", "@'\n", "@\"\n"].iter().any(|opener| rest.starts_with(opener));
        let quoted = rest.starts_with(['\'', '"', '$', '‘', '’', '“', '”']);
        if grouped || quoted {
            let inside = std::mem::take(&mut self.inside);
            let first = self.postfixed();
            self.inside = inside;
            // The word goes on: `$HOME\.ssh`.
            if self.word_goes_on() {
                let mut parts = vec![Part::Inserted(first)];
                if let Expression::Text(more) = self.bare(String::new()) {
                    parts.extend(more);
                }
                return Expression::Text(parts);
            }
            return first;
        }
        self.bare(String::new())
    }

    fn word_goes_on(&self) -> bool {
        self.peek().is_some_and(|letter| !letter.is_whitespace() && !";|(){},&".contains(letter))
    }

    /// A bare word, behind what was read of it already.
    fn bare(&mut self, start: String) -> Expression {
        let mut parts = Vec::new();
        let mut text = start;
        while let Some(letter) = self.peek() {
            match letter {
                letter if letter.is_whitespace() || ";|(){},&".contains(letter) => break,
                '`' => {
                    self.bump();
                    text.extend(self.peek());
                    self.bump();
                }
                '\'' | '"' => {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                    let quoted = self.primary();
                    parts.push(Part::Inserted(quoted));
                }
                '$' if self.second().is_some_and(|next| next.is_alphanumeric() || "_({?".contains(next)) => {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                    let inserted = self.primary();
                    parts.push(Part::Inserted(inserted));
                }
                letter => {
                    text.push(letter);
                    self.bump();
                }
            }
        }
        parts.push(Part::Text(text));
        parts.retain(|part| *part != Part::Text(String::new()));
        Expression::Text(parts)
    }
}

/// Whether a command is named as only other shells name things: their keywords, and assignments.
fn is_of_another_shell(name: &Expression) -> bool {
    const WORDS: &[&str] = &[
        "then", "fi", "do", "done", "esac", "elif", "if", "for", "case", "while", "until", "[", "[[", "export",
        "local", "source", "else", "declare", "readonly", "unset", "shopt", "eval",
    ];
    let Expression::Text(parts) = name else { return false };
    let Some(Part::Text(first)) = parts.first() else { return false };
    let assigned = first.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '+')
    });
    assigned || parts.len() == 1 && WORDS.contains(&first.as_str())
}
