use std::time::Duration;

use crate::{
    AgentId, ApprovalId, ChannelId, Choice, Decision, Deviation, Digest, GroupId, Operation, PersonId, Reminding,
    RequestKey, Rest, Risk, ScreenNumber, SessionId, Shown, Timestamp, Verdict,
};

/// Who wants something to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requester {
    /// The agent.
    pub agent: AgentId,
    /// Its session.
    pub session: SessionId,
    /// The person it works for.
    pub owner: PersonId,
}

/// What a yes is bound to. Whatever differs when it is redeemed makes it stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The operation with its directory, environment, and the files and schemas that it depends on.
    pub operation: Digest,
    /// What the human was shown.
    pub preview: Digest,
    /// The policy that it was judged by.
    pub policy: Digest,
}

/// Which part of a [`Binding`] differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// Another operation, directory or environment, or another content of what it depends on.
    Operation,
    /// Something else would be lost than was shown.
    Preview,
    /// The policy has changed.
    Policy,
}

impl Bound {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Operation, Self::Preview, Self::Policy];

    /// The stable name used on the wire and on disk.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Operation => "operation",
            Self::Preview => "preview",
            Self::Policy => "policy",
        }
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bound| bound.name() == name)
    }
}

impl Binding {
    /// The parts that differ.
    pub fn differing(&self, other: &Self) -> Vec<Bound> {
        let Self { operation, preview, policy } = self;
        [
            (Bound::Operation, *operation == other.operation),
            (Bound::Preview, *preview == other.preview),
            (Bound::Policy, *policy == other.policy),
        ]
        .into_iter()
        .filter_map(|(bound, same)| (!same).then_some(bound))
        .collect()
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What would be done.
    pub operation: Operation,
    /// Where.
    pub directory: String,
    /// The project that the directory belongs to.
    pub project: String,
    /// How bad it would be if nobody looked.
    pub risk: Risk,
    /// How it is asked.
    pub form: Form,
    /// What a yes is bound to.
    pub binding: Binding,
    /// What was asked for, in the user's words, where somebody told them.
    pub intent: Option<String>,
    /// What whoever runs it says about what surrounds it there: its environment, or the schema of a tool.
    pub surroundings: Digest,
    /// What people see of it, as it was drawn when it was asked.
    pub card: String,
    /// The question that it comes from, where it is not the first about the same.
    pub origin: Option<Origin>,
    /// The first of those that it is put together with, where its agent asks too much at once: they are answered in one go.
    pub batch: Option<ApprovalId>,
    /// What stands on the screen of whoever asks. A yes has to bring it along, and nobody is told it but the requester.
    pub number: Option<ScreenNumber>,
    /// Which rules said that it has to be asked, by their stable ids. Questions that were asked by earlier versions name none.
    pub rules: Vec<String>,
    /// What would be lost, as far as it is kept to be compared with.
    pub shown: Shown,
    /// What it rests on beside that.
    pub rests: Vec<Rest>,
    /// What may come after it with the same yes: steps of the same plan, each of which was shown as well.
    pub steps: Vec<PlanStep>,
}

/// A step of a plan that comes after what is asked about. A yes to that is a grant for the step: once, in this session, and not for long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanStep {
    /// What would be done.
    pub operation: Operation,
    /// Where.
    pub directory: String,
    /// The project that the directory belongs to.
    pub project: String,
    /// How bad it would be if nobody looked.
    pub risk: Risk,
    /// What tells it from every other operation, as in [`Binding::operation`].
    pub bound: Digest,
    /// What would be lost.
    pub shown: Shown,
    /// What people see of it.
    pub card: String,
    /// Whether the yes is for it as well.
    pub settled: Settled,
}

/// What the yes to a plan is to one of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It is a yes.
    ByTheYes,
    /// Nobody need be asked about it.
    Harmless,
    /// It is grave, and will be asked about when it comes.
    Later,
}

impl Settled {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::ByTheYes, Self::Harmless, Self::Later];

    /// The stable name used on the wire and on disk.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ByTheYes => "by-the-yes",
            Self::Harmless => "harmless",
            Self::Later => "later",
        }
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|settled| settled.name() == name)
    }
}

/// Where a question comes from that is not the first about the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A person wanted something else done instead, and that was graver than what they had been shown.
    Changed {
        /// The question whose place it takes.
        from: ApprovalId,
        /// Who wanted that.
        by: Answerer,
    },
    /// It was refused, and whoever asks has stated a reason for it, which a person judges.
    Reopened {
        /// The question that was refused.
        from: ApprovalId,
        /// Who refused it.
        refused_by: PersonId,
        /// With which words.
        words: String,
        /// What whoever asks says to that. Nothing in it is true because it is said.
        reason: String,
    },
}

