//! Lends the terminal to a command and takes it back.
//!
//! A command in a process group of its own is in the background of the terminal: it would be stopped as soon as it reads.
//! So it gets the foreground while it runs, if it is ours to give. An interrupt typed there then goes to the command's
//! group and not to this process, which is what somebody in an editor or an interpreter expects.

use std::fs::File;

use nix::sys::signal::{SigSet, Signal};
use rustix::{
    process::Pid,
    termios::{isatty, tcgetpgrp, tcsetpgrp},
};

/// The terminal that this process belongs to.
pub(super) struct Terminal {
    terminal: File,
    group: Pid,
}

impl Terminal {
    /// None without a terminal.
    pub(super) fn open(group: Pid) -> Option<Self> {
        Some(Self { terminal: File::options().read(true).write(true).open("/dev/tty").ok()?, group })
    }

    /// Whether a command that inherits the standard input reads from a terminal.
    pub(super) fn is_read() -> bool {
        isatty(std::io::stdin())
    }

    /// Puts the command into the foreground, if this process is there.
    pub(super) fn lend(&self) -> Lent {
        match tcgetpgrp(&self.terminal) {
            Ok(foreground) if foreground == self.group => Lent::Yes,
            Ok(foreground) if Some(foreground) == own_group() && self.put_in_front(self.group) => Lent::Yes,
            _ => Lent::No,
        }
    }

    /// Takes the foreground back, if the command has it.
    pub(super) fn take_back(&self) {
        if tcgetpgrp(&self.terminal) == Ok(self.group)
            && let Some(own) = own_group()
        {
            self.put_in_front(own);
        }
    }

    fn put_in_front(&self, group: Pid) -> bool {
        // From the background this would stop us, unless the signal that does it is blocked. It is blocked for no longer
        // than this call takes: a command that is started meanwhile would inherit it.
        let mut stopping = SigSet::empty();
        stopping.add(Signal::SIGTTOU);
        let before = stopping.thread_swap_mask(nix::sys::signal::SigmaskHow::SIG_BLOCK);
        let done = tcsetpgrp(&self.terminal, group).is_ok();
        if let Ok(before) = before {
            // Nothing is left to be done if even this fails.
            let _ = before.thread_set_mask();
        }
        done
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.take_back();
    }
}

/// The group of this process. None when whoever leads it is outside of this container.
fn own_group() -> Option<Pid> {
    Pid::from_raw(nix::unistd::getpgrp().as_raw())
}

/// Whether the command has the foreground of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lent {
    Yes,
    No,
}
