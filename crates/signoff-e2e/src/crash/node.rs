//! A gateway that kills itself at a point.

use std::{fs, path::Path, sync::Arc, time::Duration};

use signoff_gate::{
    Asked, Change, Event, Gate, Happened, Item, LocalEyes, NewApproval, Order, Places, Reply, Store, StoreError,
    SystemMint, Ticked, Trusted, UnderWay, Wanted,
};
use signoff_model::{Approval, ApprovalId, Deed, Delegation, Grant, LedgerEntry, Timestamp};
use signoff_permit::IssuerKey;
use signoff_server::App;
use signoff_store::{Postgres, Sqlite, Timekeeper, system_clock};
use tokio::net::TcpListener;

use super::point::{Point, reach};

/// The seed of the key that all nodes share.
pub(super) const SEED: [u8; 32] = [11; 32];

pub(super) fn run(root: &Path, store: &str, name: &str, point: Option<Point>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let inner: Arc<dyn Store> = if store.starts_with("postgres") {
            Arc::new(Postgres::connect(store, Timekeeper::Database).await.unwrap())
        } else {
            Arc::new(Sqlite::open(Path::new(store), system_clock()).unwrap())
        };
        let store: Arc<dyn Store> = Arc::new(Mortal { inner, point });
        let eyes = Arc::new(LocalEyes::new(Places::below(&root.join("signoff"))));
        let gate = Gate::new(Arc::clone(&store), IssuerKey::from_seed(SEED), Box::new(SystemMint), eyes);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Arc::new(App::new(gate, Some(address), []));
        tokio::spawn(async move {
            loop {
                let _ = store.tick(64).await;
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        });
        // Whole, or not there at all.
        let (file, new) = (root.join(format!("{name}.address")), root.join(format!("{name}.new")));
        fs::write(&new, address.to_string()).unwrap();
        fs::rename(&new, &file).unwrap();
        signoff_server::serve_tcp(app, listener, std::future::pending()).await;
    });
}

/// A store that takes the process with it at a point.
struct Mortal {
    inner: Arc<dyn Store>,
    point: Option<Point>,
}

impl Store for Mortal {
    fn ask(&self, new: NewApproval) -> Reply<'_, Asked> {
        Box::pin(async move {
            reach(self.point, "before-ask");
            let asked = self.inner.ask(new).await;
            reach(self.point, "after-ask");
            asked
        })
    }

    fn happen(&self, id: ApprovalId, event: Event) -> Reply<'_, Option<Happened>> {
        let points = match &event {
            Event::Answer { .. } => Some(["before-answer", "after-answer"]),
            Event::Redeem { .. } => Some(["before-redeem", "after-redeem"]),
            Event::Report { .. } => Some(["before-report", "after-report"]),
            Event::Tick
            | Event::Withdraw { .. }
            | Event::Supersede { .. }
            | Event::Reopen { .. }
            | Event::Permit { .. } => None,
        };
        Box::pin(async move {
            points.inspect(|[before, _]| reach(self.point, before));
            let happened = self.inner.happen(id, event).await;
            points.inspect(|[_, after]| reach(self.point, after));
            happened
        })
    }

    fn under_way(&self) -> UnderWay {
        self.inner.under_way()
    }

    fn news(&self, after: u64) -> Reply<'_, u64> {
        Box::pin(async move {
            // Nobody waits before something was asked.
            if after > 0 {
                reach(self.point, "before-notify");
            }
            let news = self.inner.news(after).await;
            if after > 0 {
                reach(self.point, "after-notify");
            }
            news
        })
    }

    fn happen_together(&self, events: Vec<(ApprovalId, Event)>) -> Reply<'_, Vec<Option<Happened>>> {
        self.inner.happen_together(events)
    }

    fn tick(&self, at_most: u32) -> Reply<'_, Ticked> {
        self.inner.tick(at_most)
    }

    fn approval(&self, id: ApprovalId) -> Reply<'_, Option<Approval>> {
        self.inner.approval(id)
    }

    fn list(&self, wanted: Wanted) -> Reply<'_, Vec<Approval>> {
        self.inner.list(wanted)
    }

    fn pending(&self) -> Reply<'_, u64> {
        self.inner.pending()
    }

    fn ready(&self) -> Reply<'_, ()> {
        self.inner.ready()
    }

    fn record(&self, deeds: Vec<Deed>) -> Reply<'_, ()> {
        self.inner.record(deeds)
    }

    fn ledger(&self, after: u64, at_most: u32) -> Reply<'_, Vec<LedgerEntry>> {
        self.inner.ledger(after, at_most)
    }

    fn first_open(&self) -> Reply<'_, Option<u64>> {
        self.inner.first_open()
    }

    fn sweep(&self, up_to: u64, at_most: u32) -> Reply<'_, u64> {
        self.inner.sweep(up_to, at_most)
    }

    fn change(&self, changes: Vec<Change>) -> Reply<'_, bool> {
        self.inner.change(changes)
    }

    fn item(&self, shelf: &'static str, name: &str) -> Reply<'_, Option<String>> {
        self.inner.item(shelf, name)
    }

    fn items(&self, shelf: &'static str, after: Option<&str>, at_most: u32) -> Reply<'_, Vec<Item>> {
        self.inner.items(shelf, after, at_most)
    }

    fn now(&self) -> Reply<'_, Timestamp> {
        self.inner.now()
    }

    fn order_as_kept(&self, order: &Order) -> Result<String, StoreError> {
        self.inner.order_as_kept(order)
    }

    fn kept_order(&self, text: &str) -> Result<Order, StoreError> {
        self.inner.kept_order(text)
    }

    fn trust_as_kept(&self, trusted: &Trusted) -> Result<String, StoreError> {
        self.inner.trust_as_kept(trusted)
    }

    fn kept_trust(&self, text: &str) -> Result<Trusted, StoreError> {
        self.inner.kept_trust(text)
    }

    fn grant_as_kept(&self, grant: &Grant) -> Result<String, StoreError> {
        self.inner.grant_as_kept(grant)
    }

    fn delegation_as_kept(&self, delegation: &Delegation) -> Result<String, StoreError> {
        self.inner.delegation_as_kept(delegation)
    }

    fn kept_delegation(&self, text: &str) -> Result<Delegation, StoreError> {
        self.inner.kept_delegation(text)
    }

    fn kept_grant(&self, text: &str) -> Result<Grant, StoreError> {
        self.inner.kept_grant(text)
    }
}
