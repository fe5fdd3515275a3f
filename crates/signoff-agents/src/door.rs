//! What every door does that lets somebody else run something: it asks the gateway, waits for people, uses their yes up once, and says what
//! became of it.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use http::Method;
use serde_json::{Value, json};
use signoff_gate::{Mint as _, SystemMint};
use signoff_model::{Manner, Operation};
use signoff_server::client::{CallError, Client, from_wire, to_wire};

/// So long a gateway may take to answer what it can answer at once. Looking at what would be lost is part of that.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// So long one call waits; then it asks again.
const WAIT_AT_ONCE: Duration = Duration::from_secs(25);
/// How often a gateway that has gone away is looked for.
const TRY_EVERY: Duration = Duration::from_millis(500);
/// So often the same call can be asked about in one session, one after the other.
const ROUNDS_AT_MOST: u32 = 64;

/// Something that somebody wants to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// What.
    pub operation: Operation,
    /// Where.
    pub cwd: String,
    /// What the user has asked for, in their words.
    pub intent: Option<String>,
    /// The variables that turn it elsewhere: a yes is for the place that they name.
    pub environment: BTreeMap<String, String>,
    /// The schema of the tool, where it has one: a yes is for the tool that it describes.
    pub schema: Option<Value>,
}

/// What the gateway says about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Met {
    /// It may run.
    Free,
    /// It must not run, for this reason.
    Blocked(String),
    /// People are asked, or were.
    Question(Question),
}

/// A question to people.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its id.
    pub id: String,
    /// What has become of it so far.
    pub outcome: Outcome,
    /// Whether anybody is there who may answer.
    pub attended: bool,
    /// Whether the word of the person for whom the agent works is enough.
    pub owner_decides: bool,
}

/// What has become of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Nobody has decided yet.
    Open,
    /// It may run once.
    Approved {
        /// What has to be redeemed.
        permit: String,
        /// How it is to run.
        manner: Manner,
        /// The form that may run instead of what was asked for.
        changed: Option<Operation>,
    },
    /// A person said no.
    Denied {
        /// Who.
        by: String,
        /// Words for the agent.
        words: String,
    },
    /// Nobody decided in time, or it was not run in time.
    Expired,
    /// Another question has taken its place.
    Superseded(String),
    /// It was used before; it is known that it has not been reported yet.
    Redeemed,
    /// It is over in another way.
    Over,
}

/// A gateway that is called as one agent in one session.
pub struct Door {
    client: Client,
    /// Sees to it that a gateway is there, as far as that can be done here.
    wake: Box<dyn Fn() + Send + Sync>,
}

impl Door {
    /// The gateway that a client calls.
    pub fn new(client: Client, wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self { client, wake: Box::new(wake) }
    }

    /// What the gateway would say about an operation, by its text alone. Nothing may run by that.
    ///
    /// # Errors
    ///
    /// When the gateway says nothing that counts.
    pub async fn check(&self, operation: &Operation, cwd: &str, intent: Option<String>) -> Result<Value, CallError> {
        let body = json!({"operation": to_wire(operation), "cwd": cwd, "intent": intent});
        self.call(Method::POST, "/v1/check", Some(&body), ANSWER_WITHIN).await
    }

    /// Asks, or finds what was asked before under this key: as long as it is open, or has been answered and not used. What was used, or has
    /// run out, is asked anew.
    ///
    /// # Errors
    ///
    /// When the gateway says nothing that counts: then nothing may run.
    pub async fn ask(&self, key: &str, wish: &Wish) -> Result<Met, CallError> {
        let mut round = 0;
        loop {
            let mut body = json!({
                "key": format!("{key}-{round}"),
                "operation": to_wire(&wish.operation),
                "cwd": wish.cwd,
                "intent": wish.intent,
                "environment": wish.environment,
            });
            if let (Some(schema), Some(fields)) = (&wish.schema, body.as_object_mut()) {
                fields.insert("schema".to_owned(), schema.clone());
            }
            let verdict = self.call(Method::POST, "/v1/requests", Some(&body), ANSWER_WITHIN).await?;
            match text(&verdict, "verdict") {
                "allow" => return Ok(Met::Free),
                "ask" => {}
                _ => return Ok(Met::Blocked(text(&verdict, "reason").to_owned())),
            }
            let flag = |name: &str| verdict.get(name).and_then(Value::as_bool).unwrap_or(false);
            let (attended, owner_decides) = (flag("attended"), flag("owner_decides"));
            let (id, outcome) = self.outcome(text(&verdict, "approval"), Duration::ZERO).await?;
            round += 1;
            let stands = matches!(outcome, Outcome::Open | Outcome::Approved { .. } | Outcome::Denied { .. });
            if stands || round >= ROUNDS_AT_MOST {
                return Ok(Met::Question(Question { id, outcome, attended, owner_decides }));
            }
        }
    }

