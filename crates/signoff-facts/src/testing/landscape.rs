//! Trees with everything in them that a work tree may hold, in any combination: files of every history under every name,
//! links out of the tree, patterns in several levels, other repositories of every kind, work trees inside and outside.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs,
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
    },
    path::{Path, PathBuf},
};

use proptest::prelude::*;

use super::{
    any_git, fed_git, git,
    plots::{Dirt, PLACES, Plot, Site, Tenure},
    write,
};

/// How a file came to be as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum History {
    Committed,
    Changed,
    /// The same length, so that only the content tells.
    Swapped,
    Touched,
    MadeExecutable,
    MadeLink,
    MadeDirectory,
    LinkOut,
    LinkNowhere,
    LinkInCircles,
    /// Its content has another name outside of the tree.
    HardLinked,
    StagedNew,
    StagedNewThenChanged,
    StagedChange,
    StagedChangeThenTakenBack,
    Announced,
    Untracking,
    Conflict,
    Unwatched,
    UnwatchedThenChanged,
    LeftOut,
    LeftOutThenChanged,
    Deleted,
    Untracked,
    UntrackedLinkOut,
    UntrackedLinkInCircles,
    UntrackedHardLinked,
}

use History as H;

pub(crate) const ALL: &[History] = &[
    H::Committed,
    H::Changed,
    H::Swapped,
    H::Touched,
    H::MadeExecutable,
    H::MadeLink,
    H::MadeDirectory,
    H::LinkOut,
    H::LinkNowhere,
    H::LinkInCircles,
    H::HardLinked,
    H::StagedNew,
    H::StagedNewThenChanged,
    H::StagedChange,
    H::StagedChangeThenTakenBack,
    H::Announced,
    H::Untracking,
    H::Conflict,
    H::Unwatched,
    H::UnwatchedThenChanged,
    H::LeftOut,
    H::LeftOutThenChanged,
    H::Deleted,
    H::Untracked,
    H::UntrackedLinkOut,
    H::UntrackedLinkInCircles,
    H::UntrackedHardLinked,
];

impl History {
    const fn was_committed(self) -> bool {
        !matches!(
            self,
            H::StagedNew
                | H::StagedNewThenChanged
                | H::Announced
                | H::Untracked
                | H::UntrackedLinkOut
                | H::UntrackedLinkInCircles
                | H::UntrackedHardLinked
        )
    }
}

/// Directories in which files stand. Case variants are others, and some names mean something to git, to shells or to both.
pub(crate) const DIRECTORIES: &[&[u8]] = &[
    b"",
    b"a",
    b"A",
    b"a/b",
    b"a-",
    b"build",
    b"build/deep",
    b"a/build/x",
    b"node_modules/x",
    b"odd name ",
    b"\xc3\xbcn\xc3\xaf",
    b"-rf",
    b"new\nlines",
    b"quo\"te's",
    b"[a]*?",
    b"back\\slash\\",
    b"\xff\xfe",
];

pub(crate) const NAMES: &[&[u8]] = &[
    b"f",
    b"F",
    b"g.log",
    b"keep.log",
    b".hidden",
    b"x.tmp",
    b"secret",
    b":(top)f",
    b"*",
    b"--",
    b"tab\there",
    b"ends ",
    b"\xe9t\xe9",
    b"new\nline",
];

/// What git ignores where, by the file that says so. Later ones take back what earlier ones said.
const PATTERNS: &[(&str, &str)] = &[
    (".gitignore", "build/\nnode_modules\n*.log\n!keep.log\n"),
    (".gitignore", "/build/*\n!/build/deep/\nnode_modules/\n**/x.tmp\n"),
    (".gitignore", "*\n!*/\n!f\n"),
    (".gitignore", "build\n!build\nodd name\\ \n\\*\n[fF]\n"),
    ("a/.gitignore", "*.tmp\n!f\nbuild/\n"),
    ("a/.gitignore", "!build/\n!*.log\n"),
    ("build/.gitignore", "*\n!.gitignore\n"),
    ("build/.gitignore", "!*\n"),
    ("build/deep/.gitignore", "!f\nx.tmp\n"),
];

