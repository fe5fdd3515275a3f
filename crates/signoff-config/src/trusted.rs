//! Which project files the user has trusted: a place and the digest of the bytes that they have seen there. Another place
//! or another byte is another file.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::{Value, json};
use signoff_model::Digest;
use signoff_policy::Layer;

use crate::{
    document::Document,
    fault::{Fault, FaultKind, Words},
    file::{self, Links},
    record,
    settings::Standing,
};

/// The largest record that is read, in bytes.
const STORE_LIMIT: u64 = 4 * 1024 * 1024;

/// The version of the record.
const VERSION: u64 = 1;

/// A project file as the user is shown it. What is trusted is this text, whatever the file holds by then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Where it lies, without any link in the way.
    pub path: Arc<PathBuf>,
    /// Its text.
    pub text: String,
    /// The digest of its bytes.
    pub digest: Digest,
}

/// Whether a file was trusted before it was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untrusted {
    /// It was, and is no longer.
    Removed,
    /// It was not.
    WasNot,
}

/// The file of a project, for the user to read before they trust it; none when there is none.
///
/// # Errors
///
/// When the file cannot be read or understood: nobody can trust what does not count.
pub fn offered(project: &Path) -> Result<Option<Offered>, Fault> {
    let Some(contents) = file::read_of_project(project)? else { return Ok(None) };
    Document::read(&contents, Layer::Project)?;
    Ok(Some(Offered { path: contents.path, text: contents.text, digest: contents.digest }))
}

/// Whether the user has trusted the file at this place with these bytes.
///
/// # Errors
///
/// When the record cannot be read, or others than its owner can write it.
pub fn is_trusted(store: &Path, path: &Path, digest: Digest) -> Result<Standing, Fault> {
    let found = read(store)?.iter().any(|record| Path::new(&record.path) == path && record.digest == digest);
    Ok(if found { Standing::Trusted } else { Standing::Untrusted })
}

/// Remembers that the user trusts a file as it was shown to them. A file has one digest: earlier ones are forgotten.
///
/// # Errors
///
/// When the record cannot be read or written.
pub fn trust(store: &Path, offered: &Offered) -> Result<(), Fault> {
    let Some(path) = offered.path.to_str() else {
        return Err(failed(store, "the path is not UTF-8"));
    };
    change(store, |records| {
        records.retain(|record| record.path != path);
        records.push(Record { path: path.to_owned(), digest: offered.digest });
    })
}

/// Forgets that the user trusts the file of a project, whether or not it is still there.
///
/// # Errors
///
/// When the record cannot be read or written.
pub fn untrust(store: &Path, project: &Path) -> Result<Untrusted, Fault> {
    let root = fs::canonicalize(project).unwrap_or_else(|_| project.to_owned());
    let path = root.join(crate::PROJECT_FILE);
    let mut found = Untrusted::WasNot;
    change(store, |records| {
        let before = records.len();
        records.retain(|record| Path::new(&record.path) != path);
        if records.len() < before {
            found = Untrusted::Removed;
        }
    })?;
    Ok(found)
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    path: String,
    digest: Digest,
}

fn read(store: &Path) -> Result<Vec<Record>, Fault> {
    let bytes =
        file::bytes_of(store, Links::Refused, STORE_LIMIT).map_err(|fault| failed(store, &fault.message().english))?;
    let Some(bytes) = bytes else { return Ok(Vec::new()) };
    let mode = fs::symlink_metadata(store).map_err(|error| failed(store, &error.to_string()))?.permissions().mode();
    if mode & 0o022 != 0 {
        return Err(failed(store, "others can write it"));
    }
    parse(&bytes).ok_or_else(|| failed(store, "it is not in the form that this version writes"))
}

/// All of a record or nothing: half of one would be another one.
fn parse(bytes: &[u8]) -> Option<Vec<Record>> {
    let stored: Value = serde_json::from_slice(bytes).ok()?;
    if stored.get("version")?.as_u64()? != VERSION {
        return None;
    }
    let record = |value: &Value| {
        let path = value.get("path")?.as_str()?.to_owned();
        Some(Record { path, digest: Digest::parse(value.get("sha256")?.as_str()?)? })
    };
    stored.get("trusted")?.as_array()?.iter().map(record).collect()
}

fn change(store: &Path, change: impl FnOnce(&mut Vec<Record>)) -> Result<(), Fault> {
    let io_failed = |error: io::Error| failed(store, &error.to_string());
    record::make_directory_of(store).map_err(io_failed)?;
    // Two at once must not lose one of their answers.
    let lock = record::lock_file(store).map_err(io_failed)?;
    lock.try_lock().map_err(|error| match error {
        fs::TryLockError::WouldBlock => failed(store, "another signoff is writing it"),
        fs::TryLockError::Error(error) => failed(store, &error.to_string()),
    })?;
    let mut records = read(store)?;
    change(&mut records);
    record::replace_privately(store, text_of(&records).as_bytes()).map_err(io_failed)
}

fn text_of(records: &[Record]) -> String {
    let all: Vec<Value> =
        records.iter().map(|record| json!({"path": record.path, "sha256": record.digest.to_string()})).collect();
    json!({"version": VERSION, "trusted": all}).to_string()
}

fn failed(store: &Path, why: &str) -> Fault {
    Fault::new(
        FaultKind::TrustStore,
        store,
        Words::new(
            format!("the record of trusted files cannot be used: {why}"),
            format!("无法使用受信任文件的记录：{why}"),
        ),
        Words::new(
            "no project file counts as trusted until it is repaired; remove it to begin anew",
            "修复之前，所有项目文件均视为未受信任；可将其删除后重新开始",
        ),
    )
}
