//! Small reads, which go together: while one answer is on its way, whoever wants something else gathers, and all of that is asked
//! at once. Nobody is told anything that was read before they asked.

use std::collections::{BTreeSet, HashMap};

use signoff_gate::{Item, StoreError};
use signoff_model::{Approval, ApprovalId, Timestamp};
use tokio::{sync::mpsc, time::timeout_at};
use tokio_postgres::{Client, Config, Row, Statement};

use super::{
    batch::{Found, parsed},
    fault::Fault,
    job::Answer,
    patience::{Patience, Server},
    session,
    transaction::{CLOCK, ITEMS, bytes, column, id},
};
use crate::{LISTED_AT_MOST, items::Place};

/// So many are asked at once.
const TOGETHER_AT_MOST: usize = 256;

const APPROVALS: &str = "SELECT id, record FROM signoff.approvals WHERE id = ANY($1)";

const SHELVES: &str = "SELECT wanted.number, found.name, found.text
                       FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY
                            AS wanted (at_shelf, after, at_most, number)
                       CROSS JOIN LATERAL (
                           SELECT name, text FROM signoff.items
                           WHERE shelf = at_shelf AND name >= coalesce(after, '') AND (after IS NULL OR name > after)
                           ORDER BY name LIMIT at_most
                       ) AS found
                       ORDER BY wanted.number, found.name";

/// The moment of the newest entry, and what the clock of the database says.
pub(super) type Moments = (Timestamp, Timestamp);

