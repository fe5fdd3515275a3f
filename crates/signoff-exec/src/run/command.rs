//! The values of a run: what is asked for, and what came of it. Nothing is run here.

use std::{
    ffi::OsString,
    io,
    io::Write,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use super::Captured;

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A text for `bash -c`.
    Bash(OsString),
    /// A program and its arguments, with no shell between.
    Argv {
        /// The program, as it is looked up on the `PATH`.
        program: OsString,
        /// Its arguments.
        arguments: Vec<OsString>,
    },
}

/// What the command reads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// What this process reads from. If that is a terminal, the command gets to be in its foreground.
    Inherit,
    /// Nothing.
    Null,
}

/// How long a command may run and how much of it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// When the whole group is ended.
    pub time: Option<Duration>,
    /// How long the group has between being asked to end and being killed.
    pub grace: Duration,
    /// How long to go on reading once the command itself has ended, if something that it started holds its output open.
    pub linger: Duration,
    /// How many bytes are kept of the beginning of an output, and how many of its end.
    pub keep: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: None, grace: Duration::from_secs(3), linger: Duration::from_millis(300), keep: 64 * 1024 }
    }
}

/// Says that a run is to be ended. A handler of signals may set it, since that takes one store and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that somebody else already sets, such as a handler of Ctrl-C.
    pub const fn from_flag(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }

    /// Ends the run.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// What differs between the environment of this process and that of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// Variables that do not reach it.
    pub withheld: Vec<OsString>,
    /// Variables that it gets.
    pub set: Vec<(OsString, OsString)>,
}

/// A command, and everything that is needed to run it.
#[derive(Clone, Debug)]
pub struct Command {
    /// What is run.
    pub program: Program,
    /// Where.
    pub directory: PathBuf,
    /// What it finds in its environment.
    pub environment: Environment,
    /// What it reads from.
    pub stdin: Stdin,
    /// How long, and how much is kept.
    pub limits: Limits,
    /// Ends it early.
    pub cancel: Cancel,
}

/// Where the output goes while it is made. A sink that fails is not written to again, and the command then finds that
/// nobody reads, as it would without Signoff between.
pub struct Sinks<'sink> {
    /// For the standard output.
    pub stdout: &'sink mut (dyn Write + Send),
    /// For the standard error.
    pub stderr: &'sink mut (dyn Write + Send),
}

/// How a command came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself.
    Exited,
    /// By a signal from somewhere else.
    Signalled(i32),
    /// By the time limit.
    TimedOut,
    /// By the caller, or by an interrupt from the terminal that it had.
    Cancelled,
}

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionResult {
    /// It ended by itself, with exit code 0.
    pub success: bool,
    /// Its exit code; 128 + n for signal n. None if it could not be ended, which only happens to a program of somebody
    /// else (`sudo`).
    pub exit_code: Option<i32>,
    /// What it wrote to its standard output.
    pub stdout: Captured,
    /// What it wrote to its standard error.
    pub stderr: Captured,
    /// From start to end.
    pub duration: Duration,
    /// How it ended.
    pub ending: Ending,
    /// Something that it started still held its output open when the reading stopped: it may still be running.
    pub left_running: bool,
    /// A sink could not be written to.
    pub sink_failed: bool,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunErrorKind {
    /// There is no such program.
    NoProgram,
    /// There is no such directory.
    NoDirectory,
    /// The program may not be run, or the directory may not be entered.
    Denied,
    /// It was called off before it began.
    Cancelled,
    /// The system did not play along.
    System,
}

/// The command was not run.
#[derive(Debug, thiserror::Error)]
#[error("cannot run `{program}` in `{directory}`: {source}", directory = directory.display())]
pub struct RunError {
    pub(super) kind: RunErrorKind,
    pub(super) program: String,
    pub(super) directory: PathBuf,
    pub(super) source: io::Error,
}

impl RunError {
    /// What kind of failure it is.
    pub const fn kind(&self) -> RunErrorKind {
        self.kind
    }

    /// What to do about it.
    pub const fn hint(&self) -> &'static str {
        match self.kind {
            RunErrorKind::NoProgram => "check the name of the program, or install it",
            RunErrorKind::NoDirectory => "the working directory does not exist any more; go to one that does",
            RunErrorKind::Denied => "check the rights of the program and of the working directory",
            RunErrorKind::Cancelled => "nothing was run",
            RunErrorKind::System => "nothing was run; try again once the system has processes and files to spare",
        }
    }
}
