//! Git's index, read in place: which files are tracked, and what git remembers of each.
//!
//! The format is small and the file may come from anywhere, so it is read here, strictly: whatever is not understood makes
//! the whole index unknown, and then nothing counts as restorable. Entries are read one after the other and nothing is
//! kept of those that nobody asks about: a large repository costs a scan and no memory.

use std::{cmp::Ordering, os::unix::fs::MetadataExt};

use super::{
    cache_tree::CacheTree,
    object_name::{HashKind, ObjectName},
};

/// What git keeps of a file to tell whether it has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stat {
    changed: (u32, u32),
    modified: (u32, u32),
    inode: u32,
    size: u32,
}

impl Stat {
    /// Whether a file with this much in it cannot be the one that is remembered. Git forgets the size of a file that was
    /// written in the same moment as the index.
    pub(crate) fn differs_in_size(&self, size: u64) -> bool {
        self.size != 0 && self.size != size as u32
    }

    /// The same of a file as it is now. Git keeps the lower halves of what does not fit.
    pub(crate) fn of(metadata: &std::fs::Metadata) -> Self {
        let lower = |number: i64| number as u32;
        Self {
            changed: (lower(metadata.ctime()), lower(metadata.ctime_nsec())),
            modified: (lower(metadata.mtime()), lower(metadata.mtime_nsec())),
            inode: metadata.ino() as u32,
            size: metadata.size() as u32,
        }
    }

    /// When a file with this was written.
    pub(crate) fn modified(&self) -> (u32, u32) {
        self.modified
    }

    /// Whether a file with this was written at or after a moment: then a change in the same moment does not show.
    pub(crate) fn is_as_new_as(&self, moment: (u32, u32)) -> bool {
        self.modified >= moment
    }
}

/// What stands at a path according to the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File {
        executable: bool,
    },
    Link,
    /// Another repository.
    Submodule,
}

impl Kind {
    /// The kind that git writes like this.
    pub(crate) const fn of_mode(mode: u32) -> Option<Self> {
        Some(match mode {
            0o100_644 => Self::File { executable: false },
            0o100_755 => Self::File { executable: true },
            0o120_000 => Self::Link,
            0o160_000 => Self::Submodule,
            _ => return None,
        })
    }

    /// How git writes it.
    pub(crate) const fn mode(self) -> u32 {
        match self {
            Self::File { executable: false } => 0o100_644,
            Self::File { executable: true } => 0o100_755,
            Self::Link => 0o120_000,
            Self::Submodule => 0o160_000,
        }
    }
}

/// One tracked path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) stat: Stat,
    /// The name of its content.
    pub(crate) object: ObjectName,
}

/// The index of a repository.
#[derive(Debug)]
pub(crate) struct Index {
    bytes: Vec<u8>,
    hash: HashKind,
    version: u32,
    count: u32,
}

/// Something in the file is not as it should be, or not known here.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotUnderstood;

const HEADER: usize = 12;
/// Times, device, inode, mode, owner, group and size.
const FIXED: usize = 40;
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const SKIPPED: u16 = 0x4000;
const TO_BE_ADDED: u16 = 0x2000;

impl Index {
    pub(crate) fn new(bytes: Vec<u8>, hash: HashKind) -> Result<Self, NotUnderstood> {
        let mut cursor = Cursor { bytes: &bytes, at: 0 };
        if cursor.take(4)? != b"DIRC" {
            return Err(NotUnderstood);
        }
        let (version, count) = (cursor.number()?, cursor.number()?);
        if !(2..=4).contains(&version) {
            return Err(NotUnderstood);
        }
        Ok(Self { bytes, hash, version, count })
    }

    /// How many paths are in it, as it says itself.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Hands over every path at or below some trees, with what is tracked there: nothing for a path that is in conflict,
    /// left out of the work tree or only announced.
    pub(crate) fn below(
        &self,
        trees: &Trees<'_>,
        mut found: impl FnMut(&[u8], Option<Entry>),
    ) -> Result<(), NotUnderstood> {
        self.scan(|path, fixed, object, mark| {
            if trees.hold(path) {
                found(path, if mark == Mark::Plain { Some(entry(fixed, object)?) } else { None });
            }
            Ok(())
        })?;
        Ok(())
    }

    /// All that is in it.
    pub(crate) fn rows(&self) -> Result<Rows, NotUnderstood> {
        // No entry is shorter than its fixed part, so that a count that lies takes no memory.
        let room = (self.count as usize).min(self.bytes.len() / FIXED);
        let mut rows =
            Rows { names: Vec::with_capacity(self.bytes.len() / 2), rows: Vec::with_capacity(room), cache: None };
        rows.cache = self.scan(|path, fixed, object, mark| {
            let start = rows.names.len();
            rows.names.extend_from_slice(path);
            rows.rows.push(Row { start, end: rows.names.len(), entry: entry(fixed, object)?, mark });
            Ok(())
        })?;
        let names = |pair: &[Row]| matches!(pair, [first, second] if rows.path(first) > rows.path(second));
        // Whoever looks for the paths of one directory finds them side by side.
        if rows.rows.windows(2).any(names) { Err(NotUnderstood) } else { Ok(rows) }
    }

