use std::time::Duration;

use crate::{AgentId, Answerer, ApprovalId, Digest, GrantId, Operation, Requester, Risk, SessionId, Shown, Timestamp};

/// Standing permission: what a human has said once about what may come again. It always ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Which.
    pub id: GrantId,
    /// Who gave it, and by which way.
    pub by: Answerer,
    /// When.
    pub at: Timestamp,
    /// What it is for.
    pub reach: Reach,
    /// Up to which risk it answers, and never beyond [`Grant::AT_MOST`].
    pub covers: Risk,
    /// Where and how often it counts.
    pub bounds: Bounds,
}

/// What a grant is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// One operation, exactly as it was shown.
    Exact {
        /// The operation.
        operation: Operation,
        /// Where it runs.
        directory: String,
        /// The operation with everything that it depends on, as in a [`Binding`](crate::Binding): a script with another
        /// content is another operation.
        bound: Digest,
        /// What would have been lost when it was given: what would lose more for good is asked about.
        shown: Shown,
        /// The question with which it was given, where it is for a step of a plan.
        plan: Option<ApprovalId>,
    },
    /// Every command of a form.
    Pattern {
        /// The pattern over its words.
        command: String,
        /// Patterns over paths: where there are any, whatever the command touches must be at one of them.
        paths: Vec<String>,
    },
}

impl Reach {
    /// The stable name used on the wire and in the ledger.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Exact { plan: Some(_), .. } => "plan-step",
            Self::Exact { plan: None, .. } => "exact",
            Self::Pattern { .. } => "pattern",
        }
    }
}

/// Where and how often a grant counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Until when.
    pub until: Timestamp,
    /// So many more times; none where only time ends it.
    pub uses: Option<u32>,
    /// Only in this session.
    pub session: Option<SessionId>,
    /// Only in this project.
    pub project: Option<String>,
    /// Only for this agent.
    pub agent: Option<AgentId>,
}

impl Bounds {
    /// Whether the grant counts for a requester in a project at a moment.
    pub fn hold(&self, requester: &Requester, project: &str, now: Timestamp) -> bool {
        let Self { until, uses, session, project: only_in, agent } = self;
        now < *until
            && *uses != Some(0)
            && session.as_ref().is_none_or(|session| *session == requester.session)
            && only_in.as_ref().is_none_or(|only_in| only_in == project)
            && agent.as_ref().is_none_or(|agent| *agent == requester.agent)
    }
}

impl Grant {
    /// The gravest risk that a grant can answer. What may destroy production, or everything at once, is asked about every time.
    pub const AT_MOST: Risk = Risk::High;

    /// The longest time for which a grant can be given.
    pub const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

    /// The grant after one more use; none where that was its last.
    #[must_use]
    pub fn used(&self) -> Option<Self> {
        let Some(left) = self.bounds.uses else { return Some(self.clone()) };
        let left = left.checked_sub(1).filter(|left| *left > 0)?;
        Some(Self { bounds: Bounds { uses: Some(left), ..self.bounds.clone() }, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assurance, ChannelId, PersonId};

    fn requester(agent: &str, session: &str) -> Requester {
        Requester {
            agent: AgentId::new(agent).unwrap(),
            session: SessionId::new(session).unwrap(),
            owner: PersonId::new("olga").unwrap(),
        }
    }

    fn grant(bounds: Bounds) -> Grant {
        let channel = ChannelId::inbox();
        Grant {
            id: GrantId::from_bits(1),
            by: Answerer { person: PersonId::new("olga").unwrap(), channel, assurance: Assurance::Login },
            at: Timestamp::from_millis(0),
            reach: Reach::Pattern { command: "git push *".to_owned(), paths: Vec::new() },
            covers: Risk::Medium,
            bounds,
        }
    }

    fn open() -> Bounds {
        Bounds { until: Timestamp::from_millis(10), uses: None, session: None, project: None, agent: None }
    }

    #[test]
    fn every_bound_counts() {
        let session = |name: &str| Some(SessionId::new(name).unwrap());
        let agent = |name: &str| Some(AgentId::new(name).unwrap());
        for (name, bounds, now, expected) in [
            ("nothing but time", open(), 9, true),
            ("its time is over", open(), 10, false),
            ("used up", Bounds { uses: Some(0), ..open() }, 9, false),
            ("one left", Bounds { uses: Some(1), ..open() }, 9, true),
            ("this session", Bounds { session: session("s"), ..open() }, 9, true),
            ("another session", Bounds { session: session("t"), ..open() }, 9, false),
            ("this project", Bounds { project: Some("/p".to_owned()), ..open() }, 9, true),
            ("below another project", Bounds { project: Some("/".to_owned()), ..open() }, 9, false),
            ("this agent", Bounds { agent: agent("claude"), ..open() }, 9, true),
            ("another agent", Bounds { agent: agent("codex"), ..open() }, 9, false),
        ] {
            let holds = bounds.hold(&requester("claude", "s"), "/p", Timestamp::from_millis(now));
            assert_eq!(holds, expected, "{name}");
        }
    }

    #[test]
    fn uses_are_counted_to_the_end() {
        let left = |uses| grant(Bounds { uses, ..open() }).used().map(|grant| grant.bounds.uses);
        assert_eq!(left(None), Some(None));
        assert_eq!(left(Some(2)), Some(Some(1)));
        assert_eq!(left(Some(1)), None);
        assert_eq!(left(Some(0)), None);
    }
}
