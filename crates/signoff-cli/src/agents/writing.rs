//! Carries out changes to the files of agents: each whole or not at all, with what was there before beside it.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use signoff_agents::install::Change;

use crate::failure::Failure;

/// What a backup is called, behind the name of its file.
const BACKUP: &str = "before-signoff";
/// More than this lie beside no file.
const BACKUPS_AT_MOST: usize = 1_000;

/// Does what a change says, and names the backup where there was something before.
pub(crate) fn carry_out(change: &Change) -> Result<Option<PathBuf>, Failure> {
    written(change).map_err(|error| {
        let path = signoff_card::visible(&change.path.to_string_lossy());
        Failure::internal(format!("cannot write `{path}`: {error}"), format!("无法写入 `{path}`：{error}"))
            .hint("nothing was changed there", "该处未作任何更改")
    })
}

/// A script that holds what it should is of no use where it cannot be run.
pub(super) fn make_runnable(change: &Change) -> Result<(), Failure> {
    let Ok(about) = fs::metadata(&change.path) else { return Ok(()) };
    let mode = about.permissions().mode();
    if !change.is_program || mode & 0o100 != 0 {
        return Ok(());
    }
    fs::set_permissions(&change.path, fs::Permissions::from_mode(mode | 0o100)).map_err(|error| Failure::read(&error))
}

fn written(change: &Change) -> io::Result<Option<PathBuf>> {
    // A file that is a link, as people keep them, stays one.
    let path = fs::canonicalize(&change.path).unwrap_or_else(|_| change.path.clone());
    let backup = match &change.before {
        None => None,
        Some(before) => Some(backed_up(&path, before)?),
    };
    match &change.after {
        None => fs::remove_file(&path)?,
        Some(after) => {
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            let mode = match fs::metadata(&path) {
                Ok(about) => about.permissions().mode() & 0o777,
                Err(_) if change.is_program => 0o755,
                Err(_) => 0o644,
            };
            let mode = if change.is_program { mode | 0o100 } else { mode };
            replaced(&path, after, mode)?;
        }
    }
    Ok(backup)
}

/// What lies beside a file from earlier times, newest first.
pub(super) fn backups(path: &Path) -> Vec<String> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let kept = (0..BACKUPS_AT_MOST).map_while(|number| fs::read_to_string(backup(&path, number)).ok());
    let mut kept: Vec<String> = kept.collect();
    kept.reverse();
    kept
}

fn backup(path: &Path, number: usize) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ending = if number == 0 { BACKUP.to_owned() } else { format!("{BACKUP}.{number}") };
    path.with_file_name(format!("{name}.{ending}"))
}

/// Keeps what was there before. One that holds the same serves again.
fn backed_up(path: &Path, before: &str) -> io::Result<PathBuf> {
    for number in 0..BACKUPS_AT_MOST {
        let backup = backup(path, number);
        match fs::read_to_string(&backup) {
            Ok(text) if text == before => return Ok(backup),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mode = fs::metadata(path).map_or(0o600, |about| about.permissions().mode() & 0o777);
                let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&backup)?;
                file.write_all(before.as_bytes())?;
                file.sync_all()?;
                return Ok(backup);
            }
            Err(_) => {}
        }
    }
    Err(io::Error::other("there are too many backups beside it"))
}

fn replaced(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let done = (|| {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&new)?;
        file.write_all(text.as_bytes())?;
        file.set_permissions(fs::Permissions::from_mode(mode))?;
        file.sync_all()?;
        fs::rename(&new, path)
    })();
    if done.is_err() {
        let _ = fs::remove_file(&new);
    }
    done
}
