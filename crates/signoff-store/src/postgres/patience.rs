//! How long something is tried again.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::fault::Fault;

/// Whoever waits for the store hears of it by then, one way or the other.
const PATIENCE: Duration = Duration::from_secs(5);

/// So often somebody may be in the way.
const CONTENDED_AT_MOST: u32 = 8;

const SHORTEST: Duration = Duration::from_millis(10);
const LONGEST: Duration = Duration::from_millis(100);

/// What is left of it for one thing that is to be done.
pub(super) struct Patience {
    until: Instant,
    pause: Duration,
    contended: u32,
}

/// Where the server was when it was last needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Server {
    /// There: where it is gone now, it may come back in a moment.
    There,
    /// Away for longer than anybody was willing to wait: whoever asks meanwhile is told at once.
    Away,
}

impl Patience {
    pub(super) fn new() -> Self {
        Self { until: Instant::now() + PATIENCE, pause: SHORTEST, contended: 0 }
    }

    /// When it ends.
    pub(super) fn until(&self) -> Instant {
        self.until
    }

    /// Waits a little behind a fault, or says that it is one too many.
    pub(super) async fn bears(&mut self, fault: &Fault, server: Server) -> bool {
        match fault {
            Fault::Final(_) => return false,
            Fault::Contended(_) => {
                self.contended += 1;
                if self.contended > CONTENDED_AT_MOST {
                    return false;
                }
            }
            Fault::Lost(_) if server == Server::Away => return false,
            Fault::Lost(_) => {}
        }
        if Instant::now() + self.pause >= self.until {
            return false;
        }
        sleep(self.pause).await;
        self.pause = (self.pause * 2).min(LONGEST);
        true
    }
}