/// What git has of a sparse work tree: all places of other repositories, since it deletes ignored things that lie elsewhere.
const CONE: &[&str] = &["a", "build", "inner", "plots"];

/// What is special about a repository as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lay {
    version: &'static str,
    pub(crate) format: Format,
    /// Which part of the work tree git has at all.
    pub(crate) sparse: Sparse,
    /// Whether everything lies in packs.
    packs: Packs,
    /// Where the work tree is.
    pub(crate) ground: Ground,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sparse {
    No,
    Cone,
    /// With an index that has directories in the place of their files.
    ConeAndIndex,
}

/// How objects are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Sha1,
    Sha256,
}

impl Format {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packs {
    None,
    All,
}

/// Where the work tree of a landscape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// Around its store.
    Main,
    /// Linked to the store of another one.
    Linked,
}

/// What a landscape is made of.
#[derive(Clone, Debug)]
pub(crate) struct Landscape {
    pub(crate) files: BTreeMap<PathBuf, History>,
    patterns: BTreeMap<&'static str, &'static str>,
    pub(crate) lay: Lay,
    plots: BTreeMap<usize, Plot>,
}

/// A landscape that stands there.
#[derive(Debug)]
pub(crate) struct Built {
    /// The root of the work tree.
    pub(crate) root: PathBuf,
    /// Every repository, the outer ones first.
    pub(crate) sites: Vec<Site>,
}

pub(crate) fn landscape() -> impl Strategy<Value = Landscape> {
    let place = |(directory, name): (usize, usize)| {
        Path::new(OsStr::from_bytes(DIRECTORIES[directory])).join(OsStr::from_bytes(NAMES[name]))
    };
    let at = (0..DIRECTORIES.len(), 0..NAMES.len());
    let files = prop::collection::btree_map(at, prop::sample::select(ALL), 1..16);
    let patterns = prop::collection::vec(prop::sample::select(PATTERNS), 0..5);
    let dirt = prop::sample::subsequence(Dirt::ALL, 0..=Dirt::ALL.len());
    let plot = (prop::sample::select(Tenure::ALL), dirt).prop_map(|(tenure, dirt)| Plot { tenure, dirt });
    let plots = prop::collection::btree_map(0..PLACES.len(), plot, 0..4);
    (files, patterns, lay(), plots).prop_map(move |(files, patterns, lay, plots)| Landscape {
        files: files.into_iter().map(|(at, history)| (place(at), history)).collect(),
        patterns: patterns.into_iter().collect(),
        lay,
        plots,
    })
}

fn lay() -> impl Strategy<Value = Lay> {
    (
        prop::sample::select(vec!["2", "3", "4"]),
        prop_oneof![4 => Just(Format::Sha1), 1 => Just(Format::Sha256)],
        prop_oneof![8 => Just(Sparse::No), 1 => Just(Sparse::Cone), 1 => Just(Sparse::ConeAndIndex)],
        prop_oneof![3 => Just(Packs::None), 1 => Just(Packs::All)],
        prop_oneof![3 => Just(Ground::Main), 1 => Just(Ground::Linked)],
    )
        .prop_map(|(version, format, sparse, packs, ground)| Lay { version, format, sparse, packs, ground })
}

/// Whether builds are known to give such a name to something, or to what it lies in.
pub(crate) fn is_named_like_built(below: &Path) -> bool {
    let is_temporary = |part: &OsStr| Path::new(part).extension().is_some_and(|extension| extension == "tmp");
    let is_named_so = |part: &OsStr| part == "build" || part == "node_modules" || is_temporary(part);
    below.iter().any(is_named_so) && below.iter().all(|part| part != ".git")
}

/// What is in a file at first.
fn original(path: &Path) -> String {
    format!("content of {}", path.display())
}

