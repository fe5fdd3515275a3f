//! What the agents of one person ask beyond what people can bear one by one is put together, and answered in one go by somebody who has seen all
//! of it. Each question stays one of its own: with its own terms, its own permit, and its own lines in the ledger. What is grave
//! is never put together with anything.

use std::time::Duration;

use signoff_model::{
    Answer, Answerer, Approval, ApprovalId, Choice, Digest, Form, Question, Requester, Risk, Stage, Timestamp,
};

use crate::{Asking, Done, Event, Gate, GateError, Happened, Refusal, Wanted, waiting::InHand};

/// How many questions there may be is said for a time as long as this.
const WINDOW: Duration = Duration::from_secs(60);

/// So many are put together at most: each of them is shown in full.
pub const TOGETHER_AT_MOST: usize = 20;

/// So many questions are looked at, page by page, to find those of a batch.
const PAGE: u32 = 200;
const PAGES: usize = 5;
/// So many pages of a few, to count what somebody has asked in the last minute beside everybody else.
const FEW: usize = 50;

/// Questions that are open and put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Those that are open, the earliest first.
    pub members: Vec<Approval>,
    /// What somebody has seen who has seen all of them.
    pub seen: Digest,
}

impl Batch {
    fn of(mut members: Vec<Approval>) -> Self {
        members.sort_by_key(|member| member.id);
        let mut text = "signoff batch\n".to_owned();
        for Approval { id, question, .. } in &members {
            let Question { binding, .. } = question;
            text.push_str(&format!("{id} {} {} {}\n", binding.operation, binding.preview, binding.policy));
        }
        Self { seen: Digest::of(text.as_bytes()), members }
    }
}

/// What a person says to all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToAll {
    /// Yes, to each as it was shown.
    Approve,
    /// No, with words for the agent.
    Deny(String),
}

impl ToAll {
    /// What it says to one of them.
    fn to(&self, question: &Question) -> Answer {
        match (self, &question.form) {
            (Self::Deny(words), _) => Answer::Deny(words.clone()),
            (Self::Approve, Form::Choice(offered)) if offered.contains(&Choice::GoAhead) => {
                Answer::Choose(Choice::GoAhead)
            }
            (Self::Approve, Form::Choice(_)) => Answer::Choose(Choice::BackUpFirst),
            (Self::Approve, Form::Confirmation | Form::Input(_)) => Answer::Approve,
        }
    }
}

/// One question of a batch, and what came of the answer for it.
pub type Member = (Approval, Result<Done, Refusal>);

impl Gate {
    /// The batch that a question belongs to which would be asked now under this id.
    pub(crate) async fn batch_for(
        &self,
        (id, risk, form): (ApprovalId, Risk, &Form),
        requester: &Requester,
        asking: &Asking,
    ) -> Result<Option<ApprovalId>, GateError> {
        if !can_be_together(risk, form) {
            return Ok(None);
        }
        let burst = usize::from(asking.burst);
        let wanted = burst.max(TOGETHER_AT_MOST);
        let now = self.store().now().await?;
        let lately = |one: &Approval| now < one.asked.after(WINDOW);
        let (mut theirs, mut before): (Vec<Approval>, _) = (Vec::new(), None);
        for _ in 0..FEW {
            let at_most = u32::try_from(wanted).unwrap_or(PAGE).min(PAGE);
            let page = self.store().list(Wanted { before, at_most, ..Wanted::default() }).await?;
            before = page.last().map(|last| last.id);
            // What is older is counted for nothing; an open batch that is older is gone on with where it is among these.
            let goes_on = page.last().is_some_and(lately) && u32::try_from(page.len()).is_ok_and(|len| len == at_most);
            // Whoever asks on the local socket says by itself what it is called: they are counted by whose they are.
            theirs.extend(page.into_iter().filter(|one| one.requester.owner == requester.owner));
            if !goes_on || theirs.len() >= wanted {
                break;
            }
        }
        Ok(batch_among(id, &theirs, burst, now))
    }

