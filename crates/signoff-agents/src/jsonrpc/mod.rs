//! JSON-RPC as lines, for whoever stands between two programs that speak it: messages are read only as far as has to be known, and pass as
//! the bytes that they are.

mod lines;
mod message;
mod outlet;

pub use lines::{Line, Lines, Piece};
pub use message::{Fault, Fields, Id, Message, is_blank};
pub use outlet::{Outlet, error};
