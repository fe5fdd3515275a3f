//! What a pattern matches, as bash expands it: the names that would really be handed to a program.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use signoff_analysis::shell::expand::pattern::Pattern;

/// How far patterns are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Names that are looked at.
    pub(crate) names: usize,
    /// Paths that come out.
    pub(crate) matches: usize,
}

impl Limits {
    pub(crate) const DECIDING: Self = Self { names: 20_000, matches: 4_096 };
}

/// The paths that a pattern stands for in a directory, written as the pattern is; none if that cannot be told or takes too
/// long. An empty list means that nothing matches. A backslash in the pattern takes the meaning from the sign behind it.
pub(crate) fn expand(directory: &Path, pattern: &str, limits: Limits) -> Option<Vec<String>> {
    let (parts, absolute) = parts(pattern)?;
    let base = if absolute { PathBuf::from("/") } else { directory.to_owned() };
    let mut left = limits;
    let start = if absolute { "/".to_owned() } else { String::new() };
    let mut reached = vec![(start, base)];
    for part in &parts {
        let mut next = Vec::new();
        for (written, path) in reached {
            part.follow(&written, &path, &mut left, &mut next)?;
        }
        if next.len() > limits.matches {
            return None;
        }
        reached = next;
    }
    Some(reached.into_iter().map(|(written, _)| written).collect())
}

/// One part of a pattern, between slashes.
struct Part {
    names: Names,
    /// Whether a slash stands behind it: then only directories match.
    enters: bool,
}

enum Names {
    /// Exactly this one.
    One(String),
    /// Those that match; hidden ones only where the pattern begins with a dot.
    Matching {
        pattern: Pattern,
        hidden: bool,
        /// Which letters a class such as `[:alpha:]` has beyond ASCII depends on the locale.
        has_class: bool,
    },
}

fn parts(pattern: &str) -> Option<(Vec<Part>, bool)> {
    let mut parts = Vec::new();
    let mut rest = pattern.trim_start_matches('/');
    let absolute = rest.len() < pattern.len();
    while !rest.is_empty() {
        let (text, after) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let behind = after.trim_start_matches('/');
        parts.push(Part { names: names(text)?, enters: !after.is_empty() });
        rest = behind;
    }
    Some((parts, absolute))
}

fn names(text: &str) -> Option<Names> {
    if !has_signs(text) {
        return Some(Names::One(unescaped(text)));
    }
    // Equivalence classes and collating symbols depend on the locale.
    if text.contains("[=") || text.contains("[.") {
        return None;
    }
    let hidden = text.starts_with('.') || text.starts_with("\\.");
    let pattern = Pattern::new(text);
    // Older shells take this and the directory above for matches, newer ones do not.
    if hidden && (pattern.matches(".") || pattern.matches("..")) {
        return None;
    }
    Some(Names::Matching { pattern, hidden, has_class: text.contains("[:") })
}

/// Whether a text has a sign in it that stands for others.
fn has_signs(text: &str) -> bool {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '*' | '?' | '[' => return true,
            _ => {}
        }
    }
    false
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.push(if letter == '\\' { letters.next().unwrap_or('\\') } else { letter });
    }
    plain
}

impl Part {
    /// Adds what this part leads to from one place. None if that cannot be told.
    fn follow(&self, written: &str, path: &Path, left: &mut Limits, next: &mut Vec<(String, PathBuf)>) -> Option<()> {
        match &self.names {
            Names::One(name) => {
                left.names = left.names.checked_sub(1)?;
                if is_seen(fs::symlink_metadata(path.join(name)))?.is_some() {
                    self.take(name, written, path, next)?;
                }
            }
            Names::Matching { pattern, hidden, has_class } => {
                // Bash finds nothing either where there is no directory.
                let Some(entries) = is_seen(fs::read_dir(path))? else { return Some(()) };
                let mut names = Vec::new();
                for entry in entries {
                    left.names = left.names.checked_sub(1)?;
                    let name = entry.ok()?.file_name().into_string().ok()?;
                    if *has_class && !name.is_ascii() {
                        return None;
                    }
                    if (*hidden || !name.starts_with('.')) && pattern.matches(&name) {
                        names.push(name);
                    }
                }
                names.sort_unstable();
                for name in names {
                    self.take(&name, written, path, next)?;
                }
            }
        }
        Some(())
    }

    /// Adds what is known to be there, if it is what is looked for. None if that cannot be told.
    fn take(&self, name: &str, written: &str, path: &Path, next: &mut Vec<(String, PathBuf)>) -> Option<()> {
        let found = path.join(name);
        if !self.enters || is_seen(fs::metadata(&found))?.is_some_and(|found| found.is_dir()) {
            let slash = if self.enters { "/" } else { "" };
            next.push((format!("{written}{name}{slash}"), found));
        }
        Some(())
    }
}

/// What a look has found, if there is anything. None if this process may not look there: whoever runs the command may, as
/// where the gate has a user id of its own, or the text itself may change who may.
fn is_seen<T>(look: io::Result<T>) -> Option<Option<T>> {
    match look {
        Ok(found) => Some(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => None,
        Err(_) => Some(None),
    }
}

#[cfg(test)]
mod tests;
