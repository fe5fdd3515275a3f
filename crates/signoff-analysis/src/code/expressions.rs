//! Expressions: operands, chains of members and calls, and the few operators that make texts.

use super::{
    functions,
    lexer::Token,
    methods,
    reader::Reader,
    thing::{Args, Thing},
};
use crate::{shell::Language, value::Origin};

/// Words that stand before an expression and change nothing about what it does.
const PREFIXES: &[&str] = &[
    "return", "await", "new", "not", "yield", "throw", "raise", "die", "my", "our", "local", "let", "const", "var", "val",
    "final", "static", "global", "async", "typeof", "void", "del", "assert", "export", "default", "else", "elif", "if",
    "elsif", "elseif", "unless", "while", "until", "when", "case", "then", "do", "begin", "try", "catch", "except",
    "finally", "ensure", "rescue", "switch", "match", "with", "in", "of", "and", "or", "end", "BEGIN", "END", "pass", "break",
    "continue", "next", "last", "redo", "public", "private", "protected", "from", "extends", "implements", "String", "int",
    "char", "boolean", "void", "long", "double", "Object", "as", "is", "local", "repeat", "foreach", "for", "loop",
];

/// Words among them that make it uncertain whether, or how often, the rest runs.
const BRANCHES: &[&str] = &[
    "if", "elif", "else", "elsif", "elseif", "unless", "while", "until", "for", "foreach", "when", "case", "switch",
    "match", "except", "catch", "rescue", "loop", "repeat",
];

/// The lists of arguments, and the position of the first one behind the script.
const ARGUMENTS: &[(&str, i64)] = &[("sys.argv", 1), ("ARGV", 0), ("$ARGV", 0), ("$argv", 1), ("arg", 1)];

impl Reader<'_, '_> {
    /// An expression with its operators, or an assignment.
    pub(super) fn expression(&mut self) -> Thing {
        self.deeper(|reader| {
            if !reader.may_step() {
                return Thing::unknown();
            }
            if let Some(thing) = reader.assignment() {
                return thing;
            }
            let start = reader.frame.at;
            let mut left = reader.operand();
            if reader.frame.at == start {
                reader.frame.at += 1;
                return left;
            }
            while let Some(joined) = reader.operation(&mut left) {
                left = joined;
            }
            left
        })
    }

