//! Modules with braces: functions and classes at their top.

use super::{Stretch, words};
use crate::shell::Language;

/// Texts within texts are followed so deep.
const MAX_DEPTH: usize = 8;

/// Functions and classes at the top of a text with braces. None where its brackets and quotes do not match, or may mean
/// something else.
pub(super) fn stretches(language: Language, module: &str) -> Option<Vec<Stretch<'_>>> {
    let unclear: &[&str] = match language {
        // Quotes of Perl have any signs around them, and patterns look like divisions.
        Language::Perl => &[
            "=~", "!~", "<<", "\n=", "$#", "$'", "$\"", "$`", "$(", "$)", "$[", "$]", "$/", "__END__", "__DATA__",
            "format",
        ],
        Language::Php => &["<<<"],
        // A decorator may call what it stands before.
        _ => &["\n@", "<!--", "-->"],
    };
    if unclear.iter().any(|mark| module.contains(mark)) || module.starts_with(['@', '=']) {
        return None;
    }
    let quotes = |word: &str| matches!(word, "q" | "qq" | "qw" | "qr" | "qx" | "m" | "s" | "tr" | "y" | "split");
    if language == Language::Perl && words(module).any(quotes) {
        return None;
    }
    // What stands between two stretches of PHP has quotes of its own.
    if language == Language::Php && module.trim_end().trim_end_matches("?>").contains("?>") {
        return None;
    }
    let bytes = module.as_bytes();
    let mut all = Vec::new();
    let (mut start, mut head, mut depth, mut at) = (0, 0, 0usize, 0);
    let mut open: Option<&str> = None;
    let mut in_class = false;
    while let Some(byte) = bytes.get(at).copied() {
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        match byte {
            b'/' if next == b'/' => at = line_end(bytes, at),
            b'#' if language != Language::JavaScript => at = line_end(bytes, at),
            b'/' if next == b'*' => at = module.get(at..)?.find("*/")? + at + 1,
            b'/' if language == Language::JavaScript && begins_pattern(module.get(..at)?) => {
                at = pattern_end(bytes, at)?;
            }
            // Behind a bracket it may be either.
            b'/' if language == Language::JavaScript && may_be_pattern(module, at) => return None,
            b'/' if language == Language::Perl && !divides(module.get(..at)?) => return None,
            b'"' | b'\'' | b'`' => at = quote_end(bytes, at, 0)?,
            b'{' | b'(' | b'[' => {
                if depth == 0 && byte == b'{' {
                    let before = module.get(head..at)?;
                    open = defined_name(before);
                    in_class = words(before).any(|word| word == "class");
                    if open.is_some() {
                        super::push(&mut all, module.get(start..head), None);
                        start = head;
                    }
                }
                // The name of a member that is computed runs at once.
                if byte == b'[' && depth == 1 && in_class {
                    open = None;
                }
                depth += 1;
            }
            b'}' | b')' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 && byte == b'}' {
                    let text = module.get(start..=at)?;
                    let called = behind_comments(module.get(at + 1..)?).starts_with(['(', '.', '[', '`', '?']);
                    let at_once = called || in_class && words(text).any(|word| word == "static");
                    if let Some(name) = open.take() {
                        super::push(&mut all, Some(text), (!at_once).then(|| vec![name]));
                        start = at + 1;
                    }
                    head = at + 1;
                }
            }
            b';' | b'\n' if depth == 0 => head = at + 1,
            _ => {}
        }
        at += 1;
    }
    super::push(&mut all, module.get(start..), None);
    (depth == 0).then_some(all)
}

/// The text behind the blanks and comments at its start.
fn behind_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let behind = if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, behind)| behind)
        } else if rest.starts_with("//") {
            rest.split_once('\n').map_or("", |(_, behind)| behind)
        } else {
            return rest;
        };
        rest = behind.trim_start();
    }
}

/// Whether a slash behind a bracket may begin a pattern that holds quotes or brackets.
fn may_be_pattern(module: &str, at: usize) -> bool {
    let before = module.get(..at).unwrap_or_default().trim_end();
    let line = module.get(at + 1..).unwrap_or_default().split('\n').next().unwrap_or_default();
    let marks = ['\'', '"', '`', '{', '}', '(', ')', '[', ']'];
    before.ends_with([')', '}', ']']) && line.split_once('/').is_some_and(|(inner, _)| inner.contains(marks))
}

