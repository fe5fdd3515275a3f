//! What git would throw away, compared with the truth: in a copy of the repository the command really runs, and whatever
//! content is gone then and stands in no commit has to be what was said.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use proptest::prelude::*;
use signoff_analysis::facts::{CleanedIgnored, Discard, Discarded, Whereabouts};

use super::discarded;
use crate::testing::{contents, generated, git, try_git, write};

mod landscapes;

/// How a file came to be as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum History {
    Committed,
    Changed,
    /// The same length, so that only the content tells.
    Swapped,
    Touched,
    MadeExecutable,
    MadeLink,
    MadeDirectory,
    Link,
    Deleted,
    StagedNew,
    StagedNewThenChanged,
    StagedNewThenDeleted,
    StagedChange,
    StagedChangeThenChanged,
    StagedChangeThenTakenBack,
    StagedChangeThenDeleted,
    StagedDeletion,
    Untracking,
    UntrackingThenChanged,
    Announced,
    Unwatched,
    LeftOut,
    Untracked,
    /// In another branch only, and here as something that nobody tracks.
    InTheWay,
    InTheWayTheSame,
    OnlyElsewhere,
    ChangedElsewhere,
}

use History as H;

const ALL: &[History] = &[
    H::Committed,
    H::Changed,
    H::Swapped,
    H::Touched,
    H::MadeExecutable,
    H::MadeLink,
    H::MadeDirectory,
    H::Link,
    H::Deleted,
    H::StagedNew,
    H::StagedNewThenChanged,
    H::StagedNewThenDeleted,
    H::StagedChange,
    H::StagedChangeThenChanged,
    H::StagedChangeThenTakenBack,
    H::StagedChangeThenDeleted,
    H::StagedDeletion,
    H::Untracking,
    H::UntrackingThenChanged,
    H::Announced,
    H::Unwatched,
    H::LeftOut,
    H::Untracked,
    H::InTheWay,
    H::InTheWayTheSame,
    H::OnlyElsewhere,
    H::ChangedElsewhere,
];

const DIRECTORIES: &[&str] =
    &["", "a", "a/b", "build", "build/deep", "node_modules/x", "odd name", "ünï", "new\nline", "a-"];
const NAMES: &[&str] = &["f", "g.log", ".hidden", "Makefile", "h"];

/// What else there is.
#[derive(Clone, Copy, Debug)]
struct Extras {
    version: &'static str,
    packed: bool,
    nested: bool,
    submodule: bool,
    work_tree: bool,
    /// A directory of tracked files has become a link to somewhere else, or a file.
    replaced: Option<bool>,
}

/// One command, where it runs, and what is asked about it.
type Case = (&'static [&'static str], &'static str, Discard);

fn to_index(paths: &[&str]) -> Discard {
    Discard::ToIndex { paths: paths.iter().map(|path| (*path).to_owned()).collect() }
}

fn to_commit(commit: &str, paths: Option<&[&str]>) -> Discard {
    let paths = paths.map(|paths| paths.iter().map(|path| (*path).to_owned()).collect());
    Discard::ToCommit { commit: commit.to_owned(), paths }
}

fn brought(commit: &str, since: Option<&str>) -> Discard {
    Discard::Brought { commit: commit.to_owned(), since: since.map(str::to_owned) }
}

fn clean(paths: &[&str], directories: bool, ignored: CleanedIgnored, repositories: bool) -> Discard {
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    Discard::Untracked { paths, directories, ignored, repositories }
}

