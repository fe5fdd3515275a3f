//! A clock that goes on: whatever happens to the clock of the machine, no moment comes twice and none is behind what the ledger
//! has.

use std::sync::{Arc, Mutex, PoisonError};

use signoff_model::Timestamp;

use super::Clock;

/// The clock of one store, for the thread that writes and for whoever wants to know the time.
#[derive(Clone)]
pub(super) struct Shared(Arc<Mutex<Onward>>);

impl Shared {
    /// A clock that goes on from the latest moment that is known.
    pub(super) fn new(clock: Clock, latest: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(Onward::new(clock, latest))))
    }

    pub(super) fn now(&self) -> Timestamp {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).now()
    }
}

/// A clock that was set back, while the program ran or while it did not, is believed for its pace and not for its hands:
/// otherwise time would stand still until it has caught up, and what should have expired would not.
struct Onward {
    clock: Clock,
    /// What the clock said last.
    said: Timestamp,
    /// How far it is behind.
    behind: i64,
}

impl Onward {
    fn new(clock: Clock, latest: Timestamp) -> Self {
        let said = clock();
        let behind = latest.millis().saturating_sub(said.millis()).max(0);
        Self { clock, said, behind }
    }

    fn now(&mut self) -> Timestamp {
        let says = (self.clock)();
        // It was set back by so much since it was asked last.
        self.behind = self.behind.saturating_add(self.said.millis().saturating_sub(says.millis()).max(0));
        self.said = says;
        Timestamp::from_millis(says.millis().saturating_add(self.behind))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    #[test]
    fn time_goes_on_whatever_the_clock_says() {
        let hands = Arc::new(AtomicI64::new(1_000));
        let seen = Arc::clone(&hands);
        let mut clock = Onward::new(
            Arc::new(move || Timestamp::from_millis(seen.load(Ordering::SeqCst))),
            Timestamp::from_millis(1_500),
        );
        // What the clock says, and what is told. The ledger was half a second ahead of it.
        for (says, told) in [
            (1_000, 1_500),
            (1_100, 1_600),
            (100, 1_600),
            (200, 1_700),
            (200, 1_700),
            (5_000, 6_500),
            (4_000, 6_500),
            (4_001, 6_501),
        ] {
            hands.store(says, Ordering::SeqCst);
            assert_eq!(clock.now(), Timestamp::from_millis(told), "{says}");
        }
    }
}