    /// The questions that are put together under this id, and still open.
    pub async fn batch(&self, id: ApprovalId) -> Result<Batch, GateError> {
        let first = self.store().approval(id).await?.filter(|first| first.question.batch == Some(id));
        let owner = first.ok_or(GateError::NotFound)?.requester.owner;
        let (mut members, mut before) = (Vec::new(), None);
        for _ in 0..PAGES {
            let stage = Some(Stage::PENDING.to_owned());
            let page = self.store().list(Wanted { stage, before, at_most: PAGE, ..Wanted::default() }).await?;
            before = page.last().map(|last| last.id);
            let full = page.len() == usize::try_from(PAGE).unwrap_or(usize::MAX);
            let belongs = |one: &Approval| one.question.batch == Some(id) && one.requester.owner == owner;
            // Members come after the first of them, which is the last to be found here.
            let is_found = page.iter().any(|one| one.id == id);
            members.extend(page.into_iter().filter(belongs));
            if !full || is_found {
                break;
            }
        }
        Ok(Batch::of(members))
    }

    /// A person answers all of a batch in one go. What they have seen has to be all that is open in it: where another has come,
    /// or somebody has answered one of them, they look again first.
    pub async fn answer_batch(
        &self,
        id: ApprovalId,
        by: &Answerer,
        seen: Digest,
        said: &ToAll,
    ) -> Result<Vec<Member>, GateError> {
        let batch = self.batch(id).await?;
        if batch.members.is_empty() {
            return Err(GateError::refused(Refusal::Closed));
        }
        if batch.seen != seen {
            return Err(GateError::refused(Refusal::NotSeen));
        }
        let steads = self.steads(&by.person).await?;
        let mut events = Vec::new();
        for member in &batch.members {
            let (by, answer, nonce) = (by.clone(), said.to(&member.question), self.mint().nonce()?);
            let seal = self.seal().clone();
            events.push((member.id, Event::Answer { by, steads: steads.clone(), answer, number: None, nonce, seal }));
        }
        let in_hand: Vec<InHand<'_>> = events.iter().map(|(id, _)| self.waiting().take_in_hand(*id)).collect();
        let happened = self.store().happen_together(events).await?;
        for (in_hand, happened) in in_hand.into_iter().zip(&happened) {
            if let Some(happened) = happened {
                in_hand.has(happened);
            }
        }
        // It was one no, however many heard it.
        if let Some(Some(Happened { approval, outcome: Ok(Done::Decided), .. })) = happened.first() {
            self.learn(approval).await;
        }
        Ok(happened.into_iter().flatten().map(|Happened { approval, outcome, .. }| (approval, outcome)).collect())
    }
}

/// Whether a question may be answered together with others. What is high or critical, and what has to be typed, is looked at by
/// itself.
fn can_be_together(risk: Risk, form: &Form) -> bool {
    risk <= Risk::Medium && !matches!(form, Form::Input(_))
}

/// The batch of a question that comes behind these, of which the latest stand first. None where there are not that many of them.
fn batch_among(id: ApprovalId, before: &[Approval], burst: usize, now: Timestamp) -> Option<ApprovalId> {
    let lately = before.iter().filter(|one| now < one.asked.after(WINDOW)).count();
    if lately < burst {
        return None;
    }
    let mut open = before.iter().filter(|one| matches!(one.stage, Stage::Pending { .. }));
    let latest = open.find_map(|one| one.question.batch);
    let members = |batch| before.iter().filter(|one| one.question.batch == Some(batch)).count();
    latest.filter(|batch| members(*batch) < TOGETHER_AT_MOST).or(Some(id))
}

#[cfg(test)]
mod tests {
    use signoff_model::{
        AgentId, Assurance, Binding, Dialect, Operation, OwnerMay, PersonId, RequestKey, SessionId, ShellCommand,
        Shown, Terms,
    };

    use super::*;

