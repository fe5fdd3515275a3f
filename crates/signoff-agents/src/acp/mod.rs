//! The Agent Client Protocol: between an editor and an agent, whose requests for permission are answered by the gate. Everything else passes.

mod permission;
mod proxy;

pub use proxy::Proxy;
