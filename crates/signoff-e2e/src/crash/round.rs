//! One question after the other, each with somebody dying on the way.

use std::{
    collections::BTreeMap,
    fmt, fs,
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use axum::http::Method;
use serde_json::{Value, json};
use signoff_gate::Store;
use signoff_model::{Actor, AgentId, PersonId};
use signoff_server::{Accounts, client::Caller};
use signoff_store::{Postgres, Sqlite, Timekeeper};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::{agent::Calls, point::Point};
use crate::Kept;

const PASSWORD: &str = "correct horse";
const ROUND_WITHIN: Duration = Duration::from_secs(90);

/// What was found. All but the first two have to be nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many questions were asked.
    pub rounds: usize,
    /// How many processes have died.
    pub deaths: usize,
    /// Questions, or approved runs, that nobody knows of any more.
    pub lost: Vec<String>,
    /// What has run more than once.
    pub doubled: Vec<String>,
    /// What has run although it was not what was shown.
    pub stale_executed: Vec<String>,
    /// Noes that nobody has said.
    pub wrongly_denied: Vec<String>,
}

impl Tally {
    /// Whether all is well.
    pub fn is_clean(&self) -> bool {
        let Self { lost, doubled, stale_executed, wrongly_denied, .. } = self;
        [lost, doubled, stale_executed, wrongly_denied].iter().all(|bad| bad.is_empty())
    }
}

impl Tally {
    /// Compares how a question has ended with how it may.
    fn count(&mut self, named: &str, ended: &str, times: usize, is_stale: bool, agent_died: bool) {
        let told = format!("{named}: {ended}, ran {times} times");
        if times > 1 {
            self.doubled.push(told.clone());
        }
        if is_stale && times > 0 {
            self.stale_executed.push(told.clone());
        }
        match ended {
            "denied" => self.wrongly_denied.push(told),
            "ran" if times == 1 => {}
            "stale" if is_stale => {}
            // Whoever has taken the place of one that died does not run it a second time.
            "redeemed" | "executed" | "used-before" if agent_died => {}
            // Everything else: not known any more, run out, or said to have run and not.
            _ => self.lost.push(told),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rounds, deaths, lost, doubled, stale_executed, wrongly_denied } = self;
        write!(
            f,
            "{rounds} questions, {deaths} deaths: lost {}, doubled {}, stale executed {}, wrongly denied {}",
            lost.len(),
            doubled.len(),
            stale_executed.len(),
            wrongly_denied.len()
        )?;
        for bad in [lost, doubled, stale_executed, wrongly_denied].into_iter().flatten() {
            write!(f, "\n  {bad}")?;
        }
        Ok(())
    }
}

/// A place with nodes, an agent and a person.
pub struct Harness {
    program: PathBuf,
    root: TempDir,
    store: String,
    nodes: BTreeMap<&'static str, Child>,
    runtime: Runtime,
    token: String,
    tally: Tally,
}

