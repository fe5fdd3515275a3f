//! The tree of a script.

use std::rc::Rc;

/// Statements in their order.
pub(super) type Body = Rc<Vec<Statement>>;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Statement {
    /// Commands and expressions, each with the output of the one before it.
    Pipeline(Vec<Element>),
    /// `$x = …`, `$x += …`.
    Assign { target: Expression, adds: bool, value: Box<Statement> },
    /// `if`, `elseif`, `else`, `switch`: one of these bodies runs, or none.
    Branches { conditions: Vec<Statement>, bodies: Vec<Body>, otherwise: Option<Body> },
    /// `foreach ($x in …) { … }`.
    Foreach { variable: String, list: Box<Statement>, body: Body },
    /// `while`, `do`, `for`.
    Loop { heads: Vec<Statement>, body: Body },
    /// `try`, `catch`, `finally`, `begin`, `process`, `end`: every body may run.
    Bodies(Vec<Body>),
    /// `function name(…) { … }`.
    Function { name: String, parameters: Vec<Parameter>, body: Body },
    /// `param(…)`.
    Parameters(Vec<Parameter>),
    /// `a && b`, `a || b`.
    Chain(Vec<Statement>),
    /// `break`, `using …` and what else does nothing.
    Nothing,
}

/// A parameter of a function or script.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) default: Option<Expression>,
}

/// A part of a pipeline.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Element {
    pub(super) kind: ElementKind,
    pub(super) redirects: Vec<Redirect>,
}

/// What a part of a pipeline is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ElementKind {
    /// A value.
    Expression(Expression),
    /// A command with its words, and whether `&` or `.` stands before it.
    Command { name: Expression, words: Vec<Word>, invoked: bool },
}

/// `> file`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Redirect {
    pub(super) appends: bool,
    pub(super) target: Expression,
}

/// A word behind the name of a command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    /// `-Name`, as it is written, and what follows its colon.
    Parameter { raw: String, value: Option<Expression> },
    /// An argument.
    Argument(Expression),
    /// `@name`.
    Splat(String),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    /// A text, or a bare word, of parts.
    Text(Vec<Part>),
    /// `$name`, with its drive or scope, in small letters.
    Variable(String),
    /// `a, b`.
    List(Vec<Expression>),
    /// `@{ a = 1 }`.
    Table(Vec<(Expression, Statement)>),
    /// `( … )`, `$( … )`, `@( … )`.
    Group(Body),
    /// `{ … }`, and its source.
    Block(Body, Rc<str>),
    /// `[Name]`, in small letters.
    Type(String),
    /// `[Name]x`.
    Cast(String, Box<Expression>),
    /// `x.name`, `[T]::name`.
    Member(Box<Expression>, Box<Expression>),
    /// `x.name(…)`, `[T]::name(…)`.
    Call(Box<Expression>, Box<Expression>, Vec<Expression>),
    /// `x[i]`.
    Index(Box<Expression>, Box<Expression>),
    /// `a -op b`, the sign in small letters.
    Binary(String, Box<Expression>, Box<Expression>),
    /// `-op a`.
    Unary(String, Box<Expression>),
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Text(String),
    Inserted(Expression),
}

impl Expression {
    /// A text that is known.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(vec![Part::Text(text.into())])
    }
}
