//! Who looks at the world for the gate: when something is asked, and again when it is about to run. An agent is never
//! believed in what it says about what it would do.

use std::{
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use signoff_config::{ApprovalSettings, MatchNumber};
use signoff_model::{
    Assurance, Binding, Digest, Escalation, GroupId, Operation, OwnerMay, PersonId, Quiet, Reminding, Requester, Rest,
    Risk, Shown, Sight, Terms, Trust, Verdict,
};

use crate::{
    Mode, Places,
    judging::{self, Judge, JudgeError, Judged, Policies, Policy},
    local_time,
    trusting::{Scores, Trusting},
};

/// What is to be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought {
    /// The operation.
    pub operation: Operation,
    /// Where it would run.
    pub directory: String,
    /// What is looked at beside its text; the text alone is enough for nobody who runs something.
    pub sight: Sight,
    /// What was asked for, in the user's words.
    pub intent: Option<String>,
    /// The person for whom it would run.
    pub owner: PersonId,
    /// How far they trust whoever asks, by project.
    pub scores: Scores,
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
    /// What would be lost, as it is kept to be compared with.
    pub shown: Shown,
    /// What it rests on beside that, likewise.
    pub rests: Vec<Rest>,
    /// How people are asked there.
    pub asking: Asking,
    /// How far whoever asks is trusted there.
    pub trust: Trust,
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
    /// So many questions of one agent in a minute are asked one by one.
    pub burst: u16,
    /// When they are reminded.
    pub reminding: Option<Reminding>,
    /// From which risk on a number is matched, where the requester has a screen.
    pub match_from: Option<Risk>,
}

impl Asking {
    /// How the settings have people asked about something as grave as this.
    fn of(settings: &ApprovalSettings, risk: Risk, ahead: i16) -> Self {
        let assurance = match risk {
            Risk::None | Risk::Low => Assurance::Tap,
            Risk::Medium => settings.assurance.medium.value,
            Risk::High => settings.assurance.high.value,
            Risk::Critical => settings.assurance.critical.value,
        };
        let wakes = risk == Risk::Critical && settings.wake_for_critical.value;
        let quiet = settings.quiet_hours.value.filter(|_| !wakes).map(|hours| {
            let [from, until] = hours.minutes();
            Quiet { from, until, ahead }
        });
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
            burst: settings.burst.value,
            reminding: settings.remind_after.value.map(|after| Reminding { after, quiet }),
            match_from: match settings.match_number.value {
                MatchNumber::High => Some(Risk::High),
                MatchNumber::Critical => Some(Risk::Critical),
                MatchNumber::Never => None,
            },
        }
    }

    /// Who may answer a question of this requester.
    pub(crate) fn terms(self, requester: &Requester) -> Terms {
        let Self {
            decide_within,
            run_within,
            approvers,
            quorum,
            owner,
            assurance,
            escalation,
            reminding,
            burst: _,
            match_from: _,
        } = self;
        let approvers = if approvers.is_empty() { vec![requester.owner.clone()] } else { approvers };
        Terms { approvers, quorum, owner, assurance, decide_within, run_within, escalation, reminding }
    }
}

/// Whether the word of a person is enough for what their own agent asks: nobody else has to agree, and nobody has to be surer of who
/// they are than a terminal is.
pub fn owner_decides_alone(settings: &ApprovalSettings, risk: Risk, owner: &PersonId) -> bool {
    let Asking { approvers, quorum, owner: may, assurance, .. } = Asking::of(settings, risk, 0);
    quorum <= 1
        && may == OwnerMay::Approve
        && assurance <= Assurance::Login
        && (approvers.is_empty() || approvers.contains(owner))
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

    /// By how much trust changes in a project.
    fn trusting(&self, project: String) -> Looking<'_, Trusting>;

    /// The policy that counts in a project, or where there is none.
    fn policy(&self, project: Option<String>) -> Looking<'_, Arc<Policy>>;
}

/// What somebody wants to know of the policy, once it is known.
pub type Looking<'a, T> = Pin<Box<dyn Future<Output = Result<T, Unseen>> + Send + 'a>>;

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

    fn trusting(&self, project: String) -> Looking<'_, Trusting> {
        let policy = self.policy(Some(project));
        Box::pin(async move {
            let trust = &policy.await?.settings.trust;
            let (initial, increment) = (trust.initial.value, trust.increment.value);
            Ok(Trusting { initial, increment, decrement: trust.decrement.value })
        })
    }

    fn policy(&self, project: Option<String>) -> Looking<'_, Arc<Policy>> {
        let places = self.places.clone();
        Box::pin(async move {
            let read = move || {
                let of = Policies::new(&places).of(project.as_deref().map(Path::new));
                of.map_err(|fault| unseen(&JudgeError::from(fault)))
            };
            let read = tokio::task::spawn_blocking(read).await;
            read.unwrap_or_else(|error| Err(Unseen::Defect(error.to_string())))
        })
    }
}

