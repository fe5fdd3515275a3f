//! How fast a gateway is as its callers see it: an agent asks over HTTP, a person answers, the agent is woken, and each of the
//! three is on the disk before anybody hears of it.

mod peer;
mod round;

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Duration,
};

use anyhow::{Context, bail};
use clap::Args;
use peer::LangGraph;
use round::Measured;
use signoff_e2e::{Kept, gateway::Site};
use signoff_testbed::{Durability, Server};

use crate::{
    bars::{Bar, Bars},
    workspace,
};

const CLIENTS: [usize; 3] = [1, 16, 64];

const SQLITE: &str = "SQLite";

/// The number of clients for which the bars are.
const COUNTED: usize = 16;

const CHANGES_A_FLUSH: f64 = 4.0;
const TIMES_THE_PEER: f64 = 10.0;
const WOKEN_WITHIN: f64 = 10.0;

#[derive(Args)]
pub(crate) struct Options {
    /// How long each number of clients is measured
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    seconds: u64,
    /// The program to measure instead of the release build; one that takes `SIGNOFF_E2E_ROOT`
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// A Python that has what `crates/xtask/peers/requirements.txt` names [default: one in the target directory, made if missing]
    #[arg(long, value_name = "FILE")]
    python: Option<PathBuf>,
    /// Leave PostgreSQL out
    #[arg(long)]
    only_file: bool,
    /// Exit 1 when a bar is missed
    #[arg(long)]
    gate: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let program = program(options.binary.as_deref())?;
    let peer = LangGraph::new(options.python.as_deref())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let during = Duration::from_secs(options.seconds);
    let server = if options.only_file { None } else { Some(Server::start(Durability::Flushed)?) };
    let mut bars = Bars::default();
    println!(
        "{:<12}{:>8}{:>12}{:>10}{:>10}{:>16}{:>14}{:>10}{:>12}",
        "", "clients", "rounds/s", "p50 ms", "p99 ms", "changes/flush", "woken p50 ms", "p99 ms", "x LangGraph"
    );
    let mut verdicts = Vec::new();
    for clients in CLIENTS {
        // Beside each other, so that whatever else the machine does hits all of them alike.
        let theirs = peer.measured(clients, during)?;
        let mut stores = vec![(SQLITE, Kept::InAFile)];
        let database = server.as_ref().map(Server::database).transpose()?;
        stores.extend(database.iter().map(|database| ("PostgreSQL", Kept::InADatabase(database.url()))));
        for (name, kept) in stores {
            let site = Site::new(kept);
            let joined = runtime.block_on(site.join(1, clients * round::keys_for(during)));
            let running = site.serve(&program, &[]);
            let ours = runtime.block_on(round::measured(&running, &site, &joined, during))?;
            running.stop();
            let ratio = ours.a_second() / theirs.a_second;
            show(name, clients, &ours, ratio);
            if clients == COUNTED {
                verdicts.push((name, ours.changes_a_flush(), ratio, percentile(&ours.woken, 99)));
            }
        }
        println!("{:<12}{clients:>8}{:>12.0}{:>10.2}   ({})", "LangGraph", theirs.a_second, theirs.median, theirs.how);
    }
    println!();
    for (name, changes, ratio, woken) in verdicts {
        let named = |what: &str| format!("{name}, {COUNTED} clients: {what}");
        bars.show(&named("changes for each flush"), changes, "", Bar::AtLeast(CHANGES_A_FLUSH));
        // It keeps its state in SQLite, and so that is what it is compared with.
        if name == SQLITE {
            bars.show(&named("times LangGraph"), ratio, "", Bar::AtLeast(TIMES_THE_PEER));
        }
        bars.show(&named("woken above the commit, p99"), woken, "ms", Bar::AtMost(WOKEN_WITHIN));
    }
    Ok(bars.verdict(options.gate))
}

fn show(name: &str, clients: usize, ours: &Measured, ratio: f64) {
    println!(
        "{name:<12}{clients:>8}{:>12.0}{:>10.2}{:>10.2}{:>16.1}{:>14.2}{:>10.2}{ratio:>12.1}",
        ours.a_second(),
        percentile(&ours.rounds, 50),
        percentile(&ours.rounds, 99),
        ours.changes_a_flush(),
        percentile(&ours.woken, 50),
        percentile(&ours.woken, 99),
    );
}

/// The time below which so many of a hundred stay, in milliseconds.
pub(crate) fn percentile(times: &[Duration], share: usize) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = sorted.len().saturating_sub(1) * share / 100;
    sorted.get(at).copied().unwrap_or_default().as_secs_f64() * 1_000.0
}

/// The program that serves, with its files where it is told: the same as `signoff`, but for that. Built where none is named.
pub(crate) fn program(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(named) = named {
        return named.canonicalize().with_context(|| format!("there is no {}", named.display()));
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--package", "signoff-e2e", "--bin", "signoff-e2e"])
        .current_dir(workspace::root())
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("the build failed");
    }
    Ok(workspace::target().join("release/signoff-e2e"))
}
