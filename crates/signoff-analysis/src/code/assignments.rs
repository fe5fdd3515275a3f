//! Assignments: to a variable, to a member, and to several at once.

use super::{
    held::{COUNTED, is_counted},
    lexer::Token,
    reader::Reader,
    thing::Thing,
};

impl Reader<'_, '_> {
    /// `name = …`, `name += …`, `{a, b} = …`, `(a, b) = …`.
    pub(super) fn assignment(&mut self) -> Option<Thing> {
        let first = self.peek()?.clone();
        match first {
            // `list($a, $b) = …` of PHP.
            Token::Name(name)
                if &*name == "list"
                    && matches!(self.peek_at(1), Some(Token::Open('(')))
                    && matches!(self.frame.tokens.get(self.partner(self.frame.at + 1) + 1), Some(Token::Sign("="))) =>
            {
                let (from, to) = (self.frame.at + 2, self.partner(self.frame.at + 1));
                self.frame.at = to + 2;
                self.skip_ends();
                let right = self.expression();
                self.take_apart(from, to, &right);
                Some(right)
            }
            Token::Name(name) => {
                let Some(Token::Sign(sign)) = self.peek_at(1).filter(|token| sets(token)) else { return None };
                let sign = *sign;
                self.frame.at += 2;
                self.skip_ends();
                let right = self.expression();
                let thing = if matches!(sign, "=" | ":=") {
                    right
                } else {
                    let left = self.value_of(&name);
                    self.changed(sign, left, right)
                };
                self.bind(&name, thing.clone());
                Some(thing)
            }
            Token::Open('{' | '(' | '[') if matches!(self.behind_partner(), Some(Token::Sign("="))) => {
                let (from, to) = (self.frame.at + 1, self.partner(self.frame.at));
                self.frame.at = to + 2;
                self.skip_ends();
                let right = self.expression();
                self.take_apart(from, to, &right);
                Some(right)
            }
            _ => None,
        }
    }

    /// What a variable holds behind `+=` and the like.
    pub(super) fn changed(&mut self, sign: &str, left: Option<Thing>, right: Thing) -> Thing {
        match (sign, left) {
            ("+=", Some(left)) => self.added(&left, &right),
            (".=" | "<<", Some(left)) => left.joined(&right),
            ("/=", Some(left @ Thing::Path(_))) => left.below(&right),
            ("||=" | "??=" | "&&=" | "//=", Some(left)) => self.either(left, right),
            ("+=" | ".=" | "<<" | "||=" | "??=" | "&&=" | "//=", None) => right,
            (_, Some(left)) if is_counted(&left) => Thing::result(COUNTED, right.origins()),
            (_, left) => Thing::result("", left.map(|left| left.origins()).unwrap_or_default().and(right.origins())),
        }
    }

    /// A substitution changes the variable that stands before it, or the one that needs no name.
    pub(super) fn rewrite_before(&mut self) {
        let before = self.frame.tokens.get(..self.frame.at).unwrap_or_default();
        let name = match before {
            [.., Token::Name(name), Token::Sign("=~")] => name.to_string(),
            // `(my $new = $old) =~ s/…/…/`
            [rest @ .., Token::Close(')'), Token::Sign("=~")] => {
                let set = rest.iter().rposition(|token| matches!(token, Token::Sign("=")));
                match set.and_then(|at| rest.get(at.checked_sub(1)?)) {
                    Some(Token::Name(name)) => name.to_string(),
                    _ => return,
                }
            }
            [.., Token::Sign("=~")] => return,
            _ => "$_".to_owned(),
        };
        if let Some(thing) = self.value_of(&name) {
            self.bind_grown(&name, thing.rewritten());
        }
    }

    /// Sets a variable, or a member of one by its full name.
    pub(super) fn set_member(&mut self, name: &str, thing: Thing) {
        if let Some((variable, member)) = name.split_once('.')
            && let Some(whole @ Thing::Record(_)) = self.value_of(variable)
        {
            let changed = with_member(whole.clone(), member, thing);
            self.replace_held(variable, &whole, changed);
            return;
        }
        // The length of a list: what is left of it is another list.
        if let Some((variable, _)) = name.split_once('.')
            && let Some(whole @ Thing::List(_)) = self.value_of(variable)
        {
            let changed = Thing::result("", whole.origins().and(thing.origins()));
            self.replace_held(variable, &whole, changed);
            return;
        }
        // What is a member of everything's space goes by its name alone as well.
        let plain = ["builtins.", "__builtins__.", "globalThis.", "window.", "global."];
        if let Some(plain) =
            plain.iter().find_map(|space| name.strip_prefix(space)).filter(|plain| !plain.contains('.'))
        {
            self.bind(plain, thing.clone());
        }
        // A variable of the environment is there for every program that is started later.
        if let Some((space, variable)) = name.rsplit_once('.')
            && super::functions::is_environment(space)
        {
            let set = [(variable.to_owned(), thing.value())];
            crate::shell::families::wrappers::environment(self.shell, &set, self.span);
        }
        self.bind(name, thing);
    }

