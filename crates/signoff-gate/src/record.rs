//! What the ledger says of a step.

use signoff_model::{
    Actor, Answer, Answerer, Approval, ApprovalId, Bounds, Clock, Deed, Grant, Origin, PersonId, Reach, Report,
    Requester, Stage,
};

use crate::{Done, Event, Refusal, Seen, Step, answering, deviating, judging::Judged, redaction::Redacted};

/// What is written when a question is asked.
pub fn of_question(approval: &Approval) -> Deed {
    let question = &approval.question;
    let mut details = vec![
        ("operation", question.binding.operation.to_string()),
        ("preview", question.binding.preview.to_string()),
        ("policy", question.binding.policy.to_string()),
        ("directory", question.directory.clone()),
        ("risk", question.risk.name().to_owned()),
    ];
    details.extend((!question.rules.is_empty()).then(|| ("rules", question.rules.join(" "))));
    // Whoever reads the ledger later can tell from it how many had to agree.
    details.extend((approval.terms.quorum > 1).then(|| ("quorum", approval.terms.quorum.to_string())));
    details.extend(Redacted::of(&question.operation).details());
    details.extend(question.batch.map(|batch| ("batch", batch.to_string())));
    // What comes with the same yes is told by what tells it from everything else.
    let steps: Vec<String> = question.steps.iter().map(|step| step.bound.to_string()).collect();
    details.extend((!steps.is_empty()).then(|| ("steps", steps.join(" "))));
    let by = match &question.origin {
        None => Actor::Agent(approval.requester.clone()),
        Some(Origin::Changed { from, by }) => {
            details.push(("instead-of", from.to_string()));
            Actor::Person(by.clone())
        }
        Some(Origin::Reopened { from, refused_by, words: _, reason }) => {
            details.extend([("reopens", from.to_string()), ("refused-by", refused_by.to_string())]);
            details.extend(redacted("reason", reason));
            Actor::Agent(approval.requester.clone())
        }
    };
    Deed { what: "asked", by, approval: Some(approval.id), details }
}

/// What is written when a grant is given, to a question or by itself. An exact operation may hold secrets, and is named by its
/// digest.
pub fn of_grant(grant: &Grant, to: Option<ApprovalId>) -> Deed {
    let Bounds { until, uses, session, project, agent } = &grant.bounds;
    let mut details = vec![
        ("grant", grant.id.to_string()),
        ("kind", grant.reach.name().to_owned()),
        ("covers", grant.covers.name().to_owned()),
        ("until", until.millis().to_string()),
    ];
    match &grant.reach {
        Reach::Exact { directory, bound, shown, plan, .. } => {
            details.extend([("operation", bound.to_string()), ("directory", directory.clone())]);
            details.push(("loses-files", shown.total.files.to_string()));
            details.extend(plan.map(|plan| ("plan", plan.to_string())));
        }
        Reach::Pattern { command, paths } => {
            details.push(("pattern", command.clone()));
            details.extend((!paths.is_empty()).then(|| ("paths", paths.join(" "))));
        }
    }
    details.extend(uses.map(|uses| ("uses", uses.to_string())));
    details.extend(session.as_ref().map(|session| ("session", session.to_string())));
    details.extend(project.as_ref().map(|project| ("project", project.clone())));
    details.extend(agent.as_ref().map(|agent| ("agent", agent.to_string())));
    Deed { what: "grant-made", by: Actor::Person(grant.by.clone()), approval: to, details }
}

/// What was judged, in words for the ledger.
pub fn judged(judged: &Judged, directory: &str) -> Vec<(&'static str, String)> {
    vec![
        ("directory", directory.to_owned()),
        ("risk", judged.assessment.effective_risk().name().to_owned()),
        ("rules", judged.rules().join(" ")),
    ]
}

