//! What a hook leaves behind for the next one: which question a call has raised, so that the hook after the call can say what became
//! of it, and that a call has got its yes, so that the dialog of the client need not ask once more. They are notes and no permissions:
//! whoever finds one asks the gate.

use std::{fs, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};
use signoff_gate::Places;
use signoff_model::Digest;

/// So long a note waits for the end of its call.
const KEPT_FOR: Duration = Duration::from_secs(24 * 3_600);

/// A question that a call has raised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Held {
    /// Its id.
    pub(super) approval: String,
    /// What was redeemed, where somebody said yes.
    pub(super) permit: Option<String>,
}

/// The note about a call.
pub(super) struct Note(PathBuf);

impl Note {
    pub(super) fn about(places: &Places, call: Digest) -> Self {
        Self(places.held().join(call.to_string()))
    }

    fn read(&self) -> Option<Held> {
        let text = signoff_config::text_of_file(&self.0).ok().flatten()?;
        serde_json::from_str(&text).ok()
    }

    /// Reads it, and lets nobody else read it after that; none where it could not be taken away.
    pub(super) fn take(&self) -> Option<Held> {
        let held = self.read()?;
        fs::remove_file(&self.0).ok()?;
        Some(held)
    }

    /// What cannot be left behind is found unknown later on.
    pub(super) fn leave(&self, held: &Held) {
        let Ok(text) = serde_json::to_string(held) else { return };
        self.clear_away();
        let _ = signoff_config::replace_privately(&self.0, text.as_bytes());
    }

    /// Removes notes that nobody has come back to: not every client calls a hook after a call, and none after one that was stopped.
    fn clear_away(&self) {
        let Some(notes) = self.0.parent().and_then(|directory| fs::read_dir(directory).ok()) else { return };
        for note in notes.flatten() {
            let age = note.metadata().and_then(|about| about.modified()).ok().and_then(|left| left.elapsed().ok());
            if age.is_some_and(|age| age > KEPT_FOR) {
                let _ = fs::remove_file(note.path());
            }
        }
    }

    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.0);
    }
}