    /// Goes over all entries, and reads what the index remembers of whole directories.
    fn scan(
        &self,
        mut found: impl FnMut(&[u8], &[u8], ObjectName, Mark) -> Result<(), NotUnderstood>,
    ) -> Result<Option<CacheTree>, NotUnderstood> {
        let mut cursor = Cursor { bytes: &self.bytes, at: HEADER };
        let mut path: Vec<u8> = Vec::new();
        for _ in 0..self.count {
            let start = cursor.at;
            let fixed = cursor.take(FIXED)?;
            let object = ObjectName::new(cursor.take(self.hash.length())?).ok_or(NotUnderstood)?;
            let flags = cursor.short()?;
            let more = if flags & EXTENDED != 0 && self.version >= 3 { cursor.short()? } else { 0 };
            if self.version == 4 {
                let dropped = cursor.varint()?;
                let kept = path.len().checked_sub(dropped).ok_or(NotUnderstood)?;
                path.truncate(kept);
                path.extend_from_slice(cursor.until_nul()?);
            } else {
                path.clear();
                path.extend_from_slice(cursor.until_nul()?);
                // Entries are filled up to a multiple of eight, with one byte at least.
                let length = cursor.at - 1 - start;
                cursor.take((length / 8 + 1) * 8 - length - 1)?;
            }
            found(&path, fixed, object, mark(flags, more))?;
        }
        self.extensions(cursor)
    }

    /// An extension in small letters changes what the entries mean: a shared index, directories instead of files.
    fn extensions(&self, mut cursor: Cursor<'_>) -> Result<Option<CacheTree>, NotUnderstood> {
        let end = self.bytes.len().checked_sub(self.hash.length()).ok_or(NotUnderstood)?;
        let mut cache = None;
        while cursor.at < end {
            let name = cursor.take(4)?;
            if !name.first().is_some_and(u8::is_ascii_uppercase) {
                return Err(NotUnderstood);
            }
            let length = cursor.number()?;
            let bytes = cursor.take(usize::try_from(length).map_err(|_| NotUnderstood)?)?;
            if name == b"TREE" {
                cache = CacheTree::read(bytes, self.hash);
            }
        }
        if cursor.at == end { Ok(cache) } else { Err(NotUnderstood) }
    }
}

/// What is special about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Plain,
    /// One of several versions that somebody has to choose from.
    Conflict,
    /// Only its name is there.
    Announced,
    /// Git is told not to have it in the work tree.
    LeftOut,
}

fn mark(flags: u16, more: u16) -> Mark {
    if flags & STAGE != 0 {
        Mark::Conflict
    } else if more & TO_BE_ADDED != 0 {
        Mark::Announced
    } else if more & SKIPPED != 0 {
        Mark::LeftOut
    } else {
        Mark::Plain
    }
}

/// All entries of an index, in the order of their paths.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    names: Vec<u8>,
    rows: Vec<Row>,
    /// What the index remembers of whole directories.
    pub(crate) cache: Option<CacheTree>,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    start: usize,
    end: usize,
    pub(crate) entry: Entry,
    pub(crate) mark: Mark,
}

impl Rows {
    pub(crate) fn all(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) fn path(&self, row: &Row) -> &[u8] {
        self.names.get(row.start..row.end).unwrap_or_default()
    }
}

/// Some paths of a work tree, each with everything below it.
#[derive(Debug)]
pub(crate) struct Trees<'p> {
    /// In the order of their names as directories have them, and none within another.
    roots: Vec<&'p [u8]>,
    /// What all of them begin with: of a large index, most paths are told by this.
    beginning: &'p [u8],
}

impl<'p> Trees<'p> {
    /// An empty path stands for all there is.
    pub(crate) fn new(mut roots: Vec<&'p [u8]>) -> Self {
        roots.sort_by(|first, second| as_directories(first, second));
        roots.dedup_by(|later, kept| is_within(later, kept));
        let shared = |beginning: &'p [u8], root: &&'p [u8]| {
            let length = beginning.iter().zip(root.iter()).take_while(|(first, second)| first == second).count();
            beginning.get(..length).unwrap_or_default()
        };
        let beginning = roots.iter().fold(roots.first().copied().unwrap_or_default(), shared);
        Self { roots, beginning }
    }

    /// Whether a directory lies in one of the trees, or one of them in it.
    pub(crate) fn touch(&self, directory: &[u8]) -> bool {
        self.hold(directory) || self.roots.iter().any(|root| is_within(root, directory))
    }

