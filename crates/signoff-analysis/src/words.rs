//! Lists of words that are asked about at every command and every path.
//!
//! A list is one text and an index that the compiler makes. Asking costs one hash whatever the length of the list,
//! nothing is built when the process starts, and, unlike a slice of strings, the list holds no pointer for the loader to
//! relocate.

/// The texts of a list as one text, each on a line of its own.
macro_rules! lines {
    ($($text:literal),* $(,)?) => { concat!($($text, "\n"),*) };
}
pub(crate) use lines;

/// Whether a short list of words, separated by white space, holds the word.
pub(crate) fn is_listed(list: &str, word: &str) -> bool {
    let is_blank = |byte: &u8| *byte <= b' ';
    let word = word.as_bytes();
    if word.is_empty() || word.iter().any(is_blank) {
        return false;
    }
    let mut rest = list.as_bytes();
    loop {
        if rest.starts_with(word) && rest.get(word.len()).is_none_or(is_blank) {
            return true;
        }
        let Some(behind) = rest.iter().position(is_blank).and_then(|blank| rest.get(blank + 1..)) else { return false };
        rest = behind;
    }
}

/// Whether a word is one of a list, perhaps cut short: in `exe|cute` a bar stands behind the shortest form.
pub(crate) fn is_short_for(list: &str, word: &str) -> bool {
    let fits = |full: &str| {
        let (least, rest) = full.split_once('|').unwrap_or((full, ""));
        word.strip_prefix(least).is_some_and(|behind| rest.starts_with(behind))
    };
    !word.is_empty() && list.split_ascii_whitespace().any(fits)
}

/// A list of words. `SLOTS` is a power of two, at least twice the number of words: anything else does not compile.
#[derive(Debug)]
pub(crate) struct Words<const SLOTS: usize> {
    text: &'static str,
    separator: u8,
    /// Where each word begins, counted from one, at the slot that its hash gives or at the next free one.
    slots: [u16; SLOTS],
    /// The first two bytes of the words, as bits. Most questions end here.
    beginnings: [u64; BEGINNINGS / 64],
    longest: usize,
}

const SEED: u32 = 0x811c_9dc5;