impl Harness {
    /// A place of its own, with this program for its processes.
    pub fn new(program: &Path, kept: Kept) -> Self {
        let root = TempDir::new().unwrap();
        fs::create_dir_all(root.path().join("work")).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (store, names): (String, &[&'static str]) = match kept {
            Kept::InAFile => (root.path().join("gate.db").to_str().unwrap().to_owned(), &["a"]),
            Kept::InADatabase(url) => (url, &["a", "b"]),
        };
        runtime.block_on(populate(&store, root.path()));
        let mut harness = Self {
            program: program.to_owned(),
            root,
            store,
            nodes: BTreeMap::new(),
            runtime,
            token: String::new(),
            tally: Tally::default(),
        };
        for name in names {
            harness.start(name, None);
        }
        let credentials = json!({"person": "olga", "password": PASSWORD});
        let login = harness.person(Method::POST, "/v1/login", Some(&credentials)).unwrap();
        harness.token = login["token"].as_str().unwrap().to_owned();
        harness
    }

    /// Asks so many questions, with a death in each.
    pub fn run(mut self, rounds: usize) -> Tally {
        for number in 0..rounds {
            let point = Point::ALL[number % Point::ALL.len()];
            // Now and then both die, and now and then it is no longer what was shown.
            let second = (number % 4 == 3).then(|| Point::ALL[(number / 4 * 7 + 5) % Point::ALL.len()]);
            let is_stale = number % 7 == 6;
            self.round(&format!("q{number}"), [Some(point), second], is_stale);
        }
        for child in self.nodes.values_mut() {
            let _ = child.kill();
            let _ = child.wait();
        }
        self.tally
    }

    fn round(&mut self, key: &str, points: [Option<Point>; 2], is_stale: bool) {
        self.tally.rounds += 1;
        let file = self.root.path().join("work").join(format!("{key}.txt"));
        fs::write(&file, "mine").unwrap();
        let named = format!("{key} {points:?} stale={is_stale}");
        let gateway = points.into_iter().flatten().find(|point| matches!(point, Point::Gateway(_)));
        let mut agents: Vec<Point> =
            points.into_iter().flatten().filter(|point| matches!(point, Point::Agent(_))).collect();
        if gateway.is_some() {
            self.restart("a", gateway);
        }
        let begun = Instant::now();
        let mut agent = self.agent(key, agents.pop());
        let mut changed = false;
        let mut agent_died = false;
        let ended = loop {
            assert!(begun.elapsed() < ROUND_WITHIN, "it does not end: {named}");
            self.revive();
            if let Some(status) = agent.try_wait().unwrap() {
                if status.signal().is_some() {
                    self.tally.deaths += 1;
                    agent_died = true;
                    agent = self.agent(key, agents.pop());
                    continue;
                }
                let output = agent.wait_with_output().unwrap();
                break String::from_utf8_lossy(&output.stdout).trim().to_owned();
            }
            self.answer(key, is_stale.then_some((&file, &mut changed)));
            thread::sleep(Duration::from_millis(5));
        };
        let executed = fs::read_to_string(self.root.path().join("executed")).unwrap_or_default();
        let times = executed.lines().filter(|line| *line == key).count();
        self.tally.count(&named, &ended, times, is_stale, agent_died);
    }

    /// Says yes to whatever is open under this key, after the file was changed where it is to be stale.
    fn answer(&mut self, key: &str, stale: Option<(&PathBuf, &mut bool)>) {
        let Ok(page) = self.person(Method::GET, "/v1/approvals?stage=pending&limit=200", None) else { return };
        let wanted = format!("rm {key}.txt");
        let open = page["approvals"].as_array().unwrap().iter().find(|one| one["operation"]["cmd"] == wanted.as_str());
        let Some(open) = open else { return };
        if let Some((file, changed)) = stale
            && !std::mem::replace(changed, true)
        {
            fs::write(file, "something longer that nobody was shown").unwrap();
        }
        let id = open["id"].as_str().unwrap();
        let answer = match open["form"]["kind"].as_str().unwrap() {
            "confirmation" => json!({"answer": "approve"}),
            "choice" => json!({"answer": "choose", "choice": "go-ahead"}),
            _ => json!({"answer": "input", "text": open["form"]["text"]}),
        };
        // Whether it was heard is seen in the next look.
        let _ = self.person(Method::POST, &format!("/v1/approvals/{id}/answer"), Some(&answer));
    }

    /// Calls as the person: whichever node answers.
    fn person(&mut self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, String> {
        self.revive();
        let caller = if self.token.is_empty() { Caller::Nobody } else { Caller::Person { token: self.token.clone() } };
        // The other node than the agent's first, where there are two.
        let nodes: Vec<&str> = self.nodes.keys().rev().copied().collect();
        let mut calls = Calls { root: self.root.path(), nodes, caller, next: 0 };
        let call = calls.call(method, path, body);
        // A node that dies on the way is started again by the next look. Logging in takes longer, on purpose.
        let within = if self.token.is_empty() { Duration::from_secs(20) } else { Duration::from_millis(500) };
        self.runtime.block_on(async { tokio::time::timeout(within, call).await }).unwrap_or(Err("away".to_owned()))
    }

    fn agent(&self, key: &str, point: Option<Point>) -> Child {
        let nodes: Vec<&str> = self.nodes.keys().copied().collect();
        let point = point.map_or("none", Point::name);
        let mut command = Command::new(&self.program);
        command.args(["agent", self.root.path().to_str().unwrap(), key, &nodes.join(","), point]);
        command.stdout(Stdio::piped()).spawn().unwrap()
    }

    fn start(&mut self, name: &'static str, point: Option<Point>) {
        let file = self.root.path().join(format!("{name}.address"));
        let _ = fs::remove_file(&file);
        let point = point.map_or("none", Point::name);
        let mut command = Command::new(&self.program);
        command.args(["node", self.root.path().to_str().unwrap(), &self.store, name, point]);
        self.nodes.insert(name, command.spawn().unwrap());
        let begun = Instant::now();
        while !file.exists() {
            assert!(begun.elapsed() < Duration::from_secs(30), "{name} does not start");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Puts a node with another point into the place of one.
    fn restart(&mut self, name: &'static str, point: Option<Point>) {
        if let Some(mut child) = self.nodes.remove(name) {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        self.start(name, point);
    }

    /// Starts again whoever has died.
    fn revive(&mut self) {
        let dead: Vec<&'static str> =
            self.nodes.iter_mut().filter_map(|(name, child)| child.try_wait().unwrap().map(|_| *name)).collect();
        for name in dead {
            self.tally.deaths += 1;
            self.start(name, None);
        }
    }
}

/// A person with a password, and an agent with a key.
async fn populate(store: &str, root: &Path) {
    let store: Box<dyn Store> = if store.starts_with("postgres") {
        Box::new(Postgres::connect(store, Timekeeper::Database).await.unwrap())
    } else {
        let clock = std::sync::Arc::new(|| signoff_model::Timestamp::from_millis(1));
        Box::new(Sqlite::open(Path::new(store), clock).unwrap())
    };
    let accounts = Accounts::new(&*store);
    let (olga, claude) = (PersonId::new("olga").unwrap(), AgentId::new("claude").unwrap());
    let invitation = accounts.invite(&olga, Actor::Gate).await.unwrap();
    accounts.accept(&invitation, PASSWORD).await.unwrap();
    let key = accounts.add_agent(&claude, &olga, Actor::Gate).await.unwrap();
    fs::write(root.join("agent.key"), key).unwrap();
}

#[cfg(test)]
mod tests {
    use super::Tally;

    /// What the harness looks for is found where it is.
    #[test]
    fn what_went_wrong_is_counted() {
        for (ended, times, is_stale, agent_died, expected) in [
            ("ran", 1, false, false, [0, 0, 0, 0]),
            ("stale", 0, true, false, [0, 0, 0, 0]),
            ("redeemed", 0, false, true, [0, 0, 0, 0]),
            ("executed", 1, false, true, [0, 0, 0, 0]),
            ("redeemed", 0, false, false, [1, 0, 0, 0]),
            ("wait not-found", 0, false, false, [1, 0, 0, 0]),
            ("expired", 0, false, false, [1, 0, 0, 0]),
            ("ran", 0, false, false, [1, 0, 0, 0]),
            ("stale", 0, false, false, [1, 0, 0, 0]),
            ("ran", 2, false, false, [1, 1, 0, 0]),
            ("executed", 2, false, true, [0, 1, 0, 0]),
            ("ran", 1, true, false, [0, 0, 1, 0]),
            ("denied", 0, false, false, [0, 0, 0, 1]),
        ] {
            let mut tally = Tally::default();
            tally.count("q", ended, times, is_stale, agent_died);
            let Tally { lost, doubled, stale_executed, wrongly_denied, .. } = &tally;
            let found = [lost, doubled, stale_executed, wrongly_denied].map(Vec::len);
            assert_eq!(found, expected, "{ended} {times} {is_stale} {agent_died}");
            assert_eq!(tally.is_clean(), expected == [0; 4]);
        }
    }
}
