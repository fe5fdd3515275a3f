//! From approvals and entries to rows, and back.

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params, params_from_iter};
use signoff_gate::{Item, NewApproval, StoreError, Subject, Wanted, next_deadline};
use signoff_model::{Approval, ApprovalId, Deed, Digest, LedgerEntry, Timestamp};

use super::told;
use crate::{
    LISTED_AT_MOST,
    chain::Head,
    items::{self, Place},
    wire,
};

fn bytes(id: ApprovalId) -> [u8; 16] {
    id.bits().to_be_bytes()
}

fn parsed(record: String) -> Result<Approval, StoreError> {
    wire::read(&record).map_err(|why| StoreError::Damaged(format!("an approval cannot be read: {}", why.0)))
}

pub(super) fn approval(connection: &Connection, id: ApprovalId) -> Result<Option<Approval>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT record FROM approvals WHERE id = ?1").map_err(told)?;
    let record = statement.query_row([bytes(id)], |row| row.get(0)).optional().map_err(told)?;
    record.map(parsed).transpose()
}

/// What the same session has asked under the same key before.
pub(super) fn asked_before(connection: &Connection, new: &NewApproval) -> Result<Option<Approval>, StoreError> {
    let query = "SELECT record FROM approvals WHERE agent = ?1 AND session = ?2 AND request_key = ?3";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    let key = [new.requester.agent.as_str(), new.requester.session.as_str(), new.key.as_str()];
    let record = statement.query_row(key, |row| row.get(0)).optional().map_err(told)?;
    record.map(parsed).transpose()
}

/// Says something that has no values and gives no rows, and is said so often that it is not read anew each time.
pub(super) fn said(connection: &Connection, words: &str) -> Result<(), StoreError> {
    connection.prepare_cached(words).and_then(|mut statement| statement.execute([])).map(|_| ()).map_err(told)
}

pub(super) fn insert(connection: &Connection, approval: &Approval) -> Result<(), StoreError> {
    let query = "INSERT INTO approvals (id, agent, request_key, session, stage, deadline, record)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    let row = params![
        bytes(approval.id),
        approval.requester.agent.as_str(),
        approval.key.as_str(),
        approval.requester.session.as_str(),
        approval.stage.name(),
        next_deadline(approval).map(Timestamp::millis),
        wire::kept_new(approval)?,
    ];
    statement.execute(row).map(|_| ()).map_err(told)
}

pub(super) fn update(connection: &Connection, approval: &Approval) -> Result<(), StoreError> {
    let query = "UPDATE approvals SET stage = ?2, deadline = ?3, record = ?4 WHERE id = ?1";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    let deadline = next_deadline(approval).map(Timestamp::millis);
    let row = params![bytes(approval.id), approval.stage.name(), deadline, wire::kept(approval)?];
    match statement.execute(row).map_err(told)? {
        1 => Ok(()),
        _ => Err(StoreError::Damaged("an approval is gone that was there a moment ago".to_owned())),
    }
}

/// How many refusals of an approval are written that changed nothing.
pub(super) fn refusals(connection: &Connection, id: ApprovalId) -> Result<u32, StoreError> {
    let mut statement = connection.prepare_cached("SELECT refusals FROM approvals WHERE id = ?1").map_err(told)?;
    statement.query_row([bytes(id)], |row| row.get(0)).map_err(told)
}

pub(super) fn count_refusal(connection: &Connection, id: ApprovalId) -> Result<(), StoreError> {
    let query = "UPDATE approvals SET refusals = refusals + 1 WHERE id = ?1";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    statement.execute([bytes(id)]).map(|_| ()).map_err(told)
}

pub(super) fn due(connection: &Connection, now: Timestamp, at_most: u32) -> Result<Vec<ApprovalId>, StoreError> {
    let query = "SELECT id FROM approvals WHERE deadline <= ?1 ORDER BY deadline LIMIT ?2";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    let row = params![now.millis(), at_most.min(LISTED_AT_MOST)];
    let ids = statement.query_map(row, |row| row.get(0).map(u128::from_be_bytes)).map_err(told)?;
    ids.map(|id| id.map(ApprovalId::from_bits).map_err(told)).collect()
}

