//! What the gate says of its ledger: that it stood there, at that moment. Whoever keeps such a statement elsewhere finds out
//! whether the ledger was written anew.

use crate::{IssuerKey, KeyId, VerifierKey, wire};

const VERSION: u8 = 1;

/// What is said of a place in the ledger. What is signed begins with a line of its own for each kind, so that no statement of
/// the same key can be taken for another.
struct Kind {
    prefix: &'static str,
    domain: &'static [u8],
}

/// The ledger stood here.
const STOOD: Kind = Kind { prefix: "sgc1", domain: b"signoff checkpoint v1\n" };

/// The ledger begins behind this: the gate itself has removed what was before.
const BEGINS: Kind = Kind { prefix: "sgb1", domain: b"signoff ledger beginning v1\n" };

/// Where a ledger stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The number of its last entry.
    pub number: u64,
    /// The digest of that entry and, by that, of all before it.
    pub digest: [u8; 32],
    /// When, in milliseconds since 1970 in UTC.
    pub at: i64,
}

/// Why a text is no checkpoint, or not one that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The text is not a checkpoint.
    #[error(
        "this is not a checkpoint: it has to begin with `sgc1.`, or `sgb1.` where a ledger begins, and be one line of three parts"
    )]
    Malformed,
    /// A later version of the program has made it.
    #[error("this checkpoint has a newer form than this program can read")]
    NewerForm,
    /// Another gate has made it, or one of an earlier key.
    #[error("this checkpoint was signed with another key")]
    OtherKey,
    /// It was changed, or it was never signed by that key.
    #[error("the signature of this checkpoint is wrong")]
    Forged,
}

impl Checkpoint {
    /// The signed text of it: `sgc1.` and then what it says and the signature, each in base64 for addresses.
    pub fn sign(&self, key: &IssuerKey) -> String {
        self.signed_as(&STOOD, key)
    }

    /// The signed text that makes it the beginning of a ledger: `sgb1.` and then the same. The gate says with it that it has
    /// removed everything up to here itself; no checkpoint alone says that.
    pub fn sign_as_beginning(&self, key: &IssuerKey) -> String {
        self.signed_as(&BEGINS, key)
    }

    fn signed_as(&self, kind: &Kind, key: &IssuerKey) -> String {
        let Self { number, digest, at } = self;
        let mut payload = vec![VERSION];
        payload.extend_from_slice(&key.verifier().id().0);
        payload.extend_from_slice(&number.to_be_bytes());
        payload.extend_from_slice(digest);
        payload.extend_from_slice(&at.to_be_bytes());
        let signature = key.sign(&signed(kind, &payload));
        wire::text(kind.prefix, &payload, &signature)
    }
}

fn signed(kind: &Kind, payload: &[u8]) -> Vec<u8> {
    [kind.domain, payload].concat()
}

impl VerifierKey {
    /// What a checkpoint says, if this key has signed it.
    pub fn checkpoint(&self, text: &str) -> Result<Checkpoint, CheckpointError> {
        self.place(&STOOD, text)
    }

    /// Behind what a ledger begins, if this key has signed that it does.
    pub fn beginning(&self, text: &str) -> Result<Checkpoint, CheckpointError> {
        self.place(&BEGINS, text)
    }

    fn place(&self, kind: &Kind, text: &str) -> Result<Checkpoint, CheckpointError> {
        let (payload, signature) = wire::parts(text, kind.prefix).ok_or(CheckpointError::Malformed)?;
        match payload.first() {
            Some(&VERSION) => {}
            Some(version) if *version > VERSION => return Err(CheckpointError::NewerForm),
            _ => return Err(CheckpointError::Malformed),
        }
        let (key, checkpoint) = decoded(&payload).ok_or(CheckpointError::Malformed)?;
        if key != self.id() {
            Err(CheckpointError::OtherKey)
        } else if !self.has_signed(&signed(kind, &payload), &signature) {
            Err(CheckpointError::Forged)
        } else {
            Ok(checkpoint)
        }
    }
}

fn decoded(payload: &[u8]) -> Option<(KeyId, Checkpoint)> {
    let (_version, rest) = payload.split_first_chunk::<1>()?;
    let (key, rest) = rest.split_first_chunk()?;
    let (number, rest) = rest.split_first_chunk()?;
    let (digest, rest) = rest.split_first_chunk()?;
    let at = rest.try_into().ok()?;
    let (number, at) = (u64::from_be_bytes(*number), i64::from_be_bytes(at));
    Some((KeyId(*key), Checkpoint { number, digest: *digest, at }))
}
