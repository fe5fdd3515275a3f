use std::borrow::Cow;

use crate::{Refs, Secret, Span, Subject, Unread, subject::DEFAULT_REMOTE};

/// What would happen to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// Looks at something without changing it.
    Read,
    /// Makes something that was not there.
    Create,
    /// Replaces or changes the content of something.
    Overwrite,
    /// Removes something.
    Delete,
    /// Gives something another name or place.
    Move,
    /// Changes who may do what with a file.
    Permission,
    /// Runs a program or script.
    Execute,
    /// Fetches from another machine.
    NetworkRead,
    /// Sends to another machine or changes something there.
    NetworkWrite,
    /// Makes something public.
    Publish,
    /// Changes or drops recorded history.
    HistoryRewrite,
    /// Stops or disturbs running processes.
    Process,
    /// Raises rights.
    Privilege,
    /// Changes the machine: packages, services, accounts, disks.
    System,
    /// Reads from a database.
    DatabaseRead,
    /// Changes rows of a database.
    DatabaseWrite,
    /// Changes the structure of a database.
    DatabaseSchema,
    /// Changes who may do what in a database.
    DatabaseRights,
    /// Shows a secret.
    SecretRead,
    /// Sends a secret to another machine.
    SecretSend,
    /// Touches Signoff's own state.
    SelfState,
    /// Runs something that could not be read.
    Opaque,
}

impl EffectKind {
    /// Every kind.
    pub const ALL: [Self; 22] = [
        Self::Read,
        Self::Create,
        Self::Overwrite,
        Self::Delete,
        Self::Move,
        Self::Permission,
        Self::Execute,
        Self::NetworkRead,
        Self::NetworkWrite,
        Self::Publish,
        Self::HistoryRewrite,
        Self::Process,
        Self::Privilege,
        Self::System,
        Self::DatabaseRead,
        Self::DatabaseWrite,
        Self::DatabaseSchema,
        Self::DatabaseRights,
        Self::SecretRead,
        Self::SecretSend,
        Self::SelfState,
        Self::Opaque,
    ];

    /// The kind of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The stable name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Create => "create",
            Self::Overwrite => "overwrite",
            Self::Delete => "delete",
            Self::Move => "move",
            Self::Permission => "permission",
            Self::Execute => "execute",
            Self::NetworkRead => "network-read",
            Self::NetworkWrite => "network-write",
            Self::Publish => "publish",
            Self::HistoryRewrite => "history-rewrite",
            Self::Process => "process",
            Self::Privilege => "privilege",
            Self::System => "system",
            Self::DatabaseRead => "database-read",
            Self::DatabaseWrite => "database-write",
            Self::DatabaseSchema => "database-schema",
            Self::DatabaseRights => "database-rights",
            Self::SecretRead => "secret-read",
            Self::SecretSend => "secret-send",
            Self::SelfState => "self",
            Self::Opaque => "opaque",
        }
    }

    /// Whether an effect of this kind looks at something and leaves everything as it was.
    pub const fn only_looks(self) -> bool {
        match self {
            Self::Read | Self::NetworkRead | Self::DatabaseRead => true,
            Self::Create
            | Self::Overwrite
            | Self::Delete
            | Self::Move
            | Self::Permission
            | Self::Execute
            | Self::NetworkWrite
            | Self::Publish
            | Self::HistoryRewrite
            | Self::Process
            | Self::Privilege
            | Self::System
            | Self::DatabaseWrite
            | Self::DatabaseSchema
            | Self::DatabaseRights
            | Self::SecretRead
            | Self::SecretSend
            | Self::SelfState
            | Self::Opaque => false,
        }
    }

    /// Whether after an effect of this kind something is no longer where it was, as it was.
    pub const fn displaces(self) -> bool {
        match self {
            Self::Overwrite | Self::Delete | Self::Move | Self::HistoryRewrite => true,
            Self::Read
            | Self::Create
            | Self::Permission
            | Self::Execute
            | Self::NetworkRead
            | Self::NetworkWrite
            | Self::Publish
            | Self::Process
            | Self::Privilege
            | Self::System
            | Self::DatabaseRead
            | Self::DatabaseWrite
            | Self::DatabaseSchema
            | Self::DatabaseRights
            | Self::SecretRead
            | Self::SecretSend
            | Self::SelfState
            | Self::Opaque => false,
        }
    }
}

