//! Looks at everything below some paths without touching it. Two surveys that are equal mean that nothing has changed
//! between them.

use std::{
    ffi::{OsStr, OsString},
    os::{fd::AsFd, unix::ffi::OsStringExt},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Dir, FileType, Stat, fstat, readlinkat},
    io::Errno,
};

use super::{
    BackupError,
    attributes::{self, Stamp},
    ladder::Ladder,
    manifest::{Attributes, Extended},
};

/// What was found at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) stamp: Stamp,
    pub(super) node: FoundNode,
    pub(super) attributes: Attributes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FoundNode {
    File,
    Directory,
    Symlink(OsString),
    Fifo,
}

/// Everything at and below some paths, directories before what is in them.
pub(super) fn survey(roots: &[PathBuf], store: &Stat) -> Result<Vec<Found>, BackupError> {
    let mut ladder = Ladder::new()?;
    let mut all = Vec::new();
    for root in roots {
        let mut ahead = vec![root.clone()];
        while let Some(path) = ahead.pop() {
            let found = look(&mut ladder, &path).map_err(|error| match error {
                // What is missing from the beginning has not vanished.
                BackupError::Changed(path) if path == *root => BackupError::Missing(path),
                error => error,
            })?;
            if found.node == FoundNode::Directory {
                let (device, inode) = (found.stamp.device, found.stamp.inode);
                let store_stamp = Stamp::of(store);
                if (device, inode) == (store_stamp.device, store_stamp.inode) {
                    return Err(BackupError::StoreInside { path: root.clone(), store: path });
                }
                let (extended, below) = list(&mut ladder, &path)?;
                ahead.extend(below);
                all.push(Found { attributes: Attributes { extended, ..found.attributes }, ..found });
            } else {
                all.push(found);
            }
        }
    }
    Ok(all)
}

/// Where two surveys differ first.
pub(super) fn difference<'found>(before: &'found [Found], after: &'found [Found]) -> Option<&'found Path> {
    let differs = before.iter().zip(after).find(|(before, after)| before != after);
    let (longer, shorter) = if before.len() > after.len() { (before, after) } else { (after, before) };
    differs.map(|(before, _)| before).or_else(|| longer.get(shorter.len())).map(|found| found.path.as_path())
}

fn look(ladder: &mut Ladder, path: &Path) -> Result<Found, BackupError> {
    let stat = ladder.look(path).map_err(|blocked| blocked.into_error())?;
    let node = match attributes::kind(&stat) {
        FileType::RegularFile => FoundNode::File,
        FileType::Directory => FoundNode::Directory,
        FileType::Symlink => {
            let (directory, name) = ladder.above(path).map_err(|blocked| blocked.into_error())?;
            FoundNode::Symlink(read_link(directory, name).map_err(|errno| BackupError::at(path, "read", errno))?)
        }
        FileType::Fifo if cfg!(target_os = "linux") => FoundNode::Fifo,
        kind => return Err(BackupError::Unsavable { path: path.to_owned(), what: what(kind) }),
    };
    Ok(Found { path: path.to_owned(), stamp: Stamp::of(&stat), node, attributes: attributes::plain(&stat) })
}

/// Where a link points, as it is written.
pub(super) fn read_link(directory: impl AsFd, name: &OsStr) -> rustix::io::Result<OsString> {
    match readlinkat(directory, name, Vec::new()) {
        Ok(target) => Ok(OsString::from_vec(target.into_bytes())),
        // It was a link a moment ago.
        Err(Errno::INVAL) => Err(Errno::NOENT),
        Err(errno) => Err(errno),
    }
}

/// The extended attributes of a directory and the paths in it, in an order that is always the same.
fn list(ladder: &mut Ladder, directory: &Path) -> Result<(Extended, Vec<PathBuf>), BackupError> {
    let failed = |errno| BackupError::at(directory, "list", errno);
    let open = ladder.open(directory).map_err(|blocked| blocked.into_error())?;
    let extended = attributes::extended(open.as_fd()).map_err(failed)?;
    let mut names = names(&open).map_err(failed)?;
    // The last comes first off the stack.
    names.sort_by(|one, other| other.cmp(one));
    Ok((extended, names.into_iter().map(|name| directory.join(name)).collect()))
}

/// The names in an open directory, in no order.
pub(super) fn names(directory: impl AsFd) -> rustix::io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let name = attributes::name_of(&entry?);
        if name != "." && name != ".." {
            names.push(name);
        }
    }
    Ok(names)
}

fn what(kind: FileType) -> &'static str {
    match kind {
        FileType::Socket => "socket",
        FileType::CharacterDevice | FileType::BlockDevice => "device",
        FileType::Fifo => "pipe",
        _ => "file of an unknown kind",
    }
}

/// The stamp of an open file.
pub(super) fn stamp(file: impl AsFd) -> rustix::io::Result<Stamp> {
    fstat(file).map(|stat| Stamp::of(&stat))
}
