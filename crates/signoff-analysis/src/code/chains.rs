//! Chains: members, calls and indices behind an operand.

use super::{
    brackets::SPREAD,
    changes::Receiver,
    expressions::{home, is_text},
    functions,
    lexer::Token,
    methods,
    reader::Reader,
    thing::{Args, Thing},
};
use crate::{shell::Language, value::Origin};

/// The lists of arguments, and the position of the first one behind the script.
const ARGUMENTS: &[(&str, i64)] = &[("sys.argv", 1), ("ARGV", 0), ("$ARGV", 0), ("$argv", 1), ("arg", 1)];

/// A name with its members is put together up to this length.
const LONGEST_NAME: usize = 1024;

/// What a slice asks for.
#[derive(Clone, Copy, Debug)]
enum Slice {
    /// From here, and up to there; counted from the end if it is negative.
    Known(Option<i64>, Option<i64>),
    /// A part that is not known.
    Unknown,
}

/// What was spread out in a record, of which the fields are not known: `{...module}`.
fn spread_in(fields: &[(String, Thing)]) -> Option<&Thing> {
    let spread = |(field, thing): &&(String, Thing)| field == SPREAD && matches!(thing, Thing::Name(_));
    fields.iter().find(spread).map(|(_, thing)| thing)
}

/// The elements from one position up to another one.
fn part_of<T: Clone>(all: &[T], first: Option<i64>, last: Option<i64>) -> Vec<T> {
    let position = |number: i64| match usize::try_from(number) {
        Ok(position) => position.min(all.len()),
        Err(_) => all.len().saturating_sub(usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX)),
    };
    let (from, to) = (first.map_or(0, position), last.map_or(all.len(), position));
    all.get(from..to).unwrap_or_default().to_vec()
}

impl Reader<'_, '_> {
    /// The next step of a chain: a member, a call, an index.
    pub(super) fn chain(&mut self, thing: &Thing) -> Option<Thing> {
        let token = match self.peek()? {
            Token::End
                if (self.frame.grouped || self.continues_behind_end())
                    && matches!(self.peek_at(1), Some(Token::Sign("." | "?." | "->"))) =>
            {
                self.frame.at += 1;
                self.peek()?.clone()
            }
            token => token.clone(),
        };
        match token {
            Token::Sign(sign @ ("." | "?." | "->" | "::")) => {
                // In Lua two colons stand around a label.
                if sign == "." && self.flavour.dot_joins || sign == "::" && self.language == Language::Lua {
                    return None;
                }
                match self.peek_at(1)? {
                    Token::Name(name) => {
                        let name = name.to_string();
                        self.frame.at += 2;
                        Some(self.member_or_call(thing, &name))
                    }
                    // `"ls".!` runs a command in Scala.
                    Token::Sign("!")
                        if self.language == Language::Java
                            && (is_text(thing)
                                || matches!(thing, Thing::Result { origins, .. } if !origins.is_empty())) =>
                    {
                        self.frame.at += 2;
                        Some(self.run_shell_text(thing))
                    }
                    Token::Open('(' | '[') => {
                        self.frame.at += 1;
                        Some(thing.clone())
                    }
                    Token::Open('{') if self.language == Language::Perl => {
                        self.frame.at += 1;
                        self.bracketed('}');
                        Some(Thing::result("", thing.origins()))
                    }
                    _ => None,
                }
            }
            Token::Sign(":") if matches!(self.language, Language::Lua | Language::Other) => {
                match (self.peek_at(1)?, self.peek_at(2)) {
                    (Token::Name(name), Some(Token::Open('(') | Token::Text(_))) => {
                        let name = name.to_string();
                        self.frame.at += 2;
                        Some(self.member_or_call(thing, &name))
                    }
                    _ => None,
                }
            }
            Token::Open('(') => {
                let args = self.bracketed(')');
                Some(self.call(thing, &args))
            }
            // `char *argv[] = …`, `new String[] {…}`, `Vec<…>`.
            Token::Open('[') if self.flavour.typed && matches!(self.peek_at(1), Some(Token::Close(']'))) => {
                self.frame.at += 2;
                let elements = self.is_open('{') && matches!(thing, Thing::Name(_));
                Some(if elements { Thing::List(self.bracketed('}').items) } else { thing.clone() })
            }
            // A macro of Rust: `vec![…]`, `println!(…)`.
            Token::Sign("!") if self.language == Language::Rust && matches!(self.peek_at(1), Some(Token::Open(_))) => {
                self.frame.at += 1;
                let (Some(Token::Open(mark)), Thing::Name(name)) = (self.peek().cloned(), thing) else { return None };
                let args = self.bracketed(if mark == '[' { ']' } else { ')' });
                Some(if name == "vec" { Thing::List(args.items) } else { self.call_name(&format!("{name}!"), &args) })
            }
            Token::Open('[') => {
                if self.is_reversal() {
                    self.frame.at = self.partner(self.frame.at) + 1;
                    return Some(functions::reversed(thing));
                }
                let receiver = std::mem::take(&mut self.receiver);
                let slice = self.slice_here();
                let index = self.bracketed(']');
                if let Some(slice) = slice
                    && !self.is_sign("=")
                {
                    return Some(self.sliced(thing, slice));
                }
                if let Receiver::Variable(variable) = receiver
                    && self.is_sign("=")
                    && matches!(thing, Thing::Record(_) | Thing::List(_) | Thing::Result { .. })
                {
                    self.frame.at += 1;
                    self.skip_ends();
                    let right = self.expression();
                    self.put(&variable, thing, &index, right.clone());
                    return Some(right);
                }
                // `globals()['name'] = …` sets a variable.
                let space = match thing {
                    Thing::Name(name) | Thing::Result { of: name, .. } => functions::is_namespace(name),
                    _ => false,
                };
                if let Some(name) = index.known(0).filter(|_| space && self.is_sign("=")) {
                    self.frame.at += 1;
                    self.skip_ends();
                    let right = self.expression();
                    let sigil = if self.language == Language::Php { "$" } else { "" };
                    self.bind(&format!("{sigil}{name}"), right.clone());
                    return Some(right);
                }
                // `method(:system)["…"]` calls what was taken by its name.
                if let Thing::Name(function) = thing
                    && self.language == Language::Ruby
                    && self.knows(function)
                    && self.does_harm(function)
                {
                    return Some(self.call_name(&function.clone(), &index));
                }
                Some(self.element_of(thing, &index))
            }
            Token::Open('{')
                if self.language == Language::Perl && matches!(thing, Thing::Name(name) if name.starts_with('$')) =>
            {
                let index = self.bracketed('}');
                Some(self.element_of(thing, &index))
            }
            Token::Text(parts) if self.is_tagged(thing) => {
                self.frame.at += 1;
                let text = self.text_of(&parts);
                Some(self.call(thing, &Args { items: vec![text], named: Vec::new() }))
            }
            _ => None,
        }
    }

