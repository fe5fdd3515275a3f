//! The gate over HTTP: agents ask, wait and redeem; people look and answer. The two kinds of credential never mix: a route
//! names the kind of caller that it is for, and no other gets in.
//!
//! This crate translates between the wire and the gate, keeps accounts, and decides nothing.

mod accounts;
mod app;
pub mod client;
mod connections;
mod credentials;
mod draining;
mod guard;
mod inside;
mod limits;
mod problem;
mod routes;
mod serving;
mod speaking;
mod tries;
mod wire;

pub use accounts::{Account, AccountError, Accounts, PASSWORD_AT_LEAST, Role, can_be_password};
pub use app::App;
pub use guard::{NONCE, PROOF, statement};
pub use limits::Limits;
pub use serving::{Owners, openapi, router, serve_socket, serve_tcp};
pub use speaking::{AgentCaller, AgentProtocol, Answering, Bytes};
pub use wire::{setting::Setting, statistics::Statistics};
