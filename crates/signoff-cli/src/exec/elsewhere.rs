//! The same question at the gateway, where one runs: whoever answers first, there or at this terminal, has decided.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal as _, Write as _},
    os::{fd::AsFd as _, unix::net::UnixStream},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use signoff_card::Language;
use signoff_gate::{Mode, Places};
use signoff_model::Operation;
use signoff_server::client::{from_wire, to_wire};

use crate::{
    failure::Failure,
    gateway::{Away, Calls, field, seconds_until, told_unattended, unguessable},
};

/// So long one call waits; then it asks again.
const WAIT_AT_ONCE: Duration = Duration::from_secs(25);
/// How the gateway knows who asks, unless the command line says otherwise.
pub(crate) const AGENT: &str = "exec";

/// What came of asking at the gateway.
pub(super) enum Asked {
    /// There is no gateway, or it cannot say anything about this.
    Nowhere,
    /// It may run: a grant covers it, it is harmless there, or somebody has stopped the questions for so long.
    Allowed { paused: Option<(String, Duration)> },
    /// It must not run.
    Blocked(String),
    /// People are asked.
    Open(Box<Elsewhere>),
}

/// A question that is open at the gateway.
pub(super) struct Elsewhere {
    pub(super) id: String,
    /// What stands on this screen, and whoever says yes there types; empty where nothing has to.
    pub(super) number: String,
    /// What is said where nobody is there to answer.
    pub(super) unattended: &'static str,
    /// Whether whoever sits at this terminal may decide alone.
    pub(super) may_be_answered_here: bool,
    calls: Calls,
    decided: Arc<Mutex<Option<Value>>>,
    /// Can be read as soon as it is decided.
    bell: UnixStream,
}

/// What was asked before.
pub(super) struct Before {
    /// What.
    pub(super) operation: Operation,
    /// Where it was to run.
    pub(super) directory: String,
    /// Whether nobody has decided yet.
    pub(super) is_open: bool,
}

/// What people have said there.
#[derive(Debug)]
pub(super) enum Word {
    /// Yes: with this permit, in this manner, in this changed form if it was changed.
    Yes { permit: String, back_up: bool, changed: Option<Operation> },
    /// No, with words.
    No(String),
    /// Nobody decided in time, or it was taken back.
    Late,
}

impl Elsewhere {
    /// Asks about something in a directory.
    pub(super) fn ask(
        places: &Places,
        (agent, session): (&str, Option<&str>),
        (operation, directory): (&Operation, &str),
        intent: Option<&str>,
        language: Language,
    ) -> Result<Asked, Failure> {
        // Where nobody has set up a gateway, or none runs, whoever sits here is asked alone. One that does not answer as it should
        // is another thing: others may have to agree, and nobody gets around them by an error.
        if places.mode() == Mode::Personal && std::os::unix::net::UnixStream::connect(places.socket()).is_err() {
            return Ok(Asked::Nowhere);
        }
        let session = session.map_or_else(own_session, str::to_owned);
        let calls = Calls::local(places, agent, &session)?.speaking(language);
        let key = unguessable()?;
        let operation = to_wire(operation);
        let screen = io::stderr().is_terminal();
        let body = json!({"key": key, "operation": operation, "cwd": directory, "intent": intent, "screen": screen, "environment": surroundings()});
        let verdict = calls.post::<Value>("/v1/requests", &body)?;
        Ok(match field(&verdict, "verdict") {
            "allow" => Asked::Allowed { paused: paused(&verdict) },
            "block" => Asked::Blocked(field(&verdict, "reason").to_owned()),
            _ => {
                let id = field(&verdict, "approval").to_owned();
                let here = verdict.get("owner_decides").and_then(Value::as_bool).unwrap_or(false);
                let number = field(&verdict, "number").to_owned();
                let unattended = told_unattended(&verdict, language);
                let open = Self::waiting((id, here), calls)?;
                Asked::Open(Box::new(Self { number, unattended, ..open }))
            }
        })
    }

    /// What was asked before in this session, and what has become of it.
    pub(super) fn before(
        places: &Places,
        (agent, session): (&str, Option<&str>),
        id: &str,
    ) -> Result<(Self, Before), Failure> {
        let session = session.map_or_else(own_session, str::to_owned);
        let calls = Calls::local(places, agent, &session)?;
        // It is no part of a path unless it is an id.
        let id: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
        let asked: Value = calls.get(&format!("/v1/requests/{id}/operation"))?;
        let operation = asked.get("operation").cloned().and_then(from_wire);
        let operation =
            operation.ok_or_else(|| Failure::usage("what was asked for cannot be read", "无法读取所请求的内容"))?;
        let outcome = calls.outcome(&id, Duration::ZERO, Away::Never)?;
        let before = Before {
            operation,
            directory: field(&asked, "cwd").to_owned(),
            is_open: field(&outcome, "outcome") == "pending",
        };
        let (bell, mut rope) = UnixStream::pair().map_err(|error| Failure::read(&error))?;
        rope.write_all(b"!").map_err(|error| Failure::read(&error))?;
        let decided = Arc::new(Mutex::new(Some(outcome)));
        Ok((
            Self { id, may_be_answered_here: false, number: String::new(), unattended: "", calls, decided, bell },
            before,
        ))
    }

