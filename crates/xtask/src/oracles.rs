//! Starts the comparison of our shell parser with other parsers. They have many dependencies, so the comparison is a
//! crate of its own outside the workspace, with its own lock file.

use std::{
    ffi::OsString,
    process::{Command, ExitCode},
};

use anyhow::Context;
use clap::Args;

use crate::workspace;

#[derive(Args)]
pub(crate) struct Options {
    /// What is passed on: see `cargo xtask oracles -- --help`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--locked", "--manifest-path"])
        .arg(workspace::root().join("oracles/Cargo.toml"))
        .arg("--")
        .args(&options.arguments)
        .status()
        .context("cannot run cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
