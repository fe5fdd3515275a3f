//! The embedded store: what every store does, and what becomes of its file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod suite;

use std::{os::unix::fs::PermissionsExt, path::Path, sync::Arc};

use signoff_gate::{Store, StoreError, Wanted};
use signoff_model::Answer;
use signoff_store::{Broken, Sqlite, verify};
use suite::Hands;
use tempfile::TempDir;

struct Fixture {
    directory: TempDir,
    hands: Hands,
    store: Arc<Sqlite>,
}

impl Fixture {
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let hands = Hands::new();
        let store = Arc::new(open(&directory, &hands).unwrap());
        Self { directory, hands, store }
    }

    fn shared(&self) -> Arc<dyn Store> {
        Arc::<Sqlite>::clone(&self.store)
    }
}

fn path(directory: &TempDir) -> std::path::PathBuf {
    directory.path().join("signoff.db")
}

fn open(directory: &TempDir, hands: &Hands) -> Result<Sqlite, StoreError> {
    Sqlite::open(&path(directory), hands.clock())
}

#[tokio::test]
async fn the_first_key_has_it() {
    let fixture = Fixture::new();
    suite::owning::the_first_key_has_it([&*fixture.store, &*fixture.store]).await;
    suite::owning::a_signature_tells_whose_it_is(&*Fixture::new().store).await;
}

#[tokio::test]
async fn what_waits_is_counted() {
    suite::owning::what_waits_is_counted(&*Fixture::new().store).await;
}

/// Whoever puts another file in its place, an older copy of it or none at all, gets neither an answer nor an entry.
#[tokio::test]
async fn a_file_that_was_replaced_is_noticed() {
    for put_there in [None, Some("an older copy")] {
        let fixture = Fixture::new();
        let id = suite::asked(&*fixture.store, suite::question("agent", "key")).await.id;
        let file = path(&fixture.directory);
        let older = fixture.directory.path().join("older.db");
        std::fs::copy(&file, &older).unwrap();
        std::fs::rename(&file, fixture.directory.path().join("moved.db")).unwrap();
        if put_there.is_some() {
            std::fs::rename(&older, &file).unwrap();
        }
        let replaced = |error: StoreError| assert!(matches!(error, StoreError::Replaced(_)), "{error:?}");
        replaced(fixture.store.ready().await.unwrap_err());
        replaced(fixture.store.happen(id, suite::answer("ann", Answer::Approve)).await.unwrap_err());
        replaced(fixture.store.ask(suite::question("agent", "another")).await.unwrap_err());
        replaced(fixture.store.approval(id).await.unwrap_err());
        replaced(fixture.store.ledger(0, 10).await.unwrap_err());
        replaced(fixture.store.ledger(0, 1_000).await.unwrap_err());
        // The one that was opened has nothing of it either.
        let moved = rusqlite::Connection::open(fixture.directory.path().join("moved.db")).unwrap();
        std::fs::copy(fixture.directory.path().join("signoff.db-wal"), fixture.directory.path().join("moved.db-wal"))
            .unwrap();
        let entries: i64 = moved.query_row("SELECT count(*) FROM ledger", [], |row| row.get(0)).unwrap();
        assert_eq!(entries, 1);
    }
}

#[tokio::test]
async fn one_key_is_one_approval() {
    suite::one_key_is_one_approval(&*Fixture::new().store).await;
}

