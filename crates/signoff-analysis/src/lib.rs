//! What an operation would really do.
//!
//! The way in is an [`signoff_model::Operation`], the way out an [`signoff_model::Assessment`]. Nothing here decides
//! whether that may happen, and nothing here touches the file system: what the world looks like comes in as
//! [`facts::Facts`].

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod code;
pub mod deception;
pub mod disguise;
pub mod facts;
pub mod file;
pub mod findings;
mod inflate;
pub mod intent;
mod lexicon;
pub mod path_effects;
pub mod place;
pub mod project;
pub mod rule;
pub mod screen;
pub mod shell;
pub mod sql;
pub mod stars;
#[cfg(test)]
mod testing;
pub mod tool;
pub mod value;
mod weighing;
mod words;

use facts::{Facts, Whereabouts};
use findings::Findings;
use signoff_model::{Assessment, Invocation, Operation};

/// Reads an operation and says what it would do.
pub fn assess(operation: &Operation, whereabouts: &Whereabouts, facts: &dyn Facts) -> Assessment {
    let mut findings = Findings::default();
    deception::look(&operation.text(), &mut findings);
    match operation {
        Operation::Shell(command) => shell::assess(command, whereabouts, facts, findings),
        Operation::File(operation) => file::assess(operation, whereabouts, facts, findings),
        Operation::Tool(call) => tool::assess(call, whereabouts, facts, findings),
    }
}

/// Every command of an operation, at any depth, for rules that people write about commands.
///
/// What cannot be read is one command of unknown words: it is covered by no permission, and may be what a rule forbids.
pub fn invocations(operation: &Operation) -> Vec<Invocation> {
    shell::invocations::of(operation)
}