fn cases() -> Vec<Case> {
    use CleanedIgnored::{Kept, Only, Too};
    vec![
        (&["reset", "--hard"], "", to_commit("HEAD", None)),
        (&["reset", "--hard"], "a", to_commit("HEAD", None)),
        (&["reset", "--hard", "other"], "", to_commit("other", None)),
        (&["reset", "--hard", "other~1"], "", to_commit("other~1", None)),
        (&["reset", "--hard", "HEAD^"], "", to_commit("HEAD^", None)),
        (&["checkout", "-f", "other"], "", to_commit("other", None)),
        (&["checkout", "-f"], "", to_commit("HEAD", None)),
        (&["switch", "--discard-changes", "other"], "a", to_commit("other", None)),
        (&["checkout", "--", "."], "", to_index(&["."])),
        (&["checkout", "."], "a", to_index(&["."])),
        (&["restore", "."], "", to_index(&["."])),
        (&["restore", "a", "build"], "", to_index(&["a", "build"])),
        (&["checkout", "--", "../build", "b"], "a", to_index(&["../build", "b"])),
        (&["checkout", "HEAD", "--", "."], "", to_commit("HEAD", Some(&["."]))),
        (&["checkout", "other", "--", "."], "", to_commit("other", Some(&["."]))),
        (&["checkout", "other", "--", "a"], "", to_commit("other", Some(&["a"]))),
        (&["restore", "--source=other", "a"], "", to_commit("other", Some(&["a"]))),
        (&["restore", "-SW", "."], "", to_commit("HEAD", Some(&["."]))),
        (&["rm", "-rfq", "--ignore-unmatch", "a"], "", Discard::Removed { paths: vec!["a".to_owned()] }),
        (&["checkout", "other"], "", brought("other", None)),
        (&["switch", "-q", "--detach", "other~1"], "a", brought("other~1", None)),
        (&["merge", "-q", "other"], "", brought("other", None)),
        (&["rebase", "-q", "other"], "", brought("other", None)),
        (&["cherry-pick", "other~1"], "", brought("other~1", Some("other~2"))),
        (&["clean", "-fq"], "", clean(&[], false, Kept, false)),
        (&["clean", "-fdq"], "", clean(&[], true, Kept, false)),
        (&["clean", "-fdxq"], "", clean(&[], true, Too, false)),
        (&["clean", "-fdXq"], "", clean(&[], true, Only, false)),
        (&["clean", "-ffdxq"], "", clean(&[], true, Too, true)),
        (&["clean", "-ffdq"], "", clean(&[], true, Kept, true)),
        (&["clean", "-fxq"], "", clean(&[], false, Too, false)),
        (&["clean", "-fdq"], "a", clean(&[], true, Kept, false)),
        (&["clean", "-fq", "a"], "", clean(&["a"], false, Kept, false)),
        (&["clean", "-fxq", "--", "build", "a/b"], "", clean(&["build", "a/b"], false, Too, false)),
        (&["clean", "-fq", "../build"], "a", clean(&["../build"], false, Kept, false)),
    ]
}

/// The files of some histories, as arguments.
fn of<'f>(files: &'f BTreeMap<PathBuf, History>, which: &[History]) -> Vec<&'f str> {
    files.iter().filter(|(_, history)| which.contains(history)).map(|(path, _)| path.to_str().unwrap()).collect()
}

fn on_each(root: &Path, before: &[&str], paths: &[&str]) {
    if !paths.is_empty() {
        git(root, &[before, &["--"], paths].concat());
    }
}

const ELSEWHERE: &[History] = &[H::InTheWay, H::InTheWayTheSame, H::OnlyElsewhere];
const NEW: &[History] = &[H::StagedNew, H::StagedNewThenChanged, H::StagedNewThenDeleted, H::Announced, H::Untracked];

