//! What the gate keeps: approvals and the ledger. This crate contains no policy; what an event makes of an approval is said by
//! [`signoff_gate::step`], which a store calls while nobody else can change that approval.
//!
//! [`Sqlite`] is the embedded default: one file, no service.

mod chain;
mod sqlite;
mod wire;

pub use chain::{Broken, verify};
pub use sqlite::{Clock, Sqlite};
