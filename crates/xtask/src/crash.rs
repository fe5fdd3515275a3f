//! Kills the gateway, the agent, or both at every named point, thousands of times.

use std::{
    path::PathBuf,
    process::{Command, ExitCode},
};

use anyhow::{Context, bail};
use clap::Args;
use signoff_e2e::{Kept, crash::Harness};
use signoff_testbed::Server;

use crate::workspace;

#[derive(Args)]
pub(crate) struct Options {
    /// How many questions are asked on each store
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    rounds: usize,
    /// Only on this store: file or database
    #[arg(long, value_name = "STORE")]
    only: Option<String>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let program = build()?;
    let mut clean = true;
    for (name, database) in [("file", false), ("database", true)] {
        if options.only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let database = match database {
            true => Some(Server::shared()?.database()?),
            false => None,
        };
        let kept = database.as_ref().map_or(Kept::InAFile, |database| Kept::InADatabase(database.url()));
        let tally = Harness::new(&program, kept).run(options.rounds);
        println!("{name}: {tally}");
        clean &= tally.is_clean();
    }
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The program that plays the gateway and the agent, brought up to date.
fn build() -> anyhow::Result<PathBuf> {
    let root = workspace::root();
    let done = Command::new("cargo")
        .args(["build", "-p", "signoff-e2e", "--bin", "signoff-crash"])
        .current_dir(&root)
        .status()
        .context("cannot run cargo")?;
    if !done.success() {
        bail!("the program does not build");
    }
    Ok(workspace::target().join("debug/signoff-crash"))
}
