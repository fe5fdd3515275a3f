//! What git could bring back: files that it tracks and that are as it remembers them.
//!
//! Nothing is run for it. A repository is an untrusted place: its settings make git itself run programs, so that asking git
//! would let whoever writes there run code. What this reading does not understand (a shared index, filters that change
//! content on the way) counts as not restorable.

mod attributes;
mod cache_tree;
mod census;
mod comparison;
mod exclude;
mod footing;
mod index;
mod listing;
mod object_name;
mod objects;
mod pack;
mod refs;
mod settings;
mod shares;
mod untracked;

use std::{
    cell::Cell,
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io::{self, Read},
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

pub(crate) use attributes::{ATTRIBUTES, names_filter};
pub(crate) use census::{Allowance, Census, Difference, InTheWay};
use comparison::compare;
pub(crate) use exclude::{Case, Excludes};
pub(crate) use index::Trees;
use index::{Entry, Index, Kind, Mark, Row, Rows, Stat};
use nix::fcntl::OFlag;
pub(crate) use object_name::HashKind;
use objects::Objects;
pub(crate) use settings::Settings;
use signoff_model::ThingKind;
pub(crate) use untracked::{Ignored, Stray, Sweep};

use crate::directory::{Directory, Look};

/// A setting or pointer of a repository that is longer than this is none.
const SETTINGS_AT_MOST: u64 = 256 * 1024;

/// The name of a repository's store, or of the file that says where it lies.
pub(crate) const STORE: &str = ".git";

/// The name of a file that says what is ignored around it.
pub(crate) const PATTERNS: &str = ".gitignore";

/// Parts of a store that no file of its work tree depends on. The stores of submodules and the indexes of other work trees
/// are among them: those who need them ask for themselves.
const DISPENSABLE: [&str; 4] = ["hooks", "logs", "modules", "worktrees"];

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
    rows: Rows,
    hash: Option<HashKind>,
    /// When the index was written.
    written: Moment,
    /// What of it comes back when the work tree has to be made anew.
    revival: Revival,
    /// How far a walk in the order of the paths has come.
    reached: Cell<usize>,
}

/// What git has of a work tree that goes together with what points at its store.
#[derive(Debug, Default)]
pub(crate) struct Revival {
    /// Whether git makes the pointer again.
    pointer: Pointer,
    /// Paths that it has otherwise in the last commit, or not at all: whoever makes the work tree anew begins with that
    /// commit, and git throws away what was staged.
    forgotten: HashSet<Vec<u8>>,
}

/// What says in a work tree where its store lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pointer {
    /// The store knows the work tree as well, and git makes the pointer again.
    Mutual,
    /// Nobody else knows.
    #[default]
    Single,
}

/// A time as git keeps it.
type Moment = (u32, u32);

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
        let Some((index, written)) = self.index(hash, bytes_at_most)? else { return Some(Tracked::default()) };
        let (rows, revival) = (index.rows(&trees).ok()?, Revival { pointer: self.pointer(), ..Revival::default() });
        Some(Tracked { rows, hash: Some(hash), written, revival, reached: Cell::new(0) })
    }

    /// What is tracked in all of the work tree where that goes with what points at its store, and has to be made anew. So
    /// many commits and trees are read at most, with so many bytes. None if it cannot be told.
    pub(crate) fn tracked_anew(&self, bytes_at_most: u64, objects_at_most: u64) -> Option<Tracked> {
        let mut tracked = self.tracked(std::iter::once(self.root.as_path()), bytes_at_most)?;
        // Whoever finds a store that knows of no work tree finds what was staged there.
        if tracked.revival.pointer == Pointer::Single {
            return Some(tracked);
        }
        let mut objects = Objects::of(self, self.hash()?, objects_at_most, bytes_at_most)?;
        let head = self.commit("HEAD", &mut objects)?;
        let everything = Trees::new(vec![b""]);
        let staged = compare(&tracked.rows, head.tree, &everything, &mut objects, &mut |_| false)?.other;
        tracked.revival.forgotten = staged.iter().map(|row| tracked.rows.path(row).to_vec()).collect();
        Some(tracked)
    }

    /// Whether the store knows where the work tree is, as those of submodules and linked work trees do.
    fn pointer(&self) -> Pointer {
        let here =
            |path: &Path| fs::canonicalize(path).is_ok_and(|path| Some(path) == fs::canonicalize(&self.root).ok());
        let is_linked = || {
            let back = read_text(&self.own.join("gitdir"));
            self.own != self.shared && back.is_some_and(|back| Path::new(back.trim()).parent().is_some_and(here))
        };
        let is_submodule = || {
            let tree =
                self.settings().and_then(|settings| settings.value("core.worktree").map(|tree| self.own.join(tree)));
            self.own.iter().any(|part| part == "modules") && tree.is_some_and(|tree| here(&tree))
        };
        if is_linked() || is_submodule() { Pointer::Mutual } else { Pointer::Single }
    }

    /// Whether git has nothing left of what it tracks once some things are gone, by their real paths: the store, a part of it
    /// that matters, or another store that it borrows from.
    pub(crate) fn goes_with(&self, doomed: &[PathBuf]) -> bool {
        let Some(stores) = objects::stores(&self.shared) else { return true };
        let borrowed = stores.iter().filter_map(|store| fs::canonicalize(store).ok());
        let needed: Vec<PathBuf> = [self.own.clone(), self.shared.clone()].into_iter().chain(borrowed).collect();
        doomed.iter().any(|doomed| {
            needed.iter().any(|store| {
                store.starts_with(doomed) || doomed.strip_prefix(store).is_ok_and(|part| !is_dispensable(part))
            })
        })
    }

    /// The index and when it was written; nothing in a fresh repository, which tracks nothing. None if it cannot be read, or
    /// is longer than somebody wants to read.
    fn index(&self, hash: HashKind, bytes_at_most: u64) -> Option<Option<(Index<File>, Moment)>> {
        let file = match open(&self.own.join("index")) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(None),
            Err(_) => return None,
        };
        // Asked of the very file that is read: another may be put in its place at any time.
        let metadata = file.metadata().ok()?;
        let written = (metadata.mtime() as u32, metadata.mtime_nsec() as u32);
        if metadata.len() > bytes_at_most {
            return None;
        }
        Some(Some((Index::new(file, metadata.len(), hash).ok()?, written)))
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

