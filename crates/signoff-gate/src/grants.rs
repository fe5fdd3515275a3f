//! Standing permission: what people have said once about what may come again. A grant answers before anybody is asked, in the
//! name of whoever gave it, and counts only where their own yes would have been enough.
//!
//! What a grant covers is for the policy to say, which judges again with the grant in its context. Whoever uses one changes it
//! from what they have seen: of several who want the last use one gets it, and one that was taken back is used by nobody.

use std::time::Duration;

use signoff_model::{
    Actor, AgentId, Answer, Answerer, Approval, ApprovalId, Assurance, Bounds, Choice, Decision, Deed, Digest, Form,
    Grant, GrantId, Operation, PersonId, PlanStep, Question, Reach, Requester, Risk, SessionId, Settled, Shown, Sight,
    Stage, Timestamp, Verdict,
};
use signoff_policy::{GrantMatch, GrantPattern, Judgement, PatternError, Ungrantable};

use crate::{
    Change, Done, Gate, GateError, Item, Refusal, Store, StoreError, Suggestion, answering,
    eyes::{Seen, Sought},
    judging::{Judged, Surroundings},
    marking, record, shelves, store, suggestions,
    trusting::Scores,
};

const SHELF: &str = "grants";

/// So many grants there are at most: nobody keeps more in mind, and each question looks at all of them.
const GRANTS_AT_MOST: u32 = 1_000;

/// So long a step of a plan may wait for its turn.
const STEPS_LAST: Duration = Duration::from_secs(60 * 60);

/// So often somebody who was too slow looks again.
const ROUNDS: usize = 256;

/// So many questions are looked at for suggestions.
const LOOKED_BACK: usize = 200;
/// So many of them come at once, and so many times.
const PAGE: u32 = 200;
const PAGES: usize = 5;

/// Why a grant cannot be given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GrantRefusal {
    /// It would never end, or has ended already.
    #[error("a grant lasts between a second and 30 days")]
    Lasting,
    /// It could not be used once.
    #[error("a grant can be used at least once")]
    NoUse,
    /// The pattern is none.
    #[error("the pattern {}", .0)]
    Pattern(&'static str),
    /// The pattern would permit everything.
    #[error("the pattern has to name a program, and none that runs whatever it is told: it would permit everything")]
    Boundless,
    /// It is too grave.
    #[error("what is critical is asked about every time")]
    TooGrave,
    /// The question needs a text that is typed.
    #[error("what has to be typed is typed every time")]
    Typed,
    /// It needs no grant.
    #[error("nobody is asked about this: no grant is needed")]
    NotNeeded,
    /// Not all of what would be lost could be shown.
    #[error("not every file that would be lost can be listed: what nobody has seen in full is asked about every time")]
    NotShown,
    /// It would not answer what it is given for.
    #[error("the grant would not answer this: another command stands beside it, or a rule asks every time")]
    DoesNotFit,
    /// Whoever gives it could not say yes alone.
    #[error("your yes alone would not be enough here, and so is no grant of yours")]
    NotAlone,
    /// The directory or project is no absolute path.
    #[error("a project is named by its absolute path")]
    NoProject,
    /// There are too many.
    #[error("there are {GRANTS_AT_MOST} grants already: revoke some")]
    TooMany,
}

impl GrantRefusal {
    /// The stable name used on the wire.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Lasting => "grant-lasting",
            Self::NoUse => "grant-no-use",
            Self::Pattern(_) => "grant-pattern",
            Self::Boundless => "grant-boundless",
            Self::TooGrave => "grant-too-grave",
            Self::Typed => "grant-typed",
            Self::NotNeeded => "grant-not-needed",
            Self::NotShown => "grant-not-shown",
            Self::DoesNotFit => "grant-does-not-fit",
            Self::NotAlone => "grant-not-alone",
            Self::NoProject => "grant-no-project",
            Self::TooMany => "grant-too-many",
        }
    }
}

