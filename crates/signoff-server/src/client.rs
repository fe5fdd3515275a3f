//! The other end of the wire: how the command line and agents' hooks call a gateway. Every reply is checked to come from the
//! gate whose key the caller knows, to this very question: whoever squats on the address answers nothing.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use axum::{
    body::{Body, Bytes, HttpBody},
    http::{HeaderValue, Method, Request, Response, StatusCode, header},
};
use base64ct::{Base64UrlUnpadded, Encoding as _};
use http_body_util::{BodyExt as _, Limited};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use serde_json::Value;
use signoff_card::Language;
use signoff_gate::{Mint as _, SystemMint};
use signoff_model::{Operation, PersonId};
use signoff_permit::VerifierKey;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, UnixStream},
    time::timeout,
};

use crate::{
    credentials::{AGENT, SESSION},
    guard::{NONCE, PROOF, statement},
    inside::Inside,
    wire::operation::WireOperation,
};

/// Where a gateway is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gateway {
    /// On a port.
    Port(SocketAddr),
    /// On the local socket.
    Socket(PathBuf),
}

/// As whom somebody calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// As nobody.
    Nobody,
    /// As an agent on the local socket.
    LocalAgent {
        /// What it is called.
        agent: String,
        /// Its session.
        session: String,
    },
    /// As an agent with a key.
    Agent {
        /// The key.
        key: String,
        /// Its session.
        session: String,
    },
    /// As a person who is logged in.
    Person {
        /// The token of the login.
        token: String,
    },
}

/// Why there is no answer. None of these is a yes.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// There is no gateway.
    #[error("no gateway answers at {0}")]
    NoGateway(String),
    /// It did not answer in time, or not whole.
    #[error("the gateway did not answer: {0}")]
    NoAnswer(String),
    /// Whoever answered is not the gate.
    #[error("whoever answers at {0} is not the gate: its answer has no proof")]
    Impostor(String),
    /// It said what is wrong.
    #[error("{detail}")]
    Problem {
        /// By its stable name.
        code: String,
        /// For people.
        detail: String,
        /// What is no longer as it was shown, thing by thing, in the language of whoever called.
        differences: Vec<String>,
    },
}

/// An operation as it goes over the wire.
pub fn to_wire(operation: &Operation) -> Value {
    serde_json::to_value(WireOperation::from(operation)).unwrap_or_default()
}

/// The operation that came over the wire; none where it is no such thing.
pub fn from_wire(value: Value) -> Option<Operation> {
    let operation: WireOperation = serde_json::from_value(value).ok()?;
    operation.try_into().ok()
}

/// The largest answer that is taken.
const ANSWER_AT_MOST: usize = 64 * 1024 * 1024;
/// How long a gateway may take to be there.
const CONNECT_WITHIN: Duration = Duration::from_secs(2);

/// Somebody who calls a gateway.
#[derive(Clone, Debug)]
pub struct Client {
    reach: Reach,
    key: VerifierKey,
    caller: Caller,
    /// The language in which reasons are told.
    language: Language,
}

/// How a gateway is reached.
#[derive(Clone, Debug)]
enum Reach {
    At(Gateway),
    /// It is this server, and an agent of this person calls.
    Inside(Inside, PersonId),
}

impl Client {
    /// Somebody who knows the key of the gate.
    pub const fn new(gateway: Gateway, key: VerifierKey, caller: Caller) -> Self {
        Self { reach: Reach::At(gateway), key, caller, language: Language::English }
    }

    /// An agent of somebody, for whom the server calls itself.
    pub(crate) fn inside(inside: Inside, owner: PersonId, caller: Caller) -> Self {
        let key = inside.key();
        Self { reach: Reach::Inside(inside, owner), key, caller, language: Language::English }
    }

    /// The same as somebody else.
    #[must_use]
    pub fn calling_as(self, caller: Caller) -> Self {
        Self { caller, ..self }
    }

    /// The same in another language.
    #[must_use]
    pub fn speaking(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// Calls a route and reads what it says.
    ///
    /// # Errors
    ///
    /// When there is no answer, none of the gate, or one that says what is wrong.
    pub async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        within: Duration,
    ) -> Result<T, CallError> {
        let answered = timeout(within, self.answer(method, path, body)).await;
        let (status, body) = answered.map_err(|_| CallError::NoAnswer("it took too long".to_owned()))??;
        let no_answer = |error: serde_json::Error| CallError::NoAnswer(error.to_string());
        if status.is_success() {
            let text: &[u8] = if body.is_empty() { b"null" } else { &body };
            return serde_json::from_slice(text).map_err(no_answer);
        }
        let problem: Value = serde_json::from_slice(&body).map_err(no_answer)?;
        let field = |name: &str| problem.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let differences = problem.get("differences").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let words = |one: &Value| one.get("words").and_then(Value::as_str).map(str::to_owned);
        let differences = differences.iter().filter_map(words).collect();
        Err(CallError::Problem { code: field("code"), detail: field("detail"), differences })
    }

