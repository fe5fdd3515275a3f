//! Copies and digests what is in a file: by sharing its blocks where the file system can, else piece by piece, with the
//! holes of a sparse file left as holes.

use std::{fs::File, io, ops::ControlFlow, os::unix::fs::FileExt, path::Path};

use rustix::{
    fs::{SeekFrom, seek},
    io::Errno,
};
use sha2::{Digest as _, Sha256};

use super::{BackupError, manifest::Digest};

const PIECE: usize = 128 * 1024;
static ZEROS: [u8; PIECE] = [0; PIECE];

/// How far a long piece of work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes that have been gone through.
    pub done: u64,
    /// Bytes there are to go through.
    pub total: u64,
}

/// Tells about the progress of something, and learns whether it should go on.
pub(super) struct Meter<'watch> {
    watch: &'watch mut dyn FnMut(Progress) -> ControlFlow<()>,
    progress: Progress,
}

impl<'watch> Meter<'watch> {
    pub(super) fn new(watch: &'watch mut dyn FnMut(Progress) -> ControlFlow<()>) -> Self {
        Self { watch, progress: Progress { done: 0, total: 0 } }
    }

    pub(super) fn start(&mut self, total: u64) {
        self.progress = Progress { done: 0, total };
    }

    pub(super) fn advance(&mut self, bytes: u64) -> Result<(), Failure> {
        self.progress.done = self.progress.done.saturating_add(bytes);
        match (self.watch)(self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Failure::Cancelled),
        }
    }
}

/// Why contents could not be gone through.
#[derive(Debug)]
pub(super) enum Failure {
    Read(io::Error),
    Write(io::Error),
    /// It ended before its end.
    Short,
    Cancelled,
}

impl Failure {
    pub(super) fn into_error(self, source: &Path, destination: &Path) -> BackupError {
        match self {
            Self::Read(error) => BackupError::at(source, "read", error),
            Self::Write(error) => BackupError::at(destination, "write", error),
            Self::Short => BackupError::Changed(source.to_owned()),
            Self::Cancelled => BackupError::Cancelled,
        }
    }
}

/// A part of a file.
enum Piece<'bytes> {
    Data { offset: u64, bytes: &'bytes [u8] },
    Hole { length: u64 },
}

/// Copies a file of a known size into an empty one, and gives the digest of what was read.
pub(super) fn copy(source: &File, destination: &File, size: u64, meter: &mut Meter<'_>) -> Result<Digest, Failure> {
    if shared(source, destination) {
        return digest(source, size, meter);
    }
    let mut hash = Sha256::new();
    walk(source, size, &mut |piece| {
        if let Piece::Data { offset, bytes } = &piece {
            destination.write_all_at(bytes, *offset).map_err(Failure::Write)?;
        }
        take(&mut hash, &piece, meter)
    })?;
    destination.set_len(size).map_err(Failure::Write)?;
    Ok(Digest(hash.finalize().into()))
}

/// The digest of a file of a known size.
pub(super) fn digest(file: &File, size: u64, meter: &mut Meter<'_>) -> Result<Digest, Failure> {
    let mut hash = Sha256::new();
    walk(file, size, &mut |piece| take(&mut hash, &piece, meter))?;
    Ok(Digest(hash.finalize().into()))
}

/// The digest of a few bytes.
pub(super) fn digest_of(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}

fn take(hash: &mut Sha256, piece: &Piece<'_>, meter: &mut Meter<'_>) -> Result<(), Failure> {
    match piece {
        Piece::Data { bytes, .. } => {
            hash.update(bytes);
            meter.advance(bytes.len() as u64)
        }
        Piece::Hole { length } => {
            let mut left = *length;
            while left > 0 {
                let zeros = ZEROS.get(..usize::try_from(left).unwrap_or(PIECE).min(PIECE)).unwrap_or(&ZEROS);
                hash.update(zeros);
                left -= zeros.len() as u64;
                meter.advance(zeros.len() as u64)?;
            }
            Ok(())
        }
    }
}

#[cfg(target_os = "linux")]
fn shared(source: &File, destination: &File) -> bool {
    rustix::fs::ioctl_ficlone(destination, source).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn shared(_source: &File, _destination: &File) -> bool {
    // The system of macOS clones by name only, which would follow whatever stands at that name by then.
    false
}

/// Goes through a file from its beginning to the size it should have.
fn walk(file: &File, size: u64, each: &mut dyn FnMut(Piece<'_>) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut buffer = vec![0; PIECE];
    let mut offset = 0;
    while offset < size {
        let (start, end) = next_data(file, offset, size)?;
        if start > offset {
            each(Piece::Hole { length: start - offset })?;
        }
        offset = start;
        while offset < end {
            let wanted = usize::try_from(end - offset).unwrap_or(PIECE).min(PIECE);
            let read = match file.read_at(buffer.get_mut(..wanted).unwrap_or_default(), offset) {
                Ok(0) => return Err(Failure::Short),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Failure::Read(error)),
            };
            each(Piece::Data { offset, bytes: buffer.get(..read).unwrap_or_default() })?;
            offset += read as u64;
        }
    }
    Ok(())
}

/// Where the next data begins and ends, at or behind an offset. The end of the file counts as an empty piece of data.
fn next_data(file: &File, offset: u64, size: u64) -> Result<(u64, u64), Failure> {
    let start = match seek(file, SeekFrom::Data(offset)) {
        Ok(start) => start.min(size),
        Err(Errno::NXIO) => size,
        // A file system that knows no holes has only data.
        Err(Errno::INVAL | Errno::NOTSUP | Errno::NOSYS) => return Ok((offset, size)),
        Err(errno) => return Err(Failure::Read(errno.into())),
    };
    match seek(file, SeekFrom::Hole(start)) {
        Ok(end) => Ok((start, end.clamp(start, size))),
        Err(Errno::NXIO) => Ok((start, size)),
        Err(errno) => Err(Failure::Read(errno.into())),
    }
}
