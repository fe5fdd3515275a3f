//! The rows that say how files would differ from what they are: line by line, with nothing in them that deceives.

use signoff_model::{Basis, Change, Comparison, DiffLine, Difference, Hunk, LineEnd, Side};

use crate::{
    Detail, Language, Row, RowKind,
    texts::Texts,
    visible::{visible, visible_name},
};

/// So many lines of all differences are shown at a glance, and so many files are named.
const LINES_AT_MOST: usize = 16;
const FILES_AT_MOST: usize = 4;

/// What stands between two places of a file that lie apart.
const APART: &str = "⋮";

/// The rows of all differences; none where nothing is compared.
pub(crate) fn draw(changes: &[Change], detail: Detail, language: Language) -> Vec<Row> {
    let texts = Texts::of(language);
    let (mut lines_left, files) = match detail {
        Detail::Brief => (LINES_AT_MOST, FILES_AT_MOST),
        Detail::Full => (usize::MAX, usize::MAX),
    };
    let mut rows = Vec::new();
    for change in changes.iter().take(files) {
        let mut text = visible_name(&change.path);
        if let Some(remark) = remark(&change.comparison, texts) {
            text.push_str(texts.colon);
            text.push_str(&remark);
        }
        if let Comparison::Lines(Difference { added, removed, .. }) = &change.comparison {
            text.push_str(&format!("  +{added} -{removed}"));
        }
        rows.push(row(RowKind::Difference, texts.differs, text));
        if let Comparison::Lines(difference) = &change.comparison {
            rows.extend(lines(difference, &mut lines_left, texts));
        }
    }
    let omitted = changes.len().saturating_sub(files);
    if omitted > 0 {
        rows.push(row(RowKind::More, "", texts.more_rows.replace("{}", &omitted.to_string())));
    }
    rows
}

fn row(kind: RowKind, label: &'static str, text: String) -> Row {
    Row { kind, label: label.into(), margin: String::new(), text, note: None }
}

/// What there is to say about a comparison beside its lines.
fn remark(comparison: &Comparison, texts: &Texts) -> Option<String> {
    let text = match comparison {
        Comparison::Lines(Difference { basis, .. }) => match basis {
            Basis::File => return None,
            Basis::Nothing => texts.new_file,
            Basis::Part { found: 0 } => texts.part_missing,
            Basis::Part { found } => return Some(texts.part_repeated.replace("{}", &found.to_string())),
        },
        Comparison::Same => texts.no_difference,
        Comparison::Binary => texts.not_a_text,
        Comparison::TooLarge => texts.too_long_to_compare,
        Comparison::Unreadable => texts.not_compared,
        Comparison::Secret => texts.secret_not_shown,
        Comparison::TooMany => texts.too_many_to_compare,
    };
    Some(text.to_owned())
}

/// The lines of one file, as many as there is room for, and how many more there are.
fn lines(difference: &Difference, left: &mut usize, texts: &Texts) -> Vec<Row> {
    let digits = difference.hunks.iter().map(last_number).max().unwrap_or(0).to_string().len();
    let all: usize = difference.hunks.iter().map(|hunk| hunk.lines.len()).sum();
    let mut rows = Vec::new();
    let mut shown = 0;
    for (index, hunk) in difference.hunks.iter().enumerate() {
        if *left == 0 {
            break;
        }
        if index > 0 {
            rows.push(row(RowKind::More, "", format!("{}{APART}", " ".repeat(digits.saturating_sub(1)))));
        }
        let (mut old, mut new) = (hunk.old_start, hunk.new_start);
        for line in &hunk.lines {
            if *left == 0 {
                break;
            }
            *left -= 1;
            shown += 1;
            let number = if line.side == Side::New { new } else { old };
            old += u64::from(line.side != Side::New);
            new += u64::from(line.side != Side::Old);
            let margin = format!("{number:>digits$} {} ", line.side.sign());
            rows.push(Row { margin, ..row(RowKind::Line(line.side), "", shown_text(line)) });
            if line.end == LineEnd::Text && line.side != Side::Both {
                let margin = " ".repeat(digits + 3);
                rows.push(Row { margin, ..row(RowKind::More, "", texts.no_line_break.to_owned()) });
            }
        }
    }
    let omitted = all - shown;
    if omitted > 0 {
        rows.push(row(RowKind::More, "", texts.lines_differ_too.replace("{}", &omitted.to_string())));
    }
    rows
}

/// The largest number of a line in it.
fn last_number(hunk: &Hunk) -> u64 {
    let (old, new) = hunk.counts();
    (hunk.old_start + old).max(hunk.new_start + new).saturating_sub(1)
}

/// A line with everything visible, also the blanks at its end where they are what differs.
fn shown_text(line: &DiffLine) -> String {
    let text = visible(&line.text);
    let kept = text.trim_end_matches(' ').len();
    let blanks = text.len() - kept;
    match (line.side, text.get(..kept)) {
        (Side::Old | Side::New, Some(kept)) => format!("{kept}{}", "·".repeat(blanks)),
        _ => text,
    }
}
