//! What would go if something were deleted or replaced: how much, and who could bring it back.
//!
//! A walk that looks at everything below the paths in question and changes nothing. It may be cut short by its budget or
//! by whoever waits for it, and says so: what was not looked at never counts as harmless.

mod built;
mod doomed;
mod ground;
mod linked;

use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    io,
    ops::ControlFlow,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
    rc::Rc,
};

use signoff_analysis::facts::Whereabouts;
use signoff_model::{Fate, Loss, LostFile, Preview, Spared, SparedExtent, Stock, Tally, ThingKind};

pub(crate) use built::is_built;
use doomed::{outermost, real};
use ground::{Ground, Names, Neighbourhood, WorkTree};

use crate::{
    directory::{Directory, Look},
    git::{ATTRIBUTES, Case, Excludes, PATTERNS, Repository, STORE, Spot, Standing, Tracked},
};

/// Nested deeper than this, directories are not looked into.
const DEPTH_AT_MOST: usize = 256;

/// So many of the files that would be lost are named, and so many directories of those that come back: nobody reads such a
/// list to its end.
const NAMED_AT_MOST: usize = 10_000;

/// At least once in so many files, whoever waits is told how far it is.
const BETWEEN_WORDS: u64 = 256;

/// How much may be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Files and directories.
    pub entries: u64,
    /// The length of a repository's index.
    pub index_bytes: u64,
    /// The bytes of files that are compared with what git has.
    pub compared_bytes: u64,
}

impl Budget {
    /// For deciding: a few milliseconds.
    pub const DECIDING: Self = Self { entries: 2_000, index_bytes: 16 << 20, compared_bytes: 1 << 20 };
    /// For showing it to a person, who is told how far it has come and may stop it.
    pub const SHOWING: Self = Self { entries: 1 << 20, index_bytes: 256 << 20, compared_bytes: 1 << 30 };
}

/// What would go with these paths, all at once. Links at their ends go themselves, and not what they point at. `pace` is
/// told what was found so far, and may put an end to it.
pub fn inventory(
    paths: &[PathBuf],
    whereabouts: &Whereabouts,
    budget: Budget,
    pace: &mut dyn FnMut(&Stock) -> ControlFlow<()>,
) -> Preview {
    survey(Beside::default(), paths, whereabouts, budget, Wanted::Anything, pace).0
}

/// What else is known about things that go.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Beside<'b> {
    /// Files of which git forgets what it has staged: it brings nothing of those back.
    pub(crate) unstaged: Option<&'b HashSet<PathBuf>>,
    /// Those that lose nothing but a name: what has another one that does not go stays.
    pub(crate) unlinked: Option<&'b HashSet<PathBuf>>,
}

/// Whether something that would be lost has other names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherNames {
    /// It may stay under one of them.
    Some,
    None,
}

/// The same for whoever can do nothing with a part of it: none as soon as something is not known or too much.
pub(crate) fn complete_inventory(
    paths: &[PathBuf],
    whereabouts: &Whereabouts,
    budget: Budget,
) -> Option<(Preview, OtherNames)> {
    let pace = &mut |_: &Stock| ControlFlow::Continue(());
    let found = survey(Beside::default(), paths, whereabouts, budget, Wanted::Everything, pace);
    found.0.complete.then_some(found)
}

/// Whether a build makes all of a directory again, as far as its name, what stands around it and git say, and without a look at
/// what is in it; none where there is no such directory.
pub(crate) fn is_made_again(path: &Path, whereabouts: &Whereabouts) -> Option<bool> {
    if !std::fs::symlink_metadata(path).ok()?.is_dir() {
        return None;
    }
    let real = real(path)?;
    let nothing = Budget { entries: 0, index_bytes: 0, compared_bytes: 0 };
    let pace = &mut |_: &Stock| ControlFlow::Break(());
    let mut survey = Survey::new(Beside::default(), &[], whereabouts, nothing, Wanted::Anything, pace);
    let mut ground = survey.ground_of(real.parent()?);
    survey.enter(real.as_os_str().as_bytes(), &mut ground);
    // A repository in there has a history of its own.
    let known = ground.built && !real.join(STORE).exists();
    Some(known && (ground.excluded || ground.work_tree.is_none()))
}

