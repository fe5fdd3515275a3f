//! Code as tokens. One lexer for all the languages of this room: what differs between them is a [`Flavour`].
//!
//! It never fails: what it cannot read becomes a sign, and a text that ends inside a quotation is said to be confused.

mod flavour;
mod interpolation;
mod quotes;
mod regex;

pub(super) use flavour::Flavour;

use crate::shell::Language;

/// A part of a quoted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Text as it is, escapes resolved.
    Text(String),
    /// Code whose value is put in.
    Code(String),
}

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An identifier or keyword; a variable with its sigil.
    Name(Box<str>),
    /// A quoted text.
    Text(Vec<Part>),
    /// A quoted command: backticks, `qx`, `%x`.
    Command(Vec<Part>),
    /// A list of words: `qw(a b)`, `%w[a b]`.
    Words(Vec<String>),
    /// A pattern of file names: `<*.txt>`.
    Glob(String),
    /// A handle that is read: `<>`, `<STDIN>`.
    ReadLine(Box<str>),
    /// A regular expression.
    Pattern,
    /// A substitution, and its replacement if that is code: `s/a/b/e`.
    Replacement(String),
    /// A number.
    Number(i64),
    /// An opening bracket.
    Open(char),
    /// A closing bracket.
    Close(char),
    /// An operator.
    Sign(&'static str),
    /// The end of a line, or a semicolon.
    End,
}

/// The tokens of a text.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    /// In order.
    pub(super) all: Vec<Token>,
    /// The first token of each line that is not within brackets, and how far the line is indented.
    pub(super) lines: Vec<(usize, usize)>,
    /// Whether the text ends where no text of this language can end, so that the reading may be wrong.
    pub(super) confused: bool,
}

/// Reads a text of a language.
pub(super) fn lex(text: &str, language: Language) -> Tokens {
    let mut lexer = Lexer {
        text,
        at: 0,
        flavour: Flavour::of(language),
        tokens: Tokens::default(),
        heredoc: Vec::new(),
        misses: 0,
        open: 0,
    };
    lexer.skip_shebang();
    if language == Language::Php && text.contains("<?") {
        // What `-r` and `eval` get is code from its first letter on; a page may begin with any words. Both readings
        // count, and one of them is bound to be wrong: that it does not come out even says nothing.
        let mut as_code = true;
        if !text.trim_start().starts_with('<') {
            lexer.read_on();
            lexer.push(Token::End);
            as_code = std::mem::take(&mut lexer.tokens.confused);
            (lexer.at, lexer.heredoc) = (0, Vec::new());
        }
        lexer.skip_markup();
        lexer.read_on();
        lexer.tokens.confused &= as_code;
        return lexer.tokens;
    }
    lexer.read_on();
    lexer.tokens
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    flavour: Flavour,
    tokens: Tokens,
    /// Where the bodies of here-documents of the current line begin and end; they are skipped at its end.
    heredoc: Vec<usize>,
    /// How many slashes looked like a pattern and were none.
    misses: u32,
    /// How many brackets are open.
    open: usize,
}

