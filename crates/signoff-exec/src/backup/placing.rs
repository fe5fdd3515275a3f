//! Puts saved files back: all of them under other names first, then to the disk, and only then to their own names. A kill
//! leaves nothing or all of a file, a power cut does as well, and what fails before the names are given is taken back.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ffi::{OsStr, OsString},
    fs::File,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{
        AtFlags, FileType, Mode, OFlags, RenameFlags, linkat, mkdirat, openat, renameat, renameat_with, statat,
        symlinkat, unlinkat,
    },
    io::Errno,
};

use super::{
    BackupError, Conflict, ConflictReason, Note, NoteKind,
    attributes::{self, NotSet, Stamp, Times},
    content::{self, Meter},
    flush::Flush,
    ladder::Ladder,
    manifest::{Manifest, Node},
    plan::{Plan, Step, Target},
    store::Slot,
    survey,
};

/// The hands of a restore.
pub(super) struct Placer<'place, 'watch> {
    pub(super) slot: &'place Slot,
    pub(super) manifest: &'place Manifest,
    pub(super) files: OwnedFd,
    pub(super) ladder: Ladder,
    /// For the other end of a hard link.
    pub(super) anchors: Ladder,
    pub(super) meter: Meter<'watch>,
    pub(super) notes: Vec<Note>,
    pub(super) flush: Flush,
}

/// Why not everything was put in its place.
pub(super) struct Broken {
    pub(super) error: BackupError,
    pub(super) traces: Traces,
}

/// What a restore that was broken off leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Traces {
    /// Nothing: everything is as it was.
    None,
    /// Some of it is restored.
    Some,
}

impl Placer<'_, '_> {
    /// Removes what a restore that was broken off has left under other names.
    pub(super) fn sweep(&mut self, paths: impl Iterator<Item = PathBuf>) -> Result<(), BackupError> {
        for (number, path) in paths.enumerate() {
            let temporary = self.temporary(number);
            let Ok((directory, _)) = self.ladder.above(&path) else { continue };
            remove(directory, &temporary).map_err(|errno| BackupError::at(&path, "tidy up beside", errno))?;
        }
        Ok(())
    }

    /// Puts everything in its place.
    pub(super) fn place(&mut self, plan: &Plan<'_>) -> Result<(), Broken> {
        let mut made = Vec::new();
        if let Err(error) = self.prepare_all(plan, &mut made) {
            return Err(Broken { error, traces: self.take_back(plan, &made) });
        }
        self.settle_all(plan).and_then(|()| self.finish_directories(plan)).map_err(|error| {
            // What has its own name by now is whole. The rest is of no use under another one.
            self.take_back(plan, &[]);
            Broken { error, traces: Traces::Some }
        })
    }

