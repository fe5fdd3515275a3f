//! Everything that can go wrong with a backup or an undo, with what to do about it. Nothing is half done when one of
//! these comes back, unless it says so.

use std::{
    io,
    path::{Path, PathBuf},
};

use rustix::io::Errno;

use super::BackupId;

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupErrorKind {
    /// It was asked for something that cannot be done.
    Usage,
    /// The files were not the same from beginning to end.
    Changed,
    /// There is not enough room.
    NoRoom,
    /// The rights do not suffice, or the file system takes no changes.
    Denied,
    /// The backup cannot be trusted.
    Untrusted,
    /// Something else is there now.
    Conflict,
    /// Somebody else is at it.
    Busy,
    /// It was called off.
    Cancelled,
    /// The system did not play along.
    System,
}

/// Why a path is in the way of a restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictReason {
    /// A file or link is there with other contents than the saved and than those that the command left behind.
    OtherContents,
    /// Something of another kind is there.
    OtherKind,
    /// What should be its directory is none.
    NoDirectory,
}

impl ConflictReason {
    const fn text(self) -> &'static str {
        match self {
            Self::OtherContents => "has other contents now",
            Self::OtherKind => "is something else now",
            Self::NoDirectory => "lies below something that is no directory now",
        }
    }
}

/// Something that exists now and would be lost by a restore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Where it is.
    pub path: PathBuf,
    /// Why it is in the way.
    pub reason: ConflictReason,
}

