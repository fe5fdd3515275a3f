//! What git brings back depends on what is left of its stores: each test is a way in which more was promised than came back.

use std::{
    collections::BTreeMap,
    fs,
    ops::ControlFlow,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use signoff_model::{Fate, Preview};

use super::{Budget, History, build, inventory, whereabouts};
use crate::testing::{git, write};

/// A repository with one file that is committed.
fn project(base: &Path) -> PathBuf {
    let root = base.join("project");
    build(&root, &BTreeMap::from([(PathBuf::from("a/f"), History::Committed)]), "2");
    root
}

fn said(root: &Path, paths: &[PathBuf]) -> Preview {
    inventory(paths, &whereabouts(root), Budget::SHOWING, &mut |_| ControlFlow::Continue(()))
}

/// The files that would be lost, below each path.
fn lost(root: &Path, paths: &[PathBuf]) -> Vec<String> {
    let said = said(root, paths);
    assert!(said.complete);
    said.losses.iter().flat_map(|loss| loss.lost.iter().map(|file| file.below.clone())).collect()
}

fn with_submodule(base: &Path) -> PathBuf {
    let (root, other) = (project(base), base.join("other"));
    build(&other, &BTreeMap::from([(PathBuf::from("s"), History::Committed)]), "2");
    git(&root, &["submodule", "add", "-q", other.to_str().unwrap(), "sub"]);
    git(&root, &["commit", "-qm", "sub"]);
    root
}

/// Git makes the work tree of a submodule anew from a commit, and deletes the index that it had.
#[test]
fn what_is_staged_in_a_submodule_goes_with_its_work_tree() {
    let dir = tempfile::tempdir().unwrap();
    let root = with_submodule(&dir.path().canonicalize().unwrap());
    let sub = root.join("sub");
    write(&sub.join("new"), "new");
    write(&sub.join("s"), "staged");
    git(&sub, &["add", "new", "s"]);
    write(&sub.join("later"), "later");
    git(&sub, &["add", "later"]);
    assert_eq!(lost(&root, std::slice::from_ref(&sub)), ["later", "new", "s"]);
    assert_eq!(lost(&root, &[sub.join(".git"), sub.join("new")]), [""]);
    // As long as the work tree stays what it is, git has what is staged.
    assert_eq!(lost(&root, &[sub.join("new"), sub.join("s")]), [""; 0]);
    git(&sub, &["commit", "-qm", "more"]);
    assert_eq!(lost(&root, &[sub]), [""; 0]);
}

/// A submodule whose last commit cannot be read is not taken for one that is as it was committed.
#[test]
fn a_submodule_without_a_commit_comes_back_without_files() {
    let dir = tempfile::tempdir().unwrap();
    let root = with_submodule(&dir.path().canonicalize().unwrap());
    let sub = root.join("sub");
    git(&sub, &["checkout", "-q", "--orphan", "fresh"]);
    assert!(lost(&root, std::slice::from_ref(&sub)).contains(&"s".to_owned()));
    assert_eq!(lost(&root, &[sub.join("s")]), [""; 0]);
}

#[test]
fn a_pointer_that_nobody_else_knows_of_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let root = project(&base);
    for (name, by_link) in [("filed", None), ("linked", Some(()))] {
        let (inner, store) = (root.join(name), base.join(format!("store of {name}")));
        build(&inner, &BTreeMap::from([(PathBuf::from("f"), History::Committed)]), "2");
        fs::rename(inner.join(".git"), &store).unwrap();
        match by_link {
            None => write(&inner.join(".git"), &format!("gitdir: {}\n", store.display())),
            Some(()) => symlink(&store, inner.join(".git")).unwrap(),
        }
        assert_eq!(lost(&root, &[inner]), [".git"], "{name}");
    }
    // Those of submodules and work trees are known to their stores.
    git(&root, &["worktree", "add", "-q", "tree"]);
    assert_eq!(lost(&root, &[root.join("tree")]), [""; 0]);
}

#[test]
fn a_repository_without_a_part_of_its_store_brings_nothing_back() {
    let dir = tempfile::tempdir().unwrap();
    let root = project(&dir.path().canonicalize().unwrap());
    write(&root.join(".git/index.lock"), "");
    write(&root.join(".git/hooks/pre-commit"), "exit");
    let fate = |part: &str| {
        let losses = said(&root, &[root.join("a"), root.join(part)]).losses;
        losses.iter().find(|loss| loss.path.ends_with("/a")).unwrap().stock.worst()
    };
    for part in [".git", ".git/objects", ".git/index", ".git/HEAD", ".git/refs", ".git/config"] {
        assert_eq!(fate(part), Some(Fate::Lost), "{part}");
    }
    for part in [".git/index.lock", ".git/hooks", ".git/hooks/pre-commit", ".git/logs"] {
        assert_eq!(fate(part), Some(Fate::Git), "{part}");
    }
}

#[test]
fn a_store_that_is_borrowed_from_is_needed() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let root = project(&base);
    let borrower = base.join("borrower");
    git(&base, &["clone", "-q", "--shared", "project", "borrower"]);
    let all = [root.clone(), borrower.join("a/f")];
    assert!(said(&root, &all).losses.iter().all(|loss| loss.stock.worst() == Some(Fate::Lost)));
    assert_eq!(lost(&root, &[borrower.join("a/f")]), [""; 0]);
    // More of them than anybody follows, or a list that cannot be read.
    let list = borrower.join(".git/objects/info/alternates");
    fs::write(&list, "../borrowed\n".repeat(20)).unwrap();
    assert_eq!(lost(&root, &[borrower.join("a/f")]), [""]);
    fs::remove_file(&list).unwrap();
    fs::create_dir(&list).unwrap();
    assert_eq!(lost(&root, &[borrower.join("a/f")]), [""]);
}

/// A link on the way hides neither that the store goes nor where something really stands.
#[test]
fn what_lies_behind_a_link_is_judged_where_it_stands() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let root = project(&base);
    symlink(&base, base.join("way")).unwrap();
    let around = base.join("way/project");
    assert_eq!(said(&root, std::slice::from_ref(&around)).stock(), said(&root, std::slice::from_ref(&root)).stock());
    assert!(lost(&root, &[around]).contains(&"a/f".to_owned()), "its store goes as well");
    // The name of the link is one that builds give, and git ignores it: what it leads to is neither.
    write(&base.join("precious/data"), "d");
    write(&root.join(".gitignore"), "build\n");
    symlink(base.join("precious"), root.join("build")).unwrap();
    assert_eq!(lost(&root, &[root.join("build/data")]), [""]);
}

/// A branch or a submodule may have the name of what builds make.
#[test]
fn nothing_in_a_store_is_made_by_a_build() {
    let dir = tempfile::tempdir().unwrap();
    let root = project(&dir.path().canonicalize().unwrap());
    git(&root, &["branch", "build/new"]);
    for part in [".git/refs/heads/build", ".git/refs/heads/build/new"] {
        assert_eq!(said(&root, &[root.join(part)]).stock().worst(), Some(Fate::Lost), "{part}");
    }
}
