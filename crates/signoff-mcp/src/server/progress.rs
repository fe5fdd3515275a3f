//! A call that takes its time: its client hears that somebody is still at it, and ends it if it likes.

use std::time::Duration;

use rmcp::{
    RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::RequestContext,
};
use tokio::time::{Instant, interval_at};

/// How often a client hears of it.
const EVERY: Duration = Duration::from_secs(3);

/// The client has taken its call back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cancelled;

/// Does something, and says meanwhile what is waited for, where the client wants to hear that.
pub(super) async fn meanwhile<T>(
    context: &RequestContext<RoleServer>,
    words: &str,
    work: impl Future<Output = T>,
) -> Result<T, Cancelled> {
    tokio::pin!(work);
    let token = context.meta.get_progress_token();
    let mut beat = interval_at(Instant::now() + EVERY, EVERY);
    let mut beats: u32 = 0;
    loop {
        tokio::select! {
            biased;
            () = context.ct.cancelled() => return Err(Cancelled),
            done = &mut work => return Ok(done),
            _ = beat.tick() => {
                beats = beats.saturating_add(1);
                if let Some(token) = &token {
                    tell(context, token.clone(), beats, words).await;
                }
            }
        }
    }
}

async fn tell(context: &RequestContext<RoleServer>, token: ProgressToken, beats: u32, words: &str) {
    let told = ProgressNotificationParam::new(token, f64::from(beats)).with_message(words);
    // Whoever does not hear it gets the answer all the same.
    let _ = context.peer.notify_progress(told).await;
}
