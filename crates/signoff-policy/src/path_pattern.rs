//! Patterns over paths, as effects name them: relative to the project, behind `~/` in the home directory, absolute
//! elsewhere. `*` stands for any text in one part of a path, `**` for any number of parts.

use std::{fmt, str::FromStr};

use signoff_model::{EffectKind, Target};

use crate::command_pattern::{Match, PatternError, WordPattern};

/// The longest pattern, in bytes.
const LONGEST: usize = 4096;

/// One part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    /// Any number of parts.
    Any,
    /// One part of this form.
    One(WordPattern),
}

/// A pattern over paths.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PathPattern {
    parts: Vec<Part>,
    text: String,
}

impl PathPattern {
    /// Whether the path is of this form.
    pub fn matches(&self, path: &str) -> bool {
        // Which beginnings of the pattern fit what was read of the path so far; the whole work is length times length.
        let mut fits = vec![false; self.parts.len() + 1];
        if let Some(first) = fits.first_mut() {
            *first = true;
        }
        self.skip_any(&mut fits);
        for part in parts_of(path) {
            let mut next = vec![false; fits.len()];
            for (place, pattern) in self.parts.iter().enumerate() {
                if !fits.get(place).copied().unwrap_or_default() {
                    continue;
                }
                let reached = match pattern {
                    Part::Any => next.get_mut(place),
                    Part::One(word) if word.matches(part) => next.get_mut(place + 1),
                    Part::One(_) => None,
                };
                if let Some(reached) = reached {
                    *reached = true;
                }
            }
            self.skip_any(&mut next);
            fits = next;
        }
        fits.last().copied().unwrap_or_default()
    }

    /// A `**` may stand for nothing.
    fn skip_any(&self, fits: &mut [bool]) {
        for (place, part) in self.parts.iter().enumerate() {
            if *part == Part::Any
                && fits.get(place).copied().unwrap_or_default()
                && let Some(behind) = fits.get_mut(place + 1)
            {
                *behind = true;
            }
        }
    }

    /// Whether a permission for this form reaches the path, which must not climb.
    pub(crate) fn permits(&self, target: &Target) -> bool {
        match target {
            Target::Path(path) => !path.split('/').any(|part| part == "..") && self.matches(path),
            _ => false,
        }
    }

    /// Whether the pattern means what an effect touches.
    pub(crate) fn means(&self, kind: EffectKind, target: &Target) -> Match {
        match target {
            Target::Path(path) if self.matches(path) => Match::Yes,
            // Whoever takes a directory away takes away what lies in it.
            Target::Path(path) if takes_what_is_inside(kind) && self.begins_with(path) => Match::Yes,
            Target::Path(_) => Match::No,
            Target::Matches(glob) if self.may_meet(glob) => Match::Possible,
            Target::Matches(_) => Match::No,
            Target::Listed { under, .. } if self.may_meet(&format!("{under}/**")) => Match::Possible,
            Target::Listed { .. } => Match::No,
            Target::Unresolved(_) | Target::Unread(_) => Match::Possible,
            Target::Ref { .. } | Target::DefaultRemote | Target::Named(_) | Target::Sent { .. } => Match::No,
        }
    }

    /// Whether what the pattern means lies below the path.
    fn begins_with(&self, path: &str) -> bool {
        let mut parts = self.parts.iter();
        parts_of(path).all(|part| matches!(parts.next(), Some(Part::One(word)) if word.matches(part)))
            && parts.len() > 0
    }

    /// Whether some path may be of this form and of a glob, as far as the parts before the first `**` tell.
    fn may_meet(&self, glob: &str) -> bool {
        let mut globs = parts_of(glob);
        for part in &self.parts {
            match (part, globs.next()) {
                (Part::Any, _) | (_, Some("**")) => return true,
                (Part::One(word), Some(other)) if word.may_meet(&WordPattern::new(other)) => {}
                (Part::One(_), _) => return false,
            }
        }
        globs.next().is_none()
    }
}

