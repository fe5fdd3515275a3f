//! An approval as it is stored.

use serde::{Deserialize, Serialize};
use signoff_model::{
    AgentId, Answerer, Approval, ApprovalId, Assurance, Binding, Bound, ChannelId, Choice, Clock, Consent, Deviation,
    Digest, Form, Manner, Miss, Modification, Origin, PersonId, PlanStep, Question, Report, RequestKey, Requester,
    Rest, Risk, ScreenNumber, SessionId, Stage, Timestamp, Verdict, Vote,
};

use super::{
    Unreadable, missing,
    operation::WireOperation,
    shown::{WireDeviation, WireRest, WireShown, WireStep, is_unknown},
    terms::WireTerms,
    wrong,
};

const VERSION: u8 = 1;

/// The stored text of an approval.
pub(crate) fn write(approval: &Approval) -> String {
    // Texts, numbers and lists of them: there is nothing in it that JSON cannot say.
    serde_json::to_string(&WireApproval::from(approval)).unwrap_or_default()
}

/// The approval of a stored text.
pub(crate) fn read(text: &str) -> Result<Approval, Unreadable> {
    serde_json::from_str::<WireApproval>(text)?.try_into()
}

/// A stage as it would be read again.
pub(super) fn again(stage: &Stage) -> Result<Stage, Unreadable> {
    let text = serde_json::to_string(&WireStage::from(stage))?;
    serde_json::from_str::<WireStage>(&text)?.try_into()
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireApproval {
    v: u8,
    id: String,
    key: String,
    agent: String,
    session: String,
    owner: String,
    question: WireQuestion,
    terms: WireTerms,
    asked: i64,
    stage: WireStage,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireQuestion {
    operation: WireOperation,
    directory: String,
    project: String,
    risk: String,
    form: WireForm,
    binding: WireBinding,
    intent: Option<String>,
    surroundings: String,
    card: String,
    /// Most questions come from no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<WireOrigin>,
    /// Most questions stand by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    batch: Option<String>,
    /// Most requesters have no screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<String>,
    /// They were not always kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rules: Vec<String>,
    /// Nor was this.
    #[serde(default, skip_serializing_if = "is_unknown")]
    shown: WireShown,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rests: Vec<WireRest>,
    /// Most questions are no plans.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<WireStep>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
enum WireOrigin {
    Changed { from: String, by: WireAnswerer },
    Reopened { from: String, refused_by: String, words: String, reason: String },
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireBinding {
    operation: String,
    preview: String,
    policy: String,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
enum WireForm {
    Confirmation,
    Choice { options: Vec<String> },
    Input { text: String },
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireAnswerer {
    person: String,
    channel: String,
    assurance: String,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireVote {
    by: WireAnswerer,
    at: i64,
    manner: String,
    /// Most people speak for themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stead: Option<String>,
    /// The first version made none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seal: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireMiss {
    person: String,
    times: u8,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireModification {
    operation: WireOperation,
    risk: String,
    verdict: String,
    form: Option<WireForm>,
    binding: WireBinding,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireConsent {
    votes: Vec<WireVote>,
    manner: String,
    at: i64,
    until: i64,
    nonce: String,
    modified: Option<WireModification>,
    /// It was not always made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seal: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
enum WireStage {
    Pending {
        votes: Vec<WireVote>,
        misses: Vec<WireMiss>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reminded: Option<i64>,
    },
    Approved {
        consent: WireConsent,
    },
    Denied {
        by: WireAnswerer,
        at: i64,
        words: String,
        /// Most refusals are not reopened.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reopened: Option<String>,
    },
    Expired {
        clock: String,
        /// Where it ran out on a yes. It was not always kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        consent: Option<WireConsent>,
        at: i64,
    },
    Withdrawn {
        at: i64,
    },
    Superseded {
        by: String,
        at: i64,
    },
    Redeemed {
        consent: WireConsent,
        attempt: String,
        at: i64,
    },
    Executed {
        consent: WireConsent,
        at: i64,
    },
    Failed {
        consent: WireConsent,
        words: String,
        at: i64,
    },
    Unknown {
        consent: WireConsent,
        at: i64,
    },
    Stale {
        consent: WireConsent,
        differing: Vec<String>,
        /// The first version did not know.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        deviations: Vec<WireDeviation>,
        at: i64,
    },
}

const MANNERS: [(Manner, &str); 2] = [(Manner::AsShown, "as-shown"), (Manner::BackUpFirst, "back-up-first")];
const CLOCKS: [(Clock, &str); 2] = [(Clock::Decide, "decide"), (Clock::Run, "run")];
const CHOICES: [Choice; 4] = [Choice::Cancel, Choice::GoAhead, Choice::BackUpFirst, Choice::ShowDifference];

fn name_in<T: PartialEq>(table: &[(T, &'static str)], value: &T) -> String {
    table.iter().find(|(one, _)| one == value).map(|(_, name)| (*name).to_owned()).unwrap_or_default()
}

fn value_in<T: Copy>(table: &[(T, &'static str)], name: &str, field: &'static str) -> Result<T, Unreadable> {
    table.iter().find(|(_, one)| *one == name).map(|(value, _)| *value).ok_or_else(|| missing(field))
}

pub(super) fn digest(text: &str, field: &'static str) -> Result<Digest, Unreadable> {
    Digest::parse(text).ok_or_else(|| missing(field))
}

fn id(text: &str, field: &'static str) -> Result<ApprovalId, Unreadable> {
    ApprovalId::parse(text).ok_or_else(|| missing(field))
}

pub(super) fn risk(name: &str) -> Result<Risk, Unreadable> {
    Risk::ALL.into_iter().find(|risk| risk.name() == name).ok_or_else(|| missing("risk"))
}

pub(super) fn assurance(name: &str) -> Result<Assurance, Unreadable> {
    Assurance::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| missing("assurance"))
}

impl From<&Approval> for WireApproval {
    fn from(approval: &Approval) -> Self {
        let Approval { id, key, requester, question, terms, asked, stage } = approval;
        let Requester { agent, session, owner } = requester;
        Self {
            v: VERSION,
            id: id.to_string(),
            key: key.to_string(),
            agent: agent.to_string(),
            session: session.to_string(),
            owner: owner.to_string(),
            question: question.into(),
            terms: terms.into(),
            asked: asked.millis(),
            stage: stage.into(),
        }
    }
}

impl TryFrom<WireApproval> for Approval {
    type Error = Unreadable;

    fn try_from(wire: WireApproval) -> Result<Self, Unreadable> {
        if wire.v != VERSION {
            return Err(missing("v"));
        }
        Ok(Self {
            id: id(&wire.id, "id")?,
            key: RequestKey::new(wire.key).map_err(wrong("key"))?,
            requester: Requester {
                agent: AgentId::new(wire.agent).map_err(wrong("agent"))?,
                session: SessionId::new(wire.session).map_err(wrong("session"))?,
                owner: PersonId::new(wire.owner).map_err(wrong("owner"))?,
            },
            question: wire.question.try_into()?,
            terms: wire.terms.try_into()?,
            asked: Timestamp::from_millis(wire.asked),
            stage: wire.stage.try_into()?,
        })
    }
}

impl From<&Question> for WireQuestion {
    fn from(question: &Question) -> Self {
        let Question { operation, directory, project, risk, form, binding, intent, .. } = question;
        let Question { surroundings, card, origin, batch, number, rules, shown, rests, steps, .. } = question;
        Self {
            operation: operation.into(),
            directory: directory.clone(),
            project: project.clone(),
            risk: risk.name().to_owned(),
            form: form.into(),
            binding: binding.into(),
            intent: intent.clone(),
            surroundings: surroundings.to_string(),
            card: card.clone(),
            origin: origin.as_ref().map(WireOrigin::from),
            batch: batch.as_ref().map(ToString::to_string),
            number: number.as_ref().map(ToString::to_string),
            rules: rules.clone(),
            shown: shown.into(),
            rests: rests.iter().map(WireRest::from).collect(),
            steps: steps.iter().map(WireStep::from).collect(),
        }
    }
}

impl TryFrom<WireQuestion> for Question {
    type Error = Unreadable;

    fn try_from(wire: WireQuestion) -> Result<Self, Unreadable> {
        Ok(Self {
            operation: wire.operation.try_into()?,
            directory: wire.directory,
            project: wire.project,
            risk: risk(&wire.risk)?,
            form: wire.form.try_into()?,
            binding: wire.binding.try_into()?,
            intent: wire.intent,
            surroundings: Digest::parse(&wire.surroundings).ok_or_else(|| missing("surroundings"))?,
            card: wire.card,
            origin: wire.origin.map(Origin::try_from).transpose()?,
            batch: wire.batch.map(|batch| id(&batch, "batch")).transpose()?,
            number: wire
                .number
                .map(|number| ScreenNumber::parse(&number).ok_or_else(|| missing("number")))
                .transpose()?,
            rules: wire.rules,
            shown: wire.shown.into(),
            rests: wire.rests.into_iter().map(Rest::try_from).collect::<Result<_, _>>()?,
            steps: wire.steps.into_iter().map(PlanStep::try_from).collect::<Result<_, _>>()?,
        })
    }
}

impl From<&Origin> for WireOrigin {
    fn from(origin: &Origin) -> Self {
        match origin {
            Origin::Changed { from, by } => Self::Changed { from: from.to_string(), by: by.into() },
            Origin::Reopened { from, refused_by, words, reason } => Self::Reopened {
                from: from.to_string(),
                refused_by: refused_by.to_string(),
                words: words.clone(),
                reason: reason.clone(),
            },
        }
    }
}

impl TryFrom<WireOrigin> for Origin {
    type Error = Unreadable;

    fn try_from(wire: WireOrigin) -> Result<Self, Unreadable> {
        Ok(match wire {
            WireOrigin::Changed { from, by } => Self::Changed { from: id(&from, "from")?, by: by.try_into()? },
            WireOrigin::Reopened { from, refused_by, words, reason } => Self::Reopened {
                from: id(&from, "from")?,
                refused_by: PersonId::new(refused_by).map_err(wrong("refused_by"))?,
                words,
                reason,
            },
        })
    }
}

impl From<&Form> for WireForm {
    fn from(form: &Form) -> Self {
        match form {
            Form::Confirmation => Self::Confirmation,
            Form::Choice(options) => {
                Self::Choice { options: options.iter().map(|choice| choice.name().to_owned()).collect() }
            }
            Form::Input(text) => Self::Input { text: text.clone() },
        }
    }
}

impl TryFrom<WireForm> for Form {
    type Error = Unreadable;

    fn try_from(wire: WireForm) -> Result<Self, Unreadable> {
        let choice =
            |name: &String| CHOICES.into_iter().find(|choice| choice.name() == name).ok_or_else(|| missing("options"));
        Ok(match wire {
            WireForm::Confirmation => Self::Confirmation,
            WireForm::Choice { options } => Self::Choice(options.iter().map(choice).collect::<Result<_, _>>()?),
            WireForm::Input { text } => Self::Input(text),
        })
    }
}

impl From<&Binding> for WireBinding {
    fn from(binding: &Binding) -> Self {
        let Binding { operation, preview, policy } = binding;
        Self { operation: operation.to_string(), preview: preview.to_string(), policy: policy.to_string() }
    }
}

impl TryFrom<WireBinding> for Binding {
    type Error = Unreadable;

    fn try_from(wire: WireBinding) -> Result<Self, Unreadable> {
        Ok(Self {
            operation: digest(&wire.operation, "operation")?,
            preview: digest(&wire.preview, "preview")?,
            policy: digest(&wire.policy, "policy")?,
        })
    }
}

impl From<&Answerer> for WireAnswerer {
    fn from(by: &Answerer) -> Self {
        let Answerer { person, channel, assurance } = by;
        Self { person: person.to_string(), channel: channel.to_string(), assurance: assurance.name().to_owned() }
    }
}

impl TryFrom<WireAnswerer> for Answerer {
    type Error = Unreadable;

    fn try_from(wire: WireAnswerer) -> Result<Self, Unreadable> {
        Ok(Self {
            person: PersonId::new(wire.person).map_err(wrong("person"))?,
            channel: ChannelId::new(wire.channel).map_err(wrong("channel"))?,
            assurance: assurance(&wire.assurance)?,
        })
    }
}

impl From<&Vote> for WireVote {
    fn from(vote: &Vote) -> Self {
        let Vote { by, at, manner, stead, seal } = vote;
        let (stead, seal) = (stead.as_ref().map(ToString::to_string), seal.as_ref().map(ToString::to_string));
        Self { by: by.into(), at: at.millis(), manner: name_in(&MANNERS, manner), stead, seal }
    }
}

impl TryFrom<WireVote> for Vote {
    type Error = Unreadable;

    fn try_from(wire: WireVote) -> Result<Self, Unreadable> {
        let manner = value_in(&MANNERS, &wire.manner, "manner")?;
        let stead = wire.stead.map(|stead| PersonId::new(stead).map_err(wrong("stead"))).transpose()?;
        let seal = wire.seal.map(|seal| digest(&seal, "seal")).transpose()?;
        Ok(Self { by: wire.by.try_into()?, at: Timestamp::from_millis(wire.at), manner, stead, seal })
    }
}

fn votes(wire: Vec<WireVote>) -> Result<Vec<Vote>, Unreadable> {
    wire.into_iter().map(Vote::try_from).collect()
}

impl From<&Consent> for WireConsent {
    fn from(consent: &Consent) -> Self {
        let Consent { votes, manner, at, until, nonce, modified, seal } = consent;
        Self {
            votes: votes.iter().map(WireVote::from).collect(),
            manner: name_in(&MANNERS, manner),
            at: at.millis(),
            until: until.millis(),
            nonce: nonce.to_string(),
            seal: seal.as_ref().map(ToString::to_string),
            modified: modified.as_ref().map(|modified| {
                let Modification { operation, risk, verdict, form, binding } = modified;
                WireModification {
                    operation: operation.into(),
                    risk: risk.name().to_owned(),
                    verdict: verdict.name().to_owned(),
                    form: form.as_ref().map(WireForm::from),
                    binding: binding.into(),
                }
            }),
        }
    }
}

impl TryFrom<WireConsent> for Consent {
    type Error = Unreadable;

    fn try_from(wire: WireConsent) -> Result<Self, Unreadable> {
        let modified = wire.modified.map(|wire| -> Result<Modification, Unreadable> {
            Ok(Modification {
                operation: wire.operation.try_into()?,
                risk: risk(&wire.risk)?,
                verdict: Verdict::from_name(&wire.verdict).ok_or_else(|| missing("verdict"))?,
                form: wire.form.map(Form::try_from).transpose()?,
                binding: wire.binding.try_into()?,
            })
        });
        Ok(Self {
            votes: votes(wire.votes)?,
            manner: value_in(&MANNERS, &wire.manner, "manner")?,
            at: Timestamp::from_millis(wire.at),
            until: Timestamp::from_millis(wire.until),
            nonce: digest(&wire.nonce, "nonce")?,
            modified: modified.transpose()?,
            seal: wire.seal.map(|seal| digest(&seal, "seal")).transpose()?,
        })
    }
}

impl From<&Stage> for WireStage {
    fn from(stage: &Stage) -> Self {
        match stage {
            Stage::Pending { votes, misses, reminded } => Self::Pending {
                votes: votes.iter().map(WireVote::from).collect(),
                misses: misses
                    .iter()
                    .map(|Miss { person, times }| WireMiss { person: person.to_string(), times: *times })
                    .collect(),
                reminded: reminded.map(Timestamp::millis),
            },
            Stage::Approved(consent) => Self::Approved { consent: consent.into() },
            Stage::Denied { by, at, words, reopened } => Self::Denied {
                by: by.into(),
                at: at.millis(),
                words: words.clone(),
                reopened: reopened.as_ref().map(ToString::to_string),
            },
            Stage::Expired { clock, consent, at } => Self::Expired {
                clock: name_in(&CLOCKS, clock),
                consent: consent.as_ref().map(WireConsent::from),
                at: at.millis(),
            },
            Stage::Withdrawn { at } => Self::Withdrawn { at: at.millis() },
            Stage::Superseded { by, at } => Self::Superseded { by: by.to_string(), at: at.millis() },
            Stage::Redeemed { consent, attempt, at } => {
                Self::Redeemed { consent: consent.into(), attempt: attempt.to_string(), at: at.millis() }
            }
            Stage::Reported { consent, report, at } => {
                let (consent, at) = (consent.into(), at.millis());
                match report {
                    Report::Executed => Self::Executed { consent, at },
                    Report::Failed(words) => Self::Failed { consent, words: words.clone(), at },
                }
            }
            Stage::Unknown { consent, at } => Self::Unknown { consent: consent.into(), at: at.millis() },
            Stage::Stale { consent, differing, deviations, at } => Self::Stale {
                consent: consent.into(),
                differing: differing.iter().map(|bound| bound.name().to_owned()).collect(),
                deviations: deviations.iter().map(WireDeviation::from).collect(),
                at: at.millis(),
            },
        }
    }
}

impl TryFrom<WireStage> for Stage {
    type Error = Unreadable;

    fn try_from(wire: WireStage) -> Result<Self, Unreadable> {
        let moment = Timestamp::from_millis;
        let reported = |consent: WireConsent, report, at| -> Result<Self, Unreadable> {
            Ok(Self::Reported { consent: consent.try_into()?, report, at: moment(at) })
        };
        Ok(match wire {
            WireStage::Pending { votes: cast, misses, reminded } => {
                let miss = |wire: WireMiss| -> Result<Miss, Unreadable> {
                    Ok(Miss { person: PersonId::new(wire.person).map_err(wrong("person"))?, times: wire.times })
                };
                let misses = misses.into_iter().map(miss).collect::<Result<_, _>>()?;
                Self::Pending { votes: votes(cast)?, misses, reminded: reminded.map(moment) }
            }
            WireStage::Approved { consent } => Self::Approved(consent.try_into()?),
            WireStage::Denied { by, at, words, reopened } => Self::Denied {
                by: by.try_into()?,
                at: moment(at),
                words,
                reopened: reopened.map(|with| id(&with, "reopened")).transpose()?,
            },
            WireStage::Expired { clock, consent, at } => Self::Expired {
                clock: value_in(&CLOCKS, &clock, "clock")?,
                consent: consent.map(Consent::try_from).transpose()?,
                at: moment(at),
            },
            WireStage::Withdrawn { at } => Self::Withdrawn { at: moment(at) },
            WireStage::Superseded { by, at } => Self::Superseded { by: id(&by, "by")?, at: moment(at) },
            WireStage::Redeemed { consent, attempt, at } => {
                Self::Redeemed { consent: consent.try_into()?, attempt: digest(&attempt, "attempt")?, at: moment(at) }
            }
            WireStage::Executed { consent, at } => reported(consent, Report::Executed, at)?,
            WireStage::Failed { consent, words, at } => reported(consent, Report::Failed(words), at)?,
            WireStage::Unknown { consent, at } => Self::Unknown { consent: consent.try_into()?, at: moment(at) },
            WireStage::Stale { consent, differing, deviations, at } => Self::Stale {
                consent: consent.try_into()?,
                differing: differing
                    .iter()
                    .map(|name| Bound::from_name(name).ok_or_else(|| missing("differing")))
                    .collect::<Result<_, _>>()?,
                deviations: deviations.into_iter().map(Deviation::try_from).collect::<Result<_, _>>()?,
                at: moment(at),
            },
        })
    }
}
