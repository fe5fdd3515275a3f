//! What people tell the gate to do until further notice: not to ask for a while, or to let nothing pass but what is harmless.

use std::time::Duration;

use axum::{Json, extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use signoff_gate::{Order, Standing};
use utoipa::ToSchema;

use super::Body;
use crate::{
    app::Shared,
    credentials::Person,
    problem::{Problem, WireProblem},
};

/// An order that counts now.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireOrder {
    /// Who gave it.
    by: String,
    /// Until when it counts, in milliseconds since 1970; without it, until somebody takes it back.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<i64>,
}

impl From<Order> for WireOrder {
    fn from(order: Order) -> Self {
        Self { by: order.by.to_string(), until: order.until.map(|until| until.millis()) }
    }
}

/// The orders that count now.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireStanding {
    /// Nobody is asked about what this person could say yes to alone, unless it is critical.
    pause: Option<WireOrder>,
    /// Whatever is not harmless is blocked.
    lockdown: Option<WireOrder>,
}

/// Tells which orders count now.
#[utoipa::path(
    get, path = "/v1/standing", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "The orders.", body = WireStanding),
        (status = "default", description = "They are not known.", body = WireProblem),
    )
)]
pub(crate) async fn show(State(app): State<Shared>, _person: Person) -> Result<Json<WireStanding>, Problem> {
    let Standing { pause, lockdown } = app.gate.standing().await?;
    Ok(Json(WireStanding { pause: pause.map(WireOrder::from), lockdown: lockdown.map(WireOrder::from) }))
}

/// A while without questions.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPause {
    /// For how long, an hour at most.
    for_seconds: u64,
}

/// Stops the questions for a while. What is blocked stays blocked, and what is critical is asked about still.
#[utoipa::path(
    post, path = "/v1/pause", tag = "people", security(("person" = [])),
    request_body = NewPause,
    responses(
        (status = 200, description = "Nobody is asked until then.", body = WireOrder),
        (status = "default", description = "Questions are asked as before.", body = WireProblem),
    )
)]
pub(crate) async fn pause(
    State(app): State<Shared>,
    person: Person,
    Body(NewPause { for_seconds }): Body<NewPause>,
) -> Result<Json<WireOrder>, Problem> {
    let reach = person.reach(&app).await?;
    Ok(Json(app.gate.pause(person.by, reach, Duration::from_secs(for_seconds)).await?.into()))
}

/// Asks again. The pause of somebody else is for administrators to end.
#[utoipa::path(
    delete, path = "/v1/pause", tag = "people", security(("person" = [])),
    responses(
        (status = 204, description = "Questions are asked."),
        (status = "default", description = "It stands as it was.", body = WireProblem),
    )
)]
pub(crate) async fn resume(State(app): State<Shared>, person: Person) -> Result<StatusCode, Problem> {
    let reach = person.reach(&app).await?;
    app.gate.resume(person.by, reach).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Blocks whatever is not harmless, and holds back every yes that was not used yet.
#[utoipa::path(
    post, path = "/v1/lockdown", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "Nothing passes but what is harmless.", body = WireOrder),
        (status = "default", description = "It stands as it was.", body = WireProblem),
    )
)]
pub(crate) async fn lock_down(State(app): State<Shared>, person: Person) -> Result<Json<WireOrder>, Problem> {
    Ok(Json(app.gate.lock_down(person.by).await?.into()))
}

/// Lifts a lockdown. That of somebody else is for administrators to lift.
#[utoipa::path(
    delete, path = "/v1/lockdown", tag = "people", security(("person" = [])),
    responses(
        (status = 204, description = "What may pass passes again."),
        (status = "default", description = "It stands as it was.", body = WireProblem),
    )
)]
pub(crate) async fn lift(State(app): State<Shared>, person: Person) -> Result<StatusCode, Problem> {
    let reach = person.reach(&app).await?;
    app.gate.lift(person.by, reach).await?;
    Ok(StatusCode::NO_CONTENT)
}
