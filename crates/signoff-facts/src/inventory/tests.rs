//! The loss preview compared with the truth: in a copy of the tree the delete really happens, git restores what it can,
//! and what is back bit for bit is what counts as restorable.

use std::{
    collections::BTreeMap,
    fs,
    ops::ControlFlow,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use proptest::prelude::*;
use signoff_analysis::facts::Whereabouts;
use signoff_model::{Fate, Stock, Tally, ThingKind};

use super::{Budget, complete_inventory, inventory};
use crate::testing::{contents, generated, git, write};

mod landscapes;
mod stores;

/// How a file came to be as it is.
#[derive(Clone, Copy, Debug)]
enum History {
    Committed,
    CommittedThenChanged,
    /// The same length, so that only the content tells.
    CommittedThenSwapped,
    CommittedThenTouched,
    CommittedThenExecutable,
    CommittedThenLinked,
    CommittedLink,
    Staged,
    StagedThenChanged,
    Announced,
    Untracked,
}

const DIRECTORIES: &[&str] =
    &["", "a", "a/b", "build", "build/deep", "node_modules/x", "odd name", "ünï", "-n", "new\nline"];
const NAMES: &[&str] = &["f", "g.log", ".hidden", "Makefile"];

/// Builds a repository with these files in it.
fn build(root: &Path, files: &BTreeMap<PathBuf, History>, version: &str) {
    fs::create_dir_all(root).unwrap();
    git(root, &["init", "-q", "."]);
    git(root, &["config", "index.version", version]);
    write(&root.join(".gitignore"), "build/\nnode_modules\n*.log\n!keep.log\n");
    git(root, &["add", "-f", ".gitignore"]);
    let full = |path: &Path| root.join(path);
    for (path, history) in files {
        match history {
            History::CommittedLink => {
                fs::create_dir_all(full(path).parent().unwrap()).unwrap();
                symlink("../nowhere", full(path)).unwrap();
            }
            _ => write(&full(path), &format!("content of {}", path.display())),
        }
        if !matches!(history, History::Staged | History::StagedThenChanged | History::Announced | History::Untracked) {
            git(root, &["add", "-f", "--", path.to_str().unwrap()]);
        }
    }
    git(root, &["commit", "-qm", "x", "--allow-empty"]);
    for (path, history) in files {
        let full = full(path);
        match history {
            History::Committed | History::CommittedLink | History::Untracked => {}
            History::CommittedThenChanged => write(&full, "changed"),
            History::CommittedThenSwapped => write(&full, &"x".repeat(format!("content of {}", path.display()).len())),
            History::CommittedThenTouched => {
                let file = fs::File::options().write(true).open(&full).unwrap();
                file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
            }
            History::CommittedThenExecutable => fs::set_permissions(&full, fs::Permissions::from_mode(0o755)).unwrap(),
            History::CommittedThenLinked => {
                fs::remove_file(&full).unwrap();
                symlink("elsewhere", &full).unwrap();
            }
            History::Staged => drop(git(root, &["add", "-f", "--", path.to_str().unwrap()])),
            History::StagedThenChanged => {
                git(root, &["add", "-f", "--", path.to_str().unwrap()]);
                write(&full, "later");
            }
            History::Announced => drop(git(root, &["add", "-f", "-N", "--", path.to_str().unwrap()])),
        }
    }
}

/// What really is back after a delete of `target` in a copy of the tree and git's best effort, as an inventory.
fn truth(root: &Path, target: &Path, scratch: &Path) -> (Stock, Vec<PathBuf>) {
    let copy = scratch.join("copy");
    let status = Command::new("cp").arg("-a").arg(root).arg(&copy).status().unwrap();
    assert!(status.success());
    let mut before = BTreeMap::new();
    contents(&copy.join(target), target, &mut before);
    let doomed = copy.join(target);
    match fs::symlink_metadata(&doomed) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&doomed).unwrap(),
        Ok(_) => fs::remove_file(&doomed).unwrap(),
        Err(_) => {}
    }
    if copy.join(".git").exists() {
        git(&copy, &["checkout", "-q", "--", "."]);
        git(&copy, &["submodule", "update", "-q", "--init"]);
    }
    let mut after = BTreeMap::new();
    contents(&copy.join(target), target, &mut after);
    let mut stock = Stock::default();
    let mut lost = Vec::new();
    for (path, thing) in &before {
        let is_built = path.iter().any(|part| part == "build" || part == "node_modules");
        let ignored = || {
            let asked = Command::new("git")
                .current_dir(root)
                .args(["check-ignore", "-q", "--no-index", "--"])
                .arg(path)
                .status();
            asked.unwrap().success()
        };
        let fate = if after.get(path) == Some(thing) {
            Fate::Git
        } else if is_built && git(root, &["ls-files", "--", path.to_str().unwrap()]).is_empty() && ignored() {
            Fate::Rebuilt
        } else {
            lost.push(path.clone());
            Fate::Lost
        };
        stock.add(fate, Tally { files: 1, bytes: thing.2 });
    }
    fs::remove_dir_all(&copy).unwrap();
    (stock, lost)
}

