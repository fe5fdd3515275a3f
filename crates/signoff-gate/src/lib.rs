//! The one service every door calls. This crate knows no wire format, opens no database and asks no clock: time,
//! randomness and what is stored come in as values.
//!
//! [`step`] is the life of an approval as a function; whoever keeps approvals calls it inside of a transaction, with the
//! clock of the store, and keeps what comes out. So there is one winner however many answer at once. [`Gate`] is the same for
//! doors and channels: it hands out permits, and lets requesters wait.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod answering;
mod deciding;
mod eyes;
mod grants;
pub mod judging;
mod life;
mod mint;
mod places;
pub mod record;
pub mod redaction;
mod redeeming;
mod service;
mod store;
mod suggesting;

pub use answering::TRIES;
pub use deciding::{Decided, Wish};
pub use eyes::{Asking, Eyes, LocalEyes, Seen, Sighting, Sought, Unseen};
pub use grants::{FromQuestion, GrantRefusal, NewGrant, NewReach, Wanted as WantedReach, ending_with};
pub use life::{Done, Event, REPORT_WITHIN, Refusal, Step, next_deadline, step};
pub use mint::{Mint, NoRandomness, SystemMint};
pub use places::Places;
pub use service::{Gate, GateError, Outcome, Request};
pub use store::{Asked, Change, Happened, Item, NewApproval, Reply, Store, StoreError, Ticked, Wanted};
pub use suggesting::{Suggestion, suggestions};