impl Landscape {
    /// The files that say what is ignored.
    pub(crate) fn pattern_files(&self) -> impl Iterator<Item = &'static str> {
        self.patterns.keys().copied()
    }

    /// Puts all of it into a directory, beside what it was made from.
    pub(crate) fn build(&self, base: &Path) -> Built {
        write(&base.join("elsewhere/file"), "elsewhere");
        let main = base.join("project");
        super::plots::init(&main, self.lay.format);
        git(&main, &["config", "index.version", self.lay.version]);
        write(&main.join(".git/info/exclude"), "secret*\n!/secret\n");
        for (file, patterns) in &self.patterns {
            write(&main.join(file), patterns);
        }
        super::plots::furnish(&main);
        for (path, history) in self.files.iter().filter(|(_, history)| history.was_committed()) {
            make(&main, path, *history);
        }
        git(&main, &["commit", "-qm", "nothing", "--allow-empty"]);
        git(&main, &["add", "-f", "."]);
        git(&main, &["commit", "-qm", "first"]);
        self.branch_off(&main);
        let mut root = main.clone();
        if self.lay.ground == Ground::Linked {
            git(&main, &["worktree", "add", "-q", "-b", "side", "../side"]);
            root = base.join("side");
        }
        if self.lay.packs == Packs::All {
            git(&main, &["gc", "-q", "--prune=now"]);
        }
        let own = Site::of_everything(&root, &main, self.lay.ground);
        let mut sites = vec![own];
        for (place, plot) in &self.plots {
            sites.push(plot.build(PLACES[*place], base, &sites, self.lay.format));
        }
        match self.lay.sparse {
            Sparse::No => {}
            Sparse::Cone => {
                drop(git(&root, &[&["sparse-checkout", "set", "--skip-checks", "--no-sparse-index"], CONE].concat()))
            }
            Sparse::ConeAndIndex => {
                drop(git(&root, &[&["sparse-checkout", "set", "--skip-checks", "--sparse-index"], CONE].concat()))
            }
        }
        self.stage(&root);
        self.change(&root, base);
        fs::create_dir_all(root.join("empty/inside")).unwrap();
        fs::create_dir_all(root.join("a/empty")).unwrap();
        sites.iter_mut().for_each(Site::remember);
        Built { root, sites }
    }

    /// Another branch, which has something else at each path.
    fn branch_off(&self, main: &Path) {
        git(main, &["checkout", "-q", "-b", "other"]);
        for path in self.files.keys() {
            let full = main.join(path);
            let _ = fs::remove_file(&full);
            write(&full, "there it is otherwise");
        }
        git(main, &["add", "-f", "."]);
        git(main, &["commit", "-qm", "there", "--allow-empty"]);
        git(main, &["checkout", "-q", "-"]);
    }

    /// What is staged.
    fn stage(&self, root: &Path) {
        let of = |which: &[History]| -> Vec<&Path> {
            let files = self.files.iter().filter(|(_, history)| which.contains(history));
            files.map(|(path, _)| path.as_path()).collect()
        };
        for path in of(&[H::StagedNew, H::StagedNewThenChanged, H::Announced]) {
            write(&root.join(path), &format!("new {}", path.display()));
        }
        for path in of(&[H::StagedChange, H::StagedChangeThenTakenBack]) {
            write(&root.join(path), "staged");
        }
        let staged = of(&[H::StagedNew, H::StagedNewThenChanged, H::StagedChange, H::StagedChangeThenTakenBack]);
        on_paths(root, &["add", "-f", "--sparse"], &staged);
        on_paths(root, &["add", "-f", "--sparse", "-N"], &of(&[H::Announced]));
        on_paths(root, &["rm", "-q", "--cached", "--sparse"], &of(&[H::Untracking]));
        on_index(root, "--assume-unchanged", &of(&[H::Unwatched, H::UnwatchedThenChanged]));
        on_index(root, "--skip-worktree", &of(&[H::LeftOut, H::LeftOutThenChanged]));
        let object = fed_git(root, &["hash-object", "-w", "--stdin"], b"ours");
        let mut sides = Vec::new();
        for path in of(&[H::Conflict]) {
            // Whoever puts several stages at a path takes away what stands there.
            for side in ["0 0000000000000000000000000000000000000000000000000000000000000000", "1", "2", "3"] {
                let line = match side.split_once(' ') {
                    Some((_, zeros)) => format!("0 {}\t", zeros.get(..object.trim().len()).unwrap()),
                    None => format!("100644 {} {side}\t", object.trim()),
                };
                sides.extend_from_slice(line.as_bytes());
                sides.extend_from_slice(path.as_os_str().as_bytes());
                sides.push(0);
            }
        }
        if !sides.is_empty() {
            // Git itself fails where it has to make a sparse index a full one on the way.
            any_git(root, &["update-index", "-z", "--index-info"].map(OsStr::new), &sides);
        }
    }

    /// What has changed since.
    fn change(&self, root: &Path, base: &Path) {
        for (path, history) in &self.files {
            let full = root.join(path);
            let original = original(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            match history {
                H::Changed | H::UnwatchedThenChanged | H::LeftOutThenChanged => write(&full, "changed"),
                H::StagedNewThenChanged => write(&full, "later"),
                H::StagedChangeThenTakenBack | H::LeftOut | H::Conflict => write(&full, &original),
                H::Untracked => write(&full, "new"),
                H::Swapped => write(&full, &"x".repeat(original.len())),
                H::Touched => touch(&full),
                H::MadeExecutable => make_executable(&full),
                H::MadeLink => {
                    let _ = fs::remove_file(&full);
                    symlink("elsewhere", &full).unwrap();
                }
                H::MadeDirectory => {
                    let _ = fs::remove_file(&full);
                    write(&full.join("inside"), "inside");
                }
                H::Deleted => drop(fs::remove_file(&full)),
                H::UntrackedLinkOut => symlink(base.join("elsewhere"), &full).unwrap(),
                H::UntrackedLinkInCircles => symlink(full.file_name().unwrap(), &full).unwrap(),
                H::UntrackedHardLinked => fs::hard_link(base.join("elsewhere/file"), &full).unwrap(),
                H::HardLinked if full.exists() => {
                    let mut name = OsString::from(path.as_os_str().to_string_lossy().replace('/', "%"));
                    name.push(".linked");
                    fs::hard_link(&full, base.join("elsewhere").join(name)).unwrap();
                }
                _ => {}
            }
        }
    }
}

