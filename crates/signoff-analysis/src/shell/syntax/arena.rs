//! Where trees are kept.

use std::mem;

use bumpalo::Bump;

/// The room in which trees lie, with the texts that they were read from. It only grows, and is given back at once.
#[derive(Debug, Default)]
pub struct Arena(Bump);

impl Arena {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a text.
    pub fn text(&self, text: &str) -> &str {
        if text.is_empty() { "" } else { self.0.alloc_str(text) }
    }

    /// Keeps a list.
    pub(in crate::shell) fn list<T: Copy>(&self, list: &[T]) -> &[T] {
        if list.is_empty() { &[] } else { self.0.alloc_slice_copy(list) }
    }

    /// Keeps what was piled up above `below`, and takes it off the pile.
    pub(super) fn pile<T: Copy>(&self, pile: &mut Vec<T>, below: usize) -> &[T] {
        let kept = self.list(pile.get(below..).unwrap_or_default());
        pile.truncate(below);
        kept
    }

    /// A list with other parts in the place of some. Nothing, if none has changed.
    pub(in crate::shell) fn changed<T: Copy>(
        &self,
        list: &[T],
        mut change: impl FnMut(&T) -> Option<T>,
    ) -> Option<&[T]> {
        let mut changed: Vec<T> = Vec::new();
        for (at, part) in list.iter().enumerate() {
            let Some(other) = change(part) else { continue };
            if changed.is_empty() {
                changed.extend_from_slice(list);
            }
            if let Some(part) = changed.get_mut(at) {
                *part = other;
            }
        }
        if changed.is_empty() { None } else { Some(self.list(&changed)) }
    }

    /// Keeps one node. Whatever lies here is never dropped, so it must not need to be.
    pub(in crate::shell) fn node<T>(&self, node: T) -> &T {
        const { assert!(!mem::needs_drop::<T>(), "this would never be dropped") }
        self.0.alloc(node)
    }
}
