//! Expressions: operands, chains of members and calls, and the few operators that make texts.

use super::{
    assignments::sets,
    changes::Receiver,
    functions,
    held::{COUNTED, is_counted},
    lexer::Token,
    reader::Reader,
    thing::{Args, Thing},
};
use crate::shell::Language;

/// A name with its members is put together up to this length.
const LONGEST_NAME: usize = 1024;

/// Words that stand before an expression and change nothing about what it does.
const PREFIXES: &[&str] = &[
    "return",
    "await",
    "new",
    "not",
    "yield",
    "throw",
    "raise",
    "die",
    "my",
    "our",
    "local",
    "let",
    "const",
    "var",
    "val",
    "final",
    "static",
    "global",
    "async",
    "typeof",
    "void",
    "del",
    "assert",
    "export",
    "default",
    "else",
    "elif",
    "if",
    "elsif",
    "elseif",
    "unless",
    "while",
    "until",
    "when",
    "case",
    "then",
    "do",
    "begin",
    "try",
    "catch",
    "except",
    "finally",
    "ensure",
    "rescue",
    "switch",
    "match",
    "with",
    "in",
    "of",
    "and",
    "or",
    "end",
    "BEGIN",
    "END",
    "pass",
    "break",
    "continue",
    "next",
    "last",
    "redo",
    "public",
    "private",
    "protected",
    "from",
    "extends",
    "implements",
    "String",
    "int",
    "char",
    "boolean",
    "void",
    "long",
    "double",
    "Object",
    "as",
    "is",
    "local",
    "repeat",
    "foreach",
    "for",
    "loop",
];

/// Words among them that make it uncertain whether, or how often, the rest runs.
pub(super) const BRANCHES: &[&str] = &[
    "if", "elif", "else", "elsif", "elseif", "unless", "while", "until", "for", "foreach", "when", "case", "switch",
    "match", "except", "catch", "rescue", "loop", "repeat",
];