fn whereabouts(root: &Path) -> Whereabouts {
    let root = root.to_str().unwrap().to_owned();
    Whereabouts { cwd: root.clone(), home: "/nonexistent".to_owned(), project: root }
}

/// What the preview says about one target.
fn preview(root: &Path, target: &Path) -> (Stock, Vec<PathBuf>) {
    let doomed = [root.join(target)];
    let preview = inventory(&doomed, &whereabouts(root), Budget::SHOWING, &mut |_| ControlFlow::Continue(()));
    assert!(preview.complete);
    let mut lost = Vec::new();
    for loss in &preview.losses {
        let full = |below: &str| if below.is_empty() { target.to_owned() } else { target.join(below) };
        lost.extend(loss.lost.iter().map(|file| full(&file.below)));
        // Every file is told once: by its name, or with the directory that comes back.
        let mut told = Stock::default();
        loss.spared.iter().for_each(|spared| told += spared.stock);
        let bytes = loss.lost.iter().map(|file| file.bytes).sum();
        told.lost = Tally { files: loss.lost.len() as u64, bytes };
        if loss.kind == ThingKind::Directory {
            assert_eq!(Stock { directories: 0, ..told }, Stock { directories: 0, ..loss.stock }, "{loss:?}");
        }
    }
    (Stock { directories: 0, ..preview.stock() }, lost)
}

fn check(root: &Path, target: &str, scratch: &Path) {
    let (stock, mut lost) = truth(root, Path::new(target), scratch);
    let (said, mut named) = preview(root, Path::new(target));
    assert_eq!(said, stock, "{target}");
    lost.sort();
    named.sort();
    assert_eq!(named, lost, "{target}");
}

fn history() -> impl Strategy<Value = History> {
    prop::sample::select(vec![
        History::Committed,
        History::CommittedThenChanged,
        History::CommittedThenSwapped,
        History::CommittedThenTouched,
        History::CommittedThenExecutable,
        History::CommittedThenLinked,
        History::CommittedLink,
        History::Staged,
        History::StagedThenChanged,
        History::Announced,
        History::Untracked,
    ])
}

proptest! {
    #![proptest_config(generated(12))]
    #[test]
    fn what_git_brings_back_is_what_was_said(
        files in prop::collection::btree_map((0..DIRECTORIES.len(), 0..NAMES.len()), history(), 1..14),
        version in prop::sample::select(vec!["2", "3", "4"]),
        target in 0..DIRECTORIES.len(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("project");
        let place = |(directory, name): (usize, usize)| Path::new(DIRECTORIES[directory]).join(NAMES[name]);
        let files: BTreeMap<PathBuf, History> = files.into_iter().map(|(at, history)| (place(at), history)).collect();
        build(&root, &files, version);
        for target in [DIRECTORIES[target], "a", "build"] {
            // Deleting the root deletes the repository, which another test is about.
            if !target.is_empty() && root.join(target).exists() {
                check(&root, target, dir.path());
            }
        }
        let first = files.keys().next().unwrap();
        check(&root, first.to_str().unwrap(), dir.path());
    }
}

#[test]
fn a_repository_that_goes_brings_nothing_back() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("project");
    build(&root, &BTreeMap::from([(PathBuf::from("a/f"), History::Committed)]), "2");
    let (stock, _) = preview(&root, Path::new(""));
    assert_eq!((stock.git, stock.rebuilt), (Tally::default(), Tally::default()));
    assert!(stock.lost.files > 10, "its store as well");
    // Together with its store, the files of a work tree are lost even where they are named one by one.
    let doomed = [root.join("a/f"), root.join(".git")];
    let both = inventory(&doomed, &whereabouts(&root), Budget::SHOWING, &mut |_| ControlFlow::Continue(()));
    assert_eq!(both.stock().git, Tally::default());
}

#[test]
fn a_repository_in_a_repository_goes_with_its_history() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("project");
    build(&root, &BTreeMap::from([(PathBuf::from("a/f"), History::Committed)]), "2");
    build(&root.join("inner"), &BTreeMap::from([(PathBuf::from("f"), History::Committed)]), "4");
    let (stock, _) = preview(&root, Path::new("inner"));
    assert_eq!(stock.git, Tally::default());
    // Without its store, its files come back from there.
    check(&root.join("inner"), "f", dir.path());
}

