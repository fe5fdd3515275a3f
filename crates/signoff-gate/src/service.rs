//! The gate as doors and channels call it: ask, wait, answer, redeem, report. It turns a yes into a permit, and a permit into
//! one run.

use std::{sync::Arc, time::Duration};

use signoff_model::{
    Answer, Answerer, Approval, ApprovalId, Bound, Clock, Consent, Deviation, Digest, Manner, Operation, Origin,
    PersonId, Question, Report, RequestKey, Requester, ScreenNumber, Sight, Stage, Terms, Timestamp,
};
use signoff_permit::{Claims, IssuerKey, MacKey, Permit, PermitError, VerifierKey};
use tokio::time::timeout;

use crate::{
    Asked, Done, Event, Happened, Mint, NewApproval, NoRandomness, Refusal, Store, StoreError, answering,
    delegating::DelegationRefusal,
    deviating,
    eyes::{Eyes, Seen, Sought, Unseen},
    grants::GrantRefusal,
    judging::Policy,
    marking, next_deadline,
    sealing::{self, Used},
    waiting::{Known, Waiting},
};

/// Why the gate could not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GateError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no randomness.
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
    /// There is no such approval, or it is not the requester's own: who asks about another's learns nothing.
    #[error("there is no such approval")]
    NotFound,
    /// Nobody could say yes to it: there is no one to ask, too few, or no answer that would be one.
    #[error("there is nobody who could say yes")]
    NobodyToAsk,
    /// The key names something else that was asked before.
    #[error("something else was asked under this key before")]
    KeyTaken,
    /// The permit is none that this gate has issued, or its time is over.
    #[error(transparent)]
    Permit(#[from] PermitError),
    /// It cannot be looked at.
    #[error(transparent)]
    Unseen(#[from] Unseen),
    /// It is no grant that can be given.
    #[error(transparent)]
    Grant(#[from] GrantRefusal),
    /// Nothing lasts so long.
    #[error("at most {} seconds", .at_most.as_secs())]
    TooLong {
        /// What it may last.
        at_most: Duration,
    },
    /// Whatever is not harmless is blocked until a person lifts that.
    #[error("{by} has locked everything down that is not harmless")]
    LockedDown {
        /// Who.
        by: PersonId,
    },
    /// Somebody else has ordered it, and only they or an administrator take it back.
    #[error("that is {by}'s: only they or an administrator may")]
    NotYours {
        /// Who.
        by: PersonId,
    },
    /// It cannot be handed over.
    #[error(transparent)]
    Delegation(#[from] DelegationRefusal),
    /// It was heard, and refused.
    #[error("refused: {}", .refusal.name())]
    Refused {
        /// Why.
        refusal: Refusal,
        /// Where the approval stands, and so who has decided, for a person who has a say in it and comes too late.
        stage: Option<Box<Stage>>,
    },
}

impl GateError {
    /// A refusal of which nothing more is told.
    pub const fn refused(refusal: Refusal) -> Self {
        Self::Refused { refusal, stage: None }
    }
}

/// A question from a door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What the requester calls it.
    pub key: RequestKey,
    /// Who asks.
    pub requester: Requester,
    /// What is asked.
    pub question: Question,
    /// Who may answer.
    pub terms: Terms,
}

/// What a requester is told. None of these can be taken for another: time that ran out is not a no, and what is not known is
/// neither.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nobody has decided yet. It stays open, and can be waited for again.
    Open {
        /// Until when.
        until: Timestamp,
    },
    /// It may run, with this permit.
    Approved {
        /// What has to be redeemed.
        permit: Permit,
        /// How it is to run.
        manner: Manner,
        /// What may run instead of what was asked for first, where somebody has changed it.
        changed: Option<Box<Operation>>,
        /// Until when.
        until: Timestamp,
    },
    /// A person said no.
    Denied {
        /// Who.
        by: PersonId,
        /// Words for the agent.
        words: String,
        /// The question that has reopened it.
        reopened: Option<ApprovalId>,
    },
    /// Time has run out.
    Expired(Clock),
    /// The requester took it back.
    Withdrawn,
    /// Another question has taken its place.
    Superseded(ApprovalId),
    /// It was redeemed before, and what became of it is not known yet.
    Redeemed,
    /// It was run, and ended well.
    Executed,
    /// It was run, and failed; with what the executor says of it.
    Failed(String),
    /// It was redeemed, and nobody ever said what became of it.
    Unknown,
    /// It was approved, and then it was no longer what was shown.
    Stale {
        /// What differs.
        differing: Vec<Bound>,
        /// The same thing by thing, as far as it is known.
        deviations: Vec<Deviation>,
    },
}

/// The one service that every door calls.
pub struct Gate {
    store: Arc<dyn Store>,
    key: IssuerKey,
    /// By this the gate knows its own yes.
    seal: MacKey,
    /// By this it knows what it has put on a shelf.
    mark: MacKey,
    mint: Box<dyn Mint>,
    eyes: Arc<dyn Eyes>,
    waiting: Waiting,
}

impl Gate {
    /// A gate that keeps its approvals in a store, signs permits with a key, and looks with these eyes.
    pub fn new(store: Arc<dyn Store>, key: IssuerKey, mint: Box<dyn Mint>, eyes: Arc<dyn Eyes>) -> Self {
        let seal = key.mac_key(sealing::PURPOSE);
        let mark = key.mac_key(marking::PURPOSE);
        Self { store, key, seal, mark, mint, eyes, waiting: Waiting::default() }
    }

    /// Whoever looks at operations.
    pub(crate) fn eyes(&self) -> &dyn Eyes {
        &*self.eyes
    }

    /// Where new ids come from.
    pub(crate) fn mint(&self) -> &dyn Mint {
        &*self.mint
    }

    /// The half of the key that others may have, to check permits by themselves.
    pub fn verifier(&self) -> VerifierKey {
        self.key.verifier()
    }

    /// Whatever keeps the approvals.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// The key that signs for this gate, for whoever keeps its ledger.
    pub const fn issuer(&self) -> &IssuerKey {
        &self.key
    }

    /// The key by which the gate knows its own yes, for whoever lets something happen to approvals.
    pub(crate) const fn seal(&self) -> &MacKey {
        &self.seal
    }

    /// The key by which the gate knows what it has put on a shelf.
    pub(crate) const fn mark(&self) -> &MacKey {
        &self.mark
    }

    /// Signs a statement of a door, which begins with a line of its own so that none can be taken for another.
    pub fn sign(&self, statement: &[u8]) -> [u8; 64] {
        self.key.sign(statement)
    }

    /// Asks, or finds what was asked before under the same key. What nobody could say yes to is refused at once, and not after
    /// everybody has waited.
    pub async fn ask(&self, request: Request) -> Result<Approval, GateError> {
        let id = self.mint.id()?;
        let Request { key, requester, question, terms } = request;
        self.ask_as(NewApproval { id, key, requester, question, terms }).await
    }

    /// The same under an id that was made before.
    pub(crate) async fn ask_as(&self, new: NewApproval) -> Result<Approval, GateError> {
        if !answering::is_answerable(&new.clone().at(Timestamp::default())) {
            return Err(GateError::NobodyToAsk);
        }
        match self.store.ask(new).await? {
            Asked::New(approval) | Asked::Before(approval) => Ok(approval),
            Asked::KeyTaken => Err(GateError::KeyTaken),
            Asked::Refused(Happened { approval, outcome, .. }) => {
                // What was heard and did not change the question before would be a defect, and asks nobody.
                let refusal = outcome.err().unwrap_or(Refusal::Closed);
                Err(GateError::Refused { refusal, stage: Some(Box::new(approval.stage)) })
            }
        }
    }

    /// What was asked for, for the requester itself.
    pub async fn asked(&self, id: ApprovalId, by: &Requester) -> Result<Approval, GateError> {
        self.own(id, by).await
    }

    /// What has become of an approval, as its requester is told.
    pub async fn outcome(&self, id: ApprovalId, by: &Requester) -> Result<Outcome, GateError> {
        let approval = self.own(id, by).await?;
        self.told_now(approval).await
    }

    /// Waits until an approval is decided, or for so long.
    pub async fn wait(&self, id: ApprovalId, by: &Requester, at_most: Duration) -> Result<Outcome, GateError> {
        // From here on nothing is missed, and what was before is seen in the look.
        let mut waiter = self.waiting.on(id);
        let decided = async {
            let mut approval = self.own(id, by).await?;
            loop {
                if !matches!(approval.stage, Stage::Pending { .. }) {
                    return self.told_now(approval).await;
                }
                match waiter.woken(&*self.store).await? {
                    // Nothing has to be read again: this is what was written, as it was a moment ago.
                    Known::As(happened) if happened.approval.requester == *by => {
                        if !matches!(happened.approval.stage, Stage::Pending { .. }) {
                            return self.told_at(happened.approval.clone(), happened.at).await;
                        }
                    }
                    Known::As(_) | Known::ToHaveChanged => approval = self.own(id, by).await?,
                }
            }
        };
        match timeout(at_most, decided).await {
            Ok(outcome) => outcome,
            Err(_) => self.outcome(id, by).await,
        }
    }

    /// A person answers who has read no number on any screen.
    pub async fn answer(&self, id: ApprovalId, by: Answerer, answer: Answer) -> Result<(Approval, Done), GateError> {
        self.answer_with(id, by, answer, None).await
    }

    /// A person answers, with the number that they have read on the screen of whoever asks.
    pub async fn answer_with(
        &self,
        id: ApprovalId,
        by: Answerer,
        answer: Answer,
        number: Option<ScreenNumber>,
    ) -> Result<(Approval, Done), GateError> {
        let _under_way = self.store.under_way();
        let steads = self.steads(&by.person).await?;
        let persons: Vec<PersonId> =
            steads.iter().map(|stead| stead.person.clone()).chain([by.person.clone()]).collect();
        let event = Event::Answer { by, steads, answer, number, nonce: self.mint.nonce()?, seal: self.seal.clone() };
        let Happened { approval, outcome, .. } = self.happened(id, event).await?;
        match outcome {
            Ok(done) => {
                if done == Done::Decided {
                    self.learn(&approval).await;
                    // The yes counts, whatever becomes of this: a step without a grant is asked about when it comes.
                    let _ = self.grant_steps(&approval).await;
                }
                Ok((approval, done))
            }
            Err(refusal) => {
                let has_say = persons.iter().any(|person| answering::has_say(&approval, person));
                let stage = has_say.then(|| Box::new(approval.stage));
                Err(GateError::Refused { refusal, stage })
            }
        }
    }

    /// The policy that counts in a project, or where there is none.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub async fn policy(&self, project: Option<String>) -> Result<Arc<Policy>, GateError> {
        Ok(self.eyes.policy(project).await?)
    }

    /// What is asked about, or another operation in its place, looked at now.
    pub(crate) async fn seen(
        &self,
        approval: &Approval,
        changed: Option<Operation>,
        surroundings: Digest,
    ) -> Result<Seen, GateError> {
        let question = &approval.question;
        let sought = Sought {
            operation: changed.unwrap_or_else(|| question.operation.clone()),
            directory: question.directory.clone(),
            sight: Sight::Local,
            intent: question.intent.clone(),
            owner: approval.requester.owner.clone(),
            scores: self.scores(&approval.requester).await?,
            surroundings,
        };
        Ok(self.eyes.look(sought).await?)
    }

    /// The requester no longer wants it.
    pub async fn withdraw(&self, id: ApprovalId, by: Requester, words: String) -> Result<(), GateError> {
        self.own(id, &by).await?;
        let Happened { outcome, .. } = self.happened(id, Event::Withdraw { by, words }).await?;
        outcome.map(|_| ()).map_err(GateError::refused)
    }

    /// Uses a permit: after a yes of this function the requester runs what was approved, once, in this manner. Who did not
    /// hear the answer tries again with the same attempt, which is a number out of its own memory that nobody else has.
    ///
    /// The gate looks by itself at what would run: an agent holds a permit that tells what would fit, and is not believed.
    pub async fn redeem(
        &self,
        permit: &str,
        by: Requester,
        attempt: Digest,
        surroundings: Digest,
    ) -> Result<Manner, GateError> {
        let claims = self.key.verifier().authentic(permit)?;
        let _under_way = self.store.under_way();
        let (id, nonce) =
            (ApprovalId::from_bits(u128::from_be_bytes(claims.approval)), Digest::from_bytes(claims.nonce));
        let approval = self.store.approval(id).await?.ok_or(GateError::NotFound)?;
        if let Some(by) = self.standing().await?.locks(approval.question.risk) {
            // The yes stays good for as long as it is: somebody may lift it in time.
            return Err(GateError::LockedDown { by: by.clone() });
        }
        let question = &approval.question;
        let (binding, deviations) = match &approval.stage {
            Stage::Approved(consent) if approval.requester == by && self.has_sealed(&approval, consent) => {
                let changed = consent.modified.as_ref().map(|modified| modified.operation.clone());
                let seen = self.seen(&approval, changed, surroundings).await?;
                let deviations = match &consent.modified {
                    None => deviating::deviations(question, &seen, surroundings),
                    Some(modified) => {
                        deviating::of_binding(&modified.binding, &seen.binding, (question.surroundings, surroundings))
                    }
                };
                (seen.binding, deviations)
            }
            // It is refused, whatever would be seen, and that is in the ledger.
            _ => (question.binding, Vec::new()),
        };
        let seal = self.seal.clone();
        let event = Event::Redeem { by, nonce, attempt, binding, deviations, seal };
        let Happened { approval, outcome, .. } = self.happened(id, event).await?;
        match outcome {
            Err(refusal @ Refusal::Stale(_)) => {
                Err(GateError::Refused { refusal, stage: Some(Box::new(approval.stage)) })
            }
            Ok(Done::Redeemed(manner)) => Ok(manner),
            // A step that says anything else to this event would be a defect, and is not a yes.
            Ok(_) => Err(GateError::refused(Refusal::Closed)),
            Err(refusal) => Err(GateError::refused(refusal)),
        }
    }

    /// What was run has ended.
    pub async fn report(&self, permit: &str, by: Requester, report: Report) -> Result<(), GateError> {
        let claims = self.key.verifier().authentic(permit)?;
        let (id, nonce) =
            (ApprovalId::from_bits(u128::from_be_bytes(claims.approval)), Digest::from_bytes(claims.nonce));
        let Happened { approval, outcome, .. } = self.happened(id, Event::Report { by, nonce, report }).await?;
        // Whoever says it again has taught it before.
        if outcome == Ok(Done::Reported) {
            self.learn(&approval).await;
        }
        outcome.map(|_| ()).map_err(GateError::refused)
    }

    async fn happened(&self, id: ApprovalId, event: Event) -> Result<Happened, GateError> {
        // Whoever waits for it here need not wait until somebody has read of it.
        let in_hand = self.waiting.take_in_hand(id);
        let happened = self.store.happen(id, event).await?.ok_or(GateError::NotFound)?;
        in_hand.has(&happened);
        Ok(happened)
    }

    pub(crate) const fn waiting(&self) -> &Waiting {
        &self.waiting
    }

    /// An approval of this requester. Another's looks as if it were not there.
    pub(crate) async fn own(&self, id: ApprovalId, by: &Requester) -> Result<Approval, GateError> {
        let kept = self.store.approval(id).await?.filter(|approval| approval.requester == *by);
        kept.ok_or(GateError::NotFound)
    }

    /// What is told of an approval that was just read. Whether it is still good is for the clock of the store to say, and not
    /// for when somebody looked last: where its time is over, it ends first.
    async fn told_now(&self, approval: Approval) -> Result<Outcome, GateError> {
        let now = self.store.now().await?;
        self.told_at(approval, now).await
    }

    async fn told_at(&self, approval: Approval, now: Timestamp) -> Result<Outcome, GateError> {
        let mut approval = approval;
        if next_deadline(&approval).is_some_and(|deadline| now >= deadline) {
            approval = self.happened(approval.id, Event::Tick).await?.approval;
        }
        if matches!(&approval.stage, Stage::Approved(consent) if !self.has_sealed(&approval, consent)) {
            // Whatever is kept there, it is no yes of this gate, and the ledger says that somebody wanted to use it.
            let (by, seal) = (approval.requester.clone(), self.seal.clone());
            approval = self.happened(approval.id, Event::Permit { by, seal }).await?.approval;
        }
        self.told(&approval)
    }

    /// Whether a yes that nobody has used is the gate's own.
    fn has_sealed(&self, approval: &Approval, consent: &Consent) -> bool {
        sealing::is_sealed(approval, consent, Used::NotYet, &self.seal)
    }

    fn told(&self, approval: &Approval) -> Result<Outcome, GateError> {
        Ok(match &approval.stage {
            Stage::Pending { .. } => Outcome::Open { until: approval.asked.after(approval.terms.decide_within) },
            Stage::Approved(consent) if !self.has_sealed(approval, consent) => {
                return Err(GateError::refused(Refusal::Unsealed));
            }
            Stage::Approved(consent) => Outcome::Approved {
                permit: self.permit(approval, consent)?,
                manner: consent.manner,
                changed: changed(approval, consent).cloned().map(Box::new),
                until: consent.until,
            },
            Stage::Denied { by, words, reopened, .. } => {
                Outcome::Denied { by: by.person.clone(), words: words.clone(), reopened: *reopened }
            }
            Stage::Expired { clock, .. } => Outcome::Expired(*clock),
            Stage::Withdrawn { .. } => Outcome::Withdrawn,
            Stage::Superseded { by, .. } => Outcome::Superseded(*by),
            Stage::Redeemed { .. } => Outcome::Redeemed,
            Stage::Reported { report: Report::Executed, .. } => Outcome::Executed,
            Stage::Reported { report: Report::Failed(words), .. } => Outcome::Failed(words.clone()),
            Stage::Unknown { .. } => Outcome::Unknown,
            Stage::Stale { differing, deviations, .. } => {
                Outcome::Stale { differing: differing.clone(), deviations: deviations.clone() }
            }
        })
    }

    /// The permit of a yes. It is made of what is kept, so that a requester that asks again gets the same one.
    fn permit(&self, approval: &Approval, consent: &Consent) -> Result<Permit, GateError> {
        let binding = consent.modified.as_ref().map_or(&approval.question.binding, |modified| &modified.binding);
        let claims = Claims {
            approval: approval.id.bits().to_be_bytes(),
            operation: *binding.operation.as_bytes(),
            preview: *binding.preview.as_bytes(),
            policy: *binding.policy.as_bytes(),
            nonce: *consent.nonce.as_bytes(),
            agent: approval.requester.agent.to_string(),
            session: approval.requester.session.to_string(),
            issued_at: consent.at.millis(),
            expires_at: consent.until.millis(),
        };
        Ok(Permit::issue(claims, &self.key)?)
    }
}

/// What a yes is for, where that is something else than the requester has asked for.
fn changed<'a>(approval: &'a Approval, consent: &'a Consent) -> Option<&'a Operation> {
    let here = consent.modified.as_ref().map(|modified| &modified.operation);
    // Whoever has come here from the question that was asked first has not seen this operation yet.
    here.or(match approval.question.origin {
        Some(Origin::Changed { .. }) => Some(&approval.question.operation),
        Some(Origin::Reopened { .. }) | None => None,
    })
}
