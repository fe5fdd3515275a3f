//! A gateway as a process of its own, and those who call it over the loopback: for tests of what only a real server does, and
//! for measurements.

mod line;
pub mod races;
mod running;
mod site;

pub use line::{Line, Reply};
pub use running::Running;
pub use site::{Joined, PASSWORD, Site};
