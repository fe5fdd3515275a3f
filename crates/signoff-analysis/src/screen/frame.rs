//! What is drawn around a dialog at the bottom of a screen.

use super::{
    hints::{dangles, is_hint},
    rows::{Screen, between_sides, indent, is_bottom, is_fence, is_rule, is_side, is_top, width},
    wraps::Room,
};

/// How a dialog is set off from what is above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A box with sides.
    Boxed,
    /// A bar at its left.
    Barred,
    /// A line above it.
    Ruled,
    /// Nothing.
    Open,
}

/// A dialog's rows without what is drawn around them.
pub(super) struct Frame<'s> {
    pub(super) kind: Kind,
    pub(super) lines: Vec<&'s str>,
    /// The row of the screen of the first line.
    pub(super) from: usize,
    /// The row behind the last one, with the hints.
    pub(super) to: usize,
    /// How many columns the lines could have used.
    pub(super) room: Room,
    pub(super) has_top: bool,
    pub(super) has_bottom: bool,
    /// Whether the sides stand one below the other.
    pub(super) is_straight: bool,
    /// Whether hints about keys stand below the choices, inside what is drawn around it.
    pub(super) has_hints_inside: bool,
    /// Whether hints about keys stand below the choices, inside or outside.
    pub(super) has_hints: bool,
}

/// More rows of hints than this are no hints.
const HINTS_AT_MOST: usize = 4;

impl<'s> Frame<'s> {
    pub(super) fn at_bottom_of(screen: &'s Screen) -> Self {
        let rows: Vec<&str> = screen.rows.iter().map(String::as_str).collect();
        let (end, hints_outside) = before_hints(&rows);
        let last = screen.row(end.saturating_sub(1));
        let mut frame = if is_bottom(last) || is_top_missing(last) {
            boxed(screen, end)
        } else if is_barred(last) {
            barred(screen, end)
        } else {
            open(screen, end)
        };
        let (inner, hints_inside) = before_hints(&frame.lines);
        frame.lines.truncate(inner);
        frame.to = screen.rows.len();
        frame.has_hints_inside = hints_inside;
        frame.has_hints = hints_outside || hints_inside;
        frame
    }
}

/// Where the lines end if hints and blanks at their end are left out, and whether there were hints.
fn before_hints(lines: &[&str]) -> (usize, bool) {
    let mut end = lines.len();
    let mut hints = 0;
    while let Some(line) = end.checked_sub(1).and_then(|last| lines.get(last)) {
        if line.trim().is_empty() {
            end -= 1;
        } else if let Some(rows) = hint_rows(lines.get(..end).unwrap_or_default()).filter(|_| hints < HINTS_AT_MOST) {
            hints += 1;
            end -= rows;
        } else {
            break;
        }
    }
    (end, hints > 0)
}

/// How many rows the hint takes that stands at the end of the lines, if one does: in a narrow terminal it goes on in the next row.
fn hint_rows(lines: &[&str]) -> Option<usize> {
    let (last, above) = lines.split_last()?;
    if is_hint(last) {
        return Some(1);
    }
    let before = above.last().filter(|row| dangles(row))?;
    let two = format!("{} {}", before.trim(), last.trim());
    if is_hint(&two) {
        return Some(2);
    }
    let first = above.iter().rev().nth(1).filter(|row| dangles(row))?;
    is_hint(&format!("{} {two}", first.trim())).then_some(3)
}

/// A row of a box although no lower edge follows.
fn is_top_missing(row: &str) -> bool {
    between_sides(row).is_some()
}

fn is_barred(row: &str) -> bool {
    row.trim_start().starts_with(is_side)
}

fn boxed(screen: &Screen, end: usize) -> Frame<'_> {
    let has_bottom = is_bottom(screen.row(end.saturating_sub(1)));
    let body_end = if has_bottom { end.saturating_sub(1) } else { end };
    let side = if has_bottom { indent(screen.row(body_end)) } else { indent(screen.row(body_end.saturating_sub(1))) };
    let edge = width(screen.row(if has_bottom { body_end } else { body_end.saturating_sub(1) }));
    let mut from = body_end;
    let mut lines = Vec::new();
    let mut is_straight = true;
    while let Some(above) = from.checked_sub(1) {
        let row = screen.row(above);
        let Some(inner) = between_sides(row).filter(|inner| inner.left == side) else { break };
        // Some programs count characters where a terminal counts columns.
        is_straight &= width(row) == edge || row.chars().count() == edge;
        lines.push(inner.text);
        from = above;
    }
    lines.reverse();
    let top = from.checked_sub(1).map(|above| screen.row(above));
    let has_top = top.is_some_and(|row| is_top(row) && indent(row) == side && (!has_bottom || width(row) == edge));
    // The sides, and a blank beside each of them; the lines begin with theirs.
    let room = Room::Exactly(edge.saturating_sub(side + 3));
    Frame {
        kind: Kind::Boxed,
        lines,
        from,
        to: end,
        room,
        has_top,
        has_bottom,
        is_straight,
        has_hints_inside: false,
        has_hints: false,
    }
}

fn barred(screen: &Screen, end: usize) -> Frame<'_> {
    let side = indent(screen.row(end.saturating_sub(1)));
    let mut from = end;
    let mut lines = Vec::new();
    while let Some(above) = from.checked_sub(1) {
        let row = screen.row(above);
        let Some(inner) = row.trim_start().strip_prefix(is_side).filter(|_| indent(row) == side) else { break };
        lines.push(inner);
        from = above;
    }
    lines.reverse();
    let has_top = from > 0 && screen.row(from.saturating_sub(1)).trim().is_empty();
    let room = room(screen, &lines).less(side + 2);
    let kind = Kind::Barred;
    Frame {
        kind,
        lines,
        from,
        to: end,
        room,
        has_top,
        has_bottom: true,
        is_straight: true,
        has_hints_inside: false,
        has_hints: false,
    }
}

fn open(screen: &Screen, end: usize) -> Frame<'_> {
    // A line between the choices, as some dialogs draw it, is not the upper edge: it stands too close to the end and has no title
    // below it, but one more choice.
    let is_between = |row: usize| {
        let below = screen.row(row + 1).trim_start();
        below.starts_with(|first: char| first.is_ascii_digit() && first != '1')
    };
    let rule = (0..end).rev().find(|row| is_rule(screen.row(*row)) && !is_between(*row));
    let from = rule.map_or(0, |row| row + 1);
    let lines: Vec<&str> = (from..end).map(|row| screen.row(row)).collect();
    let across = rule.map(|row| width(screen.row(row)));
    let fences_fit =
        (from..end).map(|row| screen.row(row)).filter(|row| is_fence(row)).all(|row| Some(width(row)) == across);
    let known = screen.columns.is_none_or(|columns| across.is_none_or(|across| across + 2 >= columns));
    let room = across.map_or_else(|| room(screen, &lines), Room::Exactly).less(2);
    Frame {
        kind: if rule.is_some() { Kind::Ruled } else { Kind::Open },
        lines,
        from,
        to: end,
        room,
        has_top: rule.is_some() && known,
        has_bottom: true,
        is_straight: rule.is_none() || fences_fit,
        has_hints_inside: false,
        has_hints: false,
    }
}

/// The room of a screen: as many columns as it is known to have, else as its widest row needs.
fn room(screen: &Screen, lines: &[&str]) -> Room {
    let widest = || lines.iter().map(|line| width(line)).max().unwrap_or(0);
    screen.columns.map_or_else(|| Room::AtLeast(widest()), Room::Exactly)
}
