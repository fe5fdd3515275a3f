//! What a ledger adds up to.

use std::collections::{BTreeMap, HashMap};

use signoff_model::{ApprovalId, LedgerEntry};

use crate::{
    pages::Pages,
    wire::{Doer, Told, told},
};

/// So many entries are read at a time.
const PAGE: u32 = 500;

/// How often something happened, by its name.
pub type Counts = BTreeMap<String, u64>;

/// What a ledger adds up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// So many entries.
    pub entries: u64,
    /// Of which so many say that this happened.
    pub what: Counts,
    /// Decisions by how grave it was what they were about.
    pub risk: Counts,
    /// Decisions by who wanted it.
    pub agents: Counts,
    /// Who has answered how often, and how.
    pub answers: BTreeMap<String, Counts>,
    /// So many milliseconds half of the questions were open at most that were answered.
    pub median_to_decide: Option<u64>,
    /// On so many questions time has run out.
    pub expired: u64,
    /// So many were approved and then no longer what was shown.
    pub stale: u64,
}

/// Adds up a ledger.
pub async fn stats<P: Pages + ?Sized>(pages: &P) -> Result<Stats, P::Error> {
    let mut sum = Sum::default();
    let mut after = 0;
    loop {
        let entries = pages.entries(after, PAGE).await?;
        let Some(last) = entries.last() else { return Ok(sum.finished()) };
        after = last.number;
        entries.iter().for_each(|entry| sum.add(entry));
    }
}

/// A question whose end has not been read yet: when it was asked, and whether somebody has decided.
#[derive(Clone, Copy)]
struct Open {
    asked: i64,
    decided: bool,
}

#[derive(Default)]
struct Sum {
    stats: Stats,
    open: HashMap<ApprovalId, Open>,
    took: Vec<u64>,
}

fn count(counts: &mut Counts, name: &str) {
    *counts.entry(name.to_owned()).or_default() += 1;
}

impl Sum {
    fn add(&mut self, entry: &LedgerEntry) {
        let stats = &mut self.stats;
        stats.entries += 1;
        let Some(Told { what, by, details }) = told(&entry.body) else { return };
        count(&mut stats.what, &what);
        if let ("asked" | "allowed" | "blocked", Doer::Agent { agent, .. }) = (what.as_str(), &by) {
            count(&mut stats.agents, agent);
            if let Some(risk) = details.get("risk") {
                count(&mut stats.risk, risk);
            }
        }
        if let ("answered", Doer::Person { person, .. }) = (what.as_str(), &by) {
            let answer = details.get("answer").map_or("", String::as_str);
            count(stats.answers.entry(person.clone()).or_default(), answer);
        }
        let Some(id) = entry.approval else { return };
        if what == "asked" {
            self.open.insert(id, Open { asked: entry.at.millis(), decided: false });
        } else if let Some(stage) = details.get("stage") {
            self.goes_on(id, entry.at.millis(), stage);
        }
    }

    /// Whoever is refused later is told where it stands, so that each end is counted once.
    fn goes_on(&mut self, id: ApprovalId, at: i64, stage: &str) {
        let Some(open) = self.open.get_mut(&id) else { return };
        if matches!(stage, "approved" | "modified" | "denied") && !open.decided {
            open.decided = true;
            self.took.push(u64::try_from(at.saturating_sub(open.asked)).unwrap_or_default());
        }
        match stage {
            "expired" => self.stats.expired += 1,
            "stale" => self.stats.stale += 1,
            _ => {}
        }
        if !matches!(stage, "pending" | "approved" | "modified" | "redeemed") {
            self.open.remove(&id);
        }
    }

    fn finished(mut self) -> Stats {
        self.took.sort_unstable();
        // Of two in the middle, the longer one.
        self.stats.median_to_decide = self.took.get(self.took.len() / 2).copied();
        self.stats
    }
}
