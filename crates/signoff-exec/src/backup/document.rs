//! A small file that is either whole or not there: written under another name, flushed and renamed. Its first line says
//! which format the rest has and which digest, so that damage and the unknown are told apart.

use std::{
    fs::File,
    io::{Read, Write},
    os::fd::{AsFd, BorrowedFd},
};

use rustix::{
    fs::{Mode, OFlags, fsync, openat, renameat, unlinkat},
    io::Errno,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::content::digest_of;
use super::wire::{digest_from, digest_text};

/// The format that this version writes, and the only one that it knows.
pub(super) const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u64,
    sha256: String,
}

/// Why there is nothing to be read.
#[derive(Debug)]
pub(super) enum Unread {
    /// It is not there.
    Missing,
    /// It is not what it was when it was written.
    Damaged(String),
    /// It has another version.
    Version(u64),
    /// The system did not play along.
    System(std::io::Error),
}

/// Writes a document. After this it is on the disk, or what was there before still is.
pub(super) fn write(directory: BorrowedFd<'_>, name: &str, content: &impl Serialize) -> std::io::Result<()> {
    let body = serde_json::to_vec(content)?;
    let header = Header {
        format: format!("signoff-{}", name.trim_end_matches(".json")),
        version: VERSION,
        sha256: digest_text(digest_of(&body)),
    };
    let temporary = format!("{name}.new");
    match unlinkat(directory, temporary.as_str(), rustix::fs::AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => {}
        Err(errno) => return Err(errno.into()),
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(openat(directory, temporary.as_str(), flags, Mode::from_raw_mode(0o600))?);
    serde_json::to_writer(&mut file, &header)?;
    file.write_all(b"\n")?;
    file.write_all(&body)?;
    file.sync_all()?;
    renameat(directory, temporary.as_str(), directory, name)?;
    fsync(directory)?;
    Ok(())
}

/// Reads a document that is what it was when it was written.
pub(super) fn read<T: DeserializeOwned>(directory: BorrowedFd<'_>, name: &str) -> Result<T, Unread> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match openat(directory.as_fd(), name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Err(Unread::Missing),
        Err(errno) => return Err(Unread::System(errno.into())),
    };
    let mut bytes = Vec::new();
    File::from(file).read_to_end(&mut bytes).map_err(Unread::System)?;
    let damaged = |what: &str| Unread::Damaged(format!("{name} {what}"));
    let mut parts = bytes.splitn(2, |byte| *byte == b'\n');
    let (Some(header), Some(body)) = (parts.next(), parts.next()) else {
        return Err(damaged("is cut off"));
    };
    let header: Header = serde_json::from_slice(header).map_err(|_| damaged("has no readable first line"))?;
    if header.version != VERSION {
        return Err(Unread::Version(header.version));
    }
    if digest_from(&header.sha256) != Some(digest_of(body)) {
        return Err(damaged("is not what was written"));
    }
    serde_json::from_slice(body).map_err(|error| damaged(&format!("cannot be read: {error}")))
}
