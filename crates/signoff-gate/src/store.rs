//! What the gate needs of whatever keeps approvals: that each change is one step, on disk before anybody hears of it, and by
//! one clock.

use std::{future::Future, pin::Pin};

use signoff_model::{
    AgentId, Approval, ApprovalId, Deed, Delegation, Grant, LedgerEntry, Origin, Question, RequestKey, Requester,
    SessionId, Stage, Terms, Timestamp,
};

use crate::{Done, Event, Order, Refusal, Trusted, UnderWay};

/// An answer of a store that is on its way.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Whatever keeps approvals and the ledger. What it says to have kept outlives a crash of the machine.
///
/// Every change goes together with its line in the ledger, or not at all. A store calls [`step`](crate::step) while nobody
/// else can change the approval, with a clock that all of its users share.
pub trait Store: Send + Sync {
    /// Keeps a new approval. Who has asked the same under the same key in the same session before finds the one from before;
    /// the keys of other sessions are their own. What it does to the question that it comes from happens together with it, or
    /// nothing does.
    fn ask(&self, new: NewApproval) -> Reply<'_, Asked>;

    /// Lets something happen to an approval. None where there is no such approval.
    fn happen(&self, id: ApprovalId, event: Event) -> Reply<'_, Option<Happened>>;

    /// Lets something happen to each of several approvals, in one step: of two who answer the same ones, one is first for all of
    /// them. In the order in which they were named; none where there is no such approval, or nobody can read it.
    fn happen_together(&self, events: Vec<(ApprovalId, Event)>) -> Reply<'_, Vec<Option<Happened>>>;

    /// Lets time run out on whatever is due, so many at most, and says when the next one is.
    fn tick(&self, at_most: u32) -> Reply<'_, Ticked>;

    /// An approval as it is kept now.
    fn approval(&self, id: ApprovalId) -> Reply<'_, Option<Approval>>;

    /// Approvals, the latest first.
    fn list(&self, wanted: Wanted) -> Reply<'_, Vec<Approval>>;

    /// How many questions nobody has decided yet.
    fn pending(&self) -> Reply<'_, u64>;

    /// Whether it can do its work: it is reached in turn with whatever else is to be written, is the one that was opened, and what
    /// was to be written last could be.
    fn ready(&self) -> Reply<'_, ()>;

    /// Writes into the ledger what is about no approval, or changes none.
    fn record(&self, deeds: Vec<Deed>) -> Reply<'_, ()>;

    /// The ledger behind an entry, so many at most.
    fn ledger(&self, after: u64, at_most: u32) -> Reply<'_, Vec<LedgerEntry>>;

    /// The number of the first entry about an approval on which time still runs. What is before it is about nothing that is
    /// open, and never will be: an approval that has ended does not begin again.
    fn first_open(&self) -> Reply<'_, Option<u64>>;

    /// Removes entries up to this one, the earliest first, so many at most, and says how many. They have to be behind what
    /// counts as the beginning of the ledger already: nothing is said of them, and whoever dies in the middle goes on later.
    fn sweep(&self, up_to: u64, at_most: u32) -> Reply<'_, u64>;

    /// Waits until the ledger is longer than this, and says how long it is.
    fn news(&self, after: u64) -> Reply<'_, u64>;

    /// What the entries behind this one are about, so many at most, in their order. A store that remembers what it has
    /// written last need not read it.
    fn subjects(&self, after: u64, at_most: u32) -> Reply<'_, Vec<Subject>> {
        let entries = self.ledger(after, at_most);
        Box::pin(async move {
            let subject = |LedgerEntry { number, approval, .. }| Subject { number, approval };
            Ok(entries.await?.into_iter().map(subject).collect())
        })
    }

    /// Changes several things together, each from what its changer has seen, with their lines in the ledger: all of it, or
    /// nothing, and false, where one of them is something else by now. Where one thing is changed twice, the second change
    /// sees what the first has made of it. [`news`](Self::news) tells of what is in the ledger, and not of changes without a
    /// line in it.
    fn change(&self, changes: Vec<Change>) -> Reply<'_, bool>;

    /// A thing as it is kept now.
    fn item(&self, shelf: &'static str, name: &str) -> Reply<'_, Option<String>>;

    /// The things on a shelf, by their names, behind this one, so many at most. Names are in the order of their bytes.
    fn items(&self, shelf: &'static str, after: Option<&str>, at_most: u32) -> Reply<'_, Vec<Item>>;

    /// The text in which a grant is kept on its shelf.
    ///
    /// # Errors
    ///
    /// When it would not be read again as it is.
    fn grant_as_kept(&self, grant: &Grant) -> Result<String, StoreError>;

    /// The grant of a text on its shelf.
    ///
    /// # Errors
    ///
    /// When the text is none that this program has written.
    fn kept_grant(&self, text: &str) -> Result<Grant, StoreError>;

    /// The text in which a delegation is kept on its shelf.
    ///
    /// # Errors
    ///
    /// When it would not be read again as it is.
    fn delegation_as_kept(&self, delegation: &Delegation) -> Result<String, StoreError>;

    /// The delegation of a text on its shelf.
    ///
    /// # Errors
    ///
    /// When the text is none that this program has written.
    fn kept_delegation(&self, text: &str) -> Result<Delegation, StoreError>;

    /// The text in which an order is kept on its shelf.
    ///
    /// # Errors
    ///
    /// When it would not be read again as it is.
    fn order_as_kept(&self, order: &Order) -> Result<String, StoreError>;

    /// The order of a text on its shelf.
    ///
    /// # Errors
    ///
    /// When the text is none that this program has written.
    fn kept_order(&self, text: &str) -> Result<Order, StoreError>;

    /// The text in which a score is kept on its shelf.
    ///
    /// # Errors
    ///
    /// When it would not be read again as it is.
    fn trust_as_kept(&self, trusted: &Trusted) -> Result<String, StoreError>;

    /// The score of a text on its shelf.
    ///
    /// # Errors
    ///
    /// When the text is none that this program has written.
    fn kept_trust(&self, text: &str) -> Result<Trusted, StoreError>;

    /// The time by the clock of the store.
    fn now(&self) -> Reply<'_, Timestamp>;

    /// Somebody is on the way to a change, until what this gives is dropped. A store that flushes the disk for several at once may
    /// wait a moment for them; no other has a use for it.
    fn under_way(&self) -> UnderWay {
        UnderWay::default()
    }

    /// How much it has done since it was opened. A store that keeps no count has nothing to tell.
    fn work(&self) -> Work {
        Work::default()
    }
}

/// What an entry of the ledger is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The number of the entry.
    pub number: u64,
    /// The approval, where it is about one.
    pub approval: Option<ApprovalId>,
}