    /// Makes every directory, and every file under another name and on the disk.
    fn prepare_all<'plan>(&mut self, plan: &'plan Plan<'_>, made: &mut Vec<&'plan Path>) -> Result<(), BackupError> {
        // A file that is still there as it was is what its other names are linked to.
        let mut linked: HashMap<usize, PathBuf> = HashMap::new();
        for target in plan.entries.iter().filter(|target| target.step == Step::Keep) {
            if let Node::File(content) = target.entry.node {
                linked.entry(content).or_insert_with(|| target.path.clone());
            }
        }
        for target in plan.above.iter().filter(|target| target.step == Step::Make) {
            self.make(&target.path, made)?;
        }
        for (number, target) in plan.entries.iter().enumerate() {
            match target.step {
                Step::Keep | Step::Amend => {}
                Step::KeepOther => self.note(&target.path, NoteKind::AttributesKept),
                Step::Make => self.make(&target.path, made)?,
                Step::Place | Step::Replace(_) => {
                    let temporary = self.temporary(number);
                    self.prepare(&temporary, target, &linked)?;
                    if let Node::File(content) = target.entry.node {
                        linked.entry(content).or_insert_with(|| target.path.with_file_name(&temporary));
                    }
                }
            }
        }
        self.flushed()
    }

    /// Gives every file its own name.
    fn settle_all(&mut self, plan: &Plan<'_>) -> Result<(), BackupError> {
        for (number, target) in plan.entries.iter().enumerate() {
            if matches!(target.step, Step::Place | Step::Replace(_)) {
                self.settle(&self.temporary(number), target)?;
            }
        }
        Ok(())
    }

    /// Removes what has not got its own name, and the directories that were made for it.
    fn take_back(&mut self, plan: &Plan<'_>, made: &[&Path]) -> Traces {
        let mut traces = Traces::None;
        for (number, target) in plan.entries.iter().enumerate() {
            if matches!(target.step, Step::Place | Step::Replace(_)) {
                let temporary = self.temporary(number);
                let removed = self.ladder.above(&target.path).map(|(directory, _)| remove(directory, &temporary));
                // What is left is removed by the next restore.
                if matches!(removed, Ok(Err(_))) {
                    traces = Traces::Some;
                }
            }
        }
        for directory in made.iter().rev() {
            let removed = self.ladder.above(directory).map(|(above, name)| unlinkat(above, name, AtFlags::REMOVEDIR));
            if !matches!(removed, Ok(Ok(()))) {
                traces = Traces::Some;
            }
        }
        traces
    }

    fn flushed(&mut self) -> Result<(), BackupError> {
        self.flush.flush().map_err(|error| BackupError::at(&self.slot.path, "write", error))
    }

    fn temporary(&self, number: usize) -> OsString {
        format!(".signoff-undo-{}-{number}", self.slot.id).into()
    }

    /// Makes a directory that only we can enter until everything is in it.
    fn make<'plan>(&mut self, path: &'plan Path, made: &mut Vec<&'plan Path>) -> Result<(), BackupError> {
        let (directory, name) = self.ladder.above(path).map_err(|blocked| blocked.into_error())?;
        match mkdirat(directory, name, Mode::RWXU) {
            Ok(()) => {
                made.push(path);
                Ok(())
            }
            // One that was made before a kill.
            Err(Errno::EXIST) => match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) if attributes::kind(&stat) == FileType::Directory => Ok(()),
                _ => Err(appeared(path)),
            },
            Err(errno) => Err(BackupError::at(path, "make", errno)),
        }
    }

    /// Makes the file under another name, with all of its attributes.
    fn prepare(
        &mut self,
        temporary: &OsStr,
        target: &Target<'_>,
        linked: &HashMap<usize, PathBuf>,
    ) -> Result<(), BackupError> {
        let path = &target.path;
        let saved = &target.entry.attributes;
        let failed = |errno: Errno| BackupError::at(path, "write", errno);
        let not_set = match &target.entry.node {
            Node::Directory => return Ok(()),
            Node::File(content) => match linked.get(content) {
                Some(other) => return self.link(temporary, path, other),
                None => self.write(temporary, target, *content)?,
            },
            Node::Symlink(to) => {
                let (directory, _) = self.ladder.above(path).map_err(|blocked| blocked.into_error())?;
                symlinkat(to.as_os_str(), directory, temporary).map_err(failed)?;
                attributes::set_at(directory, temporary, saved, FileType::Symlink).map_err(failed)?
            }
            Node::Fifo => {
                let (directory, _) = self.ladder.above(path).map_err(|blocked| blocked.into_error())?;
                make_fifo(directory, temporary).map_err(failed)?;
                attributes::set_at(directory, temporary, saved, FileType::Fifo).map_err(failed)?
            }
        };
        self.note_not_set(path, not_set);
        Ok(())
    }

    fn link(&mut self, temporary: &OsStr, path: &Path, other: &Path) -> Result<(), BackupError> {
        let (from, name) = self.anchors.above(other).map_err(|blocked| blocked.into_error())?;
        let (directory, _) = self.ladder.above(path).map_err(|blocked| blocked.into_error())?;
        linkat(from, name, directory, temporary, AtFlags::empty()).map_err(|errno| BackupError::at(path, "link", errno))
    }

    fn write(&mut self, temporary: &OsStr, target: &Target<'_>, number: usize) -> Result<Vec<NotSet>, BackupError> {
        let path = &target.path;
        let gone = || BackupError::Damaged { id: self.slot.id.clone(), what: format!("file {number} is gone") };
        let saved = self.manifest.contents.get(number).ok_or_else(gone)?;
        let source = self.slot.content(&self.files, number)?;
        let (directory, _) = self.ladder.above(path).map_err(|blocked| blocked.into_error())?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(directory, temporary, flags, Mode::RUSR | Mode::WUSR);
        let file = File::from(file.map_err(|errno| BackupError::at(path, "write", errno))?);
        let written = content::copy(&source, &file, saved.size, &mut self.meter);
        let written = written.map_err(|failure| failure.into_error(&self.slot.path, path))?;
        if written != saved.digest {
            let what = format!("file {number} is not what was saved");
            return Err(BackupError::Damaged { id: self.slot.id.clone(), what });
        }
        if saved.names_elsewhere > 0 {
            self.notes.push(Note { path: path.clone(), kind: NoteKind::LinksElsewhere });
        }
        let set = attributes::set(file.as_fd(), &target.entry.attributes, Times::Set);
        let not_set = set.map_err(|errno| BackupError::at(path, "write", errno))?;
        self.flush.written(file).map_err(|error| BackupError::at(path, "write", error))?;
        Ok(not_set)
    }

    /// Gives the file its own name, if nothing is there that was not there when the plan was made.
    fn settle(&mut self, temporary: &OsStr, target: &Target<'_>) -> Result<(), BackupError> {
        let path = &target.path;
        let (directory, name) = self.ladder.above(path).map_err(|blocked| blocked.into_error())?;
        let settled = match target.step {
            Step::Replace(stamp) => {
                match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) if same_file(Stamp::of(&stat), stamp) => {}
                    Err(Errno::NOENT) => {}
                    _ => return Err(appeared(path)),
                }
                renameat(directory, temporary, directory, name)
            }
            _ => rename_to_nothing(directory, temporary, name),
        };
        settled.map_err(|errno| match errno {
            Errno::EXIST => appeared(path),
            errno => BackupError::at(path, "write", errno),
        })
    }

    /// Directories get their attributes last and from below: what is put into one changes its time, and may not be put
    /// there any more once it has its own rights.
    fn finish_directories(&mut self, plan: &Plan<'_>) -> Result<(), BackupError> {
        let mut saved_names: BTreeMap<&Path, BTreeSet<&OsStr>> = BTreeMap::new();
        let mut touched: BTreeSet<&Path> = BTreeSet::new();
        for target in &plan.entries {
            if let (Some(directory), Some(name)) = (target.path.parent(), target.path.file_name()) {
                saved_names.entry(directory).or_default().insert(name);
                if matches!(target.step, Step::Make | Step::Place | Step::Replace(_)) {
                    touched.insert(directory);
                }
            }
        }
        touched.extend(plan.above.iter().filter_map(|target| target.path.parent()));
        for target in plan.entries.iter().rev().filter(|target| target.entry.node == Node::Directory) {
            let names = saved_names.get(target.path.as_path());
            touched.remove(target.path.as_path());
            self.finish(target, names)?;
        }
        for target in plan.above.iter().rev() {
            touched.remove(target.path.as_path());
            self.finish(target, None)?;
        }
        for directory in touched {
            // A directory that we may write to and not read can only be flushed with everything else.
            if let Ok(open) = self.ladder.open(directory) {
                self.flush.written(open).map_err(|error| BackupError::at(directory, "write", error))?;
            }
        }
        self.flushed()
    }

    fn finish(&mut self, target: &Target<'_>, saved: Option<&BTreeSet<&OsStr>>) -> Result<(), BackupError> {
        let path = &target.path;
        let failed = |errno| BackupError::at(path, "write", errno);
        let open = self.ladder.open(path).map_err(|blocked| blocked.into_error())?;
        let names = survey::names(&open).map_err(failed)?;
        // A directory with something new in it has changed since, and says so.
        let as_saved = names.len() == saved.map_or(0, BTreeSet::len)
            && names.iter().all(|name| saved.is_some_and(|saved| saved.contains(name.as_os_str())));
        let times = if as_saved { Times::Set } else { Times::Leave };
        let not_set = match target.step {
            Step::Make | Step::Amend => attributes::set(open.as_fd(), &target.entry.attributes, times),
            _ if times == Times::Set => {
                attributes::set_time(open.as_fd(), target.entry.attributes.modified).map(|()| Vec::new())
            }
            _ => Ok(Vec::new()),
        };
        self.note_not_set(path, not_set.map_err(failed)?);
        self.flush.written(open).map_err(|error| BackupError::at(path, "write", error))
    }

    fn note(&mut self, path: &Path, kind: NoteKind) {
        self.notes.push(Note { path: path.to_owned(), kind });
    }

    fn note_not_set(&mut self, path: &Path, not_set: Vec<NotSet>) {
        for not_set in not_set {
            self.note(
                path,
                match not_set {
                    NotSet::Owner => NoteKind::OtherOwner,
                    NotSet::Extended(name) => NoteKind::NoAttribute(name),
                },
            );
        }
    }
}

