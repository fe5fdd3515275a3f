//! The rows of a screen, made ready: what they look like, and the lines that are drawn on them.

use unicode_width::UnicodeWidthStr;

use super::View;

/// No terminal shows more; what is above is not looked at.
const ROWS_AT_MOST: usize = 500;
/// A longer row is cut, and whatever needs its end is in doubt.
const ROW_AT_MOST: usize = 2_000;

/// A screen, with the blank rows at its end left out.
pub(super) struct Screen {
    pub(super) rows: Vec<String>,
    /// How many rows above were not looked at.
    pub(super) above: usize,
    pub(super) columns: Option<usize>,
}

impl Screen {
    pub(super) fn of(view: &View<'_>) -> Self {
        let last = view.rows.iter().rposition(|row| !row.trim().is_empty()).map_or(0, |row| row + 1);
        let above = last.saturating_sub(ROWS_AT_MOST);
        let rows = view.rows.iter().take(last).skip(above).map(|row| plain(row)).collect();
        Self { rows, above, columns: view.columns }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn row(&self, index: usize) -> &str {
        self.rows.get(index).map_or("", String::as_str)
    }
}

/// A row without blanks at its end. One that is too long ends like others that are cut.
fn plain(row: &str) -> String {
    let row = row.trim_end();
    match row.char_indices().nth(ROW_AT_MOST) {
        Some((end, _)) => format!("{}…", row.get(..end).unwrap_or_default()),
        None => row.to_owned(),
    }
}

pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// How many columns stand blank before a text.
pub(super) fn indent(text: &str) -> usize {
    text.chars().take_while(|character| *character == ' ').count()
}

/// The text behind so many columns, as far as they are blank.
pub(super) fn without_indent(text: &str, columns: usize) -> &str {
    text.char_indices().take(columns).find(|(_, character)| *character != ' ').map_or_else(
        || text.get(columns.min(text.len())..).unwrap_or_default(),
        |(at, _)| text.get(at..).unwrap_or_default(),
    )
}

/// The shortest line that separates something.
const LINE_AT_LEAST: usize = 16;

fn is_line_of(row: &str, marks: &[char]) -> bool {
    let text = row.trim();
    text.chars().count() >= LINE_AT_LEAST && text.chars().all(|character| marks.contains(&character))
}

/// A drawn line over the whole width, from the first column on.
pub(super) fn is_rule(row: &str) -> bool {
    indent(row) == 0 && is_line_of(row, &['─', '━', '═'])
}

/// A broken line over the whole width, from the first column on.
pub(super) fn is_fence(row: &str) -> bool {
    indent(row) == 0 && is_line_of(row, &FENCE)
}

const FENCE: [char; 6] = ['╌', '╍', '┄', '┅', '┈', '┉'];

/// A line of any kind at any place.
pub(super) fn is_line(row: &str) -> bool {
    is_line_of(row, &['─', '━', '═', '╌', '╍', '┄', '┅', '┈', '┉'])
}

pub(super) const fn is_side(character: char) -> bool {
    matches!(character, '│' | '┃' | '║')
}

const fn is_level(character: char) -> bool {
    matches!(character, '─' | '━' | '═')
}

/// The upper edge of a box.
pub(super) fn is_top(row: &str) -> bool {
    is_edge(row, &['╭', '┌', '╔', '┏'], &['╮', '┐', '╗', '┓'])
}

/// The lower edge of a box.
pub(super) fn is_bottom(row: &str) -> bool {
    is_edge(row, &['╰', '└', '╚', '┗'], &['╯', '┘', '╝', '┛'])
}

fn is_edge(row: &str, first: &[char], last: &[char]) -> bool {
    let row = row.trim();
    let level = row.chars().filter(|character| is_level(*character)).count();
    row.starts_with(first) && row.ends_with(last) && level >= 4 && level * 2 >= row.chars().count()
}

/// What stands between the two sides of a box, with the column of the left side and how wide it is inside.
pub(super) struct Between<'a> {
    pub(super) left: usize,
    pub(super) text: &'a str,
}

pub(super) fn between_sides(row: &str) -> Option<Between<'_>> {
    let left = indent(row);
    let inner = row.trim_start().strip_prefix(is_side)?.trim_end().strip_suffix(is_side)?;
    Some(Between { left, text: inner.trim_end() })
}

/// Marks of dialogs inside a text: what a command has no reason to hold, and a text that imitates a dialog needs.
pub(super) fn has_drawing(text: &str) -> bool {
    text.chars().any(|character| {
        matches!(character, '\u{2500}'..='\u{259f}' | '❯' | '›' | '●' | '◉' | '△' | '➤' | '▶' | '▸' | '☐' | '⏵')
    })
}
