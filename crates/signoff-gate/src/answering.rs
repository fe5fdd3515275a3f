//! A person's answer to a question that is open.

use signoff_model::{
    Answer, Answerer, Approval, Choice, Consent, Digest, Form, Manner, Miss, Modification, OwnerMay, PersonId, Risk,
    Stage, Timestamp, Verdict, Vote,
};

use crate::life::{Done, Refusal, Step};

/// How often a person may type something else than was asked for.
pub const TRIES: u8 = 3;

/// What an answer comes down to, before it is asked who gives it.
enum Word<'a> {
    No(&'a str),
    Yes(Manner),
    Typed(&'a str),
    Changed(&'a Modification),
}

pub(crate) fn answer(
    approval: &Approval,
    votes: &[Vote],
    misses: &[Miss],
    (by, answer, nonce): (&Answerer, &Answer, Digest),
    now: Timestamp,
) -> Step {
    let word = match understood(&approval.question.form, answer) {
        Ok(word) => word,
        Err(refusal) => return Step::refused(refusal),
    };
    if !may_speak(approval, &by.person, now) {
        return Step::refused(Refusal::NotAsked);
    }
    if let Word::No(words) = word {
        return Step::to(Stage::Denied { by: by.clone(), at: now, words: words.to_owned() }, Done::Decided);
    }
    if let Err(refusal) = may_approve(approval, by, now) {
        return Step::refused(refusal);
    }
    match word {
        Word::No(words) => Step::to(Stage::Denied { by: by.clone(), at: now, words: words.to_owned() }, Done::Decided),
        Word::Yes(manner) => yes(approval, votes, misses, Vote { by: by.clone(), at: now, manner }, nonce),
        Word::Typed(text) => typed(approval, votes, misses, (by, text, nonce), now),
        Word::Changed(modification) => changed(approval, by, modification, nonce, now),
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

/// Whether a person has a say in it at all.
fn may_speak(approval: &Approval, person: &PersonId, now: Timestamp) -> bool {
    *person == approval.requester.owner || is_asked(approval, person, now)
}

fn is_asked(approval: &Approval, person: &PersonId, now: Timestamp) -> bool {
    let escalated = approval.terms.escalation.iter().filter(|escalation| now >= approval.asked.after(escalation.after));
    approval.terms.approvers.contains(person)
        || escalated.flat_map(|escalation| &escalation.members).any(|one| one == person)
}

fn may_approve(approval: &Approval, by: &Answerer, now: Timestamp) -> Result<(), Refusal> {
    if !is_asked(approval, &by.person, now) {
        return Err(Refusal::NotAsked);
    }
    if by.person == approval.requester.owner && approval.terms.owner == OwnerMay::OnlyDeny {
        return Err(Refusal::OwnersWord);
    }
    if by.assurance < approval.terms.assurance {
        return Err(Refusal::AssuranceTooLow { needed: approval.terms.assurance });
    }
    Ok(())
}

fn typed(
    approval: &Approval,
    votes: &[Vote],
    misses: &[Miss],
    (by, text, nonce): (&Answerer, &str, Digest),
    now: Timestamp,
) -> Step {
    let missed = misses.iter().find(|miss| miss.person == by.person).map_or(0, |miss| miss.times);
    if missed >= TRIES {
        return Step::refused(Refusal::WrongInput { tries_left: 0 });
    }
    let wanted = matches!(&approval.question.form, Form::Input(wanted) if !wanted.is_empty() && wanted == text);
    if wanted {
        return yes(approval, votes, misses, Vote { by: by.clone(), at: now, manner: Manner::AsShown }, nonce);
    }
    let times = missed + 1;
    let others = misses.iter().filter(|miss| miss.person != by.person).cloned();
    let misses = others.chain([Miss { person: by.person.clone(), times }]).collect();
    Step {
        stage: Some(Stage::Pending { votes: votes.to_vec(), misses }),
        outcome: Err(Refusal::WrongInput { tries_left: TRIES - times }),
    }
}

fn yes(approval: &Approval, votes: &[Vote], misses: &[Miss], vote: Vote, nonce: Digest) -> Step {
    if votes.iter().any(|before| before.by.person == vote.by.person) {
        return Step::refused(Refusal::SaidBefore);
    }
    let now = vote.at;
    let votes: Vec<Vote> = votes.iter().cloned().chain([vote]).collect();
    let said = u16::try_from(votes.len()).unwrap_or(u16::MAX);
    let missing = approval.terms.quorum.max(1).saturating_sub(said);
    if missing > 0 {
        return Step::to(Stage::Pending { votes, misses: misses.to_vec() }, Done::Voted { missing });
    }
    // Where one of them wants a copy first, there is one.
    let careful = votes.iter().any(|vote| vote.manner == Manner::BackUpFirst);
    let manner = if careful { Manner::BackUpFirst } else { Manner::AsShown };
    let until = now.after(approval.terms.run_within);
    Step::to(Stage::Approved(Consent { votes, manner, at: now, until, nonce, modified: None }), Done::Decided)
}

/// A yes to a changed form of the operation.
fn changed(approval: &Approval, by: &Answerer, modification: &Modification, nonce: Digest, now: Timestamp) -> Step {
    if modification.verdict == Verdict::Block {
        return Step::refused(Refusal::Blocked);
    }
    if approval.terms.quorum > 1 {
        return Step::refused(Refusal::ChangedAlone);
    }
    if !is_covered(approval, modification.risk) {
        return Step::refused(Refusal::Riskier);
    }
    let vote = Vote { by: by.clone(), at: now, manner: Manner::AsShown };
    let until = now.after(approval.terms.run_within);
    let modified = Some(modification.clone());
    let consent = Consent { votes: vec![vote], manner: Manner::AsShown, at: now, until, nonce, modified };
    Step::to(Stage::Approved(consent), Done::Decided)
}

/// Whether the answer to what was asked covers something of this risk as well. What has to be typed is typed for what was
/// shown, so that a change has to make it less grave.
fn is_covered(approval: &Approval, risk: Risk) -> bool {
    match approval.question.form {
        Form::Input(_) => risk < approval.question.risk,
        Form::Confirmation | Form::Choice(_) => risk <= approval.question.risk,
    }
}
