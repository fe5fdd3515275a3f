//! Where an operation would run: the working directory, the home and the project.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use signoff_analysis::{facts::Whereabouts, project};
use thiserror::Error;

use crate::account;

/// Why it cannot be told where an operation would run.
#[derive(Debug, Error)]
pub enum WhereaboutsError {
    /// The working directory is not there.
    #[error("there is no directory `{}`", .path.display())]
    Missing {
        /// The directory.
        path: PathBuf,
    },
    /// The working directory is something else.
    #[error("`{}` is not a directory", .path.display())]
    NotADirectory {
        /// The path.
        path: PathBuf,
    },
    /// The working directory cannot be looked at.
    #[error("cannot look at the directory `{}`: {source}", .path.display())]
    Unreadable {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The name of a directory is not Unicode, so that no text could name it exactly.
    #[error("the name of the directory `{}` is not valid Unicode", .path.display())]
    NotUnicode {
        /// The directory.
        path: PathBuf,
    },
}

/// The whereabouts of an operation in a working directory; a relative one is taken from where this process runs.
pub fn whereabouts(cwd: &Path) -> Result<Whereabouts, WhereaboutsError> {
    whereabouts_of(cwd, &account::home())
}

/// The same for an operation of a user with this home.
pub fn whereabouts_of(cwd: &Path, home: &Path) -> Result<Whereabouts, WhereaboutsError> {
    let found = fs::canonicalize(cwd).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => WhereaboutsError::Missing { path: cwd.to_owned() },
        io::ErrorKind::NotADirectory => WhereaboutsError::NotADirectory { path: cwd.to_owned() },
        _ => WhereaboutsError::Unreadable { path: cwd.to_owned(), source },
    })?;
    if !found.is_dir() {
        return Err(WhereaboutsError::NotADirectory { path: cwd.to_owned() });
    }
    let home = fs::canonicalize(home).unwrap_or_else(|_| home.to_owned());
    let project = project_of(&found, &home);
    Ok(Whereabouts { cwd: text(&found)?, home: text(&home)?, project: text(project)? })
}

fn text(path: &Path) -> Result<String, WhereaboutsError> {
    path.to_str().map(str::to_owned).ok_or_else(|| WhereaboutsError::NotUnicode { path: path.to_owned() })
}

/// The nearest directory upwards that is under version control, else the working directory itself. Where neither can
/// be a project, there is none, and everything lies outside it.
fn project_of<'a>(cwd: &'a Path, home: &Path) -> &'a Path {
    let is_tracked = |directory: &Path| fs::symlink_metadata(directory.join(".git")).is_ok();
    let tracked = cwd.ancestors().find(|directory| is_tracked(directory));
    let can_be_project = |directory: &Path| {
        let (directory_name, home_name) = (directory.to_string_lossy(), home.to_string_lossy());
        project::can_be_project(&directory_name, &home_name)
            && (!project::is_hidden_in_home(&directory_name, &home_name) || is_tracked(directory))
    };
    [tracked, Some(cwd)]
        .into_iter()
        .flatten()
        .find(|directory| can_be_project(directory))
        .unwrap_or(Path::new(project::NOWHERE))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::Path};

    use super::{WhereaboutsError, project_of, whereabouts};

    #[test]
    fn the_project_is_the_nearest_tracked_directory() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let home = root.join("home/dev");
        fs::create_dir_all(home.join("app/src/deep")).unwrap();
        fs::create_dir_all(home.join("app/.git")).unwrap();
        fs::create_dir_all(home.join("tree/src")).unwrap();
        fs::write(home.join("tree/.git"), "gitdir: elsewhere\n").unwrap();
        fs::create_dir_all(home.join("plain/below")).unwrap();
        fs::create_dir_all(home.join(".ssh")).unwrap();
        fs::create_dir_all(home.join(".dotfiles/.git")).unwrap();

        for (cwd, expected) in [
            ("app/src/deep", "app"),
            ("app", "app"),
            ("tree/src", "tree"),
            ("plain/below", "plain/below"),
            (".dotfiles", ".dotfiles"),
        ] {
            assert_eq!(project_of(&home.join(cwd), &home), home.join(expected), "{cwd}");
        }
        assert_eq!(project_of(&home, &home), Path::new("/nonexistent"), "the home directory is no project");
        assert_eq!(project_of(&home.join(".ssh"), &home), Path::new("/nonexistent"));

        fs::create_dir(home.join(".git")).unwrap();
        assert_eq!(project_of(&home, &home), Path::new("/nonexistent"), "not even under version control");
        assert_eq!(project_of(&home.join("plain"), &home), home.join("plain"), "nor for what lies below it");
    }

    #[test]
    fn links_are_resolved_and_errors_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir(root.join("real")).unwrap();
        symlink("real", root.join("link")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        fs::write(root.join("file"), "").unwrap();

        assert_eq!(whereabouts(&root.join("link")).unwrap().cwd, root.join("real").to_str().unwrap());
        assert!(matches!(whereabouts(&root.join("none")), Err(WhereaboutsError::Missing { .. })));
        assert!(matches!(whereabouts(&root.join("file")), Err(WhereaboutsError::NotADirectory { .. })));
        assert!(matches!(whereabouts(&root.join("file/x")), Err(WhereaboutsError::NotADirectory { .. })));
        assert!(matches!(whereabouts(&root.join("loop")), Err(WhereaboutsError::Unreadable { .. })));
    }
}
