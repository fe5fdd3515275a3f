//! Variables: what sets them, and what they hold where they are used.

use super::{
    expressions::BRANCHES,
    held::{COUNTED, Setting, Spot, is_counted},
    lexer::Token,
    reader::Reader,
    readings::{Taking, is_conspicuous},
    thing::Thing,
};
use crate::{shell::Language, value::Origin};
use std::rc::Rc;

/// So many things of a list are copied with a step of the work that is left for a reading.
const COPIED_PER_STEP: usize = 2;
/// More variables than this are not remembered.
const VARIABLES: usize = 4096;

impl Reader<'_, '_> {
    /// The token before the current position, in the whole text.
    pub(super) fn spot(&self) -> Spot {
        let before = self.frame.at.saturating_sub(1);
        match self.around {
            Some(at) => Spot { at, within: Some(before) },
            None => Spot { at: before, within: None },
        }
    }

    /// What a name stands for.
    pub(super) fn look_up(&mut self, name: &str) -> Thing {
        if let Some(bound) = self.value_of(name) {
            // A long list takes as long to copy as many names, and whoever uses it copies it a few times more.
            let count = bound.count();
            self.taken += count;
            self.steps = self.steps.saturating_sub(count / COPIED_PER_STEP);
            return bound;
        }
        let known = |full: &String| self.knows(full) || super::functions::is_environment(full);
        let brought = self.stars.iter().rev().map(|module| format!("{module}.{name}")).find(known);
        Thing::Name(brought.unwrap_or_else(|| name.to_owned()))
    }

    /// What a variable holds in this reading, of all that it may hold here.
    pub(super) fn value_of(&mut self, name: &str) -> Option<Thing> {
        let flow = self.variables.get(name).cloned();
        if self.readings.held.is_plain() {
            return flow;
        }
        let found = self.readings.held.find(name, self.spot(), flow);
        if found.others.is_empty() {
            return found.base;
        }
        for choice in found.others.iter().filter(|choice| choice.special.is_none()) {
            let special = is_conspicuous(&choice.thing) || self.is_secret(&choice.thing);
            self.readings.held.mark(found.variable, choice.number, special);
        }
        match self.readings.value_of(found.variable, &self.frame) {
            Taking::First => found.base,
            Taking::Number(number) => found
                .others
                .into_iter()
                .find(|choice| choice.number == number)
                .map(|choice| choice.thing)
                .or(found.base),
            Taking::Plain => {
                let plain = found.others.iter().any(|choice| choice.special == Some(false));
                if plain { Some(Thing::unknown()) } else { found.base }
            }
            Taking::Any if found.base.iter().chain(found.others.iter().map(|choice| &choice.thing)).all(is_counted) => {
                Some(Thing::result(COUNTED, Vec::new()))
            }
            Taking::Any => {
                let held = |thing: &Thing| !matches!(thing, Thing::Result { .. } | Thing::Name(_));
                let odd = found
                    .base
                    .clone()
                    .is_some_and(|base| held(&base) && (is_conspicuous(&base) || self.is_secret(&base)));
                let mut origins = found.base.map(|thing| thing.origins()).unwrap_or_default();
                found.others.iter().for_each(|choice| origins.extend(choice.thing.origins()));
                if odd || found.others.iter().any(|choice| choice.special != Some(false)) {
                    origins.add(Origin::Astray);
                }
                Some(Thing::result("", origins))
            }
        }
    }

    /// Sets a variable.
    pub(super) fn bind(&mut self, name: &str, thing: Thing) {
        let how = self.setting(name);
        self.set(name, thing, self.spot(), how);
    }

    /// Sets a variable of the block that begins here.
    pub(super) fn bind_here(&mut self, name: &str, thing: Thing) {
        let how = Setting { sure: self.around.is_none(), grows: false, blank: false, within: false };
        // What stands at the current position is the first that may use it.
        let here = Spot { at: self.frame.at, within: None };
        let spot = if self.around.is_some() { self.spot() } else { here };
        self.set(name, thing, spot, how);
    }

    /// Sets a variable to what it held with something more in it.
    pub(super) fn bind_grown(&mut self, name: &str, thing: Thing) {
        let how = self.setting(name);
        self.set(name, thing, self.spot(), Setting { grows: true, ..how });
    }

    /// Something in what a variable holds changes.
    pub(super) fn bind_inside(&mut self, name: &str, thing: Thing) {
        let how = self.setting(name);
        self.set(name, thing, self.spot(), Setting { grows: true, within: true, ..how });
    }

    fn set(&mut self, name: &str, thing: Thing, spot: Spot, how: Setting) {
        let (thing, count) = thing.bounded();
        // What is held is copied with every use.
        self.steps = self.steps.saturating_sub(count);
        self.taken += count;
        self.seen.unread |= !self.readings.held.set(name, spot, &thing, how);
        if let Some(held) = self.variables.get_mut(name) {
            *held = thing;
        } else if self.variables.len() < VARIABLES {
            self.variables.insert(name.to_owned(), thing);
        } else {
            self.seen.unread = true;
        }
    }

    /// How the statement at hand sets a variable: for certain if it begins with its name, or with words that declare it,
    /// and no condition stands behind it.
    fn setting(&self, name: &str) -> Setting {
        const FARTHEST: usize = 64;
        if self.readings.held.is_plain() {
            return Setting { sure: true, grows: false, blank: false, within: false };
        }
        let first = name.split('.').next().unwrap_or(name);
        let last = name.rsplit('.').next().unwrap_or(name);
        let tokens = self.frame.tokens.get(self.statement_at..self.frame.at).unwrap_or_default();
        let tokens = tokens.get(..FARTHEST.min(tokens.len())).unwrap_or_default();
        let is = |token: &Token, word: &str| matches!(token, Token::Name(name) if **name == *word);
        let leads = |token: &Token| match token {
            Token::Name(word) => !lets_out(word),
            Token::Open(_) | Token::Close(_) | Token::Sign("," | "." | ":" | "@" | "*" | "$" | "->" | "&" | "\\") => {
                true
            }
            _ => false,
        };
        let at = tokens.iter().position(|token| is(token, first));
        let begins = at.is_some_and(|at| tokens.iter().take(at).all(leads));
        let behind = matches!(self.language, Language::Ruby | Language::Perl)
            && matches!(self.peek(), Some(Token::Name(word)) if lets_out(word));
        let named = tokens.iter().filter(|token| is(token, last)).count();
        let adds = |token: &Token| matches!(token, Token::Sign("+=" | ".=" | "<<"));
        let blank = match tokens {
            [.., Token::Sign("=" | ":="), Token::Name(word)] => {
                matches!(&**word, "None" | "nil" | "null" | "undefined" | "undef" | "NULL")
            }
            _ => false,
        };
        let sure = begins && !behind && self.around.is_none();
        Setting { sure, grows: named > 1 || tokens.iter().any(adds), blank, within: false }
    }

    /// Nothing is known about these names from here on: they are parameters.
    pub(super) fn unbind_names(&mut self, from: usize, to: usize) {
        let tokens = Rc::clone(&self.frame.tokens);
        for token in tokens.get(from..to.min(tokens.len())).unwrap_or_default() {
            if let Token::Name(name) = token {
                let element = self.element.take();
                if element.is_some() || self.variables.contains_key(&**name) {
                    self.bind_here(name, element.unwrap_or_else(Thing::unknown));
                }
            }
        }
    }
}

/// Words that make it uncertain whether what stands behind them, or before them, is done.
fn lets_out(word: &str) -> bool {
    BRANCHES.contains(&word) || matches!(word, "and" | "or" | "not" | "x")
}