#[test]
fn submodules_and_work_trees_come_back_from_their_stores() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let (root, other) = (base.join("project"), base.join("other"));
    build(&other, &BTreeMap::from([(PathBuf::from("s/f"), History::Committed)]), "2");
    build(&root, &BTreeMap::from([(PathBuf::from("a/f"), History::Committed)]), "2");
    git(&root, &["submodule", "add", "-q", other.to_str().unwrap(), "sub"]);
    git(&root, &["commit", "-qm", "sub"]);
    check(&root, "sub", dir.path());
    let (stock, _) = preview(&root, Path::new("sub"));
    assert!(stock.git.files >= 2 && stock.lost.files == 0, "{stock:?}");
    write(&root.join("sub/s/f"), "changed");
    check(&root, "sub/s", dir.path());
    write(&root.join("sub/new"), "new");
    let (stock, lost) = preview(&root, Path::new("sub"));
    assert_eq!(stock.lost.files, 2, "{lost:?}");

    let tree = base.join("tree");
    git(&root, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    let (stock, _) = preview(&tree, Path::new(""));
    assert!(stock.git.files >= 2 && stock.lost.files == 0, "{stock:?}");
    write(&tree.join("a/f"), "changed");
    assert_eq!(preview(&tree, Path::new("")).0.lost.files, 1);
}

#[test]
fn links_go_without_what_they_point_at() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("project");
    build(&root, &BTreeMap::from([(PathBuf::from("a/f"), History::Committed)]), "2");
    write(&dir.path().join("precious/data"), "d");
    symlink(dir.path().join("precious"), root.join("a/out")).unwrap();
    let (stock, lost) = preview(&root, Path::new("a"));
    assert_eq!((stock.git.files, stock.lost.files), (1, 1));
    assert_eq!(lost, [PathBuf::from("a/out")]);
}

#[test]
fn being_ignored_alone_proves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("project");
    build(&root, &BTreeMap::new(), "2");
    write(&root.join(".gitignore"), "build/\n.env\n*.sqlite\nlocal/\n");
    write(&root.join("GNUmakefile"), "all:");
    for path in [".env", "app.sqlite", "local/notes", "build/out.o", "build/.env"] {
        write(&root.join(path), "x");
    }
    for (target, fate) in
        [(".env", Fate::Lost), ("app.sqlite", Fate::Lost), ("local", Fate::Lost), ("build/out.o", Fate::Rebuilt)]
    {
        assert_eq!(preview(&root, Path::new(target)).0.worst(), Some(fate), "{target}");
    }
    // What is not ignored was perhaps put there by hand.
    write(&root.join("target/notes"), "x");
    assert_eq!(preview(&root, Path::new("target")).0.worst(), Some(Fate::Lost));
    assert_eq!(preview(&root, Path::new("nothing")).0, Stock::default());
}

