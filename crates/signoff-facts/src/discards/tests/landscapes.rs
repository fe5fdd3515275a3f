//! What git throws away compared with the truth in landscapes that hold everything: whatever is gone after the real command
//! was said to go.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use proptest::prelude::*;
use signoff_analysis::facts::{Discard, Discarded};

use super::{Case, ask, cases, everything};
use crate::{
    git::HashKind,
    testing::{
        any_git, copied, generated,
        landscape::{Built, Format, History as H, Landscape, Sparse, is_named_like_built, landscape},
        plots::Tenure,
        try_git,
    },
};

/// The contents that some list of git names, by path.
fn listed(root: &Path, words: &[&str], object_at: usize) -> BTreeMap<PathBuf, String> {
    let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
    let mut found = BTreeMap::new();
    for row in any_git(root, &words, &[]).stdout.split(|byte| *byte == 0) {
        let Some(tab) = row.iter().position(|byte| *byte == b'\t') else { continue };
        let head = String::from_utf8_lossy(&row[..tab]).into_owned();
        let parts: Vec<&str> = head.split(' ').collect();
        let path = PathBuf::from(OsStr::from_bytes(&row[tab + 1..]));
        // Of several versions in conflict, none is what git would bring back.
        let content = if parts.last() != Some(&"0") && object_at == 1 {
            "conflict".to_owned()
        } else {
            format!("{} {}", parts[0], parts[object_at])
        };
        found.insert(path, content);
    }
    found
}

fn name(root: &Path, path: &Path, thing: &(Vec<u8>, u32, u64), format: Format) -> String {
    let hash = match format {
        Format::Sha1 => HashKind::Sha1,
        Format::Sha256 => HashKind::Sha256,
    };
    let mode = match (root.join(path).is_symlink(), thing.1) {
        (true, _) => "120000",
        (false, 0) => "100644",
        (false, _) => "100755",
    };
    format!("{mode} {}", hash.name("blob", &thing.0))
}

/// What a command has really done.
struct Truth {
    /// What is gone of the work tree and in no commit.
    gone: BTreeSet<PathBuf>,
    /// The same of the index.
    unstaged: BTreeSet<PathBuf>,
    done: bool,
}

fn truth(root: &Path, cwd: &str, command: &[&str], format: Format) -> Truth {
    let head = listed(root, &["ls-tree", "-r", "-z", "HEAD"], 2);
    let staged = listed(root, &["ls-files", "-s", "-z"], 1);
    let announced = any_git(root, &["diff-files", "--name-only", "--diff-filter=A", "-z"].map(OsStr::new), &[]).stdout;
    let before = everything(root);
    let names: BTreeMap<&PathBuf, String> =
        before.iter().map(|(path, thing)| (path, name(root, path, thing, format))).collect();
    let done = try_git(&root.join(cwd), command);
    let after = everything(root);
    let is_gone = |path: &PathBuf| after.get(path) != before.get(path) && head.get(path) != names.get(path);
    let gone = before.keys().filter(|path| is_gone(path)).cloned().collect();
    let staged_after = listed(root, &["ls-files", "-s", "-z"], 1);
    let is_kept = |path: &PathBuf, content: &String| {
        head.get(path) == Some(content)
            || staged_after.get(path) == Some(content)
            || after.get(path).is_some_and(|thing| name(root, path, thing, format) == *content)
            || announced.split(|byte| *byte == 0).any(|name| name == path.as_os_str().as_bytes())
            || content.starts_with("16")
    };
    let unstaged =
        staged.iter().filter(|(path, content)| !is_kept(path, content)).map(|(path, _)| path.clone()).collect();
    Truth { gone, unstaged, done }
}

/// Why it is not known what goes; nothing if that should be known.
fn riddle(landscape: &Landscape, built: &Built, discard: &Discard) -> Option<&'static str> {
    let is_part = |tenure| matches!(tenure, Tenure::Absorbed | Tenure::OwnStore | Tenure::Gitlink);
    if matches!(discard, Discard::Removed { .. }) && built.sites.iter().any(|site| site.tenure.is_some_and(is_part)) {
        return Some("what is in a submodule that is taken away is not looked at");
    }
    let root = &built.root;
    if landscape.lay.sparse == Sparse::ConeAndIndex {
        return Some("an index that has directories in the place of files is not understood");
    }
    let is_absent = |file: &&str| !root.join(file).exists();
    if landscape.lay.sparse == Sparse::Cone && landscape.pattern_files().any(|file| is_absent(&file)) {
        return Some("patterns of a file that was left out are not known");
    }
    None
}

