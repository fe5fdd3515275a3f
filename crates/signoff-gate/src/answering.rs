//! A person's answer to a question that is open.

use signoff_model::{
    Answer, Answerer, Approval, Assurance, Choice, Consent, Digest, Form, Manner, Miss, Modification, OwnerMay,
    PersonId, Requester, ScreenNumber, Stage, Stead, Terms, Timestamp, Verdict, Vote,
};

use signoff_permit::MacKey;

use crate::{
    life::{Done, Refusal, Step},
    sealing::{self, Used},
};

/// How often a person may type something else than was asked for.
pub const TRIES: u8 = 3;

/// What an agent is told where nobody has typed the number on its screen.
const NUMBER_NOT_MATCHED: &str = "the number on the screen of whoever asks was not matched";

/// A question that is open, with whoever answers it now.
pub(crate) struct Open<'a> {
    pub(crate) approval: &'a Approval,
    pub(crate) votes: &'a [Vote],
    pub(crate) misses: &'a [Miss],
    pub(crate) reminded: Option<Timestamp>,
    pub(crate) by: &'a Answerer,
    pub(crate) steads: &'a [Stead],
    pub(crate) number: Option<ScreenNumber>,
    pub(crate) nonce: Digest,
    pub(crate) seal: &'a MacKey,
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
    let word = match understood(&open.approval.question.form, answer) {
        Ok(Word::No(words)) => return open.no(words),
        Ok(word) => word,
        Err(refusal) => return Step::refused(refusal),
    };
    // Whatever is a yes, in whichever form, is one of somebody who may say it and has seen the screen of whoever asks.
    if let Err(refusal) = open.may_approve() {
        return Step::refused(refusal);
    }
    if let Some(step) = open.mismatch() {
        return step;
    }
    match word {
        Word::No(words) => open.no(words),
        Word::Yes(manner) => open.yes(manner),
        Word::Typed(text) => open.typed(text),
        Word::Changed(modification) => open.changed(modification).unwrap_or_else(Step::refused),
    }
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

/// Those whose yes is still missing at a moment, who are asked and could give it.
pub(crate) fn awaited(approval: &Approval, now: Timestamp) -> Vec<&PersonId> {
    let Approval { terms, asked, stage, .. } = approval;
    let escalated = terms.escalation.iter().filter(|escalation| now >= asked.after(escalation.after));
    let Stage::Pending { votes, .. } = stage else { return Vec::new() };
    let mut awaited: Vec<&PersonId> = terms
        .approvers
        .iter()
        .chain(escalated.flat_map(|escalation| &escalation.members))
        .filter(|person| !is_excluded(approval, person) && votes.iter().all(|vote| vote.voice() != *person))
        .collect();
    awaited.sort();
    awaited.dedup();
    awaited
}

