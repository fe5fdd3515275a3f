//! The backup before a command, and what becomes of it.

use std::{
    ops::ControlFlow,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::SystemTime,
};

use signoff_card::{Language, bytes};
use signoff_exec::{
    Store,
    backup::{BackupId, BackupRequest, Moment},
};
use signoff_gate::Places;
use signoff_model::{Assessment, Listing};

use super::words::Words;
use crate::{failure::Failure, output, undo};

/// A backup that was made for a command which has not run yet.
pub(crate) struct Rescue {
    store: Store,
    id: BackupId,
}

/// What a backup has to hold so that nothing of what goes is lost; nothing where it could not hold all of it.
pub(crate) fn paths(assessment: &Assessment) -> Vec<PathBuf> {
    if assessment.listing != Listing::Whole {
        return Vec::new();
    }
    assessment.at_stake.iter().map(PathBuf::from).filter(|path| path.symlink_metadata().is_ok()).collect()
}

/// Copies what would go, and says how far it is.
pub(crate) fn back_up(
    places: &Places,
    command: &str,
    paths: &[PathBuf],
    interrupted: &AtomicBool,
    language: Language,
) -> Result<Rescue, Failure> {
    let words = Words::of(language);
    let store = undo::store(places)?;
    let now = SystemTime::now();
    let id = undo::new_id(now).map_err(|error| undo::failure(&error))?;
    let request =
        BackupRequest { id: id.clone(), time: Moment::from(now), command: command.to_owned(), paths: paths.to_vec() };
    let mut progress = output::Progress::new();
    let made = store.back_up(&request, &mut |far| {
        progress.tell(|| words.backing_up.replace("{}", &format!("{} / {}", bytes(far.done), bytes(far.total))));
        if interrupted.load(Ordering::Acquire) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.clear();
    let size = made.map_err(|error| undo::failure(&error))?;
    let [one, many] = words.entries;
    let entries = if size.entries == 1 { one } else { many }.replace("{}", &size.entries.to_string());
    let told = words.backed_up.replacen("{}", id.as_str(), 1).replacen("{}", &entries, 1);
    output::note(&told.replacen("{}", &bytes(size.bytes), 1));
    Ok(Rescue { store, id })
}

impl Rescue {
    /// The command was not run after all.
    pub(crate) fn discard(self) {
        // What cannot be removed is listed, and does no harm.
        let _ = self.store.remove(&self.id);
    }

    /// The command has run: what it left behind is remembered, so that an undo can tell it from what came later.
    pub(crate) fn seal(self, language: Language) -> Result<String, Failure> {
        if let Err(error) = self.store.seal_after(&self.id) {
            let told = undo::failure(&error);
            output::note(&format!("{}\n", told.told(language)));
        }
        Ok(self.id.to_string())
    }
}
