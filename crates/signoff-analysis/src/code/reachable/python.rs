//! Modules of Python: functions and methods, by how far their lines are indented.

use super::{Stretch, words};

/// Decorators that keep a function for later and do not call it.
const KEEPERS: &[&str] = &[
    "property",
    "setter",
    "getter",
    "deleter",
    "staticmethod",
    "classmethod",
    "cached_property",
    "cache",
    "lru_cache",
    "wraps",
    "abstractmethod",
    "overload",
    "override",
    "contextmanager",
    "asynccontextmanager",
    "fixture",
    "parametrize",
    "route",
    "get",
    "post",
    "put",
    "delete",
    "patch",
    "command",
    "group",
    "option",
    "argument",
    "task",
    "shared_task",
    "receiver",
    "dataclass",
];

/// A line with everything that belongs to it: the lines that its brackets and quotes take in.
struct Line<'t> {
    start: usize,
    indent: usize,
    text: &'t str,
}

/// The functions and methods of a module. None where its brackets and quotes do not match.
pub(super) fn stretches(module: &str) -> Option<Vec<Stretch<'_>>> {
    let mut all = Vec::new();
    let mut classes: Vec<(usize, &str)> = Vec::new();
    // Where what is being read starts, and where the decorators before a function do.
    let (mut start, mut decorators): (usize, Option<(usize, bool)>) = (0, None);
    let mut open: Option<(usize, Option<Vec<&str>>)> = None;
    for line in lines(module)? {
        if let Some((indent, names)) = open.take() {
            if line.indent > indent {
                open = Some((indent, names));
                continue;
            }
            super::push(&mut all, module.get(start..line.start), names);
            start = line.start;
        }
        let body = line.text.trim();
        classes.retain(|(indent, _)| *indent < line.indent);
        if let Some(decorator) = body.strip_prefix('@') {
            let (from, kept) = decorators.unwrap_or((line.start, true));
            decorators = Some((from, kept && keeps(decorator, module)));
            continue;
        }
        let (from, kept) = decorators.take().unwrap_or((line.start, true));
        if let Some(name) = super::name_after(body, &["class"]) {
            classes.push((line.indent, name));
        } else if let Some(name) = super::name_after(body, &["def"]).filter(|_| kept && !calls_in_head(body)) {
            super::push(&mut all, module.get(start..from), None);
            start = from;
            // Whoever names a class may call its methods, or hand it to somebody who does.
            let names = std::iter::once(name).chain(classes.iter().map(|(_, name)| *name)).collect();
            open = Some((line.indent, Some(names)));
        } else if line.indent == 0 && is_main(body) {
            // This runs only where the file itself is run.
            super::push(&mut all, module.get(start..from), None);
            start = from;
            open = Some((0, Some(Vec::new())));
        }
    }
    super::push(&mut all, module.get(start..), open.and_then(|(_, names)| names));
    Some(all)
}

/// Whether a decorator only keeps the function, and is not one of the module itself.
fn keeps(decorator: &str, module: &str) -> bool {
    let name = decorator.split(['(', ' ', '#']).next().unwrap_or_default().trim();
    let last = name.rsplit('.').next().unwrap_or(name);
    KEEPERS.contains(&last) && !module.contains(&format!("def {last}"))
}

/// Whether the head of a function may call something: in a default value, or in an annotation.
fn calls_in_head(line: &str) -> bool {
    let mut depth = 0_usize;
    for letter in line.chars() {
        match letter {
            '(' | '[' | '{' if depth > 0 => return letter == '(' || line.contains('='),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => return false,
            _ => {}
        }
    }
    true
}

/// `if __name__ == '__main__':`, and nothing else.
fn is_main(line: &str) -> bool {
    let compact: String = line.chars().filter(|letter| !letter.is_whitespace()).map(plain_quote).collect();
    compact.starts_with("if__name__=='__main__':")
}

fn plain_quote(letter: char) -> char {
    if letter == '"' { '\'' } else { letter }
}

/// The lines of a module, without those that are empty or only a comment.
fn lines(module: &str) -> Option<Vec<Line<'_>>> {
    let bytes = module.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let indent = bytes.iter().skip(at).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        at = line_end(module, at)?;
        let text = module.get(start..at)?;
        let body = text.trim_start();
        if !body.is_empty() && !body.starts_with('#') {
            all.push(Line { start, indent, text });
        }
    }
    Some(all)
}

/// Where the line that begins at a position ends, behind its last character.
fn line_end(module: &str, from: usize) -> Option<usize> {
    let bytes = module.as_bytes();
    let (mut at, mut depth) = (from, 0_usize);
    loop {
        match bytes.get(at).copied() {
            None => return (depth == 0).then_some(at),
            Some(b'\n') if depth == 0 => return Some(at + 1),
            Some(b'#') => {
                at = bytes.iter().skip(at).position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length);
            }
            Some(b'\\') => at += 2,
            Some(b'(' | b'[' | b'{') => (depth, at) = (depth + 1, at + 1),
            Some(b')' | b']' | b'}') => (depth, at) = (depth.checked_sub(1)?, at + 1),
            Some(quote @ (b'"' | b'\'')) => at = quote_end(module, at, quote)?,
            Some(_) => at += 1,
        }
    }
}

/// Behind the text that a quote opens at a position; none if it does not end.
fn quote_end(module: &str, from: usize, quote: u8) -> Option<usize> {
    let bytes = module.as_bytes();
    let three = bytes.get(from..from + 3).is_some_and(|mark| mark.iter().all(|byte| *byte == quote));
    let mut at = from + if three { 3 } else { 1 };
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            byte if byte == quote && !three => return Some(at + 1),
            byte if byte == quote && bytes.get(at + 1) == Some(&quote) && bytes.get(at + 2) == Some(&quote) => {
                return Some(at + 3);
            }
            b'\n' if !three => return None,
            _ => at += 1,
        }
    }
}

/// The words of a line of the top that name something: a class that is only defined is not named by that.
pub(super) fn named(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let skipped = usize::from(line.trim_start().starts_with("class ")) * 2;
        words(line).skip(skipped)
    })
}