fn check(landscape: &Landscape, built: &Built, case: &Case, said: Option<&Discarded>) {
    let (command, cwd, discard) = case;
    let root = &built.root;
    let told = || format!("git {command:?} in {cwd:?}, said {said:?} of {landscape:?}");
    let Some(said) = said else {
        assert!(riddle(landscape, built, discard).is_some(), "nothing known of {}", told());
        return;
    };
    let Truth { gone, unstaged, done } = truth(root, cwd, command, landscape.lay.format);
    // Names that are no texts are shown as near as can be, and then something is said to be unseen.
    let shown = |path: &Path| root.join(path).to_string_lossy().into_owned();
    let below = |path: &Path, list: &[String]| list.iter().any(|listed| Path::new(&shown(path)).starts_with(listed));
    // A merge that fails in the middle takes everything back by a reset, over directories in the place of files.
    let is_taken_back = |path: &Path| {
        !done
            && matches!(discard, Discard::Brought { .. })
            && path.ancestors().any(|above| landscape.files.get(above) == Some(&H::MadeDirectory))
    };
    for path in gone.iter().filter(|path| !is_taken_back(path)) {
        let is_unseen = said.unseen && path.to_str().is_none();
        assert!(below(path, &said.lost) || below(path, &said.rebuilt) || is_unseen, "{path:?} goes: {}", told());
        let site = built.sites.iter().rev().find(|site| root.join(path).starts_with(&site.root)).unwrap();
        // What looks like a store and is none is as good as anything else.
        let is_built = is_named_like_built(&path.iter().filter(|part| *part != ".git").collect::<PathBuf>());
        // Another repository in there is nothing that a build makes.
        let is_inner = site.root != *root && site.own.is_some() && site.tenure != Some(Tenure::Swallowed);
        assert!(
            is_built && !is_inner || below(path, &said.lost) || is_unseen,
            "{path:?} is no build output: {}",
            told()
        );
    }
    for path in &unstaged {
        assert!(below(path, &said.lost), "{path:?} is forgotten: {}", told());
    }
    if !done {
        return;
    }
    for listed in &said.lost {
        let goes = gone.iter().chain(&unstaged).any(|gone| Path::new(&shown(gone)).starts_with(listed));
        let path = Path::new(listed).strip_prefix(root).unwrap();
        assert!(goes || excuse(landscape, discard, path).is_some(), "{path:?} stays: {}", told());
    }
}

/// Why something is said to go although it stays; nothing if that is a mistake.
fn excuse(landscape: &Landscape, discard: &Discard, path: &Path) -> Option<&'static str> {
    if landscape.lay.sparse != Sparse::No {
        return Some("git looks away from what it has left out of the work tree");
    }
    let is_shown_so = |file: &Path| file.to_string_lossy() == path.to_string_lossy();
    let history = landscape.files.iter().find(|(file, _)| is_shown_so(file)).map(|(_, history)| *history);
    match history {
        Some(H::MadeDirectory) => return Some("git leaves a directory where a file has to be, or does not"),
        Some(H::LeftOut | H::LeftOutThenChanged | H::Unwatched | H::UnwatchedThenChanged) => {
            return Some("git was told to look away");
        }
        _ => {}
    }
    if landscape.filters() {
        return Some("what a filter makes of a file is not known");
    }
    if matches!(discard, Discard::ToCommit { paths: Some(_), .. } | Discard::Removed { .. }) {
        return Some("what the other commit does not have is left alone");
    }
    let is_held = |file: &Path, history: H| {
        Path::new(&*file.to_string_lossy()).starts_with(path)
            && matches!(history, H::Untracking | H::StagedChangeThenTakenBack)
    };
    if landscape.files.iter().any(|(file, history)| is_held(file, *history)) {
        return Some("that the commit has the same content as what the index has otherwise is not looked up");
    }
    None
}

proptest! {
    #![proptest_config(generated(5))]
    #[test]
    fn whatever_git_takes_was_said(landscape in landscape(), cases in prop::sample::subsequence(cases(), 5)) {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        let (base, kept) = (dir.join("base"), dir.join("kept"));
        fs::create_dir(&base).unwrap();
        let built = landscape.build(&base);
        let cases: Vec<Case> = cases.into_iter().filter(|(_, cwd, _)| built.root.join(cwd).is_dir()).collect();
        copied(&base, &kept);
        for case in &cases {
            let (_, cwd, discard) = case;
            // To git, copies are other files, so that each is looked at for itself.
            let said = ask(&built.root, cwd, discard);
            check(&landscape, &built, case, said.as_ref());
            copied(&kept, &base);
        }
    }
}
