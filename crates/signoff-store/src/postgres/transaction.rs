//! One transaction: hold what it is about, hold the head of the ledger, write, commit.
//!
//! The isolation level is *read committed*, with everything locked that a change depends on. A statement behind a lock sees
//! what whoever held it before has committed, and goes on; the stricter levels would see the world of their beginning, and end
//! with an error wherever two nodes meet.
//!
//! No two nodes wait for each other: all take locks in one order, approvals by their ids in one statement and the head behind
//! them, and nobody waits for anything while it holds the head. Whatever is written is written under the head, so that what is
//! read under it (the clock, the keys of requests) stays as it is until the commit. It is held for one answer, the time that
//! the jobs take in memory, one more answer, and the flush.

use std::collections::BTreeMap;

use signoff_gate::{StoreError, next_deadline};
use signoff_model::{ApprovalId, Digest, Timestamp};
use tokio_postgres::{Client, Config, Row, Statement};

use super::{
    batch::{Changes, Kept, Needs, Rows, parsed},
    fault::{Fault, is_refusal, unreadable},
    schema, session,
};
use crate::{chain::Head, items::Becoming};

const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

const HOLD_APPROVALS: &str = "SELECT id, record, refusals FROM signoff.approvals
                              WHERE id = ANY($1) ORDER BY id FOR UPDATE";

const HOLD_HEAD: &str = "SELECT number, digest, at FROM signoff.head FOR UPDATE";

/// What is only true under the head, and so has to be asked behind it. The number is asked twice: it tells that nobody has
/// written in between, whatever becomes of the order in which these are sent.
const LOOK: &str = "SELECT version, number, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
                           gen_random_uuid()::text
                    FROM signoff.version, signoff.head";

const BY_KEY: &str = "SELECT id, agent, session, request_key, record
                      FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted (of_agent, of_session, of_key)
                      JOIN signoff.approvals ON agent = of_agent AND session = of_session AND request_key = of_key";

