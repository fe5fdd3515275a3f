//! A map that is cheap to copy: subshells and branches copy the whole state of the shell, and rarely change it.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    rc::Rc,
};

use compact_str::CompactString;

/// More entries than this are not kept; the walk then stops and asks.
const MAX_ENTRIES: usize = 512;

/// FNV-1a: for a few short names it takes a fraction of the time of the usual hash. An attacker who makes names meet can
/// slow a map down, but this one stops at [`MAX_ENTRIES`].
#[derive(Debug)]
pub(super) struct NameHasher(u64);

impl Default for NameHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for NameHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Names with what they stand for. Copying the map copies neither.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table<T> {
    entries: Rc<Entries<T>>,
    overflowed: bool,
}

type Entries<T> = HashMap<CompactString, Rc<T>, BuildHasherDefault<NameHasher>>;

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { entries: Rc::default(), overflowed: false }
    }
}

impl<T: Clone + PartialEq> Table<T> {
    pub(super) fn get(&self, name: &str) -> Option<&T> {
        self.entries.get(name).map(Rc::as_ref)
    }

    pub(super) fn contains_key(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    pub(super) fn insert(&mut self, name: impl AsRef<str> + Into<CompactString>, value: T) {
        let full = self.entries.len() >= MAX_ENTRIES;
        if full && !self.entries.contains_key(name.as_ref()) {
            self.overflowed = true;
            return;
        }
        let entries = Rc::make_mut(&mut self.entries);
        match entries.get_mut(name.as_ref()) {
            Some(there) => *there = Rc::new(value),
            None => {
                entries.insert(name.into(), Rc::new(value));
            }
        }
    }

    /// Whether something was not kept.
    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<T> {
        if !self.entries.contains_key(name) {
            return None;
        }
        Rc::make_mut(&mut self.entries).remove(name).map(Rc::unwrap_or_clone)
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(CompactString::as_str)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value.as_ref()))
    }

    /// Whether both are the same map, told without looking inside.
    pub(super) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.entries, &other.entries)
    }

    /// The names that stand for something else in the other map, or for nothing.
    pub(super) fn differing(&self, other: &Self) -> Vec<String> {
        if self.is(other) {
            return Vec::new();
        }
        let differs = |name: &str, value: &Rc<T>| match other.entries.get(name) {
            Some(there) => !Rc::ptr_eq(value, there) && value != there,
            None => true,
        };
        let mut names: Vec<String> = self
            .entries
            .iter()
            .filter(|(name, value)| differs(name, value))
            .map(|(name, _)| name.to_string())
            .collect();
        names.sort_unstable();
        names
    }

    /// Something was not kept on another way through the text.
    pub(super) fn overflow_like(&mut self, other: &Self) {
        self.overflowed |= other.overflowed;
    }
}
