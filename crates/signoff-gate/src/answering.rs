//! A person's answer to a question that is open.

use signoff_model::{
    Answer, Answerer, Approval, Assurance, Choice, Consent, Digest, Form, Manner, Miss, Modification, OwnerMay,
    PersonId, Requester, Stage, Terms, Timestamp, Verdict, Vote,
};

use crate::life::{Done, Refusal, Step};

/// How often a person may type something else than was asked for.
pub const TRIES: u8 = 3;

/// A question that is open, with whoever answers it now.
pub(crate) struct Open<'a> {
    pub(crate) approval: &'a Approval,
    pub(crate) votes: &'a [Vote],
    pub(crate) misses: &'a [Miss],
    pub(crate) by: &'a Answerer,
    pub(crate) nonce: Digest,
    pub(crate) now: Timestamp,
}

/// What an answer comes down to.
enum Word<'a> {
    No(&'a str),
    Yes(Manner),
    Typed(&'a str),
    Changed(&'a Modification),
}

pub(crate) fn answer(open: &Open<'_>, answer: &Answer) -> Step {
    // Who has no say learns nothing of what would have been understood.
    if !open.may_speak() {
        return Step::refused(Refusal::NotAsked);
    }
    let answered = understood(&open.approval.question.form, answer).and_then(|word| match word {
        Word::No(words) => Ok(open.no(words)),
        Word::Yes(manner) => open.may_approve().map(|()| open.yes(manner)),
        Word::Typed(text) => open.may_approve().map(|()| open.typed(text)),
        Word::Changed(modification) => open.may_approve().and_then(|()| open.changed(modification)),
    });
    answered.unwrap_or_else(Step::refused)
}

/// What an answer says to a form of question. Anything else is none, and leaves the question open.
fn understood<'a>(form: &Form, answer: &'a Answer) -> Result<Word<'a>, Refusal> {
    match (answer, form) {
        (Answer::Deny(words), _) => Ok(Word::No(words)),
        (Answer::Choose(Choice::Cancel), _) => Ok(Word::No("")),
        (Answer::Modify(modification), _) => Ok(Word::Changed(modification)),
        (Answer::Approve, Form::Confirmation) => Ok(Word::Yes(Manner::AsShown)),
        (Answer::Choose(choice), Form::Choice(offered)) if offered.contains(choice) => match choice {
            Choice::GoAhead => Ok(Word::Yes(Manner::AsShown)),
            Choice::BackUpFirst => Ok(Word::Yes(Manner::BackUpFirst)),
            Choice::Cancel => Ok(Word::No("")),
            // Who wants to see more has not answered yet.
            Choice::ShowDifference => Err(Refusal::NoAnswer),
        },
        (Answer::Input(text), Form::Input(_)) => Ok(Word::Typed(text)),
        (Answer::Approve | Answer::Choose(_) | Answer::Input(_), _) => Err(Refusal::NoAnswer),
    }
}

/// Whether somebody could say yes to a question, so that it makes sense to ask.
pub(crate) fn is_answerable(approval: &Approval) -> bool {
    let form = match &approval.question.form {
        Form::Confirmation => true,
        Form::Choice(offered) => offered.contains(&Choice::GoAhead) || offered.contains(&Choice::BackUpFirst),
        Form::Input(text) => !text.is_empty(),
    };
    let later = approval.terms.escalation.iter().flat_map(|escalation| &escalation.members);
    let mut able: Vec<&PersonId> =
        approval.terms.approvers.iter().chain(later).filter(|person| !is_excluded(approval, person)).collect();
    able.sort();
    able.dedup();
    form && able.len() >= usize::from(approval.terms.quorum.max(1))
}

/// Whether a person has a say in it, now or when nobody else has answered for a while.
pub(crate) fn has_say(approval: &Approval, person: &PersonId) -> bool {
    let later = approval.terms.escalation.iter().flat_map(|escalation| &escalation.members);
    let mut asked = approval.terms.approvers.iter().chain(later);
    *person == approval.requester.owner || asked.any(|one| one == person)
}

/// Whether the yes of somebody would be enough under these terms, at once and alone. Only such a one can be given beforehand.
pub(crate) fn could_approve_alone(terms: &Terms, requester: &Requester, by: &Answerer) -> bool {
    let apart = terms.owner == OwnerMay::OnlyDeny && by.person == requester.owner;
    terms.quorum <= 1 && !apart && by.assurance >= terms.assurance && terms.approvers.contains(&by.person)
}

/// Whether the yes of the person for whom the agent works is enough where they are logged in.
pub(crate) fn owner_decides(approval: &Approval) -> bool {
    let (terms, owner) = (&approval.terms, &approval.requester.owner);
    terms.quorum <= 1
        && terms.assurance <= Assurance::Login
        && terms.approvers.contains(owner)
        && !is_excluded(approval, owner)
}

/// Whether a person may not say yes because the agent works for them: where duties are apart, or where several have to agree.
fn is_excluded(approval: &Approval, person: &PersonId) -> bool {
    let apart = approval.terms.owner == OwnerMay::OnlyDeny || approval.terms.quorum > 1;
    apart && *person == approval.requester.owner
}

