//! The Model Context Protocol at this server, for agents with a key. Who calls is found out here, and how much of the server they may hold;
//! what is said is for whoever speaks the protocol.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    Extension,
    body::{Body, Bytes, HttpBody},
    extract::{FromRequest as _, Request, State},
    http::{HeaderName, header},
    response::Response,
};
use hyper::body::{Frame, SizeHint};
use tokio::time::timeout;

use super::InLanguage;
use crate::{
    app::Shared,
    credentials::Keyed,
    inside::Inside,
    limits::Held,
    problem::{Problem, WireProblem},
    speaking::AgentCaller,
};

/// What says who calls: nobody behind this needs it.
const SECRETS: [HeaderName; 2] = [header::AUTHORIZATION, header::COOKIE];

/// One message of MCP (streamable HTTP). The tools judge, ask and tell; none of them decides, and none runs anything.
#[utoipa::path(
    post, path = "/mcp", tag = "agents", security(("agent" = [])),
    request_body(content = String, description = "A message of JSON-RPC.", content_type = "application/json"),
    responses(
        (status = 200, description = "The answer, or a stream of events that holds it."),
        (status = 202, description = "It was heard."),
        (status = "default", description = "Nothing was done.", body = WireProblem),
    )
)]
pub(crate) async fn say(
    State(app): State<Shared>,
    Extension(inside): Extension<Inside>,
    by: Keyed,
    language: InLanguage,
    request: Request,
) -> Result<Response, Problem> {
    spoken(app, inside, by, language, request).await
}

/// The stream of what the server says by itself in a session of MCP.
#[utoipa::path(
    get, path = "/mcp", tag = "agents", security(("agent" = [])),
    responses(
        (status = 200, description = "A stream of events."),
        (status = "default", description = "There is no such session.", body = WireProblem),
    )
)]
pub(crate) async fn listen(
    State(app): State<Shared>,
    Extension(inside): Extension<Inside>,
    by: Keyed,
    language: InLanguage,
    request: Request,
) -> Result<Response, Problem> {
    spoken(app, inside, by, language, request).await
}

/// Ends a session of MCP. What was asked in it stays asked.
#[utoipa::path(
    delete, path = "/mcp", tag = "agents", security(("agent" = [])),
    responses(
        (status = 204, description = "The session has ended."),
        (status = "default", description = "There is no such session.", body = WireProblem),
    )
)]
pub(crate) async fn leave(
    State(app): State<Shared>,
    Extension(inside): Extension<Inside>,
    by: Keyed,
    language: InLanguage,
    request: Request,
) -> Result<Response, Problem> {
    spoken(app, inside, by, language, request).await
}

async fn spoken(
    app: Shared,
    inside: Inside,
    Keyed { agent, owner, session }: Keyed,
    InLanguage(language): InLanguage,
    mut request: Request,
) -> Result<Response, Problem> {
    let protocol = app.mcp.clone().ok_or_else(Problem::not_found)?;
    // Each call may be held for as long as people take, with its connection; and without, where the agent has hung up on it.
    let held = Arc::new(app.waits.hold(owner.as_str()).ok_or_else(Problem::too_many_held)?);
    for secret in SECRETS {
        request.headers_mut().remove(secret);
    }
    let (parts, body) = request.into_parts();
    let body = Request::from_parts(parts.clone(), body);
    let read = timeout(app.limits.body_within, Bytes::from_request(body, &app)).await;
    let body = read.map_err(|_| Problem::too_slow())??;
    let by = AgentCaller { agent, owner, session, language, inside, _held: Arc::clone(&held) };
    let answer = protocol.answer(by, Request::from_parts(parts, body)).await;
    Ok(answer.map(|body| Body::new(Holding { body: Body::new(body), _held: held })))
}

/// A reply that counts as held until its end.
struct Holding {
    body: Body,
    _held: Arc<Held>,
}

impl HttpBody for Holding {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
