//! The one table: what a client has to hear so that it does what was decided.
//!
//! Every no is whole: in the form of the client, with a reason, with the same reason on standard error, and with exit code 2, since
//! each of these is what some client needs. A yes, a question and a changed input go only to clients that were seen to heed them;
//! for every other client each of them is a no.

use serde_json::{Value, json};
use signoff_model::Operation;

use super::{Call, Moment, operation::changed_input};
use crate::Client;

/// What was decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It may run, for this reason.
    Allow(String),
    /// It may run in this form and no other.
    AllowChanged(Box<Operation>, String),
    /// It must not run, for this reason.
    Deny(String),
    /// The client asks whoever sits in front of it, and shows this.
    AskThere(String),
    /// Nothing is decided: the client goes on by its own rules.
    Nothing,
}

/// What is written, and how the process ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// On standard output.
    pub stdout: String,
    /// On standard error.
    pub stderr: String,
    /// The exit code.
    pub code: u8,
}

/// What a no says where there is nothing else to say.
const NO_REASON: &str = "not allowed by Signoff";

/// What a client has to hear.
pub fn reply(call: &Call, answer: &Answer) -> Reply {
    let (client, event) = (call.client, call.event.as_str());
    match answer {
        Answer::Nothing => nothing(client),
        Answer::Allow(_) | Answer::AllowChanged(..) | Answer::AskThere(_) | Answer::Deny(_)
            if matches!(call.moment, Moment::After { .. } | Moment::Other) =>
        {
            nothing(client)
        }
        Answer::Allow(reason) => allow(client, call.moment, event, reason, None),
        Answer::AllowChanged(operation, reason) => {
            match changed_input(call, operation).filter(|_| can_change(call, operation)) {
                Some(input) => allow(client, call.moment, event, reason, Some(input)),
                None => {
                    let words =
                        format!("not approved as asked, but in this form, which you may ask for: {}", operation.text());
                    deny(client, call.moment, event, &words)
                }
            }
        }
        Answer::AskThere(reason) if client == Client::Claude && call.moment == Moment::Before => {
            said(&claude(event, "ask", reason, None))
        }
        Answer::AskThere(_) if client == Client::Claude => nothing(client),
        Answer::AskThere(reason) | Answer::Deny(reason) => deny(client, call.moment, event, reason),
    }
}

/// Whether a client runs a changed form of what it has asked for. Whoever is asked for permission may say yes to what was asked for,
/// and nothing else.
pub fn can_change(call: &Call, operation: &Operation) -> bool {
    call.client.takes_changes() && call.moment == Moment::Before && changed_input(call, operation).is_some()
}

/// The no of a client about which nothing is known but the name under which the hook was installed.
pub fn unheeded(client: Client, reason: &str) -> Reply {
    let event = match client {
        Client::Gemini => "BeforeTool",
        _ => "PreToolUse",
    };
    deny(client, Moment::Before, event, reason)
}

fn said(value: &Value) -> Reply {
    Reply { stdout: format!("{value}\n"), stderr: String::new(), code: 0 }
}

/// No decision. Every client that was run takes an empty object for one.
fn nothing(client: Client) -> Reply {
    match client {
        // These have no such answer; whoever decides nothing allows.
        Client::Windsurf | Client::Amp => Reply { stdout: String::new(), stderr: String::new(), code: 0 },
        Client::Cline => said(&json!({"cancel": false})),
        // Our plugin takes an empty object for the answer of somebody else.
        Client::OpenCode => said(&json!({"decision": "defer"})),
        _ => said(&json!({})),
    }
}

fn claude(event: &str, decision: &str, reason: &str, input: Option<Value>) -> Value {
    let mut output = json!({
        "hookEventName": event,
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    });
    if let (Some(input), Some(fields)) = (input, output.as_object_mut()) {
        fields.insert("updatedInput".to_owned(), input);
    }
    json!({"hookSpecificOutput": output})
}

fn allow(client: Client, moment: Moment, event: &str, reason: &str, input: Option<Value>) -> Reply {
    let permitted = moment == Moment::Permission;
    match client {
        Client::Claude | Client::Codex | Client::Qwen if permitted => {
            said(&json!({"hookSpecificOutput": {"hookEventName": event, "decision": {"behavior": "allow"}}}))
        }
        Client::Copilot if permitted => said(&json!({"behavior": "allow"})),
        Client::Claude | Client::Qwen => said(&claude(event, "allow", reason, input)),
        // It takes a changed input with an allow, and nothing without.
        Client::Codex => match input {
            Some(input) => {
                let command = input.get("command").cloned().unwrap_or_default();
                said(&claude(event, "allow", reason, Some(json!({"command": command}))))
            }
            None => nothing(client),
        },
        Client::Gemini => match input {
            Some(input) => said(&json!({"decision": "allow", "hookSpecificOutput": {"tool_input": input}})),
            None => said(&json!({"decision": "allow"})),
        },
        Client::Copilot => match input {
            Some(input) => {
                said(&json!({"permissionDecision": "allow", "permissionDecisionReason": reason, "modifiedArgs": input}))
            }
            None => said(&json!({"permissionDecision": "allow", "permissionDecisionReason": reason})),
        },
        Client::Cline => match input {
            Some(input) => said(&json!({"cancel": false, "overrideInput": input})),
            None => nothing(client),
        },
        Client::OpenCode => match input {
            Some(input) => said(&json!({"decision": "allow", "args": input})),
            None => said(&json!({"decision": "allow"})),
        },
        Client::Cursor => said(&json!({"permission": "allow"})),
        Client::Antigravity => said(&json!({"decision": "allow", "reason": reason})),
        Client::Kimi | Client::Goose | Client::Windsurf | Client::Amp => nothing(client),
    }
}

fn deny(client: Client, moment: Moment, event: &str, reason: &str) -> Reply {
    let reason = if reason.trim().is_empty() { NO_REASON } else { reason };
    let permitted = moment == Moment::Permission;
    let value = match client {
        Client::Claude | Client::Codex | Client::Qwen if permitted => {
            json!({"hookSpecificOutput": {"hookEventName": event, "decision": {"behavior": "deny", "message": reason}}})
        }
        Client::Copilot if permitted => json!({"behavior": "deny", "message": reason}),
        Client::Claude | Client::Codex | Client::Qwen | Client::Kimi => claude(event, "deny", reason, None),
        Client::Gemini | Client::OpenCode | Client::Antigravity => json!({"decision": "deny", "reason": reason}),
        Client::Copilot => json!({"permissionDecision": "deny", "permissionDecisionReason": reason}),
        Client::Cline => json!({"cancel": true, "errorMessage": reason}),
        Client::Cursor => json!({"permission": "deny", "user_message": reason, "agent_message": reason}),
        Client::Goose => json!({"decision": "block", "reason": reason}),
        Client::Windsurf | Client::Amp => json!({"reason": reason}),
    };
    Reply { stdout: format!("{value}\n"), stderr: format!("{reason}\n"), code: 2 }
}
