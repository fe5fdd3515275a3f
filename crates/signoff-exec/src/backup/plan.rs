//! Decides, before anything is touched, what a restore does at every path: whatever exists and is not known to be what the
//! command left behind stays as it is.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Access, AtFlags, accessat},
    io::Errno,
};

use super::{
    BackupError, Conflict, ConflictReason, Store,
    attributes::Stamp,
    content::Meter,
    ladder::{Blocked, Ladder},
    manifest::{Attributes, Content, Digest, Entry, Left, Manifest, Node},
    restoring::Destination,
    sealing::{Present, present},
};

/// What a restore does at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It is there as it was saved.
    Keep,
    /// It is there with the saved contents and other attributes, which somebody may have given it since.
    KeepOther,
    /// It is missing.
    Place,
    /// It is what the command left behind.
    Replace(Stamp),
    /// A directory that this restore, or one that was broken off, has made or will make.
    Make,
    /// A directory that still is there with the attributes that the command left it with.
    Amend,
}

/// One path of a restore.
pub(super) struct Target<'manifest> {
    pub(super) entry: &'manifest Entry,
    /// Where it goes, which is somewhere else when restoring beside.
    pub(super) path: PathBuf,
    pub(super) step: Step,
}

/// Everything a restore does.
pub(super) struct Plan<'manifest> {
    /// The directories above, as far as they are missing.
    pub(super) above: Vec<Target<'manifest>>,
    pub(super) entries: Vec<Target<'manifest>>,
}

impl Plan<'_> {
    pub(super) fn made(&self) -> impl Iterator<Item = &PathBuf> {
        self.above.iter().chain(&self.entries).filter(|target| target.step == Step::Make).map(|target| &target.path)
    }
}

/// What a plan is made from.
pub(super) struct Planner<'plan> {
    pub(super) store: &'plan Store,
    pub(super) destination: &'plan Destination,
    /// What the command left behind, if that is known.
    pub(super) left: Option<Vec<Left>>,
    /// The directories that a restore which was broken off has made.
    pub(super) ours: BTreeSet<PathBuf>,
}

impl Planner<'_> {
    pub(super) fn plan<'manifest>(
        &self,
        manifest: &'manifest Manifest,
        meter: &mut Meter<'_>,
    ) -> Result<Plan<'manifest>, BackupError> {
        let mut ladder = Ladder::new()?;
        let mut conflicts: Vec<Conflict> = Vec::new();
        let mut above = Vec::new();
        for entry in &manifest.above {
            let path = self.destination.of(&entry.path);
            match ladder.go(&path) {
                Ok(_) if self.ours.contains(&path) => above.push(Target { entry, path, step: Step::Make }),
                Ok(_) => {}
                Err(Blocked { errno: Errno::NOENT, .. }) => above.push(Target { entry, path, step: Step::Make }),
                Err(Blocked { errno: Errno::NOTDIR | Errno::LOOP, .. }) => {
                    conflicts.push(Conflict { path, reason: ConflictReason::OtherKind });
                }
                Err(blocked) => return Err(blocked.into_error()),
            }
        }
        let above_conflicts = conflicts.len();
        let mut entries = Vec::with_capacity(manifest.entries.len());
        for (number, entry) in manifest.entries.iter().enumerate() {
            let path = self.destination.of(&entry.path);
            let left = self.left.as_ref().and_then(|left| left.get(number));
            let step = match present(&mut ladder, &path, meter)? {
                Present::Nothing if entry.node == Node::Directory => Ok(Step::Make),
                Present::Nothing => Ok(Step::Place),
                Present::NoDirectory => Err(ConflictReason::NoDirectory),
                Present::Something(there, stamp) => {
                    let ours = if self.ours.contains(&path) { Maker::Us } else { Maker::Others };
                    beside_present(entry, &manifest.contents, &there, stamp, left, ours)
                }
            };
            match step {
                Ok(step) => entries.push(Target { entry, path, step }),
                // What is below something that is in the way needs no mention. It follows right behind it.
                Err(_) if conflicts.iter().take(above_conflicts).chain(conflicts.last()).any(is_above(&path)) => {}
                Err(reason) => conflicts.push(Conflict { path, reason }),
            }
        }
        if !conflicts.is_empty() {
            return Err(BackupError::Conflicts(conflicts));
        }
        let plan = Plan { above, entries };
        check_rights(&plan, &mut ladder)?;
        self.check_room(&plan, manifest, &mut ladder)?;
        Ok(plan)
    }

    fn check_room(&self, plan: &Plan<'_>, manifest: &Manifest, ladder: &mut Ladder) -> Result<(), BackupError> {
        let mut contents = BTreeSet::new();
        for target in &plan.entries {
            if let (Node::File(content), Step::Place | Step::Replace(_)) = (&target.entry.node, target.step) {
                contents.insert(*content);
            }
        }
        let needed = contents.iter().filter_map(|content| manifest.contents.get(*content));
        let needed = needed.fold(0_u64, |sum, content| sum.saturating_add(content.allocated.min(content.size)));
        let Some(first) = plan.entries.first() else { return Ok(()) };
        for directory in first.path.ancestors().skip(1) {
            let Ok(there) = ladder.go(directory) else { continue };
            let available = self.store.room.available(there);
            let available = available.map_err(|error| BackupError::at(directory, "look at", error))?;
            if needed > available {
                let (needed, available) = (Some(needed), Some(available));
                return Err(BackupError::NoRoom { path: directory.to_owned(), needed, available });
            }
            break;
        }
        Ok(())
    }
}

