/// A file whose text would become another one, as far as the operation says what comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// Its absolute path, with every link followed.
    pub path: String,
    /// What becomes of its text.
    pub text: NewText,
}

/// What becomes of the text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewText {
    /// This is all of it.
    Whole(String),
    /// This comes behind what is there.
    Appended(String),
    /// Parts of it are replaced, one after the other.
    Parts(Vec<Part>),
    /// It is what the file at this absolute path holds.
    Copied(String),
    /// It holds secrets, and nobody is shown a line of it.
    Secret,
}

impl NewText {
    /// How many bytes come with the operation.
    pub fn len(&self) -> usize {
        match self {
            Self::Whole(text) | Self::Appended(text) => text.len(),
            Self::Parts(parts) => parts.iter().map(|part| part.old.len() + part.new.len()).sum(),
            Self::Copied(_) | Self::Secret => 0,
        }
    }

    /// Whether nothing comes with it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A part of a text and what comes in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What goes.
    pub old: String,
    /// What comes.
    pub new: String,
    /// Which of them, where it stands there more than once.
    pub occurrences: Occurrences,
}

/// Which of several parts that are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrences {
    /// The only one.
    One,
    /// All of them.
    All,
}

/// How a file would differ from what it is, computed before anybody is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, as a person would name it.
    pub path: String,
    /// What could be said about it.
    pub comparison: Comparison,
}

/// What comparing a file with what it would become has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// These lines differ.
    Lines(Difference),
    /// Nothing differs.
    Same,
    /// The file is no text.
    Binary,
    /// The file or what would come in its place is longer than what is compared.
    TooLarge,
    /// The file could not be read, or changed while it was read.
    Unreadable,
    /// The file holds secrets: not one line of it is shown.
    Secret,
    /// There are more files than are compared.
    TooMany,
}

impl Comparison {
    /// The stable name used on the wire.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Lines(_) => "lines",
            Self::Same => "same",
            Self::Binary => "binary",
            Self::TooLarge => "too_large",
            Self::Unreadable => "unreadable",
            Self::Secret => "secret",
            Self::TooMany => "too_many",
        }
    }
}

/// Lines that differ, with a few around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What the new text was compared with.
    pub basis: Basis,
    /// The places where lines differ, from the first to the last.
    pub hunks: Vec<Hunk>,
    /// How many lines come.
    pub added: u64,
    /// How many lines go.
    pub removed: u64,
}

/// What a new text was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The file as it is.
    File,
    /// There is no such file yet.
    Nothing,
    /// The part that is to be replaced alone: it stands so often in the file that it cannot be told what becomes of it.
    Part {
        /// How often it stands there; not at all is among it.
        found: u64,
    },
}

/// One place where lines differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The number of its first line before, from one.
    pub old_start: u64,
    /// The number of its first line afterwards, from one.
    pub new_start: u64,
    /// Its lines.
    pub lines: Vec<DiffLine>,
}

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// Where it stands.
    pub side: Side,
    /// What is on it, without the line break.
    pub text: String,
    /// How it ends.
    pub end: LineEnd,
}

/// In which of two texts a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In both: it stays.
    Both,
    /// Only in the old one: it goes.
    Old,
    /// Only in the new one: it comes.
    New,
}

impl Side {
    /// The sign that stands before such a line in a unified diff.
    pub const fn sign(self) -> char {
        match self {
            Self::Both => ' ',
            Self::Old => '-',
            Self::New => '+',
        }
    }
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// With a line break.
    Break,
    /// With the end of the text.
    Text,
}

impl Hunk {
    /// How many of its lines stand in the old text, and how many in the new one.
    pub fn counts(&self) -> (u64, u64) {
        let count = |other: Side| self.lines.iter().filter(|line| line.side != other).count() as u64;
        (count(Side::New), count(Side::Old))
    }
}
