//! The text of a script as a tree: statements and pipelines. Like every parser here it never fails; what it could not
//! read makes the reading incomplete.

use std::rc::Rc;

use crate::code::readable;

use super::tree::{Body, Element, ElementKind, Expression, Parameter, Statement};

/// A script is read up to this length, in bytes. It is read once to see what it is and once to walk it.
const LONGEST: usize = 64 * 1024;

/// Brackets nested deeper than this are not read.
const MAX_DEPTH: usize = 48;

/// A script, and whether every part of it was read.
pub(super) struct Script {
    pub(super) body: Body,
    pub(super) complete: bool,
}

/// Reads a script.
pub(super) fn parse(text: &str) -> Script {
    let (text, whole) = readable(text, LONGEST);
    let mut parser = Parser { text, at: 0, lost: !whole, depth: 0, inside: 0, in_arguments: false };
    let body = parser.statements(None);
    Script { body: Rc::new(body), complete: !parser.lost }
}

pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// Whether something could not be read.
    pub(super) lost: bool,
    pub(super) depth: usize,
    /// How many round brackets stand around: line breaks are blanks in them.
    pub(super) inside: usize,
    /// Whether a comma parts the arguments of a method here.
    pub(super) in_arguments: bool,
}

impl<'t> Parser<'t> {
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub(super) fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    /// Blanks, comments and continued lines.
    pub(super) fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            match self.peek() {
                Some(letter) if letter.is_whitespace() && (letter != '\n' || self.inside > 0) => self.bump(),
                Some('`') if rest.starts_with("`\n") || rest.starts_with("`\r\n") => {
                    self.at += rest.find('\n').map_or(1, |end| end + 1);
                }
                Some('<') if rest.starts_with("<#") => self.at += rest.find("#>").map_or(rest.len(), |end| end + 2),
                Some('#') => self.at += rest.find('\n').unwrap_or(rest.len()),
                _ => break,
            }
        }
    }

    /// Blanks and line breaks.
    pub(super) fn lines(&mut self) {
        loop {
            self.blanks();
            if self.peek() != Some('\n') {
                break;
            }
            self.bump();
        }
    }

    /// Statements up to a closing bracket, which stays.
    pub(super) fn statements(&mut self, close: Option<char>) -> Vec<Statement> {
        let mut all = Vec::new();
        let inside = std::mem::take(&mut self.inside);
        let in_arguments = std::mem::take(&mut self.in_arguments);
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.lost = true;
            self.at = self.text.len();
        }
        loop {
            self.lines();
            match self.peek() {
                None => {
                    self.lost |= close.is_some();
                    break;
                }
                Some(';') => self.bump(),
                letter if letter == close => break,
                Some(_) => {
                    let before = self.at;
                    all.push(self.statement());
                    self.blanks();
                    let ends = matches!(self.peek(), None | Some(';' | '\n')) || self.peek() == close;
                    // A body ends a statement by itself.
                    let bodied = matches!(all.last(), Some(Statement::Parameters(_)))
                        || self.text.get(before..self.at).is_some_and(|read| read.trim_end().ends_with('}'));
                    if !ends && !bodied || self.at == before {
                        self.lost = true;
                        self.skip_line();
                    }
                }
            }
        }
        self.depth -= 1;
        self.inside = inside;
        self.in_arguments = in_arguments;
        all
    }

    /// What cannot be read is left out up to the next statement.
    fn skip_line(&mut self) {
        self.bump();
        while !matches!(self.peek(), None | Some('\n' | ';')) {
            self.bump();
        }
    }

    /// The word of letters that comes next, in small letters.
    fn keyword(&self) -> String {
        let rest = self.rest();
        let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        let behind = rest.get(end..).and_then(|rest| rest.chars().next());
        if behind.is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | '\\' | '/' | ':'))
        {
            return String::new();
        }
        rest.get(..end).unwrap_or_default().to_ascii_lowercase()
    }

    /// What stands behind a keyword begins with this sign.
    fn followed_by(&self, keyword: &str, sign: char) -> bool {
        self.rest().get(keyword.len()..).is_some_and(|rest| rest.trim_start().starts_with(sign))
    }

    pub(super) fn statement(&mut self) -> Statement {
        self.depth += 1;
        let found = if self.depth > MAX_DEPTH {
            self.lost = true;
            self.at = self.text.len();
            Statement::Nothing
        } else {
            self.keyword_statement()
        };
        self.depth -= 1;
        found
    }

    fn keyword_statement(&mut self) -> Statement {
        let keyword = self.keyword();
        match keyword.as_str() {
            "if" if self.followed_by("if", '(') => self.branches(),
            "while" if self.followed_by("while", '(') => {
                self.at += 5;
                let head = self.bracketed();
                Statement::Loop { heads: vec![head], body: self.body() }
            }
            "do" if self.followed_by("do", '{') => {
                self.at += 2;
                let body = self.body();
                self.lines();
                let heads = match self.keyword().as_str() {
                    word @ ("while" | "until") => {
                        self.at += word.len();
                        vec![self.bracketed()]
                    }
                    _ => {
                        self.lost = true;
                        Vec::new()
                    }
                };
                Statement::Loop { heads, body }
            }
            "for" if self.followed_by("for", '(') => self.counted(),
            "foreach" if self.followed_by("foreach", '(') => self.foreach(),
            "switch" => self.switch(),
            "try" if self.followed_by("try", '{') => self.attempts(),
            "begin" | "process" | "end" | "dynamicparam" | "trap" | "finally" if self.followed_by(&keyword, '{') => {
                self.at += keyword.len();
                Statement::Bodies(vec![self.body()])
            }
            "function" | "filter" => self.function(&keyword),
            "param" if self.followed_by("param", '(') => {
                self.at += 5;
                Statement::Parameters(self.parameters())
            }
            "return" | "throw" | "exit" => {
                self.at += keyword.len();
                self.blanks();
                if matches!(self.peek(), None | Some(';' | '\n' | '}' | ')')) {
                    Statement::Nothing
                } else {
                    self.statement()
                }
            }
            "break" | "continue" => {
                self.at += keyword.len();
                self.blanks();
                while self.peek().is_some_and(char::is_alphanumeric) {
                    self.bump();
                }
                Statement::Nothing
            }
            "using" => {
                while !matches!(self.peek(), None | Some(';' | '\n')) {
                    self.bump();
                }
                Statement::Nothing
            }
            // What a class does is not followed.
            "class" | "enum" | "workflow" | "configuration" | "data" if self.rest().contains('{') => {
                self.lost = true;
                while !matches!(self.peek(), None | Some('{')) {
                    self.bump();
                }
                Statement::Bodies(vec![self.body()])
            }
            _ => self.chain(),
        }
    }

    /// `{ … }`.
    pub(super) fn body(&mut self) -> Body {
        self.lines();
        if !self.eat("{") {
            self.lost = true;
            return Rc::new(Vec::new());
        }
        let body = self.statements(Some('}'));
        self.eat("}");
        Rc::new(body)
    }

    /// `( … )` behind a keyword.
    fn bracketed(&mut self) -> Statement {
        self.lines();
        if !self.eat("(") {
            self.lost = true;
            return Statement::Nothing;
        }
        let inner = self.statements(Some(')'));
        self.eat(")");
        Statement::Pipeline(vec![Element {
            kind: ElementKind::Expression(Expression::Group(Rc::new(inner))),
            redirects: Vec::new(),
        }])
    }

    fn branches(&mut self) -> Statement {
        self.at += 2;
        let mut conditions = vec![self.bracketed()];
        let mut bodies = vec![self.body()];
        let mut otherwise = None;
        loop {
            let before = self.at;
            self.lines();
            match self.keyword().as_str() {
                "elseif" => {
                    self.at += 6;
                    conditions.push(self.bracketed());
                    bodies.push(self.body());
                }
                "else" => {
                    self.at += 4;
                    self.blanks();
                    if self.keyword() == "if" {
                        self.at += 2;
                        conditions.push(self.bracketed());
                        bodies.push(self.body());
                        continue;
                    }
                    otherwise = Some(self.body());
                    break;
                }
                _ => {
                    self.at = before;
                    break;
                }
            }
        }
        Statement::Branches { conditions, bodies, otherwise }
    }

    fn counted(&mut self) -> Statement {
        self.at += 3;
        self.lines();
        self.eat("(");
        let heads = self.statements(Some(')'));
        self.eat(")");
        Statement::Loop { heads, body: self.body() }
    }

    fn foreach(&mut self) -> Statement {
        self.at += 7;
        self.lines();
        self.eat("(");
        self.lines();
        let variable = match self.primary() {
            Expression::Variable(name) => name,
            _ => {
                self.lost = true;
                String::new()
            }
        };
        self.lines();
        if self.keyword() != "in" {
            self.lost = true;
        }
        self.at += 2;
        let list = self.statements(Some(')'));
        self.eat(")");
        let list = Statement::Pipeline(vec![Element {
            kind: ElementKind::Expression(Expression::Group(Rc::new(list))),
            redirects: Vec::new(),
        }]);
        Statement::Foreach { variable, list: Box::new(list), body: self.body() }
    }

    fn switch(&mut self) -> Statement {
        self.at += 6;
        self.blanks();
        while self.peek() == Some('-') {
            while self.peek().is_some_and(|letter| letter == '-' || letter.is_ascii_alphabetic()) {
                self.bump();
            }
            self.blanks();
        }
        let conditions = vec![self.bracketed()];
        self.lines();
        let mut bodies = Vec::new();
        if !self.eat("{") {
            self.lost = true;
        }
        loop {
            self.lines();
            if self.eat(";") {
                continue;
            }
            if self.eat("}") {
                break;
            }
            if self.peek().is_none() {
                self.lost = true;
                break;
            }
            let before = self.at;
            if self.peek() == Some('{') {
                bodies.push(self.body());
            } else {
                self.argument();
            }
            bodies.push(self.body());
            if self.at == before {
                self.lost = true;
                self.bump();
            }
        }
        Statement::Branches { conditions, bodies, otherwise: None }
    }

    fn attempts(&mut self) -> Statement {
        self.at += 3;
        let mut bodies = vec![self.body()];
        loop {
            let before = self.at;
            self.lines();
            match self.keyword().as_str() {
                word @ ("catch" | "finally") => {
                    self.at += word.len();
                    self.lines();
                    while self.peek() == Some('[') {
                        self.type_name();
                        self.lines();
                        self.eat(",");
                        self.lines();
                    }
                    bodies.push(self.body());
                }
                _ => {
                    self.at = before;
                    break;
                }
            }
        }
        Statement::Bodies(bodies)
    }

    fn function(&mut self, keyword: &str) -> Statement {
        self.at += keyword.len();
        self.blanks();
        let rest = self.rest();
        let end = rest
            .find(|letter: char| letter.is_whitespace() || matches!(letter, '(' | '{' | ';' | '|'))
            .unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default().to_ascii_lowercase();
        let name = name.rsplit(':').next().unwrap_or_default().to_owned();
        self.lost |= name.is_empty();
        self.at += end;
        self.lines();
        let parameters = if self.peek() == Some('(') { self.parameters() } else { Vec::new() };
        Statement::Function { name, parameters, body: self.body() }
    }

    /// `( [type]$name = default, … )`.
    fn parameters(&mut self) -> Vec<Parameter> {
        let mut all = Vec::new();
        self.lines();
        self.eat("(");
        self.inside += 1;
        loop {
            self.blanks();
            match self.peek() {
                Some(')') => {
                    self.bump();
                    break;
                }
                Some(',') => self.bump(),
                Some('[') => {
                    self.type_name();
                }
                Some('$') => {
                    let Expression::Variable(name) = self.variable() else {
                        self.lost = true;
                        continue;
                    };
                    self.blanks();
                    let default = self.eat("=").then(|| {
                        let outer = std::mem::replace(&mut self.in_arguments, true);
                        let default = self.expression_without_commas();
                        self.in_arguments = outer;
                        default
                    });
                    all.push(Parameter { name, default });
                }
                _ => {
                    self.lost = true;
                    break;
                }
            }
        }
        self.inside -= 1;
        all
    }

    /// Pipelines with `&&` and `||` between them.
    fn chain(&mut self) -> Statement {
        let mut all = vec![self.pipeline()];
        loop {
            self.blanks();
            if !(self.eat("&&") || self.eat("||")) {
                break;
            }
            self.lines();
            all.push(self.statement());
        }
        // `&` at the end: in the background.
        if self.peek() == Some('&') {
            self.bump();
        }
        match all.len() {
            1 => all.pop().unwrap_or(Statement::Nothing),
            _ => Statement::Chain(all),
        }
    }

    fn pipeline(&mut self) -> Statement {
        let mut all = Vec::new();
        loop {
            let element = self.element();
            if all.is_empty()
                && let ElementKind::Expression(target) = &element.kind
            {
                self.blanks();
                let sign =
                    ["+=", "-=", "*=", "/=", "%=", "??=", "="].into_iter().find(|sign| self.rest().starts_with(sign));
                if let Some(sign) = sign.filter(|_| !self.rest().starts_with("==")) {
                    self.lost |= matches!(target, Expression::Text(_) | Expression::Group(_) | Expression::Block(..));
                    self.at += sign.len();
                    self.lines();
                    let value = Box::new(self.statement());
                    return Statement::Assign { target: target.clone(), adds: sign != "=" && sign != "??=", value };
                }
            }
            all.push(element);
            self.blanks();
            let here = self.at;
            // A line may begin with the sign of a pipeline.
            self.lines();
            if self.peek() == Some('|') && self.second() != Some('|') {
                self.bump();
                self.lines();
                continue;
            }
            self.at = here;
            break;
        }
        Statement::Pipeline(all)
    }
}
