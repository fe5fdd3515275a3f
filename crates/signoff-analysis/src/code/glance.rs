//! A glance at a whole text: which shells of Windows it may be for, before it is read as theirs. Every byte of every text is
//! passed, so this does as little as it can, and looks for the words of both shells on one way.

use super::{batch, powershell};

/// What words stand in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Glance {
    /// One that only PowerShell has.
    pub(super) of_powershell: bool,
    /// The name of a program of Windows.
    pub(super) program: bool,
}

impl Glance {
    /// Looks for the words.
    pub(crate) fn at(text: &str) -> Self {
        Self::with(text.as_bytes(), powershell::begins_sign, batch::begins_program)
    }

    /// Asks at every place where such a word may begin; both see the text from there on.
    fn with(text: &[u8], of_powershell: impl Fn(&[u8]) -> bool, program: impl Fn(&[u8]) -> bool) -> Self {
        let mut found = Self { of_powershell: false, program: false };
        let mut from = if text.first().is_some_and(|byte| letter(*byte) > OF_WORD) { Some(0) } else { next(text, 0) };
        while let Some(at) = from {
            let rest = text.get(at..).unwrap_or_default();
            let first = rest.first().map_or(0, |byte| letter(*byte));
            found.of_powershell = found.of_powershell || first & OF_POWERSHELL != 0 && of_powershell(rest);
            found.program = found.program || first & OF_PROGRAM != 0 && program(rest);
            from = next(text, at);
        }
        found
    }
}

/// The next place behind this one where a word begins that may be one of those. A letter that goes on a word is no first
/// one.
#[inline(never)]
fn next(text: &[u8], at: usize) -> Option<usize> {
    let (before, here) = (text.get(at..)?, text.get(at + 1..)?);
    let begins = |(before, here): (&u8, &u8)| letter(*here) > OF_WORD && letter(*before) & OF_WORD == 0;
    before.iter().zip(here).position(begins).map(|steps| at + 1 + steps)
}

fn letter(byte: u8) -> u8 {
    LETTERS.get(usize::from(byte)).copied().unwrap_or_default()
}

const OF_WORD: u8 = 1;
const OF_POWERSHELL: u8 = 2;
const OF_PROGRAM: u8 = 4;

/// What a byte is to the search: nothing, a part of some word, or the first letter of one that is looked for.
static LETTERS: [u8; 256] = letters(powershell::FIRST_LETTERS, batch::FIRST_LETTERS);

/// The words begin with one of these small letters, or with the capital one.
#[expect(clippy::indexing_slicing, reason = "the bounds stand there, and this runs when it is compiled")]
const fn letters(of_powershell: &[u8], of_programs: &[u8]) -> [u8; 256] {
    let mut letters = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        if matches!(byte as u8, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b':') {
            letters[byte] = OF_WORD;
        }
        let small = (byte as u8).to_ascii_lowercase();
        let mut at = 0;
        while at < of_powershell.len() {
            letters[byte] |= if small == of_powershell[at] { OF_POWERSHELL } else { 0 };
            at += 1;
        }
        at = 0;
        while at < of_programs.len() {
            letters[byte] |= if small == of_programs[at] { OF_PROGRAM } else { 0 };
            at += 1;
        }
        byte += 1;
    }
    letters
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::Glance;

    #[test]
    fn words_are_asked_about_where_they_begin() {
        let (one, other) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
        let note = |all: &RefCell<Vec<String>>, rest: &[u8]| {
            all.borrow_mut().push(String::from_utf8_lossy(rest).into_owned());
            false
        };
        let none = Glance { of_powershell: false, program: false };
        assert_eq!(Glance::with("fat F m_f 1f é;w".as_bytes(), |r| note(&one, r), |r| note(&other, r)), none);
        assert_eq!(one.into_inner(), ["fat F m_f 1f é;w", "F m_f 1f é;w", "w"]);
        assert_eq!(other.into_inner(), ["m_f 1f é;w", "w"]);
    }

    #[test]
    fn either_is_found_without_the_other() {
        assert_eq!(Glance::at("ls; foreach ($x in 1) {}"), Glance { of_powershell: true, program: false });
        assert_eq!(Glance::at("ls; Certutil -x"), Glance { of_powershell: false, program: true });
        assert_eq!(Glance::at("try { certutil -x }"), Glance { of_powershell: true, program: true });
    }
}
