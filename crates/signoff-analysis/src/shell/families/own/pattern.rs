//! Patterns of processes, as `pkill` and `killall -r` take them: whether the name of Signoff is among what they match.
//!
//! A pattern is followed through every place of a command line at once: the directory that the program stands in, its
//! name letter by letter, and what is written behind it. No way through is walked twice, and what is too long, too deep
//! or too much work to follow counts as matching.

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

/// Longer patterns are not read. Nobody writes one who means a program.
const LONGEST: usize = 2048;

/// Groups within groups are read so far.
const DEEPEST: usize = 24;

/// Steps that following one pattern may take.
const FUEL: usize = 200_000;

/// Whether a pattern, in the language of extended regular expressions, matches the name of a process of Signoff.
pub(super) fn matches_signoff(pattern: &str, covers: Covers) -> bool {
    let pattern = pattern.to_ascii_lowercase();
    if pattern.is_empty() {
        return false;
    }
    if pattern.len() > LONGEST {
        return true;
    }
    // Plain letters match themselves alone.
    let has_signs = pattern.bytes().any(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'_' | b'/'));
    if !has_signs && NAMES.iter().all(|name| name.len() < pattern.len()) {
        return false;
    }
    let mut reader = Reader { letters: pattern.as_bytes(), at: 0, too_deep: false };
    let choice = reader.choice(0);
    if reader.too_deep {
        return true;
    }
    let mut fuel = FUEL;
    NAMES.iter().any(|name| Walk { name: name.as_bytes(), fuel: &mut fuel }.finds(&choice, covers))
}

/// Alternatives, one of which must match.
struct Choice(Vec<Vec<Step>>);

/// A part of a pattern, and how often it may come.
struct Step {
    part: Part,
    least: usize,
    /// None for any number of times.
    most: Option<usize>,
}

enum Part {
    Letters(Letters),
    Group(Choice),
    Start,
    End,
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

    /// Whether it names letters, instead of taking whatever comes.
    fn says_which(&self) -> bool {
        matches!(self, Self::One(_) | Self::Set { negated: false, .. })
    }
}

