//! tmux: what it says in its control mode, how it is asked, and what it shows.
//!
//! Whatever stands in a pane was written by somebody else. It comes back in the same stream as what tmux itself says, so nothing is believed
//! that does not stand between two words that nobody else knows ([`exchange`]).

mod call;
mod command;
mod control;
mod exchange;
mod guard;
mod ids;
mod link;
mod panes;
mod protocol;
mod snapshot;
mod version;

pub use call::Socket;
pub use command::{Command, List, quoted};
pub use control::{Control, Woken};
pub use exchange::Trouble;
pub use guard::{guard, listening};
pub use ids::PaneId;
pub use link::Link;
pub use panes::{Listed, sessions};
pub use protocol::{Block, Event, Mark, Notice, Reader};
pub use snapshot::{Snapshot, Unclear};
pub use version::{OLDEST, Version};
