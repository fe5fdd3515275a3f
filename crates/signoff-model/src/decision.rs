use std::fmt;

use crate::Risk;

/// The short form of a decision, for people and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It may run.
    Allow,
    /// A human has to look first.
    Ask,
    /// It must not run.
    Block,
}

impl Verdict {
    /// Every verdict, the laxest first.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Block];

    /// The verdict of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.name() == name)
    }

    /// The stable name used on the wire and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Block => "block",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How loudly a confirmation warns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WarningLevel {
    /// For the record.
    Notice,
    /// Something may be lost.
    Warning,
    /// Much may be lost for good.
    Danger,
}

impl WarningLevel {
    /// The level that fits a risk.
    pub const fn of(risk: Risk) -> Self {
        match risk {
            Risk::None | Risk::Low => Self::Notice,
            Risk::Medium => Self::Warning,
            Risk::High | Risk::Critical => Self::Danger,
        }
    }

    /// The stable name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Danger => "danger",
        }
    }
}

/// One answer that a question of several offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// Leave everything as it is.
    Cancel,
    /// Run it as shown.
    GoAhead,
    /// Keep a copy of what would be lost, then run it.
    BackUpFirst,
    /// Show what would change, then ask again.
    ShowDifference,
}

impl Choice {
    /// The stable name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::GoAhead => "go-ahead",
            Self::BackUpFirst => "back-up-first",
            Self::ShowDifference => "show-difference",
        }
    }
}

/// What the gate makes of an assessment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Run it.
    ExecuteDirectly,
    /// Ask yes or no.
    RequireConfirmation {
        /// Why it asks, as the gravest rule says it; empty where no rule speaks, since the words are then the card's.
        reason: String,
        /// How loudly.
        warning_level: WarningLevel,
    },
    /// Ask for one of several answers.
    RequireChoice {
        /// The question, as the gravest rule says it, or empty.
        question: String,
        /// The answers on offer.
        options: Vec<Choice>,
        /// The safe one.
        default: Choice,
    },
    /// Ask for a word to be typed.
    RequireInput {
        /// Why it asks, as the gravest rule says it, or empty.
        prompt: String,
        /// What the field shows while it is empty.
        placeholder: String,
        /// The exact text that counts as a yes.
        validation: String,
    },
    /// Do not run it.
    Reject {
        /// Why, as the gravest rule says it, or empty.
        reason: String,
        /// What to do instead.
        suggestion: Option<String>,
    },
}

impl Decision {
    /// The stable name used on the wire.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ExecuteDirectly => "execute_directly",
            Self::RequireConfirmation { .. } => "require_confirmation",
            Self::RequireChoice { .. } => "require_choice",
            Self::RequireInput { .. } => "require_input",
            Self::Reject { .. } => "reject",
        }
    }

    /// The short form.
    pub const fn verdict(&self) -> Verdict {
        match self {
            Self::ExecuteDirectly => Verdict::Allow,
            Self::RequireConfirmation { .. } | Self::RequireChoice { .. } | Self::RequireInput { .. } => Verdict::Ask,
            Self::Reject { .. } => Verdict::Block,
        }
    }
}

/// How far a user lets an agent go in a project, in integer thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trust(u16);

impl Trust {
    /// Where everybody starts.
    pub const INITIAL: Self = Self(500);
    /// From here on low risk passes unasked under the strict posture.
    pub const LOW_RISK_AUTO_APPROVE: Self = Self(800);
    /// At or below this everything asks.
    pub const PARANOID: Self = Self(200);

    /// Trust from thousandths; more than 1000 counts as 1000.
    pub const fn from_thousandths(thousandths: u16) -> Self {
        if thousandths > 1000 { Self(1000) } else { Self(thousandths) }
    }

    /// The score in thousandths.
    pub const fn thousandths(self) -> u16 {
        self.0
    }
}

impl Default for Trust {
    fn default() -> Self {
        Self::INITIAL
    }
}
