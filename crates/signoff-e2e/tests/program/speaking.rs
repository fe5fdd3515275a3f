//! A program that speaks in lines of JSON, as an agent or an editor sees it through a proxy.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::Home;

/// Whether the stand-ins can run here.
pub fn python() -> bool {
    let there = Command::new("python3").arg("-V").output().is_ok_and(|output| output.status.success());
    if !there {
        let _ = writeln!(std::io::stderr(), "skipped: there is no python3 for the stand-in");
    }
    there
}

/// A proxy with a stand-in behind it that writes down whatever it is told.
pub struct Speaking {
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    heard: PathBuf,
}

impl Speaking {
    /// Starts `signoff` with these arguments, and behind them the stand-in.
    pub fn start(home: &Home, arguments: &[&str], stand_in: &str) -> Self {
        let script = home.root.path().join("stand_in.py");
        let heard = home.root.path().join("heard.jsonl");
        fs::write(&script, stand_in).unwrap();
        fs::write(&heard, "").unwrap();
        let behind = ["--", "python3", "-u", script.to_str().unwrap(), heard.to_str().unwrap()];
        Self::with(home.signoff(&[arguments, &behind].concat()), heard)
    }

    /// Starts a command whose stand-in writes down there what it is told.
    pub fn with(mut command: Command, heard: PathBuf) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().unwrap();
        let (send, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        Self { child, stdin, lines, heard }
    }

    pub fn say(&mut self, message: &Value) {
        self.say_bytes(format!("{message}\n").as_bytes());
    }

    pub fn say_bytes(&mut self, bytes: &[u8]) {
        self.stdin.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// Goes away.
    pub fn go(&mut self) {
        self.stdin = None;
    }

    #[track_caller]
    pub fn line(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(30)).unwrap()
    }

    #[track_caller]
    pub fn next(&self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// Whether nothing is said for a moment.
    pub fn is_silent(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(700)).is_err()
    }

    /// What the stand-in was told.
    pub fn heard(&self) -> String {
        fs::read_to_string(&self.heard).unwrap()
    }

    /// The exit code, which has to be there soon.
    #[track_caller]
    pub fn ended(&mut self) -> Option<i32> {
        let until = Instant::now() + Duration::from_secs(12);
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < until, "the proxy does not end");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Speaking {
    fn drop(&mut self) {
        self.stdin = None;
        let until = Instant::now() + Duration::from_secs(9);
        while Instant::now() < until && self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a stand-in still runs, the proxy in front of it apart.
pub fn runs(argument: &Path) -> bool {
    let argument = argument.to_str().unwrap();
    fs::read_dir("/proc").unwrap().flatten().any(|process| {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        line.contains(argument) && !line.contains("--proxy")
    })
}
