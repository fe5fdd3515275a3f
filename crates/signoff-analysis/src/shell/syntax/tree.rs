//! The tree that the parser gives: a shell text as the shell would read it, with the byte span of every part.

use std::rc::Rc;

use compact_str::CompactString;
use signoff_model::Span;
use smallvec::SmallVec;

/// A whole shell text, or the inside of a substitution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The commands in order.
    pub items: Vec<Item>,
    /// What the parser could not read. A script with errors was not fully understood.
    pub errors: Vec<SyntaxError>,
    /// The comments of an outermost text, up to some number: nothing in them runs.
    pub comments: Vec<Span>,
}

/// One and-or list with the way it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The pipelines.
    pub list: AndOr,
    /// Whether it ends in `&`.
    pub background: bool,
    /// Where it stands.
    pub span: Span,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AndOr {
    /// The first pipeline.
    pub first: Pipeline,
    /// The others, each with what stands before it.
    pub rest: Vec<(Connector, Pipeline)>,
}

impl AndOr {
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// Whether `!` stands before it.
    pub negated: bool,
    /// Whether the keyword `time` stands before it.
    pub timed: bool,
    /// The commands, at least one unless only `!` or `time` was written.
    pub commands: Vec<Command>,
    /// Where it stands.
    pub span: Span,
}

/// One command of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Assignments, words and redirections.
    Simple(SimpleCommand),
    /// A group, loop or condition.
    Compound(Box<CompoundCommand>),
    /// The definition of a function.
    Function(FunctionDefinition),
    /// `coproc`.
    Coproc {
        /// The name of the coprocess, if one was given.
        name: Option<String>,
        /// What runs.
        body: Box<Command>,
        /// Where it stands.
        span: Span,
    },
}

impl Command {
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimpleCommand {
    /// The assignments before the first word.
    pub assignments: Vec<Assignment>,
    /// The words: the program and its arguments.
    pub words: Vec<Word>,
    /// The redirections, wherever they stand.
    pub redirects: Vec<Redirect>,
    /// Where it stands, without heredoc bodies.
    pub span: Span,
}

/// `name=value`, `name+=value`, `name[index]=value` or `name=(…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: CompactString,
    /// The index in `name[index]=`.
    pub index: Option<Word>,
    /// Whether it is `+=`.
    pub append: bool,
    /// What is assigned.
    pub value: AssignedValue,
    /// Where it stands.
    pub span: Span,
}

/// The right side of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssignedValue {
    /// One word, possibly empty.
    Scalar(Word),
    /// `(…)`.
    Array(Vec<ArrayElement>),
}

/// One element of `(…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayElement {
    /// The index in `[index]=value`.
    pub index: Option<Word>,
    /// The value.
    pub value: Word,
}

/// A compound command with its redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompoundCommand {
    /// What it is.
    pub kind: Compound,
    /// The redirections after it.
    pub redirects: Vec<Redirect>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of compound command. Scripts inside carry no errors of their own: all errors go to the outermost script
/// or substitution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compound {
    /// `{ …; }`
    Group(Vec<Item>),
    /// `( … )`
    Subshell(Vec<Item>),
    /// `if`, with every `elif`.
    If {
        /// Conditions with what follows them.
        branches: Vec<(Vec<Item>, Vec<Item>)>,
        /// What follows `else`.
        otherwise: Option<Vec<Item>>,
    },
    /// `while` and `until`.
    While {
        /// Whether it is `until`.
        until: bool,
        /// The condition.
        condition: Vec<Item>,
        /// The body.
        body: Vec<Item>,
    },
    /// `for name in …` and `select name in …`.
    For {
        /// Whether it is `select`.
        select: bool,
        /// The variables: one in bash, possibly several in zsh.
        names: Vec<String>,
        /// The words, or none when `in` is missing (then it is `"$@"`).
        words: Option<Vec<Word>>,
        /// The body.
        body: Vec<Item>,
    },
    /// `for ((…; …; …))`
    ArithmeticFor {
        /// The three expressions, as text with its expansions.
        header: Vec<WordPart>,
        /// The body.
        body: Vec<Item>,
    },
    /// `case`
    Case {
        /// The word that is compared.
        word: Word,
        /// The arms.
        arms: Vec<CaseArm>,
    },
    /// `(( … ))`, as text with its expansions.
    Arithmetic(Vec<WordPart>),
    /// `[[ … ]]`: its words, operators included.
    Test(Vec<Word>),
}

/// One arm of a `case`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseArm {
    /// The patterns.
    pub patterns: Vec<Word>,
    /// The body.
    pub body: Vec<Item>,
    /// Whether the next arm runs too (`;&` or `;;&`).
    pub falls_through: bool,
}

/// The definition of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionDefinition {
    /// The name.
    pub name: String,
    /// The body, shared so that a definition can be kept while the tree is walked.
    pub body: Rc<Command>,
    /// Where it stands.
    pub span: Span,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The descriptor before the operator: a number, or `{name}`.
    pub descriptor: Option<Descriptor>,
    /// The operator.
    pub operator: RedirectOperator,
    /// What stands after it.
    pub target: RedirectTarget,
    /// Where it stands, without a heredoc body.
    pub span: Span,
}

