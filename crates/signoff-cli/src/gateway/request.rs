//! `signoff request`: asks from a script, and waits.

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use signoff_card::visible;
use signoff_gate::Places;

use super::{Away, Calls, field, unguessable};
use crate::{
    exec::{BLOCKED, DENIED, EXPIRED, NEEDS_CONFIRMATION},
    failure::{Failure, in_language},
    gateway::arguments::RequestArguments,
    judge::language,
    output::{self, Output},
};

/// So long one call waits; then it asks again.
const WAIT_AT_ONCE: Duration = Duration::from_secs(25);

pub(crate) fn run(arguments: &RequestArguments, places: &Places, output: &mut Output) -> Result<ExitCode, Failure> {
    let language = language(arguments.lang);
    let session =
        arguments.session.clone().unwrap_or_else(|| format!("process-{}", std::os::unix::process::parent_id()));
    let calls = Calls::local(places, &arguments.agent, &session)?;
    let cwd = std::env::current_dir().map_err(|error| Failure::read(&error))?;
    let key = match &arguments.key {
        Some(key) => key.clone(),
        None => unguessable()?,
    };
    let body = json!({
        "key": key,
        "operation": {"kind": "shell", "cmd": arguments.command},
        "cwd": cwd.to_string_lossy(),
        "intent": arguments.intent,
    });
    let verdict: Value = calls.post("/v1/requests", &body)?;
    let mut tell = |outcome: &str, value: &Value, words: &str| -> Result<(), Failure> {
        if arguments.json {
            let mut line = value.clone();
            if let Some(object) = line.as_object_mut() {
                object.insert("outcome".to_owned(), json!(outcome));
            }
            return output.text(&format!("{line}\n"));
        }
        output::note(&format!("{}\n", visible(words)));
        Ok(())
    };
    match field(&verdict, "verdict") {
        "allow" => {
            tell("allowed", &verdict, in_language(language, "allowed: nobody needs to be asked", "允许：无需询问"))?;
            return Ok(ExitCode::SUCCESS);
        }
        "ask" => {}
        _ => {
            tell("blocked", &verdict, &format!("blocked: {}", field(&verdict, "reason")))?;
            return Ok(ExitCode::from(BLOCKED));
        }
    }
    let id = field(&verdict, "approval");
    if !arguments.json {
        output::note(&match language {
            signoff_card::Language::English => format!("asked as {id}: answer it with `signoff inbox`\n"),
            signoff_card::Language::Chinese => format!("已提问（{id}）：请用 `signoff inbox` 回答\n"),
        });
    }
    let outcome = match arguments.wait {
        None => calls.outcome(id, WAIT_AT_ONCE, Away::ForAWhile)?,
        Some(wait) => waited(&calls, id, wait)?,
    };
    let (code, words) = match field(&outcome, "outcome") {
        "approved" => {
            // What was approved is used up with this answer, and only if everything still is as it was shown.
            let redeemed: Value = calls
                .post("/v1/permits/redeem", &json!({"permit": field(&outcome, "permit"), "attempt": unguessable()?}))?;
            tell(
                "approved",
                &redeemed,
                in_language(language, "approved: run it now, once", "已批准：现在运行，仅此一次"),
            )?;
            return Ok(ExitCode::SUCCESS);
        }
        "denied" => (DENIED, format!("denied by {}: {}", field(&outcome, "by"), field(&outcome, "words"))),
        "pending" => (NEEDS_CONFIRMATION, "nobody has answered yet; it stays open".to_owned()),
        "expired" => (EXPIRED, "nobody answered in time; that is not a no".to_owned()),
        other => (EXPIRED, format!("it is {other}")),
    };
    tell(field(&outcome, "outcome"), &outcome, &words)?;
    Ok(ExitCode::from(code))
}

/// Waits for so long at most.
fn waited(calls: &Calls, id: &str, wait: Duration) -> Result<Value, Failure> {
    let begun = Instant::now();
    loop {
        let left = wait.saturating_sub(begun.elapsed());
        let outcome = calls.outcome(id, left.min(WAIT_AT_ONCE), Away::Never)?;
        if outcome.get("outcome").and_then(Value::as_str) != Some("pending") || begun.elapsed() >= wait {
            return Ok(outcome);
        }
    }
}
