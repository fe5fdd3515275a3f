//! What a program of `awk` does step by step, where its input is known: a small part of the language, which is enough to
//! take texts apart and to put them together. A program with anything else in it gives nothing, and is read as code.

use std::collections::HashMap;

use crate::shell::families::filters::MOST;

/// How deep expressions nest, how long a program is, and how many steps it takes at most.
const MAX_DEPTH: usize = 24;
const LONGEST: usize = 4096;
const MAX_STEPS: usize = 20_000;
const MAX_COMMANDS: usize = 32;

/// What a program did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Done {
    /// The commands that it started, in their order.
    pub(super) commands: Vec<String>,
    /// What it printed itself.
    pub(super) output: String,
    /// How many steps it took.
    pub(super) steps: usize,
}

/// Runs a program on an input, with variables that are set before. None if something in it is not followed.
pub(super) fn run(program: &str, input: &str, variables: &[(String, String)]) -> Option<Done> {
    if program.len() > LONGEST || input.len() > MOST {
        return None;
    }
    let tokens = tokens(program)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0 };
    let rules = parser.rules()?;
    let mut machine = Machine { steps: MAX_STEPS, ..Machine::default() };
    for (name, value) in variables {
        machine.scalars.insert(name.clone(), Value::Given(value.clone()));
    }
    machine.all(&rules, input)?;
    Some(Done { commands: machine.commands, output: machine.output, steps: MAX_STEPS - machine.steps })
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Number(i64),
    Text(String),
    Sign(&'static str),
    /// A name with its bracket right behind it.
    Call(String),
}

/// The signs, longer ones first.
const SIGNS: &[&str] = &[
    "&&", "||", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "*=", "%=", "{", "}", "(", ")", "[", "]", ";", "\n",
    ",", "+", "-", "*", "/", "%", "^", "!", ">", "<", "?", ":", "$", "=",
];

fn tokens(program: &str) -> Option<Vec<Token>> {
    let mut all = Vec::new();
    let mut rest = program;
    while let Some(letter) = rest.chars().next() {
        if letter == '#' {
            rest = rest.find('\n').and_then(|at| rest.get(at..)).unwrap_or_default();
        } else if let Some(behind) = rest.strip_prefix("\\\n") {
            rest = behind;
        } else if matches!(letter, ' ' | '\t' | '\r') {
            rest = rest.get(1..)?;
        } else if letter == '"' {
            let (text, behind) = text(rest.get(1..)?)?;
            all.push(Token::Text(text));
            rest = behind;
        } else if letter.is_ascii_digit() {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.').unwrap_or(rest.len());
            let (digits, behind) = rest.split_at_checked(end)?;
            all.push(Token::Number(digits.parse().ok()?));
            rest = behind;
        } else if letter.is_ascii_alphabetic() || letter == '_' {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
            let (name, behind) = rest.split_at_checked(end)?;
            let name = name.to_owned();
            all.push(if behind.starts_with('(') { Token::Call(name) } else { Token::Name(name) });
            rest = behind;
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
            all.push(Token::Sign(sign));
            rest = rest.get(sign.len()..)?;
        }
    }
    Some(all)
}

/// A text up to its closing quote, and what follows.
fn text(body: &str) -> Option<(String, &str)> {
    let mut all = String::new();
    let mut letters = body.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((all, body.get(at + 1..)?)),
            '\\' => match letters.next()?.1 {
                'n' => all.push('\n'),
                't' => all.push('\t'),
                sign @ ('"' | '\\' | '/') => all.push(sign),
                digit @ '0'..='7' => {
                    let digits: String = std::iter::once(digit)
                        .chain(body.get(at + 2..)?.chars().take(2).take_while(|digit| digit.is_digit(8)))
                        .collect();
                    for _ in 1..digits.len() {
                        letters.next();
                    }
                    all.push(char::from(u8::from_str_radix(&digits, 8).ok().filter(u8::is_ascii)?));
                }
                _ => return None,
            },
            '\n' => return None,
            letter => all.push(letter),
        }
    }
    None
}

