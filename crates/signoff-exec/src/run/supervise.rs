//! Starts a command, waits for it, and ends its whole group when it is time. The only room that starts a process.

use std::{
    env,
    ffi::OsStr,
    io::{self, PipeWriter},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{self, Child, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_current_process_group};

use super::{
    Command, Ending, ExecutionResult, Program, RunError, RunErrorKind, Sinks, Stdin,
    group::{Event, Group},
    streams::{self, Followed, StreamEnd},
    terminal::{Lent, Terminal},
};

/// How often the cancellation is looked at. A flag cannot wake anybody up.
const LOOK: Duration = Duration::from_millis(20);

/// How long a killed group is waited for. Only one that we may not kill takes longer.
const AFTER_KILL: Duration = Duration::from_secs(2);

/// A command that is stopped for the terminal more often than this is left as it is, until the limit ends it.
const STOPS_AT_MOST: usize = 64;

/// Runs the command to its end.
///
/// Whatever the command does, this comes back soon after the time limit or the cancellation: the group is asked to end,
/// killed after the grace period, and output that something outside of the group still holds open is not waited for.
pub fn run(command: &Command, sinks: Sinks<'_>) -> Result<ExecutionResult, RunError> {
    let failed = |source| failure(command, source);
    if command.cancel.is_set() {
        return Err(failed(io::ErrorKind::Interrupted.into()));
    }
    let start = Instant::now();
    let mut child = spawn(command).map_err(failed)?;
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(failed(io::Error::other("the output of the command is not there")));
    };
    let Some(leader) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
        return Err(failed(io::Error::other("the command has no process number")));
    };
    let supervisor = Supervisor::new(command, Group(leader), start);
    let prepared = supervisor.watch().and_then(|events| {
        let (stop_read, stop_write) = io::pipe()?;
        Ok((events, stop_read, stop_write))
    });
    let (events, stop_read, stop_write) = match prepared {
        Ok(prepared) => prepared,
        Err(source) => {
            // A command that nobody can watch must not run.
            supervisor.group.kill();
            let _ = child.wait();
            return Err(failed(source));
        }
    };
    let keep = command.limits.keep;
    let stop_read = &stop_read;
    thread::scope(|scope| {
        let stdout = scope.spawn(move || streams::follow(stdout, stop_read, sinks.stdout, keep));
        let stderr = scope.spawn(move || streams::follow(stderr, stop_read, sinks.stderr, keep));
        let both_read = || stdout.is_finished() && stderr.is_finished();

        let ended = supervisor.wait(&mut child, &events, &both_read);
        let_go(stop_write);
        let [stdout, stderr] = [stdout.join(), stderr.join()].map(|joined| {
            joined.unwrap_or(Followed { captured: super::Captured::default(), end: StreamEnd::SinkFailed })
        });
        let ends = [stdout.end, stderr.end];
        Ok(ExecutionResult {
            success: ended.ending == Ending::Exited && ended.exit_code == Some(0),
            exit_code: ended.exit_code,
            stdout: stdout.captured,
            stderr: stderr.captured,
            duration: start.elapsed(),
            ending: ended.ending,
            left_running: ended.exit_code.is_none() || ends.contains(&StreamEnd::HeldOpen),
            sink_failed: ends.contains(&StreamEnd::SinkFailed),
        })
    })
}

/// Closing this end is what tells the readers to stop.
fn let_go(stop: PipeWriter) {
    drop(stop);
}

