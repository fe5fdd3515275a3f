//! Killed at any moment, nothing is lost that was not agreed to, and a half-made backup is never trusted.
//!
//! The test starts its own program again as a worker that backs up, deletes and undoes without end, and kills it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on fails"
)]

mod tree;

use std::{
    collections::BTreeMap,
    env, fs,
    io::Read,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use signoff_exec::{
    Store,
    backup::{BackupId, BackupRequest, Destination, Listed, Moment, Progress, State},
};
use tree::{Plant, Planted, assert_same, difference, grow, look};

/// Tells the worker where to work.
const PLACE: &str = "SIGNOFF_EXEC_KILL_PLACE";
const KILLS: u64 = 200;

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn moment(seconds: i64) -> Moment {
    Moment { seconds, nanoseconds: 0 }
}

/// A small tree with something of everything.
fn small() -> Vec<Planted> {
    let plants = [
        ("file", Plant::File { content: b"what must not be lost".to_vec(), mode: 0o644 }),
        ("twin", Plant::HardLink { back: 0 }),
        ("link", Plant::Symlink { target: b"file".to_vec() }),
        ("tool", Plant::File { content: vec![7; 70_000], mode: 0o4755 }),
        ("deep", Plant::Directory { mode: 0o755 }),
        ("deeper", Plant::Directory { mode: 0o700 }),
        ("sparse", Plant::Sparse { pieces: vec![(500_000, b"end".to_vec())], length: 600_000 }),
        ("far", Plant::HardLink { back: 1 }),
        ("pipe", Plant::Fifo { mode: 0o600 }),
        ("empty", Plant::Directory { mode: 0o555 }),
    ];
    let planted = |(number, (name, plant)): (i64, (&str, Plant))| Planted {
        plant,
        parent: 0,
        name: name.into(),
        modified: (1_500_000_000 + number, number),
    };
    (0..).zip(plants).map(planted).collect()
}

/// Backs up, deletes and undoes until it is killed.
#[test]
fn worker() {
    let Some(place) = env::var_os(PLACE).map(PathBuf::from) else { return };
    let store = Store::open(&place.join("store")).unwrap();
    let tree = place.join("tree");
    let first = store.list().unwrap().iter().filter_map(number).max().map_or(0, |number| number + 1);
    fs::write(place.join("ready"), "").unwrap();
    // A kill soon after the start would only ever meet the first of these, so that a worker may begin with any.
    let mut id = store.list().unwrap().first().map(|listed| listed.id.clone());
    for number in first.. {
        let id = id.take().unwrap_or_else(|| back_up(&store, &tree, number));
        if tree.exists() {
            fs::remove_dir_all(&tree).unwrap();
        }
        store.seal_after(&id).unwrap();
        store.restore(&id, &Destination::Original, moment(number), &mut go_on).unwrap();
        // The tree is whole again, so that the backup may go.
        store.remove(&id).unwrap();
    }
}

fn back_up(store: &Store, tree: &Path, number: i64) -> BackupId {
    let id = BackupId::new(format!("b{number}")).unwrap();
    let (time, command, paths) = (moment(number), "rm -rf tree".into(), vec![tree.to_owned()]);
    store.back_up(&BackupRequest { id: id.clone(), time, command, paths }, &mut go_on).unwrap();
    id
}

fn number(listed: &Listed) -> Option<i64> {
    listed.id.as_str().strip_prefix('b')?.parse().ok()
}

/// Starts a worker and kills it after a while.
fn start_and_kill(place: &Path, while_it: Duration) {
    let _ = fs::remove_file(place.join("ready"));
    let mut worker = Command::new(env::current_exe().unwrap())
        .args(["--exact", "worker", "--nocapture", "--test-threads=1"])
        .env(PLACE, place)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !place.join("ready").exists() && worker.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(while_it);
    if let Some(status) = worker.try_wait().unwrap() {
        let mut said = String::new();
        worker.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        panic!("the worker ended by itself: {status}\n{said}");
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
}

/// A generator whose numbers are the same in every run; where they hit is up to the machine.
fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

#[test]
fn two_hundred_kills_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().canonicalize().unwrap();
    let tree = place.join("tree");
    grow(&tree, &small());
    let before = look(&tree);
    let store = Store::open(&place.join("store")).unwrap();
    let mut seed = 0x5eed;
    let mut hits: BTreeMap<&str, u32> = BTreeMap::new();
    for kill in 0..KILLS {
        if kill % 4 > 0 {
            back_up(&store, &tree, 0);
        }
        if kill % 4 > 1 {
            fs::remove_dir_all(&tree).unwrap();
        }
        start_and_kill(&place, Duration::from_micros(next(&mut seed) % 40_000));
        let whole = difference(&before, &look(&tree)).is_none();
        let listed = store.list().unwrap();
        assert!(listed.len() <= 1, "{listed:?}");
        let mut usable = None;
        for backup in &listed {
            let name = match &backup.state {
                State::Complete | State::Restored(_) | State::HalfRestored => {
                    store.verify(&backup.id, &mut go_on).unwrap_or_else(|error| panic!("kill {kill}: {error}"));
                    usable = Some(&backup.id);
                    if backup.state == State::HalfRestored { "half restored" } else { "complete" }
                }
                State::HalfMade => "half made",
                state => panic!("kill {kill}: {state:?}"),
            };
            *hits.entry(name).or_default() += 1;
        }
        *hits.entry(if whole { "whole" } else { "in pieces" }).or_default() += 1;
        match usable {
            Some(id) => {
                // A delete that was cut off leaves a part, and so does a restore: both are completed.
                store.restore(id, &Destination::Original, moment(0), &mut go_on).unwrap();
            }
            None => assert!(whole, "kill {kill}: neither the tree nor a backup is whole: {listed:?}"),
        }
        assert_same(&before, &look(&tree));
        for backup in &listed {
            store.remove(&backup.id).unwrap();
        }
        assert_eq!(store.list().unwrap(), []);
    }
    // Not every moment is hit in every run, but a run that hits one kind only has tested nothing.
    assert!(hits.len() > 1, "{hits:?}");
    println!("{hits:?}");
}
