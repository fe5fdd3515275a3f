//! One object out of a pack, found by its index. The file may come from anywhere: whatever is not understood is not there,
//! and nothing is read that is longer than somebody wants.

use std::{fs::File, os::unix::fs::FileExt, path::Path};

use miniz_oxide::inflate::{
    TINFLStatus,
    core::{DecompressorOxide, decompress, inflate_flags},
};

use super::{
    object_name::{HashKind, ObjectName},
    objects::ObjectKind,
    open,
};

/// Git itself makes no longer chains of differences, unless somebody tells it to.
const CHAIN_AT_MOST: usize = 64;

const FANOUT_AT: u64 = 8;
const NAMES_AT: u64 = FANOUT_AT + 256 * 4;

/// A pack and its index.
#[derive(Debug)]
pub(super) struct Pack {
    index: File,
    data: File,
    count: u64,
    hash: HashKind,
}

impl Pack {
    /// Opens a pack by its index; none unless both are of the versions that git writes.
    pub(super) fn open(index: &Path, hash: HashKind) -> Option<Self> {
        let (data, index) = (open(&index.with_extension("pack")).ok()?, open(index).ok()?);
        let head: [u8; 8] = at(&index, 0)?;
        let pack: [u8; 8] = at(&data, 0)?;
        if head != [0xff, b't', b'O', b'c', 0, 0, 0, 2] || pack != *b"PACK\0\0\0\x02" {
            return None;
        }
        let count = u64::from(u32::from_be_bytes(at(&index, FANOUT_AT + 255 * 4)?));
        Some(Self { index, data, count, hash })
    }

    /// An object of this name, if it is in here.
    pub(super) fn read(&self, name: &ObjectName, bytes_left: &mut u64) -> Option<(ObjectKind, Vec<u8>)> {
        let mut offset = self.offset(name)?;
        let mut deltas: Vec<Vec<u8>> = Vec::new();
        loop {
            let (kind, size, mut from) = self.head(offset)?;
            let base = match kind {
                6 => {
                    let back = self.back(&mut from)?;
                    offset.checked_sub(back).filter(|_| back > 0)?
                }
                7 => {
                    let mut base = vec![0; self.hash.length()];
                    self.data.read_exact_at(&mut base, from).ok()?;
                    from += base.len() as u64;
                    self.offset(&ObjectName::new(&base)?)?
                }
                kind => {
                    let kind = ObjectKind::of_pack(kind)?;
                    let mut content = self.inflate(from, size, bytes_left)?;
                    while let Some(delta) = deltas.pop() {
                        content = apply(&content, &delta, bytes_left)?;
                    }
                    return Some((kind, content));
                }
            };
            if deltas.len() == CHAIN_AT_MOST {
                return None;
            }
            deltas.push(self.inflate(from, size, bytes_left)?);
            offset = base;
        }
    }

