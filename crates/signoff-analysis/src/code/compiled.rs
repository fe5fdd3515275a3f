//! What languages that are compiled write differently: types before names, lists in braces, a preprocessor.

use super::{lexer::Token, reader::Reader, thing::Thing};

impl Reader<'_, '_> {
    /// Steps over the type in front of a name that is declared here: `FILE *f = …`, `std::string s = …`, `String[] a`.
    /// Tells whether there was one.
    pub(super) fn skip_type(&mut self) -> bool {
        if !matches!(self.peek(), Some(Token::Name(_))) {
            return false;
        }
        let mut offset = 1;
        loop {
            match (self.peek_at(offset), self.peek_at(offset + 1)) {
                (Some(Token::Sign("::" | ".")), Some(Token::Name(_))) => offset += 2,
                (Some(Token::Sign("<")), Some(Token::Name(_))) => {
                    // The parameters of a type hold names and a few signs, and nothing else.
                    let mut inner = offset + 1;
                    while inner < offset + 24
                        && matches!(
                            self.peek_at(inner),
                            Some(Token::Name(_) | Token::Sign("," | "::" | "." | "*" | "&" | "?" | "<" | "'"))
                        )
                    {
                        inner += 1;
                    }
                    match self.peek_at(inner) {
                        Some(Token::Sign(">" | ">>")) => offset = inner + 1,
                        _ => return false,
                    }
                }
                _ => break,
            }
        }
        while matches!(
            (self.peek_at(offset), self.peek_at(offset + 1)),
            (Some(Token::Open('[')), Some(Token::Close(']')))
        ) {
            offset += 2;
        }
        while let Some(Token::Sign("*" | "&" | "**" | "&&")) = self.peek_at(offset) {
            offset += 1;
        }
        let declares = matches!(self.peek_at(offset), Some(Token::Name(_)))
            && matches!(self.peek_at(offset + 1), Some(Token::Sign("=" | ":=") | Token::Open('[')));
        if declares {
            self.frame.at += offset;
        }
        declares
    }

    /// Whether the brace at the current position opens the elements of an array: `{"rm", "-rf", x}`.
    pub(super) fn holds_elements(&self) -> bool {
        let before = self.frame.at.checked_sub(1).and_then(|at| self.frame.tokens.get(at));
        matches!(before, Some(Token::Sign("=" | "," | "&") | Token::Open('(' | '{') | Token::Close(']')))
            || matches!(self.peek_at(1), Some(Token::Text(_)))
                && matches!(self.peek_at(2), Some(Token::Sign(",") | Token::Close('}')))
    }

    /// `[]string{"rm", "-rf"}`, `[...]string{…}`.
    pub(super) fn go_list(&mut self) -> Thing {
        let partner = self.partner(self.frame.at);
        let typed = matches!(self.frame.tokens.get(partner + 1), Some(Token::Name(_) | Token::Sign("*")));
        if !typed {
            return self.list();
        }
        self.frame.at = partner + 1;
        while matches!(self.peek(), Some(Token::Name(_) | Token::Sign("." | "*"))) {
            self.frame.at += 1;
        }
        if self.is_open('{') { Thing::List(self.bracketed('}').items) } else { Thing::unknown() }
    }

    /// Go gives a value and an error: `value, err := f()`.
    pub(super) fn go_results(&mut self, from: usize, to: usize, whole: &Thing) {
        let tokens = std::rc::Rc::clone(&self.frame.tokens);
        let mut value = Some(whole.clone());
        for token in tokens.get(from..to).unwrap_or_default() {
            if let Token::Name(name) = token {
                self.bind(name, value.take().unwrap_or_else(Thing::unknown));
            }
        }
    }
}

/// Code of C without the lines of the preprocessor; a name that it defines becomes a variable.
pub(super) fn preprocessed(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for line in text.lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        match directive.and_then(|directive| directive.strip_prefix("define ")) {
            Some(definition) => {
                let definition = definition.trim_start();
                if let Some((name, value)) = definition.split_once(char::is_whitespace)
                    && name.chars().all(|letter| letter == '_' || letter.is_ascii_alphanumeric())
                    && !value.trim_end().ends_with('\\')
                {
                    all.push_str(&format!("{name} = {};", value.trim().trim_end_matches(';')));
                }
            }
            None if directive.is_some() => {}
            None => all.push_str(line),
        }
        all.push('\n');
    }
    all
}
