//! Who is on the way to a change. A store flushes the disk once for all changes that it has at that moment, so it is good for it to
//! know that more are coming.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Those who are on their way to one store.
#[derive(Clone, Debug, Default)]
pub struct Crowd(Arc<AtomicUsize>);

impl Crowd {
    /// Somebody sets out, and is one of them until what this gives is dropped.
    pub fn join(&self) -> UnderWay {
        self.0.fetch_add(1, Ordering::Relaxed);
        UnderWay(Some(self.clone()))
    }

    /// How many they are, also those whose change has arrived and is not answered yet.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Somebody who is on the way to a change.
#[derive(Debug, Default)]
#[must_use = "whoever is dropped is no longer on the way"]
pub struct UnderWay(Option<Crowd>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        if let Some(Crowd(count)) = &self.0 {
            count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_dropped_is_no_longer_on_the_way() {
        let crowd = Crowd::default();
        let (first, second) = (crowd.join(), crowd.join());
        assert_eq!(crowd.count(), 2);
        drop(first);
        assert_eq!(crowd.count(), 1);
        // Whom a store does not count leaves no trace either.
        drop(UnderWay::default());
        drop(second);
        assert_eq!(crowd.count(), 0);
    }
}
