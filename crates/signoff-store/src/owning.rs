//! Whose store this is. A gate signs and marks with its key what it keeps; a node with another key on the same store would take none of
//! that for its own, and leave a ledger that nobody can verify. So the store knows the key, and whoever comes with another one is
//! turned away before anything is written.

use signoff_gate::{Change, Store, StoreError};
use signoff_model::{Actor, Deed};
use signoff_permit::{CheckpointError, VerifierKey};

use crate::checkpoint;

const SHELF: &str = "gate";
const NAME: &str = "key";

/// So often another node may have been faster.
const TRIES: usize = 8;

/// Why a gate has nothing to do with a store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotOwned {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is that of a gate with another key.
    #[error("the store belongs to a gate with another key{}", .kept.as_deref().map(|key| format!(": {key}")).unwrap_or_default())]
    OtherKey {
        /// Which, where that is known.
        kept: Option<String>,
    },
}

/// Makes sure that a store is that of the gate with this key. One that belongs to nobody yet is from now on; of several nodes that
/// begin at once, one is first.
pub async fn own(store: &dyn Store, key: &VerifierKey) -> Result<(), NotOwned> {
    let own = key.to_string();
    for _ in 0..TRIES {
        match store.item(SHELF, NAME).await? {
            Some(kept) if kept == own => return Ok(()),
            Some(kept) => return Err(NotOwned::OtherKey { kept: Some(kept) }),
            None => {
                // Earlier versions have kept no key, and signed checkpoints with it.
                let signed = checkpoint::last_signed(store).await?;
                if signed.is_some_and(|text| key.checkpoint(&text) == Err(CheckpointError::OtherKey)) {
                    return Err(NotOwned::OtherKey { kept: None });
                }
                store.change(vec![change(None, own.clone(), None)]).await?;
            }
        }
    }
    Err(StoreError::Unavailable("others change the key of the store all the time".to_owned()).into())
}

/// Gives a store to the gate with this key, whosever it was, and says so in the ledger. Whatever the one before has said yes to, and
/// nobody has used, is none of this one's.
pub async fn take_over(store: &dyn Store, key: &VerifierKey, by: &Actor) -> Result<(), NotOwned> {
    let own = key.to_string();
    for _ in 0..TRIES {
        let kept = store.item(SHELF, NAME).await?;
        if kept.as_ref() == Some(&own) {
            return Ok(());
        }
        let mut details = vec![("to", own.clone())];
        details.extend(kept.clone().map(|kept| ("from", kept)));
        let deed = Deed { what: "key-changed", by: by.clone(), approval: None, details };
        if store.change(vec![change(kept, own.clone(), Some(deed))]).await? {
            return Ok(());
        }
    }
    Err(StoreError::Unavailable("others change the key of the store all the time".to_owned()).into())
}

fn change(from: Option<String>, to: String, deed: Option<Deed>) -> Change {
    Change { shelf: SHELF, name: NAME.to_owned(), from, to: Some(to), deed }
}
