//! Whether what the ledger tells can have happened. That its entries follow on each other only says that they were written in this
//! order; a gate that was led to believe in a yes that nobody gave would write that down just as well, and here it shows.
//!
//! Only what is open is remembered: questions until they end, and grants until they do. What was pruned was about nothing that
//! was open, and so every redemption has its question behind the beginning.

use std::collections::{BTreeMap, BTreeSet};

use signoff_model::{ApprovalId, Digest, LedgerEntry};

use crate::{
    chain::Broken,
    wire::{Doer, Told, told},
};

/// So many questions and grants are remembered at once, each with little more than a name. No gate has as many open.
const OPEN_AT_MOST: usize = 1 << 20;

/// Why what an entry tells cannot have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Impossible {
    /// It is asked a second time under the same id.
    #[error("the same question was asked before")]
    AskedTwice,
    /// It is about a question that nobody has asked, or that has ended before.
    #[error("it answers a question that is not open")]
    NotOpen,
    /// It is decided with fewer voices than it needs.
    #[error("fewer have agreed than have to")]
    TooFew,
    /// It was used, and nobody has said yes: not at all, not before it ended, or not to a second use.
    #[error("something was redeemed without a yes that was open")]
    NoYes,
    /// What was used is not what somebody has said yes to.
    #[error("something else was redeemed than was approved")]
    Otherwise,
    /// A grant was used that nobody has given, or that had ended.
    #[error("a grant was used that did not stand")]
    NoGrant,
    /// There is more open at once than can be remembered here.
    #[error("more is open at once than can be checked")]
    TooMuch,
}

/// A question that has not ended.
#[derive(Default)]
struct Open {
    /// What was asked, or what somebody has made of it.
    operation: Option<Digest>,
    quorum: usize,
    voices: BTreeSet<String>,
    approved: bool,
}

/// Somebody who reads along and remembers what is open.
#[derive(Default)]
pub(crate) struct Story {
    open: BTreeMap<ApprovalId, Open>,
    /// Grants that stand, with the uses that are left.
    grants: BTreeMap<String, Option<u64>>,
    /// Whether there was something before that is gone.
    pruned: bool,
}

impl Story {
    pub(crate) const fn new() -> Self {
        Self { open: BTreeMap::new(), grants: BTreeMap::new(), pruned: false }
    }

    /// What was before this is gone. Grants outlive the entries that tell of them.
    pub(crate) const fn goes_on_behind_a_beginning(&mut self) {
        self.pruned = true;
    }

    /// Reads the next entry.
    pub(crate) fn entry(&mut self, entry: &LedgerEntry) -> Result<(), Broken> {
        // Most entries are about something that was allowed at once.
        if entry.approval.is_none() && !entry.body.contains("\"grant-") {
            return Ok(());
        }
        let impossible = |why| Broken::Impossible { number: entry.number, why };
        // What a later version tells is for that version to judge.
        let Some(told) = told(&entry.body) else { return Ok(()) };
        self.granted(&told).map_err(impossible)?;
        if let Some(id) = entry.approval {
            self.happened(id, &told).map_err(impossible)?;
        }
        if self.open.len().saturating_add(self.grants.len()) > OPEN_AT_MOST {
            return Err(impossible(Impossible::TooMuch));
        }
        Ok(())
    }

