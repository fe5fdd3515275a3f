//! The part of a dialog that holds what it is about, cut out of what is written around it.

use super::{
    choices::looks_like_choice,
    prompt::Doubt,
    rows::{between_sides, has_drawing, indent, is_bottom, is_fence, is_line, is_top, width, without_indent},
    wraps::{self, Room},
};

/// How a block is set off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// By a box of its own.
    Boxed,
    /// By a broken line above and below.
    Fenced,
    /// By the sign of a shell before its first row, and the choices behind its last one.
    Prefixed,
    /// By being indented, together with words about it.
    Indented,
}

/// A block.
pub(super) struct Block<'s> {
    pub(super) setting: Setting,
    pub(super) rows: Vec<&'s str>,
    pub(super) room: Room,
    /// What stands above it.
    pub(super) before: Vec<&'s str>,
}

impl<'s> Block<'s> {
    /// Finds the block in what stands above the choices, without the question.
    pub(super) fn of(lines: &[&'s str], room: Room, doubts: &mut Vec<Doubt>) -> Option<Self> {
        Self::boxed(lines, doubts)
            .or_else(|| Self::fenced(lines, room, doubts))
            .or_else(|| Self::prefixed(lines, room, doubts))
            .or_else(|| Self::indented(lines, room))
    }

    fn boxed(lines: &[&'s str], doubts: &mut Vec<Doubt>) -> Option<Self> {
        let top = lines.iter().position(|line| is_top(line))?;
        let side = indent(lines.get(top)?);
        let is_edge = |line: &&str| indent(line) == side && is_bottom(line);
        let bottom = lines.iter().skip(top).position(is_edge).map(|place| top + place);
        let end = bottom.unwrap_or(lines.len());
        let mut rows = Vec::new();
        for line in lines.get(top + 1..end)? {
            match between_sides(line).filter(|inner| inner.left == side) {
                Some(inner) => rows.push(without_indent(inner.text, 1)),
                None => doubts.push(Doubt::TopCut),
            }
        }
        let more = lines.get(end + 1..).unwrap_or_default().iter().any(|line| is_top(line) || is_bottom(line));
        if bottom.is_none() || more {
            doubts.push(Doubt::Imitation);
        }
        let room = Room::Exactly(lines.get(top).map_or(0, |line| width(line).saturating_sub(side + 4)));
        Some(Self { setting: Setting::Boxed, rows, room, before: lines.get(..top)?.to_vec() })
    }

    fn fenced(lines: &[&'s str], room: Room, doubts: &mut Vec<Doubt>) -> Option<Self> {
        let fences: Vec<usize> =
            lines.iter().enumerate().filter(|(_, line)| is_fence(line)).map(|(place, _)| place).collect();
        let first = *fences.first()?;
        let last = *fences.last()?;
        if fences.len() != 2 {
            doubts.push(if fences.len() < 2 { Doubt::TopCut } else { Doubt::Imitation });
        }
        let rows = lines.get(first + 1..last.max(first + 1))?.iter().map(|line| without_indent(line, 1)).collect();
        Some(Self { setting: Setting::Fenced, rows, room, before: lines.get(..first)?.to_vec() })
    }

    fn prefixed(lines: &[&'s str], room: Room, doubts: &mut Vec<Doubt>) -> Option<Self> {
        let is_first = |line: &&str| line.trim_start().starts_with("$ ");
        let first = lines.iter().position(&is_first)?;
        let margin = indent(lines.get(first)?);
        let end = lines.iter().rposition(|line| !line.trim().is_empty())? + 1;
        let mut rows: Vec<&str> = lines.get(first..end)?.iter().map(|line| without_indent(line, margin)).collect();
        if let Some(row) = rows.first_mut() {
            *row = row.strip_prefix("$ ").unwrap_or(row);
        }
        if lines.iter().filter(|line| is_first(line)).count() > 1 {
            doubts.push(Doubt::Imitation);
        }
        Some(Self { setting: Setting::Prefixed, rows, room: room.less(margin), before: lines.get(..first)?.to_vec() })
    }

    /// The rows below the title that are indented more than it.
    fn indented(lines: &[&'s str], room: Room) -> Option<Self> {
        let title = lines.iter().position(|line| !line.trim().is_empty())?;
        let margin = indent(lines.get(title)?);
        let first = lines.iter().skip(title + 1).position(|line| !line.trim().is_empty())? + title + 1;
        let end = lines.iter().rposition(|line| !line.trim().is_empty())? + 1;
        let inset = indent(lines.get(first)?);
        if inset < margin {
            return None;
        }
        let rows = lines.get(first..end)?.iter().map(|line| without_indent(line, inset)).collect();
        Some(Self { setting: Setting::Indented, rows, room: room.less(inset), before: lines.get(..first)?.to_vec() })
    }

    /// The command that stands in the block.
    pub(super) fn command(&self, doubts: &mut Vec<Doubt>) -> String {
        let mut rows = self.rows.clone();
        let blank = |row: &&str| row.trim().is_empty();
        while rows.last().is_some_and(&blank) {
            rows.pop();
        }
        let first = rows.iter().position(|row| !blank(row)).unwrap_or(rows.len());
        rows.drain(..first);
        let mut told_apart = true;
        if self.setting == Setting::Indented {
            if let Some(gap) = rows.iter().position(blank) {
                rows.truncate(gap);
                told_apart = false;
            }
            if rows.len() > 1 {
                told_apart = false;
                let words = rows.iter().skip(1).position(|row| is_prose(row)).map(|place| place + 1);
                rows.truncate(words.unwrap_or(rows.len()));
            }
        }
        look_for_imitation(&self.rows, doubts);
        if rows.is_empty() {
            doubts.push(Doubt::Empty);
        }
        if told_apart {
            return wraps::join(&rows, self.room, doubts);
        }
        doubts.push(Doubt::NotTold);
        // Nobody can tell here what is a line of its own, so that the rows are shown as one.
        wraps::join(&rows, Room::AtLeast(0), doubts)
    }
}

/// Notices rows that look like parts of a dialog.
pub(super) fn look_for_imitation(rows: &[&str], doubts: &mut Vec<Doubt>) {
    let imitates = |row: &&str| has_drawing(row) || looks_like_choice(row) || is_line(row) || asks(row);
    if rows.iter().any(imitates) {
        doubts.push(Doubt::Imitation);
    }
}

const QUESTIONS: &[&str] = &[
    "do you want to",
    "would you like to",
    "allow execution of",
    "apply this change",
    "do you trust",
    "allow the ",
    "run this command",
    "proceed?",
    "是否继续",
    "是否允许",
    "permission required",
];

/// Whether a row is a question as dialogs ask it.
pub(super) fn asks(row: &str) -> bool {
    let lower = row.trim().to_lowercase();
    QUESTIONS.iter().any(|start| lower.starts_with(start))
}

/// Whether a row is written for people: it begins with a capital or a Chinese word and not with a program, a path or an assignment.
fn is_prose(row: &str) -> bool {
    let word = row.split_whitespace().next().unwrap_or_default();
    let Some(first) = word.chars().next() else { return false };
    let plain =
        word.chars().all(|character| character.is_alphabetic() || matches!(character, '\'' | '’' | ',' | ':' | '-'));
    plain && (first.is_uppercase() || (first.is_alphabetic() && !first.is_ascii() && !first.is_lowercase()))
}
