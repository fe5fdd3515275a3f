//! Who may do what: people with passwords, and agents with keys. The two kinds of credential look different, are kept on
//! different shelves, and are never taken for each other.

use std::time::Duration;

use argon2::{Argon2, PasswordHash, PasswordHasher as _, PasswordVerifier as _};
use base64ct::{Base64UrlUnpadded, Encoding as _};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use signoff_gate::{Change, Mint as _, NoRandomness, Store, StoreError, SystemMint};
use signoff_model::{Actor, AgentId, Answerer, Assurance, ChannelId, Deed, Digest, PersonId};
use subtle::ConstantTimeEq as _;

const PEOPLE: &str = "people";
const AGENTS: &str = "agents";
const LOGINS: &str = "logins";
const INVITATIONS: &str = "invitations";

/// The beginnings of secrets, so that one that leaked is known for what it is.
const AGENT_PREFIX: &str = "sga1.";
const LOGIN_PREFIX: &str = "sgl1.";
const INVITATION_PREFIX: &str = "sgi1.";

/// How long somebody stays logged in.
const LOGGED_IN_FOR: Duration = Duration::from_secs(12 * 60 * 60);
/// How long an invitation is good for.
const INVITED_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// The shortest password, in characters.
pub const PASSWORD_AT_LEAST: usize = 10;
/// A longer one is refused: hashing it would be work for nothing.
const PASSWORD_AT_MOST: usize = 512;

/// Why an account could not be made or used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The name is taken.
    #[error("`{0}` exists already")]
    Taken(String),
    /// There is no such account.
    #[error("there is no `{0}`")]
    Missing(String),
    /// The invitation is none, was used before, or its time is over.
    #[error("the invitation is none, was used before, or its time is over")]
    NotInvited,
    /// The password cannot be one.
    #[error("a password has between {PASSWORD_AT_LEAST} and {PASSWORD_AT_MOST} characters")]
    Password,
    /// The name and the password do not belong together.
    #[error("the name or the password is wrong")]
    WrongPassword,
    /// The system gives no random bytes.
    #[error("the system gives no random bytes: {0}")]
    Randomness(String),
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct PersonRecord {
    password: String,
    since: i64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct AgentRecord {
    owner: String,
    secret: String,
    since: i64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct LoginRecord {
    person: String,
    csrf: String,
    until: i64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct InvitationRecord {
    person: String,
    until: i64,
}

/// An agent whose key was right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownAgent {
    pub(crate) agent: AgentId,
    pub(crate) owner: PersonId,
}

/// A person who is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoggedIn {
    pub(crate) person: PersonId,
    /// What a page has to send along with every change, so that another page cannot.
    pub(crate) csrf: String,
}

/// A login that was just made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewLogin {
    pub(crate) token: String,
    pub(crate) csrf: String,
    pub(crate) seconds: u64,
}

/// Accounts in a store.
pub struct Accounts<'s> {
    store: &'s dyn Store,
}

impl<'s> Accounts<'s> {
    /// The accounts that a store keeps.
    pub fn new(store: &'s dyn Store) -> Self {
        Self { store }
    }

    /// Invites a person: whoever holds the invitation chooses the password. Only somebody at a terminal may call this, and
    /// people who are logged in.
    ///
    /// # Errors
    ///
    /// When the person exists already, or the store fails.
    pub async fn invite(&self, person: &PersonId, by: Actor) -> Result<String, AccountError> {
        if self.store.item(PEOPLE, person.as_str()).await?.is_some() {
            return Err(AccountError::Taken(person.to_string()));
        }
        let secret = secret()?;
        let until = self.store.now().await?.after(INVITED_FOR).millis();
        let record = InvitationRecord { person: person.to_string(), until };
        let deed = Deed { what: "invited", by, approval: None, details: vec![("person", person.to_string())] };
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
        let length = password.chars().count();
        if !(PASSWORD_AT_LEAST..=PASSWORD_AT_MOST).contains(&length) {
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
        let account = PersonRecord { password, since: now.millis() };
        let by = Actor::Person(self.answerer(&person));
        let deed = Deed { what: "joined", by, approval: None, details: vec![("person", person.to_string())] };
        let changes = vec![
            Change { shelf: INVITATIONS, name, from: Some(text), to: None, deed: None },
            Change { shelf: PEOPLE, name: person.to_string(), from: None, to: Some(json(&account)), deed: Some(deed) },
        ];
        // Who was quicker has the invitation, and the name.
        if self.store.change(changes).await? { Ok(person) } else { Err(AccountError::NotInvited) }
    }

    /// The names of the people.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn people(&self) -> Result<Vec<String>, AccountError> {
        Ok(self.store.items(PEOPLE, None, 1_000).await?.into_iter().map(|item| item.name).collect())
    }

