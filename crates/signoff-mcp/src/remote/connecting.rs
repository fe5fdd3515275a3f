//! The way to a server: TLS with the roots of this machine, and never on to where a server would send us.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, header};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper_rustls::{ConfigBuilderExt as _, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use rustls::{ClientConfig, RootCertStore, crypto::ring::default_provider};

use super::target::Target;

/// So long a server may take to be there.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// A connection that nobody has used for so long is not used again: the server may be about to close it.
const IDLE_AT_MOST: Duration = Duration::from_secs(15);

/// What both kinds of answers are taken as.
const ACCEPT: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// Calls one server.
pub(super) struct Line {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    target: Target,
}

impl Line {
    /// A way to a server. Nothing is said yet.
    pub(super) fn new(target: Target) -> Result<Self, String> {
        let mut plain = HttpConnector::new();
        plain.enforce_http(false);
        plain.set_nodelay(true);
        plain.set_connect_timeout(Some(CONNECT_WITHIN));
        let config = ClientConfig::builder_with_provider(default_provider().into());
        let config = config.with_safe_default_protocol_versions().map_err(|error| error.to_string())?;
        let config = match target.uri.scheme_str() {
            Some("https") => config.with_native_roots().map_err(|error| error.to_string())?,
            // Nobody is believed who is not asked.
            _ => config.with_root_certificates(RootCertStore::empty()),
        };
        let connector = HttpsConnectorBuilder::new().with_tls_config(config.with_no_client_auth());
        let connector = connector.https_or_http().enable_http1().wrap_connector(plain);
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE_AT_MOST)
            .pool_timer(TokioTimer::new())
            .build(connector);
        Ok(Self { client, target })
    }

    /// The name of the machine at the other end.
    pub(super) fn host(&self) -> &str {
        self.target.host()
    }

    /// Makes one request. Wherever the answer points, nobody goes.
    pub(super) async fn request(
        &self,
        method: Method,
        more: &[(HeaderName, HeaderValue)],
        body: Bytes,
    ) -> Result<Response<Incoming>, String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, ACCEPT);
        if method == Method::POST {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        for (name, value) in self.target.headers.iter().chain(more) {
            headers.insert(name.clone(), value.clone());
        }
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        *request.uri_mut() = self.target.uri.clone();
        *request.headers_mut() = headers;
        self.client.request(request).await.map_err(|error| told(&error))
    }
}

/// What went wrong, with what is behind it.
fn told(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        words = format!("{words}: {deeper}");
        cause = deeper.source();
    }
    words
}
