//! Where backups are kept: one directory for each, which nobody else may read, locked by whoever works on it.
//!
//! ```text
//! <store>/<id>/description.json   what it is going to be a backup of
//!              files/0, 1, 2, …   contents, each once however many names it has
//!              manifest.json      names and attributes; written last, and without it nothing here is trusted
//!              left.json          what the command left behind
//!              restoring.json     a restore has begun and not ended
//!              restored.json      a restore has ended
//! ```

use std::{
    fs::File,
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use rustix::{
    fs::{AtFlags, FlockOperation, Mode, OFlags, Stat, flock, fstat, fsync, mkdirat, openat, unlinkat},
    io::Errno,
};

use super::{
    BackupError, BackupId, FileSystemRoom, Room,
    document::{self, Unread},
    manifest::{Left, Manifest},
    survey,
    wire::{Meaningless, WireManifest, WireSeal},
};

pub(super) const DESCRIPTION: &str = "description.json";
pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const LEFT: &str = "left.json";
pub(super) const RESTORING: &str = "restoring.json";
pub(super) const RESTORED: &str = "restored.json";
pub(super) const FILES: &str = "files";

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const PRIVATE: Mode = Mode::RWXU;

/// Whoever may write in the store could put anything into a backup.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// Whoever only lists holds a lock for moments.
const TRIES: u32 = 50;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// A directory of backups.
pub struct Store {
    pub(super) path: PathBuf,
    pub(super) directory: OwnedFd,
    pub(super) room: Box<dyn Room>,
}

impl Store {
    /// Opens a store, which is made if it is not there. Its own directory is; those above it are not.
    pub fn open(path: &Path) -> Result<Self, BackupError> {
        let failed = |errno| BackupError::at(path, "open", errno);
        match rustix::fs::mkdir(path, PRIVATE) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(Errno::NOENT) => return Err(BackupError::Missing(path.parent().unwrap_or(path).to_owned())),
            Err(errno) => return Err(BackupError::at(path, "make", errno)),
        }
        let path = path.canonicalize().map_err(|error| BackupError::at(path, "open", error))?;
        let directory = rustix::fs::open(&path, DIRECTORY, Mode::empty()).map_err(failed)?;
        let about = fstat(&directory).map_err(failed)?;
        if about.st_uid != rustix::process::geteuid().as_raw() || about.st_mode & WRITABLE_BY_OTHERS != 0 {
            return Err(BackupError::Exposed(path));
        }
        Ok(Self { path, directory, room: Box::new(FileSystemRoom) })
    }

    /// The same store with another idea of how much room there is.
    #[must_use]
    pub fn with_room(self, room: impl Room + 'static) -> Self {
        Self { room: Box::new(room), ..self }
    }

    /// Removes a backup, whatever its state: also one that was never finished.
    pub fn remove(&self, id: &BackupId) -> Result<(), BackupError> {
        self.slot(id)?.remove(self)
    }

    pub(super) fn stat(&self) -> Result<Stat, BackupError> {
        fstat(&self.directory).map_err(|errno| BackupError::at(&self.path, "look at", errno))
    }

    /// Makes the directory of a new backup.
    pub(super) fn new_slot(&self, id: &BackupId) -> Result<Slot, BackupError> {
        let path = self.path.join(id.as_str());
        match mkdirat(&self.directory, id.as_str(), PRIVATE) {
            Ok(()) => self.slot(id),
            Err(Errno::EXIST) => Err(BackupError::Exists(id.clone())),
            // The store itself has been removed.
            Err(Errno::NOENT) => Err(BackupError::Missing(self.path.clone())),
            Err(errno) => Err(BackupError::at(&path, "make", errno)),
        }
    }

    /// The directory of a backup, locked until it is dropped.
    pub(super) fn slot(&self, id: &BackupId) -> Result<Slot, BackupError> {
        let slot = self.unlocked(id)?;
        for _ in 0..TRIES {
            match flock(&slot.directory, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(slot),
                Err(Errno::WOULDBLOCK | Errno::INTR) => thread::sleep(BETWEEN_TRIES),
                Err(errno) => return Err(BackupError::at(&slot.path, "lock", errno)),
            }
        }
        Err(BackupError::Busy(id.clone()))
    }

    /// The directory of a backup, for looking at it.
    pub(super) fn unlocked(&self, id: &BackupId) -> Result<Slot, BackupError> {
        let path = self.path.join(id.as_str());
        match openat(&self.directory, id.as_str(), DIRECTORY, Mode::empty()) {
            Ok(directory) => Ok(Slot { id: id.clone(), path, directory }),
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Err(BackupError::Unknown(id.clone())),
            Err(errno) => Err(BackupError::at(&path, "open", errno)),
        }
    }

    /// Makes sure that the names of the backups are on the disk.
    pub(super) fn flush(&self) -> Result<(), BackupError> {
        fsync(&self.directory).map_err(|errno| BackupError::at(&self.path, "write", errno))
    }
}

