//! `printf` and the escapes of `echo -e`.

use crate::value::{Origin, Piece, Unknown, Value};

/// A text under construction: bytes that are known, and between them what is not.
struct Output {
    value: Value,
    bytes: Vec<u8>,
    total: usize,
}

impl Output {
    fn new() -> Self {
        Self { value: Value::default(), bytes: Vec::new(), total: 0 }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len();
        if self.total <= super::MOST {
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn flush(&mut self) {
        match String::from_utf8(std::mem::take(&mut self.bytes)) {
            Ok(text) => self.value.push(Piece::text(text)),
            Err(_) => self.unknown("bytes that are no text"),
        }
    }

    fn unknown(&mut self, shown: &str) {
        let unknown = Unknown { shown: shown.to_owned(), origins: Origin::Decoded.into(), splits: false };
        self.value.push(Piece::from(unknown));
    }

    fn push_value(&mut self, value: &Value) {
        match value.known() {
            Some(text) => self.push(text.as_bytes()),
            None => {
                self.flush();
                self.value.extend(value.clone());
            }
        }
    }

    fn finish(mut self) -> Value {
        self.flush();
        if self.total > super::MOST {
            self.unknown("a very long text");
        }
        self.value
    }
}

/// Which escapes are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escapes {
    /// Those of a format: octal without a leading zero.
    Format,
    /// Those of `%b` and `echo -e`: octal with a leading zero.
    Argument,
}

/// Reads one escape behind a backslash. Returns how many bytes of the text it took; none means that output ends.
fn escape(text: &str, escapes: Escapes, out: &mut Output) -> Option<usize> {
    let Some(letter) = text.chars().next() else {
        out.push(b"\\");
        return Some(0);
    };
    let simple = match letter {
        'a' => Some(7),
        'b' => Some(8),
        'e' | 'E' => Some(0x1b),
        'f' => Some(0xc),
        'n' => Some(b'\n'),
        'r' => Some(b'\r'),
        't' => Some(b'\t'),
        'v' => Some(0xb),
        '\\' => Some(b'\\'),
        '"' if escapes == Escapes::Format => Some(b'"'),
        '\'' if escapes == Escapes::Format => Some(b'\''),
        _ => None,
    };
    if let Some(byte) = simple {
        out.push(&[byte]);
        return Some(1);
    }
    let digits = |from: usize, most: usize, radix: u32| -> (u32, usize) {
        let mut number = 0u32;
        let mut count = 0;
        for digit in text.get(from..).unwrap_or_default().chars().take(most).map_while(|letter| letter.to_digit(radix))
        {
            number = number.wrapping_mul(radix).wrapping_add(digit);
            count += 1;
        }
        (number, count)
    };
    match letter {
        'c' => None,
        '0' if escapes == Escapes::Argument => {
            let (number, count) = digits(1, 3, 8);
            out.push(&[(number & 0xff) as u8]);
            Some(1 + count)
        }
        '0'..='7' => {
            let (number, count) = digits(0, 3, 8);
            out.push(&[(number & 0xff) as u8]);
            Some(count)
        }
        'x' | 'u' | 'U' => {
            let most = match letter {
                'x' => 2,
                'u' => 4,
                _ => 8,
            };
            let (number, count) = digits(1, most, 16);
            if count == 0 {
                out.push(format!("\\{letter}").as_bytes());
            } else if letter == 'x' {
                out.push(&[(number & 0xff) as u8]);
            } else {
                let character = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.push(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Some(1 + count)
        }
        letter => {
            out.push(b"\\");
            out.push(letter.encode_utf8(&mut [0; 4]).as_bytes());
            Some(letter.len_utf8())
        }
    }
}

/// Reads escapes in a text; false when `\c` ends the output.
fn unescape(text: &str, escapes: Escapes, out: &mut Output) -> bool {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push(before.as_bytes());
        match escape(after, escapes, out) {
            Some(taken) => rest = after.get(taken..).unwrap_or_default(),
            None => return false,
        }
    }
    out.push(rest.as_bytes());
    true
}

/// A value after `echo -e`, and whether `\c` ended it.
pub(super) fn unescape_value(value: &Value) -> (Value, bool) {
    let mut out = Output::new();
    for piece in value.pieces() {
        match piece {
            Piece::Text(text) => {
                if !unescape(text, Escapes::Argument, &mut out) {
                    return (out.finish(), true);
                }
            }
            piece => {
                out.flush();
                out.value.push(piece.clone());
            }
        }
    }
    (out.finish(), false)
}

/// One conversion of a format.
#[derive(Default)]
struct Conversion {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    letter: char,
}

/// What `printf` prints for a known format.
pub(super) fn format(format: &str, args: &[&Value]) -> Value {
    let mut out = Output::new();
    let mut args = args.iter().copied();
    loop {
        let before = args.len();
        if !format_once(format, &mut args, &mut out) {
            break;
        }
        // The format is used again until the arguments are used up; one that takes none is used once.
        if args.len() == 0 || args.len() == before || out.total > super::MOST {
            break;
        }
    }
    out.finish()
}

fn format_once<'v>(format: &str, args: &mut impl ExactSizeIterator<Item = &'v Value>, out: &mut Output) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find(['%', '\\']) {
        let (before, after) = rest.split_at(at);
        out.push(before.as_bytes());
        let marked = after.get(1..).unwrap_or_default();
        if after.starts_with('\\') {
            match escape(marked, Escapes::Format, out) {
                Some(taken) => rest = marked.get(taken..).unwrap_or_default(),
                None => return false,
            }
            continue;
        }
        if let Some(tail) = marked.strip_prefix('%') {
            out.push(b"%");
            rest = tail;
            continue;
        }
        let (conversion, tail) = conversion(marked, args);
        rest = tail;
        if !convert(&conversion, args, out) {
            return false;
        }
    }
    out.push(rest.as_bytes());
    true
}

