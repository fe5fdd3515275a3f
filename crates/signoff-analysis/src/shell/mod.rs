//! Shell commands: the parser, the reading of its tree, and what each family of commands does.

pub mod families;
pub mod machine;
pub mod options;
pub mod rules;
mod run;
pub mod subcommands;
pub mod syntax;

pub use machine::{Call, Judge, Locus, Shell, Variable, Written};
pub use run::Language;
