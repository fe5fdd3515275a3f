//! The gateway from the command line: serving it, and calling one.

pub(crate) mod arguments;
mod doors;
pub(crate) mod grant;
pub(crate) mod inbox;
mod key;
pub(crate) mod ledger;
mod login;
mod noticing;
pub(crate) mod on_demand;
pub(crate) mod people;
pub(crate) mod permit;
mod problems;
mod pruning;
pub(crate) mod request;
mod sealing;
pub(crate) mod separate;
pub(crate) mod serve;
pub(crate) mod standing;
pub(crate) mod trust;

use std::{io, net::SocketAddr, os::unix::net::UnixStream, path::Path, time::Duration};

use serde::de::DeserializeOwned;
use serde_json::Value;
use signoff_agents::door::Door;
use signoff_card::{Language, visible};
use signoff_gate::{Mint as _, Mode, NoRandomness, Places, StoreError, SystemMint};
use signoff_server::{
    AccountError,
    client::{CallError, Caller, Client, Gateway},
};
use signoff_store::NotOwned;
use tokio::runtime::Runtime;

use login::Login;

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

/// Says that nobody is there to answer, where that is so.
pub(crate) fn told_unattended(verdict: &Value, language: Language) -> &'static str {
    if verdict.get("attended").and_then(Value::as_bool) != Some(false) {
        return "";
    }
    match language {
        Language::English => "nobody is attending: it stays open until somebody looks into `signoff inbox`\n",
        Language::Chinese => "目前无人值守：问题将保持开放，直到有人打开 `signoff inbox`\n",
    }
}

/// A field of an answer that is a text; empty where there is none.
pub(crate) fn field<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The number that a person has to see on this screen, in words; nothing where there is none.
pub(crate) fn told_number(number: &str, language: Language) -> String {
    match language {
        _ if number.is_empty() => String::new(),
        Language::English => format!("The number is {}: whoever says yes to this types it.\n", visible(number)),
        Language::Chinese => format!("数字为 {}：批准者须输入它。\n", visible(number)),
    }
}

/// Somebody who calls a gateway and waits for what it says.
pub(crate) struct Calls {
    runtime: Runtime,
    client: Client,
    /// Ends with this, where somebody was logged in by it.
    _login: Option<Login>,
}

impl Calls {
    /// Calls the gateway of this user at the local socket, as an agent.
    pub(crate) fn local(places: &Places, agent: &str, session: &str) -> Result<Self, Failure> {
        Ok(Self { runtime: runtime()?, client: local_client(places, agent, session)?, _login: None })
    }

    /// The same, with reasons in this language.
    pub(crate) fn speaking(self, language: Language) -> Self {
        Self { client: self.client.speaking(language), ..self }
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
        let key = key::verifier(places)?;
        Ok(Self { runtime: runtime()?, client: Client::new(gateway, key, caller), _login: None })
    }

    /// The same as a person, once their name and password are right. What logs them in is kept in memory alone, and they are
    /// logged out with the last of it.
    pub(crate) fn log_in(self, name: &str, password: &str) -> Result<Self, Failure> {
        let body = serde_json::json!({"person": name, "password": password});
        let login: Value = self.post("/v1/login", &body)?;
        let token = login.get("token").and_then(Value::as_str).unwrap_or_default().to_owned();
        let client = self.client.calling_as(Caller::Person { token });
        Ok(Self { _login: Some(Login::of(client.clone())), client, ..self })
    }

