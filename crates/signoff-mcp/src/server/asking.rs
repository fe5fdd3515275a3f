//! `request_approval` and `approval_status`: people are asked at the gateway, and what they say is told. What they give is never handed out:
//! a permit goes to whoever runs something, and an agent is told no more than that there is one.

use std::time::Duration;

use rmcp::{RoleServer, service::RequestContext};
use serde_json::{Value, json};
use signoff_agents::door::{Met, Outcome, Question, Wish};
use signoff_model::{Digest, Manner, Operation};
use signoff_server::client::to_wire;

use super::{
    House,
    given::{Given, Misfit},
    handler::Failed,
    operation::{described, place},
    progress::meanwhile,
};

/// So long a call waits where it says nothing else. A question is seldom open for longer.
const WAIT_FOR: u64 = 600;
/// Longer than this no question is waited for in one call.
pub(super) const WAIT_AT_MOST: u64 = 3_600;

/// Asks people about an operation, and waits for them.
pub(super) async fn request_approval(
    house: &House,
    context: &RequestContext<RoleServer>,
    mut given: Given,
) -> Result<Value, Failed> {
    let operation = described(&mut given)?;
    let cwd = place(&mut given, house)?;
    let intent = given.text_if_any("intent")?;
    let wait = given.count_if_any("wait_s")?.unwrap_or(WAIT_FOR).min(WAIT_AT_MOST);
    given.nothing_else()?;
    let wish = Wish { operation, cwd, intent, environment: house.environment(), schema: None };
    asked(house, context, &wish, Duration::from_secs(wait)).await.map(|answer| answer.told(house))
}

/// What has become of a question of this session.
pub(super) async fn approval_status(house: &House, mut given: Given) -> Result<Value, Failed> {
    let id = identifier(&given.text("approval_id")?)?;
    given.nothing_else()?;
    let (id, outcome) = house.door().await?.outcome(&id, Duration::ZERO).await.map_err(|error| house.away(&error))?;
    let standing = match outcome {
        Outcome::Open => Standing::Pending,
        Outcome::Approved { .. } => Standing::Approved,
        Outcome::Denied { by, words } => Standing::Denied { by, words },
        Outcome::Expired => Standing::Expired,
        Outcome::Redeemed => Standing::Used,
        Outcome::Superseded(_) | Outcome::Over => Standing::Over,
    };
    Ok(Answer { id: Some(id), standing, runs: Runs::Unsaid }.told(house))
}

/// What people have said, as far as an agent may know.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) id: Option<String>,
    pub(super) standing: Standing,
    runs: Runs,
}

/// How a question stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nobody has to be asked.
    Allowed,
    Approved,
    /// Not as asked, but in this form or manner.
    Otherwise(String),
    Denied {
        by: String,
        words: String,
    },
    Blocked(String),
    Expired,
    Pending,
    /// The yes was used.
    Used,
    Over,
}

/// Who runs what was approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runs {
    /// `safe_exec`, which uses the yes up.
    SafeExec,
    /// Whoever asked: the yes is used up with the answer.
    Caller,
    Unsaid,
}

impl Answer {
    /// In one word, and in some.
    fn words(&self, house: &House) -> (&'static str, String) {
        let words = house.words();
        match &self.standing {
            Standing::Allowed => ("allowed", words.allowed().to_owned()),
            Standing::Approved => match self.runs {
                Runs::SafeExec => ("approved", words.approved_for_safe_exec().to_owned()),
                Runs::Caller => ("approved", words.approved_for_caller().to_owned()),
                Runs::Unsaid => ("approved", words.approved().to_owned()),
            },
            Standing::Otherwise(form) => ("modified", words.otherwise(form)),
            Standing::Denied { by, words: said } => ("denied", words.denied(by, said)),
            Standing::Blocked(why) => ("blocked", words.blocked(why)),
            Standing::Expired => ("expired", words.expired().to_owned()),
            Standing::Pending => ("pending", words.pending().to_owned()),
            Standing::Used => ("used", words.used().to_owned()),
            Standing::Over => ("over", words.over().to_owned()),
        }
    }

    pub(super) fn message(&self, house: &House) -> String {
        self.words(house).1
    }

    fn told(&self, house: &House) -> Value {
        let (status, message) = self.words(house);
        json!({"status": status, "approval_id": self.id, "message": message})
    }
}

/// Asks about something, and waits for so long.
pub(super) async fn asked(
    house: &House,
    context: &RequestContext<RoleServer>,
    wish: &Wish,
    wait: Duration,
) -> Result<Answer, Failed> {
    let door = house.door().await?;
    let met = door.ask(&key(house, wish), wish).await.map_err(|error| house.away(&error))?;
    let question = match met {
        Met::Free => return Ok(Answer { id: None, standing: Standing::Allowed, runs: Runs::Unsaid }),
        Met::Blocked(why) => return Ok(Answer { id: None, standing: Standing::Blocked(why), runs: Runs::Unsaid }),
        Met::Question(question) => question,
    };
    let Question { id, outcome, .. } = question;
    let outcome = match outcome {
        // Who gives up finds the question again, with the same call or by its id.
        Outcome::Open => meanwhile(context, &house.words().waiting(&id), door.wait(&id, wait))
            .await?
            .map_err(|error| house.away(&error))?,
        decided => decided,
    };
    let runs = match wish.operation {
        Operation::Shell(_) if house.hands.is_some() => Runs::SafeExec,
        Operation::Shell(_) | Operation::File(_) | Operation::Tool(_) => Runs::Caller,
    };
    let standing = match outcome {
        Outcome::Approved { .. } if runs == Runs::SafeExec => Standing::Approved,
        Outcome::Approved { changed: Some(form), .. } => Standing::Otherwise(form.text().into_owned()),
        Outcome::Approved { manner: Manner::BackUpFirst, .. } => {
            Standing::Otherwise(house.words().only_with_backup().to_owned())
        }
        // Whoever runs it does not come back: it is looked at once more and used up before they hear of it.
        Outcome::Approved { permit, .. } => {
            door.redeem(&permit, &wish.environment, None).await.map_err(|error| house.away(&error))?;
            Standing::Approved
        }
        Outcome::Denied { by, words } => Standing::Denied { by, words },
        Outcome::Expired => Standing::Expired,
        Outcome::Open => Standing::Pending,
        Outcome::Redeemed => Standing::Used,
        Outcome::Superseded(_) | Outcome::Over => Standing::Over,
    };
    Ok(Answer { id: Some(id), standing, runs })
}

/// What tells this wish from every other one in its session: the same call finds the same question.
fn key(house: &House, wish: &Wish) -> String {
    let operation = to_wire(&wish.operation).to_string();
    let mut text = String::new();
    for part in
        [house.agent.as_str(), &house.session, &wish.cwd, &operation, wish.intent.as_deref().unwrap_or_default()]
    {
        text.push_str(&format!("{}:{part}\n", part.len()));
    }
    Digest::of(text.as_bytes()).to_string()
}

/// The id of a question, which becomes a part of a path and of a command line.
pub(super) fn identifier(text: &str) -> Result<String, Misfit> {
    let is_id = !text.is_empty() && text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_id { Ok(text.to_owned()) } else { Err(Misfit("`approval_id` is no id of a question".to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_nothing_else() {
        assert!(identifier("0198a1ed83").is_ok());
        for other in ["", "../people", "a b", "--json", "a/b", "x?wait_ms=1"] {
            assert!(identifier(other).is_err(), "{other}");
        }
    }
}
