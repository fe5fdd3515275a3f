//! What stands at paths of a work tree, looked at without a way through anything but directories. Where a file or a link
//! stands in the way of what git wants to put there, git takes it away.

use std::{
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use rustix::io::Errno;

use super::{Spot, index::is_within};
use crate::directory::{Directory, Look};

/// Every step down keeps a directory open, of which a process may not have many. Nested deeper, nobody looks.
const DEPTH_AT_MOST: usize = 128;

/// What there is at a path.
#[derive(Debug)]
pub(super) enum Sight<'f> {
    /// Nothing: not the thing, or not even the directory that it would stand in.
    Nothing,
    /// Something that is no directory stands at this path below the root, on the way.
    Blocked(Vec<u8>),
    /// This, under its name in its directory.
    There(Spot<'f>, Look),
}

/// The directories on the way to paths of a work tree, held open. Neighbours share theirs, so that it is cheap to ask in
/// the order of the paths.
#[derive(Debug)]
pub(super) struct Footing {
    root: Directory,
    /// The directory that was reached last, by its path below the root,
    reached: Vec<u8>,
    /// with each step on the way, and where its name ends.
    steps: Vec<(usize, Directory)>,
    /// The last one that was none, and whether something stands there.
    broken: Option<(Vec<u8>, Obstacle)>,
}

/// Why there is no way through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Obstacle {
    Gap,
    Thing,
}

impl Footing {
    /// Begins in the root of a work tree; none if it cannot be entered.
    pub(super) fn new(root: &Path) -> Option<Self> {
        Some(Self { root: Directory::at(root).ok()?, reached: Vec::new(), steps: Vec::new(), broken: None })
    }

    /// What there is at a path below the root; none if that cannot be told.
    pub(super) fn look<'f>(&'f mut self, path: &'f [u8]) -> Option<Sight<'f>> {
        let (directory, name) = parted(path)?;
        if directory != self.reached
            && let Some(obstacle) = self.go(directory)?
        {
            return Some(match (obstacle, &self.broken) {
                (Obstacle::Thing, Some((at, _))) => Sight::Blocked(at.clone()),
                _ => Sight::Nothing,
            });
        }
        let directory = self.steps.last().map_or(&self.root, |(_, step)| step);
        match directory.look(name) {
            Ok(look) => Some(Sight::There(Spot { directory, name }, look)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Sight::Nothing),
            Err(_) => None,
        }
    }

    /// A directory below the root, to list it; none if there is no way to it, or it cannot be told.
    pub(super) fn listed(&mut self, path: &[u8]) -> Option<Directory> {
        let (directory, name) = parted(path)?;
        if directory != self.reached && self.go(directory)?.is_some() {
            return None;
        }
        self.steps.last().map_or(&self.root, |(_, step)| step).listed(name).ok()
    }

    /// Goes to a directory, as far as there is a way: what stands against it, and none if that cannot be told.
    fn go(&mut self, directory: &[u8]) -> Option<Option<Obstacle>> {
        if let Some((broken, obstacle)) = &self.broken
            && is_within(directory, broken)
        {
            return Some(Some(*obstacle));
        }
        let shared = |end: usize| self.reached.get(..end).is_some_and(|step| is_within(directory, step));
        let kept = self.steps.iter().take_while(|(end, _)| shared(*end)).count();
        self.steps.truncate(kept);
        let mut end = self.steps.last().map_or(0, |(end, _)| *end);
        self.reached.truncate(end);
        while end < directory.len() {
            if self.steps.len() == DEPTH_AT_MOST {
                return None;
            }
            let start = if end == 0 { 0 } else { end + 1 };
            let rest = directory.get(start..)?;
            let name = rest.get(..memchr::memchr(b'/', rest).unwrap_or(rest.len()))?;
            // No path of an index has such a part.
            if name.is_empty() {
                return None;
            }
            end = start + name.len();
            let above = self.steps.last().map_or(&self.root, |(_, step)| step);
            let obstacle = match above.inner(name) {
                Ok(step) => {
                    self.steps.push((end, step));
                    self.reached = directory.get(..end)?.to_vec();
                    continue;
                }
                Err(error) => match Errno::from_io_error(&error)? {
                    Errno::NOENT => Obstacle::Gap,
                    // A link is one thing to some systems, and another to others.
                    Errno::NOTDIR | Errno::LOOP => Obstacle::Thing,
                    _ => return None,
                },
            };
            self.broken = Some((directory.get(..end)?.to_vec(), obstacle));
            return Some(Some(obstacle));
        }
        Some(None)
    }
}

