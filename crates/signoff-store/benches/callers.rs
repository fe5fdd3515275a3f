//! How many changes a store keeps in a second, and how long each of them takes, by how many callers there are: `cargo bench -p
//! signoff-store`. Each caller asks a question, answers it and redeems the yes, one after the other, for two seconds. Every
//! change waits for the disk. The last line is how long it takes from the answer to a change on one node until a waiter on
//! another is awake.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a measurement that cannot go on fails, and prints what it has measured"
)]

#[path = "../tests/suite/mod.rs"]
mod suite;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use signoff_gate::{Store, Work};
use signoff_model::Answer;
use signoff_store::{Postgres, Sqlite, Timekeeper};
use signoff_testbed::{Durability, Server};

const MEASURED_FOR: Duration = Duration::from_secs(2);

const CALLERS: [usize; 3] = [1, 16, 64];

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    println!(
        "{:<26}{:>8}{:>12}{:>10}{:>10}{:>16}",
        "store", "callers", "changes/s", "p50 ms", "p99 ms", "changes/commit"
    );
    runtime.block_on(async {
        for callers in CALLERS {
            let directory = tempfile::TempDir::new().unwrap();
            let store = Arc::new(Sqlite::open(&directory.path().join("store"), suite::Hands::new().clock()).unwrap());
            let shared: Arc<dyn Store> = Arc::<Sqlite>::clone(&store);
            let times = measured(&[shared], callers).await;
            show("SQLite", callers, times, store.work());
        }
        let server = Server::start(Durability::Flushed).unwrap();
        for (name, count) in [("PostgreSQL, one node", 1), ("PostgreSQL, two nodes", 2)] {
            for callers in CALLERS {
                let database = server.database().unwrap();
                let mut nodes = Vec::new();
                for _ in 0..count {
                    nodes.push(Arc::new(Postgres::connect(&database.url(), Timekeeper::Database).await.unwrap()));
                }
                let shared: Vec<Arc<dyn Store>> =
                    nodes.iter().map(|node| Arc::<Postgres>::clone(node) as Arc<dyn Store>).collect();
                let times = measured(&shared, callers).await;
                let all = nodes.iter().map(|node| node.work()).fold(Work::default(), |all, one| Work {
                    jobs: all.jobs + one.jobs,
                    changes: all.changes + one.changes,
                    flushes: all.flushes + one.flushes,
                });
                show(name, callers, times, all);
            }
        }
        let database = server.database().unwrap();
        let here = Postgres::connect(&database.url(), Timekeeper::Database).await.unwrap();
        let there = Arc::new(Postgres::connect(&database.url(), Timekeeper::Database).await.unwrap());
        let mut times = Vec::new();
        for number in 0..500 {
            let waiter = Arc::clone(&there);
            let woken = tokio::spawn(async move {
                waiter.news(number).await.unwrap();
                Instant::now()
            });
            suite::asked(&here, suite::question("agent", &format!("{number}"))).await;
            let kept = Instant::now();
            times.push(woken.await.unwrap().saturating_duration_since(kept));
        }
        times.sort();
        println!(
            "\nwoken on another node behind the commit: p50 {:.2} ms, p99 {:.2} ms",
            at(&times, 50),
            at(&times, 99)
        );
    });
}

/// How long each change took.
async fn measured(nodes: &[Arc<dyn Store>], callers: usize) -> Vec<Duration> {
    let until = Instant::now() + MEASURED_FOR;
    let running: Vec<_> = (0..callers)
        .map(|caller| {
            let store = Arc::clone(&nodes[caller % nodes.len()]);
            tokio::spawn(async move {
                let mut times = Vec::new();
                for number in 0.. {
                    if Instant::now() > until {
                        break;
                    }
                    let new = suite::question("agent", &format!("{caller} {number}"));
                    let id = new.id;
                    let begun = Instant::now();
                    suite::asked(&*store, new).await;
                    times.push(begun.elapsed());
                    for event in [suite::answer("ann", Answer::Approve), suite::redeem("agent")] {
                        let begun = Instant::now();
                        assert!(store.happen(id, event).await.unwrap().unwrap().outcome.is_ok());
                        times.push(begun.elapsed());
                    }
                }
                times
            })
        })
        .collect();
    let mut times = Vec::new();
    for one in running {
        times.extend(one.await.unwrap());
    }
    times.sort();
    times
}

fn show(store: &str, callers: usize, times: Vec<Duration>, work: Work) {
    println!(
        "{store:<26}{callers:>8}{:>12.0}{:>10.2}{:>10.2}{:>16.1}",
        times.len() as f64 / MEASURED_FOR.as_secs_f64(),
        at(&times, 50),
        at(&times, 99),
        work.changes as f64 / work.flushes as f64
    );
}

fn at(sorted: &[Duration], percent: usize) -> f64 {
    sorted[(sorted.len() - 1) * percent / 100].as_secs_f64() * 1_000.0
}