    /// Waits for an answer for so long. A gateway that goes away comes back with the question.
    ///
    /// # Errors
    ///
    /// When it is not there at the end.
    pub async fn wait(&self, id: &str, at_most: Duration) -> Result<Outcome, CallError> {
        let begun = Instant::now();
        loop {
            let rest = at_most.saturating_sub(begun.elapsed());
            match self.outcome(id, rest.min(WAIT_AT_ONCE)).await {
                Ok((_, outcome)) if outcome != Outcome::Open || rest.is_zero() => return Ok(outcome),
                Err(error) if rest.is_zero() => return Err(error),
                Ok(_) => {}
                Err(_) => {
                    tokio::time::sleep(TRY_EVERY).await;
                    (self.wake)();
                }
            }
        }
    }

    /// What has become of a question, or of the one that has taken its place; held for so long where nobody has decided.
    ///
    /// # Errors
    ///
    /// When the gateway says nothing that counts.
    pub async fn outcome(&self, id: &str, hold: Duration) -> Result<(String, Outcome), CallError> {
        let mut id = id.to_owned();
        loop {
            let path = format!("/v1/requests/{id}?wait_ms={}", hold.as_millis());
            let said = self.call(Method::GET, &path, None, hold.saturating_add(ANSWER_WITHIN)).await?;
            match outcome(&said) {
                Outcome::Superseded(by) => id = by,
                outcome => return Ok((id, outcome)),
            }
        }
    }

    /// Uses a yes up: the gate looks at everything once more first.
    ///
    /// # Errors
    ///
    /// When it is no longer what was shown, or was used before: then nothing may run.
    pub async fn redeem(
        &self,
        permit: &str,
        environment: &BTreeMap<String, String>,
        schema: Option<&Value>,
    ) -> Result<(), CallError> {
        let attempt = SystemMint.nonce().map_err(|none| CallError::NoAnswer(none.to_string()))?;
        let mut body = json!({"permit": permit, "attempt": attempt.to_string(), "environment": environment});
        if let (Some(schema), Some(fields)) = (schema, body.as_object_mut()) {
            fields.insert("schema".to_owned(), schema.clone());
        }
        self.call(Method::POST, "/v1/permits/redeem", Some(&body), ANSWER_WITHIN).await.map(drop)
    }

    /// Says what became of what was let go. Who does not hear that finds it unknown.
    pub async fn report(&self, permit: &str, success: bool, words: &str) {
        let body = json!({"permit": permit, "success": success, "words": words});
        let _ = self.call(Method::POST, "/v1/permits/report", Some(&body), ANSWER_WITHIN).await;
    }

    /// Takes a question back. One that somebody has answered stays as it is.
    pub async fn withdraw(&self, id: &str, words: &str) {
        let body = json!({"words": words});
        let _ = self.call(Method::POST, &format!("/v1/requests/{id}/withdraw"), Some(&body), ANSWER_WITHIN).await;
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        within: Duration,
    ) -> Result<Value, CallError> {
        self.client.call(method, path, body, within).await
    }
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn outcome(said: &Value) -> Outcome {
    match text(said, "outcome") {
        "pending" => Outcome::Open,
        "approved" => {
            let changed = said.get("modified").map(|changed| from_wire(changed.clone()));
            match changed {
                // A form that cannot be read cannot be run, and nothing else was approved.
                Some(None) => Outcome::Over,
                changed => Outcome::Approved {
                    permit: text(said, "permit").to_owned(),
                    // Whatever else it says, a copy harms nobody.
                    manner: if text(said, "manner") == "as-shown" { Manner::AsShown } else { Manner::BackUpFirst },
                    changed: changed.flatten(),
                },
            }
        }
        "denied" => Outcome::Denied { by: text(said, "by").to_owned(), words: text(said, "words").to_owned() },
        "expired" => Outcome::Expired,
        "superseded" => Outcome::Superseded(text(said, "by").to_owned()),
        "redeemed" => Outcome::Redeemed,
        _ => Outcome::Over,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_an_approval_is_one() {
        let read = |text: &str| outcome(&serde_json::from_str(text).unwrap_or_default());
        assert_eq!(
            read(r#"{"outcome": "approved", "permit": "p", "manner": "as-shown"}"#),
            Outcome::Approved { permit: "p".to_owned(), manner: Manner::AsShown, changed: None }
        );
        assert_eq!(
            read(r#"{"outcome": "approved", "permit": "p"}"#),
            Outcome::Approved { permit: "p".to_owned(), manner: Manner::BackUpFirst, changed: None }
        );
        assert_eq!(read(r#"{"outcome": "approved", "permit": "p", "modified": {"kind": "new"}}"#), Outcome::Over);
        for other in ["", "{}", "[]", r#"{"outcome": "Approved"}"#, r#"{"outcome": "yes"}"#, r#"{"approved": true}"#] {
            assert_eq!(read(other), Outcome::Over, "{other}");
        }
        assert_eq!(read(r#"{"outcome": "expired"}"#), Outcome::Expired);
    }
}
