//! Makes what deceives visible.

use signoff_analysis::disguise;
use unicode_width::UnicodeWidthChar;

/// What stands for a blank where one would be taken for the room between two columns, or not be seen.
const BLANK: &str = "␣";

/// The text on one line, with every character that is not what it seems written as its number.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    for disguised in disguise::find(text) {
        out.push_str(&on_one_line(text.get(rest..disguised.span.start).unwrap_or_default()));
        out.push_str(&revealed(disguised.character, 1));
        rest = disguised.span.end;
    }
    out.push_str(&on_one_line(text.get(rest..).unwrap_or_default()));
    out
}

/// The name of a file, which must not be taken for more than a name: cards put lengths and fates behind names, with blanks
/// between.
pub fn visible_name(name: &str) -> String {
    let mut out = String::new();
    let mut rest = name;
    if let Some(first) = name.chars().next().filter(|first| first.width() == Some(0)) {
        // It would be put on whatever stands before the name.
        let seen = visible(first.encode_utf8(&mut [0; 4]));
        out.push_str(&if seen.starts_with('‹') { seen } else { revealed(first, 1) });
        rest = name.get(first.len_utf8()..).unwrap_or_default();
    }
    let seen = visible(rest);
    let mut before = ' ';
    let mut letters = seen.chars().peekable();
    while let Some(letter) = letters.next() {
        let stands_alone = before != ' ' && letters.peek().is_some_and(|next| *next != ' ');
        if letter == ' ' && !stands_alone {
            out.push_str(BLANK)
        } else {
            out.push(letter)
        }
        before = letter;
    }
    out
}

/// A character written as its number, with how often it stands there in a row.
pub(crate) fn revealed(character: char, count: usize) -> String {
    let number = u32::from(character);
    if count == 1 { format!("‹U+{number:04X}›") } else { format!("‹U+{number:04X} ×{count}›") }
}

fn on_one_line(text: &str) -> String {
    text.replace('\n', "⏎").replace('\t', "⇥")
}

#[cfg(test)]
mod tests {
    use super::{visible, visible_name};

    #[test]
    fn a_name_is_taken_for_a_name() {
        for (name, expected) in [
            ("my notes.txt", "my notes.txt"),
            ("a  4 B      git can restore it", "a␣␣4 B␣␣␣␣␣␣git can restore it"),
            (" lead", "␣lead"),
            ("trail ", "trail␣"),
            (" ", "␣"),
            ("", ""),
            ("\u{301}x", "‹U+0301›x"),
            ("\u{200b}x", "‹U+200B›x"),
            ("a\u{202e}b", "a‹U+202E›b"),
            ("\u{e9}t\u{e9}", "\u{e9}t\u{e9}"),
        ] {
            assert_eq!(visible_name(name), expected, "{name:?}");
        }
    }

    #[test]
    fn nothing_reaches_the_terminal_that_could_steer_it() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a\u{202e}b", "a‹U+202E›b"),
            ("\x1b[2Jx", "‹U+001B›[2Jx"),
            ("a\nb\tc", "a⏎b⇥c"),
            ("rеset", "r‹U+0435›set"),
            ("\u{e0041}", "‹U+E0041›"),
            ("数据", "数据"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }
}
