//! What is left of a body once it is answered. Whoever writes all of it before reading anything would find a closed connection,
//! and not the answer; so the rest is read and thrown away, as long as that is not too much.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    http::{StatusCode, header},
};
use http_body_util::BodyExt as _;
use hyper::body::{Frame, SizeHint};
use tokio::time::timeout;

/// So much more is read at most.
const AT_MOST: usize = 16 * 1024 * 1024;
/// So long that may take.
const WITHIN: Duration = Duration::from_secs(5);

/// What a route reads, and what it leaves.
struct Reading {
    body: Body,
    /// Whether anybody has begun to read it.
    begun: bool,
}

/// The body of a request in the hands of a route.
struct Lent(Arc<Mutex<Reading>>);

/// The same in the hands of whoever reads the rest.
pub(crate) struct Rest {
    reading: Arc<Mutex<Reading>>,
    /// Whoever waits for a word before sending a body has sent none before somebody reads.
    waits_for_word: bool,
}

/// Whether a body was read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drained {
    Whole,
    Partly,
}

/// Lends the body of a request to a route. None where there is none.
pub(crate) fn lend(request: Request) -> (Request, Option<Rest>) {
    if request.body().is_end_stream() {
        return (request, None);
    }
    let waits_for_word = request.headers().contains_key(header::EXPECT);
    let (parts, body) = request.into_parts();
    let reading = Arc::new(Mutex::new(Reading { body, begun: false }));
    let lent = Body::new(Lent(Arc::clone(&reading)));
    (Request::from_parts(parts, lent), Some(Rest { reading, waits_for_word }))
}

impl Rest {
    /// Reads what a route has left, behind an answer of this status.
    pub(crate) async fn drain(self, status: StatusCode) -> Drained {
        let Reading { mut body, begun } = {
            let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
            let begun = reading.begun;
            Reading { body: std::mem::take(&mut reading.body), begun }
        };
        if body.is_end_stream() {
            return Drained::Whole;
        }
        // Who was too slow already is not waited for.
        if (self.waits_for_word && !begun) || status == StatusCode::REQUEST_TIMEOUT {
            return Drained::Partly;
        }
        let rest = async {
            let mut read = 0_usize;
            while let Some(frame) = body.frame().await {
                let Ok(frame) = frame else { return Drained::Partly };
                read = read.saturating_add(frame.data_ref().map_or(0, Bytes::len));
                if read > AT_MOST {
                    return Drained::Partly;
                }
            }
            Drained::Whole
        };
        timeout(WITHIN, rest).await.unwrap_or(Drained::Partly)
    }
}

impl HttpBody for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let mut reading = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reading.begun = true;
        Pin::new(&mut reading.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).body.size_hint()
    }
}
