//! Small files that only the user may read, replaced as a whole.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

/// Writes beside a file and puts the new one in its place at once, so that nobody ever reads half of it. Its directory is
/// made where it is missing.
///
/// # Errors
///
/// When the system does not play along; the old file is then as it was.
pub fn replace_privately(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = make_directory_of(path)?;
    let new = beside(path, "new");
    // Whatever a writer that died has left is of no use.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut file = private(&new, Existing::Refused)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    File::open(directory)?.sync_all()
}

/// Makes the directory of a file, for its owner alone.
pub(crate) fn make_directory_of(path: &Path) -> io::Result<&Path> {
    let directory = path.parent().unwrap_or(Path::new("."));
    make_private_directory(directory)?;
    Ok(directory)
}

/// Makes a directory, and those above it, for their owner alone.
///
/// # Errors
///
/// When the system does not play along.
pub fn make_private_directory(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// The file whose lock stands for the right to change another one.
pub(crate) fn lock_file(path: &Path) -> io::Result<File> {
    private(&beside(path, "lock"), Existing::Taken)
}

/// Whether a file that is there already is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Existing {
    Taken,
    Refused,
}

fn private(path: &Path, existing: Existing) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600).custom_flags(nix::fcntl::OFlag::O_NOFOLLOW.bits());
    match existing {
        Existing::Taken => options.create(true).truncate(false),
        Existing::Refused => options.create_new(true),
    };
    options.open(path)
}

fn beside(store: &Path, ending: &str) -> PathBuf {
    let mut name = store.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    store.with_file_name(name)
}
