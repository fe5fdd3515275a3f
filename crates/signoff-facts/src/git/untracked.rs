//! What `git clean` would delete: things that git does not track, with or without those that it is told to ignore.
//!
//! The list is never too short. Where git may keep something that this reading does not know of, it is on the list.

use std::{
    collections::HashSet,
    ffi::OsString,
    fs,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::Path,
};

use super::{
    Census, Excludes, Repository, STORE,
    footing::full,
    index::{Mark, Trees},
    read_text,
};

/// Nested deeper than this, directories are not looked into.
const DEPTH_AT_MOST: usize = 128;
const PATTERNS: &str = ".gitignore";

/// What becomes of things that git is told to ignore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ignored {
    /// They stay.
    Kept,
    /// They go as well.
    Too,
    /// They go, and nothing else.
    Only,
}

/// What is swept away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sweep {
    pub(crate) ignored: Ignored,
    /// Whether directories go in which nothing is tracked.
    pub(crate) directories: bool,
    /// Whether other repositories go.
    pub(crate) repositories: bool,
}

/// Something that goes, with everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stray {
    /// Where it stands, below the root.
    pub(crate) path: Vec<u8>,
    /// Whether a build makes all of it again.
    pub(crate) rebuilt: bool,
}

impl Census<'_> {
    /// What a sweep takes away at and below some paths. `is_built` says whether builds are known to make something.
    pub(crate) fn strays(
        &self,
        trees: &Trees<'_>,
        sweep: Sweep,
        excludes: Excludes,
        is_built: &dyn Fn(&Path) -> bool,
    ) -> Option<Vec<Stray>> {
        let mut tracked = HashSet::new();
        let mut directories: HashSet<&[u8]> = HashSet::new();
        for row in self.rows.all() {
            let path = self.rows.path(row);
            // Git reads the patterns of a file that it has left out of the work tree from elsewhere.
            if row.mark == Mark::LeftOut && path.ends_with(PATTERNS.as_bytes()) {
                return None;
            }
            tracked.insert(path);
            let mut above = path;
            while let Some(end) = memchr::memrchr(b'/', above) {
                above = above.get(..end)?;
                if !directories.insert(above) {
                    break;
                }
            }
        }
        let names_left = self.names_at_most();
        let root = self.root();
        let mut walk =
            Walk { root, trees, sweep, excludes, is_built, tracked, directories, names_left, found: Vec::new() };
        // The root may be held as a whole, and is never taken away.
        walk.directory(&[], true, false, 0)?;
        (!walk.excludes.is_unsure()).then_some(walk.found)
    }
}

struct Walk<'w> {
    root: &'w Path,
    trees: &'w Trees<'w>,
    sweep: Sweep,
    excludes: Excludes,
    is_built: &'w dyn Fn(&Path) -> bool,
    tracked: HashSet<&'w [u8]>,
    /// The directories in which something is tracked.
    directories: HashSet<&'w [u8]>,
    names_left: u64,
    found: Vec<Stray>,
}

impl Walk<'_> {
    /// Goes through one directory, and tells whether all of it goes.
    fn directory(&mut self, path: &[u8], is_tracked: bool, excluded: bool, depth: usize) -> Option<bool> {
        if depth > DEPTH_AT_MOST {
            return None;
        }
        let names = self.names(path)?;
        let has_patterns = names.iter().any(|(name, _)| name == PATTERNS);
        // The patterns of the root count already.
        let enters = has_patterns && !path.is_empty();
        if enters {
            self.excludes.enter(&full(self.root, path));
        }
        let mut whole = !is_tracked && self.trees.hold(path);
        for (name, is_directory) in names {
            // Git never lists a store; it goes where the directory goes that it stands in.
            if name == STORE {
                continue;
            }
            let below = if path.is_empty() { name.into_vec() } else { [path, b"/", name.as_bytes()].concat() };
            whole &= if is_directory { self.inner(below, excluded, depth)? } else { self.file(below, excluded) };
        }
        if enters {
            self.excludes.leave();
        }
        Some(whole)
    }

    fn file(&mut self, below: Vec<u8>, excluded: bool) -> bool {
        if self.tracked.contains(below.as_slice()) || !self.trees.hold(&below) {
            return false;
        }
        let ignored = excluded || self.excludes.exclude(Path::new(std::ffi::OsStr::from_bytes(&below)), false);
        let goes = match self.sweep.ignored {
            Ignored::Kept => !ignored,
            Ignored::Too => true,
            Ignored::Only => ignored,
        };
        if goes {
            let rebuilt = ignored && self.is_built_or_in_built(&below);
            self.found.push(Stray { path: below, rebuilt });
        }
        goes
    }

    fn inner(&mut self, below: Vec<u8>, excluded: bool, depth: usize) -> Option<bool> {
        if !self.trees.touch(&below) || self.tracked.contains(below.as_slice()) {
            return Some(false);
        }
        let ignored = excluded || self.excludes.exclude(Path::new(std::ffi::OsStr::from_bytes(&below)), true);
        if self.directories.contains(below.as_slice()) {
            return self.directory(&below, true, ignored, depth + 1).map(|_| false);
        }
        let stays = !self.sweep.directories || ignored && self.sweep.ignored == Ignored::Kept;
        if stays {
            return Some(false);
        }
        let held = self.trees.hold(&below);
        if is_repository(&full(self.root, &below)) {
            if self.sweep.repositories && held && (ignored || self.sweep.ignored != Ignored::Only) {
                self.found.push(Stray { path: below, rebuilt: false });
                return Some(true);
            }
            return Some(false);
        }
        // Nobody has to count what a build makes again, as far as no other repository can be among it.
        if ignored && held && !self.sweep.repositories && self.is_built_or_in_built(&below) {
            self.found.push(Stray { path: below, rebuilt: true });
            return Some(true);
        }
        let before = self.found.len();
        let whole = self.directory(&below, false, ignored, depth + 1)?;
        if whole && self.found.len() > before {
            let rebuilt = self.found.iter().skip(before).all(|stray| stray.rebuilt);
            self.found.truncate(before);
            self.found.push(Stray { path: below, rebuilt });
        }
        Some(whole)
    }

    fn is_built_or_in_built(&self, below: &[u8]) -> bool {
        let path = full(self.root, below);
        path.ancestors().take_while(|above| *above != self.root).any(|above| (self.is_built)(above))
    }

    /// The names in a directory, and whether each is a directory itself. None if that cannot be told.
    fn names(&mut self, path: &[u8]) -> Option<Vec<(OsString, bool)>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(full(self.root, path)).ok()? {
            self.names_left = self.names_left.checked_sub(1)?;
            let entry = entry.ok()?;
            names.push((entry.file_name(), entry.file_type().ok()?.is_dir()));
        }
        names.sort();
        Some(names)
    }
}

/// Whether git surely sees another repository in a directory.
fn is_repository(directory: &Path) -> bool {
    let is_name = |text: &str| text.len() >= 40 && text.bytes().all(|sign| sign.is_ascii_hexdigit());
    let points = |head: String| head.starts_with("ref: refs/") || is_name(head.trim_end());
    Repository::at(directory).and_then(|found| read_text(&found.own.join("HEAD"))).is_some_and(points)
}
