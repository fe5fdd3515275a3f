//! Makes a backup: looks, copies, reads the copies again, looks again, and only then writes the manifest.

use std::{
    collections::{BTreeSet, HashMap},
    fs::File,
    ops::ControlFlow,
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
};

use rustix::fs::{Mode, OFlags, fsync, openat};

use super::{
    BackupError, BackupId, Description, Moment, Progress, Size, Store,
    attributes::{self, Stamp},
    content::{self, Meter},
    document,
    flush::Flush,
    ladder::Ladder,
    manifest::{Attributes, Content, Digest, Entry, Extended, Manifest, Node},
    roots,
    store::{DESCRIPTION, FILES, MANIFEST, Slot},
    survey::{self, Found, FoundNode},
    wire::{WireDescription, WireManifest},
};

/// How often a backup is begun anew when something changes meanwhile.
const ATTEMPTS: u32 = 3;

/// What the manifest and the directories take, at most, for every entry and for every file.
const ROOM_FOR_ENTRY: u64 = 1024;
const ROOM_FOR_FILE: u64 = 4096;

/// A backup that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupRequest {
    /// Its name.
    pub id: BackupId,
    /// When it is made.
    pub time: Moment,
    /// The command it is made for, as text.
    pub command: String,
    /// What is saved: absolute paths of files, directories and links, which are not followed.
    pub paths: Vec<PathBuf>,
}

impl Store {
    /// Copies the paths into the store. When this comes back with a size, the copies are on the disk, were read again and
    /// are what was there; otherwise there is no backup.
    pub fn back_up(
        &self,
        request: &BackupRequest,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Size, BackupError> {
        let roots = roots::resolve(&request.paths, &self.path)?;
        let mut meter = Meter::new(watch);
        let mut attempt = 1;
        loop {
            match self.attempt(request, &roots, &mut meter) {
                Err(BackupError::Changed(_)) if attempt < ATTEMPTS => attempt += 1,
                result => return result,
            }
        }
    }

    fn attempt(&self, request: &BackupRequest, roots: &[PathBuf], meter: &mut Meter<'_>) -> Result<Size, BackupError> {
        let found = survey::survey(roots, &self.stat()?)?;
        let above = directories_above(roots)?;
        self.check_room(&found)?;
        let slot = self.new_slot(&request.id)?;
        let made = self.fill(&slot, request, roots, &found, above, meter);
        if made.is_err() {
            // What cannot be removed either is listed as half-made, and is never trusted.
            let _ = slot.remove(self);
        }
        made
    }

    fn check_room(&self, found: &[Found]) -> Result<(), BackupError> {
        let mut seen = BTreeSet::new();
        let files = found.iter().filter(|found| found.node == FoundNode::File);
        let once = files.filter(|found| seen.insert((found.stamp.device, found.stamp.inode)));
        let size = once.fold(0_u64, |sum, found| {
            sum.saturating_add(found.stamp.allocated.min(found.stamp.size)).saturating_add(ROOM_FOR_FILE)
        });
        let needed = size.saturating_add((found.len() as u64).saturating_mul(ROOM_FOR_ENTRY));
        let available = self.room.available(self.directory.as_fd());
        let available = available.map_err(|error| BackupError::at(&self.path, "look at", error))?;
        if needed > available {
            let (needed, available) = (Some(needed), Some(available));
            return Err(BackupError::NoRoom { path: self.path.clone(), needed, available });
        }
        Ok(())
    }

    fn fill(
        &self,
        slot: &Slot,
        request: &BackupRequest,
        roots: &[PathBuf],
        found: &[Found],
        above: Vec<Entry>,
        meter: &mut Meter<'_>,
    ) -> Result<Size, BackupError> {
        let failed = |error| BackupError::at(&slot.path, "write", error);
        let description = Description { time: request.time, command: request.command.clone(), paths: roots.to_vec() };
        let written = document::write(slot.directory.as_fd(), DESCRIPTION, &WireDescription::from(&description));
        written.map_err(failed)?;
        let files = slot.make_files()?;
        // Every file is read twice: from where it is, and from where it is kept.
        meter.start(found.iter().fold(0_u64, |sum, found| match found.node {
            FoundNode::File => sum.saturating_add(found.stamp.size.saturating_mul(2)),
            _ => sum,
        }));
        let mut copier = Copier {
            slot,
            files,
            ladder: Ladder::new()?,
            contents: Vec::new(),
            flush: Flush::default(),
            known: HashMap::new(),
        };
        let mut entries = Vec::with_capacity(found.len());
        for found in found {
            entries.push(copier.entry(found, meter)?);
        }
        copier.read_again(meter)?;
        let again = survey::survey(roots, &self.stat()?).map_err(|error| match error {
            BackupError::Missing(path) => BackupError::Changed(path),
            error => error,
        })?;
        if let Some(path) = survey::difference(found, &again) {
            return Err(BackupError::Changed(path.to_owned()));
        }
        let manifest = Manifest { description, above, entries, contents: copier.contents };
        // From here on it can be trusted, so this comes last.
        let wire = WireManifest::new(slot.id.as_str(), &manifest);
        self.flush()?;
        document::write(slot.directory.as_fd(), MANIFEST, &wire).map_err(failed)?;
        Ok(manifest.size())
    }
}

/// The directories above some paths, from the top.
fn directories_above(roots: &[PathBuf]) -> Result<Vec<Entry>, BackupError> {
    let above: BTreeSet<&Path> =
        roots.iter().flat_map(|root| root.ancestors().skip(1)).filter(|path| path.parent().is_some()).collect();
    let mut ladder = Ladder::new()?;
    let entry = |path: &Path| {
        let stat = ladder.look(path).map_err(|blocked| blocked.into_error())?;
        Ok(Entry { path: path.to_owned(), node: Node::Directory, attributes: attributes::plain(&stat) })
    };
    above.into_iter().map(entry).collect()
}

/// What the system still has in memory proves nothing about the disk, so that it is asked to read it again.
#[cfg(target_os = "linux")]
fn forget_cached(file: &File) {
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
}

#[cfg(not(target_os = "linux"))]
fn forget_cached(_file: &File) {}

/// Copies files into a backup.
struct Copier<'slot> {
    slot: &'slot Slot,
    files: OwnedFd,
    ladder: Ladder,
    contents: Vec<Content>,
    flush: Flush,
    /// Which content a file has, by what the system knows it by.
    known: HashMap<(u64, u64), usize>,
}