/// Makes sure that everything can be put where it goes, as far as there is a directory for it already.
fn check_rights(plan: &Plan<'_>, ladder: &mut Ladder) -> Result<(), BackupError> {
    let mut checked: Option<&Path> = None;
    for target in plan.above.iter().chain(&plan.entries) {
        let (Step::Make | Step::Place | Step::Replace(_), Some(directory)) = (target.step, target.path.parent()) else {
            continue;
        };
        if checked == Some(directory) {
            continue;
        }
        checked = Some(directory);
        let Ok(there) = ladder.go(directory) else { continue };
        accessat(there, ".", Access::WRITE_OK | Access::EXEC_OK, AtFlags::empty())
            .map_err(|errno| BackupError::at(directory, "write to", errno))?;
    }
    Ok(())
}

/// Who made a directory that is there now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Maker {
    Us,
    Others,
}

/// What to do where something is.
fn beside_present(
    entry: &Entry,
    contents: &[Content],
    there: &Left,
    stamp: Stamp,
    left: Option<&Left>,
    maker: Maker,
) -> Result<Step, ConflictReason> {
    let saved = &entry.attributes;
    let (same_kind, same_contents, attributes) = match (&entry.node, there) {
        (Node::Directory, Left::Directory { attributes }) => {
            return Ok(match left {
                _ if maker == Maker::Us => Step::Make,
                Some(Left::Directory { attributes: left })
                    if same_but_time(left, attributes) && !same_but_time(saved, attributes) =>
                {
                    Step::Amend
                }
                _ => Step::Keep,
            });
        }
        (Node::File(content), Left::File { digest, attributes }) => {
            (true, digest_of(contents, *content) == Some(*digest), Some(attributes))
        }
        (Node::Symlink(saved), Left::Symlink { target, attributes }) => (true, saved == target, Some(attributes)),
        (Node::Fifo, Left::Fifo { attributes }) => (true, true, Some(attributes)),
        _ => (false, false, None),
    };
    if same_contents && attributes == Some(saved) {
        return Ok(Step::Keep);
    }
    let replaceable = entry.node != Node::Directory && !matches!(there, Left::Directory { .. } | Left::Other);
    if replaceable && left == Some(there) {
        return Ok(Step::Replace(stamp));
    }
    match (same_kind, same_contents) {
        (true, true) => Ok(Step::KeepOther),
        (true, false) => Err(ConflictReason::OtherContents),
        (false, _) => Err(ConflictReason::OtherKind),
    }
}

fn is_above(path: &Path) -> impl Fn(&Conflict) -> bool {
    |conflict| path.starts_with(&conflict.path)
}

fn digest_of(contents: &[Content], number: usize) -> Option<Digest> {
    contents.get(number).map(|content| content.digest)
}

fn same_but_time(one: &Attributes, other: &Attributes) -> bool {
    (one.mode, one.owner, one.group, &one.extended) == (other.mode, other.owner, other.group, &other.extended)
}
