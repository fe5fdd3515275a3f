//! Answering in somebody's stead: who has handed it over to whom.

use std::time::Duration;

use axum::{Json, extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use signoff_gate::{DelegationRefusal, GateError};
use signoff_model::{Delegation, PersonId};
use utoipa::ToSchema;

use super::Body;
use crate::{
    app::Shared,
    credentials::{Person, problem},
    problem::{Problem, WireProblem},
};

/// Somebody answers in another's stead.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireDelegation {
    /// Who has handed it over.
    from: String,
    /// To whom.
    to: String,
    /// Until when, in milliseconds since 1970.
    until: i64,
}

impl From<&Delegation> for WireDelegation {
    fn from(delegation: &Delegation) -> Self {
        let Delegation { by, to, until, .. } = delegation;
        Self { from: by.person.to_string(), to: to.to_string(), until: until.millis() }
    }
}

/// Who answers in whose stead now.
#[utoipa::path(
    get, path = "/v1/delegations", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "Those that have not ended.", body = Vec<WireDelegation>),
        (status = "default", description = "There is no list.", body = WireProblem),
    )
)]
pub(crate) async fn list(State(app): State<Shared>, _person: Person) -> Result<Json<Vec<WireDelegation>>, Problem> {
    Ok(Json(app.gate.delegations().await?.iter().map(WireDelegation::from).collect()))
}

/// What is handed over.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewDelegation {
    /// To whom.
    to: String,
    /// For how long: between a minute and 30 days.
    for_seconds: u64,
}

/// Hands your own answering over to somebody else for a while. Whoever it was handed to before no longer has it.
#[utoipa::path(
    post, path = "/v1/delegations", tag = "people", security(("person" = [])),
    request_body = NewDelegation,
    responses(
        (status = 201, description = "They answer in your stead, as you still can.", body = WireDelegation),
        (status = "default", description = "Nothing was handed over.", body = WireProblem),
    )
)]
pub(crate) async fn create(
    State(app): State<Shared>,
    person: Person,
    Body(NewDelegation { to, for_seconds }): Body<NewDelegation>,
) -> Result<(StatusCode, Json<WireDelegation>), Problem> {
    let nobody = || Problem::from(GateError::from(DelegationRefusal::Nobody));
    let to = PersonId::new(to).map_err(|_| nobody())?;
    if app.accounts().account(&to).await.map_err(problem)?.is_none() {
        return Err(nobody());
    }
    let delegation = app.gate.hand_over(person.by, to, Duration::from_secs(for_seconds)).await?;
    Ok((StatusCode::CREATED, Json(WireDelegation::from(&delegation))))
}

/// Takes back what you have handed over.
#[utoipa::path(
    delete, path = "/v1/delegations", tag = "people", security(("person" = [])),
    responses(
        (status = 204, description = "Nobody answers in your stead any more."),
        (status = "default", description = "It stands as it was.", body = WireProblem),
    )
)]
pub(crate) async fn end(State(app): State<Shared>, person: Person) -> Result<StatusCode, Problem> {
    app.gate.take_back(person.by).await?;
    Ok(StatusCode::NO_CONTENT)
}
