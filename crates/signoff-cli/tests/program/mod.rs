//! Runs the program as its callers do.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

pub fn signoff(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_signoff"));
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
