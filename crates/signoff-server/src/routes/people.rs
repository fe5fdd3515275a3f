//! Accounts: logging in and out, invitations, and the keys of agents.

use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use serde::{Deserialize, Serialize};
use signoff_model::{Actor, AgentId, PersonId};
use utoipa::ToSchema;

use super::Body;
use crate::{
    app::Shared,
    credentials::{COOKIE, Person, problem},
    problem::{Problem, WireProblem},
};

/// Somebody who wants to log in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogIn {
    /// The name.
    person: String,
    /// The password.
    password: String,
}

/// A login. A page keeps the cookie; a program sends the token along.
#[derive(Serialize, ToSchema)]
pub(crate) struct Login {
    /// The token, for `Authorization: Bearer`.
    token: String,
    /// What a page sends along with every change, as `signoff-csrf`.
    csrf: String,
}

/// Logs in.
#[utoipa::path(
    post, path = "/v1/login", tag = "people",
    request_body = LogIn,
    responses(
        (status = 200, description = "Logged in.", body = Login),
        (status = "default", description = "Not logged in.", body = WireProblem),
    )
)]
pub(crate) async fn log_in(State(app): State<Shared>, Body(wanted): Body<LogIn>) -> Result<Response, Problem> {
    if !app.log_ins.may(&wanted.person) || !app.log_ins.may_all() {
        return Err(Problem::too_many());
    }
    let login = app.accounts().log_in(&wanted.person, &wanted.password).await.map_err(problem)?;
    let cookie = format!("{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age={}", login.token, login.seconds);
    let mut response = Json(Login { token: login.token, csrf: login.csrf }).into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Logs out.
#[utoipa::path(
    post, path = "/v1/logout", tag = "people", security(("person" = [])),
    responses(
        (status = 204, description = "Logged out."),
        (status = "default", description = "Still logged in.", body = WireProblem),
    )
)]
pub(crate) async fn log_out(State(app): State<Shared>, person: Person) -> Result<Response, Problem> {
    app.accounts().log_out(&person.token).await.map_err(problem)?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    let cookie = HeaderValue::from_static("signoff=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0");
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Who is logged in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Me {
    /// The name.
    person: String,
}

/// Says who is logged in.
#[utoipa::path(
    get, path = "/v1/me", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "Logged in.", body = Me),
        (status = "default", description = "Not logged in.", body = WireProblem),
    )
)]
pub(crate) async fn me(person: Person) -> Json<Me> {
    Json(Me { person: person.by.person.to_string() })
}

/// Somebody who takes up an invitation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Acceptance {
    /// The invitation.
    invitation: String,
    /// The password that they choose.
    password: String,
}

/// Takes up an invitation.
#[utoipa::path(
    post, path = "/v1/people", tag = "people",
    request_body = Acceptance,
    responses(
        (status = 201, description = "The account exists now.", body = Me),
        (status = "default", description = "There is no account.", body = WireProblem),
    )
)]
pub(crate) async fn accept(
    State(app): State<Shared>,
    Body(wanted): Body<Acceptance>,
) -> Result<(StatusCode, Json<Me>), Problem> {
    if !app.log_ins.may_all() {
        return Err(Problem::too_many());
    }
    let person = app.accounts().accept(&wanted.invitation, &wanted.password).await.map_err(problem)?;
    Ok((StatusCode::CREATED, Json(Me { person: person.to_string() })))
}

/// Somebody who is to be invited.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Invite {
    /// The name that they will have.
    person: String,
}

/// An invitation: whoever holds it chooses the password.
#[derive(Serialize, ToSchema)]
pub(crate) struct Invitation {
    /// The invitation. It is shown once.
    invitation: String,
}

/// Invites somebody.
#[utoipa::path(
    post, path = "/v1/invitations", tag = "people", security(("person" = [])),
    request_body = Invite,
    responses(
        (status = 201, description = "Hand it on.", body = Invitation),
        (status = "default", description = "Nobody is invited.", body = WireProblem),
    )
)]
pub(crate) async fn invite(
    State(app): State<Shared>,
    person: Person,
    Body(wanted): Body<Invite>,
) -> Result<(StatusCode, Json<Invitation>), Problem> {
    let name = PersonId::new(wanted.person).map_err(|bad| Problem::wrong(format!("`person`: {bad}")))?;
    let invitation = app.accounts().invite(&name, Actor::Person(person.by)).await.map_err(problem)?;
    Ok((StatusCode::CREATED, Json(Invitation { invitation })))
}

/// An agent that gets a key.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAgent {
    /// What it is called.
    agent: String,
}

/// The key of an agent.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgentKey {
    /// The key. It is shown once.
    key: String,
}

/// Makes a key for an agent that works for whoever is logged in.
#[utoipa::path(
    post, path = "/v1/agents", tag = "people", security(("person" = [])),
    request_body = NewAgent,
    responses(
        (status = 201, description = "Give it to the agent.", body = AgentKey),
        (status = "default", description = "There is no key.", body = WireProblem),
    )
)]
pub(crate) async fn add_agent(
    State(app): State<Shared>,
    person: Person,
    Body(wanted): Body<NewAgent>,
) -> Result<(StatusCode, Json<AgentKey>), Problem> {
    let agent = AgentId::new(wanted.agent).map_err(|bad| Problem::wrong(format!("`agent`: {bad}")))?;
    let owner = person.by.person.clone();
    let key = app.accounts().add_agent(&agent, &owner, Actor::Person(person.by)).await.map_err(problem)?;
    Ok((StatusCode::CREATED, Json(AgentKey { key })))
}

/// An agent that has a key.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireAgent {
    /// What it is called.
    agent: String,
    /// For whom it works.
    owner: String,
}

/// Lists the agents that have a key.
#[utoipa::path(
    get, path = "/v1/agents", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "The agents.", body = Vec<WireAgent>),
        (status = "default", description = "There is no list.", body = WireProblem),
    )
)]
pub(crate) async fn agents(State(app): State<Shared>, _person: Person) -> Result<Json<Vec<WireAgent>>, Problem> {
    let agents = app.accounts().agents().await.map_err(problem)?;
    Ok(Json(agents.into_iter().map(|(agent, owner)| WireAgent { agent, owner }).collect()))
}

/// Takes an agent's key away.
#[utoipa::path(
    delete, path = "/v1/agents/{agent}", tag = "people", security(("person" = [])),
    params(("agent" = String, Path, description = "What it is called.")),
    responses(
        (status = 204, description = "It is nobody any more."),
        (status = "default", description = "There is no such agent.", body = WireProblem),
    )
)]
pub(crate) async fn remove_agent(
    State(app): State<Shared>,
    person: Person,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    let agent = AgentId::new(name).map_err(|_| Problem::not_found())?;
    app.accounts().remove_agent(&agent, Actor::Person(person.by)).await.map_err(problem)?;
    Ok(StatusCode::NO_CONTENT)
}
