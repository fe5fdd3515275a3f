use crate::{Answerer, ApprovalId, Digest, Requester, Timestamp};

/// Who has done something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// An agent, for its owner.
    Agent(Requester),
    /// A person, on a channel.
    Person(Answerer),
    /// The gate itself: clocks, clean-ups.
    Gate,
}

/// Something that happened, for the record: who, what, to which approval, and why or how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// What, by its stable name.
    pub what: &'static str,
    /// Who.
    pub by: Actor,
    /// The approval that it is about.
    pub approval: Option<ApprovalId>,
    /// Whatever else is worth knowing, by name. Nothing in it is secret.
    pub details: Vec<(&'static str, String)>,
}

/// One line of the ledger. Each holds the digest of the one before, so that none can be changed or taken out unnoticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// Its place, from one on, without a gap.
    pub number: u64,
    /// When.
    pub at: Timestamp,
    /// The approval that it is about.
    pub approval: Option<ApprovalId>,
    /// What happened, as the exact text that is part of the digest.
    pub body: String,
    /// The digest of this entry and, by that, of all before it.
    pub digest: Digest,
}
