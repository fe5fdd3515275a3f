//! Grants as people see them.

use serde::Serialize;
use signoff_gate::Suggestion;
use signoff_model::{Bounds, Grant, Reach};
use utoipa::ToSchema;

use super::operation::WireOperation;

/// A standing permission.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireGrant {
    /// Which.
    id: String,
    /// exact, pattern or plan-step.
    kind: &'static str,
    /// The pattern over the words of commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
    /// Patterns over paths: where there are any, whatever a command touches must be at one of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<String>,
    /// The operation, of an exact one.
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<WireOperation>,
    /// The directory, of an exact one.
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<String>,
    /// So many files may be lost for good by an exact one: those that were shown, and no others.
    #[serde(skip_serializing_if = "Option::is_none")]
    loses_files: Option<u64>,
    /// The question with whose yes it was given, of a step of a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<String>,
    /// Up to which risk it answers: low, medium or high.
    covers: &'static str,
    /// The only project in which it counts; none where it counts everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    /// The only agent for which it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// The only session in which it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// Who gave it.
    by: String,
    /// When, in milliseconds since 1970.
    at: i64,
    /// Until when it counts, in milliseconds since 1970.
    until: i64,
    /// So many more times it counts; none where only time ends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    uses_left: Option<u32>,
}

impl From<&Grant> for WireGrant {
    fn from(grant: &Grant) -> Self {
        let Grant { id, by, at, reach, covers, bounds } = grant;
        let Bounds { until, uses, session, project, agent } = bounds;
        let (operation, directory, pattern, paths) = match reach {
            Reach::Exact { operation, directory, .. } => {
                (Some(operation.into()), Some(directory.clone()), None, Vec::new())
            }
            Reach::Pattern { command, paths } => (None, None, Some(command.clone()), paths.clone()),
        };
        let (loses_files, plan) = match reach {
            Reach::Exact { shown, plan, .. } => (Some(shown.total.files), plan.map(|plan| plan.to_string())),
            Reach::Pattern { .. } => (None, None),
        };
        Self {
            loses_files,
            plan,
            id: id.to_string(),
            kind: reach.name(),
            pattern,
            paths,
            operation,
            directory,
            covers: covers.name(),
            project: project.clone(),
            agent: agent.as_ref().map(ToString::to_string),
            session: session.as_ref().map(ToString::to_string),
            by: by.person.to_string(),
            at: at.millis(),
            until: until.millis(),
            uses_left: *uses,
        }
    }
}

/// A grant that would have answered many of the last questions. It is only shown.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireSuggestion {
    /// The pattern over the words of commands.
    pattern: String,
    /// The project in which it would count.
    project: String,
    /// The gravest of what it would have answered.
    covers: &'static str,
    /// So many of your last questions it would have answered, none of which you denied.
    answered: usize,
    /// Of so many.
    of: usize,
}

impl From<Suggestion> for WireSuggestion {
    fn from(suggestion: Suggestion) -> Self {
        let Suggestion { pattern, project, covers, answered, of } = suggestion;
        Self { pattern, project, covers: covers.name(), answered, of }
    }
}
