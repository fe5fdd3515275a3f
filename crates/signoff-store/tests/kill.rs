//! Killed at any moment, the store loses nothing that it has acknowledged, and nothing happens twice.
//!
//! The test starts its own program again as a gate with several agents and persons in it, who write down what they were told, and
//! kills it. Then the notes are compared with the store.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on fails"
)]

mod suite;

use std::{
    collections::BTreeMap,
    env,
    fs::{self, File, OpenOptions},
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use signoff_gate::{Asked, Done, Event, Refusal, Store, StoreError};
use signoff_model::{Actor, Answer, ApprovalId, Digest, Report, Timestamp};
use signoff_store::{Clock, Sqlite, checkpoint_now, prune, verify_export};
use suite::{
    answer,
    checkpoints::{exported, grow, issuer, keys},
    question, requester, seal,
};

/// Tells the worker where to work.
const PLACE: &str = "SIGNOFF_STORE_KILL_PLACE";
const KILLS: usize = 50;
/// So many agents ask at a time, so that a kill meets some of them at every point.
const AGENTS: usize = 8;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn clock() -> Clock {
    Arc::new(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Timestamp::from_millis(i64::try_from(now.as_millis()).unwrap())
    })
}

fn open(place: &Path) -> Sqlite {
    Sqlite::open(&place.join("signoff.db"), clock()).unwrap()
}

/// The notes of everybody, one line each, handed to the system before anything else is done.
struct Notes(Mutex<File>);

impl Notes {
    fn new(place: &Path) -> Self {
        Self(Mutex::new(OpenOptions::new().create(true).append(true).open(place.join("notes")).unwrap()))
    }

    /// A line in one call: it is there whole or not at all, whoever is killed.
    fn write(&self, line: &str) {
        self.0.lock().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}

/// What the permits of the suite carry.
fn nonce() -> Digest {
    Digest::from_bytes([9; 32])
}

/// An executor that was killed does not know its attempt any more: the next one is another.
fn attempt(key: &str) -> Digest {
    let mut bytes = [0; 32];
    let process = format!("{} {key}", std::process::id());
    bytes.iter_mut().zip(process.bytes()).for_each(|(byte, letter)| *byte = letter);
    Digest::from_bytes(bytes)
}

/// One agent's work on one request, from wherever it stood when the gate before was killed.
async fn go_on(store: &dyn Store, notes: &Notes, agent: &str, key: &str) {
    let mut new = question(agent, key);
    // Ids go on behind those of the process before.
    let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    new.id = ApprovalId::from_bits(started << 40 | new.id.bits());
    // However slow the machine is, time does not run out on anybody here.
    (new.terms.decide_within, new.terms.run_within) = (DAY, DAY);
    let binding = new.question.binding;
    let approval = match store.ask(new).await.unwrap() {
        Asked::New(approval) | Asked::Before(approval) => approval,
        Asked::KeyTaken | Asked::Refused(_) => panic!("the same is asked again"),
    };
    let id = approval.id;
    notes.write(&format!("asked {agent}/{key} {id}"));
    let happen = async |event| store.happen(id, event).await.unwrap().unwrap().outcome;
    match happen(answer("ann", Answer::Approve)).await {
        Ok(Done::Decided) => notes.write(&format!("approved {agent}/{key} {id}")),
        // Decided before the last kill.
        Err(Refusal::Closed) => {}
        other => panic!("{other:?}"),
    }
    let by = requester(agent);
    match happen(Event::Redeem {
        by: by.clone(),
        nonce: nonce(),
        attempt: attempt(key),
        binding,
        deviations: Vec::new(),
        seal: seal(),
    })
    .await
    {
        Ok(Done::Redeemed(_)) => notes.write(&format!("ran {agent}/{key} {id}")),
        Err(Refusal::UsedBefore) => {}
        other => panic!("{other:?}"),
    }
    match happen(Event::Report { by, nonce: nonce(), report: Report::Executed }).await {
        Ok(Done::Reported) => notes.write(&format!("reported {agent}/{key} {id}")),
        Ok(Done::Nothing) => {}
        other => panic!("{other:?}"),
    }
}

/// Agents ask, a person answers, the agents run, until all are killed.
#[test]
fn worker() {
    let Some(place) = env::var_os(PLACE).map(PathBuf::from) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(async {
        let store = Arc::new(open(&place));
        let notes = Arc::new(Notes::new(&place));
        // Everybody begins with the request that was under way, and may be a step further already.
        let begun = fs::read_to_string(place.join("notes")).unwrap_or_default();
        let at = |agent: &str| {
            let mine = format!("asked {agent}/");
            let numbers = begun.lines().filter_map(|line| line.strip_prefix(&mine)?.split(' ').next()?.parse().ok());
            numbers.max().unwrap_or(0_u64)
        };
        let agents: Vec<_> = (0..AGENTS)
            .map(|number| {
                let agent = format!("agent-{number}");
                let (store, notes, first) = (Arc::clone(&store), Arc::clone(&notes), at(&agent));
                tokio::spawn(async move {
                    for key in first.. {
                        go_on(&*store, &notes, &agent, &key.to_string()).await;
                    }
                })
            })
            .collect();
        fs::write(place.join("ready"), "").unwrap();
        for agent in agents {
            agent.await.unwrap();
        }
    });
}

/// The ledger grows, is signed and loses its old entries, until the worker is killed.
#[test]
fn pruning_worker() {
    let Some(place) = env::var_os(PLACE).map(PathBuf::from) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let store = open(&place);
        let notes = Notes::new(&place);
        fs::write(place.join("ready"), "").unwrap();
        loop {
            grow(&store, 900).await;
            checkpoint_now(&store, &issuer()).await.unwrap();
            notes.write("signed");
            if let Some(pruned) = prune(&store, &issuer(), Duration::ZERO, &Actor::Gate).await.unwrap() {
                notes.write(&format!("pruned {}", pruned.up_to.number));
            }
        }
    });
}

