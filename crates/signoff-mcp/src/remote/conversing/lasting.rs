//! What outlasts one request: a stream that broke off and is taken up again, a session that is begun anew, and what the server says by itself.

use std::{sync::Arc, time::Duration};

use http::{HeaderValue, Method, header};
use hyper::body::Bytes;
use tokio::time::sleep;

use super::{
    super::{
        answers::{Ask, From},
        head::Head,
    },
    Heard, LAST_EVENT, Lost, RETRY_AT_MOST, Remote, SESSION, Said, UNREACHED,
};

/// So long a stream that broke off waits until it is taken up again, where the server says nothing else.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// So often a stream is taken up again that says nothing more.
const RETRIES_AT_MOST: u32 = 5;

impl Remote {
    /// Takes a stream up again that broke off before the answer, where the server has said how.
    pub(super) async fn take_up(self: &Arc<Self>, ask: &Ask, said: &Said, mut heard: Heard) -> Result<(), Lost> {
        let mut tries = 0;
        while self.state().open.waits(ask) && said.head.version.is_none() && tries < RETRIES_AT_MOST {
            let Some(last) = &heard.last else { return Ok(()) };
            let Ok(last) = HeaderValue::from_str(last) else { return Ok(()) };
            sleep(heard.retry.unwrap_or(RETRY_AFTER)).await;
            let mut headers = self.of_session();
            headers.push((LAST_EVENT, last));
            tries += 1;
            heard.anything = false;
            let Ok(response) = self.line.request(Method::GET, &headers, Bytes::new()).await else { continue };
            if !response.status().is_success() {
                return Ok(());
            }
            // What breaks off again is taken up again.
            let _ = self.take(response, said, From::Request(ask), &mut heard).await;
            if heard.anything {
                tries = 0;
            }
        }
        Ok(())
    }

    /// Begins a session anew that the server has forgotten, as its client has begun it.
    pub(super) async fn begin_again(self: &Arc<Self>, gone: &HeaderValue) -> Result<(), Lost> {
        let lost = || Lost { code: UNREACHED, words: "the server has ended the session".to_owned() };
        let _turn = self.renewing.lock().await;
        if self.state().session.as_ref() != Some(gone) {
            return Ok(());
        }
        let body = self.state().hello.clone().ok_or_else(lost)?;
        let hello = Said { head: Head::default(), body, is_hello: true, is_discovery: false };
        let response = self.post(&hello).await?;
        let session = response.headers().get(SESSION).cloned().filter(|_| response.status().is_success());
        let session = session.ok_or_else(lost)?;
        // What it says to that was said to the client before.
        drop(response);
        self.state().session = Some(session);
        let body = Bytes::from_static(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        self.post(&Said { head: Head::default(), body, is_hello: false, is_discovery: false }).await?;
        self.begin_to_listen();
        Ok(())
    }

    /// Listens to what the server says by itself.
    pub(super) fn begin_to_listen(self: &Arc<Self>) {
        let remote = Arc::clone(self);
        let listening = tokio::spawn(async move { remote.listen().await });
        if let Some(before) = self.state().listening.replace(listening) {
            before.abort();
        }
    }

    async fn listen(self: &Arc<Self>) {
        let mut heard = Heard::default();
        let mut pause = RETRY_AFTER;
        loop {
            let mut headers = self.of_session();
            headers
                .extend(heard.last.as_deref().and_then(|last| Some((LAST_EVENT, HeaderValue::from_str(last).ok()?))));
            heard.anything = false;
            if let Ok(response) = self.line.request(Method::GET, &headers, Bytes::new()).await {
                let of_kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
                let has_events = of_kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
                // It says nothing by itself, or knows the session no more.
                if !response.status().is_success() || !has_events {
                    return;
                }
                let _ = self.events(response.into_body(), From::Stream, &mut heard).await;
            }
            pause = if heard.anything { RETRY_AFTER } else { pause.saturating_mul(2).min(RETRY_AT_MOST) };
            sleep(heard.retry.unwrap_or(RETRY_AFTER).max(pause)).await;
        }
    }
}
