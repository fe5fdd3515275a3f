//! The tree that the parser gives: a shell text as the shell would read it, with the byte span of every part.
//!
//! All of it lies in one [`Arena`](super::Arena), from which it borrows: copying a node copies no more than a few words, and nothing
//! is ever taken apart.

use std::cell::Cell;

use signoff_model::Span;

/// A whole shell text, or the inside of a substitution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Script<'t> {
    /// The commands in order.
    pub items: &'t [Item<'t>],
    /// What the parser could not read. A script with errors was not fully understood.
    pub errors: &'t [SyntaxError],
    /// The comments of an outermost text, up to some number: nothing in them runs.
    pub comments: &'t [Span],
}

/// One and-or list with the way it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item<'t> {
    /// The pipelines.
    pub list: AndOr<'t>,
    /// Whether it ends in `&`.
    pub background: bool,
    /// Where it stands.
    pub span: Span,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AndOr<'t> {
    /// The first pipeline.
    pub first: Pipeline<'t>,
    /// The others, each with what stands before it.
    pub rest: &'t [(Connector, Pipeline<'t>)],
}

impl<'t> AndOr<'t> {
    /// Where it stands.
    pub fn span(&self) -> Span {
        self.rest.last().map_or(self.first.span, |(_, last)| self.first.span.to(last.span))
    }
}

/// What joins two pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connector {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` or `|&`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipeline<'t> {
    /// Whether `!` stands before it.
    pub negated: bool,
    /// Whether the keyword `time` stands before it.
    pub timed: bool,
    /// The commands, at least one unless only `!` or `time` was written.
    pub commands: &'t [Command<'t>],
    /// Where it stands.
    pub span: Span,
}

/// One command of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'t> {
    /// Assignments, words and redirections.
    Simple(SimpleCommand<'t>),
    /// A group, loop or condition.
    Compound(&'t CompoundCommand<'t>),
    /// The definition of a function.
    Function(FunctionDefinition<'t>),
    /// `coproc`.
    Coproc {
        /// The name of the coprocess, if one was given.
        name: Option<&'t str>,
        /// What runs.
        body: &'t Command<'t>,
        /// Where it stands.
        span: Span,
    },
}

impl<'t> Command<'t> {
    /// Where the command stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Simple(simple) => simple.span,
            Self::Compound(compound) => compound.span,
            Self::Function(function) => function.span,
            Self::Coproc { span, .. } => *span,
        }
    }
}

/// Assignments, words and redirections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimpleCommand<'t> {
    /// The assignments before the first word.
    pub assignments: &'t [Assignment<'t>],
    /// The words: the program and its arguments.
    pub words: &'t [Word<'t>],
    /// The redirections, wherever they stand.
    pub redirects: &'t [Redirect<'t>],
    /// Where it stands, without heredoc bodies.
    pub span: Span,
}

/// `name=value`, `name+=value`, `name[index]=value` or `name=(…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment<'t> {
    /// The variable.
    pub name: &'t str,
    /// The index in `name[index]=`.
    pub index: Option<Word<'t>>,
    /// Whether it is `+=`.
    pub append: bool,
    /// What is assigned.
    pub value: AssignedValue<'t>,
    /// Where it stands.
    pub span: Span,
}

/// The right side of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignedValue<'t> {
    /// One word, possibly empty.
    Scalar(Word<'t>),
    /// `(…)`.
    Array(&'t [ArrayElement<'t>]),
}

/// One element of `(…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayElement<'t> {
    /// The index in `[index]=value`.
    pub index: Option<Word<'t>>,
    /// The value.
    pub value: Word<'t>,
}

/// A compound command with its redirections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompoundCommand<'t> {
    /// What it is.
    pub kind: Compound<'t>,
    /// The redirections after it.
    pub redirects: &'t [Redirect<'t>],
    /// Where it stands.
    pub span: Span,
}

/// The kinds of compound command. Scripts inside carry no errors of their own: all errors go to the outermost script
/// or substitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compound<'t> {
    /// `{ …; }`
    Group(&'t [Item<'t>]),
    /// `( … )`
    Subshell(&'t [Item<'t>]),
    /// `if`, with every `elif`.
    If {
        /// Conditions with what follows them.
        branches: &'t [(&'t [Item<'t>], &'t [Item<'t>])],
        /// What follows `else`.
        otherwise: Option<&'t [Item<'t>]>,
    },
    /// `while` and `until`.
    While {
        /// Whether it is `until`.
        until: bool,
        /// The condition.
        condition: &'t [Item<'t>],
        /// The body.
        body: &'t [Item<'t>],
    },
    /// `for name in …` and `select name in …`.
    For {
        /// Whether it is `select`.
        select: bool,
        /// The variables: one in bash, possibly several in zsh.
        names: &'t [&'t str],
        /// The words, or none when `in` is missing (then it is `"$@"`).
        words: Option<&'t [Word<'t>]>,
        /// The body.
        body: &'t [Item<'t>],
    },
    /// `for ((…; …; …))`
    ArithmeticFor {
        /// The three expressions, as text with its expansions.
        header: &'t [WordPart<'t>],
        /// The body.
        body: &'t [Item<'t>],
    },
    /// `case`
    Case {
        /// The word that is compared.
        word: Word<'t>,
        /// The arms.
        arms: &'t [CaseArm<'t>],
    },
    /// `(( … ))`, as text with its expansions.
    Arithmetic(&'t [WordPart<'t>]),
    /// `[[ … ]]`: its words, operators included.
    Test(&'t [Word<'t>]),
}

