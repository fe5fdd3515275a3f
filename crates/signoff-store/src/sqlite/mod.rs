//! The embedded store: one SQLite file, one thread that writes, and connections that read.

mod gathering;
mod lock;
mod onward;
mod place;
mod reading;
mod rows;
mod schema;
mod writer;

use std::{fs::OpenOptions, io, os::unix::fs::OpenOptionsExt, path::Path, sync::Arc};

use gathering::Gathering;
use lock::Lock;
use onward::Shared;
use place::Place;
use reading::Readers;
use rusqlite::{Connection, ErrorCode, OpenFlags, config::DbConfig};
use signoff_gate::{
    Asked, Change, Crowd, Event, Happened, Item, NewApproval, Order, Reply, Store, StoreError, Subject, Ticked,
    Trusted, UnderWay, Wanted, Work,
};
use signoff_model::{Approval, ApprovalId, Deed, Delegation, Grant, LedgerEntry, Timestamp};
use tokio::sync::{mpsc, oneshot, watch};
use writer::{Job, Writer, Writing};

use crate::{items, recent::Recent, refused, wire, work::Counted};

/// The clock of a store. Everything that its users compare is told by it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// So many changes wait for the writer before whoever brings another one has to wait as well.
const WAITING_AT_MOST: usize = 1_024;

/// So many rows are looked at without making anybody else wait.
const A_FEW: u32 = 64;

/// Approvals and the ledger in one SQLite file.
///
/// All changes go through one thread, which puts those that wait into one transaction: they share one flush to the disk, and
/// nobody hears of a change before that. The file belongs to one of these at a time; dropping it waits until what was begun is
/// on the disk and the file is free. Reading needs a Tokio runtime, whose threads for waiting it uses.
pub struct Sqlite {
    /// Before the writing: whoever closes the file last puts into it what is beside it in the log, and only a writer may.
    readers: Arc<Readers>,
    /// Before the writing, which ends when nobody can bring anything any more.
    jobs: mpsc::Sender<Job>,
    _writing: Writing,
    head: watch::Receiver<u64>,
    recent: Arc<Recent>,
    clock: Shared,
    work: Arc<Counted>,
    crowd: Crowd,
}

impl Sqlite {
    /// Opens the store in a file, and makes it where there is none. Only the user may read it.
    pub fn open(path: &Path, clock: Clock) -> Result<Self, StoreError> {
        let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path);
        file.map_err(|error| told_of_file(path, &error))?;
        // By whichever name it is opened, it is one file.
        let path = &path.canonicalize().map_err(|error| told_of_file(path, &error))?;
        let lock = Lock::beside(path)?;
        let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // Another program's file is left as it is: it is looked at before anything is set.
        schema::migrate(&mut connection)?;
        let mode: String =
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0)).map_err(told)?;
        if mode != "wal" {
            return Err(StoreError::Unavailable(format!("its journal is kept as `{mode}`, and has to be `wal`")));
        }
        // What an agent was told outlives the machine's power.
        connection.pragma_update(None, "synchronous", "FULL").map_err(told)?;
        // Everybody waits while the log is put into the file; four times as much of it is little more work than once.
        connection.pragma_update(None, "wal_autocheckpoint", 4_000).map_err(told)?;
        let head = rows::head(&connection)?;
        let clock = Shared::new(clock, rows::latest(&connection)?);
        let (jobs, received) = mpsc::channel(WAITING_AT_MOST);
        let (news, head) = watch::channel(head.number);
        let (work, recent) = (Arc::new(Counted::default()), Arc::new(Recent::default()));
        let place = Place::of(path)?;
        let told = (news, Arc::clone(&recent));
        let writer = Writer::new((connection, place.clone()), clock.clone(), told, Arc::clone(&work));
        let crowd = Crowd::default();
        let writing = Writing::begin(writer, Gathering::new(received, crowd.clone()), lock)?;
        let readers = Arc::new(Readers::new(place));
        Ok(Self { readers, jobs, _writing: writing, head, recent, clock, work, crowd })
    }

    /// Hands a job to the writer and waits until what it did is on the disk.
    fn send<T: Send + 'static>(
        &self,
        job: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Job + Send + 'static,
    ) -> Reply<'_, T> {
        Box::pin(async move {
            let (reply, answer) = oneshot::channel();
            let closed = || StoreError::Unavailable("it has been closed".to_owned());
            self.jobs.send(job(reply)).await.map_err(|_| closed())?;
            // The writer has the job, and is gone: nobody knows how far it came.
            answer.await.map_err(|_| StoreError::InDoubt("its writer has stopped".to_owned()))?
        })
    }
}

