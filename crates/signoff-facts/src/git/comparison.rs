//! What an index and the tree of a commit have different. Whole directories are told to be the same by what the index
//! remembers of them; only where that is not known, trees are read.

use std::collections::HashMap;

use super::{
    cache_tree::CacheTree,
    index::{Mark, Row, Rows, Trees},
    object_name::ObjectName,
    objects::{Leaf, ObjectKind, Objects, leaves},
};

const DIRECTORY: u32 = 0o040_000;
/// Nested deeper than this, trees are not read.
const DEPTH_AT_MOST: usize = 128;

/// What differs.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// The rows of the index that the tree has not, or has otherwise.
    pub(super) other: Vec<Row>,
    /// What the tree has where the index has nothing: its path, mode and content.
    pub(super) only_in_tree: Vec<(Vec<u8>, u32, ObjectName)>,
}

/// Compares all that is at or below some paths. `stands` says whether there is anything at a path of the work tree: what a
/// tree has below a directory that is not there is of no interest.
pub(super) fn compare(
    rows: &Rows,
    tree: ObjectName,
    trees: &Trees<'_>,
    objects: &mut Objects,
    stands: &mut dyn FnMut(&[u8]) -> bool,
) -> Option<Comparison> {
    let mut walk = Walk { rows, trees, objects, stands, found: Comparison::default() };
    walk.directory(Some(tree), &[], rows.all(), rows.cache().as_ref(), 0)?;
    Some(walk.found)
}

struct Walk<'w> {
    rows: &'w Rows,
    trees: &'w Trees<'w>,
    objects: &'w mut Objects,
    stands: &'w mut dyn FnMut(&[u8]) -> bool,
    found: Comparison,
}

impl Walk<'_> {
    /// Compares one directory. Its path ends with a slash, but for the root.
    fn directory(
        &mut self,
        tree: Option<ObjectName>,
        path: &[u8],
        rows: &[Row],
        cache: Option<&CacheTree>,
        depth: usize,
    ) -> Option<()> {
        if depth > DEPTH_AT_MOST {
            return None;
        }
        if let Some((count, object)) = cache.and_then(|cache| cache.known)
            && tree == Some(object)
        {
            // An index that contradicts itself says nothing.
            return (count == rows.len() && rows.iter().all(|row| row.mark != Mark::Conflict)).then_some(());
        }
        let content = match tree {
            Some(tree) => match self.objects.read(&tree)? {
                (ObjectKind::Tree, content) => content,
                _ => return None,
            },
            None => Vec::new(),
        };
        let mut there: HashMap<&[u8], Leaf<'_>> =
            leaves(&content, self.objects.hash())?.into_iter().map(|leaf| (leaf.name, leaf)).collect();
        let mut rest = rows;
        while let Some(first) = rest.first() {
            let below = self.rows.path(first).strip_prefix(path)?;
            let Some(end) = memchr::memchr(b'/', below) else {
                self.leaf(first, there.get(below), path, below)?;
                if there.get(below).is_some_and(|leaf| leaf.mode != DIRECTORY) {
                    there.remove(below);
                }
                rest = rest.get(1..)?;
                continue;
            };
            let name = below.get(..end)?;
            let directory = [path, name, b"/"].concat();
            let count = rest.partition_point(|row| self.rows.path(row).starts_with(&directory));
            let (inside, behind) = rest.split_at_checked(count)?;
            rest = behind;
            let leaf = there.get(name).copied().filter(|leaf| leaf.mode == DIRECTORY);
            if leaf.is_some() {
                there.remove(name);
            }
            if self.trees.touch(directory.strip_suffix(b"/")?) {
                let cache = cache.and_then(|cache| cache.child(name));
                self.directory(leaf.map(|leaf| leaf.object), &directory, inside, cache, depth + 1)?;
            }
        }
        let mut left: Vec<Leaf<'_>> = there.into_values().collect();
        left.sort_by_key(|leaf| leaf.name);
        for leaf in left {
            self.only_in_tree(&leaf, [path, leaf.name].concat(), depth)?;
        }
        Some(())
    }

    fn leaf(&mut self, row: &Row, leaf: Option<&Leaf<'_>>, path: &[u8], below: &[u8]) -> Option<()> {
        let object = self.rows.entry(row)?.object;
        let same = leaf.is_some_and(|leaf| leaf.object == object && row.kind.mode() == leaf.mode);
        if !(same && row.mark != Mark::Conflict) && self.trees.hold(&[path, below].concat()) {
            self.found.other.push(*row);
        }
        Some(())
    }

    fn only_in_tree(&mut self, leaf: &Leaf<'_>, path: Vec<u8>, depth: usize) -> Option<()> {
        if !self.trees.touch(&path) || !(self.stands)(&path) {
            return Some(());
        }
        if leaf.mode == DIRECTORY {
            let directory = [path.as_slice(), b"/"].concat();
            return self.directory(Some(leaf.object), &directory, &[], None, depth + 1);
        }
        if self.trees.hold(&path) {
            self.found.only_in_tree.push((path, leaf.mode, leaf.object));
        }
        Some(())
    }
}