    /// Takes a person's account away, with their grants and all of their logins' worth: a login of nobody is none.
    ///
    /// # Errors
    ///
    /// When there is no such person, or the store fails.
    pub async fn remove(&self, person: &PersonId, by: Actor) -> Result<(), AccountError> {
        let missing = || AccountError::Missing(person.to_string());
        let kept = self.store.item(PEOPLE, person.as_str()).await?.ok_or_else(missing)?;
        // Nothing is permitted any more in the name of somebody who is gone.
        let mut changes = signoff_gate::ending_with(self.store, person, &by).await?;
        let deed = Deed { what: "removed", by, approval: None, details: vec![("person", person.to_string())] };
        changes.push(Change { shelf: PEOPLE, name: person.to_string(), from: Some(kept), to: None, deed: Some(deed) });
        if self.store.change(changes).await? { Ok(()) } else { Err(missing()) }
    }

    /// Logs a person in.
    pub(crate) async fn log_in(&self, person: &str, password: &str) -> Result<NewLogin, AccountError> {
        let name = PersonId::new(person).map_err(|_| AccountError::WrongPassword)?;
        let record = self.kept::<PersonRecord>(PEOPLE, name.as_str()).await?.map(|(_, record)| record.password);
        // Whoever does not exist takes as long as whoever does: nobody finds out names by the clock.
        let known = record.is_some();
        let matches = is_password(record.unwrap_or_else(|| NOBODY.to_owned()), password.to_owned()).await;
        if !(known && matches) {
            return Err(AccountError::WrongPassword);
        }
        let (token, csrf) = (secret()?, secret()?);
        let until = self.store.now().await?.after(LOGGED_IN_FOR).millis();
        let record = LoginRecord { person: name.to_string(), csrf: csrf.clone(), until };
        let by = Actor::Person(self.answerer(&name));
        let deed = Deed { what: "logged-in", by, approval: None, details: Vec::new() };
        self.put(LOGINS, digest(LOGIN_PREFIX, &token), None, Some(&record), Some(deed)).await?;
        Ok(NewLogin { token: format!("{LOGIN_PREFIX}{token}"), csrf, seconds: LOGGED_IN_FOR.as_secs() })
    }

    /// Ends a login.
    pub(crate) async fn log_out(&self, token: &str) -> Result<(), AccountError> {
        let Some(secret) = token.strip_prefix(LOGIN_PREFIX) else { return Ok(()) };
        let name = digest(LOGIN_PREFIX, secret);
        if let Some(kept) = self.store.item(LOGINS, &name).await? {
            self.store.change(vec![Change { shelf: LOGINS, name, from: Some(kept), to: None, deed: None }]).await?;
        }
        Ok(())
    }

    /// The person that a login token belongs to.
    pub(crate) async fn person(&self, token: &str) -> Result<Option<LoggedIn>, AccountError> {
        let Some(secret) = token.strip_prefix(LOGIN_PREFIX) else { return Ok(None) };
        let name = digest(LOGIN_PREFIX, secret);
        let Some((text, login)) = self.kept::<LoginRecord>(LOGINS, &name).await? else { return Ok(None) };
        if self.store.now().await?.millis() >= login.until {
            self.store.change(vec![Change { shelf: LOGINS, name, from: Some(text), to: None, deed: None }]).await?;
            return Ok(None);
        }
        let exists = self.store.item(PEOPLE, &login.person).await?.is_some();
        let person = PersonId::new(login.person).ok().filter(|_| exists);
        Ok(person.map(|person| LoggedIn { person, csrf: login.csrf }))
    }

    /// Makes a key for an agent that works for a person.
    ///
    /// # Errors
    ///
    /// When there is an agent of this name, or the store fails.
    pub async fn add_agent(&self, agent: &AgentId, owner: &PersonId, by: Actor) -> Result<String, AccountError> {
        let secret = secret()?;
        let since = self.store.now().await?.millis();
        let record = AgentRecord { owner: owner.to_string(), secret: digest(AGENT_PREFIX, &secret), since };
        let details = vec![("agent", agent.to_string()), ("owner", owner.to_string())];
        let deed = Deed { what: "agent-added", by, approval: None, details };
        if !self.put(AGENTS, agent.to_string(), None, Some(&record), Some(deed)).await? {
            return Err(AccountError::Taken(agent.to_string()));
        }
        let name = Base64UrlUnpadded::encode_string(agent.as_str().as_bytes());
        Ok(format!("{AGENT_PREFIX}{name}.{secret}"))
    }