/// The directory of one backup.
pub(super) struct Slot {
    pub(super) id: BackupId,
    pub(super) path: PathBuf,
    pub(super) directory: OwnedFd,
}

impl Slot {
    /// The manifest, if there is one that can be trusted.
    pub(super) fn manifest(&self) -> Result<Manifest, BackupError> {
        let wire: WireManifest =
            document::read(self.directory.as_fd(), MANIFEST).map_err(|unread| self.unread(unread))?;
        wire.into_manifest(self.id.as_str()).map_err(|meaningless| self.meaningless(&meaningless))
    }

    /// What the command left behind, if that was recorded.
    pub(super) fn left(&self) -> Result<Option<Vec<Left>>, BackupError> {
        match document::read::<WireSeal>(self.directory.as_fd(), LEFT) {
            Ok(wire) => wire.into_left().map(Some).map_err(|meaningless| self.meaningless(&meaningless)),
            Err(Unread::Missing) => Ok(None),
            Err(unread) => Err(self.unread(unread)),
        }
    }

    pub(super) fn unread(&self, unread: Unread) -> BackupError {
        let id = self.id.clone();
        match unread {
            Unread::Missing => BackupError::HalfMade(id),
            Unread::Damaged(what) => BackupError::Damaged { id, what },
            Unread::Version(version) => BackupError::Version { id, version },
            Unread::System(error) => BackupError::at(&self.path, "read", error),
        }
    }

    pub(super) fn meaningless(&self, meaningless: &Meaningless) -> BackupError {
        BackupError::Damaged { id: self.id.clone(), what: format!("{} in it has no meaning", meaningless.0) }
    }

    pub(super) fn files(&self) -> Result<OwnedFd, BackupError> {
        openat(&self.directory, FILES, DIRECTORY, Mode::empty()).map_err(|errno| match errno {
            Errno::NOENT => BackupError::Damaged { id: self.id.clone(), what: "the files are gone".into() },
            errno => BackupError::at(&self.path.join(FILES), "open", errno),
        })
    }

    /// Makes the directory for the contents.
    pub(super) fn make_files(&self) -> Result<OwnedFd, BackupError> {
        let failed = |errno| BackupError::at(&self.path.join(FILES), "make", errno);
        mkdirat(&self.directory, FILES, PRIVATE).map_err(failed)?;
        self.files()
    }

    /// Opens a saved content.
    pub(super) fn content(&self, files: &OwnedFd, number: usize) -> Result<File, BackupError> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        openat(files, number.to_string(), flags, Mode::empty()).map(File::from).map_err(|errno| match errno {
            Errno::NOENT | Errno::LOOP => {
                BackupError::Damaged { id: self.id.clone(), what: format!("file {number} is gone") }
            }
            errno => BackupError::at(&self.path.join(FILES).join(number.to_string()), "read", errno),
        })
    }

    /// Removes a document, if it is there.
    pub(super) fn forget(&self, document: &str) -> Result<(), BackupError> {
        let failed = |errno| BackupError::at(&self.path, "write", errno);
        match unlinkat(&self.directory, document, AtFlags::empty()) {
            Ok(()) => fsync(&self.directory).map_err(failed),
            Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(failed(errno)),
        }
    }

    /// Removes all of it. The manifest goes first, so that what is left by a kill meanwhile is not trusted.
    pub(super) fn remove(self, store: &Store) -> Result<(), BackupError> {
        let failed = |errno| BackupError::at(&self.path, "remove", errno);
        self.forget(MANIFEST)?;
        match openat(&self.directory, FILES, DIRECTORY, Mode::empty()) {
            Ok(files) => {
                remove_names(&files).map_err(failed)?;
                unlinkat(&self.directory, FILES, AtFlags::REMOVEDIR).map_err(failed)?;
            }
            Err(Errno::NOENT) => {}
            Err(errno) => return Err(failed(errno)),
        }
        remove_names(&self.directory).map_err(failed)?;
        unlinkat(&store.directory, self.id.as_str(), AtFlags::REMOVEDIR).map_err(failed)?;
        store.flush()
    }
}

/// Removes what is in a directory of ours, in which there are only files.
fn remove_names(directory: &OwnedFd) -> rustix::io::Result<()> {
    survey::names(directory)?.iter().try_for_each(|name| unlinkat(directory, name, AtFlags::empty()))
}
