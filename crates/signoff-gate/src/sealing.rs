//! The gate's own mark on a yes. Whoever can write into the store, and has no key, can copy a yes from one question to another, or
//! make one up; the mark is of one question, one yes, and whether that was used, and so they cannot make it count.

use signoff_model::{
    Approval, Binding, Consent, Digest, Manner, PlanStep, Shown, ShownFile, ShownThing, Tally, Timestamp, Vote,
};
use signoff_permit::MacKey;

/// What the key of this mark is for.
pub(crate) const PURPOSE: &str = "consent";

/// Every message begins with this, so that none of another kind is one.
const DOMAIN: &[u8] = b"signoff consent v3\n";
/// The same for one voice of several.
const VOTE: &[u8] = b"signoff vote v2\n";

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
    let Consent { votes, manner, at, until, nonce, modified, seal: _ } = consent;
    let mut message = Message(DOMAIN.to_vec());
    message.asked_for(approval);
    message.moment(*at);
    message.moment(*until);
    message.field(name_of(*manner));
    message.field(nonce.as_bytes());
    message.field(&votes.len().to_be_bytes());
    votes.iter().for_each(|vote| message.said(vote));
    match modified {
        None => message.field(b"as asked"),
        Some(modified) => {
            message.field(b"modified");
            message.field(modified.risk.name().as_bytes());
            message.bound(&modified.binding);
        }
    }
    match used {
        Used::NotYet => message.field(b"not used"),
        Used::By(attempt, at) => {
            message.field(b"used");
            message.field(attempt.as_bytes());
            message.moment(at);
        }
    }
    message.0
}

/// One voice of several, with the mark of the gate.
pub(crate) fn sealed_vote(approval: &Approval, vote: Vote, key: &MacKey) -> Vote {
    let seal = Digest::from_bytes(key.mac(&message_of_vote(approval, &vote)));
    Vote { seal: Some(seal), ..vote }
}

/// Whether a voice has the mark that the gate has made for it.
pub(crate) fn is_sealed_vote(approval: &Approval, vote: &Vote, key: &MacKey) -> bool {
    vote.seal.is_some_and(|seal| key.is_of(&message_of_vote(approval, vote), seal.as_bytes()))
}

fn message_of_vote(approval: &Approval, vote: &Vote) -> Vec<u8> {
    let mut message = Message(VOTE.to_vec());
    message.asked_for(approval);
    message.said(vote);
    message.0
}

/// Fields, written so that none runs into the next.
struct Message(Vec<u8>);

impl Message {
    fn field(&mut self, bytes: &[u8]) {
        self.0.extend(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
        self.0.extend(bytes);
    }

    fn moment(&mut self, moment: Timestamp) {
        self.field(&moment.millis().to_be_bytes());
    }

    /// What a yes is to, with what comes after it.
    fn asked_for(&mut self, approval: &Approval) {
        let Approval { id, key, requester, question, terms, asked, stage: _ } = approval;
        self.field(&id.bits().to_be_bytes());
        for text in [key.as_str(), requester.agent.as_str(), requester.session.as_str(), requester.owner.as_str()] {
            self.field(text.as_bytes());
        }
        for text in [&question.directory, &question.project, question.risk.name(), terms.assurance.name()] {
            self.field(text.as_bytes());
        }
        self.field(&terms.quorum.to_be_bytes());
        self.bound(&question.binding);
        self.moment(*asked);
        self.field(&question.steps.len().to_be_bytes());
        // What is done is in `bound`, and the card is drawn from all of this.
        for PlanStep { bound, directory, project, risk, shown, settled, operation: _, card: _ } in &question.steps {
            self.field(bound.as_bytes());
            for text in [directory, project, risk.name(), settled.name()] {
                self.field(text.as_bytes());
            }
            self.shown(shown);
        }
    }

    /// What would be lost.
    fn shown(&mut self, shown: &Shown) {
        let Shown { things, lost, total, complete } = shown;
        self.field(&things.len().to_be_bytes());
        for ShownThing { path, all } in things {
            self.field(path.as_bytes());
            self.tally(*all);
        }
        self.field(&lost.len().to_be_bytes());
        for ShownFile { path, bytes } in lost {
            self.field(path.as_bytes());
            self.field(&bytes.to_be_bytes());
        }
        self.tally(*total);
        self.field(&[u8::from(*complete)]);
    }

    fn tally(&mut self, tally: Tally) {
        self.field(&tally.files.to_be_bytes());
        self.field(&tally.bytes.to_be_bytes());
    }

    fn said(&mut self, vote: &Vote) {
        let Vote { by, at, manner, stead, seal: _ } = vote;
        for text in [by.person.as_str(), by.channel.as_str(), by.assurance.name()] {
            self.field(text.as_bytes());
        }
        self.moment(*at);
        self.field(name_of(*manner));
        self.field(stead.as_ref().map_or("", |stead| stead.as_str()).as_bytes());
    }

    fn bound(&mut self, binding: &Binding) {
        let Binding { operation, preview, policy } = binding;
        [operation, preview, policy].into_iter().for_each(|digest| self.field(digest.as_bytes()));
    }
}

const fn name_of(manner: Manner) -> &'static [u8] {
    match manner {
        Manner::AsShown => b"as-shown",
        Manner::BackUpFirst => b"back-up-first",
    }
}