fn look(sought: Sought, places: &Places) -> Result<Seen, Unseen> {
    let Sought { operation, directory, sight, intent, owner, scores, surroundings } = sought;
    // A relative one would be taken from where this process runs, which is not where the agent is.
    if sight == Sight::Local && !directory.starts_with('/') {
        return Err(Unseen::Request(format!("the directory `{directory}` is not an absolute path")));
    }
    let home = home(&owner, places);
    let judge = Judge::new(judging::Terms { sight, posture: None, intent, home, scores: scores.clone() }, places);
    let look = judge.look(operation, Path::new(&directory), &mut |_| {}).map_err(|error| unseen(&error))?;
    let binding = look.binding(surroundings);
    let Judged { operation, assessment, judgement } = &look.judged;
    let card = match judgement.decision.verdict() {
        Verdict::Ask => signoff_card::keep(operation, assessment, judgement),
        Verdict::Allow | Verdict::Block => String::new(),
    };
    let shown = Shown::of(assessment.preview.as_ref());
    let rests = look.rests();
    let approval = &look.policy.settings.approval;
    let trust = &look.policy.settings.trust;
    let (initial, paranoid) = (trust.initial.value, trust.paranoid_mode.value);
    Ok(Seen {
        binding,
        card,
        shown,
        rests,
        directory: look.whereabouts.cwd.clone(),
        project: look.whereabouts.project.clone(),
        asking: Asking::of(approval, assessment.effective_risk(), local_time::ahead()),
        trust: scores.of(&look.whereabouts.project, initial, paranoid).unwrap_or(initial),
        policy: Arc::clone(&look.policy),
        judged: look.judged,
    })
}

/// The home of the person for whom something would run. A gate with a user id of its own has another; and somebody whom this
/// machine does not know has none that it could look at.
fn home(owner: &PersonId, places: &Places) -> Option<PathBuf> {
    match places.mode() {
        Mode::Personal => None,
        Mode::Separated => {
            Some(signoff_facts::home_of(owner.as_str()).unwrap_or_else(|| PathBuf::from(signoff_facts::NOWHERE)))
        }
    }
}

fn unseen(error: &JudgeError) -> Unseen {
    let text = error.to_string();
    match error {
        JudgeError::Configuration(_) => Unseen::Policy(text),
        JudgeError::Whereabouts(_) | JudgeError::NoDirectory => Unseen::Request(text),
        JudgeError::Defect => Unseen::Defect(text),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use signoff_config::{Locations, Settings};

    use super::*;

    fn reminding(text: &str, risk: Risk) -> Option<Reminding> {
        let root = tempfile::TempDir::new().unwrap();
        let user = root.path().join("config.toml");
        std::fs::write(&user, text).unwrap();
        let nowhere = || PathBuf::from("/nowhere/at/all");
        let locations = Locations { administrator: nowhere(), user, project: None, trusted: nowhere() };
        let settings: Settings = signoff_config::load(&locations).unwrap();
        Asking::of(&settings.approval, risk, 60).reminding
    }

    /// Each of the keys does what it says, and nobody is reminded where nobody has said so.
    #[test]
    fn the_keys_of_reminders_are_heard() {
        let after = Duration::from_secs(120);
        let quiet = Some(Quiet { from: 22 * 60, until: 7 * 60, ahead: 60 });
        let hours = "[approval]\nremind_after = \"2m\"\nquiet_hours = \"22:00-07:00\"\n";
        let waking = format!("{hours}wake_for_critical = true\n");
        for (text, risk, expected) in [
            ("", Risk::Critical, None),
            ("[approval]\nquiet_hours = \"22:00-07:00\"\n", Risk::High, None),
            ("[approval]\nremind_after = \"2m\"\n", Risk::High, Some(Reminding { after, quiet: None })),
            (hours, Risk::High, Some(Reminding { after, quiet })),
            (hours, Risk::Critical, Some(Reminding { after, quiet })),
            (&waking, Risk::High, Some(Reminding { after, quiet })),
            (&waking, Risk::Critical, Some(Reminding { after, quiet: None })),
        ] {
            assert_eq!(reminding(text, risk), expected, "{text} {risk:?}");
        }
    }
}