/// What is looked at beside the text of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sight {
    /// The file system and git, here.
    Local,
    /// Nothing: the text alone, as if in the root of a git project whose contents are unknown.
    TextAlone,
}

/// How a question is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Yes or no.
    Confirmation,
    /// One of several.
    Choice(Vec<Choice>),
    /// A text that has to be typed.
    Input(String),
}

impl Form {
    /// The form of a decision; none where nobody is asked.
    pub fn of(decision: &Decision) -> Option<Self> {
        match decision {
            Decision::RequireConfirmation { .. } => Some(Self::Confirmation),
            Decision::RequireChoice { options, .. } => Some(Self::Choice(options.clone())),
            Decision::RequireInput { validation, .. } => Some(Self::Input(validation.clone())),
            Decision::ExecuteDirectly | Decision::Reject { .. } => None,
        }
    }
}

/// How sure a channel is of who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assurance {
    /// A button or a reply in a chat.
    Tap,
    /// Somebody who has logged in: on the dashboard, or at their own terminal.
    Login,
    /// A passkey.
    Passkey,
}

impl Assurance {
    /// Every level, the least sure first.
    pub const ALL: [Self; 3] = [Self::Tap, Self::Login, Self::Passkey];

    /// The stable name used on the wire and in configuration files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tap => "tap",
            Self::Login => "login",
            Self::Passkey => "passkey",
        }
    }
}

/// Who may answer, and how many of them have to agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The persons whose answers count. Where it is empty, nobody can say yes.
    pub approvers: Vec<PersonId>,
    /// So many of them have to say yes; a single no is a no.
    pub quorum: u16,
    /// Whether the person for whom the agent works may say yes.
    pub owner: OwnerMay,
    /// What a yes needs. Less may deny.
    pub assurance: Assurance,
    /// How long they may take.
    pub decide_within: Duration,
    /// How long a yes is good for.
    pub run_within: Duration,
    /// A second group that is asked as well when nobody has answered for so long.
    pub escalation: Option<Escalation>,
    /// When they are reminded; none where they are not.
    pub reminding: Option<Reminding>,
}

/// Whether the person for whom an agent works may approve what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerMay {
    /// Their own work, their own word.
    Approve,
    /// Another one has to look (separation of duties); the owner may deny.
    OnlyDeny,
}

/// Others who are asked as well when nobody answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Escalation {
    /// How long after the question.
    pub after: Duration,
    /// The name of the group, for people to read.
    pub group: GroupId,
    /// Who belonged to it when the question was asked.
    pub members: Vec<PersonId>,
}

/// Who answers, and by which way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answerer {
    /// The person.
    pub person: PersonId,
    /// Where the answer was given.
    pub channel: ChannelId,
    /// How sure that channel is of who it was.
    pub assurance: Assurance,
}

/// What a person says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes, as shown.
    Approve,
    /// No, with words for the agent.
    Deny(String),
    /// One of the choices.
    Choose(Choice),
    /// The text that was asked for.
    Input(String),
    /// Yes, but in this form, which was assessed anew.
    Modify(Modification),
}

/// An operation in a changed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modification {
    /// What would be done instead.
    pub operation: Operation,
    /// How bad that would be.
    pub risk: Risk,
    /// What the policy says to it. No answer lifts what is blocked.
    pub verdict: Verdict,
    /// How the policy would have it asked; none where it would not ask.
    pub form: Option<Form>,
    /// What it would be bound to.
    pub binding: Binding,
}

/// The way in which an approved operation is to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As it is.
    AsShown,
    /// With a copy of what would be lost.
    BackUpFirst,
}

/// One yes, under a quorum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Who.
    pub by: Answerer,
    /// When.
    pub at: Timestamp,
    /// In which manner it is to run.
    pub manner: Manner,
    /// In whose stead, where somebody has handed it over to them.
    pub stead: Option<PersonId>,
    /// The mark of the gate, which whoever writes into the store without its key cannot make.
    pub seal: Option<Digest>,
}

impl Vote {
    /// Whose voice it is: everybody has one, whoever raises it.
    pub fn voice(&self) -> &PersonId {
        self.stead.as_ref().unwrap_or(&self.by.person)
    }
}

/// A person who has typed something else than was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// Who.
    pub person: PersonId,
    /// How often.
    pub times: u8,
}

/// Which clock has run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clock {
    /// Nobody decided in time.
    Decide,
    /// It was approved, and not run in time.
    Run,
}

