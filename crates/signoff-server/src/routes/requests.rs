//! What agents do: ask, wait, take back.

use std::{collections::BTreeMap, time::Duration};

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use signoff_gate::{Decided, Wish, judging::Surroundings};
use signoff_model::{RequestKey, Screen};
use utoipa::{IntoParams, ToSchema};

use super::{Asked, Body, InLanguage, id};
use crate::{
    app::Shared,
    credentials::{Agent, By, LocalPeer},
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
    /// Where it would run: an absolute path, as the machine of the gateway knows it.
    cwd: String,
    /// What was asked for, in the user's words.
    #[serde(default)]
    intent: Option<String>,
    /// The variables of the environment that matter; something else at the time of running makes a yes stale.
    #[serde(default)]
    environment: BTreeMap<String, String>,
    /// The schema of the tool, for the same.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    schema: Option<Value>,
    /// Whether the agent has a screen of its own, in front of which a person sits: then the answer may hold a `number` to show there.
    #[serde(default)]
    screen: bool,
    /// What is to come after it: further steps of one plan. People see each, and their yes is one for each that is not grave, once.
    #[serde(default)]
    then: Vec<NewStep>,
}

/// A further step of a plan.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewStep {
    /// What would be done.
    operation: WireOperation,
    /// Where, if that is another directory.
    #[serde(default)]
    cwd: Option<String>,
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
    InLanguage(language): InLanguage,
    Body(request): Body<NewRequest>,
) -> Result<Response, Problem> {
    let NewRequest { key, operation, cwd, intent, environment, schema, screen, then } = request;
    let step = |step: NewStep| Ok((step.operation.try_into()?, step.cwd.unwrap_or_else(|| cwd.clone())));
    let then = then.into_iter().map(step).collect::<Result<_, Problem>>()?;
    let screen = if screen { Screen::Own } else { Screen::None };
    let key = RequestKey::new(key).map_err(|bad| Problem::wrong(format!("`key`: {bad}")))?;
    let surroundings = surroundings(environment, schema).digest();
    let operation = operation.try_into()?;
    let wish = Wish { key, requester, operation, directory: cwd, intent, surroundings, screen, then };
    Ok(match app.gate.decide(wish).await? {
        Decided::Allowed { judged, spared } => {
            Json(WireVerdict::new(&judged, None, language).spared(spared)).into_response()
        }
        Decided::LockedDown { judged, by } => {
            Json(WireVerdict::new(&judged, None, language).locked_down(&by, language)).into_response()
        }
        Decided::Blocked(judged) => Json(WireVerdict::new(&judged, None, language)).into_response(),
        Decided::Asked { judged, approval, until, owner_decides, attended, number } => {
            let verdict = WireVerdict::new(&judged, Some((approval, until, owner_decides)), language);
            let verdict = verdict.showing(number).attended(attended);
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
    peer: Option<Extension<LocalPeer>>,
    InLanguage(language): InLanguage,
    Asked(waiting): Asked<Waiting>,
) -> Result<Json<WireOutcome>, Problem> {
    let at_most = Duration::from_millis(waiting.wait_ms).min(WAIT_AT_MOST);
    // Who waits inside of the server has a connection that counts already.
    let is_inside = peer.is_some_and(|Extension(peer)| peer.by == By::Inside);
    let held = match at_most {
        Duration::ZERO => None,
        _ if is_inside => None,
        _ => Some(app.waits.hold(requester.owner.as_str()).ok_or_else(Problem::too_many_held)?),
    };
    let outcome = app.gate.wait(id(&text)?, &requester, at_most).await?;
    drop(held);
    Ok(Json(WireOutcome::told(outcome, language)))
}

/// What an agent has asked for.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireAsked {
    /// What would be done.
    operation: WireOperation,
    /// Where.
    cwd: String,
}

/// What was asked for under an id, for an agent that comes back to it.
#[utoipa::path(
    get, path = "/v1/requests/{id}/operation", tag = "agents", security(("agent" = [])),
    params(("id" = String, Path, description = "The id of the question.")),
    responses(
        (status = 200, description = "What was asked for.", body = WireAsked),
        (status = "default", description = "It is not known.", body = WireProblem),
    )
)]
pub(crate) async fn operation(
    State(app): State<Shared>,
    Agent(requester): Agent,
    Path(text): Path<String>,
) -> Result<Json<WireAsked>, Problem> {
    let question = app.gate.asked(id(&text)?, &requester).await?.question;
    Ok(Json(WireAsked { operation: (&question.operation).into(), cwd: question.directory }))
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

/// Why what was refused should be looked at once more.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reopening {
    /// The reason, in at most 2000 characters. People see it in quotation marks, below the refusal.
    reason: String,
}

/// A question that is open again.
#[derive(Serialize, ToSchema)]
pub(crate) struct Reopened {
    /// The new question: wait for it under `/v1/requests/{id}`.
    approval: String,
    /// Until when people may answer, in milliseconds since 1970.
    until: i64,
    /// The number to show, where the question before had one: it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<String>,
}

/// States a reason for what a person has refused. It becomes a new question, which a person judges; that is so once.
#[utoipa::path(
    post, path = "/v1/requests/{id}/reopen", tag = "agents", security(("agent" = [])),
    params(("id" = String, Path, description = "The id of the question that was refused.")),
    request_body = Reopening,
    responses(
        (status = 202, description = "People are asked: wait for the answer.", body = Reopened),
        (status = "default", description = "It stays refused.", body = WireProblem),
    )
)]
pub(crate) async fn reopen(
    State(app): State<Shared>,
    Agent(requester): Agent,
    Path(text): Path<String>,
    Body(Reopening { reason }): Body<Reopening>,
) -> Result<(StatusCode, Json<Reopened>), Problem> {
    let approval = app.gate.reopen(id(&text)?, &requester, &reason).await?;
    let until = approval.asked.after(approval.terms.decide_within).millis();
    let number = approval.question.number.map(|number| number.to_string());
    Ok((StatusCode::ACCEPTED, Json(Reopened { approval: approval.id.to_string(), until, number })))
}
