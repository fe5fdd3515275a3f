//! What an agent is told about what it wants to do.

use serde::Serialize;
use signoff_card::{Language, in_words, reason_message};
use signoff_gate::{Outcome, judging::Judged};
use signoff_model::{ApprovalId, Decision, GrantId, Manner, Timestamp};
use utoipa::ToSchema;

use super::operation::WireOperation;

/// What becomes of an operation.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireVerdict {
    /// allow, ask or block.
    verdict: &'static str,
    /// The decision by its full name.
    decision: &'static str,
    /// none, low, medium, high or critical.
    risk: &'static str,
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
    /// The standing permission without which people would have been asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    grant: Option<String>,
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
    pub(crate) fn new(judged: &Judged, asked: Option<(ApprovalId, Timestamp, bool)>) -> Self {
        let Judged { operation, assessment, judgement } = judged;
        let words = in_words(judgement, assessment, &operation.text(), Language::English);
        let reason = match words {
            Decision::ExecuteDirectly => String::new(),
            Decision::RequireConfirmation { reason, .. } | Decision::Reject { reason, .. } => reason,
            Decision::RequireChoice { question, .. } => question,
            Decision::RequireInput { prompt, .. } => prompt,
        };
        let reasons = assessment.reasons.iter().map(|reason| WireReason {
            rule: reason.rule.to_string(),
            message: reason_message(reason, assessment, Language::English),
            span: [reason.span.start, reason.span.end],
        });
        Self {
            verdict: judgement.decision.verdict().name(),
            decision: judgement.decision.name(),
            risk: assessment.effective_risk().name(),
            reason,
            reasons: reasons.collect(),
            safer: assessment.safer.iter().map(|safer| safer.command.clone()).collect(),
            approval: asked.map(|(id, ..)| id.to_string()),
            until: asked.map(|(_, until, _)| until.millis()),
            owner_decides: asked.map(|(.., owner_decides)| owner_decides),
            grant: None,
        }
    }

    /// The same with the grant that it rests on.
    pub(crate) fn by(self, grant: Option<GrantId>) -> Self {
        Self { grant: grant.map(|id| id.to_string()), ..self }
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
        manner: &'static str,
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
    },
    /// Nobody decided in time, or it was not run in time. That is not a no.
    Expired {
        /// decide, or run.
        clock: &'static str,
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
    Stale,
}

impl From<Outcome> for WireOutcome {
    fn from(outcome: Outcome) -> Self {
        use signoff_model::Clock;
        match outcome {
            Outcome::Open { until } => Self::Pending { until: until.millis() },
            Outcome::Approved { permit, manner, modified, until } => Self::Approved {
                permit: permit.text().to_owned(),
                manner: manner_name(manner),
                modified: modified.map(|modified| (&modified.operation).into()),
                until: until.millis(),
            },
            Outcome::Denied { by, words } => Self::Denied { by: by.to_string(), words },
            Outcome::Expired(Clock::Decide) => Self::Expired { clock: "decide" },
            Outcome::Expired(Clock::Run) => Self::Expired { clock: "run" },
            Outcome::Withdrawn => Self::Withdrawn,
            Outcome::Superseded(by) => Self::Superseded { by: by.to_string() },
            Outcome::Redeemed => Self::Redeemed,
            Outcome::Executed => Self::Executed,
            Outcome::Failed(words) => Self::Failed { words },
            Outcome::Unknown => Self::Unknown,
            Outcome::Stale => Self::Stale,
        }
    }
}

pub(crate) const fn manner_name(manner: Manner) -> &'static str {
    match manner {
        Manner::AsShown => "as-shown",
        Manner::BackUpFirst => "back-up-first",
    }
}
