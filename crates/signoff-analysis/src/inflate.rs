//! Undoing the compression that hides a text from the eye: gzip, zlib and raw deflate.

use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

/// Nothing longer than this is taken out, against small texts that would fill the memory.
const MOST: usize = 64 * 1024;

/// What compressed bytes hold, whichever of the three forms they have.
pub(crate) fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    match bytes {
        [0x1f, 0x8b, 8, flags, rest @ ..] => decompress_to_vec_with_limit(behind_header(*flags, rest)?, MOST).ok(),
        [first, ..] if first & 0x0f == 8 => {
            decompress_to_vec_zlib_with_limit(bytes, MOST).or_else(|_| decompress_to_vec_with_limit(bytes, MOST)).ok()
        }
        _ => decompress_to_vec_with_limit(bytes, MOST).ok(),
    }
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
    }
}