fn conversion<'f, 'v>(text: &'f str, args: &mut impl Iterator<Item = &'v Value>) -> (Conversion, &'f str) {
    let mut conversion = Conversion::default();
    let mut letters = text.char_indices().peekable();
    while let Some((_, flag)) = letters.next_if(|(_, letter)| "-+ #0'".contains(*letter)) {
        match flag {
            '-' => conversion.left = true,
            '+' => conversion.plus = true,
            ' ' => conversion.space = true,
            '#' => conversion.alternate = true,
            '0' => conversion.zero = true,
            _ => {}
        }
    }
    let mut number = |letters: &mut std::iter::Peekable<std::str::CharIndices<'f>>| -> Option<i64> {
        if letters.next_if(|(_, letter)| *letter == '*').is_some() {
            return Some(args.next().and_then(|value| value.known()).map_or(0, number_of));
        }
        let mut found = None;
        while let Some((_, digit)) = letters.next_if(|(_, letter)| letter.is_ascii_digit()) {
            found = Some(
                found.unwrap_or(0i64).saturating_mul(10).saturating_add(i64::from(digit.to_digit(10).unwrap_or(0))),
            );
        }
        found
    };
    if let Some(width) = number(&mut letters) {
        conversion.left |= width < 0;
        conversion.width = usize::try_from(width.unsigned_abs()).unwrap_or(0);
    }
    if letters.next_if(|(_, letter)| *letter == '.').is_some() {
        conversion.precision = usize::try_from(number(&mut letters).unwrap_or(0)).ok();
    }
    while letters.next_if(|(_, letter)| "hlqjztL".contains(*letter) && *letter != 'q').is_some() {}
    match letters.next() {
        Some((at, letter)) => {
            conversion.letter = letter;
            (conversion, text.get(at + letter.len_utf8()..).unwrap_or_default())
        }
        None => (conversion, ""),
    }
}