impl From<Ungrantable> for GrantRefusal {
    fn from(why: Ungrantable) -> Self {
        match why {
            Ungrantable::Boundless => Self::Boundless,
            Ungrantable::Pattern(PatternError::Empty) => Self::Pattern("is empty"),
            Ungrantable::Pattern(PatternError::UnclosedQuote) => Self::Pattern("has a quote that does not end"),
            Ungrantable::Pattern(PatternError::TooLong) => Self::Pattern("is too long"),
        }
    }
}

/// A grant that somebody wants to give by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGrant {
    /// What it is for.
    pub reach: NewReach,
    /// How long it lasts.
    pub lasts: Duration,
    /// How often it can be used; none where only time ends it.
    pub uses: Option<u32>,
    /// Only in this session.
    pub session: Option<SessionId>,
    /// Only for this agent.
    pub agent: Option<AgentId>,
}

/// What a grant is for that somebody wants to give by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewReach {
    /// One operation, as grave as it is now and no graver.
    Exact {
        /// The operation.
        operation: Operation,
        /// Where it runs.
        directory: String,
    },
    /// Every command of a form.
    Pattern {
        /// The pattern over its words.
        command: String,
        /// Patterns over paths.
        paths: Vec<String>,
        /// Only in this project; none where it counts everywhere.
        project: Option<String>,
        /// Up to which risk.
        covers: Risk,
    },
}

/// What a grant is for that answers a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Exactly what is asked about.
    Exact,
    /// Every command of a form which what is asked about has.
    Pattern {
        /// The pattern over its words.
        command: String,
        /// Patterns over paths.
        paths: Vec<String>,
    },
}

/// A grant that answers a question, and others like it: for the agent that asks, in its project, and no graver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromQuestion {
    /// What it is for.
    pub wanted: Wanted,
    /// How long it lasts.
    pub lasts: Duration,
    /// How often it can be used after this.
    pub uses: Option<u32>,
    /// Only in this session.
    pub session: Option<SessionId>,
}

/// A grant with the text in which it is kept.
type Kept = (String, Grant);

