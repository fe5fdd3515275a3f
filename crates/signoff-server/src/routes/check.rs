//! What would be said about an operation, for an agent that wants to know before it asks.

use axum::{Json, extract::State};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Body, InLanguage};
use crate::{
    app::Shared,
    credentials::Agent,
    problem::{Problem, WireProblem},
    wire::{operation::WireOperation, verdict::WireVerdict},
};

/// Something that an agent thinks of doing.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewCheck {
    /// What would be done.
    operation: WireOperation,
    /// Where it would run.
    cwd: String,
    /// What was asked for, in the user's words.
    #[serde(default)]
    intent: Option<String>,
}

/// Judges an operation by its text alone. Nobody is asked, nothing is kept, and nothing may run by the answer.
#[utoipa::path(
    post, path = "/v1/check", tag = "agents", security(("agent" = [])),
    request_body = NewCheck,
    responses(
        (status = 200, description = "What would be said about it.", body = WireVerdict),
        (status = "default", description = "It cannot be judged.", body = WireProblem),
    )
)]
pub(crate) async fn check(
    State(app): State<Shared>,
    Agent(requester): Agent,
    InLanguage(language): InLanguage,
    Body(NewCheck { operation, cwd, intent }): Body<NewCheck>,
) -> Result<Json<WireVerdict>, Problem> {
    let judged = app.gate.consider(&requester, operation.try_into()?, cwd, intent).await?;
    Ok(Json(WireVerdict::new(&judged, None, language)))
}
