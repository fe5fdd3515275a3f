//! Goes down to a directory step by step, and never through a symbolic link.
//!
//! A path that is resolved by the system can lead somewhere else between two looks. Here every step is taken from the
//! directory that was opened before it, so that a link that is put in the way meanwhile is an error and not a detour.

use std::{
    ffi::{OsStr, OsString},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Component, Path, PathBuf},
};

use rustix::{
    fs::{AtFlags, Mode, OFlags, Stat, openat, statat},
    io::Errno,
};

use super::BackupError;

/// Every step costs an open file, of which a process commonly has a thousand.
const DEPTH_AT_MOST: usize = 400;

/// How a directory is opened to go through it. Where the system can, this needs no right to list it.
#[cfg(target_os = "linux")]
const THROUGH: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const THROUGH: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A directory that could not be reached.
#[derive(Debug)]
pub(crate) struct Blocked {
    pub(crate) path: PathBuf,
    pub(crate) errno: Errno,
}

impl Blocked {
    pub(super) fn into_error(self) -> BackupError {
        if self.errno == Errno::NAMETOOLONG {
            return BackupError::TooDeep(self.path);
        }
        BackupError::at(&self.path, "enter", self.errno)
    }
}

/// The open directories from the root down to the one that was reached last.
pub(crate) struct Ladder {
    root: OwnedFd,
    rungs: Vec<(OsString, OwnedFd)>,
}

impl Ladder {
    pub(crate) fn new() -> Result<Self, BackupError> {
        let root = rustix::fs::open("/", THROUGH, Mode::empty());
        let root = root.map_err(|errno| BackupError::at(Path::new("/"), "enter", errno))?;
        Ok(Self { root, rungs: Vec::new() })
    }

    /// Goes to a directory, given by an absolute path without `..`.
    pub(super) fn go(&mut self, directory: &Path) -> Result<BorrowedFd<'_>, Blocked> {
        let blocked = |errno| Blocked { path: directory.to_owned(), errno };
        let mut depth = 0;
        for component in directory.components() {
            let name = match component {
                Component::RootDir | Component::CurDir => continue,
                Component::Normal(name) => name,
                Component::ParentDir | Component::Prefix(_) => return Err(blocked(Errno::INVAL)),
            };
            if self.rungs.get(depth).is_none_or(|(there, _)| there != name) {
                self.rungs.truncate(depth);
                if depth == DEPTH_AT_MOST {
                    return Err(blocked(Errno::NAMETOOLONG));
                }
                let next = openat(self.lowest(), name, THROUGH, Mode::empty()).map_err(blocked)?;
                self.rungs.push((name.to_owned(), next));
            }
            depth += 1;
        }
        self.rungs.truncate(depth);
        Ok(self.lowest())
    }

    /// Goes to the directory that a path is in, and gives its name there.
    pub(crate) fn above<'path>(&mut self, path: &'path Path) -> Result<(BorrowedFd<'_>, &'path OsStr), Blocked> {
        let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(Blocked { path: path.to_owned(), errno: Errno::INVAL });
        };
        Ok((self.go(directory)?, name))
    }

    /// Opens a directory so that it can be listed and written back.
    pub(super) fn open(&mut self, directory: &Path) -> Result<OwnedFd, Blocked> {
        let blocked = |errno| Blocked { path: directory.to_owned(), errno };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        openat(self.go(directory)?, ".", flags, Mode::empty()).map_err(blocked)
    }

    /// What stands at a path: the link itself if it is one.
    pub(super) fn look(&mut self, path: &Path) -> Result<Stat, Blocked> {
        let (directory, name) = self.above(path)?;
        statat(directory, name, AtFlags::SYMLINK_NOFOLLOW).map_err(|errno| Blocked { path: path.to_owned(), errno })
    }

    fn lowest(&self) -> BorrowedFd<'_> {
        self.rungs.last().map_or_else(|| self.root.as_fd(), |(_, rung)| rung.as_fd())
    }
}
