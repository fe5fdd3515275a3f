//! A question in front of the client: asked by a request of the server up to 2025-11-25, and since then by an answer that wants more input,
//! after which the client makes the same call again. Nothing is kept meanwhile, since the call says all of it.

use std::collections::BTreeMap;

use rmcp::{
    RoleServer,
    model::{
        CallToolResponse, CallToolResult, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
        ElicitationAction, InputRequest, InputRequiredResult, InputResponses, ProtocolVersion, ServerRequest,
    },
    service::RequestContext,
};
use serde_json::json;
use signoff_card::visible;

use super::form::{Form, unanswered};
use crate::server::{House, handler::Failed, progress::meanwhile};

/// The name of the one input that is wanted.
const ANSWER: &str = "answer";

/// Whether the client says that it can ask with a form. One that says nothing about how means a form.
pub(super) fn is_possible(context: &RequestContext<RoleServer>) -> bool {
    let declared = context.client_capabilities().and_then(|can| can.elicitation);
    declared.is_some_and(|how| how.form.is_some() || how.url.is_none())
}

/// Asks, or reads what was answered.
pub(super) async fn elicit(
    house: &House,
    context: &RequestContext<RoleServer>,
    form: &Form,
    answers: Option<InputResponses>,
) -> Result<CallToolResponse, Failed> {
    let request = request(house, form)?;
    let is_stateless = context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
    let answer = match (is_stateless, answers) {
        (true, None) => {
            let wanted = BTreeMap::from([(ANSWER.to_owned(), InputRequest::Elicitation(request))]);
            return Ok(InputRequiredResult::from_input_requests(wanted).into());
        }
        (true, Some(mut answers)) => answers.remove(ANSWER).and_then(|answer| serde_json::from_value(answer).ok()),
        (false, _) => {
            let asked = context.peer.send_request(ServerRequest::ElicitRequest(request));
            match meanwhile(context, house.words().in_front(), asked).await? {
                Ok(ClientResult::ElicitResult(answer)) => Some(answer),
                Ok(_) => None,
                Err(error) => return Err(Failed(visible(&error.to_string()))),
            }
        }
    };
    let misfit = || Failed(house.words().misfit().to_owned());
    let ElicitResult { action, content, .. } = answer.ok_or_else(misfit)?;
    let said = match action {
        ElicitationAction::Accept => form.said(&content.unwrap_or_default()).ok_or_else(misfit)?,
        ElicitationAction::Decline => unanswered("the user declined to answer"),
        ElicitationAction::Cancel => unanswered("the user closed the question"),
        _ => return Err(misfit()),
    };
    Ok(CallToolResult::structured(said).into())
}

fn request(house: &House, form: &Form) -> Result<ElicitRequest, Failed> {
    let question: Vec<String> = form.question.lines().map(visible).collect();
    let message = house.words().question(&question.join("\n"));
    let params = json!({"mode": "form", "message": message, "requestedSchema": form.schema()});
    let params: ElicitRequestParams = serde_json::from_value(params).map_err(|error| Failed(error.to_string()))?;
    Ok(ElicitRequest::new(params))
}
