//! How far a person trusts an agent in a project. Trust grows with what they approved and that went well, falls with every
//! refusal, and fades when it is not used. It never covers more than low risk, and looking at things never raises it.

use std::collections::BTreeSet;

use signoff_model::{
    Actor, AgentId, Answerer, Approval, Deed, Digest, PersonId, Report, Requester, Risk, Stage, Timestamp, Trust,
};

use crate::{Change, Gate, GateError, StoreError, shelves};

const SHELF: &str = "trust";
/// So much fades in a day, towards where everybody starts.
const FADES_A_DAY: u16 = 10;
const DAY: i64 = 24 * 60 * 60 * 1_000;
/// A score that changes under the hands of whoever changes it is tried again so many times.
const ROUNDS: usize = 8;
/// So many are listed.
const LISTED: u32 = 1_000;
/// So many scores of one person are looked at: one for each agent in each project.
const SCORES: u32 = 1_000;

/// By how much trust changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trusting {
    /// Where everybody starts.
    pub initial: Trust,
    /// What an approved operation adds that went well.
    pub increment: Trust,
    /// What a refusal takes away.
    pub decrement: Trust,
}

/// How far somebody trusts an agent in a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trusted {
    /// Who.
    pub owner: PersonId,
    /// Whom.
    pub agent: AgentId,
    /// Where.
    pub project: String,
    /// How far.
    pub score: Trust,
    /// Since when.
    pub at: Timestamp,
}

/// How far one person trusts an agent, by project, beside the others who work for them there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scores {
    kept: Vec<Score>,
    now: Timestamp,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Score {
    project: String,
    whose: Whose,
    score: Trust,
    at: Timestamp,
}

/// Whose score it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// That of the agent which asks.
    Own,
    /// That of another agent of the same person.
    Others,
}

impl Scores {
    /// The score in a project; none where nothing has happened there yet.
    ///
    /// It fades to where everybody starts there. Who asks on the local socket says by itself what it is called: where one of
    /// somebody's agents is trusted so little that everything is asked about, no other name of theirs is a way around that. Trust
    /// that is higher is nobody else's.
    pub fn of(&self, project: &str, initial: Trust, paranoid: Trust) -> Option<Trust> {
        let here = || self.kept.iter().filter(|kept| kept.project == project);
        let now = |kept: &Score| faded(kept.score, initial, kept.at, self.now);
        let least = here().map(now).min()?;
        if least <= paranoid {
            return Some(least);
        }
        here().find(|kept| kept.whose == Whose::Own).map(now)
    }
}

/// What a score has become when nothing has happened for a while: it fades to where everybody starts.
fn faded(score: Trust, initial: Trust, since: Timestamp, now: Timestamp) -> Trust {
    let days = (now.millis().saturating_sub(since.millis()) / DAY).max(0);
    let by = u16::try_from(days).unwrap_or(u16::MAX).saturating_mul(FADES_A_DAY);
    let (score, start) = (score.thousandths(), initial.thousandths());
    Trust::from_thousandths(if score > start {
        score.saturating_sub(by).max(start)
    } else {
        score.saturating_add(by).min(start)
    })
}

/// What happened to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    WentWell,
    Refused,
}

impl Trusting {
    fn after(self, score: Trust, turn: Turn) -> Trust {
        let score = score.thousandths();
        Trust::from_thousandths(match turn {
            Turn::WentWell => score.saturating_add(self.increment.thousandths()),
            Turn::Refused => score.saturating_sub(self.decrement.thousandths()),
        })
    }
}

impl Trusted {
    /// What the scores of all agents with one person are called at the beginning.
    fn shared(owner: &PersonId) -> String {
        format!("{}:", Digest::of(owner.as_str().as_bytes()))
    }

    /// The name under which it is kept.
    pub fn id(&self) -> String {
        let Self { owner, agent, project, .. } = self;
        format!("{}{}", Self::shared(owner), Digest::of(format!("{agent}\n{project}").as_bytes()))
    }
}