    /// Where an object begins.
    fn offset(&self, name: &ObjectName) -> Option<u64> {
        let length = self.hash.length() as u64;
        let first = *name.as_bytes().first()?;
        let bound = |row: u64| Some(u64::from(u32::from_be_bytes(at(&self.index, FANOUT_AT + row * 4)?)));
        let mut low = match first {
            0 => 0,
            first => bound(u64::from(first) - 1)?,
        };
        let mut high = bound(u64::from(first))?.min(self.count);
        let mut found = vec![0; self.hash.length()];
        while low < high {
            let middle = low + (high - low) / 2;
            self.index.read_exact_at(&mut found, NAMES_AT + middle * length).ok()?;
            match found.as_slice().cmp(name.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    // Behind the names stand sums, and then the places.
                    let places = NAMES_AT + self.count * (length + 4);
                    let place = u32::from_be_bytes(at(&self.index, places + middle * 4)?);
                    if place & 0x8000_0000 == 0 {
                        return Some(u64::from(place));
                    }
                    let far = places + self.count * 4 + u64::from(place & 0x7fff_ffff) * 8;
                    return Some(u64::from_be_bytes(at(&self.index, far)?));
                }
            }
        }
        None
    }

    /// What kind of thing begins at a place, how long it is unpacked, and where what it holds begins.
    fn head(&self, offset: u64) -> Option<(u8, u64, u64)> {
        let mut from = offset;
        let [mut byte] = at(&self.data, from)?;
        from += 1;
        let kind = byte >> 4 & 7;
        let mut size = u64::from(byte & 15);
        let mut shift = 4;
        while byte & 0x80 != 0 {
            [byte] = at(&self.data, from)?;
            from += 1;
            size |= u64::from(byte & 0x7f).checked_shl(shift).filter(|_| shift < 57)?;
            shift += 7;
        }
        Some((kind, size, from))
    }

    /// How far back the thing lies that a difference is about.
    fn back(&self, from: &mut u64) -> Option<u64> {
        let mut distance: u64 = 0;
        for round in 0..9 {
            let [byte] = at(&self.data, *from)?;
            *from += 1;
            distance = if round == 0 { 0 } else { distance.checked_add(1)? } << 7 | u64::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Some(distance);
            }
        }
        None
    }

    fn inflate(&self, from: u64, size: u64, bytes_left: &mut u64) -> Option<Vec<u8>> {
        *bytes_left = bytes_left.checked_sub(size)?;
        // Nothing becomes longer than this by being packed.
        let mut packed = vec![0; usize::try_from(size + size / 512 + 128).ok()?];
        let mut filled = 0;
        while let Some(room) = packed.get_mut(filled..).filter(|room| !room.is_empty()) {
            match self.data.read_at(room, from + filled as u64).ok()? {
                0 => break,
                more => filled += more,
            }
        }
        let mut content = vec![0; usize::try_from(size).ok()?];
        let flags =
            inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, _, written) =
            decompress(&mut DecompressorOxide::new(), packed.get(..filled)?, &mut content, 0, flags);
        (status == TINFLStatus::Done && written == content.len()).then_some(content)
    }
}

/// Bytes at a place of a file.
fn at<const N: usize>(file: &File, offset: u64) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact_at(&mut bytes, offset).ok()?;
    Some(bytes)
}

/// Makes a content out of another one and what differs.
fn apply(base: &[u8], delta: &[u8], bytes_left: &mut u64) -> Option<Vec<u8>> {
    let mut rest = delta;
    let (from, to) = (length(&mut rest)?, length(&mut rest)?);
    if from != base.len() as u64 {
        return None;
    }
    *bytes_left = bytes_left.checked_sub(to)?;
    let mut made = Vec::with_capacity(usize::try_from(to).ok()?);
    while let Some((order, behind)) = rest.split_first() {
        rest = behind;
        if order & 0x80 == 0 {
            let (plain, behind) = rest.split_at_checked(usize::from(*order)).filter(|_| *order != 0)?;
            made.extend_from_slice(plain);
            rest = behind;
        } else {
            let mut number = |bits: std::ops::Range<u32>| {
                let mut number: usize = 0;
                for (position, bit) in bits.enumerate() {
                    if order >> bit & 1 == 1 {
                        let (byte, behind) = rest.split_first()?;
                        number |= usize::from(*byte) << (position * 8);
                        rest = behind;
                    }
                }
                Some(number)
            };
            let start = number(0..4)?;
            let size = number(4..7)?;
            let end = start.checked_add(if size == 0 { 0x10000 } else { size })?;
            made.extend_from_slice(base.get(start..end)?);
        }
        if made.len() as u64 > to {
            return None;
        }
    }
    (made.len() as u64 == to).then_some(made)
}

/// A number of any length, the lowest part first.
fn length(rest: &mut &[u8]) -> Option<u64> {
    let mut number: u64 = 0;
    for shift in (0..56).step_by(7) {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