impl Store for Sqlite {
    fn ask(&self, new: NewApproval) -> Reply<'_, Asked> {
        self.send(move |reply| Job::Ask(Box::new(new), reply))
    }

    fn happen(&self, id: ApprovalId, event: Event) -> Reply<'_, Option<Happened>> {
        if let Err(error) = wire::is_bearable(&event) {
            return refused(error);
        }
        self.send(move |reply| Job::Happen(id, Box::new(event), reply))
    }

    fn happen_together(&self, events: Vec<(ApprovalId, Event)>) -> Reply<'_, Vec<Option<Happened>>> {
        if let Err(error) = events.iter().try_for_each(|(_, event)| wire::is_bearable(event)) {
            return refused(error);
        }
        self.send(move |answer| Job::HappenTogether(events, answer))
    }

    fn tick(&self, at_most: u32) -> Reply<'_, Ticked> {
        self.send(move |reply| Job::Tick(at_most, reply))
    }

    fn pending(&self) -> Reply<'_, u64> {
        self.readers.read(rows::pending)
    }

    fn ready(&self) -> Reply<'_, ()> {
        self.send(Job::Ready)
    }

    fn record(&self, deeds: Vec<Deed>) -> Reply<'_, ()> {
        if let Err(error) = wire::are_writable(&deeds) {
            return refused(error);
        }
        self.send(move |reply| Job::Record(deeds, reply))
    }

    fn approval(&self, id: ApprovalId) -> Reply<'_, Option<Approval>> {
        self.readers.look(move |connection| rows::approval(connection, id))
    }

    fn list(&self, wanted: Wanted) -> Reply<'_, Vec<Approval>> {
        self.readers.read(move |connection| rows::list(connection, &wanted))
    }

    fn ledger(&self, after: u64, at_most: u32) -> Reply<'_, Vec<LedgerEntry>> {
        let read = move |connection: &Connection| rows::ledger(connection, after, at_most);
        if at_most <= A_FEW { self.readers.look(read) } else { self.readers.read(read) }
    }

    fn first_open(&self) -> Reply<'_, Option<u64>> {
        self.readers.read(rows::first_open)
    }

    fn sweep(&self, up_to: u64, at_most: u32) -> Reply<'_, u64> {
        self.send(move |reply| Job::Sweep(up_to, at_most, reply))
    }

    fn change(&self, changes: Vec<Change>) -> Reply<'_, bool> {
        if let Err(error) = items::are_keepable(&changes) {
            return refused(error);
        }
        self.send(move |reply| Job::Change(changes, reply))
    }

    fn item(&self, shelf: &'static str, name: &str) -> Reply<'_, Option<String>> {
        let name = name.to_owned();
        self.readers.look(move |connection| rows::item(connection, shelf, &name))
    }

    fn items(&self, shelf: &'static str, after: Option<&str>, at_most: u32) -> Reply<'_, Vec<Item>> {
        let after = after.map(str::to_owned);
        let read = move |connection: &Connection| rows::items(connection, shelf, after.as_deref(), at_most);
        if at_most <= A_FEW { self.readers.look(read) } else { self.readers.read(read) }
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
        let now = self.clock.now();
        Box::pin(async move { Ok(now) })
    }

    fn news(&self, after: u64) -> Reply<'_, u64> {
        let mut head = self.head.clone();
        Box::pin(async move {
            let longer = head.wait_for(|number| *number > after).await;
            longer.map(|number| *number).map_err(|_| StoreError::Unavailable("it has been closed".to_owned()))
        })
    }

    fn subjects(&self, after: u64, at_most: u32) -> Reply<'_, Vec<Subject>> {
        if let Some(subjects) = self.recent.behind(after, at_most) {
            return Box::pin(std::future::ready(Ok(subjects)));
        }
        let read = move |connection: &Connection| rows::subjects(connection, after, at_most);
        if at_most <= A_FEW { self.readers.look(read) } else { self.readers.read(read) }
    }

    fn under_way(&self) -> UnderWay {
        self.crowd.join()
    }

    fn work(&self) -> Work {
        self.work.work()
    }
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(told)?;
    // More than any of them uses: one that is forgotten is read again each time.
    connection.set_prepared_statement_cache_capacity(64);
    // Otherwise SQLite looks at the values of some parameters when it plans a statement, and plans it anew for each other value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(told)?;
    connection.busy_timeout(std::time::Duration::from_secs(5)).map_err(told)?;
    // What a file says about itself is not obeyed.
    connection.pragma_update(None, "trusted_schema", "OFF").map_err(told)?;
    connection.pragma_update(None, "cell_size_check", "ON").map_err(told)?;
    Ok(connection)
}

/// What an error of SQLite means for whoever uses the store.
fn told(error: rusqlite::Error) -> StoreError {
    let text = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full(text),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::TypeMismatch) => {
            StoreError::Damaged(text)
        }
        // A value of another kind than was written.
        None if !matches!(error, rusqlite::Error::QueryReturnedNoRows) => StoreError::Damaged(text),
        _ => StoreError::Unavailable(text),
    }
}

fn told_of_file(path: &Path, error: &io::Error) -> StoreError {
    let text = format!("{}: {error}", path.display());
    if error.kind() == io::ErrorKind::StorageFull { StoreError::Full(text) } else { StoreError::Unavailable(text) }
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    /// What is planned anew each time is most of the work of a small read.
    #[test]
    fn no_statement_is_planned_twice() {
        let directory = tempfile::TempDir::new().unwrap();
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut connection = connect(&directory.path().join("s.db"), flags).unwrap();
        schema::migrate(&mut connection).unwrap();
        let query = "SELECT name, text FROM items WHERE shelf = ?1 AND name > ?2 ORDER BY name LIMIT ?3";
        let mut statement = connection.prepare(query).unwrap();
        for at_most in [8, 64, 1_000] {
            assert!(statement.query(("shelf", "name", at_most)).unwrap().next().unwrap().is_none());
        }
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }
}
