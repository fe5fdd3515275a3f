//! A grant as it is stored.

use serde::{Deserialize, Serialize};
use signoff_gate::StoreError;
use signoff_model::{AgentId, ApprovalId, Bounds, Grant, GrantId, Reach, SessionId, Timestamp};

use super::{
    Unreadable,
    approval::{WireAnswerer, digest, risk},
    missing,
    operation::WireOperation,
    shown::{WireShown, is_unknown},
    wrong,
};

const VERSION: u8 = 1;

/// The stored text of a grant, once it is certain that it would be read again as it is.
pub(crate) fn kept_grant(grant: &Grant) -> Result<String, StoreError> {
    let text = serde_json::to_string(&WireGrant::from(grant)).unwrap_or_default();
    match read_grant(&text) {
        Ok(again) if again == *grant => Ok(text),
        Ok(_) => Err(StoreError::Unkeepable("it would be read again as something else".to_owned())),
        Err(why) => Err(StoreError::Unkeepable(why.0)),
    }
}

/// The grant of a stored text.
pub(crate) fn read_grant(text: &str) -> Result<Grant, Unreadable> {
    serde_json::from_str::<WireGrant>(text)?.try_into()
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireGrant {
    v: u8,
    id: String,
    by: WireAnswerer,
    at: i64,
    reach: WireReach,
    covers: String,
    until: i64,
    uses: Option<u32>,
    session: Option<String>,
    project: Option<String>,
    agent: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
enum WireReach {
    Exact {
        operation: WireOperation,
        directory: String,
        bound: String,
        /// Where nothing is known of what was shown, nothing may be lost.
        #[serde(default, skip_serializing_if = "is_unknown")]
        shown: WireShown,
        /// Most are given by themselves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan: Option<String>,
    },
    Pattern {
        command: String,
        paths: Vec<String>,
    },
}

impl From<&Grant> for WireGrant {
    fn from(grant: &Grant) -> Self {
        let Grant { id, by, at, reach, covers, bounds } = grant;
        let Bounds { until, uses, session, project, agent } = bounds;
        Self {
            v: VERSION,
            id: id.to_string(),
            by: by.into(),
            at: at.millis(),
            reach: match reach {
                Reach::Exact { operation, directory, bound, shown, plan } => WireReach::Exact {
                    operation: operation.into(),
                    directory: directory.clone(),
                    bound: bound.to_string(),
                    shown: shown.into(),
                    plan: plan.as_ref().map(ToString::to_string),
                },
                Reach::Pattern { command, paths } => {
                    WireReach::Pattern { command: command.clone(), paths: paths.clone() }
                }
            },
            covers: covers.name().to_owned(),
            until: until.millis(),
            uses: *uses,
            session: session.as_ref().map(ToString::to_string),
            project: project.clone(),
            agent: agent.as_ref().map(ToString::to_string),
        }
    }
}

impl TryFrom<WireGrant> for Grant {
    type Error = Unreadable;

    fn try_from(wire: WireGrant) -> Result<Self, Unreadable> {
        let WireGrant { v, id, by, at, reach, covers, until, uses, session, project, agent } = wire;
        if v != VERSION {
            return Err(Unreadable(format!("a grant of version {v}, and this program knows {VERSION} at most")));
        }
        Ok(Self {
            id: GrantId::parse(&id).ok_or_else(|| missing("id"))?,
            by: by.try_into()?,
            at: Timestamp::from_millis(at),
            reach: match reach {
                WireReach::Exact { operation, directory, bound, shown, plan } => Reach::Exact {
                    operation: operation.try_into()?,
                    directory,
                    bound: digest(&bound, "bound")?,
                    shown: shown.into(),
                    plan: plan.map(|plan| ApprovalId::parse(&plan).ok_or_else(|| missing("plan"))).transpose()?,
                },
                WireReach::Pattern { command, paths } => Reach::Pattern { command, paths },
            },
            covers: risk(&covers)?,
            bounds: Bounds {
                until: Timestamp::from_millis(until),
                uses,
                session: session.map(SessionId::new).transpose().map_err(wrong("session"))?,
                project,
                agent: agent.map(AgentId::new).transpose().map_err(wrong("agent"))?,
            },
        })
    }
}
