use crate::Span;

/// One simple command of a shell text, as far as it can be told without running anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// The program and its arguments; a word that is known only when the shell expands it is `None`, and may then stand
    /// for any number of words.
    pub argv: Vec<Option<String>>,
    /// Where it stands in the text of the operation.
    pub span: Span,
    /// Whether it does what it says wherever it stands: nothing but literal words, with no expansion, redirection,
    /// assignment or substitution, and nothing around it that could give them another meaning. Only such an invocation can be
    /// covered by a permission.
    pub plain: bool,
}

impl Invocation {
    /// An invocation of literal words.
    pub fn plain(argv: impl IntoIterator<Item = impl Into<String>>, span: Span) -> Self {
        Self { argv: argv.into_iter().map(|word| Some(word.into())).collect(), span, plain: true }
    }
}
