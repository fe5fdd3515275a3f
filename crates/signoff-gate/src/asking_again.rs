//! Questions that come from others: what a person has changed into something graver is asked anew, and takes the place of what
//! was asked before; what was refused is asked once more where whoever asks states a reason. None of them is asked in a milder
//! way than the one that it comes from.

use signoff_model::{
    Actor, Answer, Answerer, Approval, ApprovalId, Deed, Form, Modification, Operation, Origin, OwnerMay, Question,
    RequestKey, Requester, ScreenNumber, Stage, Terms, Verdict,
};

use crate::{Done, Gate, GateError, NewApproval, Refusal, Seen, Unseen, answering};

/// What came of a changed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It was heard like any other answer.
    Heard(Box<Approval>, Done),
    /// It is graver than what was shown, or others have to agree: this question has taken the place of the one before.
    AskedAnew(Box<Approval>),
}

impl Gate {
    /// A person says yes to another form of the operation, which is looked at first. What is no graver than what they were shown
    /// is approved; what is graver, or has to be agreed to by several, is a new question, which they and all others see before
    /// anybody says yes.
    pub async fn modify(
        &self,
        id: ApprovalId,
        by: Answerer,
        operation: Operation,
        number: Option<ScreenNumber>,
    ) -> Result<Changed, GateError> {
        let approval = self.store().approval(id).await?.ok_or(GateError::NotFound)?;
        let question = &approval.question;
        let seen = self.seen(&approval, Some(operation), question.surroundings).await?;
        let modification = Modification {
            risk: seen.judged.assessment.effective_risk(),
            verdict: seen.judged.judgement.decision.verdict(),
            form: Form::of(&seen.judged.judgement.decision),
            operation: seen.judged.operation.clone(),
            binding: seen.binding,
        };
        match self.answer_with(id, by.clone(), Answer::Modify(modification), number).await {
            Ok((approval, done)) => Ok(Changed::Heard(Box::new(approval), done)),
            // Whoever is told so may say yes to it, and only the form is not what was shown: to them, or to the others who have
            // to agree.
            Err(GateError::Refused { refusal: Refusal::Riskier | Refusal::ChangedAlone, .. }) => {
                let origin = Origin::Changed { from: id, by };
                let asked = self.ask_again(&approval, seen, origin).await?;
                Ok(Changed::AskedAnew(Box::new(asked)))
            }
            Err(error) => Err(error),
        }
    }

    /// Whoever has asked states a reason for what was refused: it is looked at anew, and a person judges it who sees the refusal and
    /// the reason. That is so once, and whoever states the same reason again finds the same question.
    pub async fn reopen(&self, id: ApprovalId, by: &Requester, reason: &str) -> Result<Approval, GateError> {
        let before = self.own(id, by).await?;
        let reason = stated(reason)?;
        let refused = || GateError::refused(Refusal::NotReopenable);
        let Stage::Denied { by: refuser, words, reopened, .. } = &before.stage else { return Err(refused()) };
        if let Some(again) = reopened {
            let kept = self.own(*again, by).await?;
            let same =
                matches!(&kept.question.origin, Some(Origin::Reopened { reason: before, .. }) if *before == reason);
            return if same { Ok(kept) } else { Err(refused()) };
        }
        let seen = self.seen(&before, None, before.question.surroundings).await?;
        if seen.judged.judgement.decision.verdict() == Verdict::Block {
            let details = vec![("refused", Refusal::Blocked.name().to_owned())];
            let by = Actor::Agent(by.clone());
            self.store().record(vec![Deed { what: "reopening-refused", by, approval: Some(id), details }]).await?;
            return Err(GateError::refused(Refusal::Blocked));
        }
        let (refused_by, words) = (refuser.person.clone(), words.clone());
        self.ask_again(&before, seen, Origin::Reopened { from: id, refused_by, words, reason }).await
    }

