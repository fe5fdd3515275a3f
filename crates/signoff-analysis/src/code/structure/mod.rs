//! The blocks of a text: what may run, what may run again, and what runs when somebody calls it.
//!
//! It is found from the tokens alone, in one pass. Where the form of a text is not understood it says so, and then every
//! value of a variable counts everywhere.

mod braces;
mod lines;
mod scan;
mod words;

use super::reader::Frame;
use crate::shell::Language;
use scan::{For, Scan};
use std::collections::BTreeMap;

/// Blocks around a place are followed this far out.
const FARTHEST: usize = 64;

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It may be left out.
    Branch,
    /// It may run again, or not at all.
    Loop,
    /// It runs when it is called, however often that is.
    Function {
        /// Whether it knows no variables but its own.
        closed: bool,
    },
}

#[derive(Clone, Debug)]
struct Block {
    kind: Kind,
    from: usize,
    /// The first token that is no part of it.
    to: usize,
    parent: Option<u32>,
    /// The function that it is, or stands in.
    function: Scope,
    /// The variables that it declares.
    names: BTreeMap<Box<str>, For>,
}

/// A block of the text, or all of it.
pub(super) type Scope = Option<u32>;

/// The blocks of a text.
#[derive(Debug, Default)]
pub(super) struct Structure {
    blocks: Vec<Block>,
    /// The innermost block of every token.
    innermost: Vec<Option<u32>>,
    /// Whether the blocks do not come out even.
    confused: bool,
    /// Whether everything runs once, and in order.
    plain: bool,
    language: Option<Language>,
}

impl Structure {
    /// Finds the blocks of a text.
    pub(super) fn of(frame: &Frame, language: Language) -> Self {
        // Most texts are one line that runs once.
        if !frame.tokens.iter().any(|token| scan::may_open(token, frame.blocks)) {
            // Every text of every test says whether the two looks agree.
            #[cfg(test)]
            assert!(Scan::of(frame, language).finish().plain, "{:?}", frame.tokens);
            return Self { plain: true, language: Some(language), ..Self::default() };
        }
        Scan::of(frame, language).finish()
    }

    /// Whether everything runs once and in the order of the text.
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Whether the blocks are not known.
    pub(super) fn is_confused(&self) -> bool {
        self.confused
    }

    fn block(&self, id: Option<u32>) -> Option<&Block> {
        self.blocks.get(id? as usize)
    }

    fn block_at(&self, at: usize) -> Option<u32> {
        self.innermost.get(at).copied().flatten()
    }

    /// The blocks around a place, from the innermost.
    fn around(&self, at: usize) -> impl Iterator<Item = &Block> {
        std::iter::successors(self.block(self.block_at(at)), |block| self.block(block.parent))
    }

    /// Whether everything that is around one place is around another as well.
    pub(super) fn is_around(&self, at: usize, other: usize) -> bool {
        self.block(self.block_at(at)).is_none_or(|block| block.from <= other && other < block.to)
    }

    /// The function that a place stands in.
    pub(super) fn function_at(&self, at: usize) -> Scope {
        self.block(self.block_at(at)).and_then(|block| block.function)
    }

    /// Whether a place stands within a function.
    pub(super) fn is_within(&self, function: Scope, at: usize) -> bool {
        self.block(function).is_none_or(|block| block.from <= at && at < block.to)
    }

    /// Where the innermost loop begins that is around both places and in the same function as they are.
    pub(super) fn common_loop(&self, first: usize, second: usize) -> Option<usize> {
        let in_function = self.around(first).take_while(|block| !matches!(block.kind, Kind::Function { .. }));
        for (count, block) in in_function.enumerate() {
            if count > FARTHEST || block.kind == Kind::Loop && block.from <= second && second < block.to {
                return Some(block.from);
            }
        }
        None
    }

    /// Whether a place stands in a loop of its function.
    pub(super) fn is_looped(&self, at: usize) -> bool {
        self.common_loop(at, at).is_some()
    }

    /// The block whose variable a name is at a place; none for what the whole text shares. Some languages keep what a
    /// function sets to itself: `sets` says whether it does.
    pub(super) fn owner(&self, name: &str, at: usize, sets: impl Fn(Scope) -> bool) -> Scope {
        if name.contains('.') {
            return None;
        }
        let mut next = self.block_at(at);
        for _ in 0..FARTHEST {
            let (id, block) = (next, self.block(next)?);
            next = block.parent;
            match block.names.get(name) {
                Some(For::Block | For::Function) => return id,
                Some(For::Outside) => continue,
                Some(For::Whole) => return None,
                None => {}
            }
            let keeps = match (block.kind, self.language) {
                (Kind::Function { closed: true }, Some(Language::Ruby)) => {
                    name.starts_with(|letter: char| letter.is_lowercase())
                }
                (Kind::Function { closed }, Some(Language::Php)) => closed,
                (Kind::Function { .. }, Some(Language::Python)) => sets(id),
                _ => false,
            };
            if keeps {
                return id;
            }
        }
        None
    }

    /// Whether a name is a parameter of the function around a place, or declared in it.
    pub(super) fn declares(&self, name: &str, at: usize) -> bool {
        let function = self.around(at).find(|block| matches!(block.kind, Kind::Function { .. }));
        function.is_some_and(|block| block.names.contains_key(name))
    }

    /// Whether a function can be called only behind its definition.
    pub(super) fn runs_in_order(&self) -> bool {
        matches!(self.language, Some(Language::Python | Language::Ruby | Language::Lua))
    }

    /// Whether what a block owns is made anew with every call of a function.
    pub(super) fn is_fresh(&self, owner: Scope, function: Scope) -> bool {
        function.is_none() || self.block(owner).is_some_and(|block| block.function == function)
    }
}