    async fn answer(&self, method: Method, path: &str, body: Option<&Value>) -> Result<(StatusCode, Bytes), CallError> {
        match &self.reach {
            Reach::Inside(inside, owner) => {
                let (host, nonce) = (self.host(), nonce()?);
                let request = self.request(method, path, body, &host, &nonce)?;
                self.heard(inside.call(owner, request).await, &host, &nonce).await
            }
            Reach::At(Gateway::Port(address)) => {
                let stream = timeout(CONNECT_WITHIN, TcpStream::connect(address)).await;
                let stream = stream.ok().and_then(Result::ok).ok_or_else(|| self.nobody())?;
                self.over(stream, method, path, body).await
            }
            Reach::At(Gateway::Socket(socket)) => {
                let stream = timeout(CONNECT_WITHIN, UnixStream::connect(socket)).await;
                let stream = stream.ok().and_then(Result::ok).ok_or_else(|| self.nobody())?;
                self.over(stream, method, path, body).await
            }
        }
    }

    async fn over(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(StatusCode, Bytes), CallError> {
        let failed = |error: hyper::Error| CallError::NoAnswer(error.to_string());
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(failed)?;
        let driving = tokio::spawn(connection);
        let (host, nonce) = (self.host(), nonce()?);
        let request = self.request(method, path, body, &host, &nonce)?;
        let response = sender.send_request(request).await.map_err(failed)?;
        let heard = self.heard(response, &host, &nonce).await;
        driving.abort();
        heard
    }

    /// Takes a reply, once it is proved to be the gate's and to this question.
    async fn heard<B>(&self, response: Response<B>, host: &str, nonce: &str) -> Result<(StatusCode, Bytes), CallError>
    where
        B: HttpBody<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let status = response.status();
        let proof = response.headers().get(PROOF).cloned();
        let limited = Limited::new(response.into_body(), ANSWER_AT_MOST).collect().await;
        let body = limited.map_err(|error| CallError::NoAnswer(error.to_string()))?.to_bytes();
        let signed = statement(nonce, host, status.as_u16(), &body);
        let proof = proof.and_then(|proof| Base64UrlUnpadded::decode_vec(proof.to_str().ok()?).ok()?.try_into().ok());
        if proof.is_some_and(|proof| self.key.has_signed(&signed, &proof)) {
            Ok((status, body))
        } else {
            Err(CallError::Impostor(self.address()))
        }
    }

    fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        host: &str,
        nonce: &str,
    ) -> Result<Request<Body>, CallError> {
        let wrong = |what: &str| CallError::NoAnswer(format!("{what} cannot be sent"));
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, host).header(NONCE, nonce);
        let value = |text: &str| HeaderValue::from_bytes(text.as_bytes());
        if let Some(headers) = request.headers_mut() {
            let mut put = |name: &'static str, text: &str| -> Result<(), CallError> {
                headers.insert(name, value(text).map_err(|_| wrong(name))?);
                Ok(())
            };
            put(header::ACCEPT_LANGUAGE.as_str(), self.language.name())?;
            match &self.caller {
                Caller::Nobody => {}
                Caller::LocalAgent { agent, session } => {
                    put(AGENT, agent)?;
                    put(SESSION, session)?;
                }
                Caller::Agent { key, session } => {
                    put(header::AUTHORIZATION.as_str(), &format!("Bearer {key}"))?;
                    put(SESSION, session)?;
                }
                Caller::Person { token } => put(header::AUTHORIZATION.as_str(), &format!("Bearer {token}"))?,
            }
        }
        let built = match body {
            Some(body) => request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        built.map_err(|error| CallError::NoAnswer(error.to_string()))
    }

    fn host(&self) -> String {
        match &self.reach {
            Reach::At(Gateway::Port(address)) => address.to_string(),
            Reach::At(Gateway::Socket(_)) | Reach::Inside(..) => "signoff".to_owned(),
        }
    }

    fn address(&self) -> String {
        match &self.reach {
            Reach::At(Gateway::Port(address)) => address.to_string(),
            Reach::At(Gateway::Socket(path)) => path.display().to_string(),
            Reach::Inside(..) => "this server".to_owned(),
        }
    }

    fn nobody(&self) -> CallError {
        CallError::NoGateway(self.address())
    }
}

fn nonce() -> Result<String, CallError> {
    SystemMint.nonce().map(|nonce| nonce.to_string()).map_err(|none| CallError::NoAnswer(none.to_string()))
}