    /// Whether a text right behind the thing is its argument: a tagged template, or a call of Lua.
    fn is_tagged(&self, thing: &Thing) -> bool {
        matches!(
            (self.language, thing),
            (Language::JavaScript | Language::Lua, Thing::Name(_)) | (Language::Lua, Thing::Result { .. })
        )
    }

    /// `[::-1]`.
    fn is_reversal(&self) -> bool {
        let behind = |offset: usize| self.peek_at(offset);
        matches!(
            (behind(1), behind(2), behind(3), behind(4)),
            (Some(Token::Sign("::")), Some(Token::Sign("-")), Some(Token::Number(1)), Some(Token::Close(']')))
        )
    }

    /// The slice that the bracket at the current position asks for; none if it asks for an element.
    fn slice_here(&self) -> Option<Slice> {
        let (from, to) = (self.frame.at + 1, self.partner(self.frame.at));
        let mut at = from;
        let mark = loop {
            match self.frame.tokens.get(at).filter(|_| at < to)? {
                Token::Open(_) => at = self.partner(at),
                Token::Sign(sign @ (":" | "::"))
                    if matches!(self.language, Language::Python | Language::Go | Language::Other) =>
                {
                    break *sign;
                }
                Token::Sign(sign @ (".." | "..."))
                    if matches!(self.language, Language::Ruby | Language::Perl | Language::Rust) =>
                {
                    break *sign;
                }
                _ => {}
            }
            at += 1;
        };
        let number = |tokens: &[Token]| match tokens {
            [] => Some(None),
            [Token::Number(number)] => Some(Some(*number)),
            [Token::Sign("-"), Token::Number(number)] => Some(Some(number.wrapping_neg())),
            _ => None,
        };
        let first = number(self.frame.tokens.get(from..at).unwrap_or_default());
        let last = number(self.frame.tokens.get(at + 1..to).unwrap_or_default());
        Some(match (mark, first, last) {
            (":", Some(first), Some(last)) => Slice::Known(first, last),
            ("...", Some(first), Some(last)) if self.language == Language::Ruby => Slice::Known(first, last),
            // The last one belongs to it.
            ("..", Some(first), Some(last)) if self.language != Language::Rust => {
                Slice::Known(first, last.and_then(|last| last.checked_add(1)).filter(|last| *last != 0))
            }
            _ => Slice::Unknown,
        })
    }

