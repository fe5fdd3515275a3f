//! Who waits for what. Whoever lets something happen to an approval here hands it to those who wait for it. Of what happens
//! elsewhere, on another node or by the clock, the ledger tells; so one of those who wait looks for all of them what its new
//! lines are about, and wakes those whom they concern and nobody else. Otherwise each change would make everybody look.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use signoff_model::ApprovalId;
use tokio::{sync::watch, time::sleep};

use crate::{Happened, Store, StoreError, Subject};

/// So many lines are looked at at once.
const PAGE: u32 = 64;

/// Whoever begins to look this far behind the end does not catch up line by line: all look for themselves.
const FAR: u64 = 1_000;

/// A ledger that cannot be read is tried again after so long. Whoever waits finds out by themselves how long they want to.
const AGAIN_AFTER: Duration = Duration::from_millis(500);

/// All who wait at one gate.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    state: Mutex<State>,
    /// How far the ledger was looked at. Whoever holds this looks.
    read: tokio::sync::Mutex<u64>,
}

#[derive(Debug, Default)]
struct State {
    /// How to wake those who wait for an approval.
    bells: HashMap<ApprovalId, watch::Sender<Known>>,
    /// How many are about to let something happen to an approval here. They wake whoever waits for it, with what they know, so
    /// that nobody has to look because the ledger tells of it a moment earlier.
    in_hand: HashMap<ApprovalId, usize>,
}

/// What is known of an approval without looking at it.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    /// That something has happened to it.
    ToHaveChanged,
    /// All of it, behind what has happened to it last here.
    As(Arc<Happened>),
}

/// Somebody who waits for an approval.
#[derive(Debug)]
pub(crate) struct Waiter<'w> {
    waiting: &'w Waiting,
    id: ApprovalId,
    known: watch::Receiver<Known>,
}

impl Waiting {
    /// Begins to wait for an approval: whatever happens to it from now on is not missed.
    pub(crate) fn on(&self, id: ApprovalId) -> Waiter<'_> {
        let mut state = self.state();
        let bell = state.bells.entry(id).or_insert_with(|| watch::Sender::new(Known::ToHaveChanged));
        Waiter { waiting: self, id, known: bell.subscribe() }
    }

    /// Something is about to happen to an approval here.
    pub(crate) fn take_in_hand(&self, id: ApprovalId) -> InHand<'_> {
        *self.state().in_hand.entry(id).or_default() += 1;
        InHand { waiting: self, id, becomes: Known::ToHaveChanged }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An approval to which something is about to happen. Whoever waits for it is woken when this is dropped, whatever has come of it.
#[derive(Debug)]
pub(crate) struct InHand<'w> {
    waiting: &'w Waiting,
    id: ApprovalId,
    becomes: Known,
}

impl InHand<'_> {
    /// It has happened, and is kept.
    pub(crate) fn has(mut self, happened: &Happened) {
        let awaited = self.waiting.state().bells.contains_key(&self.id);
        if awaited {
            self.becomes = Known::As(Arc::new(happened.clone()));
        }
    }
}

impl Drop for InHand<'_> {
    fn drop(&mut self) {
        let mut state = self.waiting.state();
        if let Some(count) = state.in_hand.get_mut(&self.id) {
            *count -= 1;
            if *count == 0 {
                state.in_hand.remove(&self.id);
            }
        }
        if let Some(bell) = state.bells.get(&self.id) {
            bell.send_replace(self.becomes.clone());
        }
    }
}

impl Waiter<'_> {
    /// Ends when something has happened to the approval since the last time.
    pub(crate) async fn woken(&mut self, store: &dyn Store) -> Result<Known, StoreError> {
        let Self { waiting, id, known } = self;
        tokio::select! {
            biased;
            // The sender is kept for as long as somebody waits.
            _ = known.changed() => {}
            read = waiting.look_for_all(*id, store) => read?,
        }
        Ok(known.borrow_and_update().clone())
    }
}

impl Waiting {
    /// Looks for all who wait what the ledger tells of, once nobody else does, until it tells of this approval. Whoever is dropped
    /// in the middle leaves off where the next one begins.
    async fn look_for_all(&self, own: ApprovalId, store: &dyn Store) -> Result<(), StoreError> {
        let mut read = self.read.lock().await;
        // There is a line at least: the approval was asked for.
        let end = store.news(0).await?;
        if end.saturating_sub(*read) > FAR {
            *read = end;
            self.state().bells.values().for_each(|bell| drop(bell.send_replace(Known::ToHaveChanged)));
            return Ok(());
        }
        loop {
            store.news(*read).await?;
            let Ok(subjects) = store.subjects(*read, PAGE).await else {
                sleep(AGAIN_AFTER).await;
                continue;
            };
            let Some(Subject { number, .. }) = subjects.last() else { continue };
            *read = *number;
            self.tell(&subjects);
            if subjects.iter().any(|subject| subject.approval == Some(own)) && !self.state().in_hand.contains_key(&own)
            {
                return Ok(());
            }
        }
    }

    fn tell(&self, subjects: &[Subject]) {
        let state = self.state();
        let about = subjects.iter().filter_map(|subject| subject.approval).filter(|id| !state.in_hand.contains_key(id));
        about.filter_map(|id| state.bells.get(&id)).for_each(|bell| drop(bell.send_replace(Known::ToHaveChanged)));
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let mut state = self.waiting.state();
        // This one is still among them.
        if state.bells.get(&self.id).is_some_and(|bell| bell.receiver_count() <= 1) {
            state.bells.remove(&self.id);
        }
    }
}
