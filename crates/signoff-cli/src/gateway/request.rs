//! `signoff request`: asks from a script, and waits.

use std::{
    io::IsTerminal as _,
    process::ExitCode,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use signoff_card::{Language, visible};
use signoff_gate::Places;

use super::{Away, Calls, field, on_demand, told_differences, told_number, told_unattended, unguessable};
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
    on_demand::be_there(places)?;
    let calls = Calls::local(places, &arguments.agent, &session)?.speaking(language);
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
        "screen": std::io::stderr().is_terminal(),
        "then": arguments.then.iter().map(|step| json!({"operation": {"kind": "shell", "cmd": step}})).collect::<Vec<_>>(),
    });
    let verdict: Value = calls.post("/v1/requests", &body)?;
    let mut tell = |outcome: &str, value: &Value, words: &str| told(arguments.json, output, outcome, value, words);
    match field(&verdict, "verdict") {
        "allow" => {
            tell("allowed", &verdict, in_language(language, "allowed: nobody needs to be asked", "允许：无需询问"))?;
            return Ok(ExitCode::SUCCESS);
        }
        "ask" => {}
        _ => {
            let blocked = in_language(language, "blocked: ", "已阻止：");
            tell("blocked", &verdict, &format!("{blocked}{}", field(&verdict, "reason")))?;
            return Ok(ExitCode::from(BLOCKED));
        }
    }
    let id = match &arguments.because {
        None => field(&verdict, "approval").to_owned(),
        Some(reason) => {
            let (id, number) = reopened(&calls, &verdict, reason)?;
            output::note(&told_number(&number, language));
            id
        }
    };
    let id = id.as_str();
    if arguments.because.is_none() {
        output::note(&told_number(field(&verdict, "number"), language));
    }
    if !arguments.json {
        output::note(&match language {
            Language::English => format!("asked as {id}: answer it with `signoff inbox`\n"),
            Language::Chinese => format!("已提问（{id}）：请用 `signoff inbox` 回答\n"),
        });
        output::note(told_unattended(&verdict, language));
    }
    let outcome = match arguments.wait {
        None => calls.outcome(id, WAIT_AT_ONCE, Away::ForAWhile)?,
        Some(wait) => waited(&calls, id, wait)?,
    };
    let (code, words) = match field(&outcome, "outcome") {
        // Whoever calls runs what they asked for, and nothing else was approved: the yes is left unused.
        "approved" if !runs_as_told(&outcome, arguments.changed) => {
            tell("modified", &outcome, &not_as_asked(&outcome, language))?;
            return Ok(ExitCode::from(DENIED));
        }
        "approved" => {
            // What was approved is used up with this answer, and only if everything still is as it was shown.
            let body = json!({"permit": field(&outcome, "permit"), "attempt": unguessable()?});
            let mut redeemed: Value = match calls.post("/v1/permits/redeem", &body) {
                Ok(redeemed) => redeemed,
                Err(failure) => {
                    let outcome = calls.outcome(id, Duration::ZERO, Away::Never)?;
                    if field(&outcome, "outcome") != "stale" {
                        return Err(failure);
                    }
                    tell("stale", &outcome, &not_approved(&outcome, language))?;
                    return Ok(ExitCode::from(EXPIRED));
                }
            };
            let command = outcome.get("modified").map_or(arguments.command.as_str(), |changed| field(changed, "cmd"));
            if let Some(object) = redeemed.as_object_mut().filter(|_| arguments.changed) {
                object.insert("command".to_owned(), json!(command));
            }
            tell(
                "approved",
                &redeemed,
                in_language(language, "approved: run it now, once", "已批准：现在运行，仅此一次"),
            )?;
            if arguments.changed && !arguments.json {
                output.text(&format!("{command}\n"))?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        "denied" => (DENIED, not_approved(&outcome, language)),
        "pending" => (NEEDS_CONFIRMATION, not_approved(&outcome, language)),
        _ => (EXPIRED, not_approved(&outcome, language)),
    };
    tell(field(&outcome, "outcome"), &outcome, &words)?;
    Ok(ExitCode::from(code))
}

/// What has become of a question that nobody has said yes to.
fn not_approved(outcome: &Value, language: Language) -> String {
    let (by, words) = (field(outcome, "by"), field(outcome, "words"));
    let stage = field(outcome, "outcome");
    let (english, chinese) = match stage {
        "denied" => {
            return match language {
                Language::English => format!("denied by {by}: {words}"),
                Language::Chinese => format!("已被 {by} 拒绝：{words}"),
            };
        }
        "pending" => ("nobody has answered yet; it stays open", "还没有人回答；问题仍待回答"),
        "expired" => ("nobody answered in time; that is not a no", "没有人及时回答；这不等于拒绝"),
        "withdrawn" => ("it was taken back", "已撤回"),
        "superseded" => ("another question has taken its place", "已被另一个问题取代"),
        "stale" => {
            let told = in_language(language, "it is no longer what was shown", "已不是所展示的内容");
            return format!("{told}{}", told_differences(outcome));
        }
        _ => {
            return match language {
                Language::English => format!("it is {stage}"),
                Language::Chinese => format!("状态：{stage}"),
            };
        }
    };
    in_language(language, english, chinese).to_owned()
}

/// The question that is open once a reason was stated for one that was refused. What nobody has refused needs none.
///
/// Its number comes along: that of the question before is good for nothing any more.
fn reopened(calls: &Calls, verdict: &Value, reason: &str) -> Result<(String, String), Failure> {
    let id = field(verdict, "approval");
    let outcome = calls.outcome(id, Duration::ZERO, Away::Never)?;
    let told = |value: &Value| (field(value, "approval").to_owned(), field(value, "number").to_owned());
    if field(&outcome, "outcome") != "denied" {
        return Ok(told(verdict));
    }
    let again: Value = calls.post(&format!("/v1/requests/{id}/reopen"), &json!({"reason": reason}))?;
    Ok(told(&again))
}

/// Tells what came of it: as JSON on standard output, or in words beside it.
fn told(json: bool, output: &mut Output, outcome: &str, value: &Value, words: &str) -> Result<(), Failure> {
    if json {
        let mut line = value.clone();
        if let Some(object) = line.as_object_mut() {
            object.insert("outcome".to_owned(), json!(outcome));
        }
        return output.text(&format!("{line}\n"));
    }
    // What it says of several things is a line for each, and each of them is made visible already.
    let lines: Vec<String> = words.lines().map(visible).collect();
    output::note(&format!("{}\n", lines.join("\n")));
    Ok(())
}

/// Whether what was approved is what whoever called will run: as it was asked for, or in the form that they are told.
fn runs_as_told(outcome: &Value, takes_changes: bool) -> bool {
    let unchanged = outcome.get("modified").is_none();
    field(outcome, "manner") == "as-shown" && (unchanged || takes_changes)
}

fn not_as_asked(outcome: &Value, language: Language) -> String {
    match (outcome.get("modified").map(|changed| field(changed, "cmd")), language) {
        (Some(changed), Language::English) => {
            format!("not approved as asked, but in another form (--changed takes it): {changed}")
        }
        (Some(changed), Language::Chinese) => format!("未按原样批准，而是改为（--changed 接受）：{changed}"),
        (None, Language::English) => {
            "approved only with a copy of what would be lost: ask with signoff exec, which makes one".to_owned()
        }
        (None, Language::Chinese) => "仅在先备份的条件下批准：请用 signoff exec，它会先备份".to_owned(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_become_of_a_question_is_told_in_both_languages() {
        let outcome = |name: &str| {
            let differences = json!([{"words": "a: b\u{202e}"}]);
            json!({"outcome": name, "by": "ann", "words": "not today", "differences": differences})
        };
        for (name, english, chinese) in [
            ("denied", "denied by ann: not today", "已被 ann 拒绝：not today"),
            ("pending", "nobody has answered yet; it stays open", "还没有人回答；问题仍待回答"),
            ("expired", "nobody answered in time; that is not a no", "没有人及时回答；这不等于拒绝"),
            ("withdrawn", "it was taken back", "已撤回"),
            ("superseded", "another question has taken its place", "已被另一个问题取代"),
            ("stale", "it is no longer what was shown\n  a: b‹U+202E›", "已不是所展示的内容\n  a: b‹U+202E›"),
            ("odd", "it is odd", "状态：odd"),
        ] {
            assert_eq!(not_approved(&outcome(name), Language::English), english);
            assert_eq!(not_approved(&outcome(name), Language::Chinese), chinese);
        }
    }
}
