//! A server that is killed, connections that are cut, and answers that never come.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use signoff_gate::{Asked, Done, Event, Happened, Refusal, Store, StoreError};
use signoff_model::{Answer, Approval, ApprovalId};
use signoff_store::{Postgres, Timekeeper};
use signoff_testbed::{Afterwards, Cut, Durability, Server, Wire};
use tokio::{
    task::block_in_place,
    time::{sleep, timeout},
};

use crate::{Fixture, suite};

const SOON: Duration = Duration::from_secs(3);

/// The whole statement: the isolation level has a part of it in its name.
const COMMIT: &str = "COMMIT\0";

const CUT_ALL: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";

/// What the ledger says happened to each approval without being refused, and how often.
async fn deeds(store: &dyn Store) -> BTreeMap<(String, String), usize> {
    let mut counted = BTreeMap::new();
    let mut after = 0;
    loop {
        let entries = store.ledger(after, 1_000).await.unwrap();
        let Some(last) = entries.last() else { return counted };
        after = last.number;
        for entry in entries {
            let body: serde_json::Value = serde_json::from_str(&entry.body).unwrap();
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            if body["details"]["refused"].is_null() {
                *counted.entry((text(&body["approval"]), text(&body["what"]))).or_default() += 1;
            }
        }
    }
}

fn times(deeds: &BTreeMap<(String, String), usize>, id: ApprovalId, what: &str) -> usize {
    deeds.get(&(id.to_string(), what.to_owned())).copied().unwrap_or_default()
}

/// How often the outcome was told to be unknown.
#[derive(Default)]
struct Told {
    in_doubt: AtomicUsize,
    unavailable: AtomicUsize,
}

impl Told {
    async fn note(&self, error: StoreError) {
        match error {
            StoreError::InDoubt(_) => self.in_doubt.fetch_add(1, Ordering::SeqCst),
            StoreError::Unavailable(_) => self.unavailable.fetch_add(1, Ordering::SeqCst),
            other => panic!("{other:?}"),
        };
        sleep(Duration::from_millis(20)).await;
    }
}

/// An agent that does not give up: it asks, is answered and redeems, now on one node and now on the other.
async fn persist(nodes: [Arc<Postgres>; 2], told: Arc<Told>, worker: usize, stop: Arc<AtomicBool>) -> Vec<ApprovalId> {
    let mut done = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let new = suite::question("agent", &format!("{worker} {}", done.len()));
        let mut turn = (worker + done.len()..).map(|at| &nodes[at % 2]);
        let approval: Approval = loop {
            match turn.next().unwrap().ask(new.clone()).await {
                Ok(Asked::New(approval) | Asked::Before(approval)) => break approval,
                Ok(Asked::KeyTaken | Asked::Refused(_)) => panic!("nobody else has this key"),
                Err(error) => told.note(error).await,
            }
        };
        assert_eq!(approval.id, new.id, "what was told to be in doubt was not asked twice");
        let mut happen = async |event: Event| -> (Happened, usize) {
            let mut doubts = 0;
            loop {
                match turn.next().unwrap().happen(new.id, event.clone()).await {
                    Ok(happened) => return (happened.expect("what was acknowledged is there"), doubts),
                    Err(error) => {
                        doubts += usize::from(matches!(error, StoreError::InDoubt(_)));
                        told.note(error).await;
                    }
                }
            }
        };
        let (answered, doubts) = happen(suite::answer("ann", Answer::Approve)).await;
        match answered.outcome {
            Ok(Done::Decided) => {}
            Err(Refusal::Closed) if doubts > 0 => {}
            other => panic!("{other:?}"),
        }
        assert_eq!(answered.approval.stage.name(), "approved");
        let (redeemed, doubts) = happen(suite::redeem("agent")).await;
        match redeemed.outcome {
            Ok(Done::Redeemed(_)) => {}
            Err(Refusal::UsedBefore) if doubts > 0 => {}
            other => panic!("{other:?}"),
        }
        done.push(new.id);
    }
    done
}

