//! Git's index, read in place: which files are tracked, and what git remembers of each.
//!
//! The format is small and the file may come from anywhere, so it is read here, strictly: whatever is not understood makes
//! the whole index unknown, and then nothing counts as restorable. Entries are passed over one after the other, and nothing
//! is read of those that nobody asks about but how long they are: a large repository costs a scan and no memory.

use std::{cmp::Ordering, io::Read};

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

/// The index of a repository, read piece by piece: the room for one piece stays near the processor, and that for all of a
/// large index would cost more to get than to fill.
#[derive(Debug)]
pub(crate) struct Index<R> {
    pieces: Pieces<R>,
    hash: HashKind,
    version: u32,
    count: u32,
}

/// Something in the file is not as it should be, or not known here.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotUnderstood;

const HEADER: usize = 12;
/// The name and the length of an extension.
const EXTENSION: usize = 8;
/// So much of an index is read at once.
const ROOM: usize = 64 * 1024;
/// No entry is longer than this: names have an end long before, on every system.
const ENTRY_AT_MOST: usize = 8 * 1024;
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

impl<R: Read> Index<R> {
    /// The index in a file that is so long.
    pub(crate) fn new(source: R, length: u64, hash: HashKind) -> Result<Self, NotUnderstood> {
        let mut pieces = Pieces::new(source, length);
        let mut cursor = Cursor { bytes: pieces.ahead(HEADER)?, at: 0 };
        if cursor.take(4)? != b"DIRC" {
            return Err(NotUnderstood);
        }
        let (version, count) = (cursor.number()?, cursor.number()?);
        if !(2..=4).contains(&version) {
            return Err(NotUnderstood);
        }
        pieces.pass(HEADER);
        Ok(Self { pieces, hash, version, count })
    }

    /// How many paths are in it, as it says itself.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// All that is in it at or below some trees.
    pub(crate) fn rows(mut self, trees: &Trees<'_>) -> Result<Rows, NotUnderstood> {
        let mut rows = Rows { hash: Some(self.hash), ..Rows::default() };
        if trees.hold_everything() {
            // No entry is shorter than its fixed part, so that a count that lies takes no memory.
            let length = usize::try_from(self.pieces.unread).map_err(|_| NotUnderstood)?;
            rows.bytes.reserve_exact(length);
            rows.rows.reserve_exact((self.count as usize).min(length / FIXED));
        }
        if self.version == 4 {
            self.scan_shortened(trees, &mut rows)?;
        } else {
            self.scan(trees, &mut rows)?;
        }
        rows.cache = self.extensions()?;
        let unordered = |pair: &[Row]| matches!(pair, [first, second] if rows.path(first) > rows.path(second));
        // Whoever looks for one path, or for those of one directory, finds them where they belong.
        if rows.rows.windows(2).any(unordered) { Err(NotUnderstood) } else { Ok(rows) }
    }

    /// Goes over all entries with names as they are.
    fn scan(&mut self, trees: &Trees<'_>, rows: &mut Rows) -> Result<(), NotUnderstood> {
        for _ in 0..self.count {
            let mut cursor = Cursor { bytes: self.pieces.ahead(ENTRY_AT_MOST)?, at: 0 };
            cursor.take(FIXED + self.hash.length())?;
            let flags = cursor.short()?;
            let more = if flags & EXTENDED != 0 && self.version == 3 { cursor.short()? } else { 0 };
            let start = cursor.at;
            // An entry says how long its name is, unless that is too long to be said.
            let said = flags & LENGTH;
            let name = if said < LENGTH { cursor.name(usize::from(said))? } else { cursor.until_nul()? };
            let end = start + name.len();
            if trees.hold(name) {
                let at = rows.bytes.len();
                rows.bytes.extend_from_slice(cursor.bytes.get(..end).ok_or(NotUnderstood)?);
                rows.rows.push(Row::new(at, at + start, name.len(), mark(flags, more), kind(cursor.bytes)?)?);
            }
            // Entries are filled up to a multiple of eight, with one byte at least.
            cursor.take((end / 8 + 1) * 8 - end - 1)?;
            let length = cursor.at;
            self.pieces.pass(length);
        }
        Ok(())
    }

