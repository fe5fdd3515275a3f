//! The tokens of SQL, read the way the servers read them: strings, quoted names, comments that are comments and
//! comments that run.

use std::collections::BTreeMap;

use super::Dialect;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A bare word or number, in lower case.
    Word(String),
    /// A quoted name.
    Name(String),
    /// The content of a string.
    Text(String),
    /// Any other character.
    Symbol(char),
}

impl Token {
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.word() == Some(text)
    }

    pub(super) fn is_symbol(&self, symbol: char) -> bool {
        *self == Self::Symbol(symbol)
    }

    /// The text of a word or a quoted name.
    pub(super) fn named(&self) -> Option<&str> {
        match self {
            Self::Word(word) | Self::Name(word) => Some(word),
            _ => None,
        }
    }
}

/// Whether a backslash in a string hides the quote behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Backslash {
    Escapes,
    IsText,
}

/// Splits a text into statements of tokens.
pub(super) fn statements(text: &str, dialect: Dialect, backslash: Backslash) -> Vec<Vec<Token>> {
    let mut reader = Reader { text, at: 0, dialect, backslash, running_comments: 0, marks: None };
    let mut all = Vec::new();
    let mut statement = Vec::new();
    while let Some(token) = reader.next_token() {
        if token.is_symbol(';') {
            all.push(std::mem::take(&mut statement));
        } else {
            statement.push(token);
        }
    }
    all.push(statement);
    all.retain(|statement| !statement.is_empty());
    all
}

/// A name in brackets has at most this many letters.
const LONGEST_NAME: usize = 128;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    dialect: Dialect,
    backslash: Backslash,
    running_comments: usize,
    /// Where the marks of dollar quotes stand, once one was met. The text is not looked through again for each of them.
    marks: Option<BTreeMap<&'t str, Vec<usize>>>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next_token(&mut self) -> Option<Token> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next()?;
            if first.is_whitespace() || first == '\u{feff}' {
                self.at += first.len_utf8();
            } else if rest.starts_with("--") || first == '#' && self.dialect == Dialect::MySql {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.comment();
            } else if rest.starts_with("*/") && self.running_comments > 0 {
                self.running_comments -= 1;
                self.at += 2;
            } else {
                return Some(self.token(first));
            }
        }
    }

    /// Skips a comment; of a comment that the server runs only the opening is skipped.
    fn comment(&mut self) {
        let rest = self.rest();
        let runs = matches!(self.dialect, Dialect::MySql | Dialect::Any);
        if runs && (rest.starts_with("/*!") || rest.starts_with("/*M!")) {
            let mark = rest.find('!').map_or(3, |at| at + 1);
            let digits = rest.get(mark..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
            self.at += mark + digits;
            self.running_comments += 1;
            return;
        }
        let nests = matches!(self.dialect, Dialect::Postgres | Dialect::TSql);
        let mut depth = 1;
        self.at += 2;
        while depth > 0 {
            let rest = self.rest();
            if rest.starts_with("*/") {
                depth -= 1;
                self.at += 2;
            } else if nests && rest.starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if let Some(letter) = rest.chars().next() {
                self.at += letter.len_utf8();
            } else {
                return;
            }
        }
    }

    fn token(&mut self, first: char) -> Token {
        match first {
            '\'' => Token::Text(self.quoted('\'', self.backslash)),
            '"' => Token::Name(self.quoted('"', self.backslash)),
            '`' => Token::Name(self.quoted('`', Backslash::IsText)),
            '[' if self.bracket_is_name() => {
                let end = self.rest().find(']').unwrap_or_default();
                let name = self.rest().get(1..end).unwrap_or_default().to_lowercase();
                self.at += end + 1;
                Token::Name(name)
            }
            '$' if self.dialect != Dialect::MySql => match self.dollar_quoted() {
                Some(text) => Token::Text(text),
                None => self.symbol(first),
            },
            letter if letter.is_alphanumeric() || matches!(letter, '_' | '@') => self.word(),
            other => self.symbol(other),
        }
    }

    fn symbol(&mut self, symbol: char) -> Token {
        self.at += symbol.len_utf8();
        Token::Symbol(symbol)
    }

    fn word(&mut self) -> Token {
        let rest = self.rest();
        let belongs = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '@' | '#');
        let end = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default().to_lowercase();
        self.at += end;
        if word == "e" && self.rest().starts_with('\'') {
            return Token::Text(self.quoted('\'', Backslash::Escapes));
        }
        Token::Word(word)
    }

    /// The content between quotes; a doubled quote stands for itself.
    fn quoted(&mut self, quote: char, backslash: Backslash) -> String {
        self.at += quote.len_utf8();
        let mut content = String::new();
        let mut letters = self.rest().char_indices().peekable();
        let mut end = self.rest().len();
        while let Some((at, letter)) = letters.next() {
            if letter == '\\' && backslash == Backslash::Escapes {
                content.extend(letters.next().map(|(_, escaped)| escaped));
            } else if letter == quote {
                if letters.peek().is_some_and(|(_, next)| *next == quote) {
                    letters.next();
                    content.push(quote);
                } else {
                    end = at + quote.len_utf8();
                    break;
                }
            } else {
                content.push(letter);
            }
        }
        self.at += end;
        content
    }

    /// Whether a bracket opens a name, as in Transact-SQL, and not an index.
    fn bracket_is_name(&self) -> bool {
        let before = self.text.get(..self.at).and_then(|before| before.chars().next_back());
        let indexes = before.is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, ']' | ')' | '_' | '"'));
        // No name is longer; a text full of brackets is not looked through for each of them.
        let near = self.rest().chars().take(LONGEST_NAME);
        let end = near.into_iter().find(|letter| matches!(letter, ']' | ';' | '\''));
        !indexes && end == Some(']')
    }

    fn dollar_quoted(&mut self) -> Option<String> {
        let rest = self.rest();
        let close = rest.get(1..)?.find('$')? + 1;
        let tag = rest.get(1..close)?;
        if !tag.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
            || tag.starts_with(|first: char| first.is_ascii_digit())
        {
            return None;
        }
        let mark = rest.get(..=close)?;
        let start = self.at + mark.len();
        let text = self.text;
        let places = self.marks.get_or_insert_with(|| marks(text)).get(mark)?;
        let end = *places.get(places.partition_point(|place| *place < start))?;
        let content = text.get(start..end)?.to_owned();
        self.at = end + mark.len();
        Some(content)
    }
}

