//! What went wrong, as a problem of RFC 9457 with a stable code.

use axum::{
    Json,
    extract::rejection::{JsonRejection, QueryRejection},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use signoff_gate::{GateError, Refusal, StoreError, Unseen};
use signoff_model::Stage;
use utoipa::ToSchema;

/// Something that went wrong. Nothing was allowed, answered or run by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    status: StatusCode,
    code: &'static str,
    detail: String,
}

/// The body of a problem.
#[derive(Serialize, ToSchema)]
pub(crate) struct WireProblem {
    /// What went wrong, by its stable name.
    code: &'static str,
    /// The same as a URI, as RFC 9457 wants it.
    r#type: String,
    /// The status of the reply.
    status: u16,
    /// What went wrong and what to do about it, for people.
    detail: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into() }
    }

    pub(crate) fn wrong(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", detail)
    }

    /// Nobody is told whether it was the name or the secret.
    pub(crate) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "a valid credential is needed here")
    }

    /// The credential is of the other kind: agents ask, people answer.
    pub(crate) fn forbidden(detail: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", detail)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "there is no such thing, or it is not yours")
    }

    pub(crate) fn too_many() -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many", "too many tries: wait a minute")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = WireProblem {
            code: self.code,
            r#type: format!("urn:signoff:problem:{}", self.code),
            status: self.status.as_u16(),
            detail: self.detail,
        };
        let mut response = (self.status, Json(body)).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        response
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let (status, code) = match &error {
            StoreError::Full(_) => (StatusCode::INSUFFICIENT_STORAGE, "store-full"),
            StoreError::Unkeepable(_) => (StatusCode::PAYLOAD_TOO_LARGE, "unkeepable"),
            StoreError::Newer { .. } => (StatusCode::SERVICE_UNAVAILABLE, "store-newer"),
            StoreError::Damaged(_) => (StatusCode::INTERNAL_SERVER_ERROR, "store-damaged"),
            // Whoever asks again under the same key learns what became of it.
            StoreError::InDoubt(_) => (StatusCode::SERVICE_UNAVAILABLE, "in-doubt"),
            _ => (StatusCode::SERVICE_UNAVAILABLE, "store-unavailable"),
        };
        Self::new(status, code, error.to_string())
    }
}

impl From<GateError> for Problem {
    fn from(error: GateError) -> Self {
        let detail = error.to_string();
        match error {
            GateError::Store(error) => error.into(),
            GateError::NotFound => Self::not_found(),
            GateError::KeyTaken => Self::new(StatusCode::CONFLICT, "key-taken", detail),
            GateError::NobodyToAsk => Self::new(StatusCode::CONFLICT, "nobody-to-ask", detail),
            GateError::Permit(_) => Self::new(StatusCode::FORBIDDEN, "bad-permit", detail),
            GateError::Unseen(Unseen::Request(_)) => Self::wrong(detail),
            GateError::Unseen(Unseen::Policy(_)) => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "no-policy", detail),
            GateError::Grant(refusal) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, refusal.name(), detail),
            GateError::Refused { refusal, stage } => {
                let decided = stage.as_deref().and_then(decided);
                let detail = decided.map_or_else(|| told(&refusal), |decided| format!("{}: {decided}", told(&refusal)));
                Self::new(StatusCode::CONFLICT, refusal.name(), detail)
            }
            // Randomness, defects, and whatever comes to be later.
            _ => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail),
        }
    }
}

/// Who has decided, for somebody who comes too late.
fn decided(stage: &Stage) -> Option<String> {
    match stage {
        Stage::Denied { by, .. } => Some(format!("denied by {}", by.person)),
        other => {
            let votes = &other.consent()?.votes;
            let names: Vec<String> = votes.iter().map(|vote| vote.by.person.to_string()).collect();
            Some(format!("approved by {}", names.join(", ")))
        }
    }
}

/// Why something was refused, for people.
fn told(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Closed => "it is no longer open".to_owned(),
        Refusal::Expired(_) => "its time has run out; that is not a no".to_owned(),
        Refusal::NotAsked => "you are not one of those who were asked".to_owned(),
        Refusal::OwnersWord => "the agent works for you, and somebody else has to look".to_owned(),
        Refusal::AssuranceTooLow { needed } => {
            format!("a yes to this needs `{}`: answer it where you have logged in", needed.name())
        }
        Refusal::SaidBefore => "you have said so already".to_owned(),
        Refusal::NoAnswer => "that is no answer to this question; it stays open".to_owned(),
        Refusal::WrongInput { tries_left: 0 } => "that is not the text; there are no tries left".to_owned(),
        Refusal::WrongInput { tries_left } => format!("that is not the text; tries left: {tries_left}"),
        Refusal::Riskier => "the changed form is graver than what was shown: it has to be asked anew".to_owned(),
        Refusal::Blocked => "no answer lifts what is blocked".to_owned(),
        Refusal::ChangedAlone => "several have to agree to the same: nobody changes it alone".to_owned(),
        Refusal::NotRequester => "it belongs to another agent or session".to_owned(),
        Refusal::WrongPermit => "the permit is for another approval".to_owned(),
        Refusal::NotApproved => "nobody has approved it".to_owned(),
        Refusal::UsedBefore => "it has been used before".to_owned(),
        Refusal::Stale(_) => "what would run is not what was shown: ask again".to_owned(),
        Refusal::NotRedeemed => "nothing was redeemed".to_owned(),
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        let code = if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE { "too-large" } else { "malformed" };
        Self::new(rejection.status(), code, rejection.body_text())
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection.status(), "malformed", rejection.body_text())
    }
}
