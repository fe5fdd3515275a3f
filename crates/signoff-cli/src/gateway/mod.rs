//! The gateway from the command line: serving it, and calling one.

pub(crate) mod arguments;
pub(crate) mod grant;
pub(crate) mod inbox;
pub(crate) mod ledger;
pub(crate) mod people;
pub(crate) mod permit;
pub(crate) mod request;
mod sealing;
pub(crate) mod serve;

use std::{net::SocketAddr, path::Path, time::Duration};

use serde::de::DeserializeOwned;
use serde_json::Value;
use signoff_card::visible;
use signoff_gate::{Mint as _, NoRandomness, Places, StoreError, SystemMint};
use signoff_permit::VerifierKey;
use signoff_server::{
    AccountError,
    client::{CallError, Caller, Client, Gateway},
};
use tokio::runtime::Runtime;

use crate::{
    failure::Failure,
    person::{Absent, Person},
};

/// So long a gateway may take to answer what it can answer at once. Looking at what would be lost is part of that.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// How often a gateway that is away is tried again, and for how long.
const TRY_EVERY: Duration = Duration::from_millis(500);
const AWAY_AT_MOST: Duration = Duration::from_secs(120);

/// How long a gateway may be away before whoever waits gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Away {
    /// Not at all, and a question that is open is an answer, too.
    Never,
    /// A restart takes less.
    ForAWhile,
    /// As long as somebody else may decide meanwhile.
    Forever,
}

/// 64 hexadecimal digits that nobody can guess.
pub(crate) fn unguessable() -> Result<String, Failure> {
    SystemMint.nonce().map(|nonce| nonce.to_string()).map_err(|none| no_randomness(&none))
}

fn no_randomness(none: &NoRandomness) -> Failure {
    Failure::internal(none.to_string(), format!("没有随机数：{none}"))
}

/// A field of an answer that is a text; empty where there is none.
pub(crate) fn field<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Somebody who calls a gateway and waits for what it says.
pub(crate) struct Calls {
    runtime: Runtime,
    client: Client,
}

impl Calls {
    /// Calls the gateway of this user at the local socket, as an agent.
    pub(crate) fn local(places: &Places, agent: &str, session: &str) -> Result<Self, Failure> {
        let caller = Caller::LocalAgent { agent: agent.to_owned(), session: session.to_owned() };
        Self::new(Gateway::Socket(places.socket()), places, caller)
    }

    /// Calls a gateway on its port, as nobody yet.
    pub(crate) fn on_port(places: &Places, asked: Option<SocketAddr>) -> Result<Self, Failure> {
        let address = match asked {
            Some(address) => address,
            None => address(&places.address())?,
        };
        Self::new(Gateway::Port(address), places, Caller::Nobody)
    }

    fn new(gateway: Gateway, places: &Places, caller: Caller) -> Result<Self, Failure> {
        let key = verifier(&places.verifier())?;
        Ok(Self { runtime: runtime()?, client: Client::new(gateway, key, caller) })
    }

    /// The same as a person, once their name and password are right. What logs them in is kept in memory alone.
    pub(crate) fn log_in(self, name: &str, password: &str) -> Result<Self, Failure> {
        let body = serde_json::json!({"person": name, "password": password});
        let login: Value = self.post("/v1/login", &body)?;
        let token = login.get("token").and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(Self { client: self.client.calling_as(Caller::Person { token }), ..self })
    }

    /// Whether anybody listens there. One that was killed has left its address behind.
    fn answers(&self) -> bool {
        let asked = self.client.call::<Value>(http::Method::GET, "/v1/health", None, ANSWER_WITHIN);
        !matches!(self.runtime.block_on(asked), Err(CallError::NoGateway(_)))
    }

    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.call(http::Method::GET, path, None, ANSWER_WITHIN)
    }

    pub(crate) fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, Failure> {
        self.call(http::Method::POST, path, Some(body), ANSWER_WITHIN)
    }

    pub(crate) fn delete(&self, path: &str) -> Result<(), Failure> {
        let _: Value = self.call(http::Method::DELETE, path, None, ANSWER_WITHIN)?;
        Ok(())
    }

    /// Waits until a question is decided, or for so long. A gateway that goes away comes back with the question: whoever waits
    /// goes on waiting for it, as long as is said.
    pub(crate) fn outcome(&self, id: &str, at_once: Duration, away: Away) -> Result<Value, Failure> {
        let path = format!("/v1/requests/{id}?wait_ms={}", at_once.as_millis());
        let mut absent = Duration::ZERO;
        loop {
            let within = at_once.saturating_add(ANSWER_WITHIN);
            match self.runtime.block_on(self.client.call::<Value>(http::Method::GET, &path, None, within)) {
                Ok(outcome) if outcome.get("outcome").and_then(Value::as_str) != Some("pending") => return Ok(outcome),
                Ok(outcome) if away == Away::Never => return Ok(outcome),
                Ok(_) => absent = Duration::ZERO,
                Err(error @ (CallError::NoGateway(_) | CallError::NoAnswer(_))) => {
                    if away == Away::Never || (away == Away::ForAWhile && absent >= AWAY_AT_MOST) {
                        return Err(failure(&error));
                    }
                    std::thread::sleep(TRY_EVERY);
                    absent = absent.saturating_add(TRY_EVERY);
                }
                Err(error) => return Err(failure(&error)),
            }
        }
    }

    fn call<T: DeserializeOwned>(
        &self,
        method: http::Method,
        path: &str,
        body: Option<&Value>,
        within: Duration,
    ) -> Result<T, Failure> {
        self.runtime.block_on(self.client.call(method, path, body, within)).map_err(|error| failure(&error))
    }
}

