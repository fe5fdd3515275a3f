//! What a command of git would throw away in a work tree, found without running git.

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Component, Path, PathBuf},
};

use signoff_analysis::facts::{CleanedIgnored, Discard, Discarded, Whereabouts};

use crate::{
    git::{
        Allowance, Case, Census, Difference, Excludes, Ignored, InTheWay, Repository, Settings, Stray, Sweep, Trees,
    },
    inventory::is_built,
};

/// What a command would throw away, and the files of which git forgets what was staged. None where that cannot be told,
/// or where it is too much to look at in passing.
pub(crate) fn discarded(
    directory: &Path,
    discard: &Discard,
    whereabouts: &Whereabouts,
) -> Option<(Discarded, HashSet<PathBuf>)> {
    // Git asks the system where it stands, which knows of no links.
    let here = fs::canonicalize(directory).ok()?;
    let repository = Repository::around(&here)?;
    let mut census = Census::of(&repository, Allowance::DECIDING)?;
    let home = Path::new(&whereabouts.home);
    match discard {
        Discard::ToIndex { paths } => {
            let named = Named::of(paths, &here, &repository.root)?;
            let trees = named.trees();
            leaves_submodules(&census, &trees, &repository, home)?;
            let found = census.against_index(&trees)?;
            gathered(&census, found.into_iter().map(|each| (each.path, each.staged, each.unseen)), &named)
        }
        Discard::ToCommit { commit, paths } => {
            let named = match paths {
                Some(paths) => Named::of(paths, &here, &repository.root)?,
                None => Named { roots: vec![Vec::new()], exact: true },
            };
            let trees = named.trees();
            leaves_submodules(&census, &trees, &repository, home)?;
            let found = census.against_commit(commit, &trees)?;
            gathered(&census, found.into_iter().map(|each| (each.path, each.staged, each.unseen)), &named)
        }
        Discard::Removed { paths } => {
            let named = Named::of(paths, &here, &repository.root)?;
            let trees = named.trees();
            // Git takes submodules away with all that is in them.
            if census.has_submodules(&trees) {
                return None;
            }
            let found = census.against_commit("HEAD", &trees)?;
            gathered(&census, found.into_iter().map(|each| (each.path, each.staged, each.unseen)), &named)
        }
        Discard::ToTree { commit } => {
            let named = Named { roots: vec![Vec::new()], exact: true };
            let trees = named.trees();
            leaves_submodules(&census, &trees, &repository, home)?;
            let found = census.against_commit(commit, &trees)?;
            // What has changed since it was staged or committed stays, or makes git refuse.
            let goes = |each: &Difference| each.staged || !census.tracks(&each.path);
            let going = found.into_iter().filter(goes).map(|each| (each.path, each.staged, each.unseen));
            gathered(&census, going, &named)
        }
        Discard::Brought { commit, since } => {
            let (excludes, known) = known_excludes(&repository, home, Case::Fold);
            let ignored = if known { Ignored::Only } else { Ignored::Too };
            let is_built = |path: &Path| is_built(path, whereabouts, true);
            let InTheWay { untracked, tracked } = census.in_the_way(commit, since.as_deref())?;
            let lost = |path: &Vec<u8>| Stray { path: path.clone(), rebuilt: false };
            let mut strays: Vec<Stray> = tracked.iter().map(lost).collect();
            if !untracked.is_empty() {
                let trees = Trees::new(untracked.iter().map(Vec::as_slice).collect());
                let sweep = Sweep { ignored, directories: true, repositories: true };
                // Where it cannot be told what git ignores, it may be all of it.
                let swept = census.strays(&trees, sweep, excludes, &is_built);
                strays.extend(swept.unwrap_or_else(|| untracked.iter().map(lost).collect()));
            }
            sorted_out(&census, strays, &Named { roots: Vec::new(), exact: true })
        }
        Discard::Untracked { paths, directories, ignored, repositories } => {
            let named = match paths.as_slice() {
                [] => Named::of(&[".".to_owned()], &here, &repository.root)?,
                paths => Named::of(paths, &here, &repository.root)?,
            };
            let sweep = Sweep {
                ignored: match ignored {
                    CleanedIgnored::Kept => Ignored::Kept,
                    CleanedIgnored::Too => Ignored::Too,
                    CleanedIgnored::Only => Ignored::Only,
                },
                // Whoever names a path means what is in it.
                directories: *directories || !paths.is_empty(),
                repositories: *repositories,
            };
            // Of what is ignored, git then takes some that lies in directories which it leaves.
            if sweep.ignored == Ignored::Only && !sweep.directories {
                return None;
            }
            let excludes = excludes(&repository, home, sweep.ignored)?;
            let strays = census.strays(&named.trees(), sweep, excludes, &|path| is_built(path, whereabouts, true))?;
            sorted_out(&census, strays, &named)
        }
    }
}

