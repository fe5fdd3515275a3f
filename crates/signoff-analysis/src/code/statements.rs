//! Statements: imports, loops over things, definitions, and names used without brackets.

use super::{
    evaluation::EACH,
    held::{COUNTED, is_counted},
    lexer::Token,
    reader::Reader,
    readings::{Element, is_conspicuous},
    thing::{Args, Thing},
};
use crate::shell::Language;

impl Reader<'_, '_> {
    /// One statement, or a part of one.
    pub(super) fn statement(&mut self) -> Thing {
        if !self.may_step() {
            return Thing::unknown();
        }
        let start = self.frame.at;
        self.printing = false;
        let around = std::mem::replace(&mut self.statement_at, start);
        let thing = match self.peek() {
            Some(Token::Name(name)) => {
                let name = name.to_string();
                match (name.as_str(), self.language) {
                    ("import", Language::Python) => self.python_import(),
                    ("from", Language::Python) => self.python_from(),
                    ("import", Language::JavaScript)
                        if !matches!(self.peek_at(1), Some(Token::Open('(') | Token::Sign("."))) =>
                    {
                        self.script_import()
                    }
                    ("use", Language::Perl) => {
                        if let Some(Token::Name(module)) = self.peek_at(1) {
                            let module = module.to_string();
                            self.shell.import(Language::Perl, &module, self.span);
                        }
                        self.expression()
                    }
                    ("with", Language::Python) => self.with_block(),
                    ("with", Language::JavaScript) if matches!(self.peek_at(1), Some(Token::Open('('))) => {
                        self.with_members()
                    }
                    ("alias", Language::Ruby) => self.ruby_alias(),
                    _ if self.is_tuple_target() => self.tuple_assignment(),
                    _ => self.expression(),
                }
            }
            Some(Token::Sign("*")) if self.is_tuple_target() => self.tuple_assignment(),
            _ => self.expression(),
        };
        if self.frame.at == start {
            self.frame.at += 1;
        }
        self.statement_at = around;
        thing
    }

    /// `alias new old`, by names or by symbols.
    fn ruby_alias(&mut self) -> Thing {
        self.frame.at += 1;
        let mut names = Vec::new();
        while let Some(name) = match self.peek() {
            Some(Token::Name(name)) => Some(name.to_string()),
            Some(Token::Text(parts)) => match parts.as_slice() {
                [super::lexer::Part::Text(text)] => Some(text.clone()),
                _ => None,
            },
            _ => None,
        }
        .filter(|_| names.len() < 2)
        {
            names.push(name);
            self.frame.at += 1;
        }
        if let [new, old] = names.as_slice() {
            self.bind(new, Thing::Name(old.clone()));
        }
        Thing::unknown()
    }

    /// `a.b.c` at the current position.
    fn dotted(&mut self) -> Option<String> {
        let mut name = self.take_any_name()?;
        while self.is_sign(".") && matches!(self.peek_at(1), Some(Token::Name(_))) {
            self.frame.at += 1;
            name.push('.');
            name.push_str(&self.take_any_name()?);
        }
        Some(name)
    }

    /// `import a.b as c, d`.
    fn python_import(&mut self) -> Thing {
        self.frame.at += 1;
        while let Some(module) = self.dotted() {
            self.shell.import(Language::Python, &module, self.span);
            if self.take_name("as")
                && let Some(alias) = self.take_any_name()
            {
                self.bind(&alias, Thing::Name(module));
            }
            if !self.take_sign(",") {
                break;
            }
        }
        Thing::unknown()
    }

    /// `from a.b import c as d, (e)`.
    fn python_from(&mut self) -> Thing {
        self.frame.at += 1;
        while self.take_sign(".") || self.take_sign("..") || self.take_sign("...") {}
        // `from . import a` has no module before its names: `import` is a name as well.
        let module = if self.is_name("import") { String::new() } else { self.dotted().unwrap_or_default() };
        if !self.take_name("import") {
            return Thing::unknown();
        }
        self.shell.import(Language::Python, &module, self.span);
        if self.take_sign("*") {
            self.star_import(&module);
            return Thing::unknown();
        }
        let grouped = self.is_open('(');
        self.frame.at += usize::from(grouped);
        loop {
            if grouped {
                self.skip_ends();
            }
            let Some(name) = self.take_any_name() else { break };
            if grouped {
                self.skip_ends();
            }
            let renamed = self.take_name("as");
            if grouped {
                self.skip_ends();
            }
            let alias = if renamed { self.take_any_name() } else { None };
            let full = if module.is_empty() { name.clone() } else { format!("{module}.{name}") };
            // The name may be that of a module in the package.
            self.shell.import(Language::Python, &full, self.span);
            self.bind(&alias.unwrap_or(name), Thing::Name(full));
            if grouped {
                self.skip_ends();
            }
            if !self.take_sign(",") {
                break;
            }
        }
        Thing::unknown()
    }

