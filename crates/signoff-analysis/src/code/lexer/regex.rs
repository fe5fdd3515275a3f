//! Regular expressions and substitutions: skipped, except a replacement that is code.

use super::{Lexer, Token, quotes::closing};

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
                    self.at += at + 1;
                    self.skip_flags();
                    self.push(Token::Pattern);
                    return true;
                }
                _ => {}
            }
        }
        // A slash without its partner costs a look at the whole line, so this happens only a few times.
        self.misses += 1;
        false
    }

    /// What follows `m`, `qr`, `s`, `tr` or `y` and its opening mark.
    pub(super) fn pattern_behind(&mut self, word: &str, open: char, close: char) {
        self.delimited(open, close);
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
        let code = if word == "s" && flags.contains('e') { replacement } else { String::new() };
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
