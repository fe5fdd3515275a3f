//! An approval as people see it.

use serde::Serialize;
use signoff_card::{Card, Detail, Language, SourcePart, kept, origin_rows, terminal, visible};
use signoff_model::{Answerer, Approval, Choice, Form, Origin, PlanStep, Stage, Vote};
use utoipa::ToSchema;

use super::{deviation::WireDeviation, operation::WireOperation};

/// One question, and what became of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireApproval {
    /// Which.
    id: String,
    /// pending, approved, modified, denied, expired, withdrawn, superseded, redeemed, executed, failed, unknown or stale.
    stage: &'static str,
    /// The agent.
    agent: String,
    /// Its session.
    session: String,
    /// The person for whom it works.
    owner: String,
    /// What would be done.
    operation: WireOperation,
    /// Where.
    directory: String,
    /// The project that the directory belongs to.
    project: String,
    /// none, low, medium, high or critical.
    risk: &'static str,
    /// How it is answered.
    form: WireForm,
    /// Who may answer.
    approvers: Vec<String>,
    /// So many have to say yes.
    quorum: u16,
    /// What a yes needs: tap, login or passkey.
    assurance: &'static str,
    /// When it was asked, in milliseconds since 1970.
    asked: i64,
    /// Until when it may be answered, in milliseconds since 1970.
    until: i64,
    /// Those who have said yes.
    pub(crate) votes: Vec<WireVote>,
    /// Who decided, where somebody did.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<String>,
    /// The words of a no.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    /// The question that it comes from, where it is not the first about the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<WireOrigin>,
    /// The first of those that it is put together with: they can be answered in one go under `/v1/batches/{id}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<String>,
    /// Whether a yes needs the number on the screen of whoever asks. Which one it is stands there, and nowhere else.
    needs_number: bool,
    /// The question that has taken its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    superseded_by: Option<String>,
    /// What may run instead of what was asked for, where somebody has changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    modified: Option<WireOperation>,
    /// What people see of it, as it was drawn when it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<WireCard>,
    /// What comes after it with the same yes, where it is the first step of a plan. The text of the card shows them as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<WireStep>,
    /// What was no longer as it was shown when it was to run, thing by thing, as far as it is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<WireDeviation>,
}

/// A step of a plan that comes after what is asked about.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireStep {
    /// What would be done.
    operation: WireOperation,
    /// Where.
    directory: String,
    /// none, low, medium, high or critical.
    risk: &'static str,
    /// by-the-yes, harmless, or later: it is grave, and will be asked about again when it comes.
    settled: &'static str,
    /// What people see of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<WireCard>,
}

/// Where a question comes from.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(crate) enum WireOrigin {
    /// A person wanted something else done instead, and that was graver than what they had been shown.
    Changed {
        /// The question whose place it has taken.
        from: String,
        /// Who wanted that.
        by: String,
    },
    /// It was refused before, and the agent has stated a reason.
    Reopened {
        /// The question that was refused.
        from: String,
        /// Who refused it.
        by: String,
        /// With which words.
        words: String,
        /// What the agent says to that, in its own words.
        reason: String,
    },
}

/// How a question is answered.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(crate) enum WireForm {
    /// With approve or deny.
    Confirmation,
    /// With one of several.
    Choice {
        /// Which.
        options: Vec<&'static str>,
    },
    /// With a text that is typed.
    Input {
        /// The text.
        text: String,
    },
}

/// One yes.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireVote {
    /// Who.
    person: String,
    /// On which way.
    channel: String,
    /// Who has invited them, where a single question is looked at and that is known: whoever makes accounts could be two people.
    #[serde(skip_serializing_if = "Option::is_none")]
    invited_by: Option<String>,
    /// In whose stead, where somebody has handed their answering over to them.
    #[serde(skip_serializing_if = "Option::is_none")]
    stead: Option<String>,
    /// When, in milliseconds since 1970.
    at: i64,
}

/// What people see of an operation.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireCard {
    /// What became of it, in words.
    verdict: String,
    /// How grave it is, in words.
    risk: String,
    /// The text of the operation, line by line, with everything in it made visible.
    source: Vec<String>,
    /// What there is to say about it.
    rows: Vec<WireRow>,
    /// The same as a terminal shows it.
    text: String,
}

/// One line of the table below the operation.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireRow {
    /// The word at its beginning.
    label: String,
    /// What stands before it.
    margin: String,
    /// What it says.
    text: String,
    /// The words at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// How a card is wanted.
#[derive(Clone, Copy)]
pub(crate) struct Drawn {
    pub(crate) language: Language,
    pub(crate) detail: Detail,
    pub(crate) columns: usize,
}

impl WireApproval {
    /// An approval without its card, for lists.
    pub(crate) fn listed(approval: &Approval) -> Self {
        let Approval { id, requester, question, terms, asked, stage, .. } = approval;
        let votes = match stage {
            Stage::Pending { votes, .. } => votes.as_slice(),
            other => other.consent().map_or(&[][..], |consent| consent.votes.as_slice()),
        };
        let (decided_by, words) = match stage {
            Stage::Denied { by, words, .. } => (Some(by.person.to_string()), Some(words.clone())),
            other => {
                let last = other.consent().and_then(|consent| consent.votes.last());
                (last.map(|vote| vote.by.person.to_string()), None)
            }
        };
        Self {
            id: id.to_string(),
            stage: stage.name(),
            agent: requester.agent.to_string(),
            session: requester.session.to_string(),
            owner: requester.owner.to_string(),
            operation: (&question.operation).into(),
            directory: question.directory.clone(),
            project: question.project.clone(),
            risk: question.risk.name(),
            form: (&question.form).into(),
            approvers: terms.approvers.iter().map(ToString::to_string).collect(),
            quorum: terms.quorum,
            assurance: terms.assurance.name(),
            asked: asked.millis(),
            until: asked.after(terms.decide_within).millis(),
            votes: votes.iter().map(WireVote::from).collect(),
            decided_by,
            words,
            origin: question.origin.as_ref().map(WireOrigin::from),
            batch: question.batch.map(|batch| batch.to_string()),
            needs_number: question.number.is_some(),
            superseded_by: match stage {
                Stage::Superseded { by, .. } => Some(by.to_string()),
                _ => None,
            },
            modified: stage.consent().and_then(|consent| consent.modified.as_ref()).map(|one| (&one.operation).into()),
            card: None,
            steps: question.steps.iter().map(|step| wire_step(step, None)).collect(),
            differences: match stage {
                Stage::Stale { deviations, .. } => WireDeviation::all(deviations, Language::English),
                _ => Vec::new(),
            },
        }
    }

