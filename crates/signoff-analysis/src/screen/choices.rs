//! The list of choices at the end of a dialog.

use super::{
    labels::{self, Meaning},
    prompt::{Choice, Doubt, Key, Keys, Subject},
    rows::{self, indent},
};

/// How many rows the label of one choice may take.
const ROWS_OF_LABEL: usize = 4;
/// How many choices without numbers are looked for.
const UNNUMBERED_AT_MOST: usize = 9;

/// In which direction one goes from choice to choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Down,
    Right,
}

/// The choices that stand at the end of some lines.
#[derive(Debug)]
pub(super) struct Choices {
    pub(super) all: Vec<Choice>,
    pub(super) marked: Vec<usize>,
    /// The sign that marks one.
    pub(super) sign: Option<char>,
    /// The line of the first of them.
    pub(super) from: usize,
    /// Whether the list begins where a list begins.
    pub(super) complete: bool,
    way: Way,
}

const fn is_sign(character: char) -> bool {
    matches!(character, '❯' | '›' | '●' | '◉' | '➤' | '▶' | '▸' | '→' | '>' | '»' | '➜')
}

/// One row that may be a choice.
struct Candidate<'a> {
    sign: Option<char>,
    number: Option<u32>,
    label: &'a str,
    /// The column of the label.
    column: usize,
}

fn candidate(line: &str) -> Option<Candidate<'_>> {
    let text = line.trim_start();
    let sign = text.chars().next().filter(|first| is_sign(*first));
    let behind = match sign {
        // A sign that sticks to a word is part of the word.
        Some(sign) => text.strip_prefix(sign).filter(|rest| rest.starts_with(' '))?.trim_start(),
        None => text,
    };
    if behind.is_empty() {
        return None;
    }
    let digits = behind.find(|character: char| !character.is_ascii_digit()).unwrap_or(behind.len());
    let numbered =
        (1..=2).contains(&digits).then(|| behind.split_at_checked(digits)).flatten().and_then(|(number, rest)| {
            let label =
                rest.strip_prefix(['.', ')', '、']).filter(|label| label.starts_with(' ') || rest.starts_with('、'))?;
            Some((number.parse().ok()?, label.trim_start()))
        });
    let (number, label) = numbered.map_or((None, behind), |(number, label)| (Some(number), label));
    let column = rows::width(line).saturating_sub(rows::width(label));
    // What stands apart behind a label explains it.
    let label = label.split("  ").next().unwrap_or(label);
    (!label.is_empty()).then_some(Candidate { sign, number, label, column })
}

/// Whether a line looks like one of the choices of a dialog, for texts that imitate one.
pub(super) fn looks_like_choice(line: &str) -> bool {
    candidate(line).is_some_and(|found| {
        let means = labels::meaning(found.label, &Subject::Menu) != Meaning::Else;
        found.number.is_some() && (found.sign.is_some_and(|sign| sign != '>') || means)
            || found.sign.is_some_and(|sign| sign != '>') && means
    })
}

impl Choices {
    /// The choices at the end of the lines: numbered, else marked, else side by side.
    pub(super) fn at_end_of(lines: &[&str]) -> Option<Self> {
        Self::numbered(lines).or_else(|| Self::unnumbered(lines))
    }

    fn numbered(lines: &[&str]) -> Option<Self> {
        let mut all: Vec<Choice> = Vec::new();
        let mut marked_from_end = Vec::new();
        let mut sign = None;
        let mut label_rows: Vec<&str> = Vec::new();
        let (mut from, mut gap) = (0, 0);
        for (place, line) in lines.iter().enumerate().rev() {
            if line.trim().is_empty() {
                gap += 1;
                if !label_rows.is_empty() || (!all.is_empty() && gap > 1) {
                    break;
                }
                continue;
            }
            let found = candidate(line).filter(|found| found.number.is_some());
            let next = all.last().and_then(|choice| choice.number);
            match found {
                Some(found) if next.is_none_or(|next| found.number == next.checked_sub(1)) => {
                    label_rows.push(found.label.trim());
                    label_rows.reverse();
                    // A row of a label begins under the label, not left of it.
                    all.push(Choice { number: found.number, label: label_rows.join(" ") });
                    label_rows.clear();
                    if let Some(mark) = found.sign {
                        marked_from_end.push(all.len() - 1);
                        sign = Some(mark);
                    }
                    (from, gap) = (place, 0);
                    if found.number == Some(1) {
                        break;
                    }
                }
                _ if rows::is_rule(line) && label_rows.is_empty() && !all.is_empty() => {}
                _ if indent(line) >= 3 && label_rows.len() + 1 < ROWS_OF_LABEL => label_rows.push(line.trim()),
                _ => break,
            }
        }
        if all.len() < 2 {
            return None;
        }
        let complete = all.last().is_some_and(|choice| choice.number == Some(1));
        all.reverse();
        let last = all.len() - 1;
        let marked = marked_from_end.iter().rev().filter_map(|place| last.checked_sub(*place)).collect();
        Some(Self { all, marked, sign, from, complete, way: Way::Down })
    }

