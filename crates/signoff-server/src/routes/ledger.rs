//! The ledger, and what happens while it happens.

use std::convert::Infallible;

use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{Sse, sse},
};
use futures_core::Stream;
use serde::{Deserialize, Serialize};
use signoff_model::LedgerEntry;
use utoipa::{IntoParams, ToSchema};

use super::Asked;
use crate::{
    app::Shared,
    credentials::Person,
    problem::{Problem, WireProblem},
};

/// Which part of the ledger.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Behind {
    /// The entries behind this one.
    #[serde(default)]
    after: u64,
    /// So many at most; 100 where nothing is said.
    limit: Option<u32>,
    /// Instead of those behind one, so many at its end.
    last: Option<u32>,
}

/// One line of the ledger.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireEntry {
    /// Its place, from one on, without a gap.
    number: u64,
    /// When, in milliseconds since 1970.
    at: i64,
    /// The question that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<String>,
    /// What happened, as the exact text that is part of the digest.
    body: String,
    /// The digest of this entry and, by that, of all before it.
    digest: String,
}

impl From<LedgerEntry> for WireEntry {
    fn from(entry: LedgerEntry) -> Self {
        Self {
            number: entry.number,
            at: entry.at.millis(),
            approval: entry.approval.map(|id| id.to_string()),
            body: entry.body,
            digest: entry.digest.to_string(),
        }
    }
}

/// Reads the ledger.
#[utoipa::path(
    get, path = "/v1/ledger", tag = "people", security(("person" = [])),
    params(Behind),
    responses(
        (status = 200, description = "Entries, the earliest first.", body = Vec<WireEntry>),
        (status = "default", description = "There are none to be had.", body = WireProblem),
    )
)]
pub(crate) async fn read(
    State(app): State<Shared>,
    _person: Person,
    Asked(behind): Asked<Behind>,
) -> Result<Json<Vec<WireEntry>>, Problem> {
    let (after, limit) = match behind.last {
        None => (behind.after, behind.limit.unwrap_or(100).clamp(1, 1_000)),
        Some(last) => {
            let last = last.clamp(1, 1_000);
            (signoff_store::length(app.store()).await?.saturating_sub(u64::from(last)), last)
        }
    };
    let entries = app.store().ledger(after, limit).await?;
    Ok(Json(entries.into_iter().map(WireEntry::from).collect()))
}

/// What happens, while it happens: each entry of the ledger as an event with its number. Whoever was cut off sends the number
/// of the last one as `Last-Event-ID`, and misses nothing.
#[utoipa::path(
    get, path = "/v1/events", tag = "people", security(("person" = [])),
    params(Behind),
    responses(
        (status = 200, description = "A stream of events, until the caller leaves.", content_type = "text/event-stream"),
        (status = "default", description = "There is no stream.", body = WireProblem),
    )
)]
pub(crate) async fn events(
    State(app): State<Shared>,
    _person: Person,
    headers: HeaderMap,
    Asked(behind): Asked<Behind>,
) -> Sse<impl Stream<Item = Result<sse::Event, Infallible>>> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok()).and_then(|text| text.parse().ok());
    let after = last.unwrap_or(behind.after);
    Sse::new(Entries::new(app, after)).keep_alive(sse::KeepAlive::default())
}

/// The entries behind a number, and then whatever comes.
struct Entries {
    next: std::pin::Pin<Box<dyn Future<Output = (Vec<LedgerEntry>, u64)> + Send>>,
    ready: std::collections::VecDeque<LedgerEntry>,
    app: Shared,
}

/// So many entries are read at once.
const AT_ONCE: u32 = 200;

impl Entries {
    fn new(app: Shared, after: u64) -> Self {
        Self { next: Box::pin(behind(Shared::clone(&app), after)), ready: std::collections::VecDeque::new(), app }
    }
}

async fn behind(app: Shared, after: u64) -> (Vec<LedgerEntry>, u64) {
    loop {
        let entries = app.store().ledger(after, AT_ONCE).await.unwrap_or_default();
        if let Some(last) = entries.last().map(|last| last.number) {
            return (entries, last);
        }
        // A store that is away comes back, or the server ends.
        if app.store().news(after).await.is_err() {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
    }
}

impl Stream for Entries {
    type Item = Result<sse::Event, Infallible>;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        use std::task::{Poll, ready};
        let this = self.get_mut();
        loop {
            if let Some(entry) = this.ready.pop_front() {
                let event = sse::Event::default().id(entry.number.to_string()).event("entry").data(entry.body);
                return Poll::Ready(Some(Ok(event)));
            }
            let (entries, last) = ready!(this.next.as_mut().poll(context));
            this.ready.extend(entries);
            this.next = Box::pin(behind(Shared::clone(&this.app), last));
        }
    }
}
