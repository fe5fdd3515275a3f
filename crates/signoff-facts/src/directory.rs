//! Directories that are held open, so that what is in them is looked at by its name alone.
//!
//! The system walks a full path anew for every look, which is most of the work where there are many; and what is put in the
//! place of a directory meanwhile would be taken for what it was before. Nothing in here goes through a symbolic link but
//! where a path is opened as a whole.

use std::{
    ffi::OsStr,
    fs::File,
    io,
    ops::ControlFlow,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::Path,
};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, openat, readlinkat, statat};
use signoff_model::ThingKind;

/// How a directory is opened to look at what is in it. Where the system can, this needs no right to list it.
#[cfg(target_os = "linux")]
const THROUGH: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const THROUGH: OFlags = LISTED;

/// How it is opened to list it.
const LISTED: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A directory that is open.
#[derive(Debug)]
pub(crate) struct Directory(OwnedFd);

/// What one look at a thing tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) kind: ThingKind,
    /// Whether its owner may run it.
    pub(crate) executable: bool,
    pub(crate) size: u64,
    pub(crate) inode: u64,
    /// On which device it lies.
    pub(crate) device: u64,
    /// How many names it has.
    pub(crate) names: u64,
    /// When what is in it was written: seconds and their fractions.
    pub(crate) modified: (i64, u32),
    /// When anything about it changed.
    pub(crate) changed: (i64, u32),
}