/// Builds a repository with these files in it, and tells where its work tree is.
fn build(base: &Path, files: &BTreeMap<PathBuf, History>, extras: Extras) -> PathBuf {
    let mut root = base.join("project");
    fs::create_dir_all(&root).unwrap();
    git(&root, &["init", "-q", "-b", "main", "."]);
    git(&root, &["config", "index.version", extras.version]);
    git(&root, &["config", "core.untrackedCache", "true"]);
    write(&root.join(".gitignore"), "build/\nnode_modules\n*.log\n!keep.log\n");
    write(&root.join("a/.gitignore"), "h\n");
    write(&root.join("a/kept"), "kept");
    git(&root, &["add", "-f", "."]);
    if extras.submodule {
        let other = base.join("part");
        fs::create_dir_all(&other).unwrap();
        git(&other, &["init", "-q", "."]);
        write(&other.join("s"), "s");
        git(&other, &["add", "."]);
        git(&other, &["commit", "-qm", "x"]);
        git(&root, &["submodule", "add", "-q", other.to_str().unwrap(), "sub"]);
    }
    git(&root, &["commit", "-qm", "first"]);
    let original = |path: &Path| format!("content of {}", path.display());
    let make = |root: &Path, path: &Path, history: History| match history {
        H::Link => {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            symlink("../nowhere", root.join(path)).unwrap();
        }
        _ => write(&root.join(path), &original(path)),
    };
    let old = |history: &History| !ELSEWHERE.contains(history) && !NEW.contains(history);
    for (path, history) in files.iter().filter(|(_, history)| old(history)) {
        make(&root, path, *history);
    }
    let tracked: Vec<History> = ALL.iter().copied().filter(old).collect();
    on_each(&root, &["add", "-f"], &of(files, &tracked));
    git(&root, &["commit", "-qm", "second", "--allow-empty"]);
    // Another branch, with more in it.
    git(&root, &["checkout", "-q", "-b", "other"]);
    for (path, history) in files {
        if ELSEWHERE.contains(history) {
            write(&root.join(path), &original(path));
        } else if *history == H::ChangedElsewhere {
            write(&root.join(path), "there it is otherwise");
        }
    }
    on_each(&root, &["add", "-f"], &of(files, ELSEWHERE));
    on_each(&root, &["add", "-f"], &of(files, &[H::ChangedElsewhere]));
    git(&root, &["commit", "-qm", "there", "--allow-empty"]);
    git(&root, &["commit", "-qm", "there again", "--allow-empty"]);
    git(&root, &["checkout", "-q", "main"]);
    git(&root, &["tag", "-am", "t", "tagged"]);
    if extras.work_tree {
        git(&root, &["worktree", "add", "-q", "-b", "side", "../side"]);
        root = base.join("side");
        if extras.submodule {
            git(&root, &["submodule", "update", "-q", "--init"]);
        }
    }
    if extras.packed {
        git(&root, &["gc", "-q", "--aggressive", "--prune=now"]);
    }
    stage(&root, files);
    change(&root, files);
    if extras.nested {
        for inner in ["a/inner", "build/inner", "new/inner"] {
            write(&root.join(inner).join("f"), "inner");
            git(&root.join(inner), &["init", "-q", "."]);
        }
        write(&root.join("new/beside"), "beside");
        // No repository, although it looks a little like one.
        write(&root.join("like/.git/HEAD"), "nothing");
        write(&root.join("like/f"), "f");
    }
    if extras.submodule {
        write(&root.join("sub/s"), "changed");
        write(&root.join("sub/new"), "new");
    }
    match extras.replaced {
        Some(true) if root.join("odd name").exists() => {
            fs::rename(root.join("odd name"), base.join("moved away")).unwrap();
            symlink(base.join("moved away"), root.join("odd name")).unwrap();
        }
        Some(false) if root.join("odd name").exists() => {
            fs::remove_dir_all(root.join("odd name")).unwrap();
            write(&root.join("odd name"), "a file now");
        }
        _ => {}
    }
    root
}

/// What is staged.
fn stage(root: &Path, files: &BTreeMap<PathBuf, History>) {
    for path in of(files, NEW) {
        write(&root.join(path), &format!("new {path}"));
    }
    let changes =
        [H::StagedChange, H::StagedChangeThenChanged, H::StagedChangeThenTakenBack, H::StagedChangeThenDeleted];
    for path in of(files, &changes) {
        write(&root.join(path), "staged");
    }
    on_each(root, &["add", "-f"], &of(files, &changes));
    on_each(root, &["add", "-f"], &of(files, &[H::StagedNew, H::StagedNewThenChanged, H::StagedNewThenDeleted]));
    on_each(root, &["rm", "-q"], &of(files, &[H::StagedDeletion]));
    on_each(root, &["rm", "-q", "--cached"], &of(files, &[H::Untracking, H::UntrackingThenChanged]));
    on_each(root, &["add", "-f", "-N"], &of(files, &[H::Announced]));
    on_each(root, &["update-index", "--assume-unchanged"], &of(files, &[H::Unwatched]));
    on_each(root, &["update-index", "--skip-worktree"], &of(files, &[H::LeftOut]));
}

