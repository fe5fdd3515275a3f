//! One call of a hook: what the client says, and what it hears.

mod call;
mod operation;
mod reply;
mod transcript;

pub use call::{Call, Misread, Moment, Unreadable, asks_its_user};
pub(crate) use operation::command_alone;
pub use operation::operation;
pub use reply::{Answer, Reply, can_change, reply, unheeded};
pub use transcript::last_words;
