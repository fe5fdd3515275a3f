//! Brings a backup back: checks it, plans, says so on the disk, places, and says that on the disk as well.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    ops::ControlFlow,
    os::fd::AsFd,
    path::{Path, PathBuf},
};

use super::{
    BackupError, BackupId, Moment, Progress, Store,
    content::{self, Meter},
    document::{self, Unread},
    flush::Flush,
    ladder::Ladder,
    manifest::Manifest,
    placing::{Broken, Placer, Traces},
    plan::{Plan, Planner, Step},
    roots,
    store::{RESTORED, RESTORING, Slot},
    wire::{WireBegun, WireRestored},
};

/// Where a backup is restored to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// To where it was.
    Original,
    /// Below another directory, which exists: `/a/b` becomes `<directory>/a/b`.
    Beside(PathBuf),
}

impl Destination {
    pub(super) fn of(&self, path: &Path) -> PathBuf {
        match self {
            Self::Original => path.to_owned(),
            Self::Beside(directory) => directory.join(path.strip_prefix("/").unwrap_or(path)),
        }
    }

    /// The same with every link followed.
    fn resolved(&self) -> Result<Self, BackupError> {
        match self {
            Self::Original => Ok(Self::Original),
            Self::Beside(directory) => {
                let resolved = directory.canonicalize();
                resolved.map(Self::Beside).map_err(|error| match BackupError::at(directory, "enter", error) {
                    BackupError::Changed(path) => BackupError::Missing(path),
                    error => error,
                })
            }
        }
    }
}

/// Something that a person should know about a path that was restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which path.
    pub path: PathBuf,
    /// What there is to know.
    pub kind: NoteKind,
}

/// What there is to know about a path that was restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// It belongs to somebody else than before, and has lost the right to run as its owner.
    OtherOwner,
    /// An extended attribute could not be set.
    NoAttribute(OsString),
    /// It was there already with the saved contents; its rights and times are not those that were saved.
    AttributesKept,
    /// It had more names than were saved, and is a file of its own now.
    LinksElsewhere,
}

/// What a restore did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// Paths that were missing and are there again.
    pub placed: usize,
    /// Paths that the command had changed and that are as before.
    pub replaced: usize,
    /// Paths that were there.
    pub kept: usize,
    /// What a person should know.
    pub notes: Vec<Note>,
}

impl Store {
    /// Restores a backup. Everything is checked before anything is touched; whatever exists and is not known to be what
    /// the command left behind is a conflict, and then nothing is restored. A restore that was killed is finished by
    /// another one.
    pub fn restore(
        &self,
        id: &BackupId,
        destination: &Destination,
        time: Moment,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Restored, BackupError> {
        let slot = self.slot(id)?;
        let manifest = slot.manifest()?;
        let destination = &destination.resolved()?;
        let targets: Vec<_> = manifest.description.paths.iter().map(|path| destination.of(path)).collect();
        roots::apart_from_store(&targets, &self.path)?;
        let left = match destination {
            Destination::Original => slot.left()?,
            Destination::Beside(_) => None,
        };
        let mut meter = Meter::new(watch);
        // Each content is read to be checked, and once more to be restored.
        meter.start(manifest.size().bytes.saturating_mul(2));
        verify(&slot, &manifest, &mut meter)?;

        let begun = begun(&slot)?;
        let files = slot.files()?;
        let (ladder, anchors) = (Ladder::new()?, Ladder::new()?);
        let flush = Flush::default();
        let notes = Vec::new();
        let mut placer = Placer { slot: &slot, manifest: &manifest, files, ladder, anchors, meter, notes, flush };
        if begun.is_some() {
            placer.sweep(manifest.entries.iter().map(|entry| destination.of(&entry.path)))?;
        }
        let is_first = begun.is_none();
        let ours: BTreeSet<_> = begun.into_iter().flatten().collect();
        let planner = Planner { store: self, destination, left, ours };
        let plan = planner.plan(&manifest, &mut placer.meter)?;

        let making: BTreeSet<&PathBuf> = planner.ours.iter().chain(plan.made()).collect();
        let written = document::write(slot.directory.as_fd(), RESTORING, &WireBegun::new(making.into_iter()));
        written.map_err(|error| BackupError::at(&slot.path, "write", error))?;
        let unfinished = |source| BackupError::Unfinished { source: Box::new(source) };
        if let Err(Broken { error, traces }) = placer.place(&plan) {
            // Where nothing is left of it, and nothing was from another one, it has never begun.
            let undone = is_first && traces == Traces::None && slot.forget(RESTORING).is_ok();
            return Err(if undone { error } else { unfinished(error) });
        }
        let written = document::write(slot.directory.as_fd(), RESTORED, &WireRestored::new(time));
        written.map_err(|error| unfinished(BackupError::at(&slot.path, "write", error)))?;
        slot.forget(RESTORING).map_err(unfinished)?;
        Ok(report(&plan, placer.notes))
    }

    /// Reads a whole backup and checks that it is what was saved.
    pub fn verify(&self, id: &BackupId, watch: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<(), BackupError> {
        let slot = self.slot(id)?;
        let manifest = slot.manifest()?;
        let mut meter = Meter::new(watch);
        meter.start(manifest.size().bytes);
        verify(&slot, &manifest, &mut meter)
    }
}

fn verify(slot: &Slot, manifest: &Manifest, meter: &mut Meter<'_>) -> Result<(), BackupError> {
    let files = slot.files()?;
    for (number, content) in manifest.contents.iter().enumerate() {
        let damaged = |how: &str| BackupError::Damaged { id: slot.id.clone(), what: format!("file {number} {how}") };
        let file = slot.content(&files, number)?;
        let about = file.metadata().map_err(|error| BackupError::at(&slot.path, "read", error))?;
        if !about.is_file() || about.len() != content.size {
            return Err(damaged("has another length"));
        }
        let digest = content::digest(&file, content.size, meter);
        let digest = digest.map_err(|failure| match failure.into_error(&slot.path, &slot.path) {
            BackupError::Changed(_) => damaged("has another length"),
            error => error,
        })?;
        if digest != content.digest {
            return Err(damaged("is not what was saved"));
        }
    }
    Ok(())
}

/// The directories that a restore which was broken off was making; None if there was none.
fn begun(slot: &Slot) -> Result<Option<Vec<PathBuf>>, BackupError> {
    match document::read::<WireBegun>(slot.directory.as_fd(), RESTORING) {
        Ok(begun) => begun.into_paths().map(Some).map_err(|meaningless| slot.meaningless(&meaningless)),
        Err(Unread::Missing) => Ok(None),
        Err(unread) => Err(slot.unread(unread)),
    }
}

fn report(plan: &Plan<'_>, notes: Vec<Note>) -> Restored {
    let mut restored = Restored { notes, ..Restored::default() };
    for target in &plan.entries {
        match target.step {
            Step::Place | Step::Make => restored.placed += 1,
            Step::Replace(_) | Step::Amend => restored.replaced += 1,
            Step::Keep | Step::KeepOther => restored.kept += 1,
        }
    }
    restored
}
