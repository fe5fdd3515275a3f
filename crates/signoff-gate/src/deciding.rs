//! What becomes of something that a door wants done: it may run, it must not, or people are asked.

use signoff_model::{
    Assurance, Digest, Form, GrantId, Operation, PersonId, PlanStep, Question, RequestKey, Requester, Risk, Screen,
    ScreenNumber, Settled, Sight, Terms, Timestamp, Verdict,
};

use crate::{
    Gate, GateError, NewApproval, Order, Refusal, answering,
    asking_again::no_laxer,
    eyes::{Seen, Sought, Unseen},
    grants,
    judging::Judged,
    record,
};

/// Something that a door wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// What the requester calls it: who comes again after a crash finds the same question.
    pub key: RequestKey,
    /// Who asks.
    pub requester: Requester,
    /// What would be done.
    pub operation: Operation,
    /// Where.
    pub directory: String,
    /// What was asked for, in the user's words.
    pub intent: Option<String>,
    /// What whoever runs it says about what surrounds it there.
    pub surroundings: Digest,
    /// Whether whoever asks can show a number to a person.
    pub screen: Screen,
    /// What is to come after it: steps of the same plan, which people are shown together with it.
    pub then: Vec<(Operation, String)>,
}

/// So many steps come after what is asked about: nobody reads a longer plan as a whole.
pub const STEPS_AT_MOST: usize = 20;

/// What becomes of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Decided {
    /// It may run.
    Allowed {
        /// What would happen.
        judged: Box<Judged>,
        /// Why nobody is asked, where somebody would have been.
        spared: Option<Spared>,
    },
    /// It must not run, and nobody is asked.
    Blocked(Box<Judged>),
    /// It must not run as long as everything is locked down that is not harmless.
    LockedDown {
        /// What would happen.
        judged: Box<Judged>,
        /// Who has locked it.
        by: PersonId,
    },
    /// People are asked.
    Asked {
        /// What would happen, as it was seen now.
        judged: Box<Judged>,
        /// The question.
        approval: signoff_model::ApprovalId,
        /// Until when they may answer.
        until: Timestamp,
        /// Whether the word of the person for whom the agent works is enough, at a terminal of their own.
        owner_decides: bool,
        /// Whether anybody is there who may answer.
        attended: bool,
        /// What the requester shows on its screen, and nobody else is told.
        number: Option<ScreenNumber>,
    },
}

/// Why nobody is asked about something that somebody would have been asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spared {
    /// A grant answers it.
    By(GrantId),
    /// Somebody has stopped the questions for a while.
    Paused(Order),
}

/// What comes after something with the same yes, and who has to say it.
struct Plan {
    steps: Vec<PlanStep>,
    terms: Terms,
}

impl Gate {
    /// Decides about something that a door wants done. Every decision is in the ledger before anybody hears of it.
    ///
    /// # Errors
    ///
    /// When it cannot be looked at, kept, or answered by anybody: then nothing runs.
    pub async fn decide(&self, wish: Wish) -> Result<Decided, GateError> {
        let Wish { key, requester, operation, directory, intent, surroundings, screen, then } = wish;
        // Whatever comes of it is written down.
        let _under_way = self.store().under_way();
        let owner = requester.owner.clone();
        let scores = self.scores(&requester).await?;
        let intention = intent.clone();
        let sight = Sight::Local;
        let sought = Sought { operation, directory, sight, intent: intention, owner, scores, surroundings };
        let seen = self.eyes().look(sought).await?;
        let verdict = seen.judged.judgement.decision.verdict();
        let then = if verdict == Verdict::Block { Vec::new() } else { then };
        let Plan { steps, terms } = self.plan(then, &requester, (&intent, surroundings), &seen).await?;
        // A plan is asked about as a whole: whoever has allowed its first step has not seen the others.
        let by_itself = steps.iter().all(|step| step.settled != Settled::ByTheYes);
        // Read at once, so that a store that is far away is asked once.
        let (standing, attended) = tokio::try_join!(self.standing(), async {
            if verdict == Verdict::Ask || !by_itself { self.is_attended(&terms).await } else { Ok(false) }
        })?;
        if verdict != Verdict::Block
            && let Some(by) = standing.locks(seen.judged.assessment.effective_risk())
        {
            let deed = record::of_decision("blocked", &seen, requester, Some(("locked-down-by", by.to_string())));
            self.store().record(vec![deed]).await?;
            return Ok(Decided::LockedDown { judged: Box::new(seen.judged), by: by.clone() });
        }
        if verdict == Verdict::Ask
            && by_itself
            && let Some((grant, judgement)) = self.granted(&seen, &requester).await?
        {
            let judged = Box::new(Judged { judgement, ..seen.judged });
            return Ok(Decided::Allowed { judged, spared: Some(Spared::By(grant)) });
        }
        if verdict == Verdict::Ask
            && let Some(order) = standing.spares(&seen, &requester)
        {
            let deed = record::of_decision("allowed", &seen, requester, Some(("paused-by", order.by.to_string())));
            self.store().record(vec![deed]).await?;
            return Ok(Decided::Allowed { judged: Box::new(seen.judged), spared: Some(Spared::Paused(order.clone())) });
        }
        let form = match verdict {
            Verdict::Ask => Form::of(&seen.judged.judgement.decision),
            Verdict::Allow if !by_itself => Some(Form::Confirmation),
            Verdict::Allow | Verdict::Block => {
                let what = if verdict == Verdict::Allow { "allowed" } else { "blocked" };
                self.store().record(vec![record::of_decision(what, &seen, requester, None)]).await?;
                let judged = Box::new(seen.judged);
                return Ok(if verdict == Verdict::Allow {
                    Decided::Allowed { judged, spared: None }
                } else {
                    Decided::Blocked(judged)
                });
            }
        };
        let Seen { judged, binding, directory, project, card, asking, shown, rests, trust: _, policy: _ } = seen;
        // Whoever says yes says so to the gravest of it.
        let of_steps = steps.iter().filter(|step| step.settled == Settled::ByTheYes).map(|step| step.risk);
        let risk = of_steps.fold(judged.assessment.effective_risk(), Risk::max);
        let drawn = || signoff_card::keep(&judged.operation, &judged.assessment, &judged.judgement);
        let card = if card.is_empty() { drawn() } else { card };
        // A decision that asks has a form; without one, nobody could answer.
        let form = form.ok_or(GateError::NobodyToAsk)?;
        let id = self.mint().id()?;
        let batch = if steps.is_empty() {
            self.batch_for((id, risk, &form), &requester, &asking).await?
        } else {
            // A plan is read by itself.
            None
        };
        let (operation, rules) = (judged.operation.clone(), judged.rules());
        let matched = screen == Screen::Own && asking.match_from.is_some_and(|from| risk >= from);
        let first = [directory.as_str(), project.as_str(), key.as_str(), intent.as_deref().unwrap_or_default()];
        let later: Vec<String> = steps.iter().map(|step| format!("{}\n{:?}", step.directory, step.operation)).collect();
        let written: Vec<&str> = first.into_iter().chain(later.iter().map(String::as_str)).collect();
        let number = if matched { Some(self.number(&operation, &requester, &written)?) } else { None };
        let question = Question {
            operation,
            directory,
            project,
            risk,
            form,
            binding,
            intent,
            surroundings,
            card,
            origin: None,
            batch,
            number,
            rules,
            shown,
            rests,
            steps,
        };
        let approval = self.ask_as(NewApproval { id, key, requester, question, terms }).await?;
        let until = approval.asked.after(approval.terms.decide_within);
        let owner_decides = answering::owner_decides(&approval);
        let (id, number) = (approval.id, approval.question.number);
        Ok(Decided::Asked { judged: Box::new(judged), approval: id, until, owner_decides, attended, number })
    }

