//! Trees for tests: made from a description, and looked at in every respect.

#![allow(dead_code, reason = "every test program uses a part of it")]

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::{self, File, Permissions},
    os::unix::{
        ffi::OsStringExt,
        fs::{FileExt, MetadataExt, PermissionsExt, symlink},
    },
    path::{Path, PathBuf},
};

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, SeekFrom, Timespec, Timestamps, UTIME_OMIT, XattrFlags, fgetxattr, flistxattr,
    fsetxattr, mknodat, seek, utimensat,
};

/// Something to be made.
#[derive(Clone, Debug)]
pub(crate) enum Plant {
    File {
        content: Vec<u8>,
        mode: u32,
    },
    /// A few bytes at some offsets, and a length.
    Sparse {
        pieces: Vec<(u64, Vec<u8>)>,
        length: u64,
    },
    Directory {
        mode: u32,
    },
    Symlink {
        target: Vec<u8>,
    },
    /// Another name of the file that was made this many plants before, as far as there is one.
    HardLink {
        back: usize,
    },
    Fifo {
        mode: u32,
    },
    /// A file with an extended attribute.
    Attribute {
        value: Vec<u8>,
    },
}

/// Where and when it was made: in the directory that was made this many directories before.
#[derive(Clone, Debug)]
pub(crate) struct Planted {
    pub(crate) plant: Plant,
    pub(crate) parent: usize,
    pub(crate) name: Vec<u8>,
    pub(crate) modified: (i64, i64),
}

/// Makes a tree at a path that does not exist yet.
pub(crate) fn grow(root: &Path, plants: &[Planted]) {
    fs::create_dir(root).unwrap();
    let mut directories = vec![root.to_owned()];
    let mut files: Vec<PathBuf> = Vec::new();
    let mut times = Vec::new();
    let mut modes = Vec::new();
    for planted in plants {
        let directory = directories[directories.len() - 1 - planted.parent % directories.len()].clone();
        let path = directory.join(OsString::from_vec(planted.name.clone()));
        if path.symlink_metadata().is_ok() {
            continue;
        }
        match &planted.plant {
            Plant::File { content, mode } => {
                fs::write(&path, content).unwrap();
                modes.push((path.clone(), *mode));
                files.push(path.clone());
            }
            Plant::Sparse { pieces, length } => {
                let file = File::create(&path).unwrap();
                for (offset, bytes) in pieces {
                    file.write_all_at(bytes, *offset).unwrap();
                }
                file.set_len(*length).unwrap();
                file.sync_all().unwrap();
                files.push(path.clone());
            }
            Plant::Directory { mode } => {
                fs::create_dir(&path).unwrap();
                modes.push((path.clone(), *mode));
                directories.push(path.clone());
            }
            Plant::Symlink { target } => symlink(OsString::from_vec(target.clone()), &path).unwrap(),
            Plant::HardLink { back } => match files.len().checked_sub(1 + back % files.len().max(1)) {
                Some(number) => fs::hard_link(&files[number], &path).unwrap(),
                None => continue,
            },
            Plant::Fifo { mode } => {
                mknodat(CWD, &path, FileType::Fifo, Mode::RUSR, 0).unwrap();
                modes.push((path.clone(), *mode));
            }
            Plant::Attribute { value } => {
                let file = File::create(&path).unwrap();
                // Not every file system has them; then there is nothing to be kept.
                let _ = fsetxattr(&file, "user.signoff.test", value, XattrFlags::empty());
                files.push(path.clone());
            }
        }
        times.push((path, planted.modified));
    }
    // Rights and times come last and from below, since both get in the way of what is made after them.
    for (path, mode) in modes.iter().rev() {
        fs::set_permissions(path, Permissions::from_mode(*mode)).unwrap();
    }
    for (path, (seconds, nanoseconds)) in times.iter().rev() {
        set_modified(path, *seconds, *nanoseconds);
    }
    set_modified(root, 1_000_000_000, 123_456_789);
}

pub(crate) fn set_modified(path: &Path, seconds: i64, nanoseconds: i64) {
    let times = Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec { tv_sec: seconds, tv_nsec: nanoseconds },
    };
    utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW).unwrap();
}