/// A shelf, the name behind which its things are wanted, and how many.
pub(super) type Stretch = (&'static str, Option<String>, u32);

/// Something that somebody wants to know.
pub(super) enum Read {
    Approval(ApprovalId, Answer<Option<Approval>>),
    Item(Place, Answer<Option<String>>),
    Items(Stretch, Answer<Vec<Item>>),
    Moments(Answer<Moments>),
}

/// The task that reads.
pub(super) struct Gatherer {
    config: Config,
    /// None where there is no connection.
    lens: Option<Lens>,
}

impl Gatherer {
    pub(super) const fn new(config: Config) -> Self {
        Self { config, lens: None }
    }

    /// Reads until nobody can want anything any more.
    pub(super) async fn run(mut self, mut reads: mpsc::Receiver<Read>) {
        let mut together = Vec::new();
        while reads.recv_many(&mut together, TOGETHER_AT_MOST).await > 0 {
            // Whoever is about to want something comes first.
            tokio::task::yield_now().await;
            while let Ok(read) = reads.try_recv() {
                together.push(read);
            }
            let wanted = Wanted::of(&together);
            let seen = self.seen(&wanted).await;
            for read in together.drain(..) {
                match &seen {
                    Ok(seen) => seen.tell(read),
                    Err(error) => refuse(read, error),
                }
            }
        }
    }

    /// Asks, again where the connection was lost.
    async fn seen(&mut self, wanted: &Wanted) -> Result<Seen, StoreError> {
        let mut patience = Patience::new();
        loop {
            let fault = match timeout_at(patience.until(), self.attempt(wanted)).await {
                Ok(Ok(seen)) => return Ok(seen),
                Ok(Err(fault)) => fault,
                Err(_) => Fault::Lost("the database does not answer".to_owned()),
            };
            if !patience.bears(&fault, Server::There).await {
                return Err(fault.told());
            }
        }
    }

    /// Asks once. A connection on which something went wrong is not used again.
    async fn attempt(&mut self, wanted: &Wanted) -> Result<Seen, Fault> {
        let lens = match self.lens.take().filter(|lens| !lens.client.is_closed()) {
            Some(lens) => lens,
            None => Lens::open(&self.config).await?,
        };
        let seen = lens.look(wanted).await?;
        self.lens = Some(lens);
        Ok(seen)
    }
}

/// All that is wanted, each once.
#[derive(Default)]
struct Wanted {
    approvals: BTreeSet<ApprovalId>,
    places: BTreeSet<Place>,
    stretches: BTreeSet<Stretch>,
    moments: bool,
}

impl Wanted {
    fn of(reads: &[Read]) -> Self {
        let mut wanted = Self::default();
        for read in reads {
            match read {
                Read::Approval(id, _) => drop(wanted.approvals.insert(*id)),
                Read::Item(place, _) => drop(wanted.places.insert(place.clone())),
                Read::Items(stretch, _) => drop(wanted.stretches.insert(stretch.clone())),
                Read::Moments(_) => wanted.moments = true,
            }
        }
        wanted
    }
}

/// What there is of it.
#[derive(Default)]
struct Seen {
    approvals: HashMap<ApprovalId, Found>,
    items: HashMap<Place, String>,
    stretches: HashMap<Stretch, Vec<Item>>,
    moments: Option<Moments>,
}

impl Seen {
    /// Tells somebody what they want to know. Who has gone away in the meantime asks again.
    fn tell(&self, read: Read) {
        match read {
            Read::Approval(id, answer) => drop(answer.send(self.approvals.get(&id).cloned().transpose())),
            Read::Item(place, answer) => drop(answer.send(Ok(self.items.get(&place).cloned()))),
            Read::Items(stretch, answer) => {
                drop(answer.send(Ok(self.stretches.get(&stretch).cloned().unwrap_or_default())));
            }
            Read::Moments(answer) => {
                let headless = || StoreError::Damaged("the ledger has no head".to_owned());
                drop(answer.send(self.moments.ok_or_else(headless)));
            }
        }
    }
}

fn refuse(read: Read, error: &StoreError) {
    let error = error.clone();
    match read {
        Read::Approval(_, answer) => drop(answer.send(Err(error))),
        Read::Item(_, answer) => drop(answer.send(Err(error))),
        Read::Items(_, answer) => drop(answer.send(Err(error))),
        Read::Moments(answer) => drop(answer.send(Err(error))),
    }
}

/// The session that reads.
struct Lens {
    client: Client,
    approvals: Statement,
    items: Statement,
    shelves: Statement,
    clock: Statement,
}

impl Lens {
    async fn open(config: &Config) -> Result<Self, Fault> {
        let client = session::open_for_keys(config).await?;
        let (approvals, items, shelves, clock) = tokio::try_join!(
            client.prepare(APPROVALS),
            client.prepare(ITEMS),
            client.prepare(SHELVES),
            client.prepare(CLOCK),
        )?;
        Ok(Self { client, approvals, items, shelves, clock })
    }

    /// Asks for all of it at once.
    async fn look(&self, wanted: &Wanted) -> Result<Seen, Fault> {
        let (approvals, items, stretches, moments) = tokio::try_join!(
            self.approvals(&wanted.approvals),
            self.items(&wanted.places),
            self.stretches(&wanted.stretches),
            self.moments(wanted.moments),
        )?;
        Ok(Seen { approvals, items, stretches, moments })
    }

    async fn approvals(&self, ids: &BTreeSet<ApprovalId>) -> Result<HashMap<ApprovalId, Found>, Fault> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let ids: Vec<[u8; 16]> = ids.iter().copied().map(bytes).collect();
        let ids: Vec<&[u8]> = ids.iter().map(<[u8; 16]>::as_slice).collect();
        let rows = self.client.query(&self.approvals, &[&ids]).await?;
        rows.iter().map(|row| Ok((id(column(row, 0)?)?, parsed(column(row, 1)?)))).collect()
    }

    async fn items(&self, places: &BTreeSet<Place>) -> Result<HashMap<Place, String>, Fault> {
        if places.is_empty() {
            return Ok(HashMap::new());
        }
        let shelves: Vec<&str> = places.iter().map(|(shelf, _)| *shelf).collect();
        let names: Vec<&str> = places.iter().map(|(_, name)| name.as_str()).collect();
        let rows = self.client.query(&self.items, &[&shelves, &names]).await?;
        let mut found: HashMap<(&str, &str), String> = HashMap::new();
        for row in &rows {
            found.insert((column(row, 0)?, column(row, 1)?), column(row, 2)?);
        }
        let mut texts = HashMap::new();
        for place in places {
            if let Some(text) = found.remove(&(place.0, place.1.as_str())) {
                texts.insert(place.clone(), text);
            }
        }
        Ok(texts)
    }

    async fn stretches(&self, stretches: &BTreeSet<Stretch>) -> Result<HashMap<Stretch, Vec<Item>>, Fault> {
        if stretches.is_empty() {
            return Ok(HashMap::new());
        }
        let shelves: Vec<&str> = stretches.iter().map(|(shelf, ..)| *shelf).collect();
        let behind: Vec<Option<&str>> = stretches.iter().map(|(_, after, _)| after.as_deref()).collect();
        let at_most: Vec<i64> =
            stretches.iter().map(|(_, _, at_most)| i64::from((*at_most).min(LISTED_AT_MOST))).collect();
        let rows = self.client.query(&self.shelves, &[&shelves, &behind, &at_most]).await?;
        let mut found: Vec<Vec<Item>> = vec![Vec::new(); stretches.len()];
        for row in &rows {
            let unknown = || Fault::damaged("a shelf was told of that nobody has asked for");
            let at = usize::try_from(column::<i64>(row, 0)?).ok().and_then(|number| number.checked_sub(1));
            let stretch = at.and_then(|at| found.get_mut(at)).ok_or_else(unknown)?;
            stretch.push(Item { name: column(row, 1)?, text: column(row, 2)? });
        }
        Ok(stretches.iter().cloned().zip(found).collect())
    }

    async fn moments(&self, wanted: bool) -> Result<Option<Moments>, Fault> {
        if !wanted {
            return Ok(None);
        }
        let row = self.client.query_opt(&self.clock, &[]).await?;
        let moment = |row: &Row, at| column(row, at).map(Timestamp::from_millis);
        row.map(|row| Ok((moment(&row, 0)?, moment(&row, 1)?))).transpose()
    }
}
