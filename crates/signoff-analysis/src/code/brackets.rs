//! What stands in brackets: groups, lists, records, blocks and arguments.

use std::collections::HashSet;

use super::{
    lexer::Token,
    reader::Reader,
    thing::{Args, Thing},
};
use crate::{shell::Language, value::Origins};

/// The name under which arguments are kept that are spread out of something unknown: there may be any number of them.
pub(super) const SPREAD: &str = "**";

/// How something is named that a block gets from whoever calls it.
pub(super) const GIVEN: &str = "what a block gets";

/// The fields that a record has in the end: of those with one name, the last one counts, and what is spread out of something
/// unknown may hold any of those before it.
fn last_of_each(fields: Vec<(String, Thing)>) -> Vec<(String, Thing)> {
    let mut names = HashSet::new();
    let mut spread: Option<Origins> = None;
    let mut kept = Vec::with_capacity(fields.len());
    for (name, thing) in fields.into_iter().rev() {
        if name == SPREAD {
            spread = Some(spread.take().unwrap_or_default().and(thing.origins()));
            kept.push((name, thing));
        } else if names.insert(name.clone()) {
            let thing = match &spread {
                Some(origins) => Thing::result("", thing.origins().and(origins.clone())),
                None => thing,
            };
            kept.push((name, thing));
        }
    }
    kept.reverse();
    kept
}

impl Reader<'_, '_> {
    /// `|a, b|` at the beginning of a block.
    pub(super) fn block_parameters(&mut self) {
        let from = self.frame.at + 1;
        let mut to = from;
        while let Some(Token::Name(_) | Token::Sign("," | "*" | "&")) = self.frame.tokens.get(to) {
            to += 1;
        }
        self.bind_block(from, to);
        self.frame.at = to + 1;
    }

    /// The parameters of a block between two positions: whoever calls the block gives them.
    pub(super) fn bind_block(&mut self, from: usize, to: usize) {
        // Each of them is a part of the environment.
        let whole = matches!(&self.element, Some(Thing::Name(name)) if super::functions::is_environment(name));
        if self.element.is_some() && !whole {
            return self.unbind_names(from, to);
        }
        let given = self.element.take().unwrap_or_else(|| Thing::result(GIVEN, Vec::new()));
        let tokens = std::rc::Rc::clone(&self.frame.tokens);
        for token in tokens.get(from..to.min(tokens.len())).unwrap_or_default() {
            if let Token::Name(name) = token {
                self.bind_here(name, given.clone());
            }
        }
    }

    /// `( … )`: a group, a tuple, or the parameters of a lambda.
    pub(super) fn group(&mut self) -> Thing {
        let partner = self.partner(self.frame.at);
        let is_function = match self.frame.tokens.get(partner + 1) {
            Some(Token::Sign("=>")) => self.language != Language::Perl,
            // In these it leads to a member: `(new C)->f()`.
            Some(Token::Sign("->")) => !matches!(self.language, Language::Perl | Language::Php),
            _ => false,
        };
        if is_function {
            self.unbind_names(self.frame.at + 1, partner);
            self.frame.at = partner + 2;
            self.straight = false;
            self.skip_ends();
            return self.expression();
        }
        let mut args = self.bracketed(')');
        match (args.items.len(), args.named.is_empty()) {
            // There, a comma gives the last of them: `(0, f)(…)`.
            (_, true) if self.language == Language::JavaScript => args.items.pop().unwrap_or_else(Thing::unknown),
            (1, true) => args.items.pop().unwrap_or_else(Thing::unknown),
            (_, true) => Thing::List(args.items),
            _ => Thing::Record(args.named),
        }
    }

    pub(super) fn list(&mut self) -> Thing {
        let args = self.bracketed(']');
        // In PHP the same brackets hold named values.
        if self.language == Language::Php && !args.named.is_empty() && args.named.len() == args.items.len() {
            return Thing::Record(args.named);
        }
        Thing::List(args.items)
    }

    /// `{ … }`: a record or a block.
    pub(super) fn braces(&mut self) -> Thing {
        let is_record = match (self.peek_at(1), self.peek_at(2)) {
            (Some(Token::Close('}')), _) => true,
            (Some(Token::End), _) => {
                matches!(
                    (self.peek_at(2), self.peek_at(3)),
                    (Some(Token::Name(_) | Token::Text(_)), Some(Token::Sign(":" | "=>")))
                )
            }
            (Some(Token::Text(_)), Some(Token::Sign(":" | "=>" | ","))) => true,
            (Some(Token::Name(_)), Some(Token::Sign(":" | "=>"))) => true,
            (Some(Token::Name(_)), Some(Token::Sign(",") | Token::Close('}'))) => self.language == Language::JavaScript,
            (Some(Token::Sign("...")), _) => true,
            _ => false,
        };
        if is_record {
            let args = self.bracketed('}');
            return Thing::Record(last_of_each(args.named));
        }
        let last = self.block();
        // `map { … } …` and `do { … }` give what the last of it gives.
        if self.language == Language::Perl { Thing::result("", last.origins()) } else { Thing::unknown() }
    }

