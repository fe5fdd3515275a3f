//! The terms of an approval as they are stored: who may answer, how long they may take, and when they are reminded.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use signoff_model::{Escalation, GroupId, OwnerMay, PersonId, Quiet, Reminding, Terms};

use super::{Unreadable, approval::assurance, wrong};

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireTerms {
    approvers: Vec<String>,
    quorum: u16,
    owner_may_approve: bool,
    assurance: String,
    decide_within_ms: u64,
    run_within_ms: u64,
    escalation: Option<WireEscalation>,
    /// Nobody is reminded where nobody has said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reminding: Option<WireReminding>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireReminding {
    after_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quiet: Option<WireQuiet>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireQuiet {
    from: u16,
    until: u16,
    ahead: i16,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireEscalation {
    after_ms: u64,
    group: String,
    members: Vec<String>,
}

impl From<&Terms> for WireTerms {
    fn from(terms: &Terms) -> Self {
        let Terms { approvers, quorum, owner, assurance, decide_within, run_within, escalation, reminding } = terms;
        Self {
            approvers: texts(approvers),
            quorum: *quorum,
            owner_may_approve: *owner == OwnerMay::Approve,
            assurance: assurance.name().to_owned(),
            decide_within_ms: millis(*decide_within),
            run_within_ms: millis(*run_within),
            escalation: escalation.as_ref().map(|Escalation { after, group, members }| WireEscalation {
                after_ms: millis(*after),
                group: group.to_string(),
                members: texts(members),
            }),
            reminding: reminding.map(|Reminding { after, quiet }| WireReminding {
                after_ms: millis(after),
                quiet: quiet.map(|Quiet { from, until, ahead }| WireQuiet { from, until, ahead }),
            }),
        }
    }
}

impl TryFrom<WireTerms> for Terms {
    type Error = Unreadable;

    fn try_from(wire: WireTerms) -> Result<Self, Unreadable> {
        let escalation = wire.escalation.map(|wire| -> Result<Escalation, Unreadable> {
            Ok(Escalation {
                after: Duration::from_millis(wire.after_ms),
                group: GroupId::new(wire.group).map_err(wrong("group"))?,
                members: persons(wire.members, "members")?,
            })
        });
        Ok(Self {
            approvers: persons(wire.approvers, "approvers")?,
            quorum: wire.quorum,
            owner: if wire.owner_may_approve { OwnerMay::Approve } else { OwnerMay::OnlyDeny },
            assurance: assurance(&wire.assurance)?,
            decide_within: Duration::from_millis(wire.decide_within_ms),
            run_within: Duration::from_millis(wire.run_within_ms),
            escalation: escalation.transpose()?,
            reminding: wire.reminding.map(|WireReminding { after_ms, quiet }| Reminding {
                after: Duration::from_millis(after_ms),
                quiet: quiet.map(|WireQuiet { from, until, ahead }| Quiet { from, until, ahead }),
            }),
        })
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn texts<T: ToString>(all: &[T]) -> Vec<String> {
    all.iter().map(T::to_string).collect()
}

fn persons(all: Vec<String>, field: &'static str) -> Result<Vec<PersonId>, Unreadable> {
    all.into_iter().map(|one| PersonId::new(one).map_err(wrong(field))).collect()
}