impl Directory {
    /// The directory that a path leads to, to look at what is in it.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, THROUGH, Mode::empty())?))
    }

    /// A directory in this one, to look at what is in it.
    pub(crate) fn inner(&self, name: &[u8]) -> io::Result<Self> {
        Ok(Self(openat(&self.0, name, THROUGH | OFlags::NOFOLLOW, Mode::empty())?))
    }

    /// A directory in this one, to list it.
    pub(crate) fn listed(&self, name: &[u8]) -> io::Result<Self> {
        Ok(Self(openat(&self.0, name, LISTED | OFlags::NOFOLLOW, Mode::empty())?))
    }

    /// What stands here under a name: the link itself if it is one.
    pub(crate) fn look(&self, name: &[u8]) -> io::Result<Look> {
        Ok(Look::of(&statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// Where a link leads.
    pub(crate) fn target(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        Ok(readlinkat(&self.0, name, Vec::new())?.into_bytes())
    }

    /// Opens a file, without ever waiting for a pipe.
    pub(crate) fn file(&self, name: &[u8]) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = File::from(openat(&self.0, name, flags, Mode::empty())?);
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }

    /// Hands over every name in a directory that was opened to be listed, with its kind as far as the directory itself
    /// tells it.
    #[cfg(target_os = "linux")]
    pub(crate) fn names(&self, mut each: impl FnMut(&OsStr, Option<FileType>) -> ControlFlow<()>) -> io::Result<()> {
        let mut room = Vec::with_capacity(NAMES_AT_ONCE);
        let mut names = rustix::fs::RawDir::new(&self.0, room.spare_capacity_mut());
        while let Some(entry) = names.next() {
            let entry = entry?;
            if hand_over(entry.file_name(), entry.file_type(), &mut each).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The same where the system has no call that fills a room of ours.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn names(&self, mut each: impl FnMut(&OsStr, Option<FileType>) -> ControlFlow<()>) -> io::Result<()> {
        for entry in rustix::fs::Dir::read_from(&self.0)? {
            let entry = entry?;
            if hand_over(entry.file_name(), entry.file_type(), &mut each).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// So many bytes of names are asked for at once.
#[cfg(target_os = "linux")]
const NAMES_AT_ONCE: usize = 32 * 1024;

fn hand_over(
    name: &std::ffi::CStr,
    kind: FileType,
    each: &mut impl FnMut(&OsStr, Option<FileType>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    match name.to_bytes() {
        b"." | b".." => ControlFlow::Continue(()),
        // Not every file system keeps kinds with names.
        name => each(OsStr::from_bytes(name), (kind != FileType::Unknown).then_some(kind)),
    }
}

/// A number as long as the longest of any system.
fn number(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

impl Look {
    fn of(stat: &Stat) -> Self {
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => ThingKind::Directory,
            FileType::Symlink => ThingKind::Link,
            FileType::RegularFile => ThingKind::File,
            _ => ThingKind::Special,
        };
        Self {
            kind,
            executable: Mode::from_raw_mode(stat.st_mode).contains(Mode::XUSR),
            size: u64::try_from(stat.st_size).unwrap_or(0),
            inode: stat.st_ino,
            device: number(stat.st_dev),
            names: number(stat.st_nlink),
            modified: (stat.st_mtime, stat.st_mtime_nsec as u32),
            changed: (stat.st_ctime, stat.st_ctime_nsec as u32),
        }
    }

    pub(crate) fn is_directory(&self) -> bool {
        self.kind == ThingKind::Directory
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        fs,
        io::ErrorKind,
        ops::ControlFlow,
        os::unix::{
            ffi::{OsStrExt, OsStringExt},
            fs::{MetadataExt, PermissionsExt, symlink},
        },
    };

    use nix::{sys::stat::Mode, unistd::mkfifo};
    use signoff_model::ThingKind;

    use super::Directory;

    #[test]
    fn a_look_tells_what_the_system_tells_by_the_full_path() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::write(root.join("file"), "four").unwrap();
        fs::write(root.join("run"), "").unwrap();
        fs::set_permissions(root.join("run"), fs::Permissions::from_mode(0o700)).unwrap();
        fs::create_dir(root.join("directory")).unwrap();
        symlink("file", root.join("link")).unwrap();
        mkfifo(&root.join("pipe"), Mode::S_IRWXU).unwrap();
        fs::write(root.join("new\nline \u{fc}"), "").unwrap();

        let open = Directory::at(root).unwrap();
        let mut kinds = BTreeMap::new();
        for entry in fs::read_dir(root).unwrap() {
            let entry = entry.unwrap();
            let (look, metadata) = (open.look(entry.file_name().as_bytes()).unwrap(), entry.metadata().unwrap());
            assert_eq!((look.size, look.inode), (metadata.len(), metadata.ino()));
            assert_eq!(look.modified, (metadata.mtime(), u32::try_from(metadata.mtime_nsec()).unwrap()));
            assert_eq!(look.changed, (metadata.ctime(), u32::try_from(metadata.ctime_nsec()).unwrap()));
            assert_eq!(look.executable, metadata.mode() & 0o100 != 0);
            kinds.insert(entry.file_name().into_string().unwrap(), look.kind);
        }
        let expected = [
            ("directory", ThingKind::Directory),
            ("file", ThingKind::File),
            ("link", ThingKind::Link),
            ("new\nline \u{fc}", ThingKind::File),
            ("pipe", ThingKind::Special),
            ("run", ThingKind::File),
        ];
        assert_eq!(kinds, expected.map(|(name, kind)| (name.to_owned(), kind)).into());
        assert_eq!(open.look(b"none").unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(open.target(b"link").unwrap(), b"file");
        assert!(open.file(b"file").is_ok());
        for other in ["directory", "link", "pipe", "none"] {
            assert!(open.file(other.as_bytes()).is_err(), "{other} is no file");
        }
    }

    #[test]
    fn every_name_is_handed_over_once() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("many");
        fs::create_dir(&root).unwrap();
        // More than fit at once, and one that is no text.
        let mut expected: Vec<Vec<u8>> = (0..2_000).map(|n| format!("{n:0100}").into_bytes()).collect();
        expected.push(b"\xff".to_vec());
        for name in &expected {
            fs::write(root.join(std::ffi::OsString::from_vec(name.clone())), "").unwrap();
        }
        let open = Directory::at(dir.path()).unwrap().listed(b"many").unwrap();
        let mut names = Vec::new();
        let all = open.names(|name, _| {
            names.push(name.as_bytes().to_vec());
            ControlFlow::Continue(())
        });
        all.unwrap();
        names.sort();
        assert_eq!(names, expected);
        let mut count = 0;
        let open = Directory::at(dir.path()).unwrap().listed(b"many").unwrap();
        open.names(|_, _| {
            count += 1;
            if count == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        assert_eq!(count, 3);
    }

    #[test]
    fn what_is_put_in_the_place_of_a_directory_is_not_taken_for_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("here/inner")).unwrap();
        fs::write(root.join("here/inner/file"), "first").unwrap();
        fs::create_dir_all(root.join("there")).unwrap();
        let open = Directory::at(&root.join("here")).unwrap();
        let inner = open.inner(b"inner").unwrap();
        fs::rename(root.join("here/inner"), root.join("here/old")).unwrap();
        symlink("../there", root.join("here/inner")).unwrap();
        assert_eq!(inner.look(b"file").unwrap().size, 5, "the one that was opened");
        assert!(open.inner(b"inner").is_err() && open.listed(b"inner").is_err(), "a link is not gone through");
        assert!(open.inner(b"old/file").is_err());
    }
}