    /// Whether a path is one of the trees or lies in one, by their names alone.
    pub(crate) fn hold(&self, path: &[u8]) -> bool {
        if !path.starts_with(self.beginning) {
            return false;
        }
        // Whatever sorts between a directory and something in it lies in that directory too, so that only the last one
        // before the path can hold it.
        let after = self.roots.partition_point(|root| as_directories(root, path).is_le());
        after.checked_sub(1).and_then(|last| self.roots.get(last)).is_some_and(|root| is_within(path, root))
    }
}

/// The order of two paths as of directories: each ended by a slash, but for the root of everything.
fn as_directories(first: &[u8], second: &[u8]) -> Ordering {
    let shared = first.len().min(second.len());
    let rest = |path: &[u8]| path.get(shared).copied().or((!path.is_empty()).then_some(b'/'));
    let beginnings = (first.get(..shared), second.get(..shared));
    // Where one has ended with its slash and the other goes on behind one, the longer one comes later.
    beginnings
        .0
        .cmp(&beginnings.1)
        .then_with(|| rest(first).cmp(&rest(second)))
        .then_with(|| first.len().cmp(&second.len()))
}

fn is_within(path: &[u8], tree: &[u8]) -> bool {
    tree.is_empty() || path.strip_prefix(tree).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

fn entry(fixed: &[u8], object: ObjectName) -> Result<Entry, NotUnderstood> {
    let mut numbers = Cursor { bytes: fixed, at: 0 };
    let mut number = || numbers.number();
    let (changed, modified) = ((number()?, number()?), (number()?, number()?));
    let (_device, inode, mode) = (number()?, number()?, number()?);
    let (_owner, _group, size) = (number()?, number()?, number()?);
    let kind = Kind::of_mode(mode).ok_or(NotUnderstood)?;
    Ok(Entry { kind, stat: Stat { changed, modified, inode, size }, object })
}

struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    fn take(&mut self, length: usize) -> Result<&'b [u8], NotUnderstood> {
        let end = self.at.checked_add(length).ok_or(NotUnderstood)?;
        let taken = self.bytes.get(self.at..end).ok_or(NotUnderstood)?;
        self.at = end;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, NotUnderstood> {
        Ok(u32::from_be_bytes(self.take(4)?.try_into().map_err(|_| NotUnderstood)?))
    }

    fn short(&mut self) -> Result<u16, NotUnderstood> {
        Ok(u16::from_be_bytes(self.take(2)?.try_into().map_err(|_| NotUnderstood)?))
    }

    /// What stands before the next zero, which is passed over.
    fn until_nul(&mut self) -> Result<&'b [u8], NotUnderstood> {
        let rest = self.bytes.get(self.at..).ok_or(NotUnderstood)?;
        let length = memchr::memchr(0, rest).ok_or(NotUnderstood)?;
        let taken = self.take(length)?;
        self.at += 1;
        Ok(taken)
    }

    /// A number of any length, as packs have it: each byte but the last adds one, so that no number has two spellings.
    fn varint(&mut self) -> Result<usize, NotUnderstood> {
        let mut number: usize = 0;
        for position in 0..5 {
            let byte = *self.take(1)?.first().ok_or(NotUnderstood)?;
            number = number << 7 | usize::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Ok(number);
            }
            number += 1;
            if position == 4 {
                break;
            }
        }
        Err(NotUnderstood)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Trees, as_directories, is_within};

    proptest! {
        #![proptest_config(crate::testing::generated(2_000))]

        #[test]
        fn directories_are_compared_as_if_a_slash_stood_behind_them(first in "[a/.0-]{0,4}", second in "[a/.0-]{0,4}") {
            let written = |path: &str| if path.is_empty() { String::new() } else { format!("{path}/") };
            let expected = written(&first).as_bytes().cmp(written(&second).as_bytes());
            prop_assert_eq!(as_directories(first.as_bytes(), second.as_bytes()), expected);
        }

        /// Signs that sort before and after the slash, since names that begin alike stand between a tree and what is in it.
        #[test]
        fn trees_hold_what_lies_in_one_of_them(
            roots in prop::collection::vec("([a-]|[.0]{1,2})(/[a-]){0,2}", 0..6),
            whole in prop::bool::weighted(0.05),
            paths in prop::collection::vec("([a-]|[.0]{1,2})(/[a-]){0,3}", 1..12),
        ) {
            let mut roots: Vec<&[u8]> = roots.iter().map(String::as_bytes).collect();
            if whole {
                roots.push(b"");
            }
            let trees = Trees::new(roots.clone());
            for path in &paths {
                let expected = roots.iter().any(|root| is_within(path.as_bytes(), root));
                prop_assert_eq!(trees.hold(path.as_bytes()), expected, "{:?} in {:?}", path, roots);
            }
        }
    }
}
