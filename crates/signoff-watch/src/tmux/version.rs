//! Which tmux it is.

use std::fmt;

/// A version, as far as it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    major: u32,
    minor: u32,
}

/// The oldest that has clients which do not change the size of anything.
pub const OLDEST: Version = Version { major: 3, minor: 2 };

impl Version {
    /// What `tmux -V` says: `tmux 3.3a`, `tmux next-3.6`. None where that says nothing, as with `tmux master`.
    pub fn parse(said: &str) -> Option<Self> {
        let text = said.trim().strip_prefix("tmux ")?;
        let text = text.strip_prefix("next-").unwrap_or(text);
        let (major, rest) = text.split_once('.')?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some(Self { major: major.parse().ok()?, minor: digits.parse().ok()? })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (said, new_enough) in [
            ("tmux 3.3a\n", Some(true)),
            ("tmux 3.2", Some(true)),
            ("tmux 3.10", Some(true)),
            ("tmux next-3.6", Some(true)),
            ("tmux 4.0-rc", Some(true)),
            ("tmux 3.1c", Some(false)),
            ("tmux 2.9", Some(false)),
            ("tmux master", None),
            ("tmux openbsd-7.6", None),
            ("screen 4.0", None),
        ] {
            assert_eq!(Version::parse(said).map(|version| version >= OLDEST), new_enough, "{said}");
        }
    }
}
