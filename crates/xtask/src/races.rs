//! A thousand questions, for each of which sixty-four people, the agent and the clock race.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use signoff_e2e::{Kept, gateway::races};
use signoff_testbed::Server;

use crate::gateway;

#[derive(Args)]
pub(crate) struct Options {
    /// How many questions are raced for on each store
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    rounds: usize,
    /// The program that serves instead of the release build; one that takes `SIGNOFF_E2E_ROOT`
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let program = gateway::program(options.binary.as_deref())?;
    let database = Server::shared()?.database()?;
    let mut clean = true;
    for (name, kept) in [("SQLite", Kept::InAFile), ("PostgreSQL, two nodes", Kept::InADatabase(database.url()))] {
        let races = races::run(&program, &kept, options.rounds);
        println!("{name}: {races}");
        clean &= races.wrong.is_empty();
    }
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
