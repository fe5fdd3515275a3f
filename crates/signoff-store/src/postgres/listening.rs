//! Hearing of what other nodes have written. A notification is only a hint: how long the ledger is stands in its head, and is
//! read there. So neither a lost notification nor one that somebody made up does any harm.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Notify, watch},
    time::{sleep, timeout},
};
use tokio_postgres::{Client, Config};

use super::{
    fault::Fault,
    session,
    transaction::{column, natural},
};

/// The channel that a transaction which adds to the ledger notifies.
const LISTEN: &str = "LISTEN signoff_ledger";

/// So often somebody looks, even if nothing was heard: a connection that was cut somewhere on the way says nothing.
const LOOKED_EVERY: Duration = Duration::from_secs(5);

/// A look that takes longer was on a connection that is gone.
const LOOKED_WITHIN: Duration = Duration::from_secs(5);

const SHORTEST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// How long the ledger is.
const LENGTH: &str = "SELECT number FROM signoff.head";

/// Says how long the ledger is, to whoever waits for that here. It never becomes shorter: what was read before something was
/// committed here may be told behind it.
pub(super) fn publish(news: &watch::Sender<u64>, number: u64) {
    news.send_if_modified(|known| {
        let longer = number > *known;
        *known = number.max(*known);
        longer
    });
}

/// What was heard and not looked into yet.
#[derive(Debug, Default)]
pub(super) struct Heard {
    bell: Notify,
    /// How long the ledger is said to be.
    length: AtomicU64,
}

impl Heard {
    /// A notification says how long the ledger is. One that does not is a reason to look.
    pub(super) fn of(&self, payload: &str) {
        self.length.fetch_max(payload.parse().unwrap_or(u64::MAX), Ordering::Relaxed);
        self.bell.notify_one();
    }

    /// There is nothing more to be heard, which shows when somebody looks.
    pub(super) fn of_end(&self) {
        self.length.store(u64::MAX, Ordering::Relaxed);
        self.bell.notify_one();
    }

    /// Waits until the ledger is said to be longer than is known: what this node has written itself is no reason to look.
    async fn of_more_than(&self, news: &watch::Sender<u64>) {
        loop {
            self.bell.notified().await;
            if self.length.swap(0, Ordering::Relaxed) > *news.borrow() {
                return;
            }
        }
    }
}

/// Listens until nobody can want to know any more.
pub(super) async fn listen(config: Config, news: Arc<watch::Sender<u64>>) {
    let mut pause = SHORTEST_PAUSE;
    let listening = async {
        loop {
            // However it ends, whatever was missed is read again once there is another connection.
            let Err(_) = hear(&config, &news, &mut pause).await;
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    };
    tokio::select! {
        () = news.closed() => {}
        () = listening => {}
    }
}

/// Listens on one connection as long as there is one.
async fn hear(config: &Config, news: &watch::Sender<u64>, pause: &mut Duration) -> Result<Infallible, Fault> {
    let heard = Arc::new(Heard::default());
    let client = session::open(config, Some(Arc::clone(&heard))).await?;
    // First this and then the look, so that nothing falls between them.
    client.batch_execute(LISTEN).await?;
    loop {
        let looked = timeout(LOOKED_WITHIN, length(&client)).await;
        publish(news, looked.map_err(|_| Fault::Lost("the database does not answer".to_owned()))??);
        *pause = SHORTEST_PAUSE;
        // Many that were heard in the meantime are one reason to look.
        tokio::select! {
            () = heard.of_more_than(news) => {}
            () = sleep(LOOKED_EVERY) => {}
        }
    }
}

pub(super) async fn length(client: &Client) -> Result<u64, Fault> {
    natural(column(&client.query_typed_one(LENGTH, &[]).await?, 0)?)
}
