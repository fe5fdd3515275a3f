//! What an archive holds, as far as its form is plain: `zip`, and `tar` with or without `gzip`.
//!
//! The file may come from anywhere: whatever is not understood makes all of it unknown, nothing is written, and nothing is
//! read that is longer than somebody wants. Programs do not agree on what the names in an archive mean; each reading that
//! one of them may follow is handed over, which is why no library reads it here: those settle on one.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use miniz_oxide::inflate::{
    TINFLStatus,
    core::{DecompressorOxide, decompress, inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF},
};
use signoff_analysis::{
    facts::{Archiver, MemberPaths, Unpacking},
    place::is_within,
    stars::fits,
};

use crate::git::read_bytes;

/// Longer archives are not read, neither packed nor unpacked.
const BYTES_AT_MOST: usize = 8 << 20;

/// Archives in more parts are not read.
const PARTS_AT_MOST: usize = 64;

/// What an archive begins with that `gzip` has packed.
const GZIP: &[u8] = &[0x1f, 0x8b, 8];

/// What a member of an archive holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content<'a> {
    /// This.
    Bytes(&'a [u8]),
    /// So many bytes with this sum.
    Sum { length: u64, crc: u32 },
    /// It is a link, or something else that is no file.
    NoFile,
}

/// Hands over every member of an archive that is no directory, at each place where a program that unpacks it may put it. None
/// if it cannot be told which there are; what was handed over before says nothing then.
pub(crate) fn each_member(unpacking: &Unpacking, take: &mut dyn FnMut(&Path, Content<'_>)) -> Option<()> {
    let Some(archive) = found(unpacking)? else { return Some(()) };
    let bytes = read_bytes(&archive, BYTES_AT_MOST as u64)?;
    let take = &mut |name: &str, content: Content<'_>| {
        if !is_wanted(name, unpacking) {
            return;
        }
        for reading in readings(name, unpacking) {
            if let Some(path) = place(&reading, unpacking.by) {
                take(&path, content);
            }
        }
    };
    match unpacking.by {
        Archiver::Zip => zip_members(&bytes, take),
        Archiver::Tar => match bytes.starts_with(GZIP) {
            true => tar_members(&gunzipped(&bytes)?, take),
            false => tar_members(&bytes, take),
        },
    }
}

/// The archive that is there: `unzip` also looks for one with the usual ending. None if that cannot be told.
fn found(unpacking: &Unpacking) -> Option<Option<PathBuf>> {
    let endings: &[&str] = match unpacking.by {
        Archiver::Tar => &[""],
        Archiver::Zip => &["", ".zip", ".ZIP"],
    };
    for ending in endings {
        let path = PathBuf::from(format!("{}{ending}", unpacking.archive));
        match fs::metadata(&path) {
            Ok(there) if there.is_dir() && unpacking.by == Archiver::Zip => {}
            Ok(_) => return Some(Some(fs::canonicalize(path).ok()?)),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
            Err(_) => return None,
        }
    }
    Some(None)
}

/// Whether a member is among those that are unpacked, as far as that can be told: in doubt it is.
fn is_wanted(name: &str, unpacking: &Unpacking) -> bool {
    let plain = |name: &str| name.trim_start_matches("./").trim_end_matches('/').to_owned();
    let name = plain(name);
    let is_chosen = |chosen: &String| {
        chosen.contains(['?', '[', '\\'])
            || plain(chosen).is_empty()
            || is_within(&name, &plain(chosen))
            || fits(&name, &plain(chosen))
    };
    let is_left_out = |pattern: &String| {
        !pattern.contains(['?', '[', '\\'])
            && match unpacking.by {
                Archiver::Zip => fits(&name, pattern),
                Archiver::Tar if pattern.contains('/') => name == plain(pattern),
                Archiver::Tar => name.split('/').any(|part| fits(part, pattern)),
            }
    };
    (unpacking.chosen.is_empty() || unpacking.chosen.iter().any(is_chosen))
        && !unpacking.left_out.iter().any(is_left_out)
}

/// The names that programs may read in the one of a member.
fn readings(name: &str, unpacking: &Unpacking) -> Vec<String> {
    let mut all = vec![name.to_owned()];
    if unpacking.by == Archiver::Zip {
        // Archives of other systems have other signs between directories, and numbers of versions behind names.
        if name.contains('\\') {
            all.push(name.replace('\\', "/"));
        }
        let versioned = |name: &String| {
            let (before, number) = name.rsplit_once(';')?;
            number.bytes().all(|digit| digit.is_ascii_digit()).then(|| before.to_owned())
        };
        all.extend(all.clone().iter().filter_map(versioned));
    }
    match unpacking.paths {
        MemberPaths::Stripped(0) => all,
        MemberPaths::Stripped(stripped) => {
            all.iter().filter_map(|name| without(name, stripped)).map(str::to_owned).collect()
        }
        MemberPaths::Last => all.iter().filter_map(|name| name.rsplit('/').next()).map(str::to_owned).collect(),
        MemberPaths::Lowered => {
            all.extend(all.clone().iter().map(|name| name.to_lowercase()));
            all
        }
    }
}