impl Gate {
    /// The grants that have not ended, the oldest first.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn grants(&self) -> Result<Vec<Grant>, GateError> {
        let now = self.store().now().await?;
        let kept = self.kept().await?.into_iter().map(|(_, grant)| grant);
        Ok(kept.filter(|grant| now < grant.bounds.until).collect())
    }

    /// Gives a grant.
    ///
    /// # Errors
    ///
    /// When it cannot be given, or the store fails.
    pub async fn grant(&self, by: Answerer, new: NewGrant) -> Result<Grant, GateError> {
        is_sure(&by, Assurance::Login)?;
        let NewGrant { reach, lasts, uses, session, agent } = new;
        let (reach, covers, project) = match reach {
            NewReach::Pattern { command, paths, project, covers } => {
                GrantPattern::parse(&command, &paths).map_err(GrantRefusal::from)?;
                if project.as_ref().is_some_and(|project| !project.starts_with('/')) {
                    return Err(GrantRefusal::NoProject.into());
                }
                (Reach::Pattern { command, paths }, covers, project)
            }
            NewReach::Exact { operation, directory } => {
                let surroundings = Surroundings::default().digest();
                let owner = by.person.clone();
                let sought = Sought {
                    operation,
                    directory,
                    sight: Sight::Local,
                    intent: None,
                    owner,
                    scores: Scores::default(),
                    surroundings,
                };
                let seen = self.eyes().look(sought).await?;
                let (reach, risk) = exactly(&seen)?;
                (reach, risk, Some(seen.project))
            }
        };
        let at = self.store().now().await?;
        let bounds = Bounds { until: ending(at, lasts)?, uses: counted(uses)?, session, project, agent };
        let id = GrantId::from_bits(self.mint().id()?.bits());
        let grant = Grant { id, by, at, reach, covers: no_graver(covers)?, bounds };
        self.keep(&grant, None).await?;
        Ok(grant)
    }

    /// Answers a question with yes, and others like it from now on. The grant has to be one that would have answered it.
    ///
    /// # Errors
    ///
    /// When the grant cannot be given, or the yes does not count: then there is neither.
    pub async fn grant_to(
        &self,
        id: ApprovalId,
        by: Answerer,
        new: FromQuestion,
    ) -> Result<(Grant, Approval, Done), GateError> {
        let approval = self.store().approval(id).await?.ok_or(GateError::NotFound)?;
        let answer = match &approval.question.form {
            Form::Confirmation => Answer::Approve,
            Form::Choice(_) => Answer::Choose(Choice::GoAhead),
            Form::Input(_) => return Err(GrantRefusal::Typed.into()),
        };
        if matches!(approval.stage, Stage::Pending { .. }) {
            let grant = self.fitting(&approval, &by, new).await?;
            // The yes comes first: where somebody else was quicker with a no, there is no grant either.
            let (approval, done) = self.answer(id, by, answer).await?;
            self.keep(&grant, Some(id)).await?;
            return Ok((grant, approval, done));
        }
        // Whoever comes too late is told so, as with every other answer.
        self.answer(id, by, answer).await?;
        Err(GateError::refused(Refusal::Closed))
    }

    /// The grant that somebody wants to give to an open question, once it is certain that it would have answered it.
    async fn fitting(&self, approval: &Approval, by: &Answerer, new: FromQuestion) -> Result<Grant, GateError> {
        let FromQuestion { wanted, lasts, uses, session } = new;
        let Approval { question, requester, terms, .. } = approval;
        if !answering::has_say(approval, &by.person) {
            return Err(GateError::refused(Refusal::NotAsked));
        }
        is_sure(by, Assurance::Login.max(terms.assurance))?;
        if !answering::could_approve_alone(terms, requester, by) {
            return Err(GrantRefusal::NotAlone.into());
        }
        let at = self.store().now().await?;
        let (until, uses, covers) = (ending(at, lasts)?, counted(uses)?, no_graver(question.risk)?);
        let reach = match wanted {
            Wanted::Exact => exact_of(question)?,
            Wanted::Pattern { command, paths } => {
                GrantPattern::parse(&command, &paths).map_err(GrantRefusal::from)?;
                Reach::Pattern { command, paths }
            }
        };
        let bounds = Bounds {
            until,
            uses,
            session,
            project: Some(question.project.clone()),
            agent: Some(requester.agent.clone()),
        };
        let id = GrantId::from_bits(self.mint().id()?.bits());
        let grant = Grant { id, by: by.clone(), at, reach, covers, bounds };
        let seen = self.seen(approval, None, question.surroundings).await?;
        let differing = question.binding.differing(&seen.binding);
        if !differing.is_empty() {
            // What the person has seen is not what is there.
            return Err(GateError::refused(Refusal::Stale(differing)));
        }
        if covering(&grant, &seen).is_none() {
            return Err(GrantRefusal::DoesNotFit.into());
        }
        Ok(grant)
    }

    /// Takes a grant back: what comes after this is asked about again.
    ///
    /// # Errors
    ///
    /// When there is no such grant, or the store fails.
    pub async fn revoke(&self, id: GrantId, by: Answerer) -> Result<(), GateError> {
        let name = id.to_string();
        for _ in 0..ROUNDS {
            let text = self.store().item(SHELF, &name).await?.ok_or(GateError::NotFound)?;
            let deed = record::of_grant_ended(&name, Some(by.clone()));
            let change = Change { shelf: SHELF, name: name.clone(), from: Some(text), to: None, deed: Some(deed) };
            if self.store().change(vec![change]).await? {
                return Ok(());
            }
        }
        Err(StoreError::Unavailable("the grant is being used all the time".to_owned()).into())
    }

    /// Grants that would have answered many of the last questions of a person. They are only shown.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn suggestions(&self, person: &PersonId) -> Result<Vec<Suggestion>, GateError> {
        let mut decided: Vec<Approval> = Vec::new();
        let mut before = None;
        for _ in 0..PAGES {
            let wanted = store::Wanted { before, at_most: PAGE, ..store::Wanted::default() };
            let page = self.store().list(wanted).await?;
            before = page.last().map(|last| last.id);
            let full = page.len() == usize::try_from(PAGE).unwrap_or(usize::MAX);
            decided.extend(page.into_iter().filter(|approval| was_decided_by(approval, person)));
            if !full || decided.len() >= LOOKED_BACK {
                break;
            }
        }
        decided.truncate(LOOKED_BACK);
        Ok(suggestions(&decided))
    }

    /// Uses a grant that answers a question which would be asked now. The use is in the ledger before anybody hears of it.
    pub(crate) async fn granted(
        &self,
        seen: &Seen,
        requester: &Requester,
    ) -> Result<Option<(GrantId, Judgement)>, GateError> {
        let terms = seen.asking.clone().terms(requester);
        for _ in 0..ROUNDS {
            let kept = self.kept().await?;
            if kept.is_empty() {
                return Ok(None);
            }
            let now = self.store().now().await?;
            let holds = |grant: &Grant| {
                grant.bounds.hold(requester, &seen.project, now)
                    && answering::could_approve_alone(&terms, requester, &grant.by)
            };
            let fitting = kept.into_iter().filter(|(_, grant)| holds(grant)).filter_map(|(text, grant)| {
                let judgement = covering(&grant, seen)?;
                Some((text, grant, judgement))
            });
            // Those that are not counted come first, and those that end sooner.
            let first = fitting.min_by_key(|(_, grant, _)| (grant.bounds.uses.is_some(), grant.bounds.until, grant.id));
            let Some((text, grant, judgement)) = first else { return Ok(None) };
            let to = grant.used().map(|used| self.grant_as_kept(&used)).transpose()?;
            let deed = record::of_grant_used(&grant, seen, requester);
            let change = Change { shelf: SHELF, name: grant.id.to_string(), from: Some(text), to, deed: Some(deed) };
            if self.store().change(vec![change]).await? {
                return Ok(Some((grant.id, judgement)));
            }
        }
        // Whoever was too slow that often is asked about like everybody without a grant.
        Ok(None)
    }

    /// The grants on the shelf. What cannot be read permits nothing, and what is not the gate's own is taken away.
    async fn kept(&self) -> Result<Vec<Kept>, GateError> {
        let items = shelves::all(self.store(), SHELF, GRANTS_AT_MOST).await?;
        let mut all = Vec::new();
        for Item { name, text } in items {
            match marking::unmarked(self.mark(), SHELF, &name, &text) {
                Some(bare) => {
                    let grant = self.store().kept_grant(bare).ok().filter(|grant| grant.id.to_string() == name);
                    all.extend(grant.map(|grant| (text, grant)));
                }
                None => {
                    // Somebody has written into the store, or an earlier version has. Whoever is first says so, once.
                    let deed = Some(record::of_grant_unsealed(&name));
                    self.store().change(vec![Change { shelf: SHELF, name, from: Some(text), to: None, deed }]).await?;
                }
            }
        }
        Ok(all)
    }

    /// The text of a grant with the gate's mark.
    fn grant_as_kept(&self, grant: &Grant) -> Result<String, GateError> {
        let text = self.store().grant_as_kept(grant)?;
        Ok(marking::marked(self.mark(), SHELF, &grant.id.to_string(), &text))
    }

    /// Whoever has said yes to a plan has said so to its steps, each of them once: they are grants from then on. Where one cannot
    /// be kept, its step is asked about when it comes.
    pub(crate) async fn grant_steps(&self, approval: &Approval) -> Result<(), GateError> {
        let Stage::Approved(consent) = &approval.stage else { return Ok(()) };
        // A changed plan is another plan.
        let Some(vote) = consent.votes.last().filter(|_| consent.modified.is_none()) else { return Ok(()) };
        let wanted = approval.question.steps.iter().filter(|step| step.settled == Settled::ByTheYes);
        for PlanStep { operation, directory, project, risk, bound, shown, .. } in wanted {
            let id = GrantId::from_bits(self.mint().id()?.bits());
            let reach = Reach::Exact {
                operation: operation.clone(),
                directory: directory.clone(),
                bound: *bound,
                shown: shown.clone(),
                plan: Some(approval.id),
            };
            let bounds = Bounds {
                until: consent.at.after(STEPS_LAST),
                uses: Some(1),
                session: Some(approval.requester.session.clone()),
                project: Some(project.clone()),
                agent: Some(approval.requester.agent.clone()),
            };
            let grant = Grant { id, by: vote.by.clone(), at: consent.at, reach, covers: *risk, bounds };
            self.keep(&grant, Some(approval.id)).await?;
        }
        Ok(())
    }

    async fn keep(&self, grant: &Grant, to: Option<ApprovalId>) -> Result<(), GateError> {
        self.sweep(grant.at).await?;
        let there = self.store().items(SHELF, None, GRANTS_AT_MOST).await?.len();
        if u32::try_from(there).is_ok_and(|there| there >= GRANTS_AT_MOST) {
            return Err(GrantRefusal::TooMany.into());
        }
        let text = self.grant_as_kept(grant)?;
        let deed = Some(record::of_grant(grant, to));
        let change = Change { shelf: SHELF, name: grant.id.to_string(), from: None, to: Some(text), deed };
        if self.store().change(vec![change]).await? {
            return Ok(());
        }
        Err(StoreError::Unavailable("there is a grant of this name".to_owned()).into())
    }

    /// Takes away what has ended by itself.
    async fn sweep(&self, now: Timestamp) -> Result<(), GateError> {
        let ended = self.kept().await?.into_iter().filter(|(_, grant)| now >= grant.bounds.until);
        for (text, grant) in ended {
            let name = grant.id.to_string();
            let deed = Some(record::of_grant_ended(&name, None));
            // Somebody else may have swept it.
            self.store().change(vec![Change { shelf: SHELF, name, from: Some(text), to: None, deed }]).await?;
        }
        Ok(())
    }
}

