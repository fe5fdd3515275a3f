//! Makes what deceives visible.

use signoff_analysis::disguise;

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
    use super::visible;

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
