//! Keeps the beginning and the end of a long output, and how much lies between.

use std::{borrow::Cow, collections::VecDeque};

/// What was kept of one output stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes.
    pub head: Vec<u8>,
    /// How many bytes between the head and the tail were not kept.
    pub left_out: u64,
    /// The last bytes. Empty when everything fits into the head.
    pub tail: Vec<u8>,
}

impl Captured {
    /// How many bytes the stream had altogether.
    pub fn total(&self) -> u64 {
        self.head.len() as u64 + self.left_out + self.tail.len() as u64
    }

    /// The whole output, if nothing was left out.
    pub fn whole(&self) -> Option<Cow<'_, [u8]>> {
        match (self.left_out, self.tail.is_empty()) {
            (0, true) => Some(Cow::Borrowed(&self.head)),
            (0, false) => Some(Cow::Owned([self.head.as_slice(), self.tail.as_slice()].concat())),
            _ => None,
        }
    }
}

/// Takes an output as it comes and keeps its head and tail.
#[derive(Debug)]
pub(super) struct Capture {
    at_most: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl Capture {
    /// Keeps at most this many bytes of the beginning and as many of the end.
    pub(super) fn new(at_most: usize) -> Self {
        Self { at_most, head: Vec::new(), tail: VecDeque::new(), left_out: 0 }
    }

    pub(super) fn take(&mut self, bytes: &[u8]) {
        let fits = bytes.len().min(self.at_most.saturating_sub(self.head.len()));
        let (head, rest) = bytes.split_at_checked(fits).unwrap_or((bytes, &[]));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let too_many = self.tail.len().saturating_sub(self.at_most);
        self.tail.drain(..too_many);
        self.left_out += too_many as u64;
    }

    pub(super) fn finish(self) -> Captured {
        Captured { head: self.head, left_out: self.left_out, tail: self.tail.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Capture, Captured};

    fn check(at_most: usize, chunks: &[&str], head: &str, left_out: u64, tail: &str) {
        let mut capture = Capture::new(at_most);
        for chunk in chunks {
            capture.take(chunk.as_bytes());
        }
        let captured = capture.finish();
        assert_eq!(captured, Captured { head: head.into(), left_out, tail: tail.into() }, "{chunks:?}");
        let all = chunks.concat();
        assert_eq!(captured.total(), all.len() as u64);
        assert_eq!(captured.whole().is_some(), left_out == 0);
        if let Some(whole) = captured.whole() {
            assert_eq!(whole, all.as_bytes());
        }
    }

    #[test]
    fn head_and_tail_are_kept_however_the_output_arrives() {
        check(4, &[], "", 0, "");
        check(4, &["abc"], "abc", 0, "");
        check(4, &["abcd"], "abcd", 0, "");
        check(4, &["abcdef"], "abcd", 0, "ef");
        check(4, &["ab", "cdef", "gh"], "abcd", 0, "efgh");
        check(4, &["ab", "cdef", "ghi"], "abcd", 1, "fghi");
        check(4, &["abcdefghijklmnop"], "abcd", 8, "mnop");
        check(0, &["abc"], "", 3, "");
    }
}
