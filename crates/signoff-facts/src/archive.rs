//! What an archive holds, as far as its form is plain: `zip`, and `tar` with or without `gzip`.
//!
//! The file may come from anywhere: whatever is not understood makes all of it unknown, nothing is written, and nothing is
//! read that is longer than somebody wants.

use std::path::{Component, Path, PathBuf};

use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::git::read_bytes;

/// Longer archives are not read, neither packed nor unpacked.
const BYTES_AT_MOST: usize = 8 << 20;

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

/// Hands over every member of an archive that is no directory, without so many names before it. None if it cannot be told which there are; what was handed
/// over before says nothing then.
pub(crate) fn each_member(archive: &Path, stripped: usize, take: &mut dyn FnMut(&Path, Content<'_>)) -> Option<()> {
    let bytes = read_bytes(archive, BYTES_AT_MOST as u64)?;
    let take = &mut |name: &str, content: Content<'_>| {
        if let Some(path) = without(name, stripped).and_then(place) {
            take(&path, content);
        }
    };
    if bytes.starts_with(b"PK") {
        return zip_members(&bytes, take);
    }
    match bytes.strip_prefix(&[0x1f, 0x8b, 8]) {
        Some(packed) => tar_members(&gunzipped(packed)?, take),
        None => tar_members(&bytes, take),
    }
}

/// What `gzip` has packed, behind the first signs of it.
fn gunzipped(packed: &[u8]) -> Option<Vec<u8>> {
    // What may stand before it, by the signs that say so.
    let [sum, extra, name, comment]: [u8; 4] = [2, 4, 8, 16];
    let flags = *packed.first()?;
    let mut rest = packed.get(7..)?;
    if flags & extra != 0 {
        let length = usize::from(u16::from_le_bytes(rest.first_chunk().copied()?));
        rest = rest.get(2 + length..)?;
    }
    for flag in [name, comment] {
        if flags & flag != 0 {
            rest = rest.get(memchr::memchr(0, rest)? + 1..)?;
        }
    }
    if flags & sum != 0 {
        rest = rest.get(2..)?;
    }
    decompress_to_vec_with_limit(rest, BYTES_AT_MOST).ok()
}

/// A name without so many before it, as `tar` counts them: a dot is one. None if it has no more.
fn without(name: &str, stripped: usize) -> Option<&str> {
    let mut rest = name.trim_start_matches('/');
    for _ in 0..stripped {
        rest = rest.split_once('/')?.1.trim_start_matches('/');
    }
    (!rest.is_empty()).then_some(rest)
}

/// Where a member comes to stand below the directory that it is unpacked in; none if archivers refuse it.
fn place(name: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for component in Path::new(name).components() {
        match component {
            Component::Normal(part) => path.push(part),
            Component::RootDir | Component::CurDir => {}
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
        if text.contains('\\') {
            return None;
        }
        let content = if mode & 0o170_000 == LINK {
            Content::NoFile
        } else {
            Content::Sum { length: u64::from(long(rest, 24)?), crc: long(rest, 16)? }
        };
        if !text.ends_with('/') {
            take(text, content);
        }
        rest = rest.get(46 + name + extra + comment..)?;
    }
    Some(())
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
    // A name that was too long for the head that follows.
    let mut announced: Option<String> = None;
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
            b'L' => announced = Some(text(content)?.to_owned()),
            b'x' => {
                for (key, value) in records(content)? {
                    match key {
                        "path" => announced = Some(value.to_owned()),
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
                let name = match announced.take() {
                    Some(name) => name,
                    None => named(head)?,
                };
                let is_file = matches!(kind, b'0' | 0 | b'7');
                let is_directory = kind == b'5' || is_file && name.ends_with('/');
                if !is_directory {
                    take(&name, if is_file { Content::Bytes(content) } else { Content::NoFile });
                }
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
