//! A command at a real terminal: it reads what is typed, is interrupted and stopped like any other, and the terminal is
//! ours again afterwards.
//!
//! The test starts its own program again, as a worker on a terminal of its own.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed"
)]

use std::{
    env,
    fs::File,
    io::{self, Read, Write},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::tcgetpgrp,
};
use signoff_exec::run::{self, Cancel, Limits, Program, Sinks, Stdin};

/// Tells the worker what to run.
const TEXT: &str = "SIGNOFF_EXEC_TERMINAL_TEXT";
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs one command at the terminal that it is given, and tells how that went.
#[test]
fn worker() {
    let Some(text) = env::var_os(TEXT) else { return };
    let command = run::Command {
        environment: run::Environment::default(),
        program: Program::Bash(text),
        directory: "/".into(),
        stdin: Stdin::Inherit,
        limits: Limits::default(),
        cancel: Cancel::default(),
    };
    let mut stdout = io::stdout();
    let mut stderr = io::stderr();
    let result = run::run(&command, Sinks { stdout: &mut stdout, stderr: &mut stderr }).unwrap();
    let ours = tcgetpgrp(io::stdin()).unwrap() == rustix::process::getpgrp();
    println!("ending {:?}, code {:?}, terminal is ours: {ours}", result.ending, result.exit_code);
}

/// A terminal with a program on it.
struct Screen {
    keys: File,
    lines: Receiver<Vec<u8>>,
    seen: String,
    program: Child,
}

impl Screen {
    fn start(program: &[&str], text: &str) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let terminal = || {
            let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY;
            Stdio::from(rustix::fs::open(&name, flags, rustix::fs::Mode::empty()).unwrap())
        };
        // Whoever runs the tests in the background has interrupts ignored, and that is inherited.
        let program = Command::new("env")
            .args(["--default-signal=INT,QUIT,HUP", "setsid", "--ctty", "--wait"])
            .args(program)
            .env(TEXT, text)
            .env("WORKER", env::current_exe().unwrap())
            .env("PS1", "prompt> ")
            .stdin(terminal())
            .stdout(terminal())
            .stderr(terminal())
            .spawn()
            .unwrap();
        let keys = File::from(master);
        let mut output = keys.try_clone().unwrap();
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The terminal is gone once nobody has it open any more.
            while let Ok(read @ 1..) = output.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { keys, lines, seen: String::new(), program }
    }

    fn worker(text: &str) -> Self {
        let program = env::current_exe().unwrap();
        Self::start(&[program.to_str().unwrap(), "--exact", "worker", "--nocapture"], text)
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for some words, and forgets everything up to them.
    fn wait_for(&mut self, words: &str) {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.find(words) {
                self.seen.drain(..at + words.len());
                return;
            }
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("`{words}` does not come; the screen shows:\n{}", self.seen),
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

#[test]
fn a_command_reads_what_is_typed() {
    let mut screen = Screen::worker("echo ready; read -r line; echo \"got $line\"");
    screen.wait_for("ready");
    screen.press("hello\n");
    screen.wait_for("got hello");
    screen.wait_for("ending Exited, code Some(0), terminal is ours: true");
}

#[test]
fn an_interrupt_goes_to_the_command_and_ends_all_of_it() {
    let mut screen = Screen::worker("sleep 1000 & (trap '' INT; sleep 1000) & echo ready; sleep 1000");
    screen.wait_for("ready");
    screen.press("\x03");
    screen.wait_for("ending Cancelled, code Some(130), terminal is ours: true");
}

#[test]
fn a_command_may_have_its_own_idea_of_an_interrupt() {
    let mut screen = Screen::worker("trap 'echo caught; exit 7' INT; echo ready; while :; do sleep 0.1; done");
    screen.wait_for("ready");
    screen.press("\x03");
    screen.wait_for("caught");
    screen.wait_for("ending Exited, code Some(7), terminal is ours: true");
}

#[test]
fn a_command_can_be_stopped_and_woken_by_the_shell_behind_it() {
    let mut screen = Screen::start(
        &["bash", "--norc", "--noprofile", "-i"],
        "echo ready; read -r line; echo \"got $line\"; read -r line; echo \"and $line\"",
    );
    screen.press("$WORKER --exact worker --nocapture\n");
    screen.wait_for("ready");
    screen.press("one\n");
    screen.wait_for("got one");
    screen.press("\x1a");
    screen.wait_for("Stopped");
    screen.press("echo $((40 + 2)) from the shell\n");
    screen.wait_for("42 from the shell");
    screen.press("fg\n");
    screen.wait_for("$WORKER");
    screen.press("two\n");
    screen.wait_for("and two");
    screen.wait_for("ending Exited, code Some(0), terminal is ours: true");
}

#[test]
fn a_command_in_the_background_waits_for_the_foreground() {
    let mut screen = Screen::start(&["bash", "--norc", "--noprofile", "-i"], "read -r line; echo \"got $line\"");
    screen.press("$WORKER --exact worker --nocapture &\n");
    // It is stopped as soon as it reads, which may be a moment later.
    screen.press("until jobs | grep -q Stopped; do sleep 0.05; done; echo $((40 + 2)) stopped\n");
    screen.wait_for("42 stopped");
    screen.press("fg\n");
    screen.wait_for("fg");
    screen.press("three\n");
    screen.wait_for("got three");
    screen.wait_for("terminal is ours: true");
}