/// What is swept away, by whether a build makes it again.
fn sorted_out(census: &Census<'_>, strays: Vec<Stray>, named: &Named) -> Option<(Discarded, HashSet<PathBuf>)> {
    let (rebuilt, lost): (Vec<_>, Vec<_>) = strays.into_iter().partition(|stray| stray.rebuilt);
    let (mut discarded, unstaged) = gathered(census, lost.into_iter().map(|stray| (stray.path, false, false)), named)?;
    for stray in rebuilt {
        match census.full(&stray.path).into_os_string().into_string() {
            Ok(path) => discarded.rebuilt.push(path),
            Err(_) => discarded.unseen = true,
        }
    }
    (named.exact || discarded.rebuilt.is_empty()).then_some((discarded, unstaged))
}

/// What is lost, by full paths. None where the paths of the command stand for less than was looked at and something was
/// found: it may not be what goes.
fn gathered(
    census: &Census<'_>,
    found: impl Iterator<Item = (Vec<u8>, bool, bool)>,
    named: &Named,
) -> Option<(Discarded, HashSet<PathBuf>)> {
    let mut discarded = Discarded::default();
    let mut unstaged = HashSet::new();
    for (path, staged, unseen) in found {
        if !named.exact {
            return None;
        }
        let full = census.full(&path);
        if staged {
            unstaged.insert(full.clone());
        }
        discarded.unseen |= unseen || full.to_str().is_none();
        let full = full.to_string_lossy().into_owned();
        if unseen {
            discarded.staged.push(full.clone());
        }
        discarded.lost.push(full);
    }
    Some((discarded, unstaged))
}

/// Nothing, unless settings may make git go into repositories that are a part of this one.
fn leaves_submodules(census: &Census<'_>, trees: &Trees<'_>, repository: &Repository, home: &Path) -> Option<()> {
    if !census.has_submodules(trees) {
        return Some(());
    }
    let settings = all_settings(repository, home)?;
    (!settings.is_on("submodule.recurse") && !settings.includes_others()).then_some(())
}

fn all_settings(repository: &Repository, home: &Path) -> Option<Settings> {
    let mut settings = Settings::around(home)?;
    settings.append(repository.settings()?);
    Some(settings)
}

/// The patterns that count. What is ignored by a file that settings may name elsewhere is not known: where ignored things
/// stay they are taken for others, and where only those go nothing can be told.
fn excludes(repository: &Repository, home: &Path, ignored: Ignored) -> Option<Excludes> {
    let (excludes, known) = match ignored {
        Ignored::Only => known_excludes(repository, home, Case::Fold),
        Ignored::Kept | Ignored::Too => known_excludes(repository, home, Case::Sensitive),
    };
    (known || ignored != Ignored::Only).then_some(excludes)
}

/// The patterns that are found, and whether there are no others. They fold letters only where git does so, and whoever
/// asks wants it.
fn known_excludes(repository: &Repository, home: &Path, case: Case) -> (Excludes, bool) {
    let settings = all_settings(repository, home);
    let known = settings.as_ref().is_some_and(|all| all.value("core.excludesfile").is_none() && !all.includes_others());
    let folds = settings.is_some_and(|settings| settings.is_on("core.ignorecase"));
    let case = if folds { case } else { Case::Sensitive };
    (Excludes::of(repository, known.then_some(home), case), known)
}

/// The paths that a command names, below the root of the work tree.
struct Named {
    roots: Vec<Vec<u8>>,
    /// Whether they stand for all that is in them, and nothing else.
    exact: bool,
}

impl Named {
    /// None where git sees something else in one of them than a path.
    fn of(paths: &[String], here: &Path, root: &Path) -> Option<Self> {
        let mut named = Self { roots: Vec::new(), exact: true };
        for path in paths {
            if path.is_empty() || path.starts_with(':') {
                return None;
            }
            // A pattern stands for something below the directory that it begins with.
            let plain = match path.find(['*', '?', '[', '\\']) {
                Some(at) => {
                    named.exact = false;
                    let before = path.get(..at)?;
                    before.rfind('/').map_or(Some("."), |end| before.get(..=end))?
                }
                None => path,
            };
            named.roots.push(below(plain, here, root)?);
        }
        Some(named)
    }

    fn trees(&self) -> Trees<'_> {
        Trees::new(self.roots.iter().map(Vec::as_slice).collect())
    }
}

/// A path that was written in a directory, seen from the root: by its names alone, as git does it. None if it leads out.
fn below(path: &str, here: &Path, root: &Path) -> Option<Vec<u8>> {
    let mut parts: Vec<&OsStr> = Vec::new();
    let joined = here.join(path);
    for component in joined.components() {
        match component {
            Component::Normal(name) => parts.push(name),
            Component::ParentDir => drop(parts.pop()?),
            Component::RootDir | Component::CurDir => {}
            Component::Prefix(_) => return None,
        }
    }
    let full: PathBuf = std::iter::once(OsStr::new("/")).chain(parts).collect();
    Some(full.strip_prefix(root).ok()?.as_os_str().as_bytes().to_vec())
}

#[cfg(test)]
mod tests;
