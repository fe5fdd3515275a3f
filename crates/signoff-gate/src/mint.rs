//! Where new ids and nonces come from.

use std::time::{SystemTime, UNIX_EPOCH};

use signoff_model::{ApprovalId, Digest};

/// Makes ids and nonces.
pub trait Mint: Send + Sync {
    /// An id that nobody can guess, and that sorts behind those from before.
    fn id(&self) -> Result<ApprovalId, NoRandomness>;

    /// A number that nobody can guess and that never comes again.
    fn nonce(&self) -> Result<Digest, NoRandomness>;
}

/// The system gives no random bytes: nothing can be asked or approved then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no random bytes: {0}")]
pub struct NoRandomness(pub String);

/// Ids and nonces out of the randomness of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemMint;

impl Mint for SystemMint {
    fn id(&self) -> Result<ApprovalId, NoRandomness> {
        // 48 bits of milliseconds, so that later ids sort later, and 80 bits that nobody can guess. The clock decides nothing
        // but the order in lists.
        #[expect(clippy::disallowed_methods, reason = "the time in an id decides nothing")]
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let mut random = [0; 16];
        fill(&mut random)?;
        let random = u128::from_be_bytes(random) >> 48;
        Ok(ApprovalId::from_bits(now << 80 | random))
    }

    fn nonce(&self) -> Result<Digest, NoRandomness> {
        let mut random = [0; 32];
        fill(&mut random)?;
        Ok(Digest::from_bytes(random))
    }
}

fn fill(bytes: &mut [u8]) -> Result<(), NoRandomness> {
    getrandom::fill(bytes).map_err(|error| NoRandomness(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_nonces_do_not_come_again() {
        let ids: Vec<ApprovalId> = (0..64).map(|_| SystemMint.id().unwrap()).collect();
        let nonces: Vec<Digest> = (0..64).map(|_| SystemMint.nonce().unwrap()).collect();
        for at in 1..64 {
            assert!(!ids[..at].contains(&ids[at]) && !nonces[..at].contains(&nonces[at]));
            assert!(ids[at].bits() >> 80 >= ids[at - 1].bits() >> 80, "later ids sort later");
        }
    }
}
