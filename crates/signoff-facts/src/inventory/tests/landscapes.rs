//! The loss preview compared with the truth in landscapes that hold everything: whatever was deleted and is not back after
//! git has done its best has to be on the list, and what is back need not be.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    ops::ControlFlow,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    process::Command,
};

use proptest::{prelude::*, sample::Index};
use signoff_model::{Preview, Tally};

use super::{super::outermost, whereabouts};
use crate::{
    inventory::{Budget, inventory},
    testing::{
        any_git, contents, copied, generated,
        landscape::{Built, Landscape, Sparse, is_named_like_built, landscape},
        plots::{Site, Tenure},
    },
};

/// Patterns that bash makes paths of.
const PATTERNS: &[&str] = &["*", "a/*", "*/*", ".[!.]*", "[a-i]*", "*/inner*", "*/.git", "{a,build}/*", "*\\ *", "?"];

/// What is deleted together.
#[derive(Clone, Debug)]
enum Choice {
    /// Some of all the things there are.
    Things(Vec<Index>),
    /// Repositories, or only their stores.
    Sites(Vec<(Index, Part)>),
    Pattern(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    Store,
    Objects,
    Modules,
    TrackedFile,
    Directory,
}

const PARTS: &[Part] =
    &[Part::Whole, Part::Whole, Part::Store, Part::Objects, Part::Modules, Part::TrackedFile, Part::Directory];

fn choice() -> impl Strategy<Value = Choice> {
    let any = any::<Index>;
    prop_oneof![
        prop::collection::vec(any(), 1..4).prop_map(Choice::Things),
        prop::collection::vec((any(), prop::sample::select(PARTS)), 1..3).prop_map(Choice::Sites),
        prop::sample::select(PATTERNS).prop_map(Choice::Pattern),
    ]
}

impl Choice {
    /// The paths in full.
    fn paths(&self, built: &Built, things: &[PathBuf]) -> Vec<PathBuf> {
        match self {
            Self::Things(which) => which.iter().map(|index| index.get(things).clone()).collect(),
            Self::Sites(which) => {
                let part = |(index, part): &(Index, Part)| {
                    let root = &index.get(&built.sites).root;
                    match part {
                        Part::Whole => root.clone(),
                        Part::Store => root.join(".git"),
                        Part::Objects => root.join(".git/objects"),
                        Part::Modules => root.join(".git/modules"),
                        Part::TrackedFile => root.join("s"),
                        Part::Directory => root.join("d"),
                    }
                };
                which.iter().map(part).collect()
            }
            Self::Pattern(pattern) => {
                let script = format!("shopt -s nullglob; printf '%s\\0' {pattern}");
                let output = Command::new("bash").current_dir(&built.root).args(["-c", &script]).output().unwrap();
                let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
                names.map(|name| built.root.join(OsStr::from_bytes(name))).collect()
            }
        }
    }
}

/// Everything in a tree but what is in stores, by its full path.
fn things(directory: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        found.push(path.clone());
        let is_directory = fs::symlink_metadata(&path).unwrap().is_dir();
        if is_directory && path.file_name() != Some(OsStr::new(".git")) {
            things(&path, found);
        }
    }
}

/// Its content, mode and length.
type Thing = (Vec<u8>, u32, u64);

/// What really became of things that were deleted.
struct Truth {
    /// What there was, with its length.
    all: BTreeMap<PathBuf, u64>,
    directories: u64,
    /// What is not as it was.
    missing: BTreeSet<PathBuf>,
    /// What of that a build makes again.
    rebuilt: BTreeSet<PathBuf>,
}

fn directories(path: &Path) -> u64 {
    if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        return 0;
    }
    1 + fs::read_dir(path).unwrap().map(|entry| directories(&entry.unwrap().path())).sum::<u64>()
}

/// The repository that a path belongs to.
fn site_of<'b>(built: &'b Built, path: &Path) -> Option<&'b Site> {
    built.sites.iter().rev().find(|site| path.starts_with(&site.root) && site.own.is_some())
}

/// What of some things in a repository builds are known to make and git is told to ignore, as git says itself.
fn of_builds(built: &Built, site: &Site, paths: &BTreeMap<PathBuf, Thing>) -> Vec<PathBuf> {
    let is_here = |path: &Path| site_of(built, path).is_some_and(|of| of.root == site.root);
    let is_candidate = |path: &Path| is_named_like_built(path.strip_prefix(&built.root).unwrap());
    let below = |path: &Path| path.strip_prefix(&site.root).unwrap().as_os_str().as_bytes().to_vec();
    let candidates: Vec<&PathBuf> = paths.keys().filter(|path| is_here(path) && is_candidate(path)).collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let input = candidates.iter().map(|path| below(path)).collect::<Vec<_>>().join(&b'\0');
    let ask = |words: &[&str], input: &[u8]| -> BTreeSet<Vec<u8>> {
        let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        any_git(&site.root, &words, input).stdout.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
    };
    let tracked = ask(&["ls-files", "-z"], &[]);
    let ignored = ask(&["check-ignore", "-z", "--stdin", "--no-index"], &input);
    let is_built = |path: &&PathBuf| ignored.contains(&below(path)) && !tracked.contains(&below(path));
    candidates.into_iter().filter(is_built).cloned().collect()
}

