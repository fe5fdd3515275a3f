//! How much a writer has done.

use std::sync::atomic::{AtomicU64, Ordering};

use signoff_gate::Work;

/// What a writer counts while others look.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    jobs: AtomicU64,
    changes: AtomicU64,
    flushes: AtomicU64,
}

impl Counted {
    /// So many jobs were answered for, so many of which have written something. Where none has, the disk was left alone.
    pub(crate) fn add(&self, jobs: usize, changes: usize) {
        let count = |counter: &AtomicU64, more| counter.fetch_add(more, Ordering::Relaxed);
        count(&self.jobs, u64::try_from(jobs).unwrap_or_default());
        count(&self.changes, u64::try_from(changes).unwrap_or_default());
        count(&self.flushes, u64::from(changes > 0));
    }

    pub(crate) fn work(&self) -> Work {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Work { jobs: read(&self.jobs), changes: read(&self.changes), flushes: read(&self.flushes) }
    }
}
