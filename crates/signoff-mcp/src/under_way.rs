//! The calls that are under way: held, or let go and not answered yet.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use signoff_agents::{held::Held, jsonrpc::Id};
use signoff_model::Digest;

/// So many servers' states to go on with are remembered.
const STATES_AT_MOST: usize = 10_000;

/// A call that was let go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LetGo {
    /// With which yes, where one was needed.
    pub(crate) permit: Option<String>,
    /// Which call.
    pub(crate) call: Digest,
}

#[derive(Default)]
struct Calls {
    held: HashMap<Id, Arc<Held>>,
    let_go: HashMap<Id, LetGo>,
    keys: HashSet<String>,
    states: HashSet<(Digest, String)>,
}

impl Calls {
    fn forget_this(&mut self, id: &Id, held: &Arc<Held>) -> bool {
        let is_held = self.held.get(id).is_some_and(|there| Arc::ptr_eq(there, held));
        if is_held {
            self.held.remove(id);
        }
        is_held
    }
}

/// All of them.
#[derive(Default)]
pub(crate) struct UnderWay(Mutex<Calls>);

impl UnderWay {
    /// Whether a request of this id is under way.
    pub(crate) fn has(&self, id: &Id) -> bool {
        let calls = lock(&self.0);
        calls.held.contains_key(id) || calls.let_go.contains_key(id)
    }

    /// Holds a call; none where another one has its id.
    pub(crate) fn hold(&self, id: &Id) -> Option<Arc<Held>> {
        if self.has(id) {
            return None;
        }
        let held = Arc::new(Held::default());
        lock(&self.0).held.insert(id.clone(), Arc::clone(&held));
        Some(held)
    }

    /// Forgets the call of an id that is held; none where nobody holds one.
    pub(crate) fn forget(&self, id: &Id) -> Option<Arc<Held>> {
        lock(&self.0).held.remove(id)
    }

    /// Forgets this very call, and says whether it was held: another one may have its id by now.
    pub(crate) fn forget_this(&self, id: &Id, held: &Arc<Held>) -> bool {
        lock(&self.0).forget_this(id, held)
    }

    /// Forgets all that are held.
    pub(crate) fn forget_all(&self) -> Vec<Arc<Held>> {
        lock(&self.0).held.drain().map(|(_, held)| held).collect()
    }

    /// A call goes from those that are held to those that are let go, unless it was taken back before.
    pub(crate) fn let_go(&self, id: &Id, held: &Arc<Held>, call: LetGo) -> bool {
        let mut calls = lock(&self.0);
        let is_held = calls.forget_this(id, held);
        if is_held {
            calls.let_go.insert(id.clone(), call);
        }
        is_held
    }

    /// The server has answered, or will not.
    pub(crate) fn answered(&self, id: &Id) -> Option<LetGo> {
        lock(&self.0).let_go.remove(id)
    }

    /// A key for a question that no other call that is held has: the same call finds its question again, and two at once have two.
    pub(crate) fn key(&self, of: &str) -> Key<'_> {
        let mut calls = lock(&self.0);
        let mut nth = 0_u64;
        loop {
            let key = format!("{of}-{nth}");
            if calls.keys.insert(key.clone()) {
                return Key { calls: self, key };
            }
            nth += 1;
        }
    }

    /// The server wants to be called once more with this, to go on.
    pub(crate) fn goes_on(&self, call: Digest, state: String) {
        let mut calls = lock(&self.0);
        if calls.states.len() < STATES_AT_MOST {
            calls.states.insert((call, state));
        }
    }

    /// Whether a call goes on with one that was let go, once.
    pub(crate) fn is_going_on(&self, call: Digest, state: &str) -> bool {
        lock(&self.0).states.remove(&(call, state.to_owned()))
    }
}

/// A key that is in use.
pub(crate) struct Key<'u> {
    calls: &'u UnderWay,
    pub(crate) key: String,
}

impl Drop for Key<'_> {
    fn drop(&mut self) {
        lock(&self.calls.0).keys.remove(&self.key);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn a_call_is_held_once_and_let_go_once() {
        let (calls, id) = (UnderWay::default(), Id::Number(1));
        let let_go = || LetGo { permit: None, call: Digest::of(b"x") };
        let held = calls.hold(&id).unwrap();
        assert!(calls.hold(&id).is_none());
        assert!(calls.let_go(&id, &held, let_go()) && !calls.let_go(&id, &held, let_go()));
        assert!(calls.has(&id) && calls.hold(&id).is_none());
        assert_eq!(calls.answered(&id), Some(let_go()));
        assert_eq!(calls.answered(&id), None);
        // One that was taken back is let go by nobody, also where another one has its id by now.
        let held = calls.hold(&id).unwrap();
        assert!(calls.forget(&id).is_some());
        let other = calls.hold(&id).unwrap();
        assert!(!calls.let_go(&id, &held, let_go()) && !calls.forget_this(&id, &held));
        assert!(calls.forget_this(&id, &other) && !calls.has(&id));
        // A number is no text.
        assert!(calls.hold(&id).is_some() && calls.hold(&Id::Text("1".to_owned())).is_some());
    }

    #[test]
    fn the_same_call_finds_its_key_again_and_two_at_once_have_two() {
        let calls = UnderWay::default();
        let (one, other) = (calls.key("k"), calls.key("k"));
        assert_eq!((one.key.as_str(), other.key.as_str()), ("k-0", "k-1"));
        drop(one);
        assert_eq!(calls.key("k").key, "k-0");
    }

    #[test]
    fn a_call_goes_on_once() {
        let (calls, call) = (UnderWay::default(), Digest::of(b"x"));
        calls.goes_on(call, "s".to_owned());
        assert!(!calls.is_going_on(Digest::of(b"y"), "s") && !calls.is_going_on(call, "t"));
        assert!(calls.is_going_on(call, "s") && !calls.is_going_on(call, "s"));
    }
}
