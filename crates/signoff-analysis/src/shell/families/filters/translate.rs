//! `tr`: it works on bytes, as the real one does.

use super::{Lines, by_lines};
use crate::{
    shell::{
        Call,
        options::{Options, Syntax},
    },
    value::Feed,
};

pub(super) fn tr(call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            long_flags: &["complement", "delete", "squeeze-repeats", "truncate-set1", "help", "version"],
            stops_at_operand: true,
            ..Syntax::default()
        },
    );
    let sets: Option<Vec<Vec<u8>>> = options.operands.iter().map(|set| set.known().and_then(set_of)).collect();
    let complement = options.has(&["c", "C", "complement"]);
    let delete = options.has(&["d", "delete"]);
    let squeeze = options.has(&["s", "squeeze-repeats"]);
    let truncate = options.has(&["t", "truncate-set1"]);
    // What parts the lines may change, if nothing else does.
    let parts = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | 0);
    let lines = match sets.as_deref() {
        Some([first]) if delete => Lines::chosen_if(first == b"\r"),
        Some(all) => Lines::chosen_if(all.iter().flatten().all(parts)),
        None => Lines::Changed,
    };
    let lines = if complement { Lines::Changed } else { lines };
    by_lines(call.stdin.clone(), "tr", lines, |text| {
        let sets = sets?;
        let mut first = sets.first()?.clone();
        if complement {
            first = (0..=255).filter(|byte| !first.contains(byte)).collect();
        }
        let second = sets.get(1);
        let mut bytes = Vec::with_capacity(text.len());
        for byte in text.bytes() {
            let at = first.iter().rposition(|known| *known == byte);
            match (at, second) {
                (Some(_), _) if delete => {}
                (Some(at), Some(second)) => {
                    let replaced = match second.get(at) {
                        Some(byte) => Some(*byte),
                        None if truncate => None,
                        None => second.last().copied(),
                    };
                    bytes.push(replaced.unwrap_or(byte));
                }
                _ => bytes.push(byte),
            }
        }
        if squeeze {
            let set = second.unwrap_or(&first);
            bytes.dedup_by(|next, kept| next == kept && set.contains(kept));
        }
        Some(bytes)
    })
}

/// The bytes of a set: ranges, classes, escapes, repetitions.
fn set_of(text: &str) -> Option<Vec<u8>> {
    let mut set = Vec::new();
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        if let Some((class, after)) = class_of(rest) {
            set.extend(class);
            rest = after;
            continue;
        }
        if let [b'[', b'=', byte, b'=', b']', after @ ..] = rest {
            set.push(*byte);
            rest = after;
            continue;
        }
        if let [b'[', byte, b'*', after @ ..] = rest
            && let Some(end) = after.iter().position(|byte| *byte == b']')
        {
            let digits = std::str::from_utf8(after.get(..end)?).ok()?;
            let count = if digits.is_empty() { 256 } else { digits.parse::<usize>().ok()?.min(1024) };
            set.extend(std::iter::repeat_n(*byte, count));
            rest = after.get(end + 1..)?;
            continue;
        }
        let (from, after) = one(rest)?;
        if let [b'-', more @ ..] = after
            && !more.is_empty()
        {
            let (to, after) = one(more)?;
            if to < from {
                return None;
            }
            set.extend(from..=to);
            rest = after;
        } else {
            set.push(from);
            rest = after;
        }
    }
    Some(set)
}

/// One byte of a set, perhaps escaped.
fn one(text: &[u8]) -> Option<(u8, &[u8])> {
    let (first, rest) = text.split_first()?;
    if *first != b'\\' {
        return Some((*first, rest));
    }
    let Some((letter, after)) = rest.split_first() else { return Some((b'\\', rest)) };
    let byte = match letter {
        b'a' => 7,
        b'b' => 8,
        b'f' => 0xc,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 0xb,
        b'0'..=b'7' => {
            let count = rest.iter().take(3).take_while(|digit| (b'0'..=b'7').contains(digit)).count();
            let number = rest.iter().take(count).fold(0u32, |number, digit| number * 8 + u32::from(digit - b'0'));
            return Some(((number & 0xff) as u8, rest.get(count..)?));
        }
        other => *other,
    };
    Some((byte, after))
}

fn class_of(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    type Class = (&'static [u8], fn(u8) -> bool);
    const CLASSES: &[Class] = &[
        (b"[:alnum:]", |byte| byte.is_ascii_alphanumeric()),
        (b"[:alpha:]", |byte| byte.is_ascii_alphabetic()),
        (b"[:blank:]", |byte| byte == b' ' || byte == b'\t'),
        (b"[:cntrl:]", |byte| byte.is_ascii_control()),
        (b"[:digit:]", |byte| byte.is_ascii_digit()),
        (b"[:graph:]", |byte| byte.is_ascii_graphic()),
        (b"[:lower:]", |byte| byte.is_ascii_lowercase()),
        (b"[:print:]", |byte| byte == b' ' || byte.is_ascii_graphic()),
        (b"[:punct:]", |byte| byte.is_ascii_punctuation()),
        (b"[:space:]", |byte| byte.is_ascii_whitespace() || byte == 0xb),
        (b"[:upper:]", |byte| byte.is_ascii_uppercase()),
        (b"[:xdigit:]", |byte| byte.is_ascii_hexdigit()),
    ];
    CLASSES.iter().find_map(|(name, holds)| {
        text.strip_prefix(*name).map(|rest| ((0..=255).filter(|byte| holds(*byte)).collect(), rest))
    })
}
