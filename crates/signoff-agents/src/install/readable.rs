//! Whether a client itself can read a file of its settings. One that cannot ignores it, and with it every hook that is written there, so
//! that what we are able to read proves nothing.

use serde_json::Value;

use crate::{Client, exact};

/// What a client reads in a text.
///
/// # Errors
///
/// When it reads nothing there, or nobody can tell what it reads: a name that stands twice counts once.
pub(super) fn readable(client: Client, text: &str) -> Result<Value, String> {
    let text = match client {
        // They take comments out before they read; a comma too many is an error to them as well.
        Client::Gemini | Client::Qwen => without_comments(text),
        Client::Claude => text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
        _ => text.to_owned(),
    };
    if text.trim().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    exact::read(&text).map_err(|error| match error.is_data() {
        true => format!("`{}` stands there twice", exact::name_of(&error).escape_debug()),
        false => format!("it takes plain JSON without comments or commas too many: {error}"),
    })
}

/// The same text with blanks where comments were.
fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut is_quoted = false;
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(_)) if is_quoted => {
                plain.push(letter);
                plain.extend(letters.next());
                continue;
            }
            ('"', _) => is_quoted = !is_quoted,
            ('/', Some('/')) if !is_quoted => {
                while letters.peek().is_some_and(|letter| *letter != '\n') {
                    letters.next();
                }
                plain.push(' ');
                continue;
            }
            ('/', Some('*')) if !is_quoted => {
                letters.next();
                let mut last = ' ';
                for letter in letters.by_ref() {
                    if (last, letter) == ('*', '/') {
                        break;
                    }
                    last = letter;
                }
                plain.push(' ');
                continue;
            }
            _ => {}
        }
        plain.push(letter);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_reads_what_it_takes_and_nothing_else() {
        for (text, claude, gemini) in [
            ("{\"a\": 1}", true, true),
            ("", true, true),
            ("\u{feff}{\"a\": 1}", true, false),
            ("{ // mine\n \"a\": \"//x\" }", false, true),
            ("{ /* mine */ \"a\": \"/* \\\" */\" }", false, true),
            ("{\"a\": 1,}", false, false),
            ("{a: 1}", false, false),
            ("{'a': 1}", false, false),
            ("{\"a\": 1, \"a\": 2}", false, false),
            ("{\"a\": {\"b\": 1, /* x */ \"b\": 2}}", false, false),
        ] {
            assert_eq!(readable(Client::Claude, text).is_ok(), claude, "{text}");
            assert_eq!(readable(Client::Gemini, text).is_ok(), gemini, "{text}");
        }
    }
}
