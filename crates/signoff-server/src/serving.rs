//! The routes in one place, and the two doors they are served at.

use std::sync::Arc;

use axum::{Extension, Json, Router, extract::DefaultBodyLimit, http::StatusCode, middleware};
use signoff_model::PersonId;
use tokio::net::{TcpListener, UnixListener, UnixStream};
use utoipa::{
    OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    App,
    app::Shared,
    credentials::LocalPeer,
    guard,
    problem::Problem,
    routes::{approvals, export, grants, health, ledger, people, permits, requests},
};

/// The largest body. An operation of a mebibyte still fits, with what JSON puts around it.
const BODY_AT_MOST: usize = 3 * 1024 * 1024;

/// What the description says beside the routes.
#[derive(OpenApi)]
#[openapi(info(
    title = "Signoff",
    description = "The approval gateway between AI agents and the things they can break. Agents ask, wait and redeem; people \
                   look and answer. Their credentials never mix.",
    license(name = "Apache-2.0"),
))]
struct Description;

/// Every route with what it says about itself.
fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(requests::create))
        .routes(routes!(requests::wait))
        .routes(routes!(requests::withdraw))
        .routes(routes!(permits::redeem))
        .routes(routes!(permits::report))
        .routes(routes!(approvals::list))
        .routes(routes!(approvals::show))
        .routes(routes!(approvals::answer))
        .routes(routes!(people::log_in))
        .routes(routes!(people::log_out))
        .routes(routes!(people::me))
        .routes(routes!(people::accept))
        .routes(routes!(people::invite))
        .routes(routes!(people::add_agent, people::agents))
        .routes(routes!(people::remove_agent))
        .routes(routes!(ledger::read))
        .routes(routes!(ledger::events))
        .routes(routes!(health::health))
        .routes(routes!(health::ready))
        .routes(routes!(health::metrics))
        .routes(routes!(export::export))
        .routes(routes!(export::checkpoints))
        .routes(routes!(export::statistics))
        .routes(routes!(grants::list, grants::create))
        .routes(routes!(grants::suggestions))
        .routes(routes!(grants::revoke))
        .routes(routes!(grants::from_question))
}

/// The description of the API, as OpenAPI.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut description = routes().to_openapi();
    let bearer = |about: &str| {
        SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(about)).build())
    };
    let components = description.components.get_or_insert_default();
    components
        .add_security_scheme("agent", bearer("The key of an agent (`sga1.…`), with the header `signoff-session`."));
    components
        .add_security_scheme("person", bearer("The token of a login (`sgl1.…`), or its cookie with `signoff-csrf`."));
    description
}

/// The server as a service.
pub fn router(app: Arc<App>) -> Router {
    let described = openapi();
    let (router, _) = routes().split_for_parts();
    router
        .route("/v1/openapi.json", axum::routing::get(move || std::future::ready(Json(described))))
        .fallback(|| std::future::ready(Problem::not_found()))
        .method_not_allowed_fallback(|| {
            let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", "this route has other methods");
            std::future::ready(problem)
        })
        .layer(DefaultBodyLimit::max(BODY_AT_MOST))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}

/// Serves on a port until the future ends.
///
/// # Errors
///
/// When the port can no longer be served.
pub async fn serve_tcp(
    app: Arc<App>,
    listener: TcpListener,
    until: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    axum::serve(listener, router(app)).with_graceful_shutdown(until).await
}

/// Serves agents on a local socket until the future ends. Whoever runs under another user id is sent away; whoever is let in
/// works for this person, and is an agent whatever else they hold.
///
/// # Errors
///
/// When the socket can no longer be served.
pub async fn serve_socket(
    app: Arc<App>,
    listener: UnixListener,
    allowed: Allowed,
    until: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let service = router(app).layer(Extension(LocalPeer { owner: allowed.owner.clone() }));
    axum::serve(Peers { listener, allowed }, service).with_graceful_shutdown(until).await
}

/// Who may use the local socket.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// Under which user id they run.
    pub user: u32,
    /// The person of that user id.
    pub owner: PersonId,
}

/// A local socket that lets only some in.
struct Peers {
    listener: UnixListener,
    allowed: Allowed,
}

impl axum::serve::Listener for Peers {
    type Io = UnixStream;
    type Addr = tokio::net::unix::SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let (stream, address) = axum::serve::Listener::accept(&mut self.listener).await;
            // Whoever cannot be told is nobody.
            let peer = stream.peer_cred().map(|peer| peer.uid());
            if peer.is_ok_and(|uid| uid == self.allowed.user || uid == 0) {
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}
