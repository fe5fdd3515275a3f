//! What executors do: use a permit, and say what became of it.

use std::collections::BTreeMap;

use axum::{Json, extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use signoff_model::{Digest, Report};
use utoipa::ToSchema;

use super::{Body, InLanguage, requests::surroundings};
use crate::{
    app::Shared,
    credentials::Agent,
    problem::{Problem, WireProblem},
    wire::names::MannerName,
};

/// Somebody who wants to run what was approved.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Redemption {
    /// The permit.
    permit: String,
    /// 64 hexadecimal digits out of the executor's own randomness: who did not hear the answer tries again with the same.
    attempt: String,
    /// The variables of the environment that matter, as they are now.
    #[serde(default)]
    environment: BTreeMap<String, String>,
    /// The schema of the tool, as it is now.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    schema: Option<Value>,
}

/// It may run, now and once.
#[derive(Serialize, ToSchema)]
pub(crate) struct Redeemed {
    /// as-shown, or back-up-first.
    manner: MannerName,
}

/// Uses a permit. Everything is looked at once more; after a 200 the executor runs what was approved, once.
#[utoipa::path(
    post, path = "/v1/permits/redeem", tag = "agents", security(("agent" = [])),
    request_body = Redemption,
    responses(
        (status = 200, description = "Run it, once, in this manner.", body = Redeemed),
        (status = "default", description = "Nothing may run.", body = WireProblem),
    )
)]
pub(crate) async fn redeem(
    State(app): State<Shared>,
    Agent(requester): Agent,
    InLanguage(language): InLanguage,
    Body(redemption): Body<Redemption>,
) -> Result<Json<Redeemed>, Problem> {
    let Redemption { permit, attempt, environment, schema } = redemption;
    let attempt =
        Digest::parse(&attempt).ok_or_else(|| Problem::wrong("`attempt` must be 64 small hexadecimal digits"))?;
    let surroundings = surroundings(environment, schema).digest();
    let redeemed = app.gate.redeem(&permit, requester, attempt, surroundings).await;
    let manner = redeemed.map_err(|error| Problem::told(error, language))?;
    Ok(Json(Redeemed { manner: manner.into() }))
}

/// What became of something that was run.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireReport {
    /// The permit that was redeemed.
    permit: String,
    /// Whether it ended well.
    success: bool,
    /// What there is to say about a failure.
    #[serde(default)]
    words: String,
}

/// Says what became of something that was run.
#[utoipa::path(
    post, path = "/v1/permits/report", tag = "agents", security(("agent" = [])),
    request_body = WireReport,
    responses(
        (status = 204, description = "It is known now."),
        (status = "default", description = "It is not known.", body = WireProblem),
    )
)]
pub(crate) async fn report(
    State(app): State<Shared>,
    Agent(requester): Agent,
    Body(report): Body<WireReport>,
) -> Result<StatusCode, Problem> {
    let WireReport { permit, success, words } = report;
    let report = if success { Report::Executed } else { Report::Failed(words) };
    app.gate.report(&permit, requester, report).await?;
    Ok(StatusCode::NO_CONTENT)
}