/// Whether a slash of Perl behind this text divides: an operand stands before it.
fn divides(before: &str) -> bool {
    let before = before.trim_end();
    let word = words(before.get(before.len().saturating_sub(12)..).unwrap_or_default()).last().unwrap_or_default();
    let keyword = matches!(
        word,
        "and" | "or" | "not" | "if" | "unless" | "while" | "until" | "return" | "grep" | "map" | "x" | "when" | "xor"
    );
    before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_') && !keyword
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes.iter().skip(from).position(|byte| *byte == b'\n').map_or(bytes.len(), |length| from + length - 1)
}

/// Whether a slash behind this text begins a pattern: no operand stands before it.
fn begins_pattern(before: &str) -> bool {
    let before = before.trim_end();
    let word = words(before.get(before.len().saturating_sub(12)..).unwrap_or_default()).last().unwrap_or_default();
    match before.chars().next_back() {
        None => true,
        Some(')' | ']' | '}' | '"' | '\'' | '`') => false,
        Some(letter) if letter.is_alphanumeric() || matches!(letter, '_' | '$') => {
            matches!(word, "return" | "typeof" | "case" | "in" | "of" | "do" | "else" | "void" | "delete")
        }
        Some(_) => true,
    }
}

/// The last slash of a pattern; none if the line ends before.
fn pattern_end(bytes: &[u8], from: usize) -> Option<usize> {
    let (mut at, mut set) = (from + 1, false);
    loop {
        match bytes.get(at)? {
            b'\n' => return None,
            b'\\' => at += 1,
            b'[' => set = true,
            b']' => set = false,
            b'/' if !set => return Some(at),
            _ => {}
        }
        at += 1;
    }
}

/// The quote that ends the text which begins here; code within it may hold quotes of its own.
fn quote_end(bytes: &[u8], from: usize, depth: usize) -> Option<usize> {
    let quote = *bytes.get(from)?;
    let mut at = from + 1;
    let mut braces = 0_usize;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 1,
            b'$' if quote == b'`' && bytes.get(at + 1) == Some(&b'{') => {
                braces += 1;
                at += 1;
            }
            b'{' if braces > 0 => braces += 1,
            b'}' if braces > 0 => braces -= 1,
            // A comment in there may hold quotes.
            b'/' if braces > 0 && matches!(bytes.get(at + 1), Some(b'/' | b'*')) => return None,
            b'"' | b'\'' | b'`' if braces > 0 && depth < MAX_DEPTH => at = quote_end(bytes, at, depth + 1)?,
            b'"' | b'\'' | b'`' if braces > 0 => return None,
            byte if byte == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
}

/// What the text before a brace defines: `function name(a)`, `const name = (a) =>`, `exports.name = function`.
fn defined_name(head: &str) -> Option<&str> {
    let head = head.trim();
    // It goes by whatever name its users give it.
    if head.starts_with("export default") {
        return None;
    }
    if let Some(name) = super::name_after(head, &["function", "sub"]) {
        return Some(name);
    }
    if let Some(name) = super::name_after(head, &["class"]) {
        // What a class extends may be the result of a call.
        return (!head.contains(['(', '`', '['])).then_some(name);
    }
    let (left, right) = head.split_once('=')?;
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.' | ' ');
    let right = right.trim();
    let right = right.strip_prefix("async").map_or(right, str::trim_start);
    let whole = left.trim() == "module.exports" || left.trim() == "exports";
    words(left).last().filter(|_| !whole && left.chars().all(plain) && is_function(right))
}

/// Whether it is the head of a function and nothing before it: `function (a)`, `(a) =>`, `a =>`.
fn is_function(text: &str) -> bool {
    if text.strip_prefix("function").is_some_and(|rest| rest.starts_with([' ', '(', '*'])) {
        return !text.contains("=>");
    }
    let Some(parameters) = text.strip_suffix("=>").map(str::trim) else { return false };
    let inner = parameters.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
    match inner {
        Some(inner) => !inner.contains(['(', ')']),
        None => !parameters.is_empty() && parameters.chars().all(|letter| letter.is_alphanumeric() || letter == '_'),
    }
}
