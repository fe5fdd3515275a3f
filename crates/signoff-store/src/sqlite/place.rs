//! The place of a store's file. Whoever renames the file and puts another one there has this program write into what nobody will find
//! again, and read what it has not written; so it is looked whether the file is still the one that was opened.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use signoff_gate::StoreError;

use super::told_of_file;

/// Where a file is, and which one that was when it was opened.
#[derive(Clone)]
pub(super) struct Place {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl Place {
    /// The place of the file that is there now.
    pub(super) fn of(path: &Path) -> Result<Self, StoreError> {
        let kept = fs::metadata(path).map_err(|error| told_of_file(path, &error))?;
        Ok(Self { path: path.to_owned(), device: kept.dev(), inode: kept.ino() })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the same file is still there.
    pub(super) fn is_kept(&self) -> Result<(), StoreError> {
        let same = fs::metadata(&self.path).is_ok_and(|kept| kept.dev() == self.device && kept.ino() == self.inode);
        if same { Ok(()) } else { Err(StoreError::Replaced(self.path.display().to_string())) }
    }
}
