//! Lists the backups there are. Changes nothing.

use std::{cmp::Reverse, os::fd::AsFd};

use rustix::{
    fs::{AtFlags, FlockOperation, flock, statat},
    io::Errno,
};

use super::{
    BackupError, BackupId, Description, Moment, Size, Store,
    document::{self, Unread},
    store::{DESCRIPTION, RESTORED, RESTORING, Slot},
    survey,
    wire::{WireDescription, WireRestored},
};

/// What a backup is good for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It can be restored.
    Complete,
    /// It has been restored, and can be again.
    Restored(Moment),
    /// A restore was broken off. Restoring it again finishes that.
    HalfRestored,
    /// It was never finished, and is good for nothing but removing.
    HalfMade,
    /// Another process is making, restoring or removing it.
    InUse,
    /// It is not what it was when it was made, for this reason.
    Damaged(String),
}

/// A backup in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub id: BackupId,
    /// What it is good for.
    pub state: State,
    /// What it is of, if that can be read.
    pub description: Option<Description>,
    /// How much it holds, if it was finished.
    pub size: Option<Size>,
}

impl Store {
    /// All backups, the newest first; those whose time is not known come last.
    pub fn list(&self) -> Result<Vec<Listed>, BackupError> {
        let names = survey::names(&self.directory).map_err(|errno| BackupError::at(&self.path, "list", errno))?;
        let mut all = Vec::new();
        for name in names {
            // Whatever has no possible name is not ours.
            let Some(id) = name.to_str().and_then(|name| BackupId::new(name).ok()) else { continue };
            match self.unlocked(&id) {
                Ok(slot) => all.push(listed(&slot)),
                // A file, or a backup that was removed a moment ago.
                Err(BackupError::Unknown(_)) => {}
                Err(error) => return Err(error),
            }
        }
        all.sort_by_key(|listed| Reverse((listed.description.as_ref().map(|about| about.time), listed.id.clone())));
        Ok(all)
    }
}

fn listed(slot: &Slot) -> Listed {
    let id = slot.id.clone();
    let in_use = flock(&slot.directory, FlockOperation::NonBlockingLockShared) == Err(Errno::WOULDBLOCK);
    match slot.manifest() {
        Ok(manifest) => {
            let state = if in_use { State::InUse } else { state_of_complete(slot) };
            let size = Some(manifest.size());
            Listed { id, state, description: Some(manifest.description), size }
        }
        Err(error) => {
            let state = match error {
                _ if in_use => State::InUse,
                BackupError::HalfMade(_) => State::HalfMade,
                error => State::Damaged(error.to_string()),
            };
            Listed { id, state, description: description(slot), size: None }
        }
    }
}

impl Slot {
    /// Whether it can be restored, and nobody has begun to without an end.
    pub(super) fn is_whole(&self) -> bool {
        self.manifest().is_ok() && matches!(state_of_complete(self), State::Complete | State::Restored(_))
    }
}

fn state_of_complete(slot: &Slot) -> State {
    if statat(&slot.directory, RESTORING, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
        return State::HalfRestored;
    }
    match document::read::<WireRestored>(slot.directory.as_fd(), RESTORED) {
        Err(Unread::Missing) => State::Complete,
        Ok(restored) => match restored.into_time() {
            Ok(time) => State::Restored(time),
            Err(meaningless) => State::Damaged(slot.meaningless(&meaningless).to_string()),
        },
        Err(unread) => State::Damaged(slot.unread(unread).to_string()),
    }
}

/// What an unfinished backup was going to be.
fn description(slot: &Slot) -> Option<Description> {
    let wire: WireDescription = document::read(slot.directory.as_fd(), DESCRIPTION).ok()?;
    wire.try_into().ok()
}
