//! The gate's own mark on a yes. Whoever can write into the store, and has no key, can copy a yes from one question to another, or
//! make one up; the mark is of one question, one yes, and whether that was used, and so they cannot make it count.

use signoff_model::{Approval, Binding, Consent, Digest, Manner, Timestamp, Vote};
use signoff_permit::MacKey;

/// What the key of this mark is for.
pub(crate) const PURPOSE: &str = "consent";

/// Every message begins with this, so that none of another kind is one.
const DOMAIN: &[u8] = b"signoff consent v1\n";

/// How far a yes has come.
#[derive(Clone, Copy)]
pub(crate) enum Used {
    /// Nobody has used it.
    NotYet,
    /// This attempt has, at this moment.
    By(Digest, Timestamp),
}

/// A yes with the mark of the gate.
pub(crate) fn sealed(approval: &Approval, consent: Consent, used: Used, key: &MacKey) -> Consent {
    let seal = Digest::from_bytes(key.mac(&message(approval, &consent, used)));
    Consent { seal: Some(seal), ..consent }
}

/// Whether a yes has the mark that the gate has made for it. One without any is of an earlier version, or of somebody else.
pub(crate) fn is_sealed(approval: &Approval, consent: &Consent, used: Used, key: &MacKey) -> bool {
    consent.seal.is_some_and(|seal| key.is_of(&message(approval, consent, used), seal.as_bytes()))
}

/// What the mark is of: everything by which it is told what may run, for whom, how, until when, and who said so.
fn message(approval: &Approval, consent: &Consent, used: Used) -> Vec<u8> {
    let Approval { id, key, requester, question, terms, asked, stage: _ } = approval;
    let Consent { votes, manner, at, until, nonce, modified, seal: _ } = consent;
    let mut message = DOMAIN.to_vec();
    let mut field = |bytes: &[u8]| {
        message.extend(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
        message.extend(bytes);
    };
    field(&id.bits().to_be_bytes());
    for text in [key.as_str(), requester.agent.as_str(), requester.session.as_str(), requester.owner.as_str()] {
        field(text.as_bytes());
    }
    for text in [&question.directory, &question.project, question.risk.name(), terms.assurance.name()] {
        field(text.as_bytes());
    }
    field(&terms.quorum.to_be_bytes());
    bound(&question.binding, &mut field);
    for moment in [asked, at, until] {
        field(&moment.millis().to_be_bytes());
    }
    field(name_of(*manner));
    field(nonce.as_bytes());
    field(&votes.len().to_be_bytes());
    for Vote { by, at, manner, stead } in votes {
        for text in [by.person.as_str(), by.channel.as_str(), by.assurance.name()] {
            field(text.as_bytes());
        }
        field(&at.millis().to_be_bytes());
        field(name_of(*manner));
        field(stead.as_ref().map_or("", |stead| stead.as_str()).as_bytes());
    }
    match modified {
        None => field(b"as asked"),
        Some(modified) => {
            field(b"modified");
            field(modified.risk.name().as_bytes());
            bound(&modified.binding, &mut field);
        }
    }
    match used {
        Used::NotYet => field(b"not used"),
        Used::By(attempt, at) => {
            field(b"used");
            field(attempt.as_bytes());
            field(&at.millis().to_be_bytes());
        }
    }
    message
}

fn bound(binding: &Binding, field: &mut impl FnMut(&[u8])) {
    let Binding { operation, preview, policy } = binding;
    [operation, preview, policy].into_iter().for_each(|digest| field(digest.as_bytes()));
}

const fn name_of(manner: Manner) -> &'static [u8] {
    match manner {
        Manner::AsShown => b"as-shown",
        Manner::BackUpFirst => b"back-up-first",
    }
}
