//! Signed statements about the ledger, which are kept beside it: who writes the ledger anew cannot make them.

use signoff_gate::{Change, Store, StoreError};
use signoff_model::Digest;
use signoff_permit::{Checkpoint, CheckpointError, IssuerKey};

use crate::{
    beginning::Begins,
    chain::{Broken, verify},
    pruning::LedgerError,
};

/// The shelf on which checkpoints are kept, by the numbers of their entries with twenty digits, so that they sort.
pub const CHECKPOINTS: &str = "checkpoints";

/// The shelf with the one that was made last.
const LATEST_SHELF: &str = "checkpoint";
const LATEST: &str = "latest";

/// So many more entries, and it is time for another one.
const EVERY: u64 = 1_000;

/// So many entries are read at a time.
const PAGE: u32 = 500;

/// So often another node may have been faster.
const TRIES: usize = 8;

/// What a checkpoint is called on its shelf.
pub(crate) fn name_of(number: u64) -> String {
    format!("{number:020}")
}

/// Makes a checkpoint if the ledger has grown by a thousand entries since the last one.
pub async fn checkpoint(store: &dyn Store, key: &IssuerKey) -> Result<Option<Checkpoint>, LedgerError> {
    made(store, key, EVERY).await
}

/// Makes a checkpoint if the ledger has grown by so many entries since the last one, or by any at all where that is none.
pub async fn checkpoint_after(
    store: &dyn Store,
    key: &IssuerKey,
    grown: u64,
) -> Result<Option<Checkpoint>, LedgerError> {
    made(store, key, grown.max(1)).await
}

/// Makes a checkpoint of the ledger as it is now, or finds the one that is there already. None where there is no entry.
pub async fn checkpoint_now(store: &dyn Store, key: &IssuerKey) -> Result<Option<Checkpoint>, LedgerError> {
    match made(store, key, 1).await? {
        Some(made) => Ok(Some(made)),
        None => Ok(latest(store, key).await?.1),
    }
}

/// Makes a checkpoint if there are so many entries behind the last one. They are read and checked before anything is said.
async fn made(store: &dyn Store, key: &IssuerKey, grown: u64) -> Result<Option<Checkpoint>, LedgerError> {
    for _ in 0..TRIES {
        let (seen, last) = latest(store, key).await?;
        let begins = Begins::of(store, &key.verifier()).await?;
        let last = last.map(|last| (last.number, Digest::from_bytes(last.digest)));
        let (number, digest) = match grown_to(store, last, begins.behind, grown).await {
            Ok(Some(end)) => end,
            Ok(None) => return Ok(None),
            Err(error) => {
                begins.still(store, error).await?;
                continue;
            }
        };
        let made = Checkpoint { number, digest: *digest.as_bytes(), at: store.now().await?.millis() };
        let (name, text) = (name_of(number), made.sign(key));
        // One of an earlier key may be there.
        let before = store.item(CHECKPOINTS, &name).await?;
        let kept = Change { shelf: CHECKPOINTS, name, from: before, to: Some(text.clone()), deed: None };
        let as_latest = Change { shelf: LATEST_SHELF, name: LATEST.to_owned(), from: seen, to: Some(text), deed: None };
        if store.change(vec![kept, as_latest]).await? {
            return Ok(Some(made));
        }
        // Another node was faster.
    }
    Ok(None)
}

/// The end of the ledger, if there are so many entries behind the last checkpoint and all of them follow on it.
async fn grown_to(
    store: &dyn Store,
    last: Option<(u64, Digest)>,
    begins: Option<(u64, Digest)>,
    grown: u64,
) -> Result<Option<(u64, Digest)>, LedgerError> {
    // Where everything up to the last one was removed, its entry is gone, and the beginning says the same.
    if let Some(last) = last.filter(|last| begins != Some(*last)) {
        stands(store, last).await?;
    }
    let start = last.or(begins);
    let known = start.map_or(0, |(number, _)| number);
    if store.ledger(known.saturating_add(grown - 1), 1).await?.is_empty() {
        return Ok(None);
    }
    end(store, start).await
}

/// The checkpoint that was made last, as it is kept and as it is read. One of an earlier key says nothing: the ledger is checked
/// from its beginning then.
async fn latest(store: &dyn Store, key: &IssuerKey) -> Result<(Option<String>, Option<Checkpoint>), LedgerError> {
    let Some(text) = store.item(LATEST_SHELF, LATEST).await? else { return Ok((None, None)) };
    match key.verifier().checkpoint(&text) {
        Ok(checkpoint) => Ok((Some(text), Some(checkpoint))),
        Err(CheckpointError::OtherKey) => Ok((Some(text), None)),
        Err(error) => Err(StoreError::Damaged(format!("the latest checkpoint: {error}")).into()),
    }
}

/// The checkpoint that was made last, whosever it is.
pub(crate) async fn last_signed(store: &dyn Store) -> Result<Option<String>, StoreError> {
    store.item(LATEST_SHELF, LATEST).await
}

/// Whether an entry is still what the gate has signed.
async fn stands(store: &dyn Store, (number, digest): (u64, Digest)) -> Result<(), LedgerError> {
    let found = store.ledger(number.saturating_sub(1), 1).await?;
    match found.first() {
        Some(entry) if entry.number == number && entry.digest == digest => Ok(()),
        _ => Err(Broken::Checkpoint { number }.into()),
    }
}

/// The end of the ledger, if everything from a start on follows on each other.
async fn end(store: &dyn Store, start: Option<(u64, Digest)>) -> Result<Option<(u64, Digest)>, LedgerError> {
    let mut head = start;
    loop {
        let entries = store.ledger(head.map_or(0, |(number, _)| number), PAGE).await?;
        head = verify(head, &entries)?;
        // Whoever writes meanwhile is not run after.
        if entries.len() < usize::try_from(PAGE).unwrap_or(usize::MAX) {
            return Ok(head);
        }
    }
}
