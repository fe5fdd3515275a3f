//! Paints a card for a terminal.

mod columns;
mod paper;

use signoff_model::{Side, Verdict};

use self::{
    columns::{Cell, cells, pad, widest_word, width, wrap_cells, wrap_exactly, wrap_words},
    paper::{Ink, Paper},
};
use crate::{Card, Row, RowKind, SourcePart};

/// Cards are not painted narrower than this, whatever the terminal says.
const NARROWEST: usize = 30;
/// Below this width the columns at the right go below what they belong to.
const NARROW: usize = 60;
/// Cards are not painted wider than this: the eye loses the line.
const WIDEST: usize = 120;
/// The columns that the name of a thing gets at least.
const NAME: usize = 12;
/// The column of the verdict.
const VERDICT: usize = 6;

/// Whether a card is painted in colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    #[default]
    Off,
    /// With escape sequences of the terminal.
    On,
}

/// Breaks a text of our own between its words so that it fits into so many columns.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    columns::wrap_words(text, columns)
}

/// The card as lines of text for a terminal of so many columns.
pub fn paint(card: &Card, columns: usize, colour: Colour) -> String {
    let mut text = String::new();
    paint_lines(card, columns, colour, |line| text.push_str(line));
    text
}

/// The same, handed over line by line, each with its line break: a card in full may be long.
pub fn paint_lines(card: &Card, columns: usize, colour: Colour, mut hand_over: impl FnMut(&str)) {
    let columns = columns.clamp(NARROWEST, WIDEST);
    let mut paper = Paper::new(colour, &mut hand_over);
    head(card, columns, &mut paper);
    table(&card.rows, columns, &mut paper);
}

const fn verdict_ink(verdict: Verdict) -> Ink {
    match verdict {
        Verdict::Allow => Ink::Good,
        Verdict::Ask => Ink::Careful,
        Verdict::Block => Ink::Bad,
    }
}

/// The verdict, the text of the operation with its marks, and the risk.
fn head(card: &Card, columns: usize, paper: &mut Paper<'_>) {
    let ink = verdict_ink(card.verdict);
    let risk = width(&card.risk_words);
    paper.write(ink, &pad(card.verdict_word, VERDICT));
    let beside = columns >= NARROW;
    if !beside {
        paper.write(ink, &card.risk_words);
        paper.end_line();
    }
    let numbers = gutter_width(card);
    let taken = VERDICT + numbers.map_or(0, |digits| digits + 3) + if beside { risk + 2 } else { 0 };
    let room = columns.saturating_sub(taken).max(8);
    let mut first = true;
    for part in card.source.parts() {
        match &part {
            SourcePart::Omitted(words) => {
                indent(first && beside, paper);
                gutter(numbers, None, "⋮", paper);
                paper.write(Ink::Quiet, words);
                paper.end_line();
            }
            SourcePart::Line(line) => {
                let bar = if line.in_long_mark { "┃" } else { "│" };
                let mut number = Some(line.number);
                wrap_cells(cells(line), room, |row| {
                    indent(first && beside, paper);
                    gutter(numbers, number.take(), bar, paper);
                    let shown = write_cells(row, paper);
                    if first && beside {
                        paper.write(Ink::Plain, &" ".repeat(room.saturating_sub(shown) + 2));
                        paper.write(ink, &card.risk_words);
                    }
                    paper.end_line();
                    first = false;
                    underline(row, numbers, bar, ink, paper);
                });
            }
        }
        first = false;
    }
}

fn indent(verdict_stands_here: bool, paper: &mut Paper<'_>) {
    if !verdict_stands_here {
        paper.write(Ink::Plain, &" ".repeat(VERDICT));
    }
}

/// The width of the line numbers, where there is more than one line.
fn gutter_width(card: &Card) -> Option<usize> {
    let last = card.source.line_count();
    (last > 1).then(|| last.to_string().len())
}

fn gutter(digits: Option<usize>, number: Option<usize>, bar: &str, paper: &mut Paper<'_>) {
    if let Some(digits) = digits {
        let number = number.map(|number| number.to_string()).unwrap_or_default();
        paper.write(Ink::Quiet, &format!("{number:>digits$} {bar} "));
    }
}