#[derive(Clone, Debug)]
enum Expression {
    Value(Value),
    Variable(String),
    Element(String, Box<Expression>),
    Field(Box<Expression>),
    Set(Box<Expression>, &'static str, Box<Expression>),
    /// A step up or down, and whether the value before it is meant.
    Step(Box<Expression>, i64, bool),
    Minus(Box<Expression>),
    Not(Box<Expression>),
    Two(Box<Expression>, &'static str, Box<Expression>),
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    Call(String, Vec<Expression>),
}

#[derive(Clone, Debug)]
enum Statement {
    Block(Vec<Statement>),
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    While(Expression, Box<Statement>, Option<Expression>),
    /// An expression for what it does.
    Do(Expression),
    System(Expression),
    Print(Vec<Expression>),
    Printf(Vec<Expression>),
    Next,
    Exit,
    Break,
    Continue,
}

#[derive(Clone, Debug)]
enum When {
    Begin,
    End,
    Always,
    If(Expression),
}

type Rule = (When, Vec<Statement>);

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(found)) if *found == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn one_of(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let found = signs.iter().copied().find(|sign| self.is(sign))?;
        self.at += 1;
        Some(found)
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(name) | Token::Call(name)) if name == word);
        self.at += usize::from(found);
        found
    }

    fn ends(&mut self) {
        while self.one_of(&[";", "\n"]).is_some() {}
    }

    fn deeper<T>(&mut self, body: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let found = body(self);
        self.depth -= 1;
        found
    }

    fn rules(&mut self) -> Option<Vec<Rule>> {
        let mut all = Vec::new();
        self.ends();
        while self.peek().is_some() {
            let when = if self.word("BEGIN") {
                When::Begin
            } else if self.word("END") {
                When::End
            } else if self.is("{") {
                When::Always
            } else {
                When::If(self.expression()?)
            };
            let body = match (&when, self.is("{")) {
                (_, true) => vec![self.statement()?],
                (When::If(_) | When::Always, false) => vec![Statement::Print(Vec::new())],
                (When::Begin | When::End, false) => return None,
            };
            all.push((when, body));
            self.ends();
        }
        Some(all)
    }

    fn statement(&mut self) -> Option<Statement> {
        self.deeper(|parser| {
            if parser.take("{") {
                let mut all = Vec::new();
                parser.ends();
                while !parser.take("}") {
                    all.push(parser.statement()?);
                    parser.ends();
                }
                return Some(Statement::Block(all));
            }
            if parser.take(";") {
                return Some(Statement::Block(Vec::new()));
            }
            if parser.word("if") {
                let condition = parser.group()?;
                let body = parser.body()?;
                let before = parser.at;
                parser.ends();
                let other = if parser.word("else") {
                    Some(Box::new(parser.body()?))
                } else {
                    parser.at = before;
                    None
                };
                return Some(Statement::If(condition, Box::new(body), other));
            }
            if parser.word("while") {
                let condition = parser.group()?;
                return Some(Statement::While(condition, Box::new(parser.body()?), None));
            }
            if parser.word("for") {
                parser.take("(").then_some(())?;
                let first = if parser.is(";") { None } else { Some(parser.expression()?) };
                parser.take(";").then_some(())?;
                let always = Expression::Value(Value::Number(1));
                let condition = if parser.is(";") { always } else { parser.expression()? };
                parser.take(";").then_some(())?;
                let step = if parser.is(")") { None } else { Some(parser.expression()?) };
                parser.take(")").then_some(())?;
                let body = Box::new(parser.body()?);
                let mut all: Vec<Statement> = first.into_iter().map(Statement::Do).collect();
                all.push(Statement::While(condition, body, step));
                return Some(Statement::Block(all));
            }
            for (word, statement) in [
                ("next", Statement::Next),
                ("exit", Statement::Exit),
                ("break", Statement::Break),
                ("continue", Statement::Continue),
            ] {
                if parser.word(word) {
                    return parser.is_end().then_some(statement);
                }
            }
            for word in ["print", "printf"] {
                if parser.word(word) {
                    let values = parser.printed()?;
                    parser.is_end().then_some(())?;
                    return Some(if word == "print" { Statement::Print(values) } else { Statement::Printf(values) });
                }
            }
            let value = parser.expression()?;
            parser.is_end().then_some(())?;
            Some(match value {
                Expression::Call(name, mut given) if name == "system" && given.len() == 1 => {
                    Statement::System(given.pop()?)
                }
                value => Statement::Do(value),
            })
        })
    }

    fn is_end(&self) -> bool {
        self.peek().is_none() || [";", "\n", "}"].iter().any(|sign| self.is(sign))
    }

    fn body(&mut self) -> Option<Statement> {
        while self.take("\n") {}
        self.statement()
    }

    fn group(&mut self) -> Option<Expression> {
        self.take("(").then_some(())?;
        let inner = self.expression()?;
        self.take(")").then_some(inner)
    }

    /// What is printed. Behind it a sign says where it goes, which is not followed.
    fn printed(&mut self) -> Option<Vec<Expression>> {
        let mut all = Vec::new();
        if self.is_end() {
            return Some(all);
        }
        let closing = self.is("(").then(|| self.partner()).flatten();
        let whole =
            closing.is_some_and(|at| matches!(self.tokens.get(at + 1), None | Some(Token::Sign(";" | "\n" | "}"))));
        if whole {
            self.take("(");
        }
        loop {
            all.push(if whole { self.expression()? } else { self.choice(false)? });
            if !self.take(",") {
                break;
            }
        }
        (!whole || self.take(")")).then_some(all)
    }

    /// Where the bracket closes that opens here.
    fn partner(&self) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(self.at) {
            match token {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    fn expression(&mut self) -> Option<Expression> {
        self.choice(true)
    }

    /// An expression; where something is printed, `>` names a file.
    fn choice(&mut self, compares: bool) -> Option<Expression> {
        self.deeper(|parser| {
            let left = parser.either(compares)?;
            if parser.take("?") {
                let first = parser.choice(compares)?;
                parser.take(":").then_some(())?;
                let second = parser.choice(compares)?;
                return Some(Expression::Choice(Box::new(left), Box::new(first), Box::new(second)));
            }
            if let Some(sign) = parser.one_of(&["=", "+=", "-=", "*=", "%="]) {
                let settable = matches!(left, Expression::Variable(_) | Expression::Element(..));
                let right = parser.choice(compares)?;
                return settable.then(|| Expression::Set(Box::new(left), sign, Box::new(right)));
            }
            Some(left)
        })
    }

    fn either(&mut self, compares: bool) -> Option<Expression> {
        let mut left = self.both(compares)?;
        while self.take("||") {
            left = Expression::Two(Box::new(left), "||", Box::new(self.both(compares)?));
        }
        Some(left)
    }

    fn both(&mut self, compares: bool) -> Option<Expression> {
        let mut left = self.compared(compares)?;
        while self.take("&&") {
            left = Expression::Two(Box::new(left), "&&", Box::new(self.compared(compares)?));
        }
        Some(left)
    }

    fn compared(&mut self, compares: bool) -> Option<Expression> {
        let left = self.joined()?;
        let signs: &[&'static str] =
            if compares { &["==", "!=", "<=", ">=", "<", ">"] } else { &["==", "!=", "<=", ">=", "<"] };
        match self.one_of(signs) {
            Some(sign) => Some(Expression::Two(Box::new(left), sign, Box::new(self.joined()?))),
            None => Some(left),
        }
    }

    fn joined(&mut self) -> Option<Expression> {
        let mut left = self.sum()?;
        // What stands side by side is one text.
        while matches!(self.peek(), Some(Token::Name(_) | Token::Number(_) | Token::Text(_) | Token::Call(_)))
            || self.is("$")
            || self.is("(")
        {
            if matches!(self.peek(), Some(Token::Name(name)) if matches!(name.as_str(), "in" | "getline")) {
                return None;
            }
            left = Expression::Two(Box::new(left), "", Box::new(self.sum()?));
        }
        Some(left)
    }

    fn sum(&mut self) -> Option<Expression> {
        let mut left = self.product()?;
        while let Some(sign) = self.one_of(&["+", "-"]) {
            left = Expression::Two(Box::new(left), sign, Box::new(self.product()?));
        }
        Some(left)
    }

    fn product(&mut self) -> Option<Expression> {
        let mut left = self.unary()?;
        while let Some(sign) = self.one_of(&["*", "/", "%"]) {
            left = Expression::Two(Box::new(left), sign, Box::new(self.unary()?));
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Expression> {
        self.deeper(|parser| match parser.one_of(&["!", "-", "+"]) {
            Some("!") => Some(Expression::Not(Box::new(parser.unary()?))),
            Some("-") => Some(Expression::Minus(Box::new(parser.unary()?))),
            Some(_) => parser.unary(),
            None => parser.stepped(),
        })
    }

    fn stepped(&mut self) -> Option<Expression> {
        let by = |sign: &str| if sign == "++" { 1 } else { -1 };
        if let Some(sign) = self.one_of(&["++", "--"]) {
            let of = self.operand()?;
            let settable = matches!(of, Expression::Variable(_) | Expression::Element(..));
            return settable.then(|| Expression::Step(Box::new(of), by(sign), false));
        }
        let of = self.operand()?;
        if !matches!(of, Expression::Variable(_) | Expression::Element(..)) {
            return (!self.is("^")).then_some(of);
        }
        match self.one_of(&["++", "--"]) {
            Some(sign) => Some(Expression::Step(Box::new(of), by(sign), true)),
            None => (!self.is("^")).then_some(of),
        }
    }

    fn operand(&mut self) -> Option<Expression> {
        self.deeper(|parser| {
            let token = parser.peek()?.clone();
            parser.at += 1;
            Some(match token {
                Token::Number(number) => Expression::Value(Value::Number(number)),
                Token::Text(text) => Expression::Value(Value::Text(text)),
                Token::Sign("$") => Expression::Field(Box::new(parser.stepped()?)),
                Token::Sign("(") => {
                    let inner = parser.expression()?;
                    parser.take(")").then_some(())?;
                    // A group is a value, and nothing that can be set.
                    Expression::Two(Box::new(inner), "", Box::new(Expression::Value(Value::Group)))
                }
                Token::Call(name) => {
                    parser.take("(");
                    let mut given = Vec::new();
                    while !parser.take(")") {
                        given.push(parser.expression()?);
                        if !parser.take(",") && !parser.is(")") {
                            return None;
                        }
                    }
                    Expression::Call(name, given)
                }
                Token::Name(name) if parser.take("[") => {
                    let at = parser.expression()?;
                    parser.take("]").then_some(())?;
                    Expression::Element(name, Box::new(at))
                }
                Token::Name(name) if name == "length" => Expression::Call(name, Vec::new()),
                Token::Name(name) if is_followed(&name) => Expression::Variable(name),
                Token::Name(_) | Token::Sign(_) => return None,
            })
        })
    }
}

/// Whether a name is that of a plain variable: none that means something of its own here.
fn is_followed(name: &str) -> bool {
    const OTHERS: &[&str] = &[
        "getline",
        "in",
        "delete",
        "function",
        "func",
        "return",
        "do",
        "else",
        "switch",
        "case",
        "nextfile",
        "ENVIRON",
        "ARGV",
        "ARGC",
        "FILENAME",
        "FNR",
        "RSTART",
        "RLENGTH",
        "SUBSEP",
        "CONVFMT",
        "OFMT",
        "FIELDWIDTHS",
        "FPAT",
        "IGNORECASE",
        "PROCINFO",
        "SYMTAB",
        "RT",
        "BEGIN",
        "END",
        "BEGINFILE",
        "ENDFILE",
    ];
    !OTHERS.contains(&name)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Number(i64),
    Text(String),
    /// What was read: a number if it looks like one.
    Given(String),
    /// Nothing has been set.
    Unset,
    /// The end of a group.
    Group,
}

impl Value {
    fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) | Self::Given(text) => text.clone(),
            Self::Unset | Self::Group => String::new(),
        }
    }

    /// The number that it is taken for; none for one that is not whole.
    fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Unset | Self::Group => Some(0),
            Self::Text(text) | Self::Given(text) => {
                let text = text.trim_start();
                let end = text
                    .char_indices()
                    .find(|(at, letter)| !(letter.is_ascii_digit() || *at == 0 && matches!(letter, '+' | '-')))
                    .map_or(text.len(), |(at, _)| at);
                let (digits, behind) = text.split_at_checked(end)?;
                if behind.starts_with(['.', 'e', 'E', 'x', 'X']) {
                    return None;
                }
                if digits.is_empty() || digits == "-" || digits == "+" { Some(0) } else { digits.parse().ok() }
            }
        }
    }

    /// Whether it counts as a number where it may be either; nothing is said about numbers that are not whole, and about
    /// fields without anything in them, of which each awk thinks in its own way.
    fn is_number(&self) -> Option<bool> {
        match self {
            Self::Number(_) | Self::Unset => Some(true),
            Self::Given(text) if text.trim().is_empty() => None,
            Self::Given(text) => match text.trim().parse::<i64>() {
                Ok(_) => Some(true),
                Err(_) => text.trim().parse::<f64>().is_err().then_some(false),
            },
            Self::Text(_) | Self::Group => Some(false),
        }
    }

    fn is_true(&self) -> Option<bool> {
        if self.text().is_empty() {
            return Some(false);
        }
        Some(match self.is_number()? {
            true => self.number()? != 0,
            false => !self.text().is_empty(),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    On,
    Next,
    Exit,
    Break,
    Continue,
}

#[derive(Debug, Default)]
struct Machine {
    steps: usize,
    scalars: HashMap<String, Value>,
    elements: HashMap<(String, String), Value>,
    line: String,
    fields: Vec<String>,
    read: i64,
    commands: Vec<String>,
    output: String,
}

impl Machine {
    fn all(&mut self, rules: &[Rule], input: &str) -> Option<Flow> {
        let of = |wanted: fn(&When) -> bool| rules.iter().filter(move |(when, _)| wanted(when));
        for (_, body) in of(|when| matches!(when, When::Begin)) {
            if self.block(body)? == Flow::Exit {
                // What stands at the end runs all the same, which is not followed.
                return (of(|when| matches!(when, When::End)).count() == 0).then_some(Flow::Exit);
            }
        }
        if of(|when| !matches!(when, When::Begin)).count() == 0 {
            return Some(Flow::On);
        }
        let mark = self.scalars.get("RS").map_or_else(|| "\n".to_owned(), Value::text);
        let mut letters = mark.chars();
        let (Some(mark), None) = (letters.next(), letters.next()) else { return None };
        let input = input.strip_suffix(mark).unwrap_or(input);
        let lines: Vec<&str> = if input.is_empty() { Vec::new() } else { input.split(mark).collect() };
        'lines: for line in lines {
            self.read += 1;
            line.clone_into(&mut self.line);
            self.fields = self.parts(line, None)?;
            for (when, body) in of(|when| matches!(when, When::Always | When::If(_))) {
                if let When::If(condition) = when
                    && !self.value(condition)?.is_true()?
                {
                    continue;
                }
                match self.block(body)? {
                    Flow::Next => continue 'lines,
                    Flow::Exit => {
                        return (of(|when| matches!(when, When::End)).count() == 0).then_some(Flow::Exit);
                    }
                    Flow::Break | Flow::Continue => return None,
                    Flow::On => {}
                }
            }
        }
        for (_, body) in of(|when| matches!(when, When::End)) {
            if self.block(body)? != Flow::On {
                return None;
            }
        }
        Some(Flow::On)
    }

    fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }

    /// The fields of a line, by what stands between them.
    fn parts(&self, line: &str, between: Option<String>) -> Option<Vec<String>> {
        let set = || self.scalars.get("FS").map_or_else(|| " ".to_owned(), Value::text);
        let between = between.unwrap_or_else(set);
        let mut letters = between.chars();
        Some(match (letters.next(), letters.next()) {
            _ if line.is_empty() => Vec::new(),
            (None, _) => line.chars().map(String::from).collect(),
            (Some(' '), None) => line.split_whitespace().map(str::to_owned).collect(),
            (Some(sign), None) if sign != '\\' => line.split(sign).map(str::to_owned).collect(),
            // Anything longer is a pattern.
            _ if between
                .chars()
                .all(|letter| letter.is_alphanumeric() || matches!(letter, ',' | ' ' | '-' | ':' | '_')) =>
            {
                line.split(between.as_str()).map(str::to_owned).collect()
            }
            _ => return None,
        })
    }

    fn block(&mut self, statements: &[Statement]) -> Option<Flow> {
        for statement in statements {
            let flow = self.statement(statement)?;
            if flow != Flow::On {
                return Some(flow);
            }
        }
        Some(Flow::On)
    }

    fn statement(&mut self, statement: &Statement) -> Option<Flow> {
        self.step()?;
        match statement {
            Statement::Block(all) => return self.block(all),
            Statement::If(condition, body, other) => {
                if self.value(condition)?.is_true()? {
                    return self.statement(body);
                }
                if let Some(other) = other {
                    return self.statement(other);
                }
            }
            Statement::While(condition, body, step) => {
                while self.value(condition)?.is_true()? {
                    match self.statement(body)? {
                        Flow::Break => break,
                        Flow::On | Flow::Continue => {}
                        flow @ (Flow::Next | Flow::Exit) => return Some(flow),
                    }
                    if let Some(step) = step {
                        self.value(step)?;
                    }
                }
            }
            Statement::Do(expression) => drop(self.value(expression)?),
            Statement::System(command) => {
                let command = self.value(command)?.text();
                if self.commands.len() >= MAX_COMMANDS {
                    return None;
                }
                self.commands.push(command);
            }
            Statement::Print(values) => {
                let variable = |machine: &Self, name: &str, usual: &str| {
                    machine.scalars.get(name).map_or_else(|| usual.to_owned(), Value::text)
                };
                let (between, end) = (variable(self, "OFS", " "), variable(self, "ORS", "\n"));
                let mut parts = Vec::new();
                for value in values {
                    parts.push(self.value(value)?.text());
                }
                let line = if values.is_empty() { self.line.clone() } else { parts.join(&between) };
                self.put(&(line + &end))?;
            }
            Statement::Printf(values) => {
                let text = self.formatted(values)?;
                self.put(&text)?;
            }
            Statement::Next => return Some(Flow::Next),
            Statement::Exit => return Some(Flow::Exit),
            Statement::Break => return Some(Flow::Break),
            Statement::Continue => return Some(Flow::Continue),
        }
        Some(Flow::On)
    }

    fn put(&mut self, text: &str) -> Option<()> {
        self.output.push_str(text);
        (self.output.len() <= MOST).then_some(())
    }

    /// What an expression gives. Long texts are dear.
    fn value(&mut self, expression: &Expression) -> Option<Value> {
        let value = self.evaluated(expression)?;
        if let Value::Text(text) | Value::Given(text) = &value {
            self.steps = self.steps.checked_sub(text.len() / 64)?;
        }
        Some(value)
    }

    fn evaluated(&mut self, expression: &Expression) -> Option<Value> {
        self.step()?;
        Some(match expression {
            Expression::Value(value) => value.clone(),
            Expression::Variable(name) if name == "NF" => Value::Number(i64::try_from(self.fields.len()).ok()?),
            Expression::Variable(name) if name == "NR" => Value::Number(self.read),
            Expression::Variable(name) => self.scalars.get(name).cloned().unwrap_or(Value::Unset),
            Expression::Element(name, at) => {
                let at = self.value(at)?.text();
                self.elements.get(&(name.clone(), at)).cloned().unwrap_or(Value::Unset)
            }
            Expression::Field(at) => {
                let at = usize::try_from(self.value(at)?.number()?).ok()?;
                match at.checked_sub(1) {
                    None => Value::Given(self.line.clone()),
                    Some(at) => Value::Given(self.fields.get(at).cloned().unwrap_or_default()),
                }
            }
            Expression::Set(to, sign, value) => {
                let value = self.value(value)?;
                let value = match sign.strip_suffix('=') {
                    Some("") | None => value,
                    Some(sign) => {
                        let before = self.value(to)?.number()?;
                        Value::Number(counted(before, sign, value.number()?)?)
                    }
                };
                self.set(to, value.clone())?;
                value
            }
            Expression::Step(of, by, before) => {
                let old = self.value(of)?.number()?;
                let new = old.checked_add(*by)?;
                self.set(of, Value::Number(new))?;
                Value::Number(if *before { old } else { new })
            }
            Expression::Minus(of) => Value::Number(self.value(of)?.number()?.checked_neg()?),
            Expression::Not(of) => Value::Number(i64::from(!self.value(of)?.is_true()?)),
            Expression::Choice(condition, first, second) => {
                let taken = if self.value(condition)?.is_true()? { first } else { second };
                self.value(taken)?
            }
            Expression::Two(left, sign @ ("&&" | "||"), right) => {
                let first = self.value(left)?.is_true()?;
                let decided = first == (*sign == "||");
                Value::Number(i64::from(if decided { first } else { self.value(right)?.is_true()? }))
            }
            Expression::Two(left, sign, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match *sign {
                    _ if right == Value::Group => left,
                    "" => {
                        let text = left.text() + &right.text();
                        if text.len() > MOST {
                            return None;
                        }
                        self.steps = self.steps.checked_sub(text.len() / 256)?;
                        Value::Text(text)
                    }
                    "+" | "-" | "*" | "/" | "%" => Value::Number(counted(left.number()?, sign, right.number()?)?),
                    sign => {
                        let order = match left.is_number()? && right.is_number()? {
                            true => left.number()?.cmp(&right.number()?),
                            false => left.text().cmp(&right.text()),
                        };
                        Value::Number(i64::from(match sign {
                            "==" => order.is_eq(),
                            "!=" => order.is_ne(),
                            "<" => order.is_lt(),
                            "<=" => order.is_le(),
                            ">" => order.is_gt(),
                            ">=" => order.is_ge(),
                            _ => return None,
                        }))
                    }
                }
            }
            Expression::Call(name, given) => return self.call(name, given),
        })
    }

    fn set(&mut self, to: &Expression, value: Value) -> Option<()> {
        match to {
            // What these change is the line.
            Expression::Variable(name) if matches!(name.as_str(), "NF" | "NR") => None,
            Expression::Variable(name) => {
                self.scalars.insert(name.clone(), value);
                Some(())
            }
            Expression::Element(name, at) => {
                let at = self.value(at)?.text();
                self.elements.insert((name.clone(), at), value);
                Some(())
            }
            _ => None,
        }
    }

    fn call(&mut self, name: &str, given: &[Expression]) -> Option<Value> {
        if name == "sprintf" {
            return self.formatted(given).map(Value::Text);
        }
        if let ("split", [of, Expression::Variable(array), rest @ ..]) = (name, given) {
            let of = self.value(of)?.text();
            let between = match rest {
                [] => None,
                [between] => Some(self.value(between)?.text()),
                _ => return None,
            };
            let parts = self.parts(&of, between)?;
            self.elements.retain(|(name, _), _| name != array);
            self.steps = self.steps.checked_sub(parts.len())?;
            let count = i64::try_from(parts.len()).ok()?;
            for (at, part) in parts.into_iter().enumerate() {
                self.elements.insert((array.clone(), (at + 1).to_string()), Value::Given(part));
            }
            return Some(Value::Number(count));
        }
        let mut values = Vec::new();
        for one in given {
            // An array is handed over by its name, of which nothing is known here.
            values.push(self.value(one)?);
        }
        let letters = |value: &Value| value.text().chars().collect::<Vec<char>>();
        Some(match (name, values.as_slice()) {
            ("length", []) => Value::Number(i64::try_from(self.line.chars().count()).ok()?),
            ("length", [of]) if !matches!(given, [Expression::Variable(name)] if self.is_array(name)) => {
                Value::Number(i64::try_from(letters(of).len()).ok()?)
            }
            ("substr", [of, from, rest @ ..]) if rest.len() < 2 => {
                let letters = letters(of);
                // In front of the text, each awk counts in its own way.
                let from = from.number().filter(|from| *from > 0)?;
                let end = match rest {
                    [count] => from.checked_add(count.number()?)?,
                    _ => i64::MAX,
                };
                let within = |at: usize| i64::try_from(at + 1).is_ok_and(|at| at >= from && at < end);
                Value::Text(
                    letters.iter().enumerate().filter(|(at, _)| within(*at)).map(|(_, letter)| *letter).collect(),
                )
            }
            ("index", [of, wanted]) => {
                let text = of.text();
                let at = text.find(&wanted.text()).and_then(|at| text.get(..at));
                Value::Number(at.map_or(0, |before| i64::try_from(before.chars().count()).unwrap_or(0) + 1))
            }
            ("tolower", [of]) => Value::Text(of.text().to_lowercase()),
            ("toupper", [of]) => Value::Text(of.text().to_uppercase()),
            ("int", [of]) => Value::Number(of.number()?),
            ("strtonum", [of]) => {
                let text = of.text();
                match text.trim().strip_prefix("0x").or_else(|| text.trim().strip_prefix("0X")) {
                    Some(digits) => Value::Number(i64::from_str_radix(digits, 16).ok()?),
                    // A leading nought makes it octal.
                    None if text.trim().starts_with('0') && text.trim().len() > 1 => return None,
                    None => Value::Number(of.number()?),
                }
            }
            ("xor", [a, b]) => Value::Number(a.number()? ^ b.number()?),
            ("and", [a, b]) => Value::Number(a.number()? & b.number()?),
            ("or", [a, b]) => Value::Number(a.number()? | b.number()?),
            _ => return None,
        })
    }

    fn is_array(&self, name: &str) -> bool {
        self.elements.keys().any(|(array, _)| array == name)
    }

    /// A text with values put in.
    fn formatted(&mut self, given: &[Expression]) -> Option<String> {
        let (format, rest) = given.split_first()?;
        let format = self.value(format)?.text();
        let mut values = Vec::new();
        for one in rest {
            values.push(self.value(one)?);
        }
        let mut values = values.into_iter();
        let mut all = String::new();
        let mut letters = format.chars();
        while let Some(letter) = letters.next() {
            if letter != '%' {
                all.push(letter);
                continue;
            }
            match letters.next()? {
                '%' => all.push('%'),
                's' => all.push_str(&values.next()?.text()),
                'd' | 'i' => all.push_str(&values.next()?.number()?.to_string()),
                'x' => all.push_str(&format!("{:x}", values.next()?.number()?)),
                'c' => {
                    let value = values.next().filter(|value| *value != Value::Unset)?;
                    match value.is_number()? {
                        // Of others, some make a byte and some a letter.
                        true => all.push(char::from(
                            u8::try_from(value.number()?).ok().filter(|byte| matches!(byte, 1..=127))?,
                        )),
                        false => all.extend(value.text().chars().next()),
                    }
                }
                // Widths and the like.
                _ => return None,
            }
            if all.len() > MOST {
                return None;
            }
        }
        Some(all)
    }
}

