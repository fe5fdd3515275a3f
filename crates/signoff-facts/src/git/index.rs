//! Git's index, read in place: which files are tracked, and what git remembers of each.
//!
//! The format is small and the file may come from anywhere, so it is read here, strictly: whatever is not understood makes
//! the whole index unknown, and then nothing counts as restorable. Entries are passed over one after the other, and nothing
//! is read of those that nobody asks about but how long they are: a large repository costs a scan and no memory.

use std::{cmp::Ordering, ops::Range};

use super::{
    cache_tree::CacheTree,
    object_name::{HashKind, ObjectName},
};
use crate::directory::Look;

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
    pub(crate) fn of(look: &Look) -> Self {
        let lower = |(seconds, fractions): (i64, u32)| (seconds as u32, fractions);
        Self {
            changed: lower(look.changed),
            modified: lower(look.modified),
            inode: look.inode as u32,
            size: look.size as u32,
        }
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
/// Where the mode stands among them.
const MODE_AT: usize = 24;
/// How long a name is, in the flags of an entry; as long or longer if all of it is set.
const LENGTH: u16 = 0x0fff;
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

    /// All that is in it at or below some trees.
    pub(crate) fn rows(self, trees: &Trees<'_>) -> Result<Rows, NotUnderstood> {
        let mut rows = Rows::default();
        if trees.hold_everything() {
            // No entry is shorter than its fixed part, so that a count that lies takes no memory.
            rows.rows.reserve_exact((self.count as usize).min(self.bytes.len() / FIXED));
        }
        rows.cache =
            if self.version == 4 { self.scan_shortened(trees, &mut rows)? } else { self.scan(trees, &mut rows)? };
        (rows.hash, rows.are_shortened) = (Some(self.hash), self.version == 4);
        rows.bytes = self.bytes;
        let unordered = |pair: &[Row]| matches!(pair, [first, second] if rows.path(first) > rows.path(second));
        // Whoever looks for one path, or for those of one directory, finds them where they belong.
        if rows.rows.windows(2).any(unordered) { Err(NotUnderstood) } else { Ok(rows) }
    }

    /// Goes over all entries with names as they are.
    fn scan(&self, trees: &Trees<'_>, rows: &mut Rows) -> Result<Option<Range<usize>>, NotUnderstood> {
        let mut cursor = Cursor { bytes: &self.bytes, at: HEADER };
        for _ in 0..self.count {
            let start = cursor.at;
            cursor.take(FIXED + self.hash.length())?;
            let flags = cursor.short()?;
            let more = if flags & EXTENDED != 0 && self.version == 3 { cursor.short()? } else { 0 };
            let at = cursor.at;
            // An entry says how long its name is, unless that is too long to be said.
            let said = flags & LENGTH;
            let name = if said < LENGTH { cursor.name(usize::from(said))? } else { cursor.until_nul()? };
            // Entries are filled up to a multiple of eight, with one byte at least.
            let length = at + name.len() - start;
            cursor.take((length / 8 + 1) * 8 - length - 1)?;
            if trees.hold(name) {
                let row = Row::new(start, at, name.len(), mark(flags, more), self.kind(start)?)?;
                if memchr::memchr(0, name).is_some() {
                    return Err(NotUnderstood);
                }
                rows.rows.push(row);
            }
        }
        self.extensions(cursor)
    }

    /// Goes over all entries of which the names tell how they differ from those before.
    fn scan_shortened(&self, trees: &Trees<'_>, rows: &mut Rows) -> Result<Option<Range<usize>>, NotUnderstood> {
        let mut cursor = Cursor { bytes: &self.bytes, at: HEADER };
        let mut path: Vec<u8> = Vec::new();
        for _ in 0..self.count {
            let start = cursor.at;
            cursor.take(FIXED + self.hash.length())?;
            let flags = cursor.short()?;
            let more = if flags & EXTENDED != 0 { cursor.short()? } else { 0 };
            let dropped = cursor.varint()?;
            let kept = path.len().checked_sub(dropped).ok_or(NotUnderstood)?;
            path.truncate(kept);
            path.extend_from_slice(cursor.until_nul()?);
            if trees.hold(&path) {
                rows.rows.push(Row::new(start, rows.names.len(), path.len(), mark(flags, more), self.kind(start)?)?);
                rows.names.extend_from_slice(&path);
            }
        }
        self.extensions(cursor)
    }

    /// What the entry that begins somewhere says it is.
    fn kind(&self, start: usize) -> Result<Kind, NotUnderstood> {
        let mode = Cursor { bytes: &self.bytes, at: start + MODE_AT }.number()?;
        Kind::of_mode(mode).ok_or(NotUnderstood)
    }

    /// An extension in small letters changes what the entries mean: a shared index, directories instead of files.
    /// Tells where the one about whole directories is.
    fn extensions(&self, mut cursor: Cursor<'_>) -> Result<Option<Range<usize>>, NotUnderstood> {
        let end = self.bytes.len().checked_sub(self.hash.length()).ok_or(NotUnderstood)?;
        let mut cache = None;
        while cursor.at < end {
            let name = cursor.take(4)?;
            if !name.first().is_some_and(u8::is_ascii_uppercase) {
                return Err(NotUnderstood);
            }
            let length = cursor.number()?;
            let start = cursor.at;
            cursor.take(usize::try_from(length).map_err(|_| NotUnderstood)?)?;
            if name == b"TREE" {
                cache = Some(start..cursor.at);
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

/// Entries of an index, in the order of their paths. What they say is read where it stands, and only when it is asked for.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    bytes: Vec<u8>,
    /// The names of an index that has them shortened.
    names: Vec<u8>,
    are_shortened: bool,
    rows: Vec<Row>,
    hash: Option<HashKind>,
    /// Where the index remembers whole directories.
    cache: Option<Range<usize>>,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Where its entry begins,
    at: u32,
    /// and where its name does.
    name: u32,
    length: u32,
    pub(crate) kind: Kind,
    pub(crate) mark: Mark,
}

impl Row {
    fn new(at: usize, name: usize, length: usize, mark: Mark, kind: Kind) -> Result<Self, NotUnderstood> {
        let short = |number: usize| u32::try_from(number).map_err(|_| NotUnderstood);
        Ok(Self { at: short(at)?, name: short(name)?, length: short(length)?, kind, mark })
    }
}

impl Rows {
    pub(crate) fn all(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) fn path(&self, row: &Row) -> &[u8] {
        let names = if self.are_shortened { &self.names } else { &self.bytes };
        let start = row.name as usize;
        names.get(start..start + row.length as usize).unwrap_or_default()
    }

    /// What is tracked in a row.
    pub(crate) fn entry(&self, row: &Row) -> Option<Entry> {
        let start = row.at as usize;
        let (fixed, behind) = self.bytes.get(start..)?.split_at_checked(FIXED)?;
        let object = ObjectName::new(behind.get(..self.hash?.length())?)?;
        let mut numbers = Cursor { bytes: fixed, at: 0 };
        let mut number = || numbers.number().ok();
        let (changed, modified) = ((number()?, number()?), (number()?, number()?));
        let (_device, inode, _mode) = (number()?, number()?, number()?);
        let (_owner, _group, size) = (number()?, number()?, number()?);
        Some(Entry { kind: row.kind, stat: Stat { changed, modified, inode, size }, object })
    }

    /// The rows of one path: several if somebody has to choose from them. Whoever asks in the order of the paths says how
    /// far he has come, and is told.
    pub(crate) fn at(&self, path: &[u8], reached: &mut usize) -> &[Row] {
        let is_next = self.rows.get(*reached).is_some_and(|row| self.path(row) == path)
            && reached.checked_sub(1).and_then(|before| self.rows.get(before)).is_none_or(|row| self.path(row) != path);
        let start = if is_next { *reached } else { self.rows.partition_point(|row| self.path(row) < path) };
        let behind = self.rows.get(start..).unwrap_or_default();
        let count = behind.iter().take_while(|row| self.path(row) == path).count();
        *reached = start + count;
        behind.get(..count).unwrap_or_default()
    }

    /// Whether some of the rows, in their order, are those of a path.
    pub(crate) fn hold(&self, rows: &[Row], path: &[u8]) -> bool {
        let at = rows.partition_point(|row| self.path(row) < path);
        rows.get(at).is_some_and(|row| self.path(row) == path)
    }

    /// Those of some rows, in their order, that lie in a directory.
    pub(crate) fn within<'r>(&self, rows: &'r [Row], directory: &[u8]) -> &'r [Row] {
        let beginning = [directory, b"/"].concat();
        let from = rows.partition_point(|row| self.path(row) < beginning.as_slice());
        let behind = rows.get(from..).unwrap_or_default();
        let count = behind.partition_point(|row| self.path(row).starts_with(&beginning));
        behind.get(..count).unwrap_or_default()
    }

    /// What the index remembers of whole directories; nothing where it is not understood, since whoever knows nothing has
    /// to compare more.
    pub(crate) fn cache(&self) -> Option<CacheTree> {
        CacheTree::read(self.bytes.get(self.cache.clone()?)?, self.hash?)
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

    /// Whether they stand for all there is.
    pub(crate) fn hold_everything(&self) -> bool {
        self.roots.first().is_some_and(|root| root.is_empty())
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
        if self.hold_everything() {
            return true;
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

    /// A name of this length, and the zero behind it.
    fn name(&mut self, length: usize) -> Result<&'b [u8], NotUnderstood> {
        let taken = self.take(length)?;
        if self.take(1)? == [0] { Ok(taken) } else { Err(NotUnderstood) }
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
