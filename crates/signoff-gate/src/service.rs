//! The gate as doors and channels call it: ask, wait, answer, redeem, report. It turns a yes into a permit, and a permit into
//! one run.

use std::{sync::Arc, time::Duration};

use signoff_model::{
    Answer, Answerer, Approval, ApprovalId, Clock, Digest, Form, Manner, Modification, Operation, PersonId, Question,
    Report, RequestKey, Requester, Stage, Terms, Timestamp,
};
use signoff_permit::{Claims, IssuerKey, Permit, PermitError, VerifierKey};
use tokio::time::timeout;

use crate::{
    Asked, Done, Event, Happened, Mint, NewApproval, NoRandomness, Refusal, Store, StoreError, answering,
    eyes::{Eyes, Seen, Sought, Unseen},
    grants::GrantRefusal,
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
        /// The changed form that may run instead of what was asked for.
        modified: Option<Box<Modification>>,
        /// Until when.
        until: Timestamp,
    },
    /// A person said no.
    Denied {
        /// Who.
        by: PersonId,
        /// Words for the agent.
        words: String,
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
    Stale,
}

/// The one service that every door calls.
pub struct Gate {
    store: Arc<dyn Store>,
    key: IssuerKey,
    mint: Box<dyn Mint>,
    eyes: Arc<dyn Eyes>,
}

