//! A glance at a whole text: which shells of Windows it may be for, before it is read as theirs. Every byte of every text is
//! passed, so this does as little as it can: one step by a table per byte finds the places where a few bytes in a row fit
//! one of the signs, and only those are asked about.

use super::{batch, powershell};

/// What signs stand in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Glance {
    /// A word or a mark that only PowerShell has.
    pub(super) of_powershell: bool,
    /// The name of a program of Windows.
    pub(super) program: bool,
}

impl Glance {
    /// Looks for the signs.
    pub(crate) fn at(text: &str) -> Self {
        let text = text.as_bytes();
        let mut found = Self::default();
        let (blocks, rest) = text.as_chunks::<BLOCK>();
        let mut missed = 0;
        let mut from = 0;
        for block in blocks {
            let before = missed;
            let mut fits = NONE_FITS;
            for byte in block {
                missed = step(missed, *byte);
                fits &= missed;
            }
            if fits < NONE_FITS {
                found.look_at(text, block, from, before);
            }
            from += BLOCK;
        }
        found.look_at(text, rest, from, missed);
        found
    }

    /// Looks at the places of a block where a shape ends.
    #[cold]
    fn look_at(&mut self, text: &[u8], block: &[u8], from: usize, mut missed: u64) {
        for (at, byte) in (from..).zip(block) {
            missed = step(missed, *byte);
            let fits = !missed >> (3 * LANE);
            let first = at.saturating_sub(2);
            if fits & ((1 << MARKS.len()) - 1) != 0 {
                (first..=at).for_each(|at| self.ask_mark(text, at));
            }
            if fits >> MARKS.len() != 0 {
                self.ask_word(text, first);
            }
        }
    }

    /// Asks whether a mark stands at this place.
    fn ask_mark(&mut self, text: &[u8], at: usize) {
        self.of_powershell = self.of_powershell || powershell::is_sign_at(text, at);
    }

    /// Asks whether a word begins at this place. A letter that goes on a word is no first one.
    fn ask_word(&mut self, text: &[u8], at: usize) {
        let rest = text.get(at..).unwrap_or_default();
        let goes_on = at.checked_sub(1).and_then(|before| text.get(before)).is_some_and(|byte| is_of_word(*byte));
        self.of_powershell = self.of_powershell || !goes_on && powershell::begins_sign(rest);
        self.program = self.program || !goes_on && batch::begins_program(rest);
    }
}

/// So many bytes are passed before it is asked whether anything was found in them.
const BLOCK: usize = 8;

/// A shape is as many bytes long as there are lanes in a number, and each shape has one bit in every lane.
const LANE: usize = 16;

/// As long as every shape has missed somewhere in the last bytes, the number is at least this.
const NONE_FITS: u64 = 0xFFFF << (3 * LANE);

/// What the last bytes missed moves on by a lane, and the shapes are added that this byte misses. A shape that has not
/// missed when it reaches the last lane fits.
fn step(missed: u64, byte: u8) -> u64 {
    missed << LANE | MISSES.get(usize::from(byte)).copied().unwrap_or_default()
}

/// Whether a byte is a part of a word.
pub(super) fn is_of_word(byte: u8) -> bool {
    OF_WORD.get(usize::from(byte)).copied().unwrap_or_default()
}

#[expect(clippy::indexing_slicing, reason = "the bounds stand there, and this runs when it is compiled")]
static OF_WORD: [bool; 256] = {
    let mut of_word = [false; 256];
    let mut byte = 0;
    while byte < of_word.len() {
        of_word[byte] = Set::Word.holds(byte as u8);
        byte += 1;
    }
    of_word
};