    /// `from os import *` brings every function of the module: a name that nobody else defines may be one of them.
    fn star_import(&mut self, module: &str) {
        if self.stars.len() < 32 {
            self.stars.push(module.to_owned());
        } else {
            self.seen.unread = true;
        }
    }

    /// `import x from 'm'`, `import {a as b} from 'm'`, `import * as x from 'm'`, `import 'm'`.
    fn script_import(&mut self) -> Thing {
        self.frame.at += 1;
        let from = self.frame.at;
        let mut to = from;
        let module = loop {
            match self.frame.tokens.get(to) {
                // A name that is no word: `import {'a' as b} from 'm'`.
                Some(Token::Text(_)) if matches!(self.frame.tokens.get(to + 1), Some(Token::Name(word)) if &**word == "as") =>
                {
                    self.seen.unread = true;
                    to += 1;
                }
                Some(Token::Text(parts)) => break parts.clone(),
                Some(Token::Name(_) | Token::Sign("," | "*") | Token::Open('{') | Token::Close('}')) => to += 1,
                _ => return Thing::unknown(),
            }
        };
        self.frame.at = to + 1;
        let module = self.text_of(&module);
        self.shell.import(Language::JavaScript, module.known().unwrap_or_default(), self.span);
        let name = super::functions::module_name(module.known().unwrap_or_default());
        let tokens = std::rc::Rc::clone(&self.frame.tokens);
        let mut inside = false;
        let mut imported: Option<String> = None;
        for token in tokens.get(from..to).unwrap_or_default() {
            match token {
                Token::Open(_) => inside = true,
                Token::Close(_) => inside = false,
                Token::Name(word) if matches!(&**word, "from" | "as" | "type") => {}
                Token::Name(word) if inside => {
                    let key = imported.take().unwrap_or_else(|| word.to_string());
                    self.bind(word, Thing::Name(format!("{name}.{key}")));
                    imported = Some(key);
                }
                Token::Name(word) => self.bind(word, Thing::Name(name.clone())),
                Token::Sign(",") => imported = None,
                _ => {}
            }
        }
        Thing::unknown()
    }

    /// `with open(…) as f, … :`.
    fn with_block(&mut self) -> Thing {
        self.frame.at += 1;
        loop {
            let thing = self.expression();
            if self.take_name("as")
                && let Some(name) = self.take_any_name()
            {
                self.bind_here(&name, thing);
            }
            if !self.take_sign(",") {
                return Thing::unknown();
            }
        }
    }

    /// `with (fs) …`: the members of a thing go by their names alone. Where that ends is not followed.
    fn with_members(&mut self) -> Thing {
        self.frame.at += 1;
        let thing = self.bracketed(')').items.pop();
        match thing {
            Some(Thing::Name(module)) if self.stars.len() < 32 => self.stars.push(module),
            Some(Thing::Record(fields)) => fields.into_iter().for_each(|(name, held)| self.bind_here(&name, held)),
            _ => {}
        }
        Thing::unknown()
    }

    /// Whether names separated by commas and then `=` stand here.
    pub(super) fn is_tuple_target(&self) -> bool {
        // One of them may take all that is left: `a, *b = …`.
        let starred = |offset: usize| offset + usize::from(matches!(self.peek_at(offset), Some(Token::Sign("*"))));
        let mut offset = 0;
        while matches!(self.peek_at(starred(offset)), Some(Token::Name(_)))
            && matches!(self.peek_at(starred(offset) + 1), Some(Token::Sign(",")))
            && offset < 32
        {
            offset = starred(offset) + 2;
        }
        let last = starred(offset);
        offset > 0
            && matches!(self.peek_at(last), Some(Token::Name(_)))
            && matches!(self.peek_at(last + 1), Some(Token::Sign("=" | ":=")))
    }

    pub(super) fn tuple_assignment(&mut self) -> Thing {
        let from = self.frame.at;
        while !self.is_sign("=") && !self.is_sign(":=") {
            self.frame.at += 1;
        }
        let to = self.frame.at;
        self.frame.at += 1;
        let mut things = vec![self.expression()];
        while self.take_sign(",") {
            things.push(self.expression());
        }
        let whole = match things.as_slice() {
            [only] => only.clone(),
            _ => Thing::List(things),
        };
        if self.language == Language::Go && !matches!(whole, Thing::List(_)) {
            self.go_results(from, to, &whole);
            return whole;
        }
        self.take_apart(from, to, &whole);
        whole
    }

