//! Commits and trees out of a repository's store. What is read has to have the name that it was asked for by, so that a
//! mistake here, or a store that somebody has meddled with, makes things unknown and never wrong.

use std::{
    fs,
    path::{Path, PathBuf},
};

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::{
    Repository,
    object_name::{HashKind, ObjectName},
    pack::Pack,
    read_bytes, read_text,
};

/// Stores may borrow from others, which may do so as well.
const STORES_AT_MOST: usize = 8;
/// In a store with more packs than this nobody looks for anything.
const PACKS_AT_MOST: usize = 128;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectKind {
    Commit,
    Tree,
    Blob,
    Tag,
}

impl ObjectKind {
    const ALL: [Self; 4] = [Self::Commit, Self::Tree, Self::Blob, Self::Tag];

    const fn name(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Tree => "tree",
            Self::Blob => "blob",
            Self::Tag => "tag",
        }
    }

    pub(super) fn of_pack(number: u8) -> Option<Self> {
        number.checked_sub(1).and_then(|at| Self::ALL.get(usize::from(at))).copied()
    }
}

/// The objects of a repository.
#[derive(Debug)]
pub(super) struct Objects {
    stores: Vec<PathBuf>,
    hash: HashKind,
    /// Opened when something is looked for in them.
    packs: Option<Vec<Pack>>,
    /// So many objects may still be read,
    objects_left: u64,
    /// and so many bytes of them.
    bytes_left: u64,
}

impl Objects {
    pub(super) fn of(repository: &Repository, hash: HashKind, objects: u64, bytes: u64) -> Option<Self> {
        let stores = stores(&repository.shared)?;
        Some(Self { stores, hash, packs: None, objects_left: objects, bytes_left: bytes })
    }

    pub(super) fn hash(&self) -> HashKind {
        self.hash
    }

    /// An object by its name; none if it is not there, not understood, or more than may be read.
    pub(super) fn read(&mut self, name: &ObjectName) -> Option<(ObjectKind, Vec<u8>)> {
        self.objects_left = self.objects_left.checked_sub(1)?;
        let (kind, content) = self.loose(name).or_else(|| self.packed(name))?;
        (self.hash.name(kind.name(), &content) == *name).then_some((kind, content))
    }

    fn loose(&mut self, name: &ObjectName) -> Option<(ObjectKind, Vec<u8>)> {
        let text = name.to_string();
        let (directory, file) = text.split_at_checked(2)?;
        let at = Path::new(directory).join(file);
        let packed = self.stores.iter().find_map(|store| read_bytes(&store.join(&at), self.bytes_left))?;
        let unpacked = decompress_to_vec_zlib_with_limit(&packed, usize::try_from(self.bytes_left).ok()?).ok()?;
        self.bytes_left = self.bytes_left.checked_sub(unpacked.len() as u64)?;
        let end = memchr::memchr(0, &unpacked)?;
        let (head, content) = (unpacked.get(..end)?, unpacked.get(end + 1..)?);
        let (kind, size) = std::str::from_utf8(head).ok()?.split_once(' ')?;
        let kind = ObjectKind::ALL.into_iter().find(|known| known.name() == kind)?;
        (size.parse() == Ok(content.len())).then(|| (kind, content.to_vec()))
    }

    fn packed(&mut self, name: &ObjectName) -> Option<(ObjectKind, Vec<u8>)> {
        if self.packs.is_none() {
            self.packs = Some(self.open_packs()?);
        }
        let packs = self.packs.as_ref()?;
        packs.iter().find_map(|pack| pack.read(name, &mut self.bytes_left))
    }

    fn open_packs(&self) -> Option<Vec<Pack>> {
        let mut packs = Vec::new();
        for store in &self.stores {
            let Ok(entries) = fs::read_dir(store.join("pack")) else { continue };
            for entry in entries {
                let path = entry.ok()?.path();
                if path.extension().is_some_and(|extension| extension == "idx") {
                    if packs.len() == PACKS_AT_MOST {
                        return None;
                    }
                    packs.extend(Pack::open(&path, self.hash));
                }
            }
        }
        Some(packs)
    }
}

/// Where the objects of a store lie: in itself, and in others that it borrows from. None if that cannot be told.
pub(super) fn stores(shared: &Path) -> Option<Vec<PathBuf>> {
    let mut stores = vec![shared.join("objects")];
    let mut at = 0;
    while let Some(store) = stores.get(at) {
        let list = store.join("info/alternates");
        if fs::symlink_metadata(&list).is_ok() {
            let borrowed: Vec<PathBuf> = read_text(&list)?
                .lines()
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
                .map(|line| store.join(line))
                .collect();
            stores.extend(borrowed);
        }
        at += 1;
        if stores.len() > STORES_AT_MOST {
            return None;
        }
    }
    Some(stores)
}

/// What a tree says about one name in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf<'t> {
    pub(super) name: &'t [u8],
    pub(super) mode: u32,
    pub(super) object: ObjectName,
}

/// What is in a tree; none if it is not understood.
pub(super) fn leaves(tree: &[u8], hash: HashKind) -> Option<Vec<Leaf<'_>>> {
    let mut rest = tree;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (mode, behind) = rest.split_at_checked(memchr::memchr(b' ', rest)?)?;
        let behind = behind.get(1..)?;
        let (name, behind) = behind.split_at_checked(memchr::memchr(0, behind)?)?;
        let (object, behind) = behind.get(1..)?.split_at_checked(hash.length())?;
        let mode = u32::from_str_radix(std::str::from_utf8(mode).ok()?, 8).ok()?;
        found.push(Leaf { name, mode, object: ObjectName::new(object)? });
        rest = behind;
    }
    Some(found)
}
