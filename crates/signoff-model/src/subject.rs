use std::{borrow::Cow, fmt};

use crate::{Secret, Unread};

/// How the wire names the remote that git takes when none is named.
pub(crate) const DEFAULT_REMOTE: &str = "the remote";

/// Refs of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Refs {
    /// The one of this name.
    Named(String),
    /// The branch that is checked out.
    CurrentBranch,
    /// Every branch.
    AllBranches,
    /// Every tag.
    AllTags,
}

impl Refs {
    /// The name, or what stands for it in English.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Named(name) => name.into(),
            Self::CurrentBranch => "the current branch".into(),
            Self::AllBranches => "all branches".into(),
            Self::AllTags => "all tags".into(),
        }
    }
}

/// What a reason is about. A name is the same in every language; the rest is for each language to say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A name or a part of the operation.
    Name(String),
    /// Refs of a repository.
    Refs(Refs),
    /// The remote that git takes when none is named.
    DefaultRemote,
    /// Something that could not be read.
    Unread(Unread),
    /// A secret that goes to another machine.
    Sent {
        /// The secret.
        what: Secret,
        /// Where it goes.
        to: String,
    },
}

impl Subject {
    /// The name, or what stands for it in English.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Name(name) => name.into(),
            Self::Refs(refs) => refs.name(),
            Self::DefaultRemote => DEFAULT_REMOTE.into(),
            Self::Unread(unread) => unread.to_string().into(),
            Self::Sent { what, to } => format!("{what} → {to}").into(),
        }
    }
}

impl Subject {
    /// The names in it that the operation gives, to be written in another way.
    pub fn names_mut(&mut self) -> Vec<&mut String> {
        match self {
            Self::Name(name) | Self::Refs(Refs::Named(name)) => vec![name],
            Self::Refs(Refs::CurrentBranch | Refs::AllBranches | Refs::AllTags) | Self::DefaultRemote => Vec::new(),
            Self::Unread(unread) => unread.names_mut(),
            Self::Sent { what, to } => what.name_mut().into_iter().chain([to]).collect(),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl From<&str> for Subject {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for Subject {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}