/// In whose stead somebody speaks about it who has no say in it themselves.
pub(crate) fn speaks_for<'s>(approval: &Approval, by: &Answerer, steads: &'s [Stead]) -> Option<&'s PersonId> {
    if has_say(approval, &by.person) {
        return None;
    }
    steads.iter().map(|stead| &stead.person).find(|person| has_say(approval, person))
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
    /// Whose voices this person may raise: their own first, and those that others have handed over to them and not to others.
    fn voices(&self) -> impl Iterator<Item = &PersonId> {
        let handed_over = self.steads.iter().filter(|stead| self.now < stead.until).map(|stead| &stead.person);
        std::iter::once(&self.by.person).chain(handed_over)
    }

    /// Whether this person has a say in it at all.
    fn may_speak(&self) -> bool {
        self.voices().any(|person| *person == self.approval.requester.owner || self.is_asked(person))
    }

    fn is_asked(&self, voice: &PersonId) -> bool {
        let Approval { terms, asked, .. } = self.approval;
        let escalated = terms.escalation.iter().filter(|escalation| self.now >= asked.after(escalation.after));
        let mut persons = terms.approvers.iter().chain(escalated.flat_map(|escalation| &escalation.members));
        persons.any(|person| person == voice)
    }

    /// The voices with which this person may say yes. For whom the agent works may not where duties are apart, whoever's voice
    /// they raise and whoever raises theirs.
    fn able(&self) -> impl Iterator<Item = &PersonId> {
        let apart = is_excluded(self.approval, &self.by.person);
        self.voices().filter(move |voice| !apart && self.is_asked(voice) && !is_excluded(self.approval, voice))
    }

    fn may_approve(&self) -> Result<(), Refusal> {
        let needed = self.approval.terms.assurance;
        if !self.voices().any(|voice| self.is_asked(voice)) {
            Err(Refusal::NotAsked)
        } else if self.able().next().is_none() {
            Err(Refusal::OwnersWord)
        } else if self.by.assurance < needed {
            Err(Refusal::AssuranceTooLow { needed })
        } else {
            Ok(())
        }
    }

    fn no(&self, words: &str) -> Step {
        let (by, words) = (self.by.clone(), words.to_owned());
        Step::to(Stage::Denied { by, at: self.now, words, reopened: None }, Done::Decided)
    }

    fn typed(&self, text: &str) -> Step {
        let missed = self.missed();
        if missed >= TRIES {
            return Step::refused(Refusal::WrongInput { tries_left: 0 });
        }
        let wanted = &self.approval.question.form;
        if matches!(wanted, Form::Input(wanted) if !wanted.is_empty() && wanted == text) {
            return self.yes(Manner::AsShown);
        }
        Step { stage: Some(self.with_a_miss()), outcome: Err(Refusal::WrongInput { tries_left: TRIES - (missed + 1) }) }
    }

    /// How often this person has typed something else than was asked for.
    fn missed(&self) -> u8 {
        self.misses.iter().find(|miss| miss.person == self.by.person).map_or(0, |miss| miss.times)
    }

    fn with_a_miss(&self) -> Stage {
        let miss = Miss { person: self.by.person.clone(), times: self.missed().saturating_add(1) };
        let others = self.misses.iter().filter(|miss| miss.person != self.by.person).cloned();
        let misses = others.chain([miss]).collect();
        Stage::Pending { votes: self.counted().cloned().collect(), misses, reminded: self.reminded }
    }

    /// What comes of a yes that does not bring the number along. All tries count together, whoever has them: it is one number of
    /// two digits. After the last of them it is a no.
    fn mismatch(&self) -> Option<Step> {
        let wanted = self.approval.question.number?;
        let Some(number) = self.number else { return Some(Step::refused(Refusal::NumberNeeded)) };
        if number == wanted {
            return None;
        }
        let tried = self.misses.iter().fold(1_u8, |tried, miss| tried.saturating_add(miss.times));
        let tries_left = TRIES.saturating_sub(tried);
        let denied = || self.no(NUMBER_NOT_MATCHED).stage;
        let stage = if tries_left == 0 { denied() } else { Some(self.with_a_miss()) };
        Some(Step { stage, outcome: Err(Refusal::WrongNumber { tries_left }) })
    }

    fn yes(&self, manner: Manner) -> Step {
        // Neither one person with two voices nor one voice of two persons counts twice.
        let Some(vote) = self.vote(manner).filter(|_| self.counted().all(|one| one.by.person != self.by.person)) else {
            return Step::refused(Refusal::SaidBefore);
        };
        let votes: Vec<Vote> = self.counted().cloned().chain([vote]).collect();
        let said = u16::try_from(votes.len()).unwrap_or(u16::MAX);
        let missing = self.approval.terms.quorum.max(1).saturating_sub(said);
        if missing > 0 {
            let (misses, reminded) = (self.misses.to_vec(), self.reminded);
            return Step::to(Stage::Pending { votes, misses, reminded }, Done::Voted { missing });
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
        let runnable = modification.operation.is_run_like(&question.operation);
        if modification.operation == question.operation || !runnable {
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
        let vote = self.vote(manner).ok_or(Refusal::SaidBefore)?;
        let consent = self.consent(vec![vote], manner, Some(modification.clone()));
        Ok(Step::to(Stage::Approved(consent), Done::Decided))
    }

    /// A yes with the first voice that nobody has raised yet.
    fn vote(&self, manner: Manner) -> Option<Vote> {
        let voice = self.able().find(|voice| self.counted().all(|one| one.voice() != *voice))?;
        let stead = (*voice != self.by.person).then(|| voice.clone());
        let vote = Vote { by: self.by.clone(), at: self.now, manner, stead, seal: None };
        Some(sealing::sealed_vote(self.approval, vote, self.seal))
    }

    /// The voices that were raised before. One without the gate's mark was written into the store by somebody else, and is none.
    fn counted(&self) -> impl Iterator<Item = &Vote> {
        self.votes.iter().filter(|vote| sealing::is_sealed_vote(self.approval, vote, self.seal))
    }

    fn consent(&self, votes: Vec<Vote>, manner: Manner, modified: Option<Modification>) -> Consent {
        let until = self.now.after(self.approval.terms.run_within);
        let consent = Consent { votes, manner, at: self.now, until, nonce: self.nonce, modified, seal: None };
        sealing::sealed(self.approval, consent, Used::NotYet, self.seal)
    }
}

/// How much a form of question asks of whoever says yes.
pub(crate) const fn strictness(form: &Form) -> u8 {
    match form {
        Form::Confirmation => 1,
        Form::Choice(_) => 2,
        Form::Input(_) => 3,
    }
}

/// Whether whoever changes what is asked about has thereby answered the changed form as well: it is no graver, and a plain yes
/// would be enough for it. What offers a choice or has to be typed shows first what would be lost, and nobody has seen that of the
/// changed form.
fn is_covered(approval: &Approval, modification: &Modification) -> bool {
    let plain = matches!(modification.form, None | Some(Form::Confirmation));
    plain && modification.risk <= approval.question.risk
}
