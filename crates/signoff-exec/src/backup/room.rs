//! How much room there is for a copy.

use std::os::fd::BorrowedFd;

use rustix::{fs::fstatvfs, io};

/// Says how many bytes can be written to a directory.
pub trait Room: Send + Sync {
    /// How many bytes this user can still write where the directory is.
    fn available(&self, directory: BorrowedFd<'_>) -> std::io::Result<u64>;
}

/// What the file system says.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSystemRoom;

impl Room for FileSystemRoom {
    fn available(&self, directory: BorrowedFd<'_>) -> std::io::Result<u64> {
        let about: io::Result<_> = fstatvfs(directory);
        let about = about?;
        Ok(about.f_bavail.saturating_mul(about.f_frsize))
    }
}
