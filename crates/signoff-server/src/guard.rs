//! What is looked at before any route: under which name the server was called, from which page, and by which proof the
//! caller knows that it was this server that answered.

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use base64ct::{Base64UrlUnpadded, Encoding as _};
use http_body_util::BodyExt as _;
use signoff_gate::Gate;
use signoff_model::Digest;

use crate::{
    app::Shared,
    credentials::LocalPeer,
    draining::{self, Drained},
    problem::Problem,
};

/// What a caller sends so that the answer can be no older, and no other server's.
pub const NONCE: &str = "signoff-nonce";
/// The signature of the gate over the nonce, the name it was called by, the status and the body.
pub const PROOF: &str = "signoff-proof";

/// JSON in lines, as an export of the ledger is.
pub(crate) const LINES: &str = "application/x-ndjson";

/// What begins each statement that is signed here.
const DOMAIN: &str = "signoff reply v1";

/// The longest nonce.
const NONCE_AT_MOST: usize = 128;

/// The text that the gate signs for a reply.
pub fn statement(nonce: &str, host: &str, status: u16, body: &[u8]) -> Vec<u8> {
    format!("{DOMAIN}\n{nonce}\n{host}\n{status}\n{}\n", Digest::of(body)).into_bytes()
}

/// Lets through what was meant for this server, and reads what is left of it once it is answered.
pub(crate) async fn guard(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let (request, rest) = draining::lend(request);
    let mut response = guarded(app, request, next).await;
    if let Some(rest) = rest
        && rest.drain(response.status()).await == Drained::Partly
    {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

async fn guarded(app: Shared, request: Request, next: Next) -> Response {
    if LocalPeer::of(request.extensions()).is_none()
        && let Err(problem) = is_meant(&app, request.headers())
    {
        return problem.into_response();
    }
    app.note_call();
    let nonce = plain(request.headers(), NONCE).filter(|nonce| nonce.len() <= NONCE_AT_MOST);
    let host = plain(request.headers(), header::HOST.as_str()).unwrap_or_default();
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert("referrer-policy", HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    // What has no end cannot be signed as a whole, and what may be too long for the memory should not: the ledger proves itself.
    let streams = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| {
        [HeaderValue::from_static("text/event-stream"), HeaderValue::from_static(LINES)].contains(kind)
    });
    match nonce {
        Some(nonce) if !streams => proved(&app.gate, &nonce, &host, response).await,
        _ => response,
    }
}

/// Looks at the name that the server was called by, and at the page that called it: a page of somebody else may get its own
/// name to lead here.
fn is_meant(app: &Shared, headers: &HeaderMap) -> Result<(), Problem> {
    let host = plain(headers, header::HOST.as_str()).unwrap_or_default().to_ascii_lowercase();
    if !app.hosts.contains(&host) {
        let detail = "this server is not called by that name; name it in `signoff serve --name`";
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "wrong-host", detail));
    }
    match headers.get(header::ORIGIN) {
        None => Ok(()),
        Some(origin) => {
            let origin = origin.to_str().unwrap_or_default().to_ascii_lowercase();
            let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            if from.is_some_and(|from| app.hosts.contains(from)) {
                Ok(())
            } else {
                Err(Problem::new(StatusCode::FORBIDDEN, "wrong-origin", "pages of others may not call this server"))
            }
        }
    }
}

async fn proved(gate: &Gate, nonce: &str, host: &str, response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let Ok(collected) = body.collect().await else {
        return Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the reply was cut off").into_response();
    };
    let body = collected.to_bytes();
    let proof = Base64UrlUnpadded::encode_string(&gate.sign(&statement(nonce, host, parts.status.as_u16(), &body)));
    if let Ok(proof) = HeaderValue::from_str(&proof) {
        parts.headers.insert(PROOF, proof);
    }
    Response::from_parts(parts, Body::from(body))
}

fn plain(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}
