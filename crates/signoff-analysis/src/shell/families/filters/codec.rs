//! Base 64, 32 and 16, and hexadecimal dumps.

/// The letters of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alphabet {
    Base64,
    Base64Url,
    Base32,
    Base32Hex,
    Base16,
}

impl Alphabet {
    const fn letters(self) -> &'static [u8] {
        match self {
            Self::Base64 => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
            Self::Base64Url => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
            Self::Base32 => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            Self::Base32Hex => b"0123456789ABCDEFGHIJKLMNOPQRSTUV",
            Self::Base16 => b"0123456789ABCDEF",
        }
    }

    const fn bits(self) -> u32 {
        match self {
            Self::Base64 | Self::Base64Url => 6,
            Self::Base32 | Self::Base32Hex => 5,
            Self::Base16 => 4,
        }
    }

    /// How many letters make a whole number of bytes.
    const fn group(self) -> usize {
        match self {
            Self::Base64 | Self::Base64Url => 4,
            Self::Base32 | Self::Base32Hex => 8,
            Self::Base16 => 2,
        }
    }
}

/// The bytes that a text stands for. A letter that does not belong ends it, as the real programs print what they have
/// decoded so far; white space is skipped.
pub(super) fn decode(text: &str, alphabet: Alphabet) -> Option<Vec<u8>> {
    let letters = alphabet.letters();
    let mut bytes = Vec::with_capacity(text.len());
    let mut buffer = 0u32;
    let mut bits = 0;
    for letter in text.bytes() {
        if letter.is_ascii_whitespace() || letter == b'=' {
            continue;
        }
        // Newer versions take small letters for hexadecimal as well.
        let letter = if matches!(alphabet, Alphabet::Base16) { letter.to_ascii_uppercase() } else { letter };
        let Some(value) = letters.iter().position(|known| *known == letter) else { break };
        buffer = buffer << alphabet.bits() | u32::try_from(value).unwrap_or(0);
        bits += alphabet.bits();
        if bits >= 8 {
            bits -= 8;
            bytes.push((buffer >> bits & 0xff) as u8);
            buffer &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

/// The text that stands for bytes, in lines of `wrap` letters; 0 means one line without an end.
pub(super) fn encode(bytes: &[u8], alphabet: Alphabet, wrap: usize) -> String {
    let letters = alphabet.letters();
    let mut text = String::with_capacity(bytes.len() * 2);
    let mut buffer = 0u32;
    let mut bits = 0;
    let letter = |value: u32| letters.get(value as usize).map_or('?', |letter| char::from(*letter));
    for byte in bytes {
        buffer = buffer << 8 | u32::from(*byte);
        bits += 8;
        while bits >= alphabet.bits() {
            bits -= alphabet.bits();
            text.push(letter(buffer >> bits));
            buffer &= (1 << bits) - 1;
        }
    }
    if bits > 0 {
        text.push(letter(buffer << (alphabet.bits() - bits)));
    }
    while !text.len().is_multiple_of(alphabet.group()) {
        text.push('=');
    }
    if wrap == 0 || text.is_empty() {
        return text;
    }
    let mut lines = String::with_capacity(text.len() + text.len() / wrap + 1);
    for (at, letter) in text.chars().enumerate() {
        if at > 0 && at % wrap == 0 {
            lines.push('\n');
        }
        lines.push(letter);
    }
    lines.push('\n');
    lines
}

/// Bytes from pairs of hexadecimal digits; everything else between them is skipped.
pub(super) fn hex_bytes(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|letter| letter.to_digit(16)).collect();
    digits.chunks_exact(2).map(|pair| pair.iter().fold(0u8, |byte, digit| byte << 4 | (*digit & 0xf) as u8)).collect()
}

/// Hexadecimal digits in lines of thirty bytes, as `xxd -p` prints them.
pub(super) fn hex_lines(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for line in bytes.chunks(30) {
        for byte in line {
            let _ = write!(text, "{byte:02x}");
        }
        text.push('\n');
    }
    text
}

/// The bytes of a dump as `xxd` prints it: an offset, a colon, digits, two blanks and the text.
pub(super) fn undump(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (_, rest) = line.split_once(':')?;
        let digits = rest.trim_start().split("  ").next().unwrap_or_default();
        bytes.extend(hex_bytes(digits));
    }
    Some(bytes)
}