/// The operators, longer ones before shorter ones with the same beginning.
const SIGNS: &[&str] = &[
    "===", "!==", "...", "**=", "<=>", "||=", "&&=", "??=", "//=", "->", "=>", "::", "..", "&&", "||", "|&", "|>",
    "==", "!=", "<=", ">=", "+=", "-=", ".=", "*=", "/=", "%=", "|=", "&=", "=~", "!~", "?.", "??", "**", "++", "--",
    "<<", ">>", ":=", "~=", "+", "-", "*", "/", "%", "=", "<", ">", "!", "?", ":", ",", ".", "&", "|", "^", "~", "@",
    "$", "\\", "#", "'", "\"", "`",
];

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn starts(&self, prefix: &str) -> bool {
        self.rest().starts_with(prefix)
    }

    fn bump(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    fn push(&mut self, token: Token) {
        self.tokens.all.push(token);
    }

    fn skip_shebang(&mut self) {
        if self.starts("#!") {
            self.skip_line();
        }
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or(rest);
        // The end of the code ends a comment in it as well.
        let line = line.split("?>").next().filter(|_| self.flavour.html).unwrap_or(line);
        // Where a carriage return is a blank, nobody writes one into a comment who does not want it to be mistaken.
        self.tokens.confused |= line.trim_end_matches('\r').contains('\r') || self.escapes_in(line);
        self.at += line.len();
    }

    /// Whether a letter of a comment is written as its number, which Java reads before anything else: such a comment may
    /// end within its line.
    fn escapes_in(&self, comment: &str) -> bool {
        self.flavour.escapes_everywhere && comment.contains("\\u")
    }

    /// Reads to the end of the text.
    fn read_on(&mut self) {
        while self.at < self.text.len() {
            let before = self.at;
            self.next();
            // Whatever went wrong, it must not go on for ever, nor stand within a character.
            if self.at <= before || !self.text.is_char_boundary(self.at) {
                self.tokens.confused = true;
                self.at = self.at.max(before + 1);
                while self.at < self.text.len() && !self.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
            }
        }
    }

    /// Moves behind the next occurrence of `mark`; to the end of the text if there is none.
    fn skip_past(&mut self, mark: &str) {
        match self.rest().find(mark) {
            Some(found) => self.at += found + mark.len(),
            None => self.at = self.text.len(),
        }
    }

    /// Skips the text around `<?php … ?>`.
    fn skip_markup(&mut self) {
        match self.rest().find("<?") {
            Some(found) => {
                self.at += found + 2;
                let prints = self.starts("=");
                self.at += if prints { 1 } else { self.rest().find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(0) };
                if prints {
                    self.push(Token::Name("echo".into()));
                }
            }
            None => self.at = self.text.len(),
        }
    }

    /// Whether an operand has just ended, so that a slash divides and a percent sign takes the remainder.
    fn after_operand(&self) -> bool {
        match self.tokens.all.last() {
            Some(Token::Name(name)) => !flavour::precedes_expression(name),
            Some(Token::Close(')')) => !(self.flavour.page_comments && self.after_condition()),
            Some(Token::Close(close)) => *close != '}' || !self.flavour.brace_ends_statement,
            Some(
                Token::Text(_)
                | Token::Command(_)
                | Token::Words(_)
                | Token::Pattern
                | Token::Glob(_)
                | Token::ReadLine(_)
                | Token::Replacement(_)
                | Token::Number(_),
            ) => true,
            Some(Token::Sign(sign)) => matches!(*sign, "++" | "--"),
            Some(Token::Open(_) | Token::End) | None => false,
        }
    }

    /// Whether the bracket that has just closed holds a condition, so that a statement begins: `if (x) /…/.test(y)`.
    fn after_condition(&self) -> bool {
        const FARTHEST: usize = 256;
        let mut depth = 0_usize;
        let mut before = self.tokens.all.iter().rev().take(FARTHEST);
        while let Some(token) = before.next() {
            match token {
                Token::Close(_) => depth += 1,
                Token::Open(_) if depth <= 1 => {
                    return matches!(
                        before.next(),
                        Some(Token::Name(word)) if matches!(&**word, "if" | "while" | "for" | "with")
                    );
                }
                Token::Open(_) => depth -= 1,
                _ => {}
            }
        }
        false
    }

    /// Whether there is white space right before the current position.
    fn after_space(&self) -> bool {
        self.text.get(..self.at).and_then(|before| before.chars().next_back()).is_none_or(char::is_whitespace)
    }

    fn next(&mut self) {
        let Some(letter) = self.peek() else { return };
        match letter {
            '\n' => {
                self.at += 1;
                if let Some(end) = self.heredoc.pop() {
                    self.heredoc.clear();
                    self.at = end.max(self.at);
                }
                if self.flavour.newline_ends {
                    self.end_statement();
                }
                self.begin_line();
            }
            ';' => {
                self.at += 1;
                if self.flavour.semicolon_comments {
                    self.skip_line();
                } else {
                    self.end_statement();
                }
            }
            letter if letter.is_whitespace() => self.at += letter.len_utf8(),
            '\\' if self.rest().get(1..).is_some_and(|rest| rest.starts_with('\n')) => self.at += 2,
            _ if self.comment() => {}
            _ if self.quoted(letter) => {}
            letter if letter.is_ascii_digit() => self.number(),
            letter if self.begins_name(letter) => self.name(),
            '(' | '[' | '{' => {
                self.at += 1;
                self.open += 1;
                self.push(Token::Open(letter));
            }
            ')' | ']' | '}' => {
                self.at += 1;
                self.open = self.open.saturating_sub(1);
                self.push(Token::Close(letter));
            }
            _ => self.sign(letter),
        }
    }

    /// Remembers how far a line is indented that begins here.
    fn begin_line(&mut self) {
        let indent = self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | 0x0c)).count();
        let holds = self.rest().as_bytes().get(indent).is_some_and(|byte| !matches!(byte, b'\n' | b'\r' | b'#'));
        if holds && self.open == 0 {
            self.tokens.lines.push((self.tokens.all.len(), indent));
        }
    }

    fn end_statement(&mut self) {
        if self.tokens.all.last() != Some(&Token::End) {
            self.push(Token::End);
        }
    }

    /// Skips a comment, if one begins here.
    fn comment(&mut self) -> bool {
        let flavour = &self.flavour;
        if flavour.hash_comments && self.starts("#") {
            // `$#array` and the length operator are no comments; neither is the attribute of PHP.
            if flavour.long_brackets || self.starts("#[") && flavour.html {
                return false;
            }
            self.skip_line();
        } else if flavour.slash_comments && self.starts("//") && !(flavour.slash_is_operator && self.after_operand()) {
            self.skip_line();
        } else if flavour.slash_comments && self.starts("/*") {
            let rest = self.rest();
            self.tokens.confused |= self.escapes_in(rest.split("*/").next().unwrap_or(rest));
            self.at += 2;
            self.skip_past("*/");
        } else if flavour.page_comments && self.is_page_comment() {
            // It is one in a script and an operator in a module.
            self.tokens.confused = true;
            self.skip_line();
        } else if flavour.dash_comments && self.starts("--") {
            self.at += 2;
            match self.long_bracket() {
                Some(close) => self.skip_past(&close),
                None => self.skip_line(),
            }
        } else if flavour.block_comments && self.at_line_start() && self.starts("=") {
            // Documentation in Perl (`=pod … =cut`) and Ruby (`=begin … =end`).
            if !self.rest().get(1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic())) {
                return false;
            }
            match ["\n=cut", "\n=end"].iter().filter_map(|mark| self.rest().find(mark)).min() {
                Some(found) => self.at += found + 5,
                None => self.at = self.text.len(),
            }
            self.skip_line();
        } else if flavour.html && self.starts("?>") {
            self.at += 2;
            self.end_statement();
            self.skip_markup();
        } else if flavour.block_comments && self.at_line_start() && (self.starts("__END__") || self.starts("__DATA__"))
        {
            self.at = self.text.len();
        } else {
            return false;
        }
        true
    }

    /// Whether a comment of a page stands here: `<!--` anywhere, `-->` as the first of its line.
    fn is_page_comment(&self) -> bool {
        let first = || {
            let before = self.text.get(..self.at).unwrap_or_default().trim_end_matches([' ', '\t', '\u{c}']);
            before.is_empty() || before.ends_with('\n') || before.ends_with("*/")
        };
        self.starts("<!--") || self.starts("-->") && first()
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || self.text.get(..self.at).is_some_and(|before| before.ends_with('\n'))
    }

    /// The closing mark of a long bracket (`[[`, `[=[`) that opens here; moves behind the opening one.
    fn long_bracket(&mut self) -> Option<String> {
        let inner = self.rest().strip_prefix('[')?;
        let level = inner.len() - inner.trim_start_matches('=').len();
        if !inner.get(level..)?.starts_with('[') {
            return None;
        }
        self.at += level + 2;
        Some(format!("]{}]", "=".repeat(level)))
    }

    fn begins_name(&self, letter: char) -> bool {
        match letter {
            '_' => true,
            '$' => self.flavour.dollar_names || self.flavour.sigils,
            '@' | '%' | '&' if self.flavour.sigils && !self.flavour.html && !self.after_operand() => {
                let mut following = self.rest().chars().skip(1);
                following.next().is_some_and(|next| next == '_' || next == '$' || next == '{' || next.is_alphabetic())
            }
            '@' if self.flavour.at_names => {
                self.rest().chars().nth(1).is_some_and(|next| next.is_alphabetic() || next == '_' || next == '@')
            }
            letter => letter.is_alphabetic(),
        }
    }

    fn name(&mut self) {
        let start = self.at;
        let first = self.bump().unwrap_or_default();
        if matches!(first, '$' | '@' | '%' | '&') {
            self.sigil(first);
        }
        let dash = self.flavour.dashes_in_names;
        let mut rest = self.rest().chars().peekable();
        while let Some(letter) = rest.next() {
            let inside = letter == '_'
                || letter.is_alphanumeric()
                || letter == '$' && self.flavour.dollar_names
                || letter == '.' && self.flavour.dots_in_names
                || letter == '-' && dash && rest.peek().is_some_and(|next| next.is_alphabetic());
            let final_mark = matches!(letter, '!' | '?') && self.flavour.marks_in_names && rest.peek() != Some(&'=');
            if !inside && !final_mark {
                break;
            }
            self.at += letter.len_utf8();
            if final_mark {
                break;
            }
        }
        let name = self.text.get(start..self.at).unwrap_or_default();
        // Python takes such letters for the plain ones that they look like.
        self.tokens.confused |= !name.is_ascii() && self.flavour.prefixed_quotes && name.chars().any(stands_for_plain);
        self.push(Token::Name(name.into()));
    }

    /// Reads what stands behind a sigil and is not an ordinary name, such as `$_`, `$/`, `@{`, `$#x`.
    fn sigil(&mut self, sigil: char) {
        // A variable whose name is computed may be any.
        self.tokens.confused |= sigil == '$' && self.flavour.html && (self.starts("$") || self.starts("{"));
        // `$^I` makes Perl write every file anew that it reads.
        self.tokens.confused |= sigil == '$' && self.flavour.perl_quotes && self.starts("^I");
        match self.peek() {
            Some(mark) if sigil == '$' && self.flavour.punctuation_variables => {
                let length_of = mark == '#'
                    && self
                        .rest()
                        .chars()
                        .nth(1)
                        .is_some_and(|next| next == '{' || next == '$' || next.is_alphabetic());
                let special = "/\\\"'`;!@&,.|+-?<>()[]0123456789".contains(mark) && !self.flavour.html;
                if length_of || special || mark == '$' {
                    self.at += 1;
                }
            }
            Some('@' | '$') if sigil == '@' => self.at += 1,
            _ => {}
        }
    }

    fn number(&mut self) {
        let rest = self.rest();
        let length = rest
            .char_indices()
            .find(|(at, letter)| {
                let dot = *letter == '.'
                    && rest.get(at + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
                !(letter.is_ascii_alphanumeric() || *letter == '_' || dot)
            })
            .map_or(rest.len(), |(at, _)| at);
        let word: String = rest.get(..length).unwrap_or_default().chars().filter(|letter| *letter != '_').collect();
        self.at += length;
        let lower = word.to_ascii_lowercase();
        let value = match lower.get(..2) {
            Some("0x") => i64::from_str_radix(lower.get(2..).unwrap_or_default(), 16),
            Some("0o") => i64::from_str_radix(lower.get(2..).unwrap_or_default(), 8),
            Some("0b") => i64::from_str_radix(lower.get(2..).unwrap_or_default(), 2),
            _ if lower.len() > 1 && lower.starts_with('0') && lower.bytes().all(|byte| byte.is_ascii_digit()) => {
                i64::from_str_radix(&lower, 8)
            }
            _ => lower.trim_end_matches(['l', 'n']).parse(),
        };
        let value = value.ok().or_else(|| with_exponent(&lower));
        self.push(Token::Number(value.unwrap_or(-1)));
    }

    fn sign(&mut self, letter: char) {
        if self.flavour.arrow_assigns && self.starts("<-") {
            self.at += 2;
            self.push(Token::Sign("="));
            return;
        }
        // A letter of a name that is written as its number.
        self.tokens.confused |= self.flavour.page_comments && self.starts("\\u");
        let rest = self.rest();
        let first = rest.as_bytes().first();
        match SIGNS.iter().find(|sign| sign.as_bytes().first() == first && rest.starts_with(**sign)) {
            Some(sign) => {
                self.at += sign.len();
                self.push(Token::Sign(sign));
            }
            None => self.at += letter.len_utf8(),
        }
    }
}