impl Gate {
    /// How far people trust which agents where.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn trusted(&self) -> Result<Vec<Trusted>, GateError> {
        let now = self.store().now().await?;
        let items = self.store().items(SHELF, None, LISTED).await?;
        let mut all = Vec::new();
        for kept in items.iter().filter_map(|item| self.store().kept_trust(&item.text).ok()) {
            let initial = self.eyes().trusting(kept.project.clone()).await?.initial;
            all.push(Trusted { score: faded(kept.score, initial, kept.at, now), ..kept });
        }
        Ok(all)
    }

    /// The agents whom somebody trusts so little somewhere that every operation is asked about there.
    ///
    /// # Errors
    ///
    /// When the store fails, or a policy cannot be read.
    pub async fn distrusted(&self) -> Result<BTreeSet<String>, GateError> {
        let now = self.store().now().await?;
        let items = self.store().items(SHELF, None, LISTED).await?;
        let mut distrusted = BTreeSet::new();
        for kept in items.iter().filter_map(|item| self.store().kept_trust(&item.text).ok()) {
            let trust = self.eyes().policy(Some(kept.project)).await?.settings.trust.clone();
            if faded(kept.score, trust.initial.value, kept.at, now) <= trust.paranoid_mode.value {
                distrusted.insert(kept.agent.to_string());
            }
        }
        Ok(distrusted)
    }

    /// Begins anew with an agent in a project. Only the person whose trust it is can do that.
    ///
    /// # Errors
    ///
    /// When there is no such score of theirs, or the store fails.
    pub async fn forget_trust(&self, id: &str, by: Answerer) -> Result<(), GateError> {
        let text = self.store().item(SHELF, id).await?.ok_or(GateError::NotFound)?;
        let kept = self.store().kept_trust(&text).ok();
        let kept = kept.filter(|kept| kept.owner == by.person).ok_or(GateError::NotFound)?;
        let deed = deed(&kept, None, Actor::Person(by), None);
        let change = Change { shelf: SHELF, name: id.to_owned(), from: Some(text), to: None, deed: Some(deed) };
        if self.store().change(vec![change]).await? {
            return Ok(());
        }
        Err(StoreError::Unavailable("it has changed meanwhile: try again".to_owned()).into())
    }

    /// The scores of whoever asks.
    pub(crate) async fn scores(&self, requester: &Requester) -> Result<Scores, GateError> {
        let shared = Trusted::shared(&requester.owner);
        let items = shelves::below(self.store(), SHELF, &shared, SCORES).await?;
        let all: Vec<Trusted> = items.iter().filter_map(|item| self.store().kept_trust(&item.text).ok()).collect();
        if all.is_empty() {
            return Ok(Scores::default());
        }
        let now = self.store().now().await?;
        let kept = all.into_iter().filter(|kept| kept.owner == requester.owner).map(|kept| {
            let whose = if kept.agent == requester.agent { Whose::Own } else { Whose::Others };
            Score { project: kept.project, whose, score: kept.score, at: kept.at }
        });
        Ok(Scores { kept: kept.collect(), now })
    }

    /// Learns from what has become of a question. What is lost here when the gateway dies is one step of a score, and never a
    /// decision: so nobody is told of an error.
    pub(crate) async fn learn(&self, approval: &Approval) {
        let turn = match &approval.stage {
            Stage::Denied { .. } => Turn::Refused,
            // Whatever only looks raises nothing, even where somebody was asked about it.
            Stage::Reported { report: Report::Executed, .. } if approval.question.risk > Risk::None => Turn::WentWell,
            _ => return,
        };
        let _ = self.turn(approval, turn).await;
    }

    async fn turn(&self, approval: &Approval, turn: Turn) -> Result<(), GateError> {
        let Approval { requester, question, .. } = approval;
        let by = self.eyes().trusting(question.project.clone()).await?;
        for _ in 0..ROUNDS {
            let now = self.store().now().await?;
            let mut score = Trusted {
                owner: requester.owner.clone(),
                agent: requester.agent.clone(),
                project: question.project.clone(),
                score: by.initial,
                at: now,
            };
            let name = score.id();
            let from = self.store().item(SHELF, &name).await?;
            if let Some(kept) = from.as_deref().and_then(|text| self.store().kept_trust(text).ok()) {
                score.score = faded(kept.score, by.initial, kept.at, now);
            }
            let before = score.score;
            score.score = by.after(before, turn);
            let deed = deed(&score, Some(before), Actor::Gate, Some(approval));
            let to = Some(self.store().trust_as_kept(&score)?);
            let change = Change { shelf: SHELF, name, from, to, deed: Some(deed) };
            if self.store().change(vec![change]).await? {
                return Ok(());
            }
        }
        Ok(())
    }
}

