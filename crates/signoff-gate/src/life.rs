//! The life of an approval: what an event makes of it.

use std::time::Duration;

use signoff_model::{
    Answer, Answerer, Approval, ApprovalId, Assurance, Binding, Bound, Clock, Deviation, Digest, Manner, Reminding,
    Report, Requester, ScreenNumber, Stage, Stead, Timestamp,
};
use signoff_permit::MacKey;

use crate::{answering, redeeming};

/// So long after it was redeemed, nobody expects any more to hear what became of it. A report that comes later still counts.
pub const REPORT_WITHIN: Duration = Duration::from_secs(24 * 60 * 60);

/// Something that happens to an approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A person answers.
    Answer {
        /// Who, and where.
        by: Answerer,
        /// In whose stead they may speak beside their own.
        steads: Vec<Stead>,
        /// What they say.
        answer: Answer,
        /// The number that they have read on the screen of whoever asks.
        number: Option<ScreenNumber>,
        /// What tells the permit from every other one, should this be the yes that decides.
        nonce: Digest,
        /// The key with which the gate marks that yes as its own.
        seal: MacKey,
    },
    /// Time has passed.
    Tick,
    /// The requester no longer wants it.
    Withdraw {
        /// Who says so.
        by: Requester,
        /// Why, for the record.
        words: String,
    },
    /// Another question takes its place.
    Supersede {
        /// Which.
        by: ApprovalId,
    },
    /// The requester has stated a reason for what was refused, and another question is asked about it.
    Reopen {
        /// Who states it.
        by: Requester,
        /// The question.
        with: ApprovalId,
    },
    /// Somebody wants to run what was approved.
    Redeem {
        /// Who.
        by: Requester,
        /// The nonce of the permit that they hold.
        nonce: Digest,
        /// What tells this attempt from others. Who did not hear the answer tries again with the same one.
        attempt: Digest,
        /// What they would run, looked at right now.
        binding: Binding,
        /// What differs from what was shown, thing by thing, as far as it is known. Nothing is decided by it.
        deviations: Vec<Deviation>,
        /// The key by which the gate knows its own yes.
        seal: MacKey,
    },
    /// Somebody is to get the permit of a yes. Nothing is different by it, and a yes that is none of the gate is refused.
    Permit {
        /// Who.
        by: Requester,
        /// The key by which the gate knows its own yes.
        seal: MacKey,
    },
    /// What was run has ended.
    Report {
        /// Who says so.
        by: Requester,
        /// The nonce of the permit that they held.
        nonce: Digest,
        /// What became of it.
        report: Report,
    },
}

/// What an event has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// The event was heard, and nothing is different.
    Nothing,
    /// A yes, and so many more are needed.
    Voted {
        /// How many.
        missing: u16,
    },
    /// It is decided, and the stage says how.
    Decided,
    /// The requester may run it, now and once, in this manner.
    Redeemed(Manner),
    /// It is known what became of it.
    Reported,
    /// It stays refused, and another question asks about it once more.
    Reopened,
    /// Those who were asked are to be reminded, now and once.
    Reminded,
}