/// A backup or an undo that was not made.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A name that cannot be that of a backup.
    #[error("`{0}` cannot be the name of a backup")]
    InvalidId(String),
    /// A path that cannot be backed up.
    #[error("`{}` is not an absolute path with a name at its end", .0.display())]
    InvalidPath(PathBuf),
    /// No path was given.
    #[error("there is nothing to back up")]
    Nothing,
    /// The store is inside of what is backed up, or the other way round.
    #[error("`{}` and the store of backups, `{}`, lie inside each other", path.display(), store.display())]
    StoreInside {
        /// What should be backed up or restored.
        path: PathBuf,
        /// Where backups are kept.
        store: PathBuf,
    },
    /// Something that cannot be brought back from a copy.
    #[error("`{}` is a {what}, which no copy can bring back", path.display())]
    Unsavable {
        /// Where it is.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// A tree that is too deep.
    #[error("`{}` lies too deep", .0.display())]
    TooDeep(PathBuf),
    /// There is nothing there.
    #[error("`{}` does not exist", .0.display())]
    Missing(PathBuf),
    /// It was not the same from beginning to end.
    #[error("`{}` grew, changed or vanished meanwhile", .0.display())]
    Changed(PathBuf),
    /// There is not enough room.
    #[error("there is not enough room in `{}`{}", path.display(), room_text(*.needed, *.available))]
    NoRoom {
        /// Where it would be written.
        path: PathBuf,
        /// How much is needed, if that was known beforehand.
        needed: Option<u64>,
        /// How much there is, if that was known beforehand.
        available: Option<u64>,
    },
    /// The rights do not suffice.
    #[error("cannot {action} `{}`: permission denied", path.display())]
    Denied {
        /// What should have been done.
        action: &'static str,
        /// To what.
        path: PathBuf,
    },
    /// The file system takes no changes.
    #[error("cannot {action} `{}`: the file system is read-only", path.display())]
    ReadOnly {
        /// What should have been done.
        action: &'static str,
        /// To what.
        path: PathBuf,
    },
    /// Somebody else could have put something into the store.
    #[error("`{}`, the store of backups, belongs to somebody else or can be written by others", .0.display())]
    Exposed(PathBuf),
    /// There is a backup of that name already.
    #[error("there is a backup `{0}` already")]
    Exists(BackupId),
    /// There is no such backup.
    #[error("there is no backup `{0}`")]
    Unknown(BackupId),
    /// Somebody else is making, restoring or removing it.
    #[error("backup `{0}` is in use by another process")]
    Busy(BackupId),
    /// It was never finished.
    #[error("backup `{0}` was never finished")]
    HalfMade(BackupId),
    /// It is not what it was when it was made.
    #[error("backup `{id}` is damaged: {what}")]
    Damaged {
        /// Which one.
        id: BackupId,
        /// What is wrong with it.
        what: String,
    },
    /// It was made by another version of Signoff.
    #[error("backup `{id}` has the format {version}, which this version does not know")]
    Version {
        /// Which one.
        id: BackupId,
        /// Its format.
        version: u64,
    },
    /// What the command left behind is already recorded.
    #[error("what was left behind after backup `{0}` is already recorded")]
    AlreadySealed(BackupId),
    /// Something else is there now.
    #[error("{}", conflict_text(.0))]
    Conflicts(Vec<Conflict>),
    /// A restore was broken off after it had begun.
    #[error("the restore was broken off: {source}")]
    Unfinished {
        /// What broke it off.
        source: Box<BackupError>,
    },
    /// It was called off.
    #[error("it was called off")]
    Cancelled,
    /// The system did not play along.
    #[error("cannot {action} `{}`: {source}", path.display())]
    System {
        /// What should have been done.
        action: &'static str,
        /// To what.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

fn room_text(needed: Option<u64>, available: Option<u64>) -> String {
    match (needed, available) {
        (Some(needed), Some(available)) => format!(": {needed} bytes are needed, {available} are free"),
        _ => String::new(),
    }
}

fn conflict_text(conflicts: &[Conflict]) -> String {
    match conflicts {
        [] => "something is in the way".into(),
        [Conflict { path, reason }] => format!("`{}` {}", path.display(), reason.text()),
        [Conflict { path, reason }, rest @ ..] => {
            format!("`{}` {}, and {} more are in the way", path.display(), reason.text(), rest.len())
        }
    }
}

impl BackupError {
    /// What the system said about a path, in our words.
    pub(super) fn at(path: &Path, action: &'static str, errno: impl Into<io::Error>) -> Self {
        let source = errno.into();
        let path = path.to_owned();
        match source.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::ACCESS | Errno::PERM) => Self::Denied { action, path },
            Some(Errno::ROFS) => Self::ReadOnly { action, path },
            Some(Errno::NOSPC | Errno::DQUOT | Errno::FBIG) => Self::NoRoom { path, needed: None, available: None },
            Some(Errno::NOENT | Errno::STALE | Errno::LOOP | Errno::NOTDIR) => Self::Changed(path),
            _ => Self::System { action, path, source },
        }
    }

    /// What kind of failure it is.
    pub const fn kind(&self) -> BackupErrorKind {
        match self {
            Self::InvalidId(_)
            | Self::InvalidPath(_)
            | Self::Nothing
            | Self::StoreInside { .. }
            | Self::Unsavable { .. }
            | Self::TooDeep(_)
            | Self::Missing(_)
            | Self::Exists(_)
            | Self::Unknown(_)
            | Self::AlreadySealed(_) => BackupErrorKind::Usage,
            Self::Changed(_) => BackupErrorKind::Changed,
            Self::NoRoom { .. } => BackupErrorKind::NoRoom,
            Self::Denied { .. } | Self::ReadOnly { .. } => BackupErrorKind::Denied,
            Self::Exposed(_) | Self::HalfMade(_) | Self::Damaged { .. } | Self::Version { .. } => {
                BackupErrorKind::Untrusted
            }
            Self::Conflicts(_) => BackupErrorKind::Conflict,
            Self::Busy(_) => BackupErrorKind::Busy,
            Self::Cancelled => BackupErrorKind::Cancelled,
            Self::Unfinished { source } => source.kind(),
            Self::System { .. } => BackupErrorKind::System,
        }
    }

    /// What to do about it.
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::InvalidId(_) => "use letters, digits, `-`, `_` and `.`, at most 64 of them, with no `.` in front",
            Self::InvalidPath(_) => "name files and directories by their absolute paths",
            Self::Nothing => "name what is to be backed up",
            Self::StoreInside { .. } => "keep backups in a directory that is not part of what is backed up",
            Self::Unsavable { .. } => "go ahead without a backup, or leave it out of the command",
            Self::TooDeep(_) => "back up a part of the tree",
            Self::Missing(_) => "nothing was backed up; look again at what the command would do",
            Self::Changed(_) => "something else is writing there; wait until it is done and try again",
            Self::NoRoom { .. } => {
                "remove backups that are no longer needed with `signoff undo --prune`, or free some room"
            }
            Self::Denied { .. } => "check who owns it and who may read and write it; nothing was changed",
            Self::ReadOnly { .. } => "mount it writable, or choose another directory; nothing was changed",
            Self::Exposed(_) => "look at what is in it, then make it yours alone: chmod go-w, chown",
            Self::Exists(_) => "choose another name",
            Self::Unknown(_) => "`signoff undo` lists the backups there are",
            Self::Busy(_) => "wait until the other process is done",
            Self::HalfMade(_) => "the command it was for has not been run; it can be removed",
            Self::Damaged { .. } => "nothing was restored from it; look for another copy",
            Self::Version { .. } => "use the version of Signoff that made it, or a newer one",
            Self::AlreadySealed(_) => "make a backup for every command",
            Self::Conflicts(_) => "move what is there out of the way, or restore beside it into another directory",
            Self::Unfinished { .. } => "what was restored so far is whole; restore it again to finish",
            Self::Cancelled => "nothing was changed",
            Self::System { .. } => "nothing was run; look at what the system says",
        }
    }
}