/// All of it in one statement, so that the head is held for one answer only. Listeners hear of it when it is committed, and
/// how long the ledger is then.
const WRITE: &str = "
    WITH moved AS (
        UPDATE signoff.head SET number = $1::bigint, digest = $2::bytea, at = $3::bigint
        WHERE number = $1::bigint - cardinality($4::bigint[]) RETURNING 1
    ), entered AS (
        INSERT INTO signoff.ledger (number, at, approval, body, digest, batch)
        SELECT entry, $3::bigint, approval, body, digest, $8::text::uuid
        FROM unnest($4::bigint[], $5::bytea[], $6::text[], $7::bytea[]) AS entries (entry, approval, body, digest)
        RETURNING 1
    ), added AS (
        INSERT INTO signoff.approvals (id, agent, request_key, session, stage, deadline, record, refusals)
        SELECT * FROM unnest($9::bytea[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bigint[], $15::text[],
                             $20::bigint[])
        RETURNING 1
    ), changed AS (
        UPDATE signoff.approvals AS kept SET stage = becomes.stage, deadline = becomes.deadline, record = becomes.record,
                                            refusals = becomes.refusals
        FROM unnest($16::bytea[], $17::text[], $18::bigint[], $19::text[], $21::bigint[])
             AS becomes (id, stage, deadline, record, refusals)
        WHERE kept.id = becomes.id
        RETURNING 1
    ), aside AS (
        UPDATE signoff.approvals SET deadline = NULL WHERE id = ANY($22::bytea[]) RETURNING 1
    )
    SELECT (SELECT count(*) FROM moved), (SELECT count(*) FROM entered),
           (SELECT count(*) FROM added), (SELECT count(*) FROM changed), (SELECT count(*) FROM aside),
           pg_notify('signoff_ledger', ($1::bigint)::text)::text";

/// Read under the head, and so as it stays until the commit.
pub(super) const ITEMS: &str = "SELECT at_shelf, by_name, text
                     FROM unnest($1::text[], $2::text[]) AS wanted (at_shelf, by_name)
                     JOIN signoff.items ON shelf = at_shelf AND name = by_name";

const WRITE_ITEMS: &str = "
    WITH taken AS (
        DELETE FROM signoff.items USING unnest($1::text[], $2::text[]) AS gone (of_shelf, of_name)
        WHERE shelf = of_shelf AND name = of_name
        RETURNING 1
    ), put AS (
        INSERT INTO signoff.items (shelf, name, text)
        SELECT * FROM unnest($3::text[], $4::text[], $5::text[])
        ON CONFLICT (shelf, name) DO UPDATE SET text = excluded.text
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM taken), (SELECT count(*) FROM put)";

/// Nobody looks any more for what other nodes have left a day ago.
const WRITE_QUIET: &str = "
    WITH swept AS (DELETE FROM signoff.quiet WHERE at < $3::bigint - 86400000 AND node <> $1::text::uuid)
    INSERT INTO signoff.quiet (node, batch, at) VALUES ($1::text::uuid, $2::text::uuid, $3::bigint)
    ON CONFLICT (node) DO UPDATE SET batch = excluded.batch, at = excluded.at";

const HAS_KEPT_QUIETLY: &str =
    "SELECT count(*) FROM signoff.quiet WHERE node = $1::text::uuid AND batch = $2::text::uuid";

pub(super) const CLOCK: &str =
    "SELECT at, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM signoff.head";

const DUE: &str = "SELECT id FROM signoff.approvals WHERE deadline <= $1 ORDER BY deadline, id LIMIT $2";

const NEXT_DUE: &str = "SELECT min(deadline) FROM signoff.approvals WHERE deadline IS NOT NULL";

const HAS_KEPT: &str = "SELECT count(*) FROM signoff.ledger WHERE number = $1 AND batch = $2::text::uuid";

/// The session that a node writes with.
pub(super) struct Pen {
    client: Client,
    hold_approvals: Statement,
    hold_head: Statement,
    look: Statement,
    by_key: Statement,
    items: Statement,
    write: Statement,
    write_items: Statement,
    write_quiet: Statement,
}

/// What a transaction has found and holds.
pub(super) struct Held {
    pub(super) rows: Rows,
    pub(super) head: Head,
    /// The moment of the newest entry.
    pub(super) newest: Timestamp,
    /// What the clock of the database says.
    pub(super) clock: Timestamp,
    /// What this transaction is called, and no other.
    pub(super) batch: String,
}

/// A commit that was sent and not answered.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    pub(super) trace: Trace,
    pub(super) batch: String,
}

/// By what a commit is found again.
#[derive(Clone, Debug)]
pub(super) enum Trace {
    /// Its last entry in the ledger.
    Entry(u64),
    /// What this node has left, since there is no entry.
    Quiet(String),
}

/// How a commit ended that was not answered with a yes.
pub(super) enum Uncommitted {
    /// The server has undone it.
    Refused(Fault),
    /// Nobody knows.
    InDoubt(Fault),
}

