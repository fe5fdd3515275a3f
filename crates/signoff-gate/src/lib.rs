//! The one service every door calls. This crate knows no wire format, opens no database and asks no clock: time,
//! randomness and what is stored come in as values.
//!
//! [`step`] is the life of an approval as a function; whoever keeps approvals calls it inside of a transaction, with the
//! clock of the store, and keeps what comes out. So there is one winner however many answer at once. [`Gate`] is the same for
//! doors and channels: it hands out permits, and lets requesters wait.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod answering;
mod asking_again;
mod attending;
mod batching;
mod deciding;
mod delegating;
mod deviating;
mod eyes;
mod grants;
pub mod judging;
mod life;
mod local_time;
mod marking;
mod mint;
mod places;
pub mod record;
pub mod redaction;
mod redeeming;
mod sealing;
mod service;
mod shelves;
mod standing;
mod store;
mod suggesting;
mod trusting;
mod under_way;
mod waiting;

pub use answering::TRIES;
pub use asking_again::Changed;
pub use attending::ATTENDS_FOR;
pub use batching::{Batch, Member, TOGETHER_AT_MOST, ToAll};
pub use deciding::{Decided, STEPS_AT_MOST, Spared, Wish};
pub use delegating::{DelegationRefusal, delegations_ending_with};
pub use deviating::differing_losses;
pub use eyes::{Asking, Eyes, LocalEyes, Looking, Seen, Sighting, Sought, Unseen, owner_decides_alone};
pub use grants::{FromQuestion, GrantRefusal, NewGrant, NewReach, Wanted as WantedReach, ending_with};
pub use life::{Done, Event, REPORT_WITHIN, Refusal, Step, next_deadline, reminds_at, step};
pub use mint::{Mint, NoRandomness, SystemMint};
pub use places::{Mode, Places};
pub use service::{Gate, GateError, Outcome, Request};
pub use standing::{Order, PAUSE_AT_MOST, Reach, Standing, pause_ending_with};
pub use store::{Asked, Change, Happened, Item, NewApproval, Reply, Store, StoreError, Subject, Ticked, Wanted, Work};
pub use suggesting::{Suggestion, suggestions};
pub use trusting::{Scores, Trusted, Trusting};
pub use under_way::{Crowd, UnderWay};
