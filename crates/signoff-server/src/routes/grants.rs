//! What people allow beforehand: standing permissions, which end by themselves.

use std::time::Duration;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use signoff_gate::{FromQuestion, NewGrant, NewReach, WantedReach};
use signoff_model::{AgentId, GrantId, Risk, SessionId};
use utoipa::ToSchema;

use super::{Body, id};
use crate::{
    app::Shared,
    credentials::Person,
    problem::{Problem, WireProblem},
    wire::{
        approval::WireApproval,
        grant::{WireGrant, WireSuggestion},
        operation::WireOperation,
    },
};

/// Lists the grants that have not ended.
#[utoipa::path(
    get, path = "/v1/grants", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "The grants, the oldest first.", body = Vec<WireGrant>),
        (status = "default", description = "There is no list.", body = WireProblem),
    )
)]
pub(crate) async fn list(State(app): State<Shared>, _person: Person) -> Result<Json<Vec<WireGrant>>, Problem> {
    Ok(Json(app.gate.grants().await?.iter().map(WireGrant::from).collect()))
}

/// A grant that somebody gives by itself.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireNewGrant {
    /// exact, with `operation` and `cwd`; or pattern, with `pattern` and either `project` or `everywhere`.
    kind: String,
    /// The operation, of an exact one.
    operation: Option<WireOperation>,
    /// Where it runs, of an exact one.
    cwd: Option<String>,
    /// The pattern over the words of commands: `git push *`.
    pattern: Option<String>,
    /// Patterns over paths: whatever a command touches must be at one of them.
    #[serde(default)]
    paths: Vec<String>,
    /// The absolute path of the only project in which it counts.
    project: Option<String>,
    /// That it counts in every project.
    #[serde(default)]
    everywhere: bool,
    /// Up to which risk a pattern answers: low, medium or high. Medium where nothing is said; an exact one answers what is as
    /// grave as now.
    covers: Option<String>,
    /// For how long, 30 days at most.
    for_seconds: u64,
    /// How often; without it only time ends the grant.
    uses: Option<u32>,
    /// Only in this session.
    session: Option<String>,
    /// Only for this agent.
    agent: Option<String>,
}

impl WireNewGrant {
    fn reach(self) -> Result<NewReach, Problem> {
        let needs = |name: &str| Problem::wrong(format!("`{name}` is missing"));
        match self.kind.as_str() {
            "exact" => {
                let others = [self.pattern.is_some(), self.project.is_some(), self.everywhere, self.covers.is_some()];
                if others.contains(&true) || !self.paths.is_empty() {
                    return Err(Problem::wrong(
                        "an exact grant has `operation` and `cwd`, and no pattern, project or risk",
                    ));
                }
                let operation = self.operation.ok_or_else(|| needs("operation"))?.try_into()?;
                Ok(NewReach::Exact { operation, directory: self.cwd.ok_or_else(|| needs("cwd"))? })
            }
            "pattern" => {
                if self.operation.is_some() || self.cwd.is_some() {
                    return Err(Problem::wrong("a grant for a pattern has no `operation` and no `cwd`"));
                }
                if self.project.is_some() == self.everywhere {
                    return Err(Problem::wrong("a grant for a pattern has either `project` or `everywhere`"));
                }
                let risk = |name: String| {
                    let known = [Risk::Low, Risk::Medium, Risk::High].into_iter().find(|risk| risk.name() == name);
                    known.ok_or_else(|| Problem::wrong("`covers` must be one of low, medium, high"))
                };
                Ok(NewReach::Pattern {
                    command: self.pattern.ok_or_else(|| needs("pattern"))?,
                    paths: self.paths,
                    project: self.project,
                    covers: self.covers.map(risk).transpose()?.unwrap_or(Risk::Medium),
                })
            }
            _ => Err(wrong_kind()),
        }
    }
}

fn wrong_kind() -> Problem {
    Problem::wrong("`kind` must be one of exact, pattern")
}