/// Something came up where nothing was when the plan was made.
fn appeared(path: &Path) -> BackupError {
    BackupError::Conflicts(vec![Conflict { path: path.to_owned(), reason: ConflictReason::OtherContents }])
}

/// Whether a file still is the one that was looked at. Its other names may have gone meanwhile, which changes no content.
fn same_file(now: Stamp, then: Stamp) -> bool {
    (now.device, now.inode, now.size, now.modified()) == (then.device, then.inode, then.size, then.modified())
}

fn remove(directory: BorrowedFd<'_>, name: &OsStr) -> rustix::io::Result<()> {
    match unlinkat(directory, name, AtFlags::empty()) {
        Err(Errno::NOENT) => Ok(()),
        result => result,
    }
}

fn rename_to_nothing(directory: BorrowedFd<'_>, from: &OsStr, to: &OsStr) -> rustix::io::Result<()> {
    match renameat_with(directory, from, directory, to, RenameFlags::NOREPLACE) {
        // Not every file system can do that; a link also fails where something is.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            linkat(directory, from, directory, to, AtFlags::empty())?;
            remove(directory, from)
        }
        result => result,
    }
}

#[cfg(target_os = "linux")]
fn make_fifo(directory: BorrowedFd<'_>, name: &OsStr) -> rustix::io::Result<()> {
    rustix::fs::mknodat(directory, name, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
}

#[cfg(not(target_os = "linux"))]
fn make_fifo(_directory: BorrowedFd<'_>, _name: &OsStr) -> rustix::io::Result<()> {
    // Such a backup is refused when it should be made.
    Err(Errno::NOTSUP)
}
