//! Another protocol that agents speak with this server, on a path of its own. Who speaks was found out before, by their key; what they want
//! goes to the gate by the same routes as everything else.

use std::{convert::Infallible, pin::Pin, sync::Arc};

pub use axum::body::Bytes;
use axum::http::{Request, Response};
use http_body_util::combinators::BoxBody;
use signoff_card::Language;
use signoff_model::{AgentId, PersonId, SessionId};

use crate::{
    client::{Caller, Client},
    inside::Inside,
    limits::Held,
};

/// What is answered, while it comes to be.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Response<BoxBody<Bytes, Infallible>>> + Send + 'a>>;

/// A protocol that agents with a key may speak.
pub trait AgentProtocol: Send + Sync + 'static {
    /// Answers one request. It holds neither the key of the agent nor a cookie.
    fn answer(&self, by: AgentCaller, request: Request<Bytes>) -> Answering<'_>;
}

/// An agent that has shown its key.
#[derive(Clone, Debug)]
pub struct AgentCaller {
    /// What it is called.
    pub agent: AgentId,
    /// For whom it works.
    pub owner: PersonId,
    /// The session that it names, where it does.
    pub session: Option<SessionId>,
    /// The language that it wants reasons in.
    pub language: Language,
    pub(crate) inside: Inside,
    /// What it holds of the server while its call is answered, whether or not it still listens.
    pub(crate) _held: Arc<Held>,
}

impl AgentCaller {
    /// The routes for agents, called as this one in a session.
    pub fn client(&self, session: &str) -> Client {
        let caller = Caller::LocalAgent { agent: self.agent.to_string(), session: session.to_owned() };
        Client::inside(self.inside.clone(), self.owner.clone(), caller).speaking(self.language)
    }
}
