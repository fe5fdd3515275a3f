//! What an operation would really do.
//!
//! The way in is an [`signoff_model::Operation`], the way out an [`signoff_model::Assessment`]. Nothing here decides
//! whether that may happen, and nothing here touches the file system: what the world looks like comes in as
//! [`facts::Facts`].

pub mod code;
pub mod disguise;
pub mod facts;
pub mod findings;
pub mod path_effects;
pub mod place;
pub mod project;
pub mod rule;
pub mod shell;
#[cfg(test)]
mod testing;
pub mod value;

use facts::{Facts, Whereabouts};
use signoff_model::{Assessment, Operation};

/// Reads an operation and says what it would do.
pub fn assess(_operation: &Operation, _whereabouts: &Whereabouts, _facts: &dyn Facts) -> Assessment {
    Assessment::default()
}