    /// Asks what was seen as a question that comes from another.
    async fn ask_again(&self, before: &Approval, seen: Seen, origin: Origin) -> Result<Approval, GateError> {
        let Seen { judged, binding, directory, project, card, asking, shown, rests, trust: _, policy: _ } = seen;
        let terms = no_laxer(asking.terms(&before.requester), &before.terms);
        // What nobody would be asked about is asked about here, since somebody has said so.
        let form = Form::of(&judged.judgement.decision).unwrap_or(Form::Confirmation);
        let risk = judged.assessment.effective_risk();
        let (risk, form) = match &origin {
            Origin::Changed { .. } => (risk, form),
            Origin::Reopened { .. } => (risk.max(before.question.risk), stricter(form, &before.question.form)),
        };
        let number = match (&origin, before.question.number) {
            // It stands on the screen of whoever asks still, and whoever wants the change has read it there.
            (Origin::Changed { .. }, number) => number,
            (Origin::Reopened { .. }, None) => None,
            // Whoever has read the first one has refused: this is another question, and its yes has to come from the screen again.
            (Origin::Reopened { reason, .. }, Some(old)) => {
                let old = old.to_string();
                let written = [directory.as_str(), project.as_str(), reason.as_str(), old.as_str()];
                let intent = before.question.intent.as_deref().unwrap_or_default();
                let written: Vec<&str> = written.into_iter().chain([intent]).collect();
                Some(self.number(&judged.operation, &before.requester, &written)?)
            }
        };
        let rules = judged.rules();
        let drawn = || signoff_card::keep(&judged.operation, &judged.assessment, &judged.judgement);
        let question = Question {
            risk,
            form,
            binding,
            directory,
            project,
            intent: before.question.intent.clone(),
            surroundings: before.question.surroundings,
            card: if card.is_empty() { drawn() } else { card },
            operation: judged.operation,
            origin: Some(origin),
            batch: None,
            number,
            rules,
            shown,
            rests,
            // A changed plan is another plan, and so is one that somebody has refused before: each step is asked about when it comes.
            steps: Vec::new(),
        };
        let id = self.mint().id()?;
        // The requester gave no name to it, and can have given this one to nothing else: nobody guesses the id.
        let key = RequestKey::new(format!("again-{id}")).map_err(|_| GateError::KeyTaken)?;
        self.ask_as(NewApproval { id, key, requester: before.requester.clone(), question, terms }).await
    }
}

/// The longest reason, in characters: it is shown in full, and nobody reads a treatise before they answer.
const REASON_AT_MOST: usize = 2_000;

/// A reason that somebody can judge.
fn stated(reason: &str) -> Result<String, GateError> {
    let reason = reason.trim();
    if reason.is_empty() || reason.chars().count() > REASON_AT_MOST {
        let wrong = format!("a reason has between 1 and {REASON_AT_MOST} characters");
        return Err(Unseen::Request(wrong).into());
    }
    Ok(reason.to_owned())
}

/// The form that asks more of whoever says yes.
fn stricter(now: Form, before: &Form) -> Form {
    if answering::strictness(&now) >= answering::strictness(before) { now } else { before.clone() }
}

/// The terms of a question that comes from another: whatever was stricter there is as strict here.
pub(crate) fn no_laxer(now: Terms, before: &Terms) -> Terms {
    let apart = now.owner == OwnerMay::OnlyDeny || before.owner == OwnerMay::OnlyDeny;
    Terms {
        quorum: now.quorum.max(before.quorum),
        owner: if apart { OwnerMay::OnlyDeny } else { OwnerMay::Approve },
        assurance: now.assurance.max(before.assurance),
        ..now
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use signoff_model::{Assurance, Choice};

    use super::*;

    #[test]
    fn a_question_that_comes_from_another_is_no_laxer() {
        let terms = |quorum, owner, assurance| Terms {
            approvers: Vec::new(),
            quorum,
            owner,
            assurance,
            decide_within: Duration::ZERO,
            run_within: Duration::ZERO,
            escalation: None,
            reminding: None,
        };
        let lax = || terms(1, OwnerMay::Approve, Assurance::Tap);
        let strict = || terms(2, OwnerMay::OnlyDeny, Assurance::Passkey);
        assert_eq!(no_laxer(lax(), &strict()), strict());
        assert_eq!(no_laxer(strict(), &lax()), strict());
        assert_eq!(no_laxer(lax(), &lax()), lax());
        let typed = || Form::Input("main".to_owned());
        let choice = || Form::Choice(vec![Choice::Cancel, Choice::GoAhead]);
        for (now, before, expected) in [
            (Form::Confirmation, typed(), typed()),
            (typed(), Form::Confirmation, typed()),
            (Form::Confirmation, choice(), choice()),
            (Form::Input("dev".to_owned()), typed(), Form::Input("dev".to_owned())),
        ] {
            assert_eq!(stricter(now, &before), expected);
        }
    }

    #[test]
    fn a_reason_is_something_that_can_be_read() {
        let told = |reason: &str| stated(reason).is_ok();
        assert!(told(" the tables were copied yesterday\n") && told(&"理".repeat(REASON_AT_MOST)));
        assert!(!told("") && !told(" \n\t ") && !told(&"x".repeat(REASON_AT_MOST + 1)));
    }
}
