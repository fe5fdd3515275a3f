//! Whether the server lives, whether it can work, and how much it does.

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse as _, Response},
};
use serde::Serialize;
use signoff_gate::Wanted;
use utoipa::ToSchema;

use crate::{
    app::Shared,
    problem::{Problem, WireProblem},
};

/// How the server is.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `ok` where there is an answer.
    status: &'static str,
    /// The version of the program.
    version: &'static str,
    /// The half of the gate's key that others may have, to check permits and replies.
    key: String,
}

/// Says that the server lives.
#[utoipa::path(
    get, path = "/v1/health", tag = "open",
    responses((status = 200, description = "It lives.", body = Health))
)]
pub(crate) async fn health(State(app): State<Shared>) -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION"), key: app.gate.verifier().to_string() })
}

/// Says whether the server can work: whether its store answers.
#[utoipa::path(
    get, path = "/v1/ready", tag = "open",
    responses(
        (status = 200, description = "It can work.", body = Health),
        (status = "default", description = "It cannot.", body = WireProblem),
    )
)]
pub(crate) async fn ready(State(app): State<Shared>) -> Result<Json<Health>, Problem> {
    app.store().now().await?;
    Ok(health(State(app)).await)
}

/// Numbers for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "open",
    responses((status = 200, description = "Numbers.", content_type = "text/plain"))
)]
pub(crate) async fn metrics(State(app): State<Shared>) -> Result<Response, Problem> {
    let wanted = Wanted { stage: Some("pending".to_owned()), at_most: 200, ..Wanted::default() };
    let pending = app.store().list(wanted).await?.len();
    let up = app.started.elapsed().as_secs();
    let text = format!(
        "# HELP signoff_pending Questions that nobody has decided yet, 200 at most.\n\
         # TYPE signoff_pending gauge\n\
         signoff_pending {pending}\n\
         # HELP signoff_uptime_seconds How long the server has been running.\n\
         # TYPE signoff_uptime_seconds counter\n\
         signoff_uptime_seconds {up}\n"
    );
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}
