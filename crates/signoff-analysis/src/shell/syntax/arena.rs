//! Where trees are kept.

use std::mem;

use bumpalo::Bump;

/// As much room as may be taken before no other text is read, in bytes. The tree of the largest text that the parser reads
/// takes about half of it.
const ENOUGH: usize = 24 << 20;

/// The room in which trees lie, with the texts that they were read from. It only grows, and is given back at once: whoever
/// reads texts again and again asks before each whether it is full.
#[derive(Debug, Default)]
pub struct Arena(Bump);

impl Arena {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether no other text should be read into it.
    pub(in crate::shell) fn is_full(&self) -> bool {
        self.0.allocated_bytes() >= ENOUGH
    }

    /// Keeps a text.
    pub fn text(&self, text: &str) -> &str {
        if text.is_empty() { "" } else { self.0.alloc_str(text) }
    }

    /// Keeps a list.
    pub(in crate::shell) fn list<T: Copy>(&self, list: &[T]) -> &[T] {
        match list {
            [] => &[],
            // Most lists have one entry, which is moved and needs no call.
            [only] => std::slice::from_ref(self.0.alloc(*only)),
            all => self.0.alloc_slice_copy(all),
        }
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

#[cfg(test)]
mod tests {
    use signoff_model::{Dialect, Span, Verdict};

    use super::{Arena, ENOUGH};
    use crate::{
        facts::{NoFacts, Whereabouts},
        shell::Shell,
        testing::check,
        value::{Arg, Feed},
    };

    /// A function that nobody calls costs next to nothing to walk over, and its tree is large.
    #[test]
    fn texts_are_not_read_without_end() {
        let function = format!("x=': a;';{}y=\"f(){{ $x }}\";", "x=$x$x;".repeat(12));
        check(Verdict::Ask, &[&format!("{function}{}", "eval \"$y\";".repeat(150))]);
        check(Verdict::Allow, &[&format!("{function}{}", "eval \"$y\";".repeat(3))]);
    }

    /// A variable that names another one is kept with its name, and may stand in a loop.
    #[test]
    fn names_are_not_kept_without_end() {
        let (arena, whereabouts) = (Arena::new(), Whereabouts::assumed());
        let asked = "${!x}".repeat(20);
        let text = format!("x=a; for i in {{1..90}}; do for j in {{1..60}}; do echo {asked}; done; done");
        let mut shell = Shell::new(&whereabouts, &NoFacts, Dialect::Bash, &arena);
        shell.run_text(&Arg::text(text, Span::default()), Dialect::Bash, Feed::none());
        let kept = arena.0.allocated_bytes();
        assert!((1 << 18..3 * ENOUGH).contains(&kept), "{kept}");
    }
}
