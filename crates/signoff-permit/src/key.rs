//! The two halves of the key: one that issues, and one that everybody may have.

use std::fmt;

use base64ct::{Base64UrlUnpadded, Encoding};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

use crate::{MacKey, PermitError};

const KEY_PREFIX: &str = "sgk1.";

/// What tells a key from others at a glance: the beginning of its digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyId(pub(crate) [u8; 8]);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The key that issues permits. It is the gate's secret, and is overwritten in memory when it is let go.
pub struct IssuerKey(SigningKey);

impl IssuerKey {
    /// The key that grows from 32 random bytes.
    pub fn from_seed(seed: [u8; 32]) -> Self {
        Self(SigningKey::from_bytes(&seed))
    }

    /// The half that others may have.
    pub fn verifier(&self) -> VerifierKey {
        VerifierKey(self.0.verifying_key())
    }

    /// Signs any other statement of the gate. Each kind of statement begins with a line of its own, so that none can be
    /// taken for another.
    pub fn sign(&self, statement: &[u8]) -> [u8; 64] {
        self.0.sign(statement).to_bytes()
    }

    /// A key for marks that the gate alone makes and checks. Each purpose has its own, and none of them tells anything of this key.
    pub fn mac_key(&self, purpose: &str) -> MacKey {
        let seed = MacKey(self.0.to_bytes());
        MacKey(seed.mac(format!("signoff mac key v1\n{purpose}").as_bytes()))
    }
}

impl fmt::Debug for IssuerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IssuerKey({})", self.verifier().id())
    }
}

/// The key that tells real permits from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifierKey(VerifyingKey);

impl VerifierKey {
    /// The key that a text spells.
    pub fn parse(text: &str) -> Result<Self, PermitError> {
        let encoded = text.trim().strip_prefix(KEY_PREFIX).ok_or(PermitError::NoKey)?;
        let bytes = Base64UrlUnpadded::decode_vec(encoded).map_err(|_| PermitError::NoKey)?;
        let bytes: [u8; 32] = bytes.try_into().map_err(|_| PermitError::NoKey)?;
        let key = VerifyingKey::from_bytes(&bytes).map_err(|_| PermitError::NoKey)?;
        // With a weak key, one signature fits many statements.
        if key.is_weak() { Err(PermitError::NoKey) } else { Ok(Self(key)) }
    }

    /// What tells this key from others.
    pub fn id(&self) -> KeyId {
        let digest = Sha256::digest(self.0.as_bytes());
        let mut id = [0; 8];
        id.iter_mut().zip(digest).for_each(|(id, byte)| *id = byte);
        KeyId(id)
    }

    /// Whether the other half of this key has signed the statement.
    pub fn has_signed(&self, statement: &[u8], signature: &[u8; 64]) -> bool {
        // Strictly: there is exactly one signature of a key for a statement, and nobody can make a second one out of it.
        self.0.verify_strict(statement, &Signature::from_bytes(signature)).is_ok()
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{KEY_PREFIX}{}", Base64UrlUnpadded::encode_string(self.0.as_bytes()))
    }
}
