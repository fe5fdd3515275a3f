//! Where a text came from. The inside of back-quotes and of a tab-stripped heredoc is rewritten before it is read, and
//! its spans must still point into the text that the person typed.

/// How the bytes of a text lie in the outermost text.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    /// The beginnings of contiguous stretches, here and in the outermost text, in rising order. An empty list is the
    /// outermost text itself.
    stretches: Vec<(usize, usize)>,
}

impl Origin {
    /// A text that stands as it is in the outermost one.
    pub(super) fn at(offset: usize) -> Self {
        Self { stretches: vec![(0, offset)] }
    }

    /// The place in the outermost text of the byte at `at`.
    pub(super) fn outer(&self, at: usize) -> usize {
        if self.stretches.is_empty() {
            return at;
        }
        let following = self.stretches.partition_point(|(here, _)| *here <= at);
        match following.checked_sub(1).and_then(|last| self.stretches.get(last)) {
            Some((here, there)) => there + (at - here),
            None => at,
        }
    }
}

/// A text that is put together from stretches of another one.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    /// The new text.
    pub(super) text: String,
    /// Where its bytes came from.
    pub(super) origin: Origin,
}

impl Rewritten {
    /// Appends `stretch`, which stands at `at` in the text that `source` describes.
    pub(super) fn append(&mut self, stretch: &str, at: usize, source: &Origin) {
        if stretch.is_empty() {
            return;
        }
        let here = self.text.len();
        let there = source.outer(at);
        let goes_on = self.origin.stretches.last().is_some_and(|(before, outer)| outer + (here - before) == there);
        if !goes_on {
            self.origin.stretches.push((here, there));
        }
        let first = source.stretches.partition_point(|(begin, _)| *begin <= at);
        for (begin, there) in source.stretches.iter().skip(first) {
            if *begin >= at + stretch.len() {
                break;
            }
            self.origin.stretches.push((here + (begin - at), *there));
        }
        self.text.push_str(stretch);
    }

    /// How many stretches the text consists of.
    pub(super) fn stretches(&self) -> usize {
        self.origin.stretches.len()
    }
}
