//! Names and values that may be any bytes, written as text: what is plain text stays readable, the rest is `%XX`.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
};

/// The text for these bytes.
pub(super) fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character == '%' || character.is_control() {
                let mut buffer = [0; 4];
                character.encode_utf8(&mut buffer).bytes().for_each(|byte| push(&mut text, byte));
            } else {
                text.push(character);
            }
        }
        chunk.invalid().iter().for_each(|byte| push(&mut text, *byte));
    }
    text
}

fn push(text: &mut String, byte: u8) {
    text.push('%');
    for digit in [byte >> 4, byte & 15] {
        text.extend(char::from_digit(digit.into(), 16));
    }
}

/// The bytes of such a text; None if it is none.
pub(super) fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || u8::try_from(char::from(rest.next()?).to_digit(16)?).ok();
            bytes.push(digit()? << 4 | digit()?);
        } else {
            bytes.push(byte);
        }
    }
    Some(bytes)
}

pub(super) fn escape_name(name: impl AsRef<OsStr>) -> String {
    escape(name.as_ref().as_bytes())
}

pub(super) fn unescape_name(text: &str) -> Option<OsString> {
    unescape(text).map(OsString::from_vec)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{escape, unescape};

    #[test]
    fn plain_text_stays_readable() {
        assert_eq!(escape("/home/dev/清理 100%\n".as_bytes()), "/home/dev/清理 100%25%0a");
        assert_eq!(escape(b"caf\xe9"), "caf%e9");
        for wrong in ["%", "%0", "%zz", "a%f"] {
            assert_eq!(unescape(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes: Vec<u8>) {
            prop_assert_eq!(unescape(&escape(&bytes)), Some(bytes));
        }
    }
}
