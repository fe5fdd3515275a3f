//! The policy that counts. No route changes it.

use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Asked;
use crate::{
    app::Shared,
    credentials::Person,
    problem::{Problem, WireProblem},
    wire::setting::Setting,
};

/// Where the policy is looked up.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct WhichPolicy {
    /// The root of a project; without it, what counts everywhere.
    project: Option<String>,
}

/// The policy that counts now.
#[derive(Serialize, ToSchema)]
pub(crate) struct WirePolicy {
    /// What tells it from every other one. Permits are bound to it.
    digest: String,
    /// Its settings.
    settings: Vec<Setting>,
}

/// Tells the policy that counts. It is changed in its files, by people, and by no route.
#[utoipa::path(
    get, path = "/v1/policy", tag = "people", security(("person" = [])),
    params(WhichPolicy),
    responses(
        (status = 200, description = "The policy.", body = WirePolicy),
        (status = "default", description = "It cannot be read, and that is not the same as none.", body = WireProblem),
    )
)]
pub(crate) async fn show(
    State(app): State<Shared>,
    _person: Person,
    Asked(WhichPolicy { project }): Asked<WhichPolicy>,
) -> Result<Json<WirePolicy>, Problem> {
    let policy = app.gate.policy(project).await?;
    let settings = policy.settings.explain().into_iter().map(Setting::from);
    Ok(Json(WirePolicy { digest: policy.digest().to_string(), settings: settings.collect() }))
}