/// Some bytes, out of which one stands at a place of a shape.
enum Set {
    Any,
    Word,
    OutsideWords,
    Letter,
    ButNot(u8),
    /// One of these, small or capital.
    Of(&'static [u8]),
    /// The same, or a blank.
    BlankOr(&'static [u8]),
    /// The same, or a capital letter.
    CapitalOr(&'static [u8]),
}

impl Set {
    #[expect(clippy::indexing_slicing, reason = "the bounds stand there, and this runs when it is compiled")]
    const fn holds(&self, byte: u8) -> bool {
        match self {
            Self::Any => true,
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':'),
            Self::OutsideWords => !Self::Word.holds(byte),
            Self::Letter => byte.is_ascii_alphabetic(),
            Self::ButNot(other) => byte != *other,
            Self::Of(all) => {
                let mut at = 0;
                while at < all.len() {
                    if all[at].eq_ignore_ascii_case(&byte) {
                        return true;
                    }
                    at += 1;
                }
                false
            }
            Self::BlankOr(all) => byte.is_ascii_whitespace() || Self::Of(all).holds(byte),
            Self::CapitalOr(all) => byte.is_ascii_uppercase() || Self::Of(all).holds(byte),
        }
    }
}

/// What the marks look like that [`powershell::is_sign_at`] is asked about, with what stands around them. Whatever is a
/// sign fits one of these; not everything that fits is one.
const MARKS: [[Set; 4]; 7] = [
    // `[Type]::Member`, `[int] $x`, `@{`.
    [Set::Any, Set::Any, Set::Of(b"]@"), Set::BlankOr(b":$'\"(@[{0123456789abcdefghijklmnopqrstuvwxyz")],
    // `& 'a b'`, `| % { … }`.
    [Set::Any, Set::ButNot(b'&'), Set::Of(b"&%?"), Set::Of(b" \t({'\"$")],
    // `if (`, `foreach(`.
    [Set::Any, Set::Any, Set::BlankOr(b"mhferl"), Set::Of(b"(")],
    // `Verb-Noun`.
    [Set::Any, Set::Letter, Set::Of(b"-"), Set::CapitalOr(b"cioewrphlsvdm")],
    // `'{0}' -f $x`.
    [Set::BlankOr(b"'\")"), Set::Of(b"-"), Set::Of(b"f"), Set::Of(b" ")],
    // `-match`, `-like`, `-replace`, `-split`, and those that have an `o` there.
    [Set::Any, Set::Of(b"-"), Set::Of(b"mlrs"), Set::Of(b"aiep")],
    [Set::Any, Set::Of(b"-"), Set::Of(b"jnc"), Set::Of(b"o")],
];

/// The shape of a word, by its first letters: words share one, and they are put together so that few others fit it.
#[expect(clippy::indexing_slicing, reason = "the bounds stand there, and this runs when it is compiled")]
const fn shape_of(word: &[u8]) -> usize {
    MARKS.len()
        + match (word[0], word[1]) {
            (_, b'u') => 0,
            (b'f', _) => 1,
            (b'w', _) => 2,
            (b't', _) => 3,
            (b'r', _) => 4,
            (b'i', _) => 5,
            (b'g' | b'v', _) => 6,
            (b'c' | b'b', _) => 7,
            _ => 8,
        }
}

/// The shapes that a byte misses, by the lanes of their places.
#[expect(clippy::indexing_slicing, reason = "the bounds stand there, and this runs when it is compiled")]
static MISSES: [u64; 256] = {
    let mut misses = [u64::MAX; 256];
    let mut mark = 0;
    while mark < MARKS.len() {
        let mut place = 0;
        while place < MARKS[mark].len() {
            open(&mut misses, &MARKS[mark][place], mark, place);
            place += 1;
        }
        mark += 1;
    }
    let mut word = MARKS.len();
    while word < LANE {
        open(&mut misses, &Set::OutsideWords, word, 0);
        word += 1;
    }
    open_words(&mut misses, powershell::SIGNS);
    open_words(&mut misses, powershell::ALIASES);
    open_words(&mut misses, batch::PROGRAMS);
    misses
};

/// Lets the bytes of a set through at a place of a shape.
#[expect(clippy::indexing_slicing, reason = "the bounds stand there, and this runs when it is compiled")]
const fn open(misses: &mut [u64; 256], set: &Set, shape: usize, place: usize) {
    let mut byte = 0;
    while byte < misses.len() {
        if set.holds(byte as u8) {
            misses[byte] &= !(1 << (place * LANE + shape));
        }
        byte += 1;
    }
}

/// Lets the first three letters of words through, behind what is of no word.
#[expect(clippy::indexing_slicing, reason = "the bounds stand there, and this runs when it is compiled")]
const fn open_words(misses: &mut [u64; 256], words: &[&str]) {
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_bytes();
        let mut place = 0;
        while place < 3 {
            let (small, capital) = (word[place].to_ascii_lowercase(), word[place].to_ascii_uppercase());
            let opened = !(1 << ((place + 1) * LANE + shape_of(word)));
            misses[small as usize] &= opened;
            misses[capital as usize] &= opened;
            place += 1;
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Glance;
    use crate::code::{batch, powershell};

    /// Asks at every place.
    fn plain(text: &str) -> Glance {
        let mut found = Glance::default();
        for at in 0..text.len() {
            found.ask_mark(text.as_bytes(), at);
            found.ask_word(text.as_bytes(), at);
        }
        found
    }

    #[test]
    fn either_is_found_without_the_other() {
        assert_eq!(Glance::at("ls; foreach ($x in 1) {}"), Glance { of_powershell: true, program: false });
        assert_eq!(Glance::at("ls; Certutil -x"), Glance { of_powershell: false, program: true });
        assert_eq!(Glance::at("try { certutil -x }"), Glance { of_powershell: true, program: true });
        for text in ["", "a", "ls", "find", "prefoo regx", "x_reg a:reg 1reg", "[[ -f x ]]; f() { ls >&2 && -name; }"] {
            assert_eq!(Glance::at(text), Glance::default(), "{text}");
        }
    }

    /// Every sign is seen wherever it stands in a block, at the ends of a text, and next to every byte.
    #[test]
    fn every_sign_is_seen_at_every_place() {
        const MARKS: &[&str] = &[
            "]:",
            "] $",
            "]\n9",
            "@{",
            "@'",
            "a& '",
            "&\t1",
            " % ",
            "\n?{",
            "if(",
            "FOR \n(",
            "until (",
            "a-B",
            "a-item",
            "a-MPPreference",
            "' -f ",
            ")-f ",
            "-Match ",
            "-join",
            "-notmatch ",
            "-CONTAINS ",
            "-split",
            "-replace",
            "-like ",
        ];
        let words = [powershell::SIGNS, powershell::ALIASES, batch::PROGRAMS, MARKS];
        for sign in words.iter().copied().flatten() {
            for before in 0..20 {
                for between in ["", " ", ";", "\n", "é"] {
                    let text = format!("{}{between}{sign}", ".".repeat(before));
                    assert_ne!(plain(&text), Glance::default(), "{text}");
                    let longer = format!("{text}{between}{}", "x".repeat(before));
                    for text in [text.to_ascii_uppercase(), longer.to_ascii_uppercase(), text, longer] {
                        assert_eq!(Glance::at(&text), plain(&text), "{text}");
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// The quick look finds exactly what a look at every place finds.
        #[test]
        fn the_quick_look_is_as_strict_as_the_plain_one(
            text in "([ \t\n;:_.'\"(){}$&%?@|=0-9-]|\\]|\\[|[a-zA-Z]|é|for|fil|fun|whe|tr|ri|ie|re|ce|ms|-f|-m|-no|if|item){0,24}"
        ) {
            prop_assert_eq!(Glance::at(&text), plain(&text));
        }
    }
}
