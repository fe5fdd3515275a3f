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

/// Longer patterns are not read.
const LONGEST: usize = 64;

/// Whether a pattern, in the language of extended regular expressions, matches the name of a process of Signoff.
pub(super) fn matches_signoff(pattern: &str, covers: Covers) -> bool {
    let pattern = pattern.to_ascii_lowercase();
    if pattern.is_empty() {
        return false;
    }
    if pattern.len() > LONGEST {
        return pattern.contains("sign");
    }
    // A group is a part of what is matched, not the whole.
    let covers = if pattern.contains('(') { Covers::Part } else { covers };
    // Which of several ways a group allows does not matter here: each of them is tried as an alternative of its own.
    pattern.split(['|', '(', ')']).filter(|part| !part.is_empty()).any(|part| {
        let (part, from_start) = part.strip_prefix('^').map_or((part, covers == Covers::Whole), |rest| (rest, true));
        let (part, to_end) = part.strip_suffix('$').map_or((part, covers == Covers::Whole), |rest| (rest, true));
        // A whole command line may be meant: the program is what stands before the first space, behind the last slash.
        let word = part.split(' ').next().unwrap_or_default();
        let program = word.rsplit('/').next().unwrap_or_default();
        let (from_start, to_end) = (from_start || program.len() < word.len(), to_end || word.len() < part.len());
        let atoms = atoms(program);
        !atoms.is_empty() && NAMES.iter().any(|name| found_in(name.as_bytes(), &atoms, from_start, to_end))
    })
}

/// One letter of a pattern, and how often it may come.
struct Atom {
    letters: Letters,
    least: usize,
    repeats: bool,
}

#[derive(Clone)]
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
            // Behind a backslash stands a letter as it is, or the sign of a class of letters. Capital and small letters
            // are no longer told apart here, so a class may be any.
            b'\\' => match letters.next() {
                Some(b'w' | b's' | b'd') => Letters::Any,
                // Where a word begins or ends takes no letter.
                Some(b'b' | b'B' | b'<' | b'>') | None => continue,
                Some(letter) => Letters::One(letter),
            },
            b'{' => {
                let count: Vec<u8> = letters.by_ref().take_while(|letter| *letter != b'}').collect();
                let count = String::from_utf8_lossy(&count).into_owned();
                repeat(&mut all, &count);
                continue;
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

/// Repeats the last letter as `{2}`, `{1,}` or `{1,3}` says. What cannot be read may be any number.
fn repeat(all: &mut Vec<Atom>, count: &str) {
    /// No name has a letter as often as this.
    const MOST: usize = 16;
    let (least, most) = count.split_once(',').unwrap_or((count, count));
    let Some(last) = all.pop() else { return };
    let least = least.trim().parse::<usize>().unwrap_or(0).min(MOST);
    let most = most.trim().parse::<usize>().unwrap_or(MOST).min(MOST);
    for at in 0..most.max(least) {
        let least = if at < least { last.least } else { 0 };
        all.push(Atom { letters: last.letters.clone(), least, repeats: last.repeats });
    }
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
            "signof{2}",
            "signof{1,}",
            "s\\ignoff",
            "\\bsignoff\\b",
            "sig\\w+f",
            "[s]ignoff serve",
            "bin/[s]ignoff",
            "ng serve|signoff",
        ] {
            assert!(matches_signoff(pattern, Covers::Part), "{pattern}");
        }
        for pattern in [
            "node",
            "^off",
            "sign$",
            "signal",
            "designoff",
            "[^s]ignoff",
            "signin|signup",
            "vite",
            "signof{3}",
            "ng serve",
            "node sign.js",
            "sign/up",
            "node\\.js",
            "a{2}",
        ] {
            assert!(!matches_signoff(pattern, Covers::Part), "{pattern}");
        }
        for (pattern, expected) in
            [("sign", false), ("sign.*", true), ("signoff", true), (".*off", true), ("off", false)]
        {
            assert_eq!(matches_signoff(pattern, Covers::Whole), expected, "{pattern}");
        }
    }
}
