//! What git is told to ignore: the patterns of `.gitignore` files on the way down, of the repository and of the user.
//!
//! That something is ignored proves little by itself (secrets and local databases are ignored too); together with a name
//! that only builds give it says that a build makes the thing again. Settings that name other files of patterns are not
//! read: what is ignored by those alone counts as not ignored, which asks more and not less.

use std::{
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

pub(crate) use gix_ignore::glob::pattern::Case;
use gix_ignore::{Search, search::Ignore};

use super::{PATTERNS, Repository, open, read_all};

/// A longer file of patterns is not read.
const PATTERNS_AT_MOST: u64 = 256 * 1024;

/// The patterns that count where a walk stands.
#[derive(Debug)]
pub(crate) struct Excludes {
    root: PathBuf,
    search: Search,
    /// How many lists each directory on the way has brought: one or none.
    brought: Vec<usize>,
    case: Case,
    /// Whether there are patterns that could not be read.
    unsure: bool,
}

impl Excludes {
    /// The patterns that count in the root of a repository's work tree; those of a user only with the home.
    pub(crate) fn of(repository: &Repository, home: Option<&Path>, case: Case) -> Self {
        let root = repository.root.clone();
        let mut excludes = Self { root, search: Search::default(), brought: Vec::new(), case, unsure: false };
        if let Some(home) = home {
            excludes.add(&home.join(".config/git/ignore"), None);
        }
        excludes.add(&repository.shared.join("info/exclude"), None);
        excludes.enter(&repository.root);
        excludes
    }

    /// The walk goes down into a directory.
    pub(crate) fn enter(&mut self, directory: &Path) {
        let root = self.root.clone();
        let brought = self.add(&directory.join(PATTERNS), Some(&root));
        self.brought.push(brought);
    }

    /// The walk comes back out of the directory that it entered last.
    pub(crate) fn leave(&mut self) {
        let brought = self.brought.pop().unwrap_or(0);
        let kept = self.search.patterns.len().saturating_sub(brought);
        self.search.patterns.truncate(kept);
    }

    /// Whether the patterns exclude a path below the root, its directories aside.
    pub(crate) fn exclude(&self, below: &Path, is_directory: bool) -> bool {
        let path = below.as_os_str().as_bytes();
        self.search
            .pattern_matching_relative_path(path.into(), Some(is_directory), self.case)
            .is_some_and(|found| !found.pattern.is_negative())
    }

    fn add(&mut self, file: &Path, root: Option<&Path>) -> usize {
        let opened = match open(file) {
            Ok(opened) => opened,
            // There are none: nothing stands there, not even a link that leads nowhere.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return 0,
            Err(_) => {
                self.unsure = true;
                return 0;
            }
        };
        let length = opened.metadata().map_or(0, |metadata| metadata.len());
        let Some(bytes) = read_all(&opened, length, PATTERNS_AT_MOST) else {
            self.unsure = true;
            return 0;
        };
        let added = self.search.add_patterns_buffer(&bytes, file, root, Ignore::default()).is_ok();
        self.unsure |= !added;
        usize::from(added)
    }

    /// Whether there are patterns that could not be read.
    pub(crate) fn is_unsure(&self) -> bool {
        self.unsure
    }
}
