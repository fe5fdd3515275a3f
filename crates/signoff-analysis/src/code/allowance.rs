//! How much work goes into reading texts of code again.
//!
//! What one reading takes is known only when it is done: a text that is short may hold functions in functions, and each
//! of them read for each element of a list. So the work is counted in the steps that readers take and not in bytes, for
//! one text and for all texts of an operation together, and a text is read the less often the more a reading takes.

/// The steps for reading all texts of an operation again.
pub(crate) const IN_ALL: usize = 64_000;
/// The steps for reading one text again: so many, and more for each byte.
const AT_LEAST: usize = 32_000;
const PER_BYTE: usize = 4;
/// What a shell does with the commands in a text takes as long as so many steps for each unit of its fuel.
const PER_FUEL: usize = 16;
/// A reading that has to be is paid with one unit of fuel for so many steps.
const PER_UNIT: usize = 16;
/// Readings bring calls and values to light that have to be read as well: so many rounds get an equal share.
const ROUNDS: usize = 3;

/// What may still be spent on reading one text again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    steps: usize,
    readings: usize,
}

impl Allowance {
    /// For a text of this length whose first reading took so many steps, if no more than so many are left for all texts.
    pub(super) fn new(bytes: usize, first: usize, left: usize) -> Self {
        let steps = AT_LEAST.saturating_add(bytes.saturating_mul(PER_BYTE)).min(left);
        Self { steps, readings: steps / first.max(1) }
    }

    /// How many combinations one round of readings may try.
    pub(super) fn combinations(&self) -> usize {
        self.readings / ROUNDS
    }

    /// Takes so many readings out of those that are left, if they are.
    pub(super) fn take(&mut self, readings: usize) -> bool {
        let left = self.readings.checked_sub(readings);
        self.readings = left.unwrap_or_default();
        left.is_some()
    }

    /// Pays for a reading. Says whether there was as much left.
    pub(super) fn pay(&mut self, steps: usize) -> bool {
        let left = self.steps.checked_sub(steps);
        self.steps = left.unwrap_or_default();
        left.is_some()
    }
}

/// The steps of a reading in which a shell has spent so much fuel as well.
pub(super) fn steps(taken: usize, fuel: usize) -> usize {
    taken.saturating_add(fuel.saturating_mul(PER_FUEL))
}

/// The fuel for a reading that has to be.
pub(super) fn fuel(steps: usize) -> usize {
    steps / PER_UNIT
}

#[cfg(test)]
mod tests {
    use super::{AT_LEAST, Allowance, IN_ALL};

    #[test]
    fn the_more_a_reading_takes_the_fewer_there_are() {
        let most = |first: usize| Allowance::new(0, first, IN_ALL).combinations();
        assert_eq!([100, 1000, 10_000, 100_000].map(most), [106, 10, 1, 0]);
        assert_eq!(Allowance::new(usize::MAX, 1000, IN_ALL).combinations(), 21);
        assert_eq!(Allowance::new(0, 100, 600).combinations(), 2);
        assert_eq!(Allowance::new(0, 0, 0).combinations(), 0);
    }

    #[test]
    fn what_is_taken_or_paid_is_gone() {
        let mut allowance = Allowance::new(0, 1000, IN_ALL);
        assert!(allowance.take(30) && allowance.take(2) && !allowance.take(1));
        assert!(allowance.pay(AT_LEAST - 1) && allowance.pay(1) && !allowance.pay(1));
    }
}
