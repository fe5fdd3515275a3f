//! Accounts as they are kept. What an earlier version has written lacks what came later.

use serde::{Deserialize, Serialize};

use super::Role;

pub(super) const PEOPLE: &str = "people";
pub(super) const AGENTS: &str = "agents";
pub(super) const LOGINS: &str = "logins";
pub(super) const INVITATIONS: &str = "invitations";

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PersonRecord {
    pub(super) password: String,
    pub(super) since: i64,
    /// None in a store of a version that knew no roles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) role: Option<Role>,
    /// None where nobody knows any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) invited_by: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AgentRecord {
    pub(super) owner: String,
    pub(super) secret: String,
    pub(super) since: i64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoginRecord {
    pub(super) person: String,
    pub(super) csrf: String,
    pub(super) until: i64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InvitationRecord {
    pub(super) person: String,
    pub(super) until: i64,
    /// As what; none in a store of a version that knew no roles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) role: Option<Role>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) invited_by: Option<String>,
}

/// What ends by itself.
pub(super) trait Ends {
    fn until(&self) -> i64;
}

impl Ends for LoginRecord {
    fn until(&self) -> i64 {
        self.until
    }
}

impl Ends for InvitationRecord {
    fn until(&self) -> i64 {
        self.until
    }
}
