//! The tables, and how they came to be: one script for each version.

use rusqlite::{Connection, TransactionBehavior};
use signoff_gate::StoreError;

use super::told;

/// The version of a store is the number of scripts that made it.
const SCRIPTS: &[&str] = &[
    "
    CREATE TABLE approvals (
        id BLOB PRIMARY KEY NOT NULL,
        agent TEXT NOT NULL,
        request_key TEXT NOT NULL,
        session TEXT NOT NULL,
        stage TEXT NOT NULL,
        deadline INTEGER,
        record TEXT NOT NULL,
        UNIQUE (agent, session, request_key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX approvals_by_stage ON approvals (stage, id);
    CREATE INDEX approvals_by_agent ON approvals (agent, stage, id);
    CREATE INDEX approvals_by_session ON approvals (session, id);
    CREATE INDEX approvals_due ON approvals (deadline) WHERE deadline IS NOT NULL;
    CREATE TABLE ledger (
        number INTEGER PRIMARY KEY NOT NULL,
        at INTEGER NOT NULL,
        approval BLOB,
        body TEXT NOT NULL,
        digest BLOB NOT NULL
    ) STRICT;
    CREATE INDEX ledger_by_approval ON ledger (approval, number) WHERE approval IS NOT NULL;
",
    "
    CREATE TABLE items (
        shelf TEXT NOT NULL,
        name TEXT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (shelf, name)
    ) STRICT;
",
    "
    ALTER TABLE approvals ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0;
",
];

/// What tells a store from any other file of SQLite: `sign` in ASCII.
const APPLICATION: i64 = 0x7369_676e;

/// Brings a store to the version of this program. A newer one is left alone.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let known = i64::try_from(SCRIPTS.len()).unwrap_or(i64::MAX);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(told)?;
    let pragma = |name| transaction.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(told);
    let (application, found) = (pragma("application_id")?, pragma("user_version")?);
    let tables: i64 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(told)?;
    if application != APPLICATION && (application != 0 || tables > 0) {
        return Err(StoreError::Damaged("the file is a database of another program".to_owned()));
    }
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    let missing = usize::try_from(found).ok().and_then(|found| SCRIPTS.get(found..));
    for script in missing.unwrap_or_default() {
        transaction.execute_batch(script).map_err(told)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION).map_err(told)?;
    transaction.pragma_update(None, "user_version", known).map_err(told)?;
    transaction.commit().map_err(told)
}
