//! Where a configured value comes from, so that whatever it does can be traced back to a line that somebody wrote.

use std::{fmt, path::PathBuf, sync::Arc};

/// Whose word it is, the weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Nobody's: it is built in.
    #[default]
    Default,
    /// The administrator's of the machine.
    Administrator,
    /// The user's.
    User,
    /// The project's, which an agent may be able to write.
    Project,
}

impl Layer {
    /// The stable name used on the wire and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Administrator => "administrator",
            Self::User => "user",
            Self::Project => "project",
        }
    }

    /// Whether a person wrote it where no project and no import can reach: only such a word lifts a prohibition (law 5).
    pub const fn is_a_persons(self) -> bool {
        match self {
            Self::Administrator | Self::User => true,
            Self::Default | Self::Project => false,
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a configured value comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Whose word it is.
    pub layer: Layer,
    /// The file, where there is one, and the line in it, counted from one.
    pub place: Option<(Arc<PathBuf>, usize)>,
}

impl Origin {
    /// A line of a file.
    pub fn in_file(layer: Layer, file: Arc<PathBuf>, line: usize) -> Self {
        Self { layer, place: Some((file, line)) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some((file, line)) => write!(f, "{} ({}:{line})", self.layer, file.display()),
            None => write!(f, "{}", self.layer),
        }
    }
}
