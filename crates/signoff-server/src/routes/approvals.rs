//! What people do: look at questions and answer them.

use axum::{
    Json,
    extract::{Path, State},
};
use serde::{Deserialize, Serialize};
use signoff_card::{Detail, Language};
use signoff_gate::{Changed, Done, Wanted};
use signoff_model::{AgentId, Answer, Choice, ScreenNumber, SessionId};
use utoipa::{IntoParams, ToSchema};

use super::{Asked, Body, id};
use crate::{
    app::Shared,
    credentials::{Person, problem},
    problem::{Problem, WireProblem},
    wire::{
        approval::{Drawn, WireApproval},
        operation::WireOperation,
    },
};

const LISTED: u32 = 50;
const COLUMNS: usize = 100;

/// Which questions are listed.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only those in this stage.
    stage: Option<String>,
    /// Only those of this agent.
    agent: Option<String>,
    /// Only those of this session.
    session: Option<String>,
    /// Only those that were asked before this one: the `next` of the page before.
    before: Option<String>,
    /// So many at most; 50 where nothing is said.
    limit: Option<u32>,
}

/// A page of questions, the latest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Page {
    /// The questions, without their cards.
    approvals: Vec<WireApproval>,
    /// Where the next page begins; none where this is the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// Lists questions, the latest first.
#[utoipa::path(
    get, path = "/v1/approvals", tag = "people", security(("person" = [])),
    params(Filter),
    responses(
        (status = 200, description = "A page of questions.", body = Page),
        (status = "default", description = "There is no list.", body = WireProblem),
    )
)]
pub(crate) async fn list(
    State(app): State<Shared>,
    _person: Person,
    Asked(filter): Asked<Filter>,
) -> Result<Json<Page>, Problem> {
    let wrong = |name: &str| Problem::wrong(format!("`{name}` names nothing"));
    let at_most = filter.limit.unwrap_or(LISTED).clamp(1, 200);
    let wanted = Wanted {
        stage: filter.stage,
        agent: filter.agent.map(AgentId::new).transpose().map_err(|_| wrong("agent"))?,
        session: filter.session.map(SessionId::new).transpose().map_err(|_| wrong("session"))?,
        before: filter.before.as_deref().map(id).transpose().map_err(|_| wrong("before"))?,
        at_most,
    };
    let approvals = app.store().list(wanted).await?;
    let full = u32::try_from(approvals.len()).is_ok_and(|count| count == at_most);
    let next = approvals.last().filter(|_| full).map(|last| last.id.to_string());
    Ok(Json(Page { approvals: approvals.iter().map(WireApproval::listed).collect(), next }))
}

/// How a card is drawn.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Drawing {
    /// en or zh.
    lang: Option<String>,
    /// brief or full.
    detail: Option<String>,
    /// How wide the text may be.
    columns: Option<usize>,
}

impl Drawing {
    pub(crate) fn drawn(&self) -> Result<Drawn, Problem> {
        let language = match self.lang.as_deref() {
            None => Language::default(),
            Some(name) => Language::from_name(name).ok_or_else(|| Problem::wrong("`lang` must be one of en, zh"))?,
        };
        let detail = match self.detail.as_deref() {
            None | Some("brief") => Detail::Brief,
            Some("full") => Detail::Full,
            Some(_) => return Err(Problem::wrong("`detail` must be one of brief, full")),
        };
        Ok(Drawn { language, detail, columns: self.columns.unwrap_or(COLUMNS).clamp(40, 400) })
    }
}

/// One question, with its card.
#[utoipa::path(
    get, path = "/v1/approvals/{id}", tag = "people", security(("person" = [])),
    params(("id" = String, Path, description = "The id of the question."), Drawing),
    responses(
        (status = 200, description = "The question.", body = WireApproval),
        (status = "default", description = "There is none.", body = WireProblem),
    )
)]
pub(crate) async fn show(
    State(app): State<Shared>,
    _person: Person,
    Path(text): Path<String>,
    Asked(drawing): Asked<Drawing>,
) -> Result<Json<WireApproval>, Problem> {
    let drawn = drawing.drawn()?;
    let approval = app.store().approval(id(&text)?).await?.ok_or_else(Problem::not_found)?;
    let mut shown = WireApproval::shown(&approval, drawn);
    if !shown.votes.is_empty() {
        let people = app.accounts().people().await.map_err(problem)?;
        let inviter = |name: &str| people.iter().find(|account| account.person == name)?.invited_by.clone();
        shown.votes.iter_mut().for_each(|vote| vote.invited(inviter));
    }
    Ok(Json(shown))
}

