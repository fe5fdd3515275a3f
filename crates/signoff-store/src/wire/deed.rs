//! An entry of the ledger as text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use signoff_model::{Actor, ApprovalId, Deed, Timestamp};

#[derive(Serialize)]
struct WireDeed<'a> {
    v: u8,
    at: i64,
    what: &'a str,
    by: WireActor<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<String>,
    /// In the order of their names: the same deed has one text.
    details: BTreeMap<&'a str, &'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
enum WireActor<'a> {
    Agent { agent: &'a str, session: &'a str, owner: &'a str },
    Person { person: &'a str, channel: &'a str, assurance: &'a str },
    Gate,
}

#[derive(Deserialize)]
struct Subject {
    at: i64,
    approval: Option<String>,
}

/// When something happened and to which approval, by the text that is in the chain. None where it does not say so.
pub(crate) fn subject(body: &str) -> Option<(Timestamp, Option<ApprovalId>)> {
    let Subject { at, approval } = serde_json::from_str(body).ok()?;
    let approval = approval.map(|id| ApprovalId::parse(&id).ok_or(())).transpose().ok()?;
    Some((Timestamp::from_millis(at), approval))
}

/// What an entry of the ledger says, as whoever reads it later understands it. A later version of the program may have written it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What happened, by its stable name.
    pub what: String,
    /// Who did it.
    pub by: Doer,
    /// Whatever else is worth knowing, by name.
    pub details: BTreeMap<String, String>,
}

/// Who has done something, as the ledger tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doer {
    /// An agent, for its owner.
    Agent {
        /// What it is called.
        agent: String,
        /// Its session.
        session: String,
        /// For whom it works.
        owner: String,
    },
    /// A person, on a channel.
    Person {
        /// Who.
        person: String,
        /// Where they said it.
        channel: String,
        /// How sure it is that it was them.
        assurance: String,
    },
    /// The gate itself.
    Gate,
}

#[derive(Deserialize)]
struct WireTold {
    what: String,
    by: WireDoer,
    #[serde(default)]
    details: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
enum WireDoer {
    Agent { agent: String, session: String, owner: String },
    Person { person: String, channel: String, assurance: String },
    Gate,
}

/// What the text of an entry says. None where it is no text of ours.
pub fn told(body: &str) -> Option<Told> {
    let WireTold { what, by, details } = serde_json::from_str(body).ok()?;
    let by = match by {
        WireDoer::Agent { agent, session, owner } => Doer::Agent { agent, session, owner },
        WireDoer::Person { person, channel, assurance } => Doer::Person { person, channel, assurance },
        WireDoer::Gate => Doer::Gate,
    };
    Some(Told { what, by, details })
}

/// The text of a deed, as it goes into the chain.
pub(crate) fn body(deed: &Deed, at: Timestamp) -> String {
    let wire = WireDeed {
        v: 1,
        at: at.millis(),
        what: deed.what,
        by: match &deed.by {
            Actor::Agent(requester) => WireActor::Agent {
                agent: requester.agent.as_str(),
                session: requester.session.as_str(),
                owner: requester.owner.as_str(),
            },
            Actor::Person(by) => WireActor::Person {
                person: by.person.as_str(),
                channel: by.channel.as_str(),
                assurance: by.assurance.name(),
            },
            Actor::Gate => WireActor::Gate,
        },
        approval: deed.approval.map(|id| id.to_string()),
        details: deed.details.iter().map(|(name, value)| (*name, value.as_str())).collect(),
    };
    // Texts, numbers and a map of texts: there is nothing in it that JSON cannot say.
    serde_json::to_string(&wire).unwrap_or_default()
}