    fn granted(&mut self, told: &Told) -> Result<(), Impossible> {
        let Some(grant) = told.details.get("grant") else { return Ok(()) };
        match told.what.as_str() {
            "grant-made" => {
                let uses = told.details.get("uses").and_then(|uses| uses.parse().ok());
                self.grants.insert(grant.clone(), uses);
            }
            "grant-revoked" | "grant-expired" => {
                self.grants.remove(grant);
            }
            "grant-used" => match self.grants.get_mut(grant) {
                None if self.pruned => {}
                None | Some(Some(0)) => return Err(Impossible::NoGrant),
                Some(Some(1)) if !self.pruned => {
                    self.grants.remove(grant);
                }
                Some(Some(left)) => *left -= 1,
                Some(None) => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn happened(&mut self, id: ApprovalId, told: &Told) -> Result<(), Impossible> {
        let detail = |name: &str| told.details.get(name).map(String::as_str);
        let operation = detail("operation").and_then(Digest::parse);
        match told.what.as_str() {
            "asked" => {
                let quorum = detail("quorum").and_then(|quorum| quorum.parse().ok()).unwrap_or(1);
                let open = Open { operation, quorum, ..Open::default() };
                if self.open.insert(id, open).is_some() {
                    return Err(Impossible::AskedTwice);
                }
            }
            "answered" => {
                let open = self.open.get_mut(&id).filter(|open| !open.approved).ok_or(Impossible::NotOpen)?;
                let Doer::Person { person, .. } = &told.by else { return Err(Impossible::NotOpen) };
                open.voices.insert(detail("stead").unwrap_or(person).to_owned());
                open.approved = matches!(detail("stage"), Some("approved" | "modified"));
                if open.approved && open.voices.len() < open.quorum {
                    return Err(Impossible::TooFew);
                }
                if detail("stage") == Some("modified") {
                    open.operation = operation;
                }
            }
            "redeemed" => {
                let open = self.open.get(&id).filter(|open| open.approved).ok_or(Impossible::NoYes)?;
                if open.operation != operation {
                    return Err(Impossible::Otherwise);
                }
            }
            // It cannot be read any more, and so nobody can say yes to it.
            "damaged" => {
                self.open.remove(&id);
            }
            _ => {}
        }
        // Whatever an event has come to otherwise: what has ended does not begin again.
        if detail("stage").is_some_and(|stage| !matches!(stage, "pending" | "approved" | "modified")) {
            self.open.remove(&id);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Timestamp;

    use super::*;

    /// An entry in short: what, about which approval, and its details.
    type Short = (&'static str, u128, &'static [(&'static str, &'static str)]);

    const ONE: &str = "0101010101010101010101010101010101010101010101010101010101010101";
    const TWO: &str = "0202020202020202020202020202020202020202020202020202020202020202";
    const ASKED: Short = ("asked", 1, &[("operation", ONE)]);
    const BY_TWO: Short = ("asked", 1, &[("operation", ONE), ("quorum", "2")]);
    const YES: Short = ("answered", 1, &[("stage", "approved"), ("person", "ann")]);
    const VOTE: Short = ("answered", 1, &[("stage", "pending"), ("person", "ann")]);
    const LAST_VOTE: Short = ("answered", 1, &[("stage", "approved"), ("person", "bob")]);
    const CHANGED: Short = ("answered", 1, &[("stage", "modified"), ("operation", TWO)]);
    const NO: Short = ("answered", 1, &[("stage", "denied")]);
    const LATE: Short = ("answer-refused", 1, &[("stage", "expired")]);
    const RAN_OUT: Short = ("ran-out", 1, &[("stage", "expired")]);
    const STALE: Short = ("redemption-refused", 1, &[("stage", "stale")]);
    const REFUSED: Short = ("redemption-refused", 1, &[("stage", "approved")]);
    const USED: Short = ("redeemed", 1, &[("stage", "redeemed"), ("operation", ONE)]);
    const USED_CHANGED: Short = ("redeemed", 1, &[("stage", "redeemed"), ("operation", TWO)]);
    const REPORTED: Short = ("reported", 1, &[("stage", "executed")]);
    const GIVEN: Short = ("grant-made", 0, &[("grant", "g"), ("uses", "1")]);
    const TAKEN: Short = ("grant-revoked", 0, &[("grant", "g")]);
    const GRANTED: Short = ("grant-used", 0, &[("grant", "g")]);

    fn entry(number: u64, (what, id, details): Short) -> LedgerEntry {
        let details: serde_json::Map<String, serde_json::Value> =
            details.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        let person = details.get("person").cloned().unwrap_or_else(|| "ann".into());
        let by = serde_json::json!({"kind": "person", "person": person, "channel": "inbox", "assurance": "login"});
        let body = serde_json::json!({"v": 1, "at": 0, "what": what, "by": by, "details": details}).to_string();
        let approval = (id > 0).then(|| ApprovalId::from_bits(id));
        LedgerEntry { number, at: Timestamp::from_millis(0), approval, body, digest: Digest::of(b"") }
    }

    fn read(mut story: Story, entries: &[Short]) -> Result<(), Broken> {
        (1..).zip(entries).try_for_each(|(number, short)| story.entry(&entry(number, *short)))
    }

    #[test]
    fn what_can_have_happened_is_told_from_what_cannot() {
        let possible: [&[Short]; 8] = [
            &[ASKED, YES, USED, REPORTED],
            &[ASKED, REFUSED, YES, REFUSED, USED],
            &[ASKED, CHANGED, USED_CHANGED],
            &[BY_TWO, VOTE, LAST_VOTE, USED],
            &[ASKED, NO],
            &[ASKED, YES, RAN_OUT],
            &[GIVEN, GRANTED],
            // What was redeemed before the beginning may be reported behind it.
            &[REPORTED],
        ];
        for entries in possible {
            assert_eq!(read(Story::new(), entries), Ok(()), "{entries:?}");
        }
        let impossible: [(&[Short], u64, Impossible); 16] = [
            (&[ASKED, USED], 2, Impossible::NoYes),
            (&[USED], 1, Impossible::NoYes),
            (&[ASKED, YES, USED, USED], 4, Impossible::NoYes),
            (&[ASKED, NO, USED], 3, Impossible::NoYes),
            (&[ASKED, LATE, USED], 3, Impossible::NoYes),
            (&[ASKED, YES, RAN_OUT, USED], 4, Impossible::NoYes),
            (&[ASKED, YES, STALE, USED], 4, Impossible::NoYes),
            (&[BY_TWO, VOTE, USED], 3, Impossible::NoYes),
            (&[BY_TWO, YES], 2, Impossible::TooFew),
            (&[BY_TWO, VOTE, YES], 3, Impossible::TooFew),
            (&[ASKED, YES, USED_CHANGED], 3, Impossible::Otherwise),
            (&[ASKED, NO, YES], 3, Impossible::NotOpen),
            (&[ASKED, ASKED], 2, Impossible::AskedTwice),
            (&[GRANTED], 1, Impossible::NoGrant),
            (&[GIVEN, GRANTED, GRANTED], 3, Impossible::NoGrant),
            (&[GIVEN, TAKEN, GRANTED], 3, Impossible::NoGrant),
        ];
        for (entries, number, why) in impossible {
            assert_eq!(read(Story::new(), entries), Err(Broken::Impossible { number, why }), "{entries:?}");
        }
    }

    /// A grant may be older than the beginning of a ledger. A question that is open is not.
    #[test]
    fn a_beginning_hides_grants_and_no_yes() {
        let behind = || {
            let mut story = Story::new();
            story.goes_on_behind_a_beginning();
            story
        };
        assert_eq!(read(behind(), &[GRANTED]), Ok(()));
        let no_grant = Broken::Impossible { number: 3, why: Impossible::NoGrant };
        assert_eq!(read(behind(), &[GIVEN, GRANTED, GRANTED]), Err(no_grant));
        let no_yes = Broken::Impossible { number: 1, why: Impossible::NoYes };
        assert_eq!(read(behind(), &[USED]), Err(no_yes));
    }
}