/// The same where more is known about what goes.
pub(crate) fn inventory_beside(
    beside: Beside<'_>,
    paths: &[PathBuf],
    whereabouts: &Whereabouts,
    budget: Budget,
    pace: &mut dyn FnMut(&Stock) -> ControlFlow<()>,
) -> Preview {
    survey(beside, paths, whereabouts, budget, Wanted::Anything, pace).0
}

/// What an inventory is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// For a person, a part of it is better than nothing.
    Anything,
    /// What is not complete is of no use.
    Everything,
}

fn survey(
    beside: Beside<'_>,
    paths: &[PathBuf],
    whereabouts: &Whereabouts,
    budget: Budget,
    wanted: Wanted,
    pace: &mut dyn FnMut(&Stock) -> ControlFlow<()>,
) -> (Preview, OtherNames) {
    let mut survey = Survey::new(beside, paths, whereabouts, budget, wanted, pace);
    let mut preview = Preview { losses: Vec::new(), changes: Vec::new(), complete: true };
    for path in outermost(paths) {
        match survey.loss(path) {
            Ok(Some(loss)) => {
                preview.complete &= loss.complete;
                preview.losses.push(loss);
            }
            Ok(None) => {}
            Err(_) => preview.complete = false,
        }
        if wanted == Wanted::Everything && !preview.complete {
            break;
        }
    }
    preview.complete &= !survey.index_unread;
    (preview, survey.other_names)
}

struct Survey<'s> {
    beside: Beside<'s>,
    /// Everything that goes, as it was named,
    paths: &'s [PathBuf],
    /// and whether what is looked at now loses nothing but its name.
    is_unlinked: bool,
    other_names: OtherNames,
    /// The names that go of files with several of them, once somebody had to know; nothing where they cannot be told.
    going: Option<Option<linked::Going>>,
    /// Everything that goes, by where it really stands: a repository in there brings nothing back.
    doomed: Vec<PathBuf>,
    whereabouts: &'s Whereabouts,
    left: Budget,
    wanted: Wanted,
    pace: &'s mut dyn FnMut(&Stock) -> ControlFlow<()>,
    seen: Stock,
    /// What each repository tracks of what goes, by the root of its work tree: an index is read once.
    tracked: HashMap<PathBuf, Option<Rc<Tracked>>>,
    /// Whether an index was longer than somebody wants to read.
    index_unread: bool,
    /// How many files may still be named.
    names_left: usize,
    /// The directory of the last path, whose neighbours come next as a rule.
    ground: Option<(PathBuf, Neighbourhood)>,
    /// Where the walk really stands, in full,
    path: Vec<u8>,
    /// and the directory that it stands in, below what goes and as it is shown.
    below: String,
}

impl<'s> Survey<'s> {
    fn new(
        beside: Beside<'s>,
        paths: &'s [PathBuf],
        whereabouts: &'s Whereabouts,
        budget: Budget,
        wanted: Wanted,
        pace: &'s mut dyn FnMut(&Stock) -> ControlFlow<()>,
    ) -> Self {
        Self {
            beside,
            paths,
            is_unlinked: false,
            other_names: OtherNames::None,
            going: None,
            doomed: paths.iter().filter_map(|path| real(path)).collect(),
            whereabouts,
            left: budget,
            wanted,
            pace,
            seen: Stock::default(),
            tracked: HashMap::new(),
            ground: None,
            path: Vec::new(),
            below: String::new(),
            index_unread: false,
            names_left: NAMED_AT_MOST,
        }
    }
}

