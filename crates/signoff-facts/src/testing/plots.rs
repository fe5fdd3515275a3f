//! Other repositories in a tree, of every kind, and how git brings back what is deleted of each.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use super::{
    git,
    landscape::{Format, Ground},
    try_git, write,
};

/// Where other repositories stand: in the open, where builds put things, deep, under an odd name, and in each other.
pub(crate) const PLACES: &[&str] = &["inner", "build/inner", "a/b/inner", "plots/in \"n\" er", "inner/d/within"];

/// How one repository stands in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tenure {
    /// Nobody knows of it.
    Untracked,
    /// The outer one has its commit, and nothing says where it comes from.
    Gitlink,
    /// A submodule with its store in that of the outer one.
    Absorbed,
    /// A submodule with a store of its own.
    OwnStore,
    /// Another work tree of the outer one.
    WorkTree,
    /// Its store is somewhere else, and only a file says where.
    Apart,
    /// The same with a link.
    ApartByLink,
    /// The outer one has its files as well.
    Swallowed,
    /// A store without a work tree.
    Bare,
    /// None, although it looks a little like one.
    Ruin,
    RuinedPointer,
}

impl Tenure {
    pub(crate) const ALL: &[Self] = &[
        Self::Untracked,
        Self::Gitlink,
        Self::Absorbed,
        Self::OwnStore,
        Self::WorkTree,
        Self::Apart,
        Self::ApartByLink,
        Self::Swallowed,
        Self::Bare,
        Self::Ruin,
        Self::RuinedPointer,
    ];

    /// Whether it is a repository with a work tree.
    const fn has_work_tree(self) -> bool {
        !matches!(self, Self::Bare | Self::Ruin | Self::RuinedPointer)
    }
}

/// What has become of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dirt {
    CommittedMore,
    StagedNew,
    StagedChange,
    Changed,
    New,
    Ignored,
}

impl Dirt {
    pub(crate) const ALL: &[Self] =
        &[Self::CommittedMore, Self::StagedNew, Self::StagedChange, Self::Changed, Self::New, Self::Ignored];

    fn fall_on(self, root: &Path) {
        let put = |path: &str| {
            write(&root.join(path), &format!("{self:?}"));
            git(root, &["add", "-f", "--sparse", path]);
        };
        match self {
            Self::CommittedMore => {
                put("more");
                git(root, &["commit", "-qm", "more", "--allow-empty"]);
            }
            Self::StagedNew => put("staged"),
            Self::StagedChange => put("d/t"),
            Self::Changed => write(&root.join("s"), "changed"),
            Self::New => write(&root.join("n ew"), "new"),
            Self::Ignored => ["build/x", "y.tmp"].iter().for_each(|path| write(&root.join(path), "ignored")),
        }
    }
}

/// Another repository, before it is there.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    pub(crate) tenure: Tenure,
    pub(crate) dirt: Vec<Dirt>,
}

/// A repository that is there.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) root: PathBuf,
    /// The repository that it stands in, or whose store it shares.
    pub(crate) outer: PathBuf,
    /// None for the one that everything stands in.
    pub(crate) tenure: Option<Tenure>,
    /// Where its store lies.
    store: Option<PathBuf>,
    /// Its last commit.
    head: String,
    /// Where its index lies, which tells whether the store is there still; none where there is no work tree.
    pub(crate) own: Option<PathBuf>,
}

/// A repository with nothing in it.
pub(crate) fn init(root: &Path, format: Format) {
    fs::create_dir_all(root).unwrap();
    git(root, &["init", "-q", "-b", "main", "--object-format", format.name(), "."]);
}

/// Files that every repository has.
pub(crate) fn furnish(root: &Path) {
    write(&root.join("s"), "s");
    write(&root.join("d/t"), "t");
    // Something that builds, so that there is build output.
    write(&root.join("GNUmakefile"), "all:");
    if !root.join(".gitignore").exists() {
        write(&root.join(".gitignore"), "*.tmp\nbuild/\n");
    }
}

fn commit_all(root: &Path) {
    git(root, &["add", "-f", "."]);
    git(root, &["commit", "-qm", "x", "--allow-empty"]);
}

