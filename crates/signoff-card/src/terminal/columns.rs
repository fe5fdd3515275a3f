//! Widths and line breaks.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::Line;

/// What stands together in one or more columns: a character with its marks, or a number that stands for one.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    pub(super) text: &'a str,
    pub(super) width: usize,
    pub(super) marked: bool,
    pub(super) revealed: bool,
}

pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The text with blanks up to a width.
pub(super) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

pub(super) fn cells(line: &Line) -> impl Iterator<Item = Cell<'_>> {
    line.pieces.iter().flat_map(|piece| {
        let (marked, revealed) = (piece.marked, piece.revealed);
        let mut rest = piece.text.as_str();
        std::iter::from_fn(move || {
            let end = if revealed { rest.len() } else { end_of_cell(rest) };
            let (text, after) = rest.split_at_checked(end).filter(|(text, _)| !text.is_empty())?;
            rest = after;
            Some(Cell { text, width: width(text), marked, revealed })
        })
    })
}

/// Where the first character ends, with the marks that take no room of their own.
fn end_of_cell(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    characters.find(|(_, next)| next.width() != Some(0)).map_or(text.len(), |(start, _)| start)
}

/// Breaks a line of the operation so that nothing is lost, behind a blank where one is near, and hands over row by row.
pub(super) fn wrap_cells<'a>(
    cells: impl Iterator<Item = Cell<'a>>,
    room: usize,
    mut hand_over: impl FnMut(&[Cell<'a>]),
) {
    let mut row: Vec<Cell<'a>> = Vec::new();
    let mut used = 0;
    for cell in cells {
        if used + cell.width > room && !row.is_empty() {
            let rest = row.split_off(break_behind_blank(&row, room));
            used = rest.iter().map(|cell| cell.width).sum();
            hand_over(&row);
            row = rest;
        }
        used += cell.width;
        row.push(cell);
    }
    hand_over(&row);
}

fn break_behind_blank(row: &[Cell<'_>], room: usize) -> usize {
    let blank = row.iter().rposition(|cell| cell.text == " ").map(|position| position + 1);
    match blank {
        Some(position) if position < row.len() && position * 3 > room * 2 => position,
        _ => row.len(),
    }
}

/// Breaks a line of a file where it does not fit any more, with every blank kept as it is.
pub(super) fn wrap_exactly(text: &str, room: usize) -> Vec<String> {
    let room = room.max(4);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for character in text.chars() {
        let wide = character.width().unwrap_or(0);
        if used + wide > room {
            lines.push(String::new());
            used = 0;
        }
        used += wide;
        if let Some(line) = lines.last_mut() {
            line.push(character);
        }
    }
    lines
}

/// A blank at which no line is broken: between a number and its unit.
const NO_BREAK: char = '\u{a0}';

/// Breaks words of our own: between words, and inside a word only if it does not fit on a line. What comes out has plain
/// blanks alone, as people search for them.
pub(super) fn wrap_words(text: &str, room: usize) -> Vec<String> {
    let room = room.max(8);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in words(text) {
        if width(&line) + width(word.trim_end()) > room && !line.is_empty() {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
        }
        for character in word.chars() {
            if width(&line) + character.width().unwrap_or(0) > room && character != ' ' {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    lines.push(line.trim_end().to_owned());
    lines.into_iter().map(|line| line.replace(NO_BREAK, " ")).collect()
}

/// The columns of the widest word in a text.
pub(super) fn widest_word(text: &str) -> usize {
    words(text).into_iter().map(|word| width(word.trim_end())).max().unwrap_or(0)
}

/// The words of a text, each with the blanks behind it. Wide characters are words by themselves: Chinese has no blanks.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((_, character)) = characters.next() {
        let Some(&(next, following)) = characters.peek() else { break };
        let is_wide = |c: char| c.width() == Some(2);
        let ends = (character == ' ' && following != ' ')
            || (is_wide(character) && following != ' ' && !is_closing(following))
            || (!matches!(character, ' ' | NO_BREAK) && is_wide(following) && !is_closing(following));
        if ends {
            words.extend(text.get(start..next));
            start = next;
        }
    }
    words.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    words
}

/// Punctuation that must not begin a line.
const fn is_closing(c: char) -> bool {
    matches!(c, '，' | '。' | '、' | '：' | '；' | '）' | '！' | '？' | '”' | '’')
}

#[cfg(test)]
mod tests {
    use super::{width, wrap_words};

    #[test]
    fn words_are_kept_whole_where_they_fit() {
        assert_eq!(wrap_words("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap_words("a verylongword", 8), ["a", "verylong", "word"]);
        assert_eq!(wrap_words("", 8), [""]);
        assert_eq!(wrap_words("删除本项目之外的，内容", 8), ["删除本项", "目之外", "的，内容"]);
    }

    #[test]
    fn a_number_stays_with_its_unit() {
        assert_eq!(wrap_words("files  12\u{a0}kB", 10), ["files", "12 kB"]);
        assert_eq!(wrap_words("目录里有\u{20}12\u{a0}个文件", 12), ["目录里有", "12 个文件"]);
        assert_eq!(wrap_words("12\u{a0}345678901", 8), ["12 34567", "8901"], "what does not fit is broken");
    }

    #[test]
    fn no_line_is_wider_than_its_room_and_nothing_is_lost() {
        let text = "删除 whatever find lists under /srv/a-rather-long-path/of/things，在本项目之外 x";
        for room in 8..60 {
            let lines = wrap_words(text, room);
            assert!(lines.iter().all(|line| width(line) <= room), "{room}: {lines:?}");
            let squeezed = |text: &str| text.replace(' ', "");
            assert_eq!(squeezed(&lines.concat()), squeezed(text), "{room}");
        }
    }
}