    /// A part of a text or a list, or of the arguments that the code gets.
    fn sliced(&self, thing: &Thing, slice: Slice) -> Thing {
        let (first, last) = match slice {
            Slice::Known(first, last) => (first, last),
            Slice::Unknown => {
                return match thing {
                    Thing::Text(_) | Thing::Path(_) => thing.rewritten(),
                    other => Thing::result("", other.origins()),
                };
            }
        };
        match thing {
            Thing::List(things) => Thing::List(part_of(things, first, last)),
            Thing::Text(value) if value.known().is_some() => {
                let letters: Vec<char> = value.known().unwrap_or_default().chars().collect();
                Thing::text(part_of(&letters, first, last).into_iter().collect::<String>())
            }
            Thing::Name(name) => match (ARGUMENTS.iter().find(|(list, _)| list == name), first, last) {
                (Some((_, script)), first, None) if first.is_none_or(|first| first >= *script) => {
                    let skipped = usize::try_from(first.unwrap_or(0) - script).unwrap_or(0);
                    match self.shell.arguments() {
                        Some(given) if *script == 0 || first.is_some() => {
                            Thing::List(given.iter().skip(skipped).map(|arg| Thing::Text(arg.value.clone())).collect())
                        }
                        _ => Thing::result(name, Vec::new()),
                    }
                }
                (Some(_), ..) => Thing::result(name, Vec::new()),
                _ => Thing::result("", thing.origins()),
            },
            Thing::Many(_) => thing.clone(),
            Thing::Text(_) | Thing::Path(_) => thing.rewritten(),
            other => Thing::result("", other.origins()),
        }
    }

    /// Sets an element of what a variable holds.
    pub(super) fn put(&mut self, variable: &str, whole: &Thing, index: &Args, part: Thing) {
        let changed = match (whole, index.get(0).and_then(Thing::known)) {
            (Thing::Record(fields), Some(key)) if fields.len() < 4096 => {
                let mut fields: Vec<_> = fields.iter().filter(|(name, _)| name != key).cloned().collect();
                fields.push((key.to_owned(), part));
                Thing::Record(fields)
            }
            (Thing::List(things), _) if things.is_empty() => Thing::List(vec![part]),
            (whole, _) => Thing::result("", whole.origins().and(part.origins())),
        };
        self.replace_held(variable, whole, changed);
    }

    fn element_of(&mut self, thing: &Thing, index: &Args) -> Thing {
        match (thing, index.get(0)) {
            (Thing::List(things), Some(Thing::Number(number))) if index.items.len() == 1 => {
                // Lua counts from one.
                let number = number - i64::from(self.language == Language::Lua);
                let position =
                    usize::try_from(number).ok().or_else(|| things.len().checked_sub(number.unsigned_abs() as usize));
                position.and_then(|position| things.get(position)).cloned().unwrap_or_else(Thing::unknown)
            }
            (Thing::Record(fields), Some(Thing::Text(key))) => fields
                .iter()
                .find(|(name, _)| Some(name.as_str()) == key.known())
                .map_or_else(Thing::unknown, |(_, thing)| thing.clone()),
            (Thing::Name(name), key) if functions::is_environment(name) || name == "$ENV" => {
                // Each variable by its name, with the loop over all of them behind it.
                let each = index.named.first().is_some_and(|(name, _)| name == "$_");
                if self.seen.every_variable && each {
                    return Thing::Name("%ENV".to_owned());
                }
                let key = key.map_or_else(
                    || index.named.first().map_or("…".to_owned(), |(key, _)| key.clone()),
                    |key| key.value().shown().into_owned(),
                );
                self.environment_variable(&key)
            }
            (Thing::Name(name), Some(Thing::Number(number)))
                if index.items.len() == 1 && ARGUMENTS.iter().any(|(list, _)| list == name) =>
            {
                self.argument_of(name, *number)
            }
            (Thing::Name(_), Some(Thing::Text(key))) if key.known().is_some() => {
                self.member(thing, key.known().unwrap_or_default())
            }
            (Thing::Many(value), _) => Thing::Path(value.clone()),
            (Thing::Text(value), Some(Thing::Number(number))) if index.items.len() == 1 => {
                let letter = value
                    .known()
                    .zip(usize::try_from(*number).ok())
                    .and_then(|(text, number)| text.chars().nth(number));
                letter.map_or_else(Thing::unknown, |letter| Thing::text(letter.to_string()))
            }
            // `globals()['os']`: what goes by this name. Of a module, `vars(os)` is the table, and its origin says so.
            (Thing::Result { of, origins }, Some(Thing::Text(key)))
                if matches!(of.as_str(), "globals" | "locals" | "vars")
                    && origins.is_empty()
                    && key.known().is_some_and(|name| !self.own.contains(name)) =>
            {
                self.look_up(key.known().unwrap_or_default())
            }
            (Thing::Result { of, origins }, _) if functions::is_namespace(of) => Thing::result(of, origins.clone()),
            // A part of a text.
            (text @ (Thing::Text(_) | Thing::Path(_)), _) => text.rewritten(),
            (other, _) => Thing::result("", other.origins()),
        }
    }

