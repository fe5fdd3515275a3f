//! Shell commands: the parser, the reading of its tree, and what each family of commands does.

mod arrivals;
#[cfg(test)]
mod bash_oracle;
mod between;
mod branches;
mod builtins;
mod call;
mod carriers;
mod chain;
#[cfg(test)]
mod chain_tests;
mod contents;
mod declarations;
mod directories;
mod endings;
pub mod endless;
#[cfg(test)]
mod evaluation_tests;
pub mod expand;
pub mod families;
mod fetched;
mod foreign;
mod functions;
pub mod hiding;
mod invocation_words;
pub(crate) mod invocations;
mod loops;
pub mod machine;
mod manifests;
mod moved;
mod names_only;
pub mod options;
pub mod overwritten;
mod picks;
mod places;
pub mod planted;
mod presence;
mod quoting;
mod reading;
mod remembered;
mod renaming;
pub mod rules;
mod run;
mod scopes;
mod scripts;
mod searched;
mod shared;
mod shown;
mod sieves;
mod stakes;
mod standing;
#[cfg(test)]
mod state_tests;
mod streams;
pub mod subcommands;
pub mod syntax;
mod table;
mod trade;
mod traps;
mod ungated;
mod variables;
mod walk;
mod workshops;
mod written;
mod yaml;
mod zsh;

pub use arrivals::{Contents, Manner, Packed, Wanted};
pub use call::Call;
pub use chain::Made;
pub use contents::Variable;
pub use families::wrappers::carries_code;
pub(crate) use fetched::is_bare_address;
pub use machine::{Judge, Locus, Mount, Shell};
pub use places::Displaced;
use places::is_from_accounts;
pub use quoting::{quote, text_of_words};
pub use run::Language;
pub use written::Written;

use signoff_model::{Assessment, ShellCommand, Span};

use crate::{
    facts::{Facts, Whereabouts},
    findings::Findings,
    value::Feed,
};

/// Whether a text may ask for the last argument of the command before: as `$_`, or as `_` where arithmetic evaluates it.
fn names_last(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_name = |at: Option<usize>| {
        let byte = at.and_then(|at| bytes.get(at));
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii())
    };
    let alone = |at: usize| !is_name(at.checked_sub(1)) && !is_name(at.checked_add(1));
    names(text, "$_") || names(text, "${_") || text.contains('[') && memchr::memchr_iter(b'_', bytes).any(alone)
}

/// Whether something stands in a text, for one that is as long as the whole input.
fn names(text: &str, wanted: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), wanted.as_bytes()).is_some()
}

/// Reads a shell command and says what it would do, on top of what was found before.
pub fn assess(command: &ShellCommand, whereabouts: &Whereabouts, facts: &dyn Facts, findings: Findings) -> Assessment {
    let arena = syntax::Arena::new();
    let script = syntax::parse(&command.command, command.dialect, &syntax::Limits::default(), &arena);
    let script = names_only::simplify(script, &arena);
    let whole = Span { start: 0, end: command.command.len() };
    let mut shell = Shell::new(whereabouts, facts, command.dialect, &arena);
    shell.findings = findings;
    shell.source = &command.command;
    shell.comments = script.comments;
    shell.follows_last = names_last(&command.command);
    shell.other_patterns = stakes::names_other_patterns(&command.command);
    shell.may_be_posix = names_posix(&command.command);
    shell.read_as_windows_does(&command.command, whole);
    shell.walk(&script, Feed::none());
    shell.spring_traps(0);
    shell.read_plants(whole);
    shell.check_endless(&script, whole);
    shell.check_hiding(whole);
    shell.check_gate();
    shell.note_rewrites();
    shell.findings.finish()
}

/// Whether a text names the mode in which bash keeps to the standard.
fn names_posix(text: &str) -> bool {
    names(text, "posix") || names(text, "POSIX")
}
