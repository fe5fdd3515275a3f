//! Records what a command left behind, so that an undo can tell it from what somebody made later.

use std::{fs::File, ops::ControlFlow, os::fd::AsFd, path::Path};

use rustix::{
    fs::{AtFlags, FileType, Mode, OFlags, openat, statat},
    io::Errno,
};

use super::{
    BackupError, BackupId, Store,
    attributes::{self, Stamp},
    content::{self, Meter},
    document,
    ladder::{Blocked, Ladder},
    manifest::{Attributes, Left},
    store::LEFT,
    survey,
    wire::WireSeal,
};

impl Store {
    /// Records what the command left behind at the saved paths. To be called once, right after the command has ended:
    /// only what is then there may be replaced by an undo.
    pub fn seal_after(&self, id: &BackupId) -> Result<(), BackupError> {
        let slot = self.slot(id)?;
        let manifest = slot.manifest()?;
        if slot.left()?.is_some() {
            return Err(BackupError::AlreadySealed(id.clone()));
        }
        let mut ladder = Ladder::new()?;
        let mut go_on = |_| ControlFlow::Continue(());
        let mut meter = Meter::new(&mut go_on);
        let mut left = Vec::with_capacity(manifest.entries.len());
        for entry in &manifest.entries {
            left.push(match present(&mut ladder, &entry.path, &mut meter) {
                Ok(Present::Something(something, _)) => something,
                Ok(Present::Nothing | Present::NoDirectory) => Left::Nothing,
                // What cannot be read, or is being written, is never replaced.
                Err(BackupError::Denied { .. } | BackupError::Changed(_)) => Left::Other,
                Err(error) => return Err(error),
            });
        }
        let written = document::write(slot.directory.as_fd(), LEFT, &WireSeal::new(&left));
        written.map_err(|error| BackupError::at(&slot.path, "write", error))
    }
}

/// What is at a path now.
pub(super) enum Present {
    Nothing,
    /// What should be its directory is none.
    NoDirectory,
    Something(Left, Stamp),
}

/// Looks at a path in full.
pub(super) fn present(ladder: &mut Ladder, path: &Path, meter: &mut Meter<'_>) -> Result<Present, BackupError> {
    let failed = |errno| BackupError::at(path, "read", errno);
    let (directory, name) = match ladder.above(path) {
        Ok(found) => found,
        Err(Blocked { errno: Errno::NOENT, .. }) => return Ok(Present::Nothing),
        Err(Blocked { errno: Errno::NOTDIR | Errno::LOOP, .. }) => return Ok(Present::NoDirectory),
        Err(blocked) => return Err(blocked.into_error()),
    };
    let stat = match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(Present::Nothing),
        Err(errno) => return Err(failed(errno)),
    };
    let stamp = Stamp::of(&stat);
    let plain = attributes::plain(&stat);
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let left = match attributes::kind(&stat) {
        FileType::RegularFile => {
            let file = File::from(openat(directory, name, flags, Mode::empty()).map_err(failed)?);
            let digest = content::digest(&file, stamp.size, meter).map_err(|failure| failure.into_error(path, path))?;
            let extended = attributes::extended(file.as_fd()).map_err(failed)?;
            if survey::stamp(&file).map_err(failed)? != stamp {
                return Err(BackupError::Changed(path.to_owned()));
            }
            Left::File { digest, attributes: Attributes { extended, ..plain } }
        }
        FileType::Directory => {
            let open = openat(directory, name, flags | OFlags::DIRECTORY, Mode::empty()).map_err(failed)?;
            let extended = attributes::extended(open.as_fd()).map_err(failed)?;
            Left::Directory { attributes: Attributes { extended, ..plain } }
        }
        FileType::Symlink => {
            let target = survey::read_link(directory, name).map_err(failed)?;
            Left::Symlink { target, attributes: plain }
        }
        FileType::Fifo => Left::Fifo { attributes: plain },
        _ => Left::Other,
    };
    Ok(Present::Something(left, stamp))
}
