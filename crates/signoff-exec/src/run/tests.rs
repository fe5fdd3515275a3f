use std::{
    fs,
    io::{self, Write},
    path::Path,
    process,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use rustix::process::{Pid, test_kill_process};

use super::{Cancel, Command, Ending, Environment, ExecutionResult, Limits, Program, RunErrorKind, Sinks, Stdin, run};

fn bash(text: &str) -> Command {
    Command {
        program: Program::Bash(text.into()),
        directory: "/".into(),
        environment: Environment::default(),
        stdin: Stdin::Null,
        limits: Limits { grace: Duration::from_millis(300), ..Limits::default() },
        cancel: Cancel::default(),
    }
}

fn argv(program: &str, arguments: &[&str]) -> Command {
    let arguments = arguments.iter().map(Into::into).collect();
    Command { program: Program::Argv { program: program.into(), arguments }, ..bash("") }
}

fn quietly(command: &Command) -> ExecutionResult {
    run(command, Sinks { stdout: &mut io::sink(), stderr: &mut io::sink() }).unwrap()
}

fn limited(command: Command, milliseconds: u64) -> Command {
    let limits = Limits { time: Some(Duration::from_millis(milliseconds)), ..command.limits };
    Command { limits, ..command }
}

/// Runs on a thread of its own, so that a hang is a failure and not a hang.
fn in_time(command: Command) -> ExecutionResult {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(quietly(&command)).unwrap());
    receiver.recv_timeout(Duration::from_secs(60)).expect("the run comes back")
}

/// The process whose number a command wrote to a file. Zombies of somebody else's children count as gone.
fn is_running(file: &Path) -> bool {
    let number: i32 = fs::read_to_string(file).unwrap().trim().parse().unwrap();
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    test_kill_process(Pid::from_raw(number).unwrap()).is_ok() && !stat.contains(") Z ")
}

/// Cancels once the command has written something.
fn cancelled_when_ready(command: Command) -> ExecutionResult {
    let cancel = command.cancel.clone();
    let (ready, is_ready) = mpsc::channel();
    let (done, is_done) = mpsc::channel();
    thread::spawn(move || {
        let mut stdout = Announce(ready);
        done.send(run(&command, Sinks { stdout: &mut stdout, stderr: &mut io::sink() }).unwrap()).unwrap();
    });
    is_ready.recv_timeout(Duration::from_secs(60)).expect("the command starts");
    cancel.cancel();
    is_done.recv_timeout(Duration::from_secs(60)).expect("the run comes back")
}

#[test]
fn output_and_exit_code_are_told() {
    let mut stdout = Vec::new();
    let mut stderr = Vec::new();
    let command = bash("echo out; echo err >&2; exit 3");
    let result = run(&command, Sinks { stdout: &mut stdout, stderr: &mut stderr }).unwrap();
    assert_eq!((stdout.as_slice(), stderr.as_slice()), (&b"out\n"[..], &b"err\n"[..]), "handed on");
    assert_eq!(result.stdout.whole().unwrap(), stdout.as_slice(), "and kept");
    assert_eq!(result.stderr.whole().unwrap(), stderr.as_slice());
    assert_eq!((result.success, result.exit_code, result.ending), (false, Some(3), Ending::Exited));
    assert!(!result.left_running && !result.sink_failed);

    let result = quietly(&bash("true"));
    assert_eq!((result.success, result.exit_code, result.ending), (true, Some(0), Ending::Exited));
    let result = quietly(&bash("kill -KILL $$"));
    assert_eq!((result.success, result.exit_code, result.ending), (false, Some(137), Ending::Signalled(9)));
}

#[test]
fn arguments_meet_no_shell() {
    let result = quietly(&argv("printf", &["%s|", "a b", "$HOME", "*", ""]));
    assert_eq!(result.stdout.whole().unwrap(), &b"a b|$HOME|*||"[..]);
}

#[test]
fn a_command_runs_where_it_is_told_in_a_group_of_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().canonicalize().unwrap();
    let command = Command { directory: place.clone(), ..bash("pwd -P; echo $$; ps -o pgid= -p $$ || true; cat") };
    let result = quietly(&command);
    let output = String::from_utf8(result.stdout.whole().unwrap().into_owned()).unwrap();
    let lines: Vec<_> = output.lines().map(str::trim).collect();
    assert_eq!(lines.first().copied(), place.to_str());
    if let [_, number, group] = lines[..] {
        assert_eq!(number, group);
    }
}

#[test]
fn what_cannot_be_started_says_why() {
    let nowhere = |command| {
        let sinks = Sinks { stdout: &mut io::sink(), stderr: &mut io::sink() };
        run(&command, sinks).map(|_| ()).unwrap_err()
    };
    let error = nowhere(argv("/no/such/program", &[]));
    assert_eq!(error.kind(), RunErrorKind::NoProgram);
    assert!(error.to_string().starts_with("cannot run `/no/such/program` in `/`: "), "{error}");
    assert!(!error.hint().is_empty());
    assert_eq!(nowhere(argv("/etc/passwd", &[])).kind(), RunErrorKind::Denied);
    let gone = Command { directory: "/no/such/directory".into(), ..bash("true") };
    assert_eq!(nowhere(gone).kind(), RunErrorKind::NoDirectory);
}