#[tokio::test]
async fn a_yes_is_kept_and_used_once() {
    suite::a_yes_is_kept_and_used_once(&*Fixture::new().store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_come_from_others() {
    suite::again::one_takes_the_place_of_another(&*Fixture::new().store).await;
    suite::again::a_refusal_is_reopened_once(&*Fixture::new().store).await;
    suite::again::one_of_many_takes_the_place(Fixture::new().shared()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_are_answered_together() {
    suite::together::each_has_its_own_end(&*Fixture::new().store).await;
    suite::together::one_is_first_for_all(Fixture::new().shared()).await;
}

#[tokio::test]
async fn people_are_reminded_once() {
    let fixture = Fixture::new();
    suite::people_are_reminded_once(&*fixture.store, &fixture.hands).await;
}

#[tokio::test]
async fn time_runs_out() {
    let fixture = Fixture::new();
    suite::time_runs_out(&*fixture.store, &fixture.hands).await;
}

#[tokio::test]
async fn lists_are_paged() {
    suite::lists_are_paged(&*Fixture::new().store).await;
}

#[tokio::test]
async fn the_ledger_holds_together() {
    suite::the_ledger_holds_together(Fixture::new().shared()).await;
}

#[tokio::test]
async fn one_does_not_fail_another() {
    suite::one_does_not_fail_another(Fixture::new().shared()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn things_are_kept_by_name() {
    suite::items::a_change_counts_from_what_was_seen(&*Fixture::new().store).await;
    suite::items::changes_go_together(&*Fixture::new().store).await;
    suite::items::one_changer_wins(&[Fixture::new().shared()], 20 * suite::cases()).await;
    suite::items::shelves_are_paged_by_name(&*Fixture::new().store).await;
    suite::items::what_cannot_be_kept_is_refused(&*Fixture::new().store).await;
    let fixture = Fixture::new();
    suite::items::the_store_tells_the_time(&*fixture.store, &fixture.hands).await;
}

#[tokio::test]
async fn refusals_are_written_so_often() {
    suite::refusals_are_written_so_often(Fixture::new().shared()).await;
}

#[tokio::test]
async fn what_is_too_long_is_refused() {
    let fixture = Fixture::new();
    suite::what_is_too_long_is_refused(&*fixture.store, &fixture.hands).await;
}

#[tokio::test]
async fn a_ledger_is_signed() {
    suite::checkpoints::a_ledger_is_signed(&*Fixture::new().store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_entries_go() {
    let fixture = Fixture::new();
    suite::pruning::old_entries_go(&*fixture.store, &fixture.hands).await;
    let fixture = Fixture::new();
    suite::pruning::what_is_open_stays(&*fixture.store, &fixture.hands).await;
    let fixture = Fixture::new();
    suite::pruning::no_other_end_is_cut_off(&*fixture.store, &fixture.hands).await;
    let fixture = Fixture::new();
    suite::pruning::many_prune_at_once(&[fixture.shared()], &fixture.hands, 5 * suite::cases()).await;
}

/// Whoever cuts off the head of a ledger without the gate's key, or says in its place that it begins later, is found out, and
/// the gate neither signs nor shortens it.
#[tokio::test]
async fn a_head_that_was_cut_off_is_told() {
    use signoff_store::{Broken, Flaw, LedgerError, checkpoint_now, verify_export};
    use suite::{
        checkpoints::{exported, grow, issuer, keys},
        pruning::{DAY, refuses},
    };
    let checkpoint_as_beginning = "
        DELETE FROM ledger WHERE number <= 8;
        INSERT INTO items SELECT 'beginning', 'ledger', name || ' ' || replace(text, 'sgc1', 'sgb1')
        FROM items WHERE shelf = 'checkpoints' AND name = '00000000000000000008';";
    for (script, told) in [
        ("DELETE FROM ledger WHERE number <= 8", Flaw::Broken(Broken::Gap { expected: 1 })),
        ("DELETE FROM ledger WHERE number = 3", Flaw::Broken(Broken::Gap { expected: 3 })),
        (checkpoint_as_beginning, Flaw::Checkpoint(signoff_permit::CheckpointError::Forged)),
    ] {
        let Fixture { directory, hands, store } = Fixture::new();
        for _ in 0..2 {
            grow(&*store, 8).await;
            checkpoint_now(&*store, &issuer()).await.unwrap();
        }
        hands.pass(2 * DAY);
        grow(&*store, 1).await;
        rusqlite::Connection::open(path(&directory)).unwrap().execute_batch(script).unwrap();
        let flawed = verify_export(exported(&*store).await.as_bytes(), &keys()).unwrap_err();
        assert_eq!(flawed.flaw, told, "{script}");
        match told {
            Flaw::Broken(Broken::Gap { expected: 1 }) => refuses(&*store, Broken::Checkpoint { number: 8 }).await,
            Flaw::Broken(broken) => refuses(&*store, broken).await,
            _ => {
                let refused = checkpoint_now(&*store, &issuer()).await;
                assert!(matches!(refused, Err(LedgerError::Store(StoreError::Damaged(_)))), "{refused:?}");
            }
        }
    }
}

/// An export that is under way while old entries are removed goes on behind them, and says so.
#[tokio::test]
async fn an_export_goes_on_behind_what_was_removed_meanwhile() {
    use signoff_store::{Export, checkpoint_now, verify_export};
    use suite::{
        checkpoints::{grow, issuer, keys},
        pruning::{DAY, pruned},
    };
    let Fixture { directory: _directory, hands, store } = Fixture::new();
    grow(&*store, 300).await;
    checkpoint_now(&*store, &issuer()).await.unwrap();
    let store: &dyn Store = &*store;
    let mut export = Export::new(store);
    let mut text = export.next().await.unwrap().unwrap();
    hands.pass(2 * DAY);
    assert_eq!(pruned(store, DAY).await, Some((1, 300)));
    grow(store, 5).await;
    while let Some(lines) = export.next().await.unwrap() {
        text.push_str(&lines);
    }
    let verified = verify_export(text.as_bytes(), &keys()).unwrap();
    assert_eq!((verified.begins.unwrap().number, verified.last), (300, 306));
}

/// A store of the first version is brought to this one, with all that is in it.
#[tokio::test]
async fn an_older_store_is_brought_up_to_date() {
    let Fixture { directory, hands, store } = Fixture::new();
    let kept = suite::asked(&*store, suite::question("agent", "key")).await;
    drop(store);
    sql(&path(&directory), "DROP TABLE items; ALTER TABLE approvals DROP COLUMN refusals; PRAGMA user_version = 1");
    let store = open(&directory, &hands).unwrap();
    assert_eq!(store.approval(kept.id).await.unwrap(), Some(kept));
    assert!(store.change(vec![suite::items::change("ann", None, Some("x"))]).await.unwrap());
}

/// A record that somebody has damaged keeps neither time from running for others nor them from being listed.
#[tokio::test]
async fn a_damaged_record_is_set_aside() {
    let fixture = Fixture::new();
    let bad = suite::asked(&*fixture.store, suite::question("agent", "bad")).await.id;
    let good = suite::asked(&*fixture.store, suite::question("agent", "good")).await.id;
    let key = format!("UPDATE approvals SET record = '{{}}' WHERE id = x'{bad}'");
    sql(&path(&fixture.directory), &key);
    assert!(matches!(fixture.store.approval(bad).await, Err(StoreError::Damaged(_))));
    let listed = fixture.store.list(Wanted { at_most: 10, ..Wanted::default() }).await.unwrap();
    assert_eq!(listed.iter().map(|approval| approval.id).collect::<Vec<_>>(), [good]);
    fixture.hands.pass(std::time::Duration::from_secs(300));
    let ticked = fixture.store.tick(100).await.unwrap();
    assert_eq!(ticked.ended.iter().map(|approval| approval.id).collect::<Vec<_>>(), [good]);
    assert_eq!(ticked.next, None);
    let last = fixture.store.ledger(2, 100).await.unwrap();
    assert!(last.iter().any(|entry| entry.approval == Some(bad) && entry.body.contains("damaged")), "{last:?}");
}

/// A clock that was set back while the store was closed brings nothing back that has expired.
#[tokio::test]
async fn time_does_not_come_back() {
    let Fixture { directory, hands, store } = Fixture::new();
    let id = suite::asked(&*store, suite::question("agent", "key")).await.id;
    store.happen(id, suite::answer("ann", Answer::Approve)).await.unwrap();
    hands.pass(std::time::Duration::from_secs(59));
    suite::asked(&*store, suite::question("agent", "later")).await;
    drop(store);
    let earlier = Hands::new();
    let store = open(&directory, &earlier).unwrap();
    earlier.pass(std::time::Duration::from_secs(1));
    store.tick(100).await.unwrap();
    assert_eq!(store.approval(id).await.unwrap().unwrap().stage.name(), "expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_wins() {
    let fixture = Fixture::new();
    suite::one_wins(&[fixture.shared()], &fixture.hands, 250 * suite::cases()).await;
    // Whoever waits at the same time shares a flush.
    let work = fixture.store.work();
    assert!(work.jobs > 4 * work.flushes, "{work:?}");
}

#[tokio::test]
async fn it_agrees_with_the_pure_step() {
    let fixture = Fixture::new();
    for seed in 0..suite::cases() as u64 {
        suite::agrees_with_the_pure_step(&*fixture.store, &fixture.hands, seed, 2_500).await;
    }
    suite::verify_all(&*fixture.store).await;
}

#[tokio::test]
async fn what_was_kept_is_there_again() {
    let Fixture { directory, hands, store } = Fixture::new();
    let kept = suite::asked(&*store, suite::question("agent", "key")).await;
    let denied = store.happen(kept.id, suite::answer("ann", Answer::Deny("no".to_owned()))).await.unwrap();
    let open_still = suite::asked(&*store, suite::question("agent", "other")).await;
    let entries = store.ledger(0, 100).await.unwrap();
    drop(store);
    let store = open(&directory, &hands).unwrap();
    assert_eq!(store.approval(kept.id).await.unwrap(), denied.map(|happened| happened.approval));
    let pending = Wanted { stage: Some("pending".to_owned()), at_most: 10, ..Wanted::default() };
    let pending = store.list(pending).await.unwrap();
    assert_eq!(pending, [open_still]);
    assert!(pending.iter().all(suite::is_pending));
    assert_eq!(store.ledger(0, 100).await.unwrap(), entries);
    suite::asked(&store, suite::question("agent", "third")).await;
    suite::verify_all(&store).await;
}

/// What is closed is one file: whoever copies it has all of it.
#[tokio::test]
async fn what_was_closed_is_one_file() {
    let Fixture { directory, hands, store } = Fixture::new();
    let kept = suite::asked(&*store, suite::question("agent", "key")).await;
    assert!(store.approval(kept.id).await.unwrap().is_some(), "somebody has read");
    drop(store);
    let elsewhere = TempDir::new().unwrap();
    std::fs::copy(path(&directory), path(&elsewhere)).unwrap();
    assert_eq!(open(&elsewhere, &hands).unwrap().approval(kept.id).await.unwrap(), Some(kept));
}

/// A second one on the same file is told so at once, by whichever name it comes, and the first one goes on.
#[tokio::test]
async fn a_file_is_one_stores_at_a_time() {
    let Fixture { directory, hands, store } = Fixture::new();
    let link = directory.path().join("link.db");
    std::os::unix::fs::symlink(path(&directory), &link).unwrap();
    for name in [&path(&directory), &link] {
        let refused = Sqlite::open(name, hands.clock()).map(|_| ()).unwrap_err();
        let text = format!("{} is in use by another process", path(&directory).canonicalize().unwrap().display());
        assert_eq!(refused, StoreError::Unavailable(text));
    }
    let kept = suite::asked(&*store, suite::question("agent", "key")).await;
    drop(store);
    let again = open(&directory, &hands).unwrap();
    assert_eq!(again.approval(kept.id).await.unwrap(), Some(kept));
}

/// Reading waits for the disk where nobody else has to: it is for the threads that may wait, and not for those that do all else.
#[test]
fn reading_holds_nobody_up() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let fixture = Fixture::new();
        suite::asked(&*fixture.store, suite::question("agent", "key")).await;
        let (free, taken) = std::sync::mpsc::channel::<()>();
        let occupied = tokio::task::spawn_blocking(move || taken.recv());
        let wanted = Wanted { at_most: 10, ..Wanted::default() };
        let mut reading = fixture.store.list(wanted);
        let waits = tokio::time::timeout(std::time::Duration::from_millis(20), &mut reading).await;
        assert!(waits.is_err(), "nobody is free to read");
        free.send(()).unwrap();
        occupied.await.unwrap().unwrap();
        assert_eq!(reading.await.unwrap().len(), 1);
    });
}

/// Nobody else on the machine reads what was asked.
#[tokio::test]
async fn the_file_is_the_users_own() {
    let fixture = Fixture::new();
    suite::asked(&*fixture.store, suite::question("agent", "key")).await;
    for entry in std::fs::read_dir(fixture.directory.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{:?} {mode:o}", entry.file_name());
    }
}

fn sql(path: &Path, script: &str) {
    rusqlite::Connection::open(path).unwrap().execute_batch(script).unwrap();
}

#[test]
fn another_file_is_left_alone() {
    let hands = Hands::new();
    let refused = |script: &str| {
        let directory = TempDir::new().unwrap();
        sql(&path(&directory), script);
        let before = std::fs::read(path(&directory)).unwrap();
        let refused = open(&directory, &hands).map(|_| ()).unwrap_err();
        drop(open(&directory, &hands));
        (refused, before == std::fs::read(path(&directory)).unwrap())
    };
    for script in ["CREATE TABLE theirs (x)", "PRAGMA application_id = 7"] {
        let (other, untouched) = refused(script);
        assert!(matches!(other, StoreError::Damaged(_)) && untouched, "{other:?}");
    }
    let (newer, untouched) = refused("PRAGMA application_id = 0x7369676e; PRAGMA user_version = 99");
    assert_eq!((newer, untouched), (StoreError::Newer { found: 99, known: 3 }, true));

    let directory = TempDir::new().unwrap();
    std::fs::write(path(&directory), "this is no database, however long it may be".repeat(100)).unwrap();
    assert!(matches!(open(&directory, &hands), Err(StoreError::Damaged(_))));
    let nowhere = Sqlite::open(Path::new("/nowhere/signoff.db"), hands.clock()).map(|_| ());
    assert!(matches!(nowhere, Err(StoreError::Unavailable(_))));
}

/// Whoever changes, takes out or swaps entries is found out, and where.
#[tokio::test]
async fn what_was_tampered_with_is_named() {
    for (script, expected) in [
        ("UPDATE ledger SET body = replace(body, 'ann', 'bob') WHERE number = 2", Broken::Changed { number: 2 }),
        ("UPDATE ledger SET digest = zeroblob(32) WHERE number = 3", Broken::Changed { number: 3 }),
        ("UPDATE ledger SET at = at + 1 WHERE number = 2", Broken::Changed { number: 2 }),
        ("UPDATE ledger SET approval = NULL WHERE number = 2", Broken::Changed { number: 2 }),
        ("DELETE FROM ledger WHERE number = 2", Broken::Gap { expected: 2 }),
        ("DELETE FROM ledger WHERE number = 1", Broken::Gap { expected: 1 }),
        (
            "UPDATE ledger SET number = 99 WHERE number = 2; UPDATE ledger SET number = 2 WHERE number = 3;
             UPDATE ledger SET number = 3 WHERE number = 99",
            Broken::Changed { number: 2 },
        ),
    ] {
        let fixture = Fixture::new();
        for key in ["a", "b", "c"] {
            let id = suite::asked(&*fixture.store, suite::question("agent", key)).await.id;
            fixture.store.happen(id, suite::answer("ann", Answer::Approve)).await.unwrap();
        }
        assert!(verify(None, &fixture.store.ledger(0, 100).await.unwrap()).is_ok());
        sql(&path(&fixture.directory), script);
        assert_eq!(verify(None, &fixture.store.ledger(0, 100).await.unwrap()), Err(expected), "{script}");
    }
}

#[tokio::test]
async fn a_ledger_adds_up() {
    let fixture = Fixture::new();
    let store = &*fixture.store;
    let pass = |seconds| fixture.hands.pass(std::time::Duration::from_secs(seconds));
    // One that is approved and used, one that is denied, and one that nobody answers.
    let used = suite::asked(store, suite::question("claude", "1")).await.id;
    pass(4);
    store.happen(used, suite::answer("ann", Answer::Approve)).await.unwrap();
    store.happen(used, suite::redeem("claude")).await.unwrap();
    let denied = suite::asked(store, suite::question("codex", "2")).await.id;
    pass(10);
    store.happen(denied, suite::answer("ann", Answer::Deny("use PASSWORD=hunter2".to_owned()))).await.unwrap();
    let late = suite::asked(store, suite::question("claude", "3")).await.id;
    pass(3_600);
    store.tick(10).await.unwrap();
    // Whoever comes too late changes no number but that of refusals.
    store.happen(late, suite::answer("ann", Answer::Approve)).await.unwrap();
    let stats = signoff_store::stats(store).await.unwrap();
    let counts = |counts: &[(&str, u64)]| counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
    assert_eq!(
        stats,
        signoff_store::Stats {
            entries: stats.entries,
            what: counts(&[("answer-refused", 1), ("answered", 2), ("asked", 3), ("ran-out", 1), ("redeemed", 1)]),
            risk: counts(&[("high", 3)]),
            agents: counts(&[("claude", 2), ("codex", 1)]),
            answers: [("ann".to_owned(), counts(&[("approve", 1), ("deny", 1)]))].into(),
            median_to_decide: Some(10_000),
            expired: 1,
            stale: 0,
        }
    );
    let entries = store.ledger(0, 100).await.unwrap();
    let told: Vec<_> = entries.iter().map(|entry| signoff_store::told(&entry.body).unwrap()).collect();
    assert_eq!(told[0].details["text"], "rm -rf ./tmp_* 'odd \u{202e} name' 清理");
    assert!(told.iter().any(|told| told.details.get("words").is_some_and(|words| words == "use PASSWORD=[masked]")));
    assert!(!entries.iter().any(|entry| entry.body.contains("hunter2")));
}
