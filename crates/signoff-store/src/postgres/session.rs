//! A connection to the database.

use std::{future::poll_fn, sync::Arc, time::Duration};

use signoff_gate::StoreError;
use tokio_postgres::{AsyncMessage, Client, Config, NoTls, config::SslMode};

use super::{fault::Fault, listening::Heard};

/// A server that does not take a call by then is not there.
const CONNECTED_WITHIN: Duration = Duration::from_secs(3);

/// What is sent and not even received by then is on a connection that was cut somewhere on the way.
const RECEIVED_WITHIN: Duration = Duration::from_secs(3);

/// Where nothing is sent for so long, somebody asks whether the other side is still there.
const SILENT_AT_MOST: Duration = Duration::from_secs(10);

/// What every session begins with.
///
/// - Names are looked up where nobody but the administrator can put anything.
/// - A row that a policy of the database would hide is an error, and never a row that is not there.
/// - A node that is stopped, or cut off, in the middle of a change holds up all others: the server ends its session, and does
///   so sooner than others lose their patience.
/// - What was told to be kept is on the disk, even where the server's own configuration is content with less.
const SETTINGS: &str = "
    SET search_path = pg_catalog;
    SET row_security = off;
    SET jit = off;
    SET lock_timeout = '5s';
    SET idle_in_transaction_session_timeout = '2s';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
";

/// What a session begins with that only ever goes straight to rows by their keys: each statement is planned once, and that way,
/// whatever the values are and however small the tables were at the time. Otherwise planning takes longer than doing.
const BY_KEYS: &str = "
    SET plan_cache_mode = force_generic_plan;
    SET enable_seqscan = off;
    SET enable_hashjoin = off;
    SET enable_mergejoin = off;
";

/// Where the database is, from a URL. What is wrong with one is not quoted: there may be a password in it.
pub(super) fn address(url: &str) -> Result<Config, StoreError> {
    let unreadable = |_| StoreError::Unavailable("the address of the database cannot be read".to_owned());
    let mut config: Config = url.parse().map_err(unreadable)?;
    if config.get_ssl_mode() == SslMode::Require {
        let text = "the address of the database wants TLS, which is not supported yet";
        return Err(StoreError::Unavailable(text.to_owned()));
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECTED_WITHIN);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(RECEIVED_WITHIN);
    }
    config.keepalives_idle(config.get_keepalives_idle().min(SILENT_AT_MOST));
    if config.get_application_name().is_none() {
        config.application_name("signoff");
    }
    Ok(config)
}

/// Opens a session. `heard` is told of each notification, and once more when the session has ended.
pub(super) async fn open(config: &Config, heard: Option<Arc<Heard>>) -> Result<Client, Fault> {
    let (client, mut connection) = config.connect(NoTls).await?;
    tokio::spawn(async move {
        // What the connection ends with is told to whoever waits for an answer on it.
        while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
            if let (AsyncMessage::Notification(notification), Some(heard)) = (&message, &heard) {
                heard.of(notification.payload());
            }
        }
        if let Some(heard) = heard {
            heard.of_end();
        }
    });
    client.batch_execute(SETTINGS).await?;
    Ok(client)
}

/// Opens a session for statements that are prepared once and find rows by their keys.
pub(super) async fn open_for_keys(config: &Config) -> Result<Client, Fault> {
    let client = open(config, None).await?;
    client.batch_execute(BY_KEYS).await?;
    Ok(client)
}
