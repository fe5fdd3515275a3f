//! What differs between the languages, as far as the lexer must know.

use crate::shell::Language;

/// What a pair of backticks holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::code) enum Backtick {
    /// They have no meaning.
    #[default]
    Nothing,
    /// A command for the shell.
    Command,
    /// A text with values put in.
    Template,
    /// A name.
    Name,
}

/// How values are put into a quoted text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::code) enum Interpolation {
    /// Not at all.
    #[default]
    Nothing,
    /// `#{…}`.
    Hash,
    /// `${…}` in templates only.
    Template,
    /// `$name`, `${name}`, `{$name}`.
    Variables,
    /// The same, and `@name`, `@{[…]}`.
    Sigils,
    /// `$name`, `${…}`, `$(…)`, `#{…}`, `\(…)`.
    Any,
}

/// How a language writes things.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::code) struct Flavour {
    pub(in crate::code) hash_comments: bool,
    pub(in crate::code) slash_comments: bool,
    pub(in crate::code) dash_comments: bool,
    pub(in crate::code) semicolon_comments: bool,
    /// Documentation blocks that begin with `=` at the start of a line.
    pub(in crate::code) block_comments: bool,
    /// The comments of a page: `<!--` and `-->`.
    pub(in crate::code) page_comments: bool,
    /// `\u000a` is a letter wherever it stands, also in a comment.
    pub(in crate::code) escapes_everywhere: bool,
    /// `//` is an operator behind an operand.
    pub(in crate::code) slash_is_operator: bool,
    /// `/…/` is a regular expression where an operand is expected.
    pub(in crate::code) slash_patterns: bool,
    /// `q()`, `qw()`, `m//`, `s///` and the like.
    pub(in crate::code) perl_quotes: bool,
    /// `%w[]`, `%x()` and the like.
    pub(in crate::code) percent_quotes: bool,
    /// `<<EOF`.
    pub(in crate::code) heredocs: bool,
    /// `"""…"""`.
    pub(in crate::code) triple_quotes: bool,
    /// Letters before a quote: `r''`, `f''`, `b''`.
    pub(in crate::code) prefixed_quotes: bool,
    /// `r"…"`, `r#"…"#`, `b"…"`.
    pub(in crate::code) rust_quotes: bool,
    /// `[[…]]`.
    pub(in crate::code) long_brackets: bool,
    /// Single quotes know no escapes but those of the quote and the backslash.
    pub(in crate::code) plain_single_quotes: bool,
    /// `\114` is a letter by its decimal number.
    pub(in crate::code) decimal_escapes: bool,
    /// A quoted text may not run over the end of the line.
    pub(in crate::code) quotes_end_with_line: bool,
    pub(in crate::code) backtick: Backtick,
    pub(in crate::code) interpolation: Interpolation,
    /// `$x`, `@x`, `%x` are variables.
    pub(in crate::code) sigils: bool,
    /// `$/`, `$"` and the like are variables.
    pub(in crate::code) punctuation_variables: bool,
    /// `$` is a letter.
    pub(in crate::code) dollar_names: bool,
    /// `@x` is a variable.
    pub(in crate::code) at_names: bool,
    pub(in crate::code) dots_in_names: bool,
    pub(in crate::code) dashes_in_names: bool,
    /// Names may end with `!` or `?`.
    pub(in crate::code) marks_in_names: bool,
    /// `<-` assigns.
    pub(in crate::code) arrow_assigns: bool,
    /// The code stands between `<?php` and `?>`.
    pub(in crate::code) html: bool,
    /// Behind `}` a new statement begins, so that a slash there opens a pattern.
    pub(in crate::code) brace_ends_statement: bool,
    /// A function may be called without brackets: `system "ls"`.
    pub(in crate::code) bare_calls: bool,
    /// A dot puts texts together.
    pub(in crate::code) dot_joins: bool,
    /// Texts that stand side by side are one text.
    pub(in crate::code) adjacent_join: bool,
    /// The end of a line may end a statement.
    pub(in crate::code) newline_ends: bool,
    /// `:name` is a symbol.
    pub(in crate::code) symbols: bool,
    /// `'name` without a second quote is the name of a lifetime or a label.
    pub(in crate::code) lifetimes: bool,
    /// A quote right behind an operand may be a sign of its own.
    pub(in crate::code) primes: bool,
    /// Types stand before names, and braces hold the elements of arrays.
    pub(in crate::code) typed: bool,
}