/// The server is killed in the middle of changes, all of it and again and again. Nothing that was acknowledged is lost, nothing
/// is done twice, and the chain holds.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_the_server_is_killed() {
    let server = block_in_place(|| Server::start(Durability::Flushed).unwrap());
    let database = block_in_place(|| server.database().unwrap());
    let keeper = || Timekeeper::Database;
    let nodes = [
        Arc::new(Postgres::connect(&database.url(), keeper()).await.unwrap()),
        Arc::new(Postgres::connect(&database.url(), keeper()).await.unwrap()),
    ];
    let (stop, told) = (Arc::new(AtomicBool::new(false)), Arc::new(Told::default()));
    let agents: Vec<_> = (0..8)
        .map(|worker| tokio::spawn(persist(nodes.clone(), Arc::clone(&told), worker, Arc::clone(&stop))))
        .collect();
    for round in 0..4 * suite::cases() {
        sleep(Duration::from_millis(150 + u64::try_from(round * 37 % 100).unwrap())).await;
        block_in_place(|| {
            server.crash().unwrap();
            server.restart().unwrap();
        });
    }
    sleep(Duration::from_millis(150)).await;
    stop.store(true, Ordering::SeqCst);
    let mut ids = Vec::new();
    for agent in agents {
        ids.extend(agent.await.unwrap());
    }
    suite::verify_all(&*nodes[0]).await;
    let deeds = deeds(&*nodes[1]).await;
    for id in &ids {
        assert_eq!(nodes[0].approval(*id).await.unwrap().unwrap().stage.name(), "redeemed");
        for what in ["asked", "answered", "redeemed"] {
            assert_eq!(times(&deeds, *id, what), 1, "{id} {what}");
        }
    }
    assert!(ids.len() > 20, "only {} were done", ids.len());
}

/// Every connection of every node is cut while changes are under way.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_cut_is_made_again() {
    let fixture = Fixture::new();
    let nodes = [fixture.node().await, fixture.node().await];
    let (stop, told) = (Arc::new(AtomicBool::new(false)), Arc::new(Told::default()));
    let agents: Vec<_> = (0..4)
        .map(|worker| tokio::spawn(persist(nodes.clone(), Arc::clone(&told), worker, Arc::clone(&stop))))
        .collect();
    for _ in 0..10 * suite::cases() {
        sleep(Duration::from_millis(60)).await;
        block_in_place(|| fixture.database.sql(CUT_ALL).unwrap());
    }
    stop.store(true, Ordering::SeqCst);
    let mut ids = Vec::new();
    for agent in agents {
        ids.extend(agent.await.unwrap());
    }
    let deeds = deeds(&*nodes[1]).await;
    for id in &ids {
        for what in ["asked", "answered", "redeemed"] {
            assert_eq!(times(&deeds, *id, what), 1, "{id} {what}");
        }
    }
    suite::verify_all(&*nodes[0]).await;
    assert_eq!((told.in_doubt.load(Ordering::SeqCst), told.unavailable.load(Ordering::SeqCst)), (0, 0));
}

/// Whoever waits for news across an outage hears of what happened in it.
#[tokio::test]
async fn nothing_is_missed_while_nobody_listens() {
    let fixture = Fixture::new();
    let (here, there) = (fixture.node().await, fixture.node().await);
    let waiting = tokio::spawn({
        let here = Arc::clone(&here);
        async move { here.news(0).await.unwrap() }
    });
    sleep(Duration::from_millis(50)).await;
    fixture.database.sql(CUT_ALL).unwrap();
    suite::asked(&*there, suite::question("agent", "key")).await;
    assert_eq!(timeout(SOON, waiting).await.unwrap().unwrap(), 1);
    // And the new connection listens as well.
    suite::asked(&*there, suite::question("agent", "another")).await;
    assert_eq!(timeout(SOON, here.news(1)).await.unwrap().unwrap(), 2);
}

/// A node on a wire that is cut at a word, with an approval that is ready to be redeemed.
async fn on_a_wire(fixture: &Fixture) -> (Wire, Postgres, ApprovalId) {
    let wire = Wire::to(&fixture.database).unwrap();
    let keeper = Timekeeper::Given(fixture.hands.clock());
    let node = Postgres::connect(&wire.url(&fixture.database), keeper).await.unwrap();
    let id = suite::asked(&node, suite::question("agent", "key")).await.id;
    node.happen(id, suite::answer("ann", Answer::Approve)).await.unwrap();
    (wire, node, id)
}