/// The descriptor before a redirection operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Descriptor {
    /// A number.
    Number(u32),
    /// `{name}`
    Variable(String),
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectTarget {
    /// A word: a file, a descriptor or the text of a here-string.
    Word(Word),
    /// A heredoc.
    HereDocument(HereDocument),
}

/// The body of a heredoc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HereDocument {
    /// The body after tab stripping. With a quoted delimiter it is one single-quoted part, otherwise text with its
    /// expansions, each literal stretch as `WordPart::SingleQuoted`.
    pub body: Vec<WordPart>,
    /// Whether the delimiter was quoted.
    pub quoted: bool,
    /// Where the body stands.
    pub span: Span,
}

/// A word before expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// Its parts in order; most words have one.
    pub parts: WordParts,
    /// Where it stands.
    pub span: Span,
}

/// The parts of a word.
pub type WordParts = SmallVec<[WordPart; 1]>;

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordPart {
    /// Unquoted text: tildes, braces and glob characters in it are alive.
    Literal(CompactString),
    /// Text that stands for itself: `'…'`, `$'…'` after decoding, or a character behind a backslash.
    SingleQuoted(CompactString),
    /// `"…"` or `$"…"`; literal stretches inside are `SingleQuoted`.
    DoubleQuoted(Vec<WordPart>),
    /// `$name`, `${…}`
    Parameter(Box<Parameter>),
    /// `$(…)` or back-quotes.
    Command(Substitution),
    /// `<(…)`, `>(…)` or zsh `=(…)`
    Process {
        /// Which of them.
        kind: ProcessKind,
        /// What runs.
        inner: Substitution,
    },
    /// `$((…))` or `$[…]`: text with its expansions.
    Arithmetic(Vec<WordPart>),
    /// `@(…)`, `!(…)`, `*(…)`, `+(…)`, `?(…)`: the operator, and the inside with its `|` as literals.
    ExtendedGlob {
        /// The character before the parenthesis.
        operator: char,
        /// The inside.
        inside: Vec<WordPart>,
    },
    /// `(…)` after `name=` in an argument of a declaration such as `declare -a x=(…)`.
    Array(Vec<ArrayElement>),
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substitution {
    /// What runs.
    pub script: Rc<Script>,
    /// Where it stands, with its brackets.
    pub span: Span,
}

/// A parameter expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name: a variable, a number, or one of `@ * # ? - $ ! 0 _`.
    pub name: CompactString,
    /// The index in `${name[index]}`.
    pub index: Option<Index>,
    /// Whether it is `${!name…}`.
    pub indirect: bool,
    /// What is done with the value.
    pub operation: ParameterOperation,
    /// Where it stands.
    pub span: Span,
}

/// The index of an array element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// `[@]`, each element a word of its own in quotes.
    All,
    /// `[*]`, all elements one word in quotes.
    Joined,
    /// Anything else.
    At(Box<Word>),
}

/// What `${…}` does with the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterOperation {
    /// Nothing: `$x`, `${x}`.
    Value,
    /// `${#x}`
    Length,
    /// `${x-w}`, `${x:-w}`
    Default {
        /// Whether there is a colon: empty counts as unset.
        or_empty: bool,
        /// The other value.
        word: Box<Word>,
    },
    /// `${x=w}`, `${x:=w}`
    Assign {
        /// Whether there is a colon.
        or_empty: bool,
        /// The other value.
        word: Box<Word>,
    },
    /// `${x?w}`, `${x:?w}`
    Require {
        /// Whether there is a colon.
        or_empty: bool,
        /// The message.
        word: Box<Word>,
    },
    /// `${x+w}`, `${x:+w}`
    Alternate {
        /// Whether there is a colon.
        or_empty: bool,
        /// The other value.
        word: Box<Word>,
    },
    /// `${x#p}`, `${x##p}`
    RemovePrefix {
        /// Whether the longest match goes.
        longest: bool,
        /// The pattern.
        pattern: Box<Word>,
    },
    /// `${x%p}`, `${x%%p}`
    RemoveSuffix {
        /// Whether the longest match goes.
        longest: bool,
        /// The pattern.
        pattern: Box<Word>,
    },
    /// `${x/p/r}` and its kin.
    Replace {
        /// Which matches.
        which: ReplaceWhich,
        /// The pattern.
        pattern: Box<Word>,
        /// What comes instead; empty when missing.
        with: Box<Word>,
    },
    /// `${x:offset:length}`
    Substring {
        /// The offset, an arithmetic text with its expansions.
        offset: Box<Word>,
        /// The length.
        length: Option<Box<Word>>,
    },
    /// `${x^p}`, `${x^^p}`, `${x,p}`, `${x,,p}`
    ChangeCase {
        /// Whether it makes capitals.
        upper: bool,
        /// Whether it goes for all characters.
        all: bool,
        /// The pattern, usually empty.
        pattern: Box<Word>,
    },
    /// `${x@Q}` and its kin.
    Transform(char),
    /// `${!prefix*}`, `${!prefix@}`
    NamesWithPrefix,
    /// Something else (a zsh flag or modifier): kept as a word so that what is nested in it is seen.
    Other(Box<Word>),
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
