//! Shell commands: the parser, the reading of its tree, and what each family of commands does.

#[cfg(test)]
mod bash_oracle;
mod branches;
mod builtins;
mod call;
mod carriers;
pub mod endless;
pub mod expand;
pub mod families;
mod fetched;
mod foreign;
mod loops;
pub mod machine;
mod names_only;
pub mod options;
mod picks;
mod places;
pub mod planted;
pub mod rules;
mod run;
#[cfg(test)]
mod state_tests;
mod streams;
pub mod subcommands;
pub mod syntax;
mod table;
mod variables;
mod walk;
mod written;

pub use call::Call;
pub use machine::{Judge, Locus, Mount, Shell, Variable};
pub use run::Language;
pub use written::Written;

use signoff_model::{Assessment, ShellCommand, Span};

use crate::{
    facts::{Facts, Whereabouts},
    findings::Findings,
    value::Feed,
};

/// Reads a shell command and says what it would do, on top of what was found before.
pub fn assess(command: &ShellCommand, whereabouts: &Whereabouts, facts: &dyn Facts, findings: Findings) -> Assessment {
    let mut script = syntax::parse(&command.command, command.dialect, &syntax::Limits::default());
    names_only::simplify(&mut script);
    let whole = Span { start: 0, end: command.command.len() };
    let mut shell = Shell::new(whereabouts, facts, command.dialect);
    shell.findings = findings;
    shell.read_as_windows_does(&command.command, whole);
    shell.walk(&script, Feed::none());
    shell.spring_traps();
    shell.read_plants(whole);
    shell.check_endless(&script, whole);
    families::windows::check_traces(&mut shell, whole);
    shell.findings.finish()
}