    /// Takes an agent's key away.
    ///
    /// # Errors
    ///
    /// When there is no such agent, or the store fails.
    pub async fn remove_agent(&self, agent: &AgentId, by: Actor) -> Result<(), AccountError> {
        let missing = || AccountError::Missing(agent.to_string());
        let kept = self.store.item(AGENTS, agent.as_str()).await?.ok_or_else(missing)?;
        let deed = Deed { what: "agent-removed", by, approval: None, details: vec![("agent", agent.to_string())] };
        let change = Change { shelf: AGENTS, name: agent.to_string(), from: Some(kept), to: None, deed: Some(deed) };
        if self.store.change(vec![change]).await? { Ok(()) } else { Err(missing()) }
    }

    /// The names of the agents with those for whom they work.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn agents(&self) -> Result<Vec<(String, String)>, AccountError> {
        let items = self.store.items(AGENTS, None, 1_000).await?;
        let read = |text: &str| serde_json::from_str::<AgentRecord>(text).map(|record| record.owner);
        Ok(items.into_iter().filter_map(|item| Some((item.name, read(&item.text).ok()?))).collect())
    }

    /// The agent that a key belongs to.
    pub(crate) async fn agent(&self, key: &str) -> Result<Option<KnownAgent>, AccountError> {
        let parts = key.strip_prefix(AGENT_PREFIX).and_then(|rest| rest.split_once('.'));
        let Some((name, secret)) = parts else { return Ok(None) };
        let name = Base64UrlUnpadded::decode_vec(name).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(agent) = name.and_then(|name| AgentId::new(name).ok()) else { return Ok(None) };
        let Some((_, record)) = self.kept::<AgentRecord>(AGENTS, agent.as_str()).await? else { return Ok(None) };
        let same = record.secret.as_bytes().ct_eq(digest(AGENT_PREFIX, secret).as_bytes());
        let owner = PersonId::new(record.owner).ok().filter(|_| bool::from(same));
        Ok(owner.map(|owner| KnownAgent { agent, owner }))
    }

    /// A person as the ledger names them for what they do with their account.
    fn answerer(&self, person: &PersonId) -> Answerer {
        Answerer { person: person.clone(), channel: ChannelId::inbox(), assurance: Assurance::Login }
    }

    async fn put<T: Serialize>(
        &self,
        shelf: &'static str,
        name: String,
        from: Option<String>,
        to: Option<&T>,
        deed: Option<Deed>,
    ) -> Result<bool, AccountError> {
        Ok(self.store.change(vec![Change { shelf, name, from, to: to.map(json), deed }]).await?)
    }

    /// A record with its exact text. One that cannot be read is damaged, and not missing.
    async fn kept<T: DeserializeOwned>(
        &self,
        shelf: &'static str,
        name: &str,
    ) -> Result<Option<(String, T)>, AccountError> {
        let Some(text) = self.store.item(shelf, name).await? else { return Ok(None) };
        match serde_json::from_str(&text) {
            Ok(record) => Ok(Some((text, record))),
            Err(error) => Err(StoreError::Damaged(format!("`{shelf}`: {error}")).into()),
        }
    }
}

fn json<T: Serialize>(record: &T) -> String {
    // Texts and numbers: there is nothing in it that JSON cannot say.
    serde_json::to_string(record).unwrap_or_default()
}

/// 256 bits that nobody can guess.
fn secret() -> Result<String, AccountError> {
    let nonce = SystemMint.nonce().map_err(|NoRandomness(why)| AccountError::Randomness(why))?;
    Ok(Base64UrlUnpadded::encode_string(nonce.as_bytes()))
}

/// What is kept of a secret that nobody can guess; it needs no slow hash.
fn digest(domain: &str, secret: &str) -> String {
    Digest::of(format!("signoff {domain}\n{secret}").as_bytes()).to_string()
}

/// The hash of no password, for names of nobody.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$c2lnbm9mZm5vYm9keQ$Kyc0ZYWhpTSDbOkSkCSQnlnSbjRLSmcXgNHNqkJDbQI";

/// Hashing takes tens of milliseconds on purpose: others are served meanwhile.
async fn hashed(password: String) -> Result<String, AccountError> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).map_err(|error| AccountError::Randomness(error.to_string()))?;
    let hashed = tokio::task::spawn_blocking(move || {
        Argon2::default().hash_password_with_salt(password.as_bytes(), &salt).map(|hash| hash.to_string())
    });
    let failed = || AccountError::Randomness("the password could not be hashed".to_owned());
    hashed.await.map_err(|_| failed())?.map_err(|_| failed())
}

async fn is_password(kept: String, password: String) -> bool {
    if password.chars().count() > PASSWORD_AT_MOST {
        return false;
    }
    let compared = tokio::task::spawn_blocking(move || {
        PasswordHash::new(&kept).is_ok_and(|kept| Argon2::default().verify_password(password.as_bytes(), &kept).is_ok())
    });
    compared.await.unwrap_or(false)
}