/// Killed while old entries go, the store can be verified, and the next one goes on.
#[tokio::test]
async fn kills_while_old_entries_go() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    for kill in 0..20 * suite::cases() {
        start_and_kill(place, "pruning_worker", 1 + kill % 3);
        let store = open(place);
        let verified = verify_export(exported(&store).await.as_bytes(), &keys()).unwrap();
        let notes = fs::read_to_string(place.join("notes")).unwrap_or_default();
        let told = notes.lines().filter_map(|line| line.strip_prefix("pruned ")?.parse().ok()).max();
        assert!(verified.begins.map(|place| place.number) >= told, "{verified:?} {told:?}");
    }
    let store = open(place);
    prune(&store, &issuer(), Duration::ZERO, &Actor::Gate).await.unwrap();
    let begins = verify_export(exported(&store).await.as_bytes(), &keys()).unwrap().begins.unwrap();
    assert_eq!(store.ledger(0, 1).await.unwrap()[0].number, begins.number + 1, "nothing is left of what was removed");
}

fn started(place: &Path, worker: &str) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", worker, "--nocapture", "--test-threads=1"])
        .env(PLACE, place)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Starts the worker, and kills it once so many more lines have been noted: however slow the machine is, work is done.
fn start_and_kill(place: &Path, worker: &str, lines: usize) {
    let _ = fs::remove_file(place.join("ready"));
    let noted = || fs::read_to_string(place.join("notes")).map_or(0, |notes| notes.lines().count());
    let enough = noted() + lines;
    let mut worker = started(place, worker);
    while !(place.join("ready").exists() && noted() >= enough) && worker.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_micros(300));
    }
    if let Some(status) = worker.try_wait().unwrap() {
        let mut said = String::new();
        worker.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        panic!("the worker ended by itself: {status}\n{said}");
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
}

/// As long as another process has the file, nobody else gets it; once that is killed, anybody does.
#[test]
fn another_process_has_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    let mut worker = started(place, "worker");
    while !place.join("ready").exists() {
        assert!(worker.try_wait().unwrap().is_none());
        thread::sleep(Duration::from_millis(1));
    }
    let refused = Sqlite::open(&place.join("signoff.db"), clock()).map(|_| ());
    worker.kill().unwrap();
    worker.wait().unwrap();
    assert!(matches!(refused, Err(StoreError::Unavailable(text)) if text.contains("signoff.db is in use")));
    drop(open(place));
}

#[tokio::test]
async fn fifty_kills_lose_and_double_nothing() {
    for _ in 0..suite::cases() {
        fifty_kills().await;
    }
}

async fn fifty_kills() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    for kill in 0..KILLS {
        start_and_kill(place, "worker", kill * 7 % 40);
        let store = open(place);
        let notes = fs::read_to_string(place.join("notes")).unwrap_or_default();
        check(&store, &notes).await;
        suite::verify_all(&store).await;
    }
}

/// Everything that somebody was told is in the store, and nobody was told twice that something may run.
async fn check(store: &Sqlite, notes: &str) {
    let mut ids: BTreeMap<&str, &str> = BTreeMap::new();
    let mut ran: BTreeMap<&str, usize> = BTreeMap::new();
    let mut latest: BTreeMap<&str, &str> = BTreeMap::new();
    for line in notes.lines() {
        let mut words = line.split(' ');
        let (what, key, id) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        assert_eq!(ids.insert(key, id).unwrap_or(id), id, "one key is one approval: {key}");
        *ran.entry(key).or_default() += usize::from(what == "ran");
        latest.insert(key, what);
    }
    for (key, times) in ran {
        assert!(times <= 1, "{key} ran {times} times");
    }
    for (key, what) in latest {
        let id = ApprovalId::parse(ids[key]).unwrap();
        let kept = store.approval(id).await.unwrap().expect("what was acknowledged is there");
        let rank = |stage: &str| ["pending", "approved", "redeemed", "executed"].iter().position(|one| *one == stage);
        let told = match what {
            "asked" => "pending",
            "approved" => "approved",
            "ran" => "redeemed",
            "reported" => "executed",
            other => panic!("{other}"),
        };
        // What was done and not yet noted is ahead of the notes, never behind.
        let found = kept.stage.name();
        assert!(rank(found).unwrap() >= rank(told).unwrap(), "{key} was {told} and is {found}");
    }
}
