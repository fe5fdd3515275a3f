//! Accounts: logging in and out, invitations, and the keys of agents.

use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use serde::{Deserialize, Serialize};
use signoff_gate::Reach;
use signoff_model::{Actor, AgentId, PersonId};
use utoipa::ToSchema;

use super::Body;
use crate::{
    Account, Role,
    app::Shared,
    credentials::{Administrator, COOKIE, Person, Stranger, problem},
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
pub(crate) async fn log_in(
    State(app): State<Shared>,
    _: Stranger,
    Body(wanted): Body<LogIn>,
) -> Result<Response, Problem> {
    if !app.log_ins.may(&wanted.person) || !app.log_ins.may_all() {
        return Err(Problem::too_many());
    }
    let login = app.accounts().log_in(&wanted.person, &wanted.password).await.map_err(problem)?;
    let cookie = format!("{COOKIE}={}; {}; Max-Age={}", login.token, app.way.cookie_attributes(), login.seconds);
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
    app.accounts().log_out(&person.token, person.by).await.map_err(problem)?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Ok(cookie) = HeaderValue::from_str(&format!("{COOKIE}=; {}; Max-Age=0", app.way.cookie_attributes())) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Who is logged in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Me {
    /// The name.
    person: String,
    /// administrator or member.
    role: &'static str,
}

/// Says who is logged in.
#[utoipa::path(
    get, path = "/v1/me", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "Logged in.", body = Me),
        (status = "default", description = "Not logged in.", body = WireProblem),
    )
)]
pub(crate) async fn me(State(app): State<Shared>, person: Person) -> Result<Json<Me>, Problem> {
    of_person(&app, &person.by.person).await.map(Json)
}

async fn of_person(app: &Shared, person: &PersonId) -> Result<Me, Problem> {
    let account = app.accounts().account(person).await.map_err(problem)?.ok_or_else(Problem::unauthorized)?;
    Ok(Me { person: account.person, role: account.role.name() })
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
    _: Stranger,
    Body(wanted): Body<Acceptance>,
) -> Result<(StatusCode, Json<Me>), Problem> {
    if !app.log_ins.may_all() {
        return Err(Problem::too_many());
    }
    let person = app.accounts().accept(&wanted.invitation, &wanted.password).await.map_err(problem)?;
    Ok((StatusCode::CREATED, Json(of_person(&app, &person).await?)))
}

/// Somebody who is to be invited.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Invite {
    /// The name that they will have.
    person: String,
    /// Whether they are to invite and remove others, too: administrator or member, which it is where nothing is said.
    #[serde(default)]
    role: WireRole,
}

/// What somebody may do beside what is their own.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WireRole {
    /// Invite and remove people, remove the agents of others, and take back what others have told the gate.
    Administrator,
    /// Nothing.
    #[default]
    Member,
}

impl From<WireRole> for Role {
    fn from(role: WireRole) -> Self {
        match role {
            WireRole::Administrator => Self::Administrator,
            WireRole::Member => Self::Member,
        }
    }
}

/// An invitation: whoever holds it chooses the password.
#[derive(Serialize, ToSchema)]
pub(crate) struct Invitation {
    /// The invitation. It is shown once.
    invitation: String,
}

/// Invites somebody. For administrators.
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
    Administrator(person): Administrator,
    Body(wanted): Body<Invite>,
) -> Result<(StatusCode, Json<Invitation>), Problem> {
    let name = PersonId::new(wanted.person).map_err(|bad| Problem::wrong(format!("`person`: {bad}")))?;
    let by = Actor::Person(person.by);
    let invitation = app.accounts().invite_as(&name, wanted.role.into(), by).await.map_err(problem)?;
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

/// Takes an agent's key away. That of somebody else is for administrators to take.
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
    let owner = app.accounts().owner(&agent).await.map_err(problem)?.ok_or_else(Problem::not_found)?;
    if owner != person.by.person.as_str() && person.reach(&app).await? == Reach::Own {
        return Err(Problem::administrators_only());
    }
    app.accounts().remove_agent(&agent, Actor::Person(person.by)).await.map_err(problem)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Somebody who has an account.
#[derive(Serialize, ToSchema)]
pub(crate) struct WirePerson {
    /// Their name.
    person: String,
    /// administrator or member.
    role: &'static str,
    /// Since when, in milliseconds since 1970.
    since: i64,
    /// Who has invited them, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    invited_by: Option<String>,
}

/// Lists the people.
#[utoipa::path(
    get, path = "/v1/people", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "The people.", body = Vec<WirePerson>),
        (status = "default", description = "There is no list.", body = WireProblem),
    )
)]
pub(crate) async fn list(State(app): State<Shared>, _person: Person) -> Result<Json<Vec<WirePerson>>, Problem> {
    let people = app.accounts().people().await.map_err(problem)?.into_iter();
    let wire =
        |Account { person, role, since, invited_by }| WirePerson { person, role: role.name(), since, invited_by };
    Ok(Json(people.map(wire).collect()))
}

/// Takes a person's account away, with their logins, grants, agents, invitations and whatever they have paused or handed
/// over. For administrators, of whom the last one stays.
#[utoipa::path(
    delete, path = "/v1/people/{person}", tag = "people", security(("person" = [])),
    params(("person" = String, Path, description = "Their name.")),
    responses(
        (status = 204, description = "They are nobody any more."),
        (status = "default", description = "Nobody was removed.", body = WireProblem),
    )
)]
pub(crate) async fn remove(
    State(app): State<Shared>,
    Administrator(person): Administrator,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    let name = PersonId::new(name).map_err(|_| Problem::not_found())?;
    app.accounts().remove(&name, Actor::Person(person.by)).await.map_err(problem)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Another password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// The one that was good until now: a login alone is not enough.
    password: String,
    /// The new one.
    new: String,
}

/// Changes the password of whoever is logged in. Their other logins end.
#[utoipa::path(
    post, path = "/v1/password", tag = "people", security(("person" = [])),
    request_body = NewPassword,
    responses(
        (status = 204, description = "The new one counts."),
        (status = "default", description = "The old one counts.", body = WireProblem),
    )
)]
pub(crate) async fn change_password(
    State(app): State<Shared>,
    person: Person,
    Body(NewPassword { password, new }): Body<NewPassword>,
) -> Result<StatusCode, Problem> {
    let name = &person.by.person;
    if !app.log_ins.may(name.as_str()) || !app.log_ins.may_all() {
        return Err(Problem::too_many());
    }
    app.accounts().change_password(name, &person.token, &password, &new).await.map_err(problem)?;
    Ok(StatusCode::NO_CONTENT)
}
