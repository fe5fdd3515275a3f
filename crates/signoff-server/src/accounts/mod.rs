//! Who may do what: people with passwords, and agents with keys. The two kinds of credential look different, are kept on
//! different shelves, and are never taken for each other.

mod passwords;
mod people;
mod records;
mod roles;

use std::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding as _};
use serde::{Serialize, de::DeserializeOwned};
use signoff_gate::{Change, Item, Mint as _, NoRandomness, Store, StoreError, SystemMint};
use signoff_model::{Actor, AgentId, Answerer, Assurance, ChannelId, Deed, Digest, PersonId, Timestamp};
use subtle::ConstantTimeEq as _;

pub use passwords::{PASSWORD_AT_LEAST, can_be_password};
pub use roles::{Account, Role};

use passwords::{NOBODY, PASSWORD_AT_MOST, is_password};
use records::{AGENTS, AgentRecord, Ends, LOGINS, LoginRecord, PEOPLE, PersonRecord};

/// The beginnings of secrets, so that one that leaked is known for what it is.
const AGENT_PREFIX: &str = "sga1.";
const LOGIN_PREFIX: &str = "sgl1.";
const INVITATION_PREFIX: &str = "sgi1.";

/// How long somebody stays logged in.
const LOGGED_IN_FOR: Duration = Duration::from_secs(12 * 60 * 60);
/// How long an invitation is good for.
const INVITED_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// So many things are looked at in one go.
const PAGE: u32 = 500;

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
    /// Somebody has to be there who can invite others.
    #[error("`{0}` is the last administrator: invite another one first")]
    LastAdministrator(String),
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
    /// When they no longer are.
    pub(crate) until: Timestamp,
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
        // Those whose time is over are of no use to anybody, and nobody comes back to them.
        self.sweep::<LoginRecord>(LOGINS).await?;
        let (token, csrf) = (secret()?, secret()?);
        let until = self.store.now().await?.after(LOGGED_IN_FOR).millis();
        let record = LoginRecord { person: name.to_string(), csrf: csrf.clone(), until };
        let by = Actor::Person(self.answerer(&name));
        let deed = Deed { what: "logged-in", by, approval: None, details: Vec::new() };
        self.put(LOGINS, digest(LOGIN_PREFIX, &token), None, Some(&record), Some(deed)).await?;
        Ok(NewLogin { token: format!("{LOGIN_PREFIX}{token}"), csrf, seconds: LOGGED_IN_FOR.as_secs() })
    }

    /// Ends a login. The ledger tells of it, and so do all nodes of those who listen there.
    pub(crate) async fn log_out(&self, token: &str, by: Answerer) -> Result<(), AccountError> {
        let Some(secret) = token.strip_prefix(LOGIN_PREFIX) else { return Ok(()) };
        let name = digest(LOGIN_PREFIX, secret);
        if let Some(kept) = self.store.item(LOGINS, &name).await? {
            let deed = Deed { what: "logged-out", by: Actor::Person(by), approval: None, details: Vec::new() };
            let change = Change { shelf: LOGINS, name, from: Some(kept), to: None, deed: Some(deed) };
            self.store.change(vec![change]).await?;
        }
        Ok(())
    }

    /// The person that a login token belongs to.
    pub(crate) async fn person(&self, token: &str) -> Result<Option<LoggedIn>, AccountError> {
        let Some(secret) = token.strip_prefix(LOGIN_PREFIX) else { return Ok(None) };
        let name = digest(LOGIN_PREFIX, secret);
        let now = async { Ok(self.store.now().await?) };
        let (kept, now) = tokio::try_join!(self.kept::<LoginRecord>(LOGINS, &name), now)?;
        let Some((text, login)) = kept else { return Ok(None) };
        if now.millis() >= login.until {
            self.store.change(vec![Change { shelf: LOGINS, name, from: Some(text), to: None, deed: None }]).await?;
            return Ok(None);
        }
        // Whoever comes to be later under the same name is somebody else.
        let account = self.kept::<PersonRecord>(PEOPLE, &login.person).await?;
        let lasts = i64::try_from(LOGGED_IN_FOR.as_millis()).unwrap_or(i64::MAX);
        let theirs = account.is_some_and(|(_, account)| account.since <= login.until.saturating_sub(lasts));
        let person = PersonId::new(login.person).ok().filter(|_| theirs);
        let until = Timestamp::from_millis(login.until);
        Ok(person.map(|person| LoggedIn { person, csrf: login.csrf, until }))
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

    /// For whom an agent with a key works.
    pub(crate) async fn owner(&self, agent: &AgentId) -> Result<Option<String>, AccountError> {
        Ok(self.kept::<AgentRecord>(AGENTS, agent.as_str()).await?.map(|(_, record)| record.owner))
    }

    /// The names of the agents with those for whom they work.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn agents(&self) -> Result<Vec<(String, String)>, AccountError> {
        let agents = self.readable::<AgentRecord>(AGENTS).await?;
        Ok(agents.into_iter().map(|kept| (kept.name, kept.record.owner)).collect())
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

    /// Everything on a shelf. What cannot be read is damaged, and not missing.
    async fn all<T: DeserializeOwned>(&self, shelf: &'static str) -> Result<Vec<Kept<T>>, AccountError> {
        let damaged = |error: serde_json::Error| StoreError::Damaged(format!("`{shelf}`: {error}"));
        let read = |Item { name, text }: Item| {
            let record = serde_json::from_str(&text).map_err(damaged)?;
            Ok(Kept { name, text, record })
        };
        self.items(shelf).await?.into_iter().map(read).collect()
    }

    /// What can be read of a shelf, where what cannot be is of no use to anybody.
    async fn readable<T: DeserializeOwned>(&self, shelf: &'static str) -> Result<Vec<Kept<T>>, AccountError> {
        let read = |Item { name, text }: Item| {
            let record = serde_json::from_str(&text).ok()?;
            Some(Kept { name, text, record })
        };
        Ok(self.items(shelf).await?.into_iter().filter_map(read).collect())
    }

    async fn items(&self, shelf: &'static str) -> Result<Vec<Item>, AccountError> {
        let mut all: Vec<Item> = Vec::new();
        loop {
            let page = self.store.items(shelf, all.last().map(|item| item.name.as_str()), PAGE).await?;
            let is_last = page.len() < PAGE as usize;
            all.extend(page);
            if is_last {
                return Ok(all);
            }
        }
    }

    /// Clears a shelf of whatever has ended by itself.
    async fn sweep<T: DeserializeOwned + Ends>(&self, shelf: &'static str) -> Result<(), AccountError> {
        let now = self.store.now().await?.millis();
        let over = self.readable::<T>(shelf).await?.into_iter().filter(|kept| now >= kept.record.until());
        for kept in over {
            // Whoever else sweeps has swept it.
            self.store.change(vec![kept.gone(shelf, None)]).await?;
        }
        Ok(())
    }
}

/// A record with its name and its exact text.
struct Kept<T> {
    name: String,
    text: String,
    record: T,
}

impl<T> Kept<T> {
    /// The change by which it goes.
    fn gone(self, shelf: &'static str, deed: Option<Deed>) -> Change {
        Change { shelf, name: self.name, from: Some(self.text), to: None, deed }
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