/// Where the thing lies that an effect touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Inside the project that the agent works in.
    Project,
    /// Under a temporary directory.
    Temp,
    /// In the user's home, outside the project.
    Home,
    /// Part of the operating system.
    System,
    /// On this machine, in none of the other places.
    Outside,
    /// On another machine, in a container, or in a service.
    Remote,
    /// It could not be told.
    Unknown,
}

impl Scope {
    /// The stable name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Temp => "temp",
            Self::Home => "home",
            Self::System => "system",
            Self::Outside => "outside",
            Self::Remote => "remote",
            Self::Unknown => "unknown",
        }
    }
}

/// Whether an effect can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reversible {
    /// One routine step undoes it.
    Yes,
    /// Git has what is needed to undo it.
    WithGit,
    /// A backup taken before would undo it.
    WithBackup,
    /// It cannot be undone.
    No,
    /// It could not be told.
    Unknown,
}

impl Reversible {
    /// The stable name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::WithGit => "with-git",
            Self::WithBackup => "with-backup",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

/// The thing that an effect touches, as a person would name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A file or directory, shown relative to the project or the home directory where it lies there.
    Path(String),
    /// Every path that a pattern matches.
    Matches(String),
    /// Whatever a program lists under a directory.
    Listed {
        /// The program that makes the list.
        by: String,
        /// Where it looks.
        under: String,
    },
    /// Branches, tags or other refs of a repository.
    Ref {
        /// Which refs.
        name: Refs,
        /// The remote that holds it, if it is not local.
        remote: Option<String>,
    },
    /// The remote that git takes when none is named.
    DefaultRemote,
    /// Anything else that has a name: a host, a package, a table, a process, a cloud resource.
    Named(String),
    /// Something that could not be resolved; the text shows how it was written.
    Unresolved(String),
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

impl Target {
    /// Whether it is a file, or several of them.
    pub const fn is_file(&self) -> bool {
        match self {
            Self::Path(_) | Self::Matches(_) | Self::Listed { .. } => true,
            Self::Ref { .. }
            | Self::DefaultRemote
            | Self::Named(_)
            | Self::Unresolved(_)
            | Self::Unread(_)
            | Self::Sent { .. } => false,
        }
    }

    /// The bare name, without the words around it.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Path(text) | Self::Matches(text) | Self::Named(text) | Self::Unresolved(text) => text.into(),
            Self::Listed { under, .. } => under.into(),
            Self::Ref { name, .. } => name.name(),
            Self::DefaultRemote => DEFAULT_REMOTE.into(),
            Self::Unread(unread) => unread.to_string().into(),
            Self::Sent { what, to } => format!("{what} → {to}").into(),
        }
    }

    /// The names in it that the operation gives, to be written in another way.
    pub fn names_mut(&mut self) -> Vec<&mut String> {
        match self {
            Self::Path(text) | Self::Matches(text) | Self::Named(text) | Self::Unresolved(text) => vec![text],
            Self::Listed { by, under } => vec![by, under],
            Self::Ref { name: Refs::Named(name), remote } => [name].into_iter().chain(remote).collect(),
            Self::Ref { name: Refs::CurrentBranch | Refs::AllBranches | Refs::AllTags, remote } => {
                remote.iter_mut().collect()
            }
            Self::DefaultRemote => Vec::new(),
            Self::Unread(unread) => unread.names_mut(),
            Self::Sent { what, to } => what.name_mut().into_iter().chain([to]).collect(),
        }
    }

    /// What a reason about it names.
    pub fn subject(&self) -> Subject {
        match self {
            Self::Path(text) | Self::Matches(text) | Self::Named(text) | Self::Unresolved(text) => {
                Subject::Name(text.clone())
            }
            Self::Listed { under, .. } => Subject::Name(under.clone()),
            Self::Ref { name, .. } => Subject::Refs(name.clone()),
            Self::DefaultRemote => Subject::DefaultRemote,
            Self::Unread(unread) => Subject::Unread(unread.clone()),
            Self::Sent { what, to } => Subject::Sent { what: what.clone(), to: to.clone() },
        }
    }
}

/// One thing that an operation would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What happens.
    pub kind: EffectKind,
    /// To what.
    pub target: Target,
    /// Where that lies.
    pub scope: Scope,
    /// Whether it can be undone.
    pub reversible: Reversible,
    /// The part of the input that causes it.
    pub span: Span,
}
