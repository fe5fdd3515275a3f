//! Reads a program into its tree; whatever is not followed ends the reading.

use super::{
    MAX_DEPTH,
    tokens::Token,
    tree::{Expression, Rule, Statement, Value, When},
};

pub(super) struct Parser<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) at: usize,
    pub(super) depth: usize,
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

    pub(super) fn rules(&mut self) -> Option<Vec<Rule>> {
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