/// Everything that can be seen of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) mode: u32,
    pub(crate) owner: (u32, u32),
    pub(crate) modified: (i64, i64),
    pub(crate) size: Option<u64>,
    pub(crate) content: Vec<u8>,
    /// Where the data of a file begins and ends.
    pub(crate) data: Vec<(u64, u64)>,
    pub(crate) attributes: Vec<(Vec<u8>, Vec<u8>)>,
    /// The first path with the same inode.
    pub(crate) same_as: PathBuf,
}

/// Everything that can be seen of a tree, by its path below the tree.
pub(crate) fn look(root: &Path) -> BTreeMap<PathBuf, Seen> {
    let mut seen = BTreeMap::new();
    if root.symlink_metadata().is_ok() {
        look_at(root, root, &mut BTreeMap::new(), &mut seen);
    }
    seen
}

fn look_at(root: &Path, path: &Path, inodes: &mut BTreeMap<(u64, u64), PathBuf>, seen: &mut BTreeMap<PathBuf, Seen>) {
    let below = path.strip_prefix(root).unwrap().to_owned();
    let about = path.symlink_metadata().unwrap();
    let kind = about.file_type();
    let mut content = Vec::new();
    let mut data = Vec::new();
    let mut attributes = Vec::new();
    if kind.is_symlink() {
        content = fs::read_link(path).unwrap().into_os_string().into_vec();
    } else if kind.is_file() {
        let file = File::open(path).unwrap();
        content = fs::read(path).unwrap();
        data = data_of(&file, about.len());
        attributes = attributes_of(&file);
    } else if kind.is_dir() {
        attributes = attributes_of(&File::open(path).unwrap());
        let mut names: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        for name in names {
            look_at(root, &name, inodes, seen);
        }
    }
    let same_as = inodes.entry((about.dev(), about.ino())).or_insert_with(|| below.clone()).clone();
    seen.insert(
        below,
        Seen {
            mode: about.mode(),
            owner: (about.uid(), about.gid()),
            modified: (about.mtime(), about.mtime_nsec()),
            size: kind.is_file().then_some(about.len()),
            content,
            data,
            attributes,
            same_as,
        },
    );
}

fn data_of(file: &File, length: u64) -> Vec<(u64, u64)> {
    let mut data = Vec::new();
    let mut offset = 0;
    while offset < length {
        let Ok(start) = seek(file, SeekFrom::Data(offset)) else { break };
        let end = seek(file, SeekFrom::Hole(start)).unwrap();
        data.push((start, end));
        offset = end;
    }
    data
}

fn attributes_of(file: &File) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut names = vec![0; 4096];
    let Ok(length) = flistxattr(file, &mut names) else { return Vec::new() };
    names.truncate(length);
    let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let value = |name: &[u8]| {
        let mut value = vec![0; 4096];
        let length = fgetxattr(file, name, &mut value).unwrap();
        value.truncate(length);
        (name.to_vec(), value)
    };
    names.map(value).collect()
}

/// What differs between two looks, for a message that can be read.
pub(crate) fn difference(before: &BTreeMap<PathBuf, Seen>, after: &BTreeMap<PathBuf, Seen>) -> Option<String> {
    for (path, seen) in before {
        match after.get(path) {
            None => return Some(format!("{path:?} is missing")),
            Some(now) if now != seen => return Some(format!("{path:?} was\n{seen:?}\nand is\n{now:?}")),
            Some(_) => {}
        }
    }
    after.keys().find(|path| !before.contains_key(*path)).map(|path| format!("{path:?} is new"))
}

pub(crate) fn assert_same(before: &BTreeMap<PathBuf, Seen>, after: &BTreeMap<PathBuf, Seen>) {
    if let Some(difference) = difference(before, after) {
        panic!("{difference}");
    }
}

/// Removes a tree, also where its directories may not be written to.
pub(crate) fn fell(path: &Path) {
    let Ok(about) = path.symlink_metadata() else { return };
    if about.is_dir() {
        fs::set_permissions(path, Permissions::from_mode(0o700)).unwrap();
        for entry in fs::read_dir(path).unwrap() {
            fell(&entry.unwrap().path());
        }
        fs::remove_dir(path).unwrap();
    } else {
        fs::remove_file(path).unwrap();
    }
}
