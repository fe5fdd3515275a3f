//! The ledger, and what happens while it happens.

use std::{
    collections::VecDeque,
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{Sse, sse},
};
use futures_core::Stream;
use serde::{Deserialize, Serialize};
use signoff_gate::ATTENDS_FOR;
use signoff_model::LedgerEntry;
use tokio::time::sleep;
use utoipa::{IntoParams, ToSchema};

use super::Asked;
use crate::{
    app::Shared,
    credentials::Person,
    limits::Held,
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
/// of the last one as `Last-Event-ID`, and misses nothing. The stream ends with the login that it was opened with.
#[utoipa::path(
    get, path = "/v1/events", tag = "people", security(("person" = [])),
    params(Behind),
    responses(
        (status = 200, description = "A stream of events, until the caller leaves or is no longer logged in.", content_type = "text/event-stream"),
        (status = "default", description = "There is no stream.", body = WireProblem),
    )
)]
pub(crate) async fn events(
    State(app): State<Shared>,
    person: Person,
    headers: HeaderMap,
    Asked(behind): Asked<Behind>,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, Infallible>>>, Problem> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok()).and_then(|text| text.parse().ok());
    let after = last.unwrap_or(behind.after);
    let held = app.streams.hold(person.by.person.as_str()).ok_or_else(Problem::too_many_held)?;
    Ok(Sse::new(Entries::new(app, person.token, after, held)).keep_alive(sse::KeepAlive::default()))
}

/// The entries behind a number, and then whatever comes, for as long as somebody is logged in.
struct Entries {
    /// None where the login has ended.
    next: Pin<Box<dyn Future<Output = Option<Vec<LedgerEntry>>> + Send>>,
    ready: VecDeque<LedgerEntry>,
    app: Shared,
    token: String,
    /// As long as there is a stream, it counts as one of the person's.
    _held: Held,
}

/// So many entries are read at once.
const AT_ONCE: u32 = 200;

/// A store that does not answer is asked again after so long.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

impl Entries {
    fn new(app: Shared, token: String, after: u64, held: Held) -> Self {
        let next = Box::pin(behind(Shared::clone(&app), token.clone(), after));
        Self { next, ready: VecDeque::new(), app, token, _held: held }
    }
}

/// What is behind a number, once there is something. None where whoever listens is no longer logged in: a logout and the end
/// of an account are in the ledger themselves, and so wake whoever waits for it on every node; time is waited for.
async fn behind(app: Shared, token: String, after: u64) -> Option<Vec<LedgerEntry>> {
    loop {
        let entries = app.store().ledger(after, AT_ONCE).await;
        // Looked at last, so that nobody hears of what came behind their login.
        let (entries, login, now) = match (entries, app.accounts().person(&token).await, app.store().now().await) {
            (Ok(entries), Ok(login), Ok(now)) => (entries, login?, now),
            // Nobody knows who it is: nothing is told, and a store that is away comes back.
            _ => {
                sleep(AGAIN_AFTER).await;
                continue;
            }
        };
        app.note_person(&login.person).await;
        if !entries.is_empty() {
            return Some(entries);
        }
        let left = u64::try_from(login.until.millis().saturating_sub(now.millis())).unwrap_or_default();
        tokio::select! {
            news = app.store().news(after) => {
                if news.is_err() {
                    sleep(AGAIN_AFTER).await;
                }
            }
            // Whoever listens is there.
            () = sleep(Duration::from_millis(left).min(ATTENDS_FOR / 2)) => {}
        }
    }
}

impl Stream for Entries {
    type Item = Result<sse::Event, Infallible>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(entry) = this.ready.pop_front() {
                let event = sse::Event::default().id(entry.number.to_string()).event("entry").data(entry.body);
                return Poll::Ready(Some(Ok(event)));
            }
            let Some(entries) = ready!(this.next.as_mut().poll(context)) else { return Poll::Ready(None) };
            let Some(last) = entries.last().map(|last| last.number) else { return Poll::Ready(None) };
            this.ready.extend(entries);
            this.next = Box::pin(behind(Shared::clone(&this.app), this.token.clone(), last));
        }
    }
}
