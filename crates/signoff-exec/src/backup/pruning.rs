//! Removes backups by age and size, when somebody says so and never by itself.

use super::{BackupError, BackupId, Moment, State, Store};

/// Which backups are to go. A backup goes if any of these says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prune {
    /// Those made before this moment.
    pub before: Option<Moment>,
    /// The oldest, until those that are left take no more than this many bytes.
    pub keep_bytes: Option<u64>,
}

impl Store {
    /// Removes old backups, and says which. What is half-made, half restored, damaged or in use stays: each of these needs
    /// a person to look at it.
    pub fn prune(&self, prune: &Prune) -> Result<Vec<BackupId>, BackupError> {
        let mut kept_bytes = 0_u64;
        let mut removed = Vec::new();
        for listed in self.list()? {
            let (State::Complete | State::Restored(_), Some(description), Some(size)) =
                (&listed.state, &listed.description, listed.size)
            else {
                continue;
            };
            // Once there is too much, everything older goes as well.
            kept_bytes = kept_bytes.saturating_add(size.allocated);
            let too_old = prune.before.is_some_and(|before| description.time < before);
            let too_much = prune.keep_bytes.is_some_and(|keep| kept_bytes > keep);
            if too_old || too_much {
                // Its state is looked at again under its lock: another process may have begun something meanwhile.
                match self.slot(&listed.id) {
                    Ok(slot) if slot.is_whole() => slot.remove(self)?,
                    Ok(_) | Err(BackupError::Unknown(_) | BackupError::Busy(_)) => continue,
                    Err(error) => return Err(error),
                }
                removed.push(listed.id);
            }
        }
        Ok(removed)
    }
}
