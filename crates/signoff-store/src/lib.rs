//! What the gate keeps: approvals and the ledger. This crate contains no policy; what an event makes of an approval is said by
//! [`signoff_gate::step`], which a store calls while nobody else can change that approval.
//!
//! [`Sqlite`] is the embedded default: one file, no service. [`Postgres`] is for any number of nodes that share a database.

mod beginning;
mod chain;
mod checkpoint;
mod export;
mod items;
mod owning;
mod pages;
mod postgres;
mod pruning;
mod recent;
mod spool;
mod sqlite;
mod stats;
mod story;
mod wire;
mod work;

use std::time::{SystemTime, UNIX_EPOCH};

use signoff_model::Timestamp;

pub use beginning::beginning;
pub use chain::{Broken, verify};
pub use checkpoint::{CHECKPOINTS, checkpoint, checkpoint_after, checkpoint_now};
pub use export::{Export, Flaw, Flawed, Verified, Verifier, verify_export};
pub use owning::{NotOwned, own, take_over};
pub use pages::{Pages, length};
pub use postgres::{Postgres, Timekeeper};
pub use pruning::{LedgerError, Prunable, Pruned, prune};
pub use spool::{Spooled, spool, take_in};
pub use sqlite::{Clock, Sqlite};
pub use stats::{Counts, Stats, stats};
pub use story::Impossible;
pub use wire::{Doer, Told, told};

/// The clock of this machine, for a store that nobody else shares.
pub fn system_clock() -> Clock {
    std::sync::Arc::new(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        Timestamp::from_millis(i64::try_from(since).unwrap_or(i64::MAX))
    })
}

/// No list is longer, whatever is wanted.
const LISTED_AT_MOST: u32 = 1_000;

/// An answer that is no.
fn refused<T: Send + 'static>(error: signoff_gate::StoreError) -> signoff_gate::Reply<'static, T> {
    Box::pin(std::future::ready(Err(error)))
}