    /// Another one for the same gateway, as the same caller for as long as that one is.
    pub(crate) fn beside(&self) -> Result<Self, Failure> {
        Ok(Self { runtime: runtime()?, client: self.client.clone(), _login: None })
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

    /// Waits until a question is decided, or for so long, and for the one that has taken its place where one has. A gateway that
    /// goes away comes back with the question: whoever waits goes on waiting for it, as long as is said.
    pub(crate) fn outcome(&self, id: &str, at_once: Duration, away: Away) -> Result<Value, Failure> {
        let mut id = id.to_owned();
        let mut absent = Duration::ZERO;
        loop {
            let path = format!("/v1/requests/{id}?wait_ms={}", at_once.as_millis());
            let within = at_once.saturating_add(ANSWER_WITHIN);
            match self.runtime.block_on(self.client.call::<Value>(http::Method::GET, &path, None, within)) {
                // Somebody has changed it into something graver, which others have to see first.
                Ok(outcome) if field(&outcome, "outcome") == "superseded" => id = field(&outcome, "by").to_owned(),
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

/// Somebody who calls the gateway of this user at the local socket, as an agent.
pub(crate) fn local_client(places: &Places, agent: &str, session: &str) -> Result<Client, Failure> {
    let caller = Caller::LocalAgent { agent: agent.to_owned(), session: session.to_owned() };
    Ok(Client::new(Gateway::Socket(places.socket()), key::verifier(places)?, caller))
}

/// The gateway of this user, for who asks there and lets somebody else run something.
pub(crate) fn door(places: &Places, agent: &str, session: &str) -> Result<Door, Failure> {
    let client = local_client(places, agent, session)?;
    let places = places.clone();
    // Where it does not come back, the next call says so.
    Ok(Door::new(client, move || drop(on_demand::be_there(&places))))
}

/// Whether a gateway listens, started where that is possible. Why not is for people.
pub(crate) fn is_there(places: &Places) -> Result<(), Failure> {
    on_demand::be_there(places)?;
    if places.mode() == Mode::Personal && UnixStream::connect(places.socket()).is_err() {
        return Err(no_gateway());
    }
    Ok(())
}

pub(crate) fn runtime() -> Result<Runtime, Failure> {
    let built = tokio::runtime::Builder::new_current_thread().enable_all().build();
    built.map_err(|error| Failure::internal(format!("cannot start: {error}"), format!("无法启动：{error}")))
}

fn address(path: &Path) -> Result<SocketAddr, Failure> {
    let text = signoff_config::text_of_file(path).ok().flatten().ok_or_else(no_gateway)?;
    text.trim().parse().map_err(|_| no_gateway())
}

fn no_gateway() -> Failure {
    Failure::internal("no gateway is running", "没有正在运行的网关")
        .hint("start one: signoff serve", "请启动网关：signoff serve")
}

pub(crate) fn failure(error: &CallError) -> Failure {
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
        CallError::Problem { code, detail, differences } => {
            let (code, detail) = (visible(code), visible(detail));
            let chinese = problems::in_chinese(&code, &detail);
            // They are in the language of whoever called already.
            let differences: String = differences.iter().map(|one| format!("\n  {}", visible(one))).collect();
            Failure::usage(detail + &differences, chinese + &differences)
        }
    }
}

/// What is no longer as it was shown, line by line, where a reply of the gateway tells it.
pub(crate) fn told_differences(reply: &Value) -> String {
    let all = reply.get("differences").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    all.iter().map(|one| format!("\n  {}", visible(field(one, "words")))).collect()
}

/// The person at this terminal, without whom nothing is answered, invited or granted.
pub(crate) fn somebody() -> Result<Person, Failure> {
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

fn told(what: &str, error: &io::Error) -> Failure {
    Failure::internal(format!("cannot {what}: {error}"), format!("无法完成（{what}）：{error}"))
}

/// The name that a person goes by where they say nothing else.
fn own_name() -> String {
    signoff_facts::user_name().unwrap_or_else(|| "owner".to_owned())
}

fn of_account(error: &AccountError) -> Failure {
    match error {
        AccountError::Store(error) => of_store(error),
        other => {
            let chinese = match other {
                AccountError::Taken(name) => format!("`{}` 已存在", visible(name)),
                AccountError::Missing(name) => format!("没有 `{}`", visible(name)),
                _ => visible(&other.to_string()),
            };
            Failure::usage(visible(&other.to_string()), chinese)
        }
    }
}

fn of_store(error: &StoreError) -> Failure {
    let text = visible(&error.to_string());
    let failure = Failure::internal(text.clone(), format!("存储出错：{text}"));
    match error {
        StoreError::Newer { .. } => failure.hint(
            "nothing was changed: install the version of signoff that has written it, or a later one",
            "没有任何改动：请安装写入它的 signoff 版本或更新的版本",
        ),
        StoreError::Full(_) => failure.hint("make room on the disk, and start again", "请腾出磁盘空间后再启动"),
        StoreError::Damaged(_) => failure.hint(
            "nothing was changed: is it a file of another program? Otherwise bring back a backup of it, and know that every yes which was unused at that time is good again until its time is over",
            "没有任何改动：它是否属于其他程序？否则请恢复其备份，并请注意：备份当时尚未使用的同意会重新有效，直至其到期",
        ),
        StoreError::Replaced(_) => failure.hint(
            "nothing is written any more: see who has put another file there, and start again with the right one",
            "已停止写入：请查明是谁在该处放置了另一个文件，并用正确的文件重新启动",
        ),
        _ => failure.hint("is another gateway running on it?", "是否有另一个网关正在使用它？"),
    }
}

fn not_owned(error: &NotOwned) -> Failure {
    if let NotOwned::Store(error) = error {
        return of_store(error);
    }
    let text = visible(&error.to_string());
    Failure::usage(text.clone(), format!("该存储属于使用另一把密钥的网关（{text}）")).hint(
        "nothing was changed: bring the key back (`gate.key`; every node of one store has the same), or change it on purpose, \
         at a terminal and with all nodes stopped: signoff serve --accept-new-key",
        "没有任何改动：请恢复原密钥（`gate.key`；同一存储的所有节点使用同一把），或停止所有节点后在终端有意更换：\
         signoff serve --accept-new-key",
    )
}

/// A moment as people read it: how long ago, or how long until then.
pub(crate) fn seconds_until(millis: i64) -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_millis());
    (millis - i64::try_from(now).unwrap_or(i64::MAX)) / 1_000
}
