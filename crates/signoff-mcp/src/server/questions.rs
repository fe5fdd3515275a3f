//! `ask_user` and `plan_review`: a question of the agent to whoever it works for. It is answered in front of the client where that can ask, else
//! with a plain yes or no at the gateway. The answer is one to the agent: it approves no operation.

mod eliciting;
mod form;

use std::time::Duration;

use form::{Form, Kind};
use rmcp::{
    RoleServer,
    model::{CallToolResponse, CallToolResult, InputResponses},
    service::RequestContext,
};
use serde_json::{Value, json};
use signoff_agents::door::Wish;
use signoff_model::{Operation, ToolCall, ToolHints};

use super::{
    House,
    asking::{Standing, asked},
    given::{Given, Misfit},
    handler::Failed,
};

/// So long a call waits for somebody at the gateway.
const WAIT_FOR: Duration = Duration::from_secs(600);
/// More than this nobody reads.
const CHOICES_AT_MOST: usize = 20;
const STEPS_AT_MOST: usize = 100;

/// Asks whoever the agent works for.
pub(super) async fn ask_user(
    house: &House,
    context: &RequestContext<RoleServer>,
    mut given: Given,
    answers: Option<InputResponses>,
) -> Result<CallToolResponse, Failed> {
    let question = given.words("question")?;
    let kind = match given.text_if_any("kind")?.as_deref() {
        None | Some("yes_no") => Kind::YesNo,
        Some("choice") => Kind::Choice(given.texts("options", 2..=CHOICES_AT_MOST)?),
        Some("input") => Kind::Input,
        Some(_) => return Err(Misfit("`kind` is one of yes_no, choice, input".to_owned()).into()),
    };
    given.nothing_else()?;
    let asked = json!({"question": question});
    put(house, context, Form { question, kind }, ("ask_user", asked), answers).await
}

/// Shows a plan to whoever the agent works for.
pub(super) async fn plan_review(
    house: &House,
    context: &RequestContext<RoleServer>,
    mut given: Given,
    answers: Option<InputResponses>,
) -> Result<CallToolResponse, Failed> {
    let title = given.text_if_any("title")?;
    let steps = given.texts("steps", 1..=STEPS_AT_MOST)?;
    given.nothing_else()?;
    let mut question = title.clone().unwrap_or_default();
    for (step, number) in steps.iter().zip(1..) {
        question.push_str(&format!("\n{number}. {step}"));
    }
    let asked = json!({"title": title, "steps": steps});
    put(
        house,
        context,
        Form { question: question.trim().to_owned(), kind: Kind::Plan },
        ("plan_review", asked),
        answers,
    )
    .await
}

/// Puts a question to a person, wherever there is one.
async fn put(
    house: &House,
    context: &RequestContext<RoleServer>,
    form: Form,
    (tool, told): (&str, Value),
    answers: Option<InputResponses>,
) -> Result<CallToolResponse, Failed> {
    if eliciting::is_possible(context) {
        return eliciting::elicit(house, context, &form, answers).await;
    }
    let words = house.words();
    if matches!(form.kind, Kind::Choice(_) | Kind::Input) {
        return Err(Failed(words.no_form().to_owned()));
    }
    // The words of the agent are what is asked about, quoted and inert. It has to be asked, whatever it would be judged to be.
    let hints = ToolHints { destructive: Some(true), ..ToolHints::default() };
    let wish = Wish {
        operation: Operation::Tool(ToolCall { name: tool.to_owned(), args: told, hints }),
        // A question is asked nowhere in particular by whoever is elsewhere.
        cwd: house.hands.as_ref().map_or("/".to_owned(), |hands| hands.directory.to_string_lossy().into_owned()),
        intent: None,
        environment: house.environment(),
        schema: None,
    };
    let answer = asked(house, context, &wish, WAIT_FOR).await?;
    let said = match answer.standing {
        Standing::Approved => form.said_yes(),
        Standing::Denied { words, .. } => form.said_no(&words),
        // Nobody was asked, and nobody is taken at their silence.
        Standing::Allowed | Standing::Otherwise(_) | Standing::Blocked(_) => {
            return Err(Failed(words.nobody_asked().to_owned()));
        }
        Standing::Expired | Standing::Pending | Standing::Used | Standing::Over => form::unanswered("nobody answered"),
    };
    Ok(CallToolResult::structured(said).into())
}