    /// Waits beside the terminal. The thread ends with the process, or with the answer.
    fn waiting((id, here): (String, bool), calls: Calls) -> Result<Self, Failure> {
        let (bell, mut rope) = UnixStream::pair().map_err(|error| Failure::read(&error))?;
        let decided = Arc::new(Mutex::new(None));
        let (kept, asked, waiting) = (Arc::clone(&decided), id.clone(), calls.beside()?);
        let wait = move || {
            let outcome = waiting.outcome(&asked, WAIT_AT_ONCE, Away::Forever);
            if let Ok(outcome) = outcome {
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
                // Whoever listened has gone where this cannot be written.
                let _ = rope.write_all(b"!");
            }
        };
        thread::Builder::new().name("signoff-wait".to_owned()).spawn(wait).map_err(|error| Failure::read(&error))?;
        Ok(Self { id, number: String::new(), unattended: "", may_be_answered_here: here, calls, decided, bell })
    }

    /// What can be read as soon as it is decided.
    pub(super) fn bell(&self) -> std::os::fd::BorrowedFd<'_> {
        self.bell.as_fd()
    }

    /// Waits until it is decided.
    pub(super) fn word(&self) -> Word {
        let mut byte = [0];
        let _ = io::Read::read(&mut &self.bell, &mut byte);
        let decided = self.decided.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default();
        let changed = decided.get("modified").map(|changed| from_wire(changed.clone()));
        match field(&decided, "outcome") {
            // A form that cannot be read cannot be run, and nothing else was approved.
            "approved" if changed == Some(None) => Word::Late,
            "approved" => Word::Yes {
                permit: field(&decided, "permit").to_owned(),
                back_up: field(&decided, "manner") != "as-shown",
                changed: changed.flatten(),
            },
            "denied" => Word::No(field(&decided, "words").to_owned()),
            _ => Word::Late,
        }
    }

    /// Takes the question back, because it was answered here. False where somebody else has decided first.
    pub(super) fn take_back(&self, words: &str) -> bool {
        let path = format!("/v1/requests/{}/withdraw", self.id);
        self.calls.post::<Value>(&path, &json!({"words": words})).is_ok()
    }

    /// Uses the yes up.
    pub(super) fn redeem(&self, permit: &str) -> Result<(), Failure> {
        let attempt = unguessable()?;
        self.calls
            .post::<Value>(
                "/v1/permits/redeem",
                &json!({"permit": permit, "attempt": attempt, "environment": surroundings()}),
            )
            .map(|_| ())
    }

    /// Says what became of it. Who does not hear that finds it unknown.
    pub(super) fn report(&self, permit: &str, success: bool, words: &str) {
        let body = json!({"permit": permit, "success": success, "words": words});
        let _ = self.calls.post::<Value>("/v1/permits/report", &body);
    }
}

/// Who has stopped the questions, and for how much longer.
fn paused(verdict: &Value) -> Option<(String, Duration)> {
    let by = verdict.get("paused_by")?.as_str()?.to_owned();
    let left = seconds_until(verdict.get("paused_until")?.as_i64()?).max(0);
    Some((by, Duration::from_secs(left.unsigned_abs())))
}

/// The variables that turn a command to another place: a yes is for the place that they name when it is asked for.
pub(crate) fn surroundings() -> BTreeMap<String, String> {
    surroundings_of(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()))
}

/// The same for a process whose variables somebody else knows.
pub(crate) fn surroundings_of(value: impl Fn(&str) -> Option<String>) -> BTreeMap<String, String> {
    const TURNING: [&str; 16] = [
        "PATH",
        "HOME",
        "KUBECONFIG",
        "AWS_PROFILE",
        "AWS_REGION",
        "AWS_DEFAULT_REGION",
        "AWS_ENDPOINT_URL",
        "AZURE_CONFIG_DIR",
        "CLOUDSDK_ACTIVE_CONFIG_NAME",
        "CLOUDSDK_CORE_PROJECT",
        "DOCKER_HOST",
        "DOCKER_CONTEXT",
        "PGHOST",
        "PGDATABASE",
        "DATABASE_URL",
        "TF_WORKSPACE",
    ];
    TURNING.into_iter().filter_map(|name| Some((name.to_owned(), value(name)?))).collect()
}

/// The session of everything that is run from one terminal, or from one session without any. In a container its leader
/// may be outside, and all of those are session 0.
pub(super) fn own_session() -> String {
    let leader = nix::unistd::getsid(None).map_or(0, nix::unistd::Pid::as_raw);
    format!("session-{leader}")
}
