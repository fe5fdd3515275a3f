//! A glance at a whole text: what it may be, before it is read for it. Every byte of every text is passed, so this does
//! as little as it can.

/// Whether `found` holds somewhere that a word begins; it sees the text from there on.
pub(super) fn some_word(text: &[u8], found: impl Fn(&[u8]) -> bool) -> bool {
    let mut rest = text;
    while let Some(start) = rest.iter().position(is_of_word) {
        rest = rest.get(start..).unwrap_or_default();
        if found(rest) {
            return true;
        }
        let Some(end) = rest.iter().position(|byte| !is_of_word(byte)) else { break };
        rest = rest.get(end..).unwrap_or_default();
    }
    false
}

/// Whether a byte is part of a name or a number.
fn is_of_word(byte: &u8) -> bool {
    #[expect(clippy::indexing_slicing, reason = "the bound stands above, and this runs when it is compiled")]
    const OF_WORD: [bool; 256] = {
        let mut of_word = [false; 256];
        let mut byte = 0;
        while byte < 128 {
            of_word[byte] = matches!(byte as u8, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b':');
            byte += 1;
        }
        of_word
    };
    OF_WORD.get(usize::from(*byte)).copied().unwrap_or_default()
}
