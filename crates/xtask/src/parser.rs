//! Runs the tests of the parser that need other corpora than the project's own.

use std::{
    path::PathBuf,
    process::{Command, ExitCode},
};

use anyhow::{Context, bail};
use clap::Args;

use crate::workspace;

#[derive(Args)]
pub(crate) struct Options {
    /// Directory of the corpora
    #[arg(long, value_name = "DIR")]
    corpora: PathBuf,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if !options.corpora.is_dir() {
        bail!("no directory of corpora at {}", options.corpora.display());
    }
    let corpora = options.corpora.canonicalize().context("finding the corpora")?;
    let status = Command::new(env!("CARGO"))
        .args(["test", "--release", "-p", "signoff-analysis", "--test", "parser", "corpora", "--"])
        .args(["--include-ignored", "--nocapture"])
        .env("SIGNOFF_CORPORA", corpora)
        .current_dir(workspace::root())
        .status()
        .context("cannot run cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
