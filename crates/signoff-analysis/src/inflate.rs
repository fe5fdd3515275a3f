//! Undoing the compression that hides a text from the eye: gzip, zlib and raw deflate.

use miniz_oxide::inflate::{
    TINFLStatus,
    core::{DecompressorOxide, decompress, inflate_flags},
};

/// Nothing longer than this is taken out, against small texts that would fill the memory.
const MOST: usize = 64 * 1024;
/// The sum and the length behind each member of gzip.
const TRAILER: usize = 8;

/// What compressed bytes hold, whichever of the three forms they have. None if something is left over behind it: programs
/// do not agree on what becomes of that.
pub(crate) fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    match bytes {
        [0x1f, 0x8b, ..] => members(bytes),
        [first, ..] if first & 0x0f == 8 => {
            whole(bytes, inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER).or_else(|| whole(bytes, 0))
        }
        _ => whole(bytes, 0),
    }
}

/// The members of gzip, one behind the other: what is unpacked is all of them.
fn members(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let [0x1f, 0x8b, 8, flags, header @ ..] = rest else { return None };
        let packed = behind_header(*flags, header)?;
        let (unpacked, length) = first(packed, 0, MOST - all.len())?;
        all.extend(unpacked);
        rest = packed.get(length + TRAILER..)?;
    }
    Some(all)
}

/// The one stream that the bytes are.
fn whole(bytes: &[u8], flags: u32) -> Option<Vec<u8>> {
    let (unpacked, length) = first(bytes, flags, MOST)?;
    (length == bytes.len()).then_some(unpacked)
}

/// What the first stream holds, and how many bytes it takes up.
fn first(bytes: &[u8], flags: u32, most: usize) -> Option<(Vec<u8>, usize)> {
    let mut unpacked = vec![0; most];
    let flags = flags | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, taken, written) = decompress(&mut DecompressorOxide::new(), bytes, &mut unpacked, 0, flags);
    unpacked.truncate(written);
    (status == TINFLStatus::Done).then_some((unpacked, taken))
}

/// What follows the header of gzip: six bytes, and then what the flags say.
fn behind_header(flags: u8, bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.get(6..)?;
    if flags & 4 != 0 {
        let (length, behind) = rest.split_first_chunk::<2>()?;
        rest = behind.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    // The name of the file and a comment end with a zero each.
    for flag in [8, 16] {
        if flags & flag != 0 {
            let end = rest.iter().position(|byte| *byte == 0)?;
            rest = rest.get(end + 1..)?;
        }
    }
    if flags & 2 != 0 { rest.get(2..) } else { Some(rest) }
}

#[cfg(test)]
mod tests {
    use super::inflate;

    #[test]
    fn the_three_forms_are_read_and_rubbish_is_not() {
        let raw = [0x2b, 0xca, 0x55, 0xd0, 0x2d, 0x4a, 0x53, 0xa8, 0xe3, 0x02, 0x00];
        let gzip: Vec<u8> =
            [&[0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 2, 0xff, b'a', 0][..], &raw, &[0x15, 0x85, 0x46, 0xf3, 9, 0, 0, 0]]
                .concat();
        let zlib: Vec<u8> = [&[0x78, 0x9c][..], &raw, &[0x0e, 0x99, 0x02, 0xad]].concat();
        for bytes in [&raw[..], &gzip, &zlib] {
            assert_eq!(inflate(bytes).as_deref(), Some(&b"rm -rf ~\n"[..]));
        }
        for bytes in [&b""[..], b"rm -rf ~", &[0x1f, 0x8b, 8, 4, 0], &[0x78, 0x9c]] {
            assert_eq!(inflate(bytes), None, "{bytes:?}");
        }
        // What stands behind it is unpacked as well, or nothing is.
        let twice = [&gzip[..], &gzip].concat();
        assert_eq!(inflate(&twice).as_deref(), Some(&b"rm -rf ~\nrm -rf ~\n"[..]));
        for bytes in [&raw[..], &gzip, &zlib, &twice] {
            for behind in [&b"x"[..], b"\0", &[0x1f, 0x8b], &zlib] {
                assert_eq!(inflate(&[bytes, behind].concat()), None, "{bytes:?} {behind:?}");
            }
        }
        assert_eq!(inflate(gzip.get(..gzip.len() - 1).unwrap_or_default()), None);
    }

    #[test]
    fn all_members_together_are_no_longer_than_one_may_be() {
        // 32 KiB of zeros in each.
        let zeros = miniz_oxide::deflate::compress_to_vec(&[0; 32 * 1024], 9);
        let member = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 0xff][..], &zeros, &[0; 8]].concat();
        assert_eq!(inflate(&member.repeat(2)).map(|all| all.len()), Some(64 * 1024));
        assert_eq!(inflate(&member.repeat(3)), None);
    }
}
