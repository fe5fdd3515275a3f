//! Regular expressions and substitutions: skipped, except a replacement that is code.

use super::{
    Lexer, Part, Token,
    flavour::Interpolation,
    interpolation::{Style, parts_of},
    quotes::closing,
};

/// Whether a pattern of Perl holds code.
fn runs_code(pattern: &str) -> bool {
    ["(?{", "(??{", "@{[", "${\\"].iter().any(|mark| pattern.contains(mark))
}

impl Lexer<'_> {
    /// A pattern between slashes, if one begins here.
    pub(super) fn slash_pattern(&mut self) -> bool {
        if self.misses > 32 {
            return false;
        }
        let mut in_class = false;
        let mut escaped = false;
        for (at, letter) in self.rest().char_indices().skip(1) {
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' => break,
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => {
                    let pattern = self.rest().get(1..at).unwrap_or_default();
                    self.tokens.confused |= self.flavour.perl_quotes && runs_code(pattern);
                    let code = self.code_in_pattern(pattern);
                    self.at += at + 1;
                    self.skip_flags();
                    self.push_pattern(code);
                    return true;
                }
                _ => {}
            }
        }
        // A slash without its partner costs a look at the whole line, so this happens only a few times.
        self.misses += 1;
        false
    }

    /// The code whose values are put into a pattern of Ruby.
    fn code_in_pattern(&self, pattern: &str) -> Vec<Part> {
        if self.flavour.interpolation != Interpolation::Hash || !pattern.contains("#{") {
            return Vec::new();
        }
        let parts = parts_of(pattern, Style::with(self.flavour.interpolation));
        parts.into_iter().filter(|part| matches!(part, Part::Code(_))).collect()
    }

    /// A pattern, with the code that is put into it in front: a list of both is as little known as the pattern.
    fn push_pattern(&mut self, code: Vec<Part>) {
        if code.is_empty() {
            return self.push(Token::Pattern);
        }
        for token in [Token::Open('('), Token::Text(code), Token::Sign(","), Token::Pattern, Token::Close(')')] {
            self.push(token);
        }
    }

    /// What follows `m`, `qr`, `s`, `tr` or `y` and its opening mark.
    pub(super) fn pattern_behind(&mut self, word: &str, open: char, close: char) {
        let pattern = self.delimited(open, close);
        self.tokens.confused |= runs_code(&pattern);
        if !matches!(word, "s" | "tr" | "y") {
            self.skip_flags();
            self.push(Token::Pattern);
            return;
        }
        let (open, close) = if open == close {
            (open, close)
        } else {
            let gap = self.rest().len() - self.rest().trim_start().len();
            self.at += gap;
            let open = self.bump().unwrap_or(open);
            (open, closing(open))
        };
        let replacement = self.delimited(open, close);
        let flags = self.skip_flags();
        let code = match flags.bytes().filter(|flag| *flag == b'e').count() {
            0 => String::new(),
            _ if word != "s" => String::new(),
            1 => replacement,
            // What comes out of it is code once more.
            _ => format!("eval({replacement})"),
        };
        // What is left out, or put in, is not known.
        self.push(if flags.contains('r') && code.is_empty() { Token::Pattern } else { Token::Replacement(code) });
    }

    fn skip_flags(&mut self) -> String {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_lowercase).count();
        // `s/a/b/ if x` has a space before the word; `s/a/b/if` has flags.
        self.at += length;
        rest.get(..length).unwrap_or_default().to_owned()
    }
}
