//! Whether the directories on the way to a path are really directories. Where a file or a link stands in the way of what
//! git wants to put there, git takes it away.

use std::{
    ffi::OsStr,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// What the way to a path is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Directories all along.
    Free,
    /// It ends before, and nothing stands there.
    Ends,
    /// Something that is no directory stands at this path below the root.
    Blocked(Vec<u8>),
}

/// The ways to paths of a work tree. Neighbours share theirs, so that it is cheap to ask in the order of the paths.
#[derive(Debug)]
pub(super) struct Footing<'r> {
    root: &'r Path,
    /// The last directory that was found to be one.
    firm: Vec<u8>,
    /// The last one that was not, and why.
    broken: Option<(Vec<u8>, Way)>,
}

impl<'r> Footing<'r> {
    pub(super) fn new(root: &'r Path) -> Self {
        Self { root, firm: Vec::new(), broken: None }
    }

    /// The way to a path below the root; none if that cannot be told.
    pub(super) fn way(&mut self, path: &[u8]) -> Option<Way> {
        let Some(end) = memchr::memrchr(b'/', path) else { return Some(Way::Free) };
        let directory = path.get(..end)?;
        if lies_in(&self.firm, directory) {
            return Some(Way::Free);
        }
        if let Some((broken, way)) = &self.broken
            && lies_in(directory, broken)
        {
            return Some(way.clone());
        }
        let mut end = 0;
        while end < directory.len() {
            let rest = directory.get(end + 1..)?;
            end = memchr::memchr(b'/', rest).map_or(directory.len(), |at| end + 1 + at);
            let above = directory.get(..end)?;
            if lies_in(&self.firm, above) {
                continue;
            }
            let way = match fs::symlink_metadata(full(self.root, above)) {
                Ok(metadata) if metadata.is_dir() => {
                    self.firm = above.to_vec();
                    continue;
                }
                Ok(_) => Way::Blocked(above.to_vec()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Way::Ends,
                Err(_) => return None,
            };
            self.broken = Some((above.to_vec(), way.clone()));
            return Some(way);
        }
        Some(Way::Free)
    }
}

/// Whether a path is a directory or lies in it, by their names.
fn lies_in(path: &[u8], directory: &[u8]) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// A path below the root in full.
pub(super) fn full(root: &Path, below: &[u8]) -> PathBuf {
    root.join(OsStr::from_bytes(below))
}
