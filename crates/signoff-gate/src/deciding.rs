//! What becomes of something that a door wants done: it may run, it must not, or people are asked.

use signoff_model::{
    Digest, Form, GrantId, Operation, PersonId, Question, RequestKey, Requester, Screen, ScreenNumber, Sight,
    Timestamp, Verdict,
};

use crate::{
    Gate, GateError, NewApproval, Order, answering,
    eyes::{Seen, Sought, Unseen},
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
}

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

impl Gate {
    /// Decides about something that a door wants done. Every decision is in the ledger before anybody hears of it.
    ///
    /// # Errors
    ///
    /// When it cannot be looked at, kept, or answered by anybody: then nothing runs.
    pub async fn decide(&self, wish: Wish) -> Result<Decided, GateError> {
        let Wish { key, requester, operation, directory, intent, surroundings, screen } = wish;
        // Whatever comes of it is written down.
        let _under_way = self.store().under_way();
        let owner = requester.owner.clone();
        let scores = self.scores(&requester).await?;
        let intention = intent.clone();
        let sight = Sight::Local;
        let sought = Sought { operation, directory, sight, intent: intention, owner, scores, surroundings };
        let seen = self.eyes().look(sought).await?;
        let verdict = seen.judged.judgement.decision.verdict();
        // Read at once, so that a store that is far away is asked once.
        let terms = seen.asking.clone().terms(&requester);
        let (standing, attended) = tokio::try_join!(self.standing(), async {
            if verdict == Verdict::Ask { self.is_attended(&terms).await } else { Ok(false) }
        })?;
        if verdict != Verdict::Block
            && let Some(by) = standing.locks(seen.judged.assessment.effective_risk())
        {
            let deed = record::of_decision("blocked", &seen, requester, Some(("locked-down-by", by.to_string())));
            self.store().record(vec![deed]).await?;
            return Ok(Decided::LockedDown { judged: Box::new(seen.judged), by: by.clone() });
        }
        if verdict == Verdict::Ask
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
        let Seen { judged, binding, directory, project, card, asking, trust: _, policy: _ } = seen;
        let risk = judged.assessment.effective_risk();
        // A decision that asks has a form; without one, nobody could answer.
        let form = form.ok_or(GateError::NobodyToAsk)?;
        let id = self.mint().id()?;
        let batch = self.batch_for((id, risk, &form), &requester, &asking).await?;
        let (operation, rules) = (judged.operation.clone(), judged.rules());
        let matched = screen == Screen::Own && asking.match_from.is_some_and(|from| risk >= from);
        let written = [directory.as_str(), project.as_str(), key.as_str(), intent.as_deref().unwrap_or_default()];
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
        };
        let approval = self.ask_as(NewApproval { id, key, requester, question, terms }).await?;
        let until = approval.asked.after(approval.terms.decide_within);
        let owner_decides = answering::owner_decides(&approval);
        let (id, number) = (approval.id, approval.question.number);
        Ok(Decided::Asked { judged: Box::new(judged), approval: id, until, owner_decides, attended, number })
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
    fn number(
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
