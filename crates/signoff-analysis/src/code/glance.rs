//! A glance at a whole text: what it may be, before it is read for it. Every byte of every text is passed, so this does
//! as little as it can.

/// What a byte is to a search for words: nothing, a part of some word, or the first letter of one that is looked for.
#[derive(Debug)]
pub(super) struct Letters([u8; 256]);

const OF_WORD: u8 = 1;
const FIRST: u8 = 2;

impl Letters {
    /// Words that begin with one of these small letters, or with the capital one.
    #[expect(clippy::indexing_slicing, reason = "the bounds stand there, and this runs when it is compiled")]
    pub(super) const fn beginning_with(firsts: &[u8]) -> Self {
        let mut letters = [0; 256];
        let mut byte = 0;
        while byte < 128 {
            if matches!(byte as u8, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b':') {
                letters[byte] = OF_WORD;
            }
            let mut at = 0;
            while at < firsts.len() {
                if (byte as u8).to_ascii_lowercase() == firsts[at] {
                    letters[byte] = OF_WORD | FIRST;
                }
                at += 1;
            }
            byte += 1;
        }
        Self(letters)
    }

    /// Whether `found` holds somewhere that such a word begins; it sees the text from there on.
    pub(super) fn begin_some(&self, text: &[u8], found: impl Fn(&[u8]) -> bool) -> bool {
        let mut before = 0;
        let mut rest = text;
        while let [byte, behind @ ..] = rest {
            let letter = self.0.get(usize::from(*byte)).copied().unwrap_or_default();
            if letter & FIRST > before && found(rest) {
                return true;
            }
            // A letter that goes on a word is no first one.
            before = (letter & OF_WORD) * FIRST;
            rest = behind;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Letters;

    #[test]
    fn words_are_found_where_they_begin() {
        static LETTERS: Letters = Letters::beginning_with(b"ab");
        let found = |text: &str| {
            let all = std::cell::RefCell::new(Vec::new());
            LETTERS.begin_some(text.as_bytes(), |rest| {
                all.borrow_mut().push(String::from_utf8_lossy(rest).into_owned());
                false
            });
            all.into_inner()
        };
        assert_eq!(found("cab B a_b 1a é;b"), ["B a_b 1a é;b", "a_b 1a é;b", "b"]);
        assert!(LETTERS.begin_some(b"x b", |rest| rest == b"b"));
    }
}
