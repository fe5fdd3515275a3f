//! Runs a command in a process group of its own, and never waits for longer than it was told to.

mod capture;
mod command;
mod group;
mod streams;
mod supervise;
mod terminal;

#[cfg(test)]
mod tests;

pub use capture::Captured;
pub use command::{
    Cancel, Command, Ending, Environment, ExecutionResult, Limits, Program, RunError, RunErrorKind, Sinks, Stdin,
};
pub use supervise::run;
