//! The ledger as a whole: its lines with their checkpoints, and what it adds up to.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    Json,
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse as _, Response},
};
use futures_core::Stream;
use serde::{Deserialize, Serialize};
use signoff_store::{CHECKPOINTS, Export};
use tokio::sync::mpsc;
use utoipa::{IntoParams, ToSchema};

use super::Asked;
use crate::{
    app::Shared,
    credentials::Person,
    guard::LINES,
    problem::{Problem, WireProblem},
    wire::statistics::Statistics,
};

/// So many pieces wait for a slow reader.
const AHEAD: usize = 4;

/// The whole ledger with its signed checkpoints, as lines of JSON. `signoff ledger verify` checks them without asking anybody; so
/// this reply carries no proof of its own. One that breaks off was cut.
#[utoipa::path(
    get, path = "/v1/ledger/export", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "Lines, each an entry or a checkpoint.", content_type = "application/x-ndjson"),
        (status = "default", description = "There is no export.", body = WireProblem),
    )
)]
pub(crate) async fn export(State(app): State<Shared>, _person: Person) -> Response {
    let (sender, receiver) = mpsc::channel(AHEAD);
    tokio::spawn(async move {
        let mut export = Export::new(app.store());
        loop {
            let piece = match export.next().await {
                Ok(None) => break,
                Ok(Some(lines)) => Ok(lines),
                Err(error) => Err(io::Error::other(error)),
            };
            let failed = piece.is_err();
            if sender.send(piece).await.is_err() || failed {
                break;
            }
        }
    });
    ([(header::CONTENT_TYPE, LINES)], Body::from_stream(Pieces(receiver))).into_response()
}

/// What is read of an export, as it is read.
struct Pieces(mpsc::Receiver<io::Result<String>>);

impl Stream for Pieces {
    type Item = io::Result<String>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().0.poll_recv(context)
    }
}

/// Which checkpoints.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BehindName {
    /// Those behind the one of this name.
    after: Option<String>,
    /// So many at most; 100 where nothing is said.
    limit: Option<u32>,
}

/// A signed statement of the gate about its ledger. Whoever keeps it elsewhere finds out whether the ledger was written anew.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireCheckpoint {
    /// The number of the entry that it is about, with twenty digits.
    name: String,
    /// The statement: `sgc1.…`.
    checkpoint: String,
}

/// The checkpoints of the ledger, the earliest first.
#[utoipa::path(
    get, path = "/v1/checkpoints", tag = "people", security(("person" = [])),
    params(BehindName),
    responses(
        (status = 200, description = "Checkpoints.", body = Vec<WireCheckpoint>),
        (status = "default", description = "There are none to be had.", body = WireProblem),
    )
)]
pub(crate) async fn checkpoints(
    State(app): State<Shared>,
    _person: Person,
    Asked(behind): Asked<BehindName>,
) -> Result<Json<Vec<WireCheckpoint>>, Problem> {
    let limit = behind.limit.unwrap_or(100).clamp(1, 1_000);
    let items = app.store().items(CHECKPOINTS, behind.after.as_deref(), limit).await?;
    Ok(Json(items.into_iter().map(|item| WireCheckpoint { name: item.name, checkpoint: item.text }).collect()))
}

/// The beginning of a ledger of which old entries were removed.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireBeginning {
    /// The number of the last entry that was removed, with twenty digits.
    name: String,
    /// The gate's signed word that it has: `sgb1.…`.
    beginning: String,
}

/// Where the ledger begins; null where it begins with its first entry.
#[utoipa::path(
    get, path = "/v1/ledger/beginning", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "The beginning.", body = Option<WireBeginning>),
        (status = "default", description = "It is not known.", body = WireProblem),
    )
)]
pub(crate) async fn beginning(
    State(app): State<Shared>,
    _person: Person,
) -> Result<Json<Option<WireBeginning>>, Problem> {
    let item = signoff_store::beginning(app.store()).await?;
    Ok(Json(item.map(|item| WireBeginning { name: item.name, beginning: item.text })))
}

/// What the ledger adds up to.
#[utoipa::path(
    get, path = "/v1/stats", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "Numbers.", body = Statistics),
        (status = "default", description = "There are none to be had.", body = WireProblem),
    )
)]
pub(crate) async fn statistics(State(app): State<Shared>, _person: Person) -> Result<Json<Statistics>, Problem> {
    Ok(Json(signoff_store::stats(app.store()).await?.into()))
}