/// Whether an effect of this kind on a directory is one on everything in it.
const fn takes_what_is_inside(kind: EffectKind) -> bool {
    matches!(kind, EffectKind::Delete | EffectKind::Move | EffectKind::Permission)
}

/// The parts of a path; an absolute one begins with an empty part.
fn parts_of(path: &str) -> impl Iterator<Item = &str> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { path };
    path.split('/').enumerate().filter(|(place, part)| *place == 0 || !matches!(*part, "" | ".")).map(|(_, part)| part)
}

impl fmt::Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for PathPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        if text.trim().is_empty() {
            return Err(PatternError::Empty);
        }
        if text.len() > LONGEST {
            return Err(PatternError::TooLong);
        }
        let part = |part: &str| if part == "**" { Part::Any } else { Part::One(WordPattern::new(part)) };
        let mut parts: Vec<Part> = parts_of(text).map(part).collect();
        // A directory that is named as one stands for what is in it.
        if text.ends_with('/') && text.len() > 1 {
            parts.push(Part::Any);
        }
        Ok(Self { parts, text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::{EffectKind, Target};

    use super::PathPattern;
    use crate::command_pattern::Match;

    #[test]
    fn stars_stay_in_their_part() {
        for (pattern, path, expected) in [
            (".env", ".env", true),
            (".env", "a/.env", false),
            ("./.env", ".env", true),
            ("**/.env", ".env", true),
            ("**/.env", "a/b/.env", true),
            ("**/.env", "a/.envrc", false),
            ("src/*.rs", "src/a.rs", true),
            ("src/*.rs", "src/a/b.rs", false),
            ("src/**", "src/a/b.rs", true),
            ("src/**", "src", true),
            ("src/", "src/a", true),
            ("src/**/x", "src/x", true),
            ("src/**/x/**", "src/a/b/x/c", true),
            ("~/.ssh/**", "~/.ssh/id", true),
            ("/etc/**", "/etc/passwd", true),
            ("etc/**", "/etc/passwd", false),
            ("/etc/**", "etc/passwd", false),
            ("**", "a/b", true),
        ] {
            let pattern: PathPattern = pattern.parse().unwrap();
            assert_eq!(pattern.matches(path), expected, "{pattern} on {path}");
        }
    }

    #[test]
    fn many_stars_stay_cheap() {
        let pattern: PathPattern = format!("{}z", "**/a/".repeat(100)).parse().unwrap();
        assert!(!pattern.matches(&format!("{}y", "a/".repeat(500))));
    }

    #[test]
    fn what_is_not_a_path_may_still_be_meant() {
        use Match::{No, Possible, Yes};
        let matches = |glob: &str| Target::Matches(glob.into());
        for (pattern, kind, target, expected) in [
            ("src/keys/**", EffectKind::Delete, Target::Path("src".into()), Yes),
            ("src/keys/**", EffectKind::Read, Target::Path("src".into()), No),
            ("**/.env", EffectKind::Delete, Target::Path("README.md".into()), No),
            (".env", EffectKind::Delete, matches(".e*"), Possible),
            (".env", EffectKind::Delete, matches("*.rs"), No),
            ("a/.env", EffectKind::Delete, matches("b/*"), No),
            ("a/.env", EffectKind::Delete, Target::Listed { by: "find".into(), under: "a".into() }, Possible),
            ("a/.env", EffectKind::Delete, Target::Listed { by: "find".into(), under: "b".into() }, No),
            (".env", EffectKind::Read, Target::Unresolved("$F".into()), Possible),
            (".env", EffectKind::Read, Target::Named(".env".into()), No),
        ] {
            let pattern: PathPattern = pattern.parse().unwrap();
            assert_eq!(pattern.means(kind, &target), expected, "{pattern} on {target:?}");
        }
    }
}
