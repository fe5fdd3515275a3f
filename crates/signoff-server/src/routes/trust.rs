//! How far people trust which agents where.

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::Serialize;
use signoff_gate::Trusted;
use utoipa::ToSchema;

use crate::{
    app::Shared,
    credentials::Person,
    problem::{Problem, WireProblem},
};

/// How far somebody trusts an agent in a project.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireTrust {
    /// What it is called.
    id: String,
    /// Who.
    person: String,
    /// Whom.
    agent: String,
    /// Where.
    project: String,
    /// How far, in thousandths.
    score: u16,
    /// When it changed last, in milliseconds since 1970.
    at: i64,
}

impl From<Trusted> for WireTrust {
    fn from(trusted: Trusted) -> Self {
        Self {
            id: trusted.id(),
            person: trusted.owner.to_string(),
            agent: trusted.agent.to_string(),
            project: trusted.project,
            score: trusted.score.thousandths(),
            at: trusted.at.millis(),
        }
    }
}

/// Lists how far people trust which agents where.
#[utoipa::path(
    get, path = "/v1/trust", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "The scores that differ from where everybody starts, or did.", body = Vec<WireTrust>),
        (status = "default", description = "There is no list.", body = WireProblem),
    )
)]
pub(crate) async fn list(State(app): State<Shared>, _person: Person) -> Result<Json<Vec<WireTrust>>, Problem> {
    Ok(Json(app.gate.trusted().await?.into_iter().map(WireTrust::from).collect()))
}

/// Begins anew with an agent in a project. Only the person whose trust it is can do that.
#[utoipa::path(
    delete, path = "/v1/trust/{id}", tag = "people", security(("person" = [])),
    params(("id" = String, Path, description = "What it is called.")),
    responses(
        (status = 204, description = "The agent starts there as everybody does."),
        (status = "default", description = "It stands as it was.", body = WireProblem),
    )
)]
pub(crate) async fn forget(
    State(app): State<Shared>,
    person: Person,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    app.gate.forget_trust(&id, person.by).await?;
    Ok(StatusCode::NO_CONTENT)
}
