//! What an operation would really do.
//!
//! The way in is an [`signoff_model::Operation`], the way out an [`signoff_model::Assessment`]. Nothing here decides
//! whether that may happen, and nothing here touches the file system: what the world looks like comes in as
//! [`facts::Facts`].

pub mod facts;
pub mod rule;
pub mod shell;

use facts::{Facts, Whereabouts};
use signoff_model::{Assessment, Operation};

/// Reads an operation and says what it would do.
pub fn assess(_operation: &Operation, _whereabouts: &Whereabouts, _facts: &dyn Facts) -> Assessment {
    Assessment::default()
}
