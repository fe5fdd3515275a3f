//! Marks that only the gate makes and only the gate checks: HMAC-SHA-256 under a key that comes from the gate's own.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// A key for marks of one purpose. It stays in the gate.
#[derive(Clone, PartialEq, Eq)]
pub struct MacKey(pub(crate) [u8; 32]);

impl MacKey {
    /// The key of 32 bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The mark of a message.
    pub fn mac(&self, message: &[u8]) -> [u8; 32] {
        self.begun(message).finalize().into_bytes().into()
    }

    /// Whether a mark is the one of a message. How long that takes tells nothing of the mark.
    pub fn is_of(&self, message: &[u8], mark: &[u8; 32]) -> bool {
        self.begun(message).verify_slice(mark).is_ok()
    }

    fn begun(&self, message: &[u8]) -> Hmac<Sha256> {
        // A key that is shorter than a block is one with zeros behind it.
        let mut block = [0; 64];
        block.iter_mut().zip(self.0).for_each(|(place, byte)| *place = byte);
        let mut mac = <Hmac<Sha256>>::new(&block.into());
        mac.update(message);
        mac
    }
}

/// The key does not belong into logs.
impl fmt::Debug for MacKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MacKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::IssuerKey;

    #[test]
    fn each_purpose_and_each_gate_has_its_own_marks() {
        let key = IssuerKey::from_seed([7; 32]);
        let consent = key.mac_key("consent");
        let mark = consent.mac(b"yes");
        assert!(consent.is_of(b"yes", &mark));
        assert!(!consent.is_of(b"no", &mark));
        assert!(!key.mac_key("other").is_of(b"yes", &mark));
        assert!(!IssuerKey::from_seed([8; 32]).mac_key("consent").is_of(b"yes", &mark));
    }

    /// RFC 4231, test case 2, under a key that is padded with zeros as HMAC does it by itself.
    #[test]
    fn it_is_the_hmac_that_everybody_knows() {
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        let mark = MacKey::from_bytes(key).mac(b"what do ya want for nothing?");
        let hex: String = mark.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }
}
