//! Names of objects, which are digests of what they hold.

use std::fmt;

use sha1::{Digest, Sha1};
use sha2::Sha256;

/// The digest that gives objects their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HashKind {
    Sha1,
    Sha256,
}

impl HashKind {
    /// How many bytes the name of an object has.
    pub(crate) const fn length(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }

    /// The name of an object of some kind.
    pub(crate) fn name(self, kind: &str, content: &[u8]) -> ObjectName {
        let head = format!("{kind} {}\0", content.len());
        let mut name = ObjectName { bytes: [0; LONGEST], length: self.length() };
        let digest = match self {
            Self::Sha1 => Sha1::new().chain_update(head).chain_update(content).finalize().to_vec(),
            Self::Sha256 => Sha256::new().chain_update(head).chain_update(content).finalize().to_vec(),
        };
        name.bytes.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        name
    }
}

const LONGEST: usize = 32;

/// The name of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ObjectName {
    bytes: [u8; LONGEST],
    length: usize,
}

impl ObjectName {
    /// The name with these bytes; none if no name has as many.
    pub(crate) fn new(bytes: &[u8]) -> Option<Self> {
        let mut name = Self { bytes: [0; LONGEST], length: bytes.len() };
        name.bytes.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(name)
    }

    /// The name that is written like this in full.
    pub(crate) fn from_hex(text: &str, hash: HashKind) -> Option<Self> {
        if text.len() != hash.length() * 2 || !text.is_ascii() {
            return None;
        }
        let digit = |sign: &u8| char::from(*sign).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let pairs = text.as_bytes().chunks(2).map(|pair| match pair {
            [high, low] => Some(digit(high)? << 4 | digit(low)?),
            _ => None,
        });
        Self::new(&pairs.collect::<Option<Vec<u8>>>()?)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl fmt::Display for ObjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