#[test]
fn what_was_not_looked_at_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    for number in 0..50 {
        write(&root.join(format!("d{}/f{number}", number % 5)), "x");
    }
    let go_on = &mut |_: &Stock| ControlFlow::Continue(());
    let small = Budget { entries: 20, ..Budget::SHOWING };
    assert!(!inventory(std::slice::from_ref(&root), &whereabouts(&root), small, go_on).complete);
    assert!(inventory(std::slice::from_ref(&root), &whereabouts(&root), Budget::SHOWING, go_on).complete);
    let stopped = inventory(std::slice::from_ref(&root), &whereabouts(&root), Budget::SHOWING, &mut |seen| {
        if seen.directories > 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(!stopped.complete && stopped.stock().whole().files < 50);
    // Also in the middle of one directory, in which nothing more is looked at then.
    let flat = root.join("flat");
    (0..900).for_each(|number| write(&flat.join(format!("f{number}")), "x"));
    let mut told = Vec::new();
    let stopped = inventory(&[flat], &whereabouts(&root), Budget::SHOWING, &mut |seen| {
        told.push(seen.whole().files);
        if seen.whole().files > 300 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(!stopped.complete && stopped.stock().whole().files < 600, "{told:?}");
}

#[test]
fn whoever_wants_everything_gets_nothing_less() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("project");
    let files: Vec<PathBuf> = (0..30).map(|number| format!("a/f{number}").into()).collect();
    build(&root, &files.iter().map(|path| (path.clone(), History::Committed)).collect(), "2");
    write(&root.join("b"), "new");
    let (here, paths) = (whereabouts(&root), [root.join("a"), root.join("b")]);
    let (whole, _) = complete_inventory(&paths, &here, Budget::DECIDING).unwrap();
    assert_eq!(whole, inventory(&paths, &here, Budget::DECIDING, &mut |_| ControlFlow::Continue(())));
    assert_eq!((whole.stock().git.files, whole.stock().lost.files), (30, 1));
    for (entries, index_bytes, known) in [(31, 1 << 20, false), (32, 1 << 20, true), (32, 10, false)] {
        let budget = Budget { entries, index_bytes, ..Budget::DECIDING };
        assert_eq!(complete_inventory(&paths, &here, budget).is_some(), known, "{entries} entries");
        // A person is shown what was found all the same.
        let partly = inventory(&paths, &here, budget, &mut |_| ControlFlow::Continue(()));
        assert!(partly.complete == known && partly.stock().whole().files >= 29);
    }
}

#[test]
fn a_directory_that_cannot_be_listed_is_not_taken_for_an_empty_one() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    write(&root.join("open/f"), "x");
    write(&root.join("closed/f"), "x");
    fs::set_permissions(root.join("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    let found =
        inventory(
            std::slice::from_ref(&root),
            &whereabouts(&root),
            Budget::SHOWING,
            &mut |_| ControlFlow::Continue(()),
        );
    // Whoever may do everything reads it all the same.
    let is_readable = fs::read_dir(root.join("closed")).is_ok();
    fs::set_permissions(root.join("closed"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(found.complete, is_readable);
    assert_eq!(found.stock().whole().files, if is_readable { 2 } else { 1 });
}

#[test]
fn paths_are_taken_as_they_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("project");
    build(&root, &BTreeMap::from([(PathBuf::from("a/b/f"), History::Committed)]), "2");
    let count = |path: PathBuf| {
        inventory(&[path], &whereabouts(&root), Budget::SHOWING, &mut |_| ControlFlow::Continue(())).stock()
    };
    let expected = count(root.join("a/b"));
    assert_eq!((expected.git.files, expected.lost.files), (1, 0));
    for other in ["a/b/", "a/b/."] {
        assert_eq!(count(root.join(other)), expected, "{other}");
    }
    // A link on the way leads to the same files.
    symlink("a", root.join("link")).unwrap();
    assert_eq!(count(root.join("link/b")), expected);
}

#[test]
fn many_paths_are_counted_as_each_alone_and_nothing_twice() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("project");
    let files = ["a/f", "a/g.log", "a/b/f", "odd name/f", "b/f"].map(PathBuf::from);
    let histories = [History::Committed, History::CommittedThenChanged, History::Untracked, History::Committed];
    build(&root, &files.iter().cloned().zip(histories.into_iter().cycle()).collect(), "4");
    build(&root.join("inner"), &BTreeMap::from([(PathBuf::from("f"), History::Committed)]), "2");
    write(&dir.path().join("elsewhere/f"), "x");
    symlink(dir.path().join("elsewhere"), root.join("a/out")).unwrap();

    let all = |paths: &[&str]| {
        let paths: Vec<PathBuf> = paths.iter().map(|path| root.join(path)).collect();
        inventory(&paths, &whereabouts(&root), Budget::SHOWING, &mut |_| ControlFlow::Continue(())).stock()
    };
    let paths = ["a/f", "a/g.log", "b", "a/b", "inner/f", "odd name"];
    let mut each = Stock::default();
    for path in paths {
        let stock = all(&[path]);
        each.directories += stock.directories;
        for (fate, tally) in [(Fate::Git, stock.git), (Fate::Rebuilt, stock.rebuilt), (Fate::Lost, stock.lost)] {
            each.add(fate, tally);
        }
    }
    assert_eq!(all(&paths), each);
    assert!(each.git.files >= 3 && each.lost.files >= 1, "{each:?}");
    assert_eq!(all(&["a", "a/b", "a/f", "a"]), all(&["a"]));
    // What lies behind a link in it goes besides.
    assert_eq!(all(&["a/out/f", "a"]).lost.files, all(&["a"]).lost.files + 1);
}

#[test]
fn an_index_that_was_not_read_says_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("project");
    build(&root, &BTreeMap::from([(PathBuf::from("a/f"), History::Committed)]), "2");
    let all = [root.join("a")];
    let go_on = &mut |_: &Stock| ControlFlow::Continue(());
    let short = Budget { index_bytes: 10, ..Budget::SHOWING };
    assert!(!inventory(&all, &whereabouts(&root), short, go_on).complete);
    let whole = inventory(&all, &whereabouts(&root), Budget::SHOWING, go_on);
    assert!(whole.complete && whole.stock().git.files == 1);
}
