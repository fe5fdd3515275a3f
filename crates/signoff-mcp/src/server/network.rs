//! The server at the gateway, over HTTP, for agents with a key. Who calls is said with each request and by nobody in it; a session of the
//! protocol belongs to the agent that has begun it. Nothing runs here and nothing of this machine is looked at: the agent may be on another one.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use http::{HeaderMap, Method, Request, Response, StatusCode, header, request::Parts};
use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use rmcp::{
    model::Extensions,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService,
        session::local::{LocalSessionManager, SessionConfig},
    },
};
use serde_json::json;
use signoff_agents::door::Door;
use signoff_model::Digest;
use signoff_server::{AgentCaller, AgentProtocol, Answering, Bytes};

use super::{
    House,
    asking::WAIT_AT_MOST,
    handler::{Server, Standing},
};

/// The header that names a session of the protocol.
const SESSION: &str = "mcp-session-id";
/// So many sessions one agent has at a time.
const SESSIONS_AT_MOST: usize = 64;
/// So long a session may be silent: longer than any call waits in it.
const SILENT_FOR: Duration = Duration::from_secs(2 * WAIT_AT_MOST);
/// The session of an agent that names none, in a protocol that has none.
const NO_SESSION: &str = "mcp";
/// What nobody needs to send: the server takes less.
const BODY_AT_MOST: usize = 16 << 20;

/// Speaks MCP with agents at the gateway.
pub struct Network {
    service: StreamableHttpService<Server, LocalSessionManager>,
    manager: Arc<LocalSessionManager>,
    /// Whose a session is.
    owners: Mutex<HashMap<String, Holder>>,
}

/// An agent, as far as a session belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Holder {
    owner: String,
    agent: String,
}

impl Holder {
    fn of(by: &AgentCaller) -> Self {
        Self { owner: by.owner.to_string(), agent: by.agent.to_string() }
    }
}

impl Default for Network {
    fn default() -> Self {
        let mut manager = LocalSessionManager::default();
        let mut sessions = SessionConfig::default();
        sessions.keep_alive = Some(SILENT_FOR);
        manager.session_config = sessions;
        let manager = Arc::new(manager);
        // Under which name the server is called, and from which page, was looked at on the way in.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_json_response(true)
            .with_max_request_body_bytes(BODY_AT_MOST);
        let make = || Ok(Server(Standing::AtTheGateway));
        let service = StreamableHttpService::new(make, Arc::clone(&manager), config);
        Self { service, manager, owners: Mutex::default() }
    }
}

impl AgentProtocol for Network {
    fn answer(&self, by: AgentCaller, request: Request<Bytes>) -> Answering<'_> {
        Box::pin(self.answered(by, request))
    }
}

impl Network {
    async fn answered(&self, by: AgentCaller, mut request: Request<Bytes>) -> Response<BoxBody<Bytes, Infallible>> {
        let holder = Holder::of(&by);
        match session(request.headers()) {
            // What belongs to others is not there.
            Some(id) if self.holder(id).is_none_or(|of| of != holder) => {
                return refused(StatusCode::NOT_FOUND, "there is no such session");
            }
            Some(_) => {}
            None if self.sessions_of(&holder).await >= SESSIONS_AT_MOST => {
                return refused(StatusCode::TOO_MANY_REQUESTS, "too many sessions: end some, or name one of them");
            }
            None => {}
        }
        request.extensions_mut().insert(by);
        let ends = request.method() == Method::DELETE;
        let mut response = self.service.handle(request.map(Full::new)).await;
        // The session has ended by now, and clients that hear that it is only noted complain.
        if ends && response.status() == StatusCode::ACCEPTED {
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        if let Some(id) = session(response.headers()) {
            self.owners.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned(), holder);
        }
        response
    }

    fn holder(&self, id: &str) -> Option<Holder> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// How many sessions an agent has. Those that have ended are forgotten.
    async fn sessions_of(&self, holder: &Holder) -> usize {
        let open = self.manager.sessions.read().await;
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        owners.retain(|id, _| open.contains_key(id.as_str()));
        owners.values().filter(|of| *of == holder).count()
    }
}

/// The session of the protocol that a head names.
fn session(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION).map(|id| id.to_str().unwrap_or_default())
}

/// The house of one call: whose it is says the key that came with it.
pub(super) fn house(extensions: &Extensions) -> Option<House> {
    let parts = extensions.get::<Parts>()?;
    let by = parts.extensions.get::<AgentCaller>()?.clone();
    let session = match (&by.session, session(&parts.headers)) {
        (Some(named), _) => named.to_string(),
        // Whoever has seen the name of one of ours in a ledger has not seen what opens theirs.
        (None, Some(id)) => {
            format!("mcp-{}", Digest::of(id.as_bytes()).to_string().chars().take(32).collect::<String>())
        }
        (None, None) => NO_SESSION.to_owned(),
    };
    let (agent, language) = (by.agent.to_string(), by.language);
    let client = by.client(&session);
    let door = move || Ok(Door::new(client.clone(), || {}));
    Some(House { agent, session, language, door: Arc::new(door), hands: None })
}

fn refused(status: StatusCode, words: &str) -> Response<BoxBody<Bytes, Infallible>> {
    let said = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32001, "message": words}});
    let mut response = Response::new(Full::new(Bytes::from(said.to_string())).boxed());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    response
}
