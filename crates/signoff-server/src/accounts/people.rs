//! People: how they come, how they go, and their passwords.

use signoff_gate::Change;
use signoff_model::{Actor, Deed, PersonId};

use super::{
    AccountError, Accounts, INVITATION_PREFIX, INVITED_FOR, Kept, LOGIN_PREFIX, Role, digest, json,
    passwords::{can_be_password, hashed, is_password},
    records::{AGENTS, AgentRecord, INVITATIONS, InvitationRecord, LOGINS, LoginRecord, PEOPLE, PersonRecord},
    roles::ROUNDS,
    secret,
};

impl Accounts<'_> {
    /// Invites a person: whoever holds the invitation chooses the password. Only somebody at a terminal may call this, and
    /// administrators. Where there is nobody yet, they become one; otherwise they are a member.
    ///
    /// # Errors
    ///
    /// When the person exists already, or the store fails.
    pub async fn invite(&self, person: &PersonId, by: Actor) -> Result<String, AccountError> {
        self.invite_as(person, Role::Member, by).await
    }

    /// The same, as an administrator where that is wanted.
    ///
    /// # Errors
    ///
    /// When the person exists already, or the store fails.
    pub async fn invite_as(&self, person: &PersonId, role: Role, by: Actor) -> Result<String, AccountError> {
        if self.store.item(PEOPLE, person.as_str()).await?.is_some() {
            return Err(AccountError::Taken(person.to_string()));
        }
        self.sweep::<InvitationRecord>(INVITATIONS).await?;
        let secret = secret()?;
        let until = self.store.now().await?.after(INVITED_FOR).millis();
        let invited_by = match &by {
            Actor::Person(by) => Some(by.person.to_string()),
            _ => None,
        };
        let record = InvitationRecord { person: person.to_string(), until, role: Some(role), invited_by };
        let details = vec![("person", person.to_string()), ("role", role.name().to_owned())];
        let deed = Deed { what: "invited", by, approval: None, details };
        let name = digest(INVITATION_PREFIX, &secret);
        self.put(INVITATIONS, name, None, Some(&record), Some(deed)).await?;
        Ok(format!("{INVITATION_PREFIX}{secret}"))
    }

    /// Takes up an invitation.
    ///
    /// # Errors
    ///
    /// When the invitation is none, the password cannot be one, or the store fails.
    pub async fn accept(&self, invitation: &str, password: &str) -> Result<PersonId, AccountError> {
        if !can_be_password(password) {
            return Err(AccountError::Password);
        }
        let secret = invitation.trim().strip_prefix(INVITATION_PREFIX).ok_or(AccountError::NotInvited)?;
        let name = digest(INVITATION_PREFIX, secret);
        let (text, record) =
            self.kept::<InvitationRecord>(INVITATIONS, &name).await?.ok_or(AccountError::NotInvited)?;
        let now = self.store.now().await?;
        if now.millis() >= record.until {
            return Err(AccountError::NotInvited);
        }
        let person = PersonId::new(record.person).map_err(|_| AccountError::NotInvited)?;
        let password = hashed(password.to_owned()).await?;
        // Whoever comes first was invited by somebody at a terminal, and there is nobody else who could invite others.
        let is_first = self.settled().await?.is_empty();
        let role = if is_first { Role::Administrator } else { record.role.unwrap_or(Role::Member) };
        let mut details = vec![("person", person.to_string()), ("role", role.name().to_owned())];
        details.extend(record.invited_by.clone().map(|by| ("invited_by", by)));
        let account = PersonRecord { password, since: now.millis(), role: Some(role), invited_by: record.invited_by };
        let by = Actor::Person(self.answerer(&person));
        let deed = Deed { what: "joined", by, approval: None, details };
        let changes = vec![
            Change { shelf: INVITATIONS, name, from: Some(text), to: None, deed: None },
            Change { shelf: PEOPLE, name: person.to_string(), from: None, to: Some(json(&account)), deed: Some(deed) },
        ];
        // Who was quicker has the invitation, and the name.
        if self.store.change(changes).await? { Ok(person) } else { Err(AccountError::NotInvited) }
    }

    /// Takes a person's account away, with all that was permitted, paused, handed over, logged in or invited in their name,
    /// and with their agents. An administrator stays as long as there is no other.
    ///
    /// # Errors
    ///
    /// When there is no such person, they are the last administrator, or the store fails.
    pub async fn remove(&self, person: &PersonId, by: Actor) -> Result<(), AccountError> {
        let missing = || AccountError::Missing(person.to_string());
        for _ in 0..ROUNDS {
            let mut people = self.settled().await?;
            let at = people.iter().position(|kept| kept.name == person.as_str()).ok_or_else(missing)?;
            let Kept { name, text, record } = people.swap_remove(at);
            let mut changes = Vec::new();
            if record.role == Some(Role::Administrator) {
                // Another one has to be there still when this one goes: two could remove each other.
                let other = people.into_iter().find(|kept| kept.record.role == Some(Role::Administrator));
                let other = other.ok_or_else(|| AccountError::LastAdministrator(person.to_string()))?;
                let (from, to) = (Some(other.text.clone()), Some(other.text));
                changes.push(Change { shelf: PEOPLE, name: other.name, from, to, deed: None });
            }
            // Nothing is permitted any more in the name of somebody who is gone.
            changes.extend(signoff_gate::ending_with(self.store, person, &by).await?);
            changes.extend(signoff_gate::delegations_ending_with(self.store, person, &by).await?);
            changes.extend(signoff_gate::pause_ending_with(self.store, person, &by).await?);
            changes.extend(self.logins_ending_with(person, None).await?);
            changes.extend(self.agents_ending_with(person, &by).await?);
            changes.extend(self.invitations_ending_with(person).await?);
            let details = vec![("person", person.to_string())];
            let deed = Deed { what: "removed", by: by.clone(), approval: None, details };
            changes.push(Change { shelf: PEOPLE, name, from: Some(text), to: None, deed: Some(deed) });
            if self.store.change(changes).await? {
                return Ok(());
            }
        }
        Err(missing())
    }

    /// Gives a person who knows their password another one. Their other logins end: whoever changes a password may do so
    /// because somebody else knows it.
    pub(crate) async fn change_password(
        &self,
        person: &PersonId,
        token: &str,
        password: &str,
        new: &str,
    ) -> Result<(), AccountError> {
        if !can_be_password(new) {
            return Err(AccountError::Password);
        }
        let kept = self.kept::<PersonRecord>(PEOPLE, person.as_str()).await?;
        let (text, record) = kept.ok_or_else(|| AccountError::Missing(person.to_string()))?;
        if !is_password(record.password.clone(), password.to_owned()).await {
            return Err(AccountError::WrongPassword);
        }
        let account = PersonRecord { password: hashed(new.to_owned()).await?, ..record };
        let by = Actor::Person(self.answerer(person));
        let deed = Deed { what: "password-changed", by, approval: None, details: Vec::new() };
        let mut changes = self.logins_ending_with(person, Some(token)).await?;
        let (from, to) = (Some(text), Some(json(&account)));
        changes.push(Change { shelf: PEOPLE, name: person.to_string(), from, to, deed: Some(deed) });
        // Somebody else has changed it, or a login has just ended: nothing was changed, and it can be tried again.
        if self.store.change(changes).await? { Ok(()) } else { Err(AccountError::Taken(person.to_string())) }
    }

    /// The changes by which somebody's logins end, but for one.
    async fn logins_ending_with(&self, person: &PersonId, but: Option<&str>) -> Result<Vec<Change>, AccountError> {
        let but = but.and_then(|token| token.strip_prefix(LOGIN_PREFIX)).map(|secret| digest(LOGIN_PREFIX, secret));
        let logins = self.readable::<LoginRecord>(LOGINS).await?.into_iter();
        let theirs = logins.filter(|kept| kept.record.person == person.as_str() && but.as_ref() != Some(&kept.name));
        Ok(theirs.map(|kept| kept.gone(LOGINS, None)).collect())
    }

    async fn agents_ending_with(&self, person: &PersonId, by: &Actor) -> Result<Vec<Change>, AccountError> {
        let agents = self.readable::<AgentRecord>(AGENTS).await?.into_iter();
        let theirs = agents.filter(|kept| kept.record.owner == person.as_str());
        Ok(theirs
            .map(|kept| {
                let details = vec![("agent", kept.name.clone())];
                let deed = Deed { what: "agent-removed", by: by.clone(), approval: None, details };
                kept.gone(AGENTS, Some(deed))
            })
            .collect())
    }

    /// Nobody comes any more because somebody who is gone has invited them.
    async fn invitations_ending_with(&self, person: &PersonId) -> Result<Vec<Change>, AccountError> {
        let invitations = self.readable::<InvitationRecord>(INVITATIONS).await?.into_iter();
        let name = person.as_str();
        let theirs =
            invitations.filter(|kept| kept.record.person == name || kept.record.invited_by.as_deref() == Some(name));
        Ok(theirs.map(|kept| kept.gone(INVITATIONS, None)).collect())
    }
}
