//! `safe_exec` and the file tools: a command, or something done to a file, through the gate, by the same program that runs it for everybody else.

use std::{path::Path, time::Duration};

use rmcp::{RoleServer, service::RequestContext};
use serde_json::{Value, json};
use signoff_agents::door::Outcome;
use signoff_model::FileOperation;

use super::{
    Hands, House,
    asking::identifier,
    by_name,
    given::{Given, Misfit},
    handler::Failed,
    operation::directory,
    program,
    progress::meanwhile,
    tools::FileTool,
};

/// A question that is open for longer is looked for with `approval_status`.
const WAIT_AT_MOST: Duration = Duration::from_secs(3600);

/// What is to run.
enum Wanted {
    /// A command, with the user's words that asked for it.
    Command(String, Option<String>),
    /// What was approved under this id.
    Approved(String),
}

/// Runs a command, or what was approved before, and says what came of it.
pub(super) async fn safe_exec(
    (house, hands): (&House, &Hands),
    context: &RequestContext<RoleServer>,
    mut given: Given,
) -> Result<Value, Failed> {
    let wanted = match (given.has("command"), given.has("approval_id")) {
        (true, false) => Wanted::Command(given.words("command")?, given.text_if_any("intent")?),
        (false, true) => Wanted::Approved(identifier(&given.text("approval_id")?)?),
        _ => return Err(Misfit("name either `command` or `approval_id`".to_owned()).into()),
    };
    let directory = directory(&mut given, hands)?;
    let limit = given.count_if_any("timeout_s")?;
    given.nothing_else()?;
    let run = Run { house, hands, context, directory: &directory, limit };
    match wanted {
        Wanted::Approved(id) => run.approved(&id).await,
        Wanted::Command(command, intent) => run.command(&command, intent.as_deref()).await,
    }
}

/// Does something to a file: with these arguments, and no others.
pub(super) async fn file(
    (house, hands): (&House, &Hands),
    context: &RequestContext<RoleServer>,
    mut given: Given,
    (name, tool): (&str, FileTool),
) -> Result<Value, Failed> {
    let mut needed = |field: &str| tool.names().contains(&field).then(|| given.text(field)).transpose();
    let (path, to, content) = (needed("path")?.unwrap_or_default(), needed("to")?, needed("content")?);
    let operation = FileOperation { action: tool.action(), path, to, content };
    let directory = directory(&mut given, hands)?;
    let intent = given.text_if_any("intent")?;
    given.nothing_else()?;
    by_name::heed((house, hands), context, &directory, name, &operation).await?;
    let FileOperation { action, path, to, content } = operation;
    let operation = json!({"op": action.name(), "path": path, "to": to, "content": content});
    let mut options = vec!["--no-wait".to_owned(), "--file".to_owned()];
    options.extend(intent.map(|intent| format!("--intent={intent}")));
    let run = Run { house, hands, context, directory: &directory, limit: None };
    run.through(options, &operation.to_string()).await
}

struct Run<'r> {
    house: &'r House,
    hands: &'r Hands,
    context: &'r RequestContext<RoleServer>,
    directory: &'r Path,
    limit: Option<u64>,
}

impl Run<'_> {
    async fn command(&self, command: &str, intent: Option<&str>) -> Result<Value, Failed> {
        let mut options = vec!["--no-wait".to_owned()];
        options.extend(intent.map(|intent| format!("--intent={intent}")));
        options.extend(["--".to_owned(), command.to_owned()]);
        self.through(options, "").await
    }

    /// Runs what may run, and what people say yes to.
    async fn through(&self, options: Vec<String>, input: &str) -> Result<Value, Failed> {
        let result = self.exec(options, input).await?;
        // People are asked, and this call waits for them; nobody to ask is an answer, too.
        let id = result.get("approval_id").and_then(Value::as_str);
        let (Some(true), Some(id)) = (result.get("confirmation_required").and_then(Value::as_bool), id) else {
            return Ok(result);
        };
        let door = self.house.door().await?;
        let words = self.house.words().waiting(id);
        let waited = meanwhile(self.context, &words, door.wait(id, WAIT_AT_MOST)).await;
        match waited {
            Err(cancelled) => {
                door.withdraw(id, "the client has taken its call back").await;
                Err(cancelled.into())
            }
            Ok(Ok(Outcome::Open) | Err(_)) => Ok(result),
            // Yes or no, whoever runs it looks at the answer.
            Ok(Ok(_)) => self.approved(id).await,
        }
    }

    async fn approved(&self, id: &str) -> Result<Value, Failed> {
        self.exec(vec!["--approval".to_owned(), id.to_owned()], "").await
    }

    async fn exec(&self, options: Vec<String>, input: &str) -> Result<Value, Failed> {
        let house = self.house;
        let mut arguments = house.arguments(&["exec", "--json", "--agent", &house.agent, "--session", &house.session]);
        arguments.extend(self.limit.map(|seconds| format!("--timeout={seconds}s").into()));
        arguments.extend(options.into_iter().map(Into::into));
        let running = program::run(&self.hands.program, arguments, self.directory, input.as_bytes());
        let said = meanwhile(self.context, house.words().running(), running).await?.map_err(Failed)?;
        house.object(said)
    }
}
