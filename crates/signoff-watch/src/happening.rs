//! What happens, as values: for a log that people read, one that programs read, and the status.

use serde::{Deserialize, Serialize};
use signoff_analysis::screen::Doubt;

use crate::{
    state::Millis,
    tmux::{PaneId, Socket},
};

/// An agent in a pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Who {
    /// What it is called.
    pub name: String,
    /// The server.
    pub socket: Socket,
    /// The pane.
    pub pane: PaneId,
    /// Where that is: session, window and place.
    pub place: String,
    /// The program, where it is known.
    pub program: Option<String>,
}

/// Something that has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// Something about one agent.
    Agent(Who, Deed),
    /// Something about a server or a session, in words of tmux.
    Trouble {
        /// Which server.
        socket: Socket,
        /// What is wrong.
        words: Trouble,
    },
}

/// What is wrong with a server or a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is no such session; it is waited for.
    NoSession(String),
    /// There is no server; it is waited for.
    NoServer(String),
    /// A session cannot be followed, only looked at from time to time.
    NoControl(String),
    /// A session has ended.
    Ended(String),
}

/// What has happened to an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// It was answered.
    Answered(Answered),
    /// It would have been answered.
    WouldAnswer(Answered),
    /// A person has to answer in the pane.
    LeftToPerson {
        /// What it wants.
        subject: String,
        /// Why.
        why: Why,
        /// What to type where, ready to be pasted.
        by_hand: String,
    },
    /// People are asked at the gateway.
    Asked {
        /// What it wants.
        subject: String,
        /// Why it is not harmless.
        why: String,
        /// The question.
        approval: String,
        /// What to type where instead.
        by_hand: String,
    },
    /// People would have been asked at the gateway.
    WouldAsk {
        /// What it wants.
        subject: String,
        /// Why it is not harmless.
        why: String,
    },
    /// Its dialog is gone, and with it the question.
    Superseded {
        /// What it wanted.
        subject: String,
    },
    /// It was answered, and the dialog is still there.
    Stuck {
        /// What it wanted.
        subject: String,
        /// What was typed.
        sent: String,
        /// What to type where, ready to be pasted.
        by_hand: String,
    },
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// To what.
    pub subject: String,
    /// What was typed.
    pub sent: String,
    /// Who said so.
    pub by: By,
}

/// Who said so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// It is harmless.
    Policy,
    /// A person agreed at the gateway.
    Person,
    /// A person refused at the gateway, in these words.
    Refused(String),
}

/// Why a person has to answer in the pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Something about the dialog is not certain.
    Doubts(Vec<Doubt>),
    /// It is a question that people answer themselves: trust, rights, a plan, or one of the agent to its user.
    ForPeople,
    /// It is blocked: nobody should agree.
    Blocked(String),
    /// A word makes it so.
    Danger(String),
    /// No word stands there that has to.
    NoSafeWord,
    /// `watch.auto_confirm` is off, and it is harmless.
    SwitchedOff,
    /// The agent is paused.
    Paused,
    /// The agent has Signoff's hook, which asks.
    Hooked,
    /// The agent in the foreground is another one than the dialog's.
    AnotherAgent,
    /// Where the agent works cannot be told.
    Nowhere,
    /// The pane is in a mode, or its keys go elsewhere as well.
    NotListening,
    /// Nobody could be asked, or nobody agreed.
    Unasked(String),
    /// The dialog changed before it could be answered, again and again.
    Restless,
    /// It cannot be told which keys would do it.
    NoKeys,
}

impl Why {
    /// Its name for programs.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Doubts(_) => "doubt",
            Self::ForPeople => "for_people",
            Self::Blocked(_) => "blocked",
            Self::Danger(_) => "danger_word",
            Self::NoSafeWord => "no_safe_word",
            Self::SwitchedOff => "switched_off",
            Self::Paused => "paused",
            Self::Hooked => "hook",
            Self::AnotherAgent => "another_agent",
            Self::Nowhere => "no_directory",
            Self::NotListening => "not_listening",
            Self::Unasked(_) => "not_approved",
            Self::Restless => "changed",
            Self::NoKeys => "no_keys",
        }
    }
}

/// What is remembered of an agent, for the status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// What it is called.
    pub name: String,
    /// The options of tmux that name the server.
    pub socket: Vec<String>,
    /// The pane.
    pub pane: String,
    /// Where that is.
    pub place: String,
    /// The program.
    pub program: Option<String>,
    /// What it does.
    pub state: String,
    /// What it waits for.
    pub what: Option<String>,
    /// Since when, in milliseconds since 1970.
    pub since: Option<Millis>,
    /// What was done about it last, or why nothing is.
    pub note: Option<String>,
}