    /// One of the arguments that the code gets.
    fn argument_of(&self, list: &str, number: i64) -> Thing {
        let first = ARGUMENTS.iter().find(|(name, _)| *name == list).map_or(0, |(_, first)| *first);
        let position = usize::try_from(number - first).ok();
        match position.and_then(|position| self.shell.arguments()?.get(position)) {
            Some(arg) => Thing::Text(arg.value.clone()),
            None => Thing::result(list, Vec::new()),
        }
    }

    /// A variable of the environment.
    pub(super) fn environment_variable(&self, name: &str) -> Thing {
        if name == "HOME" {
            return Thing::Text(home(self.shell.whereabouts().home.as_str()));
        }
        Thing::result(name, vec![Origin::Variable(name.to_owned())])
    }

    /// A member that may be a call: with brackets, or without where the language allows that.
    fn member_or_call(&mut self, thing: &Thing, name: &str) -> Thing {
        let receiver = std::mem::take(&mut self.receiver);
        if let (Thing::File(path), "close") = (thing, name)
            && self.frame.at >= 3
            && matches!(self.frame.tokens.get(self.frame.at - 3), Some(Token::Close(')')))
        {
            // `open(path, "w").close()` only empties the file.
            let arg = crate::value::Arg { value: path.clone(), span: self.span };
            self.shell.write(&arg, crate::path_effects::Write::Empty);
        }
        if self.is_open('(') {
            // A function among the arguments is read before the call: its parameter stands for an element.
            self.element = match name {
                "then" | "tap" | "yield_self" => Some(thing.clone()),
                // The function that gets an answer.
                "get" | "request" if matches!(thing, Thing::Name(base) if base == "http" || base == "https") => {
                    let encrypted = matches!(thing, Thing::Name(base) if base == "https");
                    let origin = crate::value::Origin::Download { url: "another machine".to_owned(), encrypted };
                    Some(Thing::result("response", vec![origin]))
                }
                // What an event of a connection brings has come over it.
                "on" | "once" | "addListener" | "addEventListener" | "subscribe" | "each_line" | "eachLine"
                    if thing.origins().iter().any(|origin| matches!(origin, crate::value::Origin::Download { .. })) =>
                {
                    Some(Thing::result("event", thing.origins()))
                }
                name if methods::is_loop(name) => Some(self.element_of_loop(thing)),
                _ => None,
            };
            if let (Thing::List(things), "map") = (thing, name)
                && let Some(results) = self.mapped(things)
            {
                return Thing::List(results);
            }
            let args = self.bracketed(')');
            self.element = None;
            let result = self.call_member(thing, name, &args);
            self.change(&receiver, thing, name, &args, &result);
            return result;
        }
        // A closure behind the name is handed to it: `directory.eachFile { it.delete() }`.
        if self.language == Language::Java && self.is_open('{') && !matches!(thing, Thing::Name(_)) {
            let result = self.call_member(thing, name, &Args::default());
            let element = if methods::is_loop(name) { self.element_of_loop(thing) } else { result.element() };
            self.bind_here("it", element.clone());
            self.element = Some(element);
            return result;
        }
        let full = match thing {
            Thing::Name(base) if base.len() <= LONGEST_NAME => Some(format!("{base}.{name}")),
            _ => None,
        };
        let known = full.as_deref().is_some_and(|full| self.knows(full));
        if self.flavour.bare_calls
            && (known || full.is_none())
            && self.begins_argument()
            && self.language != Language::Php
        {
            let args = self.bare_arguments();
            let result = self.call_member(thing, name, &args);
            self.change(&receiver, thing, name, &args, &result);
            return result;
        }
        let calls = self.language == Language::Ruby
            && name.starts_with(|letter: char| letter.is_lowercase())
            && !self.is_sign("=")
            || self.language == Language::Perl && matches!(thing, Thing::Path(_) | Thing::File(_));
        if calls && !functions::is_environment(full.as_deref().unwrap_or_default()) {
            let result = self.call_member(thing, name, &Args::default());
            self.change(&receiver, thing, name, &Args::default(), &result);
            return result;
        }
        if matches!(receiver, Receiver::Variable(_)) && matches!(self.language, Language::Python | Language::JavaScript)
        {
            self.take_method(thing, name);
        }
        self.member(thing, name)
    }

