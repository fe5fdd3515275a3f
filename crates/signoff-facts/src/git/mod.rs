//! What git could bring back: files that it tracks and that are as it remembers them.
//!
//! Nothing is run for it. A repository is an untrusted place: its settings make git itself run programs, so that asking git
//! would let whoever writes there run code. What this reading does not understand (a shared index, filters that change
//! content on the way) counts as not restorable.

mod cache_tree;
mod census;
mod comparison;
mod exclude;
mod footing;
mod index;
mod object_name;
mod objects;
mod pack;
mod refs;
mod settings;
mod untracked;

use std::{
    ffi::OsStr,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Read},
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

pub(crate) use census::{Allowance, Census, Difference};
pub(crate) use exclude::{Case, Excludes};
pub(crate) use index::Trees;
use index::{Entry, Index, Kind, NotUnderstood, Stat};
use nix::fcntl::OFlag;
pub(crate) use object_name::HashKind;
pub(crate) use settings::Settings;
pub(crate) use untracked::{Ignored, Sweep};

/// A setting or pointer of a repository that is longer than this is none.
const SETTINGS_AT_MOST: u64 = 256 * 1024;

/// The name of a repository's store, or of the file that says where it lies.
const STORE: &str = ".git";

/// A repository and its work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repository {
    /// The root of the work tree.
    pub(crate) root: PathBuf,
    /// Where the index of this work tree lies.
    pub(crate) own: PathBuf,
    /// Where the objects lie, which several work trees may share.
    pub(crate) shared: PathBuf,
}

/// The tracked files of a part of a work tree.
#[derive(Debug, Default)]
pub(crate) struct Tracked {
    /// What is tracked by the path below the root; nothing for what is in conflict or left out.
    entries: std::collections::HashMap<Vec<u8>, Option<Entry>>,
    hash: Option<HashKind>,
    /// When the index was written.
    written: (u32, u32),
}

impl Repository {
    /// The repository whose work tree has its root exactly here.
    pub(crate) fn at(root: &Path) -> Option<Self> {
        let store = root.join(STORE);
        let metadata = fs::symlink_metadata(&store).ok()?;
        let own = if metadata.is_file() {
            let pointer = read_text(&store)?;
            let target = pointer.strip_prefix("gitdir:")?.trim();
            fs::canonicalize(root.join(target)).ok()?
        } else if metadata.is_dir() || metadata.is_symlink() {
            fs::canonicalize(&store).ok()?
        } else {
            return None;
        };
        let shared = match read_text(&own.join("commondir")) {
            Some(pointer) => fs::canonicalize(own.join(pointer.trim())).ok()?,
            None => own.clone(),
        };
        // Git itself takes it for a repository only then.
        let is_one = own.join("HEAD").is_file() && shared.join("objects").is_dir() && shared.join("refs").is_dir();
        is_one.then(|| Self { root: root.to_owned(), own, shared })
    }

    /// The nearest repository upwards from a directory.
    pub(crate) fn around(directory: &Path) -> Option<Self> {
        directory.ancestors().find_map(Self::at)
    }

    /// How long its index is; nothing where there is none.
    pub(crate) fn index_length(&self) -> u64 {
        fs::metadata(self.own.join("index")).map_or(0, |metadata| metadata.len())
    }

    /// What is tracked at and below some paths of the work tree. None if that cannot be told, or if the index is longer
    /// than somebody wants to read.
    pub(crate) fn tracked<'p>(&self, paths: impl Iterator<Item = &'p Path>, bytes_at_most: u64) -> Option<Tracked> {
        let below = paths.filter_map(|path| path.strip_prefix(&self.root).ok());
        let trees = Trees::new(below.map(|path| path.as_os_str().as_bytes()).collect());
        let hash = self.hash()?;
        let file = self.own.join("index");
        let metadata = match fs::metadata(&file) {
            Ok(metadata) => metadata,
            // A fresh repository tracks nothing.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(Tracked::default()),
            Err(_) => return None,
        };
        if metadata.len() > bytes_at_most {
            return None;
        }
        let index = Index::new(read_bytes(&file, bytes_at_most)?, hash).ok()?;
        let mut tracked = Tracked {
            entries: std::collections::HashMap::new(),
            hash: Some(hash),
            written: (metadata.mtime() as u32, metadata.mtime_nsec() as u32),
        };
        let gathered: Result<(), NotUnderstood> = index.below(&trees, |path, entry| {
            // A path that stands there several times is in conflict.
            tracked.entries.entry(path.to_vec()).and_modify(|had| *had = None).or_insert(entry);
        });
        gathered.ok().map(|()| tracked)
    }

    /// The kind of names that objects have. None where the settings cannot be read, or move the work tree elsewhere.
    fn hash(&self) -> Option<HashKind> {
        let settings = self.settings()?;
        // A submodule names its work tree, which is where it was found.
        if let Some(tree) = settings.value("core.worktree")
            && fs::canonicalize(self.own.join(tree)).ok() != fs::canonicalize(&self.root).ok()
        {
            return None;
        }
        match settings.value("extensions.objectformat") {
            None | Some("sha1") => Some(HashKind::Sha1),
            Some("sha256") => Some(HashKind::Sha256),
            Some(_) => None,
        }
    }

    /// The repository's own settings.
    pub(crate) fn settings(&self) -> Option<Settings> {
        let mut settings = Settings::of(&self.shared.join("config"))?;
        if settings.is_on("extensions.worktreeconfig") {
            settings.append(Settings::of(&self.own.join("config.worktree"))?);
        }
        Some(settings)
    }
}

