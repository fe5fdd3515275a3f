//! The one thread that writes. What waits goes into one transaction and shares one flush to the disk.

use std::{
    sync::Arc,
    thread::{self, JoinHandle},
};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use signoff_gate::{Asked, Change, Event, Happened, NewApproval, StoreError, Subject, Ticked, record, step};
use signoff_model::{Actor, ApprovalId, Deed, Timestamp};
use tokio::sync::{oneshot, watch};

use super::{gathering::Gathering, lock::Lock, onward::Shared, place::Place, rows, told};
use crate::{chain::Head, items, recent::Recent, work::Counted};

/// So many bytes are tried to be written where a write has failed: more than most changes are.
const A_CHANGE: usize = 16 * 1_024;

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// Something for the writer to do.
pub(super) enum Job {
    Ask(Box<NewApproval>, Answer<Asked>),
    Happen(ApprovalId, Box<Event>, Answer<Option<Happened>>),
    HappenTogether(Vec<(ApprovalId, Event)>, Answer<Vec<Option<Happened>>>),
    Tick(u32, Answer<Ticked>),
    Record(Vec<Deed>, Answer<()>),
    Change(Vec<Change>, Answer<bool>),
    Sweep(u64, u32, Answer<u64>),
    Ready(Answer<()>),
}

/// What becomes of a job once it is known whether its transaction is on the disk.
type Ending = Box<dyn FnOnce(Result<(), StoreError>)>;

/// The thread that writes, for as long as somebody can bring something. Who lets go of it waits for its end.
pub(super) struct Writing(Option<JoinHandle<()>>);

impl Writing {
    /// Begins to write, and holds the file as long as that takes.
    pub(super) fn begin(writer: Writer, jobs: Gathering, lock: Lock) -> Result<Self, StoreError> {
        let work = move || {
            writer.run(jobs);
            drop(lock);
        };
        let thread = thread::Builder::new().name("signoff-store".to_owned()).spawn(work);
        thread.map(|thread| Self(Some(thread))).map_err(|error| StoreError::Unavailable(error.to_string()))
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            // Whoever waited for something that was under way when it stopped is told that it is in doubt.
            let _ = thread.join();
        }
    }
}

pub(super) struct Writer {
    connection: Connection,
    place: Place,
    /// What became of what was to be written last.
    last: Last,
    clock: Shared,
    news: watch::Sender<u64>,
    recent: Arc<Recent>,
    work: Arc<Counted>,
}

impl Writer {
    pub(super) fn new(
        (connection, place): (Connection, Place),
        clock: Shared,
        (news, recent): (watch::Sender<u64>, Arc<Recent>),
        work: Arc<Counted>,
    ) -> Self {
        Self { connection, place, last: Last::Kept, clock, news, recent, work }
    }

    /// Works until nobody can bring anything any more.
    pub(super) fn run(mut self, mut jobs: Gathering) {
        while let Some(together) = jobs.next() {
            self.carry_out(together);
        }
    }

    fn carry_out(&mut self, jobs: Vec<Job>) {
        let count = jobs.len();
        let mut endings = Vec::with_capacity(jobs.len());
        let written = write(&mut self.connection, (jobs, &self.place, self.last), &self.clock, &mut endings);
        self.last = match &written {
            Err(_) => Last::Failed,
            Ok(written) if written.changes > 0 => Last::Kept,
            Ok(_) => self.last,
        };
        let kept = written.map(|Written { head, subjects, changes }| {
            self.work.add(count, changes);
            self.recent.add(subjects);
            self.news.send_if_modified(|number| std::mem::replace(number, head.number) != head.number);
        });
        for ending in endings {
            ending(kept.clone());
        }
    }
}

/// What a transaction has done.
struct Written {
    head: Head,
    /// What its entries are about.
    subjects: Vec<Subject>,
    /// So many of its jobs have written something.
    changes: usize,
}

