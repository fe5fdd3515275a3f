//! What tmux calls its things. Only what has the form of a name becomes part of a command.

use std::fmt;

/// A pane, as long as its server runs: `%3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PaneId(u32);

impl PaneId {
    /// The pane that a text names.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('%')?;
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| plain).map(Self)
    }
}

impl fmt::Display for PaneId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_is_a_percent_sign_and_a_number() {
        assert_eq!(PaneId::parse("%12").map(|pane| pane.to_string()).as_deref(), Some("%12"));
        for other in ["", "%", "12", "%1x", "%+1", "% 1", "%-1", "%99999999999", "@1", "%1;kill-server"] {
            assert_eq!(PaneId::parse(other), None, "{other}");
        }
    }
}