    fn unnumbered(lines: &[&str]) -> Option<Self> {
        let end = lines.iter().rposition(|line| !line.trim().is_empty())? + 1;
        let start = end.saturating_sub(UNNUMBERED_AT_MOST);
        let tail = lines.get(start..end)?;
        let place = tail.iter().rposition(|line| {
            candidate(line).is_some_and(|found| found.number.is_none() && found.sign.is_some_and(|sign| sign != '>'))
        })?;
        let marked = candidate(tail.get(place)?)?;
        let beside = |line: &&&str| {
            let found = candidate(line);
            indent(line) == marked.column && found.is_some_and(|found| found.number.is_none() && found.sign.is_none())
        };
        let after = tail.get(place + 1..)?;
        let before = tail.get(..place)?.iter().rev().take_while(beside).count();
        if !after.iter().all(|line| beside(&line)) || before + after.len() == 0 {
            return None;
        }
        let first = place - before;
        let all: Vec<Choice> = tail
            .get(first..)?
            .iter()
            .filter_map(|line| candidate(line))
            .map(|found| Choice { number: None, label: found.label.trim().to_owned() })
            .collect();
        let sign = marked.sign;
        Some(Self { all, marked: vec![before], sign, from: start + first, complete: true, way: Way::Down })
    }

    /// Choices side by side in the last line, as far as they agree or refuse, with the hints behind them left out. Which of them is
    /// marked is told by colours alone.
    pub(super) fn side_by_side(lines: &[&str]) -> Option<Self> {
        let place = lines.iter().rposition(|line| !line.trim().is_empty())?;
        let labels: Vec<&str> =
            lines.get(place)?.trim().split("  ").map(str::trim).filter(|label| !label.is_empty()).collect();
        let means = |label: &&str| labels::meaning(label, &Subject::Menu) != Meaning::Else;
        let count = labels.iter().take_while(|label| means(label)).count();
        let hints = labels.get(count..)?.iter().all(|rest| super::hints::is_hint(rest));
        if count < 2 || !hints {
            return None;
        }
        let all = labels.iter().take(count).map(|label| Choice { number: None, label: (*label).to_owned() }).collect();
        Some(Self { all, marked: Vec::new(), sign: None, from: place, complete: true, way: Way::Right })
    }

    /// Whether some label names a key.
    pub(super) fn name_keys(&self) -> bool {
        self.all.iter().any(|choice| labels::key(&choice.label).is_some())
    }

    pub(super) fn meanings(&self, subject: &Subject) -> Vec<Meaning> {
        self.all.iter().map(|choice| labels::meaning(&choice.label, subject)).collect()
    }

    /// Whether one can agree and refuse.
    pub(super) fn is_permission(&self, subject: &Subject) -> bool {
        let meanings = self.meanings(subject);
        let agrees = meanings.iter().any(|meaning| matches!(meaning, Meaning::Once | Meaning::Standing));
        agrees && meanings.contains(&Meaning::Refusal)
    }

    pub(super) fn highlighted(&self) -> Option<usize> {
        match self.marked.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The keys of the plain yes and of the no.
    pub(super) fn keys(&self, subject: &Subject, doubts: &mut Vec<Doubt>) -> (Option<Keys>, Option<Keys>) {
        let meanings = self.meanings(subject);
        let of = |wanted: Meaning| -> Vec<usize> {
            meanings.iter().enumerate().filter(|(_, meaning)| **meaning == wanted).map(|(place, _)| place).collect()
        };
        let agreeing = of(Meaning::Once);
        let plain: Vec<usize> = if agreeing.len() > 1 {
            let once = |place: &usize| self.all.get(*place).is_some_and(|choice| labels::says_once(&choice.label));
            agreeing.into_iter().filter(once).collect()
        } else {
            agreeing
        };
        let yes = match plain.as_slice() {
            [place] => self.press(*place),
            _ => {
                doubts.push(Doubt::NoPlainYes);
                None
            }
        };
        let unmarked = self.all.iter().any(|choice| choice.number.is_none() && labels::key(&choice.label).is_none());
        if self.highlighted().is_none() && (unmarked || self.marked.len() > 1) {
            doubts.push(Doubt::MarkUnseen);
        }
        let no = match of(Meaning::Refusal).first() {
            Some(_) if self.way == Way::Right => Some(Keys::Press(vec![Key::Escape])),
            Some(place) => self.press(*place),
            None => Some(Keys::Press(vec![Key::Escape])),
        };
        (yes, no)
    }

    /// What chooses the one at a place: the key that its label names, where some label of the list names a letter; else its number;
    /// else the way from the marked one.
    fn press(&self, place: usize) -> Option<Keys> {
        let choice = self.all.get(place)?;
        let letters = self.all.iter().any(|one| matches!(labels::key(&one.label), Some(Key::Character(_))));
        if let (true, Some(key)) = (letters, labels::key(&choice.label)) {
            return Some(Keys::Press(vec![key]));
        }
        if let Some(digit) = choice.number.and_then(|number| char::from_digit(number, 10)) {
            return Some(Keys::Press(vec![Key::Character(digit)]));
        }
        // Where the mark cannot be seen, the first is marked when a dialog opens; whoever presses it has to be a person.
        let from = self.highlighted().unwrap_or(0);
        let (back, onward) = match self.way {
            Way::Down => (Key::Up, Key::Down),
            Way::Right => (Key::Left, Key::Right),
        };
        let step = if place < from { back } else { onward };
        let mut keys = vec![step; place.abs_diff(from)];
        keys.push(Key::Enter);
        Some(Keys::Press(keys))
    }
}
