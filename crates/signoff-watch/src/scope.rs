//! Which panes are meant.

use crate::tmux::Listed;

/// Which panes are meant: all that are in one of the sessions, in the window and fit the pattern, as far as those are named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The sessions, by their names.
    pub sessions: Vec<String>,
    /// The window, by its name or its place.
    pub window: Option<String>,
    /// A pattern with `*` over the name of the agent, or of the session or window.
    pub pattern: Option<String>,
}

impl Scope {
    /// Whether a pane is meant.
    pub fn holds(&self, pane: &Listed) -> bool {
        let session = self.sessions.is_empty() || self.sessions.contains(&pane.session.1);
        let is_window = |window: &String| *window == pane.window_name || *window == pane.window.to_string();
        let fits = |pattern: &String| {
            let names = [pane.name(), pane.place(), pane.session.1.clone(), pane.window_name.clone()];
            names.iter().any(|name| fits(pattern, name))
        };
        session && self.window.as_ref().is_none_or(is_window) && self.pattern.as_ref().is_none_or(fits)
    }
}

/// Whether a text fits a pattern in which `*` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_pattern_is_for_the_whole_name() {
        for (pattern, text, expected) in [
            ("agent-*", "agent-1", true),
            ("agent-*", "my-agent-1", false),
            ("*agent*", "my-agent-1", true),
            ("a*b*c", "axbxc", true),
            ("a*b*c", "axxc", false),
            ("agent", "agent-1", false),
            ("*", "", true),
            ("", "x", false),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }
}
