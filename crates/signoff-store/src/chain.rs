//! The chain of the ledger. The digest of an entry covers its number, the digest before it, and its exact text, so that it can
//! be checked with nothing but SHA-256.

use sha2::{Digest as _, Sha256};
use signoff_model::{Digest, LedgerEntry};

use crate::{story::Impossible, wire};

/// What the first entry holds in place of a digest before it.
pub(crate) const BEGINNING: Digest = Digest::from_bytes([0; 32]);

/// What is hashed begins with this, so that no other text of the same bytes is an entry.
const DOMAIN: &[u8] = b"signoff ledger v1\n";

/// The end of a chain: where the next entry is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) number: u64,
    pub(crate) digest: Digest,
}

impl Head {
    pub(crate) const EMPTY: Self = Self { number: 0, digest: BEGINNING };

    /// The head behind one more entry.
    pub(crate) fn with(self, body: &str) -> Self {
        let number = self.number.saturating_add(1);
        Self { number, digest: digest(number, &self.digest, body) }
    }
}

fn digest(number: u64, before: &Digest, body: &str) -> Digest {
    let mut hash = Sha256::new();
    hash.update(DOMAIN);
    hash.update(number.to_be_bytes());
    hash.update(before.as_bytes());
    hash.update(body.as_bytes());
    Digest::from_bytes(hash.finalize().into())
}

/// The first entry that is not what was written, and how that shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// An entry is missing before this one, or stands there twice.
    #[error("entry {expected} is missing")]
    Gap {
        /// The number that should have come.
        expected: u64,
    },
    /// This entry, or one before it, was changed.
    #[error("entry {number}, or one before it, was changed")]
    Changed {
        /// Its number.
        number: u64,
    },
    /// The gate has signed that the ledger stood elsewhere: entries were written anew or taken away.
    #[error("the checkpoint of entry {number} does not fit")]
    Checkpoint {
        /// The entry that it is about.
        number: u64,
    },
    /// It follows on what is before it, and cannot have happened behind that: the gate was led to believe in something that nobody
    /// has said.
    #[error("entry {number} tells what cannot have happened: {why}")]
    Impossible {
        /// Its number.
        number: u64,
        /// Why not.
        why: Impossible,
    },
}

/// Checks that entries follow on each other, and on the digest before the first of them. `before` is nothing for a ledger
/// from its beginning.
pub fn verify<'a>(
    before: Option<(u64, Digest)>,
    entries: impl IntoIterator<Item = &'a LedgerEntry>,
) -> Result<Option<(u64, Digest)>, Broken> {
    let start = before.map_or(Head::EMPTY, |(number, digest)| Head { number, digest });
    let end = entries.into_iter().try_fold(start, |head, entry| {
        let next = head.with(&entry.body);
        if entry.number != next.number {
            Err(Broken::Gap { expected: next.number })
        } else if entry.digest != next.digest || wire::subject(&entry.body) != Some((entry.at, entry.approval)) {
            // What stands beside the text is no part of the digest, and has to be what the text says.
            Err(Broken::Changed { number: entry.number })
        } else {
            Ok(next)
        }
    })?;
    Ok((end.number > 0).then_some((end.number, end.digest)))
}
