//! A map that is cheap to copy: subshells and branches copy the whole state of the shell, and rarely change it.

use std::{collections::HashMap, rc::Rc};

/// More entries than this are not kept; the walk then stops and asks.
const MAX_ENTRIES: usize = 512;

/// Names with what they stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table<T> {
    entries: Rc<HashMap<String, T>>,
    overflowed: bool,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { entries: Rc::default(), overflowed: false }
    }
}

impl<T: Clone + PartialEq> Table<T> {
    pub(super) fn get(&self, name: &str) -> Option<&T> {
        self.entries.get(name)
    }

    pub(super) fn contains_key(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    pub(super) fn insert(&mut self, name: String, value: T) {
        if self.entries.len() >= MAX_ENTRIES && !self.entries.contains_key(&name) {
            self.overflowed = true;
            return;
        }
        Rc::make_mut(&mut self.entries).insert(name, value);
    }

    /// Whether something was not kept.
    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<T> {
        if self.entries.contains_key(name) { Rc::make_mut(&mut self.entries).remove(name) } else { None }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &String> {
        self.entries.keys()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &T)> {
        self.entries.iter()
    }

    /// Whether both are the same map, told without looking inside.
    pub(super) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.entries, &other.entries)
    }

    /// Takes over the entries of another map.
    pub(super) fn extend(&mut self, other: &Self) {
        self.overflowed |= other.overflowed;
        if self.is(other) {
            return;
        }
        for (name, value) in other.iter() {
            self.insert(name.clone(), value.clone());
        }
    }
}