    /// What a function written among the arguments gives for every element of a list, if there are not too many.
    fn mapped(&mut self, things: &[Thing]) -> Option<Vec<Thing>> {
        let start = self.frame.at;
        let function = matches!(
            (self.peek_at(1), self.peek_at(2)),
            (Some(Token::Name(_)), Some(Token::Sign("=>" | "->"))) | (Some(Token::Open('(')), _)
        );
        if !function || things.len() < 2 || things.len() > super::evaluation::EACH {
            return None;
        }
        let mut all = Vec::with_capacity(things.len());
        let straight = self.straight;
        for thing in things {
            self.frame.at = start;
            if !self.may_repeat() {
                return None;
            }
            self.element = Some(thing.clone());
            all.push(self.bracketed(')').items.into_iter().next().unwrap_or_else(Thing::unknown));
        }
        self.element = None;
        self.straight = straight;
        Some(all)
    }

    fn call_member(&mut self, thing: &Thing, name: &str, args: &Args) -> Thing {
        // `….then(eval)`: the function gets what was waited for.
        if let ("then", Some(Thing::Name(function))) = (name, args.get(0))
            && self.language == Language::JavaScript
            && self.knows(function)
        {
            let function = function.clone();
            return self.call_name(&function, &Args { items: vec![thing.clone()], named: Vec::new() });
        }
        match thing {
            // `(new ReflectionFunction('system'))->invoke(…)`, in PHP the same.
            Thing::Name(base)
                if self.language == Language::Php
                    && matches!(name, "invoke" | "__invoke" | "invokeArgs" | "getClosure")
                    && self.knows(base) =>
            {
                let function = base.clone();
                match (name, args.get(0)) {
                    ("getClosure", _) => Thing::Name(function),
                    ("invokeArgs", Some(Thing::List(things))) => {
                        self.call_name(&function, &Args { items: things.clone(), named: Vec::new() })
                    }
                    _ => self.call_name(&function, args),
                }
            }
            // `method(:system).call(…)`: what was taken by its name is called.
            Thing::Name(base) if self.language == Language::Ruby && name == "call" && self.knows(base) => {
                self.call_name(&base.clone(), args)
            }
            Thing::Name(base)
                if !matches!(name, "call" | "apply" | "bind" | "then" | "catch")
                    || self.language != Language::JavaScript =>
            {
                let full = format!("{base}.{name}");
                match self.value_of(&full).or_else(|| self.of_class(base, name)) {
                    Some(bound) => self.call(&bound, args),
                    None => self.call_name(&full, args),
                }
            }
            Thing::Result { of, .. } if self.of_class(of, name).is_some() => {
                let bound = self.of_class(of, name).unwrap_or_else(Thing::unknown);
                self.call(&bound, args)
            }
            Thing::Record(fields) if fields.iter().any(|(field, _)| field == name) => {
                let held = self.member(thing, name);
                self.call(&held, args)
            }
            Thing::Record(fields) if spread_in(fields).is_some() => {
                let spread = spread_in(fields).cloned().unwrap_or_else(Thing::unknown);
                self.call_member(&spread, name, args)
            }
            thing => methods::call(self, thing, name, args),
        }
    }

