//! What is configured for a tool by its name (`policy.tools.<name>`) counts for the file tools of this server, too, although what they do is
//! judged as a file operation.

use std::{path::Path, time::Duration};

use rmcp::{RoleServer, service::RequestContext};
use serde_json::{Value, json};
use signoff_agents::door::Wish;
use signoff_model::{FileOperation, Operation, ToolCall, ToolHints};

use super::{
    Hands, House,
    asking::{Standing, asked},
    handler::Failed,
    operation::for_check,
    program,
};

/// So long a call waits for somebody.
const WAIT_FOR: Duration = Duration::from_secs(600);

/// Sees to it that a call is asked about where its name says so and the operation alone would not. An error where it must not go on.
pub(super) async fn heed(
    (house, hands): (&House, &Hands),
    context: &RequestContext<RoleServer>,
    directory: &Path,
    tool: &str,
    operation: &FileOperation,
) -> Result<(), Failed> {
    let args = json!({"path": operation.path, "to": operation.to, "content": operation.content});
    let call = Operation::Tool(ToolCall { name: tool.to_owned(), args, hints: ToolHints::default() });
    let judged = judged((house, hands), directory, &call).await?;
    let of_policy =
        |reason: &Value| reason.get("rule").and_then(Value::as_str).is_some_and(|rule| rule.starts_with("policy."));
    let is_named = judged.get("reasons").and_then(Value::as_array).is_some_and(|reasons| reasons.iter().any(of_policy));
    if verdict(&judged) == "allow" || !is_named {
        return Ok(());
    }
    // Whoever is asked about the file anyway is asked once.
    let file = Operation::File(operation.clone());
    if verdict(&judged) == "ask" && verdict(&self::judged((house, hands), directory, &file).await?) == "ask" {
        return Ok(());
    }
    let cwd = directory.to_string_lossy().into_owned();
    let wish = Wish { operation: call, cwd, intent: None, environment: hands.environment.clone(), schema: None };
    let answer = asked(house, context, &wish, WAIT_FOR).await?;
    match answer.standing {
        Standing::Approved => Ok(()),
        _ => Err(Failed(answer.message(house))),
    }
}

async fn judged((house, hands): (&House, &Hands), directory: &Path, operation: &Operation) -> Result<Value, Failed> {
    let (kind, text) = for_check(operation)?;
    let arguments = house.arguments(&["check", "--json", "--kind", kind]);
    let said = program::run(&hands.program, arguments, directory, text.as_bytes()).await.map_err(Failed)?;
    house.object(said)
}

fn verdict(judged: &Value) -> &str {
    judged.get("verdict").and_then(Value::as_str).unwrap_or_default()
}
