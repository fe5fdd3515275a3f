//! What the ledger says of a step.

use signoff_model::{Actor, Answer, Approval, Clock, Deed, Report, Stage};

use crate::{Event, Refusal, Step};

/// What is written when a question is asked.
pub fn of_question(approval: &Approval) -> Deed {
    let question = &approval.question;
    Deed {
        what: "asked",
        by: Actor::Agent(approval.requester.clone()),
        approval: Some(approval.id),
        details: vec![
            ("operation", question.binding.operation.to_string()),
            ("preview", question.binding.preview.to_string()),
            ("policy", question.binding.policy.to_string()),
            ("directory", question.directory.clone()),
            ("risk", question.risk.name().to_owned()),
        ],
    }
}

/// What is written of an event: every change, and every answer and use that was refused. An event that did nothing leaves no
/// trace.
pub fn of_step(approval: &Approval, event: &Event, step: &Step) -> Option<Deed> {
    let refused = step.outcome.as_ref().err();
    if step.stage.is_none() && (refused.is_none() || matches!(event, Event::Tick)) {
        return None;
    }
    let (what, by) = match event {
        Event::Answer { by, .. } => ("answered", Actor::Person(by.clone())),
        Event::Tick => ("ran-out", Actor::Gate),
        Event::Withdraw { by } => ("withdrawn", Actor::Agent(by.clone())),
        Event::Supersede { .. } => ("superseded", Actor::Gate),
        Event::Redeem { by, .. } => ("redeemed", Actor::Agent(by.clone())),
        Event::Report { by, .. } => ("reported", Actor::Agent(by.clone())),
    };
    let stage = step.stage.as_ref().unwrap_or(&approval.stage);
    let mut details = vec![("stage", stage.name().to_owned())];
    match event {
        Event::Answer { answer, .. } => details.extend(said(answer)),
        Event::Supersede { by } => details.push(("by", by.to_string())),
        Event::Redeem { binding, .. } => {
            details.push(("operation", binding.operation.to_string()));
            details.push(("preview", binding.preview.to_string()));
            details.push(("policy", binding.policy.to_string()));
        }
        Event::Report { report: Report::Failed(words), .. } => details.push(("words", words.clone())),
        Event::Report { report: Report::Executed, .. } | Event::Tick | Event::Withdraw { .. } => {}
    }
    if let Stage::Expired { clock, .. } = stage {
        details.push(("clock", name_of(*clock).to_owned()));
    }
    if let Some(refusal) = refused {
        details.push(("refused", refusal.name().to_owned()));
    }
    Some(Deed { what, by, approval: Some(approval.id), details })
}

/// An answer by its kind. What was typed is not written down: a guess may be somebody's password in the wrong window.
fn said(answer: &Answer) -> Vec<(&'static str, String)> {
    match answer {
        Answer::Approve => vec![("answer", "approve".to_owned())],
        Answer::Deny(words) => vec![("answer", "deny".to_owned()), ("words", words.clone())],
        Answer::Choose(choice) => vec![("answer", "choose".to_owned()), ("choice", choice.name().to_owned())],
        Answer::Input(_) => vec![("answer", "input".to_owned())],
        Answer::Modify(new) => vec![
            ("answer", "modify".to_owned()),
            ("operation", new.binding.operation.to_string()),
            ("risk", new.risk.name().to_owned()),
        ],
    }
}

const fn name_of(clock: Clock) -> &'static str {
    match clock {
        Clock::Decide => "decide",
        Clock::Run => "run",
    }
}

impl Refusal {
    /// The stable name used on the wire and in the ledger.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Expired(_) => "expired",
            Self::NotAsked => "not-asked",
            Self::OwnersWord => "owners-word",
            Self::AssuranceTooLow { .. } => "assurance-too-low",
            Self::SaidBefore => "said-before",
            Self::NoAnswer => "no-answer",
            Self::WrongInput { .. } => "wrong-input",
            Self::Riskier => "riskier",
            Self::Blocked => "blocked",
            Self::ChangedAlone => "changed-alone",
            Self::NotRequester => "not-requester",
            Self::WrongPermit => "wrong-permit",
            Self::NotApproved => "not-approved",
            Self::UsedBefore => "used-before",
            Self::Stale(_) => "stale",
            Self::NotRedeemed => "not-redeemed",
        }
    }
}