/// How git sees a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Git has exactly this content.
    Restorable,
    /// Git knows the path, with another content.
    Changed,
    /// Git does not know the path.
    Untracked,
}

impl Tracked {
    /// How git sees what stands at a path below the root. At most so many bytes are compared.
    pub(crate) fn standing(&self, below: &Path, full: &Path, metadata: &Metadata, compared: &mut u64) -> Standing {
        // What points at a store elsewhere is made again together with the work tree.
        if below.as_os_str() == STORE {
            return Standing::Restorable;
        }
        let Some(entry) = self.entries.get(below.as_os_str().as_bytes()) else { return Standing::Untracked };
        match entry {
            Some(entry) if self.is_as_remembered(entry, full, metadata, compared) => Standing::Restorable,
            _ => Standing::Changed,
        }
    }

    fn is_as_remembered(&self, entry: &Entry, full: &Path, metadata: &Metadata, compared: &mut u64) -> bool {
        self.hash.is_some_and(|hash| likeness(entry, hash, self.written, full, metadata, compared) == Likeness::Same)
    }
}

/// Whether what stands at a path is what git remembers of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Likeness {
    Same,
    Different,
    /// More would have to be compared than somebody wants to read.
    TooLong,
}

fn likeness(
    entry: &Entry,
    hash: HashKind,
    written: (u32, u32),
    full: &Path,
    metadata: &Metadata,
    compared: &mut u64,
) -> Likeness {
    let kind = metadata.file_type();
    let fits = match entry.kind {
        Kind::File { executable } => kind.is_file() && executable == (metadata.mode() & 0o100 != 0),
        Kind::Link => kind.is_symlink(),
        Kind::Submodule => false,
    };
    if !fits {
        return Likeness::Different;
    }
    if entry.stat == Stat::of(metadata) && !entry.stat.is_as_new_as(written) {
        return Likeness::Same;
    }
    let content = || -> io::Result<Vec<u8>> {
        if kind.is_symlink() {
            return Ok(fs::read_link(full)?.into_os_string().into_encoded_bytes());
        }
        let mut bytes = Vec::new();
        open(full)?.take(metadata.len().saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let Some(left) = compared.checked_sub(metadata.len()) else { return Likeness::TooLong };
    *compared = left;
    match content() {
        Ok(content) if hash.name("blob", &content) == entry.object => Likeness::Same,
        _ => Likeness::Different,
    }
}

/// Opens a file without ever waiting for a pipe, and without following a link at its end.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_NOFOLLOW;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits()).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

pub(crate) fn read_bytes(path: &Path, at_most: u64) -> Option<Vec<u8>> {
    let file = open(path).ok()?;
    // With room for all of it and one byte more, it is read at once.
    let length = file.metadata().ok()?.len().min(at_most).saturating_add(1);
    let mut bytes = Vec::with_capacity(usize::try_from(length).ok()?);
    file.take(at_most.saturating_add(1)).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= at_most).then_some(bytes)
}

/// A short text file of a repository.
fn read_text(path: &Path) -> Option<String> {
    String::from_utf8(read_bytes(path, SETTINGS_AT_MOST)?).ok()
}

/// Whether a name is that of a repository's store.
pub(crate) fn is_store_name(name: &OsStr) -> bool {
    name == STORE
}
