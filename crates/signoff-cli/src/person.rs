//! The person at the terminal, if there is one.

use std::{
    env,
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    os::{fd::BorrowedFd, unix::fs::OpenOptionsExt},
    time::Instant,
};

use nix::{
    sys::termios::tcgetsid,
    unistd::{getpgrp, tcgetpgrp},
};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::OFlags,
    termios::{LocalModes, OptionalActions, QueueSelector, tcflush, tcgetattr, tcgetwinsize, tcsetattr},
};
use signoff_facts::Above;

/// A longer answer is none.
const ANSWER_AT_MOST: usize = 4096;

/// Why nobody can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Absent {
    /// There is no terminal, or this process does not have its attention.
    NoTerminal,
    /// An agent started whoever sits at this terminal.
    Agent(String),
    /// Who started this process cannot be told.
    Unknown,
}

/// What comes of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// A line was typed.
    Line(String),
    /// Nobody answered in time.
    Late,
    /// The input ended before an answer: the terminal was closed, or its end was typed.
    Ended,
    /// A bell rang: somebody has answered elsewhere.
    Elsewhere,
}

/// A person who can be asked.
pub(crate) struct Person {
    terminal: File,
}

impl Person {
    /// The person at the terminal of this process. An agent can open a terminal as well, and an answer that comes from
    /// below one is not a person's.
    pub(crate) fn here() -> Result<Self, Absent> {
        let terminal = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(OFlags::NOCTTY.bits() as i32)
            .open("/dev/tty")
            .map_err(|_| Absent::NoTerminal)?;
        // Whoever is in the background would be stopped when it reads.
        if tcgetpgrp(&terminal) != Ok(getpgrp()) {
            return Err(Absent::NoTerminal);
        }
        if let Some(agent) = signoff_facts::agent_in_environment(|name| env::var_os(name).is_some()) {
            return Err(Absent::Agent(agent.to_owned()));
        }
        let session = tcgetsid(&terminal).map_err(|_| Absent::NoTerminal)?;
        // Whoever leads it from outside of this container cannot be seen.
        if session.as_raw() == 0 {
            return Err(Absent::Unknown);
        }
        for process in [std::process::id(), session.as_raw().unsigned_abs()] {
            match signoff_facts::agent_above(process) {
                Above::NoAgent => {}
                Above::Agent(agent) => return Err(Absent::Agent(agent)),
                Above::Unknown => return Err(Absent::Unknown),
            }
        }
        Ok(Self { terminal })
    }

    /// How wide the terminal is.
    pub(crate) fn columns(&self) -> Option<usize> {
        tcgetwinsize(&self.terminal).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0)
    }

    pub(crate) fn tell(&mut self, text: &str) -> io::Result<()> {
        self.terminal.write_all(text.as_bytes())
    }

    /// What is typed after this question was shown, without a trace of it on the screen.
    pub(crate) fn secret(&mut self, question: &str, until: Instant) -> io::Result<Reply> {
        let shown = tcgetattr(&self.terminal)?;
        let mut hidden = shown.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&self.terminal, OptionalActions::Flush, &hidden)?;
        let reply = self.answer(question, until);
        tcsetattr(&self.terminal, OptionalActions::Flush, &shown)?;
        self.tell("\n")?;
        reply
    }

    /// What is typed after this question was shown; what was typed before was not meant for it. A line that is too long
    /// for an answer is an empty one.
    pub(crate) fn answer(&mut self, question: &str, until: Instant) -> io::Result<Reply> {
        self.answer_beside(question, until, None)
    }

    /// The same, until a bell rings.
    pub(crate) fn answer_beside(
        &mut self,
        question: &str,
        until: Instant,
        bell: Option<BorrowedFd<'_>>,
    ) -> io::Result<Reply> {
        tcflush(&self.terminal, QueueSelector::IFlush)?;
        self.tell(question)?;
        let mut line = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(left) = Timespec::try_from(left) else { return Ok(Reply::Late) };
            let mut watched = vec![PollFd::new(&self.terminal, PollFlags::IN)];
            watched.extend(bell.as_ref().map(|bell| PollFd::new(bell, PollFlags::IN)));
            let ready = match poll(&mut watched, Some(&left)) {
                Err(rustix::io::Errno::INTR) => continue,
                ready => ready?,
            };
            if watched.get(1).is_some_and(|bell| !bell.revents().is_empty()) {
                self.tell("\n")?;
                return Ok(Reply::Elsewhere);
            }
            if ready == 0 {
                self.tell("\n")?;
                return Ok(Reply::Late);
            }
            let mut byte = [0];
            match self.terminal.read(&mut byte) {
                Ok(0) => {
                    self.tell("\n")?;
                    return Ok(Reply::Ended);
                }
                // A terminal that is gone can neither be read nor written.
                Err(error) if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => {
                    return Ok(Reply::Ended);
                }
                read => drop(read?),
            }
            let [byte] = byte;
            if byte == b'\n' {
                return Ok(Reply::Line(String::from_utf8_lossy(&line).trim().to_owned()));
            }
            if line.len() == ANSWER_AT_MOST {
                self.tell("\n")?;
                return Ok(Reply::Line(String::new()));
            }
            line.push(byte);
        }
    }
}
