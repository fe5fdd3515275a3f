//! The MCP server: what an agent may ask Signoff for. No tool here approves, grants, changes a policy or answers a question; whatever runs
//! goes through the same program as everything else, and whoever has to agree is asked at the gateway.

mod asking;
mod by_name;
mod given;
mod handler;
mod judging;
mod network;
mod operation;
mod program;
mod progress;
mod prompting;
mod questions;
mod running;
mod tools;
mod words;

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use rmcp::{ServiceExt as _, transport::stdio};
use signoff_agents::door::Door;
use signoff_card::Language;

pub use network::Network;

/// What the server stands in: for whom it asks, and whom.
pub struct House {
    /// How the gateway knows who asks.
    pub agent: String,
    /// The session of everything that is asked here.
    pub session: String,
    /// The language for people.
    pub language: Language,
    /// Opens the door to the gateway, sees to it that one is there as far as that can be done, or says why there is none.
    pub door: Arc<dyn Fn() -> Result<Door, String> + Send + Sync>,
    /// What it runs and looks at things with. None where its client is elsewhere: whoever calls over a network gets no hands on this machine.
    pub hands: Option<Hands>,
}

/// A server on the machine of its client, which works there as the user of both.
pub struct Hands {
    /// This program, which judges and runs.
    pub program: PathBuf,
    /// Where things run unless a call says otherwise.
    pub directory: PathBuf,
    /// The session of the client that has started this one, where it says so.
    pub client_session: Option<String>,
    /// The variables that turn something elsewhere: a yes is for the place that they name.
    pub environment: BTreeMap<String, String>,
}

/// Why the server has ended before its client did.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Ended(String);

/// Serves a client on standard input and output until it goes.
///
/// # Errors
///
/// When the client speaks something else.
pub async fn serve_stdio(house: House) -> Result<(), Ended> {
    let server = handler::Server(handler::Standing::With(Arc::new(house)));
    let ended = |why: &dyn std::fmt::Display| Ended(why.to_string());
    let serving = match server.serve(stdio()).await {
        Ok(serving) => serving,
        // It has asked nothing.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ended(&error)),
    };
    serving.waiting().await.map(drop).map_err(|error| ended(&error))
}
