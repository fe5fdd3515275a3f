//! The paths that go: which of them go with others, and where they really stand.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

/// Every path but those that stand there twice or lie in another: nothing goes twice.
pub(super) fn outermost(paths: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    let all: HashSet<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let mut had = HashSet::new();
    // Neighbours lie in the same directory, and go with another or do not.
    let mut last: Option<(&Path, bool)> = None;
    paths.iter().filter(move |path| {
        let goes_with_another = match (path.parent(), last) {
            (None, _) => false,
            (Some(parent), Some((directory, goes))) if directory.as_os_str() == parent.as_os_str() => goes,
            (Some(parent), _) => {
                let goes = parent.ancestors().any(|above| all.contains(above) && really_lies_in(path, above));
                last = Some((parent, goes));
                goes
            }
        };
        !goes_with_another && had.insert(*path)
    })
}

/// Whether a path lies in a directory also when every link on the way is followed: what a link leads to stays when the
/// link goes.
fn really_lies_in(path: &Path, directory: &Path) -> bool {
    path.parent().is_some_and(|parent| fs::canonicalize(parent).is_ok_and(|parent| parent.starts_with(directory)))
}

/// Where a path really stands, which may be a link itself; none where nothing stands.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    // Without a slash at its end, it means the link and not what that leads to.
    let path = path.components().as_path();
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Some(fs::canonicalize(parent).ok()?.join(name)),
        _ => fs::canonicalize(path).ok(),
    }
}
