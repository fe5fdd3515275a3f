//! Encodings that hide a text from the eye and not from a machine.

/// Decodes a text in base64.
pub(super) fn base64(text: &str) -> Option<String> {
    String::from_utf8(base64_bytes(text)?).ok()
}

/// Decodes UTF-16 in base64.
pub(super) fn utf16_in_base64(text: &str) -> Option<String> {
    utf16(&base64_bytes(text)?)
}

/// Decodes UTF-16, the low byte first.
pub(super) fn utf16(bytes: &[u8]) -> Option<String> {
    let units: Vec<u16> = bytes
        .chunks(2)
        .map(|pair| match pair {
            [low, high] => u16::from_le_bytes([*low, *high]),
            _ => u16::from(b'?'),
        })
        .collect();
    String::from_utf16(&units).ok()
}

/// Decodes base64, both alphabets, with or without padding.
pub(super) fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in text.bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' | b' ' | b'\n' | b'\r' | b'\t' => continue,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    Some(bytes)
}

/// Decodes pairs of hexadecimal digits.
pub(super) fn hexadecimal(text: &str) -> Option<String> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    let bytes = digits.chunks(2).map(|pair| match pair {
        [high, low] => Some(high << 4 | low),
        _ => None,
    });
    String::from_utf8(bytes.collect::<Option<_>>()?).ok()
}

/// Turns every letter by thirteen places.
pub(super) fn rot13(text: &str) -> String {
    let turn = |letter: char, first: u8| {
        let place = (u8::try_from(letter).unwrap_or(first) - first + 13) % 26;
        char::from(first + place)
    };
    text.chars()
        .map(|letter| match letter {
            'a'..='z' => turn(letter, b'a'),
            'A'..='Z' => turn(letter, b'A'),
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{base64, hexadecimal, rot13};

    #[test]
    fn the_encodings_are_undone() {
        assert_eq!(base64("cm0gLXJmIGRhdGE=").as_deref(), Some("rm -rf data"));
        assert_eq!(base64("cm0gLXJmIGRhdGE").as_deref(), Some("rm -rf data"));
        assert_eq!(base64("*"), None);
        assert_eq!(hexadecimal("726d202d7266").as_deref(), Some("rm -rf"));
        assert_eq!(hexadecimal("72 6d").as_deref(), Some("rm"));
        assert_eq!(hexadecimal("726"), None);
        assert_eq!(rot13("Uryyb, ez!"), "Hello, rm!");
    }
}
