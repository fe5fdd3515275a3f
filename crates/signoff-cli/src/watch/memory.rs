//! What a watcher leaves for whoever asks for the status, and what people have told it about single agents.

use std::{collections::BTreeSet, fs, io, path::PathBuf};

use serde::{Deserialize, Serialize};
use signoff_gate::Places;
use signoff_watch::happening::{Remembered, Who};

/// What a watcher knows. A form of its own, with a version: another program may have written it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    version: u32,
    agents: Vec<Remembered>,
}

const VERSION: u32 = 1;

/// A pane whose agent is paused.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Paused {
    socket: Vec<String>,
    pane: String,
}

impl Paused {
    pub(super) fn new(socket: Vec<String>, pane: String) -> Self {
        Self { socket, pane }
    }

    pub(super) fn of(who: &Who) -> Self {
        Self { socket: who.socket.options(), pane: who.pane.to_string() }
    }
}

/// The files.
#[derive(Clone)]
pub(super) struct Memory {
    directory: PathBuf,
}

impl Memory {
    pub(super) fn at(places: &Places) -> Self {
        Self { directory: places.watch() }
    }

    /// Keeps what this process knows; nothing where it knows nothing.
    pub(super) fn keep(&self, agents: &[Remembered]) -> io::Result<()> {
        let path = self.directory.join(format!("{}.json", std::process::id()));
        if agents.is_empty() {
            return match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                Ok(()) | Err(_) => Ok(()),
            };
        }
        let text = serde_json::to_vec(&Kept { version: VERSION, agents: agents.to_vec() })?;
        signoff_config::replace_privately(&path, &text)
    }

    /// What the watchers know that run now. What others have left is removed.
    pub(super) fn known(&self) -> Vec<Remembered> {
        let mut all = Vec::new();
        for entry in fs::read_dir(&self.directory).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(process) = name.strip_suffix(".json").and_then(|name| name.parse::<u32>().ok()) else { continue };
            if !fs::exists(format!("/proc/{process}")).unwrap_or(true) {
                let _ = fs::remove_file(entry.path());
                continue;
            }
            let kept = fs::read(entry.path()).ok().and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
            all.extend(kept.filter(|kept| kept.version == VERSION).into_iter().flat_map(|kept| kept.agents));
        }
        all
    }

    fn paused_file(&self) -> PathBuf {
        self.directory.join("paused")
    }

    /// Who is paused. None where that cannot be read: then everybody might be.
    pub(super) fn paused(&self) -> Option<BTreeSet<Paused>> {
        match fs::read(self.paused_file()) {
            Ok(bytes) => serde_json::from_slice(&bytes).ok(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(BTreeSet::new()),
            Err(_) => None,
        }
    }

    /// Changes who is paused.
    pub(super) fn pause(&self, change: impl FnOnce(&mut BTreeSet<Paused>) -> bool) -> io::Result<()> {
        let mut paused = self.paused().unwrap_or_default();
        if !change(&mut paused) {
            return Ok(());
        }
        signoff_config::replace_privately(&self.paused_file(), &serde_json::to_vec(&paused)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(pane: &str) -> Remembered {
        Remembered {
            name: "agent-0".to_owned(),
            socket: Vec::new(),
            pane: pane.to_owned(),
            place: "s:0.0".to_owned(),
            program: Some("claude".to_owned()),
            state: "idle".to_owned(),
            what: None,
            since: None,
            note: None,
        }
    }

    #[test]
    fn what_is_kept_is_found_as_long_as_the_watcher_runs() {
        let root = tempfile::tempdir().unwrap();
        let memory = Memory { directory: root.path().join("watch") };
        assert_eq!(memory.known(), []);
        memory.keep(&[agent("%1")]).unwrap();
        assert_eq!(memory.known(), [agent("%1")]);
        let own = root.path().join("watch").join(format!("{}.json", std::process::id()));
        // No process has this number.
        let dead = root.path().join("watch/4194399.json");
        fs::rename(own, &dead).unwrap();
        assert_eq!(memory.known(), []);
        assert!(!dead.exists());
        fs::write(root.path().join("watch").join(format!("{}.json", std::process::id())), "{}").unwrap();
        assert_eq!(memory.known(), []);
        memory.keep(&[]).unwrap();
    }

    /// How would an agent that was paused be answered? By a list that nobody can read.
    #[test]
    fn a_broken_list_pauses_everybody() {
        let root = tempfile::tempdir().unwrap();
        let memory = Memory { directory: root.path().to_owned() };
        let one = Paused::new(vec!["-L".to_owned(), "a".to_owned()], "%1".to_owned());
        assert_eq!(memory.paused(), Some(BTreeSet::new()));
        memory.pause(|all| all.insert(one.clone())).unwrap();
        assert_eq!(memory.paused(), Some(BTreeSet::from([one.clone()])));
        memory.pause(|all| all.remove(&one)).unwrap();
        assert_eq!(memory.paused(), Some(BTreeSet::new()));
        fs::write(root.path().join("paused"), "[").unwrap();
        assert_eq!(memory.paused(), None);
    }
}
