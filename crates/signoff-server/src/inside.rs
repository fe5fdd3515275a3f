//! The routes for agents as this server calls them itself, for an agent that speaks another protocol with it: whatever counts for a request
//! from outside counts for these, and there is no second way to the gate.

use axum::{Router, body::Body, extract::Request, response::Response};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use signoff_model::PersonId;
use signoff_permit::VerifierKey;

use crate::credentials::{By, LocalPeer};

/// The routes, for this server alone.
#[derive(Clone, Debug)]
pub(crate) struct Inside {
    router: Router,
    key: VerifierKey,
}

impl Inside {
    pub(crate) const fn new(router: Router, key: VerifierKey) -> Self {
        Self { router, key }
    }

    /// The key of the gate behind them.
    pub(crate) const fn key(&self) -> VerifierKey {
        self.key
    }

    /// Calls a route for an agent of somebody. Whoever it is was told by their key, on the way in.
    pub(crate) async fn call(&self, owner: &PersonId, mut request: Request<Body>) -> Response {
        request.extensions_mut().insert(LocalPeer { owner: owner.clone(), by: By::Inside });
        match TowerToHyperService::new(self.router.clone()).call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }
}
