//! The names of what agents are told, as types: so that whoever makes a client from the description knows every one of them.

use serde::Serialize;
use signoff_model::{Clock, Decision, Manner, Risk, Verdict};
use utoipa::ToSchema;

/// What becomes of an operation, in short.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VerdictName {
    /// It may run.
    Allow,
    /// People are asked.
    Ask,
    /// It must not run.
    Block,
}

/// What becomes of an operation.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DecisionName {
    /// It may run.
    ExecuteDirectly,
    /// People say yes or no.
    RequireConfirmation,
    /// People choose one of several.
    RequireChoice,
    /// People type something.
    RequireInput,
    /// It must not run.
    Reject,
}

/// How grave it is.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RiskName {
    /// It changes nothing.
    None,
    /// It is undone by one routine step.
    Low,
    /// It can be undone with some work.
    Medium,
    /// Something may be lost.
    High,
    /// Much may be lost.
    Critical,
}

/// How it is to run.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MannerName {
    /// As it was shown.
    AsShown,
    /// After a copy was made of what it takes away.
    BackUpFirst,
}

/// Which time has run out.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClockName {
    /// That to decide.
    Decide,
    /// That to run after a yes.
    Run,
}

impl From<Verdict> for VerdictName {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Allow => Self::Allow,
            Verdict::Ask => Self::Ask,
            Verdict::Block => Self::Block,
        }
    }
}

impl From<&Decision> for DecisionName {
    fn from(decision: &Decision) -> Self {
        match decision {
            Decision::ExecuteDirectly => Self::ExecuteDirectly,
            Decision::RequireConfirmation { .. } => Self::RequireConfirmation,
            Decision::RequireChoice { .. } => Self::RequireChoice,
            Decision::RequireInput { .. } => Self::RequireInput,
            Decision::Reject { .. } => Self::Reject,
        }
    }
}

impl From<Risk> for RiskName {
    fn from(risk: Risk) -> Self {
        match risk {
            Risk::None => Self::None,
            Risk::Low => Self::Low,
            Risk::Medium => Self::Medium,
            Risk::High => Self::High,
            Risk::Critical => Self::Critical,
        }
    }
}

impl From<Manner> for MannerName {
    fn from(manner: Manner) -> Self {
        match manner {
            Manner::AsShown => Self::AsShown,
            Manner::BackUpFirst => Self::BackUpFirst,
        }
    }
}

impl From<Clock> for ClockName {
    fn from(clock: Clock) -> Self {
        match clock {
            Clock::Decide => Self::Decide,
            Clock::Run => Self::Run,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;

    fn name(named: impl Serialize) -> String {
        serde_json::to_value(named).unwrap().as_str().unwrap().to_owned()
    }

    /// What is said here is what the command line says.
    #[test]
    fn the_names_are_those_of_the_vocabulary() {
        for verdict in Verdict::ALL {
            assert_eq!(name(VerdictName::from(verdict)), verdict.name());
        }
        for risk in Risk::ALL {
            assert_eq!(name(RiskName::from(risk)), risk.name());
        }
        let decisions = [
            Decision::ExecuteDirectly,
            Decision::RequireConfirmation { reason: String::new(), warning_level: signoff_model::WarningLevel::Notice },
            Decision::RequireChoice {
                question: String::new(),
                options: Vec::new(),
                default: signoff_model::Choice::Cancel,
            },
            Decision::RequireInput { prompt: String::new(), placeholder: String::new(), validation: String::new() },
            Decision::Reject { reason: String::new(), suggestion: None },
        ];
        for decision in decisions {
            assert_eq!(name(DecisionName::from(&decision)), decision.name());
        }
    }
}
