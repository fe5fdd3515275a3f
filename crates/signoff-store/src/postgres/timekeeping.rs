//! The one clock of all nodes.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use signoff_model::Timestamp;

use crate::Clock;

/// Whose clock tells the time.
#[derive(Clone)]
pub enum Timekeeper {
    /// The database's own. All nodes have the same.
    Database,
    /// One that is handed in, for tests: all nodes need the same.
    Given(Clock),
}

/// The time as one node tells it, to its writer and to whoever else wants to know.
#[derive(Clone)]
pub(super) struct Shared(Arc<Mutex<Timekeeping>>);

impl Shared {
    pub(super) fn new(keeper: Timekeeper) -> Self {
        Self(Arc::new(Mutex::new(Timekeeping::new(keeper))))
    }

    /// What time it is, where the clock of the database says one thing and the newest entry another.
    pub(super) fn moment(&self, database: Timestamp, newest: Timestamp) -> Timestamp {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).moment(database, newest)
    }
}

/// The moments of one node.
struct Timekeeping {
    keeper: Timekeeper,
    behind: Option<Behind>,
}

/// Since when the clock has been behind what is in the store, and what moment that was.
#[derive(Clone, Copy, Debug)]
struct Behind {
    moment: Timestamp,
    since: Instant,
}

impl Timekeeping {
    fn new(keeper: Timekeeper) -> Self {
        Self { keeper, behind: None }
    }

    /// Time never goes back.
    ///
    /// A clock that was wrong for a moment may have left an entry from next year. Time that stood still until then would let
    /// no yes run out, so it goes on from there as fast as it does here.
    fn moment(&mut self, database: Timestamp, newest: Timestamp) -> Timestamp {
        let clock = match &self.keeper {
            Timekeeper::Database => database,
            Timekeeper::Given(clock) => return clock().max(newest),
        };
        if clock >= newest {
            self.behind = None;
            return clock;
        }
        let behind = *self.behind.get_or_insert_with(|| Behind { moment: newest, since: Instant::now() });
        behind.now(behind.since.elapsed(), newest)
    }
}

impl Behind {
    fn now(self, elapsed: Duration, newest: Timestamp) -> Timestamp {
        self.moment.after(elapsed).max(newest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn time_never_goes_back() {
        let mut time = Timekeeping::new(Timekeeper::Database);
        assert_eq!(time.moment(at(1_000), at(900)), at(1_000));
        let behind = time.moment(at(500), at(1_000));
        assert!(behind >= at(1_000), "{behind:?}");
        // Another node has written in the meantime.
        assert!(time.moment(at(501), at(60_000)) >= at(60_000));
        assert_eq!(time.moment(at(70_000), at(60_001)), at(70_000));
    }

    #[test]
    fn time_does_not_stand_still() {
        let behind = Behind { moment: at(1_000), since: Instant::now() };
        assert_eq!(behind.now(Duration::from_millis(250), at(1_000)), at(1_250));
        assert_eq!(behind.now(Duration::from_millis(250), at(2_000)), at(2_000));
    }

    #[test]
    fn a_given_clock_is_believed() {
        let mut time = Timekeeping::new(Timekeeper::Given(Arc::new(|| at(5))));
        assert_eq!(time.moment(at(1_000), at(3)), at(5));
        assert_eq!(time.moment(at(1_000), at(7)), at(7));
    }
}