struct Reader<'p> {
    letters: &'p [u8],
    at: usize,
    too_deep: bool,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.letters.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let letter = self.peek(0)?;
        self.at += 1;
        Some(letter)
    }

    fn next_if(&mut self, letter: u8) -> bool {
        let is_next = self.peek(0) == Some(letter);
        self.at += usize::from(is_next);
        is_next
    }

    fn choice(&mut self, depth: usize) -> Choice {
        self.too_deep |= depth > DEEPEST;
        let mut ways: Vec<Vec<Step>> = vec![Vec::new()];
        while let Some(letter) = self.next().filter(|_| !self.too_deep) {
            let part = match letter {
                b'|' => {
                    ways.push(Vec::new());
                    continue;
                }
                b'(' => Part::Group(self.choice(depth + 1)),
                b')' if depth > 0 => break,
                b')' => continue,
                b'^' => Part::Start,
                b'$' => Part::End,
                b'.' => Part::Letters(Letters::Any),
                b'[' => Part::Letters(self.set()),
                // Behind a backslash stands a letter as it is, the sign of a class of letters, or, in the older language
                // that `grep` reads, the sign of a group. Capital and small letters are no longer told apart here, so a
                // class may be any.
                b'\\' => match self.next() {
                    Some(b'w' | b's' | b'd') => Part::Letters(Letters::Any),
                    // Where a word begins or ends takes no letter.
                    Some(b'b' | b'<' | b'>') | None => continue,
                    Some(b'|') => {
                        ways.push(Vec::new());
                        continue;
                    }
                    Some(b'(') => Part::Group(self.choice(depth + 1)),
                    Some(b')') if depth > 0 => break,
                    Some(letter) => Part::Letters(Letters::One(letter)),
                },
                b'{' | b'*' | b'+' | b'?' => {
                    let (least, most) = self.times(letter);
                    if let Some(last) = ways.last_mut().and_then(|way| way.last_mut()) {
                        last.least = last.least.saturating_mul(least);
                        last.most = last.most.zip(most).map(|(inner, outer)| inner.saturating_mul(outer));
                    }
                    continue;
                }
                letter => Part::Letters(Letters::One(letter)),
            };
            if let Some(way) = ways.last_mut() {
                way.push(Step { part, least: 1, most: Some(1) });
            }
        }
        Choice(ways)
    }

    /// How often the part before comes: `{2}`, `{1,}` or `{1,3}`. What cannot be read may be any number.
    fn times(&mut self, sign: u8) -> (usize, Option<usize>) {
        match sign {
            b'*' => return (0, None),
            b'+' => return (1, None),
            b'?' => return (0, Some(1)),
            _ => {}
        }
        let mut count = String::new();
        while let Some(letter) = self.next().filter(|letter| *letter != b'}') {
            count.push(char::from(letter));
        }
        let (least, most) = count.split_once(',').unwrap_or((&count, &count));
        (least.trim().parse().unwrap_or(0), most.trim().parse().ok())
    }

    fn set(&mut self) -> Letters {
        let negated = self.next_if(b'^');
        let mut ranges: Vec<(u8, u8)> = Vec::new();
        let mut first_in_set = true;
        while let Some(letter) = self.next() {
            // A bracket that comes first is one of the letters.
            if letter == b']' && !first_in_set {
                break;
            }
            first_in_set = false;
            if letter == b'[' && matches!(self.peek(0), Some(b':' | b'.' | b'=')) {
                ranges.extend(self.class());
                continue;
            }
            let is_range = self.peek(0) == Some(b'-') && self.peek(1).is_some_and(|last| last != b']');
            let last = if is_range { self.letters.get(self.at + 1).copied().unwrap_or(letter) } else { letter };
            self.at += if is_range { 2 } else { 0 };
            ranges.push((letter, last));
        }
        Letters::Set { ranges, negated }
    }

    /// `[:alpha:]`, `[=s=]`, `[.s.]` within a set.
    fn class(&mut self) -> Vec<(u8, u8)> {
        let sign = self.next();
        let mut name = String::new();
        while let Some(letter) = self.next() {
            if Some(letter) == sign && self.next_if(b']') {
                break;
            }
            name.push(char::from(letter));
        }
        match (sign, name.as_str()) {
            (Some(b':'), "alpha" | "lower" | "upper") => vec![(b'a', b'z')],
            (Some(b':'), "alnum") => vec![(b'a', b'z'), (b'0', b'9')],
            (Some(b':'), "digit") => vec![(b'0', b'9')],
            (Some(b':'), "xdigit") => vec![(b'a', b'f'), (b'0', b'9')],
            (Some(b':'), "space" | "blank") => vec![(b'\t', b'\r'), (b' ', b' ')],
            (Some(b':'), "punct") => vec![(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
            (Some(b':'), "cntrl") => vec![(0, 31)],
            (Some(b':'), _) => vec![(b' ', b'~')],
            (_, name) => name.bytes().map(|letter| (letter, letter)).collect(),
        }
    }
}

/// The places of a command line up to which a pattern may have been read.
#[derive(Clone, PartialEq, Eq)]
struct Reached {
    /// In the directory that the program stands in.
    directory: bool,
    /// In the name behind a directory, before a part of the pattern that says which letters it means. Whatever is below
    /// some directory is not meant for Signoff.
    unsaid: Vec<bool>,
    /// In the name.
    name: Vec<bool>,
    /// In what stands behind the name.
    behind: bool,
}

impl Reached {
    fn nowhere(letters: usize) -> Self {
        Self { directory: false, unsaid: vec![false; letters + 1], name: vec![false; letters + 1], behind: false }
    }

    fn is_nowhere(&self) -> bool {
        !self.directory && !self.behind && !self.unsaid.contains(&true) && !self.name.contains(&true)
    }

    /// Adds other places; tells whether one of them is new.
    fn add(&mut self, other: &Self) -> bool {
        let before = self.clone();
        self.directory |= other.directory;
        self.behind |= other.behind;
        let pairs = self.unsaid.iter_mut().zip(&other.unsaid).chain(self.name.iter_mut().zip(&other.name));
        for (own, other) in pairs {
            *own |= *other;
        }
        *self != before
    }
}

/// Follows a pattern through the command lines of one name.
struct Walk<'w> {
    name: &'w [u8],
    fuel: &'w mut usize,
}

