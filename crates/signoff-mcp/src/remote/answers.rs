//! Which requests wait for an answer: each gets one, from where it was asked, and none once its client has taken it back.

use std::collections::HashMap;

use signoff_agents::jsonrpc::Id;
use tokio::task::AbortHandle;

/// A request that was sent, told from an earlier one with the same id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ask {
    pub(super) id: Id,
    serial: u64,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum From<'a> {
    /// What the server has said to a request.
    Request(&'a Ask),
    /// The stream of what it says by itself.
    Stream,
}

/// The requests that wait.
#[derive(Debug, Default)]
pub(super) struct Open {
    waiting: HashMap<Id, Waiting>,
    serial: u64,
}

#[derive(Debug)]
struct Waiting {
    serial: u64,
    task: Option<AbortHandle>,
}

impl Open {
    /// One more waits. None where another one with its id does.
    pub(super) fn begin(&mut self, id: &Id) -> Option<Ask> {
        if self.waiting.contains_key(id) {
            return None;
        }
        self.serial += 1;
        let serial = self.serial;
        self.waiting.insert(id.clone(), Waiting { serial, task: None });
        Some(Ask { id: id.clone(), serial })
    }

    /// Who sees to a request.
    pub(super) fn is_done_by(&mut self, ask: &Ask, task: AbortHandle) {
        if let Some(waiting) = self.waiting.get_mut(&ask.id).filter(|waiting| waiting.serial == ask.serial) {
            waiting.task = Some(task);
        }
    }

    /// Takes an answer. False where nobody waits for it there.
    pub(super) fn answered(&mut self, id: &Id, from: From<'_>) -> bool {
        let fits = self.waiting.get(id).is_some_and(|waiting| match from {
            From::Request(ask) => ask.id == *id && ask.serial == waiting.serial,
            From::Stream => true,
        });
        fits && self.waiting.remove(id).is_some()
    }

    /// Whether somebody still waits for the answer to this request.
    pub(super) fn waits(&self, ask: &Ask) -> bool {
        self.waiting.get(&ask.id).is_some_and(|waiting| waiting.serial == ask.serial)
    }

    /// Nobody waits for it any more. Who sees to it is told apart, to be ended where that is how a server hears of it.
    pub(super) fn take_back(&mut self, id: &Id) -> Option<AbortHandle> {
        self.waiting.remove(id)?.task
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn each_request_has_one_answer() {
        let (mut open, id) = (Open::default(), Id::Number(1));
        let first = open.begin(&id).unwrap();
        assert!(open.begin(&id).is_none(), "it is under way");
        assert!(!open.answered(&Id::Text("1".to_owned()), From::Stream), "another id");
        let other = open.begin(&Id::Number(2)).unwrap();
        assert!(!open.answered(&id, From::Request(&other)), "not by what was said to another one");
        assert!(open.answered(&id, From::Request(&first)));
        assert!(!open.answered(&id, From::Request(&first)), "once");
        // What was taken back is not answered by what comes late, although its id is used again.
        let late = open.begin(&id).unwrap();
        assert!(open.take_back(&id).is_none());
        let again = open.begin(&id).unwrap();
        assert!(!open.waits(&late) && open.waits(&again));
        assert!(!open.answered(&id, From::Request(&late)));
        assert!(open.answered(&id, From::Stream));
    }
}
