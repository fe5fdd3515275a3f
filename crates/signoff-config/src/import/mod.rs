//! Rules made from the settings of other programs. What comes out is text for the user to read and keep, and a list of
//! what could not be carried over: nothing is dropped silently.

mod claude;
mod entries;

pub use claude::claude;

use crate::fault::Words;

/// What an import made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Rules as a configuration file writes them.
    pub toml: String,
    /// How many entries became rules.
    pub carried: usize,
    /// What could not be carried over.
    pub left_out: Vec<LeftOut>,
}

/// An entry that could not be carried over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The list or key that it stands in.
    pub list: String,
    /// The entry as it is written there.
    pub entry: String,
    /// Why it could not be carried over.
    pub reason: Words,
}

/// The text is not the settings of that program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .message.english)]
pub struct NotSettings {
    /// What is wrong.
    pub message: Words,
    /// What to do about it.
    pub hint: Words,
}
