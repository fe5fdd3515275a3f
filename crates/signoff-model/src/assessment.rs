use std::{borrow::Cow, fmt};

use crate::{Effect, Preview, Rewrite, Risk, Span, Subject, Unread};

/// The stable name of a rule, such as `force-push`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(Cow<'static, str>);

impl RuleId {
    /// A rule that is built in.
    pub const fn new(id: &'static str) -> Self {
        Self(Cow::Borrowed(id))
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why an operation is not harmless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The rule that spoke.
    pub rule: RuleId,
    /// What it says, in English; other languages are looked up by the rule.
    pub message: String,
    /// What the message is about: the value that the rule's text names.
    pub subject: Subject,
    /// How grave it is by itself.
    pub risk: Risk,
    /// The part of the input that it is about.
    pub span: Span,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What stayed unread.
    pub what: Unread,
    /// Where it stands.
    pub span: Span,
}

/// How much of the operation was understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Coverage {
    /// All of it.
    #[default]
    Full,
    /// Not these parts.
    Partial(Vec<Gap>),
}

/// Why no answer can lift the block (law 5 and law 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Prohibition {
    /// No agent should ever do this.
    Absurd,
    /// It reaches for Signoff's own state, key, socket or process.
    OwnState,
}

/// Another way to the same end that the same policy would let through, or at least finds less risky.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The command to use instead.
    pub command: String,
}

/// How much of what would be gone or replaced is known by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Listing {
    /// All of it, as far as the text says what goes.
    #[default]
    Whole,
    /// There may be other things whose names cannot be told.
    Partial,
    /// There are more than are listed.
    Cut,
}

/// What an operation would do, and how grave that is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assessment {
    /// What would happen, in the order of the input.
    pub effects: Vec<Effect>,
    /// The gravest of the reasons.
    pub risk: Risk,
    /// Set when no answer may lift the block.
    pub prohibition: Option<Prohibition>,
    /// How much was understood.
    pub coverage: Coverage,
    /// Why it is not harmless, gravest first.
    pub reasons: Vec<Reason>,
    /// Other ways to the same end.
    pub safer: Vec<Alternative>,
    /// The things that are known to be gone or replaced afterwards, by their absolute paths. There may be others.
    pub at_stake: Vec<String>,
    /// Those of them that lose nothing but a name: what has other names stays as it is.
    pub unlinked: Vec<String>,
    /// How much of what is at stake is listed there.
    pub listing: Listing,
    /// The files whose text would be another one afterwards, where the operation says which.
    pub rewrites: Vec<Rewrite>,
    /// What there is of them, where somebody has looked.
    pub preview: Option<Preview>,
}

impl Assessment {
    /// The risk that counts: never below any single reason, and at least medium where a part stayed unread. The analysis
    /// sees to both; what decides and what is shown do not rely on it.
    pub fn effective_risk(&self) -> Risk {
        let floor = match self.coverage {
            Coverage::Full => Risk::None,
            Coverage::Partial(_) => Risk::Medium,
        };
        self.reasons.iter().map(|reason| reason.risk).fold(self.risk.max(floor), Risk::max)
    }
}
