//! What waits to be written, and who waits for it.

use signoff_gate::{Asked, Change, Event, Happened, NewApproval, StoreError, Ticked};
use signoff_model::{ApprovalId, Deed, Timestamp};
use tokio::sync::oneshot;

use super::batch::Batch;

/// Whom to tell.
pub(super) type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// Something for the writer to do.
pub(super) enum Job {
    Ask(Wish<Box<NewApproval>, Asked>),
    Happen(Wish<(ApprovalId, Box<Event>), Option<Happened>>),
    HappenTogether(Wish<Vec<(ApprovalId, Event)>, Vec<Option<Happened>>>),
    Tick(Wish<u32, Ticked>),
    Record(Wish<Vec<Deed>, ()>),
    Change(Wish<Vec<Change>, bool>),
}

/// What is wanted, what came of it in the transaction that was tried last, and whom to tell once that is kept.
pub(super) struct Wish<W, T> {
    pub(super) wanted: W,
    came: Option<Result<T, StoreError>>,
    answer: Answer<T>,
}

impl<W, T> Wish<W, T> {
    pub(super) fn new(wanted: W, answer: Answer<T>) -> Self {
        Self { wanted, came: None, answer }
    }

    fn tell(self, kept: Result<(), StoreError>) {
        let untried = || Err(StoreError::Unavailable("it was not tried".to_owned()));
        // Who has gone away in the meantime asks again under the same key.
        let _ = self.answer.send(kept.and_then(|()| self.came.unwrap_or_else(untried)));
    }
}

impl Job {
    /// Does it to what is in memory.
    pub(super) fn apply(&mut self, batch: &mut Batch) {
        match self {
            Self::Ask(wish) => wish.came = Some(batch.ask(&wish.wanted)),
            Self::Happen(wish) => wish.came = Some(batch.happen(wish.wanted.0, &wish.wanted.1)),
            Self::HappenTogether(wish) => wish.came = Some(batch.happen_together(&wish.wanted)),
            Self::Tick(wish) => wish.came = Some(Ok(Ticked { ended: batch.tick(wish.wanted), next: None })),
            Self::Record(wish) => {
                wish.wanted.iter().for_each(|deed| batch.append(deed));
                wish.came = Some(Ok(()));
            }
            Self::Change(wish) => wish.came = Some(batch.change(&wish.wanted)),
        }
    }

    /// Adds when the next approval is due.
    pub(super) fn set_next(&mut self, next: Option<Timestamp>) {
        if let Self::Tick(Wish { came: Some(Ok(ticked)), .. }) = self {
            ticked.next = next;
        }
    }

    /// Tells whoever waits for it what came of it, or why nothing did.
    pub(super) fn tell(self, kept: Result<(), StoreError>) {
        match self {
            Self::Ask(wish) => wish.tell(kept),
            Self::Happen(wish) => wish.tell(kept),
            Self::HappenTogether(wish) => wish.tell(kept),
            Self::Tick(wish) => wish.tell(kept),
            Self::Record(wish) => wish.tell(kept),
            Self::Change(wish) => wish.tell(kept),
        }
    }
}
