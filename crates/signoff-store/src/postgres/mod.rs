//! The store for several nodes: one PostgreSQL database.

mod batch;
mod fault;
mod gathering;
mod job;
mod listening;
mod patience;
mod reading;
mod schema;
mod session;
mod timekeeping;
mod transaction;
mod writer;

use std::sync::Arc;

use fault::Fault;
use gathering::Gatherer;
use job::{Answer, Job, Wish};
use reading::Readers;
use signoff_gate::{
    Asked, Change, Event, Happened, Item, NewApproval, Order, Reply, Store, StoreError, Subject, Ticked, Trusted,
    Wanted, Work,
};
use signoff_model::{Approval, ApprovalId, Deed, Delegation, Grant, LedgerEntry, Timestamp};
pub use timekeeping::Timekeeper;
use tokio::sync::{mpsc, oneshot, watch};
use writer::Writer;

use crate::{items, recent::Recent, refused, wire, work::Counted};

/// So many changes wait for the writer before whoever brings another one has to wait as well.
const WAITING_AT_MOST: usize = 1_024;

/// Approvals and the ledger in a PostgreSQL database, which any number of nodes share.
///
/// Each node writes with one session, and puts the changes that wait into one transaction. The head of the ledger is a row
/// that a transaction holds until it is kept: there is one order of all changes on all nodes, and one chain. A node hears of
/// what others have written by `LISTEN`. It has six connections at most: one that writes, one that listens, one on
/// which small reads go together, and three for what may be long.
///
/// A change is tried again for a few seconds where the database is away, or somebody was in the way. A commit whose answer was
/// lost is looked up; only where that cannot be done in time is it [`StoreError::InDoubt`].
///
/// There is no TLS yet: an address that demands it is refused, and any other one is spoken to in the clear. Use a Unix socket,
/// the loopback, or a tunnel. Between a node and the server there must be no pooler that hands a session from one transaction
/// to another caller. The server has to be PostgreSQL 13 or later, and its own `fsync` must be on, as it is unless somebody
/// has turned it off.
pub struct Postgres {
    jobs: mpsc::Sender<Job>,
    readers: Readers,
    time: timekeeping::Shared,
    head: watch::Receiver<u64>,
    recent: Arc<Recent>,
    work: Arc<Counted>,
}

impl Postgres {
    /// Connects to the store in a database, and makes it where there is none: the tables have the schema `signoff`. The tasks
    /// that write and listen are those of the current Tokio runtime.
    pub async fn connect(url: &str, keeper: Timekeeper) -> Result<Self, StoreError> {
        let config = session::address(url)?;
        let client = session::open(&config, None).await.map_err(Fault::told)?;
        schema::migrate(&client).await.map_err(Fault::told)?;
        let (news, head) = watch::channel(listening::length(&client).await.map_err(Fault::told)?);
        let news = Arc::new(news);
        let (jobs, received) = mpsc::channel(WAITING_AT_MOST);
        let (work, recent) = (Arc::new(Counted::default()), Arc::new(Recent::default()));
        let time = timekeeping::Shared::new(keeper);
        let writer =
            Writer::new(config.clone(), time.clone(), (Arc::clone(&news), Arc::clone(&recent)), Arc::clone(&work));
        tokio::spawn(writer.run(received));
        tokio::spawn(listening::listen(config.clone(), news));
        let (small, gathered) = mpsc::channel(WAITING_AT_MOST);
        tokio::spawn(Gatherer::new(config.clone()).run(gathered));
        Ok(Self { jobs, readers: Readers::new(config, small), time, head, recent, work })
    }

    /// Hands a job to the writer and waits until what it did is kept.
    fn send<T: Send + 'static>(&self, job: impl FnOnce(Answer<T>) -> Job + Send + 'static) -> Reply<'_, T> {
        Box::pin(async move {
            let (reply, answer) = oneshot::channel();
            let closed = || StoreError::Unavailable("it has been closed".to_owned());
            self.jobs.send(job(reply)).await.map_err(|_| closed())?;
            // The writer has the job, and is gone: nobody knows how far it came.
            answer.await.map_err(|_| StoreError::InDoubt("its writer has stopped".to_owned()))?
        })
    }
}