    /// What comes after what was seen, as people are shown it. One that is blocked is no step of any plan.
    async fn plan(
        &self,
        then: Vec<(Operation, String)>,
        requester: &Requester,
        (intent, surroundings): (&Option<String>, Digest),
        first: &Seen,
    ) -> Result<Plan, GateError> {
        let mut terms = first.asking.clone().terms(requester);
        if then.len() > STEPS_AT_MOST {
            let wrong = format!("a plan has {STEPS_AT_MOST} further steps at most");
            return Err(Unseen::Request(wrong).into());
        }
        let mut steps = Vec::new();
        for (operation, directory) in then {
            let sought = Sought {
                operation,
                directory,
                sight: Sight::Local,
                intent: intent.clone(),
                owner: requester.owner.clone(),
                scores: self.scores(requester).await?,
                surroundings,
            };
            let seen = self.eyes().look(sought).await?;
            if seen.judged.judgement.decision.verdict() == Verdict::Block {
                return Err(GateError::refused(Refusal::Blocked));
            }
            let settled = grants::settled(&seen);
            let Seen { judged, binding, directory, project, shown, asking, .. } = seen;
            if settled == Settled::ByTheYes {
                // A yes to the whole is as sure and as many as the strictest of it wants, and as a grant needs.
                let strictest = no_laxer(terms, &asking.terms(requester));
                terms = Terms { assurance: strictest.assurance.max(Assurance::Login), ..strictest };
            }
            steps.push(PlanStep {
                card: signoff_card::keep(&judged.operation, &judged.assessment, &judged.judgement),
                risk: judged.assessment.effective_risk(),
                operation: judged.operation,
                bound: binding.operation,
                directory,
                project,
                shown,
                settled,
            });
        }
        Ok(Plan { steps, terms })
    }

    /// What would be said about an operation, by its text alone: nothing is looked at, asked, kept or allowed by it.
    ///
    /// # Errors
    ///
    /// When there is no policy to judge by.
    pub async fn consider(
        &self,
        requester: &Requester,
        operation: Operation,
        directory: String,
        intent: Option<String>,
    ) -> Result<Judged, GateError> {
        let (owner, scores) = (requester.owner.clone(), self.scores(requester).await?);
        let (sight, surroundings) = (Sight::TextAlone, Digest::of(b""));
        let sought = Sought { operation, directory, sight, intent, owner, scores, surroundings };
        Ok(self.eyes().look(sought).await?.judged)
    }

    /// A number for the screen of a requester, which stands in nothing that it has written.
    pub(crate) fn number(
        &self,
        operation: &Operation,
        requester: &Requester,
        written: &[&str],
    ) -> Result<ScreenNumber, GateError> {
        let text = operation.text();
        let content = match operation {
            Operation::File(file) => file.content.as_deref().unwrap_or_default(),
            Operation::Shell(_) | Operation::Tool(_) => "",
        };
        let mut texts = vec![&*text, content, requester.agent.as_str(), requester.session.as_str()];
        texts.extend(written);
        let nonce = self.mint().nonce()?;
        let random = nonce.as_bytes().iter().take(8).fold(0_u64, |all, byte| (all << 8) | u64::from(*byte));
        let none =
            || Unseen::Request("every number of two digits stands in it, so that none can be matched".to_owned());
        Ok(ScreenNumber::beside(&texts, random).ok_or_else(none)?)
    }
}
