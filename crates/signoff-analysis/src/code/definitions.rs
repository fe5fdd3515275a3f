//! Functions that a text defines: their parameters, and what calls give for them.

use super::{
    brackets::SPREAD,
    lexer::Token,
    reader::Reader,
    readings::Call,
    thing::{Args, Thing},
};
use crate::shell::Language;

impl Reader<'_, '_> {
    /// Whether a decorator stands before the definition whose keyword was just read: it gets the function, and may call it.
    pub(super) fn is_decorated(&self) -> bool {
        /// Those that keep it as it is.
        const KEEPERS: &[&str] = &[
            "staticmethod",
            "classmethod",
            "property",
            "cache",
            "lru_cache",
            "cached_property",
            "wraps",
            "contextmanager",
            "abstractmethod",
            "override",
            "final",
            "overload",
        ];
        let Some(before) = self.frame.at.checked_sub(1).and_then(|at| self.frame.tokens.get(..at)) else {
            return false;
        };
        let line = before.strip_suffix(&[Token::Name("async".into())]).unwrap_or(before);
        let Some(line) = line.strip_suffix(&[Token::End]) else { return false };
        let start = line.iter().rposition(|token| matches!(token, Token::End)).map_or(0, |at| at + 1);
        let line = line.get(start..).unwrap_or_default();
        let keeps = |token: &Token| matches!(token, Token::Name(name) if KEEPERS.contains(&&**name) && !self.own.contains(&**name));
        matches!(line.first(), Some(Token::Sign("@"))) && !line.iter().any(keeps)
    }

    /// A definition: its parameters are not known, its body is read like the rest.
    pub(super) fn definition(&mut self, keyword: &str) -> Thing {
        self.straight = false;
        let mut name = self.take_any_name().unwrap_or_default();
        while self.take_sign(".") || self.take_sign("::") {
            // `def self.name` is called by the last of its names.
            match self.take_any_name() {
                Some(last) if name == "self" => name = last,
                _ => {}
            }
        }
        // What stands behind the name of a class is what it comes from.
        if self.is_open('(') && matches!(keyword, "class" | "module") && self.language == Language::Python {
            return Thing::unknown();
        }
        if self.is_open('(') {
            let partner = self.partner(self.frame.at);
            self.unbind_names(self.frame.at + 1, partner);
            self.default_values(partner);
            self.bind_parameters(&name, self.frame.at + 1, partner);
            self.frame.at = partner + 1;
        }
        Thing::unknown()
    }

    /// In Python, what a parameter stands for if nothing is given is computed where the function is defined.
    fn default_values(&mut self, partner: usize) {
        let head = self.frame.at;
        let mut at = head + 1;
        while self.language == Language::Python && at < partner {
            match self.frame.tokens.get(at) {
                Some(Token::Open(_)) => at = self.partner(at),
                // What is said about its kind is computed as well.
                Some(Token::Sign("=" | ":")) => {
                    self.frame.at = at + 1;
                    self.expression();
                    at = at.max(self.frame.at.saturating_sub(1));
                }
                _ => {}
            }
            at += 1;
        }
        self.frame.at = head;
    }

    /// Remembers what a function of the text is called with.
    pub(super) fn remember_call(&mut self, name: &str, args: &Args) {
        let known = |thing: &Thing| !matches!(thing, Thing::Result { origins, .. } if origins.is_empty());
        if args.all().any(known) {
            return self.readings.remember(name, args, &self.frame);
        }
        let blank = Args {
            items: vec![Thing::unknown(); args.items.len()],
            named: args.named.iter().map(|(name, _)| (name.clone(), Thing::unknown())).collect(),
        };
        self.readings.remember(name, &blank, &self.frame);
    }

    /// Binds the parameters of a function to what one of its calls gives.
    fn bind_parameters(&mut self, function: &str, from: usize, to: usize) {
        let head = self.frame.at;
        let call = self.readings.call_of(function, &self.frame);
        let tokens = std::rc::Rc::clone(&self.frame.tokens);
        let (mut position, mut at, mut begins) = (0, from, true);
        let mut rest = "";
        while at < to {
            match tokens.get(at) {
                Some(Token::Sign(sign @ ("*" | "**" | "..." | "&"))) if begins => rest = sign,
                Some(Token::Name(name)) if begins && !matches!(&**name, "self" | "cls" | "this") => {
                    begins = false;
                    let default = self.default_at(at, to);
                    if default.is_some() {
                        self.readings.has_defaults(function);
                    }
                    if let Some(call) = &call {
                        let given = self.given(call, name, position, rest);
                        let thing = match (given, default) {
                            (Some(thing), _) => thing,
                            (None, Some(default)) => {
                                self.frame.at = default;
                                let thing = self.expression();
                                self.frame.at = head;
                                thing
                            }
                            (None, None) => Thing::unknown(),
                        };
                        self.bind_here(name, thing);
                    }
                    position += 1;
                }
                Some(Token::Sign(",")) => (begins, rest) = (true, ""),
                Some(Token::Open(_)) => {
                    let partner = self.partner(at);
                    // What is given is taken apart: `function f({a, b})`.
                    if begins && let Some(call) = &call {
                        let thing = self.given(call, "", position, "").unwrap_or_else(Thing::unknown);
                        self.take_apart(at + 1, partner, &thing);
                    }
                    position += usize::from(begins);
                    begins = false;
                    at = partner;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Where the value stands that a parameter has if nothing is given: `a: str = value`.
    fn default_at(&self, at: usize, to: usize) -> Option<usize> {
        let mut at = at + 1;
        while at < to {
            match self.frame.tokens.get(at)? {
                Token::Sign("=") => return Some(at + 1),
                // In Ruby the name of an argument stands before its value.
                Token::Sign(":") if self.language == Language::Ruby => {
                    let none =
                        matches!(self.frame.tokens.get(at + 1), Some(Token::Sign(",") | Token::Close(_) | Token::End));
                    return Some(at + 1).filter(|_| !none);
                }
                Token::Sign(",") => return None,
                Token::Open(_) => at = self.partner(at),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// What a call gives for a parameter; none if it gives nothing.
    fn given(&self, call: &Call, name: &str, position: usize, rest: &str) -> Option<Thing> {
        let args = match call {
            Call::With(args) => args,
            Call::Unknown => return Some(Thing::unknown()),
            Call::Anything => return Some(Thing::result("", vec![crate::value::Origin::Astray])),
        };
        match rest {
            "*" | "..." => {
                return Some(Thing::List(args.items.get(position..).unwrap_or_default().to_vec()));
            }
            "**" => return Some(Thing::Record(args.named.clone())),
            _ => {}
        }
        let by_position = args.get(position);
        let by_name = args.named(name);
        // The fields of a record among the arguments are no arguments; other languages let names go first.
        let ordered =
            matches!(self.language, Language::Python | Language::JavaScript | Language::Ruby | Language::Perl);
        let thing = if ordered { by_position.or(by_name) } else { by_name.or(by_position) };
        thing.cloned().or_else(|| args.named(SPREAD).map(|_| Thing::unknown()))
    }
}
