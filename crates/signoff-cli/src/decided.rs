//! What was decided here, without the gateway, on its way into the ledger.

use signoff_card::{Language, visible};
use signoff_gate::{Places, judging::Judged, record, redaction::Redacted};

use crate::output;

/// Leaves a line where a gateway will find it. Nobody waits for that, and where nobody has used a gateway nobody looks for it.
pub(crate) fn note(
    places: &Places,
    what: &str,
    judged: &Judged,
    cwd: &str,
    (agent, session): (&str, String),
    language: Language,
) {
    if !places.spool().is_dir() {
        return;
    }
    let mut details = record::judged(judged, cwd);
    details.extend(Redacted::of(&judged.operation).details());
    leave(places, what, details, (agent, session), language);
}

/// The same for a call about which nothing is known but why it was refused.
pub(crate) fn note_unread(places: &Places, why: &str, by: (&str, String), language: Language) {
    const WHY_AT_MOST: usize = 1_000;
    if places.spool().is_dir() {
        let why = visible(why).chars().take(WHY_AT_MOST).collect();
        leave(places, "refused", vec![("why", why)], by, language);
    }
}

fn leave(
    places: &Places,
    what: &str,
    details: Vec<(&'static str, String)>,
    (agent, session): (&str, String),
    language: Language,
) {
    let spool = places.spool();
    let line = signoff_store::Spooled {
        at: signoff_store::system_clock()().millis(),
        what: what.to_owned(),
        agent: agent.to_owned(),
        session,
        details: details.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    };
    if let Err(error) = signoff_store::spool(&spool, &line) {
        let text = visible(&error.to_string());
        output::note(&match language {
            Language::English => format!(
                "note: this decision does not get into the ledger: {text}\n hint: start the gateway, which takes in what waits: \
                 signoff serve\n"
            ),
            Language::Chinese => {
                format!("注意：此决定未能进入账本：{text}\n提示：请启动网关以收取待入账内容：signoff serve\n")
            }
        });
    }
}
