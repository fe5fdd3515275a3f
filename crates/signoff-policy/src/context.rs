use std::fmt;

use signoff_model::{Risk, Trust};

/// How careful the user wants the gate to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Posture {
    /// Asks about every change until the agent has earned trust.
    Strict,
    /// Asks about what may be lost.
    #[default]
    Balanced,
    /// Asks about what neither git nor a backup could bring back.
    Permissive,
}

impl Posture {
    /// Every posture, the most careful first.
    pub const ALL: [Self; 3] = [Self::Strict, Self::Balanced, Self::Permissive];

    /// The stable name used in configuration and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Balanced => "balanced",
            Self::Permissive => "permissive",
        }
    }

    /// The posture of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|posture| posture.name() == name)
    }
}

impl fmt::Display for Posture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A standing permission of a human that fits the operation at hand.
///
/// Whether a grant fits is found out elsewhere; here only counts how far it reaches. It never reaches beyond high risk:
/// what may destroy production or everything at once is asked about every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GrantMatch {
    covers: Risk,
}

impl GrantMatch {
    /// A grant that reaches up to this risk, and at most up to high.
    pub fn up_to(risk: Risk) -> Self {
        Self { covers: risk.min(Risk::High) }
    }

    /// Whether the question about this risk has been answered by the grant.
    pub(crate) fn lifts(self, risk: Risk) -> bool {
        risk <= self.covers
    }
}

/// Where trust changes what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Thresholds {
    /// From here on low risk passes unasked under the strict posture.
    pub low_risk_auto_approve: Trust,
    /// At or below this everything asks.
    pub paranoid_mode: Trust,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { low_risk_auto_approve: Trust::LOW_RISK_AUTO_APPROVE, paranoid_mode: Trust::PARANOID }
    }
}

/// What is known around an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// How careful to be.
    pub posture: Posture,
    /// How far the user trusts this agent in this project.
    pub trust: Trust,
    /// The standing permission that fits, if there is one.
    pub grant: Option<GrantMatch>,
    /// Where trust changes what happens.
    pub thresholds: Thresholds,
}