/// Takes an approval that cannot be read off the clock, so that it does not stand in the way of those that can.
pub(super) fn set_aside(connection: &Connection, id: ApprovalId) -> Result<(), StoreError> {
    let query = "UPDATE approvals SET deadline = NULL WHERE id = ?1";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    statement.execute([bytes(id)]).map(|_| ()).map_err(told)
}

pub(super) fn next_due(connection: &Connection) -> Result<Option<Timestamp>, StoreError> {
    let query = "SELECT min(deadline) FROM approvals WHERE deadline IS NOT NULL";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    let next: Option<i64> = statement.query_row([], |row| row.get(0)).map_err(told)?;
    Ok(next.map(Timestamp::from_millis))
}

pub(super) fn list(connection: &Connection, wanted: &Wanted) -> Result<Vec<Approval>, StoreError> {
    let Wanted { stage, agent, session, before, at_most } = wanted;
    let before = before.map(bytes);
    let mut conditions = Vec::new();
    let mut values: Vec<&dyn ToSql> = Vec::new();
    let mut narrow = |condition, value| {
        conditions.push(condition);
        values.push(value);
    };
    if let Some(stage) = stage {
        narrow("stage = ?", stage as &dyn ToSql);
    }
    let (agent, session) = (agent.as_ref().map(|agent| agent.as_str()), session.as_ref().map(|one| one.as_str()));
    if let Some(agent) = &agent {
        narrow("agent = ?", agent as &dyn ToSql);
    }
    if let Some(session) = &session {
        narrow("session = ?", session as &dyn ToSql);
    }
    if let Some(before) = &before {
        narrow("id < ?", before as &dyn ToSql);
    }
    let at_most = (*at_most).min(LISTED_AT_MOST);
    values.push(&at_most);
    let conditions = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" AND ") };
    let query = format!("SELECT record FROM approvals WHERE {conditions} ORDER BY id DESC LIMIT ?");
    let mut statement = connection.prepare_cached(&query).map_err(told)?;
    let records = statement.query_map(params_from_iter(values), |row| row.get(0)).map_err(told)?;
    // One that cannot be read does not hide the others; the ledger says of it when its time has come.
    let readable = |record: Result<String, _>| match record.map_err(told).and_then(parsed) {
        Err(StoreError::Damaged(_)) => None,
        other => Some(other),
    };
    records.filter_map(readable).collect()
}

/// How many questions nobody has decided yet.
pub(super) fn pending(connection: &Connection) -> Result<u64, StoreError> {
    let query = "SELECT count(*) FROM approvals WHERE stage = 'pending'";
    connection.query_row(query, [], |row| row.get(0)).map_err(told)
}

/// The moment of the latest entry: no clock goes back behind it.
pub(super) fn latest(connection: &Connection) -> Result<Timestamp, StoreError> {
    let query = "SELECT at FROM ledger ORDER BY number DESC LIMIT 1";
    let at: Option<i64> = connection.query_row(query, [], |row| row.get(0)).optional().map_err(told)?;
    Ok(at.map_or(Timestamp::default(), Timestamp::from_millis))
}

/// The end of the ledger.
pub(super) fn head(connection: &Connection) -> Result<Head, StoreError> {
    let query = "SELECT number, digest FROM ledger ORDER BY number DESC LIMIT 1";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    let last = statement
        .query_row([], |row| Ok((row.get::<_, u64>(0)?, Digest::from_bytes(row.get(1)?))))
        .optional()
        .map_err(told)?;
    Ok(last.map_or(Head::EMPTY, |(number, digest)| Head { number, digest }))
}

/// Adds an entry to the ledger and says where it ends now.
pub(super) fn append(connection: &Connection, head: Head, deed: &Deed, now: Timestamp) -> Result<Head, StoreError> {
    let body = wire::body(deed, now);
    let next = head.with(&body);
    let query = "INSERT INTO ledger (number, at, approval, body, digest) VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    let row = params![next.number, now.millis(), deed.approval.map(bytes), body, next.digest.as_bytes()];
    statement.execute(row).map_err(told)?;
    Ok(next)
}

