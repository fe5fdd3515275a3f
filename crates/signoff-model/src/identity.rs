use std::fmt;

use sha2::{Digest as _, Sha256};

/// Why a text is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadName {
    /// There is nothing in it but blanks.
    Empty,
    /// It is longer than [`MAX_NAME`] bytes.
    TooLong,
    /// It has a control or invisible character, or a blank at its beginning or end: two such names would look alike.
    Unprintable,
}

/// The longest name of an agent, session, person, group or request, in bytes.
pub const MAX_NAME: usize = 200;

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::TooLong => write!(f, "it is longer than {MAX_NAME} bytes"),
            Self::Unprintable => f.write_str("it has control or invisible characters, or blanks at its ends"),
        }
    }
}

impl std::error::Error for BadName {}

fn checked(text: &str) -> Result<(), BadName> {
    if text.trim().is_empty() {
        return Err(BadName::Empty);
    }
    if text.len() > MAX_NAME {
        return Err(BadName::TooLong);
    }
    if text.trim() != text || text.chars().any(|letter| letter.is_control() || is_invisible(letter)) {
        return Err(BadName::Unprintable);
    }
    Ok(())
}

/// Whether a character shows nothing, or turns the direction of others. One person must not have two names.
const fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Makes a name type: a text that was looked at once and is believed from then on.
macro_rules! name {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The name in a text, if it is one.
            pub fn new(text: impl Into<String>) -> Result<Self, BadName> {
                let text = text.into();
                checked(&text)?;
                Ok(Self(text))
            }

            /// The text of the name.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name! {
    /// An agent, by the name of its key.
    AgentId
}
name! {
    /// One run of an agent. A yes in one session is none in another.
    SessionId
}
name! {
    /// A person who may answer.
    PersonId
}
name! {
    /// Some persons who answer for each other.
    GroupId
}
name! {
    /// A way on which a question reaches people: `terminal`, `inbox`, `feishu`.
    ChannelId
}
name! {
    /// What a requester calls its request, so that it finds the same approval again after a crash.
    RequestKey
}

impl ChannelId {
    /// The list of open questions, on a page or in a terminal.
    pub fn inbox() -> Self {
        Self("inbox".to_owned())
    }
}

/// Makes an id type: 128 bits with one spelling.
macro_rules! id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        impl $name {
            /// The id with these bits. Who makes ids takes them from the clock first, so that later ones sort later, and the
            /// rest from the system's randomness, so that nobody guesses one.
            pub const fn from_bits(bits: u128) -> Self {
                Self(bits)
            }

            /// The bits of the id.
            pub const fn bits(self) -> u128 {
                self.0
            }

            /// The id that a text names in full.
            pub fn parse(text: &str) -> Option<Self> {
                let plain = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
                plain.then(|| u128::from_str_radix(text, 16).ok().map(Self)).flatten()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:032x}", self.0)
            }
        }
    };
}

id! {
    /// One question to humans.
    ApprovalId
}
id! {
    /// One standing permission.
    GrantId
}

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest with these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest that a text names: 64 small hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let mut bytes = [0; 32];
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return None;
        }
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Some(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Each record and each line of the ledger holds several of these: they are not formatted byte by byte.
        let digits = self.0.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
        let mut text = [0; 64];
        for (place, digit) in text.iter_mut().zip(digits) {
            *place = if digit < 10 { b'0' + digit } else { b'a' + (digit - 10) };
        }
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// A moment by the clock of the store, in milliseconds since 1970 in UTC. Several nodes share one store, and so one clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment so many milliseconds after the beginning of 1970.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// The milliseconds since then.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// A moment so much later; the last one there is where that is beyond it.
    pub fn after(self, duration: std::time::Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_looked_at_once() {
        for (text, expected) in [
            ("claude", Ok(())),
            ("李 雷", Ok(())),
            ("", Err(BadName::Empty)),
            ("  ", Err(BadName::Empty)),
            (" claude", Err(BadName::Unprintable)),
            ("a\u{1b}[2Jb", Err(BadName::Unprintable)),
            ("a\nb", Err(BadName::Unprintable)),
            ("ann\u{200b}", Err(BadName::Unprintable)),
            ("a\u{202e}nn", Err(BadName::Unprintable)),
            ("ann\u{e0041}", Err(BadName::Unprintable)),
            (&"x".repeat(MAX_NAME), Ok(())),
            (&"x".repeat(MAX_NAME + 1), Err(BadName::TooLong)),
        ] {
            assert_eq!(AgentId::new(text).map(|_| ()), expected, "{text:?}");
        }
    }

    #[test]
    fn ids_and_digests_have_one_spelling() {
        let id = ApprovalId::from_bits(0x0197_0000_0000_7000_8000_0000_0000_00ff);
        assert_eq!(ApprovalId::parse(&id.to_string()), Some(id));
        for other in ["", "197", &id.to_string().to_uppercase(), "+19700000000700080000000000000ff"] {
            assert_eq!(ApprovalId::parse(other), None, "{other}");
        }
        let digest = Digest::of(b"abc");
        assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        for other in
            ["", "00", &"é".repeat(32), &"+1".repeat(32), &digest.to_string().to_uppercase(), &format!("{digest}0")]
        {
            assert_eq!(Digest::parse(other), None, "{other}");
        }
    }
}
