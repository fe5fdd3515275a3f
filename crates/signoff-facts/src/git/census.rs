//! What of a work tree git would throw away when it makes the files as its index or a commit has them.
//!
//! The answer is a list that is never too short: what cannot be told makes all of it unknown.

use std::{
    collections::{BTreeSet, HashSet},
    fs,
    path::{Path, PathBuf},
};

use super::{
    Likeness, Moment, Repository,
    comparison::{Comparison, compare},
    footing::{Footing, Sight, full},
    index::{Entry, Kind, Mark, Rows, Stat, Trees},
    likeness,
    object_name::HashKind,
    objects::Objects,
    shares::shared_out,
};

/// From so many files on, several threads look at them.
const MANY_FILES: usize = 2_000;

/// How much may be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// The paths in an index.
    pub(crate) paths: u32,
    /// The length of the index.
    pub(crate) index_bytes: u64,
    /// The bytes of files that are compared with what git has.
    pub(crate) compared_bytes: u64,
    /// The commits and trees that are read.
    pub(crate) objects: u64,
    /// Their length.
    pub(crate) object_bytes: u64,
    /// The names that are read in directories.
    pub(crate) names: u64,
}

impl Allowance {
    /// For deciding: about as long as it takes to look at every file of a repository of ten thousand.
    pub(crate) const DECIDING: Self = Self {
        paths: 16_384,
        index_bytes: 4 << 20,
        compared_bytes: 1 << 20,
        objects: 512,
        object_bytes: 4 << 20,
        names: 32_768,
    };
}

/// Something that would be thrown away.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Difference {
    /// Where it stands, below the root.
    pub(crate) path: Vec<u8>,
    /// Whether the index has something there that is in no commit: git brings none of it back.
    pub(crate) staged: bool,
    /// Whether something stands in the index alone, and not in the work tree.
    pub(crate) unseen: bool,
}

/// What stands where something has to come, below the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InTheWay {
    /// At paths that nobody tracks.
    pub(crate) untracked: BTreeSet<Vec<u8>>,
    /// In the place of directories of which something is tracked.
    pub(crate) tracked: BTreeSet<Vec<u8>>,
}

/// A work tree and its index.
#[derive(Debug)]
pub(crate) struct Census<'r> {
    repository: &'r Repository,
    pub(super) rows: Rows,
    hash: HashKind,
    /// When the index was written.
    written: Moment,
    allowance: Allowance,
    compared_left: u64,
    /// Whether git leaves files alone that it was told to leave out of the work tree, although they are there.
    leaves_alone: bool,
}

impl<'r> Census<'r> {
    /// Reads the index. None where it is too long or not understood.
    pub(crate) fn of(repository: &'r Repository, allowance: Allowance) -> Option<Self> {
        let hash = repository.hash()?;
        let (rows, written) = match repository.index(hash, allowance.index_bytes)? {
            Some((index, _)) if index.count() > allowance.paths => return None,
            Some((index, written)) => (index.rows(&Trees::new(vec![b""])).ok()?, written),
            None => (Rows::default(), (0, 0)),
        };
        let compared_left = allowance.compared_bytes;
        // In a sparse work tree it takes those for its own again.
        let is_sparse =
            ["config.worktree", "info/sparse-checkout"].iter().any(|file| repository.own.join(file).exists())
                || repository.settings().is_none_or(|settings| settings.is_on("core.sparsecheckout"));
        Some(Self { repository, rows, hash, written, allowance, compared_left, leaves_alone: !is_sparse })
    }

    /// Whether another repository stands at one of these paths as a part of this one.
    pub(crate) fn has_submodules(&self, trees: &Trees<'_>) -> bool {
        let root = &self.repository.root;
        self.rows.all().iter().any(|row| {
            let path = self.rows.path(row);
            row.kind == Kind::Submodule
                && trees.hold(path)
                && fs::symlink_metadata(full(root, path).join(super::STORE)).is_ok()
        })
    }

    /// What goes when everything at some paths is made as the index has it.
    pub(crate) fn against_index(&mut self, trees: &Trees<'_>) -> Option<Vec<Difference>> {
        let rows = self.rows.all();
        let glance = self.glance();
        let (names, compared_left, leaves_alone) = (&self.rows, self.compared_left, self.leaves_alone);
        let parts = shared_out(rows, MANY_FILES, |shares| {
            let (mut found, mut left) = (Vec::new(), compared_left);
            let mut footing = Footing::new(glance.root)?;
            for row in shares.flatten() {
                let path = names.path(row);
                if trees.hold(path)
                    && !(leaves_alone && row.mark == Mark::LeftOut)
                    && let Some(path) = glance.displaced(&names.entry(row)?, row.mark, path, &mut footing, &mut left)?
                {
                    found.push(Difference { path, staged: false, unseen: false });
                }
            }
            Some((found, left))
        })?;
        let mut found = Vec::new();
        for (part, left) in parts {
            self.compared_left = self.compared_left.min(left);
            found.extend(part);
        }
        found.sort();
        found.dedup();
        Some(found)
    }

