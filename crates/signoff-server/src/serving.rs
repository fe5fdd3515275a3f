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
    connections,
    credentials::{By, LocalPeer},
    guard,
    inside::Inside,
    problem::Problem,
    routes::{
        approvals, batches, check, delegations, export, grants, health, ledger, mcp, people, permits, policy, pruning,
        requests, standing, trust,
    },
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
        .routes(routes!(requests::operation))
        .routes(routes!(requests::withdraw))
        .routes(routes!(requests::reopen))
        .routes(routes!(permits::redeem))
        .routes(routes!(permits::report))
        .routes(routes!(check::check))
        .routes(routes!(mcp::say, mcp::listen, mcp::leave))
        .routes(routes!(approvals::list))
        .routes(routes!(approvals::show))
        .routes(routes!(approvals::answer))
        .routes(routes!(batches::show))
        .routes(routes!(batches::answer))
        .routes(routes!(delegations::list, delegations::create, delegations::end))
        .routes(routes!(people::log_in))
        .routes(routes!(people::log_out))
        .routes(routes!(people::me))
        .routes(routes!(people::accept, people::list))
        .routes(routes!(people::remove))
        .routes(routes!(people::change_password))
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
        .routes(routes!(export::beginning))
        .routes(routes!(pruning::create))
        .routes(routes!(export::statistics))
        .routes(routes!(grants::list, grants::create))
        .routes(routes!(grants::suggestions))
        .routes(routes!(grants::revoke))
        .routes(routes!(grants::from_question))
        .routes(routes!(standing::show))
        .routes(routes!(trust::list))
        .routes(routes!(trust::forget))
        .routes(routes!(policy::show))
        .routes(routes!(standing::pause, standing::resume))
        .routes(routes!(standing::lock_down, standing::lift))
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
    let inside = Inside::new(guarded(router.clone(), &app), app.gate.verifier());
    let router = router
        .layer(Extension(inside))
        .route("/v1/openapi.json", axum::routing::get(move || std::future::ready(Json(described))))
        .fallback(|| std::future::ready(Problem::not_found()))
        .method_not_allowed_fallback(|| {
            let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", "this route has other methods");
            std::future::ready(problem)
        })
        .layer(DefaultBodyLimit::max(BODY_AT_MOST));
    guarded(router, &app)
}

fn guarded(router: Router<Shared>, app: &Shared) -> Router {
    router.layer(middleware::from_fn_with_state(Arc::clone(app), guard::guard)).with_state(Arc::clone(app))
}

/// Serves on a port until the future ends.
pub async fn serve_tcp(app: Arc<App>, listener: TcpListener, until: impl Future<Output = ()> + Send + 'static) {
    let limits = app.limits;
    // What is said is said at once: whoever waits for a reply would otherwise wait for the system to find more to send.
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
        let _ = stream.set_nodelay(true);
    });
    let service = router(app);
    connections::serve(listener, |_| service.clone(), limits, until).await;
}

/// Serves agents on a local socket until the future ends. Who they work for is told by the user id that they run under, and
/// whoever runs under any other is sent away. Whoever is let in is an agent, whatever else they hold.
pub async fn serve_socket(
    app: Arc<App>,
    listener: UnixListener,
    owners: Owners,
    until: impl Future<Output = ()> + Send + 'static,
) {
    let limits = app.limits;
    let service = router(app);
    let by = |peer: LocalPeer| service.clone().layer(Extension(peer));
    connections::serve(Peers { listener, owners }, by, limits, until).await;
}

/// The person for whom whatever runs under a user id works; none who may not use the socket.
pub type Owners = Box<dyn Fn(u32) -> Option<PersonId> + Send + Sync>;

/// A local socket that lets only some in.
struct Peers {
    listener: UnixListener,
    owners: Owners,
}

impl axum::serve::Listener for Peers {
    type Io = UnixStream;
    type Addr = LocalPeer;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let (stream, _) = axum::serve::Listener::accept(&mut self.listener).await;
            // Whoever cannot be told is nobody.
            let peer = stream.peer_cred().map(|peer| peer.uid());
            if let Some(owner) = peer.ok().and_then(|uid| (self.owners)(uid)) {
                return (stream, LocalPeer { owner, by: By::Socket });
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        Err(std::io::Error::other("nobody is at this end"))
    }
}
