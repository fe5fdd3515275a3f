//! What an agent is told about what it wants to do.

use serde::Serialize;
use signoff_card::{Language, in_words, reason_message};
use signoff_gate::{Order, Outcome, Spared, judging::Judged};
use signoff_model::{ApprovalId, Bound, Decision, PersonId, ScreenNumber, Timestamp};
use utoipa::ToSchema;

use super::{
    deviation::WireDeviation,
    names::{ClockName, DecisionName, MannerName, RiskName, VerdictName},
    operation::WireOperation,
};

/// What becomes of an operation.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireVerdict {
    /// allow, ask or block.
    verdict: VerdictName,
    /// The decision by its full name.
    decision: DecisionName,
    /// none, low, medium, high or critical.
    risk: RiskName,
    /// Why, in words for the agent.
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    /// The rules that spoke.
    reasons: Vec<WireReason>,
    /// Other ways to the same end.
    safer: Vec<String>,
    /// The question to people, where they are asked: wait for it under `/v1/requests/{id}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<String>,
    /// Until when they may answer, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<i64>,
    /// Whether the word of the person for whom the agent works is enough, at a terminal of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    owner_decides: Option<bool>,
    /// Show it on your screen, to the person in front of it: whoever says yes has to type it.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<String>,
    /// Whether anybody is there who may answer. Where nobody is, the question stays open until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    attended: Option<bool>,
    /// The standing permission without which people would have been asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    grant: Option<String>,
    /// Who has stopped the questions for a while, where somebody would have been asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    paused_by: Option<String>,
    /// Until when, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    paused_until: Option<i64>,
    /// Who has locked down whatever is not harmless.
    #[serde(skip_serializing_if = "Option::is_none")]
    locked_down_by: Option<String>,
}

/// A rule that spoke.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireReason {
    /// Its name.
    rule: String,
    /// What it says.
    message: String,
    /// The part of the text that it is about, in bytes.
    span: [usize; 2],
}

impl WireVerdict {
    pub(crate) fn new(judged: &Judged, asked: Option<(ApprovalId, Timestamp, bool)>, language: Language) -> Self {
        let Judged { operation, assessment, judgement } = judged;
        let words = in_words(judgement, assessment, &operation.text(), language);
        let reason = match words {
            Decision::ExecuteDirectly => String::new(),
            Decision::RequireConfirmation { reason, .. } | Decision::Reject { reason, .. } => reason,
            Decision::RequireChoice { question, .. } => question,
            Decision::RequireInput { prompt, .. } => prompt,
        };
        let reasons = assessment.reasons.iter().map(|reason| WireReason {
            rule: reason.rule.to_string(),
            message: reason_message(reason, assessment, language),
            span: [reason.span.start, reason.span.end],
        });
        Self {
            verdict: judgement.decision.verdict().into(),
            decision: (&judgement.decision).into(),
            risk: assessment.effective_risk().into(),
            reason,
            reasons: reasons.collect(),
            safer: assessment.safer.iter().map(|safer| safer.command.clone()).collect(),
            approval: asked.map(|(id, ..)| id.to_string()),
            until: asked.map(|(_, until, _)| until.millis()),
            owner_decides: asked.map(|(.., owner_decides)| owner_decides),
            number: None,
            attended: None,
            grant: None,
            paused_by: None,
            paused_until: None,
            locked_down_by: None,
        }
    }

    /// The same with whether anybody is there to answer.
    pub(crate) fn attended(self, attended: bool) -> Self {
        Self { attended: Some(attended), ..self }
    }

    /// The same with what the requester shows on its screen.
    pub(crate) fn showing(self, number: Option<ScreenNumber>) -> Self {
        Self { number: number.map(|number| number.to_string()), ..self }
    }

    /// The same, allowed for this.
    pub(crate) fn spared(self, spared: Option<Spared>) -> Self {
        match spared {
            None => self,
            Some(Spared::By(grant)) => Self { grant: Some(grant.to_string()), ..self },
            Some(Spared::Paused(Order { by, until })) => Self {
                verdict: VerdictName::Allow,
                decision: DecisionName::ExecuteDirectly,
                reason: String::new(),
                paused_by: Some(by.to_string()),
                paused_until: until.map(|until| until.millis()),
                ..self
            },
        }
    }

    /// The same, blocked because somebody has locked everything down.
    pub(crate) fn locked_down(self, by: &PersonId, language: Language) -> Self {
        Self {
            verdict: VerdictName::Block,
            decision: DecisionName::Reject,
            reason: match language {
                Language::English => {
                    format!("{by} has locked down everything that is not harmless; a person has to lift that")
                }
                Language::Chinese => format!("{by} 已锁定一切非无害操作；须由人解除"),
            },
            locked_down_by: Some(by.to_string()),
            ..self
        }
    }
}

/// What has become of a question.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub(crate) enum WireOutcome {
    /// Nobody has decided yet.
    Pending {
        /// Until when they may, in milliseconds since 1970.
        until: i64,
    },
    /// It may run once, after its permit was redeemed.
    Approved {
        /// What has to be redeemed.
        permit: String,
        /// as-shown, or back-up-first.
        manner: MannerName,
        /// The changed form that may run instead of what was asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        modified: Option<WireOperation>,
        /// Until when, in milliseconds since 1970.
        until: i64,
    },
    /// A person said no.
    Denied {
        /// Who.
        by: String,
        /// Words for the agent.
        words: String,
        /// The question that has reopened it; none where nobody has stated a reason.
        #[serde(skip_serializing_if = "Option::is_none")]
        reopened: Option<String>,
    },
    /// Nobody decided in time, or it was not run in time. That is not a no.
    Expired {
        /// decide, or run.
        clock: ClockName,
    },
    /// The agent took it back.
    Withdrawn,
    /// Another question has taken its place.
    Superseded {
        /// Which.
        by: String,
    },
    /// It was redeemed before, and what became of it is not known yet.
    Redeemed,
    /// It was run, and ended well.
    Executed,
    /// It was run, and failed.
    Failed {
        /// What the executor says of it.
        words: String,
    },
    /// It was redeemed, and nobody ever said what became of it.
    Unknown,
    /// It was approved, and then it was no longer what was shown.
    Stale {
        /// What differs: operation, preview, policy.
        differs: Vec<&'static str>,
        /// The same thing by thing, as far as it is known.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        differences: Vec<WireDeviation>,
    },
}

impl WireOutcome {
    /// What has become of it, in words of a language where it has words of ours.
    pub(crate) fn told(outcome: Outcome, language: Language) -> Self {
        match outcome {
            Outcome::Open { until } => Self::Pending { until: until.millis() },
            Outcome::Approved { permit, manner, changed, until } => Self::Approved {
                permit: permit.text().to_owned(),
                manner: manner.into(),
                modified: changed.map(|changed| (&*changed).into()),
                until: until.millis(),
            },
            Outcome::Denied { by, words, reopened } => {
                Self::Denied { by: by.to_string(), words, reopened: reopened.map(|id| id.to_string()) }
            }
            Outcome::Expired(clock) => Self::Expired { clock: clock.into() },
            Outcome::Withdrawn => Self::Withdrawn,
            Outcome::Superseded(by) => Self::Superseded { by: by.to_string() },
            Outcome::Redeemed => Self::Redeemed,
            Outcome::Executed => Self::Executed,
            Outcome::Failed(words) => Self::Failed { words },
            Outcome::Unknown => Self::Unknown,
            Outcome::Stale { differing, deviations } => Self::Stale {
                differs: differing.into_iter().map(Bound::name).collect(),
                differences: WireDeviation::all(&deviations, language),
            },
        }
    }
}