/// The directory that a path is in, and its name there.
fn parted(path: &[u8]) -> Option<(&[u8], &[u8])> {
    match memchr::memrchr(b'/', path) {
        Some(end) => Some((path.get(..end)?, path.get(end + 1..)?)),
        None => Some((&[], path)),
    }
}

/// A path below the root in full.
pub(super) fn full(root: &Path, below: &[u8]) -> PathBuf {
    root.join(OsStr::from_bytes(below))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::Path};

    use super::{Footing, Sight};

    fn sight(footing: &mut Footing, path: &str) -> Option<String> {
        Some(match footing.look(path.as_bytes())? {
            Sight::Nothing => "nothing".to_owned(),
            Sight::Blocked(at) => format!("blocked at {}", String::from_utf8(at).unwrap()),
            Sight::There(_, look) => format!("{:?} of {}", look.kind, look.size),
        })
    }

    fn tree(root: &Path) {
        fs::create_dir_all(root.join("a/b/c")).unwrap();
        fs::write(root.join("a/b/c/deep"), "12345").unwrap();
        fs::write(root.join("a/file"), "123").unwrap();
        fs::write(root.join("ab"), "12").unwrap();
        symlink("b", root.join("a/link")).unwrap();
        symlink("nowhere", root.join("dangling")).unwrap();
    }

    #[test]
    fn links_and_files_stand_in_the_way_and_gaps_lead_to_nothing() {
        let dir = tempfile::tempdir().unwrap();
        tree(dir.path());
        let expected = [
            ("a/b/c/deep", "File of 5"),
            ("a/b/c/other", "nothing"),
            ("a/b/none/x/y", "nothing"),
            ("a/b/none/x/z", "nothing"),
            ("a/file", "File of 3"),
            ("a/file/x", "blocked at a/file"),
            ("a/file/x/y", "blocked at a/file"),
            ("a/link", "Link of 1"),
            ("a/link/c/deep", "blocked at a/link"),
            ("ab", "File of 2"),
            ("ab/c", "blocked at ab"),
            ("dangling/x", "blocked at dangling"),
            ("none/x", "nothing"),
        ];
        // In their order, against it, and each with a fresh start.
        let mut footing = Footing::new(dir.path()).unwrap();
        for (path, expected) in expected.iter().chain(expected.iter().rev()) {
            assert_eq!(sight(&mut footing, path).as_deref(), Some(*expected), "{path}");
            assert_eq!(sight(&mut Footing::new(dir.path()).unwrap(), path).as_deref(), Some(*expected), "{path}");
        }
        assert_eq!(sight(&mut footing, &"none/".repeat(200)).as_deref(), Some("nothing"));
        assert_eq!(sight(&mut footing, "a//file"), None);
        let name = "n".repeat(300);
        assert_eq!(sight(&mut footing, &name), None, "no system has such a name");
    }

    #[test]
    fn a_directory_that_is_replaced_by_a_link_is_not_looked_into_by_another_name() {
        let dir = tempfile::tempdir().unwrap();
        tree(dir.path());
        let mut footing = Footing::new(dir.path()).unwrap();
        assert_eq!(sight(&mut footing, "a/b/c/deep").as_deref(), Some("File of 5"));
        fs::rename(dir.path().join("a/b"), dir.path().join("a/moved")).unwrap();
        symlink("moved", dir.path().join("a/b")).unwrap();
        assert_eq!(sight(&mut footing, "a/file").as_deref(), Some("File of 3"));
        assert_eq!(sight(&mut footing, "a/b/c/deep").as_deref(), Some("blocked at a/b"));
    }

    #[test]
    fn what_lies_too_deep_is_not_known() {
        let dir = tempfile::tempdir().unwrap();
        let deep = "d/".repeat(150);
        fs::create_dir_all(dir.path().join(&deep)).unwrap();
        let mut footing = Footing::new(dir.path()).unwrap();
        assert_eq!(sight(&mut footing, &format!("{deep}x")), None);
        assert_eq!(sight(&mut footing, &format!("{}x", "d/".repeat(100))).as_deref(), Some("nothing"));
    }
}