fn make(root: &Path, path: &Path, history: History) {
    let full = root.join(path);
    fs::create_dir_all(full.parent().unwrap()).unwrap();
    match history {
        H::LinkOut => symlink("../../elsewhere/file", full).unwrap(),
        H::LinkNowhere => symlink("../no where\n", full).unwrap(),
        H::LinkInCircles => symlink(full.file_name().unwrap(), &full).unwrap(),
        _ => write(&full, &original(path)),
    }
}

fn touch(path: &Path) {
    if let Ok(file) = fs::File::options().write(true).open(path) {
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    }
}

fn make_executable(path: &Path) {
    if path.exists() {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// Has git do something with paths, exactly as they are. It fails by itself where a sparse index meets them.
fn on_paths(root: &Path, words: &[&str], paths: &[&Path]) {
    if paths.is_empty() {
        return;
    }
    let input = paths.iter().map(|path| path.as_os_str().as_bytes()).collect::<Vec<_>>().join(&b'\0');
    let all = [&["--literal-pathspecs"], words, &["--pathspec-from-file=-", "--pathspec-file-nul"]].concat();
    any_git(root, &all.into_iter().map(OsStr::new).collect::<Vec<_>>(), &input);
}

/// Sets a flag of paths in the index, of those that it has.
fn on_index(root: &Path, flag: &str, paths: &[&Path]) {
    for path in paths {
        any_git(root, &[OsStr::new("update-index"), OsStr::new(flag), OsStr::new("--"), path.as_os_str()], &[]);
    }
}
