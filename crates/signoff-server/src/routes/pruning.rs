//! Old entries of the ledger, removed by a person.

use std::time::Duration;

use axum::{Json, extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use signoff_model::Actor;
use signoff_store::{LedgerError, prune};
use utoipa::ToSchema;

use super::Body;
use crate::{
    app::Shared,
    credentials::Administrator,
    problem::{Problem, WireProblem},
};

/// Nothing younger goes, whoever wants it: what happened today can be looked up today.
const AT_LEAST: Duration = Duration::from_secs(24 * 60 * 60);

/// What is to go.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPruning {
    /// Entries that are older, a day at least and no less than `ledger.retention`.
    older_than_seconds: u64,
}

/// What is gone.
#[derive(Serialize, ToSchema)]
pub(crate) struct WirePruned {
    /// The number of the first entry that was removed.
    from: u64,
    /// The number of the last one.
    to: u64,
}

/// Removes, for an administrator, old entries up to a signed checkpoint, which is the beginning of the ledger from then on. The ledger says who has
/// done it. What is about an open question stays, with everything behind it.
#[utoipa::path(
    post, path = "/v1/ledger/prune", tag = "people", security(("person" = [])),
    request_body = NewPruning,
    responses(
        (status = 200, description = "What is gone; null where nothing was as old as that.", body = Option<WirePruned>),
        (status = "default", description = "Everything is still there.", body = WireProblem),
    )
)]
pub(crate) async fn create(
    State(app): State<Shared>,
    Administrator(person): Administrator,
    Body(NewPruning { older_than_seconds }): Body<NewPruning>,
) -> Result<Json<Option<WirePruned>>, Problem> {
    let older_than = Duration::from_secs(older_than_seconds);
    let kept = app.gate.policy(None).await?.settings.ledger.retention.value;
    let at_least = kept.unwrap_or(AT_LEAST).max(AT_LEAST);
    if older_than < at_least {
        let days = at_least.as_secs().div_ceil(AT_LEAST.as_secs());
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "kept",
            format!("entries are kept for {days} days at least (`ledger.retention`, and a day where it is not set)"),
        ));
    }
    let pruned = prune(app.store(), app.gate.issuer(), older_than, &Actor::Person(person.by)).await;
    let pruned = pruned.map_err(|error| match error {
        LedgerError::Store(error) => error.into(),
        broken => Problem::new(StatusCode::CONFLICT, "broken-ledger", broken.to_string()),
    })?;
    Ok(Json(pruned.map(|pruned| WirePruned { from: pruned.from, to: pruned.up_to.number })))
}
