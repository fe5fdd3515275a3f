//! Makes the paths that somebody names into paths that can be gone to without a link between.

use std::path::{Path, PathBuf};

use super::BackupError;

/// The paths with every link above their names followed, each only once, and none that lies below another.
pub(super) fn resolve(paths: &[PathBuf], store: &Path) -> Result<Vec<PathBuf>, BackupError> {
    let mut roots = Vec::new();
    for path in paths {
        roots.push(resolve_one(path)?);
    }
    if roots.is_empty() {
        return Err(BackupError::Nothing);
    }
    apart_from_store(&roots, store)?;
    roots.sort();
    // Sorted by components, a directory comes right before everything below it.
    roots.dedup_by(|below, above| below.starts_with(&*above));
    Ok(roots)
}

/// Refuses paths that hold the store or lie in it.
pub(super) fn apart_from_store(roots: &[PathBuf], store: &Path) -> Result<(), BackupError> {
    match roots.iter().find(|root| store.starts_with(root) || root.starts_with(store)) {
        Some(root) => Err(BackupError::StoreInside { path: root.clone(), store: store.to_owned() }),
        None => Ok(()),
    }
}

fn resolve_one(path: &Path) -> Result<PathBuf, BackupError> {
    let (true, Some(above), Some(name)) = (path.is_absolute(), path.parent(), path.file_name()) else {
        return Err(BackupError::InvalidPath(path.to_owned()));
    };
    let failed = |error| match BackupError::at(path, "reach", error) {
        BackupError::Changed(path) => BackupError::Missing(path),
        error => error,
    };
    let resolved = above.canonicalize().map_err(failed)?.join(name);
    // Asked here already, since a path below another one is not looked for again.
    resolved.symlink_metadata().map_err(failed)?;
    Ok(resolved)
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::Path};

    use super::resolve;
    use crate::backup::BackupErrorKind;

    #[test]
    fn paths_are_resolved_up_to_their_names() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        fs::create_dir_all(base.join("real/deep")).unwrap();
        for name in ["real/x", "real-1", "real.b"] {
            fs::write(base.join(name), "").unwrap();
        }
        symlink("real", base.join("short")).unwrap();
        let store = Path::new("/nowhere/store");
        let check = |paths: &[&str], expected: &[&str]| {
            let paths: Vec<_> = paths.iter().map(|path| base.join(path)).collect();
            let expected: Vec<_> = expected.iter().map(|path| base.join(path)).collect();
            assert_eq!(resolve(&paths, store).unwrap(), expected, "{paths:?}");
        };
        check(&["short"], &["short"]);
        check(&["short/"], &["short"]);
        check(&["short/deep"], &["real/deep"]);
        check(&["real/deep", "real", "short/deep/../x"], &["real"]);
        check(&["real-1", "real/deep", "real", "real.b", "real"], &["real", "real-1", "real.b"]);

        for path in ["relative", "/", "/tmp/..", ""] {
            let error = resolve(&[path.into()], store).unwrap_err();
            assert_eq!(error.kind(), BackupErrorKind::Usage, "{path:?}: {error}");
        }
        assert!(resolve(&[], store).is_err());
        for (path, store) in [("real", "real/deep"), ("real/deep", "real"), ("real", "real")] {
            let error = resolve(&[base.join(path)], &base.join(store)).unwrap_err();
            assert!(error.to_string().contains("lie inside each other"), "{error}");
        }
    }
}
