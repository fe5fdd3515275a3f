//! Reading, which waits for nobody who writes.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use signoff_gate::{Item, StoreError, Subject, Wanted};
use signoff_model::{Approval, ApprovalId, LedgerEntry, Timestamp};
use tokio::{
    sync::{Mutex, mpsc, oneshot},
    time::timeout_at,
};
use tokio_postgres::{
    Client, Config, Row,
    types::{ToSql, Type},
};

use super::{
    batch::parsed,
    fault::Fault,
    gathering::{Moments, Read},
    job::Answer,
    patience::{Patience, Server},
    session,
    transaction::{bytes, column, digest, id, natural},
};
use crate::{LISTED_AT_MOST, items};

/// So many connections read what may be long. Any number of readers share them: what is asked on one connection is answered in
/// turn.
const LANES: usize = 3;

/// So many things of a shelf are a small read.
const A_FEW: u32 = 64;

/// A connection, where there is one.
type Lane = Mutex<Option<Arc<Client>>>;

type Value<'a> = (&'a (dyn ToSql + Sync), Type);

pub(super) struct Readers {
    config: Config,
    lanes: [Lane; LANES],
    turn: AtomicUsize,
    /// To whoever reads what is short.
    small: mpsc::Sender<Read>,
}

impl Readers {
    pub(super) fn new(config: Config, small: mpsc::Sender<Read>) -> Self {
        Self { config, lanes: Default::default(), turn: AtomicUsize::new(0), small }
    }