/// Deletes, has git bring back what it can, and compares.
fn truth(built: &Built, doomed: &[PathBuf]) -> Truth {
    let mut before = BTreeMap::new();
    let mut outermost: Vec<&PathBuf> = outermost(doomed).collect();
    outermost.sort();
    outermost.iter().for_each(|path| contents(path, path, &mut before));
    let counted = outermost.iter().map(|path| directories(path)).sum();
    let by_site = built.sites.iter().filter(|site| site.own.is_some());
    let made: Vec<(&Site, Vec<PathBuf>)> = by_site.map(|site| (site, of_builds(built, site, &before))).collect();
    // What lies deepest goes first, since a link may be the only way to it.
    for path in outermost.iter().rev() {
        match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path).unwrap(),
            Ok(_) => fs::remove_file(path).unwrap(),
            Err(_) => {}
        }
    }
    // Who loses a repository with its history will not take the rest of it for something that is made again.
    let is_left = |site: &Site| site.own.as_ref().is_some_and(|own| own.join("HEAD").exists());
    let rebuilt = made.into_iter().filter(|(site, _)| is_left(site)).flat_map(|(_, paths)| paths).collect();
    built.sites.iter().for_each(Site::recover);
    let mut after = BTreeMap::new();
    outermost.iter().for_each(|path| contents(path, path, &mut after));
    let missing = before.iter().filter(|(path, thing)| after.get(*path) != Some(thing));
    Truth {
        missing: missing.map(|(path, _)| path.clone()).collect(),
        all: before.iter().map(|(path, thing)| (path.clone(), thing.2)).collect(),
        directories: counted,
        rebuilt,
    }
}

/// Why something is called lost although git brings it back; nothing if that is a mistake.
fn excuse(landscape: &Landscape, built: &Built, doomed: &[PathBuf], path: &Path) -> Option<&'static str> {
    let site = site_of(built, path)?;
    if landscape.lay.sparse == Sparse::ConeAndIndex && Some(&site.root) == built.sites.first().map(|site| &site.root) {
        return Some("an index that has directories in the place of files is not understood");
    }
    if site.tenure == Some(Tenure::Swallowed) {
        return Some("what two repositories have is judged by the inner one");
    }
    let goes = |path: &Path| doomed.iter().any(|doomed| path.starts_with(doomed));
    let pointer = site.root.join(".git");
    match site.tenure {
        Some(Tenure::Apart | Tenure::ApartByLink) if path == pointer => Some("only this said where the store is"),
        Some(Tenure::WorkTree) if goes(&pointer) => Some("whoever makes a work tree anew is without what was staged"),
        _ => None,
    }
}

fn check(landscape: &Landscape, built: &Built, doomed: &[PathBuf], said: &Preview) {
    let truth = truth(built, doomed);
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    let named: BTreeSet<String> = said
        .losses
        .iter()
        .flat_map(|loss| {
            loss.lost.iter().map(|file| match file.below.as_str() {
                "" => loss.path.clone(),
                below => format!("{}/{below}", loss.path),
            })
        })
        .collect();
    let told = || format!("of {doomed:?} in {landscape:?}: {said:?}");
    assert!(said.complete, "not all {}", told());
    for path in &truth.missing {
        let is_said = named.contains(&shown(path)) || truth.rebuilt.contains(path);
        assert!(is_said, "{path:?} is lost and was not said {}", told());
    }
    for path in truth.all.keys().filter(|path| !truth.missing.contains(*path) || truth.rebuilt.contains(*path)) {
        let is_excused = || excuse(landscape, built, doomed, path).is_some();
        assert!(!named.contains(&shown(path)) || is_excused(), "{path:?} is not lost {}", told());
    }
    let stock = said.stock();
    let whole = Tally { files: truth.all.len() as u64, bytes: truth.all.values().sum() };
    assert_eq!((stock.whole(), stock.directories), (whole, truth.directories), "{}", told());
    let lost = truth.all.iter().filter(|(path, _)| named.contains(&shown(path)));
    let (files, bytes) = lost.fold((0, 0), |(files, bytes), (_, length)| (files + 1, bytes + length));
    assert_eq!(stock.lost, Tally { files, bytes }, "{}", told());
}

proptest! {
    #![proptest_config(generated(8))]
    #[test]
    fn whatever_is_lost_was_said(landscape in landscape(), choices in prop::collection::vec(choice(), 3)) {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        let (base, kept) = (dir.join("base"), dir.join("kept"));
        fs::create_dir(&base).unwrap();
        let built = landscape.build(&base);
        let mut found = vec![built.root.clone()];
        things(&built.root, &mut found);
        let here = whereabouts(&built.root);
        // Everything is looked at before anything is copied: copies are other files to git.
        let said: Vec<(Vec<PathBuf>, Preview)> = choices
            .iter()
            .map(|choice| {
                let doomed = choice.paths(&built, &found);
                let said = inventory(&doomed, &here, Budget::SHOWING, &mut |_| ControlFlow::Continue(()));
                (doomed, said)
            })
            .collect();
        copied(&base, &kept);
        for (doomed, said) in &said {
            check(&landscape, &built, doomed, said);
            copied(&kept, &base);
        }
    }
}
