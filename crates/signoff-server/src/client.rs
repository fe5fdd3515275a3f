//! The other end of the wire: how the command line and agents' hooks call a gateway. Every reply is checked to come from the
//! gate whose key the caller knows, to this very question: whoever squats on the address answers nothing.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, Method, Request, StatusCode, header},
};
use base64ct::{Base64UrlUnpadded, Encoding as _};
use http_body_util::{BodyExt as _, Limited};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use serde_json::Value;
use signoff_gate::{Mint as _, SystemMint};
use signoff_permit::VerifierKey;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, UnixStream},
    time::timeout,
};

use crate::{
    credentials::{AGENT, SESSION},
    guard::{NONCE, PROOF, statement},
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
    },
}

/// The largest answer that is taken.
const ANSWER_AT_MOST: usize = 64 * 1024 * 1024;
/// How long a gateway may take to be there.
const CONNECT_WITHIN: Duration = Duration::from_secs(2);

/// Somebody who calls a gateway.
#[derive(Clone, Debug)]
pub struct Client {
    gateway: Gateway,
    key: VerifierKey,
    caller: Caller,
}

impl Client {
    /// Somebody who knows the key of the gate.
    pub const fn new(gateway: Gateway, key: VerifierKey, caller: Caller) -> Self {
        Self { gateway, key, caller }
    }

    /// The same as somebody else.
    #[must_use]
    pub fn calling_as(self, caller: Caller) -> Self {
        Self { caller, ..self }
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
        Err(CallError::Problem { code: field("code"), detail: field("detail") })
    }

    async fn answer(&self, method: Method, path: &str, body: Option<&Value>) -> Result<(StatusCode, Bytes), CallError> {
        match &self.gateway {
            Gateway::Port(address) => {
                let stream = timeout(CONNECT_WITHIN, TcpStream::connect(address)).await;
                let stream = stream.ok().and_then(Result::ok).ok_or_else(|| self.nobody())?;
                self.over(stream, method, path, body).await
            }
            Gateway::Socket(socket) => {
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
        let status = response.status();
        let proof = response.headers().get(PROOF).cloned();
        let limited = Limited::new(response.into_body(), ANSWER_AT_MOST).collect().await;
        let body = limited.map_err(|error| CallError::NoAnswer(error.to_string()))?.to_bytes();
        driving.abort();
        let signed = statement(&nonce, &host, status.as_u16(), &body);
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
        match &self.gateway {
            Gateway::Port(address) => address.to_string(),
            Gateway::Socket(_) => "signoff".to_owned(),
        }
    }

    fn address(&self) -> String {
        match &self.gateway {
            Gateway::Port(address) => address.to_string(),
            Gateway::Socket(path) => path.display().to_string(),
        }
    }

    fn nobody(&self) -> CallError {
        CallError::NoGateway(self.address())
    }
}

fn nonce() -> Result<String, CallError> {
    SystemMint.nonce().map(|nonce| nonce.to_string()).map_err(|none| CallError::NoAnswer(none.to_string()))
}