/// Converts one argument; false when output ends.
fn convert<'v>(conversion: &Conversion, args: &mut impl Iterator<Item = &'v Value>, out: &mut Output) -> bool {
    let empty = Value::default();
    let value = args.next().unwrap_or(&empty);
    let Some(text) = value.known() else {
        out.push_value(value);
        return true;
    };
    let cut = |text: &str| match conversion.precision {
        Some(most) => text.chars().take(most).collect(),
        None => text.to_owned(),
    };
    match conversion.letter {
        's' => pad(&cut(text), conversion, out),
        'q' => pad(&quote(text), conversion, out),
        'b' => {
            let mut inner = Output::new();
            let goes_on = unescape(text, Escapes::Argument, &mut inner);
            if conversion.width > 0 || conversion.precision.is_some() {
                match inner.finish().known() {
                    Some(text) => pad(&cut(text), conversion, out),
                    None => out.unknown("%b"),
                }
            } else {
                out.push(&inner.bytes);
            }
            return goes_on;
        }
        'c' => pad(&text.chars().take(1).collect::<String>(), conversion, out),
        'd' | 'i' => {
            let number = number_of(text);
            let digits = with_precision(number.unsigned_abs().to_string(), conversion);
            let sign = match number {
                ..0 => "-",
                _ if conversion.plus => "+",
                _ if conversion.space => " ",
                _ => "",
            };
            pad_number(sign, &digits, conversion, out);
        }
        'u' => pad_number("", &with_precision((number_of(text) as u64).to_string(), conversion), conversion, out),
        'o' => pad_number(
            if conversion.alternate { "0" } else { "" },
            &with_precision(format!("{:o}", number_of(text)), conversion),
            conversion,
            out,
        ),
        'x' => pad_number(
            if conversion.alternate { "0x" } else { "" },
            &with_precision(format!("{:x}", number_of(text)), conversion),
            conversion,
            out,
        ),
        'X' => pad_number(
            if conversion.alternate { "0X" } else { "" },
            &with_precision(format!("{:X}", number_of(text)), conversion),
            conversion,
            out,
        ),
        'f' | 'F' => match text.trim().parse::<f64>() {
            Ok(number) => {
                let digits = format!("{:.*}", conversion.precision.unwrap_or(6).min(64), number.abs());
                pad_number(if number < 0.0 { "-" } else { "" }, &digits, conversion, out);
            }
            Err(_) => out.unknown("%f"),
        },
        _ => {
            out.flush();
            out.unknown("a formatted number");
        }
    }
    true
}

fn with_precision(digits: String, conversion: &Conversion) -> String {
    match conversion.precision {
        Some(least) => format!("{digits:0>width$}", width = least.min(1024)),
        None => digits,
    }
}

fn pad(text: &str, conversion: &Conversion, out: &mut Output) {
    let missing = conversion.width.min(super::MOST).saturating_sub(text.len());
    let blanks = " ".repeat(missing);
    if conversion.left {
        out.push(text.as_bytes());
        out.push(blanks.as_bytes());
    } else {
        out.push(blanks.as_bytes());
        out.push(text.as_bytes());
    }
}

fn pad_number(sign: &str, digits: &str, conversion: &Conversion, out: &mut Output) {
    if conversion.zero && !conversion.left && conversion.precision.is_none() {
        let zeros = conversion.width.min(super::MOST).saturating_sub(sign.len() + digits.len());
        out.push(format!("{sign}{}{digits}", "0".repeat(zeros)).as_bytes());
    } else {
        pad(&format!("{sign}{digits}"), conversion, out);
    }
}

/// A number as `printf` reads it: decimal, octal, hexadecimal, or the code of a character behind a quote.
fn number_of(text: &str) -> i64 {
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix(['\'', '"']) {
        return rest.chars().next().map_or(0, |letter| i64::from(u32::from(letter)));
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(rest) => (16, rest),
        None if digits.len() > 1 && digits.starts_with('0') => (8, digits),
        None => (10, digits),
    };
    let mut number = 0i64;
    for digit in digits.chars().map_while(|letter| letter.to_digit(radix)) {
        number = number.saturating_mul(i64::from(radix)).saturating_add(i64::from(digit));
    }
    if negative { -number } else { number }
}

/// A text as one word of a shell, in the way `%q` writes it: not the same letters always, but the same word.
fn quote(text: &str) -> String {
    if text.is_empty() {
        return "''".to_owned();
    }
    let mut quoted = String::new();
    for letter in text.chars() {
        if !(letter.is_alphanumeric() || "-_./=:,@%+^".contains(letter)) {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted
}
