//! What the ledger adds up to, on the wire.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use signoff_store::Stats;
use utoipa::ToSchema;

/// What the ledger adds up to.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct Statistics {
    /// So many entries.
    pub entries: u64,
    /// Of which so many say that this happened.
    pub what: BTreeMap<String, u64>,
    /// Decisions by how grave it was what they were about.
    pub risk: BTreeMap<String, u64>,
    /// Decisions by who wanted it.
    pub agents: BTreeMap<String, u64>,
    /// Who has answered how often, and how.
    pub answers: BTreeMap<String, BTreeMap<String, u64>>,
    /// So many milliseconds half of the questions were open at most that were answered.
    pub median_to_decide_ms: Option<u64>,
    /// On so many questions time has run out.
    pub expired: u64,
    /// So many were approved and then no longer what was shown.
    pub stale: u64,
}

impl From<Stats> for Statistics {
    fn from(stats: Stats) -> Self {
        let Stats { entries, what, risk, agents, answers, median_to_decide, expired, stale } = stats;
        Self { entries, what, risk, agents, answers, median_to_decide_ms: median_to_decide, expired, stale }
    }
}
