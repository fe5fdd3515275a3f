//! What stands between a client and a server: calls of tools go through the gate, and everything else passes as it is.

use std::{io, path::PathBuf, sync::Arc, time::Duration};

use serde_json::value::RawValue;
use signoff_agents::{
    held::{Held, take_all_back},
    jsonrpc::{Fault, Fields, Line, Lines, Message, Outlet, error, is_blank},
    passage::{Asked, Case, Gatekeeper, Refusal, Way},
    words,
};
use signoff_model::Digest;
use tokio::{
    io::AsyncRead,
    task::JoinHandle,
    time::{Instant, interval_at, timeout},
};

use crate::{
    call::{self, Call, takes_our_name},
    catalogue::Catalogue,
    reply,
    under_way::{LetGo, UnderWay},
};

/// A longer message of a client is not read, and so not passed on.
const MESSAGE_AT_MOST: usize = 64 << 20;
/// What a server says passes in pieces of this size; what is shorter passes whole.
const PIECE: usize = 64 << 10;
/// So long what comes behind a call waits until it is judged: then a slow disk keeps nobody waiting but that call.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often a client is told that a call is held.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// So often one call is asked about again because its tool has changed.
const ROUNDS_AT_MOST: u32 = 8;

/// The codes of JSON-RPC for what is wrong.
const NOT_JSON: i32 = -32700;
const NO_REQUEST: i32 = -32600;
const WRONG_PARAMS: i32 = -32602;

/// The name under which the tools of a server are judged and shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerName(String);

/// A name that no server can have here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongName;

impl ServerName {
    /// A name of a server: letters, digits, `-` and single `_`, and not ours.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn new(name: &str) -> Result<Self, WrongName> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let right = !name.is_empty()
            && name.len() <= 64
            && name.bytes().all(is_plain)
            && !name.contains("__")
            && !name.starts_with('_')
            && !name.ends_with('_')
            && !takes_our_name(name);
        if right { Ok(Self(name.to_owned())) } else { Err(WrongName) }
    }

    /// It as a text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A proxy between one client and one server.
pub struct Proxy {
    server: ServerName,
    /// Where calls are judged.
    cwd: PathBuf,
    keeper: Gatekeeper,
    to_client: Outlet,
    to_server: Outlet,
    tools: Catalogue,
    calls: UnderWay,
}

impl Proxy {
    /// Between these two.
    pub fn new(
        server: ServerName,
        cwd: PathBuf,
        keeper: Gatekeeper,
        to_client: Outlet,
        to_server: Outlet,
    ) -> Arc<Self> {
        let (tools, calls) = (Catalogue::default(), UnderWay::default());
        Arc::new(Self { server, cwd, keeper, to_client, to_server, tools, calls })
    }

    /// Takes what a client says, until it says nothing more.
    ///
    /// # Errors
    ///
    /// When one of the two sides cannot be reached.
    pub async fn from_client(self: Arc<Self>, client: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut lines = Lines::new(client);
        loop {
            match lines.line(MESSAGE_AT_MOST).await? {
                Line::End => return Ok(()),
                Line::TooLong => {
                    let words = format!("not passed on: it is longer than {} MiB", MESSAGE_AT_MOST >> 20);
                    self.to_client.send(&error(None, NO_REQUEST, &words)).await?;
                }
                Line::Whole(line) if is_blank(&line) => self.to_server.send(&line).await?,
                Line::Whole(line) => self.take(line).await?,
            }
        }
    }

    /// Passes on what a server says, until it says nothing more. Long messages pass in pieces while they come.
    ///
    /// # Errors
    ///
    /// When one of the two sides cannot be reached.
    pub async fn from_server(self: Arc<Self>, server: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut lines = Lines::new(server);
        loop {
            let mut piece = lines.piece(PIECE).await?;
            if piece.ends {
                if piece.bytes.is_empty() {
                    return Ok(());
                }
                self.hear(&piece.bytes);
                self.to_client.send(&piece.bytes).await?;
                continue;
            }
            // What a list says of tools has to be known before the client can call one.
            let mut sending = self.to_client.begin().await;
            let mut copy = Some(Vec::new());
            while !piece.ends {
                sending.piece(&piece.bytes).await?;
                remember(&mut copy, &piece.bytes);
                piece = lines.piece(PIECE).await?;
            }
            remember(&mut copy, &piece.bytes);
            if let Some(copy) = copy {
                self.hear(&copy);
            }
            sending.piece(&piece.bytes).await?;
            sending.end().await?;
        }
    }

    /// Takes back whatever was asked: nobody is there any more who would be told.
    pub async fn leave(&self) {
        take_all_back(self.calls.forget_all(), "the client or the server has gone").await;
    }

