//! The vocabulary of Signoff, and nothing but values.
//!
//! Every other room of the house speaks in these types. This crate does no I/O, knows no wire format and
//! decides nothing.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod approval;
mod assessment;
mod change;
mod decision;
mod delegation;
mod effect;
mod grant;
mod identity;
mod invocation;
mod ledger;
mod operation;
mod preview;
mod reminding;
mod risk;
mod screen;
mod secret;
mod shown;
mod span;
mod subject;
mod unread;

pub use approval::{
    Answer, Answerer, Approval, Assurance, Binding, Bound, Clock, Consent, Escalation, Form, Manner, Miss,
    Modification, Origin, OwnerMay, PlanStep, Question, Report, Requester, Settled, Sight, Stage, Terms, Vote,
};
pub use assessment::{Alternative, Assessment, Coverage, Gap, Listing, Prohibition, Reason, RuleId};
pub use change::{
    Basis, Change, Comparison, DiffLine, Difference, Hunk, LineEnd, NewText, Occurrences, Part, Rewrite, Side,
};
pub use decision::{Choice, Decision, Trust, Verdict, WarningLevel};
pub use delegation::{Delegation, Stead};
pub use effect::{Effect, EffectKind, Reversible, Scope, Target};
pub use grant::{Bounds, Grant, Reach};
pub use identity::{
    AgentId, ApprovalId, BadName, ChannelId, Digest, GrantId, GroupId, MAX_NAME, PersonId, RequestKey, SessionId,
    Timestamp,
};
pub use invocation::Invocation;
pub use ledger::{Actor, Deed, LedgerEntry};
pub use operation::{Dialect, FileAction, FileOperation, Operation, ShellCommand, ToolCall, ToolHints};
pub use preview::{Fate, Loss, LostFile, Preview, Spared, SparedExtent, Stock, Tally, ThingKind};
pub use reminding::{Quiet, Reminding};
pub use risk::Risk;
pub use screen::{Screen, ScreenNumber};
pub use secret::Secret;
pub use shown::{Aspect, Deviation, Measure, Rest, Shown, ShownFile, ShownThing};
pub use span::Span;
pub use subject::{Refs, Subject};
pub use unread::Unread;