    /// `name = …`, `name += …`, `{a, b} = …`, `(a, b) = …`.
    fn assignment(&mut self) -> Option<Thing> {
        let first = self.peek()?.clone();
        match first {
            Token::Name(name) => {
                let Some(Token::Sign(sign @ ("=" | ":=" | "+=" | ".=" | "||=" | "??="))) = self.peek_at(1) else { return None };
                let sign = *sign;
                self.frame.at += 2;
                self.skip_ends();
                let right = self.expression();
                let thing = match sign {
                    "+=" | ".=" if self.straight => self.look_up(&name).joined(&right),
                    "+=" | ".=" => Thing::result("", right.origins()),
                    _ => right,
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

    /// Binds the names between two positions to the parts of a value.
    pub(super) fn take_apart(&mut self, from: usize, to: usize, whole: &Thing) {
        let tokens = std::rc::Rc::clone(&self.frame.tokens);
        let mut rest = tokens.get(from..to.min(tokens.len())).unwrap_or_default().iter().peekable();
        let mut position = 0;
        while let Some(token) = rest.next() {
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
                Thing::Name(module) => Thing::Name(format!("{module}.{key}")),
                Thing::Record(fields) => fields.iter().find(|(field, _)| **field == **key).map_or_else(Thing::unknown, |(_, thing)| thing.clone()),
                Thing::List(things) => things.get(position).cloned().unwrap_or_else(Thing::unknown),
                other => Thing::result("", other.origins()),
            };
            position += 1;
            self.bind(&name, part);
        }
    }

    /// Applies the next operator; none if there is none.
    fn operation(&mut self, left: &mut Thing) -> Option<Thing> {
        if !self.may_step() {
            return None;
        }
        let token = match self.peek()? {
            Token::End if self.frame.grouped || self.continues_behind_end() => {
                self.frame.at += 1;
                self.peek()?.clone()
            }
            token => token.clone(),
        };
        match token {
            Token::Sign("=") => {
                // A member or an element is set.
                let Thing::Name(name) = left else { return self.skip_operator(left) };
                let name = name.clone();
                self.frame.at += 1;
                self.skip_ends();
                let right = self.expression();
                self.bind(&name, right.clone());
                Some(right)
            }
            Token::Text(_) | Token::Command(_) if self.flavour.adjacent_join && is_text(left) => {
                let right = self.operand();
                Some(left.clone().joined(&right))
            }
            Token::Name(_) | Token::Number(_) | Token::Text(_) | Token::Sign("$")
                if self.language == Language::Awk && !matches!(&token, Token::Name(name) if &**name == "in") =>
            {
                let right = self.operand();
                Some(left.clone().joined(&right))
            }
            Token::Sign(sign) => self.binary(sign, left),
            Token::Name(word) if matches!(&*word, "or" | "and" | "x") && self.language != Language::Java => {
                self.frame.at += 1;
                self.skip_ends();
                let right = if &*word == "or" { self.alternative() } else { self.operand() };
                if &*word == "x" && let (Thing::Text(value), Some(count)) = (&*left, right.number()) {
                    return Some(repeated(value.known().unwrap_or_default(), count));
                }
                Some(Thing::result("", [left.origins(), right.origins()].concat()))
            }
            _ => None,
        }
    }

    /// What is done if what stands before is not so: a file that was asked for does not exist then.
    fn alternative(&mut self) -> Thing {
        let checked = self.checked.take();
        let outer = std::mem::replace(&mut self.absent, checked);
        let right = self.operand();
        self.absent = outer;
        right
    }

    /// Whether the next line goes on with this expression.
    fn continues_behind_end(&self) -> bool {
        self.language != Language::Python
            && matches!(self.peek_at(1), Some(Token::Sign("." | "?." | "->" | "+" | "&&" | "||" | "?" | ".." | "|>" | "??")))
    }

    fn skip_operator(&mut self, left: &Thing) -> Option<Thing> {
        self.frame.at += 1;
        self.skip_ends();
        let right = self.expression();
        Some(Thing::result("", [left.origins(), right.origins()].concat()))
    }

    fn binary(&mut self, sign: &'static str, left: &mut Thing) -> Option<Thing> {
        if matches!(sign, "," | ":" | "=>" | "@" | "\\" | "#" | "$" | "'" | "\"" | "`" | "!" | "~" | "::") {
            return None;
        }
        if self.language == Language::Awk && matches!(sign, "|" | "|&" | ">" | ">>") {
            return self.awk_redirection(sign, left);
        }
        self.frame.at += 1;
        self.skip_ends();
        if sign == "?" {
            let first = self.expression();
            self.skip_ends();
            if self.take_sign(":") {
                let second = self.expression();
                let same = first == second;
                return Some(if same { first } else { Thing::result("", [first.origins(), second.origins()].concat()) });
            }
            return Some(Thing::result("", first.origins()));
        }
        if sign == "|>" {
            self.element = Some(left.clone());
        }
        let right = if sign == "||" { self.alternative() } else { self.operand() };
        Some(match (sign, &*left, &right) {
            ("+", Thing::Number(a), Thing::Number(b)) => Thing::Number(a.wrapping_add(*b)),
            ("-", Thing::Number(a), Thing::Number(b)) => Thing::Number(a.wrapping_sub(*b)),
            ("^", Thing::Number(a), Thing::Number(b)) => Thing::Number(a ^ b),
            ("*", Thing::Number(a), Thing::Number(b)) => Thing::Number(a.wrapping_mul(*b)),
            ("+", Thing::List(a), Thing::List(b)) if a.len() + b.len() < 4096 => Thing::List(a.iter().chain(b).cloned().collect()),
            ("*", Thing::Text(value), Thing::Number(count)) => repeated(value.known().unwrap_or_default(), *count),
            ("+" | "." | ".." | "<<", _, _) if sign != "." || self.flavour.dot_joins => left.clone().joined(&right),
            ("%", Thing::Text(_), _) => functions::format(left, &Args { items: vec![right], named: Vec::new() }),
            ("/", Thing::Path(_), _) => left.clone().below(&right),
            ("/", Thing::Name(name), _) if is_home(name) => Thing::Path(home(self.shell.whereabouts().home.as_str())).below(&right),
            _ => Thing::result("", [left.origins(), right.origins()].concat()),
        })
    }

    /// An operand: prefixes, the thing itself, and the chain behind it.
    pub(super) fn operand(&mut self) -> Thing {
        loop {
            if !self.may_step() {
                return Thing::unknown();
            }
            match self.peek() {
                // A sigil of Elixir: `~c"text"`.
                Some(Token::Sign("~")) if matches!((self.peek_at(1), self.peek_at(2)), (Some(Token::Name(_)), Some(Token::Text(_)))) => self.frame.at += 2,
                Some(Token::Sign("!" | "-" | "+" | "~" | "*" | "**" | "..." | "&" | "\\" | "++" | "--" | "@")) => {
                    let minus = self.is_sign("-");
                    self.frame.at += 1;
                    if minus && let Some(Token::Number(number)) = self.peek() {
                        let number = number.wrapping_neg();
                        self.frame.at += 1;
                        return Thing::Number(number);
                    }
                }
                Some(Token::Name(name)) if PREFIXES.contains(&&**name) && !self.is_plain_use() => {
                    let name = name.to_string();
                    self.frame.at += 1;
                    self.keyword(&name);
                    if matches!(self.peek(), Some(Token::End | Token::Close(_) | Token::Sign("," | ":")) | None) {
                        return Thing::unknown();
                    }
                    if matches!(self.peek(), Some(Token::Name(_))) && matches!(self.peek_at(1), Some(Token::Sign("="))) {
                        return self.expression();
                    }
                    if self.is_open('(') && matches!(self.behind_partner(), Some(Token::Sign("="))) {
                        return self.expression();
                    }
                    if self.is_open('{') && matches!(self.behind_partner(), Some(Token::Sign("="))) {
                        return self.expression();
                    }
                }
                _ => break,
            }
        }
        let start = self.frame.at;
        let Some(mut thing) = self.primary() else { return Thing::unknown() };
        if self.frame.at == start {
            return thing;
        }
        while let Some(next) = self.chain(&thing) {
            thing = next;
            if !self.may_step() {
                break;
            }
        }
        thing
    }

    /// Whether the keyword at the current position is used as a plain name: `next.x`, `match(…)`, `from = …`.
    fn is_plain_use(&self) -> bool {
        match self.peek_at(1) {
            Some(Token::Sign("." | "=" | "?." | "->" | "::")) => true,
            Some(Token::Open('[')) => matches!(
                self.peek(),
                Some(Token::Name(name)) if matches!(&**name, "global" | "next" | "last" | "end" | "val" | "String" | "int" | "loop" | "repeat" | "begin" | "local" | "default" | "match" | "then")
            ),
            Some(Token::Sign(":")) => self.language == Language::JavaScript && self.frame.grouped,
            Some(Token::Open('(')) => matches!(self.peek(), Some(Token::Name(name)) if matches!(&**name, "match" | "die" | "del" | "from" | "next" | "end" | "begin" | "loop" | "last" | "repeat" | "then" | "catch" | "of" | "with" | "local" | "String" | "is" | "assert" | "default" | "as")),
            _ => false,
        }
    }

    /// What a keyword says about the loop or branch that it opens.
    fn keyword(&mut self, name: &str) {
        if BRANCHES.contains(&name) {
            self.straight = false;
        }
        let endless = match name {
            "while" | "until" => {
                let bracket = usize::from(self.is_open('('));
                match self.peek_at(bracket) {
                    Some(Token::Number(number)) => *number != 0,
                    Some(Token::Name(word)) => matches!(&**word, "true" | "True" | "TRUE" | "fork" | "false"),
                    Some(Token::Sign(":")) => true,
                    _ => false,
                }
            }
            "for" => self.is_open('(') && matches!((self.peek_at(1), self.peek_at(2)), (Some(Token::End), Some(Token::End | Token::Close(')')))),
            "loop" | "repeat" => true,
            _ => false,
        };
        self.seen.endless |= endless;
        if matches!(name, "for" | "foreach") {
            self.loop_head();
        }
    }

    /// The operand itself.
    fn primary(&mut self) -> Option<Thing> {
        let token = self.peek()?.clone();
        Some(match token {
            Token::Text(parts) => {
                self.frame.at += 1;
                self.text_of(&parts)
            }
            Token::Command(parts) => {
                self.frame.at += 1;
                let command = self.text_of(&parts);
                self.run_shell_text(&command)
            }
            Token::Words(words) => {
                self.frame.at += 1;
                Thing::List(words.into_iter().map(Thing::text).collect())
            }
            Token::Glob(glob) => {
                self.frame.at += 1;
                Thing::Many(super::thing::pattern(&crate::value::Value::text(glob)))
            }
            Token::ReadLine => {
                self.frame.at += 1;
                self.input()
            }
            Token::Replacement(code) => {
                self.frame.at += 1;
                self.straight = false;
                self.run(&code)
            }
            Token::Number(number) => {
                self.frame.at += 1;
                Thing::Number(number)
            }
            Token::Pattern => {
                self.frame.at += 1;
                Thing::unknown()
            }
            Token::Open('(') => self.group(),
            Token::Open('[') => self.list(),
            Token::Open(_) => self.braces(),
            Token::Name(name) => self.named(&name),
            Token::Sign("->") => {
                self.frame.at += 1;
                Thing::unknown()
            }
            Token::Sign("$") => {
                // A field of awk.
                self.frame.at += 1;
                self.operand();
                self.input()
            }
            Token::Sign("|") if self.language == Language::Ruby => {
                self.block_parameters();
                Thing::unknown()
            }
            Token::Sign(_) | Token::Close(_) | Token::End => return None,
        })
    }

    /// `|a, b|` at the beginning of a block.
    fn block_parameters(&mut self) {
        let from = self.frame.at + 1;
        let mut to = from;
        while let Some(Token::Name(_) | Token::Sign("," | "*" | "&")) = self.frame.tokens.get(to) {
            to += 1;
        }
        self.unbind_names(from, to);
        self.frame.at = to + 1;
    }

    /// `( … )`: a group, a tuple, or the parameters of a lambda.
    fn group(&mut self) -> Thing {
        let partner = self.partner(self.frame.at);
        if matches!(self.frame.tokens.get(partner + 1), Some(Token::Sign("=>" | "->"))) && self.language != Language::Perl {
            self.unbind_names(self.frame.at + 1, partner);
            self.frame.at = partner + 2;
            self.straight = false;
            self.skip_ends();
            return self.expression();
        }
        let mut args = self.bracketed(')');
        match (args.items.len(), args.named.is_empty()) {
            (1, true) => args.items.pop().unwrap_or_else(Thing::unknown),
            (_, true) => Thing::List(args.items),
            _ => Thing::Record(args.named),
        }
    }

    fn list(&mut self) -> Thing {
        Thing::List(self.bracketed(']').items)
    }

    /// `{ … }`: a record or a block.
    fn braces(&mut self) -> Thing {
        let is_record = match (self.peek_at(1), self.peek_at(2)) {
            (Some(Token::Close('}')), _) => true,
            (Some(Token::End), _) => {
                matches!((self.peek_at(2), self.peek_at(3)), (Some(Token::Name(_) | Token::Text(_)), Some(Token::Sign(":" | "=>"))))
            }
            (Some(Token::Text(_)), Some(Token::Sign(":" | "=>" | ","))) => true,
            (Some(Token::Name(_)), Some(Token::Sign(":" | "=>"))) => true,
            (Some(Token::Name(_)), Some(Token::Sign(",") | Token::Close('}'))) => self.language == Language::JavaScript,
            (Some(Token::Sign("...")), _) => true,
            _ => false,
        };
        if is_record {
            let args = self.bracketed('}');
            return Thing::Record(args.named);
        }
        let partner = self.partner(self.frame.at);
        let grouped = std::mem::replace(&mut self.frame.grouped, false);
        self.deeper(|reader| {
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
        Thing::unknown()
    }

    /// What stands in brackets, by position and by name; the opening one is at the current position.
    pub(super) fn bracketed(&mut self, close: char) -> Args {
        let partner = self.partner(self.frame.at);
        let mut args = Args::default();
        let grouped = std::mem::replace(&mut self.frame.grouped, true);
        self.bind_comprehension(partner);
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
    fn argument(&mut self, args: &mut Args, in_record: bool) {
        let named = match (self.peek(), self.peek_at(1)) {
            (Some(Token::Name(name)), Some(Token::Sign("="))) if matches!(self.language, Language::Python | Language::R | Language::Java | Language::Other) => Some(name.to_string()),
            (Some(Token::Name(name)), Some(Token::Sign(":" | "=>"))) if !matches!(self.language, Language::JavaScript) || in_record => Some(name.to_string()),
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
        let thing = self.expression();
        if self.frame.at == start {
            self.frame.at += 1;
        }
        match thing {
            Thing::Record(fields) => {
                args.named.extend(fields.iter().cloned());
                args.items.push(Thing::Record(fields));
            }
            thing => args.items.push(thing),
        }
        if args.items.len() > 4096 || args.named.len() > 4096 {
            self.seen.lost = true;
            args.items.clear();
            args.named.clear();
        }
    }

    /// The next step of a chain: a member, a call, an index.
    fn chain(&mut self, thing: &Thing) -> Option<Thing> {
        let token = match self.peek()? {
            Token::End if (self.frame.grouped || self.continues_behind_end()) && matches!(self.peek_at(1), Some(Token::Sign("." | "?." | "->"))) => {
                self.frame.at += 1;
                self.peek()?.clone()
            }
            token => token.clone(),
        };
        match token {
            Token::Sign(sign @ ("." | "?." | "->" | "::")) => {
                if sign == "." && self.flavour.dot_joins {
                    return None;
                }
                match self.peek_at(1)? {
                    Token::Name(name) => {
                        let name = name.to_string();
                        self.frame.at += 2;
                        Some(self.member_or_call(thing, &name))
                    }
                    // `"ls".!` runs a command in Scala.
                    Token::Sign("!") if self.language == Language::Java && is_text(thing) => {
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
            Token::Sign(":") if matches!(self.language, Language::Lua | Language::Other) => match (self.peek_at(1)?, self.peek_at(2)) {
                (Token::Name(name), Some(Token::Open('(') | Token::Text(_))) => {
                    let name = name.to_string();
                    self.frame.at += 2;
                    Some(self.member_or_call(thing, &name))
                }
                _ => None,
            },
            Token::Open('(') => {
                let args = self.bracketed(')');
                Some(self.call(thing, args))
            }
            Token::Open('[') => {
                if self.is_reversal() {
                    self.frame.at = self.partner(self.frame.at) + 1;
                    return Some(functions::reversed(thing));
                }
                let index = self.bracketed(']');
                Some(self.element_of(thing, &index))
            }
            Token::Open('{') if self.language == Language::Perl && matches!(thing, Thing::Name(name) if name.starts_with('$')) => {
                let index = self.bracketed('}');
                Some(self.element_of(thing, &index))
            }
            Token::Text(parts) if self.is_tagged(thing) => {
                self.frame.at += 1;
                let text = self.text_of(&parts);
                Some(self.call(thing, Args { items: vec![text], named: Vec::new() }))
            }
            _ => None,
        }
    }

    /// Whether a text right behind the thing is its argument: a tagged template, or a call of Lua.
    fn is_tagged(&self, thing: &Thing) -> bool {
        match (self.language, thing) {
            (Language::JavaScript, Thing::Name(_)) => true,
            (Language::Lua, Thing::Name(_) | Thing::Result { .. }) => true,
            _ => false,
        }
    }

    /// `[::-1]`.
    fn is_reversal(&self) -> bool {
        let behind = |offset: usize| self.peek_at(offset);
        matches!(
            (behind(1), behind(2), behind(3), behind(4)),
            (Some(Token::Sign("::")), Some(Token::Sign("-")), Some(Token::Number(1)), Some(Token::Close(']')))
        )
    }

    fn element_of(&mut self, thing: &Thing, index: &Args) -> Thing {
        match (thing, index.get(0)) {
            (Thing::List(things), Some(Thing::Number(number))) => {
                let position = usize::try_from(*number).ok().or_else(|| things.len().checked_sub(number.unsigned_abs() as usize));
                position.and_then(|position| things.get(position)).cloned().unwrap_or_else(Thing::unknown)
            }
            (Thing::Record(fields), Some(Thing::Text(key))) => {
                fields.iter().find(|(name, _)| Some(name.as_str()) == key.known()).map_or_else(Thing::unknown, |(_, thing)| thing.clone())
            }
            (Thing::Name(name), key) if functions::is_environment(name) || name == "$ENV" => {
                let key = key.map_or_else(|| index.named.first().map_or("…".to_owned(), |(key, _)| key.clone()), |key| key.value().shown().into_owned());
                self.environment_variable(&key)
            }
            (Thing::Name(name), Some(Thing::Number(number))) if ARGUMENTS.iter().any(|(list, _)| list == name) => self.argument_of(name, *number),
            (Thing::Name(_), Some(Thing::Text(key))) if key.known().is_some() => self.member(thing, key.known().unwrap_or_default()),
            (Thing::Many(value), _) => Thing::Path(value.clone()),
            (Thing::Text(value), Some(Thing::Number(number))) if index.items.len() == 1 => {
                let letter = value.known().zip(usize::try_from(*number).ok()).and_then(|(text, number)| text.chars().nth(number));
                letter.map_or_else(Thing::unknown, |letter| Thing::text(letter.to_string()))
            }
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
                "then" => Some(thing.clone()),
                name if methods::is_loop(name) => Some(thing.element()),
                _ => None,
            };
            let args = self.bracketed(')');
            self.element = None;
            return self.call_member(thing, name, args);
        }
        let full = match thing {
            Thing::Name(base) => Some(format!("{base}.{name}")),
            _ => None,
        };
        let known = full.as_deref().is_some_and(|full| self.knows(full));
        if self.flavour.bare_calls && (known || full.is_none()) && self.begins_argument() && self.language != Language::Php {
            let args = self.bare_arguments();
            return self.call_member(thing, name, args);
        }
        let calls = self.language == Language::Ruby && name.starts_with(|letter: char| letter.is_lowercase()) && !self.is_sign("=");
        if calls && !functions::is_environment(full.as_deref().unwrap_or_default()) {
            return self.call_member(thing, name, Args::default());
        }
        self.member(thing, name)
    }

    fn call_member(&mut self, thing: &Thing, name: &str, args: Args) -> Thing {
        match thing {
            Thing::Name(base) if !matches!(name, "call" | "apply" | "bind" | "then" | "catch") || self.language != Language::JavaScript => {
                let full = format!("{base}.{name}");
                match self.variables.get(&full).cloned() {
                    Some(bound) => self.call(&bound, args),
                    None => self.call_name(&full, args),
                }
            }
            thing => methods::call(self, thing, name, args),
        }
    }

    /// A member that is no call.
    pub(super) fn member(&mut self, thing: &Thing, name: &str) -> Thing {
        match thing {
            Thing::Name(base) => {
                let full = format!("{base}.{name}");
                match self.variables.get(&full) {
                    Some(bound) => bound.clone(),
                    None if matches!(base.as_str(), "process.env" | "import.meta.env") => self.environment_variable(name),
                    None => Thing::Name(full),
                }
            }
            Thing::Record(fields) => fields.iter().find(|(field, _)| field == name).map_or_else(Thing::unknown, |(_, thing)| thing.clone()),
            Thing::Path(_) if matches!(name, "parent" | "parents") => Thing::Path(crate::value::Value::unknown("…", thing.origins())),
            Thing::Result { of, origins } => Thing::result(&format!("{of}.{name}"), origins.clone()),
            other => Thing::result(name, other.origins()),
        }
    }

    /// Whether an argument without brackets begins here.
    pub(super) fn begins_argument(&self) -> bool {
        match self.peek() {
            Some(Token::Text(_) | Token::Command(_) | Token::Words(_) | Token::Glob(_) | Token::ReadLine | Token::Number(_)) => true,
            Some(Token::Name(name)) => !matches!(
                &**name,
                "if" | "unless" | "while" | "until" | "for" | "foreach" | "or" | "and" | "do" | "end" | "then" | "else" | "x"
                    | "in" | "eq" | "ne" | "rescue" | "is" | "as" | "not"
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

fn is_text(thing: &Thing) -> bool {
    matches!(thing, Thing::Text(_))
}

fn is_home(name: &str) -> bool {
    matches!(name, "Path.home" | "pathlib.Path.home" | "Dir.home")
}

/// The home directory as a value.
pub(super) fn home(path: &str) -> crate::value::Value {
    crate::value::Value::text(path)
}

fn repeated(text: &str, count: i64) -> Thing {
    let count = usize::try_from(count).unwrap_or(0);
    if text.len().saturating_mul(count) > 64 * 1024 { Thing::unknown() } else { Thing::text(text.repeat(count)) }
}