    /// Behind `for` or `foreach`: binds the variable of the loop to an element of what is looped over.
    pub(super) fn loop_head(&mut self) -> Option<(Vec<String>, Thing)> {
        let bracket = self.is_open('(') && !matches!(self.language, Language::Perl);
        let mut at = self.frame.at + usize::from(bracket);
        let mut names = Vec::new();
        // PHP names the variable behind `as`, so what is looped over stands here.
        if self.language == Language::Php && bracket {
            self.frame.at = at;
            let whole = self.expression();
            if self.take_name("as") {
                while let Some(name) = self.take_any_name() {
                    let element = self.element_of_loop(&whole);
                    self.bind_here(&name, element);
                    if !self.take_sign("=>") {
                        break;
                    }
                }
            }
            return None;
        }
        loop {
            match self.frame.tokens.get(at) {
                Some(Token::Name(name)) if matches!(&**name, "in" | "of") => {
                    at += 1;
                    break;
                }
                // Go: `for _, x := range xs`.
                Some(Token::Sign(":=" | "=")) if self.language == Language::Go => {
                    if !matches!(self.frame.tokens.get(at + 1), Some(Token::Name(name)) if &**name == "range") {
                        return None;
                    }
                    at += 2;
                    break;
                }
                Some(Token::Name(name)) => {
                    if !matches!(&**name, "my" | "our" | "const" | "let" | "var") {
                        names.push(name.to_string());
                    }
                    at += 1;
                }
                Some(Token::Sign("," | ":") | Token::Open('[' | '{') | Token::Close(']' | '}'))
                    if self.language != Language::Perl =>
                {
                    at += 1
                }
                Some(Token::Open('(')) if self.language == Language::Perl => break,
                Some(Token::Open('(') | Token::Close(')')) if self.language == Language::Python => at += 1,
                _ => return None,
            }
            if names.len() > 8 {
                return None;
            }
        }
        self.frame.at = at;
        let whole = self.expression();
        let element = self.element_of_loop(&whole);
        if names.is_empty() && self.language == Language::Perl {
            names.push("$_".to_owned());
        }
        self.bind_elements(&names, &element);
        Some((names, whole))
    }

    /// Binds the variables of a loop: several of them take an element apart.
    fn bind_elements(&mut self, names: &[String], element: &Thing) {
        // A walk gives a directory, and the names in it.
        let walked = element.origins().iter().find_map(|origin| match origin {
            crate::value::Origin::Listing { by, under } if by == "os.walk" && names.len() == 3 => {
                Some(Thing::text(under.as_str()))
            }
            _ => None,
        });
        for (position, name) in names.iter().enumerate() {
            let part = match element {
                _ if position > 0 && walked.is_some() => self.names_in(walked.as_ref().unwrap_or(element)),
                Thing::List(things) if names.len() > 1 => things.get(position).cloned().unwrap_or_else(Thing::unknown),
                Thing::Record(fields) if names.len() > 1 || self.language == Language::JavaScript => {
                    let field = fields.iter().find(|(field, _)| field == name);
                    field.map_or_else(|| element.clone(), |(_, thing)| thing.clone())
                }
                _ => element.clone(),
            };
            self.bind_here(name, part);
        }
    }

    /// The elements of `[f(x) for x in xs]`, if those of `xs` are known; otherwise the variable is bound to any of them,
    /// since it is used before the loop stands there.
    pub(super) fn comprehension(&mut self, partner: usize) -> Option<Vec<Thing>> {
        let start = self.frame.at;
        let (names, whole) = self.bind_comprehension(partner)?;
        let [name] = names.as_slice() else { return None };
        let things = match whole {
            Thing::List(things) => things,
            Thing::Text(value) => {
                value.known()?.chars().take(EACH + 1).map(|one| Thing::text(one.to_string())).collect()
            }
            // Bytes that a decoder has made and that are no text.
            Thing::Result { of, origins } if of == super::functions::DECODED => {
                origins.iter().find_map(|origin| match origin {
                    crate::value::Origin::Bytes(bytes) => {
                        Some(bytes.iter().take(EACH + 1).map(|byte| Thing::Number(i64::from(*byte))).collect())
                    }
                    _ => None,
                })?
            }
            _ => return None,
        };
        if things.len() > EACH || things.len() < 2 {
            return None;
        }
        let mut all = Vec::with_capacity(things.len());
        for thing in things {
            self.frame.at = start;
            self.bind_here(name, thing);
            self.frame.at = start + 1;
            if !self.may_repeat() {
                self.frame.at = start;
                return None;
            }
            all.push(self.expression());
            // Only the plain form is followed: one expression, and then the loop without a condition.
            if !self.is_name("for") {
                self.frame.at = start;
                return None;
            }
        }
        self.frame.at = partner + 1;
        Some(all)
    }

