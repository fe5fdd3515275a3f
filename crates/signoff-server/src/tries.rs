//! How often somebody may try something.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

const MINUTE: Duration = Duration::from_secs(60);
/// So many names are remembered; beyond that the oldest minutes are forgotten.
const NAMES_AT_MOST: usize = 10_000;

/// A limit for each name, by the minute.
pub(crate) struct Tries {
    a_minute: u32,
    counted: Mutex<HashMap<String, (Instant, u32)>>,
}

impl Tries {
    pub(crate) fn new(a_minute: u32) -> Self {
        Self { a_minute, counted: Mutex::default() }
    }

    /// Counts a try. False where there were too many in this minute.
    pub(crate) fn may(&self, name: &str) -> bool {
        self.may_at(name, Instant::now())
    }

    /// Counts a try of anybody: whoever makes up names has no more tries than ten people together.
    pub(crate) fn may_all(&self) -> bool {
        (0..10).any(|share| self.may(&format!("\n{share}")))
    }

    fn may_at(&self, name: &str, now: Instant) -> bool {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.len() >= NAMES_AT_MOST && !counted.contains_key(name) {
            counted.retain(|_, (since, _)| now.saturating_duration_since(*since) < MINUTE);
            if counted.len() >= NAMES_AT_MOST {
                return false;
            }
        }
        let (since, count) = counted.entry(name.to_owned()).or_insert((now, 0));
        if now.saturating_duration_since(*since) >= MINUTE {
            (*since, *count) = (now, 0);
        }
        *count = count.saturating_add(1);
        *count <= self.a_minute
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_so_many_tries_a_minute() {
        let (tries, now) = (Tries::new(2), Instant::now());
        let later = now + MINUTE;
        let told = [("a", now), ("a", now), ("a", now), ("b", now), ("a", later), ("a", later), ("a", later)];
        assert_eq!(told.map(|(name, at)| tries.may_at(name, at)), [true, true, false, true, true, true, false]);
    }

    /// Whoever makes up names does not get around the limit, and does not fill the memory.
    #[test]
    fn names_are_bounded() {
        let (tries, now) = (Tries::new(1), Instant::now());
        assert!((0..NAMES_AT_MOST).all(|name| tries.may_at(&name.to_string(), now)));
        assert!(!tries.may_at("one more", now));
        assert!(tries.may_at("one more", now + MINUTE));
    }
}
