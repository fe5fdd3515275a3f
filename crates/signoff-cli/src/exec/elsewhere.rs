//! The same question at the gateway, where one runs: whoever answers first, there or at this terminal, has decided.

use std::{
    io::{self, Write as _},
    os::{fd::AsFd as _, unix::net::UnixStream},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use signoff_gate::Places;

use crate::{
    failure::Failure,
    gateway::{Away, Calls, field, unguessable},
};

/// So long one call waits; then it asks again.
const WAIT_AT_ONCE: Duration = Duration::from_secs(25);
/// How the gateway knows who asks.
const AGENT: &str = "exec";

/// What came of asking at the gateway.
pub(super) enum Asked {
    /// There is no gateway, or it cannot say anything about this.
    Nowhere,
    /// It may run: a grant covers it.
    Allowed,
    /// It must not run.
    Blocked(String),
    /// People are asked.
    Open(Box<Elsewhere>),
}

/// A question that is open at the gateway.
pub(super) struct Elsewhere {
    pub(super) id: String,
    /// Whether whoever sits at this terminal may decide alone.
    pub(super) may_be_answered_here: bool,
    calls: Calls,
    decided: Arc<Mutex<Option<Value>>>,
    /// Can be read as soon as it is decided.
    bell: UnixStream,
}

/// What people have said there.
#[derive(Debug)]
pub(super) enum Word {
    /// Yes: with this permit, in this manner, in this changed form if it was changed.
    Yes { permit: String, back_up: bool, changed: Option<String> },
    /// No, with words.
    No(String),
    /// Nobody decided in time, or it was taken back.
    Late,
}

impl Elsewhere {
    /// Asks about a command in a directory.
    pub(super) fn ask(places: &Places, command: &str, directory: &str, intent: Option<&str>) -> Asked {
        let session = session();
        let Ok(calls) = Calls::local(places, AGENT, &session) else { return Asked::Nowhere };
        let Ok(key) = unguessable() else { return Asked::Nowhere };
        let operation = json!({"kind": "shell", "cmd": command, "dialect": "bash"});
        let body = json!({"key": key, "operation": operation, "cwd": directory, "intent": intent});
        let Ok(verdict) = calls.post::<Value>("/v1/requests", &body) else { return Asked::Nowhere };
        match field(&verdict, "verdict") {
            "allow" => Asked::Allowed,
            "block" => Asked::Blocked(field(&verdict, "reason").to_owned()),
            _ => {
                let id = field(&verdict, "approval").to_owned();
                let here = verdict.get("owner_decides").and_then(Value::as_bool).unwrap_or(false);
                match Self::waiting((id, here), calls, places, &session) {
                    Ok(open) => Asked::Open(Box::new(open)),
                    Err(_) => Asked::Nowhere,
                }
            }
        }
    }

    /// Waits beside the terminal. The thread ends with the process, or with the answer.
    fn waiting((id, here): (String, bool), calls: Calls, places: &Places, session: &str) -> Result<Self, Failure> {
        let (bell, mut rope) = UnixStream::pair().map_err(|error| Failure::read(&error))?;
        let decided = Arc::new(Mutex::new(None));
        let (kept, asked, waiting) = (Arc::clone(&decided), id.clone(), Calls::local(places, AGENT, session)?);
        let wait = move || {
            let outcome = waiting.outcome(&asked, WAIT_AT_ONCE, Away::Forever);
            if let Ok(outcome) = outcome {
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
                // Whoever listened has gone where this cannot be written.
                let _ = rope.write_all(b"!");
            }
        };
        thread::Builder::new().name("signoff-wait".to_owned()).spawn(wait).map_err(|error| Failure::read(&error))?;
        Ok(Self { id, may_be_answered_here: here, calls, decided, bell })
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
        match field(&decided, "outcome") {
            "approved" => Word::Yes {
                permit: field(&decided, "permit").to_owned(),
                back_up: field(&decided, "manner") != "as-shown",
                changed: decided.get("modified").map(|changed| field(changed, "cmd").to_owned()),
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
        self.calls.post::<Value>("/v1/permits/redeem", &json!({"permit": permit, "attempt": attempt})).map(|_| ())
    }

    /// Says what became of it. Who does not hear that finds it unknown.
    pub(super) fn report(&self, permit: &str, success: bool, words: &str) {
        let body = json!({"permit": permit, "success": success, "words": words});
        let _ = self.calls.post::<Value>("/v1/permits/report", &body);
    }
}

/// The session of everything that is run from one terminal, or from one session without any.
fn session() -> String {
    let leader = rustix::process::getsid(None).map_or(0, |leader| leader.as_raw_nonzero().get());
    format!("session-{leader}")
}
