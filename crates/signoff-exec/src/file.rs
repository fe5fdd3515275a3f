//! One thing done to one file, without a shell. Nothing here follows a symbolic link: whoever calls names the place as it really is, and a link
//! that is put in the way meanwhile is an error.

use std::{
    ffi::OsStr,
    fs::File,
    io::{Read as _, Write as _},
    os::fd::{BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
    time::Instant,
};

use rustix::{
    fs::{
        AtFlags, FileType, Mode, OFlags, RenameFlags, Stat, fchmod, fstat, openat, renameat, renameat_with, statat,
        unlinkat,
    },
    io::Errno,
};

use crate::{
    backup::ladder::Ladder,
    run::{Captured, Ending, ExecutionResult},
};

/// So much of a file is read; what is left out is counted.
const READ_AT_MOST: u64 = 256 << 10;

/// What is done to a file. Paths are absolute, and their directories are no links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// It is read.
    Read(PathBuf),
    /// It is written as a whole, whether or not it is there.
    Write(PathBuf, String),
    /// It goes.
    Delete(PathBuf),
    /// It gets another name, over whatever has that.
    Move(PathBuf, PathBuf),
}

/// Does it, and says what came of it in the form of a command: exit code 1 and words on standard error where it failed.
pub fn carry_out(deed: &Deed) -> ExecutionResult {
    let begun = Instant::now();
    let done = match deed {
        Deed::Read(path) => read(path),
        Deed::Write(path, content) => write(path, content).map(|()| Captured::default()),
        Deed::Delete(path) => delete(path).map(|()| Captured::default()),
        Deed::Move(from, to) => rename(from, to).map(|()| Captured::default()),
    };
    let (stdout, stderr, code) = match done {
        Ok(read) => (read, String::new(), 0),
        Err(why) => (Captured::default(), format!("{why}\n"), 1),
    };
    ExecutionResult {
        success: code == 0,
        exit_code: Some(code),
        stdout,
        stderr: Captured { head: stderr.into_bytes(), ..Captured::default() },
        duration: begun.elapsed(),
        ending: Ending::Exited,
        left_running: false,
        sink_failed: false,
    }
}

fn read(path: &Path) -> Result<Captured, String> {
    let mut ladder = ladder()?;
    let (directory, name) = above(&mut ladder, path)?;
    // A pipe would be waited for.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = openat(directory, name, flags, Mode::empty()).map_err(|errno| told("read", path, errno))?;
    let stat = fstat(&file).map_err(|errno| told("read", path, errno))?;
    regular(&stat, path)?;
    let mut head = Vec::new();
    File::from(file)
        .take(READ_AT_MOST)
        .read_to_end(&mut head)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let size = u64::try_from(stat.st_size).unwrap_or_default();
    let left_out = size.saturating_sub(u64::try_from(head.len()).unwrap_or(u64::MAX));
    Ok(Captured { head, left_out, tail: Vec::new() })
}

/// Under another name first, so that a full disk costs nothing that was there.
fn write(path: &Path, content: &str) -> Result<(), String> {
    let mut ladder = ladder()?;
    let (directory, name) = above(&mut ladder, path)?;
    let there = match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Some(stat),
        Err(Errno::NOENT) => None,
        Err(errno) => return Err(told("look at", path, errno)),
    };
    if let Some(stat) = &there {
        regular(stat, path)?;
        // The others would keep the old text.
        if stat.st_nlink > 1 {
            return Err(format!("`{}` has other names (hard links), and is left as it is", path.display()));
        }
    }
    let (new, file) = beside(directory, name).map_err(|errno| told("write beside", path, errno))?;
    let written = fill(file, content, there.as_ref()).and_then(|()| match there {
        Some(_) => renameat(directory, &new, directory, name),
        // Nothing was there when people looked.
        None => renameat_with(directory, &new, directory, name, RenameFlags::NOREPLACE),
    });
    written.map_err(|errno| {
        let _ = unlinkat(directory, &new, AtFlags::empty());
        told("write", path, errno)
    })
}

/// A new file with a name that nobody has.
fn beside(directory: BorrowedFd<'_>, name: &OsStr) -> Result<(String, OwnedFd), Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let shown: String = name.to_string_lossy().chars().filter(char::is_ascii_alphanumeric).take(32).collect();
    for number in 0..100 {
        let new = format!(".{shown}.signoff-{}-{number}", std::process::id());
        match openat(directory, new.as_str(), flags, Mode::from_raw_mode(0o666)) {
            Err(Errno::EXIST) => {}
            opened => return opened.map(|file| (new, file)),
        }
    }
    Err(Errno::EXIST)
}

fn fill(file: OwnedFd, content: &str, before: Option<&Stat>) -> Result<(), Errno> {
    if let Some(stat) = before {
        fchmod(&file, Mode::from_raw_mode(stat.st_mode & 0o777))?;
    }
    let mut file = File::from(file);
    let written = file.write_all(content.as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))
}

