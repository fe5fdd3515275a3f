//! Shell commands: the parser, the reading of its tree, and what each family of commands does.

mod builtins;
mod carriers;
pub mod expand;
pub mod families;
mod fetched;
pub mod machine;
pub mod options;
mod picks;
mod redirect;
pub mod rules;
mod run;
pub mod subcommands;
pub mod syntax;
mod table;
mod variables;
mod walk;

pub use machine::{Call, Judge, Locus, Mount, Shell, Variable, Written};
pub use run::Language;

use signoff_model::{Assessment, ShellCommand};

use crate::{
    facts::{Facts, Whereabouts},
    findings::Findings,
    value::Feed,
};

/// Reads a shell command and says what it would do, on top of what was found before.
pub fn assess(command: &ShellCommand, whereabouts: &Whereabouts, facts: &dyn Facts, findings: Findings) -> Assessment {
    let script = syntax::parse(&command.command, command.dialect, &syntax::Limits::default());
    let mut shell = Shell::new(whereabouts, facts, command.dialect);
    shell.findings = findings;
    shell.walk(&script, Feed::none());
    shell.spring_traps();
    shell.findings.finish()
}