/// One arm of a `case`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseArm<'t> {
    /// The patterns.
    pub patterns: &'t [Word<'t>],
    /// The body.
    pub body: &'t [Item<'t>],
    /// Whether the next arm runs too (`;&` or `;;&`).
    pub falls_through: bool,
}

/// The definition of a function. One without a name runs where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionDefinition<'t> {
    /// The name.
    pub name: &'t str,
    /// The body, shared so that a definition can be kept while the tree is walked.
    pub body: &'t Command<'t>,
    /// What a function without a name is called with at once, as zsh does it.
    pub args: &'t [Word<'t>],
    /// Where it stands.
    pub span: Span,
}

/// A redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redirect<'t> {
    /// The descriptor before the operator: a number, or `{name}`.
    pub descriptor: Option<Descriptor<'t>>,
    /// The operator.
    pub operator: RedirectOperator,
    /// What stands after it.
    pub target: RedirectTarget<'t>,
    /// Where it stands, without a heredoc body.
    pub span: Span,
}

/// The descriptor before a redirection operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descriptor<'t> {
    /// A number.
    Number(u32),
    /// `{name}`
    Variable(&'t str),
}

/// A redirection operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectOperator {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>|`
    Clobber,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `<&`
    DuplicateInput,
    /// `>&` (to a descriptor, or to a file for both streams)
    DuplicateOutput,
    /// `&>`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<<<`
    HereString,
    /// `<<` and `<<-`
    HereDocument,
}

/// What a redirection points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectTarget<'t> {
    /// A word: a file, a descriptor or the text of a here-string.
    Word(Word<'t>),
    /// A heredoc.
    HereDocument(&'t HereDocument<'t>),
}

/// The body of a heredoc. It stands behind the line, so it is filled in when the redirection is already in the tree.
#[derive(Debug, PartialEq, Eq)]
pub struct HereDocument<'t> {
    /// Whether the delimiter was quoted.
    pub quoted: bool,
    body: Cell<&'t [WordPart<'t>]>,
    span: Cell<Span>,
}

impl<'t> HereDocument<'t> {
    /// One without a body, which is to come, or to be missed, at a place.
    pub(super) fn expected(quoted: bool, at: Span) -> Self {
        Self { quoted, body: Cell::new(&[]), span: Cell::new(at) }
    }

    /// Fills in the body and where it stands.
    pub(super) fn fill(&self, body: &'t [WordPart<'t>], span: Span) {
        self.body.set(body);
        self.span.set(span);
    }

    /// The body after tab stripping. With a quoted delimiter it is one single-quoted part, otherwise text with its
    /// expansions, each literal stretch as `WordPart::SingleQuoted`.
    pub fn body(&self) -> &'t [WordPart<'t>] {
        self.body.get()
    }

    /// Where the body stands.
    pub fn span(&self) -> Span {
        self.span.get()
    }
}

/// A word before expansion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word<'t> {
    /// Its parts in order; most words have one.
    pub parts: WordParts<'t>,
    /// Where it stands.
    pub span: Span,
}

/// The parts of a word.
pub type WordParts<'t> = &'t [WordPart<'t>];

/// A part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordPart<'t> {
    /// Unquoted text: tildes, braces and glob characters in it are alive.
    Literal(&'t str),
    /// Text that stands for itself: `'…'`, `$'…'` after decoding, or a character behind a backslash.
    SingleQuoted(&'t str),
    /// `"…"` or `$"…"`; literal stretches inside are `SingleQuoted`.
    DoubleQuoted(&'t [WordPart<'t>]),
    /// `$name`, `${…}`
    Parameter(&'t Parameter<'t>),
    /// `$(…)` or back-quotes.
    Command(Substitution<'t>),
    /// `<(…)`, `>(…)` or zsh `=(…)`
    Process {
        /// Which of them.
        kind: ProcessKind,
        /// What runs.
        inner: Substitution<'t>,
    },
    /// `$((…))` or `$[…]`: text with its expansions.
    Arithmetic(&'t [WordPart<'t>]),
    /// `@(…)`, `!(…)`, `*(…)`, `+(…)`, `?(…)`: the operator, and the inside with its `|` as literals.
    ExtendedGlob {
        /// The character before the parenthesis.
        operator: char,
        /// The inside.
        inside: &'t [WordPart<'t>],
    },
    /// `(…)` after `name=` in an argument of a declaration such as `declare -a x=(…)`.
    Array(&'t [ArrayElement<'t>]),
}

