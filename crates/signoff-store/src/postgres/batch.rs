//! What the jobs of one transaction make of the rows that it holds. Nothing here waits: the head of the ledger is held
//! meanwhile, and with it every other node.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use signoff_gate::{Asked, Change, Event, Happened, NewApproval, StoreError, record, step};
use signoff_model::{Actor, Approval, ApprovalId, Deed, LedgerEntry, Timestamp};

use super::job::Job;
use crate::{
    chain::Head,
    items::{self, Becoming, Place},
    wire,
};

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
    /// Where the things are kept that are changed.
    pub(super) places: BTreeSet<Place>,
    /// Whether something is written that needs none of these.
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
                    needs.ids.extend(new.befalls().map(|(before, _)| before));
                    needs.keys.push(key_of(new));
                }
                Job::Happen(wish) => {
                    needs.ids.insert(wish.wanted.0);
                }
                Job::HappenTogether(wish) => needs.ids.extend(wish.wanted.iter().map(|(id, _)| *id)),
                Job::Tick(_) => needs.ids.extend(due),
                Job::Record(wish) => needs.is_recorded |= !wish.wanted.is_empty(),
                Job::Change(wish) => needs.places.extend(wish.wanted.iter().map(items::place_of)),
            }
        }
        needs
    }

    /// Whether there is nothing to read and nothing to write.
    pub(super) fn is_nothing(&self) -> bool {
        self.ids.is_empty() && self.keys.is_empty() && self.places.is_empty() && !self.is_recorded
    }
}

/// An approval as it was found. One that cannot be read is the trouble of whoever wants it, and of nobody else.
pub(super) type Found = Result<Approval, StoreError>;

/// The approval of a stored text.
pub(super) fn parsed(record: &str) -> Found {
    wire::read(record).map_err(|why| StoreError::Damaged(format!("an approval cannot be read: {}", why.0)))
}

/// What a transaction has found.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) approvals: HashMap<ApprovalId, Found>,
    /// How many refusals of each are written that changed nothing.
    pub(super) refusals: HashMap<ApprovalId, u32>,
    /// Which approvals were asked for under these keys.
    pub(super) keys: HashMap<Key, ApprovalId>,
    /// The things that are there.
    pub(super) items: HashMap<Place, String>,
}

/// The jobs of one transaction, and what they come to.
pub(super) struct Batch {
    head: Head,
    now: Timestamp,
    rows: Rows,
    due: Vec<ApprovalId>,
    new: BTreeSet<ApprovalId>,
    changed: BTreeSet<ApprovalId>,
    aside: Vec<ApprovalId>,
    items: Becoming,
    entries: Vec<LedgerEntry>,
    /// How often something was written.
    written: usize,
}

/// An approval as it is to be kept.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) approval: Approval,
    pub(super) refusals: u32,
}

/// What has to be written.
#[derive(Debug)]
pub(super) struct Changes {
    pub(super) new: Vec<Kept>,
    pub(super) changed: Vec<Kept>,
    /// What nobody can read any more, and is taken off the clock.
    pub(super) aside: Vec<ApprovalId>,
    pub(super) items: Becoming,
    pub(super) entries: Vec<LedgerEntry>,
    /// Where the ledger ends behind them.
    pub(super) head: Head,
    pub(super) now: Timestamp,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.items.is_empty() && !self.concern_approvals()
    }

    /// Whether approvals are written.
    pub(super) fn concern_approvals(&self) -> bool {
        !(self.new.is_empty() && self.changed.is_empty() && self.aside.is_empty())
    }
}

impl Batch {
    pub(super) fn new(head: Head, now: Timestamp, rows: Rows, due: Vec<ApprovalId>) -> Self {
        let (new, changed) = (BTreeSet::new(), BTreeSet::new());
        Self {
            head,
            now,
            rows,
            due,
            new,
            changed,
            aside: Vec::new(),
            items: Becoming::new(),
            entries: Vec::new(),
            written: 0,
        }
    }

    /// How often something was written so far: whoever has done something in between sees it grow.
    pub(super) const fn written(&self) -> usize {
        self.written
    }

    /// For jobs that touch nothing.
    pub(super) fn idle() -> Self {
        Self::new(Head::EMPTY, Timestamp::default(), Rows::default(), Vec::new())
    }