pub(super) fn ledger(connection: &Connection, after: u64, at_most: u32) -> Result<Vec<LedgerEntry>, StoreError> {
    let query = "SELECT number, at, approval, body, digest FROM ledger WHERE number > ?1 ORDER BY number LIMIT ?2";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    let entry = |row: &Row<'_>| {
        Ok(LedgerEntry {
            number: row.get(0)?,
            at: Timestamp::from_millis(row.get(1)?),
            approval: row.get::<_, Option<[u8; 16]>>(2)?.map(|id| ApprovalId::from_bits(u128::from_be_bytes(id))),
            body: row.get(3)?,
            digest: Digest::from_bytes(row.get(4)?),
        })
    };
    let entries = statement.query_map(params![after, at_most.min(LISTED_AT_MOST)], entry).map_err(told)?;
    entries.map(|entry| entry.map_err(told)).collect()
}

pub(super) fn subjects(connection: &Connection, after: u64, at_most: u32) -> Result<Vec<Subject>, StoreError> {
    let query = "SELECT number, approval FROM ledger WHERE number > ?1 ORDER BY number LIMIT ?2";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    let subject = |row: &Row<'_>| {
        let approval = row.get::<_, Option<[u8; 16]>>(1)?.map(|id| ApprovalId::from_bits(u128::from_be_bytes(id)));
        Ok(Subject { number: row.get(0)?, approval })
    };
    let subjects = statement.query_map(params![after, at_most.min(LISTED_AT_MOST)], subject).map_err(told)?;
    subjects.map(|subject| subject.map_err(told)).collect()
}

/// The number of the first entry about an approval on which time still runs.
pub(super) fn first_open(connection: &Connection) -> Result<Option<u64>, StoreError> {
    let query = "SELECT min((SELECT min(number) FROM ledger WHERE approval = id))
                 FROM approvals WHERE deadline IS NOT NULL";
    connection.query_row(query, [], |row| row.get(0)).map_err(told)
}

/// Removes the earliest entries up to one, and says how many. The last one of all stays: by it the next one is found.
pub(super) fn sweep(connection: &Connection, up_to: u64, at_most: u32) -> Result<u64, StoreError> {
    let query = "DELETE FROM ledger WHERE number IN (
                     SELECT number FROM ledger WHERE number <= ?1 AND number < (SELECT max(number) FROM ledger)
                     ORDER BY number LIMIT ?2)";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    let up_to = i64::try_from(up_to).unwrap_or(i64::MAX);
    let removed = statement.execute(params![up_to, at_most.min(LISTED_AT_MOST)]).map_err(told)?;
    Ok(u64::try_from(removed).unwrap_or(u64::MAX))
}

pub(super) fn item(connection: &Connection, shelf: &str, name: &str) -> Result<Option<String>, StoreError> {
    let query = "SELECT text FROM items WHERE shelf = ?1 AND name = ?2";
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    statement.query_row([shelf, name], |row| row.get(0)).optional().map_err(told)
}

pub(super) fn items(
    connection: &Connection,
    shelf: &str,
    after: Option<&str>,
    at_most: u32,
) -> Result<Vec<Item>, StoreError> {
    // Each of these goes straight to its place in the index.
    let query = match after {
        Some(_) => "SELECT name, text FROM items WHERE shelf = ?1 AND name > ?2 ORDER BY name LIMIT ?3",
        None => "SELECT name, text FROM items WHERE shelf = ?1 AND name >= ?2 ORDER BY name LIMIT ?3",
    };
    let mut statement = connection.prepare_cached(query).map_err(told)?;
    let values = params![shelf, after.map_or("", items::behind), at_most.min(LISTED_AT_MOST)];
    let item = |row: &Row<'_>| Ok(Item { name: row.get(0)?, text: row.get(1)? });
    let items = statement.query_map(values, item).map_err(told)?;
    items.map(|item| item.map_err(told)).collect()
}

/// Makes a thing what it becomes, or takes it away.
pub(super) fn put(connection: &Connection, (shelf, name): &Place, text: Option<&str>) -> Result<(), StoreError> {
    match text {
        Some(text) => {
            let query = "INSERT INTO items (shelf, name, text) VALUES (?1, ?2, ?3)
                         ON CONFLICT (shelf, name) DO UPDATE SET text = excluded.text";
            let mut statement = connection.prepare_cached(query).map_err(told)?;
            statement.execute(params![shelf, name, text]).map(|_| ()).map_err(told)
        }
        None => {
            let query = "DELETE FROM items WHERE shelf = ?1 AND name = ?2";
            let mut statement = connection.prepare_cached(query).map_err(told)?;
            statement.execute(params![shelf, name]).map(|_| ()).map_err(told)
        }
    }
}
