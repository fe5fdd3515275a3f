//! One process at a time: two that write the same file would each have a clock and a writer of their own, and neither would
//! wake who waits at the other.

use std::{
    fs::{File, OpenOptions, TryLockError},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use signoff_gate::StoreError;

use super::told_of_file;

/// So long somebody who goes may take.
const PATIENCE: Duration = Duration::from_secs(1);
const TRY_EVERY: Duration = Duration::from_millis(10);

/// The file beside a store that whoever has opened the store holds. The system lets go of it when the process is gone, however
/// that came. The file itself stays, since another one may be about to hold it.
pub(super) struct Lock {
    _held: File,
}

impl Lock {
    pub(super) fn beside(store: &Path) -> Result<Self, StoreError> {
        let mut name = store.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(&path);
        let file = file.map_err(|error| told_of_file(&path, &error))?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _held: file }),
                // Whoever had it may be about to go, or has just started another program, which holds it until it is on its way.
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => thread::sleep(TRY_EVERY),
                Err(TryLockError::WouldBlock) => {
                    let text = format!("{} is in use by another process", store.display());
                    return Err(StoreError::Unavailable(text));
                }
                Err(TryLockError::Error(error)) => return Err(told_of_file(&path, &error)),
            }
        }
    }
}
