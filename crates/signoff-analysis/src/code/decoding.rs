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

/// Decodes base32, with or without padding.
pub(super) fn base32(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 8 * 5);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let five = match byte.to_ascii_uppercase() {
            letter @ b'A'..=b'Z' => letter - b'A',
            digit @ b'2'..=b'7' => digit - b'2' + 26,
            _ => return None,
        };
        bits = (bits << 5 | u32::from(five)) & 0xfff;
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    Some(bytes)
}

/// Decodes base85 as Python's `b85decode` has it.
pub(super) fn base85(text: &str) -> Option<Vec<u8>> {
    const SIGNS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
    let places = text.chars().map(|letter| SIGNS.find(letter).and_then(|place| u8::try_from(place).ok()));
    fives(&places.collect::<Option<Vec<u8>>>()?)
}

/// Decodes Ascii85, with or without the marks around it.
pub(super) fn ascii85(text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    let text = text.strip_prefix("<~").unwrap_or(text);
    let text = text.strip_suffix("~>").unwrap_or(text);
    let mut places = Vec::with_capacity(text.len());
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        match byte {
            b'z' if places.len() % 5 == 0 => places.extend([0; 5]),
            b'!'..=b'u' => places.push(byte - b'!'),
            _ => return None,
        }
    }
    fives(&places)
}

/// The bytes of numbers to the base of 85, five for four; the last may be fewer.
fn fives(places: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(places.len() / 5 * 4 + 4);
    for five in places.chunks(5) {
        let digit = |at: usize| u64::from(five.get(at).copied().unwrap_or(84));
        let number = (0..5).fold(0_u64, |number, at| number * 85 + digit(at));
        let four = u32::try_from(number).ok()?.to_be_bytes();
        bytes.extend(four.get(..five.len().saturating_sub(1))?);
    }
    Some(bytes)
}

/// Decodes `%20` and the like.
pub(super) fn percent(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let digit = |at: usize| behind.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(u8::try_from(high << 4 | low).ok()?);
                rest = behind.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Decodes pairs of hexadecimal digits.
pub(super) fn hexadecimal(text: &str) -> Option<String> {
    String::from_utf8(hexadecimal_bytes(text)?).ok()
}

/// The bytes of pairs of hexadecimal digits.
pub(super) fn hexadecimal_bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    let bytes = digits.chunks(2).map(|pair| match pair {
        [high, low] => Some(high << 4 | low),
        _ => None,
    });
    bytes.collect()
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
    use super::{ascii85, base32, base64, base85, hexadecimal, percent, rot13};

    #[test]
    fn the_encodings_are_undone() {
        assert_eq!(base64("cm0gLXJmIGRhdGE=").as_deref(), Some("rm -rf data"));
        assert_eq!(base64("cm0gLXJmIGRhdGE").as_deref(), Some("rm -rf data"));
        assert_eq!(base64("*"), None);
        assert_eq!(hexadecimal("726d202d7266").as_deref(), Some("rm -rf"));
        assert_eq!(hexadecimal("72 6d").as_deref(), Some("rm"));
        assert_eq!(hexadecimal("726"), None);
        assert_eq!(rot13("Uryyb, ez!"), "Hello, rm!");
        let text = |bytes: Option<Vec<u8>>| bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        assert_eq!(text(base85("a%~_ja%Lbe")).as_deref(), Some("rm -rf /"));
        assert_eq!(text(ascii85("<~EbupNEb6FI~>")).as_deref(), Some("rm -rf /"));
        assert_eq!(text(base32("OJWSALLSMYQC6===")).as_deref(), Some("rm -rf /"));
        assert_eq!(text(base85("a%")).as_deref(), Some("r"));
        assert_eq!((base85("\""), base32("1"), ascii85("~"), base85("~~~~~")), (None, None, None, None));
        assert_eq!(percent("rm%20-rf%20%2F%").as_deref(), Some("rm -rf /%"));
        assert_eq!(percent("%ff"), None);
    }
}
