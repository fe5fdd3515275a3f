//! What stands in directories of a work tree beside what is tracked there.

use std::{
    collections::{HashMap, HashSet},
    ops::ControlFlow,
    os::unix::ffi::OsStrExt,
    path::Path,
};

use rustix::fs::FileType;

use super::{
    PATTERNS,
    footing::Footing,
    index::{Row, Rows, Trees},
    shares::shared_out,
};
use crate::directory::Directory;

/// From so many directories on, several threads list them; in tests nearly always, so that their trees can be small.
const MANY_DIRECTORIES: usize = if cfg!(test) { 2 } else { 32 };

/// What is in a directory, but for files that are tracked.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// The names, and whether each is a directory itself.
    pub(super) names: Vec<(Vec<u8>, bool)>,
    /// Whether there are patterns of what is ignored.
    pub(super) has_patterns: bool,
    /// How many names there are, with those of tracked files.
    pub(super) count: u64,
}

impl Listing {
    /// Lists a directory by its path below the root, of which these rows are tracked; none if that cannot be told, or if
    /// there are more names than may be read.
    pub(super) fn of(directory: &Directory, path: &[u8], rows: (&Rows, &[Row]), names_at_most: u64) -> Option<Self> {
        let mut listing = Self::default();
        let mut told = true;
        let beginning = if path.is_empty() { 0 } else { path.len() + 1 };
        let (all, inside) = rows;
        directory
            .names(|name, kind| {
                let name = name.as_bytes();
                let is_directory = match kind {
                    Some(kind) => Some(kind == FileType::Directory),
                    None => directory.look(name).ok().map(|look| look.is_directory()),
                };
                let Some(is_directory) = is_directory.filter(|_| listing.count < names_at_most) else {
                    told = false;
                    return ControlFlow::Break(());
                };
                listing.count += 1;
                listing.has_patterns |= name == PATTERNS.as_bytes();
                if is_directory || !all.hold(inside, beginning, name) {
                    listing.names.push((name.to_vec(), is_directory));
                }
                ControlFlow::Continue(())
            })
            .ok()?;
        told.then_some(listing)
    }
}

/// Directories with tracked files in them, listed before anybody goes there.
#[derive(Debug, Default)]
pub(super) struct Listings(HashMap<Vec<u8>, Listing>);

impl Listings {
    /// Those that trees touch, where there are many. What cannot be listed is left to whoever comes there.
    pub(super) fn ahead(root: &Path, rows: &Rows, trees: &Trees<'_>, names_at_most: u64) -> Self {
        let directories = directories(rows, trees);
        if directories.len() < MANY_DIRECTORIES {
            return Self::default();
        }
        let listed = shared_out(&directories, MANY_DIRECTORIES, |shares| {
            let mut footing = Footing::new(root)?;
            let mut listed = Vec::new();
            for path in shares.flatten() {
                let directory = footing.listed(path);
                let inside = rows.within(rows.all(), path);
                let listing = directory.and_then(|open| Listing::of(&open, path, (rows, inside), names_at_most));
                listed.extend(listing.map(|listing| (path.to_vec(), listing)));
            }
            Some(listed)
        });
        Self(listed.into_iter().flatten().flatten().collect())
    }

    /// How many names there are in a directory, if somebody has found nothing there but tracked files.
    pub(super) fn take_bare(&mut self, path: &[u8]) -> Option<u64> {
        let count = self.0.get(path).filter(|listing| listing.names.is_empty())?.count;
        self.0.remove(path);
        Some(count)
    }

    /// What was found in a directory, if somebody has been there.
    pub(super) fn take(&mut self, path: &[u8]) -> Option<Listing> {
        self.0.remove(path)
    }
}

/// The directories below the root that tracked files stand in and trees touch.
fn directories<'r>(rows: &'r Rows, trees: &Trees<'_>) -> Vec<&'r [u8]> {
    let mut had: HashSet<&[u8]> = HashSet::new();
    let mut found = Vec::new();
    let mut last: &[u8] = &[];
    for row in rows.all() {
        let path = rows.path(row);
        let directory = memchr::memrchr(b'/', path).and_then(|end| path.get(..end)).unwrap_or_default();
        if directory != last && trees.touch(directory) && had.insert(directory) {
            found.push(directory);
        }
        last = directory;
    }
    found
}
