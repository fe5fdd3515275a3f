//! What is said to the server, one request for each line, and what it says, as lines.

mod lasting;

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use http::{HeaderName, HeaderValue, Method, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Bytes, Incoming};
use serde_json::value::RawValue;
use signoff_agents::jsonrpc::{Fields, Id, Line as Read, Lines, Message, Outlet, error, is_blank};
use signoff_card::visible;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{Mutex as Turn, Semaphore},
    task::JoinHandle,
    time::timeout,
};

use super::{
    answers::{Ask, From, Open},
    connecting::Line,
    events::Events,
    head::{Annotated, Head},
    target::Target,
};

/// A longer message is not taken, whoever says it. What the client says may have become longer on the way.
const MESSAGE_AT_MOST: usize = 64 << 20;
/// So many requests are with the server at a time.
const AT_ONCE: usize = 128;
/// So long what comes behind a notification waits until it has arrived: they come in their order as far as a server answers.
const PATIENCE: Duration = Duration::from_secs(5);
/// So long what a server says behind its answer may take.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// So long a stream that broke off waits at most until it is taken up again, whatever the server says.
const RETRY_AT_MOST: Duration = Duration::from_secs(30);
/// So long the last words to a server may take.
const LEAVE_WITHIN: Duration = Duration::from_secs(2);

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

/// The codes of JSON-RPC for what is wrong.
const NO_REQUEST: i32 = -32600;
const NO_METHOD: i32 = -32601;
const UNREACHED: i32 = -32000;

/// A server over HTTP.
pub struct Remote {
    line: Line,
    to_proxy: Outlet,
    state: Mutex<State>,
    places: Semaphore,
    /// One begins a session anew for all who have found it gone.
    renewing: Turn<()>,
}

#[derive(Default)]
struct State {
    session: Option<HeaderValue>,
    version: Option<HeaderValue>,
    open: Open,
    annotated: Annotated,
    /// What the client has introduced itself with.
    hello: Option<Bytes>,
    listening: Option<JoinHandle<()>>,
}

/// Why a request has no answer of the server.
struct Lost {
    code: i32,
    words: String,
}

/// Something that was said to a server.
struct Said {
    head: Head,
    body: Bytes,
    is_hello: bool,
    is_discovery: bool,
}

/// How far a stream of events was heard.
#[derive(Default)]
struct Heard {
    last: Option<String>,
    retry: Option<Duration>,
    anything: bool,
}

impl Remote {
    /// A server at a target. What it says goes to the proxy as lines.
    ///
    /// # Errors
    ///
    /// When there is no way to speak TLS here.
    pub fn new(target: Target, to_proxy: impl AsyncWrite + Send + Unpin + 'static) -> Result<Arc<Self>, String> {
        Ok(Arc::new(Self {
            line: Line::new(target)?,
            to_proxy: Outlet::new(to_proxy),
            state: Mutex::default(),
            places: Semaphore::new(AT_ONCE),
            renewing: Turn::new(()),
        }))
    }

    /// Takes lines of the proxy until there are no more.
    ///
    /// # Errors
    ///
    /// When the proxy is gone.
    pub async fn converse(self: Arc<Self>, proxy: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut lines = Lines::new(proxy);
        loop {
            match lines.line(2 * MESSAGE_AT_MOST).await? {
                Read::End => return Ok(()),
                Read::Whole(line) if !is_blank(&line) => self.say(line).await?,
                // The proxy has passed nothing on that is so long.
                Read::Whole(_) | Read::TooLong => {}
            }
        }
    }

