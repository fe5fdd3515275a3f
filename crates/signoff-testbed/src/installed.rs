//! The programs of PostgreSQL, and the user who may run them.

use std::{
    env, fs, io,
    os::unix::{fs::chown, process::CommandExt},
    path::{Path, PathBuf},
    process::Command,
};

/// Where several versions stand side by side: a directory, and what is below each version of it.
const SHELVES: &[(&str, &str)] =
    &[("/usr/lib/postgresql", "bin"), ("/opt/homebrew/opt", "bin"), ("/usr/local/opt", "bin")];

/// Users who own nothing that a test could break, the likelier first.
const UNPRIVILEGED: &[&str] = &["postgres", "nobody"];

/// The directory with `initdb`, `postgres` and `psql`: what is on the path first, then the latest version on a shelf.
pub(crate) fn programs() -> io::Result<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let complete =
        |directory: &PathBuf| ["initdb", "postgres", "psql"].iter().all(|name| directory.join(name).is_file());
    let mut shelved: Vec<(u32, PathBuf)> = SHELVES.iter().flat_map(|(shelf, below)| versions(shelf, below)).collect();
    shelved.sort();
    let found = env::split_paths(&path).chain(shelved.into_iter().rev().map(|(_, directory)| directory)).find(complete);
    found.ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, "PostgreSQL's server is not installed (Debian: postgresql)")
    })
}

fn versions(shelf: &str, below: &str) -> Vec<(u32, PathBuf)> {
    let entries = fs::read_dir(shelf).into_iter().flatten().flatten();
    let number = |name: &str| name.trim_start_matches("postgresql@").parse().ok();
    entries.filter_map(|entry| Some((number(entry.file_name().to_str()?)?, entry.path().join(below)))).collect()
}

/// As whom the server runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Runner {
    /// As whoever runs the test.
    Oneself,
    /// As somebody else, since the test is run by root.
    Other { user: u32, group: u32 },
}

impl Runner {
    pub(crate) fn find() -> io::Result<Self> {
        if id(&["-u"])? != 0 {
            return Ok(Self::Oneself);
        }
        let other = UNPRIVILEGED.iter().find_map(|name| {
            let (user, group) = (id(&["-u", name]).ok()?, id(&["-g", name]).ok()?);
            (user != 0).then_some(Self::Other { user, group })
        });
        other.ok_or_else(|| io::Error::other("PostgreSQL refuses to run as root, and there is nobody else here"))
    }

    /// A directory that everybody can walk to. Names of sockets are short, and so is this one.
    pub(crate) fn ground(self) -> PathBuf {
        match self {
            Self::Oneself => env::temp_dir(),
            Self::Other { .. } => PathBuf::from("/tmp"),
        }
    }

    pub(crate) fn own(self, path: &Path) -> io::Result<()> {
        match self {
            Self::Oneself => Ok(()),
            Self::Other { user, group } => chown(path, Some(user), Some(group)),
        }
    }

    /// A program that is run by this user, and is told nothing by the environment of the test.
    pub(crate) fn command(self, program: &Path, directory: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(directory).env_clear().env("LC_ALL", "C");
        if let Some(path) = env::var_os("PATH") {
            command.env("PATH", path);
        }
        if let Self::Other { user, group } = self {
            command.uid(user).gid(group);
        }
        command
    }
}

/// What `id` says.
fn id(arguments: &[&str]) -> io::Result<u32> {
    let output = Command::new("id").args(arguments).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().map_err(|_| io::Error::other(format!("`id {}` says no number", arguments.join(" "))))
}
