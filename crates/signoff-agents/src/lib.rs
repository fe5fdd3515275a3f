//! How coding agents are intercepted: what each of them sends about a tool call, and the answer that each of them heeds.
//!
//! Nothing is decided here. A [`door`] asks the gateway and uses its yes up once. A proxy stands between two programs that speak
//! [`jsonrpc`], and lets an operation through a [`passage`]. A hook only translates: a payload becomes a [`hook::Call`], and an [`hook::Answer`] becomes the bytes
//! and the exit code that make this client do what was decided, and refuse where nothing was.

pub mod acp;
mod client;
pub mod door;
pub mod exact;
pub mod held;
pub mod hook;
pub mod install;
pub mod jsonrpc;
pub mod passage;
pub mod program;
pub mod words;

pub use client::{Client, RunsWithoutHook, Standing};