/// Arithmetic with whole numbers that gives whole numbers.
fn counted(left: i64, sign: &str, right: i64) -> Option<i64> {
    /// Greater numbers are not exact there.
    const EXACT: u64 = 1 << 53;
    let whole = match sign {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right).filter(|whole| whole.checked_mul(right) == Some(left)),
        "%" => left.checked_rem(right),
        _ => None,
    };
    whole.filter(|whole| whole.unsigned_abs() <= EXACT)
}

#[cfg(test)]
mod tests {
    use super::run;

    #[track_caller]
    fn check(program: &str, input: &str, commands: &[&str], output: &str) {
        let done = run(program, input, &[]).unwrap_or_else(|| panic!("{program} is not followed"));
        assert_eq!(
            (done.commands, done.output.as_str()),
            (commands.iter().map(|text| (*text).to_owned()).collect(), output),
            "{program}"
        );
    }

    #[test]
    fn texts_are_put_together() {
        check("{for(i=1;i<=NF;i++)s=s sprintf(\"%c\",$i); system(s)}", "114 109\n", &["rm"], "");
        check("{for(i=1;i<=NF;i++)printf \"%c\",$i}", "108 115\n", &[], "ls");
        check(
            "BEGIN{n=split(\"115,110\",a,\",\"); for(i=1;i<=n;i++) s=s sprintf(\"%c\",a[i]-1); system(s)}",
            "",
            &["rm"],
            "",
        );
        check("BEGIN{RS=\" \"}{printf(\"%c\", $0)}", "114 109", &[], "rm");
        check("BEGIN { s = \"mr\"; for (i = length(s); i > 0; i--) t = t substr(s, i, 1); print t }", "", &[], "rm\n");
        check("{ print $2, $1; next } END { print \"no\" }", "a b\nc d\n", &[], "b a\nd c\nno\n");
        check(
            "NR==2 { print } $1 == \"c\" && NF > 1 { x++ } END { print x ? \"yes\" : \"no\" }",
            "a b\nc d\n",
            &[],
            "c d\nyes\n",
        );
        check(
            "BEGIN { i = 0; while (i < 5) { i++; if (i == 2) continue; else if (i == 4) break; printf \"%d-\", i } }",
            "",
            &[],
            "1-3-",
        );
        check(
            "BEGIN { print 1 + 2 * 3 \"a\" 7 % 4, -(2 - 5), substr(\"hello\", 1, 2), index(\"ab\", \"b\"), toupper(\"x\") }",
            "",
            &[],
            "7a3 3 he 2 X\n",
        );
    }

