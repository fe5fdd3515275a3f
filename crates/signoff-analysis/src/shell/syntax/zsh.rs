//! The short forms of zsh, where a body needs neither `then` and `fi` nor `do` and `done`.

use super::keyword::Keyword;
use super::parser::Parser;
use super::tree::{AndOr, Item};

impl Parser<'_> {
    /// A body in braces, or a single command.
    pub(super) fn zsh_body(&mut self, start: usize) -> Vec<Item> {
        self.skip_lines();
        if self.eat_keyword(Keyword::OpenBrace) {
            let items = self.inner_list();
            self.expect(Keyword::CloseBrace, start);
            return items;
        }
        if self.at_closer() {
            self.unexpected();
            return Vec::new();
        }
        match self.nested(|parser| parser.pipeline()) {
            Some(first) => {
                let span = first.span;
                vec![Item { list: AndOr { first, rest: Vec::new() }, background: false, span }]
            }
            None => {
                self.unexpected();
                Vec::new()
            }
        }
    }
}