    /// Goes over all entries of which the names tell how they differ from those before.
    fn scan_shortened(&mut self, trees: &Trees<'_>, rows: &mut Rows) -> Result<(), NotUnderstood> {
        let mut path: Vec<u8> = Vec::new();
        for _ in 0..self.count {
            let mut cursor = Cursor { bytes: self.pieces.ahead(ENTRY_AT_MOST)?, at: 0 };
            let head = cursor.take(FIXED + self.hash.length())?;
            let flags = cursor.short()?;
            let more = if flags & EXTENDED != 0 { cursor.short()? } else { 0 };
            let dropped = cursor.varint()?;
            let kept = path.len().checked_sub(dropped).ok_or(NotUnderstood)?;
            path.truncate(kept);
            path.extend_from_slice(cursor.until_nul()?);
            if trees.hold(&path) {
                let at = rows.bytes.len();
                rows.bytes.extend_from_slice(head);
                rows.rows.push(Row::new(at, at + head.len(), path.len(), mark(flags, more), kind(head)?)?);
                rows.bytes.extend_from_slice(&path);
            }
            let length = cursor.at;
            self.pieces.pass(length);
        }
        Ok(())
    }

    /// An extension in small letters changes what the entries mean: a shared index, directories instead of files. Gives what
    /// the one about whole directories says.
    fn extensions(&mut self) -> Result<Vec<u8>, NotUnderstood> {
        let mut cache = Vec::new();
        let end = self.hash.length() as u64;
        while self.pieces.left() > end {
            let mut cursor = Cursor { bytes: self.pieces.ahead(EXTENSION)?, at: 0 };
            let name = cursor.take(4)?;
            if !name.first().is_some_and(u8::is_ascii_uppercase) {
                return Err(NotUnderstood);
            }
            let is_cache = name == b"TREE";
            let mut length = cursor.number()? as usize;
            self.pieces.pass(EXTENSION);
            if is_cache {
                cache.clear();
            }
            while length > 0 {
                let ahead = self.pieces.ahead(1)?;
                let part = ahead.get(..length).unwrap_or(ahead);
                if part.is_empty() {
                    return Err(NotUnderstood);
                }
                if is_cache {
                    cache.extend_from_slice(part);
                }
                let passed = part.len();
                length -= passed;
                self.pieces.pass(passed);
            }
        }
        if self.pieces.left() == end { Ok(cache) } else { Err(NotUnderstood) }
    }
}

/// What an entry says it is.
fn kind(entry: &[u8]) -> Result<Kind, NotUnderstood> {
    let mode = Cursor { bytes: entry, at: MODE_AT }.number()?;
    Kind::of_mode(mode).ok_or(NotUnderstood)
}

/// The bytes of a file, one piece at a time.
#[derive(Debug)]
struct Pieces<R> {
    source: R,
    /// How much of it is still to be read.
    unread: u64,
    room: Vec<u8>,
    /// How much of the room is filled,
    filled: usize,
    /// and what was passed over of that.
    at: usize,
}

impl<R: Read> Pieces<R> {
    fn new(source: R, length: u64) -> Self {
        Self { source, unread: length, room: vec![0; ROOM], filled: 0, at: 0 }
    }

    /// What comes next: so much or more, unless the end comes before.
    fn ahead(&mut self, length: usize) -> Result<&[u8], NotUnderstood> {
        if self.filled - self.at < length && self.unread > 0 {
            self.read_on()?;
        }
        self.room.get(self.at..self.filled).ok_or(NotUnderstood)
    }

    #[cold]
    fn read_on(&mut self) -> Result<(), NotUnderstood> {
        self.room.copy_within(self.at..self.filled, 0);
        self.filled -= self.at;
        self.at = 0;
        let free = self.room.get_mut(self.filled..).ok_or(NotUnderstood)?;
        let more = usize::try_from(self.unread).map_or(free.len(), |unread| unread.min(free.len()));
        // A file that has become shorter is none that git has written.
        self.source.read_exact(free.get_mut(..more).ok_or(NotUnderstood)?).map_err(|_| NotUnderstood)?;
        self.filled += more;
        self.unread -= more as u64;
        Ok(())
    }

    /// Passes over some of what is there.
    fn pass(&mut self, length: usize) {
        self.at = (self.at + length).min(self.filled);
    }