/// What is written of a decision that nobody was asked about.
pub(crate) fn of_decision(
    what: &'static str,
    seen: &Seen,
    requester: Requester,
    more: Option<(&'static str, String)>,
) -> Deed {
    let mut details =
        vec![("operation", seen.binding.operation.to_string()), ("policy", seen.binding.policy.to_string())];
    details.extend(judged(&seen.judged, &seen.directory));
    details.extend(more);
    details.extend(Redacted::of(&seen.judged.operation).details());
    Deed { what, by: Actor::Agent(requester), approval: None, details }
}

/// What is written when a grant has answered a question that nobody was asked.
pub fn of_grant_used(grant: &Grant, seen: &Seen, requester: &Requester) -> Deed {
    let left = grant.used().and_then(|grant| grant.bounds.uses);
    let mut details = vec![
        ("grant", grant.id.to_string()),
        ("made-by", grant.by.person.to_string()),
        ("operation", seen.binding.operation.to_string()),
        ("policy", seen.binding.policy.to_string()),
    ];
    details.extend(judged(&seen.judged, &seen.directory));
    details.extend(grant.bounds.uses.map(|_| ("left", left.unwrap_or_default().to_string())));
    Deed { what: "grant-used", by: Actor::Agent(requester.clone()), approval: None, details }
}

/// What is written when a grant is taken back, or has run out, which nobody does.
pub fn of_grant_ended(name: &str, by: Option<Answerer>) -> Deed {
    let (what, by) = match by {
        Some(by) => ("grant-revoked", Actor::Person(by)),
        None => ("grant-expired", Actor::Gate),
    };
    Deed { what, by, approval: None, details: vec![("grant", name.to_owned())] }
}

/// What is written when a grant lies in the store that the gate has not put there. It is taken away, and nothing runs by it.
pub fn of_grant_unsealed(name: &str) -> Deed {
    Deed { what: "grant-unsealed", by: Actor::Gate, approval: None, details: vec![("grant", name.to_owned())] }
}

/// So many refusals are written of one approval that changed nothing. Otherwise whoever is refused could fill the disk with it.
pub const REFUSALS_AT_MOST: u32 = 16;

/// Whether an event was refused and has changed nothing: whoever keeps the ledger counts how many of these it has written.
pub const fn is_mere_refusal(step: &Step) -> bool {
    step.stage.is_none() && step.outcome.is_err()
}

/// What is written of an event: every change, and the first answers and uses that were refused, where `refusals` is how many of
/// these are written already. An event that did nothing leaves no trace.
pub fn of_step(approval: &Approval, event: &Event, step: &Step, refusals: u32) -> Option<Deed> {
    let refused = step.outcome.as_ref().err();
    if step.stage.is_none() && (refused.is_none() || matches!(event, Event::Tick)) {
        return None;
    }
    if is_mere_refusal(step) && refusals >= REFUSALS_AT_MOST {
        return None;
    }
    // What was refused is not called by what it would have done.
    let (done, not_done, by) = match event {
        Event::Answer { by, .. } => ("answered", "answer-refused", Actor::Person(by.clone())),
        Event::Tick if step.outcome == Ok(Done::Reminded) => ("reminded", "reminded", Actor::Gate),
        Event::Tick => ("ran-out", "ran-out", Actor::Gate),
        Event::Withdraw { by, .. } => ("withdrawn", "withdrawal-refused", Actor::Agent(by.clone())),
        Event::Supersede { .. } => ("superseded", "superseding-refused", Actor::Gate),
        Event::Reopen { by, .. } => ("reopened", "reopening-refused", Actor::Agent(by.clone())),
        Event::Redeem { by, .. } => ("redeemed", "redemption-refused", Actor::Agent(by.clone())),
        Event::Permit { by, .. } => ("permitted", "permit-refused", Actor::Agent(by.clone())),
        Event::Report { by, .. } => ("reported", "report-refused", Actor::Agent(by.clone())),
    };
    let what = if refused.is_some() { not_done } else { done };
    let stage = step.stage.as_ref().unwrap_or(&approval.stage);
    let mut details = vec![("stage", stage.name().to_owned())];
    match event {
        Event::Answer { by, steads, answer, .. } => {
            details.extend(said(answer));
            let stead = voted_for(stage, by).or_else(|| answering::speaks_for(approval, by, steads));
            details.extend(stead.map(|person| ("stead", person.to_string())));
        }
        Event::Supersede { by } => details.push(("by", by.to_string())),
        Event::Reopen { with, .. } => details.push(("with", with.to_string())),
        Event::Redeem { binding, .. } => {
            details.push(("operation", binding.operation.to_string()));
            details.push(("preview", binding.preview.to_string()));
            details.push(("policy", binding.policy.to_string()));
        }
        Event::Report { report: Report::Failed(words), .. } => details.extend(words_of(words)),
        Event::Withdraw { words, .. } if !words.is_empty() => details.extend(words_of(words)),
        Event::Report { report: Report::Executed, .. }
        | Event::Permit { .. }
        | Event::Tick
        | Event::Withdraw { .. } => {}
    }
    if let (Stage::Pending { reminded: Some(now), .. }, Ok(Done::Reminded)) = (stage, &step.outcome) {
        let awaited: Vec<&str> = answering::awaited(approval, *now).into_iter().map(PersonId::as_str).collect();
        details.push(("of", awaited.join(", ")));
        details.push(("risk", approval.question.risk.name().to_owned()));
    }
    if let (Stage::Stale { deviations, .. }, Some(_)) = (stage, &step.stage) {
        let told: Vec<String> = deviations.iter().map(deviating::told).collect();
        details.extend((!told.is_empty()).then(|| redacted("differs", &told.join("; "))).into_iter().flatten());
    }
    if let Stage::Expired { clock, .. } = stage {
        details.push(("clock", name_of(*clock).to_owned()));
    }
    if let Some(refusal) = refused {
        details.push(("refused", refusal.name().to_owned()));
    }
    if is_mere_refusal(step) && refusals + 1 == REFUSALS_AT_MOST {
        details.push(("further", "not-written".to_owned()));
    }
    Some(Deed { what, by, approval: Some(approval.id), details })
}

/// In whose stead somebody has said yes.
fn voted_for<'s>(stage: &'s Stage, by: &Answerer) -> Option<&'s PersonId> {
    let votes = match stage {
        Stage::Pending { votes, .. } => votes.as_slice(),
        other => other.consent().map_or(&[][..], |consent| consent.votes.as_slice()),
    };
    votes.iter().rev().find(|vote| vote.by == *by)?.stead.as_ref()
}