/// Wherever the wire is cut: as soon as there is another one, whoever redeems is told so, and it happens once.
#[tokio::test]
async fn a_lost_answer_is_looked_up() {
    for word in ["BEGIN", COMMIT] {
        for cut in [Cut::BeforeItArrives, Cut::BeforeItIsAnswered] {
            let fixture = Fixture::new();
            let (wire, node, id) = on_a_wire(&fixture).await;
            wire.cut_at(word, cut, Afterwards::Open);
            let redeemed = node.happen(id, suite::redeem("agent")).await.unwrap().unwrap();
            assert!(matches!(redeemed.outcome, Ok(Done::Redeemed(_))), "{word} {cut:?} {:?}", redeemed.outcome);
            assert_eq!(wire.cuts(), 1);
            assert_eq!(times(&deeds(&node).await, id, "redeemed"), 1, "{word} {cut:?}");
            suite::verify_all(&node).await;
        }
    }
}

/// A change that leaves nothing in the ledger is found again as well: it is never told to have failed because of itself.
#[tokio::test]
async fn a_lost_answer_to_a_quiet_change_is_looked_up() {
    for cut in [Cut::BeforeItArrives, Cut::BeforeItIsAnswered] {
        let fixture = Fixture::new();
        let (wire, node, _) = on_a_wire(&fixture).await;
        for (from, to) in [(None, Some("x")), (Some("x"), Some("y")), (Some("y"), None)] {
            wire.cut_at(COMMIT, cut, Afterwards::Open);
            let change = suite::items::change("ann", from, to);
            assert!(node.change(vec![change.clone()]).await.unwrap(), "{cut:?} {change:?}");
            assert_eq!(node.item(change.shelf, "ann").await.unwrap(), change.to);
        }
        assert_eq!(wire.cuts(), 3);
    }
}

/// Where nobody can look it up, a commit without an answer is in doubt, whether it was kept or not. What was cut before is not.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_looked_up_is_in_doubt() {
    let cases =
        [("BEGIN", Cut::BeforeItArrives, 0), (COMMIT, Cut::BeforeItArrives, 0), (COMMIT, Cut::BeforeItIsAnswered, 1)];
    let running = cases.map(|(word, cut, kept)| {
        tokio::spawn(async move {
            let fixture = block_in_place(Fixture::new);
            let (wire, node, id) = on_a_wire(&fixture).await;
            wire.cut_at(word, cut, Afterwards::Shut);
            let told = node.happen(id, suite::redeem("agent")).await;
            match word {
                COMMIT => assert!(matches!(told, Err(StoreError::InDoubt(_))), "{told:?}"),
                _ => assert!(matches!(told, Err(StoreError::Unavailable(_))), "{told:?}"),
            }
            // Whoever comes now is told at once that nobody is there, and not that it is in doubt.
            let next = timeout(SOON, node.happen(id, suite::redeem("agent"))).await.unwrap();
            assert!(matches!(next, Err(StoreError::Unavailable(_))), "{next:?}");
            wire.mend();
            assert_eq!(times(&deeds(&node).await, id, "redeemed"), kept, "{word} {cut:?}");
            // The same attempt is told what became of it, and another one only finds what is left.
            let again = node.happen(id, suite::redeem("agent")).await.unwrap().unwrap();
            assert!(again.outcome.is_ok(), "{:?}", again.outcome);
            let other = node.happen(id, suite::redeem_again("agent")).await.unwrap().unwrap();
            assert_eq!(other.outcome, Err(Refusal::UsedBefore));
            assert_eq!(times(&deeds(&node).await, id, "redeemed"), 1);
            suite::verify_all(&node).await;
        })
    });
    for one in running {
        one.await.unwrap();
    }
}

/// A node whose wire goes silent in the middle of a change holds the ledger. The server takes it away from it again, and the
/// other nodes go on.
#[tokio::test]
async fn a_node_that_goes_silent_does_not_stop_the_others() {
    let fixture = Fixture::new();
    let (wire, silent, id) = on_a_wire(&fixture).await;
    let other = fixture.node().await;
    wire.cut_at(r#""what":"redeemed""#, Cut::Silently, Afterwards::Open);
    let (told, asked) = tokio::join!(silent.happen(id, suite::redeem("agent")), async {
        sleep(Duration::from_millis(100)).await;
        assert_eq!(wire.cuts(), 1, "it holds the ledger by now");
        other.ask(suite::question("agent", "another")).await
    });
    assert!(matches!(asked, Ok(Asked::New(_))), "{asked:?}");
    assert!(matches!(told, Err(StoreError::Unavailable(_))), "nothing was committed: {told:?}");
    let redeemed = silent.happen(id, suite::redeem("agent")).await.unwrap().unwrap();
    assert!(matches!(redeemed.outcome, Ok(Done::Redeemed(_))));
    suite::verify_all(&*other).await;
}