/// What has changed since.
fn change(root: &Path, files: &BTreeMap<PathBuf, History>) {
    for (path, history) in files {
        let full = root.join(path);
        let original = format!("content of {}", path.display());
        match history {
            H::Changed | H::Unwatched | H::LeftOut => write(&full, "changed"),
            H::StagedNewThenChanged | H::StagedChangeThenChanged | H::UntrackingThenChanged => write(&full, "later"),
            H::Swapped => write(&full, &"x".repeat(original.len())),
            H::Touched => {
                let file = fs::File::options().write(true).open(&full).unwrap();
                file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
            }
            H::MadeExecutable => fs::set_permissions(&full, fs::Permissions::from_mode(0o755)).unwrap(),
            H::MadeLink => {
                fs::remove_file(&full).unwrap();
                symlink("elsewhere", &full).unwrap();
            }
            H::MadeDirectory => {
                fs::remove_file(&full).unwrap();
                write(&full.join("inside"), "inside");
            }
            H::Deleted | H::StagedNewThenDeleted | H::StagedChangeThenDeleted => fs::remove_file(&full).unwrap(),
            H::StagedChangeThenTakenBack | H::InTheWayTheSame => write(&full, &original),
            H::InTheWay => write(&full, "here it is otherwise"),
            _ => {}
        }
    }
}

type Contents = BTreeMap<PathBuf, (Vec<u8>, u32, u64)>;

/// Everything in a work tree but its own store, with the modes of what is tracked as git knows them.
fn everything(root: &Path) -> Contents {
    let mut found = BTreeMap::new();
    contents(root, Path::new(""), &mut found);
    found.retain(|path, _| !path.starts_with(".git"));
    found
}

/// The contents that some list of git names, by path.
fn listed(root: &Path, arguments: &[&str], object_at: usize) -> BTreeMap<PathBuf, String> {
    let out = git(root, arguments);
    let rows = out.split('\0').filter_map(|row| row.split_once('\t'));
    rows.map(|(head, path)| {
        let words: Vec<&str> = head.split(' ').collect();
        (PathBuf::from(path), format!("{} {}", words[0], words[object_at]))
    })
    .collect()
}

fn name(thing: &(Vec<u8>, u32, u64), is_link: bool) -> String {
    let mode = if is_link {
        "120000"
    } else if thing.1 != 0 {
        "100755"
    } else {
        "100644"
    };
    let object = crate::git::HashKind::Sha1.name("blob", &thing.0);
    format!("{mode} {object}")
}

/// What a command has really done.
struct Truth {
    /// What is gone of the work tree.
    gone: BTreeSet<PathBuf>,
    /// What is gone of the index.
    unstaged: BTreeSet<PathBuf>,
    /// Whether git did what it was told.
    done: bool,
}

/// The contents of a work tree and an index that are gone after a command, and that no commit has at their paths.
fn truth(root: &Path, cwd: &str, command: &[&str], scratch: &Path) -> Truth {
    let copy = scratch.join("copy");
    let status = Command::new("cp").arg("-a").arg(root).arg(&copy).status().unwrap();
    assert!(status.success());
    // A work tree of its own needs a store of its own.
    if copy.join(".git").is_file() {
        let all = scratch.join("store");
        let status = Command::new("cp").arg("-a").arg(scratch.join("project/.git")).arg(&all).status().unwrap();
        assert!(status.success());
        fs::write(copy.join(".git"), format!("gitdir: {}\n", all.join("worktrees/side").display())).unwrap();
        fs::write(all.join("worktrees/side/gitdir"), format!("{}\n", copy.join(".git").display())).unwrap();
    }
    let head = listed(&copy, &["ls-tree", "-r", "-z", "HEAD"], 2);
    let staged = listed(&copy, &["ls-files", "-s", "-z"], 1);
    let before = everything(&copy);
    let link = |path: &Path| root.join(path).is_symlink();
    let done = try_git(&copy.join(cwd), command);
    let after = everything(&copy);
    let gone = before
        .iter()
        .filter(|(path, thing)| after.get(*path) != Some(thing) && head.get(*path) != Some(&name(thing, link(path))))
        .map(|(path, _)| path.clone())
        .collect();
    let staged_after = listed(&copy, &["ls-files", "-s", "-z"], 1);
    let is_kept = |path: &Path, content: &String| {
        head.get(path) == Some(content)
            || staged_after.get(path) == Some(content)
            || after.get(path).is_some_and(|thing| name(thing, copy.join(path).is_symlink()) == *content)
    };
    let announced = git(root, &["diff-files", "--name-only", "--diff-filter=A", "-z"]);
    let is_announced = |path: &Path| announced.split('\0').any(|name| Path::new(name) == path);
    let unstaged = staged
        .iter()
        .filter(|(path, content)| !is_kept(path, content) && !is_announced(path) && !content.starts_with("16"))
        .map(|(path, _)| path.clone())
        .collect();
    fs::remove_dir_all(&copy).unwrap();
    let _ = fs::remove_dir_all(scratch.join("store"));
    Truth { gone, unstaged, done }
}