    /// One of the elements of what is looped over.
    pub(super) fn element_of_loop(&mut self, whole: &Thing) -> Thing {
        let Thing::List(things) = whole else { return whole.element() };
        let counted = |thing: &Thing| matches!(thing, Thing::Number(_) | Thing::Truth(_));
        if things.len() < 2 || things.iter().all(counted) {
            return whole.element();
        }
        let mut special: Vec<&Thing> = Vec::new();
        for thing in things {
            if is_conspicuous(thing) || self.is_secret(thing) {
                special.push(thing);
            }
        }
        let taken = self.readings.element_of(things, &special, &self.frame);
        one_of(taken, whole, !special.is_empty())
    }

    /// One of two values, whichever a condition decides for.
    pub(super) fn either(&mut self, first: Thing, second: Thing) -> Thing {
        if first == second {
            return first;
        }
        if is_counted(&first) && is_counted(&second) {
            return Thing::result(COUNTED, Vec::new());
        }
        let two = [first, second];
        let mut special: Vec<&Thing> = Vec::new();
        for thing in &two {
            if is_conspicuous(thing) || self.is_secret(thing) {
                special.push(thing);
            }
        }
        let taken = self.readings.choice_of(&two, &special, &self.frame);
        let odd = !special.is_empty();
        one_of(taken, &Thing::List(two.to_vec()), odd)
    }

    /// Whether it is the name of something secret, here or at home.
    pub(super) fn is_secret(&mut self, thing: &Thing) -> bool {
        let Some(text) = thing.known().filter(|text| !text.is_empty()) else { return false };
        // The same list is looked at in every reading.
        if let Some(known) = self.readings.secrets.get(text) {
            return *known;
        }
        let found = self.looks_secret(text);
        self.readings.secrets.insert(text.to_owned(), found);
        found
    }

    fn looks_secret(&self, text: &str) -> bool {
        let below_home = format!("{}/{}", self.shell.whereabouts().home, text.trim_start_matches("~/"));
        [text, below_home.as_str()]
            .iter()
            .any(|path| self.shell.place(&crate::value::Value::text(*path)).nature == crate::place::Nature::Secret)
    }

