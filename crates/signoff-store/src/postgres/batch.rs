//! What the jobs of one transaction make of the rows that it holds. Nothing here waits: the head of the ledger is held
//! meanwhile, and with it every other node.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use signoff_gate::{Asked, Event, Happened, NewApproval, StoreError, record, step};
use signoff_model::{Approval, ApprovalId, Deed, LedgerEntry, Timestamp};

use super::job::Job;
use crate::{chain::Head, wire};

/// An agent, its session, and what it calls its request there.
pub(super) type Key = (String, String, String);

fn key_of(new: &NewApproval) -> Key {
    let requester = &new.requester;
    (requester.agent.as_str().to_owned(), requester.session.as_str().to_owned(), new.key.as_str().to_owned())
}

/// What a transaction has to read and hold before its jobs can be done.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// In their order, which all nodes keep to.
    pub(super) ids: BTreeSet<ApprovalId>,
    /// What requesters call their requests.
    pub(super) keys: Vec<Key>,
    /// Whether something is written that needs neither.
    is_recorded: bool,
}

impl Needs {
    pub(super) fn of(jobs: &[Job], due: &[ApprovalId]) -> Self {
        let mut needs = Self::default();
        for job in jobs {
            match job {
                Job::Ask(wish) => {
                    let new = &wish.wanted;
                    needs.ids.insert(new.id);
                    needs.keys.push(key_of(new));
                }
                Job::Happen(wish) => {
                    needs.ids.insert(wish.wanted.0);
                }
                Job::Tick(_) => needs.ids.extend(due),
                Job::Record(wish) => needs.is_recorded |= !wish.wanted.is_empty(),
            }
        }
        needs
    }

    /// Whether there is nothing to read and nothing to write.
    pub(super) fn is_nothing(&self) -> bool {
        self.ids.is_empty() && self.keys.is_empty() && !self.is_recorded
    }
}

/// An approval as it was found. One that cannot be read is the trouble of whoever wants it, and of nobody else.
pub(super) type Found = Result<Approval, StoreError>;

/// The approval of a stored text.
pub(super) fn parsed(record: &str) -> Found {
    wire::read(record).map_err(|why| StoreError::Damaged(format!("an approval cannot be read: {}", why.0)))
}

/// The jobs of one transaction, and what they come to.
pub(super) struct Batch {
    head: Head,
    now: Timestamp,
    approvals: HashMap<ApprovalId, Found>,
    keys: HashMap<Key, ApprovalId>,
    due: Vec<ApprovalId>,
    new: BTreeSet<ApprovalId>,
    changed: BTreeSet<ApprovalId>,
    entries: Vec<LedgerEntry>,
}

/// What has to be written.
#[derive(Debug)]
pub(super) struct Changes {
    pub(super) new: Vec<Approval>,
    pub(super) changed: Vec<Approval>,
    pub(super) entries: Vec<LedgerEntry>,
    /// Where the ledger ends behind them.
    pub(super) head: Head,
    pub(super) now: Timestamp,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.new.is_empty() && self.changed.is_empty() && self.entries.is_empty()
    }
}

impl Batch {
    pub(super) fn new(
        head: Head,
        now: Timestamp,
        approvals: HashMap<ApprovalId, Found>,
        keys: HashMap<Key, ApprovalId>,
        due: Vec<ApprovalId>,
    ) -> Self {
        let (new, changed) = (BTreeSet::new(), BTreeSet::new());
        Self { head, now, approvals, keys, due, new, changed, entries: Vec::new() }
    }

    /// For jobs that touch nothing.
    pub(super) fn idle() -> Self {
        Self::new(Head::EMPTY, Timestamp::default(), HashMap::new(), HashMap::new(), Vec::new())
    }

    pub(super) fn ask(&mut self, new: &NewApproval) -> Result<Asked, StoreError> {
        let key = key_of(new);
        if let Some(kept) = self.keys.get(&key).and_then(|id| self.approvals.get(id)) {
            let kept = kept.clone()?;
            return Ok(if new.is_again(&kept) { Asked::Before(kept) } else { Asked::KeyTaken });
        }
        if self.approvals.contains_key(&new.id) {
            return Err(StoreError::Unavailable(format!("there is another approval {}", new.id)));
        }
        let (id, approval) = (new.id, new.clone().at(self.now));
        wire::kept(&approval)?;
        self.append(&record::of_question(&approval));
        self.new.insert(id);
        self.keys.insert(key, id);
        self.approvals.insert(id, Ok(approval.clone()));
        Ok(Asked::New(approval))
    }

    pub(super) fn happen(&mut self, id: ApprovalId, event: &Event) -> Result<Option<Happened>, StoreError> {
        let Some(found) = self.approvals.get(&id) else { return Ok(None) };
        let mut approval = found.clone()?;
        let step = step(&approval, event, self.now);
        let deed = record::of_step(&approval, event, &step);
        if let Some(stage) = step.stage {
            approval.stage = stage;
            wire::kept(&approval)?;
            self.changed.insert(id);
            self.approvals.insert(id, Ok(approval.clone()));
        }
        if let Some(deed) = deed {
            self.append(&deed);
        }
        Ok(Some(Happened { approval, outcome: step.outcome }))
    }

    /// Lets time run out on what was found to be due, and gives what ended by it. Somebody may have been faster since then.
    pub(super) fn tick(&mut self, at_most: u32) -> Vec<Approval> {
        let due: Vec<ApprovalId> =
            self.due.iter().take(usize::try_from(at_most).unwrap_or(usize::MAX)).copied().collect();
        let mut ended = Vec::new();
        for id in due {
            let before = self.entries.len();
            // One that cannot be read stays due, and does not keep the others from ending.
            if let Ok(Some(happened)) = self.happen(id, &Event::Tick)
                && self.entries.len() > before
            {
                ended.push(happened.approval);
            }
        }
        ended
    }

    pub(super) fn append(&mut self, deed: &Deed) {
        let body = wire::body(deed, self.now);
        self.head = self.head.with(&body);
        let Head { number, digest } = self.head;
        self.entries.push(LedgerEntry { number, at: self.now, approval: deed.approval, body, digest });
    }

    pub(super) fn changes(self) -> Changes {
        let Self { head, now, approvals, new, changed, entries, .. } = self;
        let mut approvals: BTreeMap<ApprovalId, Approval> =
            approvals.into_iter().filter_map(|(id, found)| Some((id, found.ok()?))).collect();
        let mut taken = |id: &ApprovalId| approvals.remove(id);
        let changed = changed.difference(&new).filter_map(&mut taken).collect();
        let new = new.iter().filter_map(&mut taken).collect();
        Changes { new, changed, entries, head, now }
    }
}