/// What `gzip` has packed, in one part or in several behind each other.
fn gunzipped(packed: &[u8]) -> Option<Vec<u8>> {
    let (mut unpacked, mut parts, mut rest) = (Vec::new(), 0, packed);
    // Behind the last part there may be zeros, to fill a tape.
    while rest.iter().any(|byte| *byte != 0) {
        parts += 1;
        if parts > PARTS_AT_MOST {
            return None;
        }
        let head = gzip_head(rest)?;
        let consumed = inflate(rest.get(head..)?, &mut unpacked)?;
        // A sum and a length stand behind each part.
        rest = rest.get(head + consumed + 8..)?;
    }
    Some(unpacked)
}

/// How long the head of a part is.
fn gzip_head(part: &[u8]) -> Option<usize> {
    // What may stand before it, by the signs that say so.
    let [sum, extra, name, comment]: [u8; 4] = [2, 4, 8, 16];
    let flags = *part.strip_prefix(GZIP)?.first()?;
    let mut length = 10;
    if flags & extra != 0 {
        length += 2 + usize::from(short(part, length)?);
    }
    for flag in [name, comment] {
        if flags & flag != 0 {
            length += memchr::memchr(0, part.get(length..)?)? + 1;
        }
    }
    Some(if flags & sum != 0 { length + 2 } else { length })
}

/// Unpacks one stream behind what was unpacked before, and tells how long it was. None if it is broken or too long.
fn inflate(packed: &[u8], unpacked: &mut Vec<u8>) -> Option<usize> {
    const STEP: usize = 1 << 16;
    let start = unpacked.len();
    let (mut consumed, mut written) = (0, 0);
    let mut state = DecompressorOxide::new();
    loop {
        unpacked.resize(start + written + STEP, 0);
        let room = unpacked.get_mut(start..)?;
        let (status, read, wrote) =
            decompress(&mut state, packed.get(consumed..)?, room, written, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF);
        (consumed, written) = (consumed + read, written + wrote);
        match status {
            TINFLStatus::Done => {
                unpacked.truncate(start + written);
                return Some(consumed);
            }
            TINFLStatus::HasMoreOutput if start + written < BYTES_AT_MOST => {}
            _ => return None,
        }
    }
}

/// A name without so many before it, as `tar` counts them: a dot is one. None if it has no more.
fn without(name: &str, stripped: usize) -> Option<&str> {
    let mut rest = name.trim_start_matches('/');
    for _ in 0..stripped {
        rest = rest.split_once('/')?.1.trim_start_matches('/');
    }
    (!rest.is_empty()).then_some(rest)
}

/// Where a member comes to stand below the directory that it is unpacked in. A way up is left out by
/// `unzip`, and refused by `tar`.
fn place(name: &str, by: Archiver) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for component in Path::new(name).components() {
        match component {
            Component::Normal(part) => path.push(part),
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir if by == Archiver::Zip => {}
            Component::ParentDir | Component::Prefix(_) => return None,
        }
    }
    (!path.as_os_str().is_empty()).then_some(path)
}

fn zip_members(bytes: &[u8], take: &mut dyn FnMut(&str, Content<'_>)) -> Option<()> {
    const END: &[u8] = b"PK\x05\x06";
    const ENTRY: &[u8] = b"PK\x01\x02";
    const LINK: u32 = 0o120_000;
    // The list stands at the end, and behind it nothing but a comment.
    let end = bytes.windows(END.len()).rposition(|signs| signs == END)?;
    let end = bytes.get(end..)?;
    let count = short(end, 10)?;
    let start = long(end, 16)?;
    // What is too long for these numbers stands elsewhere.
    if count == u16::MAX || start == u32::MAX {
        return None;
    }
    let mut rest = bytes.get(usize::try_from(start).ok()?..)?;
    for _ in 0..count {
        if !rest.starts_with(ENTRY) {
            return None;
        }
        let [name, extra, comment] = [28, 30, 32].map(|at| short(rest, at).map(usize::from));
        let (name, extra, comment) = (name?, extra?, comment?);
        let mode = long(rest, 38)? >> 16;
        let text = std::str::from_utf8(rest.get(46..46 + name)?).ok()?;
        let other = unicode_name(rest.get(46..46 + name)?, rest.get(46 + name..46 + name + extra)?)?;
        let content = if mode & 0o170_000 == LINK {
            Content::NoFile
        } else {
            Content::Sum { length: u64::from(long(rest, 24)?), crc: long(rest, 16)? }
        };
        for text in std::iter::once(text).chain(other).filter(|text| !text.ends_with('/')) {
            take(text, content);
        }
        rest = rest.get(46 + name + extra + comment..)?;
    }
    Some(())
}

/// The name of a member in another encoding, if there is one; none if what says so is not understood.
fn unicode_name<'b>(name: &[u8], mut extra: &'b [u8]) -> Option<Option<&'b str>> {
    const UNICODE_PATH: u16 = 0x7075;
    while extra.len() >= 4 {
        let (kind, length) = (short(extra, 0)?, usize::from(short(extra, 2)?));
        let field = extra.get(4..4 + length)?;
        if kind == UNICODE_PATH && field.first() == Some(&1) && long(field, 1)? == crc32(name) {
            return Some(Some(std::str::from_utf8(field.get(5..)?).ok()?));
        }
        extra = extra.get(4 + length..)?;
    }
    Some(None)
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..)?.first_chunk().copied()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..)?.first_chunk().copied()?))
}

