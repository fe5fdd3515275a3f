//! What can be wrong with a file, and what was left out of account: always with the place, and with what to do about it.

use std::{fmt, path::PathBuf};

use signoff_policy::Origin;

/// The same in both languages of the product.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// In English.
    pub english: String,
    /// In Simplified Chinese.
    pub chinese: String,
}

impl Words {
    pub(crate) fn new(english: impl Into<String>, chinese: impl Into<String>) -> Self {
        Self { english: english.into(), chinese: chinese.into() }
    }
}

/// A place in a file, counted from one; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The file is there and cannot be read.
    Unreadable,
    /// It is no ordinary file.
    NotRegular,
    /// It is a link where none may be.
    Symlink,
    /// Others can change what it says.
    Exposed,
    /// It is too large.
    TooLarge,
    /// It is no UTF-8 text.
    NotText,
    /// It is no TOML.
    Syntax,
    /// A key that does not exist.
    UnknownKey,
    /// A value of another type.
    WrongType,
    /// A value that is not possible.
    BadValue,
    /// A key that must be there is not.
    MissingKey,
    /// A key or rule that stands where it may not.
    Misplaced,
    /// A name that is given twice.
    Duplicate,
    /// A rule does not do what its example says.
    ExampleFails,
    /// What has been trusted cannot be read or written.
    TrustStore,
}

/// Something that is wrong with a configuration file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.located(&self.message.english))]
pub struct Fault {
    kind: FaultKind,
    file: PathBuf,
    position: Option<Position>,
    key: Option<String>,
    message: Box<Words>,
    hint: Box<Words>,
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, file: impl Into<PathBuf>, message: Words, hint: Words) -> Self {
        let (message, hint) = (Box::new(message), Box::new(hint));
        Self { kind, file: file.into(), position: None, key: None, message, hint }
    }

    pub(crate) fn at(mut self, position: Position) -> Self {
        self.position = Some(position);
        self
    }

    pub(crate) fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// What kind it is.
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// The file that it is in.
    pub fn file(&self) -> &std::path::Path {
        &self.file
    }

    /// The place in the file, where there is one.
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// The key that it is about, where there is one.
    pub fn offending_key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &Words {
        &self.message
    }

    /// What to do about it.
    pub fn hint(&self) -> &Words {
        &self.hint
    }

    /// What is wrong, behind the place as editors and terminals know it.
    pub fn told(&self) -> Words {
        Words::new(self.located(&self.message.english), self.located(&self.message.chinese))
    }

    fn located(&self, message: &str) -> String {
        match self.position {
            Some(Position { line, column }) => format!("{}:{line}:{column}: {message}", self.file.display()),
            None => format!("{}: {message}", self.file.display()),
        }
    }
}

/// Why something that a file says does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoticeKind {
    /// A project file that the user has not trusted wants to loosen something (law 7).
    Untrusted,
    /// The administrator has locked the key.
    Locked,
    /// Only a person's own file can lift a built-in rule by its name (law 5).
    LiftsOfProject,
    /// Only a person's own file says something about what all projects share.
    SharedByProjects,
    /// Which files are trusted cannot be told, so none of them is.
    TrustUnknown,
    /// A rule lifts a built-in rule that does not exist.
    UnknownLift,
}

/// Something that a file says and that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Why it does not count.
    pub kind: NoticeKind,
    /// The key or rule.
    pub key: String,
    /// Where it stands.
    pub origin: Origin,
    /// What is left out of account.
    pub message: Words,
    /// What to do about it.
    pub hint: Words,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.message.english)
    }
}
