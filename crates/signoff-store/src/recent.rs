//! What the entries are about that a store has written last: whoever waits hears of each of them, and need not read it.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use signoff_gate::Subject;

/// So many are remembered. Whoever is further behind reads.
const REMEMBERED: usize = 1_024;

/// The latest entries of this store, by their numbers. Where others write into the same ledger, some are missing.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<VecDeque<Subject>>);

impl Recent {
    /// Remembers what was written, behind everything from before.
    pub(crate) fn add(&self, written: impl IntoIterator<Item = Subject>) {
        let mut remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        remembered.extend(written);
        let excess = remembered.len().saturating_sub(REMEMBERED);
        remembered.drain(..excess);
    }

    /// The entries behind this one, as far as none of them is missing. None where the first of them is.
    pub(crate) fn behind(&self, after: u64, at_most: u32) -> Option<Vec<Subject>> {
        let remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = remembered.partition_point(|subject| subject.number <= after);
        let follows = |(subject, number): &(&Subject, u64)| subject.number == *number;
        let found = remembered.range(first..).zip(after.saturating_add(1)..).take_while(follows);
        let at_most = usize::try_from(at_most).unwrap_or(usize::MAX);
        let found: Vec<Subject> = found.map(|(subject, _)| *subject).take(at_most).collect();
        (!found.is_empty()).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subjects(numbers: impl IntoIterator<Item = u64>) -> Vec<Subject> {
        numbers.into_iter().map(|number| Subject { number, approval: None }).collect()
    }

    #[test]
    fn what_is_missing_is_never_passed_over() {
        let recent = Recent::default();
        assert_eq!(recent.behind(0, 9), None);
        recent.add(subjects([4, 5]));
        // Somebody else has written the sixth.
        recent.add(subjects([7, 8]));
        for (after, at_most, expected) in [
            (2, 9, None),
            (3, 9, Some(subjects([4, 5]))),
            (3, 1, Some(subjects([4]))),
            (4, 9, Some(subjects([5]))),
            (5, 9, None),
            (6, 9, Some(subjects([7, 8]))),
            (8, 9, None),
            (u64::MAX, 9, None),
        ] {
            assert_eq!(recent.behind(after, at_most), expected, "behind {after}");
        }
    }

    #[test]
    fn only_the_latest_are_remembered() {
        let recent = Recent::default();
        let end = u64::try_from(REMEMBERED).unwrap() + 10;
        recent.add(subjects(1..=end));
        assert_eq!(recent.behind(9, 1), None);
        assert_eq!(recent.behind(10, 1), Some(subjects([11])));
    }
}
