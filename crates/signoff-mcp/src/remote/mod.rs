//! A server over streamable HTTP, as the proxy sees any other: lines in and lines out. Each line is a request of HTTP, and whatever comes back,
//! as JSON or as events, is lines again. Whoever judges calls stands before this and knows nothing of it; each request has one answer,
//! and one that gets none from the server is told so.

mod answers;
mod connecting;
mod conversing;
mod events;
mod head;
mod target;

pub use conversing::Remote;
pub use target::{Target, WrongTarget};
