//! Where messages go: one at a time, each whole.

use std::{io, sync::Arc};

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncWrite, AsyncWriteExt as _},
    sync::{Mutex, OwnedMutexGuard},
};

use super::message::on_one_line;

/// Something that takes bytes.
type Sink = Box<dyn AsyncWrite + Send + Unpin>;

/// Where messages go to one of two sides.
#[derive(Clone)]
pub struct Outlet(Arc<Mutex<Option<Sink>>>);

/// One message on its way, in pieces. Nobody else comes in between.
pub struct Sending(OwnedMutexGuard<Option<Sink>>);

impl Outlet {
    /// Messages go there.
    pub fn new(sink: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        Self(Arc::new(Mutex::new(Some(Box::new(sink)))))
    }

    /// Sends a message, with the end of its line.
    ///
    /// # Errors
    ///
    /// When nobody takes it any more.
    pub async fn send(&self, line: &[u8]) -> io::Result<()> {
        let mut sending = self.begin().await;
        sending.piece(line).await?;
        sending.end().await
    }

    /// Passes a message on that was read, so that everybody sees one line in it.
    ///
    /// # Errors
    ///
    /// When nobody takes it any more.
    pub async fn pass(&self, line: &[u8]) -> io::Result<()> {
        let line = on_one_line(line);
        // A last message without an end would hang until the stream ends.
        if line.ends_with(b"\n") {
            return self.send(&line).await;
        }
        self.send(&[&line, &b"\n"[..]].concat()).await
    }

    /// Begins to send a message in pieces.
    pub async fn begin(&self) -> Sending {
        Sending(Arc::clone(&self.0).lock_owned().await)
    }

    /// Ends the stream: whoever reads there sees its end.
    pub async fn close(&self) {
        if let Some(mut sink) = self.0.lock().await.take() {
            let _ = sink.shutdown().await;
        }
    }
}

impl Sending {
    /// Sends one more piece.
    ///
    /// # Errors
    ///
    /// When nobody takes it any more.
    pub async fn piece(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(bytes).await
    }

    /// That was all of it.
    ///
    /// # Errors
    ///
    /// When nobody takes it any more.
    pub async fn end(mut self) -> io::Result<()> {
        self.0.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.flush().await
    }
}

/// The answer to a request that nobody carries out, as a line.
pub fn error(id: Option<&RawValue>, code: i32, words: &str) -> Vec<u8> {
    let id = id.and_then(|id| serde_json::from_str::<Value>(id.get()).ok()).unwrap_or_default();
    format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": words}})).into_bytes()
}