/// An answer by its kind. What was typed is not written down: a guess may be somebody's password in the wrong window.
fn said(answer: &Answer) -> Vec<(&'static str, String)> {
    match answer {
        Answer::Approve => vec![("answer", "approve".to_owned())],
        Answer::Deny(words) => {
            let mut said = vec![("answer", "deny".to_owned())];
            said.extend(words_of(words));
            said
        }
        Answer::Choose(choice) => vec![("answer", "choose".to_owned()), ("choice", choice.name().to_owned())],
        Answer::Input(_) => vec![("answer", "input".to_owned())],
        Answer::Modify(new) => {
            let mut said = vec![
                ("answer", "modify".to_owned()),
                ("operation", new.binding.operation.to_string()),
                ("risk", new.risk.name().to_owned()),
            ];
            said.extend(Redacted::of(&new.operation).details());
            said
        }
    }
}

/// The words of somebody: what an executor says may be what a command has printed.
fn words_of(words: &str) -> Vec<(&'static str, String)> {
    redacted("words", words)
}

fn redacted(name: &'static str, words: &str) -> Vec<(&'static str, String)> {
    let Redacted { text, masked, cut } = Redacted::of_text(words);
    let mut told = vec![(name, text)];
    if masked > 0 {
        told.push(("masked", masked.to_string()));
    }
    if cut > 0 {
        told.push(("cut", cut.to_string()));
    }
    told
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
            Self::Unsealed => "unsealed",
            Self::UsedBefore => "used-before",
            Self::Stale(_) => "stale",
            Self::NotRedeemed => "not-redeemed",
            Self::NotReopenable => "not-reopenable",
            Self::NotSeen => "not-seen",
            Self::NumberNeeded => "number-needed",
            Self::WrongNumber { .. } => "wrong-number",
        }
    }
}