    fn asked(id: u128, at: i64, batch: Option<u128>, open: bool) -> Approval {
        let digest = Digest::from_bytes([1; 32]);
        let (pending, ended) = (
            Stage::Pending { votes: Vec::new(), misses: Vec::new(), reminded: None },
            Stage::Withdrawn { at: Timestamp::from_millis(at) },
        );
        Approval {
            id: ApprovalId::from_bits(id),
            key: RequestKey::new(id.to_string()).unwrap(),
            requester: Requester {
                agent: AgentId::new("agent").unwrap(),
                session: SessionId::new("s").unwrap(),
                owner: PersonId::new("owner").unwrap(),
            },
            question: Question {
                operation: Operation::Shell(ShellCommand { command: "x".to_owned(), dialect: Dialect::Bash }),
                directory: "/".to_owned(),
                project: "/".to_owned(),
                risk: Risk::Medium,
                form: Form::Confirmation,
                binding: Binding { operation: digest, preview: digest, policy: digest },
                intent: None,
                surroundings: digest,
                card: String::new(),
                origin: None,
                batch: batch.map(ApprovalId::from_bits),
                number: None,
                rules: Vec::new(),
                shown: Shown::default(),
                rests: Vec::new(),
                steps: Vec::new(),
            },
            terms: Terms {
                approvers: Vec::new(),
                quorum: 1,
                owner: OwnerMay::Approve,
                assurance: Assurance::Tap,
                decide_within: WINDOW,
                run_within: WINDOW,
                escalation: None,
                reminding: None,
            },
            asked: Timestamp::from_millis(at),
            stage: if open { pending } else { ended },
        }
    }

    /// Which batch a question of the number 99 belongs to, two minutes after the beginning.
    fn among(before: &[Approval], burst: usize) -> Option<u128> {
        batch_among(ApprovalId::from_bits(99), before, burst, Timestamp::from_millis(120_000)).map(ApprovalId::bits)
    }

    #[test]
    fn what_is_beyond_the_rate_is_put_together() {
        let lately = |id, batch| asked(id, 100_000, batch, true);
        let old = |id| asked(id, 60_000, None, true);
        assert_eq!(among(&[], 1), None);
        assert_eq!(among(&[lately(2, None), lately(1, None)], 3), None);
        // Those from longer ago than a minute do not count.
        assert_eq!(among(&[lately(3, None), old(2), old(1)], 3), None);
        assert_eq!(among(&[lately(3, None), lately(2, None), lately(1, None)], 3), Some(99), "it begins one");
        assert_eq!(among(&[lately(4, Some(4)), lately(3, None), lately(2, None)], 3), Some(4), "it joins one");
        // One in which nothing is open any more is not gone on with.
        let decided = asked(4, 100_000, Some(4), false);
        assert_eq!(among(&[decided, lately(3, None), lately(2, None)], 3), Some(99));
        let full: Vec<Approval> = (0..20).map(|number| lately(50 - number, Some(31))).collect();
        assert_eq!(among(&full, 3), Some(99), "nobody takes in more than that at once");
        assert_eq!(among(&full[1..], 3), Some(31));
    }

    #[test]
    fn what_is_grave_stands_by_itself() {
        let choice = Form::Choice(vec![Choice::Cancel, Choice::GoAhead]);
        for (risk, form, expected) in [
            (Risk::None, Form::Confirmation, true),
            (Risk::Low, Form::Confirmation, true),
            (Risk::Medium, choice.clone(), true),
            (Risk::Medium, Form::Input("main".to_owned()), false),
            (Risk::High, Form::Confirmation, false),
            (Risk::Critical, choice, false),
        ] {
            assert_eq!(can_be_together(risk, &form), expected, "{risk:?}");
        }
    }

    #[test]
    fn whoever_has_seen_less_has_seen_something_else() {
        let batch = |ids: &[u128]| Batch::of(ids.iter().map(|id| asked(*id, 1, Some(1), true)).collect());
        assert_eq!(batch(&[1, 2]).seen, batch(&[2, 1]).seen);
        assert_ne!(batch(&[1, 2]).seen, batch(&[1]).seen);
        let mut other = vec![asked(1, 1, Some(1), true), asked(2, 1, Some(1), true)];
        other[1].question.binding.preview = Digest::from_bytes([2; 32]);
        assert_ne!(Batch::of(other).seen, batch(&[1, 2]).seen);
    }
}
