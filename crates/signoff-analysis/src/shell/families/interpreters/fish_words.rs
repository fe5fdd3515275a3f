//! fish, word by word: what stands between blanks and signs, as far as it means something that bash can say as well.

/// A word or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// What parts commands.
    Sign(&'static str),
    /// A redirection; its target is the next word.
    Redirect(String),
}

/// What stands between blanks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) parts: Vec<Part>,
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Text without quotes, in which patterns are alive.
    Plain(String),
    /// Text in quotes, as bash has it too, and what it holds if nothing is put into it.
    Quoted(String, Option<String>),
    /// All elements of a variable.
    Variable(String),
    /// What a command prints, a line each.
    Code(String),
}

impl Word {
    /// The text, if it is known and no pattern.
    pub(super) fn literal(&self) -> Option<String> {
        self.parts.iter().map(Part::literal).collect()
    }

    /// Whether it is this word, without quotes.
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self.parts.as_slice(), [Part::Plain(plain)] if plain == text)
    }

    /// Whether it is one word whatever it holds.
    pub(super) fn is_single(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Quoted(..)) || part.literal().is_some())
    }
}

impl Part {
    fn literal(&self) -> Option<&str> {
        match self {
            Self::Plain(text) if !text.contains(['*', '?']) => Some(text),
            Self::Quoted(_, text) => text.as_deref(),
            Self::Plain(_) | Self::Variable(_) | Self::Code(_) => None,
        }
    }
}

/// The words and signs of a text; none if it holds more than is understood here: escapes, indices, braces, comments.
pub(super) fn lex(text: &str) -> Option<Vec<Token>> {
    let mut lexer = Lexer { letters: text.chars().peekable(), tokens: Vec::new(), word: Word::default() };
    while let Some(letter) = lexer.letters.next() {
        lexer.letter(letter)?;
    }
    lexer.end_word();
    Some(lexer.tokens)
}

struct Lexer<'t> {
    letters: std::iter::Peekable<std::str::Chars<'t>>,
    tokens: Vec<Token>,
    word: Word,
}

