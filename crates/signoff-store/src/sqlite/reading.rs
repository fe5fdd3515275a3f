//! Reading, which waits for nobody who writes, and lets nobody else wait for the disk.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::{Connection, OpenFlags};
use signoff_gate::{Reply, StoreError};
use tokio::task::spawn_blocking;

use super::connect;

/// So many connections that read are kept for the next reader.
const KEPT_AT_MOST: usize = 4;

pub(super) struct Readers {
    path: PathBuf,
    kept: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, kept: Mutex::default() }
    }

    /// Reads with a connection of its own, on a thread that may wait.
    pub(super) fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<'static, T> {
        let readers = Arc::clone(self);
        Box::pin(async move {
            let reading = spawn_blocking(move || readers.read_here(read)).await;
            reading.map_err(|error| StoreError::Unavailable(format!("nobody reads: {error}")))?
        })
    }

    fn read_here<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match kept {
            Some(connection) => connection,
            None => connect(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
        };
        let answer = read(&connection);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < KEPT_AT_MOST {
            kept.push(connection);
        }
        answer
    }
}
