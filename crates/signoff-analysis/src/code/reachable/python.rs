//! Modules of Python: functions and methods, by how far their lines are indented.

use std::collections::HashMap;

use super::{Stretch, words};

/// So many different decorators are looked into; each of them costs a look at the whole module.
const MAX_DECORATORS: usize = 64;

/// Decorators of the language that keep a function for later and do not call it.
const KEEPERS: &[&str] = &["property", "staticmethod", "classmethod"];
/// Libraries whose decorators keep a function for later, and those whose objects do.
const LIBRARIES: &[&str] =
    &["functools", "abc", "typing", "typing_extensions", "contextlib", "dataclasses", "pytest", "click", "celery"];
const FRAMEWORKS: &[&str] =
    &["flask", "fastapi", "typer", "click", "celery", "django", "sanic", "quart", "starlette", "aiohttp"];

/// What becomes of a function behind a decorator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept<'t> {
    /// It waits for whoever names it.
    ByName,
    /// It waits for whoever names it or uses this object, which is written with the sign of the decorator before it.
    ByObject(&'t str),
    /// It may run at once.
    No,
}

/// A line with everything that belongs to it: the lines that its brackets and quotes take in.
struct Line<'t> {
    start: usize,
    indent: usize,
    text: &'t str,
}

/// The functions and methods of a module. None where its brackets and quotes do not match.
pub(super) fn stretches(module: &str) -> Option<Vec<Stretch<'_>>> {
    // A form feed sets the column back, and who gives the module another name may make it the main one.
    if module.contains('\u{c}') || renames(module) {
        return None;
    }
    let mut all = Vec::new();
    let mut classes: Vec<(usize, &str)> = Vec::new();
    // Where what is being read starts, and where the decorators before a function do.
    let (mut start, mut decorators): (usize, Option<(usize, Vec<Kept<'_>>)>) = (0, None);
    let mut open: Option<(usize, Option<Vec<&str>>)> = None;
    let mut looked_at: HashMap<&str, Kept<'_>> = HashMap::new();
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
            let (_, kept) = decorators.get_or_insert_with(|| (line.start, Vec::new()));
            let known = looked_at.get(decorator).copied();
            kept.push(match known {
                Some(known) => known,
                None if looked_at.len() >= MAX_DECORATORS => Kept::No,
                None => {
                    let new = keeps(body, decorator, module);
                    looked_at.insert(decorator, new);
                    new
                }
            });
            continue;
        }
        let (from, kept) = decorators.take().unwrap_or((line.start, Vec::new()));
        if let Some(name) = super::name_after(body, &["class"]) {
            classes.push((line.indent, name));
        } else if let Some(name) =
            super::name_after(body, &["def"]).filter(|_| !kept.contains(&Kept::No) && !calls_in_head(body))
        {
            super::push(&mut all, module.get(start..from), None);
            start = from;
            // Whoever names a class may call its methods, or hand it to somebody who does.
            let objects = kept.iter().filter_map(|kept| match kept {
                Kept::ByObject(object) => Some(*object),
                Kept::ByName | Kept::No => None,
            });
            let names = std::iter::once(name).chain(classes.iter().map(|(_, name)| *name)).chain(objects).collect();
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

/// Whether a decorator only keeps the function: one of the language or of a library that is known to.
fn keeps<'t>(body: &'t str, decorator: &'t str, module: &str) -> Kept<'t> {
    let name = decorator.split(['(', ' ', '#']).next().unwrap_or_default().trim();
    // What is called to make the decorator gets its arguments at once.
    if decorator.get(name.len()..).is_some_and(|rest| rest.matches('(').count() > 1) {
        return Kept::No;
    }
    let first = name.split('.').next().unwrap_or(name);
    let bound = bindings(module, first);
    let only = |known: &dyn Fn(&Binding<'_>) -> bool| !bound.is_empty() && bound.iter().all(known);
    let imported = |binding: &Binding<'_>| matches!(binding, Binding::Imported(library) if LIBRARIES.contains(library));
    let made = |binding: &Binding<'_>| match binding {
        Binding::Imported(library) => FRAMEWORKS.contains(library),
        Binding::Made(maker) => {
            let makers = bindings(module, maker);
            !makers.is_empty()
                && makers
                    .iter()
                    .all(|maker| matches!(maker, Binding::Imported(library) if FRAMEWORKS.contains(library)))
        }
        Binding::Other => false,
    };
    match name.split_once('.') {
        None if KEEPERS.contains(&name) && bound.is_empty() => Kept::ByName,
        // The other half of a property, which stands before it.
        Some((property, "setter" | "getter" | "deleter"))
            if bound.is_empty() && module.contains(&format!("def {property}(")) =>
        {
            Kept::ByName
        }
        _ if only(&imported) => Kept::ByName,
        Some(_) if only(&made) => body.get(..first.len() + 1).map_or(Kept::No, Kept::ByObject),
        _ => Kept::No,
    }
}

/// How a module gives a meaning to a name.
enum Binding<'t> {
    /// It comes from this library.
    Imported(&'t str),
    /// It is what a call of this gives.
    Made(&'t str),
    Other,
}

/// Every place of a module that gives a meaning to a name.
fn bindings<'t>(module: &'t str, name: &str) -> Vec<Binding<'t>> {
    let mut all = Vec::new();
    for line in module.lines() {
        let body = line.trim_start();
        if !words(body).any(|word| word == name) || body.starts_with('@') || body.starts_with('#') {
            continue;
        }
        let library = |text: &'t str| words(text).next().unwrap_or_default();
        if let Some(rest) = body.strip_prefix("import ") {
            let part = rest.split(',').find(|part| {
                let known = part.rsplit(" as ").next().unwrap_or(part);
                words(known).next() == Some(name)
            });
            all.push(
                part.filter(|_| !rest.contains(';')).map_or(Binding::Other, |part| Binding::Imported(library(part))),
            );
        } else if let Some(rest) = body.strip_prefix("from ") {
            all.push(if rest.starts_with('.') || rest.contains(';') {
                Binding::Other
            } else {
                Binding::Imported(library(rest))
            });
        } else if let Some((left, right)) = body.split_once('=')
            && left.trim() == name
            && !right.starts_with('=')
        {
            let plain = right.contains('(') && !right.contains([';', '[']) && !right.contains("lambda");
            all.push(if plain { Binding::Made(library(right)) } else { Binding::Other });
        } else if binds(body, name) {
            all.push(Binding::Other);
        }
    }
    all
}

/// Whether a line may give a meaning to a name in another way than by a plain assignment or import.
fn binds(body: &str, name: &str) -> bool {
    let mut before = "";
    for word in words(body) {
        if word == name && matches!(before, "def" | "class" | "as" | "for" | "global" | "import") {
            return true;
        }
        before = word;
    }
    let compact: String = body.chars().filter(|letter| !letter.is_whitespace()).collect();
    compact.match_indices(name).any(|(at, _)| {
        let rest = compact.get(at + name.len()..).unwrap_or_default();
        let whole = !compact
            .get(..at)
            .unwrap_or_default()
            .ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '('));
        whole
            && (rest.starts_with('=') && !rest.starts_with("==")
                || rest.starts_with(":=")
                || rest.starts_with(',') && compact.contains('='))
    })
}

/// Whether a module gives itself another name.
fn renames(module: &str) -> bool {
    const NAME: &str = "__name__";
    module.contains(NAME)
        && module.lines().any(|line| {
            line.contains(&format!("'{NAME}'"))
                || line.contains(&format!("\"{NAME}\""))
                || binds(line.trim_start(), NAME)
        })
}

/// Whether the head of a function may call something: in a default value, or in an annotation.
fn calls_in_head(line: &str) -> bool {
    let (mut depth, mut opened) = (0_usize, false);
    for letter in line.chars() {
        match letter {
            '(' | '[' | '{' if depth > 0 => return letter == '(' || line.contains('='),
            // Behind the parameters stands what the function gives back, which is computed as well.
            '(' if opened => return true,
            '(' | '[' | '{' => (depth, opened) = (depth + 1, opened || letter == '('),
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