/// Gives a grant: what fits it is allowed without a question until it ends.
#[utoipa::path(
    post, path = "/v1/grants", tag = "people", security(("person" = [])),
    request_body = WireNewGrant,
    responses(
        (status = 201, description = "It counts from now on.", body = WireGrant),
        (status = "default", description = "There is no grant.", body = WireProblem),
    )
)]
pub(crate) async fn create(
    State(app): State<Shared>,
    person: Person,
    Body(mut wanted): Body<WireNewGrant>,
) -> Result<(StatusCode, Json<WireGrant>), Problem> {
    let (lasts, uses) = (Duration::from_secs(wanted.for_seconds), wanted.uses);
    let session = wanted.session.take().map(SessionId::new).transpose();
    let agent = wanted.agent.take().map(AgentId::new).transpose();
    let new = NewGrant {
        session: session.map_err(|bad| Problem::wrong(format!("`session`: {bad}")))?,
        agent: agent.map_err(|bad| Problem::wrong(format!("`agent`: {bad}")))?,
        reach: wanted.reach()?,
        lasts,
        uses,
    };
    let grant = app.gate.grant(person.by, new).await?;
    Ok((StatusCode::CREATED, Json(WireGrant::from(&grant))))
}

/// Takes a grant back.
#[utoipa::path(
    delete, path = "/v1/grants/{id}", tag = "people", security(("person" = [])),
    params(("id" = String, Path, description = "The id of the grant.")),
    responses(
        (status = 204, description = "It does not count any more."),
        (status = "default", description = "There is no such grant.", body = WireProblem),
    )
)]
pub(crate) async fn revoke(
    State(app): State<Shared>,
    person: Person,
    Path(text): Path<String>,
) -> Result<StatusCode, Problem> {
    let id = GrantId::parse(&text).ok_or_else(Problem::not_found)?;
    app.gate.revoke(id, person.by).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Grants that would have answered many of your last questions. They are shown, and never given by themselves.
#[utoipa::path(
    get, path = "/v1/grants/suggestions", tag = "people", security(("person" = [])),
    responses(
        (status = 200, description = "The suggestions, the best first.", body = Vec<WireSuggestion>),
        (status = "default", description = "There are none.", body = WireProblem),
    )
)]
pub(crate) async fn suggestions(
    State(app): State<Shared>,
    person: Person,
) -> Result<Json<Vec<WireSuggestion>>, Problem> {
    let found = app.gate.suggestions(&person.by.person).await?;
    Ok(Json(found.into_iter().map(WireSuggestion::from).collect()))
}

/// A grant that answers a question: for the agent that asks, in its project, and for nothing graver.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireFromQuestion {
    /// exact, for what is asked about; or pattern, with `pattern`, which it must have.
    kind: String,
    /// The pattern over the words of commands: `git push *`.
    pattern: Option<String>,
    /// Patterns over paths: whatever a command touches must be at one of them.
    #[serde(default)]
    paths: Vec<String>,
    /// For how long, 30 days at most.
    for_seconds: u64,
    /// How often after this; without it only time ends the grant.
    uses: Option<u32>,
    /// That it counts only in the session that asks.
    #[serde(default)]
    this_session: bool,
}

/// A question that was answered with a grant.
#[derive(Serialize, ToSchema)]
pub(crate) struct Granted {
    /// The grant.
    grant: WireGrant,
    /// The question as it stands now.
    approval: WireApproval,
}

/// Answers a question with yes, and others like it from now on. The grant has to fit what is asked about.
#[utoipa::path(
    post, path = "/v1/approvals/{id}/grant", tag = "people", security(("person" = [])),
    params(("id" = String, Path, description = "The id of the question.")),
    request_body = WireFromQuestion,
    responses(
        (status = 201, description = "It is approved, and the grant counts from now on.", body = Granted),
        (status = "default", description = "There is no grant, and the question stands as it was.", body = WireProblem),
    )
)]
pub(crate) async fn from_question(
    State(app): State<Shared>,
    person: Person,
    Path(text): Path<String>,
    Body(wanted): Body<WireFromQuestion>,
) -> Result<(StatusCode, Json<Granted>), Problem> {
    let id = id(&text)?;
    let WireFromQuestion { kind, pattern, paths, for_seconds, uses, this_session } = wanted;
    let wanted = match (kind.as_str(), pattern) {
        ("exact", None) if paths.is_empty() => WantedReach::Exact,
        ("exact", _) => return Err(Problem::wrong("an exact grant has no patterns")),
        ("pattern", Some(command)) => WantedReach::Pattern { command, paths },
        ("pattern", None) => return Err(Problem::wrong("`pattern` is missing")),
        _ => return Err(wrong_kind()),
    };
    let session =
        if this_session { app.store().approval(id).await?.map(|approval| approval.requester.session) } else { None };
    let new = FromQuestion { wanted, lasts: Duration::from_secs(for_seconds), uses, session };
    let (grant, approval, _) = app.gate.grant_to(id, person.by, new).await?;
    let granted = Granted { grant: WireGrant::from(&grant), approval: WireApproval::listed(&approval) };
    Ok((StatusCode::CREATED, Json(granted)))
}