fn delete(path: &Path) -> Result<(), String> {
    let mut ladder = ladder()?;
    let (directory, name) = above(&mut ladder, path)?;
    let stat = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW).map_err(|errno| told("delete", path, errno))?;
    no_directory(&stat, path)?;
    unlinkat(directory, name, AtFlags::empty()).map_err(|errno| told("delete", path, errno))
}

fn rename(from: &Path, to: &Path) -> Result<(), String> {
    let (mut source, mut target) = (ladder()?, ladder()?);
    let (source, name) = above(&mut source, from)?;
    let (target, new) = above(&mut target, to)?;
    let stat = statat(source, name, AtFlags::SYMLINK_NOFOLLOW).map_err(|errno| told("move", from, errno))?;
    no_directory(&stat, from)?;
    let moved = match statat(target, new, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(there) => {
            no_directory(&there, to)?;
            renameat(source, name, target, new)
        }
        Err(Errno::NOENT) => renameat_with(source, name, target, new, RenameFlags::NOREPLACE),
        Err(errno) => return Err(told("look at", to, errno)),
    };
    moved.map_err(|errno| told("move", from, errno))
}

fn ladder() -> Result<Ladder, String> {
    Ladder::new().map_err(|error| error.to_string())
}

fn above<'l, 'p>(ladder: &'l mut Ladder, path: &'p Path) -> Result<(BorrowedFd<'l>, &'p OsStr), String> {
    ladder.above(path).map_err(|blocked| told("enter the directory of", &blocked.path, blocked.errno))
}

fn regular(stat: &Stat, path: &Path) -> Result<(), String> {
    if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
        return Ok(());
    }
    Err(format!("`{}` is no regular file", path.display()))
}

fn no_directory(stat: &Stat, path: &Path) -> Result<(), String> {
    if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
        return Err(format!("`{}` is a directory", path.display()));
    }
    Ok(())
}

fn told(what: &str, path: &Path, errno: Errno) -> String {
    format!("cannot {what} `{}`: {}", path.display(), std::io::Error::from(errno))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use std::{
        fs,
        os::unix::fs::{PermissionsExt as _, symlink},
    };

    use super::*;

    fn said(captured: &Captured) -> String {
        String::from_utf8(captured.whole().unwrap().into_owned()).unwrap()
    }

    #[test]
    fn a_file_is_written_read_moved_and_deleted() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let (a, b) = (root.join("a"), root.join("b"));
        assert!(carry_out(&Deed::Write(a.clone(), "one".to_owned())).success);
        fs::set_permissions(&a, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(carry_out(&Deed::Write(a.clone(), "two".to_owned())).success);
        assert_eq!(fs::metadata(&a).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(said(&carry_out(&Deed::Read(a.clone())).stdout), "two");
        assert!(carry_out(&Deed::Move(a.clone(), b.clone())).success);
        assert_eq!((a.exists(), fs::read_to_string(&b).unwrap().as_str()), (false, "two"));
        fs::write(&a, "over").unwrap();
        assert!(carry_out(&Deed::Move(a, b.clone())).success);
        assert_eq!(fs::read_to_string(&b).unwrap(), "over");
        assert!(carry_out(&Deed::Delete(b)).success);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 0, "nothing is left beside it");
        fs::write(root.join("long"), vec![b'x'; 300 << 10]).unwrap();
        let read = carry_out(&Deed::Read(root.join("long"))).stdout;
        assert_eq!((read.total(), read.left_out), (300 << 10, 44 << 10));
    }

    #[test]
    fn no_link_directory_or_pipe_is_taken_for_a_file() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        fs::create_dir(root.join("real")).unwrap();
        fs::write(root.join("real/file"), "kept").unwrap();
        symlink(root.join("real"), root.join("way")).unwrap();
        symlink(root.join("real/file"), root.join("link")).unwrap();
        fs::hard_link(root.join("real/file"), root.join("other")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, root.join("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        let text = || "new".to_owned();
        for deed in [
            Deed::Read(root.join("way/file")),
            Deed::Read(root.join("link")),
            Deed::Read(root.join("real")),
            Deed::Read(root.join("pipe")),
            Deed::Read(root.join("none")),
            Deed::Write(root.join("way/file"), text()),
            Deed::Write(root.join("link"), text()),
            Deed::Write(root.join("other"), text()),
            Deed::Write(root.join("real"), text()),
            Deed::Write(root.join("none/file"), text()),
            Deed::Delete(root.join("way/file")),
            Deed::Delete(root.join("real")),
            Deed::Delete(root.join("real/../real/file")),
            Deed::Move(root.join("real"), root.join("new")),
            Deed::Move(root.join("link"), root.join("real")),
            Deed::Move(root.join("link"), root.join("way/new")),
        ] {
            let result = carry_out(&deed);
            assert!(!result.success && result.exit_code == Some(1), "{deed:?}");
            assert!(!said(&result.stderr).is_empty());
        }
        assert_eq!(fs::read_to_string(root.join("real/file")).unwrap(), "kept");
        // A link goes by itself.
        assert!(carry_out(&Deed::Delete(root.join("link"))).success);
        assert!(root.join("real/file").exists());
    }
}