#[test]
fn what_is_called_off_before_it_begins_is_not_run() {
    let directory = tempfile::tempdir().unwrap();
    let command = Command { directory: directory.path().into(), ..bash("touch ran") };
    command.cancel.cancel();
    let error = run(&command, Sinks { stdout: &mut io::sink(), stderr: &mut io::sink() }).unwrap_err();
    assert_eq!(error.kind(), RunErrorKind::Cancelled);
    assert!(!directory.path().join("ran").exists());
}

#[test]
fn long_output_keeps_its_head_and_tail() {
    let command = bash("seq 1 200000");
    let result = quietly(&command);
    assert_eq!(result.stdout.head.len(), 64 * 1024);
    assert_eq!(result.stdout.tail.len(), 64 * 1024);
    assert!(result.stdout.head.starts_with(b"1\n2\n") && result.stdout.tail.ends_with(b"\n200000\n"));
    assert_eq!(result.stdout.total(), (1..=200_000).map(|n: u32| n.to_string().len() as u64 + 1).sum::<u64>());
    assert!(result.stdout.whole().is_none());
}

#[test]
fn a_cancellation_ends_the_whole_group() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("grandchild");
    let text = format!("sleep 1000 & echo $! > {}; echo ready; wait", file.display());
    let result = cancelled_when_ready(bash(&text));
    assert_eq!((result.success, result.exit_code, result.ending), (false, Some(143), Ending::Cancelled));
    assert!(!result.left_running);
    assert!(!is_running(&file));
}

#[test]
fn whoever_ignores_the_request_is_killed() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("grandchild");
    let text = format!(
        "trap '' TERM; bash -c 'trap \"\" TERM; echo $$ > {}; echo ready; while :; do sleep 0.1; done' & while :; do sleep 0.1; done",
        file.display()
    );
    let result = cancelled_when_ready(bash(&text));
    assert_eq!((result.exit_code, result.ending), (Some(137), Ending::Cancelled));
    assert!(!is_running(&file));
}

#[test]
fn a_grandchild_outlives_neither_its_parent_nor_the_limit() {
    // The leader obeys at once; the grandchild does not, and holds no output open that would give it away.
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("grandchild");
    let text = format!(
        "bash -c 'trap \"\" TERM; echo $$ > {}; echo ready; exec >/dev/null 2>&1; while :; do sleep 0.1; done' & exec sleep 1000",
        file.display()
    );
    let result = cancelled_when_ready(bash(&text));
    assert_eq!((result.exit_code, result.ending), (Some(143), Ending::Cancelled));
    assert!(!is_running(&file));
}

#[test]
fn a_stopped_group_is_ended_as_well() {
    let result = in_time(limited(bash("kill -STOP $$"), 300));
    assert_eq!((result.exit_code, result.ending), (Some(143), Ending::TimedOut));
}

#[test]
fn what_is_left_in_the_background_is_not_waited_for() {
    let result = in_time(bash("sleep 1000 & echo $!"));
    assert_eq!((result.success, result.ending, result.left_running), (true, Ending::Exited, true));
    let number = String::from_utf8(result.stdout.whole().unwrap().into_owned()).unwrap();
    assert!(process::Command::new("kill").arg(number.trim()).status().unwrap().success(), "it went on");
}

#[test]
fn endless_output_from_the_background_is_not_waited_for_either() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("endless");
    let result = in_time(bash(&format!("yes & echo $! > {}", file.display())));
    assert_eq!((result.success, result.left_running), (true, true));
}

#[test]
fn somebody_who_left_the_group_cannot_hold_it_up() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("runaway");
    let text = format!("setsid bash -c 'echo $$ > {}; echo ready; exec sleep 1000' & sleep 1000", file.display());
    let result = cancelled_when_ready(bash(&text));
    assert_eq!((result.ending, result.left_running), (Ending::Cancelled, true), "and is told about");
    let number = fs::read_to_string(&file).unwrap();
    assert!(process::Command::new("kill").arg(number.trim()).status().unwrap().success());
}

#[test]
fn the_time_limit_ends_the_group() {
    let result = in_time(limited(bash("sleep 1000 & wait"), 300));
    assert_eq!((result.success, result.exit_code, result.ending), (false, Some(143), Ending::TimedOut));
    assert!(!result.left_running);
}

/// A sink that says that something has arrived.
struct Announce(mpsc::Sender<()>);

impl Write for Announce {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(()).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A sink whose reader is gone after so many writes.
struct Fails(Arc<Mutex<usize>>);

impl Write for Fails {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut left = self.0.lock().unwrap();
        *left = left.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_command_whose_reader_is_gone_learns_of_it() {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut stdout = Fails(Arc::new(Mutex::new(2)));
        let result = run(&bash("exec yes"), Sinks { stdout: &mut stdout, stderr: &mut io::sink() });
        sender.send(result.unwrap()).unwrap();
    });
    let result = receiver.recv_timeout(Duration::from_secs(60)).unwrap();
    assert!(result.sink_failed && !result.success);
    assert_eq!(result.ending, Ending::Signalled(13));
}