    /// One message of the client.
    async fn take(self: &Arc<Self>, line: Vec<u8>) -> io::Result<()> {
        let message = match Message::read(&line) {
            Ok(message) => message,
            Err(fault) => return self.to_client.send(&refused(None, &fault)).await,
        };
        match message.method.as_deref() {
            Some(call::METHOD) => {
                let call = match Call::read(&message) {
                    Ok(call) => call,
                    Err(fault) => return self.to_client.send(&refused(message.raw_id, &fault)).await,
                };
                match self.calls.hold(&call.id) {
                    Some(held) => self.judge(Arc::new(call), line, held).await,
                    None => self.to_client.send(&in_use(message.raw_id)).await,
                }
            }
            Some("notifications/cancelled") if self.taken_back(&message).await => Ok(()),
            Some(_) if message.id.as_ref().is_some_and(|id| self.calls.has(id)) => {
                self.to_client.send(&in_use(message.raw_id)).await
            }
            _ => self.to_server.pass(&line).await,
        }
    }

    /// Judges a call. Those that are judged at once pass in the order in which they came.
    async fn judge(self: &Arc<Self>, call: Arc<Call>, line: Vec<u8>, held: Arc<Held>) -> io::Result<()> {
        let digest = call.digest();
        let goes_on = |state: &String| !call.brings_more && self.calls.is_going_on(digest, state);
        if call.state.as_ref().is_some_and(goes_on) {
            return self.let_go(&call, &held, &line, None).await.map(drop);
        }
        let mut judging = self.judged(&call);
        match timeout(PATIENCE, &mut judging).await {
            Ok(Ok(Way::Free)) => self.let_go(&call, &held, &line, None).await.map(drop),
            Ok(way) => {
                self.aside(call, line, held, way.unwrap_or_else(|defect| Way::Shut(defect.to_string())));
                Ok(())
            }
            Err(_) => {
                let proxy = Arc::clone(self);
                tokio::spawn(async move {
                    let way = judging.await.unwrap_or_else(|defect| Way::Shut(defect.to_string()));
                    proxy.aside(call, line, held, way);
                });
                Ok(())
            }
        }
    }

    fn judged(&self, call: &Call) -> JoinHandle<Way> {
        let operation = call.operation(self.server.as_str(), self.tools.of(&call.tool).hints);
        let (keeper, cwd) = (self.keeper.clone(), self.cwd.clone());
        tokio::task::spawn_blocking(move || keeper.judge(operation, &cwd))
    }

    /// What has come of judging a call is done aside, so that everything else goes on.
    fn aside(self: &Arc<Self>, call: Arc<Call>, line: Vec<u8>, held: Arc<Held>, way: Way) {
        let proxy = Arc::clone(self);
        tokio::spawn(async move {
            // Where a side is gone, whoever reads from it says so.
            let _ = match way {
                Way::Free => proxy.let_go(&call, &held, &line, None).await.map(drop),
                Way::Shut(words) => proxy.refuse(&call, &held, &words).await,
                Way::Ask(case) => proxy.hold(&call, &line, &held, &case).await,
            };
        });
    }

    /// Holds a call while people decide. One that is taken back ends by itself, once its question is.
    async fn hold(&self, call: &Call, line: &[u8], held: &Arc<Held>, case: &Case) -> io::Result<()> {
        let decided = tokio::select! {
            decided = self.decide(call, held, case) => decided,
            () = self.tell(call, held) => return Ok(()),
        };
        match decided {
            Err(refusal) => self.refuse(call, held, refusal.words()).await,
            Ok(permit) => {
                let sent = self.let_go(call, held, line, permit.clone()).await;
                if let (false, Some(permit)) = (matches!(sent, Ok(true)), permit) {
                    self.keeper.report(&permit, false, "the client took the call back, or the server has gone").await;
                }
                sent.map(drop)
            }
        }
    }

    /// Asks about a call, and asks again where the tool has become another one meanwhile.
    async fn decide(&self, call: &Call, held: &Arc<Held>, case: &Case) -> Result<Option<String>, Refusal> {
        let mut refusal = Refusal::Refused(String::new());
        for _ in 0..ROUNDS_AT_MOST {
            let known = self.tools.of(&call.tool);
            let mut wish = case.wish.clone();
            wish.operation = call.operation(self.server.as_str(), known.hints);
            wish.schema = known.definition;
            let key = self.calls.key(&key(call, &wish.schema));
            let raised = |door: &_, id: &str| held.has_raised(door, id);
            let yes = match self.keeper.ask(&key.key, case, &wish, raised).await? {
                Asked::Free => return Ok(None),
                Asked::Yes(yes) => yes,
            };
            let now = self.tools.of(&call.tool).definition;
            match self.keeper.redeem(yes, case, now.as_ref()).await {
                Ok(permit) if self.tools.of(&call.tool).definition == now => return Ok(Some(permit)),
                // It became another one in the very moment.
                Ok(permit) => self.keeper.report(&permit, false, "the definition of the tool has changed").await,
                Err(unusable) if now == wish.schema => return Err(unusable),
                Err(unusable) => refusal = unusable,
            }
        }
        Err(refusal)
    }