/// The changes by which the grants of a person end, for whoever takes their account away.
///
/// # Errors
///
/// When the store fails.
pub async fn ending_with(kept_by: &dyn Store, person: &PersonId, by: &Actor) -> Result<Vec<Change>, StoreError> {
    let items = kept_by.items(SHELF, None, GRANTS_AT_MOST).await?;
    let theirs = items
        .into_iter()
        .filter(|item| kept_by.kept_grant(marking::bare(&item.text)).is_ok_and(|grant| grant.by.person == *person));
    let change = |item: Item| {
        let details = vec![("grant", item.name.clone())];
        let deed = Some(Deed { what: "grant-revoked", by: by.clone(), approval: None, details });
        Change { shelf: SHELF, name: item.name, from: Some(item.text), to: None, deed }
    };
    Ok(theirs.map(change).collect())
}

/// What becomes of an operation under a grant whose bounds hold; none where people are asked nevertheless.
fn covering(grant: &Grant, seen: &Seen) -> Option<Judgement> {
    let Judged { operation, assessment, judgement } = &seen.judged;
    // Nobody says beforehand what has to be typed for exactly this.
    if matches!(judgement.decision, Decision::RequireInput { .. }) {
        return None;
    }
    let reaches = match &grant.reach {
        Reach::Exact { operation: meant, directory, bound, shown, plan: _ } => {
            let same = meant == operation && *directory == seen.directory && *bound == seen.binding.operation;
            same && shown.covers(&seen.shown)
        }
        Reach::Pattern { command, paths } => {
            let stands_in = [seen.directory.as_str(), seen.project.as_str()];
            let form = GrantPattern::parse(command, paths).ok()?;
            matches!(operation, Operation::Shell(_)) && seen.policy.is_reached(&form, operation, assessment, &stands_in)
        }
    };
    let granted = || seen.policy.judge_granted(operation, assessment, GrantMatch::up_to(grant.covers), seen.trust);
    reaches.then(granted).filter(|judgement| judgement.decision.verdict() == Verdict::Allow)
}