fn runtime() -> Result<Runtime, Failure> {
    let built = tokio::runtime::Builder::new_current_thread().enable_all().build();
    built.map_err(|error| Failure::internal(format!("cannot start: {error}"), format!("无法启动：{error}")))
}

/// The key of the gate, as the gateway has left it for its callers.
pub(crate) fn verifier(path: &Path) -> Result<VerifierKey, Failure> {
    let text = signoff_config::text_of_file(path).ok().flatten().ok_or_else(no_gateway)?;
    VerifierKey::parse(&text).map_err(|_| {
        let path = visible(&path.to_string_lossy());
        Failure::internal(format!("`{path}` holds no key"), format!("`{path}` 中没有密钥"))
            .hint("start the gateway again: signoff serve", "请重新启动网关：signoff serve")
    })
}

fn address(path: &Path) -> Result<SocketAddr, Failure> {
    let text = signoff_config::text_of_file(path).ok().flatten().ok_or_else(no_gateway)?;
    text.trim().parse().map_err(|_| no_gateway())
}

fn no_gateway() -> Failure {
    Failure::internal("no gateway is running", "没有正在运行的网关")
        .hint("start one: signoff serve", "请启动网关：signoff serve")
}

fn failure(error: &CallError) -> Failure {
    let english = visible(&error.to_string());
    match error {
        CallError::NoGateway(address) => {
            let address = visible(address);
            Failure::internal(english, format!("{address} 没有网关应答"))
                .hint("start one: signoff serve", "请启动网关：signoff serve")
        }
        CallError::NoAnswer(why) => {
            let why = visible(why);
            Failure::internal(english, format!("网关没有应答：{why}"))
                .hint("nothing was allowed by that; try again", "这不代表任何许可；请重试")
        }
        CallError::Impostor(address) => {
            let address = visible(address);
            Failure::internal(english, format!("{address} 的应答者不是网关：其应答没有证明"))
                .hint("do not type your password; see who listens there", "请勿输入密码；请查明谁在监听该地址")
        }
        CallError::Problem { code, detail } => {
            let (code, detail) = (visible(code), visible(detail));
            Failure::usage(detail.clone(), format!("{detail}（{code}）"))
        }
    }
}

/// The person at this terminal, without whom nothing is answered, invited or granted.
fn somebody() -> Result<Person, Failure> {
    Person::here().map_err(|absent| {
        let failure = match absent {
            Absent::NoTerminal => Failure::usage("there is no terminal to ask at", "没有可供询问的终端"),
            Absent::Agent(agent) => {
                let agent = visible(&agent);
                Failure::usage(
                    format!("this terminal belongs to `{agent}`, whose word does not count"),
                    format!("此终端属于 `{agent}`，它的话不算数"),
                )
            }
            Absent::Unknown => Failure::usage("who started this terminal cannot be told", "无法确定此终端由谁启动"),
        };
        failure.hint("this is for a person, at a terminal of their own", "此操作须由本人在自己的终端上进行")
    })
}

/// The name that a person goes by where they say nothing else.
fn own_name() -> String {
    signoff_facts::user_name().unwrap_or_else(|| "owner".to_owned())
}

fn of_account(error: &AccountError) -> Failure {
    match error {
        AccountError::Store(error) => of_store(error),
        other => {
            let text = visible(&other.to_string());
            Failure::usage(text.clone(), text)
        }
    }
}

fn of_store(error: &StoreError) -> Failure {
    let text = visible(&error.to_string());
    Failure::internal(text.clone(), format!("存储出错：{text}"))
        .hint("is another gateway running on it?", "是否有另一个网关正在使用它？")
}

/// A moment as people read it: how long ago, or how long until then.
fn seconds_until(millis: i64) -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_millis());
    (millis - i64::try_from(now).unwrap_or(i64::MAX)) / 1_000
}
