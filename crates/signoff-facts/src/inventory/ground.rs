//! What the walk knows about the directory that it is in.

use std::{
    fs, io,
    ops::Range,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    rc::Rc,
};

use crate::{
    directory::Directory,
    git::{Excludes, Proof, Tracked, names_filter},
};

/// The names in a directory, in their order and in one place.
#[derive(Default)]
pub(super) struct Names {
    pub(super) bytes: Vec<u8>,
    pub(super) places: Vec<Range<usize>>,
}

impl Names {
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.places.iter().filter_map(|place| self.bytes.get(place.clone()))
    }
}

/// What is known about the directory that the walk is in.
pub(super) struct Ground {
    pub(super) work_tree: Option<WorkTree>,
    /// Whether git is told to ignore all of it.
    pub(super) excluded: bool,
    /// Whether it is, or lies in, what builds are known to make.
    pub(super) built: bool,
    /// What it takes to be sure that a file in it is as git has it.
    pub(super) proof: Proof,
}

impl Ground {
    /// Where no repository is known.
    pub(super) fn bare(built: bool) -> Self {
        Self { work_tree: None, excluded: false, built, proof: Proof::Stat }
    }

    /// There are attributes, which count for all that is in the directory.
    pub(super) fn heed(&mut self, attributes: &Path) {
        if names_filter(attributes) {
            self.proof = Proof::Content;
        }
    }
}

/// A directory in which something goes.
pub(super) struct Neighbourhood {
    pub(super) directory: Directory,
    /// Where it really is: what a link leads to has the nature of its own place, and not of that where the link stands.
    pub(super) real: PathBuf,
    /// What is known about it, as soon as somebody had to know.
    pub(super) ground: Option<Ground>,
}

impl Neighbourhood {
    pub(super) fn of(parent: &Path) -> io::Result<Self> {
        let real = fs::canonicalize(parent)?;
        Ok(Self { directory: Directory::at(&real)?, real, ground: None })
    }
}

pub(super) struct WorkTree {
    pub(super) root: PathBuf,
    /// Nothing where it cannot be told, or where the repository goes as well.
    pub(super) tracked: Option<Rc<Tracked>>,
    pub(super) excludes: Excludes,
}

impl WorkTree {
    /// A path in full, seen from the root.
    pub(super) fn below<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        let rest = path.strip_prefix(self.root.as_os_str().as_bytes())?;
        // The root of everything ends with its slash.
        if self.root.parent().is_none() { Some(rest) } else { rest.strip_prefix(b"/") }
    }
}
