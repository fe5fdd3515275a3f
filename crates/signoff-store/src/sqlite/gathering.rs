//! What goes into one transaction: what is there, and what is about to come while others are on their way. A flush takes as long
//! for ten changes as for one, and the processor time that it costs as well.

use std::{
    thread,
    time::{Duration, Instant},
};

use signoff_gate::Crowd;
use tokio::sync::mpsc;

use super::writer::Job;

/// So many changes share one flush at most.
const TOGETHER_AT_MOST: usize = 256;

/// Whoever waits for a flush waits for so many others that are on their way. Fewer are not worth the wait, and whoever is alone
/// never waits.
const COMPANY: usize = 4;

/// Nobody waits longer for others than this.
const PATIENCE: Duration = Duration::from_micros(400);

/// So often it is looked whether they have come.
const GLANCE: Duration = Duration::from_micros(100);

/// The jobs for the writer, as they gather.
pub(super) struct Gathering {
    jobs: mpsc::Receiver<Job>,
    crowd: Crowd,
}

impl Gathering {
    pub(super) const fn new(jobs: mpsc::Receiver<Job>, crowd: Crowd) -> Self {
        Self { jobs, crowd }
    }

    /// Waits for a job, and gives it with those that share its flush. None when nobody can bring anything any more.
    pub(super) fn next(&mut self) -> Option<Vec<Job>> {
        let mut together = vec![self.jobs.blocking_recv()?];
        self.take_what_comes(&mut together);
        if self.is_company_on_its_way(&together) {
            let until = Instant::now() + PATIENCE;
            while self.is_company_on_its_way(&together) && Instant::now() < until {
                thread::sleep(GLANCE);
                self.take(&mut together);
            }
        }
        Some(together)
    }

    /// Takes what others bring, for as long as they do. Whoever is about to bring something gets the processor first; where nobody
    /// is, that takes no time.
    fn take_what_comes(&mut self, together: &mut Vec<Job>) {
        loop {
            thread::yield_now();
            let before = together.len();
            self.take(together);
            if together.len() == before || together.len() == TOGETHER_AT_MOST {
                return;
            }
        }
    }

    /// Takes what is there.
    fn take(&mut self, together: &mut Vec<Job>) {
        while together.len() < TOGETHER_AT_MOST
            && let Ok(next) = self.jobs.try_recv()
        {
            together.push(next);
        }
    }

    /// Whether enough others are on their way. Those whose change is here are counted among the crowd as well.
    fn is_company_on_its_way(&self, together: &[Job]) -> bool {
        together.len() < TOGETHER_AT_MOST && self.crowd.count().saturating_sub(together.len()) >= COMPANY
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    fn tick() -> Job {
        Job::Tick(1, oneshot::channel().0)
    }

    /// Whoever is alone is never made to wait, nor are a few; those who have come are not waited for.
    #[test]
    fn only_a_crowd_is_waited_for() {
        for (under_way, here, expected) in [
            (0, 1, false),
            (1, 1, false),
            (COMPANY, 1, false),
            (COMPANY + 1, 1, true),
            (COMPANY + 1, 2, false),
            (2 * COMPANY, COMPANY, true),
            (2 * COMPANY, 2 * COMPANY, false),
            // Some bring a change who have told nobody that they would.
            (1, 2 * COMPANY, false),
            (10 * TOGETHER_AT_MOST, TOGETHER_AT_MOST, false),
        ] {
            let crowd = Crowd::default();
            let _others: Vec<_> = (0..under_way).map(|_| crowd.join()).collect();
            let gathering = Gathering::new(mpsc::channel(1).1, crowd);
            let together: Vec<Job> = (0..here).map(|_| tick()).collect();
            assert_eq!(gathering.is_company_on_its_way(&together), expected, "{under_way} {here}");
        }
    }

    /// Those who never come are not waited for without end, and nothing is left behind or taken twice.
    #[test]
    fn what_is_there_goes_together() {
        let crowd = Crowd::default();
        let _never_come: Vec<_> = (0..4 * TOGETHER_AT_MOST).map(|_| crowd.join()).collect();
        let (jobs, received) = mpsc::channel(2 * TOGETHER_AT_MOST);
        for _ in 0..TOGETHER_AT_MOST + 3 {
            assert!(jobs.try_send(tick()).is_ok());
        }
        drop(jobs);
        let mut gathering = Gathering::new(received, crowd);
        let mut lengths = std::iter::from_fn(|| gathering.next()).map(|together| together.len());
        assert_eq!(lengths.by_ref().collect::<Vec<_>>(), [TOGETHER_AT_MOST, 3]);
    }
}
