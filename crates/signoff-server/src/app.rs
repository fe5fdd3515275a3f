//! What all routes share.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use signoff_gate::{Gate, GateError, Standing, Store};

use signoff_model::{ApprovalId, PersonId};

use crate::{Accounts, AgentProtocol, Limits, limits::Holders, tries::Tries};

/// The gate with what the routes need beside it.
pub struct App {
    pub(crate) gate: Gate,
    /// The names under which this server is called. Anything else is a page that was led here by a name of its own.
    pub(crate) hosts: HashSet<String>,
    pub(crate) log_ins: Tries,
    pub(crate) requests: Tries,
    pub(crate) started: Instant,
    /// When somebody called last, in milliseconds after the start.
    pub(crate) called: AtomicU64,
    /// When people were last kept as being there.
    seen: Mutex<HashMap<PersonId, Instant>>,
    pub(crate) limits: Limits,
    /// Replies that are held for agents who wait.
    pub(crate) waits: Arc<Holders>,
    /// Streams of events.
    pub(crate) streams: Arc<Holders>,
    pub(crate) way: Way,
    /// Whoever speaks MCP with agents.
    pub(crate) mcp: Option<Arc<dyn AgentProtocol>>,
}

/// By which way people reach the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// In the clear, on this machine.
    Plain,
    /// Through a proxy that speaks TLS.
    Encrypted,
}

impl Way {
    /// What is said of a cookie beside its value: a browser sends it only where it came from, and no script reads it.
    pub(crate) const fn cookie_attributes(self) -> &'static str {
        match self {
            Self::Plain => "HttpOnly; SameSite=Strict; Path=/",
            Self::Encrypted => "Secure; HttpOnly; SameSite=Strict; Path=/",
        }
    }
}

pub(crate) type Shared = Arc<App>;

/// How often it is kept that somebody is there.
const KEPT_EVERY: Duration = Duration::from_secs(30);
/// So many times a minute somebody may try to log in under one name.
const LOG_INS_A_MINUTE: u32 = 10;
/// So many times a minute one agent may ask for something, and all together that one person has on the local socket. Whoever is in a loop is told so.
const REQUESTS_A_MINUTE: u32 = 6_000;

impl App {
    /// An app that answers under the names of an address, and under these.
    pub fn new(gate: Gate, address: Option<SocketAddr>, names: impl IntoIterator<Item = String>) -> Self {
        let mut hosts: HashSet<String> = names.into_iter().map(|name| name.to_ascii_lowercase()).collect();
        if let Some(address) = address {
            let port = address.port();
            hosts.extend([address.to_string(), format!("localhost:{port}")]);
            if address.ip().is_loopback() {
                hosts.extend([format!("127.0.0.1:{port}"), format!("[::1]:{port}")]);
            }
        }
        let limits = Limits::default();
        Self {
            gate,
            hosts,
            log_ins: Tries::new(LOG_INS_A_MINUTE),
            requests: Tries::new(REQUESTS_A_MINUTE),
            started: Instant::now(),
            called: AtomicU64::new(0),
            seen: Mutex::default(),
            limits,
            waits: Holders::new(limits.waits, limits.waits_of_all()),
            streams: Holders::new(limits.streams, limits.waits_of_all()),
            way: Way::Plain,
            mcp: None,
        }
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        let waits = Holders::new(limits.waits, limits.waits_of_all());
        let streams = Holders::new(limits.streams, limits.waits_of_all());
        Self { limits, waits, streams, ..self }
    }

    /// The same behind a proxy that speaks TLS: a browser sends its cookie on no other way.
    #[must_use]
    pub fn behind_tls(self) -> Self {
        Self { way: Way::Encrypted, ..self }
    }

    /// The same with MCP under `/mcp`.
    #[must_use]
    pub fn speaking_mcp(self, protocol: Arc<dyn AgentProtocol>) -> Self {
        Self { mcp: Some(protocol), ..self }
    }

    /// Whatever keeps approvals and accounts.
    pub fn store(&self) -> &dyn Store {
        self.gate.store()
    }

    /// Whether a question is open to which nobody attends who may answer it.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn waits_alone(&self, id: ApprovalId) -> Result<bool, GateError> {
        self.gate.waits_alone(id).await
    }

    /// Somebody calls.
    pub(crate) fn note_call(&self) {
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.called.store(now, Ordering::Relaxed);
    }

    /// A person looks at their questions. It is kept once in a while, and a store that fails is told to whoever needs it.
    pub(crate) async fn note_person(&self, person: &PersonId) {
        let now = Instant::now();
        {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            if seen.get(person).is_some_and(|last| now.saturating_duration_since(*last) < KEPT_EVERY) {
                return;
            }
            seen.insert(person.clone(), now);
        }
        let _ = self.gate.attend(person).await;
    }

    /// How long nobody has called.
    pub fn idle_for(&self) -> Duration {
        self.started.elapsed().saturating_sub(Duration::from_millis(self.called.load(Ordering::Relaxed)))
    }

    /// What people have told the gate to do until further notice.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn standing(&self) -> Result<Standing, GateError> {
        self.gate.standing().await
    }

    /// The agents whom somebody trusts so little somewhere that every operation is asked about there.
    ///
    /// # Errors
    ///
    /// When the store fails, or a policy cannot be read.
    pub async fn distrusted(&self) -> Result<BTreeSet<String>, GateError> {
        self.gate.distrusted().await
    }

    /// The accounts of people and agents.
    pub fn accounts(&self) -> Accounts<'_> {
        Accounts::new(self.gate.store())
    }
}
