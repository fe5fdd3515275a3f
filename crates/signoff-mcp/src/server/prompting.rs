//! `approval_prompt`: Claude Code's `--permission-prompt-tool`. The call is put to the hook of Claude Code, which holds it while people decide;
//! whatever is not a yes there is a no here.

use rmcp::{RoleServer, service::RequestContext};
use serde_json::{Value, json};
use signoff_agents::hook::asks_its_user;

use super::{
    Hands, House,
    given::{Given, Misfit},
    program::{self, Said},
    progress::meanwhile,
};

/// What Claude Code hears.
#[derive(Debug, PartialEq)]
enum Answer {
    /// It may go, with this input.
    Allow(Value),
    Deny(String),
}

/// Says whether a call of Claude Code may go, in the one text that it reads.
pub(super) async fn approval_prompt(
    here: (&House, &Hands),
    context: &RequestContext<RoleServer>,
    given: Given,
) -> String {
    let said = match decided(here, context, given).await {
        Ok(Answer::Allow(input)) => json!({"behavior": "allow", "updatedInput": input}),
        Ok(Answer::Deny(message)) | Err(message) => return denied(&message),
    };
    said.to_string()
}

/// A no, for this reason.
pub(super) fn denied(message: &str) -> String {
    json!({"behavior": "deny", "message": message}).to_string()
}

async fn decided(
    (house, hands): (&House, &Hands),
    context: &RequestContext<RoleServer>,
    mut given: Given,
) -> Result<Answer, String> {
    let misfit = |Misfit(why): Misfit| why;
    let tool = given.words("tool_name").map_err(misfit)?;
    let input = Value::Object(given.object("input").map_err(misfit)?);
    let id = given.text_if_any("tool_use_id").map_err(misfit)?;
    // The hook leaves these to the dialog of the client, and whoever calls here has none.
    if asks_its_user(&tool) {
        return Ok(Answer::Deny(house.words().for_its_user(&tool)));
    }
    // What else a later release says about a call is for its own eyes; the tool and its input are all that runs.
    let session = hands.client_session.as_deref().unwrap_or(&house.session);
    let payload = json!({
        "hook_event_name": "PreToolUse",
        "session_id": session,
        "cwd": hands.directory.to_string_lossy(),
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": id,
    });
    let payload = payload.to_string();
    let arguments = vec!["hook".into(), "claude".into()];
    let hook = program::run(&hands.program, arguments, &hands.directory, payload.as_bytes());
    let words = house.words().asked_about(&tool);
    let said = meanwhile(context, &words, hook).await.map_err(|_| house.words().cancelled().to_owned())??;
    Ok(heard(&said, input).unwrap_or_else(|| Answer::Deny(house.words().unreadable(&said.stderr))))
}

/// What the hook has said; nothing where it has said nothing that counts.
fn heard(said: &Said, input: Value) -> Option<Answer> {
    let answer: Value = serde_json::from_str(said.stdout.trim()).ok()?;
    // The hook leaves what is harmless to the rules of the client (`hook.on_allow`), and they have asked here.
    if said.code == Some(0) && answer == json!({}) {
        return Some(Answer::Allow(input));
    }
    let output = answer.get("hookSpecificOutput")?;
    let text = |name: &str| output.get(name).and_then(Value::as_str).unwrap_or_default();
    match (text("permissionDecision"), said.code) {
        ("allow", Some(0)) => Some(Answer::Allow(output.get("updatedInput").cloned().unwrap_or(input))),
        ("deny", _) => Some(Answer::Deny(text("permissionDecisionReason").to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hears(stdout: &str, code: Option<i32>) -> Option<Answer> {
        heard(&Said { stdout: stdout.to_owned(), stderr: String::new(), code }, json!({"command": "ls"}))
    }

    #[test]
    fn nothing_but_a_yes_is_one() {
        let allow = r#"{"hookSpecificOutput": {"permissionDecision": "allow"}}"#;
        assert_eq!(hears(allow, Some(0)), Some(Answer::Allow(json!({"command": "ls"}))));
        let changed = r#"{"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": {"command": "pwd"}}}"#;
        assert_eq!(hears(changed, Some(0)), Some(Answer::Allow(json!({"command": "pwd"}))));
        let deny = r#"{"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "why"}}"#;
        assert_eq!(hears(deny, Some(2)), Some(Answer::Deny("why".to_owned())));
        assert_eq!(hears("{}\n", Some(0)), Some(Answer::Allow(json!({"command": "ls"}))));
        for (other, code) in [
            (allow, Some(2)),
            (allow, None),
            ("{}", Some(2)),
            ("{}", None),
            ("", Some(0)),
            ("allow", Some(0)),
            (r#"{"hookSpecificOutput": {"permissionDecision": "ask"}}"#, Some(0)),
            (r#"{"behavior": "allow"}"#, Some(0)),
        ] {
            assert_eq!(hears(other, code), None, "{other}");
        }
    }
}
