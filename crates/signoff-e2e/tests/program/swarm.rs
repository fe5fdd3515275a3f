//! Agents in panes of a tmux of their own, and a watcher in another terminal.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{Home, gateway::terminal, tmux::Terminal};

const STAND_IN: &str = include_str!("stand_in.py");

/// A server of tmux with stand-ins for agents.
pub struct Swarm<'h> {
    home: &'h Home,
    pub socket: String,
    watcher: Terminal,
    started: AtomicU32,
}

/// A stand-in.
pub struct Agent {
    pub pane: String,
    log: PathBuf,
}

/// Until something has to be there.
const PATIENCE: Duration = Duration::from_secs(30);

impl<'h> Swarm<'h> {
    pub fn new(home: &'h Home) -> Self {
        static OPENED: AtomicU32 = AtomicU32::new(0);
        let socket = format!("signoff-swarm-{}-{}", std::process::id(), OPENED.fetch_add(1, Ordering::Relaxed));
        let swarm = Self { home, socket, watcher: terminal(home), started: AtomicU32::new(0) };
        // A window that stays, so that the server does.
        swarm.tmux(&["-f", "/dev/null", "new-session", "-d", "-s", "swarm", "-x", "110", "-y", "40", "sleep 1000"]);
        swarm
    }

    /// Has tmux do something, and says what it says.
    #[track_caller]
    pub fn tmux(&self, arguments: &[&str]) -> String {
        let done = Command::new("tmux")
            .args(["-L", &self.socket])
            .args(arguments)
            .env("LANG", "C.UTF-8")
            .env_remove("LC_ALL")
            .env_remove("TMUX")
            .output()
            .unwrap();
        assert!(done.status.success(), "tmux {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).trim_end().to_owned()
    }

    /// The command of a stand-in that runs under a name and asks these things.
    pub fn command(&self, name: &str, steps: &Value) -> (Vec<String>, PathBuf) {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let bin = self.home.root.path().join("bin");
        fs::create_dir_all(&bin).unwrap();
        let program = bin.join(name);
        // What is being run cannot be written.
        if !program.exists() {
            fs::write(&program, STAND_IN).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let (log, wants) = (
            self.home.root.path().join(format!("keys-{number}")),
            self.home.root.path().join(format!("asks-{number}")),
        );
        fs::write(&log, "").unwrap();
        fs::write(&wants, steps.to_string()).unwrap();
        let words = [program, log.clone(), wants].map(|path| path.to_str().unwrap().to_owned());
        (words.to_vec(), log)
    }

    /// Starts a stand-in in a window of its own.
    pub fn agent(&self, name: &str, steps: &Value) -> Agent {
        let (words, log) = self.command(name, steps);
        let project = self.home.project();
        let mut arguments =
            vec!["new-window", "-d", "-P", "-F", "#{pane_id}", "-t", "swarm:", "-c", project.to_str().unwrap()];
        arguments.extend(words.iter().map(String::as_str));
        let pane = self.tmux(&arguments);
        Agent { pane, log }
    }

    /// Starts the watcher.
    pub fn watch(&self, options: &str) {
        let socket = &self.socket;
        let log = self.home.root.path().join("watch.log");
        fs::write(&log, "").unwrap();
        self.watcher.enter(&format!("s watch -L {socket} --json {options} > '{}' 2>&1", log.display()));
    }

    /// Runs something as a person at a terminal.
    pub fn person(&self) -> Terminal {
        terminal(self.home)
    }

    /// What the watcher has said so far.
    pub fn said(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.home.root.path().join("watch.log")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| Value::from(line))).collect()
    }

    /// Waits until the watcher has said something.
    #[track_caller]
    pub fn wait_for(&self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = self.said().into_iter().find(&is_it) {
                return found;
            }
            let screens = || self.tmux(&["list-panes", "-a", "-F", "#{pane_id} #{pane_current_command}"]);
            assert!(Instant::now() < until, "no {what} among {:#?}\n{}", self.said(), screens());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for an event about an agent.
    #[track_caller]
    pub fn event(&self, agent: &Agent, event: &str) -> Value {
        self.wait_for(event, |said| said["event"] == event && said["pane"] == agent.pane.as_str())
    }
}

impl Drop for Swarm<'_> {
    fn drop(&mut self) {
        self.watcher.key("C-c");
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).output();
    }
}

impl Agent {
    fn lines(&self) -> Vec<String> {
        fs::read_to_string(&self.log).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// The keys that it got, with the number of the dialog.
    pub fn keys(&self) -> Vec<(String, String)> {
        let key = |line: String| {
            let mut words = line.split(' ');
            (words.next() == Some("key")).then(|| {
                let at = words.next().unwrap_or_default().to_owned();
                (at, words.next().unwrap_or_default().trim_matches('\'').to_owned())
            })
        };
        self.lines().into_iter().filter_map(key).collect()
    }

    /// From when a dialog was shown to when its first key came, in milliseconds.
    pub fn reactions(&self) -> Vec<f64> {
        let lines = self.lines();
        let time = |line: &String| line.rsplit(' ').next().and_then(|time| time.parse::<f64>().ok());
        let shown = lines.iter().filter(|line| line.starts_with("shown "));
        shown
            .filter_map(|line| {
                let number = line.split(' ').nth(1)?;
                let key = lines.iter().find(|key| key.starts_with(&format!("key {number} ")))?;
                Some((time(key)? - time(line)?) * 1000.0)
            })
            .collect()
    }

    /// Waits until it has no more to ask.
    #[track_caller]
    pub fn wait_until_done(&self) {
        self.wait_for("done");
    }

    /// Waits until it has written something down.
    #[track_caller]
    pub fn wait_for(&self, beginning: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.lines().iter().any(|line| line.starts_with(beginning)) {
            assert!(Instant::now() < until, "no {beginning:?} in {:#?}", self.lines());
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The time that a process has computed, in milliseconds, for each process whose command line holds these words.
pub fn computed(words: &[&str]) -> Vec<(u32, u64)> {
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = process.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let line = String::from_utf8_lossy(&fs::read(process.path().join("cmdline")).unwrap_or_default()).into_owned();
        let Ok(stat) = fs::read_to_string(process.path().join("stat")) else { continue };
        if words.iter().all(|word| line.split('\0').any(|part| part == *word)) {
            let fields: Vec<&str> = stat.rsplit_once(')').unwrap_or_default().1.split_whitespace().collect();
            let ticks = |at: usize| fields.get(at).and_then(|ticks| ticks.parse::<u64>().ok()).unwrap_or_default();
            // A tick is a hundredth of a second.
            found.push((id, (ticks(11) + ticks(12)) * 10));
        }
    }
    found
}
