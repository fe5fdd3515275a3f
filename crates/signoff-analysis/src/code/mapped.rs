//! Perl's `map`: a block or an expression is followed for each element of a list that is known.

use super::{
    evaluation::EACH,
    lexer::Token,
    reader::Reader,
    thing::{Args, Thing},
};

/// The name of the element.
const ELEMENT: &str = "$_";

impl Reader<'_, '_> {
    /// `map { … } list`, `map expression, list`, with or without brackets around it; the name was just read. None if the
    /// list is not known as a whole: nothing has been read then.
    pub(super) fn perl_map(&mut self) -> Option<Vec<Thing>> {
        let start = self.frame.at;
        let closing = self.is_open('(').then(|| self.partner(start));
        let body = start + usize::from(closing.is_some());
        let is_block = matches!(self.frame.tokens.get(body), Some(Token::Open('{')));
        let list = if is_block { self.partner(body) + 1 } else { self.behind_comma(body)? };
        self.frame.at = list;
        let things = match closing {
            Some(closing) => self.things_up_to(closing),
            None => self.bare_arguments(),
        };
        let things = things.flat();
        let end = closing.map_or(self.frame.at, |closing| closing + 1);
        // `reverse`, `sort` and a range make another list of it.
        let plain = |token: &Token| {
            !matches!(token, Token::Name(name) if !name.starts_with(['@', '$']) && &**name != "qw")
                && !matches!(token, Token::Sign(".." | "..." | "~" | "-"))
        };
        let listed = self.frame.tokens.get(list..end).unwrap_or_default();
        let known = |thing: &Thing| matches!(thing, Thing::Number(_) | Thing::Text(_)) && !thing.value().has_unknown();
        if !listed.iter().all(plain) || things.is_empty() || things.len() > EACH || !things.iter().all(known) {
            self.frame.at = start;
            return None;
        }
        let outer = self.variables.get(ELEMENT).cloned();
        let mut all = Vec::with_capacity(things.len());
        for thing in things {
            self.frame.at = body;
            self.bind_here(ELEMENT, thing);
            if !self.may_repeat() {
                self.unbind_element(outer);
                self.frame.at = start;
                return None;
            }
            let made = if is_block { self.block() } else { self.deeper(Self::expression) };
            match made {
                Thing::List(more) => all.extend(more),
                made => all.push(made),
            }
        }
        self.unbind_element(outer);
        self.frame.at = end;
        Some(all)
    }

    /// The element is again what it was around the list; what it was is not known if nothing has said so.
    fn unbind_element(&mut self, outer: Option<Thing>) {
        match outer {
            Some(outer) => self.bind_here(ELEMENT, outer),
            None => {
                self.variables.remove(ELEMENT);
            }
        }
    }

    /// What stands up to a bracket.
    fn things_up_to(&mut self, closing: usize) -> Args {
        let mut args = Args::default();
        while self.frame.at < closing && self.may_step() {
            match self.peek() {
                Some(Token::End | Token::Sign("," | "=>") | Token::Close(_)) => self.frame.at += 1,
                Some(_) => self.argument(&mut args, false),
                None => break,
            }
        }
        args
    }

    /// Where the list begins behind the expression that stands here.
    fn behind_comma(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            match self.frame.tokens.get(at)? {
                Token::Open(_) => at = self.partner(at) + 1,
                Token::Sign(",") => return Some(at + 1),
                Token::End | Token::Close(_) => return None,
                _ => at += 1,
            }
        }
    }
}
