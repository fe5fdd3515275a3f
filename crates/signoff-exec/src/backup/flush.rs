//! Gets what was written to the disk. Flushing thousands of small files one by one takes milliseconds for each; where the
//! system can flush a whole file system, and says so when that fails, once for all of them is enough.

use std::{
    collections::BTreeMap,
    io,
    os::fd::{AsFd, OwnedFd},
};

use rustix::fs::fstat;

/// What is still to be flushed: one open file or directory for each file system.
#[derive(Default)]
pub(super) struct Flush {
    waiting: BTreeMap<u64, OwnedFd>,
}

impl Flush {
    /// Something was written that has to be on the disk once everything is flushed.
    pub(super) fn written(&mut self, file: impl Into<OwnedFd>) -> io::Result<()> {
        let file = file.into();
        if cfg!(not(target_os = "linux")) {
            rustix::fs::fsync(&file)?;
            return Ok(());
        }
        #[allow(clippy::unnecessary_cast, reason = "the widths differ between systems")]
        let device = fstat(&file)?.st_dev as u64;
        // The first stays open: a failure to write something back is told to whoever had the file system open before.
        self.waiting.entry(device).or_insert(file);
        Ok(())
    }

    /// After this everything is on the disk, or nobody may rely on it.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.waiting).values().try_for_each(flush_all_of)
    }
}

#[cfg(target_os = "linux")]
fn flush_all_of(file: impl AsFd) -> io::Result<()> {
    Ok(rustix::fs::syncfs(file)?)
}

#[cfg(not(target_os = "linux"))]
fn flush_all_of(file: impl AsFd) -> io::Result<()> {
    Ok(rustix::fs::fsync(file)?)
}
