//! Who may do what beside what is their own.

use serde::{Deserialize, Serialize};
use signoff_gate::{Change, StoreError};
use signoff_model::{Actor, Deed, PersonId};

use super::{
    AccountError, Accounts, Kept, json,
    records::{PEOPLE, PersonRecord},
};

/// An account that changes under the hands of whoever changes it is tried again so many times.
pub(super) const ROUNDS: usize = 8;

/// What somebody may do beside what is their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Invite and remove people, remove the agents of others, and take back what others have told the gate.
    Administrator,
    /// Nothing.
    Member,
}

impl Role {
    /// Its stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Administrator => "administrator",
            Self::Member => "member",
        }
    }
}

/// Somebody who has an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Their name.
    pub person: String,
    /// What they may do beside what is their own.
    pub role: Role,
    /// Since when, in milliseconds since 1970.
    pub since: i64,
    /// Who has invited them, where that is known.
    pub invited_by: Option<String>,
}

impl Accounts<'_> {
    /// Everybody who has an account.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn people(&self) -> Result<Vec<Account>, AccountError> {
        Ok(self.settled().await?.into_iter().map(|kept| account(kept.name, kept.record)).collect())
    }

    /// Somebody's account.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn account(&self, person: &PersonId) -> Result<Option<Account>, AccountError> {
        let Some((_, record)) = self.kept::<PersonRecord>(PEOPLE, person.as_str()).await? else { return Ok(None) };
        if record.role.is_some() {
            return Ok(Some(account(person.to_string(), record)));
        }
        Ok(self.people().await?.into_iter().find(|account| account.person == person.as_str()))
    }

    /// The accounts with their roles. In a store of a version that knew none, whoever has been there longest is the
    /// administrator; that is written down once, so that nobody becomes one later because others went.
    pub(super) async fn settled(&self) -> Result<Vec<Kept<PersonRecord>>, AccountError> {
        for _ in 0..ROUNDS {
            let all = self.all::<PersonRecord>(PEOPLE).await?;
            if all.iter().all(|kept| kept.record.role.is_some()) {
                return Ok(all);
            }
            let oldest = all.iter().min_by_key(|kept| (kept.record.since, kept.name.clone()));
            let oldest = oldest.filter(|_| all.iter().all(|kept| kept.record.role.is_none()));
            let oldest = oldest.map(|kept| kept.name.clone());
            let without = all.into_iter().filter(|kept| kept.record.role.is_none());
            let changes = without.map(|Kept { name, text, mut record }| {
                let is_oldest = oldest.as_ref() == Some(&name);
                record.role = Some(if is_oldest { Role::Administrator } else { Role::Member });
                let details = vec![("person", name.clone()), ("why", "the oldest account".to_owned())];
                let deed = Deed { what: "became-administrator", by: Actor::Gate, approval: None, details };
                let deed = is_oldest.then_some(deed);
                Change { shelf: PEOPLE, name, from: Some(text), to: Some(json(&record)), deed }
            });
            // Who was quicker has written the same.
            self.store.change(changes.collect()).await?;
        }
        Err(StoreError::Unavailable("others change the same all the time".to_owned()).into())
    }
}

fn account(person: String, record: PersonRecord) -> Account {
    let PersonRecord { since, role, invited_by, .. } = record;
    Account { person, role: role.unwrap_or(Role::Member), since, invited_by }
}