fn exact_of(question: &Question) -> Result<Reach, GrantRefusal> {
    reach(&question.operation, &question.directory, question.binding.operation, &question.shown)
}

/// What was seen as the reach of a grant, and how grave it is.
fn exactly(seen: &Seen) -> Result<(Reach, Risk), GateError> {
    let Judged { operation, assessment, judgement } = &seen.judged;
    match judgement.decision {
        Decision::ExecuteDirectly => return Err(GrantRefusal::NotNeeded.into()),
        Decision::Reject { .. } => return Err(GateError::refused(Refusal::Blocked)),
        Decision::RequireInput { .. } => return Err(GrantRefusal::Typed.into()),
        Decision::RequireConfirmation { .. } | Decision::RequireChoice { .. } => {}
    }
    Ok((reach(operation, &seen.directory, seen.binding.operation, &seen.shown)?, assessment.effective_risk()))
}

/// Exactly this, losing no more than this. What could not be shown in full is no measure of anything.
fn reach(operation: &Operation, directory: &str, bound: Digest, shown: &Shown) -> Result<Reach, GrantRefusal> {
    if !shown.complete {
        return Err(GrantRefusal::NotShown);
    }
    let (operation, directory, shown) = (operation.clone(), directory.to_owned(), shown.clone());
    Ok(Reach::Exact { operation, directory, bound, shown, plan: None })
}