impl Copier<'_> {
    fn entry(&mut self, found: &Found, meter: &mut Meter<'_>) -> Result<Entry, BackupError> {
        let mut attributes = found.attributes.clone();
        let node = match &found.node {
            FoundNode::Directory => Node::Directory,
            FoundNode::Symlink(target) => Node::Symlink(target.clone()),
            FoundNode::Fifo => Node::Fifo,
            FoundNode::File => {
                let (content, extended) = self.file(found, meter)?;
                attributes = Attributes { extended, ..attributes };
                Node::File(content)
            }
        };
        Ok(Entry { path: found.path.clone(), node, attributes })
    }

    fn file(&mut self, found: &Found, meter: &mut Meter<'_>) -> Result<(usize, Extended), BackupError> {
        let path = &found.path;
        let failed = |errno| BackupError::at(path, "read", errno);
        let (directory, name) = self.ladder.above(path).map_err(|blocked| blocked.into_error())?;
        // Should it have become a pipe or a device meanwhile, this neither waits nor takes a terminal.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let source = File::from(openat(directory, name, flags, Mode::empty()).map_err(failed)?);
        let unchanged =
            |stamp: Stamp| if stamp == found.stamp { Ok(()) } else { Err(BackupError::Changed(path.clone())) };
        unchanged(survey::stamp(&source).map_err(failed)?)?;
        let extended = attributes::extended(source.as_fd()).map_err(failed)?;
        let identity = (found.stamp.device, found.stamp.inode);
        if let Some(known) = self.known.get(&identity).copied() {
            if let Some(content) = self.contents.get_mut(known) {
                content.names_elsewhere = content.names_elsewhere.saturating_sub(1);
            }
            return Ok((known, extended));
        }
        let digest = self.copy(&source, found, meter)?;
        unchanged(survey::stamp(&source).map_err(failed)?)?;
        let number = self.contents.len();
        let Stamp { size, allocated, names, .. } = found.stamp;
        self.contents.push(Content { size, allocated, digest, names_elsewhere: names.saturating_sub(1) });
        self.known.insert(identity, number);
        Ok((number, extended))
    }

    /// Copies a file, and gives the digest of what was read.
    fn copy(&mut self, source: &File, found: &Found, meter: &mut Meter<'_>) -> Result<Digest, BackupError> {
        let name = self.contents.len().to_string();
        let path = self.slot.path.join(FILES).join(&name);
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let copy = openat(&self.files, name.as_str(), flags, Mode::RUSR | Mode::WUSR);
        let copy = File::from(copy.map_err(|errno| BackupError::at(&path, "write", errno))?);
        let size = found.stamp.size;
        let failed = |failure: content::Failure| failure.into_error(&found.path, &path);
        let read = content::copy(source, &copy, size, meter).map_err(failed)?;
        self.flush.written(copy).map_err(|error| BackupError::at(&path, "write", error))?;
        Ok(read)
    }

    /// Makes sure that all copies are on the disk, and reads each of them from there again.
    fn read_again(&mut self, meter: &mut Meter<'_>) -> Result<(), BackupError> {
        let failed = |error| BackupError::at(&self.slot.path, "write", error);
        self.flush.flush().map_err(failed)?;
        fsync(&self.files).map_err(|errno| BackupError::at(&self.slot.path, "write", errno))?;
        for (number, content) in self.contents.iter().enumerate() {
            let path = self.slot.path.join(FILES).join(number.to_string());
            let copy = self.slot.content(&self.files, number)?;
            forget_cached(&copy);
            let kept = content::digest(&copy, content.size, meter);
            let kept = kept.map_err(|failure| failure.into_error(&path, &path))?;
            let length = copy.metadata().map_err(|error| BackupError::at(&path, "read", error))?.len();
            if kept != content.digest || length != content.size {
                let what = format!("file {number} is not what was written");
                return Err(BackupError::Damaged { id: self.slot.id.clone(), what });
            }
        }
        Ok(())
    }
}
