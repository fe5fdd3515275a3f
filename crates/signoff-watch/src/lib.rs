//! Agents in tmux.
//!
//! This room sees when an agent waits for its user, has what it wants to do judged by the gate, and types the answer: once, into exactly the dialog
//! that was judged, or not at all. It decides nothing: what is harmless is for the gate to say, and what a dialog looks like for the analysis.

pub mod answering;
mod board;
pub mod happening;
pub mod host;
mod pane;
pub mod reading;
pub mod scope;
pub mod state;
pub mod status;
pub mod swarm;
pub mod tightening;
pub mod tmux;
mod unread;
mod watcher;

pub use pane::Mode;
pub use watcher::{Order, watch};
