//! Where the ledger begins, once the gate has removed old entries: behind a place that it has signed. Whoever cuts a ledger off
//! without the key cannot say so.

use signoff_gate::{Change, Item, Store, StoreError};
use signoff_model::{Deed, Digest};
use signoff_permit::{CheckpointError, VerifierKey};

use crate::{checkpoint::name_of, pruning::LedgerError};

const SHELF: &str = "beginning";
const NAME: &str = "ledger";

/// The signed beginning of a ledger, by the number of the last entry that was removed, with twenty digits. None where it begins
/// with its first entry.
pub async fn beginning<S: Store + ?Sized>(store: &S) -> Result<Option<Item>, StoreError> {
    let kept = store.item(SHELF, NAME).await?;
    kept.as_deref().map(read).transpose()
}

/// What is kept says the number first, for whoever only wants to know where to begin to read.
fn read(text: &str) -> Result<Item, StoreError> {
    let parts = text.split_once(' ').filter(|(number, _)| number.parse::<u64>().is_ok());
    let (number, signed) = parts.ok_or_else(|| damaged("it is not what was written"))?;
    Ok(Item { name: number.to_owned(), text: signed.to_owned() })
}

fn written(number: u64, signed: &str) -> String {
    format!("{} {signed}", name_of(number))
}

fn damaged(why: impl std::fmt::Display) -> StoreError {
    StoreError::Damaged(format!("the beginning of the ledger: {why}"))
}

/// Where a ledger begins, for whoever has the key.
pub(crate) struct Begins {
    /// What is kept, to be changed from.
    seen: Option<Item>,
    /// What its first entry follows on. None for a ledger from its first entry on.
    pub(crate) behind: Option<(u64, Digest)>,
}

impl Begins {
    pub(crate) async fn of(store: &dyn Store, key: &VerifierKey) -> Result<Self, LedgerError> {
        let Some(item) = beginning(store).await? else { return Ok(Self { seen: None, behind: None }) };
        let behind = match key.beginning(&item.text) {
            Ok(place) => Some((place.number, Digest::from_bytes(place.digest))),
            // An earlier key has signed it, which is for whoever verifies to judge. What is there now is what counts here.
            Err(CheckpointError::OtherKey) => {
                let first = store.ledger(item.name.parse().unwrap_or_default(), 1).await?;
                first.first().map(|entry| (entry.number, entry.digest))
            }
            Err(error) => return Err(damaged(error).into()),
        };
        Ok(Self { seen: Some(item), behind })
    }

    /// Why a ledger is broken, if it still begins here. Where it does not, what was missed was removed meanwhile, and whoever has
    /// missed it looks again.
    pub(crate) async fn still(&self, store: &dyn Store, error: LedgerError) -> Result<(), LedgerError> {
        let is_same = beginning(store).await? == self.seen;
        if is_same { Err(error) } else { Ok(()) }
    }

    /// The number of the last entry that is gone.
    pub(crate) fn number(&self) -> u64 {
        self.seen.as_ref().and_then(|item| item.name.parse().ok()).unwrap_or_default()
    }

    /// The change that makes the ledger begin later, if it still begins here.
    pub(crate) fn moved(&self, number: u64, signed: &str, deed: Deed) -> Change {
        let from = self.seen.as_ref().map(|item| format!("{} {}", item.name, item.text));
        let to = Some(written(number, signed));
        Change { shelf: SHELF, name: NAME.to_owned(), from, to, deed: Some(deed) }
    }
}