impl Store for Postgres {
    fn ask(&self, new: NewApproval) -> Reply<'_, Asked> {
        self.send(move |answer| Job::Ask(Wish::new(Box::new(new), answer)))
    }

    fn happen(&self, id: ApprovalId, event: Event) -> Reply<'_, Option<Happened>> {
        if let Err(error) = wire::is_bearable(&event) {
            return refused(error);
        }
        self.send(move |answer| Job::Happen(Wish::new((id, Box::new(event)), answer)))
    }

    fn happen_together(&self, events: Vec<(ApprovalId, Event)>) -> Reply<'_, Vec<Option<Happened>>> {
        if let Err(error) = events.iter().try_for_each(|(_, event)| wire::is_bearable(event)) {
            return refused(error);
        }
        self.send(move |answer| Job::HappenTogether(Wish::new(events, answer)))
    }

    fn tick(&self, at_most: u32) -> Reply<'_, Ticked> {
        self.send(move |answer| Job::Tick(Wish::new(at_most, answer)))
    }

    fn pending(&self) -> Reply<'_, u64> {
        Box::pin(self.readers.pending())
    }

    fn ready(&self) -> Reply<'_, ()> {
        Box::pin(async move {
            self.now().await?;
            // In turn with whatever is to be written.
            self.tick(0).await.map(|_| ())
        })
    }

    fn record(&self, deeds: Vec<Deed>) -> Reply<'_, ()> {
        if let Err(error) = wire::are_writable(&deeds) {
            return refused(error);
        }
        self.send(move |answer| Job::Record(Wish::new(deeds, answer)))
    }

    fn approval(&self, id: ApprovalId) -> Reply<'_, Option<Approval>> {
        Box::pin(self.readers.approval(id))
    }

    fn list(&self, wanted: Wanted) -> Reply<'_, Vec<Approval>> {
        Box::pin(async move { self.readers.list(&wanted).await })
    }

    fn ledger(&self, after: u64, at_most: u32) -> Reply<'_, Vec<LedgerEntry>> {
        Box::pin(self.readers.ledger(after, at_most))
    }

    fn first_open(&self) -> Reply<'_, Option<u64>> {
        Box::pin(self.readers.first_open())
    }

    fn sweep(&self, up_to: u64, at_most: u32) -> Reply<'_, u64> {
        Box::pin(self.readers.sweep(up_to, at_most))
    }

    fn change(&self, changes: Vec<Change>) -> Reply<'_, bool> {
        if let Err(error) = items::are_keepable(&changes) {
            return refused(error);
        }
        self.send(move |answer| Job::Change(Wish::new(changes, answer)))
    }

    fn item(&self, shelf: &'static str, name: &str) -> Reply<'_, Option<String>> {
        let name = name.to_owned();
        Box::pin(async move { self.readers.item(shelf, &name).await })
    }

    fn items(&self, shelf: &'static str, after: Option<&str>, at_most: u32) -> Reply<'_, Vec<Item>> {
        let after = after.map(str::to_owned);
        Box::pin(async move { self.readers.items(shelf, after.as_deref(), at_most).await })
    }

    fn grant_as_kept(&self, grant: &Grant) -> Result<String, StoreError> {
        wire::kept_grant(grant)
    }

    fn kept_grant(&self, text: &str) -> Result<Grant, StoreError> {
        wire::read_grant(text).map_err(|why| StoreError::Damaged(why.0))
    }

    fn delegation_as_kept(&self, delegation: &Delegation) -> Result<String, StoreError> {
        wire::kept_delegation(delegation)
    }

    fn kept_delegation(&self, text: &str) -> Result<Delegation, StoreError> {
        wire::read_delegation(text).map_err(|why| StoreError::Damaged(why.0))
    }

    fn order_as_kept(&self, order: &Order) -> Result<String, StoreError> {
        wire::kept_order(order)
    }

    fn kept_order(&self, text: &str) -> Result<Order, StoreError> {
        wire::read_order(text).map_err(|why| StoreError::Damaged(why.0))
    }

    fn trust_as_kept(&self, trusted: &Trusted) -> Result<String, StoreError> {
        wire::kept_trust(trusted)
    }

    fn kept_trust(&self, text: &str) -> Result<Trusted, StoreError> {
        wire::read_trust(text).map_err(|why| StoreError::Damaged(why.0))
    }

    fn now(&self) -> Reply<'_, Timestamp> {
        Box::pin(async move {
            let (newest, clock) = self.readers.moments().await?;
            Ok(self.time.moment(clock, newest))
        })
    }

    fn news(&self, after: u64) -> Reply<'_, u64> {
        let mut head = self.head.clone();
        Box::pin(async move {
            let longer = head.wait_for(|number| *number > after).await;
            longer.map(|number| *number).map_err(|_| StoreError::Unavailable("it has been closed".to_owned()))
        })
    }

    fn subjects(&self, after: u64, at_most: u32) -> Reply<'_, Vec<Subject>> {
        match self.recent.behind(after, at_most) {
            Some(subjects) => Box::pin(std::future::ready(Ok(subjects))),
            // Another node has written it.
            None => Box::pin(self.readers.subjects(after, at_most)),
        }
    }

    fn work(&self) -> Work {
        self.work.work()
    }
}
