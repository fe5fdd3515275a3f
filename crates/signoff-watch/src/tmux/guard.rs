//! A condition that tmux itself looks at in the moment in which it types: whether a pane is still what was seen. Nothing can happen between that
//! and the key, since tmux does one thing after the other.

use super::snapshot::Snapshot;

/// So many rows are compared.
const ROWS_AT_MOST: usize = 48;
/// So many gaps a pattern may have: more of them take tmux long to try.
const GAPS_AT_MOST: usize = 3;

/// The condition, as a format of tmux, that holds as long as a pane is in the mode, of the size, with the process, the cursor and in these rows the text
/// that were seen.
pub fn guard(seen: &Snapshot, rows: std::ops::Range<usize>) -> String {
    let mut condition = Condition::listening(seen);
    for (name, value) in [
        ("cursor_x", seen.cursor.0),
        ("cursor_y", seen.cursor.1),
        ("pane_width", seen.width),
        ("pane_height", seen.height),
    ] {
        condition.is(format!("#{{{name}}}"), value);
    }
    condition.is("#{history_size}".to_owned(), seen.history);
    condition.is("#{?alternate_on,1,0}".to_owned(), u8::from(seen.alternate));
    let patterns = seen.rows.get(rows).unwrap_or_default().iter().filter_map(|row| pattern(row));
    for pattern in patterns.take(ROWS_AT_MOST) {
        // tmux tells the first row that fits, counted from one.
        if let Some(first) = seen.rows.iter().position(|row| fits(&pattern, row)) {
            condition.is(format!("#{{C:{pattern}}}"), first + 1);
        }
    }
    condition.written()
}

/// The condition that holds as long as keys reach the program that was seen in a pane, whatever it shows.
pub fn listening(seen: &Snapshot) -> String {
    Condition::listening(seen).written()
}

/// What is asked, and what has to be the answer.
#[derive(Default)]
struct Condition {
    asked: Vec<String>,
    expected: Vec<String>,
}

impl Condition {
    fn listening(seen: &Snapshot) -> Self {
        let mut condition = Self::default();
        for (name, value) in [
            ("pane_in_mode", seen.in_mode),
            ("pane_dead", seen.dead),
            ("pane_synchronized", seen.synchronized),
            ("pane_input_off", seen.input_off),
        ] {
            condition.is(format!("#{{?{name},1,0}}"), u8::from(value));
        }
        condition.is("#{pane_pid}".to_owned(), seen.pid);
        condition
    }

    fn is(&mut self, asked: String, expected: impl ToString) {
        self.asked.push(asked);
        self.expected.push(expected.to_string());
    }

    fn written(&self) -> String {
        format!("#{{==:{},{}}}", self.asked.join("|"), self.expected.join("|"))
    }
}

/// A pattern for a row of letters and digits, in which every other sign stands for itself or another one. None where nothing is left.
fn pattern(row: &str) -> Option<String> {
    let mut pattern = String::new();
    let (mut gaps, mut letters) = (0, 0);
    for letter in row.trim().chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' => {
                letters += 1;
                pattern.push(letter);
            }
            ' ' => pattern.push(' '),
            '!'..='~' => pattern.push('?'),
            // Whatever is as wide as it likes, or in another alphabet.
            _ if pattern.ends_with('*') => {}
            _ if gaps >= GAPS_AT_MOST => break,
            _ => {
                gaps += 1;
                pattern.push('*');
            }
        }
    }
    let trimmed = pattern.trim_matches([' ', '*']);
    (letters > 0).then(|| trimmed.to_owned())
}

/// Whether tmux finds a pattern in a row.
fn fits(pattern: &str, row: &str) -> bool {
    let row: Vec<char> = row.trim_end().chars().collect();
    let pattern: Vec<char> = format!("*{pattern}*").chars().collect();
    // Where the last gap stood, and how far the row was then.
    let (mut at, mut from, mut gap) = (0, 0, None);
    while let Some(letter) = row.get(from) {
        match pattern.get(at) {
            Some('*') => {
                gap = Some((at, from));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || wanted == letter => {
                at += 1;
                from += 1;
            }
            _ => {
                let Some((gap_at, gap_from)) = gap else { return false };
                gap = Some((gap_at, gap_from + 1));
                (at, from) = (gap_at + 1, gap_from + 1);
            }
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn patterns_hold_nothing_that_means_something_to_tmux() {
        for (row, expected) in [
            ("│ Do you want to proceed?   │", Some("Do you want to proceed?")),
            (" ❯ 1. Yes", Some("1? Yes")),
            ("$ echo #{pane_pid},}x", Some("? echo ??pane?pid???x")),
            ("───────", None),
            ("", None),
            ("是否继续？ y", Some("y")),
            ("a 你 b 好 c 吗 d 啊 e", Some("a * b * c * d")),
        ] {
            assert_eq!(pattern(row).as_deref(), expected, "{row}");
        }
    }

    #[test]
    fn rows_fit_their_patterns() {
        for (pattern, row, expected) in [
            ("1? Yes", " ❯ 1. Yes", true),
            ("1? Yes", " ❯ 1. No", false),
            ("a * b", "x a 你 b y", true),
            ("a * b", "x b a", false),
            ("y", "是否继续？ y", true),
        ] {
            assert_eq!(fits(pattern, row), expected, "{pattern} in {row}");
        }
    }

    proptest! {
        #[test]
        fn a_row_fits_its_own_pattern(row in "[ -~─❯│是否“。\t]{0,40}") {
            if let Some(pattern) = pattern(&row) {
                prop_assert!(fits(&pattern, &row), "{pattern} in {row}");
                prop_assert!(pattern.chars().all(|letter| letter.is_ascii_alphanumeric() || " ?*".contains(letter)));
            }
        }
    }
}
