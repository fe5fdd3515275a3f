//! The short forms of zsh, where a body needs neither `then` and `fi` nor `do` and `done`.

use signoff_model::Dialect;

use super::keyword::Keyword;
use super::parser::Parser;
use super::parts::Parts;
use super::tree::Item;

impl<'t> Parser<'t> {
    /// A body in braces, or a single and-or list.
    pub(super) fn zsh_body(&mut self, start: usize) -> &'t [Item<'t>] {
        self.skip_lines();
        if self.eat_keyword(Keyword::OpenBrace) {
            let items = self.inner_list();
            self.expect(Keyword::CloseBrace, start);
            return items;
        }
        if self.at_closer() {
            self.unexpected();
            return &[];
        }
        match self.nested(|parser| parser.and_or()) {
            Some(list) => {
                let span = list.span();
                self.arena.list(&[Item { list, background: false, span }])
            }
            None => {
                self.unexpected();
                &[]
            }
        }
    }

    /// Whether a word comes next that begins with a `{`, which opens a group in zsh even without a blank behind it.
    pub(super) fn at_glued_brace(&self) -> bool {
        self.dialect == Dialect::Zsh && self.peek() == Some(b'{') && self.peek_after(1) != Some(b'}')
    }

    /// Whether `<1-9>` or its kin comes next, with or without the numbers: a pattern, not a redirection.
    pub(super) fn at_numeric_glob(&self) -> bool {
        if self.dialect != Dialect::Zsh || self.peek() != Some(b'<') {
            return false;
        }
        let mut at = 1;
        while self.peek_after(at).is_some_and(|byte| byte.is_ascii_digit()) {
            at += 1;
        }
        if self.peek_after(at) != Some(b'-') {
            return false;
        }
        at += 1;
        while self.peek_after(at).is_some_and(|byte| byte.is_ascii_digit()) {
            at += 1;
        }
        self.peek_after(at) == Some(b'>')
    }

    /// Takes `<1-9>` as text.
    pub(super) fn numeric_glob(&mut self, parts: &mut Parts<'t>) {
        while let Some(byte) = self.peek() {
            parts.literal(self.slice(self.pos, self.pos + 1));
            self.bump();
            if byte == b'>' {
                break;
            }
        }
    }
}
