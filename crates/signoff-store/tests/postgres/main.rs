//! The store for several nodes: what every store does, and what becomes of it when nodes meet and the server goes away.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod damage;
mod nodes;
mod outages;
#[path = "../suite/mod.rs"]
mod suite;

use std::sync::Arc;

use signoff_gate::{Store, StoreError};
use signoff_store::{Postgres, Timekeeper};
use signoff_testbed::{Database, Server};
use suite::Hands;

/// An empty database on the server that all tests share, and a clock for all nodes.
struct Fixture {
    database: Database<'static>,
    hands: Hands,
}

impl Fixture {
    fn new() -> Self {
        Self { database: Server::shared().unwrap().database().unwrap(), hands: Hands::new() }
    }

    async fn connect(&self) -> Result<Postgres, StoreError> {
        Postgres::connect(&self.database.url(), Timekeeper::Given(self.hands.clock())).await
    }

    async fn node(&self) -> Arc<Postgres> {
        Arc::new(self.connect().await.unwrap())
    }
}

fn shared(node: &Arc<Postgres>) -> Arc<dyn Store> {
    Arc::<Postgres>::clone(node)
}

#[tokio::test]
async fn the_first_key_has_it() {
    let fixture = Fixture::new();
    let (here, there) = (fixture.node().await, fixture.node().await);
    suite::owning::the_first_key_has_it([&*here, &*there]).await;
    suite::owning::a_signature_tells_whose_it_is(&*Fixture::new().node().await).await;
}

#[tokio::test]
async fn what_waits_is_counted() {
    suite::owning::what_waits_is_counted(&*Fixture::new().node().await).await;
}

#[tokio::test]
async fn one_key_is_one_approval() {
    suite::one_key_is_one_approval(&*Fixture::new().node().await).await;
}

#[tokio::test]
async fn a_yes_is_kept_and_used_once() {
    suite::a_yes_is_kept_and_used_once(&*Fixture::new().node().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_come_from_others() {
    suite::again::one_takes_the_place_of_another(&*Fixture::new().node().await).await;
    suite::again::a_refusal_is_reopened_once(&*Fixture::new().node().await).await;
    suite::again::one_of_many_takes_the_place(shared(&Fixture::new().node().await)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_are_answered_together() {
    suite::together::each_has_its_own_end(&*Fixture::new().node().await).await;
    suite::together::one_is_first_for_all(shared(&Fixture::new().node().await)).await;
}

#[tokio::test]
async fn people_are_reminded_once() {
    let fixture = Fixture::new();
    suite::people_are_reminded_once(&*fixture.node().await, &fixture.hands).await;
}

#[tokio::test]
async fn time_runs_out() {
    let fixture = Fixture::new();
    suite::time_runs_out(&*fixture.node().await, &fixture.hands).await;
}

#[tokio::test]
async fn lists_are_paged() {
    suite::lists_are_paged(&*Fixture::new().node().await).await;
}

#[tokio::test]
async fn the_ledger_holds_together() {
    suite::the_ledger_holds_together(shared(&Fixture::new().node().await)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn things_are_kept_by_name() {
    suite::items::a_change_counts_from_what_was_seen(&*Fixture::new().node().await).await;
    suite::items::changes_go_together(&*Fixture::new().node().await).await;
    suite::items::shelves_are_paged_by_name(&*Fixture::new().node().await).await;
    suite::items::what_cannot_be_kept_is_refused(&*Fixture::new().node().await).await;
    let fixture = Fixture::new();
    suite::items::the_store_tells_the_time(&*fixture.node().await, &fixture.hands).await;
}

#[tokio::test]
async fn refusals_are_written_so_often() {
    suite::refusals_are_written_so_often(shared(&Fixture::new().node().await)).await;
}

#[tokio::test]
async fn what_is_too_long_is_refused() {
    let fixture = Fixture::new();
    suite::what_is_too_long_is_refused(&*fixture.node().await, &fixture.hands).await;
}

#[tokio::test]
async fn a_ledger_is_signed() {
    suite::checkpoints::a_ledger_is_signed(&*Fixture::new().node().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_entries_go() {
    let fixture = Fixture::new();
    suite::pruning::old_entries_go(&*fixture.node().await, &fixture.hands).await;
    let fixture = Fixture::new();
    suite::pruning::what_is_open_stays(&*fixture.node().await, &fixture.hands).await;
    let fixture = Fixture::new();
    suite::pruning::no_other_end_is_cut_off(&*fixture.node().await, &fixture.hands).await;
}

#[tokio::test]
async fn it_agrees_with_the_pure_step() {
    let fixture = Fixture::new();
    let node = fixture.node().await;
    for seed in 0..suite::cases() as u64 {
        suite::agrees_with_the_pure_step(&*node, &fixture.hands, seed, 1_500).await;
    }
    suite::verify_all(&*node).await;
}