    /// Tells the client again and again that a call is held, so that it goes on waiting. It never ends by itself.
    async fn tell(&self, call: &Call, held: &Held) {
        let mut ticks = interval_at(Instant::now() + TELL_EVERY, TELL_EVERY);
        for times in 1.. {
            ticks.tick().await;
            if let Some(token) = call.progress_token.as_ref().filter(|_| !held.is_taken_back()) {
                let _ = self.to_client.send(&reply::held(token, times, words::waiting(self.keeper.language))).await;
            }
        }
    }

    async fn refuse(&self, call: &Call, held: &Arc<Held>, words: &str) -> io::Result<()> {
        match self.calls.forget_this(&call.id, held) {
            true => self.to_client.send(&reply::refused(call, words)).await,
            // The client does not wait for an answer any more.
            false => Ok(()),
        }
    }

    /// Passes a call on, unless it was taken back before.
    async fn let_go(&self, call: &Call, held: &Arc<Held>, line: &[u8], permit: Option<String>) -> io::Result<bool> {
        if !self.calls.let_go(&call.id, held, LetGo { permit, call: call.digest() }) {
            return Ok(false);
        }
        self.to_server.pass(line).await.map(|()| true)
    }

    /// Takes a call back that is held, and says whether it was: then the server has never heard of it.
    async fn taken_back(&self, message: &Message<'_>) -> bool {
        let Some(id) =
            message.params.and_then(|params| Fields::read(params.get(), &["requestId"]).ok()?.get("requestId"))
        else {
            return false;
        };
        let line = format!(r#"{{"id":{}}}"#, id.get());
        let Some(id) = Message::read(line.as_bytes()).ok().and_then(|message| message.id) else { return false };
        self.calls.answered(&id);
        let Some(held) = self.calls.forget(&id) else { return false };
        tokio::spawn(async move { held.take_back("the client took the call back").await });
        true
    }

    /// Looks at what a server says: which tools there are, and which calls have ended.
    fn hear(&self, line: &[u8]) {
        let Ok(message) = Message::read(line) else { return };
        if message.method.is_some() {
            return;
        }
        let parts = message
            .result
            .and_then(|result| Fields::read(result.get(), &["tools", "isError", "resultType", "requestState"]).ok());
        let part = |name: &str| parts.as_ref().and_then(|parts| parts.get(name)).map(RawValue::get);
        if let Some(tools) = parts.as_ref().and_then(|parts| parts.get("tools")) {
            self.tools.learn(tools);
        }
        let Some(call) = message.id.and_then(|id| self.calls.answered(&id)) else { return };
        let state = part("requestState").and_then(|state| serde_json::from_str::<String>(state).ok());
        if let (Some("\"input_required\""), Some(state)) = (part("resultType"), state) {
            self.calls.goes_on(call.call, state);
        }
        if let Some(permit) = call.permit {
            let success = message.result.is_some() && !message.failed && part("isError") != Some("true");
            let keeper = self.keeper.clone();
            let words = if success { "" } else { "the server says that it failed" };
            tokio::spawn(async move { keeper.report(&permit, success, words).await });
        }
    }
}

/// Keeps a copy of what has passed, as long as anybody would read it.
fn remember(copy: &mut Option<Vec<u8>>, bytes: &[u8]) {
    *copy = copy.take().filter(|copy| copy.len().saturating_add(bytes.len()) <= MESSAGE_AT_MOST);
    if let Some(copy) = copy {
        copy.extend_from_slice(bytes);
    }
}

/// A question is for one call of one tool as it is described.
fn key(call: &Call, definition: &Option<serde_json::Value>) -> String {
    let definition = definition.as_ref().map(ToString::to_string).unwrap_or_default();
    Digest::of(format!("{} {definition}", call.digest()).as_bytes()).to_string()
}

fn refused(id: Option<&RawValue>, fault: &Fault) -> Vec<u8> {
    let code = match fault {
        Fault::NotText | Fault::NotJson(_) | Fault::SeveralLines => NOT_JSON,
        Fault::Batch | Fault::NotAnObject => NO_REQUEST,
        Fault::Name(_) | Fault::Wrong(_) => {
            if id.is_some() {
                WRONG_PARAMS
            } else {
                NO_REQUEST
            }
        }
    };
    error(id, code, &format!("Signoff did not pass this message on: {fault}"))
}

fn in_use(id: Option<&RawValue>) -> Vec<u8> {
    error(id, NO_REQUEST, "Signoff did not pass this message on: another request of this id is under way")
}

#[cfg(test)]
mod tests;
