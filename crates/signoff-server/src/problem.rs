//! What went wrong, as a problem of RFC 9457 with a stable code.

use axum::{
    Json,
    extract::rejection::{BytesRejection, JsonRejection, QueryRejection},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use signoff_card::Language;
use signoff_gate::{GateError, Refusal, StoreError, Unseen};
use signoff_model::{Bound, Stage};
use utoipa::ToSchema;

use crate::wire::deviation::WireDeviation;

/// Something that went wrong. Nothing was allowed, answered or run by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    status: StatusCode,
    code: &'static str,
    detail: String,
    differences: Vec<WireDeviation>,
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
    /// What is no longer as it was shown, thing by thing, where something was not run for that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<WireDeviation>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), differences: Vec::new() }
    }

    /// What went wrong at the gate, with what differs in words of a language.
    pub(crate) fn told(error: GateError, language: Language) -> Self {
        let deviations = match &error {
            GateError::Refused { refusal: Refusal::Stale(_), stage: Some(stage) } => match &**stage {
                Stage::Stale { deviations, .. } => WireDeviation::all(deviations, language),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        Self { differences: deviations, ..error.into() }
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

    /// The credential is right, and the person is not an administrator.
    pub(crate) fn administrators_only() -> Self {
        Self::new(StatusCode::FORBIDDEN, "administrators-only", "only an administrator may do this: ask one")
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "there is no such thing, or it is not yours")
    }

    /// Somebody sends a body so slowly that others would be kept from being served.
    pub(crate) fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "too-slow", "the body took too long to arrive")
    }

    /// Somebody has as many replies held for them as they may.
    pub(crate) fn too_many_held() -> Self {
        let detail = "too many replies are held at once: wait for fewer things, or ask without `wait_ms`";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-waiting", detail)
    }

    /// The same for whoever asks whether the server can work: whatever is the matter, it cannot.
    pub(crate) fn unready(self) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, ..self }
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
            differences: self.differences,
        };
        let mut response = (self.status, Json(body)).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        response
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let (status, code) = match &error {
            StoreError::Full(_) => (StatusCode::INSUFFICIENT_STORAGE, "store-full"),
            StoreError::Unkeepable(_) => (StatusCode::PAYLOAD_TOO_LARGE, "unkeepable"),
            StoreError::Replaced(_) => (StatusCode::SERVICE_UNAVAILABLE, "store-replaced"),
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
            GateError::TooLong { .. } => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "too-long", detail),
            GateError::LockedDown { .. } => Self::new(StatusCode::LOCKED, "locked-down", detail),
            GateError::NotYours { .. } => Self::new(StatusCode::FORBIDDEN, "not-yours", detail),
            GateError::Delegation(refusal) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, refusal.name(), detail),
            GateError::Grant(refusal) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, refusal.name(), detail),
            GateError::Refused { refusal, stage } => {
                let decided = stage.as_deref().filter(|_| !matches!(refusal, Refusal::Stale(_))).and_then(decided);
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

/// What has become different since somebody said yes.
const fn changed(bound: Bound) -> &'static str {
    match bound {
        Bound::Operation => "the operation, its directory or environment, or a file that it depends on is another one",
        Bound::Preview => "something else would be lost or overwritten",
        Bound::Policy => "the policy has changed",
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
        Refusal::Unsealed => {
            "it is kept as approved, and not by this gate: nothing runs by it; ask again, and have the store looked at"
                .to_owned()
        }
        Refusal::UsedBefore => "it has been used before".to_owned(),
        Refusal::Stale(differing) => {
            let changed: Vec<&str> = differing.iter().map(|bound| changed(*bound)).collect();
            format!("what would run is not what was shown: {}; ask again", changed.join("; "))
        }
        Refusal::NotRedeemed => "nothing was redeemed".to_owned(),
        Refusal::NotSeen => "it is not what you have seen any more: look again, and answer then".to_owned(),
        Refusal::NumberNeeded => {
            "a yes to this needs the number of two digits on the screen of whoever asks; it stays open".to_owned()
        }
        Refusal::WrongNumber { tries_left: 0 } => "that is not the number: it is refused".to_owned(),
        Refusal::WrongNumber { tries_left } => format!("that is not the number; tries left: {tries_left}"),
        Refusal::NotReopenable => {
            "a reason can be stated once, for what a person has refused and nobody has changed".to_owned()
        }
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        let code = if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE { "too-large" } else { "malformed" };
        Self::new(rejection.status(), code, rejection.body_text())
    }
}

impl From<BytesRejection> for Problem {
    fn from(rejection: BytesRejection) -> Self {
        let code = if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE { "too-large" } else { "malformed" };
        Self::new(rejection.status(), code, rejection.body_text())
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection.status(), "malformed", rejection.body_text())
    }
}
