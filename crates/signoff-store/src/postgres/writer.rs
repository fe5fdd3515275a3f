//! The one task of a node that writes. What waits goes into one transaction: nodes take turns at the head of the ledger, and a
//! turn costs a flush to the disk, however much is done in it.

use std::sync::Arc;

use signoff_gate::{StoreError, Subject};
use signoff_model::LedgerEntry;
use tokio::{
    sync::{mpsc, watch},
    time::timeout_at,
};
use tokio_postgres::Config;

use super::{
    batch::{Batch, Needs},
    fault::Fault,
    job::Job,
    patience::{Patience, Server},
    timekeeping::Shared,
    transaction::{Doubt, Held, Pen, Trace, Uncommitted},
};
use crate::{LISTED_AT_MOST, recent::Recent, work::Counted};

/// So many changes share one transaction at most.
const TOGETHER_AT_MOST: usize = 256;

pub(super) struct Writer {
    config: Config,
    time: Shared,
    news: Arc<watch::Sender<u64>>,
    recent: Arc<Recent>,
    work: Arc<Counted>,
    /// None where there is no connection, or one in a state that nobody knows.
    pen: Option<Pen>,
    /// Whether the transaction that was tried last was kept, where that is not known.
    doubt: Option<Doubt>,
    server: Server,
    /// What this node is called where it leaves a trace beside the ledger: its first transaction, which no other has.
    node: Option<String>,
    /// So many jobs of the transaction that was tried last have written something.
    changes: usize,
    /// What the entries of that transaction are about.
    subjects: Vec<Subject>,
}

/// Why jobs are not known to be kept.
enum Unkept {
    /// They are not.
    Not(Fault),
    /// The answer to their commit was lost, and could not be looked up.
    InDoubt(Fault),
}

impl Unkept {
    /// Whether it may be due to one of several jobs, so that the others can be kept without it.
    fn blames_one(&self) -> bool {
        matches!(self, Self::Not(Fault::Final(StoreError::Unavailable(_) | StoreError::Damaged(_))))
    }

    fn told(self) -> StoreError {
        match self {
            Self::Not(fault) => fault.told(),
            Self::InDoubt(fault) => StoreError::InDoubt(fault.told().to_string()),
        }
    }
}

impl Writer {
    pub(super) fn new(
        config: Config,
        time: Shared,
        (news, recent): (Arc<watch::Sender<u64>>, Arc<Recent>),
        work: Arc<Counted>,
    ) -> Self {
        let (changes, subjects) = (0, Vec::new());
        let server = Server::There;
        Self { config, time, news, recent, work, pen: None, doubt: None, server, node: None, changes, subjects }
    }

