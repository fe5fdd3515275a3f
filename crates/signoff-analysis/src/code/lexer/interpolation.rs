//! What stands inside quotes: escapes, and the code that is put into a text.

use super::{Part, flavour::Interpolation};

/// After this many brackets without an end, brackets in a text are read as text.
const MISSES: usize = 16;

/// How a quoted text is read.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Backslashes mean something.
    pub(super) escapes: Escapes,
    pub(super) interpolation: Interpolation,
    /// Braces hold code, as in an f-string.
    pub(super) braces: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    None,
    /// Only the quote and the backslash.
    Few,
    All,
    /// All, and numbers of letters are decimal.
    Decimal,
}

impl Style {
    pub(super) const RAW: Self = Self { escapes: Escapes::None, interpolation: Interpolation::Nothing, braces: false };
    pub(super) const PLAIN: Self = Self { escapes: Escapes::Few, interpolation: Interpolation::Nothing, braces: false };
    pub(super) const ESCAPED: Self =
        Self { escapes: Escapes::All, interpolation: Interpolation::Nothing, braces: false };

    pub(super) const DECIMAL: Self =
        Self { escapes: Escapes::Decimal, interpolation: Interpolation::Nothing, braces: false };

    pub(super) fn with(interpolation: Interpolation) -> Self {
        Self { escapes: Escapes::All, interpolation, braces: false }
    }
}

/// Splits the raw body of a text into what it says and the code that is put in.
pub(super) fn parts_of(body: &str, style: Style) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut at = 0;
    // An opening bracket without its closing one costs a look at the whole rest, so there are only a few of them.
    let mut misses = 0;
    while let Some(letter) = body.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = body.get(at..).unwrap_or_default();
        if letter == '\\' && style.escapes != Escapes::None {
            at += escape(rest, style.escapes, &mut text);
            continue;
        }
        if style.braces && (rest.starts_with("{{") || rest.starts_with("}}")) {
            text.push(letter);
            at += 2;
            continue;
        }
        let opens = misses < MISSES && matches!(letter, '{' | '$' | '#' | '@');
        match if opens { code_in(rest, style) } else { None } {
            Some((code, length)) => {
                if !text.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                }
                parts.push(Part::Code(code));
                at += length;
            }
            None => {
                misses += usize::from(
                    opens && (style.braces || rest.get(1..).is_some_and(|rest| rest.starts_with(['{', '(']))),
                );
                text.push(letter);
                at += letter.len_utf8();
            }
        }
    }
    if !text.is_empty() || parts.is_empty() {
        parts.push(Part::Text(text));
    }
    parts
}

/// The code that is put into a text here, and how many bytes it takes.
fn code_in(rest: &str, style: Style) -> Option<(String, usize)> {
    let bracketed = |open: &str, close: char| {
        let inner = rest.strip_prefix(open)?;
        let length = balanced(inner, open.chars().next_back()?, close)?;
        Some((inner.get(..length)?.to_owned(), open.len() + length + close.len_utf8()))
    };
    if style.braces {
        let inner = rest.strip_prefix('{')?;
        let length = field(inner)?;
        let code = inner.get(..length)?;
        let expression = without_format(code);
        // The format may hold code as well.
        let format = code.get(expression.len()..).unwrap_or_default();
        let within = parts_of(format, Style { escapes: Escapes::None, ..style });
        let mut all = expression.to_owned();
        for part in within {
            if let Part::Code(code) = part {
                all = format!("({all}, {code})");
            }
        }
        return Some((all, length + 2));
    }
    let variable = || {
        bracketed("${\\", '}')
            .or_else(|| bracketed("{$", '}').map(|(code, length)| (format!("${code}"), length)))
            .or_else(|| bracketed("${", '}').map(|(code, length)| (format!("${code}"), length)))
            .or_else(|| element(rest))
            .or_else(|| named(rest, "$", "$"))
    };
    match style.interpolation {
        Interpolation::Nothing => None,
        Interpolation::Hash => bracketed("#{", '}'),
        Interpolation::Template => bracketed("${", '}'),
        Interpolation::Any => bracketed("#{", '}')
            .or_else(|| bracketed("${", '}'))
            .or_else(|| bracketed("$(", ')'))
            .or_else(|| named(rest, "$", "")),
        Interpolation::Variables => variable(),
        Interpolation::Sigils => bracketed("@{[", ']')
            .map(|(code, length)| {
                (code, length + usize::from(rest.get(length..).is_some_and(|rest| rest.starts_with('}'))))
            })
            .or_else(variable)
            .or_else(|| named(rest, "@", "@")),
    }
}

/// The length of a replacement field of Python up to the brace that closes it. The expression may hold any quotes; in
/// the format behind it they mean nothing, but it may hold fields of its own.
pub(super) fn field(text: &str) -> Option<usize> {
    fields(text, 0)
}