    /// An approval with its card. Where that cannot be read, nobody has seen what they would say yes to, and there is none.
    pub(crate) fn shown(approval: &Approval, drawn: Drawn) -> Self {
        let question = &approval.question;
        let card = kept(&question.card, &question.operation, drawn.language, drawn.detail);
        let origin = question.origin.iter().flat_map(|origin| origin_rows(origin, drawn.language));
        let card = card.map(|card| Card { rows: origin.chain(card.rows).collect(), ..card });
        let card = card.ok().map(|card| wire_card(&card, drawn));
        let steps: Vec<WireStep> = question.steps.iter().map(|step| wire_step(step, Some(drawn))).collect();
        // Whoever has not seen a step has not seen the plan.
        let card =
            card.filter(|_| steps.iter().all(|step| step.card.is_some())).map(|card| with_steps(card, &steps, drawn));
        let differences = match &approval.stage {
            Stage::Stale { deviations, .. } => WireDeviation::all(deviations, drawn.language),
            _ => Vec::new(),
        };
        Self { card, steps, differences, ..Self::listed(approval) }
    }
}

impl WireVote {
    /// The same, with who has invited whoever said yes.
    pub(crate) fn invited(&mut self, by: impl FnOnce(&str) -> Option<String>) {
        self.invited_by = by(&self.person);
    }
}

impl From<&Form> for WireForm {
    fn from(form: &Form) -> Self {
        match form {
            Form::Confirmation => Self::Confirmation,
            Form::Choice(options) => {
                Self::Choice { options: options.iter().map(|choice: &Choice| choice.name()).collect() }
            }
            Form::Input(text) => Self::Input { text: text.clone() },
        }
    }
}

impl From<&Origin> for WireOrigin {
    fn from(origin: &Origin) -> Self {
        match origin {
            Origin::Changed { from, by } => Self::Changed { from: from.to_string(), by: by.person.to_string() },
            Origin::Reopened { from, refused_by, words, reason } => Self::Reopened {
                from: from.to_string(),
                by: refused_by.to_string(),
                words: words.clone(),
                reason: reason.clone(),
            },
        }
    }
}

impl From<&Vote> for WireVote {
    fn from(vote: &Vote) -> Self {
        let Answerer { person, channel, .. } = &vote.by;
        Self {
            person: person.to_string(),
            channel: channel.to_string(),
            invited_by: None,
            stead: vote.stead.as_ref().map(ToString::to_string),
            at: vote.at.millis(),
        }
    }
}

fn wire_step(step: &PlanStep, drawn: Option<Drawn>) -> WireStep {
    let PlanStep { operation, directory, risk, card, settled, .. } = step;
    let drawn = drawn.and_then(|drawn| {
        let card = kept(card, operation, drawn.language, drawn.detail).ok()?;
        Some(wire_card(&card, drawn))
    });
    WireStep {
        operation: operation.into(),
        directory: directory.clone(),
        risk: risk.name(),
        settled: settled.name(),
        card: drawn,
    }
}

/// A card with the steps that come after it below, as a terminal shows them.
fn with_steps(mut card: WireCard, steps: &[WireStep], drawn: Drawn) -> WireCard {
    for (number, step) in (2_usize..).zip(steps) {
        let directory = visible(&step.directory);
        let (settled, chinese) = match step.settled {
            "by-the-yes" => ("your yes is one for this, once, within an hour", "您的批准也适用于此步，一次，一小时内"),
            "harmless" => ("nobody need be asked about it", "无需询问"),
            _ => ("it will be asked about again when it comes", "届时将再次询问"),
        };
        let head = match drawn.language {
            Language::English => format!("\nThen, step {number}, in {directory} ({settled}):\n"),
            Language::Chinese => format!("\n然后，第 {number} 步，于 {directory}（{chinese}）：\n"),
        };
        card.text.push_str(&head);
        card.text.push_str(step.card.as_ref().map_or("", |card| card.text.as_str()));
    }
    card
}

fn wire_card(card: &Card, drawn: Drawn) -> WireCard {
    let line = |part: SourcePart| match part {
        SourcePart::Line(line) => line.pieces.iter().map(|piece| piece.text.as_str()).collect(),
        SourcePart::Omitted(words) => words,
    };
    let rows = card.rows.iter().map(|row| WireRow {
        label: row.label.to_string(),
        margin: row.margin.clone(),
        text: row.text.clone(),
        note: row.note.as_ref().map(ToString::to_string),
    });
    let mut text = String::new();
    terminal::paint_lines(card, drawn.columns, terminal::Colour::Off, |line| text.push_str(line));
    WireCard {
        verdict: card.verdict_word.to_owned(),
        risk: card.risk_words.clone(),
        source: card.source.parts().map(line).collect(),
        rows: rows.collect(),
        text,
    }
}
