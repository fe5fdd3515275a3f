//! What was found on a screen, as values.

use std::{fmt, ops::Range};

use super::Agent;

/// What waits at the bottom of a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Nothing does.
    Nothing,
    /// An agent waits for its user.
    Prompt(Box<Prompt>),
    /// Another program waits. It is never answered by Signoff.
    Other(Waiting),
}

/// A live dialog of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Whose it is, where the screen or the caller says so.
    pub agent: Option<Agent>,
    /// What it is about.
    pub subject: Subject,
    /// The question as it stands there.
    pub question: Option<String>,
    /// What can be chosen, in the order of the screen.
    pub choices: Vec<Choice>,
    /// Which choice is marked.
    pub highlighted: Option<usize>,
    /// What to press for a yes to this one time and nothing else.
    pub yes: Option<Keys>,
    /// What to press for a no.
    pub no: Option<Keys>,
    /// What is not certain about it, each once. A dialog with a doubt is for people.
    pub doubts: Vec<Doubt>,
    /// The rows of the screen that it stands on.
    pub rows: Range<usize>,
}

impl Prompt {
    /// The keys that may be pressed without a person, if what the dialog is about is found to be harmless: only where all of it was
    /// seen, nothing about it is in doubt, and it is no question that people have to answer themselves.
    pub fn may_be_answered(&self) -> Option<&Keys> {
        let certain = self.doubts.is_empty() && !self.subject.is_for_people();
        self.yes.as_ref().filter(|_| certain)
    }

    /// Whether all of what it is about was seen, exactly.
    pub fn is_whole(&self) -> bool {
        !self.doubts.iter().any(Doubt::hides)
    }
}

/// What a dialog is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A shell command, rejoined across rows.
    Shell(String),
    /// Something is done to a file.
    File {
        /// What.
        change: Change,
        /// The path as it stands there; empty where none does.
        path: String,
        /// The difference or content that is shown, row by row.
        shown: Vec<String>,
    },
    /// Something is fetched from the network.
    Fetch(String),
    /// A tool is called, with its arguments as they stand there.
    Tool {
        /// The tool, with its server.
        name: String,
        /// The arguments.
        arguments: String,
    },
    /// A plan is to be carried out.
    Plan(String),
    /// A file or an address is to be made known to the agent.
    Mention(String),
    /// A folder is to be trusted.
    FolderTrust,
    /// Hooks are to be trusted.
    HookTrust,
    /// Rights are to be granted.
    Grant(String),
    /// The network may be reached.
    Network(String),
    /// The agent asks its user something.
    Question(String),
    /// A menu that the user has opened.
    Menu,
    /// Nothing of the above, with the question.
    Unknown(String),
}

impl Subject {
    /// Whether nobody but a person answers, whatever it says: it changes what the agent may do from now on, overwrites or deletes a
    /// file, or cannot be judged.
    pub const fn is_for_people(&self) -> bool {
        match self {
            Self::Shell(_) | Self::Fetch(_) | Self::Tool { .. } | Self::Plan(_) | Self::Mention(_) => false,
            Self::File { change, .. } => match change {
                Change::Read | Change::Create | Change::Edit => false,
                Change::Overwrite | Change::Delete => true,
            },
            Self::FolderTrust
            | Self::HookTrust
            | Self::Grant(_)
            | Self::Network(_)
            | Self::Question(_)
            | Self::Menu
            | Self::Unknown(_) => true,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shell(text) | Self::Grant(text) | Self::Question(text) | Self::Unknown(text) => f.write_str(text),
            Self::File { change, path, .. } => write!(f, "{} {path}", change.name()),
            Self::Fetch(address) => write!(f, "fetch {address}"),
            Self::Tool { name, arguments } => write!(f, "{name}({arguments})"),
            Self::Plan(text) if text.is_empty() => f.write_str("proceed with the plan"),
            Self::Plan(text) => f.write_str(text),
            Self::Mention(what) => write!(f, "add {what}"),
            Self::FolderTrust => f.write_str("trust the folder"),
            Self::HookTrust => f.write_str("trust the hooks"),
            Self::Network(host) => write!(f, "network access to {host}"),
            Self::Menu => f.write_str("menu"),
        }
    }
}

/// What is done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is read.
    Read,
    /// It comes into being.
    Create,
    /// Parts of it change.
    Edit,
    /// All of it is replaced.
    Overwrite,
    /// It goes.
    Delete,
}

impl Change {
    /// The verb.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Create => "create",
            Self::Edit => "edit",
            Self::Overwrite => "overwrite",
            Self::Delete => "delete",
        }
    }
}

/// One of the things that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its number, where it has one.
    pub number: Option<u32>,
    /// Its label, rejoined across rows.
    pub label: String,
}

