//! A ledger that is read page by page: out of a store, or over a wire.

use std::future::Future;

use signoff_gate::{Item, Store, StoreError};
use signoff_model::LedgerEntry;

use crate::{beginning::beginning, checkpoint::CHECKPOINTS};

/// Whatever a ledger can be read from.
pub trait Pages {
    /// Why it cannot be read.
    type Error;

    /// The signed beginning, by the number of the last entry that was removed, with twenty digits. None where nothing was.
    fn beginning(&self) -> impl Future<Output = Result<Option<Item>, Self::Error>> + Send;

    /// The entries behind one, so many at most. Fewer of them than there are is no end.
    fn entries(&self, after: u64, at_most: u32) -> impl Future<Output = Result<Vec<LedgerEntry>, Self::Error>> + Send;

    /// The signed checkpoints by the numbers of their entries, with twenty digits, behind one, so many at most.
    fn checkpoints(
        &self,
        after: Option<&str>,
        at_most: u32,
    ) -> impl Future<Output = Result<Vec<Item>, Self::Error>> + Send;
}

impl<S: Store + ?Sized> Pages for S {
    type Error = StoreError;

    fn beginning(&self) -> impl Future<Output = Result<Option<Item>, StoreError>> + Send {
        beginning(self)
    }

    fn entries(&self, after: u64, at_most: u32) -> impl Future<Output = Result<Vec<LedgerEntry>, StoreError>> + Send {
        self.ledger(after, at_most)
    }

    fn checkpoints(
        &self,
        after: Option<&str>,
        at_most: u32,
    ) -> impl Future<Output = Result<Vec<Item>, StoreError>> + Send {
        self.items(CHECKPOINTS, after, at_most)
    }
}

/// How many entries a ledger has had: the number of its last one.
pub async fn length(store: &dyn Store) -> Result<u64, StoreError> {
    // Nobody waits for the first one.
    if store.ledger(0, 1).await?.is_empty() { Ok(0) } else { store.news(0).await }
}