impl Lexer<'_> {
    fn letter(&mut self, letter: char) -> Option<()> {
        match letter {
            '\n' | ';' => self.sign(";"),
            letter if letter.is_whitespace() => self.end_word(),
            '\'' => {
                let text = self.until('\'')?;
                self.word.parts.push(Part::Quoted(format!("'{text}'"), Some(text)));
            }
            '"' => self.double()?,
            '(' => self.code()?,
            '$' if self.letters.next_if_eq(&'(').is_some() => self.code()?,
            '$' => {
                let name = self.name()?;
                self.word.parts.push(Part::Variable(name));
            }
            '|' if self.letters.next_if_eq(&'|').is_some() => self.sign("||"),
            '|' => self.sign("|"),
            '&' if self.letters.next_if_eq(&'&').is_some() => self.sign("&&"),
            '&' if self.letters.next_if_eq(&'>').is_some() => self.redirect("&>")?,
            '&' if self.letters.peek() == Some(&'|') => return None,
            '&' => self.sign("&"),
            '>' => self.redirect(">")?,
            '<' => self.redirect("<")?,
            // By itself it is the name of a test; anywhere else it is an index or a pattern.
            '[' | ']'
                if self.word.parts.is_empty() && self.letters.peek().is_none_or(|next| " ;\n".contains(*next)) =>
            {
                self.plain(letter);
            }
            // In older ones these begin a redirection and a process.
            '^' | '%' if self.word.parts.is_empty() => return None,
            '~' if matches!(self.letters.peek(), Some('+' | '-')) => return None,
            '\\' | '`' | '{' | '}' | '#' | '[' | ']' | ')' => return None,
            letter if letter.is_control() => return None,
            letter => self.plain(letter),
        }
        Some(())
    }

    fn plain(&mut self, letter: char) {
        match self.word.parts.last_mut() {
            Some(Part::Plain(text)) => text.push(letter),
            _ => self.word.parts.push(Part::Plain(letter.to_string())),
        }
    }

    fn end_word(&mut self) {
        if !self.word.parts.is_empty() {
            self.tokens.push(Token::Word(std::mem::take(&mut self.word)));
        }
    }

    fn sign(&mut self, sign: &'static str) {
        self.end_word();
        self.tokens.push(Token::Sign(sign));
    }

    /// A redirection whose first signs these are. A number before it is the stream.
    fn redirect(&mut self, signs: &str) -> Option<()> {
        let stream = match self.word.parts.as_slice() {
            [Part::Plain(number)] if number.bytes().all(|byte| byte.is_ascii_digit()) => Some(number.clone()),
            _ => None,
        };
        if stream.is_some() {
            self.word.parts.clear();
        }
        self.end_word();
        let mut signs = format!("{}{signs}", stream.unwrap_or_default());
        if signs.ends_with('>') && self.letters.next_if_eq(&'>').is_some() {
            signs.push('>');
        } else if let Some(sign) = self.letters.next_if_eq(&'&') {
            signs.push(sign);
        }
        // Those that mind what is there, and what bash would take for the output of a program.
        if matches!(self.letters.peek(), Some('?' | '|' | '(' | '<' | '>' | '&')) {
            return None;
        }
        self.tokens.push(Token::Redirect(signs));
        Some(())
    }

    /// The text up to a quote.
    fn until(&mut self, end: char) -> Option<String> {
        let mut text = String::new();
        loop {
            match self.letters.next()? {
                letter if letter == end => return Some(text),
                '\\' => return None,
                letter => text.push(letter),
            }
        }
    }

    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        while let Some(letter) = self.letters.next_if(|letter| letter.is_ascii_alphanumeric() || *letter == '_') {
            name.push(letter);
        }
        // An index, or the variable whose name another one holds.
        (!name.is_empty() && self.letters.peek() != Some(&'[')).then_some(name)
    }

    /// A text in double quotes: variables in it are one text, with blanks between their elements.
    fn double(&mut self) -> Option<()> {
        let mut text = String::from("\"");
        let mut literal = Some(String::new());
        loop {
            match self.letters.next()? {
                '"' => break,
                // Only newer ones substitute there.
                '\\' | '`' | '(' => return None,
                '$' => {
                    let name = self.name()?;
                    text.push_str(&joined(&name)?);
                    literal = None;
                }
                letter => {
                    text.push(letter);
                    literal.iter_mut().for_each(|literal| literal.push(letter));
                }
            }
        }
        text.push('"');
        self.word.parts.push(Part::Quoted(text, literal));
        Some(())
    }

    /// A substitution, up to the bracket that closes it.
    fn code(&mut self) -> Option<()> {
        let mut code = String::new();
        let (mut depth, mut quote) = (1_usize, None);
        loop {
            let letter = self.letters.next()?;
            match (quote, letter) {
                (Some(open), letter) if letter == open => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(letter),
                (None, '(') => depth += 1,
                (None, ')') if depth == 1 => break,
                (None, ')') => depth -= 1,
                (None, _) => {}
            }
            code.push(letter);
        }
        self.word.parts.push(Part::Code(code));
        Some(())
    }
}

/// A variable within quotes, as bash has it; none if bash has nothing like it.
pub(super) fn joined(name: &str) -> Option<String> {
    match name {
        "argv" => Some("$*".to_owned()),
        "status" => Some("$?".to_owned()),
        name if is_own(name) => None,
        name => Some(format!("${{{name}[*]}}")),
    }
}

/// Whether fish itself gives a variable its value.
pub(super) fn is_own(name: &str) -> bool {
    name.starts_with("fish")
        || name.starts_with("__")
        || matches!(name, "history" | "pipestatus" | "last_pid" | "version" | "umask" | "CMD_DURATION" | "_")
}