/// One step of the hash (FNV-1a).
const fn step(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// The slot at which the search for a hash begins. The high bits of the hash are the better ones.
const fn slot<const SLOTS: usize>(hash: u32) -> usize {
    (hash ^ (hash >> 15)) as usize & (SLOTS - 1)
}

const BEGINNINGS: usize = 512;

/// The bit of the first two bytes of a word; a word of one byte is followed by nothing, or by the end of a component.
const fn beginning(first: u8, second: u8) -> usize {
    let second = if second == b'/' { 0 } else { second };
    (first as usize ^ (second as usize) << 3) & (BEGINNINGS - 1)
}

impl<const SLOTS: usize> Words<SLOTS> {
    /// The words of a text, separated by spaces.
    pub(crate) const fn new(text: &'static str) -> Self {
        Self::separated(text, b' ')
    }

    /// The lines of a text: for words with spaces in them.
    pub(crate) const fn of_lines(text: &'static str) -> Self {
        Self::separated(text, b'\n')
    }

    #[expect(clippy::indexing_slicing, reason = "it runs in the compiler, which then refuses the list")]
    const fn separated(text: &'static str, separator: u8) -> Self {
        assert!(SLOTS.is_power_of_two() && text.len() < u16::MAX as usize);
        let bytes = text.as_bytes();
        let mut all = Self { text, separator, slots: [0; SLOTS], beginnings: [0; BEGINNINGS / 64], longest: 0 };
        let (mut start, mut hash, mut count, mut at) = (0, SEED, 0, 0);
        while at <= bytes.len() {
            if at < bytes.len() && bytes[at] != separator {
                hash = step(hash, bytes[at]);
            } else {
                if at > start {
                    let mut free = slot::<SLOTS>(hash);
                    while all.slots[free] != 0 {
                        free = (free + 1) & (SLOTS - 1);
                    }
                    all.slots[free] = start as u16 + 1;
                    let bit = beginning(bytes[start], if at - start > 1 { bytes[start + 1] } else { 0 });
                    all.beginnings[bit / 64] |= 1 << (bit % 64);
                    if at - start > all.longest {
                        all.longest = at - start;
                    }
                    count += 1;
                    assert!(2 * count <= SLOTS, "the list needs more slots");
                }
                start = at + 1;
                hash = SEED;
            }
            at += 1;
        }
        all
    }

    /// Whether the list holds the word.
    #[inline]
    pub(crate) fn holds(&self, word: &str) -> bool {
        self.may_begin(word.as_bytes()) && self.holds_bytes(word.as_bytes())
    }

    fn holds_bytes(&self, word: &[u8]) -> bool {
        word.len() <= self.longest && self.holds_hashed(word, word.iter().fold(SEED, |hash, byte| step(hash, *byte)))
    }

    /// Whether the list holds the path or a directory above it.
    pub(crate) fn holds_start_of(&self, path: &str) -> bool {
        self.holds_start_of_bytes(path.as_bytes())
    }

    /// Whether some components of the path, one behind the other, stand in the list.
    pub(crate) fn holds_part_of(&self, path: &str) -> bool {
        let mut rest = Some(path.as_bytes());
        while let Some(path) = rest {
            if self.holds_start_of_bytes(path) {
                return true;
            }
            rest = path.iter().position(|byte| *byte == b'/').and_then(|slash| path.get(slash + 1..));
        }
        false
    }

    /// Whether the name ends in one of the words, all of which begin with a dot.
    #[inline]
    pub(crate) fn holds_ending_of(&self, name: &str) -> bool {
        name.as_bytes().contains(&b'.') && self.holds_some_ending(name.as_bytes())
    }

    fn holds_some_ending(&self, bytes: &[u8]) -> bool {
        let tail = bytes.get(bytes.len().saturating_sub(self.longest)..).unwrap_or_default();
        let mut rest = tail;
        // Most names are shorter than what a quicker search needs to begin.
        while let Some(ending) = rest.iter().position(|byte| *byte == b'.').and_then(|at| rest.get(at..)) {
            if self.may_begin(ending) && self.holds_bytes(ending) {
                return true;
            }
            rest = ending.get(1..).unwrap_or_default();
        }
        false
    }

    #[inline]
    fn may_begin(&self, bytes: &[u8]) -> bool {
        let bit = match bytes {
            [] => return false,
            [only] => beginning(*only, 0),
            [first, second, ..] => beginning(*first, *second),
        };
        self.beginnings.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 != 0)
    }

    #[inline]
    fn holds_start_of_bytes(&self, path: &[u8]) -> bool {
        self.may_begin(path) && self.holds_some_start(path)
    }

    fn holds_some_start(&self, path: &[u8]) -> bool {
        let mut hash = SEED;
        for (at, byte) in path.iter().enumerate().take(self.longest + 1) {
            if *byte == b'/' && path.get(..at).is_some_and(|start| self.holds_hashed(start, hash)) {
                return true;
            }
            hash = step(hash, *byte);
        }
        path.len() <= self.longest && self.holds_hashed(path, hash)
    }

    fn holds_hashed(&self, word: &[u8], hash: u32) -> bool {
        let mut at = slot::<SLOTS>(hash);
        // At least half of the slots are free, so the search ends.
        while let Some(start) = self.slots.get(at).and_then(|start| usize::from(*start).checked_sub(1)) {
            let entry = self.text.as_bytes().get(start..).unwrap_or_default();
            if entry.starts_with(word) && entry.get(word.len()).is_none_or(|after| *after == self.separator) {
                return true;
            }
            at = (at + 1) & (SLOTS - 1);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static WORDS: Words<16> = Words::new("list ls show delete-all .ssh lists .config/app");
    static LINES: Words<8> = Words::of_lines(lines!["login data", "/etc/ssh", ".tar.gz"]);

    #[test]
    fn a_list_holds_its_words_and_nothing_else() {
        for word in ["list", "ls", "show", "delete-all", ".ssh", "lists"] {
            assert!(WORDS.holds(word), "{word}");
        }
        for word in ["", " ", "lis", "list ", "list ls", "delete", "shows", "é", "LIST"] {
            assert!(!WORDS.holds(word), "{word:?}");
        }
        assert!(LINES.holds("login data"));
        assert!(!LINES.holds("login"));
        assert!(!LINES.holds("login data\n"));
    }

    #[test]
    fn short_lists_need_no_index() {
        for (word, expected) in [("a", true), ("--bc", true), ("b", false), ("", false), ("a --bc", false)] {
            assert_eq!(is_listed("a  --bc", word), expected, "{word:?}");
        }
    }

    #[test]
    fn words_may_be_cut_short_down_to_their_bar() {
        for (word, expected) in [("exe", true), ("execut", true), ("execute", true), ("ex", false), ("executes", false)]
        {
            assert_eq!(is_short_for("w exe|cute", word), expected, "{word}");
        }
        assert!(is_short_for("w exe|cute", "w") && !is_short_for("w exe|cute", ""));
    }

    #[test]
    fn paths_are_found_by_whole_components() {
        for (path, start, part) in [
            (".ssh", true, true),
            (".ssh/id", true, true),
            ("a/.ssh/id", false, true),
            ("/.ssh", false, true),
            (".sshx", false, false),
            ("x.ssh", false, false),
            ("a/.config/app/x", false, true),
            (".config/application", false, false),
            (".config/app", true, true),
            (".config", false, false),
            ("", false, false),
        ] {
            assert_eq!(WORDS.holds_start_of(path), start, "{path}");
            assert_eq!(WORDS.holds_part_of(path), part, "{path}");
        }
        assert!(LINES.holds_start_of("/etc/ssh/sshd_config"));
        assert!(!LINES.holds_start_of("/etc"));
    }

    #[test]
    fn endings_may_hold_several_dots() {
        assert!(LINES.holds_ending_of("a.tar.gz"));
        assert!(LINES.holds_ending_of(".tar.gz"));
        assert!(!LINES.holds_ending_of("a.gz"));
        assert!(!LINES.holds_ending_of("tar.gz"));
        assert!(!LINES.holds_ending_of("é"));
    }
}