    /// How much there is up to the end of the file.
    fn left(&self) -> u64 {
        (self.filled - self.at) as u64 + self.unread
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
    rows: Vec<Row>,
    hash: Option<HashKind>,
    /// What the index says about whole directories.
    cache: Vec<u8>,
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
        let start = row.name as usize;
        self.bytes.get(start..start + row.length as usize).unwrap_or_default()
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
        // Rows before that place have another path, always.
        let is_next = self.rows.get(*reached).is_some_and(|row| self.path(row) == path);
        let start = if is_next { *reached } else { self.rows.partition_point(|row| self.path(row) < path) };
        let behind = self.rows.get(start..).unwrap_or_default();
        let count = behind.iter().take_while(|row| self.path(row) == path).count();
        *reached = start + count;
        behind.get(..count).unwrap_or_default()
    }

    /// Whether some rows, in their order, have one with a path that ends in this behind a beginning that all of them share.
    pub(crate) fn hold(&self, rows: &[Row], beginning: usize, rest: &[u8]) -> bool {
        let behind = |row: &Row| self.path(row).get(beginning..).unwrap_or_default();
        let at = rows.partition_point(|row| behind(row) < rest);
        rows.get(at).is_some_and(|row| behind(row) == rest)
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
        CacheTree::read(&self.cache, self.hash?)
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
        // Most paths are told by the one byte in which their neighbours differ.
        let last = self.beginning.len().wrapping_sub(1);
        if path.get(last) != self.beginning.get(last) || !path.starts_with(self.beginning) {
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

/// Whether a path is a tree or lies in it, by their names; all of them lie in the root.
pub(super) fn is_within(path: &[u8], tree: &[u8]) -> bool {
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

    use super::{Index, Mark, NotUnderstood, ROOM, Rows, Trees, as_directories, is_within};
    use crate::git::HashKind;

    /// An index of some version with these paths in it, as git writes it.
    fn index(version: u32, paths: &[&[u8]]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(u32::try_from(paths.len()).unwrap().to_be_bytes());
        let mut before: &[u8] = b"";
        for (number, path) in (0u32..).zip(paths) {
            let start = bytes.len();
            for field in [1, 2, 3, 4, 5, number, 0o100_644, 0, 0, 7] {
                bytes.extend(field.to_be_bytes());
            }
            bytes.extend([u8::try_from(number % 251).unwrap(); 20]);
            bytes.extend(u16::try_from(path.len().min(0xfff)).unwrap().to_be_bytes());
            if version == 4 {
                let shared = before.iter().zip(*path).take_while(|(first, second)| first == second).count();
                let dropped = before.len() - shared;
                // In two bytes, which hold all that these tests need.
                assert!(dropped < 128 + (1 << 14));
                match dropped.checked_sub(128) {
                    None => bytes.push(u8::try_from(dropped).unwrap()),
                    Some(rest) => {
                        bytes.extend([0x80 | u8::try_from(rest >> 7).unwrap(), u8::try_from(rest & 0x7f).unwrap()])
                    }
                }
                bytes.extend(&path[shared..]);
                bytes.push(0);
            } else {
                bytes.extend(*path);
                let length = bytes.len() - start;
                bytes.extend(vec![0; (length / 8 + 1) * 8 - length]);
            }
            before = path;
        }
        bytes
    }

    fn extended(mut bytes: Vec<u8>, name: &[u8], content: &[u8]) -> Vec<u8> {
        bytes.extend(name);
        bytes.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        bytes.extend(content);
        bytes
    }

    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.extend([0; 20]);
        bytes
    }

    fn read(bytes: &[u8], roots: Vec<&[u8]>) -> Result<Rows, NotUnderstood> {
        Index::new(bytes, bytes.len() as u64, HashKind::Sha1)?.rows(&Trees::new(roots))
    }

    #[test]
    fn entries_are_found_wherever_a_piece_ends() {
        // Lengths that put the ends of pieces at every place of an entry, and names that fill one alone.
        let paths: Vec<Vec<u8>> = (0..4_000)
            .map(|number: usize| format!("d{:04}/{}", number / 7, "n".repeat(number % 97 + 1)).into_bytes())
            .chain([[b"e/", vec![b'x'; 4_094].as_slice()].concat(), [b"e/", vec![b'y'; 5_000].as_slice()].concat()])
            .collect();
        let mut paths: Vec<&[u8]> = paths.iter().map(Vec::as_slice).collect();
        paths.sort_unstable();
        paths.dedup();
        for version in [2, 3, 4] {
            let whole = sealed(extended(index(version, &paths), b"TREE", &vec![b'?'; 3 * ROOM]));
            assert!(whole.len() > 4 * ROOM);
            let rows = read(&whole, vec![b""]).unwrap();
            let found: Vec<&[u8]> = rows.all().iter().map(|row| rows.path(row)).collect();
            assert!(found == paths, "version {version}");
            assert_eq!(rows.cache.len(), 3 * ROOM);
            let part = read(&whole, vec![b"d0300", b"d0002", b"e"]).unwrap();
            for row in part.all() {
                let path = part.path(row);
                let number = paths.iter().position(|other| other == &path).unwrap();
                let entry = part.entry(row).unwrap();
                assert_eq!((entry.stat.inode as usize, entry.stat.size, row.mark), (number, 7, Mark::Plain));
                assert_eq!(entry.object.as_bytes(), [u8::try_from(number % 251).unwrap(); 20]);
            }
            let expected =
                paths.iter().filter(|path| [&b"d0300/"[..], b"d0002/", b"e/"].iter().any(|at| path.starts_with(at)));
            assert_eq!(part.all().len(), expected.count());
        }
    }

    #[test]
    fn what_is_cut_off_or_not_as_git_writes_it_is_not_understood() {
        let plain: &[&[u8]] = &[b"a", b"b/c", b"d"];
        for version in [2, 3, 4] {
            let whole = sealed(extended(index(version, plain), b"TREE", b"something"));
            assert_eq!(read(&whole, vec![b""]).unwrap().all().len(), 3);
            // Where the last bytes can be taken for the digest at the end, nothing is missing.
            let complete = index(version, plain).len() + 20;
            for length in (0..whole.len()).filter(|length| *length != complete) {
                assert!(read(&whole[..length], vec![b""]).is_err(), "{length} bytes of version {version}");
                assert!(read(&whole[..length], vec![b"none"]).is_err(), "{length} bytes of version {version}");
            }
            assert!(read(&[whole.as_slice(), b"x"].concat(), vec![b""]).is_err());
            // A file that has become shorter since somebody asked for its length.
            let shrunk = Index::new(&whole[..whole.len() - 1], whole.len() as u64, HashKind::Sha1);
            assert!(shrunk.and_then(|index| index.rows(&Trees::new(vec![b""]))).is_err());
            for other in [&b"link"[..], b"sdir", b"\xff\0\0\0"] {
                assert!(read(&sealed(extended(index(version, plain), other, b"")), vec![b"a"]).is_err());
            }
            assert!(read(&sealed(extended(index(version, plain), b"UNTR", b"")), vec![b"a"]).is_ok());
            let disorder = sealed(index(version, &[b"b", b"a"]));
            assert!(read(&disorder, vec![b""]).is_err());
            // A name that is longer than any system has one.
            let long = vec![b'n'; ROOM];
            assert!(read(&sealed(index(version, &[&long])), vec![b""]).is_err());
        }
        let mut lying = sealed(index(2, plain));
        lying[8..12].copy_from_slice(&u32::MAX.to_be_bytes());
        assert!(read(&lying, vec![b""]).is_err());
        let mut wrong_length = sealed(index(2, plain));
        wrong_length[12 + 61] += 1;
        assert!(read(&wrong_length, vec![b""]).is_err());
    }

    #[test]
    fn rows_are_found_by_their_paths_in_any_order() {
        let paths: &[&[u8]] = &[b"a", b"a-b", b"a/b", b"a/b", b"a/b", b"a/c/d", b"a0", b"b"];
        let bytes = sealed(index(2, paths));
        let rows = read(&bytes, vec![b""]).unwrap();
        let asked = ["a", "a/b", "a/c/d", "a/c", "b", "a/b", "a-b", "", "a0", "c", "a/b", "a/b"];
        let mut reached = 0;
        for path in asked {
            let expected = paths.iter().filter(|there| **there == path.as_bytes()).count();
            assert_eq!(rows.at(path.as_bytes(), &mut reached).len(), expected, "{path}");
            assert_eq!(rows.hold(rows.all(), 0, path.as_bytes()), expected > 0, "{path}");
        }
        for (directory, expected) in [("a", 4), ("a/c", 1), ("b", 0), ("a-b", 0), ("none", 0)] {
            assert_eq!(rows.within(rows.all(), directory.as_bytes()).len(), expected, "{directory}");
        }
    }

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