fn spawn(command: &Command) -> io::Result<Child> {
    let mut process = match &command.program {
        Program::Bash(text) => {
            let mut process = process::Command::new("bash");
            // A text that begins with a dash is a text as well.
            process.args(["-c", "--"]).arg(text);
            process
        }
        Program::Argv { program, arguments } => {
            let mut process = process::Command::new(program);
            process.args(arguments);
            process
        }
    };
    for variable in env::vars_os().map(|(name, _)| name).filter(|name| runs_code(name)) {
        process.env_remove(variable);
    }
    for variable in &command.environment.withheld {
        process.env_remove(variable);
    }
    process.envs(command.environment.set.iter().map(|(name, value)| (name, value)));
    process
        .current_dir(&command.directory)
        .stdin(match command.stdin {
            Stdin::Inherit => Stdio::inherit(),
            Stdin::Null => Stdio::null(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
}

/// Whether shells run what a variable holds or names, or read every text in another way because of it. Nobody was shown
/// that, so it is not what was agreed to.
fn runs_code(variable: &OsStr) -> bool {
    const CODE: [&str; 9] = [
        "BASH_ENV",
        "ENV",
        "SHELLOPTS",
        "BASHOPTS",
        "BASH_COMPAT",
        "PROMPT_COMMAND",
        "PS4",
        "BASH_LOADABLES_PATH",
        "POSIXLY_CORRECT",
    ];
    CODE.iter().any(|name| variable == *name) || variable.as_encoded_bytes().starts_with(b"BASH_FUNC_")
}

fn failure(command: &Command, source: io::Error) -> RunError {
    let directory = command.directory.clone();
    let kind = match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if !Path::new(&directory).is_dir() => {
            RunErrorKind::NoDirectory
        }
        io::ErrorKind::NotFound => RunErrorKind::NoProgram,
        io::ErrorKind::PermissionDenied => RunErrorKind::Denied,
        io::ErrorKind::Interrupted => RunErrorKind::Cancelled,
        _ => RunErrorKind::System,
    };
    let program = match &command.program {
        Program::Bash(_) => "bash".into(),
        Program::Argv { program, .. } => program.to_string_lossy().into_owned(),
    };
    RunError { kind, program, directory, source }
}

/// How the leader of the group came to its end.
struct Ended {
    ending: Ending,
    exit_code: Option<i32>,
}

struct Supervisor<'command> {
    command: &'command Command,
    group: Group,
    terminal: Option<Terminal>,
    deadline: Option<Instant>,
    stops: usize,
}

impl<'command> Supervisor<'command> {
    fn new(command: &'command Command, group: Group, start: Instant) -> Self {
        let terminal = (command.stdin == Stdin::Inherit).then(|| Terminal::open(group.0)).flatten();
        if let Some(terminal) = terminal.as_ref().filter(|_| Terminal::is_read()) {
            // If it is not ours to give, the command is a background job, as it would be without us.
            let _ = terminal.lend();
        }
        // A limit that no clock reaches is none.
        let deadline = command.limits.time.and_then(|limit| start.checked_add(limit));
        Self { command, group, terminal, deadline, stops: 0 }
    }

    fn watch(&self) -> io::Result<Receiver<Event>> {
        let (sender, events) = mpsc::channel();
        self.group.watch(sender)?;
        Ok(events)
    }

    /// Waits until the command has ended and its output is read, as far as that can be waited for.
    fn wait(mut self, child: &mut Child, events: &Receiver<Event>, both_read: &dyn Fn() -> bool) -> Ended {
        loop {
            match events.recv_timeout(LOOK) {
                Ok(Event::Ended) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(Event::Stopped(signal)) => self.stopped(signal),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.command.cancel.is_set() {
                return self.end(child, events, both_read, Ending::Cancelled);
            }
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return self.end(child, events, both_read, Ending::TimedOut);
            }
        }
        let status = child.wait();
        if self.interrupted(status.as_ref().ok()) {
            self.end_the_rest(both_read);
            return Ended { ending: Ending::Cancelled, exit_code: status.ok().and_then(exit_code) };
        }
        // What the command left running in the background may go on, as in any shell; its output is not waited for.
        wait_until(self.command.limits.linger, both_read);
        let ending = match status.as_ref().ok().and_then(ExitStatusExt::signal) {
            Some(signal) => Ending::Signalled(signal),
            None => Ending::Exited,
        };
        Ended { ending, exit_code: status.ok().and_then(exit_code) }
    }

    /// Whether the person at the terminal has ended the command: the interrupt then went to it and not to us.
    fn interrupted(&self, status: Option<&ExitStatus>) -> bool {
        self.terminal.is_some() && status.and_then(ExitStatusExt::signal) == Some(Signal::INT.as_raw())
    }

    /// Ends the whole group: asks first, kills after the grace period.
    fn end(self, child: &mut Child, events: &Receiver<Event>, both_read: &dyn Fn() -> bool, ending: Ending) -> Ended {
        self.group.ask_to_end();
        let mut status = self.wait_for_leader(child, events, self.command.limits.grace);
        if status.is_none() {
            self.group.kill();
            status = self.wait_for_leader(child, events, AFTER_KILL);
        }
        self.end_the_rest(both_read);
        Ended { ending, exit_code: status.and_then(exit_code) }
    }

    fn wait_for_leader(&self, child: &mut Child, events: &Receiver<Event>, time: Duration) -> Option<ExitStatus> {
        let until = Instant::now().checked_add(time)?;
        loop {
            match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Event::Ended) | Err(RecvTimeoutError::Disconnected) => return child.wait().ok(),
                // Nobody is to sit out the grace period by stopping.
                Ok(Event::Stopped(_)) => self.group.ask_to_end(),
                Err(RecvTimeoutError::Timeout) => return None,
            }
        }
    }

    /// The leader is reaped; whoever is left in the group has the grace period, too. The number of the group stays taken
    /// as long as anybody is in it.
    fn end_the_rest(&self, both_read: &dyn Fn() -> bool) {
        if !self.group.is_lifeless() {
            self.group.ask_to_end();
            wait_until(self.command.limits.grace, &|| self.group.is_lifeless());
            if !self.group.is_lifeless() {
                self.group.kill();
                wait_until(AFTER_KILL, &|| self.group.is_lifeless());
            }
        }
        wait_until(self.command.limits.linger, both_read);
    }

    /// The command was stopped: by Ctrl-Z, or because it wants the terminal and has it not.
    fn stopped(&mut self, signal: i32) {
        let wants_terminal = [Signal::TTIN.as_raw(), Signal::TTOU.as_raw()].contains(&signal);
        self.stops += 1;
        if self.stops > STOPS_AT_MOST {
            return;
        }
        let Some(terminal) = &self.terminal else {
            // Without a terminal nobody could let it go on again. A command that stops itself is somebody else's matter,
            // and the limit ends it.
            return;
        };
        if !(wants_terminal && terminal.lend() == Lent::Yes) {
            // The whole job stops, so that the shell behind us has its prompt back; `fg` and `bg` wake all of us. Where
            // nobody could wake us, the system ignores the signal and the command simply goes on.
            terminal.take_back();
            let _ = kill_current_process_group(Signal::TSTP);
            let _ = terminal.lend();
        }
        self.group.resume();
    }
}

fn wait_until(time: Duration, done: &dyn Fn() -> bool) {
    let Some(until) = Instant::now().checked_add(time) else { return };
    while !done() && Instant::now() < until {
        thread::sleep(Duration::from_millis(10));
    }
}

fn exit_code(status: ExitStatus) -> Option<i32> {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal))
}