impl Survey<'_> {
    fn loss(&mut self, path: &Path) -> io::Result<Option<Loss>> {
        // Without a slash at its end, it begins the paths of what is in it.
        let path = path.components().as_path();
        let parent = path.parent().unwrap_or(path);
        let neighbour = self.ground.take().filter(|(above, _)| above.as_os_str() == parent.as_os_str());
        let mut around = match neighbour {
            Some((_, around)) => around,
            None => match Neighbourhood::of(parent) {
                Ok(around) => around,
                Err(error) if is_missing(&error) => return Ok(None),
                Err(error) => return Err(error),
            },
        };
        // The root of everything has no name.
        let name = path.file_name().map_or(&b"."[..], OsStr::as_bytes);
        let spot = Spot { directory: &around.directory, name };
        let look = match around.directory.look(name) {
            Ok(look) => look,
            Err(error) => {
                self.ground = Some((parent.to_owned(), around));
                return if is_missing(&error) { Ok(None) } else { Err(error) };
            }
        };
        let mut loss = Loss {
            path: path.to_string_lossy().into_owned(),
            kind: look.kind,
            stock: Stock::default(),
            lost: Vec::new(),
            spared: Vec::new(),
            complete: true,
        };
        let mut ground = around.ground.take().unwrap_or_else(|| self.ground_of(&around.real));
        self.path =
            path.file_name().map_or(around.real.clone(), |name| around.real.join(name)).into_os_string().into_vec();
        self.below.clear();
        self.is_unlinked = self.beside.unlinked.is_some_and(|unlinked| unlinked.contains(path));
        self.visit(spot, &look, &mut ground, 0, &mut loss);
        around.ground = Some(ground);
        self.ground = Some((parent.to_owned(), around));
        Ok(Some(loss))
    }

    /// What is known about a directory that something stands in.
    fn ground_of(&mut self, parent: &Path) -> Ground {
        let repository = Repository::around(parent);
        let mut ground = Ground::bare(self.is_built(parent, None));
        if let Some(repository) = repository {
            let root = repository.root.clone();
            self.enter_repository(&repository, &mut ground);
            let mut on_the_way: Vec<&Path> = parent.ancestors().take_while(|above| **above != *root).collect();
            on_the_way.reverse();
            for directory in on_the_way {
                self.enter(directory.as_os_str().as_bytes(), &mut ground);
                ground.heed(&directory.join(ATTRIBUTES));
                if let Some(tree) = &mut ground.work_tree {
                    tree.excludes.enter(directory);
                }
            }
        }
        ground
    }

    fn enter_repository(&mut self, repository: &Repository, ground: &mut Ground) {
        let tracked = match self.tracked.get(&repository.root) {
            Some(tracked) => tracked.clone(),
            None => {
                let tracked = self.tracked_of(repository).map(Rc::new);
                self.tracked.insert(repository.root.clone(), tracked.clone());
                tracked
            }
        };
        let excludes = Excludes::of(repository, Some(Path::new(&self.whereabouts.home)), Case::Sensitive);
        ground.work_tree = Some(WorkTree { root: repository.root.clone(), tracked, excludes });
        ground.excluded = false;
        ground.heed(&repository.shared.join("info/attributes"));
        ground.heed(&Path::new(&self.whereabouts.home).join(".config/git/attributes"));
        ground.heed(&repository.root.join(ATTRIBUTES));
    }

    /// What a repository tracks of all that goes; none where the repository goes with it.
    fn tracked_of(&mut self, repository: &Repository) -> Option<Tracked> {
        if repository.goes_with(&self.doomed) {
            return None;
        }
        if repository.index_length() > self.left.index_bytes {
            // What git has is not known, which is not the same as that it has nothing.
            self.index_unread = true;
            self.give_up();
            return None;
        }
        let pointer = real(&repository.root.join(STORE));
        let tracked = if pointer.is_some_and(|store| self.doomed.iter().any(|doomed| store.starts_with(doomed))) {
            // A commit and its trees take no more room than the index that was made of them, as a rule.
            repository.tracked_anew(self.left.index_bytes, self.left.entries)?
        } else {
            repository.tracked(self.doomed.iter().map(PathBuf::as_path), self.left.index_bytes)?
        };
        // There is more than may be looked at, as far as it stands there still.
        if tracked.count() as u64 > self.left.entries {
            self.give_up();
        }
        Some(tracked)
    }

    /// What is known by now is not everything, and will not be: whoever wants nothing less need not wait for the rest.
    fn give_up(&mut self) {
        if self.wanted == Wanted::Everything {
            self.left.entries = 0;
        }
    }

    /// What it says about everything in a directory that the walk goes into it.
    fn enter(&self, directory: &[u8], ground: &mut Ground) {
        if let Some(tree) = &ground.work_tree
            && let Some(below) = tree.below(directory)
        {
            ground.excluded |= tree.excludes.exclude(Path::new(OsStr::from_bytes(below)), true);
        }
        ground.built |= self.is_built(Path::new(OsStr::from_bytes(directory)), Some(ground));
    }

    /// Looks at the thing that the walk stands at, and at everything in it.
    fn visit(&mut self, spot: Spot<'_>, look: &Look, ground: &mut Ground, depth: usize, loss: &mut Loss) {
        let Some(left) = self.left.entries.checked_sub(1) else {
            loss.complete = false;
            return;
        };
        self.left.entries = left;
        if !look.is_directory() {
            let mut fate = self.fate(spot, look, ground);
            if fate == Fate::Lost && look.names > 1 && look.kind == ThingKind::File {
                self.other_names = OtherNames::Some;
                if self.is_unlinked && self.stays_elsewhere(look) {
                    fate = Fate::Linked;
                }
            }
            let tally = Tally { files: 1, bytes: look.size };
            loss.stock.add(fate, tally);
            self.seen.add(fate, tally);
            if fate == Fate::Lost && self.names_left > 0 {
                self.names_left -= 1;
                let below = if depth == 0 { String::new() } else { self.shown(spot.name) };
                loss.lost.push(LostFile { below, bytes: look.size });
            }
            // A directory may hold more files than somebody wants to wait for.
            if left % BETWEEN_WORDS == 0 {
                self.keep_pace();
            }
            return;
        }
        loss.stock.directories += 1;
        self.seen.directories += 1;
        if !self.keep_pace() {
            loss.complete = false;
            return;
        }
        // Opened by its name where it stands, and never through a link that has been put there since.
        let opened = if depth < DEPTH_AT_MOST { spot.directory.listed(spot.name).ok() } else { None };
        let listed = opened.and_then(|directory| self.names(&directory).map(|names| (directory, names)));
        let Some((directory, names)) = listed else {
            loss.complete = false;
            return;
        };
        let holds = |name: &str| names.iter().any(|there| there == name.as_bytes());
        // Another repository begins here, with an index and patterns of its own.
        let path = PathBuf::from(OsStr::from_bytes(&self.path));
        if let Some(repository) = holds(STORE).then(|| Repository::at(&path)).flatten() {
            let mut inner = Ground::bare(ground.built);
            self.enter_repository(&repository, &mut inner);
            self.visit_all(&directory, &names, &mut inner, depth, loss);
            return;
        }
        let before = (ground.excluded, ground.built, ground.proof);
        self.enter(path.as_os_str().as_bytes(), ground);
        if holds(ATTRIBUTES) {
            ground.heed(&path.join(ATTRIBUTES));
        }
        let brings = holds(PATTERNS);
        if let Some(tree) = ground.work_tree.as_mut().filter(|_| brings) {
            tree.excludes.enter(&path);
        }
        self.visit_all(&directory, &names, ground, depth, loss);
        (ground.excluded, ground.built, ground.proof) = before;
        if let Some(tree) = ground.work_tree.as_mut().filter(|_| brings) {
            tree.excludes.leave();
        }
    }

    /// Tells how far it is. Where that is far enough, nothing more is looked at.
    fn keep_pace(&mut self) -> bool {
        let goes_on = (self.pace)(&self.seen).is_continue();
        if !goes_on {
            self.left.entries = 0;
        }
        goes_on
    }

    fn visit_all(&mut self, directory: &Directory, names: &Names, ground: &mut Ground, depth: usize, loss: &mut Loss) {
        let (before, spared_before) = (loss.stock, loss.spared.len());
        let mut beside = Stock::default();
        let (path_length, below_length) = (self.path.len(), self.below.len());
        for name in names.iter() {
            if self.left.entries == 0 {
                loss.complete = false;
                break;
            }
            let look = match directory.look(name) {
                Ok(look) => look,
                // It has gone in between.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(_) => {
                    loss.complete = false;
                    continue;
                }
            };
            if !self.path.ends_with(b"/") {
                self.path.push(b'/');
            }
            self.path.extend_from_slice(name);
            if look.is_directory() {
                self.below = self.shown(name);
            }
            let so_far = loss.stock;
            self.visit(Spot { directory, name }, &look, ground, depth + 1, loss);
            if !look.is_directory() {
                beside += loss.stock.since(&so_far);
            }
            self.path.truncate(path_length);
            self.below.truncate(below_length);
        }
        let whole = loss.stock.since(&before);
        beside.lost = Tally::default();
        let (extent, stock) = if whole.lost.files == 0 && loss.complete {
            // Nothing in here is lost: what was told of its directories is told at once.
            loss.spared.truncate(spared_before);
            (SparedExtent::Whole, whole)
        } else {
            (SparedExtent::Beside, beside)
        };
        if stock.whole().files > 0 && loss.spared.len() < NAMED_AT_MOST {
            loss.spared.push(Spared { below: self.below.clone(), extent, stock });
        }
    }

    /// A name in the directory that the walk stands in, below what goes.
    fn shown(&self, name: &[u8]) -> String {
        let name = String::from_utf8_lossy(name);
        if self.below.is_empty() { name.into_owned() } else { format!("{}/{name}", self.below) }
    }

    /// The names in a directory. None if that cannot be told, or if there are more than may be looked at.
    fn names(&self, directory: &Directory) -> Option<Names> {
        let mut names = Names::default();
        let mut too_many = false;
        let listed = directory.names(|name, _| {
            too_many = names.places.len() as u64 > self.left.entries;
            let start = names.bytes.len();
            names.bytes.extend_from_slice(name.as_bytes());
            names.places.push(start..names.bytes.len());
            if too_many { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let Names { bytes, places } = &mut names;
        places.sort_unstable_by(|first, second| bytes.get(first.clone()).cmp(&bytes.get(second.clone())));
        (listed.is_ok() && !too_many).then_some(names)
    }

    fn fate(&mut self, spot: Spot<'_>, look: &Look, ground: &Ground) -> Fate {
        let mut excluded = ground.excluded;
        let path = Path::new(OsStr::from_bytes(&self.path));
        if let Some(tree) = &ground.work_tree
            && let Some(below) = tree.below(&self.path)
        {
            let standing = match &tree.tracked {
                Some(_) if self.beside.unstaged.is_some_and(|unstaged| unstaged.contains(path)) => Standing::Changed,
                Some(tracked) => tracked.standing(below, spot, look, ground.proof, &mut self.left.compared_bytes),
                None => Standing::Changed,
            };
            match standing {
                Standing::Restorable => return Fate::Git,
                Standing::Changed => return Fate::Lost,
                Standing::Untracked => {
                    excluded |= tree.excludes.exclude(Path::new(OsStr::from_bytes(below)), false);
                }
            }
        }
        // That git ignores something proves nothing alone: so it does with secrets and local databases. What is in a store
        // has the names of branches and submodules, which may be those of anything.
        let known = (ground.built || self.is_built(path, Some(ground))) && !path.iter().any(|part| part == STORE);
        if known && (excluded || ground.work_tree.is_none()) { Fate::Rebuilt } else { Fate::Lost }
    }

    /// Whether a file has a name that does not go, and nothing else happens to it under one that does.
    fn stays_elsewhere(&mut self, look: &Look) -> bool {
        let (paths, unlinked, budget) = (self.paths, self.beside.unlinked, self.left.entries);
        let going = self.going.get_or_insert_with(|| linked::Going::of(paths, unlinked, budget));
        going.as_ref().is_some_and(|going| going.leaves(look))
    }

    fn is_built(&self, path: &Path, ground: Option<&Ground>) -> bool {
        let git_agrees = ground.is_some_and(|ground| ground.work_tree.is_some());
        is_built(path, self.whereabouts, git_agrees)
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests;
