//! Reads the output of a command while it is made, hands it on, and can be told to stop although somebody else still
//! holds the other end open.

use std::{
    io::{ErrorKind, PipeReader, Read, Write},
    os::fd::{AsFd, BorrowedFd},
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};

use super::capture::{Capture, Captured};

/// A pipe holds a mebibyte at most, unless somebody has asked for more.
const READS_AFTER_STOP: usize = 16;

/// What is known of a stream once its reading has ended.
pub(super) struct Followed {
    pub(super) captured: Captured,
    pub(super) end: StreamEnd,
}

/// Why the reading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamEnd {
    /// Nobody can write to it any more.
    Closed,
    /// The reading was told to stop while somebody could still write.
    HeldOpen,
    /// What was read could not be handed on.
    SinkFailed,
}

/// Reads until the end of the stream, or until `stop` has been closed and nothing more is there to read.
pub(super) fn follow(
    mut stream: impl Read + AsFd,
    stop: &PipeReader,
    sink: &mut (dyn Write + Send),
    keep: usize,
) -> Followed {
    let mut capture = Capture::new(keep);
    let mut buffer = vec![0; 64 * 1024];
    let mut reads_after_stop = 0;
    let end = loop {
        let readiness = readiness(stream.as_fd(), stop.as_fd());
        if readiness.stopped {
            // What the command itself wrote is in the pipe by now. Somebody else may go on writing for ever.
            reads_after_stop += 1;
            if !readiness.something || reads_after_stop > READS_AFTER_STOP {
                break StreamEnd::HeldOpen;
            }
        }
        // A pipe that is ready gives what it has without waiting for more.
        let read = match stream.read(&mut buffer) {
            Ok(0) => break StreamEnd::Closed,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => break StreamEnd::Closed,
        };
        let bytes = buffer.get(..read).unwrap_or_default();
        capture.take(bytes);
        if sink.write_all(bytes).and_then(|()| sink.flush()).is_err() {
            break StreamEnd::SinkFailed;
        }
    };
    Followed { captured: capture.finish(), end }
}

struct Readiness {
    something: bool,
    stopped: bool,
}

/// Waits for something to read, or for the stop.
fn readiness(stream: BorrowedFd<'_>, stop: BorrowedFd<'_>) -> Readiness {
    loop {
        let mut watched =
            [PollFd::from_borrowed_fd(stream, PollFlags::IN), PollFd::from_borrowed_fd(stop, PollFlags::IN)];
        match poll(&mut watched, None) {
            Err(Errno::INTR | Errno::AGAIN) => {}
            // A stream that cannot be waited for is read: at worst that says why.
            Err(_) => return Readiness { something: true, stopped: false },
            Ok(_) => {
                let [something, stopped] = watched.map(|fd| !fd.revents().is_empty());
                return Readiness { something, stopped };
            }
        }
    }
}