    /// Ends the session, if there is one: nobody speaks in it any more.
    pub async fn leave(&self) {
        let listening = self.state().listening.take();
        if let Some(listening) = listening {
            listening.abort();
        }
        let headers = self.of_session();
        if headers.iter().any(|(name, _)| *name == SESSION) {
            // Who does not hear it forgets the session by itself.
            let _ = timeout(LEAVE_WITHIN, self.line.request(Method::DELETE, &headers, Bytes::new())).await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One message for the server.
    async fn say(self: &Arc<Self>, line: Vec<u8>) -> io::Result<()> {
        // The proxy has read it before; what it could not read, it has not passed on.
        let Ok(message) = Message::read(&line) else { return Ok(()) };
        let method = message.method.as_deref().unwrap_or_default();
        let said = Said {
            head: Head::of(&message, &self.state().annotated),
            body: Bytes::copy_from_slice(line.trim_ascii_end()),
            is_hello: method == "initialize",
            is_discovery: method == "server/discover",
        };
        match (&message.id, message.raw_id) {
            (Some(id), Some(raw)) if message.method.is_some() => {
                let Some(ask) = self.state().open.begin(id) else {
                    return self.to_proxy.send(&error(Some(raw), NO_REQUEST, "this id is under way")).await;
                };
                let (remote, raw, asked) = (Arc::clone(self), raw.to_owned(), ask.clone());
                let is_hello = said.is_hello;
                let exchange = tokio::spawn(async move { remote.exchange(said, &asked, &raw).await });
                self.state().open.is_done_by(&ask, exchange.abort_handle());
                // Whatever comes behind it is said in the session that it begins.
                if is_hello {
                    let _ = exchange.await;
                }
                Ok(())
            }
            (None, Some(raw)) if message.method.is_some() => {
                self.to_proxy.send(&error(Some(raw), NO_REQUEST, "this id is no text and no whole number")).await
            }
            _ => {
                if method == "notifications/cancelled" && self.taken_back(&message) {
                    return Ok(());
                }
                let begins = method == "notifications/initialized";
                let remote = Arc::clone(self);
                let telling = tokio::spawn(async move {
                    // Nobody waits for an answer to it.
                    let _ = remote.post(&said).await;
                    if begins {
                        remote.begin_to_listen();
                    }
                });
                let _ = timeout(PATIENCE, telling).await;
                Ok(())
            }
        }
    }

    /// A request is taken back: nobody waits for its answer. Where there are no sessions, a server hears that by the end of the connection, and true
    /// is that nothing else has to be said.
    fn taken_back(&self, message: &Message<'_>) -> bool {
        let named = message.params.and_then(|params| Fields::read(params.get(), &["requestId"]).ok()?.get("requestId"));
        let line = named.map(|id| format!(r#"{{"id":{}}}"#, id.get())).unwrap_or_default();
        let Some(id) = Message::read(line.as_bytes()).ok().and_then(|message| message.id) else { return false };
        let mut state = self.state();
        let task = state.open.take_back(&id);
        let has_session = state.version.is_some();
        drop(state);
        if let (Some(task), false) = (task, has_session) {
            task.abort();
            return true;
        }
        false
    }

    /// Makes a request, and sees to it that it is answered.
    async fn exchange(self: &Arc<Self>, said: Said, ask: &Ask, raw: &RawValue) {
        let Ok(_place) = self.places.acquire().await else { return };
        let lost = match self.round(&said, ask).await {
            Ok(()) => Lost { code: UNREACHED, words: "the server has ended its answer without one".to_owned() },
            Err(lost) => lost,
        };
        if self.state().open.answered(&ask.id, From::Request(ask)) {
            // Where the proxy is gone, nobody has to be told.
            let _ = self.to_proxy.send(&error(Some(raw), lost.code, &visible(&lost.words))).await;
        }
    }

    /// Sends a request and takes what is said to it.
    async fn round(self: &Arc<Self>, said: &Said, ask: &Ask) -> Result<(), Lost> {
        let session = self.state().session.clone().filter(|_| said.head.version.is_none() && !said.is_hello);
        let mut response = self.post(said).await?;
        if let (StatusCode::NOT_FOUND, Some(gone)) = (response.status(), &session) {
            // It was not done: whoever has no such session has no such request.
            self.begin_again(gone).await?;
            response = self.post(said).await?;
        }
        if said.is_hello {
            let mut state = self.state();
            state.session = response.headers().get(SESSION).cloned();
            state.hello = Some(said.body.clone());
        }
        let mut heard = Heard::default();
        self.take(response, said, From::Request(ask), &mut heard).await?;
        self.take_up(ask, said, heard).await
    }

    /// What every request of a session says.
    fn of_session(&self) -> Vec<(HeaderName, HeaderValue)> {
        let state = self.state();
        let session = state.session.clone().map(|session| (SESSION, session));
        let version = state.version.clone().map(|version| (VERSION, version));
        session.into_iter().chain(version).collect()
    }

    async fn post(&self, said: &Said) -> Result<Response<Incoming>, Lost> {
        let mut headers = match &said.head.version {
            None if said.is_hello => Vec::new(),
            None => self.of_session(),
            Some(version) => HeaderValue::from_str(version).map(|version| (VERSION, version)).into_iter().collect(),
        };
        headers.extend(said.head.headers.iter().cloned());
        let reached = self.line.request(Method::POST, &headers, said.body.clone()).await;
        reached.map_err(|why| Lost { code: UNREACHED, words: format!("{} cannot be reached: {why}", self.line.host()) })
    }

    /// Takes what a server says to something: one message, or events.
    async fn take(
        self: &Arc<Self>,
        response: Response<Incoming>,
        said: &Said,
        from: From<'_>,
        heard: &mut Heard,
    ) -> Result<(), Lost> {
        let status = response.status();
        let of = |name| response.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let kind = of(header::CONTENT_TYPE).unwrap_or_default().split(';').next().unwrap_or_default();
        let kind = kind.trim().to_ascii_lowercase();
        let host = self.line.host();
        let lost = |words: String| Lost { code: UNREACHED, words };
        if of(header::CONTENT_ENCODING).is_some_and(|how| how != "identity") {
            return Err(lost(format!("{host} has packed its answer, which was not asked for")));
        }
        if status.is_redirection() {
            let to = visible(of(header::LOCATION).unwrap_or_default());
            return Err(lost(format!("{host} leads on to `{to}`, and nobody goes there: name that server itself")));
        }
        if status.is_success() && kind == "text/event-stream" {
            return self.events(response.into_body(), from, heard).await;
        }
        let body = Limited::new(response.into_body(), MESSAGE_AT_MOST).collect().await;
        let body = body.map_err(|why| lost(format!("the answer of {host} did not come whole: {why}")))?.to_bytes();
        if kind == "application/json" && self.hear(&body, from).await {
            return Ok(());
        }
        let code = match said.is_discovery && status.is_client_error() {
            // A server of before then: the client introduces itself.
            true => NO_METHOD,
            false => UNREACHED,
        };
        Err(Lost { code, words: format!("{host} has answered with {status}, and with no answer to this") })
    }

    async fn events(self: &Arc<Self>, mut body: Incoming, from: From<'_>, heard: &mut Heard) -> Result<(), Lost> {
        let mut events = Events::default();
        let mut is_answered = false;
        loop {
            let next = match is_answered {
                // The connection is used again where the server ends what it says.
                true => timeout(LAST_WORDS, body.frame()).await.unwrap_or(None),
                false => body.frame().await,
            };
            let Some(Ok(frame)) = next else { return Ok(()) };
            let Ok(piece) = frame.into_data() else { continue };
            let too_long = |_| Lost { code: UNREACHED, words: "the server says more at once than is taken".to_owned() };
            for event in events.take(&piece).map_err(too_long)? {
                heard.anything = true;
                heard.last = event.id.or(heard.last.take());
                let retry = event.retry.map(Duration::from_millis);
                heard.retry = retry.map(|retry| retry.min(RETRY_AT_MOST)).or(heard.retry);
                if event.is_message && !event.data.is_empty() {
                    let answers = self.hear(&event.data, from).await;
                    is_answered |= answers && matches!(from, From::Request(_));
                }
            }
        }
    }

    /// One message of the server. True where it is the answer that was waited for.
    async fn hear(&self, text: &[u8], from: From<'_>) -> bool {
        // Ends of lines stand between the parts of a message and never inside of a text.
        let blank = |byte: &u8| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte };
        let mut line: Vec<u8> = text.trim_ascii().iter().map(blank).collect();
        let is_answer = match Message::read(&line) {
            Err(_) => return false,
            Ok(message) if message.method.is_some() => false,
            Ok(message) => {
                let Some(id) = &message.id else { return false };
                // What nobody waits for is nobody's answer.
                if !self.answered(id, from, &message) {
                    return false;
                }
                true
            }
        };
        line.push(b'\n');
        let _ = self.to_proxy.send(&line).await;
        is_answer
    }

    fn answered(&self, id: &Id, from: From<'_>, message: &Message<'_>) -> bool {
        let mut state = self.state();
        if !state.open.answered(id, from) {
            return false;
        }
        let parts = message.result.and_then(|result| Fields::read(result.get(), &["tools", "protocolVersion"]).ok());
        let part = |name: &str| parts.as_ref().and_then(|parts| parts.get(name)).map(RawValue::get);
        if let Some(tools) = part("tools").filter(|tools| tools.contains("x-mcp-header")) {
            state.annotated.learn(tools);
        }
        if let Some(version) = part("protocolVersion").and_then(|text| serde_json::from_str::<String>(text).ok()) {
            state.version = HeaderValue::from_str(&version).ok();
        }
        true
    }
}
