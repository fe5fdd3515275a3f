//! Where a gateway under test keeps its approvals.

use std::{path::Path, sync::Arc};

use signoff_gate::Store;
use signoff_store::{Postgres, Sqlite, Timekeeper, system_clock};

/// Where the approvals are kept.
#[derive(Clone, Debug)]
pub enum Kept {
    /// In a file, by one node.
    InAFile,
    /// In a database of PostgreSQL.
    InADatabase(String),
}

impl Kept {
    /// Opens the store while nobody serves it; `file` is where it lies if it is one.
    pub async fn open(&self, file: &Path) -> Arc<dyn Store> {
        match self {
            Self::InAFile => Arc::new(Sqlite::open(file, system_clock()).unwrap()),
            Self::InADatabase(url) => Arc::new(Postgres::connect(url, Timekeeper::Database).await.unwrap()),
        }
    }
}
