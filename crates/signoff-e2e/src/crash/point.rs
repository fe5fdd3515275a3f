use std::{fmt, str::FromStr};

use rustix::process::{Signal, getpid, kill_process};

/// Where a process ends itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// The gateway: before or after a question, an answer, a use or a report is kept, or somebody is woken.
    Gateway(&'static str),
    /// The agent: after it was told that it is asked, approved or redeemed, has run something, or has said so.
    Agent(&'static str),
}

impl Point {
    /// Every point.
    pub const ALL: [Self; 15] = [
        Self::Gateway("before-ask"),
        Self::Gateway("after-ask"),
        Self::Gateway("before-answer"),
        Self::Gateway("after-answer"),
        Self::Gateway("before-redeem"),
        Self::Gateway("after-redeem"),
        Self::Gateway("before-report"),
        Self::Gateway("after-report"),
        Self::Gateway("before-notify"),
        Self::Gateway("after-notify"),
        Self::Agent("asked"),
        Self::Agent("approved"),
        Self::Agent("redeemed"),
        Self::Agent("executed"),
        Self::Agent("reported"),
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gateway(name) | Self::Agent(name) => name,
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Point {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|point| point.name() == text).ok_or(())
    }
}

/// Ends this process, if this is its point.
pub(super) fn reach(mine: Option<Point>, name: &str) {
    if mine.is_some_and(|point| point.name() == name) {
        kill_process(getpid(), Signal::KILL).unwrap();
        loop {
            std::thread::park();
        }
    }
}