    /// In `[f(x) for x in xs]` the variable is used before it is bound: binds it first.
    fn bind_comprehension(&mut self, partner: usize) -> Option<(Vec<String>, Thing)> {
        if self.language != Language::Python || self.depth > 12 {
            return None;
        }
        let start = self.frame.at;
        let mut at = start + 1;
        // The loop stands on the level of this bracket, behind everything else but conditions.
        while at < partner {
            match self.frame.tokens.get(at) {
                Some(Token::Open(_)) => at = self.partner(at),
                Some(Token::Name(name)) if &**name == "for" => {
                    let straight = self.straight;
                    self.frame.at = at + 1;
                    let head = self.loop_head();
                    let plain = self.frame.at >= partner;
                    self.frame.at = start;
                    self.straight = straight;
                    let names = head.iter().flat_map(|(names, _)| names);
                    for name in names {
                        // It is there before it is used.
                        if let Some(bound) = self.variables.get(name).cloned() {
                            self.bind_here(name, bound);
                        }
                    }
                    return head.filter(|_| plain);
                }
                None => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// A name where an operand stands: a keyword with a meaning of its own, a call without brackets, or a variable.
    pub(super) fn named(&mut self, name: &str) -> Thing {
        self.frame.at += 1;
        match name {
            "True" | "true" | "TRUE" => return Thing::Truth(true),
            "T" if self.language == Language::R => return Thing::Truth(true),
            "False" | "false" | "FALSE" => return Thing::Truth(false),
            "F" if self.language == Language::R => return Thing::Truth(false),
            "None" | "nil" | "null" | "undefined" | "undef" | "NULL" => return Thing::unknown(),
            "lambda" if self.language == Language::Python => {
                let from = self.frame.at;
                while self.frame.at < self.frame.tokens.len() && self.frame.at < from + 64 && !self.is_sign(":") {
                    self.frame.at += 1;
                }
                self.unbind_names(from, self.frame.at);
                self.frame.at += 1;
                self.straight = false;
                return self.expression();
            }
            "function" | "def" | "sub" | "func" | "fun" | "fn" | "class" | "module"
                if !self.is_sign("=") && !self.is_sign(".") =>
            {
                if self.is_decorated()
                    && let Some(Token::Name(function)) = self.peek()
                {
                    let function = function.to_string();
                    self.hand_out(&function);
                }
                return self.definition(name);
            }
            // The function that a reference leads to: `&{\&CORE::system}(…)`.
            "&" if self.language == Language::Perl && self.is_open('{') => {
                return self.bracketed('}').items.pop().unwrap_or_else(Thing::unknown);
            }
            // What a block makes of each of them.
            "map"
                if self.language == Language::Perl
                    && let Some(things) = self.perl_map() =>
            {
                return Thing::List(things);
            }
            "map" | "grep" | "sort" | "first" | "any" if self.language == Language::Perl && self.is_open('{') => {
                let made = self.braces();
                let of = self.bare_arguments();
                return Thing::result("", made.origins().and(of.origins()));
            }
            "getline" if self.language == Language::Awk => return self.awk_getline(),
            "print" | "printf" | "say" if self.language == Language::Perl => self.skip_handle(),
            "print" | "printf" => self.printing = self.language == Language::Awk,
            _ => {}
        }
        let arrow = self.is_sign("=>") && !matches!(self.language, Language::Perl | Language::Php | Language::Ruby)
            || self.is_sign("->") && self.language == Language::Java;
        if arrow {
            // The parameter of an arrow function.
            let at = self.frame.at;
            self.unbind_names(at - 1, at);
            self.frame.at += 1;
            self.straight = false;
            self.skip_ends();
            return self.expression();
        }
        let thing = self.look_up(name);
        let Thing::Name(full) = &thing else { return thing };
        if !self.is_open('(') {
            let full = full.clone();
            self.hand_out(&full);
        }
        let Thing::Name(full) = &thing else { return thing };
        let member = matches!(self.peek(), Some(Token::Sign("." | "::" | "->" | "?.")));
        // A function of the text itself is called like any other.
        if self.language == Language::Ruby && !member && self.own.contains(full) && self.begins_argument() {
            let full = full.clone();
            let args = self.bare_arguments();
            return self.call_name(&full, &args);
        }
        if !self.flavour.bare_calls || self.is_open('(') || member && !self.flavour.dot_joins || !self.knows(full) {
            return thing;
        }
        if matches!(self.peek(), Some(Token::Sign("=" | "=>" | ":" | "::" | "->"))) {
            return thing;
        }
        // In Lua a text behind a name is its only argument: `require"socket".tcp()`.
        if self.language == Language::Lua && matches!(self.peek(), Some(Token::Text(_))) {
            return thing;
        }
        let full = full.clone();
        let args = if self.begins_argument()
            || self.is_open('[') && self.language != Language::Lua && self.language != Language::Awk
        {
            self.bare_arguments()
        } else {
            Args::default()
        };
        self.call_name(&full, &args)
    }

    /// `print OUT "…"`, `print {$fh} "…"`: where it goes is not what it prints.
    fn skip_handle(&mut self) {
        let handle = match (self.peek(), self.peek_at(1)) {
            (Some(Token::Name(name)), Some(Token::Text(_) | Token::Name(_) | Token::End) | None) => {
                name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_')
                    || name.starts_with('$') && matches!(self.peek_at(1), Some(Token::Text(_) | Token::Name(_)))
            }
            _ => false,
        };
        self.handle = None;
        let named = |reader: &Self, name: &str| match reader.variables.get(name) {
            Some(Thing::File(path)) => Some(path.clone()),
            _ => None,
        };
        if handle {
            if let Some(Token::Name(name)) = self.peek() {
                self.handle = named(self, name);
            }
            self.frame.at += 1;
        } else if self.is_open('{') {
            if let Some(Token::Name(name)) = self.peek_at(1) {
                self.handle = named(self, name);
            }
            let handle = self.handle.take();
            // What gives the handle may do anything before.
            self.braces();
            self.handle = handle;
        }
    }
}

/// One of the elements of a list, as a reading takes it; some of them may be odd.
fn one_of(taken: Element, whole: &Thing, odd: bool) -> Thing {
    match (taken, whole.element()) {
        (Element::One(thing), _) => thing,
        (Element::Any, Thing::Result { of, mut origins }) if odd => {
            origins.add(crate::value::Origin::Astray);
            Thing::Result { of, origins }
        }
        (_, element) => element,
    }
}