/// A yes that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Who gave it: one person, or as many as the quorum wants.
    pub votes: Vec<Vote>,
    /// In which manner it is to run.
    pub manner: Manner,
    /// When it was complete.
    pub at: Timestamp,
    /// Until when it is good.
    pub until: Timestamp,
    /// What tells its permit from every other one.
    pub nonce: Digest,
    /// The changed form in which it was approved, if it was changed.
    pub modified: Option<Modification>,
    /// The mark of the gate, which whoever writes into the store without its key cannot make. Earlier versions made none.
    pub seal: Option<Digest>,
}

/// What became of something that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// It ended well.
    Executed,
    /// It ran, and failed; with what the executor says of it.
    Failed(String),
}

/// Where an approval stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nobody has decided yet.
    Pending {
        /// Those who have said yes so far, where more than one has to.
        votes: Vec<Vote>,
        /// Those who have typed something else than was asked for.
        misses: Vec<Miss>,
        /// When people were reminded. They are once.
        reminded: Option<Timestamp>,
    },
    /// Somebody said yes: as shown, or in a changed form.
    Approved(Consent),
    /// Somebody said no.
    Denied {
        /// Who.
        by: Answerer,
        /// When.
        at: Timestamp,
        /// Words for the agent.
        words: String,
        /// The question that has reopened it. It stays refused, and is reopened once.
        reopened: Option<ApprovalId>,
    },
    /// Time has run out.
    Expired {
        /// Of which clock.
        clock: Clock,
        /// The yes that nobody has used in time.
        consent: Option<Consent>,
        /// When.
        at: Timestamp,
    },
    /// The requester no longer wants it.
    Withdrawn {
        /// When.
        at: Timestamp,
    },
    /// Another question has taken its place.
    Superseded {
        /// Which.
        by: ApprovalId,
        /// When.
        at: Timestamp,
    },
    /// The yes was used, and what became of it is not known yet.
    Redeemed {
        /// The yes.
        consent: Consent,
        /// Which attempt has used it: the same one is told so again, should the first answer have been lost.
        attempt: Digest,
        /// When.
        at: Timestamp,
    },
    /// It was run and ended well, or failed.
    Reported {
        /// The yes.
        consent: Consent,
        /// What became of it.
        report: Report,
        /// When.
        at: Timestamp,
    },
    /// It was redeemed, and nobody ever said what became of it.
    Unknown {
        /// The yes.
        consent: Consent,
        /// When that was given up.
        at: Timestamp,
    },
    /// What would have run was no longer what was shown.
    Stale {
        /// The yes.
        consent: Consent,
        /// What differed.
        differing: Vec<Bound>,
        /// The same thing by thing, as far as it is known.
        deviations: Vec<Deviation>,
        /// When.
        at: Timestamp,
    },
}

impl Stage {
    /// The name of the stage in which nobody has decided yet.
    pub const PENDING: &'static str = "pending";

    /// The stable name used on the wire and in the store.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Pending { .. } => Self::PENDING,
            Self::Approved(Consent { modified: None, .. }) => "approved",
            Self::Approved(Consent { modified: Some(_), .. }) => "modified",
            Self::Denied { .. } => "denied",
            Self::Expired { .. } => "expired",
            Self::Withdrawn { .. } => "withdrawn",
            Self::Superseded { .. } => "superseded",
            Self::Redeemed { .. } => "redeemed",
            Self::Reported { report: Report::Executed, .. } => "executed",
            Self::Reported { report: Report::Failed(_), .. } => "failed",
            Self::Unknown { .. } => "unknown",
            Self::Stale { .. } => "stale",
        }
    }

    /// The yes that it rests on, if there was one.
    pub const fn consent(&self) -> Option<&Consent> {
        match self {
            Self::Approved(consent)
            | Self::Redeemed { consent, .. }
            | Self::Reported { consent, .. }
            | Self::Unknown { consent, .. }
            | Self::Stale { consent, .. } => Some(consent),
            Self::Expired { consent, .. } => consent.as_ref(),
            Self::Pending { .. } | Self::Denied { .. } | Self::Withdrawn { .. } | Self::Superseded { .. } => None,
        }
    }

    /// Whether nothing can come after it.
    pub const fn is_final(&self) -> bool {
        !matches!(self, Self::Pending { .. } | Self::Approved(_) | Self::Redeemed { .. } | Self::Unknown { .. })
    }
}

/// One question to humans, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Which.
    pub id: ApprovalId,
    /// What the requester calls it.
    pub key: RequestKey,
    /// Who asks.
    pub requester: Requester,
    /// What is asked.
    pub question: Question,
    /// Who may answer.
    pub terms: Terms,
    /// When it was asked.
    pub asked: Timestamp,
    /// Where it stands.
    pub stage: Stage,
}