/// What a person says.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", tag = "answer", deny_unknown_fields)]
pub(crate) enum WireAnswer {
    /// Yes, as shown.
    Approve {
        /// The number of two digits on the screen of whoever asks, where there is one.
        #[serde(default)]
        number: Option<String>,
    },
    /// No.
    Deny {
        /// Words for the agent.
        #[serde(default)]
        words: String,
    },
    /// One of the choices.
    Choose {
        /// Which: cancel, go-ahead, back-up-first or show-difference.
        choice: String,
        /// The number of two digits on the screen of whoever asks, where there is one.
        #[serde(default)]
        number: Option<String>,
    },
    /// The text that was asked for.
    Input {
        /// The text.
        text: String,
        /// The number of two digits on the screen of whoever asks, where there is one.
        #[serde(default)]
        number: Option<String>,
    },
    /// Yes, but in this form. What is graver than what was shown is asked anew.
    Modify {
        /// What would be done instead.
        operation: WireOperation,
        /// The number of two digits on the screen of whoever asks, where there is one.
        #[serde(default)]
        number: Option<String>,
    },
}

/// What came of an answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct Answered {
    /// How many more have to say yes; none where it is decided.
    missing: u16,
    /// The question as it stands now.
    approval: WireApproval,
    /// Whether it is a new question in the place of the one that was answered: a changed form that is graver than what was
    /// shown, or that others have to agree to, and that nobody has said yes to yet.
    asked_anew: bool,
}

/// Answers a question.
#[utoipa::path(
    post, path = "/v1/approvals/{id}/answer", tag = "people", security(("person" = [])),
    params(("id" = String, Path, description = "The id of the question.")),
    request_body = WireAnswer,
    responses(
        (status = 200, description = "The answer counts.", body = Answered),
        (status = "default", description = "The answer does not count.", body = WireProblem),
    )
)]
pub(crate) async fn answer(
    State(app): State<Shared>,
    person: Person,
    Path(text): Path<String>,
    Body(answer): Body<WireAnswer>,
) -> Result<Json<Answered>, Problem> {
    let id = id(&text)?;
    let (answer, number) = match answer {
        WireAnswer::Approve { number } => (Answer::Approve, number),
        WireAnswer::Deny { words } => (Answer::Deny(words), None),
        WireAnswer::Choose { choice, number } => {
            let known = [Choice::Cancel, Choice::GoAhead, Choice::BackUpFirst, Choice::ShowDifference];
            let found = known.into_iter().find(|known| known.name() == choice);
            (Answer::Choose(found.ok_or_else(|| Problem::wrong("`choice` is none of those there are"))?), number)
        }
        WireAnswer::Input { text, number } => (Answer::Input(text), number),
        WireAnswer::Modify { operation, number } => {
            let number = read(number)?;
            return Ok(Json(match app.gate.modify(id, person.by, operation.try_into()?, number).await? {
                Changed::Heard(approval, done) => answered(&approval, &done),
                Changed::AskedAnew(approval) => Answered {
                    missing: approval.terms.quorum.max(1),
                    approval: WireApproval::listed(&approval),
                    asked_anew: true,
                },
            }));
        }
    };
    let (approval, done) = app.gate.answer_with(id, person.by, answer, read(number)?).await?;
    Ok(Json(answered(&approval, &done)))
}

/// What somebody has typed as the number on a screen. What can be none is no try.
fn read(number: Option<String>) -> Result<Option<ScreenNumber>, Problem> {
    let wrong = || Problem::wrong("`number` must be two digits");
    number.map(|text| ScreenNumber::parse(&text).ok_or_else(wrong)).transpose()
}

fn answered(approval: &signoff_model::Approval, done: &Done) -> Answered {
    let missing = match done {
        Done::Voted { missing } => *missing,
        Done::Nothing | Done::Decided | Done::Redeemed(_) | Done::Reported | Done::Reopened | Done::Reminded => 0,
    };
    Answered { missing, approval: WireApproval::listed(approval), asked_anew: false }
}
