//! A feed cut into the items that `xargs` and `parallel` work on.

use signoff_model::Unread;

use crate::value::{Feed, Origin, Piece, Value};
use compact_str::ToCompactString as _;

/// How a feed is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// At blanks, with quotes and backslashes as `xargs` reads them.
    Words,
    /// At line ends; blanks before an item are dropped and quotes are read, as with `xargs -I`.
    Lines,
    /// At line ends and nothing else, as `parallel` does.
    PlainLines,
    /// At this character and nothing else.
    At(char),
}

/// At most this many items are looked at singly.
const MOST: usize = 1024;

/// The items of a feed; none if the text is not known, not even in part.
pub(super) fn items(feed: &Feed, cut: Cut) -> Option<Vec<Value>> {
    let value = feed.text.as_ref()?;
    let mut cutter = Cutter { cut, items: Vec::new(), item: None, quote: None, escaped: false };
    for piece in value.pieces() {
        match piece {
            Piece::Text(text) => text.chars().for_each(|letter| cutter.take(letter)),
            piece => cutter.item.get_or_insert_default().push(piece.clone()),
        }
        if cutter.items.len() > MOST {
            return None;
        }
    }
    cutter.end();
    Some(cutter.items)
}

/// One item that stands for everything in a feed that is not known.
pub(super) fn unknown_item(feed: &Feed, program: &str) -> Value {
    let origins = if feed.origins.is_empty() { Origin::Input.into() } else { feed.origins.clone() };
    let shown = origins
        .iter()
        .find_map(|origin| match origin {
            Origin::Listing { by, under } if under.is_empty() => Some(format!("whatever {by} lists")),
            Origin::Listing { by, under } => Some(["whatever ", by, " lists under ", under].concat()),
            Origin::File(name) => Some(Unread::NamedBy(name.clone()).to_string()),
            _ => None,
        })
        .unwrap_or_else(|| Unread::GivenTo(program.to_owned()).to_string());
    let mut value = Value::default();
    value.push(Piece::from(crate::value::Unknown { shown, origins, splits: true }));
    value
}

struct Cutter {
    cut: Cut,
    items: Vec<Value>,
    item: Option<Value>,
    quote: Option<char>,
    escaped: bool,
}

impl Cutter {
    fn take(&mut self, letter: char) {
        if self.escaped {
            self.escaped = false;
            return self.push(letter);
        }
        match (self.cut, self.quote, letter) {
            (Cut::At(end), _, letter) if letter == end => self.end(),
            (Cut::PlainLines, _, '\n') => self.end(),
            (Cut::At(_) | Cut::PlainLines, ..) => self.push(letter),
            (_, Some(open), letter) if letter == open => self.quote = None,
            (_, Some(_), letter) => self.push(letter),
            (_, None, '\n') | (Cut::Words, None, ' ' | '\t') => self.end(),
            (Cut::Lines, None, ' ' | '\t') if self.item.is_none() => {}
            (_, None, '\'' | '"') => {
                self.quote = Some(letter);
                self.item.get_or_insert_default();
            }
            (_, None, '\\') => self.escaped = true,
            (_, None, letter) => self.push(letter),
        }
    }

    fn push(&mut self, letter: char) {
        self.item.get_or_insert_default().push(Piece::text(letter.to_compact_string()));
    }

    fn end(&mut self) {
        self.items.extend(self.item.take());
    }
}

/// Puts `item` where `mark` stands in `value`; tells whether it stood there.
pub(super) fn substitute(value: &Value, mark: &str, item: &Value) -> (Value, bool) {
    let mut all = Value::default();
    let mut found = false;
    for piece in value.pieces() {
        match piece {
            Piece::Text(text) if !mark.is_empty() && text.contains(mark) => {
                found = true;
                for (index, part) in text.split(mark).enumerate() {
                    if index > 0 {
                        all.extend(item.clone());
                    }
                    all.push(Piece::text(part));
                }
            }
            piece => all.push(piece.clone()),
        }
    }
    (all, found)
}

#[cfg(test)]
mod tests {
    use super::{Cut, items};
    use crate::value::{Feed, Value};

    #[track_caller]
    fn check(text: &str, cut: Cut, expected: &[&str]) {
        let items = items(&Feed::of(Value::text(text)), cut).unwrap();
        let shown: Vec<_> = items.iter().map(|item| item.shown().into_owned()).collect();
        assert_eq!(shown, expected, "{text:?}");
    }

    #[test]
    fn items_are_cut_as_xargs_cuts_them() {
        check("a b\n c\t'd e' f\\ g \"h'i\"\n", Cut::Words, &["a", "b", "c", "d e", "f g", "h'i"]);
        check("  a b\nc 'd e'\n\n", Cut::Lines, &["a b", "c d e"]);
        check("a b\n'c'\n", Cut::PlainLines, &["a b", "'c'"]);
        check("a\0b c\0", Cut::At('\0'), &["a", "b c"]);
        check("", Cut::Words, &[]);
    }
}
