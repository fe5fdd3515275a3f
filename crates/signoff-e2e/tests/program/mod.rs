//! Runs the program as its callers do.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

pub mod gateway;
pub mod mcp;
pub mod mcp_http;
pub mod speaking;
pub mod swarm;
pub mod tmux;

use serde_json::Value;

pub fn signoff(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_signoff-e2e"));
    // What cargo sets for its own programs lies wherever the sources do.
    command.env_remove("LD_LIBRARY_PATH");
    command.args(arguments).env_remove("LC_ALL").env_remove("LC_MESSAGES").env("LANG", "C").stdin(Stdio::null());
    command
}

pub fn output(arguments: &[&str]) -> Output {
    signoff(arguments).output().unwrap()
}

pub fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child =
        signoff(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // Written aside, since the answers to a long batch fill the pipe before its end is read.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    output
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub fn lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
pub fn complains(output: &Output, message: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(output.stdout.is_empty(), "a mistake leaves standard output empty");
    assert!(stderr.starts_with("error: "), "{stderr}");
    assert!(stderr.contains(message), "{stderr} does not say {message:?}");
}

/// A home of its own for the program: settings, records and a project.
pub struct Home {
    pub root: tempfile::TempDir,
}

impl Home {
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let home = Self { root };
        std::fs::create_dir_all(home.project()).unwrap();
        home.git(&["init", "-q", "."]);
        home.write("work/project/src/a.rs", "fn a() {}\n");
        home.git(&["add", "."]);
        home.git(&["commit", "-q", "-m", "first"]);
        home
    }

    /// Runs git in the project.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) {
        let done = Command::new("git")
            .current_dir(self.project())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    pub fn project(&self) -> std::path::PathBuf {
        self.root.path().canonicalize().unwrap().join("work/project")
    }

    /// Writes a file below the root: `etc/config.toml`, `user/config.toml`, `work/project/.signoff/config.toml`.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The program in the project.
    pub fn signoff(&self, arguments: &[&str]) -> Command {
        let mut command = signoff(arguments);
        command.current_dir(self.project()).env("SIGNOFF_E2E_ROOT", self.root.path());
        command
    }

    pub fn output(&self, arguments: &[&str]) -> Output {
        self.signoff(arguments).output().unwrap()
    }
}
