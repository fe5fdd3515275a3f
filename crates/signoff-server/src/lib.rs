//! The gate over HTTP: agents ask, wait and redeem; people look and answer. The two kinds of credential never mix: a route
//! names the kind of caller that it is for, and no other gets in.
//!
//! This crate translates between the wire and the gate, keeps accounts, and decides nothing.

mod accounts;
mod app;
pub mod client;
mod credentials;
mod guard;
mod problem;
mod routes;
mod serving;
mod tries;
mod wire;

pub use accounts::{AccountError, Accounts, PASSWORD_AT_LEAST};
pub use app::App;
pub use guard::{NONCE, PROOF, statement};
pub use serving::{Allowed, openapi, router, serve_socket, serve_tcp};
pub use wire::statistics::Statistics;
