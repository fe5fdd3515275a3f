//! LangGraph in the same run: a question there is an interrupt, and the answer resumes it, with both in its SQLite saver.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, bail};
use serde::Deserialize;

use crate::workspace;

/// The ways in which LangGraph writes what it keeps. The faster one counts.
const DURABILITIES: [&str; 2] = ["exit", "sync"];

/// A Python that has LangGraph.
pub(super) struct LangGraph {
    python: PathBuf,
}

/// What the better of its ways has done.
pub(super) struct Theirs {
    pub(super) a_second: f64,
    pub(super) median: f64,
    pub(super) how: String,
}

#[derive(Deserialize)]
struct Printed {
    rounds: usize,
    seconds: f64,
    p50_ms: f64,
}

impl LangGraph {
    /// With this Python, or with one in the target directory, which is made where it is missing.
    pub(super) fn new(python: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(python) = python {
            return Ok(Self { python: python.to_owned() });
        }
        let place = workspace::target().join("peers/langgraph");
        let python = place.join("bin/python");
        if !python.exists() {
            println!("installing LangGraph into {}", place.display());
            ran(Command::new("python3").args(["-m", "venv"]).arg(&place))?;
            let wanted = directory().join("requirements.txt");
            ran(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(wanted))?;
        }
        Ok(Self { python })
    }

    pub(super) fn measured(&self, clients: usize, during: Duration) -> anyhow::Result<Theirs> {
        let mut best: Option<Theirs> = None;
        for durability in DURABILITIES {
            let place = tempfile::tempdir()?;
            let output = Command::new(&self.python)
                .arg(directory().join("langgraph_interrupt.py"))
                .args([clients.to_string(), during.as_secs().to_string()])
                .arg(place.path().join("saver.db"))
                .arg(durability)
                .output()
                .context("cannot run Python")?;
            if !output.status.success() {
                bail!("LangGraph failed: {}", String::from_utf8_lossy(&output.stderr));
            }
            let Printed { rounds, seconds, p50_ms } = serde_json::from_slice(&output.stdout)?;
            let theirs =
                Theirs { a_second: rounds as f64 / seconds, median: p50_ms, how: format!("durability `{durability}`") };
            if best.as_ref().is_none_or(|best| theirs.a_second > best.a_second) {
                best = Some(theirs);
            }
        }
        best.context("LangGraph was not measured")
    }
}

fn directory() -> PathBuf {
    workspace::root().join("crates/xtask/peers")
}

fn ran(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().context("cannot run Python")?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}