/// How close an operator binds what stands around it; those with nought are taken in their order.
fn binds(language: Language, sign: &str) -> u8 {
    match sign {
        "." if language == Language::Perl => 5,
        "." if language == Language::Php => 4,
        ".." if language == Language::Lua => 4,
        "x" if language == Language::Perl => 6,
        "|" => 1,
        "^" => 2,
        "&" => 3,
        "+" | "-" => 5,
        "*" | "/" | "%" | "//" => 6,
        "**" => 7,
        _ => 0,
    }
}

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
            if reader.language == Language::Python && reader.is_name("if") && reader.is_decided() {
                reader.frame.at += 1;
                reader.expression();
                left = if reader.take_name("else") {
                    let other = reader.expression();
                    reader.either(left, other)
                } else {
                    Thing::result("", left.origins())
                };
            }
            left
        })
    }

    /// Whether the condition at the current position stands between two values: `a if x else b`.
    fn is_decided(&self) -> bool {
        const FARTHEST: usize = 256;
        let mut at = self.frame.at + 1;
        for _ in 0..FARTHEST {
            match self.frame.tokens.get(at) {
                Some(Token::Name(word)) if &**word == "else" => return true,
                Some(Token::Name(word)) if matches!(&**word, "for" | "if" | "lambda") => return false,
                Some(Token::Open(_)) => at = self.partner(at),
                Some(Token::End) if self.frame.grouped => {}
                Some(Token::End | Token::Close(_) | Token::Sign("," | ":" | "=")) | None => return false,
                _ => {}
            }
            at += 1;
        }
        true
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
            Token::Sign(sign) if sets(&token) || sign == "<<" && self.language == Language::Ruby => {
                // A member or an element is set.
                let name = match (self.target.take(), &*left) {
                    (Some((name, at)), _) if at == self.frame.at => name,
                    (_, Thing::Name(name)) if sets(&token) => name.clone(),
                    _ if sign == "<<" => {
                        let root = self.root.take().filter(|(_, at)| *at == self.frame.at);
                        let before = left.clone();
                        let joined = self.binary(sign, left)?;
                        if let Some((variable, _)) = root {
                            self.change_part(&variable, &before, &joined);
                        }
                        return Some(joined);
                    }
                    _ => {
                        let root = self.root.take().filter(|(_, at)| *at == self.frame.at);
                        let thing = self.skip_operator(left)?;
                        self.root = root;
                        self.blur_root(&thing);
                        return Some(thing);
                    }
                };
                self.frame.at += 1;
                self.skip_ends();
                let right = self.expression();
                let before = Some(left.clone()).filter(|left| !matches!(left, Thing::Name(_)));
                let thing = if sign == "=" { right } else { self.changed(sign, before, right) };
                self.set_member(&name, thing.clone());
                Some(thing)
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
                if &*word == "x"
                    && let (Thing::Text(value), Some(count)) = (&*left, right.number())
                {
                    return Some(repeated(value.known().unwrap_or_default(), count));
                }
                Some(Thing::result("", left.origins().and(right.origins())))
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
    pub(super) fn continues_behind_end(&self) -> bool {
        self.language != Language::Python
            && matches!(
                self.peek_at(1),
                Some(Token::Sign("." | "?." | "->" | "+" | "&&" | "||" | "?" | ".." | "|>" | "??"))
            )
    }

    fn skip_operator(&mut self, left: &Thing) -> Option<Thing> {
        self.frame.at += 1;
        self.skip_ends();
        let right = self.expression();
        Some(Thing::result("", left.origins().and(right.origins())))
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
                return Some(self.either(first, second));
            }
            return Some(Thing::result("", first.origins()));
        }
        if sign == "|>" {
            self.element = Some(left.clone());
        }
        let mut right = if sign == "||" { self.alternative() } else { self.operand() };
        // What binds closer comes first.
        let closeness = binds(self.language, sign);
        while closeness > 0
            && match self.peek() {
                Some(Token::Sign(next)) => binds(self.language, next) > closeness,
                Some(Token::Name(next)) => &**next == "x" && binds(self.language, next) > closeness,
                _ => false,
            }
        {
            let Some(joined) = self.operation(&mut right) else { break };
            right = joined;
        }
        if let Some(thing) = self.of_bytes(sign, left, &right) {
            return Some(thing);
        }
        Some(match (sign, &*left, &right) {
            ("+", _, _) => self.added(left, &right),
            ("-", Thing::Number(a), Thing::Number(b)) => Thing::Number(a.wrapping_sub(*b)),
            ("^", Thing::Number(a), Thing::Number(b))
                // There it is a power.
                if !matches!(self.language, Language::Lua | Language::R | Language::Awk) =>
            {
                Thing::Number(a ^ b)
            }
            ("&", Thing::Number(a), Thing::Number(b)) => Thing::Number(a & b),
            ("%", Thing::Number(a), Thing::Number(b)) if *b > 0 => Thing::Number(match self.language {
                Language::Python | Language::Perl | Language::Ruby => a.rem_euclid(*b),
                _ => a % b,
            }),
            ("*", Thing::Number(a), Thing::Number(b)) => Thing::Number(a.wrapping_mul(*b)),
            ("*", Thing::Text(value), Thing::Number(count)) => repeated(value.known().unwrap_or_default(), *count),
            ("." | ".." | "<<", _, _) if sign != "." || self.flavour.dot_joins => left.clone().joined(&right),
            ("%", Thing::Text(_), _) => functions::format(left, &Args { items: vec![right], named: Vec::new() }),
            ("/", Thing::Path(_), _) => left.clone().below(&right),
            ("/", Thing::Name(name), _) if is_home(name) => {
                Thing::Path(home(self.shell.whereabouts().home.as_str())).below(&right)
            }
            _ => Thing::result("", left.origins().and(right.origins())),
        })
    }

    /// What an operator makes of a byte and a number: Python takes numbers out of bytes, and here they are letters.
    fn of_bytes(&self, sign: &str, left: &Thing, right: &Thing) -> Option<Thing> {
        let is_number = |thing: &Thing| matches!(thing, Thing::Number(_));
        // Letters of a text cannot be counted with, so that both of them are bytes.
        let letters = !is_number(left) && !is_number(right) && !matches!(sign, "^" | "-" | "&");
        if self.language != Language::Python || is_number(left) == is_number(right) && (is_number(left) || letters) {
            return None;
        }
        let (a, b) = (self.code_of(left)?, self.code_of(right)?);
        Some(Thing::Number(match sign {
            "^" => a ^ b,
            "&" => a & b,
            "-" => a.wrapping_sub(b),
            "+" => a.wrapping_add(b),
            _ => return None,
        }))
    }

    /// What `+` makes of two things.
    pub(super) fn added(&self, left: &Thing, right: &Thing) -> Thing {
        // Only there a number and a text make a text.
        let texts = matches!(self.language, Language::JavaScript | Language::Java);
        match (left, right) {
            (Thing::Number(a), Thing::Number(b)) => Thing::Number(a.wrapping_add(*b)),
            (left, right) if is_counted(left) && (is_counted(right) || !texts) => {
                Thing::result(COUNTED, right.origins())
            }
            (Thing::List(a), Thing::List(b)) if a.len() + b.len() < 4096 => {
                Thing::List(a.iter().chain(b).cloned().collect())
            }
            (left, right) => left.clone().joined(right),
        }
    }

    /// An operand: prefixes, the thing itself, and the chain behind it.
    pub(super) fn operand(&mut self) -> Thing {
        let (mut referred, mut removed) = (false, false);
        loop {
            if !self.may_step() {
                return Thing::unknown();
            }
            if self.flavour.typed && self.skip_type() && matches!(self.peek_at(1), Some(Token::Sign("=" | ":="))) {
                return self.expression();
            }
            match self.peek() {
                // A sigil of Elixir: `~c"text"`.
                Some(Token::Sign("~"))
                    if matches!((self.peek_at(1), self.peek_at(2)), (Some(Token::Name(_)), Some(Token::Text(_)))) =>
                {
                    self.frame.at += 2
                }
                Some(Token::Sign("!" | "-" | "+" | "~" | "*" | "**" | "..." | "&" | "\\" | "++" | "--" | "@")) => {
                    let minus = self.is_sign("-");
                    let turns = minus || self.is_sign("~") || self.is_sign("!");
                    referred |= self.is_sign("\\") && self.language == Language::Perl
                        || self.is_sign("&") && self.language == Language::Php;
                    self.frame.at += 1;
                    if minus && let Some(Token::Number(number)) = self.peek() {
                        let number = number.wrapping_neg();
                        self.frame.at += 1;
                        return Thing::Number(number);
                    }
                    if turns
                        && matches!(
                            self.peek(),
                            Some(Token::Number(_) | Token::Open(_) | Token::Sign("-" | "+" | "~" | "!"))
                        )
                    {
                        // What these make of a number is not worked out.
                        return match self.deeper(Self::operand) {
                            Thing::Number(_) => Thing::unknown(),
                            other => other,
                        };
                    }
                }
                // `do 'file'` runs the file.
                Some(Token::Name(name))
                    if &**name == "do"
                        && self.language == Language::Perl
                        && matches!(self.peek_at(1), Some(Token::Text(_) | Token::Name(_))) =>
                {
                    self.frame.at += 1;
                    let file = self.deeper(Self::operand);
                    return self.load(Some(&file));
                }
                Some(Token::Name(name)) if PREFIXES.contains(&&**name) && !self.is_plain_use() => {
                    let name = name.to_string();
                    self.frame.at += 1;
                    self.keyword(&name);
                    removed |= name == "del";
                    // `local a, b = …` of Lua.
                    if self.language == Language::Lua && name == "local" && self.is_tuple_target() {
                        return self.tuple_assignment();
                    }
                    if matches!(self.peek(), Some(Token::End | Token::Close(_) | Token::Sign("," | ":")) | None) {
                        return Thing::unknown();
                    }
                    if matches!(self.peek(), Some(Token::Name(_))) && matches!(self.peek_at(1), Some(Token::Sign("=")))
                    {
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
        let variable = match self.peek() {
            Some(Token::Name(name)) if self.variables.contains_key(&**name) => Some(name.to_string()),
            _ => None,
        };
        self.receiver = variable.clone().map_or(Receiver::Other, Receiver::Variable);
        let Some(mut thing) = self.primary() else { return Thing::unknown() };
        if self.frame.at == start {
            return thing;
        }
        let mut target = self.member_at(start, self.frame.at);
        loop {
            let at = self.frame.at;
            let Some(next) = self.chain(&thing) else { break };
            thing = next;
            self.receiver = variable.clone().map_or(Receiver::Other, Receiver::PartOf);
            // The brackets of a type: `char *list[] = …`.
            if matches!(self.frame.tokens.get(at..self.frame.at), Some([Token::Open('['), Token::Close(']')])) {
                continue;
            }
            let member = self.member_at(at, self.frame.at);
            target = target
                .zip(member)
                .map(|(all, member)| format!("{all}.{member}"))
                .filter(|all| all.len() < LONGEST_NAME);
            if !self.may_step() {
                break;
            }
        }
        self.receiver = Receiver::Other;
        self.target = target.map(|name| (name, self.frame.at));
        self.root = self.root_at(start);
        // A function sets something in what it was given, of which nothing else is known.
        if variable.is_none()
            && self.frame.at > start + 1
            && let Some(Token::Name(name)) = self.frame.tokens.get(start)
            && self.peek().is_some_and(sets)
        {
            self.readings.changes_given |= self.readings.held.is_parameter(name, self.spot());
        }
        if removed && self.root.is_some() {
            self.blur_root(&Thing::unknown());
        }
        // Whoever gets a reference to a variable may change what it holds.
        if let Some(Token::Name(name)) = self.frame.tokens.get(start).filter(|_| referred)
            && let Some(held @ (Thing::Text(_) | Thing::List(_))) = self.variables.get(&**name).cloned()
        {
            let name = name.to_string();
            self.bind_grown(&name, Thing::result("", held.rewritten().origins()));
        }
        thing
    }

    /// The name between two positions, if there is nothing else: that of a variable, a member or an element.
    fn member_at(&self, from: usize, to: usize) -> Option<String> {
        match self.frame.tokens.get(from..to)? {
            [Token::Name(name)] | [Token::Sign("." | "->" | "::"), Token::Name(name)] => Some(name.to_string()),
            [Token::Open(_), Token::Name(name), Token::Close('}')] => Some(name.to_string()),
            [Token::Open(_), Token::Text(parts), Token::Close(_)] => match parts.as_slice() {
                [super::lexer::Part::Text(text)] => Some(text.clone()),
                _ => None,
            },
            _ => None,
        }
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
            Some(Token::Open('(')) => {
                matches!(self.peek(), Some(Token::Name(name)) if matches!(&**name, "match" | "die" | "del" | "from" | "next" | "end" | "begin" | "loop" | "last" | "repeat" | "then" | "catch" | "of" | "with" | "local" | "String" | "is" | "assert" | "default" | "as"))
            }
            _ => false,
        }
    }

    /// What a keyword says about the loop or branch that it opens.
    fn keyword(&mut self, name: &str) {
        if BRANCHES.contains(&name) {
            self.straight = false;
        }
        let decides = matches!(name, "if" | "elif" | "elsif" | "unless" | "when" | "case" | "match" | "switch");
        if decides && !self.only_checks(0) {
            self.seen.chosen = true;
        }
        let endless = match name {
            "while" | "until" => {
                // `while (<STDIN>)` puts each line into the element.
                let reads_lines = matches!(self.peek(), Some(Token::Open('(')))
                    && matches!(self.peek_at(1), Some(Token::ReadLine(_)))
                    && matches!(self.peek_at(2), Some(Token::Close(_)));
                if reads_lines && self.language == Language::Perl {
                    self.variables.remove("$_");
                }
                let bracket = usize::from(self.is_open('('));
                match self.peek_at(bracket) {
                    Some(Token::Number(number)) => *number != 0,
                    Some(Token::Name(word)) => matches!(&**word, "true" | "True" | "TRUE" | "fork" | "false"),
                    Some(Token::Sign(":")) => true,
                    _ => false,
                }
            }
            "for" => {
                self.is_open('(')
                    && matches!(
                        (self.peek_at(1), self.peek_at(2)),
                        (Some(Token::End), Some(Token::End | Token::Close(')')))
                    )
            }
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
            Token::ReadLine(handle) => {
                self.frame.at += 1;
                match self.value_of(&handle) {
                    Some(bound @ (Thing::Text(_) | Thing::Result { .. })) => bound,
                    Some(file @ Thing::File(_)) => Thing::result("readline", file.origins()),
                    _ if matches!(&*handle, "" | "ARGV" | "<>") => self.input_or_files("readline"),
                    _ => self.input(),
                }
            }
            Token::Replacement(code) => {
                self.rewrite_before();
                self.frame.at += 1;
                if code.is_empty() {
                    return Some(Thing::unknown());
                }
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
            Token::Open('[') if self.language == Language::Go => self.go_list(),
            Token::Open('[') => self.list(),
            Token::Open(_) if (self.flavour.typed || self.language == Language::Lua) && self.holds_elements() => {
                Thing::List(self.bracketed('}').items)
            }
            Token::Open(_) => self.braces(),
            Token::Name(name) => self.named(&name),
            // `->(a) { … }` and `-> a { … }` in Ruby.
            Token::Sign("->") => {
                self.frame.at += 1;
                let from = self.frame.at;
                let ends = |token: Option<&Token>| match token {
                    Some(Token::Name(name)) => &**name == "do",
                    Some(Token::Open('(') | Token::Close(')') | Token::Sign(_)) => false,
                    _ => true,
                };
                while self.language == Language::Ruby && !ends(self.peek()) {
                    self.frame.at += 1;
                }
                self.bind_block(from, self.frame.at);
                Thing::unknown()
            }
            Token::Sign("$") => {
                // A field of awk.
                self.frame.at += 1;
                self.deeper(Self::operand);
                self.input()
            }
            Token::Sign("|") if self.language == Language::Ruby => {
                self.block_parameters();
                Thing::unknown()
            }
            Token::Sign(_) | Token::Close(_) | Token::End => return None,
        })
    }
}

pub(super) fn is_text(thing: &Thing) -> bool {
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
