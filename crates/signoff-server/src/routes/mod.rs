//! The routes: what each takes, and what it gives back. They translate and decide nothing.

pub(crate) mod approvals;
pub(crate) mod batches;
pub(crate) mod check;
pub(crate) mod delegations;
pub(crate) mod export;
pub(crate) mod grants;
pub(crate) mod health;
pub(crate) mod ledger;
pub(crate) mod mcp;
pub(crate) mod people;
pub(crate) mod permits;
pub(crate) mod policy;
pub(crate) mod pruning;
pub(crate) mod requests;
pub(crate) mod standing;
pub(crate) mod trust;

use std::convert::Infallible;

use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::{header, request::Parts};
use serde::de::DeserializeOwned;
use signoff_card::Language;
use signoff_model::ApprovalId;
use tokio::time::timeout;

use crate::{app::Shared, problem::Problem};

/// A body of JSON. What is wrong with it is a problem like any other.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Shared> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Shared) -> Result<Self, Problem> {
        let read = timeout(app.limits.body_within, axum::Json::from_request(request, app)).await;
        let axum::Json(value) = read.map_err(|_| Problem::too_slow())??;
        Ok(Self(value))
    }
}

/// What stands behind the question mark.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Shared> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let Query(value) = Query::from_request_parts(parts, app).await?;
        Ok(Self(value))
    }
}

/// The language that a caller wants reasons in: the first that they name and that is spoken here, and otherwise English.
pub(crate) struct InLanguage(pub(crate) Language);

impl<S: Sync> FromRequestParts<S> for InLanguage {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let wanted = parts.headers.get(header::ACCEPT_LANGUAGE).and_then(|wanted| wanted.to_str().ok());
        let first = |name: &str| match name.trim().get(..2).map(str::to_ascii_lowercase).as_deref() {
            Some("zh") => Some(Language::Chinese),
            Some("en") => Some(Language::English),
            _ => None,
        };
        Ok(Self(wanted.and_then(|wanted| wanted.split(',').find_map(first)).unwrap_or(Language::English)))
    }
}

/// The id in a path. What is none names nothing.
pub(crate) fn id(text: &str) -> Result<ApprovalId, Problem> {
    ApprovalId::parse(text).ok_or_else(Problem::not_found)
}
