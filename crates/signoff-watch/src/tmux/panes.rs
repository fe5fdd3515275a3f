//! Which panes there are.

use super::{
    command::Command,
    exchange::{Trouble, secret_word},
    ids::PaneId,
    link::Link,
};

/// A pane in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Which.
    pub pane: PaneId,
    /// The session, its number as tmux has given it, and its name.
    pub session: (String, String),
    /// The window, by its place in the session.
    pub window: u32,
    /// What the window is called.
    pub window_name: String,
    /// The place of the pane in the window.
    pub index: u32,
    /// The process that was started in it.
    pub pid: u32,
    /// What the agent in it was called when it was started by Signoff.
    pub called: Option<String>,
}

impl Listed {
    /// What the agent in it is called.
    pub fn name(&self) -> String {
        self.called.clone().unwrap_or_else(|| self.place())
    }

    /// Where it is, as tmux says it.
    pub fn place(&self) -> String {
        format!("{}:{}.{}", self.session.1, self.window, self.index)
    }

    /// All of a server.
    ///
    /// # Errors
    ///
    /// When the server is not there.
    pub async fn all(link: &Link) -> Result<Vec<Self>, Trouble> {
        let word = secret_word()?;
        let fields = [
            word.as_str(),
            "#{pane_id}",
            "#{session_id}",
            "#{session_name}",
            "#{window_index}",
            "#{pane_index}",
            "#{pane_pid}",
            "#{window_name}",
            "#{@signoff_agent}",
        ];
        let blocks = link.run(&vec![Command::new(["list-panes", "-a", "-F", &fields.join("\t")])]).await?;
        Ok(blocks.iter().flat_map(|block| &block.lines).filter_map(|line| read(line, &word)).collect())
    }
}

fn read(line: &str, word: &str) -> Option<Listed> {
    let fields: Vec<&str> = line.splitn(9, '\t').collect();
    let [first, pane, session, name, window, index, pid, window_name, called] = fields.as_slice() else { return None };
    if *first != word {
        return None;
    }
    // A name for a person to read and type, or none.
    let is_name = |name: &&str| {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
        !name.is_empty() && name.len() <= 40 && name.chars().all(plain)
    };
    Some(Listed {
        pane: PaneId::parse(pane)?,
        session: ((*session).to_owned(), (*name).to_owned()),
        window: window.parse().ok()?,
        window_name: (*window_name).to_owned(),
        index: index.parse().ok()?,
        pid: pid.parse().ok()?,
        called: Some(*called).filter(is_name).map(str::to_owned),
    })
}

/// The names of the sessions of some panes, each once.
pub fn sessions(panes: &[Listed]) -> Vec<String> {
    let mut names: Vec<String> = panes.iter().map(|pane| pane.session.1.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_is_read_from_its_line() {
        let pane = read("w\t%3\t$1\tswarm\t0\t2\t77\tnode\tagent-1", "w").unwrap();
        assert_eq!((pane.name().as_str(), pane.place().as_str()), ("agent-1", "swarm:0.2"));
        let pane = read("w\t%3\t$1\tmy swarm\t0\t2\t77\tnode\t", "w").unwrap();
        assert_eq!(pane.name(), "my swarm:0.2");
        // What stands there may have been written by anybody.
        let pane = read("w\t%3\t$1\tswarm\t0\t2\t77\tnode\ta\tb", "w").unwrap();
        assert_eq!(pane.called, None);
        for other in ["", "x\t%3\t$1\tswarm\t0\t2\t77\tnode\t", "w\t3\t$1\tswarm\t0\t2\t77\tnode\t", "w\t%3\t$1\tswarm"]
        {
            assert_eq!(read(other, "w"), None, "{other}");
        }
    }
}
