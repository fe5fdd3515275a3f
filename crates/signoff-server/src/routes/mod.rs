//! The routes: what each takes, and what it gives back. They translate and decide nothing.

pub(crate) mod approvals;
pub(crate) mod export;
pub(crate) mod grants;
pub(crate) mod health;
pub(crate) mod ledger;
pub(crate) mod people;
pub(crate) mod permits;
pub(crate) mod requests;

use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use signoff_model::ApprovalId;

use crate::{app::Shared, problem::Problem};

/// A body of JSON. What is wrong with it is a problem like any other.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Shared> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Shared) -> Result<Self, Problem> {
        let axum::Json(value) = axum::Json::from_request(request, app).await?;
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

/// The id in a path. What is none names nothing.
pub(crate) fn id(text: &str) -> Result<ApprovalId, Problem> {
    ApprovalId::parse(text).ok_or_else(Problem::not_found)
}
