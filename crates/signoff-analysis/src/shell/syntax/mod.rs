//! The shell parser: text in, tree and errors out. It never fails, never panics and never loses a command silently:
//! whatever it could not read is an error in the tree, and the reader of the tree asks.
//!
//! It is a recursive descent straight over the bytes, without a token stream, because in a shell what a byte means
//! depends on where the grammar stands. Each module holds one part of the grammar as methods of [`parser::Parser`].

mod arena;
mod arithmetic;
mod assignment;
mod command;
mod compound;
mod conditional;
mod cursor;
mod expansion;
mod function;
mod heredoc;
mod keyword;
mod list;
mod loops;
mod origin;
mod parameter;
mod parser;
mod parts;
mod quote;
mod redirect;
mod substitution;
pub mod tree;
mod word;
mod zsh;

use signoff_model::Dialect;

pub use arena::Arena;
pub(in crate::shell) use cursor::MAX_COMMENTS;
pub(in crate::shell) use keyword::is_reserved;
use parser::Parser;
use tree::Script;

/// How much work one text may cause. Beyond a limit the tree holds what was read, and the error says which limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest text, in bytes. Of a longer one only the beginning is read.
    pub bytes: usize,
    /// The deepest nesting. The default keeps the parser and the dropping of the tree inside a 2 MiB stack.
    pub depth: usize,
    /// The work: about one unit for each node of the tree, and a little for each stretch that is read twice. The
    /// default is enough for some hundred kilobytes of script.
    pub fuel: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1 << 19, depth: 128, fuel: 1 << 17 }
    }
}

/// Reads a shell text into a tree that lies in `arena`.
///
/// The errors of the whole text, those inside substitutions included, are in the script that comes back; the script of
/// a substitution holds those inside it once more.
pub fn parse<'t>(text: &'t str, dialect: Dialect, limits: &Limits, arena: &'t Arena) -> Script<'t> {
    Parser::new(text, dialect, *limits, arena).script()
}

/// Reads a shell text that stands as it is in another one, `offset` bytes from its beginning: the spans count there.
pub fn parse_within<'t>(
    text: &'t str,
    offset: usize,
    dialect: Dialect,
    limits: &Limits,
    arena: &'t Arena,
) -> Script<'t> {
    let mut parser = Parser::new(text, dialect, *limits, arena);
    parser.origin = origin::Origin::at(offset);
    parser.script()
}
