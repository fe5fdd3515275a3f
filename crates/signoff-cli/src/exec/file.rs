//! A file operation of `signoff exec --file`: as it is given, and where it really is.

use std::{
    env, fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use signoff_card::visible;
use signoff_exec::file::Deed;
use signoff_model::{FileAction, FileOperation};

use crate::{check::INPUT_AT_MOST, failure::Failure, fields::Fields};

/// The operation on standard input: `{"op": "write", "path": "…", "content": "…"}`, with its paths as they really are.
pub(super) fn given() -> Result<FileOperation, Failure> {
    let mut text = String::new();
    let limit = u64::try_from(INPUT_AT_MOST).unwrap_or(u64::MAX);
    let read = io::stdin().lock().take(limit.saturating_add(1)).read_to_string(&mut text);
    read.map_err(|error| Failure::read(&error))?;
    if text.len() > INPUT_AT_MOST {
        return Err(unfit("the file operation is too long", "文件操作过长"));
    }
    let mut fields = Fields::parse(&text).map_err(|failure| failure.hint(EXAMPLE, EXAMPLE))?;
    let (op, path) = (fields.text("op")?, fields.text("path")?);
    let (to, content) = (fields.text("to")?, fields.text("content")?);
    let action = op.as_deref().and_then(FileAction::from_name);
    let (Some(action), Some(path)) = (action, path) else {
        return Err(unfit("a file operation needs `op` and `path`", "文件操作需要 `op` 和 `path`"));
    };
    let cwd = env::current_dir().map_err(|error| Failure::read(&error))?;
    really(FileOperation { action, path, to, content }, &cwd)
}

/// The same with its paths as they really are: no directory on the way is a link, and what is read or written is none either.
pub(super) fn really(operation: FileOperation, cwd: &Path) -> Result<FileOperation, Failure> {
    let follows = matches!(operation.action, FileAction::Read | FileAction::Write);
    let path = place(&operation.path, cwd, follows)?;
    let to = operation.to.as_deref().map(|to| place(to, cwd, false)).transpose()?;
    Ok(FileOperation { path, to, ..operation })
}

/// What is done, where this is something that can be.
pub(super) fn deed(operation: &FileOperation) -> Result<Deed, Failure> {
    let path = PathBuf::from(&operation.path);
    match (operation.action, &operation.to, &operation.content) {
        (FileAction::Read, None, None) => Ok(Deed::Read(path)),
        (FileAction::Write, None, Some(content)) => Ok(Deed::Write(path, content.clone())),
        (FileAction::Delete, None, None) => Ok(Deed::Delete(path)),
        (FileAction::Move, Some(to), None) => Ok(Deed::Move(path, PathBuf::from(to))),
        _ => Err(unfit(
            "this can be done to a file: read, write with `content`, delete, move with `to`",
            "可对文件进行：read、带 `content` 的 write、delete、带 `to` 的 move",
        )),
    }
}

fn place(path: &str, cwd: &Path, follows: bool) -> Result<String, Failure> {
    let named = cwd.join(path);
    let no_place = |why: &str| {
        let shown = visible(path);
        Failure::usage(format!("`{shown}` is no place of a file: {why}"), format!("`{shown}` 不是文件的位置：{why}"))
    };
    let (Some(above), Some(name)) = (named.parent(), named.file_name()) else { return Err(no_place("it has no name")) };
    if path.ends_with('/') {
        return Err(no_place("it is a directory"));
    }
    let mut there = fs::canonicalize(above).map_err(|error| no_place(&error.to_string()))?.join(name);
    if follows && there.is_symlink() {
        there = fs::canonicalize(&there).map_err(|error| no_place(&error.to_string()))?;
    }
    there.into_os_string().into_string().map_err(|_| no_place("it is not valid UTF-8"))
}

const EXAMPLE: &str = r#"echo '{"op": "write", "path": "notes.txt", "content": "…"}' | signoff exec --file"#;

fn unfit(english: &str, chinese: &str) -> Failure {
    Failure::usage(english, chinese).hint(EXAMPLE, EXAMPLE)
}