fn ask(root: &Path, cwd: &str, discard: &Discard) -> Option<Discarded> {
    let project = root.to_str().unwrap().to_owned();
    let here = Whereabouts { cwd: project.clone(), home: "/nonexistent".to_owned(), project };
    discarded(&root.join(cwd), discard, &here).map(|(found, _)| found)
}

/// Whether what is said holds all that goes; tells whether nothing was said to go, or what was said too much.
fn check(root: &Path, case: &Case, scratch: &Path, files: &BTreeMap<PathBuf, History>) {
    let (command, cwd, discard) = case;
    if !root.join(cwd).is_dir() {
        return;
    }
    let said = ask(root, cwd, discard).unwrap_or_else(|| panic!("git {command:?}: nothing known of {files:?}"));
    let Truth { gone, unstaged, done } = truth(root, cwd, command, scratch);
    let below = |path: &Path, list: &[String]| {
        list.iter().any(|listed| path.starts_with(Path::new(listed).strip_prefix(root).unwrap()))
    };
    for path in &gone {
        assert!(
            below(path, &said.lost) || below(path, &said.rebuilt),
            "git {command:?} in {cwd:?} takes {path:?}, said {said:#?} of {files:#?}"
        );
        // Another repository in there is nothing that a build makes.
        let is_built = path.iter().any(|part| part == "build" || part == "node_modules")
            && path.iter().all(|part| part != "inner");
        assert!(is_built || below(path, &said.lost), "git {command:?} in {cwd:?}: {path:?} is no build output");
    }
    for path in &unstaged {
        assert!(below(path, &said.lost), "git {command:?} forgets {path:?}, said {said:#?} of {files:#?}");
    }
    // What is named does go, unless git was told to look away, or something stands where a directory or a file has to be.
    let crossed = |path: &Path| {
        matches!(files.get(path), Some(H::MadeDirectory | H::LeftOut | H::Unwatched)) || path == Path::new("odd name")
    };
    for listed in &said.lost {
        let path = Path::new(listed).strip_prefix(root).unwrap();
        let goes = gone.iter().chain(&unstaged).any(|gone| gone.starts_with(path));
        let spared = matches!(discard, Discard::ToCommit { paths: Some(_), .. } | Discard::Removed { .. });
        // That a commit has the same content as a file which the index has not, or not so, is not looked up.
        let held = files.iter().any(|(file, history)| {
            file.starts_with(path) && matches!(history, H::Untracking | H::StagedChangeThenTakenBack)
        });
        assert!(
            !done || goes || crossed(path) || spared || held,
            "git {command:?} in {cwd:?} spares {path:?} of {files:#?}"
        );
    }
}

fn extras() -> impl Strategy<Value = Extras> {
    let bool = prop::bool::weighted;
    let replaced = prop::option::weighted(0.3, prop::bool::ANY);
    (prop::sample::select(vec!["2", "3", "4"]), bool(0.5), bool(0.4), bool(0.2), bool(0.25), replaced).prop_map(
        |(version, packed, nested, submodule, work_tree, replaced)| Extras {
            version,
            packed,
            nested,
            submodule,
            work_tree,
            replaced,
        },
    )
}

proptest! {
    #![proptest_config(generated(12))]
    #[test]
    fn what_goes_is_what_was_said(
        files in prop::collection::btree_map((0..DIRECTORIES.len(), 0..NAMES.len()), prop::sample::select(ALL), 0..14),
        extras in extras(),
        commands in prop::sample::subsequence(cases(), 7),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let place = |(directory, name): (usize, usize)| Path::new(DIRECTORIES[directory]).join(NAMES[name]);
        let files: BTreeMap<PathBuf, History> = files.into_iter().map(|(at, history)| (place(at), history)).collect();
        let root = build(&base, &files, extras);
        for case in &commands {
            check(&root, case, &base, &files);
        }
    }
}

