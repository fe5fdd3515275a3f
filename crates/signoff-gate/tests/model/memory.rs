//! A store in memory, with nothing of its own but a map and a clock: what an event makes of an approval is said by the gate.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use signoff_gate::{
    Asked, Change, Event, Happened, Item, NewApproval, Order, Reply, Store, StoreError, Ticked, Trusted, Wanted, step,
};
use signoff_model::{Approval, ApprovalId, Deed, Delegation, Grant, LedgerEntry, Timestamp};

#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) clock: AtomicI64,
    approvals: Mutex<BTreeMap<ApprovalId, Approval>>,
}

fn told<T: Send + 'static>(answer: T) -> Reply<'static, T> {
    Box::pin(std::future::ready(Ok(answer)))
}

/// What the gate is not asked for here.
fn not_here<T: Send + 'static>() -> Reply<'static, T> {
    Box::pin(std::future::ready(Err(StoreError::Unavailable("not in memory".to_owned()))))
}

impl Memory {
    fn time(&self) -> Timestamp {
        Timestamp::from_millis(self.clock.load(Ordering::SeqCst))
    }
}

impl Store for Memory {
    fn pending(&self) -> Reply<'_, u64> {
        not_here()
    }

    fn ready(&self) -> Reply<'_, ()> {
        told(())
    }

    fn ask(&self, new: NewApproval) -> Reply<'_, Asked> {
        let mut approvals = self.approvals.lock().unwrap();
        let before = approvals.values().find(|kept| {
            kept.requester.agent == new.requester.agent
                && kept.requester.session == new.requester.session
                && kept.key == new.key
        });
        if let Some(before) = before {
            return told(if new.is_again(before) { Asked::Before(before.clone()) } else { Asked::KeyTaken });
        }
        let approval = new.at(self.time());
        approvals.insert(approval.id, approval.clone());
        told(Asked::New(approval))
    }

    fn happen(&self, id: ApprovalId, event: Event) -> Reply<'_, Option<Happened>> {
        let mut approvals = self.approvals.lock().unwrap();
        let Some(approval) = approvals.get_mut(&id) else { return told(None) };
        let step = step(approval, &event, self.time());
        if let Some(stage) = step.stage {
            approval.stage = stage;
        }
        told(Some(Happened { approval: approval.clone(), outcome: step.outcome, at: self.time() }))
    }

    fn approval(&self, id: ApprovalId) -> Reply<'_, Option<Approval>> {
        told(self.approvals.lock().unwrap().get(&id).cloned())
    }

    fn now(&self) -> Reply<'_, Timestamp> {
        told(self.time())
    }

    fn tick(&self, _: u32) -> Reply<'_, Ticked> {
        not_here()
    }

    fn list(&self, _: Wanted) -> Reply<'_, Vec<Approval>> {
        not_here()
    }

    fn record(&self, _: Vec<Deed>) -> Reply<'_, ()> {
        not_here()
    }

    fn ledger(&self, _: u64, _: u32) -> Reply<'_, Vec<LedgerEntry>> {
        not_here()
    }

    fn first_open(&self) -> Reply<'_, Option<u64>> {
        not_here()
    }

    fn sweep(&self, _: u64, _: u32) -> Reply<'_, u64> {
        not_here()
    }

    fn news(&self, _: u64) -> Reply<'_, u64> {
        not_here()
    }

    // Nobody has given an order, handed anything over, or learned to trust anybody.

    fn change(&self, _: Vec<Change>) -> Reply<'_, bool> {
        told(true)
    }

    fn item(&self, _: &'static str, _: &str) -> Reply<'_, Option<String>> {
        told(None)
    }

    fn items(&self, _: &'static str, _: Option<&str>, _: u32) -> Reply<'_, Vec<Item>> {
        told(Vec::new())
    }

    fn happen_together(&self, _: Vec<(ApprovalId, Event)>) -> Reply<'_, Vec<Option<Happened>>> {
        not_here()
    }

    fn order_as_kept(&self, _: &Order) -> Result<String, StoreError> {
        Err(StoreError::Unavailable("not in memory".to_owned()))
    }

    fn kept_order(&self, _: &str) -> Result<Order, StoreError> {
        Err(StoreError::Unavailable("not in memory".to_owned()))
    }

    fn trust_as_kept(&self, _: &Trusted) -> Result<String, StoreError> {
        Err(StoreError::Unavailable("not in memory".to_owned()))
    }

    fn kept_trust(&self, _: &str) -> Result<Trusted, StoreError> {
        Err(StoreError::Unavailable("not in memory".to_owned()))
    }

    fn delegation_as_kept(&self, _: &Delegation) -> Result<String, StoreError> {
        Err(StoreError::Unavailable("not in memory".to_owned()))
    }

    fn kept_delegation(&self, _: &str) -> Result<Delegation, StoreError> {
        Err(StoreError::Unavailable("not in memory".to_owned()))
    }

    fn grant_as_kept(&self, _: &Grant) -> Result<String, StoreError> {
        Err(StoreError::Unavailable("not in memory".to_owned()))
    }

    fn kept_grant(&self, _: &str) -> Result<Grant, StoreError> {
        Err(StoreError::Unavailable("not in memory".to_owned()))
    }
}