impl Gate {
    /// A gate that keeps its approvals in a store, signs permits with a key, and looks with these eyes.
    pub fn new(store: Arc<dyn Store>, key: IssuerKey, mint: Box<dyn Mint>, eyes: Arc<dyn Eyes>) -> Self {
        Self { store, key, mint, eyes }
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

    /// Signs a statement of a door, which begins with a line of its own so that none can be taken for another.
    pub fn sign(&self, statement: &[u8]) -> [u8; 64] {
        self.key.sign(statement)
    }

    /// Asks, or finds what was asked before under the same key. What nobody could say yes to is refused at once, and not after
    /// everybody has waited.
    pub async fn ask(&self, request: Request) -> Result<Approval, GateError> {
        let id = self.mint.id()?;
        let Request { key, requester, question, terms } = request;
        let new = NewApproval { id, key, requester, question, terms };
        if !answering::is_answerable(&new.clone().at(Timestamp::default())) {
            return Err(GateError::NobodyToAsk);
        }
        match self.store.ask(new).await? {
            Asked::New(approval) | Asked::Before(approval) => Ok(approval),
            Asked::KeyTaken => Err(GateError::KeyTaken),
        }
    }

    /// What has become of an approval, as its requester is told.
    pub async fn outcome(&self, id: ApprovalId, by: &Requester) -> Result<Outcome, GateError> {
        self.own(id, by).await?;
        // Whether it is still good is for the clock of the store to say, and not for when somebody looked last.
        let Happened { approval, .. } = self.happened(id, Event::Tick).await?;
        self.told(&approval)
    }

    /// Waits until an approval is decided, or for so long.
    pub async fn wait(&self, id: ApprovalId, by: &Requester, at_most: Duration) -> Result<Outcome, GateError> {
        let mut seen = 0;
        let decided = async {
            loop {
                let approval = self.own(id, by).await?;
                if !matches!(approval.stage, Stage::Pending { .. }) {
                    return self.outcome(id, by).await;
                }
                seen = self.store.news(seen).await?;
            }
        };
        match timeout(at_most, decided).await {
            Ok(outcome) => outcome,
            Err(_) => self.outcome(id, by).await,
        }
    }

    /// A person answers.
    pub async fn answer(&self, id: ApprovalId, by: Answerer, answer: Answer) -> Result<(Approval, Done), GateError> {
        let person = by.person.clone();
        let event = Event::Answer { by, answer, nonce: self.mint.nonce()? };
        let Happened { approval, outcome } = self.happened(id, event).await?;
        match outcome {
            Ok(done) => Ok((approval, done)),
            Err(refusal) => {
                let stage = answering::has_say(&approval, &person).then(|| Box::new(approval.stage));
                Err(GateError::Refused { refusal, stage })
            }
        }
    }

    /// A person says yes to another form of the operation, which is looked at first.
    pub async fn modify(
        &self,
        id: ApprovalId,
        by: Answerer,
        operation: Operation,
    ) -> Result<(Approval, Done), GateError> {
        let approval = self.store.approval(id).await?.ok_or(GateError::NotFound)?;
        let question = &approval.question;
        let Seen { judged, binding, .. } = self.seen(question, Some(operation), question.surroundings).await?;
        let modification = Modification {
            risk: judged.assessment.effective_risk(),
            verdict: judged.judgement.decision.verdict(),
            form: Form::of(&judged.judgement.decision),
            operation: judged.operation,
            binding,
        };
        self.answer(id, by, Answer::Modify(modification)).await
    }

    /// What is asked about, or another operation in its place, looked at now.
    pub(crate) async fn seen(
        &self,
        question: &Question,
        changed: Option<Operation>,
        surroundings: Digest,
    ) -> Result<Seen, GateError> {
        let sought = Sought {
            operation: changed.unwrap_or_else(|| question.operation.clone()),
            directory: question.directory.clone(),
            sight: question.sight,
            intent: question.intent.clone(),
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
        let (id, nonce) =
            (ApprovalId::from_bits(u128::from_be_bytes(claims.approval)), Digest::from_bytes(claims.nonce));
        let Approval { question, stage, requester, .. } = self.store.approval(id).await?.ok_or(GateError::NotFound)?;
        let binding = match &stage {
            Stage::Approved(consent) if requester == by => {
                let changed = consent.modified.as_ref().map(|modified| modified.operation.clone());
                self.seen(&question, changed, surroundings).await?.binding
            }
            // It is refused, whatever would be seen, and that is in the ledger.
            _ => question.binding,
        };
        let Happened { outcome, .. } = self.happened(id, Event::Redeem { by, nonce, attempt, binding }).await?;
        match outcome {
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
        let Happened { outcome, .. } = self.happened(id, Event::Report { by, nonce, report }).await?;
        outcome.map(|_| ()).map_err(GateError::refused)
    }

    async fn happened(&self, id: ApprovalId, event: Event) -> Result<Happened, GateError> {
        self.store.happen(id, event).await?.ok_or(GateError::NotFound)
    }

    /// An approval of this requester. Another's looks as if it were not there.
    async fn own(&self, id: ApprovalId, by: &Requester) -> Result<Approval, GateError> {
        let kept = self.store.approval(id).await?.filter(|approval| approval.requester == *by);
        kept.ok_or(GateError::NotFound)
    }

    fn told(&self, approval: &Approval) -> Result<Outcome, GateError> {
        Ok(match &approval.stage {
            Stage::Pending { .. } => Outcome::Open { until: approval.asked.after(approval.terms.decide_within) },
            Stage::Approved(consent) => Outcome::Approved {
                permit: self.permit(approval, consent)?,
                manner: consent.manner,
                modified: consent.modified.clone().map(Box::new),
                until: consent.until,
            },
            Stage::Denied { by, words, .. } => Outcome::Denied { by: by.person.clone(), words: words.clone() },
            Stage::Expired { clock, .. } => Outcome::Expired(*clock),
            Stage::Withdrawn { .. } => Outcome::Withdrawn,
            Stage::Superseded { by, .. } => Outcome::Superseded(*by),
            Stage::Redeemed { .. } => Outcome::Redeemed,
            Stage::Reported { report: Report::Executed, .. } => Outcome::Executed,
            Stage::Reported { report: Report::Failed(words), .. } => Outcome::Failed(words.clone()),
            Stage::Unknown { .. } => Outcome::Unknown,
            Stage::Stale { .. } => Outcome::Stale,
        })
    }

    /// The permit of a yes. It is made of what is kept, so that a requester that asks again gets the same one.
    fn permit(&self, approval: &Approval, consent: &signoff_model::Consent) -> Result<Permit, GateError> {
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
