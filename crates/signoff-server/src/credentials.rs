//! Who calls. A route names the kind of caller it is for in its signature, and no other kind gets in.

use axum::{
    extract::FromRequestParts,
    http::{Extensions, HeaderMap, Method, header, request::Parts},
};
use signoff_gate::Reach;
use signoff_model::{AgentId, Answerer, Assurance, ChannelId, PersonId, Requester, SessionId};
use subtle::ConstantTimeEq as _;

use crate::{AccountError, App, Role, app::Shared, problem::Problem};

/// The session that an agent speaks for.
pub(crate) const SESSION: &str = "signoff-session";
/// What an agent on the local socket is called.
pub(crate) const AGENT: &str = "signoff-agent";
/// What a page sends along with every change.
pub(crate) const CSRF: &str = "signoff-csrf";
/// The cookie of a login.
pub(crate) const COOKIE: &str = "signoff";

/// Somebody on the local socket, which only ever lets agents in.
#[derive(Clone, Debug)]
pub(crate) struct LocalPeer {
    /// The person under whose user id they run.
    pub(crate) owner: PersonId,
    pub(crate) by: By,
}

/// By which way somebody has come in without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The local socket.
    Socket,
    /// This server itself, for an agent whose key it has seen and whose connection it holds.
    Inside,
}

impl LocalPeer {
    /// Whoever is at the other end, if that is the local socket.
    pub(crate) fn of(extensions: &Extensions) -> Option<&Self> {
        extensions.get::<Self>()
    }
}

/// An agent with a key, or on the local socket.
pub(crate) struct Agent(pub(crate) Requester);

/// An agent that holds a key, on a port, whatever its session is.
pub(crate) struct Keyed {
    pub(crate) agent: AgentId,
    pub(crate) owner: PersonId,
    /// The session, where it names one.
    pub(crate) session: Option<SessionId>,
}

/// A person who is logged in.
pub(crate) struct Person {
    pub(crate) by: Answerer,
    /// What they log out with.
    pub(crate) token: String,
}

impl Person {
    /// Whose things they may take away or take back.
    pub(crate) async fn reach(&self, app: &App) -> Result<Reach, Problem> {
        let account = app.accounts().account(&self.by.person).await.map_err(problem)?;
        Ok(match account.map(|account| account.role) {
            Some(Role::Administrator) => Reach::Everybodys,
            Some(Role::Member) | None => Reach::Own,
        })
    }
}

/// A person who is logged in and an administrator.
pub(crate) struct Administrator(pub(crate) Person);

/// Somebody who need not be known yet, and is not on the local socket: that is for agents, who are no people.
pub(crate) struct Stranger;

impl FromRequestParts<Shared> for Agent {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let session = session(&parts.headers)?
            .ok_or_else(|| Problem::wrong(format!("the header `{SESSION}` must name the session of the agent")))?;
        let (agent, owner) = match LocalPeer::of(&parts.extensions) {
            Some(LocalPeer { owner, .. }) => {
                let name = text(&parts.headers, AGENT).unwrap_or("local");
                let agent = AgentId::new(name).map_err(|bad| Problem::wrong(format!("`{AGENT}`: {bad}")))?;
                (agent, owner.clone())
            }
            None => {
                let key = bearer(&parts.headers).ok_or_else(Problem::unauthorized)?;
                let known = app.accounts().agent(key).await.map_err(problem)?.ok_or_else(Problem::unauthorized)?;
                (known.agent, known.owner)
            }
        };
        let counted = match LocalPeer::of(&parts.extensions) {
            // An agent on the local socket names itself: whose it is, is what counts.
            Some(LocalPeer { by: By::Socket, .. }) => owner.to_string(),
            Some(LocalPeer { by: By::Inside, .. }) | None => format!("{owner} {agent}"),
        };
        if !app.requests.may(&counted) {
            return Err(Problem::too_many());
        }
        Ok(Self(Requester { agent, session, owner }))
    }
}

impl FromRequestParts<Shared> for Keyed {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        if LocalPeer::of(&parts.extensions).is_some() {
            return Err(Problem::forbidden("this is for agents with a key; on this machine they start `signoff mcp`"));
        }
        let key = bearer(&parts.headers).ok_or_else(Problem::unauthorized)?;
        let known = app.accounts().agent(key).await.map_err(problem)?.ok_or_else(Problem::unauthorized)?;
        if !app.requests.may(&format!("{} {}", known.owner, known.agent)) {
            return Err(Problem::too_many());
        }
        Ok(Self { agent: known.agent, owner: known.owner, session: session(&parts.headers)? })
    }
}

impl FromRequestParts<Shared> for Person {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        Stranger::from_request_parts(parts, app).await?;
        let by_cookie = cookie(&parts.headers);
        let token = bearer(&parts.headers).or(by_cookie).ok_or_else(Problem::unauthorized)?.to_owned();
        let login = app.accounts().person(&token).await.map_err(problem)?.ok_or_else(Problem::unauthorized)?;
        // A browser sends the cookie along whoever made the page; only ours can read the other half.
        let changes = !matches!(parts.method, Method::GET | Method::HEAD);
        if changes && bearer(&parts.headers).is_none() {
            let sent = text(&parts.headers, CSRF).unwrap_or_default();
            if !bool::from(sent.as_bytes().ct_eq(login.csrf.as_bytes())) {
                return Err(Problem::forbidden("the request does not come from a page of this server"));
            }
        }
        app.note_person(&login.person).await;
        let by = Answerer { person: login.person, channel: ChannelId::inbox(), assurance: Assurance::Login };
        Ok(Self { by, token })
    }
}

impl FromRequestParts<Shared> for Administrator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let person = Person::from_request_parts(parts, app).await?;
        match person.reach(app).await? {
            Reach::Everybodys => Ok(Self(person)),
            Reach::Own => Err(Problem::administrators_only()),
        }
    }
}

impl FromRequestParts<Shared> for Stranger {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self, Problem> {
        match LocalPeer::of(&parts.extensions) {
            None => Ok(Self),
            Some(_) => {
                Err(Problem::forbidden("the local socket is for agents: people answer where they have logged in"))
            }
        }
    }
}

pub(crate) fn problem(error: AccountError) -> Problem {
    use axum::http::StatusCode;
    let detail = error.to_string();
    match error {
        AccountError::Store(error) => error.into(),
        AccountError::Taken(_) => Problem::new(StatusCode::CONFLICT, "taken", detail),
        AccountError::Missing(_) => Problem::not_found(),
        AccountError::LastAdministrator(_) => Problem::new(StatusCode::CONFLICT, "last-administrator", detail),
        AccountError::NotInvited => Problem::new(StatusCode::FORBIDDEN, "not-invited", detail),
        AccountError::Password => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad-password", detail),
        AccountError::WrongPassword => Problem::new(StatusCode::UNAUTHORIZED, "wrong-password", detail),
        AccountError::Randomness(_) => Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail),
    }
}

/// The session that the agent names, if it does.
fn session(headers: &HeaderMap) -> Result<Option<SessionId>, Problem> {
    let named = text(headers, SESSION).map(SessionId::new).transpose();
    named.map_err(|bad| Problem::wrong(format!("`{SESSION}`: {bad}")))
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    // Names are not only in English.
    headers.get(name).and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    text(headers, header::AUTHORIZATION.as_str())?.strip_prefix("Bearer ")
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(name, value)| (name == COOKIE).then_some(value))
}
