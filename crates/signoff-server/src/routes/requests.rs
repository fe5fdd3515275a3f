//! What agents do: ask, wait, take back.

use std::{collections::BTreeMap, time::Duration};

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use serde::Deserialize;
use serde_json::Value;
use signoff_gate::{Decided, Wish, judging::Surroundings};
use signoff_model::{RequestKey, Sight};
use utoipa::{IntoParams, ToSchema};

use super::{Asked, Body, id};
use crate::{
    app::Shared,
    credentials::Agent,
    problem::{Problem, WireProblem},
    wire::{
        operation::WireOperation,
        verdict::{WireOutcome, WireVerdict},
    },
};

/// So long a reply is held at most: longer, and something on the way gives up first.
const WAIT_AT_MOST: Duration = Duration::from_secs(60);

/// Something that an agent wants to do.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRequest {
    /// What the agent calls this request. The same key in the same session finds the same question again.
    key: String,
    /// What would be done.
    operation: WireOperation,
    /// Where it would run.
    cwd: String,
    /// What was asked for, in the user's words.
    #[serde(default)]
    intent: Option<String>,
    /// What is looked at beside the text: `local` for the file system that this server sees, `none` for the text alone.
    #[serde(default)]
    facts: Option<String>,
    /// The variables of the environment that matter; something else at the time of running makes a yes stale.
    #[serde(default)]
    environment: BTreeMap<String, String>,
    /// The schema of the tool, for the same.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    schema: Option<Value>,
}

pub(crate) fn surroundings(environment: BTreeMap<String, String>, schema: Option<Value>) -> Surroundings {
    Surroundings { environment, schema: schema.map(|schema| schema.to_string()) }
}

/// Asks for something to be done. The answer is a verdict at once, or the id of a question to people.
#[utoipa::path(
    post, path = "/v1/requests", tag = "agents", security(("agent" = [])),
    request_body = NewRequest,
    responses(
        (status = 200, description = "It may run (`allow`), or must not (`block`).", body = WireVerdict),
        (status = 202, description = "People are asked: wait for the answer.", body = WireVerdict),
        (status = "default", description = "Nothing was decided, and nothing may run.", body = WireProblem),
    )
)]
pub(crate) async fn create(
    State(app): State<Shared>,
    Agent(requester): Agent,
    Body(request): Body<NewRequest>,
) -> Result<Response, Problem> {
    let NewRequest { key, operation, cwd, intent, facts, environment, schema } = request;
    let key = RequestKey::new(key).map_err(|bad| Problem::wrong(format!("`key`: {bad}")))?;
    let sight = match facts {
        None => Sight::Local,
        Some(name) => Sight::from_name(&name).ok_or_else(|| Problem::wrong("`facts` must be one of local, none"))?,
    };
    let surroundings = surroundings(environment, schema).digest();
    let operation = operation.try_into()?;
    let wish = Wish { key, requester, operation, directory: cwd, sight, intent, surroundings };
    Ok(match app.gate.decide(wish).await? {
        Decided::Allowed { judged, grant } => Json(WireVerdict::new(&judged, None).by(grant)).into_response(),
        Decided::Blocked(judged) => Json(WireVerdict::new(&judged, None)).into_response(),
        Decided::Asked { judged, approval, until, owner_decides } => {
            let verdict = WireVerdict::new(&judged, Some((approval, until, owner_decides)));
            (StatusCode::ACCEPTED, Json(verdict)).into_response()
        }
    })
}

/// How long to wait.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Waiting {
    /// So many milliseconds at most; without it the answer comes at once.
    #[serde(default)]
    wait_ms: u64,
}

/// What has become of a question. With `wait_ms` the reply is held until somebody decides.
#[utoipa::path(
    get, path = "/v1/requests/{id}", tag = "agents", security(("agent" = [])),
    params(("id" = String, Path, description = "The id of the question."), Waiting),
    responses(
        (status = 200, description = "What has become of it.", body = WireOutcome),
        (status = "default", description = "It is not known.", body = WireProblem),
    )
)]
pub(crate) async fn wait(
    State(app): State<Shared>,
    Agent(requester): Agent,
    Path(text): Path<String>,
    Asked(waiting): Asked<Waiting>,
) -> Result<Json<WireOutcome>, Problem> {
    let at_most = Duration::from_millis(waiting.wait_ms).min(WAIT_AT_MOST);
    Ok(Json(app.gate.wait(id(&text)?, &requester, at_most).await?.into()))
}

/// Why a question is taken back.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Withdrawal {
    /// For the ledger: it was answered elsewhere, or is no longer wanted.
    #[serde(default)]
    words: String,
}

/// Takes a question back.
#[utoipa::path(
    post, path = "/v1/requests/{id}/withdraw", tag = "agents", security(("agent" = [])),
    params(("id" = String, Path, description = "The id of the question.")),
    request_body = Withdrawal,
    responses(
        (status = 204, description = "Nobody is asked any more."),
        (status = "default", description = "It stands as it was.", body = WireProblem),
    )
)]
pub(crate) async fn withdraw(
    State(app): State<Shared>,
    Agent(requester): Agent,
    Path(text): Path<String>,
    Body(Withdrawal { words }): Body<Withdrawal>,
) -> Result<StatusCode, Problem> {
    app.gate.withdraw(id(&text)?, requester, words).await?;
    Ok(StatusCode::NO_CONTENT)
}