    /// What goes when everything at some paths is made as a commit has it, in the index as well.
    pub(crate) fn against_commit(&mut self, commit: &str, trees: &Trees<'_>) -> Option<Vec<Difference>> {
        let mut found = self.against_index(trees)?;
        let root = self.repository.root.clone();
        let allowed = self.allowance;
        let mut objects = Objects::of(self.repository, self.hash, allowed.objects, allowed.object_bytes)?;
        let head = self.repository.commit("HEAD", &mut objects)?;
        let target = self.repository.commit(commit, &mut objects)?;
        let mut footing = Footing::new(&root)?;
        // Something may stand in the way of a directory as well as of a file.
        let mut stands = |path: &[u8]| !matches!(footing.look(path), Some(Sight::Nothing));
        let Comparison { other, only_in_tree } = compare(&self.rows, head.tree, trees, &mut objects, &mut stands)?;
        let changed: HashSet<Vec<u8>> = found.iter().map(|difference| difference.path.clone()).collect();
        for row in &other {
            let path = self.rows.path(row).to_vec();
            let is_there = fs::symlink_metadata(full(&root, &path)).is_ok();
            let unseen = changed.contains(&path) || !is_there;
            found.push(Difference { path, staged: true, unseen });
        }
        let Comparison { other, only_in_tree: displaced } = if head.tree == target.tree {
            Comparison { other, only_in_tree }
        } else {
            compare(&self.rows, target.tree, trees, &mut objects, &mut stands)?
        };
        let glance = self.glance();
        let mut left = self.compared_left;
        let mut footing = Footing::new(&root)?;
        // What was left out and is another one there is put there all the same.
        for row in other.iter().filter(|row| self.leaves_alone && row.mark == Mark::LeftOut) {
            let (entry, path) = (self.rows.entry(row)?, self.rows.path(row));
            if let Some(path) = glance.displaced(&entry, row.mark, path, &mut footing, &mut left)? {
                found.push(Difference { path, staged: false, unseen: false });
            }
        }
        for (path, mode, object) in displaced {
            let kind = Kind::of_mode(mode)?;
            let entry = Entry { kind, stat: Stat::default(), object };
            if let Some(path) = glance.displaced(&entry, Mark::Plain, &path, &mut footing, &mut left)? {
                found.push(Difference { path, staged: false, unseen: false });
            }
        }
        found.sort();
        // Of what is there twice, the graver one is kept: it sorts behind.
        found.reverse();
        found.dedup_by(|later, kept| later.path == kept.path);
        found.reverse();
        Some(found)
    }

    /// What stands in the way of what a commit brings, and is not the same: things at paths that the index has not. What
    /// the last commit, or the one before what comes, has as well does not come.
    pub(crate) fn in_the_way(&mut self, commit: &str, since: Option<&str>) -> Option<InTheWay> {
        let root = self.repository.root.clone();
        let allowed = self.allowance;
        let mut objects = Objects::of(self.repository, self.hash, allowed.objects, allowed.object_bytes)?;
        let all = Trees::new(vec![b""]);
        let target = self.repository.commit_or_guess(commit, &mut objects)?;
        let mut footing = Footing::new(&root)?;
        let mut stands = |path: &[u8]| !matches!(footing.look(path), Some(Sight::Nothing));
        let Comparison { other, only_in_tree: mut arriving } =
            compare(&self.rows, target.tree, &all, &mut objects, &mut stands)?;
        // What was there already stays as the index has it, which is not at all.
        let before = match since {
            Some(since) => Some(self.repository.commit_or_guess(since, &mut objects)?),
            None => self.repository.commit("HEAD", &mut objects),
        };
        if let Some(before) = before {
            let before: HashSet<_> =
                compare(&self.rows, before.tree, &all, &mut objects, &mut stands)?.only_in_tree.into_iter().collect();
            arriving.retain(|one| !before.contains(one));
        }
        let glance = self.glance();
        let mut left = self.compared_left;
        let mut footing = Footing::new(&root)?;
        let mut found = InTheWay::default();
        // Where a directory was that git tracks, it takes away whatever is there now.
        for row in other {
            if let Sight::Blocked(at) = footing.look(self.rows.path(&row))? {
                found.tracked.insert(at);
            }
        }
        for (path, mode, object) in arriving {
            let entry = Entry { kind: Kind::of_mode(mode)?, stat: Stat::default(), object };
            found.untracked.extend(glance.displaced(&entry, Mark::Plain, &path, &mut footing, &mut left)?);
        }
        Some(found)
    }

    /// Whether something at a path is tracked.
    pub(crate) fn tracks(&self, path: &[u8]) -> bool {
        self.rows.all().iter().any(|row| self.rows.path(row) == path)
    }

    fn glance(&self) -> Glance<'_> {
        Glance { root: &self.repository.root, hash: self.hash, written: self.written }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.repository.root
    }

    /// A path below the root in full.
    pub(crate) fn full(&self, below: &[u8]) -> PathBuf {
        full(&self.repository.root, below)
    }

    pub(super) fn names_at_most(&self) -> u64 {
        self.allowance.names
    }
}

/// What it takes to look at one path.
struct Glance<'r> {
    root: &'r Path,
    hash: HashKind,
    /// When the index was written.
    written: Moment,
}

impl Glance<'_> {
    /// What would be displaced by putting something at a path: nothing if there is none, or the same.
    fn displaced(
        &self,
        entry: &Entry,
        mark: Mark,
        path: &[u8],
        footing: &mut Footing,
        compared_left: &mut u64,
    ) -> Option<Option<Vec<u8>>> {
        let (spot, look) = match footing.look(path)? {
            Sight::Nothing => return Some(None),
            Sight::Blocked(at) => return Some(Some(at)),
            Sight::There(spot, look) => (spot, look),
        };
        // The directory of another repository is left as it is.
        if entry.kind == Kind::Submodule && look.is_directory() {
            return Some(None);
        }
        let different = match mark {
            Mark::Conflict | Mark::Announced => true,
            Mark::Plain | Mark::LeftOut if entry.stat.differs_in_size(look.size) => true,
            Mark::Plain | Mark::LeftOut => match likeness(entry, self.hash, self.written, spot, &look, compared_left) {
                Likeness::Same => false,
                Likeness::Different => true,
                Likeness::TooLong => return None,
            },
        };
        Some(different.then(|| path.to_vec()))
    }
}