impl Plot {
    /// Makes it at a place of a tree in which others stand already.
    pub(crate) fn build(&self, place: &str, base: &Path, sites: &[Site], format: Format) -> Site {
        let root = sites[0].root.join(place);
        let has_tree = |site: &&Site| site.tenure.is_none_or(Tenure::has_work_tree);
        let outer = sites.iter().rev().filter(has_tree).find(|site| root.starts_with(&site.root)).unwrap();
        let outer = outer.root.clone();
        let below = root.strip_prefix(&outer).unwrap().to_str().unwrap();
        let ready = |root: &Path| {
            init(root, format);
            furnish(root);
            commit_all(root);
        };
        let apart = base.join(format!("apart {}", sites.len()));
        let origin = base.join(format!("origin {}", sites.len()));
        let commit_here = || drop(git(&outer, &["commit", "-qm", "part"]));
        let mut store = None;
        match self.tenure {
            Tenure::Untracked => ready(&root),
            Tenure::Gitlink => {
                ready(&root);
                git(&outer, &["add", "-f", "--", below]);
                commit_here();
            }
            Tenure::Absorbed => {
                ready(&origin);
                git(&outer, &["submodule", "add", "-f", "-q", origin.to_str().unwrap(), below]);
                commit_here();
                // Nobody can fetch from there again.
                fs::remove_dir_all(&origin).unwrap();
            }
            Tenure::OwnStore => {
                ready(&root);
                git(&outer, &["submodule", "add", "-f", "-q", origin.to_str().unwrap(), below]);
                commit_here();
            }
            Tenure::WorkTree => {
                let name = format!("tree{}", sites.len());
                git(&outer, &["worktree", "add", "-q", "-f", "-b", &name, below]);
            }
            Tenure::Apart | Tenure::ApartByLink => {
                ready(&root);
                fs::rename(root.join(".git"), &apart).unwrap();
                if self.tenure == Tenure::Apart {
                    write(&root.join(".git"), &format!("gitdir: {}\n", apart.display()));
                } else {
                    symlink(&apart, root.join(".git")).unwrap();
                }
                store = Some(apart);
            }
            Tenure::Swallowed => {
                furnish(&root);
                git(&outer, &["add", "-f", "--", below]);
                commit_here();
                ready(&root);
            }
            Tenure::Bare => {
                fs::create_dir_all(&root).unwrap();
                git(&root, &["init", "-q", "--bare", "."]);
            }
            Tenure::Ruin => {
                write(&root.join(".git/HEAD"), "nothing");
                write(&root.join("s"), "s");
            }
            Tenure::RuinedPointer => {
                write(&root.join(".git"), "gitdir: ../nowhere\n");
                write(&root.join("s"), "s");
            }
        }
        if self.tenure.has_work_tree() {
            self.dirt.iter().for_each(|dirt| dirt.fall_on(&root));
        }
        Site { root, outer, tenure: Some(self.tenure), store, head: String::new(), own: None }
    }
}

impl Site {
    /// The one that everything stands in.
    pub(crate) fn of_everything(root: &Path, main: &Path, ground: Ground) -> Self {
        let tenure = (ground == Ground::Linked).then_some(Tenure::WorkTree);
        Self { root: root.to_owned(), outer: main.to_owned(), tenure, store: None, head: String::new(), own: None }
    }

    /// Keeps in mind what git alone would have to be asked for.
    pub(crate) fn remember(&mut self) {
        if self.tenure.is_none_or(Tenure::has_work_tree) {
            let told = git(&self.root, &["rev-parse", "HEAD", "--absolute-git-dir"]);
            let (head, own) = told.trim_end().split_once('\n').unwrap();
            (self.head, self.own) = (head.to_owned(), Some(own.into()));
        }
    }

    /// Whether git sees a work tree whose root is here, by what it was when everything stood.
    fn is_repository(&self) -> bool {
        let store = self.root.join(".git");
        let own = self.own.as_ref().filter(|own| own.join("HEAD").exists());
        own.is_some() && fs::symlink_metadata(store).is_ok()
    }

    /// Has git bring back all that it can, with the commands that people use for it and without any other copy.
    pub(crate) fn recover(&self) {
        if !self.is_repository() {
            self.connect();
        }
        if self.is_repository() {
            // Versions in conflict are left aside.
            try_git(&self.root, &["checkout", "-q", "-f", "--", "."]);
        }
    }

    /// Has git make the work tree anew, where its store is left.
    fn connect(&self) {
        let nowhere = ["-c", "protocol.allow=never", "-c", "protocol.file.allow=never"];
        let in_outer = |words: &[&str]| self.outer.is_dir() && try_git(&self.outer, &[&nowhere, words].concat());
        match self.tenure {
            Some(Tenure::Absorbed | Tenure::OwnStore) => {
                let below = self.root.strip_prefix(&self.outer).unwrap().to_str().unwrap();
                in_outer(&["submodule", "update", "-q", "--init", "--force", "--", below]);
                if self.is_repository() {
                    // What was committed there since is in its store.
                    try_git(&self.root, &["checkout", "-q", "-f", &self.head]);
                }
            }
            // Made anew, it would be without what was staged; this finds it.
            Some(Tenure::WorkTree) if self.outer.is_dir() && fs::create_dir_all(&self.root).is_ok() => {
                in_outer(&["worktree", "repair"]);
            }
            Some(Tenure::Apart | Tenure::ApartByLink) => {
                let store = self.store.as_ref().unwrap();
                if fs::create_dir_all(&self.root).is_ok() {
                    let store = format!("--separate-git-dir={}", store.display());
                    try_git(&self.root, &["init", "-q", &store, "."]);
                }
            }
            _ => {}
        }
    }
}
