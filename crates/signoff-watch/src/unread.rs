//! Whether a program has read what was typed.

use std::{fs::OpenOptions, os::unix::fs::OpenOptionsExt as _, path::PathBuf};

use rustix::fs::OFlags;

/// How many bytes wait in the terminal of a process that it has not read. None where that cannot be told.
pub(crate) fn unread(process: u32) -> Option<u64> {
    let terminal: PathBuf = std::fs::read_link(format!("/proc/{process}/fd/0")).ok()?;
    if !terminal.starts_with("/dev/pts") {
        return None;
    }
    let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(terminal).ok()?;
    rustix::io::ioctl_fionread(&opened).ok()
}
