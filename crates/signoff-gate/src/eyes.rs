//! Who looks at the world for the gate: when something is asked, and again when it is about to run. An agent is never
//! believed in what it says about what it would do.

use std::{path::Path, pin::Pin, sync::Arc, time::Duration};

use signoff_config::ApprovalSettings;
use signoff_model::{
    Assurance, Binding, Digest, Escalation, GroupId, Operation, OwnerMay, PersonId, Requester, Risk, Sight, Terms,
    Verdict,
};

use crate::{
    Places,
    judging::{self, Judge, JudgeError, Judged, Policy},
};

/// What is to be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought {
    /// The operation.
    pub operation: Operation,
    /// Where it would run.
    pub directory: String,
    /// What is looked at beside its text.
    pub sight: Sight,
    /// What was asked for, in the user's words.
    pub intent: Option<String>,
    /// What whoever runs it says about what surrounds it there.
    pub surroundings: Digest,
}

/// What was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The operation with what it would do and what becomes of it.
    pub judged: Judged,
    /// What a yes to it is bound to.
    pub binding: Binding,
    /// The directory that it would run in, resolved.
    pub directory: String,
    /// The project that the directory belongs to.
    pub project: String,
    /// What people see of it, where they are asked.
    pub card: String,
    /// How people are asked there.
    pub asking: Asking,
    /// The policy that it was judged by, for whoever asks what a grant would change.
    pub policy: Arc<Policy>,
}

/// How the policy has people asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    /// How long they may take.
    pub decide_within: Duration,
    /// How long a yes is good for.
    pub run_within: Duration,
    /// Who may answer; nobody named means the person for whom the agent works.
    pub approvers: Vec<PersonId>,
    /// So many of them have to say yes.
    pub quorum: u16,
    /// Whether the person for whom the agent works may say yes.
    pub owner: OwnerMay,
    /// What a yes needs.
    pub assurance: Assurance,
    /// Who is asked as well when nobody answers.
    pub escalation: Option<Escalation>,
}

impl Asking {
    /// How the settings have people asked about something as grave as this.
    fn of(settings: &ApprovalSettings, risk: Risk) -> Self {
        let assurance = match risk {
            Risk::None | Risk::Low => Assurance::Tap,
            Risk::Medium => settings.assurance.medium.value,
            Risk::High => settings.assurance.high.value,
            Risk::Critical => settings.assurance.critical.value,
        };
        let members = &settings.escalation.to.value;
        let group = GroupId::new("escalation").ok();
        let escalation = settings.escalation.after.value.zip(group).filter(|_| !members.is_empty());
        Self {
            decide_within: settings.timeout.value,
            run_within: settings.run_within.value,
            approvers: settings.approvers.value.clone(),
            quorum: settings.quorum.value,
            owner: if settings.separation.value { OwnerMay::OnlyDeny } else { OwnerMay::Approve },
            assurance,
            escalation: escalation.map(|(after, group)| Escalation { after, group, members: members.clone() }),
        }
    }

    /// Who may answer a question of this requester.
    pub(crate) fn terms(self, requester: &Requester) -> Terms {
        let Self { decide_within, run_within, approvers, quorum, owner, assurance, escalation } = self;
        let approvers = if approvers.is_empty() { vec![requester.owner.clone()] } else { approvers };
        Terms { approvers, quorum, owner, assurance, decide_within, run_within, escalation }
    }
}

/// Why nothing was seen. Nothing is allowed, asked or run then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unseen {
    /// What is wrong lies with whoever asks: a directory that is none.
    #[error("{0}")]
    Request(String),
    /// The policy cannot be read, and that is not the same as none.
    #[error("{0}")]
    Policy(String),
    /// Signoff itself failed.
    #[error("{0}")]
    Defect(String),
}

/// What was seen, once it is.
pub type Sighting<'a> = Pin<Box<dyn Future<Output = Result<Seen, Unseen>> + Send + 'a>>;

/// Whoever looks.
pub trait Eyes: Send + Sync {
    /// Looks at an operation, now.
    fn look(&self, sought: Sought) -> Sighting<'_>;
}

/// Looks at this machine, by its own settings.
#[derive(Clone, Debug)]
pub struct LocalEyes {
    places: Places,
}

impl LocalEyes {
    /// Eyes that judge by the settings at these places.
    pub const fn new(places: Places) -> Self {
        Self { places }
    }
}

impl Eyes for LocalEyes {
    fn look(&self, sought: Sought) -> Sighting<'_> {
        let places = self.places.clone();
        Box::pin(async move {
            // Looking reads files for up to two seconds: others are served meanwhile.
            let looked = tokio::task::spawn_blocking(move || look(sought, &places)).await;
            looked.unwrap_or_else(|error| Err(Unseen::Defect(error.to_string())))
        })
    }
}

fn look(sought: Sought, places: &Places) -> Result<Seen, Unseen> {
    let Sought { operation, directory, sight, intent, surroundings } = sought;
    let judge = Judge::new(judging::Terms { sight, posture: None, intent }, places);
    let look = judge.look(operation, Path::new(&directory), &mut |_| {}).map_err(|error| unseen(&error))?;
    let binding = look.binding(surroundings);
    let Judged { operation, assessment, judgement } = &look.judged;
    let card = match judgement.decision.verdict() {
        Verdict::Ask => signoff_card::keep(operation, assessment, judgement),
        Verdict::Allow | Verdict::Block => String::new(),
    };
    let approval = &look.policy.settings.approval;
    Ok(Seen {
        binding,
        card,
        directory: look.whereabouts.cwd.clone(),
        project: look.whereabouts.project.clone(),
        asking: Asking::of(approval, assessment.effective_risk()),
        policy: Arc::clone(&look.policy),
        judged: look.judged,
    })
}

fn unseen(error: &JudgeError) -> Unseen {
    let text = error.to_string();
    match error {
        JudgeError::Configuration(_) => Unseen::Policy(text),
        JudgeError::Whereabouts(_) | JudgeError::NoDirectory => Unseen::Request(text),
        JudgeError::Defect => Unseen::Defect(text),
    }
}