/// The direction of a process substitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessKind {
    /// `<(…)`: the word names a file that reads what the inside prints.
    Output,
    /// `>(…)`: the word names a file that feeds the inside.
    Input,
}

/// The inside of a command or process substitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Substitution<'t> {
    /// What runs.
    pub script: &'t Script<'t>,
    /// Where it stands, with its brackets.
    pub span: Span,
}

/// A parameter expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter<'t> {
    /// The name: a variable, a number, or one of `@ * # ? - $ ! 0 _`.
    pub name: &'t str,
    /// The index in `${name[index]}`.
    pub index: Option<Index<'t>>,
    /// Whether it is `${!name…}`.
    pub indirect: bool,
    /// What is done with the value.
    pub operation: ParameterOperation<'t>,
    /// Where it stands.
    pub span: Span,
}

/// The index of an array element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index<'t> {
    /// `[@]`, each element a word of its own in quotes.
    All,
    /// `[*]`, all elements one word in quotes.
    Joined,
    /// Anything else.
    At(&'t Word<'t>),
}

/// What `${…}` does with the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterOperation<'t> {
    /// Nothing: `$x`, `${x}`.
    Value,
    /// `${#x}`
    Length,
    /// `${x-w}`, `${x:-w}`
    Default {
        /// Whether there is a colon: empty counts as unset.
        or_empty: bool,
        /// The other value.
        word: &'t Word<'t>,
    },
    /// `${x=w}`, `${x:=w}`
    Assign {
        /// Whether there is a colon.
        or_empty: bool,
        /// The other value.
        word: &'t Word<'t>,
    },
    /// `${x?w}`, `${x:?w}`
    Require {
        /// Whether there is a colon.
        or_empty: bool,
        /// The message.
        word: &'t Word<'t>,
    },
    /// `${x+w}`, `${x:+w}`
    Alternate {
        /// Whether there is a colon.
        or_empty: bool,
        /// The other value.
        word: &'t Word<'t>,
    },
    /// `${x#p}`, `${x##p}`
    RemovePrefix {
        /// Whether the longest match goes.
        longest: bool,
        /// The pattern.
        pattern: &'t Word<'t>,
    },
    /// `${x%p}`, `${x%%p}`
    RemoveSuffix {
        /// Whether the longest match goes.
        longest: bool,
        /// The pattern.
        pattern: &'t Word<'t>,
    },
    /// `${x/p/r}` and its kin.
    Replace {
        /// Which matches.
        which: ReplaceWhich,
        /// The pattern.
        pattern: &'t Word<'t>,
        /// What comes instead; empty when missing.
        with: &'t Word<'t>,
    },
    /// `${x:offset:length}`
    Substring {
        /// The offset, an arithmetic text with its expansions.
        offset: &'t Word<'t>,
        /// The length.
        length: Option<&'t Word<'t>>,
    },
    /// `${x^p}`, `${x^^p}`, `${x,p}`, `${x,,p}`
    ChangeCase {
        /// Whether it makes capitals.
        upper: bool,
        /// Whether it goes for all characters.
        all: bool,
        /// The pattern, usually empty.
        pattern: &'t Word<'t>,
    },
    /// `${x@Q}` and its kin.
    Transform(char),
    /// `${!prefix*}`, `${!prefix@}`
    NamesWithPrefix,
    /// Something else (a zsh flag or modifier): kept as a word so that what is nested in it is seen.
    Other(&'t Word<'t>),
}

/// Which matches a replacement goes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplaceWhich {
    /// `/`
    First,
    /// `//`
    All,
    /// `/#`
    Prefix,
    /// `/%`
    Suffix,
}

/// What the parser could not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What kind of error.
    pub kind: SyntaxErrorKind,
    /// Where.
    pub span: Span,
}

/// The kinds of syntax error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// A token that cannot stand there.
    Unexpected,
    /// A quote that does not end.
    UnclosedQuote,
    /// A substitution, group or expansion that does not end.
    UnclosedBracket,
    /// `if`, `for`, `while`, `case` or `{` that does not end.
    UnclosedCompound,
    /// A heredoc whose delimiter does not come. Bash warns and reads on to the end.
    UnclosedHereDocument,
    /// An expansion that the shell would refuse.
    BadExpansion,
    /// Nested deeper than the limit.
    TooDeep,
    /// Longer than the limit.
    TooLong,
    /// More work than the limit.
    OutOfFuel,
}