/// Why an event has not done what it was meant to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is no longer open; the stage says who decided, or what else has become of it.
    Closed,
    /// Time has run out.
    Expired(Clock),
    /// Not one of those who were asked.
    NotAsked,
    /// The agent works for this person, and another one has to look.
    OwnersWord,
    /// The channel is not sure enough of who answers.
    AssuranceTooLow {
        /// What a yes needs.
        needed: Assurance,
    },
    /// They have said so already.
    SaidBefore,
    /// That is no answer to this form of question. It stays open.
    NoAnswer,
    /// Not the text that was asked for.
    WrongInput {
        /// How often they may try again.
        tries_left: u8,
    },
    /// The changed form is graver than what was shown, or as grave where that had to be typed: it has to be asked anew.
    Riskier,
    /// No answer lifts what is blocked.
    Blocked,
    /// Several have to agree to the same, and a changed form is not what the others see.
    ChangedAlone,
    /// Not the agent and session that have asked.
    NotRequester,
    /// The permit is not the one for this approval.
    WrongPermit,
    /// Nobody has approved it.
    NotApproved,
    /// It is kept as approved, and the gate has not done that: somebody has written into the store, or an earlier version has.
    Unsealed,
    /// It has been used before.
    UsedBefore,
    /// What would run is not what was shown.
    Stale(Vec<Bound>),
    /// Nothing was redeemed that could be reported on.
    NotRedeemed,
    /// Nobody has refused it, or it was reopened before.
    NotReopenable,
    /// There is more, or less, than whoever answers has seen.
    NotSeen,
    /// A yes needs the number on the screen of whoever asks.
    NumberNeeded,
    /// Not that number.
    WrongNumber {
        /// How often anybody may try again. Where nobody may, it is refused for good.
        tries_left: u8,
    },
}

/// What comes of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the approval stands from now on, if that is another stage than before. It is kept even where the event was
    /// refused: a late answer finds out that time has run out.
    pub stage: Option<Stage>,
    /// What the event has done, or why it has not.
    pub outcome: Result<Done, Refusal>,
}

impl Step {
    pub(crate) fn to(stage: Stage, done: Done) -> Self {
        Self { stage: Some(stage), outcome: Ok(done) }
    }

    pub(crate) fn refused(refusal: Refusal) -> Self {
        Self { stage: None, outcome: Err(refusal) }
    }
}

/// What an event makes of an approval at a moment. Whoever keeps approvals makes sure that nothing happens to it between
/// reading it and keeping what comes out.
pub fn step(approval: &Approval, event: &Event, now: Timestamp) -> Step {
    if let Some(stage) = run_down(approval, now) {
        return late(approval, stage, event, now);
    }
    match event {
        Event::Tick => reminded(approval, now),
        Event::Answer { by, steads, answer, number, nonce, seal } => match &approval.stage {
            Stage::Pending { votes, misses, reminded } => {
                let (reminded, number, nonce) = (*reminded, *number, *nonce);
                answering::answer(
                    &answering::Open { approval, votes, misses, reminded, by, steads, number, nonce, seal, now },
                    answer,
                )
            }
            Stage::Expired { clock, .. } => Step::refused(Refusal::Expired(*clock)),
            _ => Step::refused(Refusal::Closed),
        },
        Event::Withdraw { by, .. } => withdraw(approval, by, now),
        Event::Supersede { by } => match &approval.stage {
            Stage::Pending { .. } => Step::to(Stage::Superseded { by: *by, at: now }, Done::Decided),
            Stage::Expired { clock, .. } => Step::refused(Refusal::Expired(*clock)),
            _ => Step::refused(Refusal::Closed),
        },
        Event::Reopen { by, with } => reopen(approval, by, *with),
        Event::Redeem { by, nonce, attempt, binding, deviations, seal } => {
            let used = redeeming::Use { nonce: *nonce, attempt: *attempt, binding, deviations, seal };
            redeeming::redeem(approval, by, used, now)
        }
        Event::Permit { by, seal } => redeeming::permit(approval, by, seal),
        Event::Report { by, nonce, report } => redeeming::report(approval, by, *nonce, report, now),
    }
}

/// The moment at which something happens to an approval by itself, if nothing else happens first.
pub fn next_deadline(approval: &Approval) -> Option<Timestamp> {
    match &approval.stage {
        Stage::Pending { .. } => {
            let end = approval.asked.after(approval.terms.decide_within);
            Some(reminds_at(approval).unwrap_or(end))
        }
        Stage::Approved(consent) => Some(consent.until),
        Stage::Redeemed { at, .. } => Some(at.after(REPORT_WITHIN)),
        Stage::Denied { .. }
        | Stage::Expired { .. }
        | Stage::Withdrawn { .. }
        | Stage::Superseded { .. }
        | Stage::Reported { .. }
        | Stage::Unknown { .. }
        | Stage::Stale { .. } => None,
    }
}

