//! What an index remembers of whole directories: the name of the tree that a commit of it would have there.

use super::object_name::{HashKind, ObjectName};

/// Nested deeper than this, it is not read.
const DEPTH_AT_MOST: usize = 128;

/// One directory.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CacheTree {
    name: Vec<u8>,
    /// How many paths are in it, and the name of its tree; nothing where something in it has changed since.
    pub(crate) known: Option<(usize, ObjectName)>,
    children: Vec<CacheTree>,
}

impl CacheTree {
    /// Reads all of them; nothing if it is not understood, since whoever knows nothing has to compare more.
    pub(crate) fn read(bytes: &[u8], hash: HashKind) -> Option<Self> {
        let mut rest = bytes;
        let root = node(&mut rest, hash, 0)?;
        (rest.is_empty() && root.name.is_empty()).then_some(root)
    }

    /// What is remembered of a directory in it.
    pub(crate) fn child(&self, name: &[u8]) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }
}

fn node(rest: &mut &[u8], hash: HashKind, depth: usize) -> Option<CacheTree> {
    if depth > DEPTH_AT_MOST {
        return None;
    }
    let name = until(rest, 0)?.to_vec();
    let count: i64 = number(until(rest, b' ')?)?;
    let children: usize = number(until(rest, b'\n')?)?;
    let known = match usize::try_from(count) {
        Ok(count) => {
            let (object, behind) = rest.split_at_checked(hash.length())?;
            *rest = behind;
            Some((count, ObjectName::new(object)?))
        }
        Err(_) => None,
    };
    let children = (0..children).map(|_| node(rest, hash, depth + 1)).collect::<Option<Vec<_>>>()?;
    Some(CacheTree { name, known, children })
}

fn until<'b>(rest: &mut &'b [u8], sign: u8) -> Option<&'b [u8]> {
    let (taken, behind) = rest.split_at_checked(memchr::memchr(sign, rest)?)?;
    *rest = behind.get(1..)?;
    Some(taken)
}

fn number<N: std::str::FromStr>(digits: &[u8]) -> Option<N> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}