    #[test]
    fn what_is_not_followed_gives_nothing() {
        for program in [
            "{ printf \"%c\", 370 }",
            "{ print substr($1, 0) }",
            "{ print $9 < 1 }",
            "/a/",
            "{ print > \"x\" }",
            "{ print | \"sh\" }",
            "{ \"date\" | getline x }",
            "BEGIN { while (1) x++ }",
            "BEGIN { for (;;) s = s \"a\" s }",
            "{ $1 = 2; print }",
            "{ x = system(\"a\") }",
            "function f() {}",
            "{ print $1 ~ \"a\" }",
            "{ for (k in a) print k }",
            "{ print 1.5 }",
            "{ print 2 ^ 3 }",
            "{ gsub(\"a\", \"b\") }",
            "{",
            "}",
            "BEGIN",
            "{ print \"",
            "{ print (1, 2) }  (",
            "BEGIN { print 1 / 3 }",
            "{ delete a }",
        ] {
            assert_eq!(run(program, "a b\n", &[]), None, "{program}");
        }
        assert_eq!(run(&format!("{{ print {} 1 }}", "(".repeat(4000)), "a\n", &[]), None);
        assert_eq!(run(&format!("{{ print {} 1 }}", "!".repeat(4000)), "a\n", &[]), None);
    }
}