fn deed(score: &Trusted, before: Option<Trust>, by: Actor, approval: Option<&Approval>) -> Deed {
    let mut details = vec![
        ("agent", score.agent.to_string()),
        ("person", score.owner.to_string()),
        ("project", score.project.clone()),
        ("to", before.map_or_else(|| "begun anew".to_owned(), |_| score.score.thousandths().to_string())),
    ];
    details.extend(before.map(|before| ("from", before.thousandths().to_string())));
    Deed { what: "trust-changed", by, approval: approval.map(|approval| approval.id), details }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Trusting = Trusting {
        initial: Trust::INITIAL,
        increment: Trust::from_thousandths(10),
        decrement: Trust::from_thousandths(50),
    };

    #[test]
    fn six_refusals_are_enough_and_thirty_successes_are_needed() {
        let after = |turn, times| (0..times).fold(Trust::INITIAL, |score, _| USUAL.after(score, turn));
        assert_eq!(after(Turn::Refused, 6), Trust::PARANOID, "no drift at the lower threshold");
        assert!(after(Turn::Refused, 5) > Trust::PARANOID);
        assert_eq!(after(Turn::WentWell, 30), Trust::LOW_RISK_AUTO_APPROVE, "no drift at the upper one");
        assert!(after(Turn::WentWell, 29) < Trust::LOW_RISK_AUTO_APPROVE);
        assert_eq!(after(Turn::Refused, 99).thousandths(), 0);
        assert_eq!(after(Turn::WentWell, 99).thousandths(), 1_000);
    }

    #[test]
    fn distrust_is_no_way_around_for_another_name_and_trust_is_nobody_elses() {
        let score = |whose, score| Score {
            project: "/p".to_owned(),
            whose,
            score: Trust::from_thousandths(score),
            at: Timestamp::from_millis(0),
        };
        for (name, kept, expected) in [
            ("nothing has happened", vec![], None),
            ("its own", vec![score(Whose::Own, 600)], Some(600)),
            ("another is trusted more", vec![score(Whose::Others, 900)], None),
            ("both", vec![score(Whose::Own, 600), score(Whose::Others, 900)], Some(600)),
            ("another is trusted less", vec![score(Whose::Own, 600), score(Whose::Others, 210)], Some(600)),
            ("another is not trusted", vec![score(Whose::Own, 600), score(Whose::Others, 200)], Some(200)),
            ("a new name beside it", vec![score(Whose::Others, 150)], Some(150)),
        ] {
            let scores = Scores { kept, now: Timestamp::from_millis(0) };
            let found = scores.of("/p", Trust::INITIAL, Trust::PARANOID).map(Trust::thousandths);
            assert_eq!(found, expected, "{name}");
            assert_eq!(scores.of("/q", Trust::INITIAL, Trust::PARANOID), None, "another project");
        }
    }

    #[test]
    fn what_is_not_used_fades_to_where_everybody_starts() {
        let at = |days: i64| Timestamp::from_millis(days * DAY);
        for (score, days, expected) in [
            (900, 0, 900),
            (900, 1, 890),
            (900, 40, 500),
            (900, 4_000_000, 500),
            (100, 3, 130),
            (100, 60, 500),
            (500, 9, 500),
        ] {
            let got = faded(Trust::from_thousandths(score), Trust::INITIAL, at(0), at(days));
            assert_eq!(got.thousandths(), expected, "{score} after {days} days");
        }
        // A clock that goes back gives nothing.
        assert_eq!(faded(Trust::from_thousandths(900), Trust::INITIAL, at(9), at(0)).thousandths(), 900);
        // Where everybody starts lower, waiting earns no more than that.
        assert_eq!(faded(Trust::from_thousandths(100), Trust::PARANOID, at(0), at(999)), Trust::PARANOID);
    }
}