fn tar_members(bytes: &[u8], take: &mut dyn FnMut(&str, Content<'_>)) -> Option<()> {
    const BLOCK: usize = 512;
    let mut rest = bytes;
    // Names that stand before the head that follows. Which of several counts depends on the program.
    let mut announced: Vec<String> = Vec::new();
    loop {
        // Where the end is missing, there may be more than was read.
        let (head, behind) = rest.split_at_checked(BLOCK)?;
        if head.iter().all(|byte| *byte == 0) {
            return Some(());
        }
        if !is_head(head) {
            return None;
        }
        let size = usize::try_from(octal(head.get(124..136)?)?).ok()?;
        let (content, after) = (behind.get(..size)?, behind.get(size.div_ceil(BLOCK).checked_mul(BLOCK)?..));
        let kind = *head.get(156)?;
        match kind {
            b'L' => announced.push(text(content)?.to_owned()),
            b'x' => {
                for (key, value) in records(content)? {
                    match key {
                        "path" => announced.push(value.to_owned()),
                        // Holes, lengths that do not fit and other forms.
                        "size" => return None,
                        key if key.starts_with("GNU.sparse") => return None,
                        _ => {}
                    }
                }
            }
            // The target of a link, and what holds for all that follow: times and owners.
            b'K' => {}
            b'g' if records(content)?.iter().all(|(key, _)| *key != "path" && *key != "size") => {}
            b'0' | 0 | b'7' | b'1' | b'2' | b'3' | b'4' | b'5' | b'6' => {
                let mut names = std::mem::take(&mut announced);
                if names.is_empty() {
                    names.push(named(head)?);
                }
                let is_file = matches!(kind, b'0' | 0 | b'7');
                let content = if is_file { Content::Bytes(content) } else { Content::NoFile };
                let is_directory = |name: &String| kind == b'5' || is_file && name.ends_with('/');
                names.iter().filter(|name| !is_directory(name)).for_each(|name| take(name, content));
            }
            _ => return None,
        }
        rest = after.unwrap_or_default();
    }
}

/// Whether the sum of a head is what it says.
fn is_head(head: &[u8]) -> bool {
    let sum: u64 = head
        .iter()
        .enumerate()
        .map(|(at, byte)| if (148..156).contains(&at) { u64::from(b' ') } else { u64::from(*byte) })
        .sum();
    head.get(148..156).and_then(octal) == Some(sum)
}

fn named(head: &[u8]) -> Option<String> {
    let name = text(head.get(..100)?)?;
    let is_new = head.get(257..263)? == b"ustar\0";
    let before = if is_new { text(head.get(345..500)?)? } else { "" };
    Some(if before.is_empty() { name.to_owned() } else { format!("{before}/{name}") })
}

/// A text up to the first sign that is none.
fn text(bytes: &[u8]) -> Option<&str> {
    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    std::str::from_utf8(bytes.get(..end)?).ok()
}

fn octal(bytes: &[u8]) -> Option<u64> {
    let digits = text(bytes)?.trim_matches(' ');
    if digits.is_empty() { Some(0) } else { u64::from_str_radix(digits, 8).ok() }
}

/// The records of an extended head: `27 path=a/very/long/name\n`.
fn records(mut content: &[u8]) -> Option<Vec<(&str, &str)>> {
    let mut records = Vec::new();
    while !content.is_empty() {
        let blank = memchr::memchr(b' ', content)?;
        let length: usize = text(content.get(..blank)?)?.parse().ok()?;
        let record = std::str::from_utf8(content.get(blank + 1..length)?).ok()?;
        records.push(record.strip_suffix('\n')?.split_once('=')?);
        content = content.get(length..)?;
    }
    Some(records)
}

/// The sum that `zip` keeps of each of its members.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    })
}

#[cfg(test)]
mod tests;