fn write_cells(row: &[Cell<'_>], paper: &mut Paper<'_>) -> usize {
    for cell in row {
        paper.write(if cell.revealed { Ink::Revealed } else { Ink::Plain }, cell.text);
    }
    row.iter().map(|cell| cell.width).sum()
}

/// The line below a line of the operation that marks what the reasons are about.
fn underline(row: &[Cell<'_>], numbers: Option<usize>, bar: &str, ink: Ink, paper: &mut Paper<'_>) {
    // The blank at which a line is broken is not underlined.
    let Some(last) = row.iter().rposition(|cell| cell.marked && cell.text != " ") else { return };
    indent(false, paper);
    gutter(numbers, None, bar, paper);
    for cell in row.iter().take(last + 1) {
        let (ink, stroke) = if cell.marked { (ink, "─") } else { (Ink::Plain, " ") };
        paper.write(ink, &stroke.repeat(cell.width));
    }
    paper.end_line();
}

/// The table below the operation.
fn table(rows: &[Row], columns: usize, paper: &mut Paper<'_>) {
    let labels = rows.iter().map(|row| width(&row.label)).max().unwrap_or(0) + 2;
    let notes = rows.iter().filter_map(|row| row.note.as_deref()).map(width).max().unwrap_or(0);
    let beside = columns >= NARROW;
    let begin = 2 + labels;
    let room = columns.saturating_sub(begin + if beside && notes > 0 { notes + 2 } else { 0 });
    let mut previous = None;
    for row in rows {
        // A label is not repeated, so that several reasons or alternatives read as one list.
        let repeated = previous == Some(&row.label) && !matches!(row.kind, RowKind::Effect(_));
        previous = Some(&row.label);
        // Rather than that a word is broken, what stands at the end goes below.
        let whole = columns.saturating_sub(begin);
        let beside =
            beside && (widest_word(&row.text) <= room || !matches!(row.kind, RowKind::Effect(_) | RowKind::Loss));
        let room = if row.note.is_some() && beside { room } else { whole };
        let margin = match row.kind {
            RowKind::Line(_) => width(&row.margin),
            // What lies deep in a tree still needs room for its name.
            _ => width(&row.margin).min(room.saturating_sub(NAME)),
        };
        let room = room.saturating_sub(margin);
        let lines = match row.kind {
            RowKind::Line(_) => wrap_exactly(&row.text, room),
            _ => wrap_words(&row.text, room),
        };
        for (index, line) in lines.iter().enumerate() {
            let label = if index == 0 && !repeated { &*row.label } else { "" };
            paper.write(Ink::Plain, "  ");
            paper.write(Ink::Quiet, &pad(label, labels));
            let before = if index == 0 && matches!(row.kind, RowKind::Line(_)) { row.margin.as_str() } else { "" };
            paper.write(row_ink(row.kind), &pad(before, margin));
            paper.write(row_ink(row.kind), line);
            if let (0, true, Some(note)) = (index, beside, row.note.as_deref()) {
                paper.write(Ink::Plain, &" ".repeat(room.saturating_sub(width(line)) + 2));
                paper.write(Ink::Quiet, note);
            }
            paper.end_line();
        }
        if let (false, Some(note)) = (beside, row.note.as_deref()) {
            for line in wrap_words(note, room) {
                paper.write(Ink::Plain, &" ".repeat(begin + margin));
                paper.write(Ink::Quiet, &line);
                paper.end_line();
            }
        }
    }
}

const fn row_ink(kind: RowKind) -> Ink {
    match kind {
        RowKind::Effect(_) | RowKind::Loss | RowKind::Difference | RowKind::Answer | RowKind::Origin => Ink::Plain,
        RowKind::Line(Side::Both) => Ink::Quiet,
        RowKind::Line(Side::Old) => Ink::Gone,
        RowKind::Line(Side::New) => Ink::Good,
        RowKind::Why | RowKind::More | RowKind::Unread => Ink::Quiet,
        RowKind::Safer | RowKind::Permitted => Ink::Good,
    }
}

#[cfg(test)]
mod tests;
