//! The Model Context Protocol. [`server`] is for agents that run and ask through us, and the only room that knows `rmcp`. A [`Proxy`] stands in
//! front of any other server: each `tools/call` goes through the gate, and everything else passes byte for byte; it knows no type of the
//! protocol, so that whatever comes with the next revision passes as well. Nothing is decided here.

mod call;
mod catalogue;
mod proxy;
mod remote;
mod reply;
pub mod server;
mod under_way;

pub use proxy::{Proxy, ServerName, WrongName};
pub use remote::{Remote, Target, WrongTarget};