    /// Binds the names between two positions to the parts of a value.
    pub(super) fn take_apart(&mut self, from: usize, to: usize, whole: &Thing) {
        let tokens = std::rc::Rc::clone(&self.frame.tokens);
        let mut rest = tokens.get(from..to.min(tokens.len())).unwrap_or_default().iter().peekable();
        let mut position = 0;
        let mut starred = false;
        while let Some(token) = rest.next() {
            // A key that is computed: `{[key]: name} = …`.
            if let (Token::Open('['), Some(at)) = (token, to.min(tokens.len()).checked_sub(rest.len() + 1))
                && matches!(self.frame.tokens.get(self.partner(at) + 1), Some(Token::Sign(":")))
                && let Some(Token::Name(name)) = tokens.get(self.partner(at) + 2)
            {
                let behind = std::mem::replace(&mut self.frame.at, at);
                let key = self.bracketed(']');
                self.frame.at = behind;
                let part = match key.known(0) {
                    Some(key) => self.member(whole, key),
                    None => Thing::result("", whole.origins()),
                };
                self.bind(name, part);
                let width = self.partner(at) + 2 - at;
                rest.nth(width.saturating_sub(1));
                continue;
            }
            // What stands for a part that is missing is computed: `{a = f()} = …`.
            if let (Token::Sign("="), Some(at)) = (token, to.min(tokens.len()).checked_sub(rest.len())) {
                let behind = std::mem::replace(&mut self.frame.at, at);
                self.expression();
                let width = self.frame.at.saturating_sub(at);
                self.frame.at = behind;
                if let Some(skipped) = width.checked_sub(1) {
                    rest.nth(skipped);
                }
                continue;
            }
            starred |= matches!(token, Token::Sign("*" | "..."));
            let Token::Name(key) = token else { continue };
            let mut name = key.clone();
            if let Some(Token::Sign(":") | Token::Name(_)) = rest.peek()
                && let Some(Token::Name(other)) = rest.clone().nth(1)
            {
                name = other.clone();
                rest.next();
                rest.next();
            }
            let part = match whole {
                // It takes all that is left, and nobody counts what that leaves for those behind it.
                Thing::List(things) if starred && rest.len() == 0 => {
                    Thing::List(things.get(position..).unwrap_or_default().to_vec())
                }
                Thing::List(_) | Thing::Record(_) if starred => Thing::result("", whole.origins()),
                // A list in Perl takes a single value as its first.
                Thing::Text(_) if self.language == crate::shell::Language::Perl && position == 0 => whole.clone(),
                Thing::Name(_) => self.member(whole, key),
                Thing::Record(fields) => fields
                    .iter()
                    .find(|(field, _)| **field == **key)
                    .map_or_else(Thing::unknown, |(_, thing)| thing.clone()),
                Thing::List(things) => things.get(position).cloned().unwrap_or_else(Thing::unknown),
                other => Thing::result("", other.origins()),
            };
            position += 1;
            self.bind(&name, part);
        }
    }
}

/// A record with another value for a member, which may be one of a record in it.
pub(super) fn with_member(whole: Thing, member: &str, thing: Thing) -> Thing {
    let Thing::Record(mut fields) = whole else { return Thing::result("", whole.origins().and(thing.origins())) };
    let (first, rest) = member.split_once('.').map_or((member, None), |(first, rest)| (first, Some(rest)));
    let at = fields.iter().position(|(name, _)| name == first);
    let before = at.map(|at| fields.remove(at).1);
    let thing = match rest {
        Some(rest) => with_member(before.unwrap_or_else(|| Thing::Record(Vec::new())), rest, thing),
        None => thing,
    };
    fields.push((first.to_owned(), thing));
    Thing::Record(fields)
}

/// Whether a sign gives what stands before it another value.
pub(super) fn sets(token: &Token) -> bool {
    matches!(
        token,
        Token::Sign(
            "=" | ":=" | "+=" | ".=" | "||=" | "??=" | "&&=" | "//=" | "-=" | "*=" | "/=" | "%=" | "|=" | "&=" | "**="
        )
    )
}