/// What the yes to a plan would be to one of its steps: nobody says beforehand what is critical, what has to be typed for exactly
/// this, what several have to agree to, or what could not be shown in full.
pub(crate) fn settled(seen: &Seen) -> Settled {
    let Judged { assessment, judgement, .. } = &seen.judged;
    let alone = seen.asking.quorum <= 1;
    let bearable = alone && seen.shown.complete && assessment.effective_risk() <= Grant::AT_MOST;
    match &judgement.decision {
        Decision::ExecuteDirectly => Settled::Harmless,
        Decision::RequireConfirmation { .. } if bearable => Settled::ByTheYes,
        // Where nobody is offered to go ahead as it is, nobody does so beforehand.
        Decision::RequireChoice { options, .. } if bearable && options.contains(&Choice::GoAhead) => Settled::ByTheYes,
        Decision::RequireConfirmation { .. }
        | Decision::RequireChoice { .. }
        | Decision::RequireInput { .. }
        | Decision::Reject { .. } => Settled::Later,
    }
}

fn is_sure(by: &Answerer, needed: Assurance) -> Result<(), GateError> {
    if by.assurance < needed { Err(GateError::refused(Refusal::AssuranceTooLow { needed })) } else { Ok(()) }
}

fn ending(at: Timestamp, lasts: Duration) -> Result<Timestamp, GrantRefusal> {
    let bearable = lasts >= Duration::from_secs(1) && lasts <= Grant::LONGEST;
    if bearable { Ok(at.after(lasts)) } else { Err(GrantRefusal::Lasting) }
}

fn counted(uses: Option<u32>) -> Result<Option<u32>, GrantRefusal> {
    if uses == Some(0) { Err(GrantRefusal::NoUse) } else { Ok(uses) }
}

fn no_graver(risk: Risk) -> Result<Risk, GrantRefusal> {
    if risk > Grant::AT_MOST { Err(GrantRefusal::TooGrave) } else { Ok(risk) }
}

/// Whether the last word on a question was this person's.
fn was_decided_by(approval: &Approval, person: &PersonId) -> bool {
    match &approval.stage {
        Stage::Denied { by, .. } => by.person == *person,
        stage => stage.consent().is_some_and(|consent| consent.votes.iter().any(|vote| vote.by.person == *person)),
    }
}
