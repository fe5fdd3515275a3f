//! Backs up what a command would delete or overwrite, and brings it back.

mod attributes;
mod content;
mod document;
mod error;
mod escaped;
mod flush;
pub(crate) mod ladder;
mod listing;
mod making;
mod manifest;
mod placing;
mod plan;
mod pruning;
mod restoring;
mod room;
mod roots;
mod sealing;
mod store;
mod survey;
mod wire;

pub use content::Progress;
pub use error::{BackupError, BackupErrorKind, Conflict, ConflictReason};
pub use listing::{Listed, State};
pub use making::BackupRequest;
pub use manifest::{BackupId, Description, Moment, Size};
pub use pruning::Prune;
pub use restoring::{Destination, Note, NoteKind, Restored};
pub use room::{FileSystemRoom, Room};
pub use store::Store;
