//! The store for several nodes: one PostgreSQL database.

mod batch;
mod fault;
mod job;
mod listening;
mod patience;
mod reading;
mod schema;
mod session;
mod timekeeping;
mod transaction;
mod writer;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use fault::Fault;
use job::{Answer, Job, Wish};
use reading::Readers;
use signoff_gate::{Asked, Change, Event, Happened, Item, NewApproval, Reply, Store, StoreError, Ticked, Wanted};
use signoff_model::{Approval, ApprovalId, Deed, Grant, LedgerEntry, Timestamp};
pub use timekeeping::Timekeeper;
use tokio::sync::{mpsc, oneshot, watch};
use writer::Writer;

use crate::{items, refused, wire};

/// So many changes wait for the writer before whoever brings another one has to wait as well.
const WAITING_AT_MOST: usize = 1_024;

/// Approvals and the ledger in a PostgreSQL database, which any number of nodes share.
///
/// Each node writes with one session, and puts the changes that wait into one transaction. The head of the ledger is a row
/// that a transaction holds until it is kept: there is one order of all changes on all nodes, and one chain. A node hears of
/// what others have written by `LISTEN`. It has six connections at most: one that writes, one that listens, and four that
/// read.
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
    work: Arc<Work>,
}

/// How much the writer has done.
#[derive(Debug, Default)]
struct Work {
    commits: AtomicU64,
    changes: AtomicU64,
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
        let work = Arc::new(Work::default());
        let time = timekeeping::Shared::new(keeper);
        let writer = Writer::new(config.clone(), time.clone(), Arc::clone(&news), Arc::clone(&work));
        tokio::spawn(writer.run(received));
        tokio::spawn(listening::listen(config.clone(), news));
        Ok(Self { jobs, readers: Readers::new(config), time, head, work })
    }

    /// How many changes this node has kept, and with how many commits.
    pub fn changes_and_commits(&self) -> (u64, u64) {
        (self.work.changes.load(Ordering::Relaxed), self.work.commits.load(Ordering::Relaxed))
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

    fn tick(&self, at_most: u32) -> Reply<'_, Ticked> {
        self.send(move |answer| Job::Tick(Wish::new(at_most, answer)))
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
}
