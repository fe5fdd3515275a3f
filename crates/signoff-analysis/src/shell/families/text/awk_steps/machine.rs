//! Runs the tree of a program on its input, for so many steps.

use std::collections::HashMap;

use super::{
    MAX_COMMANDS,
    tree::{Expression, Rule, Statement, Value, When},
};
use crate::shell::families::filters::MOST;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    Next,
    Exit,
    Break,
    Continue,
}

#[derive(Debug, Default)]
pub(super) struct Machine {
    pub(super) steps: usize,
    scalars: HashMap<String, Value>,
    elements: HashMap<(String, String), Value>,
    line: String,
    fields: Vec<String>,
    read: i64,
    pub(super) commands: Vec<String>,
    pub(super) output: String,
}

impl Machine {
    /// One with these variables, and so many steps.
    pub(super) fn with(variables: &[(String, String)], steps: usize) -> Self {
        let scalars = variables.iter().map(|(name, value)| (name.clone(), Value::Given(value.clone()))).collect();
        Self { steps, scalars, ..Self::default() }
    }

    pub(super) fn all(&mut self, rules: &[Rule], input: &str) -> Option<Flow> {
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
