//! Reading, which waits for nobody who writes, and lets nobody else wait for the disk.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags};
use signoff_gate::{Reply, StoreError};
use tokio::{sync::Semaphore, task::spawn_blocking};

use super::{connect, place::Place};

/// So many connections read. Who comes then waits for one: opening another takes longer than most reads do, and each is three
/// open files.
const CONNECTIONS: usize = 4;

pub(super) struct Readers {
    place: Place,
    kept: Mutex<Vec<Connection>>,
    turns: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn new(place: Place) -> Self {
        Self { place, kept: Mutex::default(), turns: Arc::new(Semaphore::new(CONNECTIONS)) }
    }

    /// Looks at a few rows, right here where a connection is free: nearly always they are in memory, and waking another thread
    /// takes longer than reading them.
    pub(super) fn look<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<'static, T> {
        let readers = Arc::clone(self);
        Box::pin(async move {
            match Arc::clone(&readers.turns).try_acquire_owned() {
                Ok(_turn) => readers.read_here(read),
                Err(_) => readers.read(read).await,
            }
        })
    }

    /// Reads with a connection of its own, on a thread that may wait.
    pub(super) fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<'static, T> {
        let readers = Arc::clone(self);
        Box::pin(async move {
            let nobody = |why: String| StoreError::Unavailable(format!("nobody reads: {why}"));
            let turn = Arc::clone(&readers.turns).acquire_owned().await;
            let turn = turn.map_err(|closed| nobody(closed.to_string()))?;
            let reading = spawn_blocking(move || {
                let answer = readers.read_here(read);
                // Kept to the end, even where whoever wanted it has gone away meanwhile.
                drop(turn);
                answer
            });
            let reading = reading.await;
            reading.map_err(|error| nobody(error.to_string()))?
        })
    }

    fn read_here<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.place.is_kept()?;
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match kept {
            Some(connection) => connection,
            None => connect(self.place.path(), OpenFlags::SQLITE_OPEN_READ_ONLY)?,
        };
        let answer = read(&connection);
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        answer
    }
}