    /// The last thing of a block whose brace is at the current position.
    pub(super) fn block(&mut self) -> Thing {
        let partner = self.partner(self.frame.at);
        let grouped = std::mem::replace(&mut self.frame.grouped, false);
        let last = self.deeper(|reader| {
            reader.frame.at += 1;
            let mut last = Thing::unknown();
            while reader.frame.at < partner.min(reader.frame.tokens.len()) {
                match reader.peek() {
                    Some(Token::End | Token::Close(_) | Token::Sign(",")) => reader.frame.at += 1,
                    _ => last = reader.statement(),
                }
            }
            reader.frame.at = reader.frame.at.max(partner + 1);
            last
        });
        self.frame.grouped = grouped;
        last
    }

    /// What stands in brackets, by position and by name; the opening one is at the current position.
    pub(super) fn bracketed(&mut self, close: char) -> Args {
        let partner = self.partner(self.frame.at);
        let mut args = Args::default();
        let grouped = std::mem::replace(&mut self.frame.grouped, true);
        if let Some(things) = self.comprehension(partner) {
            self.frame.grouped = grouped;
            // A generator among arguments is one argument; a list of them is the list itself.
            args.items = if close == ')' { vec![Thing::List(things)] } else { things };
            return args;
        }
        self.deeper(|reader| {
            reader.frame.at += 1;
            while reader.frame.at < partner.min(reader.frame.tokens.len()) && reader.may_step() {
                match reader.peek() {
                    Some(Token::End | Token::Sign("," | ":" | "=>") | Token::Close(_)) => reader.frame.at += 1,
                    _ => reader.argument(&mut args, close == '}'),
                }
            }
            reader.frame.at = reader.frame.at.max(partner + 1);
            Thing::unknown()
        });
        self.frame.grouped = grouped;
        args
    }

    /// One argument, entry of a list, or field of a record.
    pub(super) fn argument(&mut self, args: &mut Args, in_record: bool) {
        let named = match (self.peek(), self.peek_at(1)) {
            (Some(Token::Name(name)), Some(Token::Sign("=")))
                if matches!(self.language, Language::Python | Language::R | Language::Java | Language::Other) =>
            {
                Some(name.to_string())
            }
            // A call of another module in Erlang: `os:cmd(…)`.
            (Some(Token::Name(module)), Some(Token::Sign(":")))
                if self.language == Language::Other
                    && matches!(self.peek_at(3), Some(Token::Open('(')))
                    && matches!(self.peek_at(2), Some(Token::Name(name)) if self.knows(&format!("{module}.{name}"))) =>
            {
                None
            }
            (Some(Token::Name(name)), Some(Token::Sign(":" | "=>")))
                if !matches!(self.language, Language::JavaScript) || in_record =>
            {
                Some(name.to_string())
            }
            (Some(Token::Text(parts)), Some(Token::Sign(":" | "=>"))) => match parts.as_slice() {
                [super::lexer::Part::Text(text)] => Some(text.clone()),
                _ => None,
            },
            (Some(Token::Name(name)), Some(Token::Sign(",") | Token::Close('}'))) if in_record => {
                let name = name.to_string();
                self.frame.at += 1;
                let thing = self.look_up(&name);
                args.named.push((name, thing));
                return;
            }
            _ => None,
        };
        if let Some(name) = named {
            // A parameter of an arrow function looks the same in some languages; then the arrow opens its body.
            self.frame.at += 2;
            self.skip_ends();
            let thing = self.expression();
            if self.language == Language::Perl || self.language == Language::Php {
                args.items.push(thing.clone());
            }
            args.named.push((name, thing));
            return;
        }
        let start = self.frame.at;
        let spread = match self.peek() {
            Some(Token::Sign(sign @ ("*" | "**" | "..."))) => sign,
            _ => "",
        };
        let thing = self.expression();
        if self.frame.at == start {
            self.frame.at += 1;
        }
        match thing {
            Thing::Record(fields) if spread == "**" => args.named.extend(fields),
            thing if spread == "**" => args.named.push((SPREAD.to_owned(), thing)),
            thing if !spread.is_empty() && !matches!(thing, Thing::List(_) | Thing::Record(_)) => {
                let given = if in_record { thing.clone() } else { Thing::unknown() };
                args.named.push((SPREAD.to_owned(), given));
                args.items.push(thing);
            }
            Thing::Record(fields) => {
                args.named.extend(fields.iter().cloned());
                args.items.push(Thing::Record(fields));
            }
            thing => args.items.push(thing),
        }
        if args.items.len() > 4096 || args.named.len() > 4096 {
            self.seen.unread = true;
            args.items.clear();
            args.named.clear();
        }
    }
}
