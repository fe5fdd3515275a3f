//! Hearing of what other nodes have written. A notification is only a hint: how long the ledger is stands in its head, and is
//! read there. So neither a lost notification nor one that somebody made up does any harm.

use std::{convert::Infallible, sync::Arc, time::Duration};

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
    let heard = Arc::new(Notify::new());
    let client = session::open(config, Some(Arc::clone(&heard))).await?;
    // First this and then the look, so that nothing falls between them.
    client.batch_execute(LISTEN).await?;
    loop {
        let looked = timeout(LOOKED_WITHIN, length(&client)).await;
        publish(news, looked.map_err(|_| Fault::Lost("the database does not answer".to_owned()))??);
        *pause = SHORTEST_PAUSE;
        // Many that were heard in the meantime are one reason to look.
        tokio::select! {
            () = heard.notified() => {}
            () = sleep(LOOKED_EVERY) => {}
        }
    }
}

pub(super) async fn length(client: &Client) -> Result<u64, Fault> {
    natural(column(&client.query_typed_one(LENGTH, &[]).await?, 0)?)
}
