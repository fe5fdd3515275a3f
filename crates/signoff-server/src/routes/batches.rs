//! Questions that are put together because an agent asks too much at once: looked at as a whole, and answered in one go.

use axum::{
    Json,
    extract::{Path, State},
};
use serde::{Deserialize, Serialize};
use signoff_card::Detail;
use signoff_gate::ToAll;
use signoff_model::Digest;
use utoipa::ToSchema;

use super::{Asked, Body, approvals::Drawing, id};
use crate::{
    app::Shared,
    credentials::Person,
    problem::{Problem, WireProblem},
    wire::approval::{Drawn, WireApproval},
};

/// Questions that are put together.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireBatch {
    /// Those that are open, the earliest first, each with its card in full.
    members: Vec<WireApproval>,
    /// What somebody has seen who has seen all of these. It belongs to the answer.
    seen: String,
}

/// All open questions of a batch, each with everything there is to see.
#[utoipa::path(
    get, path = "/v1/batches/{id}", tag = "people", security(("person" = [])),
    params(("id" = String, Path, description = "The id of the batch."), Drawing),
    responses(
        (status = 200, description = "The questions.", body = WireBatch),
        (status = "default", description = "There is none.", body = WireProblem),
    )
)]
pub(crate) async fn show(
    State(app): State<Shared>,
    _person: Person,
    Path(text): Path<String>,
    Asked(drawing): Asked<Drawing>,
) -> Result<Json<WireBatch>, Problem> {
    // Whoever answers all of them has seen all of each.
    let drawn = Drawn { detail: Detail::Full, ..drawing.drawn()? };
    let batch = app.gate.batch(id(&text)?).await?;
    let members = batch.members.iter().map(|member| WireApproval::shown(member, drawn)).collect();
    Ok(Json(WireBatch { members, seen: batch.seen.to_string() }))
}

/// What a person says to all questions of a batch.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", tag = "answer", deny_unknown_fields)]
pub(crate) enum WireToAll {
    /// Yes, to each as shown.
    Approve {
        /// The `seen` of what was looked at.
        seen: String,
    },
    /// No, to each.
    Deny {
        /// The `seen` of what was looked at.
        seen: String,
        /// Words for the agent.
        #[serde(default)]
        words: String,
    },
}

/// What came of the answer for one of them.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireMember {
    /// The question as it stands now.
    approval: WireApproval,
    /// Why the answer did not count for it; none where it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'static str>,
}

/// Answers all open questions of a batch in one go. Each of them is decided by itself, and has its own permit.
#[utoipa::path(
    post, path = "/v1/batches/{id}/answer", tag = "people", security(("person" = [])),
    params(("id" = String, Path, description = "The id of the batch.")),
    request_body = WireToAll,
    responses(
        (status = 200, description = "What came of it for each.", body = Vec<WireMember>),
        (status = "default", description = "The answer does not count.", body = WireProblem),
    )
)]
pub(crate) async fn answer(
    State(app): State<Shared>,
    person: Person,
    Path(text): Path<String>,
    Body(answer): Body<WireToAll>,
) -> Result<Json<Vec<WireMember>>, Problem> {
    let (seen, said) = match answer {
        WireToAll::Approve { seen } => (seen, ToAll::Approve),
        WireToAll::Deny { seen, words } => (seen, ToAll::Deny(words)),
    };
    let seen = Digest::parse(&seen).ok_or_else(|| Problem::wrong("`seen` must be what the batch was shown with"))?;
    let members = app.gate.answer_batch(id(&text)?, &person.by, seen, &said).await?;
    let told = members.iter().map(|(approval, outcome)| WireMember {
        approval: WireApproval::listed(approval),
        refused: outcome.as_ref().err().map(signoff_gate::Refusal::name),
    });
    Ok(Json(told.collect()))
}
