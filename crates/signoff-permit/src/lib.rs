//! The permit: what a human's yes becomes. It is issued by the gate, says exactly what may run, for whom and how long, and
//! is signed, so that any executor can tell a real one without asking anybody.
//!
//! This crate is made to be embedded: it knows nothing of approvals, stores or policies, does no I/O, asks no clock, and
//! takes bytes and texts. What it proves is *authenticity*: that the gate has issued this permit for this operation. That it
//! has not been used before only the gate knows, and so running needs the gate's `redeem`.
//!
//! ```
//! use signoff_permit::{Claims, IssuerKey, Permit, VerifierKey};
//!
//! let issuer = IssuerKey::from_seed([7; 32]); // From the system's randomness, and kept away from agents.
//! let claims = Claims {
//!     approval: [1; 16],
//!     operation: [2; 32],
//!     preview: [3; 32],
//!     policy: [4; 32],
//!     nonce: [5; 32],
//!     agent: "claude".to_owned(),
//!     session: "s-1".to_owned(),
//!     issued_at: 1_000,
//!     expires_at: 61_000,
//! };
//! let permit = Permit::issue(claims.clone(), &issuer)?;
//!
//! let verifier = VerifierKey::parse(&issuer.verifier().to_string())?;
//! assert_eq!(verifier.verify(permit.text(), 60_999)?, claims);
//! assert!(verifier.verify(permit.text(), 61_000).is_err());
//! # Ok::<(), signoff_permit::PermitError>(())
//! ```

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod checkpoint;
mod key;
mod mac;
mod wire;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use key::{IssuerKey, KeyId, VerifierKey};
pub use mac::MacKey;

/// What a permit says. All moments are milliseconds since 1970 in UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The approval that it comes from.
    pub approval: [u8; 16],
    /// The digest of the operation with everything that it depends on.
    pub operation: [u8; 32],
    /// The digest of what the human was shown.
    pub preview: [u8; 32],
    /// The digest of the policy that it was judged by.
    pub policy: [u8; 32],
    /// What tells it from every other permit.
    pub nonce: [u8; 32],
    /// The agent that may use it.
    pub agent: String,
    /// The session of the agent.
    pub session: String,
    /// When it was issued.
    pub issued_at: i64,
    /// From when on it is void.
    pub expires_at: i64,
}

/// A signed permit as a text: `sgp1.` and then what it says and the signature, each in base64 for addresses.
#[derive(Clone, PartialEq, Eq)]
pub struct Permit(String);

/// Why a text is no permit, or not one that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PermitError {
    /// The text is not a permit.
    #[error("this is not a permit: it has to begin with `sgp1.` and be one line of three parts")]
    Malformed,
    /// A later version of the program has issued it.
    #[error("this permit has a newer form than this program can read")]
    NewerForm,
    /// Another gate has issued it, or one of an earlier key.
    #[error("this permit was issued with another key")]
    OtherKey,
    /// It was changed, or it was never signed by that key.
    #[error("the signature of this permit is wrong")]
    Forged,
    /// Its time is over.
    #[error("this permit has expired")]
    Expired,
    /// The name of an agent or session is longer than a permit can hold.
    #[error("the name of the agent or session is longer than 255 bytes")]
    NameTooLong,
    /// The text is not a key.
    #[error("this is not a key: it has to begin with `sgk1.`")]
    NoKey,
}

impl Permit {
    /// Issues a permit.
    pub fn issue(claims: Claims, key: &IssuerKey) -> Result<Self, PermitError> {
        let payload = wire::encode(&claims, key.verifier().id()).ok_or(PermitError::NameTooLong)?;
        let signature = key.sign(&wire::signed(&payload));
        Ok(Self(wire::text(wire::PREFIX, &payload, &signature)))
    }

    /// The permit as it is handed to an agent.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// A permit is a bearer's token: it does not belong into logs.
impl std::fmt::Debug for Permit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Permit(…)")
    }
}

impl VerifierKey {
    /// What a permit says, if this key has issued it and its time is not over at this moment.
    pub fn verify(&self, text: &str, now: i64) -> Result<Claims, PermitError> {
        let claims = self.authentic(text)?;
        if now < claims.expires_at { Ok(claims) } else { Err(PermitError::Expired) }
    }

    /// What a permit says, if this key has issued it, whether or not its time is over.
    pub fn authentic(&self, text: &str) -> Result<Claims, PermitError> {
        let (payload, signature) = wire::parts(text, wire::PREFIX).ok_or(PermitError::Malformed)?;
        let (claims, key) = wire::decode(&payload)?;
        if key != self.id() {
            return Err(PermitError::OtherKey);
        }
        if !self.has_signed(&wire::signed(&payload), &signature) {
            return Err(PermitError::Forged);
        }
        Ok(claims)
    }
}
