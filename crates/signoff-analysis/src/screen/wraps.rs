//! Rows put together again. A row that ends early ended with a line break; one that ends where the next word would not have fitted may
//! have ended with a blank, with a line break or in the middle of a word, and nothing on the screen tells which.

use super::{prompt::Doubt, rows::width};

/// Dialogs keep a margin that is not always known: what would have fitted with so much to spare was not wrapped.
const TO_SPARE: usize = 6;

/// How many columns rows could have used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// So many.
    Exactly(usize),
    /// So many at least: another row is as wide.
    AtLeast(usize),
}

impl Room {
    /// What is left when something stands before the rows.
    pub(super) const fn less(self, columns: usize) -> Self {
        match self {
            Self::Exactly(room) => Self::Exactly(room.saturating_sub(columns)),
            Self::AtLeast(room) => Self::AtLeast(room.saturating_sub(columns)),
        }
    }

    /// Whether so many columns reach the edge.
    pub(super) const fn is_filled_by(self, columns: usize) -> bool {
        match self {
            Self::Exactly(room) => columns >= room,
            Self::AtLeast(_) => false,
        }
    }

    const fn fits(self, columns: usize) -> bool {
        let (Self::Exactly(room) | Self::AtLeast(room)) = self;
        columns + TO_SPARE <= room
    }
}

/// Rows as one text, with what is not certain about it.
pub(super) fn join(rows: &[&str], room: Room, doubts: &mut Vec<Doubt>) -> String {
    let mut text = String::new();
    for (place, row) in rows.iter().enumerate() {
        text.push_str(row);
        if ends_in_ellipsis(row) {
            doubts.push(Doubt::Clipped);
        }
        let Some(next) = rows.get(place + 1) else {
            if room.is_filled_by(width(row)) {
                doubts.push(Doubt::Clipped);
            }
            break;
        };
        if room.fits(width(row) + 1 + first_word(next)) {
            text.push('\n');
        } else {
            doubts.push(Doubt::Wrapped);
            text.push_str(if room.is_filled_by(width(row)) { "" } else { " " });
        }
    }
    if rows.iter().any(|row| leaves_out(row)) {
        doubts.push(Doubt::LeftOut);
    }
    text
}

/// How much room the first word of a row needs, with the blanks before it.
fn first_word(row: &str) -> usize {
    let blanks = row.len() - row.trim_start_matches(' ').len();
    blanks + row.trim_start().split(' ').next().map_or(0, width)
}

fn ends_in_ellipsis(row: &str) -> bool {
    row.trim_end().ends_with('…')
}

/// Whether a row says that something is not shown.
pub(super) fn leaves_out(row: &str) -> bool {
    let lower = row.trim().to_lowercase();
    let begins = lower.starts_with('…') || lower.starts_with("... ");
    let says =
        ["hidden", "omitted", "truncated", "more line", "not shown", "to expand", "to show", "隐藏", "省略", "折叠"];
    let counts = lower.match_indices('+').any(|(at, _)| {
        let rest = lower.get(at + 1..).unwrap_or_default();
        let after = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
        after.len() < rest.len() && (after.trim_start().starts_with("line") || after.trim_start().starts_with('行'))
    });
    begins
        || counts
        || lower.contains("… +")
        || says.iter().any(|word| lower.contains(word) && lower.contains("line"))
        || lower.contains('行') && ["隐藏", "省略", "折叠", "还有"].iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{
        Doubt,
        Room::{AtLeast, Exactly},
        join, leaves_out,
    };

    #[test]
    fn rows_are_joined_only_as_far_as_they_tell() {
        use Doubt::{Clipped, LeftOut, Wrapped};
        for (rows, room, text, expected) in [
            (&["make"][..], Exactly(40), "make", &[][..]),
            (&["make", "ls"], Exactly(40), "make\nls", &[]),
            (&["make", "ls"], AtLeast(40), "make\nls", &[]),
            (&["aaaaaaaaaa"], AtLeast(10), "aaaaaaaaaa", &[]),
            (&["make", "ls"], AtLeast(8), "make ls", &[Wrapped]),
            (&["cp one two three four", "five"], Exactly(26), "cp one two three four five", &[Wrapped]),
            (&["aaaaaaaaaa", "bbb"], Exactly(10), "aaaaaaaaaabbb", &[Wrapped]),
            (&["aaaaaaaaaa"], Exactly(10), "aaaaaaaaaa", &[Clipped]),
            (&["echo one…"], Exactly(40), "echo one…", &[Clipped]),
            (&["echo one", "… +12 lines"], Exactly(40), "echo one\n… +12 lines", &[LeftOut]),
        ] {
            let mut doubts = Vec::new();
            assert_eq!(join(rows, room, &mut doubts), text);
            assert_eq!(doubts, expected, "{rows:?}");
        }
    }

    #[test]
    fn what_is_left_out_is_noticed() {
        for row in [
            "… +12 lines (ctrl+o to expand)",
            "... first 42 lines hidden (Ctrl+O to show) ...",
            "+3 lines",
            "还有 12 行",
        ] {
            assert!(leaves_out(row), "{row}");
        }
        for row in ["go test ./...", "echo hidden", "git diff --stat", "seq 1 +3"] {
            assert!(!leaves_out(row), "{row}");
        }
    }
}
