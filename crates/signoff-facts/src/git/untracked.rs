//! What `git clean` would delete: things that git does not track, with or without those that it is told to ignore.
//!
//! The list is never too short. Where git may keep something that this reading does not know of, it is on the list.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::Path};

use super::{
    Census, Excludes, PATTERNS, Repository, STORE,
    footing::full,
    index::{Mark, Row, Rows, Trees},
    listing::{Listing, Listings},
    read_text,
};
use crate::directory::Directory;

/// Nested deeper than this, directories are not looked into.
const DEPTH_AT_MOST: usize = 128;

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
        // Git reads the patterns of a file that it has left out of the work tree from elsewhere.
        let is_left_out = |row: &Row| row.mark == Mark::LeftOut && self.rows.path(row).ends_with(PATTERNS.as_bytes());
        if self.rows.all().iter().any(is_left_out) {
            return None;
        }
        let (rows, names_left, root) = (&self.rows, self.names_at_most(), self.root());
        let mut walk = Walk {
            root,
            trees,
            sweep,
            excludes,
            is_built,
            rows,
            listings: Listings::ahead(root, rows, trees, names_left),
            names_left,
            path: Vec::new(),
            found: Vec::new(),
        };
        // The root may be held as a whole, and is never taken away.
        let directory = Directory::at(root).ok()?.listed(b".").ok()?;
        walk.directory(&directory, rows.all(), Held::Tracked, Excluded::No, 0)?;
        walk.found.sort_unstable_by(|first, second| first.path.cmp(&second.path));
        (!walk.excludes.is_unsure()).then_some(walk.found)
    }
}

struct Walk<'w> {
    root: &'w Path,
    trees: &'w Trees<'w>,
    sweep: Sweep,
    excludes: Excludes,
    is_built: &'w dyn Fn(&Path) -> bool,
    rows: &'w Rows,
    listings: Listings,
    names_left: u64,
    /// Where it stands, below the root.
    path: Vec<u8>,
    found: Vec<Stray>,
}

/// Whether something in a directory is tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Tracked,
    Untracked,
}

/// Whether git is told to ignore all that is in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excluded {
    Yes,
    No,
}

impl Walk<'_> {
    /// Goes through the directory that it stands in, of which these rows are tracked, and tells whether all of it goes.
    fn directory(
        &mut self,
        directory: &Directory,
        rows: &[Row],
        held: Held,
        excluded: Excluded,
        depth: usize,
    ) -> Option<bool> {
        if depth > DEPTH_AT_MOST {
            return None;
        }
        let Listing { names, has_patterns, .. } = self.listing(directory, rows)?;
        // The patterns of the root count already.
        let enters = has_patterns && !self.path.is_empty();
        if enters {
            self.excludes.enter(&full(self.root, &self.path));
        }
        let mut whole = held == Held::Untracked && self.trees.hold(&self.path);
        let length = self.path.len();
        for (name, is_directory) in names {
            // Git never lists a store; it goes where the directory goes that it stands in.
            if name == STORE.as_bytes() {
                continue;
            }
            if length > 0 {
                self.path.push(b'/');
            }
            self.path.extend_from_slice(&name);
            whole &=
                if is_directory { self.inner(directory, &name, rows, excluded, depth)? } else { self.file(excluded) };
            self.path.truncate(length);
        }
        if enters {
            self.excludes.leave();
        }
        Some(whole)
    }

    /// Whether the file that it stands at goes, which is not tracked.
    fn file(&mut self, excluded: Excluded) -> bool {
        if !self.trees.hold(&self.path) {
            return false;
        }
        let ignored =
            excluded == Excluded::Yes || self.excludes.exclude(Path::new(OsStr::from_bytes(&self.path)), false);
        let goes = match self.sweep.ignored {
            Ignored::Kept => !ignored,
            Ignored::Too => true,
            Ignored::Only => ignored,
        };
        if goes {
            let rebuilt = ignored && self.is_built_or_in_built(&self.path);
            self.found.push(Stray { path: self.path.clone(), rebuilt });
        }
        goes
    }

    /// Whether the directory that it stands at goes, with all that is in it.
    fn inner(
        &mut self,
        above: &Directory,
        name: &[u8],
        rows: &[Row],
        excluded: Excluded,
        depth: usize,
    ) -> Option<bool> {
        if !self.trees.touch(&self.path) || self.rows.hold(rows, 0, &self.path) {
            return Some(false);
        }
        let ignored =
            excluded == Excluded::Yes || self.excludes.exclude(Path::new(OsStr::from_bytes(&self.path)), true);
        let excluded = if ignored { Excluded::Yes } else { Excluded::No };
        let inside = self.rows.within(rows, &self.path);
        if !inside.is_empty() {
            if let Some(count) = self.listings.take_bare(&self.path) {
                self.names_left = self.names_left.checked_sub(count)?;
                return Some(false);
            }
            let directory = above.listed(name).ok()?;
            return self.directory(&directory, inside, Held::Tracked, excluded, depth + 1).map(|_| false);
        }
        let stays = !self.sweep.directories || ignored && self.sweep.ignored == Ignored::Kept;
        if stays {
            return Some(false);
        }
        let held = self.trees.hold(&self.path);
        if is_repository(&full(self.root, &self.path)) {
            if self.sweep.repositories && held && (ignored || self.sweep.ignored != Ignored::Only) {
                self.found.push(Stray { path: self.path.clone(), rebuilt: false });
                return Some(true);
            }
            return Some(false);
        }
        // Nobody has to count what a build makes again, as far as no other repository can be among it.
        if ignored && held && !self.sweep.repositories && self.is_built_or_in_built(&self.path) {
            self.found.push(Stray { path: self.path.clone(), rebuilt: true });
            return Some(true);
        }
        let before = self.found.len();
        let directory = above.listed(name).ok()?;
        let whole = self.directory(&directory, &[], Held::Untracked, excluded, depth + 1)?;
        if whole && self.found.len() > before {
            let rebuilt = self.found.iter().skip(before).all(|stray| stray.rebuilt);
            self.found.truncate(before);
            self.found.push(Stray { path: self.path.clone(), rebuilt });
        }
        Some(whole)
    }

    fn is_built_or_in_built(&self, below: &[u8]) -> bool {
        let path = full(self.root, below);
        path.ancestors().take_while(|above| *above != self.root).any(|above| (self.is_built)(above))
    }

    /// What is in the directory that it stands in, of which these rows are tracked; none if that cannot be told.
    fn listing(&mut self, directory: &Directory, rows: &[Row]) -> Option<Listing> {
        let listing = match self.listings.take(&self.path) {
            Some(listing) => listing,
            None => Listing::of(directory, &self.path, (self.rows, rows), self.names_left)?,
        };
        self.names_left = self.names_left.checked_sub(listing.count)?;
        Some(listing)
    }
}

/// Whether git surely sees another repository in a directory.
fn is_repository(directory: &Path) -> bool {
    let is_name = |text: &str| text.len() >= 40 && text.bytes().all(|sign| sign.is_ascii_hexdigit());
    let points = |head: String| head.starts_with("ref: refs/") || is_name(head.trim_end());
    Repository::at(directory).and_then(|found| read_text(&found.own.join("HEAD"))).is_some_and(points)
}
