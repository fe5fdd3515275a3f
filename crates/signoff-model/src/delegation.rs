use std::time::Duration;

use crate::{Answerer, PersonId, Timestamp};

/// Somebody has handed their answering over to another, for a while. What the other one may say in their stead is what they could
/// have said themselves, and it is still one voice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delegation {
    /// Who has handed it over, and by which way.
    pub by: Answerer,
    /// To whom.
    pub to: PersonId,
    /// When.
    pub at: Timestamp,
    /// Until when.
    pub until: Timestamp,
}

impl Delegation {
    /// The longest time for which somebody can hand their answering over.
    pub const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);
}

/// In whose stead somebody may speak, and until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stead {
    /// Who has handed it over.
    pub person: PersonId,
    /// Until when.
    pub until: Timestamp,
}