    pub(super) fn ask(&mut self, new: &NewApproval) -> Result<Asked, StoreError> {
        let key = key_of(new);
        if let Some(kept) = self.rows.keys.get(&key).and_then(|id| self.rows.approvals.get(id)) {
            let kept = kept.clone()?;
            return Ok(if new.is_again(&kept) { Asked::Before(kept) } else { Asked::KeyTaken });
        }
        if self.rows.approvals.contains_key(&new.id) {
            return Err(StoreError::Unavailable(format!("there is another approval {}", new.id)));
        }
        let (id, approval) = (new.id, new.clone().at(self.now));
        wire::kept_new(&approval)?;
        if let Some((before, event)) = new.befalls() {
            let gone = || StoreError::Unkeepable("the question that it comes from is not there".to_owned());
            let happened = self.happen(before, &event)?.ok_or_else(gone)?;
            if happened.outcome.is_err() {
                return Ok(Asked::Refused(happened));
            }
        }
        self.append(&record::of_question(&approval));
        self.new.insert(id);
        self.rows.keys.insert(key, id);
        self.rows.approvals.insert(id, Ok(approval.clone()));
        Ok(Asked::New(approval))
    }

    pub(super) fn happen(&mut self, id: ApprovalId, event: &Event) -> Result<Option<Happened>, StoreError> {
        let Some(found) = self.rows.approvals.get(&id) else { return Ok(None) };
        let mut approval = found.clone()?;
        let step = step(&approval, event, self.now);
        let merely_refused = record::is_mere_refusal(&step);
        let refusals = self.rows.refusals.get(&id).copied().unwrap_or(0);
        let deed = record::of_step(&approval, event, &step, refusals);
        if let Some(stage) = step.stage {
            approval.stage = stage;
            wire::is_keepable(&approval.stage)?;
            self.changed.insert(id);
            self.rows.approvals.insert(id, Ok(approval.clone()));
        }
        if let Some(deed) = deed {
            self.append(&deed);
            if merely_refused {
                self.changed.insert(id);
                self.rows.refusals.insert(id, refusals.saturating_add(1));
            }
        }
        Ok(Some(Happened { approval, outcome: step.outcome, at: self.now }))
    }

    pub(super) fn happen_together(
        &mut self,
        events: &[(ApprovalId, Event)],
    ) -> Result<Vec<Option<Happened>>, StoreError> {
        let each = events.iter().map(|(id, event)| match self.happen(*id, event) {
            // Nobody has answered what nobody can read; the others are not to blame.
            Err(StoreError::Damaged(_) | StoreError::Unkeepable(_)) => Ok(None),
            other => other,
        });
        each.collect()
    }

    /// Lets time run out on what was found to be due, and gives what ended by it. Somebody may have been faster since then.
    pub(super) fn tick(&mut self, at_most: u32) -> Vec<Approval> {
        let due: Vec<ApprovalId> =
            self.due.iter().take(usize::try_from(at_most).unwrap_or(usize::MAX)).copied().collect();
        let mut ended = Vec::new();
        for id in due {
            let before = self.entries.len();
            match self.happen(id, &Event::Tick) {
                Ok(Some(happened)) if self.entries.len() > before => ended.push(happened.approval),
                // Nobody can say yes to what nobody can read; it must not keep time from running for all others.
                Err(StoreError::Damaged(why) | StoreError::Unkeepable(why)) if !self.aside.contains(&id) => {
                    self.aside.push(id);
                    let details = vec![("why", why)];
                    self.append(&Deed { what: "damaged", by: Actor::Gate, approval: Some(id), details });
                }
                _ => {}
            }
        }
        ended
    }

    pub(super) fn change(&mut self, changes: &[Change]) -> Result<bool, StoreError> {
        let kept = |place: &Place| {
            let becomes = self.items.get(place).cloned();
            Ok(becomes.unwrap_or_else(|| self.rows.items.get(place).cloned()))
        };
        let Some(becoming) = items::changed(changes, kept)? else { return Ok(false) };
        self.written += usize::from(!becoming.is_empty());
        self.items.extend(becoming);
        changes.iter().filter_map(|change| change.deed.as_ref()).for_each(|deed| self.append(deed));
        Ok(true)
    }

    pub(super) fn append(&mut self, deed: &Deed) {
        let body = wire::body(deed, self.now);
        self.head = self.head.with(&body);
        let Head { number, digest } = self.head;
        self.written += 1;
        self.entries.push(LedgerEntry { number, at: self.now, approval: deed.approval, body, digest });
    }

    pub(super) fn changes(self) -> Changes {
        let Self { head, now, rows, new, changed, aside, mut items, entries, .. } = self;
        // What was only made sure of, or is what it was before, is not written.
        items.retain(|place, text| rows.items.get(place) != text.as_ref());
        let mut approvals: BTreeMap<ApprovalId, Approval> =
            rows.approvals.into_iter().filter_map(|(id, found)| Some((id, found.ok()?))).collect();
        let mut taken = |id: &ApprovalId| {
            let refusals = rows.refusals.get(id).copied().unwrap_or(0);
            Some(Kept { approval: approvals.remove(id)?, refusals })
        };
        let changed = changed.difference(&new).filter_map(&mut taken).collect();
        let new = new.iter().filter_map(&mut taken).collect();
        Changes { new, changed, aside, items, entries, head, now }
    }
}