fn fields(text: &str, depth: usize) -> Option<usize> {
    let (mut brackets, mut quote, mut format) = (0_usize, None, false);
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => drop(letters.next()),
            (Some(mark), _) if mark == letter => quote = None,
            (Some(_), _) => {}
            (None, '}') if brackets == 0 => return Some(at),
            (None, '{') if format && depth < 4 => {
                let inner = fields(text.get(at + 1..)?, depth + 1)?;
                while letters.next()?.0 < at + 1 + inner {}
            }
            (None, _) if format => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(' | '[' | '{') => brackets += 1,
            (None, ')' | ']' | '}') => brackets = brackets.saturating_sub(1),
            (None, ':') if brackets == 0 => format = true,
            (None, _) => {}
        }
    }
    None
}

/// `$ENV{HOME}` in a text of Perl.
fn element(rest: &str) -> Option<(String, usize)> {
    let inner = rest.strip_prefix("$ENV{")?;
    let length = inner.find('}')?;
    let key = inner.get(..length)?.trim_matches(['\'', '"']);
    let name = key.strip_prefix('$').unwrap_or(key);
    let plain = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    plain.then(|| (format!("$ENV{{{key}}}"), "$ENV{".len() + length + 1))
}

fn named(rest: &str, sigil: &str, shown: &str) -> Option<(String, usize)> {
    let name = rest.strip_prefix(sigil)?;
    let length = name.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(name.len());
    let name = name.get(..length).filter(|name| name.starts_with(|c: char| c == '_' || c.is_alphabetic()))?;
    Some((format!("{shown}{name}"), sigil.len() + length))
}

/// The length of the text up to the bracket that closes the one before it.
fn balanced(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match quote {
            Some(mark) if mark == letter => quote = None,
            Some(_) => {}
            None if matches!(letter, '\'' | '"' | '`') => quote = Some(letter),
            None if letter == open => depth += 1,
            None if letter == close && depth == 0 => return Some(at),
            None if letter == close => depth -= 1,
            None => {}
        }
    }
    None
}

/// The expression of a replacement field without its format: `x:>10`, `x!r`, `x=`.
fn without_format(code: &str) -> &str {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, letter) in code.char_indices() {
        match quote {
            Some(mark) if mark == letter => quote = None,
            Some(_) => {}
            None if matches!(letter, '\'' | '"') => quote = Some(letter),
            None if matches!(letter, '(' | '[' | '{') => depth += 1,
            None if matches!(letter, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            None if letter == ':' && depth == 0 => return code.get(..at).unwrap_or(code),
            None => {}
        }
    }
    code.trim_end_matches('=')
}

/// Resolves the escape that begins `rest`, and says how many bytes it takes.
fn escape(rest: &str, escapes: Escapes, text: &mut String) -> usize {
    let mut letters = rest.chars();
    letters.next();
    let Some(letter) = letters.next() else {
        text.push('\\');
        return 1;
    };
    let plain = 1 + letter.len_utf8();
    if escapes == Escapes::Few {
        if !matches!(letter, '\\' | '\'' | '"') {
            text.push('\\');
        }
        text.push(letter);
        return plain;
    }
    let after = rest.get(plain..).unwrap_or_default();
    let simple = match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'e' => '\x1b',
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'v' => '\x0b',
        '\n' => return plain,
        'x' | 'u' | 'U' => return plain + hexadecimal(letter, after, text),
        '0'..='9' if escapes == Escapes::Decimal => {
            let digits = rest.get(1..).map_or(0, |rest| rest.bytes().take(3).take_while(u8::is_ascii_digit).count());
            push_code(rest.get(1..=digits).unwrap_or_default(), 10, text);
            return 1 + digits;
        }
        // White space behind it is left out.
        'z' if escapes == Escapes::Decimal => return plain + after.len() - after.trim_start().len(),
        '0'..='7' => {
            let digits = rest
                .get(1..)
                .map_or(0, |rest| rest.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count());
            push_code(rest.get(1..=digits).unwrap_or_default(), 8, text);
            return 1 + digits;
        }
        other => other,
    };
    text.push(simple);
    plain
}

/// Resolves `xHH`, `x{H…}`, `uHHHH`, `u{H…}`, `UHHHHHHHH` behind their letter, and says how many bytes they take.
fn hexadecimal(letter: char, after: &str, text: &mut String) -> usize {
    if let Some(inner) = after.strip_prefix('{')
        && let Some(length) = inner.find('}')
    {
        push_code(inner.get(..length).unwrap_or_default(), 16, text);
        return length + 2;
    }
    let most = match letter {
        'x' => 2,
        'u' => 4,
        _ => 8,
    };
    let digits = after.bytes().take(most).take_while(u8::is_ascii_hexdigit).count();
    push_code(after.get(..digits).unwrap_or_default(), 16, text);
    digits
}

fn push_code(digits: &str, radix: u32, text: &mut String) {
    if let Some(letter) = u32::from_str_radix(digits, radix).ok().and_then(char::from_u32) {
        text.push(letter);
    }
}
