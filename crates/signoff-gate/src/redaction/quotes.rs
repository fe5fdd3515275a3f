//! Which quotes a place of a text stands in, as far as that can be told without knowing the language.

/// For every byte, the sign of the quotes that it stands in.
pub(super) struct Quotes(Vec<u8>);

impl Quotes {
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut inside = vec![0; bytes.len()];
        // Once one is not closed, none behind it is.
        let mut open = [false; 2];
        let mut at = 0;
        while let Some(&sign) = bytes.get(at) {
            let kind = usize::from(sign == b'"');
            at += 1;
            match sign {
                b'\\' => at += 1,
                b'\'' | b'"' if !is_apostrophe(bytes, at - 1) && open.get(kind) == Some(&false) => {
                    let Some(end) = closing(bytes, at, sign) else {
                        if let Some(open) = open.get_mut(kind) {
                            *open = true;
                        }
                        continue;
                    };
                    if let Some(between) = inside.get_mut(at..end) {
                        between.fill(sign);
                    }
                    at = end + 1;
                }
                _ => {}
            }
        }
        Self(inside)
    }

    /// The quotes around a place.
    pub(super) fn around(&self, at: usize) -> Option<u8> {
        self.0.get(at).copied().filter(|sign| *sign != 0)
    }
}

/// As in `don't`.
fn is_apostrophe(bytes: &[u8], at: usize) -> bool {
    let letter = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_lowercase);
    bytes.get(at) == Some(&b'\'') && letter(at.checked_sub(1)) && letter(Some(at + 1))
}

/// Where quotes end that begin before a place.
pub(super) fn closing(bytes: &[u8], from: usize, sign: u8) -> Option<usize> {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        if byte == sign {
            return Some(at);
        }
        // Nothing is escaped within single quotes.
        at += if byte == b'\\' && sign != b'\'' { 2 } else { 1 };
    }
    None
}