/// Why a dialog is for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doubt {
    /// Its upper end is not on the screen, or cannot be told.
    TopCut,
    /// Some of its choices are missing, or it does not end where it should.
    ChoicesCut,
    /// It says itself that it leaves something out.
    LeftOut,
    /// A row reaches the edge or ends in an ellipsis, so that more may follow.
    Clipped,
    /// A row may go on in the next one with a blank, with a line break or with nothing between.
    Wrapped,
    /// What stands there holds words about the command too, or has no visible beginning.
    NotTold,
    /// The text in it looks like a dialog itself.
    Imitation,
    /// It holds characters that are not what they seem.
    Disguised,
    /// Nothing was found that it would be about.
    Empty,
    /// Its default is no.
    DefaultIsNo,
    /// No choice is a plain yes to this one time, or several are.
    NoPlainYes,
    /// Which choice is marked cannot be seen, and keys would depend on it.
    MarkUnseen,
    /// Nothing is drawn around it, so that any text could look like it.
    Unframed,
    /// The agent in the foreground is another one, or the screen does not say whose dialog it is.
    WhoseUnknown,
}

impl Doubt {
    /// Every doubt.
    pub const ALL: [Self; 14] = [
        Self::TopCut,
        Self::ChoicesCut,
        Self::LeftOut,
        Self::Clipped,
        Self::Wrapped,
        Self::NotTold,
        Self::Imitation,
        Self::Disguised,
        Self::Empty,
        Self::DefaultIsNo,
        Self::NoPlainYes,
        Self::MarkUnseen,
        Self::Unframed,
        Self::WhoseUnknown,
    ];

    /// Its name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TopCut => "top_cut",
            Self::ChoicesCut => "choices_cut",
            Self::LeftOut => "left_out",
            Self::Clipped => "clipped",
            Self::Wrapped => "wrapped",
            Self::NotTold => "not_told",
            Self::Imitation => "imitation",
            Self::Disguised => "disguised",
            Self::Empty => "empty",
            Self::DefaultIsNo => "default_is_no",
            Self::NoPlainYes => "no_plain_yes",
            Self::MarkUnseen => "mark_unseen",
            Self::Unframed => "unframed",
            Self::WhoseUnknown => "whose_unknown",
        }
    }

    /// Whether it means that the subject may be another one than was read.
    pub const fn hides(&self) -> bool {
        match self {
            Self::TopCut
            | Self::ChoicesCut
            | Self::LeftOut
            | Self::Clipped
            | Self::Wrapped
            | Self::NotTold
            | Self::Imitation
            | Self::Disguised
            | Self::Empty
            | Self::Unframed => true,
            Self::DefaultIsNo | Self::NoPlainYes | Self::MarkUnseen | Self::WhoseUnknown => false,
        }
    }
}

/// What to press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Keys that act at once, one after the other.
    Press(Vec<Key>),
    /// A text that is typed and then sent off with Enter.
    Line(String),
}

/// One key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character.
    Character(char),
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow to the left.
    Left,
    /// Arrow to the right.
    Right,
}

impl Key {
    /// What `tmux send-keys` calls it; a character goes as itself and literally (`-l`).
    pub const fn tmux_name(self) -> Option<&'static str> {
        match self {
            Self::Character(_) => None,
            Self::Enter => Some("Enter"),
            Self::Escape => Some("Escape"),
            Self::Up => Some("Up"),
            Self::Down => Some("Down"),
            Self::Left => Some("Left"),
            Self::Right => Some("Right"),
        }
    }
}

/// As dialogs write it.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character(character) => write!(f, "{character}"),
            Self::Enter => f.write_str("enter"),
            Self::Escape => f.write_str("esc"),
            Self::Up => f.write_str("up"),
            Self::Down => f.write_str("down"),
            Self::Left => f.write_str("left"),
            Self::Right => f.write_str("right"),
        }
    }
}

/// The keys with blanks between them, or the text of a line.
impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(text) => f.write_str(text),
            Self::Press(keys) => {
                for (place, key) in keys.iter().enumerate() {
                    let gap = if place == 0 { "" } else { " " };
                    write!(f, "{gap}{key}")?;
                }
                Ok(())
            }
        }
    }
}

/// Another program that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which one, where the screen tells.
    pub program: Option<String>,
    /// For what.
    pub what: WaitingFor,
}

/// What another program waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitingFor {
    /// A password or another secret.
    Secret,
    /// A user name.
    Name,
    /// A yes or a no.
    Confirmation,
    /// Whether a host is the right one.
    HostKey,
    /// A choice from a list.
    Choice,
    /// Some text.
    Text,
    /// Any key, to go on.
    AnyKey,
    /// The next page: somebody reads something.
    Page,
}

impl WaitingFor {
    /// Its name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::Name => "name",
            Self::Confirmation => "confirmation",
            Self::HostKey => "host_key",
            Self::Choice => "choice",
            Self::Text => "text",
            Self::AnyKey => "any_key",
            Self::Page => "page",
        }
    }
}
