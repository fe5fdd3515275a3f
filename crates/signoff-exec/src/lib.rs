//! The hands of Signoff: they run a process, back up what would be lost, and bring it back.
//!
//! This room does what it is told and nothing else. It does not decide whether something may run, it does not print, and
//! it does not ask the time of day: whoever calls it has a permit or an allow, owns the streams and knows the hour.
//!
//! [`run()`] runs a command in a process group of its own and ends all of it on a time limit or a cancellation.
//! [`file::carry_out`] does one thing to one file. [`Store`] keeps backups: [`Store::back_up`] before something is lost, [`Store::seal_after`] once it is,
//! [`Store::list`], [`Store::restore`] and [`Store::prune`] afterwards.

pub mod backup;
pub mod file;
pub mod run;

pub use backup::Store;
pub use run::run;