    /// What a class of the text holds under a name, if that is a function of somebody else.
    fn of_class(&mut self, class: &str, name: &str) -> Option<Thing> {
        if !self.classes.contains(class) {
            return None;
        }
        self.value_of(name).filter(|held| matches!(held, Thing::Name(_)))
    }

    /// A member that is no call.
    pub(super) fn member(&mut self, thing: &Thing, name: &str) -> Thing {
        match thing {
            // The handler of a server in Python reads from whoever has connected.
            Thing::Name(base) if base == "self" && name == "rfile" => super::network::connection(None),
            // Every object of Python leads to the functions that come with it.
            _ if self.language == Language::Python && name == "__builtins__" => Thing::Name("builtins".to_owned()),
            _ if self.language == Language::Python && matches!(name, "__globals__" | "__subclasses__") => {
                let mut origins = thing.origins();
                origins.add(Origin::Dangerous(name.to_owned()));
                Thing::result(name, origins)
            }
            // No name that is known is as long, and a longer one would be copied with every member.
            Thing::Name(base) if base.len() > LONGEST_NAME => {
                self.seen.unread = true;
                Thing::unknown()
            }
            // Where Python keeps a module that is not the project's own.
            Thing::Name(base)
                if self.language == Language::Python && matches!(name, "__file__" | "__path__") && !base.is_empty() =>
            {
                let package = format!("/usr/lib/python3/dist-packages/{}", base.replace('.', "/"));
                match name {
                    "__path__" => Thing::List(vec![Thing::text(package)]),
                    _ => Thing::text(format!("{package}/__init__.py")),
                }
            }
            Thing::Name(base) => {
                let full = format!("{base}.{name}");
                match self.value_of(&full) {
                    Some(bound) => bound,
                    None if matches!(base.as_str(), "process.env" | "import.meta.env") => {
                        self.environment_variable(name)
                    }
                    None => Thing::Name(full),
                }
            }
            Thing::Record(fields) => match (fields.iter().find(|(field, _)| field == name), spread_in(fields)) {
                (Some((_, thing)), _) => thing.clone(),
                (None, Some(spread)) => self.member(&spread.clone(), name),
                (None, None) => Thing::unknown(),
            },
            Thing::Path(_) if matches!(name, "parent" | "parents") => Thing::Path(thing.rewritten().value()),
            Thing::Path(_) | Thing::Text(_) => thing.rewritten(),
            // The name of an entry, and not its path.
            Thing::Result { origins, .. } if self.language == Language::Python && name == "name" => {
                let under = origins.iter().find_map(|origin| match origin {
                    Origin::Listing { by, under } if by == "os.scandir" => Some(Thing::text(under.as_str())),
                    _ => None,
                });
                under.map_or_else(|| Thing::result(name, origins.clone()), |under| self.names_in(&under))
            }
            Thing::Result { of, .. } if of.len() > LONGEST_NAME => thing.clone(),
            Thing::Result { of, origins } => Thing::result(&format!("{of}.{name}"), origins.clone()),
            other => Thing::result(name, other.origins()),
        }
    }

    /// Whether an argument without brackets begins here.
    pub(super) fn begins_argument(&self) -> bool {
        match self.peek() {
            Some(
                Token::Text(_)
                | Token::Command(_)
                | Token::Words(_)
                | Token::Glob(_)
                | Token::ReadLine(_)
                | Token::Number(_),
            ) => true,
            // `exec *%w(a b)` spreads a list.
            Some(Token::Sign("*")) if self.language == Language::Ruby => {
                matches!(self.peek_at(1), Some(Token::Words(_) | Token::Open('[')))
            }
            Some(Token::Name(name)) => !matches!(
                &**name,
                "if" | "unless"
                    | "while"
                    | "until"
                    | "for"
                    | "foreach"
                    | "or"
                    | "and"
                    | "do"
                    | "end"
                    | "then"
                    | "else"
                    | "x"
                    | "in"
                    | "eq"
                    | "ne"
                    | "rescue"
                    | "is"
                    | "as"
                    | "not"
            ),
            _ => false,
        }
    }

    /// Arguments without brackets, up to the end of the statement.
    pub(super) fn bare_arguments(&mut self) -> Args {
        let mut args = Args::default();
        while self.may_step() {
            self.argument(&mut args, false);
            if !self.take_sign(",") && !self.take_sign("=>") {
                break;
            }
            self.skip_ends();
        }
        args
    }
}
