//! How much of the server somebody may hold at a time. Whoever opens connections and says nothing, or waits for everything at
//! once, must not keep others out.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// The limits of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// So many connections there are at a time on a port, and as many on the local socket. Who comes then waits for one.
    pub connections: usize,
    /// So long somebody may take for the head of a request, and say nothing before the next one.
    pub head_within: Duration,
    /// So long somebody may take for the body of a request.
    pub body_within: Duration,
    /// So many replies are held at a time for the agents of one person that wait. Names of agents are easily made up.
    pub waits: usize,
    /// So many streams of events one person has at a time.
    pub streams: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1_024,
            head_within: Duration::from_secs(30),
            body_within: Duration::from_secs(30),
            waits: 256,
            streams: 32,
        }
    }
}

impl Limits {
    /// So many replies are held at a time for all agents together: people find a connection, however many agents wait.
    pub(crate) const fn waits_of_all(&self) -> usize {
        self.connections - self.connections / 4
    }
}

/// What is held by whom.
#[derive(Debug)]
pub(crate) struct Holders {
    each: usize,
    all: usize,
    held: Mutex<HashMap<String, usize>>,
}

/// Something that is held until this is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    holders: Arc<Holders>,
    name: String,
}

impl Holders {
    /// So many for each name, and so many for all names together.
    pub(crate) fn new(each: usize, all: usize) -> Arc<Self> {
        Arc::new(Self { each, all, held: Mutex::default() })
    }

    /// Holds one more. None where that would be too many.
    pub(crate) fn hold(self: &Arc<Self>, name: &str) -> Option<Held> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.get(name).copied().unwrap_or_default();
        if count >= self.each || held.values().sum::<usize>() >= self.all {
            return None;
        }
        held.insert(name.to_owned(), count + 1);
        drop(held);
        Some(Held { holders: Arc::clone(self), name: name.to_owned() })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = self.holders.held.lock().unwrap_or_else(PoisonError::into_inner);
        // Names that hold nothing are forgotten.
        if let Some(count) = held.get_mut(&self.name) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_holds_more_than_their_share() {
        let holders = Holders::new(2, 3);
        let first = holders.hold("a").unwrap();
        let _second = holders.hold("a").unwrap();
        assert!(holders.hold("a").is_none(), "one has two at most");
        let _third = holders.hold("b").unwrap();
        assert!(holders.hold("c").is_none(), "all together have three at most");
        drop(first);
        let fourth = holders.hold("c").unwrap();
        drop(fourth);
        assert!(!holders.held.lock().unwrap().contains_key("c"), "who holds nothing is forgotten");
    }
}