    /// Asks something small, together with whatever else is wanted now.
    async fn small<T>(&self, read: impl FnOnce(Answer<T>) -> Read) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let closed = || StoreError::Unavailable("it has been closed".to_owned());
        self.small.send(read(reply)).await.map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }

    /// Asks something that changes nothing, again where the connection was lost.
    async fn rows(&self, query: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        let mut patience = Patience::new();
        loop {
            let turn = self.turn.fetch_add(1, Ordering::Relaxed) % LANES;
            let Some(lane) = self.lanes.get(turn) else { return Ok(Vec::new()) };
            let fault = match timeout_at(patience.until(), self.ask(lane, query, values)).await {
                Ok(Ok(rows)) => return Ok(rows),
                Ok(Err(fault)) => fault,
                Err(_) => Fault::Lost("the database does not answer".to_owned()),
            };
            if let (Fault::Lost(_), Ok(mut lane)) = (&fault, lane.try_lock()) {
                // It may be one that was cut on the way, and does not know it yet. The next reader makes another one.
                *lane = None;
            }
            if !patience.bears(&fault, Server::There).await {
                return Err(fault.told());
            }
        }
    }

    async fn ask(&self, lane: &Lane, query: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        Ok(self.client(lane).await?.query_typed(query, values).await?)
    }

    async fn client(&self, lane: &Lane) -> Result<Arc<Client>, Fault> {
        let mut lane = lane.lock().await;
        if let Some(client) = lane.as_ref().filter(|client| !client.is_closed()) {
            return Ok(Arc::clone(client));
        }
        let client = Arc::new(session::open(&self.config, None).await?);
        *lane = Some(Arc::clone(&client));
        Ok(client)
    }

    pub(super) async fn approval(&self, id: ApprovalId) -> Result<Option<Approval>, StoreError> {
        self.small(|answer| Read::Approval(id, answer)).await
    }

    /// How many questions nobody has decided yet.
    pub(super) async fn pending(&self) -> Result<u64, StoreError> {
        let rows = self.rows("SELECT count(*) FROM signoff.approvals WHERE stage = 'pending'", &[]).await?;
        let row = rows.first().ok_or_else(|| StoreError::Unavailable("nothing was counted".to_owned()))?;
        column(row, 0).and_then(natural).map_err(Fault::told)
    }

    pub(super) async fn list(&self, wanted: &Wanted) -> Result<Vec<Approval>, StoreError> {
        let Wanted { stage, agent, session, before, at_most } = wanted;
        if stage.as_ref().is_some_and(|stage| stage.contains('\0')) {
            // The database has no such texts, and so no such stage.
            return Ok(Vec::new());
        }
        let (agent, session) = (agent.as_ref().map(|one| one.as_str()), session.as_ref().map(|one| one.as_str()));
        let before = before.map(bytes);
        let before = before.as_ref().map(<[u8; 16]>::as_slice);
        let at_most = i64::from((*at_most).min(LISTED_AT_MOST));
        let mut values: Vec<Value<'_>> = vec![(&at_most, Type::INT8)];
        let mut conditions = String::new();
        let narrowing: [(&str, Option<Value<'_>>); 4] = [
            ("stage =", stage.as_ref().map(|stage| (stage as _, Type::TEXT))),
            ("agent =", agent.as_ref().map(|agent| (agent as _, Type::TEXT))),
            ("session =", session.as_ref().map(|session| (session as _, Type::TEXT))),
            ("id <", before.as_ref().map(|before| (before as _, Type::BYTEA))),
        ];
        for (condition, value) in narrowing {
            if let Some(value) = value {
                values.push(value);
                conditions.push_str(&format!(" AND {condition} ${}", values.len()));
            }
        }
        let query = format!("SELECT record FROM signoff.approvals WHERE true{conditions} ORDER BY id DESC LIMIT $1");
        // One that cannot be read does not hide the others; the ledger says of it when its time has come.
        let readable = |row: &Row| match approval(row) {
            Err(StoreError::Damaged(_)) => None,
            other => Some(other),
        };
        self.rows(&query, &values).await?.iter().filter_map(readable).collect()
    }

    pub(super) async fn ledger(&self, after: u64, at_most: u32) -> Result<Vec<LedgerEntry>, StoreError> {
        let Ok(after) = i64::try_from(after) else { return Ok(Vec::new()) };
        let at_most = i64::from(at_most.min(LISTED_AT_MOST));
        let query = "SELECT number, at, approval, body, digest FROM signoff.ledger
                     WHERE number > $1 ORDER BY number LIMIT $2";
        let rows = self.rows(query, &[(&after, Type::INT8), (&at_most, Type::INT8)]).await?;
        rows.iter().map(|row| entry(row).map_err(Fault::told)).collect()
    }

    pub(super) async fn subjects(&self, after: u64, at_most: u32) -> Result<Vec<Subject>, StoreError> {
        let Ok(after) = i64::try_from(after) else { return Ok(Vec::new()) };
        let at_most = i64::from(at_most.min(LISTED_AT_MOST));
        let query = "SELECT number, approval FROM signoff.ledger WHERE number > $1 ORDER BY number LIMIT $2";
        let rows = self.rows(query, &[(&after, Type::INT8), (&at_most, Type::INT8)]).await?;
        let subject = |row: &Row| {
            let approval = column::<Option<&[u8]>>(row, 1)?.map(id).transpose()?;
            Ok(Subject { number: natural(column(row, 0)?)?, approval })
        };
        rows.iter().map(|row| subject(row).map_err(Fault::told)).collect()
    }

    pub(super) async fn first_open(&self) -> Result<Option<u64>, StoreError> {
        let query = "SELECT min((SELECT min(number) FROM signoff.ledger WHERE approval = id))
                     FROM signoff.approvals WHERE deadline IS NOT NULL";
        let rows = self.rows(query, &[]).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let first: Option<i64> = column(row, 0).map_err(Fault::told)?;
        first.map(|number| natural(number).map_err(Fault::told)).transpose()
    }

    /// Takes away what nobody changes or reads as part of the ledger any more. It needs no turn at the head, can be said twice,
    /// and passes over what another node takes away at the same time.
    pub(super) async fn sweep(&self, up_to: u64, at_most: u32) -> Result<u64, StoreError> {
        let up_to = i64::try_from(up_to).unwrap_or(i64::MAX);
        let at_most = i64::from(at_most.min(LISTED_AT_MOST));
        let query = "WITH gone AS (
                         DELETE FROM signoff.ledger WHERE number IN (
                             SELECT number FROM signoff.ledger
                             WHERE number <= $1 AND number < (SELECT number FROM signoff.head)
                             ORDER BY number LIMIT $2 FOR UPDATE SKIP LOCKED)
                         RETURNING 1)
                     SELECT count(*) FROM gone";
        let rows = self.rows(query, &[(&up_to, Type::INT8), (&at_most, Type::INT8)]).await?;
        rows.first().map_or(Ok(0), |row| column(row, 0).and_then(natural).map_err(Fault::told))
    }

    pub(super) async fn item(&self, shelf: &'static str, name: &str) -> Result<Option<String>, StoreError> {
        if name.contains('\0') {
            // The database has no such texts, and so no such name.
            return Ok(None);
        }
        self.small(|answer| Read::Item((shelf, name.to_owned()), answer)).await
    }

    pub(super) async fn items(
        &self,
        shelf: &'static str,
        after: Option<&str>,
        at_most: u32,
    ) -> Result<Vec<Item>, StoreError> {
        let (after, at_most) = (after.map(items::behind), at_most.min(LISTED_AT_MOST));
        if at_most <= A_FEW {
            return self.small(|answer| Read::Items((shelf, after.map(str::to_owned), at_most), answer)).await;
        }
        let at_most = i64::from(at_most);
        let query = "SELECT name, text FROM signoff.items
                     WHERE shelf = $1 AND ($2 IS NULL OR name > $2) ORDER BY name LIMIT $3";
        let rows = self.rows(query, &[(&shelf, Type::TEXT), (&after, Type::TEXT), (&at_most, Type::INT8)]).await?;
        let item = |row: &Row| Ok(Item { name: column(row, 0)?, text: column(row, 1)? });
        rows.iter().map(|row| item(row).map_err(Fault::told)).collect()
    }

    /// The moment of the newest entry, and what the clock of the database says.
    pub(super) async fn moments(&self) -> Result<Moments, StoreError> {
        self.small(Read::Moments).await
    }
}

fn approval(row: &Row) -> Result<Approval, StoreError> {
    parsed(column(row, 0).map_err(Fault::told)?)
}

fn entry(row: &Row) -> Result<LedgerEntry, Fault> {
    Ok(LedgerEntry {
        number: natural(column(row, 0)?)?,
        at: Timestamp::from_millis(column(row, 1)?),
        approval: column::<Option<&[u8]>>(row, 2)?.map(id).transpose()?,
        body: column(row, 3)?,
        digest: digest(column(row, 4)?)?,
    })
}
