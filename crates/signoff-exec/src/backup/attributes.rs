//! Reads and sets everything about a file but its name and contents.

use std::{
    ffi::{OsStr, OsString},
    os::{
        fd::BorrowedFd,
        unix::ffi::{OsStrExt, OsStringExt},
    },
};

use rustix::{
    fs::{
        AtFlags, FileType, Gid, Mode, Stat, Timespec, Timestamps, UTIME_OMIT, Uid, XattrFlags, chmodat, chownat,
        fchmod, fchown, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fsetxattr, futimens, utimensat,
    },
    io::{Errno, Result},
};

use super::manifest::{Attributes, Extended, Moment};

/// What tells one state of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) mode: u32,
    pub(super) names: u64,
    pub(super) size: u64,
    pub(super) allocated: u64,
    modified: Moment,
    changed: Moment,
}

impl Stamp {
    #[allow(clippy::unnecessary_cast, clippy::cast_lossless, reason = "the widths differ between systems")]
    pub(super) fn of(stat: &Stat) -> Self {
        Self {
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            mode: stat.st_mode as u32,
            names: stat.st_nlink as u64,
            size: u64::try_from(stat.st_size).unwrap_or_default(),
            allocated: u64::try_from(stat.st_blocks).unwrap_or_default().saturating_mul(512),
            modified: moment(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: moment(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }
}

impl Stamp {
    pub(super) const fn modified(&self) -> Moment {
        self.modified
    }
}

fn moment(seconds: i64, nanoseconds: i64) -> Moment {
    Moment { seconds, nanoseconds: u32::try_from(nanoseconds).unwrap_or_default() }
}

pub(super) fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

/// All attributes but the extended ones, for which a file has to be open.
#[allow(clippy::unnecessary_cast, clippy::cast_lossless, reason = "the widths differ between systems")]
pub(super) fn plain(stat: &Stat) -> Attributes {
    Attributes {
        mode: stat.st_mode as u32 & 0o7777,
        owner: stat.st_uid,
        group: stat.st_gid,
        modified: Stamp::of(stat).modified,
        extended: Vec::new(),
    }
}

/// The extended attributes of an open file, sorted by name. A file system that has none has none to lose.
pub(super) fn extended(file: BorrowedFd<'_>) -> Result<Extended> {
    let mut names = match flistxattr_query(file) {
        Ok(length) => vec![0; length],
        Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(Vec::new()),
        Err(errno) => return Err(errno),
    };
    let length = flistxattr(file, &mut names)?;
    names.truncate(length);
    let mut extended = Vec::new();
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let value = fgetxattr_query(file, name).and_then(|length| {
            let mut value = vec![0; length];
            let length = fgetxattr(file, name, &mut value)?;
            value.truncate(length);
            Ok(value)
        });
        match value {
            Ok(value) => extended.push((OsString::from_vec(name.to_vec()), value)),
            // Some names are listed to everybody and read by nobody but root.
            Err(Errno::NODATA | Errno::ACCESS | Errno::PERM | Errno::NOTSUP) => {}
            Err(errno) => return Err(errno),
        }
    }
    extended.sort();
    Ok(extended)
}

/// What could not be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NotSet {
    /// The file belongs to somebody else now, and runs as nobody else.
    Owner,
    /// An extended attribute.
    Extended(OsString),
}

/// Whether the time of the last change is set as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    Set,
    Leave,
}

/// Sets the attributes of an open file or directory.
pub(super) fn set(file: BorrowedFd<'_>, attributes: &Attributes, times: Times) -> Result<Vec<NotSet>> {
    let mut not_set = Vec::new();
    // The order matters: a new owner takes the setuid bits and capabilities away, and read-only rights the right to set
    // extended attributes.
    let mode = if own(fchown(file, uid(attributes), gid(attributes)))? {
        attributes.mode
    } else {
        not_set.push(NotSet::Owner);
        // What ran with the rights of its owner must not run with those of another.
        attributes.mode & !0o6000
    };
    let current = extended(file)?;
    for (name, value) in attributes.extended.iter().filter(|wanted| !current.contains(wanted)) {
        match fsetxattr(file, name.as_os_str(), value, XattrFlags::empty()) {
            Ok(()) => {}
            Err(Errno::NOSPC | Errno::DQUOT) => return Err(Errno::NOSPC),
            Err(_) => not_set.push(NotSet::Extended(name.clone())),
        }
    }
    fchmod(file, raw_mode(mode))?;
    if times == Times::Set {
        set_time(file, attributes.modified)?;
    }
    Ok(not_set)
}

/// Sets the time of the last change of an open file or directory.
pub(super) fn set_time(file: BorrowedFd<'_>, modified: Moment) -> Result<()> {
    futimens(file, &timestamps(modified))
}

/// Sets the attributes of a link or a pipe, which cannot be opened without consequences.
pub(super) fn set_at(
    directory: BorrowedFd<'_>,
    name: &OsStr,
    attributes: &Attributes,
    kind: FileType,
) -> Result<Vec<NotSet>> {
    let owned = own(chownat(directory, name, uid(attributes), gid(attributes), AtFlags::SYMLINK_NOFOLLOW))?;
    if kind != FileType::Symlink {
        chmodat(directory, name, raw_mode(attributes.mode), AtFlags::empty())?;
    }
    utimensat(directory, name, &timestamps(attributes.modified), AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(if owned { Vec::new() } else { vec![NotSet::Owner] })
}

fn own(result: Result<()>) -> Result<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(Errno::PERM | Errno::INVAL | Errno::NOTSUP) => Ok(false),
        Err(errno) => Err(errno),
    }
}

fn uid(attributes: &Attributes) -> Option<Uid> {
    Some(Uid::from_raw(attributes.owner))
}

fn gid(attributes: &Attributes) -> Option<Gid> {
    Some(Gid::from_raw(attributes.group))
}

#[allow(clippy::unnecessary_cast, clippy::cast_possible_truncation, reason = "the widths differ between systems")]
fn raw_mode(mode: u32) -> Mode {
    Mode::from_raw_mode(mode as rustix::fs::RawMode)
}

fn timestamps(modified: Moment) -> Timestamps {
    Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec { tv_sec: modified.seconds, tv_nsec: modified.nanoseconds.into() },
    }
}

/// A name as the system lists it.
pub(super) fn name_of(entry: &rustix::fs::DirEntry) -> OsString {
    OsStr::from_bytes(entry.file_name().to_bytes()).to_owned()
}