/// Whether a letter is another form of plain letters: a long s, a ligature, a letter that is raised, wide, or of a
/// mathematical alphabet.
fn stands_for_plain(letter: char) -> bool {
    matches!(
        u32::from(letter),
        0xAA | 0xBA
            | 0x132..=0x133
            | 0x13F..=0x140
            | 0x149
            | 0x17F
            | 0x1C4..=0x1CC
            | 0x1F1..=0x1F3
            | 0x2B0..=0x2B8
            | 0x2E0..=0x2E4
            | 0x1D2C..=0x1D6A
            | 0x1D78
            | 0x1D9B..=0x1DBF
            | 0x2071
            | 0x207F
            | 0x2090..=0x209C
            | 0x2100..=0x214F
            | 0x2160..=0x217F
            | 0x2C7C..=0x2C7D
            | 0xFB00..=0xFB06
            | 0xFF21..=0xFF3A
            | 0xFF41..=0xFF5A
            | 0x1D400..=0x1D7FF
    )
}

/// `1e6`, if it is a whole number.
fn with_exponent(word: &str) -> Option<i64> {
    let (base, power) = word.split_once('e')?;
    let base: i64 = base.parse().ok()?;
    base.checked_mul(10_i64.checked_pow(power.parse().ok()?)?)
}

#[cfg(test)]
mod tests;
