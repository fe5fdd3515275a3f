//! Whether the server lives, whether it can work, and how much it does.

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse as _, Response},
};
use serde::Serialize;
use signoff_gate::Work;
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

/// Says whether the server can work: whether its store is the one that was opened, and does what it is told.
#[utoipa::path(
    get, path = "/v1/ready", tag = "open",
    responses(
        (status = 200, description = "It can work.", body = Health),
        (status = "default", description = "It cannot.", body = WireProblem),
    )
)]
pub(crate) async fn ready(State(app): State<Shared>) -> Result<Json<Health>, Problem> {
    app.store().ready().await.map_err(|error| Problem::from(error).unready())?;
    Ok(health(State(app)).await)
}

/// Numbers for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "open",
    responses((status = 200, description = "Numbers.", content_type = "text/plain"))
)]
pub(crate) async fn metrics(State(app): State<Shared>) -> Result<Response, Problem> {
    let pending = app.store().pending().await?;
    let up = app.started.elapsed().as_secs();
    let Work { jobs, changes, flushes } = app.store().work();
    let text = format!(
        "# HELP signoff_pending Questions that nobody has decided yet.\n\
         # TYPE signoff_pending gauge\n\
         signoff_pending {pending}\n\
         # HELP signoff_uptime_seconds How long the server has been running.\n\
         # TYPE signoff_uptime_seconds counter\n\
         signoff_uptime_seconds {up}\n\
         # HELP signoff_store_jobs_total What the store of this node was asked to do and has answered for.\n\
         # TYPE signoff_store_jobs_total counter\n\
         signoff_store_jobs_total {jobs}\n\
         # HELP signoff_store_changes_total Those of them that have written something.\n\
         # TYPE signoff_store_changes_total counter\n\
         signoff_store_changes_total {changes}\n\
         # HELP signoff_store_flushes_total Commits, each of which waits for the disk once.\n\
         # TYPE signoff_store_flushes_total counter\n\
         signoff_store_flushes_total {flushes}\n"
    );
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}
