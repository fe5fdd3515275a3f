//! How far somebody trusts an agent, as it is stored.

use serde::{Deserialize, Serialize};
use signoff_gate::{StoreError, Trusted};
use signoff_model::{AgentId, PersonId, Timestamp, Trust};

use super::{Unreadable, missing, wrong};

const VERSION: u8 = 1;
/// The highest score.
const MOST: u16 = 1_000;

/// The stored text of a score, once it is certain that it would be read again as it is.
pub(crate) fn kept_trust(trusted: &Trusted) -> Result<String, StoreError> {
    let Trusted { owner, agent, project, score, at } = trusted;
    let wire = WireTrust {
        v: VERSION,
        person: owner.to_string(),
        agent: agent.to_string(),
        project: project.clone(),
        score: score.thousandths(),
        at: at.millis(),
    };
    let text = serde_json::to_string(&wire).unwrap_or_default();
    match read_trust(&text) {
        Ok(again) if again == *trusted => Ok(text),
        Ok(_) => Err(StoreError::Unkeepable("it would be read again as something else".to_owned())),
        Err(why) => Err(StoreError::Unkeepable(why.0)),
    }
}

/// The score of a stored text.
pub(crate) fn read_trust(text: &str) -> Result<Trusted, Unreadable> {
    if !text.starts_with('{') {
        return before_versions(text).ok_or_else(|| missing("trust"));
    }
    let WireTrust { v, person, agent, project, score, at } = serde_json::from_str(text)?;
    if v != VERSION {
        return Err(missing("v"));
    }
    if score > MOST {
        return Err(missing("score"));
    }
    Ok(Trusted {
        owner: PersonId::new(person).map_err(wrong("person"))?,
        agent: AgentId::new(agent).map_err(wrong("agent"))?,
        project,
        score: Trust::from_thousandths(score),
        at: Timestamp::from_millis(at),
    })
}

/// The first form: score and moment, the person, the agent, and the project, which may hold anything.
fn before_versions(text: &str) -> Option<Trusted> {
    let mut lines = text.splitn(4, '\n');
    let (score, at) = lines.next()?.split_once(' ')?;
    Some(Trusted {
        score: Trust::from_thousandths(score.parse().ok()?),
        at: Timestamp::from_millis(at.parse().ok()?),
        owner: PersonId::new(lines.next()?).ok()?,
        agent: AgentId::new(lines.next()?).ok()?,
        project: lines.next()?.to_owned(),
    })
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireTrust {
    v: u8,
    person: String,
    agent: String,
    project: String,
    /// In thousandths.
    score: u16,
    at: i64,
}