/// When those who were asked are to be reminded, where they are to and have not been: once somebody may be disturbed, and only
/// as long as there is something to decide. Quiet hours hold it back, and change nothing else.
pub fn reminds_at(approval: &Approval) -> Option<Timestamp> {
    let Stage::Pending { reminded: None, .. } = approval.stage else { return None };
    let Reminding { after, quiet } = approval.terms.reminding?;
    let due = approval.asked.after(after);
    let due = quiet.map_or(due, |quiet| quiet.over(due));
    (due < approval.asked.after(approval.terms.decide_within)).then_some(due)
}

/// Time has passed, and it is still open.
fn reminded(approval: &Approval, now: Timestamp) -> Step {
    match (&approval.stage, reminds_at(approval)) {
        (Stage::Pending { votes, misses, .. }, Some(due)) if now >= due => {
            let (votes, misses) = (votes.clone(), misses.clone());
            Step::to(Stage::Pending { votes, misses, reminded: Some(now) }, Done::Reminded)
        }
        _ => Step { stage: None, outcome: Ok(Done::Nothing) },
    }
}

/// Where an approval stands by the passing of time alone.
fn run_down(approval: &Approval, now: Timestamp) -> Option<Stage> {
    let end = match &approval.stage {
        // Whoever was to be reminded and was not has no more time for that.
        Stage::Pending { .. } => approval.asked.after(approval.terms.decide_within),
        _ => next_deadline(approval)?,
    };
    if now < end {
        return None;
    }
    match &approval.stage {
        Stage::Pending { .. } => Some(Stage::Expired { clock: Clock::Decide, consent: None, at: now }),
        Stage::Approved(consent) => Some(Stage::Expired { clock: Clock::Run, consent: Some(consent.clone()), at: now }),
        Stage::Redeemed { consent, .. } => Some(Stage::Unknown { consent: consent.clone(), at: now }),
        _ => None,
    }
}

/// An event that meets an approval whose time has run out: the approval ends first, and then the event is heard.
fn late(approval: &Approval, stage: Stage, event: &Event, now: Timestamp) -> Step {
    let ended = Approval { stage, ..approval.clone() };
    let heard = step(&ended, event, now);
    Step { stage: Some(heard.stage.unwrap_or(ended.stage)), outcome: heard.outcome }
}

/// A refusal stays one. That somebody asks about it once more is noted there, so that nobody does a second time, neither with
/// this question nor with the one that comes from it.
fn reopen(approval: &Approval, by: &Requester, with: ApprovalId) -> Step {
    if !redeeming::is_requester(approval, by) {
        return Step::refused(Refusal::NotRequester);
    }
    match &approval.stage {
        Stage::Denied { by, at, words, reopened: None } if approval.question.origin.is_none() => {
            let (by, words) = (by.clone(), words.clone());
            Step::to(Stage::Denied { by, at: *at, words, reopened: Some(with) }, Done::Reopened)
        }
        Stage::Expired { clock, .. } => Step::refused(Refusal::Expired(*clock)),
        _ => Step::refused(Refusal::NotReopenable),
    }
}

fn withdraw(approval: &Approval, by: &Requester, now: Timestamp) -> Step {
    if !redeeming::is_requester(approval, by) {
        return Step::refused(Refusal::NotRequester);
    }
    match &approval.stage {
        // Once it is decided, all are told the same; who does not want a yes any more does not use it.
        Stage::Pending { .. } => Step::to(Stage::Withdrawn { at: now }, Done::Decided),
        // Who says the same again is not wrong.
        Stage::Withdrawn { .. } => Step { stage: None, outcome: Ok(Done::Nothing) },
        Stage::Expired { clock, .. } => Step::refused(Refusal::Expired(*clock)),
        _ => Step::refused(Refusal::Closed),
    }
}
