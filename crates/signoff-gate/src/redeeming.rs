//! From a yes to what runs, once.

use signoff_model::{Approval, Binding, Deviation, Digest, Report, Requester, Stage, Timestamp};

use signoff_permit::MacKey;

use crate::{
    life::{Done, Refusal, Step},
    sealing::{self, Used},
};

/// What somebody holds and would run.
pub(crate) struct Use<'a> {
    pub(crate) nonce: Digest,
    pub(crate) attempt: Digest,
    pub(crate) binding: &'a Binding,
    pub(crate) deviations: &'a [Deviation],
    pub(crate) seal: &'a MacKey,
}

/// Whether this is the agent, in the session, that has asked.
pub(crate) fn is_requester(approval: &Approval, by: &Requester) -> bool {
    approval.requester == *by
}

pub(crate) fn redeem(approval: &Approval, by: &Requester, used: Use<'_>, now: Timestamp) -> Step {
    if !is_requester(approval, by) {
        return Step::refused(Refusal::NotRequester);
    }
    let consent = match &approval.stage {
        Stage::Approved(consent) => consent,
        // The answer to this very attempt was lost on the way: it is the same yes, and not another one.
        Stage::Redeemed { consent, attempt, at } if *attempt == used.attempt && consent.nonce == used.nonce => {
            if !sealing::is_sealed(approval, consent, Used::By(*attempt, *at), used.seal) {
                return Step::refused(Refusal::Unsealed);
            }
            return Step { stage: None, outcome: Ok(Done::Redeemed(consent.manner)) };
        }
        Stage::Pending { .. } | Stage::Denied { .. } => return Step::refused(Refusal::NotApproved),
        Stage::Withdrawn { .. } | Stage::Superseded { .. } => return Step::refused(Refusal::Closed),
        Stage::Expired { clock, .. } => return Step::refused(Refusal::Expired(*clock)),
        Stage::Stale { differing, .. } => return Step::refused(Refusal::Stale(differing.clone())),
        Stage::Redeemed { .. } | Stage::Reported { .. } | Stage::Unknown { .. } => {
            return Step::refused(Refusal::UsedBefore);
        }
    };
    if consent.nonce != used.nonce {
        return Step::refused(Refusal::WrongPermit);
    }
    // The permit is the gate's, and may be of a yes that ran out or was used: what is kept has to be the gate's as well.
    if !sealing::is_sealed(approval, consent, Used::NotYet, used.seal) {
        return Step::refused(Refusal::Unsealed);
    }
    let agreed = consent.modified.as_ref().map_or(&approval.question.binding, |modified| &modified.binding);
    let differing = agreed.differing(used.binding);
    if !differing.is_empty() {
        let (consent, deviations) = (consent.clone(), used.deviations.to_vec());
        let stage = Stage::Stale { consent, differing: differing.clone(), deviations, at: now };
        return Step { stage: Some(stage), outcome: Err(Refusal::Stale(differing)) };
    }
    let manner = consent.manner;
    let consent = sealing::sealed(approval, consent.clone(), Used::By(used.attempt, now), used.seal);
    Step::to(Stage::Redeemed { consent, attempt: used.attempt, at: now }, Done::Redeemed(manner))
}

/// Whether the permit of a yes can be handed out. Nothing is different by it.
pub(crate) fn permit(approval: &Approval, by: &Requester, seal: &MacKey) -> Step {
    if !is_requester(approval, by) {
        return Step::refused(Refusal::NotRequester);
    }
    match &approval.stage {
        Stage::Approved(consent) if !sealing::is_sealed(approval, consent, Used::NotYet, seal) => {
            Step::refused(Refusal::Unsealed)
        }
        _ => Step { stage: None, outcome: Ok(Done::Nothing) },
    }
}

pub(crate) fn report(approval: &Approval, by: &Requester, nonce: Digest, report: &Report, now: Timestamp) -> Step {
    if !is_requester(approval, by) {
        return Step::refused(Refusal::NotRequester);
    }
    match &approval.stage {
        Stage::Redeemed { consent, .. } | Stage::Unknown { consent, .. } if consent.nonce == nonce => {
            let stage = Stage::Reported { consent: consent.clone(), report: report.clone(), at: now };
            Step::to(stage, Done::Reported)
        }
        Stage::Redeemed { .. } | Stage::Unknown { .. } => Step::refused(Refusal::WrongPermit),
        // An executor whose report was heard and not confirmed says it again.
        Stage::Reported { consent, report: before, .. } if consent.nonce == nonce && before == report => {
            Step { stage: None, outcome: Ok(Done::Nothing) }
        }
        Stage::Reported { .. } => Step::refused(Refusal::Closed),
        Stage::Pending { .. }
        | Stage::Approved(_)
        | Stage::Denied { .. }
        | Stage::Expired { .. }
        | Stage::Withdrawn { .. }
        | Stage::Superseded { .. }
        | Stage::Stale { .. } => Step::refused(Refusal::NotRedeemed),
    }
}