/// Does all jobs in one transaction, and leaves behind whom to tell.
fn write(
    connection: &mut Connection,
    (jobs, place, last): (Vec<Job>, &Place, Last),
    clock: &Shared,
    endings: &mut Vec<Ending>,
) -> Result<Written, StoreError> {
    let opened = place
        .is_kept()
        .and_then(|()| connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(told));
    let begun = opened.and_then(|transaction| Ok((rows::head(&transaction)?, transaction)));
    let mut batch = match begun {
        // Another process may have held the file for seconds.
        Ok((head, transaction)) => Batch::new(Ok(transaction), head, clock.now(), last),
        Err(error) => Batch::new(Err(error), Head::EMPTY, clock.now(), last),
    };
    for job in jobs {
        endings.push(batch.job(job));
    }
    let transaction = batch.transaction?;
    // What was put in its place meanwhile gets nothing, and whoever waits hears so.
    place.is_kept()?;
    // A commit that fails half-way may be found on the disk later.
    transaction.commit().map_err(|error| match told(error) {
        StoreError::Full(text) => StoreError::Full(text),
        other => StoreError::InDoubt(other.to_string()),
    })?;
    Ok(Written { head: batch.head, subjects: batch.subjects, changes: batch.changes })
}

/// What became of what was to be written last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    Kept,
    Failed,
}

/// The jobs of one transaction. A job that fails by itself is taken back alone; a store that fails ends all of them.
struct Batch<'c> {
    transaction: Result<Transaction<'c>, StoreError>,
    head: Head,
    now: Timestamp,
    /// What the entries so far are about.
    subjects: Vec<Subject>,
    /// So many jobs have written something.
    changes: usize,
    last: Last,
}

impl<'c> Batch<'c> {
    const fn new(transaction: Result<Transaction<'c>, StoreError>, head: Head, now: Timestamp, last: Last) -> Self {
        Self { transaction, head, now, subjects: Vec::new(), changes: 0, last }
    }
}

