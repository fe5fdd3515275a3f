//! The process group of a command: watches its leader and ends all of it.

use std::{sync::mpsc::Sender, thread};

use rustix::{
    io::Errno,
    process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid},
};

/// What happens to the command that leads the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// It has ended. It is not reaped yet, so that its number still belongs to it.
    Ended,
    /// It was stopped by this signal.
    Stopped(i32),
}

/// A process group, by the number of its leader.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group(pub(super) Pid);

impl Group {
    /// Tells about the leader until it has ended.
    pub(super) fn watch(self, events: Sender<Event>) -> std::io::Result<()> {
        // The thread is not waited for: a program of somebody else that cannot be ended must not hold us up.
        thread::Builder::new().name("signoff-wait".into()).spawn(move || {
            loop {
                let options = WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT;
                let event = match waitid(WaitId::Pid(self.0), options) {
                    Ok(Some(status)) if status.stopped() => {
                        // The same stop would be told again unless it is taken.
                        let _ = waitid(WaitId::Pid(self.0), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
                        Event::Stopped(status.stopping_signal().unwrap_or_default())
                    }
                    Ok(None) | Err(Errno::INTR) => continue,
                    Ok(Some(_)) | Err(_) => Event::Ended,
                };
                if events.send(event).is_err() || event == Event::Ended {
                    return;
                }
            }
        })?;
        Ok(())
    }

    /// Asks every process of the group to end. One that is stopped has to go on to hear it.
    pub(super) fn ask_to_end(self) {
        self.signal(Signal::TERM);
        self.signal(Signal::CONT);
    }

    pub(super) fn kill(self) {
        self.signal(Signal::KILL);
    }

    pub(super) fn resume(self) {
        self.signal(Signal::CONT);
    }

    /// Whether nobody is left. The ended count until they are reaped.
    pub(super) fn is_empty(self) -> bool {
        test_kill_process_group(self.0) == Err(Errno::SRCH)
    }

    /// Whether nobody is left who could still do something. In a container nobody may ever reap those whose parent has
    /// ended; where the system lists its processes, those are told from the living.
    pub(super) fn is_lifeless(self) -> bool {
        self.is_empty() || living(self.0).is_some_and(|living| living == 0)
    }

    fn signal(self, signal: Signal) {
        // Whoever is gone needs no signal, and whoever belongs to somebody else does not take ours: what then is still
        // there is told in the result.
        let _ = kill_process_group(self.0, signal);
    }
}

/// How many processes of a group have not ended. None where that cannot be known.
fn living(group: Pid) -> Option<usize> {
    let mut living = 0;
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        if entry.file_name().as_encoded_bytes().first().is_none_or(|first| !first.is_ascii_digit()) {
            continue;
        }
        let Ok(stat) = std::fs::read(entry.path().join("stat")) else { continue };
        // The name of the program stands in brackets and may hold anything, so that what follows is found from the end.
        let after_name = stat.rsplit(|byte| *byte == b')').next()?;
        let mut fields = std::str::from_utf8(after_name).ok()?.split_ascii_whitespace();
        let (state, its_group) = (fields.next()?, fields.nth(1)?);
        if its_group.parse() == Ok(group.as_raw_nonzero().get()) && !["Z", "X"].contains(&state) {
            living += 1;
        }
    }
    Some(living)
}