/// Whether git brings back the files of a work tree without a part of its store.
fn is_dispensable(part: &Path) -> bool {
    let is_lock = part.extension().is_some_and(|extension| extension == "lock");
    let first = part.components().next().map(|first| first.as_os_str());
    is_lock || first.is_some_and(|first| DISPENSABLE.iter().any(|name| first == *name))
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

/// What it takes to be sure that a file is as git has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// That nothing about it has changed since git looked at it.
    Stat,
    /// Its content itself: a filter may have kept something of it to itself.
    Content,
}

impl Tracked {
    /// How many paths are tracked.
    pub(crate) fn count(&self) -> usize {
        self.rows.all().len()
    }

    /// How git sees what stands at a path below the root, under a name in a directory. At most so many bytes are compared.
    pub(crate) fn standing(
        &self,
        below: &[u8],
        spot: Spot<'_>,
        look: &Look,
        proof: Proof,
        compared: &mut u64,
    ) -> Standing {
        // What points at a store elsewhere is made again together with the work tree, if git knows of it.
        if below == STORE.as_bytes() {
            return match self.revival.pointer {
                Pointer::Mutual => Standing::Restorable,
                Pointer::Single => Standing::Changed,
            };
        }
        let mut reached = self.reached.get();
        let rows = self.rows.at(below, &mut reached);
        self.reached.set(reached);
        match rows {
            [] => Standing::Untracked,
            [row]
                if row.mark == Mark::Plain
                    && !self.revival.forgotten.contains(below)
                    && self.is_as_remembered(row, spot, look, proof, compared) =>
            {
                Standing::Restorable
            }
            // A path that stands there several times is in conflict.
            _ => Standing::Changed,
        }
    }

    fn is_as_remembered(&self, row: &Row, spot: Spot<'_>, look: &Look, proof: Proof, compared: &mut u64) -> bool {
        let (Some(hash), Some(entry)) = (self.hash, self.rows.entry(row)) else { return false };
        let written = match proof {
            Proof::Stat => self.written,
            // Every file is as new as an index that was written at the beginning of time.
            Proof::Content => (0, 0),
        };
        likeness(&entry, hash, written, spot, look, compared) == Likeness::Same
    }
}

/// A name in a directory that is held open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot<'d> {
    pub(crate) directory: &'d Directory,
    pub(crate) name: &'d [u8],
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
    written: Moment,
    spot: Spot<'_>,
    look: &Look,
    compared: &mut u64,
) -> Likeness {
    let fits = match entry.kind {
        Kind::File { executable } => look.kind == ThingKind::File && executable == look.executable,
        Kind::Link => look.kind == ThingKind::Link,
        Kind::Submodule => false,
    };
    if !fits {
        return Likeness::Different;
    }
    if entry.stat == Stat::of(look) && !entry.stat.is_as_new_as(written) {
        return Likeness::Same;
    }
    let content = || -> io::Result<Vec<u8>> {
        if look.kind == ThingKind::Link {
            return spot.directory.target(spot.name);
        }
        let mut bytes = Vec::new();
        spot.directory.file(spot.name)?.take(look.size.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let Some(left) = compared.checked_sub(look.size) else { return Likeness::TooLong };
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
    let length = file.metadata().ok()?.len();
    read_all(&file, length, at_most)
}

/// All that is in a file that says it is so long; none if it is longer than somebody wants to read.
fn read_all(file: &File, length: u64, at_most: u64) -> Option<Vec<u8>> {
    if length > at_most {
        return None;
    }
    // With room for all of it and one byte more, two calls read it and find its end.
    let mut bytes = Vec::with_capacity(usize::try_from(length.saturating_add(1)).ok()?);
    loop {
        match rustix::io::read(file, rustix::buffer::spare_capacity(&mut bytes)) {
            Ok(0) => return Some(bytes),
            Ok(_) if bytes.len() as u64 > at_most => return None,
            Ok(_) if bytes.len() == bytes.capacity() => bytes.reserve(bytes.len()),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

/// A short text file of a repository.
fn read_text(path: &Path) -> Option<String> {
    String::from_utf8(read_bytes(path, SETTINGS_AT_MOST)?).ok()
}
