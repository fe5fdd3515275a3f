//! Getting the bytes of a file: bounded, never waiting, and only from what is an ordinary file. Nothing is understood here.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use nix::fcntl::OFlag;
use signoff_model::Digest;

use crate::{
    PROJECT_FILE,
    fault::{Fault, FaultKind, Position, Words},
};

/// The largest file that is read, in bytes.
pub const SIZE_LIMIT: u64 = 256 * 1024;

/// The right of everybody to write. Groups are another matter: on many systems each user has one for themselves.
const WRITABLE_BY_ALL: u32 = 0o002;

/// What was in a file at one moment: whatever is said about it later is about these bytes.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    pub(crate) path: Arc<PathBuf>,
    pub(crate) text: String,
    pub(crate) digest: Digest,
}

impl Contents {
    pub(crate) fn of_text(text: &str, path: &Path) -> Self {
        Self { path: Arc::new(path.to_owned()), text: text.to_owned(), digest: Digest::of(text.as_bytes()) }
    }
}

/// Whether a link at the end of a path may be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Followed,
    Refused,
}

/// Reads a file that belongs to a person; none when there is none.
pub(crate) fn read(path: &Path) -> Result<Option<Contents>, Fault> {
    let Some(bytes) = bytes_of(path, Links::Followed, SIZE_LIMIT)? else {
        // A link that leads nowhere was put there by somebody who has settings, which is not the same as having none.
        return if path.is_symlink() { Err(leads_nowhere(path)) } else { Ok(None) };
    };
    let mode = fs::metadata(path).map_err(|error| unreadable(path, &error))?.permissions().mode();
    if mode & WRITABLE_BY_ALL != 0 {
        return Err(writable_by_all(path));
    }
    let digest = Digest::of(&bytes);
    let text = text_of(bytes, path)?;
    Ok(Some(Contents { path: Arc::new(path.to_owned()), text, digest }))
}

/// The largest file of another kind that is read, in bytes.
const OTHER_LIMIT: u64 = 4 * 1024 * 1024;

/// The text of a file that is not configuration itself.
pub(crate) fn text(path: &Path) -> Result<Option<String>, Fault> {
    bytes_of(path, Links::Followed, OTHER_LIMIT)?.map(|bytes| text_of(bytes, path)).transpose()
}

/// Reads the file of a project. A link would make another project's trusted file count for this one, so none is followed
/// below the root of the project.
pub(crate) fn read_of_project(project: &Path) -> Result<Option<Contents>, Fault> {
    let root = match fs::canonicalize(project) {
        Ok(root) => root,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(unreadable(project, &error)),
    };
    let path = root.join(PROJECT_FILE);
    for part in [path.parent().unwrap_or(&path), &path] {
        match fs::symlink_metadata(part) {
            Ok(found) if found.is_symlink() => return Err(linked(part)),
            Ok(_) => {}
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(unreadable(part, &error)),
        }
    }
    let Some(bytes) = bytes_of(&path, Links::Refused, SIZE_LIMIT)? else { return Ok(None) };
    // A directory that was put in the way meanwhile shows now.
    if fs::canonicalize(&path).ok().as_ref() != Some(&path) {
        return Err(linked(&path));
    }
    let digest = Digest::of(&bytes);
    let text = text_of(bytes, &path)?;
    Ok(Some(Contents { path: Arc::new(path), text, digest }))
}

/// The bytes of an ordinary file of at most some size; none when there is no file.
pub(crate) fn bytes_of(path: &Path, links: Links, limit: u64) -> Result<Option<Vec<u8>>, Fault> {
    // The kind is looked at before opening, since opening a device can have effects of its own.
    let named = match links {
        Links::Followed => fs::metadata(path),
        Links::Refused => fs::symlink_metadata(path),
    };
    match named {
        Ok(found) if !found.is_file() => return Err(not_regular(path)),
        Ok(_) => {}
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(unreadable(path, &error)),
    }
    // It may have been swapped since; without blocking, even a pipe cannot hold anybody up.
    let mut flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    if links == Links::Refused {
        flags |= OFlag::O_NOFOLLOW;
    }
    let file = match OpenOptions::new().read(true).custom_flags(flags.bits()).open(path) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(unreadable(path, &error)),
    };
    match file.metadata() {
        Ok(found) if found.is_file() => {}
        Ok(_) => return Err(not_regular(path)),
        Err(error) => return Err(unreadable(path, &error)),
    }
    bounded(file, path, limit).map(Some)
}

fn bounded(file: File, path: &Path, limit: u64) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that reports a false length.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > limit {
        return Err(Fault::new(
            FaultKind::TooLarge,
            path,
            Words::new(format!("the file is larger than {limit} bytes"), format!("文件超过 {limit} 字节")),
            Words::new("remove what is not needed from it", "请删去其中不需要的内容"),
        ));
    }
    Ok(bytes)
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn unreadable(path: &Path, error: &io::Error) -> Fault {
    Fault::new(
        FaultKind::Unreadable,
        path,
        Words::new(format!("cannot read the file: {error}"), format!("无法读取文件：{error}")),
        Words::new("make it readable for you, or remove it", "请使您能够读取该文件，或将其删除"),
    )
}

fn not_regular(path: &Path) -> Fault {
    Fault::new(
        FaultKind::NotRegular,
        path,
        Words::new("this is not a regular file", "这不是普通文件"),
        Words::new("put a regular file in its place, or remove it", "请换成普通文件，或将其删除"),
    )
}

fn linked(path: &Path) -> Fault {
    Fault::new(
        FaultKind::Symlink,
        path,
        Words::new("a project's configuration must not be a symbolic link", "项目配置不能是符号链接"),
        Words::new("put the file itself in its place, or remove the link", "请换成文件本身，或删除该链接"),
    )
}

fn leads_nowhere(path: &Path) -> Fault {
    Fault::new(
        FaultKind::Unreadable,
        path,
        Words::new("this link leads nowhere", "该链接指向的文件不存在"),
        Words::new("bring back what it leads to, or remove the link", "请恢复其指向的文件，或删除该链接"),
    )
}

fn writable_by_all(path: &Path) -> Fault {
    Fault::new(
        FaultKind::Exposed,
        path,
        Words::new("everybody on this machine can write this file", "本机任何用户都可以改写该文件"),
        Words::new(
            format!("read it, then run: chmod o-w {}", path.display()),
            format!("请检查其内容，然后运行：chmod o-w {}", path.display()),
        ),
    )
}

/// The text that some bytes are.
fn text_of(bytes: Vec<u8>, path: &Path) -> Result<String, Fault> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let last = good.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let column = String::from_utf8_lossy(last).chars().count() + 1;
        Fault::new(
            FaultKind::NotText,
            path,
            Words::new("this is not UTF-8", "此处不是 UTF-8"),
            Words::new("save the file as UTF-8", "请以 UTF-8 编码保存该文件"),
        )
        .at(Position { line, column })
    })
}
