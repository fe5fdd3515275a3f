//! Old entries of the ledger, and how they go: first the ledger begins later, by the gate's signature and with an entry that says
//! so, in one change; then what is before that is swept away, piece by piece. Whoever is killed in between has lost nothing, and
//! the next one goes on.

use std::time::Duration;

use signoff_gate::{Change, Store, StoreError};
use signoff_model::{Actor, Deed, Digest, Timestamp};
use signoff_permit::{Checkpoint, CheckpointError, IssuerKey, VerifierKey};

use crate::{
    beginning::Begins,
    chain::{Broken, verify},
    checkpoint::{CHECKPOINTS, name_of},
    pages::length,
    story::Story,
};

/// So many entries are read or removed at a time: nobody else waits for longer than that takes.
const PAGE: u32 = 500;

/// So often another node may have been faster.
const TRIES: usize = 8;

/// Why nothing was said of a ledger.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is not what was written, and so it is neither signed nor shortened.
    #[error("the ledger is not what was written: {0}")]
    Broken(#[from] Broken),
}

/// What was removed from a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pruned {
    /// The number of the first entry that is gone.
    pub from: u64,
    /// The last one, as the gate has signed it, and when that was.
    pub up_to: Checkpoint,
}

/// Which entries may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prunable {
    /// Those that are older than this.
    pub older_than: Duration,
    /// No more of them than have to, so that so many are left at most. None where all of them may go.
    pub at_most: Option<u64>,
}

impl From<Duration> for Prunable {
    fn from(older_than: Duration) -> Self {
        Self { older_than, at_most: None }
    }
}

/// Removes what may go, up to a checkpoint and before anything about an approval that is open. None where there is nothing to
/// remove.
pub async fn prune(
    store: &dyn Store,
    key: &IssuerKey,
    prunable: impl Into<Prunable>,
    by: &Actor,
) -> Result<Option<Pruned>, LedgerError> {
    let prunable = prunable.into();
    for _ in 0..TRIES {
        let begins = Begins::of(store, &key.verifier()).await?;
        // Somebody may have been killed before.
        sweep(store, begins.number()).await?;
        let now = store.now().await?;
        let last = match last_to_go(store, &key.verifier(), &begins, now, prunable).await {
            Ok(Some(last)) => last,
            Ok(None) => return Ok(None),
            Err(error) => {
                begins.still(store, error).await?;
                continue;
            }
        };
        let up_to = Checkpoint { at: now.millis(), ..last };
        let from = begins.number().saturating_add(1);
        let deed = told(from, &up_to, prunable, by.clone());
        if store.change(vec![begins.moved(up_to.number, &up_to.sign_as_beginning(key), deed)]).await? {
            sweep(store, up_to.number).await?;
            return Ok(Some(Pruned { from, up_to }));
        }
        // Another node was faster.
    }
    Ok(None)
}

/// What the ledger says of it, and nobody can take out again.
fn told(from: u64, up_to: &Checkpoint, Prunable { older_than, at_most }: Prunable, by: Actor) -> Deed {
    let mut details = vec![
        ("from", from.to_string()),
        ("to", up_to.number.to_string()),
        ("digest", Digest::from_bytes(up_to.digest).to_string()),
        ("older-than", format!("{}s", older_than.as_secs())),
    ];
    details.extend(at_most.map(|at_most| ("at-most", at_most.to_string())));
    Deed { what: PRUNED, by, approval: None, details }
}

/// What the entry is called that tells of a removal.
pub(crate) const PRUNED: &str = "pruned";

/// The last checkpoint whose entry, and by that all before it, may go, once all of that is what was written: what is broken stays as
/// it is, as evidence.
async fn last_to_go(
    store: &dyn Store,
    key: &VerifierKey,
    begins: &Begins,
    now: Timestamp,
    prunable: Prunable,
) -> Result<Option<Checkpoint>, LedgerError> {
    let last = last_of_age(store, key, begins, now, prunable).await?;
    if let Some(last) = &last {
        follow(store, begins.behind, last).await?;
    }
    Ok(last)
}

/// The last checkpoint whose entry is old enough and before anything that is open, or the first of these that is enough.
async fn last_of_age(
    store: &dyn Store,
    key: &VerifierKey,
    begins: &Begins,
    now: Timestamp,
    prunable: Prunable,
) -> Result<Option<Checkpoint>, LedgerError> {
    let Prunable { older_than, at_most } = prunable;
    // What has to go at least, where no more than that may.
    let enough = match at_most {
        None => u64::MAX,
        Some(at_most) => length(store).await?.saturating_sub(at_most),
    };
    let oldest_kept = now.millis().saturating_sub(i64::try_from(older_than.as_millis()).unwrap_or(i64::MAX));
    let open = store.first_open().await?.unwrap_or(u64::MAX);
    let mut after = name_of(begins.number());
    let mut found = None;
    if enough <= begins.number() {
        return Ok(None);
    }
    loop {
        let page = store.items(CHECKPOINTS, Some(&after), PAGE).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after.clone_from(&last.name);
        for item in page {
            let checkpoint = match key.checkpoint(&item.text) {
                Ok(checkpoint) => checkpoint,
                // There are later ones of this key, or will be.
                Err(CheckpointError::OtherKey) => continue,
                Err(error) => return Err(StoreError::Damaged(format!("checkpoint {}: {error}", item.name)).into()),
            };
            let entry = store.ledger(checkpoint.number.saturating_sub(1), 1).await?;
            let Some(entry) = entry.first().filter(|entry| entry.number == checkpoint.number) else {
                return Err(Broken::Checkpoint { number: checkpoint.number }.into());
            };
            if entry.at.millis() >= oldest_kept || checkpoint.number >= open {
                return Ok(found);
            }
            found = Some(checkpoint);
            if checkpoint.number >= enough {
                return Ok(found);
            }
        }
    }
}

/// Whether everything from a start up to a checkpoint is what was written.
async fn follow(store: &dyn Store, start: Option<(u64, Digest)>, last: &Checkpoint) -> Result<(), LedgerError> {
    let end = (last.number, Digest::from_bytes(last.digest));
    let mut head = start;
    let mut story = Story::new();
    if start.is_some() {
        story.goes_on_behind_a_beginning();
    }
    while head.is_none_or(|(number, _)| number < last.number) {
        let mut entries = store.ledger(head.map_or(0, |(number, _)| number), PAGE).await?;
        entries.retain(|entry| entry.number <= last.number);
        if entries.is_empty() {
            break;
        }
        head = verify(head, &entries)?;
        entries.iter().try_for_each(|entry| story.entry(entry))?;
    }
    if head == Some(end) { Ok(()) } else { Err(Broken::Checkpoint { number: last.number }.into()) }
}

/// Takes away what is before the beginning of the ledger: entries, and the checkpoints that are about them.
async fn sweep(store: &dyn Store, up_to: u64) -> Result<(), LedgerError> {
    while up_to > 0 && store.sweep(up_to, PAGE).await? > 0 {}
    loop {
        let page = store.items(CHECKPOINTS, None, PAGE).await?;
        let gone = page.into_iter().take_while(|item| item.name.parse().is_ok_and(|number: u64| number < up_to));
        let gone: Vec<Change> = gone
            .map(|item| Change { shelf: CHECKPOINTS, name: item.name, from: Some(item.text), to: None, deed: None })
            .collect();
        // What is something else by now was taken away by another node.
        if gone.is_empty() || !store.change(gone).await? {
            return Ok(());
        }
    }
}