impl Walk<'_> {
    fn finds(&mut self, choice: &Choice, covers: Covers) -> bool {
        let mut start = Reached::nowhere(self.name.len());
        start.directory = true;
        let starts = if covers == Covers::Whole { 1 } else { self.name.len() };
        start.name.iter_mut().take(starts).for_each(|place| *place = true);
        let end = self.choice(choice, &start);
        let found = match covers {
            Covers::Whole => end.name.last() == Some(&true) || end.behind,
            Covers::Part => end.name.contains(&true) || end.behind,
        };
        found || *self.fuel == 0
    }

    fn choice(&mut self, choice: &Choice, from: &Reached) -> Reached {
        let mut all = Reached::nowhere(self.name.len());
        for way in &choice.0 {
            let mut reached = from.clone();
            for step in way {
                reached = self.step(step, reached);
            }
            all.add(&reached);
        }
        all
    }

    fn step(&mut self, step: &Step, from: Reached) -> Reached {
        // No name is so long that a part could come more often.
        let longest = self.name.len() + 2;
        let mut reached = from;
        let mut all = Reached::nowhere(self.name.len());
        if step.least == 0 {
            all.add(&reached);
        }
        for time in 1..=step.most.unwrap_or(usize::MAX) {
            if reached.is_nowhere() || *self.fuel == 0 {
                break;
            }
            let next = self.part(&step.part, &reached);
            let is_new = time < step.least.min(longest) || all.add(&next);
            if !is_new {
                break;
            }
            reached = next;
        }
        all
    }

    fn part(&mut self, part: &Part, from: &Reached) -> Reached {
        *self.fuel = self.fuel.saturating_sub(1);
        match part {
            Part::Letters(letters) => self.letters(letters, from),
            Part::Group(choice) => self.choice(choice, from),
            Part::Start => {
                let mut start = Reached::nowhere(self.name.len());
                start.directory = from.directory;
                if let (Some(place), Some(true)) = (start.name.first_mut(), from.name.first()) {
                    *place = true;
                }
                start
            }
            Part::End => {
                let mut end = Reached::nowhere(self.name.len());
                end.behind = from.behind;
                if let (Some(place), Some(true)) = (end.name.last_mut(), from.name.last()) {
                    *place = true;
                }
                end
            }
        }
    }

    fn letters(&self, letters: &Letters, from: &Reached) -> Reached {
        let mut next = Reached::nowhere(self.name.len());
        if from.directory {
            next.directory = !matches!(letters, Letters::One(b' '));
            if let (Some(place), true) = (next.unsaid.first_mut(), letters.says_which() && letters.hold(b'/')) {
                *place = true;
            }
        }
        for (at, _) in self.name.iter().enumerate().filter(|(_, letter)| letters.hold(**letter)) {
            let unsaid = from.unsaid.get(at) == Some(&true);
            let in_name = from.name.get(at) == Some(&true);
            if let (Some(place), true) = (next.name.get_mut(at + 1), in_name || unsaid && letters.says_which()) {
                *place = true;
            }
            if let (Some(place), true) = (next.unsaid.get_mut(at + 1), unsaid && !letters.says_which()) {
                *place = true;
            }
        }
        next.behind = from.behind || from.name.last() == Some(&true) && letters.hold(b' ');
        next
    }
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
            "[[:alpha:]]ignoff",
            "[[:lower:]-]*gnoff",
            "[(s]ignoff",
            "[]s]ignoff",
            "[|s]ignoff",
            "(s|t)ignoff",
            "(sign)(off)",
            "s(ig)*(no)+f",
            "(.)*off$",
            "node\\|sign",
            "\\(sign\\)off",
            "/home/.*/[s]ignoff",
            "dev|(a|(b|s[i]gnoff))",
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
            "python (s|t)erver.py",
            "(dev|o)ps",
            "node.*",
            "node_modules/.bin/.*",
            "node .*",
            "[[:digit:]]ignoff",
            "^(vite|sign)$",
            "(sign)+$",
        ] {
            assert!(!matches_signoff(pattern, Covers::Part), "{pattern}");
        }
        for (pattern, expected) in [
            ("sign", false),
            ("sign.*", true),
            ("signoff", true),
            (".*off", true),
            ("off", false),
            ("(sign)", false),
            ("(sign|x)(off|y)", true),
            ("[a-z]*", true),
        ] {
            assert_eq!(matches_signoff(pattern, Covers::Whole), expected, "{pattern}");
        }
    }

    #[test]
    fn what_is_too_much_to_follow_counts_as_matching() {
        let long = format!("[s]ignoff|{}", "x".repeat(60));
        assert!(matches_signoff(&long, Covers::Part));
        assert!(!matches_signoff("xyz|".repeat(60).trim_end_matches('|'), Covers::Part));
        assert!(matches_signoff(&"x".repeat(LONGEST + 1), Covers::Part));
        assert!(matches_signoff(&format!("{}x{}", "(".repeat(200), ")".repeat(200)), Covers::Part));
        assert!(matches_signoff(&format!("{}x{}", "(".repeat(20), "){9}".repeat(20)), Covers::Part));
    }
}
