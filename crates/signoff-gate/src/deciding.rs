//! What becomes of something that a door wants done: it may run, it must not, or people are asked.

use signoff_model::{
    Actor, Deed, Digest, Form, GrantId, Operation, Question, RequestKey, Requester, Sight, Timestamp, Verdict,
};

use crate::{
    Gate, GateError, Request, answering,
    eyes::{Seen, Sought},
    judging::Judged,
    redaction::Redacted,
};

/// Something that a door wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// What the requester calls it: who comes again after a crash finds the same question.
    pub key: RequestKey,
    /// Who asks.
    pub requester: Requester,
    /// What would be done.
    pub operation: Operation,
    /// Where.
    pub directory: String,
    /// What is looked at beside its text.
    pub sight: Sight,
    /// What was asked for, in the user's words.
    pub intent: Option<String>,
    /// What whoever runs it says about what surrounds it there.
    pub surroundings: Digest,
}

/// What becomes of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Decided {
    /// It may run.
    Allowed {
        /// What would happen.
        judged: Box<Judged>,
        /// The grant without which people would have been asked.
        grant: Option<GrantId>,
    },
    /// It must not run, and nobody is asked.
    Blocked(Box<Judged>),
    /// People are asked.
    Asked {
        /// What would happen, as it was seen now.
        judged: Box<Judged>,
        /// The question.
        approval: signoff_model::ApprovalId,
        /// Until when they may answer.
        until: Timestamp,
        /// Whether the word of the person for whom the agent works is enough, at a terminal of their own.
        owner_decides: bool,
    },
}

impl Gate {
    /// Decides about something that a door wants done. Every decision is in the ledger before anybody hears of it.
    ///
    /// # Errors
    ///
    /// When it cannot be looked at, kept, or answered by anybody: then nothing runs.
    pub async fn decide(&self, wish: Wish) -> Result<Decided, GateError> {
        let Wish { key, requester, operation, directory, sight, intent, surroundings } = wish;
        let sought = Sought { operation, directory, sight, intent: intent.clone(), surroundings };
        let seen = self.eyes().look(sought).await?;
        if seen.judged.judgement.decision.verdict() == Verdict::Ask
            && let Some((grant, judgement)) = self.granted(&seen, &requester, sight).await?
        {
            let judged = Box::new(Judged { judgement, ..seen.judged });
            return Ok(Decided::Allowed { judged, grant: Some(grant) });
        }
        let Seen { judged, binding, directory, project, card, asking, policy: _ } = seen;
        let risk = judged.assessment.effective_risk();
        let form = match judged.judgement.decision.verdict() {
            Verdict::Ask => Form::of(&judged.judgement.decision),
            verdict @ (Verdict::Allow | Verdict::Block) => {
                let what = if verdict == Verdict::Allow { "allowed" } else { "blocked" };
                let rules: Vec<&str> = judged.assessment.reasons.iter().map(|reason| reason.rule.as_str()).collect();
                let mut details = vec![
                    ("operation", binding.operation.to_string()),
                    ("policy", binding.policy.to_string()),
                    ("directory", directory),
                    ("risk", risk.name().to_owned()),
                    ("rules", rules.join(" ")),
                ];
                details.extend(Redacted::of(&judged.operation).details());
                let deed = Deed { what, by: Actor::Agent(requester), approval: None, details };
                self.store().record(vec![deed]).await?;
                let judged = Box::new(judged);
                return Ok(if verdict == Verdict::Allow {
                    Decided::Allowed { judged, grant: None }
                } else {
                    Decided::Blocked(judged)
                });
            }
        };
        // A decision that asks has a form; without one, nobody could answer.
        let form = form.ok_or(GateError::NobodyToAsk)?;
        let terms = asking.terms(&requester);
        let operation = judged.operation.clone();
        let question =
            Question { operation, directory, project, risk, form, binding, sight, intent, surroundings, card };
        let approval = self.ask(Request { key, requester, question, terms }).await?;
        let until = approval.asked.after(approval.terms.decide_within);
        let owner_decides = answering::owner_decides(&approval);
        Ok(Decided::Asked { judged: Box::new(judged), approval: approval.id, until, owner_decides })
    }
}
