//! The values of a backup: what was saved, as data. Nothing is read or written here.

use std::{
    ffi::OsString,
    fmt,
    path::PathBuf,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use super::BackupError;

/// The name of a backup, which is also the name of its directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BackupId(String);

impl BackupId {
    /// A name, if it can be one.
    pub fn new(name: impl Into<String>) -> Result<Self, BackupError> {
        let name = name.into();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if (1..=64).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(plain) {
            Ok(Self(name))
        } else {
            Err(BackupError::InvalidId(name))
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BackupId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A point in time, to the nanosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// Since 1970, UTC; negative before.
    pub seconds: i64,
    /// Less than a thousand million, counted forwards.
    pub nanoseconds: u32,
}

impl From<SystemTime> for Moment {
    fn from(time: SystemTime) -> Self {
        let whole = |duration: Duration| i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Self { seconds: whole(after), nanoseconds: after.subsec_nanos() },
            Err(error) => match (whole(error.duration()), error.duration().subsec_nanos()) {
                (seconds, 0) => Self { seconds: -seconds, nanoseconds: 0 },
                (seconds, nanoseconds) => Self { seconds: -seconds - 1, nanoseconds: 1_000_000_000 - nanoseconds },
            },
        }
    }
}

/// What a backup is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// When it was made, as the caller says.
    pub time: Moment,
    /// The command it was made for, as text.
    pub command: String,
    /// The paths that were saved.
    pub paths: Vec<PathBuf>,
}

/// How much was saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Files, directories, links and pipes.
    pub entries: u64,
    /// The lengths of all files, each counted once however many names it has.
    pub bytes: u64,
    /// What they took on the disk.
    pub allocated: u64,
}

/// A SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digest(pub(super) [u8; 32]);

/// Extended attributes by name.
pub(super) type Extended = Vec<(OsString, Vec<u8>)>;

/// Everything about a file but its name and contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attributes {
    /// The permissions with the setuid, setgid and sticky bits, without the kind.
    pub(super) mode: u32,
    pub(super) owner: u32,
    pub(super) group: u32,
    pub(super) modified: Moment,
    pub(super) extended: Extended,
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// A file, with the number of its content. Two files with one number are hard links of each other.
    File(usize),
    Directory,
    Symlink(OsString),
    Fifo,
}

/// One saved path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) path: PathBuf,
    pub(super) node: Node,
    pub(super) attributes: Attributes,
}

/// What is in a file, or in several that are hard links of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) size: u64,
    pub(super) allocated: u64,
    pub(super) digest: Digest,
    /// How many more names the file has that were not saved.
    pub(super) names_elsewhere: u64,
}

/// A whole backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) description: Description,
    /// The directories above the saved paths, from the top, in case that they vanish as well.
    pub(super) above: Vec<Entry>,
    /// Every saved path; a directory comes before what is in it.
    pub(super) entries: Vec<Entry>,
    pub(super) contents: Vec<Content>,
}

impl Manifest {
    pub(super) fn size(&self) -> Size {
        Size {
            entries: self.entries.len() as u64,
            bytes: self.contents.iter().fold(0, |sum, content| sum.saturating_add(content.size)),
            allocated: self.contents.iter().fold(0, |sum, content| sum.saturating_add(content.allocated)),
        }
    }
}

/// What the command left behind at a path that was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// Nothing.
    Nothing,
    /// A file with these contents.
    File {
        digest: Digest,
        attributes: Attributes,
    },
    /// A directory, a link or a pipe.
    Directory {
        attributes: Attributes,
    },
    Symlink {
        target: OsString,
        attributes: Attributes,
    },
    Fifo {
        attributes: Attributes,
    },
    /// Something that is never replaced.
    Other,
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::{BackupId, Moment};

    #[test]
    fn a_name_cannot_lead_anywhere() {
        for name in ["a", "2026-11-17_19.03.12-rm", "A.b"] {
            assert_eq!(BackupId::new(name).unwrap().as_str(), name);
        }
        for name in ["", ".", "..", ".a", "a/b", "a b", "ä", "a\0", &"x".repeat(65)] {
            assert!(BackupId::new(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn moments_before_the_epoch_count_forwards() {
        let moment = |seconds, nanoseconds| Moment { seconds, nanoseconds };
        assert_eq!(Moment::from(UNIX_EPOCH + Duration::new(5, 7)), moment(5, 7));
        assert_eq!(Moment::from(UNIX_EPOCH - Duration::new(5, 0)), moment(-5, 0));
        assert_eq!(Moment::from(UNIX_EPOCH - Duration::new(5, 1)), moment(-6, 999_999_999));
        assert!(moment(-6, 999_999_999) < moment(-5, 0));
    }
}
