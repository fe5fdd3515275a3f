//! The program behind a proxy: started with its streams in our hands, and ended with everything that it has started.

use std::{ffi::OsString, io, process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

/// So long it may take to end by itself once nobody speaks to it any more.
const END_WITHIN: Duration = Duration::from_secs(5);
/// So long it may take once it was told to.
const OBEY_WITHIN: Duration = Duration::from_secs(2);

/// A program that was started.
pub struct Program {
    child: Child,
    group: Option<Pid>,
}

impl Program {
    /// Starts a program with its arguments, in a process group of its own. What it complains about goes where our complaints go.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(command: &[OsString]) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let (name, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        match (child.stdin.take(), child.stdout.take()) {
            (Some(stdin), Some(stdout)) => Ok((Self { child, group }, stdin, stdout)),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Waits for its end, and says how it ended: as a shell says it, where a signal has ended it.
    pub async fn ended(&mut self) -> u8 {
        use std::os::unix::process::ExitStatusExt as _;
        match self.child.wait().await {
            Ok(status) => {
                let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
                u8::try_from(code).unwrap_or(1)
            }
            Err(_) => 1,
        }
    }

    /// Ends it, once nobody speaks to it any more: it is given time, then told to, then made to, and with it all that it has started.
    pub async fn end(&mut self) -> u8 {
        if let Ok(code) = timeout(END_WITHIN, self.ended()).await {
            self.signal(Signal::TERM);
            return code;
        }
        self.signal(Signal::TERM);
        if let Ok(code) = timeout(OBEY_WITHIN, self.ended()).await {
            self.signal(Signal::KILL);
            return code;
        }
        self.signal(Signal::KILL);
        self.ended().await
    }

    /// Where it is gone, so is its group, unless something in it goes on.
    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            let _ = kill_process_group(group, signal);
        }
    }
}