    /// Works until nobody can bring anything any more.
    pub(super) async fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        let mut together = Vec::new();
        while jobs.recv_many(&mut together, TOGETHER_AT_MOST).await > 0 {
            let kept = self.keep(&mut together).await;
            if together.len() > 1 && kept.as_ref().is_err_and(Unkept::blames_one) {
                for mut job in together.drain(..) {
                    let kept = self.keep(std::slice::from_mut(&mut job)).await;
                    job.tell(kept.map_err(Unkept::told));
                }
                continue;
            }
            let kept = kept.map_err(Unkept::told);
            for job in together.drain(..) {
                job.tell(kept.clone());
            }
        }
    }

    /// Does all jobs in one transaction, as often as it takes and as long as there is patience. Where one of them cannot be
    /// written, none is.
    async fn keep(&mut self, jobs: &mut [Job]) -> Result<(), Unkept> {
        let mut patience = Patience::new();
        loop {
            let fault = match timeout_at(patience.until(), self.attempt(jobs)).await {
                Ok(Ok(())) => return Ok(()),
                Ok(Err(fault)) => fault,
                Err(_) => Fault::Lost("the database does not answer".to_owned()),
            };
            if !patience.bears(&fault, self.server).await {
                if matches!(fault, Fault::Lost(_)) {
                    self.server = Server::Away;
                }
                return Err(match self.doubt.take() {
                    Some(_) => Unkept::InDoubt(fault),
                    None => Unkept::Not(fault),
                });
            }
        }
    }

    /// Tries it once. Whatever goes wrong, the connection is not used again: the server undoes what was begun on it.
    async fn attempt(&mut self, jobs: &mut [Job]) -> Result<(), Fault> {
        let pen = match self.pen.take().filter(|pen| !pen.is_closed()) {
            Some(pen) => pen,
            None => Pen::open(&self.config).await?,
        };
        self.server = Server::There;
        if let Some(doubt) = &self.doubt {
            let kept = pen.has_kept(doubt).await?.then(|| doubt.trace.clone());
            self.doubt = None;
            if let Some(trace) = kept {
                self.tell_of(&trace, jobs);
                self.pen = Some(pen);
                return Ok(());
            }
        }
        self.transact(&pen, jobs).await?;
        self.pen = Some(pen);
        Ok(())
    }

    async fn transact(&mut self, pen: &Pen, jobs: &mut [Job]) -> Result<(), Fault> {
        // What is due is looked for without holding anything, so that it can be held in the order of its ids.
        let ticked =
            jobs.iter().filter_map(|job| if let Job::Tick(wish) = job { Some(wish.wanted) } else { None }).max();
        let due = match ticked {
            Some(at_most) => {
                let (newest, clock) = pen.moments().await?;
                pen.due(self.time.moment(clock, newest), at_most.min(LISTED_AT_MOST)).await?
            }
            None => Vec::new(),
        };
        let needs = Needs::of(jobs, &due);
        if needs.is_nothing() {
            let next = if ticked.is_some() { pen.next_due().await? } else { None };
            let mut idle = Batch::idle();
            jobs.iter_mut().for_each(|job| {
                job.apply(&mut idle);
                job.set_next(next);
            });
            return Ok(());
        }
        let Held { rows, head, newest, clock, batch: name } = pen.hold(&needs).await?;
        let now = self.time.moment(clock, newest);
        let mut batch = Batch::new(head, now, rows, due);
        self.changes = 0;
        for job in jobs.iter_mut() {
            let before = batch.written();
            job.apply(&mut batch);
            self.changes += usize::from(batch.written() != before);
        }
        let changes = batch.changes();
        let subject = |entry: &LedgerEntry| Subject { number: entry.number, approval: entry.approval };
        self.subjects = changes.entries.iter().map(subject).collect();
        // By what it leaves it is found again, should the commit not be answered.
        let trace = if !changes.entries.is_empty() {
            Trace::Entry(changes.head.number)
        } else if changes.concern_approvals() {
            return Err(Fault::damaged("something would change that the ledger does not tell of"));
        } else {
            Trace::Quiet(self.node.get_or_insert_with(|| name.clone()).clone())
        };
        let doubt = Doubt { trace, batch: name };
        if !changes.is_empty() {
            pen.write(&changes, &doubt).await?;
        }
        if ticked.is_some() {
            let next = pen.next_due().await?;
            jobs.iter_mut().for_each(|job| job.set_next(next));
        }
        if changes.is_empty() {
            return pen.roll_back().await;
        }
        // From here on until it is answered, or looked up, it may have been kept.
        let trace = doubt.trace.clone();
        self.doubt = Some(doubt);
        match pen.commit().await {
            Ok(()) => {}
            Err(Uncommitted::Refused(fault)) => {
                self.doubt = None;
                return Err(fault);
            }
            Err(Uncommitted::InDoubt(fault)) => return Err(fault),
        }
        self.doubt = None;
        self.tell_of(&trace, jobs);
        Ok(())
    }

    /// Wakes whoever waits for the ledger to grow, here; the database wakes those on other nodes.
    fn tell_of(&mut self, trace: &Trace, jobs: &[Job]) {
        self.work.add(jobs.len(), self.changes);
        self.recent.add(self.subjects.drain(..));
        if let Trace::Entry(number) = trace {
            super::listening::publish(&self.news, *number);
        }
    }
}
