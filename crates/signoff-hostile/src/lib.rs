//! Texts that are made to be dear to read: long, deep, never closed, or growing with every command.
//!
//! One list for everything that must hold on such texts: the tests of the parser and of the whole, the benchmark, and the
//! measurements of time and memory in `cargo xtask`. Nothing here is part of the product.

mod openings;
mod pieces;
mod rounds;
mod uses;

use openings::{OPENINGS, OTHER_OPENINGS};
use pieces::{CARRIERS, GROWING, Maker, NESTED};
use rounds::Loops;
use uses::LongValue;

/// The length that the project promises to survive.
pub const MEBIBYTE: usize = 1 << 20;

/// A kind of hostile text, of any length.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// What it is, in a few words.
    pub name: String,
    make: Make,
}

#[derive(Clone, Debug)]
enum Make {
    /// The same again and again, behind something that stands once.
    Repeated { before: String, piece: String },
    /// What opens as often as it closes.
    Nested { open: &'static str, close: &'static str },
    /// Commands with a number in each, so that no two are alike.
    Numbered { before: &'static str, piece: &'static str },
    /// Loops in loops around one command.
    Rounds(Loops),
    /// A long value and what is done with it, again and again.
    Uses(LongValue),
    /// Made in some other way.
    Made(Maker<String>),
    /// Bytes that are no text.
    Raw(Maker<Vec<u8>>),
}

impl Hostile {
    fn repeated(name: impl Into<String>, before: &str, piece: &str) -> Self {
        Self { name: name.into(), make: Make::Repeated { before: before.to_owned(), piece: piece.to_owned() } }
    }

    /// A text of this kind, at most this long and nearly so, as a process is given it.
    pub fn bytes_of_length(&self, bytes: usize) -> Vec<u8> {
        match &self.make {
            Make::Raw(make) => make(bytes),
            _ => self.of_length(bytes).into_bytes(),
        }
    }

    /// A text of this kind, at most this long and nearly so. Bytes that are no text are decoded as the command line does
    /// it, and are longer then.
    pub fn of_length(&self, bytes: usize) -> String {
        match &self.make {
            Make::Repeated { before, piece } => {
                format!("{before}{}", piece.repeat(bytes.saturating_sub(before.len()) / piece.len().max(1)))
            }
            Make::Nested { open, close } => {
                let depth = bytes.saturating_sub(1) / (open.len() + close.len()).max(1);
                format!("{}a{}", open.repeat(depth), close.repeat(depth))
            }
            Make::Numbered { before, piece } => {
                let mut text = (*before).to_owned();
                for number in 0.. {
                    let next = piece.replace("{}", &number.to_string());
                    if text.len() + next.len() > bytes {
                        break;
                    }
                    text.push_str(&next);
                }
                text
            }
            Make::Rounds(loops) => loops.of_length(bytes),
            Make::Uses(value) => value.of_length(bytes),
            Make::Made(make) => make(bytes),
            Make::Raw(make) => String::from_utf8_lossy(&make(bytes)).into_owned(),
        }
    }
}

impl Hostile {
    /// Texts of this kind with something harmful behind it, at least one of which no reader may let through: what stands
    /// behind a heredoc that has no end is data, so the second text ends those first that the kinds leave open.
    pub fn with_harm_behind(&self, bytes: usize) -> [String; 2] {
        let hostile = self.of_length(bytes);
        ["".to_owned(), "E\nA\na\n".repeat(200)].map(|between| format!("{hostile}\n{between}\nrm -rf ~\n"))
    }
}

/// Every kind that is looked at each time.
pub fn all() -> Vec<Hostile> {
    let mut all: Vec<Hostile> =
        OPENINGS.iter().map(|piece| Hostile::repeated(format!("{piece:?}"), "", piece)).collect();
    all.extend(GROWING.iter().map(|(name, before, piece)| Hostile::repeated(*name, before, piece)));
    all.extend(
        NESTED
            .iter()
            .map(|&(open, close)| Hostile { name: format!("{open:?} {close:?}"), make: Make::Nested { open, close } }),
    );
    all.extend(
        pieces::NUMBERED
            .iter()
            .map(|&(name, before, piece)| Hostile { name: name.to_owned(), make: Make::Numbered { before, piece } }),
    );
    all.extend(pieces::MADE.iter().map(|&(name, make)| Hostile { name: name.to_owned(), make: Make::Made(make) }));
    all.extend(rounds().step_by(97));
    all.extend(uses::usual().map(|(name, value)| Hostile { name, make: Make::Uses(value) }));
    all.extend(pieces::RAW.iter().map(|&(name, make)| Hostile { name: name.to_owned(), make: Make::Raw(make) }));
    all
}

/// Every opening of every language behind everything that hands text to a reader: thousands of kinds, for a search that
/// takes its time.
pub fn everywhere() -> impl Iterator<Item = Hostile> {
    let openings = || OPENINGS.iter().chain(OTHER_OPENINGS);
    CARRIERS.iter().flat_map(move |before| {
        openings().map(move |piece| Hostile::repeated(format!("{before:?} {piece:?}"), before, piece))
    })
}

/// Every kind of small work in every place for it, in loops.
pub fn rounds() -> impl Iterator<Item = Hostile> {
    rounds::kinds().map(|(name, loops)| Hostile { name, make: Make::Rounds(loops) })
}

/// Every use of every long value.
pub fn uses() -> impl Iterator<Item = Hostile> {
    uses::kinds().map(|(name, value)| Hostile { name, make: Make::Uses(value) })
}

/// Every two openings by turns.
pub fn pairs() -> impl Iterator<Item = Hostile> {
    let openings = || OPENINGS.iter().chain(OTHER_OPENINGS);
    openings().flat_map(move |first| {
        openings()
            .filter(move |second| *second != first)
            .map(move |second| Hostile::repeated(format!("{first:?} {second:?}"), "", &format!("{first}{second}")))
    })
}

#[cfg(test)]
mod tests {
    use super::{Hostile, all};

    #[test]
    fn every_kind_has_a_name_of_its_own_and_the_length_that_is_asked_for() {
        let kinds = all();
        let mut names: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "a name stands twice");
        for kind in &kinds {
            let length = kind.bytes_of_length(4096).len();
            assert!((3000..=4096).contains(&length), "{} is {length} bytes long", kind.name);
        }
    }

    #[test]
    fn pieces_are_repeated_behind_what_stands_once() {
        assert_eq!(Hostile::repeated("x", "rm ", "*").of_length(6), "rm ***");
    }
}
