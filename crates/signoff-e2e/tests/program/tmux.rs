//! A person at a terminal: a real one, in tmux.

use std::{
    path::Path,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

/// A terminal with a shell in it. The server is its own, so that it is nobody's child: neither of the tests nor of whatever
/// runs them.
pub struct Terminal {
    socket: String,
}

impl Terminal {
    /// A terminal of this size, in this directory.
    pub fn open(directory: &Path, columns: u32, rows: u32) -> Self {
        static OPENED: AtomicU32 = AtomicU32::new(0);
        let socket = format!("signoff-e2e-{}-{}", std::process::id(), OPENED.fetch_add(1, Ordering::Relaxed));
        let terminal = Self { socket };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let mut start = terminal.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", &columns, "-y", &rows]);
        start.args(["-c", directory.to_str().unwrap(), "env", "PS1=$ ", "bash", "--norc", "--noprofile"]);
        for agent in
            ["CLAUDECODE", "CODEX_SANDBOX", "CODEX_THREAD_ID", "CURSOR_AGENT", "GEMINI_CLI", "OPENCODE", "QWEN_CODE"]
        {
            start.env_remove(agent);
        }
        let done = start.env("LANG", "C.UTF-8").env_remove("LC_ALL").output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        terminal.wait_for("$");
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket]).args(arguments);
        command
    }

    /// Types a line.
    pub fn enter(&self, line: &str) {
        self.tmux(&["send-keys", "-l", line]).output().unwrap();
        self.key("Enter");
    }

    /// Types a line on an empty screen. What is typed while a program ends is thrown away with the rest of its input, and has
    /// to be typed again once the shell asks.
    #[track_caller]
    pub fn run(&self, line: &str) {
        self.enter("clear");
        let until = Instant::now() + Duration::from_secs(30);
        let mut typed = Instant::now();
        loop {
            let screen = self.screen();
            if screen == "$" {
                break;
            }
            assert!(Instant::now() < until, "not empty:\n{screen}");
            if typed.elapsed() > Duration::from_secs(2) && screen.lines().last() == Some("$") {
                self.enter("clear");
                typed = Instant::now();
            }
            thread::sleep(Duration::from_millis(30));
        }
        self.enter(line);
    }

    /// Presses a key.
    pub fn key(&self, key: &str) {
        self.tmux(&["send-keys", key]).output().unwrap();
    }

    /// The processes that the shell has started and that still run, with their command lines. Everybody may know that much of
    /// a process, also of one that nobody may look into.
    pub fn children(&self) -> Vec<(u32, String)> {
        let shell = self.tmux(&["display-message", "-p", "#{pane_pid}"]).output().unwrap();
        let shell = String::from_utf8_lossy(&shell.stdout).trim().to_owned();
        let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|process| process.path());
        let started = processes.filter(|path| {
            let status = std::fs::read_to_string(path.join("status")).unwrap_or_default();
            status.lines().find_map(|line| line.strip_prefix("PPid:")).is_some_and(|parent| parent.trim() == shell)
        });
        let told = started.map(|path| {
            let line = std::fs::read(path.join("cmdline")).unwrap_or_default();
            let number = path.file_name().unwrap().to_string_lossy().parse().unwrap();
            (number, String::from_utf8_lossy(&line).replace('\0', " "))
        });
        told.collect()
    }

    /// What stands on the screen.
    pub fn screen(&self) -> String {
        let shown = self.tmux(&["capture-pane", "-p", "-J"]).output().unwrap();
        String::from_utf8_lossy(&shown.stdout).trim_end().to_owned()
    }

    /// Waits until its bell has rung.
    #[track_caller]
    pub fn wait_for_bell(&self) {
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let rung = self.tmux(&["display-message", "-p", "#{window_bell_flag}"]).output().unwrap();
            if rung.stdout.starts_with(b"1") {
                return;
            }
            assert!(Instant::now() < until, "no bell has rung on:\n{}", self.screen());
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until something stands on the screen.
    #[track_caller]
    pub fn wait_for(&self, text: &str) -> String {
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let screen = self.screen();
            if screen.contains(text) {
                return screen;
            }
            assert!(Instant::now() < until, "no {text:?} on:\n{screen}");
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until something is asked on the last line. What was asked before may still stand above it.
    #[track_caller]
    pub fn wait_for_prompt(&self, text: &str) {
        let until = Instant::now() + Duration::from_secs(30);
        while !self.screen().lines().last().is_some_and(|line| line.contains(text)) {
            assert!(Instant::now() < until, "nobody is asked {text:?} on:\n{}", self.screen());
            thread::sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]).output();
    }
}
