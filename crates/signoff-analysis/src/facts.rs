//! What the analysis may ask about the world. The answers come from outside; this crate touches nothing itself.

use signoff_model::Stock;

/// The made-up place of a project of which only the text is known.
const ASSUMED_PROJECT: &str = "/home/user/a/b/c/d/project";

/// Where the operation would run. All paths are absolute and without a final slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whereabouts {
    /// The working directory.
    pub cwd: String,
    /// The user's home.
    pub home: String,
    /// The root of the project that the agent works in.
    pub project: String,
}

impl Whereabouts {
    /// The root of a project somewhere below the home directory, for judging a text alone. The depth is made up: deep
    /// enough that a few steps up stay below the home directory, since nothing is known about what lies there.
    pub fn assumed() -> Self {
        Self { cwd: ASSUMED_PROJECT.to_owned(), home: "/home/user".to_owned(), project: ASSUMED_PROJECT.to_owned() }
    }

    /// Whether the place is made up, since nothing but the text is known.
    pub fn is_assumed(&self) -> bool {
        self.project == ASSUMED_PROJECT
    }
}

/// The content of a file that is about to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileText {
    /// Nobody looked: the text of the operation is all there is.
    NotKnown,
    /// There is no such file.
    Missing,
    /// It is a program and not a text.
    Binary,
    /// It is longer than what is read at most.
    TooLarge,
    /// It could not be read, or it changed while it was read.
    Unreadable,
    /// The whole text.
    Text(String),
}

/// A way in which git throws away what is in a work tree. Paths are written as they are in the command.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Discard {
    /// Files are made as the index has them.
    ToIndex {
        /// Which of them.
        paths: Vec<String>,
    },
    /// Files and the index are made as a commit has them.
    ToCommit {
        /// The word that stands for the commit.
        commit: String,
        /// Which of them; all of the work tree without.
        paths: Option<Vec<String>>,
    },
    /// The index is made as a commit has it, and so is every file that is as the index had it; git refuses to go over
    /// others.
    ToTree {
        /// The word that stands for the commit.
        commit: String,
    },
    /// What another commit has is brought into the work tree, as switching and merging do it: git refuses to go over what
    /// has changed and over what nobody tracks, but not over what it is told to ignore.
    Brought {
        /// The word that stands for the commit.
        commit: String,
        /// What this commit has as well does not come: where one commit alone is picked or taken back. Without, it is the
        /// last one.
        since: Option<String>,
    },
    /// Files are deleted, also where they differ from what git has, and with them what the index has of them.
    Removed {
        /// Which of them.
        paths: Vec<String>,
    },
    /// What is not tracked is deleted.
    Untracked {
        /// Where; below the directory of the command without.
        paths: Vec<String>,
        /// Whether directories go in which nothing is tracked.
        directories: bool,
        /// What becomes of what git is told to ignore.
        ignored: CleanedIgnored,
        /// Whether other repositories go.
        repositories: bool,
    },
}

/// What `git clean` does with what git is told to ignore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CleanedIgnored {
    /// It stays.
    Kept,
    /// It goes as well.
    Too,
    /// It goes, and nothing else.
    Only,
}

/// What git would throw away, by absolute paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discarded {
    /// What nobody brings back.
    pub lost: Vec<String>,
    /// What a build makes again.
    pub rebuilt: Vec<String>,
    /// Files of which a staged version goes that is another one than what stands there, and that no commit has.
    pub staged: Vec<String>,
    /// Whether something goes that stands at none of these paths: such a staged version, or a name that is no text.
    pub unseen: bool,
}

/// Something that is laid over what is there: copied, moved or unpacked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Laying {
    /// What arrives.
    pub what: Arriving,
    /// Where to, by its full path.
    pub to: String,
    /// What becomes of a link that stands there.
    pub replacing: Replacing,
    /// What becomes of a directory that meets another one.
    pub directories: Directories,
    /// What of the things there stays.
    pub sparing: Sparing,
    /// Which links among what arrives stand for what they lead to.
    pub following: Following,
    /// Where whatever is replaced is kept: what had that name goes.
    pub kept_as: Option<KeptAs>,
}

/// The name under which something that is replaced is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeptAs {
    /// The directory that it goes to, under its path below the place, as it is seen from that place; without, it stays where
    /// it is.
    pub below: Option<String>,
    /// What is put behind its name.
    pub ending: String,
}

impl KeptAs {
    /// Beside what takes its place.
    pub const fn beside(ending: String) -> Self {
        Self { below: None, ending }
    }
}