impl Flavour {
    /// The flavour of a language.
    pub(in crate::code) fn of(language: Language) -> Self {
        let plain = Self { newline_ends: true, ..Self::default() };
        match language {
            Language::Python => Self {
                hash_comments: true,
                triple_quotes: true,
                prefixed_quotes: true,
                quotes_end_with_line: true,
                adjacent_join: true,
                ..plain
            },
            Language::Perl => Self {
                newline_ends: false,
                hash_comments: true,
                block_comments: true,
                slash_patterns: true,
                perl_quotes: true,
                heredocs: true,
                plain_single_quotes: true,
                backtick: Backtick::Command,
                interpolation: Interpolation::Sigils,
                sigils: true,
                punctuation_variables: true,
                brace_ends_statement: true,
                bare_calls: true,
                dot_joins: true,
                ..plain
            },
            Language::Ruby => Self {
                hash_comments: true,
                block_comments: true,
                slash_patterns: true,
                percent_quotes: true,
                heredocs: true,
                plain_single_quotes: true,
                backtick: Backtick::Command,
                interpolation: Interpolation::Hash,
                dollar_names: true,
                at_names: true,
                marks_in_names: true,
                bare_calls: true,
                adjacent_join: true,
                symbols: true,
                ..plain
            },
            Language::JavaScript => Self {
                slash_comments: true,
                page_comments: true,
                slash_patterns: true,
                quotes_end_with_line: true,
                backtick: Backtick::Template,
                interpolation: Interpolation::Template,
                dollar_names: true,
                ..plain
            },
            Language::Php => Self {
                newline_ends: false,
                hash_comments: true,
                slash_comments: true,
                heredocs: true,
                plain_single_quotes: true,
                backtick: Backtick::Command,
                interpolation: Interpolation::Variables,
                sigils: true,
                punctuation_variables: true,
                html: true,
                bare_calls: true,
                dot_joins: true,
                ..plain
            },
            Language::Lua => {
                Self { dash_comments: true, long_brackets: true, bare_calls: true, decimal_escapes: true, ..plain }
            }
            Language::Awk => Self {
                hash_comments: true,
                slash_patterns: true,
                quotes_end_with_line: true,
                brace_ends_statement: true,
                bare_calls: true,
                adjacent_join: true,
                ..plain
            },
            Language::R => Self {
                hash_comments: true,
                backtick: Backtick::Name,
                dots_in_names: true,
                arrow_assigns: true,
                ..plain
            },
            Language::Java => Self {
                slash_comments: true,
                escapes_everywhere: true,
                triple_quotes: true,
                interpolation: Interpolation::Any,
                dollar_names: true,
                bare_calls: true,
                typed: true,
                ..plain
            },
            // The preprocessor's lines are read before, in [`crate::code::compiled`].
            Language::C => Self {
                newline_ends: false,
                hash_comments: true,
                slash_comments: true,
                adjacent_join: true,
                typed: true,
                ..plain
            },
            Language::Go => Self { slash_comments: true, backtick: Backtick::Template, typed: true, ..plain },
            Language::Rust => Self {
                newline_ends: false,
                slash_comments: true,
                rust_quotes: true,
                lifetimes: true,
                typed: true,
                ..plain
            },
            Language::AppleScript => Self { dash_comments: true, ..plain },
            _ => Self {
                hash_comments: true,
                slash_comments: true,
                slash_is_operator: true,
                triple_quotes: true,
                backtick: Backtick::Command,
                interpolation: Interpolation::Any,
                at_names: true,
                dashes_in_names: true,
                marks_in_names: true,
                bare_calls: true,
                adjacent_join: true,
                symbols: true,
                primes: true,
                ..plain
            },
        }
    }
}

/// Whether an operand follows this word, although it looks like one itself.
pub(super) fn precedes_expression(name: &str) -> bool {
    matches!(
        name,
        "return"
            | "typeof"
            | "case"
            | "in"
            | "of"
            | "delete"
            | "void"
            | "throw"
            | "new"
            | "else"
            | "do"
            | "and"
            | "or"
            | "not"
            | "if"
            | "unless"
            | "while"
            | "until"
            | "elsif"
            | "when"
            | "print"
            | "local"
            | "puts"
            | "split"
            | "grep"
            | "map"
            | "join"
            | "x"
            | "await"
            | "yield"
            | "instanceof"
            | "p"
            | "say"
            | "push"
            | "unshift"
            | "eq"
            | "ne"
            | "lt"
            | "gt"
            | "cmp"
            | "echo"
            | "END"
            | "BEGIN"
            | "then"
    )
}
