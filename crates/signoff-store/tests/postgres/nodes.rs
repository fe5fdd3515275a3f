//! Several nodes on one database.

use std::{sync::Arc, time::Duration};

use signoff_gate::{Asked, Done, NewApproval, Refusal, Store, Wanted};
use signoff_model::{Answer, ApprovalId};
use signoff_store::{Postgres, Timekeeper};
use tokio::time::{Instant, sleep, timeout};

use crate::{Fixture, shared, suite};

/// Much less than the time after which a node looks by itself.
const SOON: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread")]
async fn one_wins_on_two_nodes() {
    let fixture = Fixture::new();
    let (here, there) = (fixture.node().await, fixture.node().await);
    suite::one_wins(&[shared(&here), shared(&there)], &fixture.hands, 80 * suite::cases()).await;
    // Whoever waits at the same time shares a commit.
    for node in [&here, &there] {
        let work = node.work();
        assert!(work.jobs > 4 * work.flushes, "{work:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_changer_wins_on_two_nodes() {
    let fixture = Fixture::new();
    let nodes = [shared(&fixture.node().await), shared(&fixture.node().await)];
    suite::items::one_changer_wins(&nodes, 10 * suite::cases()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_prune_at_once() {
    let fixture = Fixture::new();
    let nodes = [shared(&fixture.node().await), shared(&fixture.node().await)];
    suite::pruning::many_prune_at_once(&nodes, &fixture.hands, 10 * suite::cases()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_are_asked_the_same() {
    let fixture = Fixture::new();
    let nodes = [fixture.node().await, fixture.node().await];
    for round in 0..20 * suite::cases() {
        let running: Vec<_> = (0..16)
            .map(|at| {
                let (node, new) = (Arc::clone(&nodes[at % 2]), suite::question("agent", &format!("round {round}")));
                tokio::spawn(async move { node.ask(new).await.unwrap() })
            })
            .collect();
        let (mut new, mut ids) = (0, Vec::new());
        for one in running {
            match one.await.unwrap() {
                Asked::New(approval) => {
                    new += 1;
                    ids.push(approval.id);
                }
                Asked::Before(approval) => ids.push(approval.id),
                Asked::KeyTaken | Asked::Refused(_) => panic!("it is the same question"),
            }
        }
        assert_eq!(new, 1);
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    }
    suite::verify_all(&*nodes[0]).await;
}

/// Two approvals with answers in opposite orders, from two nodes, all at once: nobody waits for each other for ever.
#[tokio::test(flavor = "multi_thread")]
async fn no_two_nodes_wait_for_each_other() {
    let fixture = Fixture::new();
    let nodes = [fixture.node().await, fixture.node().await];
    let mut ids = Vec::new();
    for number in 0..8 {
        ids.push(suite::asked(&*nodes[0], suite::question("agent", &format!("key {number}"))).await.id);
    }
    let running: Vec<_> = (0..400 * suite::cases())
        .map(|at| {
            let node = Arc::clone(&nodes[at % 2]);
            let id = if at % 2 == 0 { ids[at % 8] } else { ids[7 - at % 8] };
            let event = suite::answer("mallory", Answer::Approve);
            tokio::spawn(async move { node.happen(id, event).await.unwrap().unwrap().outcome })
        })
        .collect();
    for one in running {
        assert_eq!(one.await.unwrap(), Err(Refusal::NotAsked));
    }
    suite::verify_all(&*nodes[1]).await;
    let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    assert_eq!(fixture.database.sql(deadlocks).unwrap(), "0");
}

#[tokio::test]
async fn a_question_from_one_node_is_answered_on_another() {
    let fixture = Fixture::new();
    let (here, there) = (fixture.node().await, fixture.node().await);
    let id = suite::asked(&*here, suite::question("agent", "key")).await.id;
    let waiting = tokio::spawn({
        let here = Arc::clone(&here);
        async move { here.news(1).await.unwrap() }
    });
    let approved = there.happen(id, suite::answer("ann", Answer::Approve)).await.unwrap().unwrap();
    assert_eq!(approved.outcome, Ok(Done::Decided));
    assert_eq!(timeout(SOON, waiting).await.unwrap().unwrap(), 2);
    assert_eq!(here.approval(id).await.unwrap(), Some(approved.approval));
    assert!(matches!(here.happen(id, suite::redeem("agent")).await.unwrap().unwrap().outcome, Ok(Done::Redeemed(_))));
    let again = there.happen(id, suite::redeem_again("agent")).await.unwrap().unwrap();
    assert_eq!(again.outcome, Err(Refusal::UsedBefore));
    suite::verify_all(&*there).await;
}

/// A notification is a hint. One that somebody made up wakes nobody, and hides nothing.
#[tokio::test]
async fn a_false_notification_does_no_harm() {
    let fixture = Fixture::new();
    let (here, there) = (fixture.node().await, fixture.node().await);
    fixture.database.sql("SELECT pg_notify('signoff_ledger', '999999')").unwrap();
    assert!(timeout(Duration::from_millis(200), here.news(0)).await.is_err());
    suite::asked(&*there, suite::question("agent", "key")).await;
    assert_eq!(timeout(SOON, here.news(0)).await.unwrap().unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_start_at_the_same_time() {
    let fixture = Fixture::new();
    let url = fixture.database.url();
    let starting: Vec<_> = (0..8)
        .map(|_| {
            let (url, keeper) = (url.clone(), Timekeeper::Given(fixture.hands.clock()));
            tokio::spawn(async move { Postgres::connect(&url, keeper).await.unwrap() })
        })
        .collect();
    for (number, one) in starting.into_iter().enumerate() {
        suite::asked(&one.await.unwrap(), suite::question("agent", &format!("key {number}"))).await;
    }
    suite::verify_all(&*fixture.node().await).await;
}

#[tokio::test]
async fn what_was_kept_is_there_again() {
    let fixture = Fixture::new();
    let node = fixture.node().await;
    let open_still = suite::asked(&*node, suite::question("agent", "other")).await;
    let entries = node.ledger(0, 100).await.unwrap();
    drop(node);
    let node = fixture.node().await;
    let pending = Wanted { stage: Some("pending".to_owned()), at_most: 10, ..Wanted::default() };
    let pending = node.list(pending).await.unwrap();
    assert_eq!(pending, [open_still]);
    assert!(pending.iter().all(suite::is_pending));
    assert_eq!(node.ledger(0, 100).await.unwrap(), entries);
    let odd = Wanted { stage: Some("pen\0ding".to_owned()), at_most: 10, ..Wanted::default() };
    assert_eq!(node.list(odd).await.unwrap(), []);
    assert_eq!(node.ledger(u64::MAX, 10).await.unwrap(), []);
}

/// A store of the first version is brought to this one, with all that is in it.
#[tokio::test]
async fn an_older_store_is_brought_up_to_date() {
    let fixture = Fixture::new();
    let kept = suite::asked(&*fixture.node().await, suite::question("agent", "key")).await;
    let script = "DROP TABLE signoff.items, signoff.quiet; ALTER TABLE signoff.approvals DROP COLUMN refusals;
                  UPDATE signoff.version SET version = 1";
    fixture.database.sql(script).unwrap();
    let node = fixture.node().await;
    assert_eq!(node.approval(kept.id).await.unwrap(), Some(kept));
    assert!(node.change(vec![suite::items::change("ann", None, Some("x"))]).await.unwrap());
}

/// An id is given once, whatever the key.
#[tokio::test]
async fn an_id_in_use_is_the_trouble_of_who_brings_it() {
    let fixture = Fixture::new();
    let node = fixture.node().await;
    let kept = suite::asked(&*node, suite::question("agent", "key")).await;
    let same = NewApproval { id: kept.id, ..suite::question("agent", "another key") };
    let (refused, other) = tokio::join!(node.ask(same), node.ask(suite::question("agent", "third")));
    assert!(refused.is_err(), "{refused:?}");
    assert!(matches!(other, Ok(Asked::New(_))), "{other:?}");
    assert_eq!(node.approval(kept.id).await.unwrap(), Some(kept));
    assert_eq!(node.approval(ApprovalId::from_bits(0)).await.unwrap(), None);
}

/// The clock of the database tells the time. Where it was wrong for a moment, time goes on from there.
#[tokio::test]
async fn the_database_tells_the_time() {
    let fixture = Fixture::new();
    let node = Postgres::connect(&fixture.database.url(), Timekeeper::Database).await.unwrap();
    let millis = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    let before: i64 = fixture.database.sql(millis).unwrap().parse().unwrap();
    let asked = suite::asked(&node, suite::question("agent", "a")).await.asked.millis();
    let after: i64 = fixture.database.sql(millis).unwrap().parse().unwrap();
    assert!(before <= asked && asked <= after, "{before} {asked} {after}");

    fixture.database.sql("UPDATE signoff.head SET at = at + 3600000").unwrap();
    let first = suite::asked(&node, suite::question("agent", "b")).await.asked.millis();
    assert!(first >= asked + 3_600_000, "time never goes back");
    sleep(Duration::from_millis(60)).await;
    let second = suite::asked(&node, suite::question("agent", "c")).await.asked.millis();
    assert!((first + 50..first + 30_000).contains(&second), "and does not stand still: {first} {second}");
}

/// A node that was stopped in the middle of a change holds the others up for a moment, and not for ever.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_waits_for_its_turn() {
    let fixture = Fixture::new();
    let node = fixture.node().await;
    let begun = Instant::now();
    let held = tokio::task::block_in_place(|| {
        let script = "BEGIN; SELECT FROM signoff.head FOR UPDATE; SELECT pg_sleep(0.5); COMMIT";
        std::thread::scope(|scope| {
            let holder = scope.spawn(|| fixture.database.sql(script).unwrap());
            std::thread::sleep(Duration::from_millis(200));
            let asked =
                tokio::runtime::Handle::current().block_on(suite::asked(&*node, suite::question("agent", "key")));
            holder.join().unwrap();
            asked
        })
    });
    assert!(begun.elapsed() >= Duration::from_millis(400));
    assert_eq!(node.approval(held.id).await.unwrap(), Some(held));
}