impl Pen {
    pub(super) async fn open(config: &Config) -> Result<Self, Fault> {
        let client = session::open_for_keys(config).await?;
        let (hold_approvals, hold_head, look, by_key, items, write, write_items, write_quiet) = tokio::try_join!(
            client.prepare(HOLD_APPROVALS),
            client.prepare(HOLD_HEAD),
            client.prepare(LOOK),
            client.prepare(BY_KEY),
            client.prepare(ITEMS),
            client.prepare(WRITE),
            client.prepare(WRITE_ITEMS),
            client.prepare(WRITE_QUIET),
        )?;
        Ok(Self { client, hold_approvals, hold_head, look, by_key, items, write, write_items, write_quiet })
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Begins a transaction, and takes hold of all that it needs. Everything is sent at once, and answered in this order.
    pub(super) async fn hold(&self, needs: &Needs) -> Result<Held, Fault> {
        let ids: Vec<[u8; 16]> = needs.ids.iter().copied().map(bytes).collect();
        let ids: Vec<&[u8]> = ids.iter().map(<[u8; 16]>::as_slice).collect();
        let agents: Vec<&str> = needs.keys.iter().map(|(agent, _, _)| agent.as_str()).collect();
        let sessions: Vec<&str> = needs.keys.iter().map(|(_, session, _)| session.as_str()).collect();
        let keys: Vec<&str> = needs.keys.iter().map(|(_, _, key)| key.as_str()).collect();
        let shelves: Vec<&str> = needs.places.iter().map(|(shelf, _)| *shelf).collect();
        let names: Vec<&str> = needs.places.iter().map(|(_, name)| name.as_str()).collect();
        let ((), held, head, look, by_key, items_found) = tokio::try_join!(
            biased;
            self.client.batch_execute(BEGIN),
            async { self.client.query(&self.hold_approvals, &[&ids]).await },
            async { self.client.query_one(&self.hold_head, &[]).await },
            async { self.client.query_one(&self.look, &[]).await },
            async {
                // Most transactions ask nothing new.
                if keys.is_empty() {
                    return Ok(Vec::new());
                }
                self.client.query(&self.by_key, &[&agents, &sessions, &keys]).await
            },
            async {
                if names.is_empty() {
                    return Ok(Vec::new());
                }
                self.client.query(&self.items, &[&shelves, &names]).await
            },
        )?;
        let (version, number): (i64, i64) = (column(&look, 0)?, column(&look, 1)?);
        if version > schema::known() {
            return Err(Fault::Final(StoreError::Newer { found: version, known: schema::known() }));
        }
        if number != column::<i64>(&head, 0)? {
            return Err(Fault::Contended("somebody has written without holding the ledger".to_owned()));
        }
        let mut found = Held {
            rows: Rows::default(),
            head: Head { number: natural(number)?, digest: digest(column(&head, 1)?)? },
            newest: Timestamp::from_millis(column(&head, 2)?),
            clock: Timestamp::from_millis(column(&look, 2)?),
            batch: column(&look, 3)?,
        };
        for row in &held {
            let id = id(column(row, 0)?)?;
            found.rows.approvals.insert(id, parsed(column(row, 1)?));
            let refusals: i64 = column(row, 2)?;
            found.rows.refusals.insert(id, u32::try_from(refusals).unwrap_or(u32::MAX));
        }
        for row in &by_key {
            let id = id(column(row, 0)?)?;
            found.rows.keys.insert((column(row, 1)?, column(row, 2)?, column(row, 3)?), id);
            found.rows.approvals.entry(id).or_insert(parsed(column(row, 4)?));
        }
        let mut items: BTreeMap<(&str, &str), String> = BTreeMap::new();
        for row in &items_found {
            items.insert((column(row, 0)?, column(row, 1)?), column(row, 2)?);
        }
        for place in &needs.places {
            if let Some(text) = items.remove(&(place.0, place.1.as_str())) {
                found.rows.items.insert(place.clone(), text);
            }
        }
        Ok(found)
    }

    /// Writes what the jobs have come to, under the head.
    pub(super) async fn write(&self, changes: &Changes, doubt: &Doubt) -> Result<(), Fault> {
        tokio::try_join!(
            biased;
            async {
                match &doubt.trace {
                    Trace::Entry(_) => self.write_entries(changes, &doubt.batch).await,
                    Trace::Quiet(node) => self.leave_trace(node, &doubt.batch, changes.now).await,
                }
            },
            self.write_items(&changes.items),
        )?;
        Ok(())
    }

    async fn leave_trace(&self, node: &str, batch: &str, now: Timestamp) -> Result<(), Fault> {
        self.client.execute(&self.write_quiet, &[&node, &batch, &now.millis()]).await?;
        Ok(())
    }

    async fn write_items(&self, items: &Becoming) -> Result<(), Fault> {
        // Most transactions are about approvals.
        if items.is_empty() {
            return Ok(());
        }
        let (mut gone, mut put) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new(), Vec::new()));
        for ((shelf, name), text) in items {
            match text {
                Some(text) => {
                    put.0.push(*shelf);
                    put.1.push(name.as_str());
                    put.2.push(text.as_str());
                }
                None => {
                    gone.0.push(*shelf);
                    gone.1.push(name.as_str());
                }
            }
        }
        let row = self.client.query_one(&self.write_items, &[&gone.0, &gone.1, &put.0, &put.1, &put.2]).await?;
        let written: [i64; 2] = [column(&row, 0)?, column(&row, 1)?];
        let meant = [gone.0.len(), put.0.len()].map(|count| i64::try_from(count).unwrap_or(-1));
        if written != meant {
            return Err(Fault::damaged(format!("{meant:?} things were to change, and {written:?} did")));
        }
        Ok(())
    }

    async fn write_entries(&self, changes: &Changes, batch: &str) -> Result<(), Fault> {
        let Changes { new, changed, aside, items: _, entries, head, now } = changes;
        let aside: Vec<[u8; 16]> = aside.iter().copied().map(bytes).collect();
        let aside: Vec<&[u8]> = aside.iter().map(<[u8; 16]>::as_slice).collect();
        let number = whole(head.number)?;
        let numbers: Vec<i64> = entries.iter().map(|entry| whole(entry.number)).collect::<Result<_, _>>()?;
        let about: Vec<Option<[u8; 16]>> = entries.iter().map(|entry| entry.approval.map(bytes)).collect();
        let about: Vec<Option<&[u8]>> = about.iter().map(|id| id.as_ref().map(<[u8; 16]>::as_slice)).collect();
        let bodies: Vec<&str> = entries.iter().map(|entry| entry.body.as_str()).collect();
        let digests: Vec<&[u8]> = entries.iter().map(|entry| entry.digest.as_bytes().as_slice()).collect();
        let (new, changed) = (Columns::of(new), Columns::of(changed));
        let row = self
            .client
            .query_one(
                &self.write,
                &[
                    &number,
                    &head.digest.as_bytes().as_slice(),
                    &now.millis(),
                    &numbers,
                    &about,
                    &bodies,
                    &digests,
                    &batch,
                    &new.ids(),
                    &new.agents,
                    &new.keys,
                    &new.sessions,
                    &new.stages,
                    &new.deadlines,
                    &new.records,
                    &changed.ids(),
                    &changed.stages,
                    &changed.deadlines,
                    &changed.records,
                    &new.refusals,
                    &changed.refusals,
                    &aside,
                ],
            )
            .await?;
        let written: [i64; 5] =
            [column(&row, 0)?, column(&row, 1)?, column(&row, 2)?, column(&row, 3)?, column(&row, 4)?];
        let meant = [1, numbers.len(), new.records.len(), changed.records.len(), aside.len()]
            .map(|count| i64::try_from(count).unwrap_or(-1));
        if written != meant {
            return Err(Fault::damaged(format!("{meant:?} rows were to be written, and {written:?} were")));
        }
        Ok(())
    }

    pub(super) async fn commit(&self) -> Result<(), Uncommitted> {
        self.client.batch_execute("COMMIT").await.map_err(|error| {
            let refused = is_refusal(&error);
            let fault = Fault::from(error);
            if refused { Uncommitted::Refused(fault) } else { Uncommitted::InDoubt(fault) }
        })
    }

    pub(super) async fn roll_back(&self) -> Result<(), Fault> {
        Ok(self.client.batch_execute("ROLLBACK").await?)
    }

    /// Whether a commit that was not answered was kept. Whoever sent it held the head, so that whoever holds the head now knows
    /// that it has ended, one way or the other.
    pub(super) async fn has_kept(&self, doubt: &Doubt) -> Result<bool, Fault> {
        self.client.batch_execute(BEGIN).await?;
        self.client.query_one(&self.hold_head, &[]).await?;
        let row = match &doubt.trace {
            Trace::Entry(number) => self.client.query_one(HAS_KEPT, &[&whole(*number)?, &doubt.batch]).await?,
            Trace::Quiet(node) => self.client.query_one(HAS_KEPT_QUIETLY, &[node, &doubt.batch]).await?,
        };
        self.roll_back().await?;
        Ok(column::<i64>(&row, 0)? > 0)
    }

    /// The moment of the newest entry, and what the clock of the database says. Nothing is held.
    pub(super) async fn moments(&self) -> Result<(Timestamp, Timestamp), Fault> {
        let row = self.client.query_one(CLOCK, &[]).await?;
        Ok((Timestamp::from_millis(column(&row, 0)?), Timestamp::from_millis(column(&row, 1)?)))
    }

    /// What is due at a moment. Nothing is held, so that it is only a hint.
    pub(super) async fn due(&self, now: Timestamp, at_most: u32) -> Result<Vec<ApprovalId>, Fault> {
        let rows = self.client.query(DUE, &[&now.millis(), &i64::from(at_most)]).await?;
        rows.iter().map(|row| id(column(row, 0)?)).collect()
    }

    pub(super) async fn next_due(&self) -> Result<Option<Timestamp>, Fault> {
        let row = self.client.query_one(NEXT_DUE, &[]).await?;
        Ok(column::<Option<i64>>(&row, 0)?.map(Timestamp::from_millis))
    }
}

