//! Looks whether a question that stands on a screen was decided elsewhere: then nobody answers it any more.

use std::{
    io::Write as _,
    os::{
        fd::{AsFd as _, BorrowedFd},
        unix::net::UnixStream,
    },
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::{
    failure::Failure,
    gateway::{Calls, field},
};

/// How often it is looked.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Somebody who looks; they end with it.
pub(super) struct Watch {
    bell: UnixStream,
    over: Arc<AtomicBool>,
}

impl Watch {
    /// Looks at one question.
    pub(super) fn on(id: &str, calls: Calls) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| Failure::read(&error);
        let (bell, mut rope) = UnixStream::pair().map_err(failed)?;
        let over = Arc::new(AtomicBool::new(false));
        let (ended, path) = (Arc::clone(&over), format!("/v1/approvals/{id}?detail=brief"));
        let look = move || {
            while !ended.load(Ordering::Acquire) {
                thread::sleep(LOOK_EVERY);
                // A gateway that is away has decided nothing.
                let decided = calls.get::<Value>(&path).is_ok_and(|approval| field(&approval, "stage") != "pending");
                if decided {
                    // Whoever listened has gone where this cannot be written.
                    let _ = rope.write_all(b"!");
                    return;
                }
            }
        };
        thread::Builder::new().name("signoff-watch".to_owned()).spawn(look).map_err(failed)?;
        Ok(Self { bell, over })
    }

    /// What can be read as soon as it is decided.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
    }
}