/// Where each text from one dollar sign to the next stands.
fn marks(text: &str) -> BTreeMap<&str, Vec<usize>> {
    let mut all: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut signs = text.match_indices('$').map(|(at, _)| at).peekable();
    while let Some(at) = signs.next() {
        if let Some(mark) = signs.peek().and_then(|next| text.get(at..=*next)) {
            all.entry(mark).or_default().push(at);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_that_never_end_hide_none_that_do() {
        let open: Vec<String> = (0..40).map(|number| format!("\"a\"$b{number}$")).collect();
        let text = format!("select {} from t; select $x$'$x$; drop database prod; --'", open.join(", "));
        let statements = statements(&text, Dialect::Postgres, Backslash::IsText);
        assert!(statements.iter().any(|statement| statement.first().is_some_and(|first| first.is("drop"))), "{text}");
        assert!(statements.iter().flatten().any(|token| *token == Token::Text("'".to_owned())));
    }

    #[test]
    fn a_quote_ends_at_its_own_mark() {
        for (text, content) in [
            ("$$a$$", Some("a")),
            ("$x$a$$b$x$", Some("a$$b")),
            ("$x$a$xx$b$x$", Some("a$xx$b")),
            ("$x$$x$", Some("")),
            ("$x$a", None),
            ("$x$ $y$", None),
        ] {
            let found = statements(text, Dialect::Postgres, Backslash::IsText).into_iter().flatten().next();
            let found = found.and_then(|token| if let Token::Text(text) = token { Some(text) } else { None });
            assert_eq!(found.as_deref(), content, "{text}");
        }
    }
}