impl Batch<'_> {
    fn job(&mut self, job: Job) -> Ending {
        match job {
            Job::Ask(new, answer) => self.done(answer, |batch, open| batch.ask(open, *new)),
            Job::Happen(id, event, answer) => self.done(answer, |batch, open| batch.happen(open, id, &event)),
            Job::HappenTogether(events, answer) => {
                self.done(answer, |batch, open| batch.happen_together(open, &events))
            }
            Job::Tick(at_most, answer) => self.done(answer, |batch, open| batch.tick(open, at_most)),
            Job::Record(deeds, answer) => {
                self.done(answer, |batch, open| deeds.iter().try_for_each(|deed| batch.append(open, deed)))
            }
            Job::Change(changes, answer) => self.done(answer, |batch, open| batch.change(open, &changes)),
            Job::Ready(answer) => self.done(answer, |batch, open| batch.ready(open)),
            Job::Sweep(up_to, at_most, answer) => self.done(answer, |_, open| rows::sweep(open, up_to, at_most)),
        }
    }

    /// Does one job, and says how to tell of it.
    fn done<T: 'static>(
        &mut self,
        answer: Answer<T>,
        work: impl FnOnce(&mut Self, &Transaction<'_>) -> Result<T, StoreError>,
    ) -> Ending {
        // Taken out for the time of the work, so that the work can use the rest of the batch.
        let closed = Err(StoreError::Unavailable("the transaction has ended".to_owned()));
        let worked = match std::mem::replace(&mut self.transaction, closed) {
            Ok(open) => {
                let worked = self.apart(&open, work);
                self.transaction = match &worked {
                    Err(error @ (StoreError::Full(_) | StoreError::Unavailable(_))) => Err(error.clone()),
                    _ => Ok(open),
                };
                worked
            }
            Err(error) => {
                self.transaction = Err(error.clone());
                Err(error)
            }
        };
        Box::new(move |kept| {
            // Who has gone away in the meantime asks again under the same key.
            let _ = answer.send(kept.and(worked));
        })
    }

    /// Does one job so that it can be taken back without the others: what one agent sends must not fail another's.
    fn apart<T>(
        &mut self,
        open: &Transaction<'_>,
        work: impl FnOnce(&mut Self, &Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let (head, entries, rows) = (self.head, self.subjects.len(), open.total_changes());
        rows::said(open, "SAVEPOINT job")?;
        let worked = work(self, open);
        if worked.is_ok() {
            self.changes += usize::from(open.total_changes() != rows);
        } else {
            self.head = head;
            self.subjects.truncate(entries);
            rows::said(open, "ROLLBACK TO job")?;
        }
        rows::said(open, "RELEASE job")?;
        worked
    }

    fn ask(&mut self, open: &Connection, new: NewApproval) -> Result<Asked, StoreError> {
        if let Some(kept) = rows::asked_before(open, &new)? {
            return Ok(if new.is_again(&kept) { Asked::Before(kept) } else { Asked::KeyTaken });
        }
        if let Some((before, event)) = new.befalls() {
            let gone = || StoreError::Unkeepable("the question that it comes from is not there".to_owned());
            let happened = self.happen(open, before, &event)?.ok_or_else(gone)?;
            if happened.outcome.is_err() {
                return Ok(Asked::Refused(happened));
            }
        }
        let approval = new.at(self.now);
        rows::insert(open, &approval)?;
        self.append(open, &record::of_question(&approval))?;
        Ok(Asked::New(approval))
    }

    fn happen(&mut self, open: &Connection, id: ApprovalId, event: &Event) -> Result<Option<Happened>, StoreError> {
        let Some(mut approval) = rows::approval(open, id)? else { return Ok(None) };
        let step = step(&approval, event, self.now);
        let merely_refused = record::is_mere_refusal(&step);
        let refusals = if merely_refused { rows::refusals(open, id)? } else { 0 };
        let deed = record::of_step(&approval, event, &step, refusals);
        if let Some(stage) = step.stage {
            approval.stage = stage;
            rows::update(open, &approval)?;
        }
        if let Some(deed) = deed {
            self.append(open, &deed)?;
            if merely_refused {
                rows::count_refusal(open, id)?;
            }
        }
        Ok(Some(Happened { approval, outcome: step.outcome, at: self.now }))
    }

    fn happen_together(
        &mut self,
        open: &Connection,
        events: &[(ApprovalId, Event)],
    ) -> Result<Vec<Option<Happened>>, StoreError> {
        let each = events.iter().map(|(id, event)| match self.happen(open, *id, event) {
            // Nobody has answered what nobody can read; the others are not to blame.
            Err(StoreError::Damaged(_) | StoreError::Unkeepable(_)) => Ok(None),
            other => other,
        });
        each.collect()
    }

    fn tick(&mut self, open: &Connection, at_most: u32) -> Result<Ticked, StoreError> {
        let mut ended = Vec::new();
        for id in rows::due(open, self.now, at_most)? {
            match self.happen(open, id, &Event::Tick) {
                Ok(happened) => ended.extend(happened.map(|happened| happened.approval)),
                // Nobody can say yes to what nobody can read; it must not keep time from running for all others.
                Err(StoreError::Damaged(why) | StoreError::Unkeepable(why)) => {
                    rows::set_aside(open, id)?;
                    let details = vec![("why", why)];
                    self.append(open, &Deed { what: "damaged", by: Actor::Gate, approval: Some(id), details })?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Ticked { ended, next: rows::next_due(open)? })
    }

    /// Nothing is written where everything goes well. Where it last did not, it is tried whether there is room by now for a change
    /// as they are.
    fn ready(&self, open: &Connection) -> Result<(), StoreError> {
        match self.last {
            Last::Kept => rows::head(open).map(|_| ()),
            Last::Failed => rows::put(open, &("ready", "tried".to_owned()), Some(&".".repeat(A_CHANGE))),
        }
    }

    fn change(&mut self, open: &Connection, changes: &[Change]) -> Result<bool, StoreError> {
        let Some(becoming) = items::changed(changes, |(shelf, name)| rows::item(open, shelf, name))? else {
            return Ok(false);
        };
        for (place, text) in &becoming {
            rows::put(open, place, text.as_deref())?;
        }
        let mut deeds = changes.iter().filter_map(|change| change.deed.as_ref());
        deeds.try_for_each(|deed| self.append(open, deed))?;
        Ok(true)
    }

    fn append(&mut self, open: &Connection, deed: &Deed) -> Result<(), StoreError> {
        self.head = rows::append(open, self.head, deed, self.now)?;
        self.subjects.push(Subject { number: self.head.number, approval: deed.approval });
        Ok(())
    }
}