/// What is laid over something, by full paths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arriving {
    /// A thing, which goes under its own name into whatever directory stands where it is put.
    Named(String),
    /// A thing, which takes the place itself: a directory is merged with the one that stands there.
    Itself(String),
    /// Whatever lies in a directory, each under its own name, as far as it is not known which of it.
    Any {
        /// The directory.
        below: String,
        /// How deep it may lie.
        reach: Reach,
    },
    /// What an archive holds.
    Unpacked(Unpacking),
}

/// How an archive is unpacked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unpacking {
    /// The archive, by its full path.
    pub archive: String,
    /// By which kind of program.
    pub by: Archiver,
    /// What of the path of each member counts.
    pub paths: MemberPaths,
    /// The members that are wanted, as the command names them; all of them without.
    pub chosen: Vec<String>,
    /// Those that are left out.
    pub left_out: Vec<String>,
}

/// A kind of program that unpacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Archiver {
    /// `tar`.
    Tar,
    /// `unzip`.
    Zip,
}

/// What of the path of a member counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemberPaths {
    /// All but so many names at its beginning.
    Stripped(usize),
    /// The last name alone.
    Last,
    /// It may be put in small letters.
    Lowered,
}

/// How deep below a directory something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// Directly in it.
    Directly,
    /// Anywhere below it.
    AnyDepth,
}

/// Which links among what arrives stand for what they lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Following {
    /// None: they arrive as links.
    Nothing,
    /// Those that are named.
    Named,
    /// All of them.
    Everything,
}

/// What of a thing that is there is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Replacing {
    /// What is in it: a link is followed.
    Content,
    /// The thing of that name itself.
    Name,
}

/// What becomes of a directory that arrives where another one stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Directories {
    /// What is in it is laid over what is in the other one.
    Merged,
    /// It is left where it was.
    Refused,
}

/// What is left alone by whatever is laid over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sparing {
    /// Nothing.
    Nothing,
    /// What was changed later than what arrives.
    Newer,
}

/// A file that would become another one, by absolute paths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Replacement {
    /// Where it stands.
    pub path: String,
    /// The file that comes in its place, where it is one by itself.
    pub by: Option<String>,
}

/// The files that would become others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlaid {
    /// Those that are there, and are not the same already.
    pub replaced: Vec<Replacement>,
    /// Whether there are no more of them.
    pub complete: bool,
}

/// What is known about the world.
pub trait Facts {
    /// Whether files can be read at all.
    fn reads_files(&self) -> bool {
        true
    }

    /// The content of a file that is about to run.
    fn text(&self, path: &str) -> FileText;

    /// The names of what lies in a directory; none when nobody looked, when it cannot be read, or when there are more
    /// than anybody reads.
    fn names(&self, _directory: &str) -> Option<Vec<String>> {
        None
    }

    /// The paths that a pattern of bash stands for in a directory, written as the pattern is. Nothing matches where the
    /// list is empty; none when nobody looked, or when it cannot be told.
    fn matches(&self, _directory: &str, _pattern: &str) -> Option<Vec<String>> {
        None
    }

    /// How much would go with each of these paths, and who could bring it back; none when nobody looked, or when it is too
    /// much to be looked through in passing. What goes with another path is counted there.
    fn stocks(&self, _paths: &[String], _whereabouts: &Whereabouts) -> Option<Vec<Stock>> {
        None
    }

    /// Whether a build makes all of a directory again, without a look at what is in it: for what is too much to be looked through;
    /// none when nobody looked or nothing is there.
    fn is_made_again(&self, _path: &str, _whereabouts: &Whereabouts) -> Option<bool> {
        None
    }

    /// What git would throw away if it were told to in a directory; none when nobody looked, when it cannot be told, or when
    /// it is too much to be looked through in passing.
    fn discarded(&self, _directory: &str, _discard: &Discard, _whereabouts: &Whereabouts) -> Option<Discarded> {
        None
    }

    /// Which files would become others if something were laid over what is there; none when nobody looked, or when it
    /// cannot be told what arrives.
    fn overlaid(&self, _laying: &Laying) -> Option<Overlaid> {
        None
    }

    /// Whether a file is known to have other names, by which it would be changed as well if somebody wrote into it.
    fn has_other_names(&self, _path: &str) -> bool {
        false
    }

    /// Where a path leads once every symbolic link on the way is followed; none when nobody looked.
    fn follow(&self, path: &str) -> Option<String>;
}

/// Nothing is known but the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFacts;

impl Facts for NoFacts {
    fn reads_files(&self) -> bool {
        false
    }

    fn text(&self, _path: &str) -> FileText {
        FileText::NotKnown
    }

    fn follow(&self, _path: &str) -> Option<String> {
        None
    }
}