/// Approvals as columns.
struct Columns<'a> {
    ids: Vec<[u8; 16]>,
    agents: Vec<&'a str>,
    keys: Vec<&'a str>,
    sessions: Vec<&'a str>,
    stages: Vec<&'a str>,
    deadlines: Vec<Option<i64>>,
    records: Vec<String>,
    refusals: Vec<i64>,
}

impl<'a> Columns<'a> {
    fn of(kept: &'a [Kept]) -> Self {
        let approvals = || kept.iter().map(|kept| &kept.approval);
        Self {
            ids: approvals().map(|one| bytes(one.id)).collect(),
            agents: approvals().map(|one| one.requester.agent.as_str()).collect(),
            keys: approvals().map(|one| one.key.as_str()).collect(),
            sessions: approvals().map(|one| one.requester.session.as_str()).collect(),
            stages: approvals().map(|one| one.stage.name()).collect(),
            deadlines: approvals().map(|one| next_deadline(one).map(Timestamp::millis)).collect(),
            records: approvals().map(crate::wire::write).collect(),
            refusals: kept.iter().map(|kept| i64::from(kept.refusals)).collect(),
        }
    }

    fn ids(&self) -> Vec<&[u8]> {
        self.ids.iter().map(<[u8; 16]>::as_slice).collect()
    }
}

pub(super) fn column<'r, T: tokio_postgres::types::FromSql<'r>>(row: &'r Row, at: usize) -> Result<T, Fault> {
    row.try_get(at).map_err(unreadable)
}

pub(super) fn bytes(id: ApprovalId) -> [u8; 16] {
    id.bits().to_be_bytes()
}

pub(super) fn id(bytes: &[u8]) -> Result<ApprovalId, Fault> {
    let bits = bytes.try_into().map_err(|_| Fault::damaged("an approval has an id that is none"))?;
    Ok(ApprovalId::from_bits(u128::from_be_bytes(bits)))
}

pub(super) fn digest(bytes: &[u8]) -> Result<Digest, Fault> {
    Ok(Digest::from_bytes(bytes.try_into().map_err(|_| Fault::damaged("an entry has a digest that is none"))?))
}

pub(super) fn natural(number: i64) -> Result<u64, Fault> {
    u64::try_from(number).map_err(|_| Fault::damaged("an entry has a number below nought"))
}

fn whole(number: u64) -> Result<i64, Fault> {
    i64::try_from(number).map_err(|_| Fault::damaged("the ledger has more entries than there are numbers"))
}
