//! A gateway in one terminal, and a person at another.

use std::{
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{Home, stdout, tmux::Terminal};

pub const PASSWORD: &str = "correct horse battery";

/// A gateway with one person who has joined.
pub struct Gateway {
    pub home: Home,
    pub server: Terminal,
    pub desk: Terminal,
}

pub fn terminal(home: &Home) -> Terminal {
    let terminal = Terminal::open(&home.project(), 110, 40);
    let program = env!("CARGO_BIN_EXE_signoff-e2e");
    terminal.enter(&format!("export SIGNOFF_E2E_ROOT='{}'; s() {{ '{program}' \"$@\"; }}", home.root.path().display()));
    terminal
}

impl Gateway {
    pub fn start() -> Self {
        let home = Home::new();
        let (server, desk) = (terminal(&home), terminal(&home));
        server.run("s serve --bind 127.0.0.1:0");
        let screen = server.wait_for("signoff people join");
        let invitation = screen.split_whitespace().find(|word| word.starts_with("sgi1.")).unwrap().to_owned();
        desk.run(&format!("s people join {invitation}"));
        desk.wait_for("Choose a password");
        desk.enter(PASSWORD);
        desk.wait_for("The same again");
        desk.enter(PASSWORD);
        let screen = desk.wait_for("Welcome");
        assert!(!screen.contains(PASSWORD), "nobody reads it over a shoulder:\n{screen}");
        Self { home, server, desk }
    }

    pub fn restart(&self) {
        self.server.run("s serve --bind 127.0.0.1:0");
        self.server.wait_for("The gateway answers");
    }

    /// Ends it at once, as a power cut would.
    pub fn kill(&self) {
        for (id, line) in self.server.children() {
            if line.contains(" serve ") {
                Command::new("kill").args(["-9", &id.to_string()]).status().unwrap();
            }
        }
        self.server.wait_for("Killed");
    }

    pub fn log_in(&self, command: &str) {
        self.desk.run(command);
        self.desk.wait_for("Password of");
        self.desk.enter(PASSWORD);
    }

    /// Waits until the person is asked about a command: what is typed before does not count.
    #[track_caller]
    pub fn asked_about(&self, command: &str) -> String {
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let screen = self.desk.screen();
            let asked = screen.rfind("Approve?").is_some_and(|at| screen.rfind(command).is_some_and(|text| text < at));
            if asked {
                return screen;
            }
            assert!(Instant::now() < until, "nobody is asked about {command:?} on:\n{screen}");
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until a person is asked for the nth time on this screen, and says what they think.
    #[track_caller]
    pub fn answer(&self, nth: usize, keys: &str) {
        let until = Instant::now() + Duration::from_secs(30);
        while self.desk.screen().matches("Approve?").count() < nth {
            assert!(Instant::now() < until, "nobody is asked:\n{}", self.desk.screen());
            thread::sleep(Duration::from_millis(30));
        }
        self.desk.enter(keys);
        if keys == "n" {
            self.desk.wait_for("Words for the agent");
            self.desk.enter("keep it");
            self.desk.wait_for("It is denied.");
        }
    }

    /// The id of the question that is open, as a script of a person finds it.
    pub fn open_question(&self) -> String {
        self.log_in("s inbox list --json");
        let screen = self.desk.wait_for("\"stage\":\"pending\"");
        screen.split("\"id\":\"").nth(1).unwrap().chars().filter(|letter| *letter != '\n').take(32).collect()
    }

    pub fn request(&self, arguments: &[&str]) -> Child {
        let mut command = self.home.signoff(&[&["request", "--json"], arguments].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

pub fn ended(child: Child) -> (Option<i32>, Value) {
    let output = child.wait_with_output().unwrap();
    let said = serde_json::from_str(stdout(&output).trim());
    (output.status.code(), said.unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&output.stderr).into_owned())))
}