impl Open<'_> {
    /// Whether this person has a say in it at all.
    fn may_speak(&self) -> bool {
        self.by.person == self.approval.requester.owner || self.is_asked()
    }

    fn is_asked(&self) -> bool {
        let Approval { terms, asked, .. } = self.approval;
        let escalated = terms.escalation.iter().filter(|escalation| self.now >= asked.after(escalation.after));
        let mut persons = terms.approvers.iter().chain(escalated.flat_map(|escalation| &escalation.members));
        persons.any(|person| *person == self.by.person)
    }

    fn may_approve(&self) -> Result<(), Refusal> {
        let needed = self.approval.terms.assurance;
        if !self.is_asked() {
            Err(Refusal::NotAsked)
        } else if is_excluded(self.approval, &self.by.person) {
            Err(Refusal::OwnersWord)
        } else if self.by.assurance < needed {
            Err(Refusal::AssuranceTooLow { needed })
        } else {
            Ok(())
        }
    }

    fn no(&self, words: &str) -> Step {
        Step::to(Stage::Denied { by: self.by.clone(), at: self.now, words: words.to_owned() }, Done::Decided)
    }

    fn typed(&self, text: &str) -> Step {
        let missed = self.misses.iter().find(|miss| miss.person == self.by.person).map_or(0, |miss| miss.times);
        if missed >= TRIES {
            return Step::refused(Refusal::WrongInput { tries_left: 0 });
        }
        let wanted = &self.approval.question.form;
        if matches!(wanted, Form::Input(wanted) if !wanted.is_empty() && wanted == text) {
            return self.yes(Manner::AsShown);
        }
        let times = missed + 1;
        let others = self.misses.iter().filter(|miss| miss.person != self.by.person).cloned();
        let misses = others.chain([Miss { person: self.by.person.clone(), times }]).collect();
        Step {
            stage: Some(Stage::Pending { votes: self.votes.to_vec(), misses }),
            outcome: Err(Refusal::WrongInput { tries_left: TRIES - times }),
        }
    }

    fn yes(&self, manner: Manner) -> Step {
        if self.votes.iter().any(|before| before.by.person == self.by.person) {
            return Step::refused(Refusal::SaidBefore);
        }
        let vote = Vote { by: self.by.clone(), at: self.now, manner };
        let votes: Vec<Vote> = self.votes.iter().cloned().chain([vote]).collect();
        let said = u16::try_from(votes.len()).unwrap_or(u16::MAX);
        let missing = self.approval.terms.quorum.max(1).saturating_sub(said);
        if missing > 0 {
            return Step::to(Stage::Pending { votes, misses: self.misses.to_vec() }, Done::Voted { missing });
        }
        // Where one of them wants a copy first, there is one.
        let careful = votes.iter().any(|vote| vote.manner == Manner::BackUpFirst);
        let manner = if careful { Manner::BackUpFirst } else { Manner::AsShown };
        Step::to(Stage::Approved(self.consent(votes, manner, None)), Done::Decided)
    }

    /// A yes to a changed form of the operation.
    fn changed(&self, modification: &Modification) -> Result<Step, Refusal> {
        let question = &self.approval.question;
        if modification.verdict == Verdict::Block {
            return Err(Refusal::Blocked);
        }
        if modification.operation == question.operation {
            return Err(Refusal::NoAnswer);
        }
        if self.approval.terms.quorum > 1 {
            return Err(Refusal::ChangedAlone);
        }
        if !is_covered(self.approval, modification) {
            return Err(Refusal::Riskier);
        }
        // Where nobody was offered to go ahead without a copy, nobody gets around it by a change.
        let careful = matches!(&question.form, Form::Choice(offered) if !offered.contains(&Choice::GoAhead));
        let manner = if careful { Manner::BackUpFirst } else { Manner::AsShown };
        let vote = Vote { by: self.by.clone(), at: self.now, manner };
        let consent = self.consent(vec![vote], manner, Some(modification.clone()));
        Ok(Step::to(Stage::Approved(consent), Done::Decided))
    }

    fn consent(&self, votes: Vec<Vote>, manner: Manner, modified: Option<Modification>) -> Consent {
        let until = self.now.after(self.approval.terms.run_within);
        Consent { votes, manner, at: self.now, until, nonce: self.nonce, modified }
    }
}

/// Whether the answer to what was asked covers the changed form as well: it is no graver, and would not be asked about in a
/// stricter way. What has to be typed is typed for what was shown, and so a change has to make it something that need not be.
fn is_covered(approval: &Approval, modification: &Modification) -> bool {
    let strictness = |form: &Form| match form {
        Form::Confirmation => 1,
        Form::Choice(_) => 2,
        Form::Input(_) => 3,
    };
    let shown = &approval.question;
    let asked = modification.form.as_ref().map_or(0, strictness);
    let typed = matches!(shown.form, Form::Input(_)) && asked >= 3;
    modification.risk <= shown.risk && asked <= strictness(&shown.form) && !typed
}
