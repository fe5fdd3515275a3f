//! The tables, and how they came to be: one script for each version. They have a schema of their own, so that other programs
//! may use the same database.

use signoff_gate::StoreError;
use tokio_postgres::Client;

use super::fault::{Fault, unreadable};

/// The version of a store is the number of scripts that made it.
///
/// Texts are compared byte by byte, whatever the database takes for alphabetical. An approval is a text, and not the
/// database's own JSON: that refuses a zero byte, which a command may well have.
const SCRIPTS: &[&str] = &[
    r#"
    CREATE TABLE signoff.approvals (
        id bytea PRIMARY KEY,
        agent text COLLATE "C" NOT NULL,
        request_key text COLLATE "C" NOT NULL,
        session text COLLATE "C" NOT NULL,
        stage text COLLATE "C" NOT NULL,
        deadline bigint,
        record text COLLATE "C" NOT NULL,
        UNIQUE (agent, session, request_key)
    );
    CREATE INDEX approvals_by_stage ON signoff.approvals (stage, id);
    CREATE INDEX approvals_by_agent ON signoff.approvals (agent, id);
    CREATE INDEX approvals_due ON signoff.approvals (deadline) WHERE deadline IS NOT NULL;
    -- The batch says which transaction has written an entry. It is no part of the chain: a node whose commit was not
    -- answered finds out by it whether that was kept.
    CREATE TABLE signoff.ledger (
        number bigint PRIMARY KEY,
        at bigint NOT NULL,
        approval bytea,
        body text COLLATE "C" NOT NULL,
        digest bytea NOT NULL,
        batch uuid NOT NULL
    );
    CREATE INDEX ledger_by_approval ON signoff.ledger (approval, number) WHERE approval IS NOT NULL;
    -- The one row that whoever adds to the ledger holds until that is kept.
    CREATE TABLE signoff.head (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        number bigint NOT NULL,
        digest bytea NOT NULL,
        at bigint NOT NULL
    );
    INSERT INTO signoff.head (number, digest, at) VALUES (0, decode(repeat('00', 32), 'hex'), 0);
"#,
    r#"
    CREATE TABLE signoff.items (
        shelf text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        text text COLLATE "C" NOT NULL,
        PRIMARY KEY (shelf, name)
    );
    -- The last transaction of a node that has left nothing in the ledger, by which it could be found again.
    CREATE TABLE signoff.quiet (
        node uuid PRIMARY KEY,
        batch uuid NOT NULL,
        at bigint NOT NULL
    );
"#,
    "
    ALTER TABLE signoff.approvals ADD COLUMN refusals bigint NOT NULL DEFAULT 0;
",
];

/// The oldest server that has everything that is used.
const OLDEST_SERVER: i32 = 130_000;

/// Nodes that start at the same time wait for each other under this number: `signoff` in ASCII.
const ADVISORY_LOCK: i64 = 0x73_6967_6e6f_6666;

/// The version that this program writes.
pub(super) fn known() -> i64 {
    i64::try_from(SCRIPTS.len()).unwrap_or(i64::MAX)
}

/// Brings a store to the version of this program. A newer one is left alone.
pub(super) async fn migrate(client: &Client) -> Result<(), Fault> {
    look_at_server(client).await?;
    client.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE").await?;
    client.query(&format!("SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"), &[]).await?;
    let found = version(client).await?;
    if found > known() {
        return Err(Fault::Final(StoreError::Newer { found, known: known() }));
    }
    let missing = usize::try_from(found).ok().and_then(|found| SCRIPTS.get(found..)).unwrap_or_default();
    // Who may not make tables can still use those that are there.
    if !missing.is_empty() {
        if found > 0 {
            // A node of an older version is either done with what it writes, or finds out that it is older.
            client.batch_execute("SELECT FROM signoff.head FOR UPDATE").await?;
        }
        for script in missing {
            client.batch_execute(script).await?;
        }
        client.execute("UPDATE signoff.version SET version = $1", &[&known()]).await?;
    }
    Ok(client.batch_execute("COMMIT").await?)
}

async fn look_at_server(client: &Client) -> Result<(), Fault> {
    let query = "SELECT current_setting('server_version_num')::int, current_setting('server_encoding')";
    let row = client.query_one(query, &[]).await?;
    let server: i32 = row.try_get(0).map_err(unreadable)?;
    let encoding: String = row.try_get(1).map_err(unreadable)?;
    if server < OLDEST_SERVER {
        return Err(Fault::Final(StoreError::Unavailable("PostgreSQL 13 or later is needed".to_owned())));
    }
    if encoding != "UTF8" {
        let text = format!("the database keeps texts as {encoding}, and UTF8 is needed");
        return Err(Fault::Final(StoreError::Unavailable(text)));
    }
    Ok(())
}

/// The version that is there. Where there is nothing yet, it is nought and there is a place for it.
async fn version(client: &Client) -> Result<i64, Fault> {
    let query = "SELECT to_regnamespace('signoff') IS NOT NULL,
                        to_regclass('signoff.version') IS NOT NULL,
                        (SELECT count(*) FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace('signoff'))";
    let row = client.query_one(query, &[]).await?;
    let (schema, table): (bool, bool) = (row.try_get(0).map_err(unreadable)?, row.try_get(1).map_err(unreadable)?);
    let relations: i64 = row.try_get(2).map_err(unreadable)?;
    if table {
        let row = client.query_opt("SELECT version FROM signoff.version", &[]).await?;
        let row = row.ok_or_else(|| Fault::damaged("the store has no version"))?;
        return row.try_get(0).map_err(unreadable);
    }
    if relations > 0 {
        return Err(Fault::damaged("the schema `signoff` is that of another program"));
    }
    if !schema {
        client.batch_execute("CREATE SCHEMA signoff").await?;
    }
    let script = "CREATE TABLE signoff.version (
                      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
                      version bigint NOT NULL
                  );
                  INSERT INTO signoff.version (version) VALUES (0)";
    client.batch_execute(script).await?;
    Ok(0)
}