/// How much a store has done since it was opened, for whoever watches it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// What it was asked to do and has answered for, also where nothing had to be written.
    pub jobs: u64,
    /// Those of them that have written something.
    pub changes: u64,
    /// Commits that have written something, each of which waits for the disk once, however many changes are in it.
    pub flushes: u64,
}

/// Small things that are kept by name: people, keys, logins, grants. Each kind has a shelf of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is called on its shelf.
    pub name: String,
    /// What is kept.
    pub text: String,
}

/// A change of one thing, from what its changer has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where the thing is kept.
    pub shelf: &'static str,
    /// What it is called there.
    pub name: String,
    /// What it has to be for the change to count. None where it must not exist yet.
    pub from: Option<String>,
    /// What it becomes. None takes it away, and the same as before only makes sure of it.
    pub to: Option<String>,
    /// What the ledger says of it.
    pub deed: Option<Deed>,
}

/// A question that is to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewApproval {
    /// The id it gets, should it be new.
    pub id: ApprovalId,
    /// What the requester calls it.
    pub key: RequestKey,
    /// Who asks.
    pub requester: Requester,
    /// What is asked.
    pub question: Question,
    /// Who may answer.
    pub terms: Terms,
}

impl NewApproval {
    /// The approval that it becomes at a moment.
    pub fn at(self, asked: Timestamp) -> Approval {
        let Self { id, key, requester, question, terms } = self;
        let stage = Stage::Pending { votes: Vec::new(), misses: Vec::new(), reminded: None };
        Approval { id, key, requester, question, terms, asked, stage }
    }

    /// What it does to the question that it comes from.
    pub fn befalls(&self) -> Option<(ApprovalId, Event)> {
        self.question.origin.as_ref().map(|origin| match origin {
            Origin::Changed { from, .. } => (*from, Event::Supersede { by: self.id }),
            Origin::Reopened { from, .. } => (*from, Event::Reopen { by: self.requester.clone(), with: self.id }),
        })
    }

    /// Whether an approval that was kept under the same key is for the same: the same requester, and the same to be done in
    /// the same place. What was shown may differ, since the world goes on.
    pub fn is_again(&self, kept: &Approval) -> bool {
        self.requester == kept.requester
            && self.question.operation == kept.question.operation
            && self.question.directory == kept.question.directory
            && self.question.steps.len() == kept.question.steps.len()
            && self
                .question
                .steps
                .iter()
                .zip(&kept.question.steps)
                .all(|(new, old)| new.operation == old.operation && new.directory == old.directory)
    }
}

/// What came of asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// It is kept now.
    New(Approval),
    /// It was kept before.
    Before(Approval),
    /// Something else was asked under this key before.
    KeyTaken,
    /// The question that it would come from does not let it: somebody was quicker. Nothing is asked.
    Refused(Happened),
}

/// What came of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// The approval behind it.
    pub approval: Approval,
    /// What the event has done, or why it has not.
    pub outcome: Result<Done, Refusal>,
    /// When, by the clock of the store.
    pub at: Timestamp,
}

/// What time has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ticked {
    /// What ended by it, and what people are reminded of.
    pub ended: Vec<Approval>,
    /// When the next one is due.
    pub next: Option<Timestamp>,
}

/// Which approvals are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only those in this stage, by its name.
    pub stage: Option<String>,
    /// Only those of this agent.
    pub agent: Option<AgentId>,
    /// Only those of this session.
    pub session: Option<SessionId>,
    /// Only those that were asked before this one.
    pub before: Option<ApprovalId>,
    /// So many at most.
    pub at_most: u32,
}

/// Why a store could not do what it was asked for. Nothing was changed then, unless it is in doubt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It cannot be reached, or it is closing.
    #[error("the store cannot be reached: {0}")]
    Unavailable(String),
    /// There is no room left.
    #[error("the store is full: {0}")]
    Full(String),
    /// A newer version of the program has written it.
    #[error("the store has version {found}, and this program knows {known} at most")]
    Newer {
        /// The version of the store.
        found: i64,
        /// The latest that this program knows.
        known: i64,
    },
    /// What was to be kept would not be read again as it is.
    #[error("this cannot be kept as it is: {0}")]
    Unkeepable(String),
    /// What it holds cannot be what was written.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// Where it was, there is another one by now: somebody has put it there while this one was open. Nothing is written to either.
    #[error("the file of the store was replaced or removed while it was in use: {0}")]
    Replaced(String),
    /// The answer to a change was lost on the way: whether it was kept is not known until somebody looks.
    #[error("the store did not say whether it kept the change: {0}")]
    InDoubt(String),
}
