//! Patterns of processes, as `pkill` and `killall -r` take them: whether the name of Signoff is among what they match.

/// How much of a name a pattern must cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// Any part of it will do.
    Part,
    /// All of it.
    Whole,
}

/// The names under which the processes of Signoff run.
const NAMES: &[&str] = &["signoff", "signoffd", "signoff-hook"];

/// Longer patterns are compared as texts only.
const LONGEST: usize = 64;

/// Whether a pattern, in the language of extended regular expressions, matches the name of a process of Signoff.
pub(super) fn matches_signoff(pattern: &str, covers: Covers) -> bool {
    let pattern = pattern.to_ascii_lowercase();
    if pattern.is_empty() || pattern.len() > LONGEST || pattern.contains(['{', '\\']) {
        return pattern.contains("signoff");
    }
    // Which of several ways a group allows does not matter here: each of them is tried as an alternative of its own.
    pattern.split(['|', '(', ')']).filter(|part| !part.is_empty()).any(|part| {
        let (part, from_start) = part.strip_prefix('^').map_or((part, covers == Covers::Whole), |rest| (rest, true));
        let (part, to_end) = part.strip_suffix('$').map_or((part, covers == Covers::Whole), |rest| (rest, true));
        let atoms = atoms(part);
        !atoms.is_empty() && NAMES.iter().any(|name| found_in(name.as_bytes(), &atoms, from_start, to_end))
    })
}

/// One letter of a pattern, and how often it may come.
struct Atom {
    letters: Letters,
    least: usize,
    repeats: bool,
}

enum Letters {
    Any,
    One(u8),
    /// Those of a set, or all others if it is negated.
    Set {
        ranges: Vec<(u8, u8)>,
        negated: bool,
    },
}

impl Letters {
    fn hold(&self, letter: u8) -> bool {
        match self {
            Self::Any => true,
            Self::One(own) => *own == letter,
            Self::Set { ranges, negated } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter)) != *negated
            }
        }
    }
}

fn atoms(pattern: &str) -> Vec<Atom> {
    let mut all: Vec<Atom> = Vec::new();
    let mut letters = pattern.bytes().peekable();
    while let Some(letter) = letters.next() {
        let letters = match letter {
            b'.' => Letters::Any,
            b'[' => {
                let negated = letters.next_if_eq(&b'^').is_some();
                let mut ranges: Vec<(u8, u8)> = Vec::new();
                while let Some(first) = letters.next().filter(|letter| *letter != b']') {
                    let ranged = letters.next_if_eq(&b'-').and_then(|_| letters.next_if(|last| *last != b']'));
                    ranges.push((first, ranged.unwrap_or(first)));
                }
                Letters::Set { ranges, negated }
            }
            b'*' | b'+' | b'?' => {
                if let Some(last) = all.last_mut() {
                    last.least = last.least.min(usize::from(letter == b'+'));
                    last.repeats |= letter != b'?';
                }
                continue;
            }
            letter => Letters::One(letter),
        };
        all.push(Atom { letters, least: 1, repeats: false });
    }
    all
}

fn found_in(name: &[u8], atoms: &[Atom], from_start: bool, to_end: bool) -> bool {
    let starts = if from_start { 0..=0 } else { 0..=name.len() };
    starts.into_iter().any(|start| {
        // The places that the name may be read up to, atom by atom: no way through is walked twice.
        let mut reached = vec![false; name.len() + 1];
        if let Some(first) = reached.get_mut(start) {
            *first = true;
        }
        for atom in atoms {
            reached = advanced(name, atom, &reached);
        }
        if to_end { reached.last() == Some(&true) } else { reached.contains(&true) }
    })
}

fn advanced(name: &[u8], atom: &Atom, reached: &[bool]) -> Vec<bool> {
    let mut next: Vec<bool> = if atom.least == 0 { reached.to_vec() } else { vec![false; reached.len()] };
    for (at, letter) in name.iter().enumerate() {
        let goes_on = atom.repeats && next.get(at) == Some(&true);
        if (reached.get(at) == Some(&true) || goes_on)
            && atom.letters.hold(*letter)
            && let Some(place) = next.get_mut(at + 1)
        {
            *place = true;
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_the_real_programs_match() {
        for pattern in [
            "sign",
            "signoff",
            "sign.*",
            "^sig",
            "off$",
            "s.gnoff",
            "[s]ignoff",
            "node|sign",
            "(signoff)",
            "SIGN",
            "s[a-z]+f",
        ] {
            assert!(matches_signoff(pattern, Covers::Part), "{pattern}");
        }
        for pattern in ["node", "^off", "sign$", "signal", "designoff", "[^s]ignoff", "signin|signup", "vite"] {
            assert!(!matches_signoff(pattern, Covers::Part), "{pattern}");
        }
        for (pattern, expected) in
            [("sign", false), ("sign.*", true), ("signoff", true), (".*off", true), ("off", false)]
        {
            assert_eq!(matches_signoff(pattern, Covers::Whole), expected, "{pattern}");
        }
    }
}
