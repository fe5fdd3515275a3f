//! What a program consists of, and the values that it works with.

#[derive(Clone, Debug)]
pub(super) enum Expression {
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
pub(super) enum Statement {
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
pub(super) enum When {
    Begin,
    End,
    Always,
    If(Expression),
}

pub(super) type Rule = (When, Vec<Statement>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
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
    pub(super) fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) | Self::Given(text) => text.clone(),
            Self::Unset | Self::Group => String::new(),
        }
    }

    /// The number that it is taken for; none for one that is not whole.
    pub(super) fn number(&self) -> Option<i64> {
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
    pub(super) fn is_number(&self) -> Option<bool> {
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

    pub(super) fn is_true(&self) -> Option<bool> {
        if self.text().is_empty() {
            return Some(false);
        }
        Some(match self.is_number()? {
            true => self.number()? != 0,
            false => !self.text().is_empty(),
        })
    }
}