/// Several threads find the same as one, in the same order; too many files are not looked at.
#[test]
fn many_files_are_looked_at_and_too_many_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    git(&root, &["init", "-q", "."]);
    for number in 0..2_200 {
        write(&root.join(format!("d{}/f{number}", number % 7)), "x");
    }
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "x"]);
    let reset = to_commit("HEAD", None);
    assert_eq!(ask(&root, "", &reset), Some(Discarded::default()));
    let changed = ["d0/f0", "d3/f1004", "d6/f2099"].map(|path| root.join(path));
    changed.iter().for_each(|path| write(path, "changed"));
    let lost: Vec<String> = changed.iter().map(|path| path.to_str().unwrap().to_owned()).collect();
    assert_eq!(ask(&root, "", &reset).map(|found| found.lost), Some(lost));
    // What an index says of itself decides before anything is looked at.
    let index = root.join(".git/index");
    let mut bytes = fs::read(&index).unwrap();
    bytes[8..12].copy_from_slice(&20_000_u32.to_be_bytes());
    fs::write(&index, bytes).unwrap();
    assert_eq!(ask(&root, "", &reset), None);
}

/// Directories that are listed before anybody goes there, and those that are none any more when somebody does.
#[test]
fn many_directories_are_swept_as_git_sweeps_them() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let root = base.join("project");
    fs::create_dir(&root).unwrap();
    git(&root, &["init", "-q", "."]);
    for number in 0..60 {
        for file in ["a", "b.log", "deep/er/c", "odd\nname "] {
            write(&root.join(format!("d{number}/{file}")), "x");
        }
    }
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "x"]);
    let every = || {
        for (command, cwd, discard) in cases() {
            let cwd = if cwd.is_empty() { "" } else { "d3" };
            if command.first() == Some(&"clean") {
                check(&root, &(command, cwd, discard), &base, &BTreeMap::new());
            }
        }
    };
    every();
    write(&root.join("d1/new"), "x");
    write(&root.join("d2/whole/new/x"), "x");
    write(&root.join("d3/deep/beside"), "x");
    write(&root.join("d3/.gitignore"), "*.mine\nkept/\n");
    write(&root.join("d3/deep/x.mine"), "x");
    write(&root.join("d3/kept/y"), "x");
    fs::rename(root.join("d4"), base.join("d4")).unwrap();
    symlink("d5", root.join("d4")).unwrap();
    fs::remove_dir_all(root.join("d6")).unwrap();
    write(&root.join("d6"), "a file in the place of a directory");
    fs::remove_dir_all(root.join("d7/deep")).unwrap();
    symlink(base.join("d4"), root.join("d7/deep")).unwrap();
    fs::remove_file(root.join("d8/a")).unwrap();
    write(&root.join("d8/a/inside"), "a directory in the place of a file");
    write(&root.join("d9/inner/x"), "x");
    git(&root.join("d9/inner"), &["init", "-q", "."]);
    every();
}

/// `git rm -f` takes a submodule away with all that is in it, also what nobody has committed.
#[test]
fn a_submodule_that_is_removed_goes_with_what_is_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let extras =
        Extras { version: "2", packed: false, nested: false, submodule: true, work_tree: false, replaced: None };
    let root = build(&base, &BTreeMap::new(), extras);
    let removed = |path: &str| ask(&root, "", &Discard::Removed { paths: vec![path.to_owned()] });
    assert_eq!(removed("a"), Some(Discarded::default()));
    assert_eq!((removed("sub"), removed(".")), (None, None));
    let case: Case = (&["rm", "-rfq", "sub"], "", Discard::Removed { paths: vec!["sub".to_owned()] });
    assert!(truth(&root, "", case.0, &base).gone.contains(Path::new("sub/new")));
}

/// A file that is written in the same moment as the index looks the same whatever is in it.
#[test]
fn what_was_written_in_the_moment_of_the_index_is_compared_by_its_content() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    git(&root, &["init", "-q", "."]);
    write(&root.join("a"), "one");
    write(&root.join("b"), "one");
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "x"]);
    let index = root.join(".git/index");
    let moment = std::time::SystemTime::now();
    let put_back = |path: &Path| fs::File::options().write(true).open(path).unwrap().set_modified(moment).unwrap();
    // The index has both with the time that it has itself; then one of them changes within that time.
    ["a", "b"].iter().for_each(|name| put_back(&root.join(name)));
    git(&root, &["update-index", "--refresh"]);
    write(&root.join("b"), "two");
    put_back(&root.join("b"));
    put_back(&index);
    let lost = ask(&root, "", &to_index(&["."])).unwrap().lost;
    assert_eq!(lost, [root.join("b").to_str().unwrap()]);
}
