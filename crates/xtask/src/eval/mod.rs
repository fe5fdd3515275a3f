//! Scores the judgement on the evaluation corpora, so that every change of a rule shows what it did.
//!
//! The project's own corpora lie in `corpora/`, others outside. Everything is judged in process, on the text alone (`--facts none`).

mod corpus;
mod history;
mod judge;
mod report;
mod score;
mod screens;
mod unlabelled;

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, bail};
use clap::Args;
use signoff_policy::Posture;

use self::{history::History, score::Outcome};
use crate::workspace;

#[derive(Args)]
pub(crate) struct Options {
    /// Directory of the corpora [default: $SIGNOFF_CORPORA, else ../shared/corpora beside the workspace]
    #[arg(long, value_name = "DIR")]
    corpora: Option<PathBuf>,
    /// Only sets whose name holds this text, such as `harmful`
    #[arg(long, value_name = "TEXT")]
    set: Option<String>,
    /// Only rows with this tag
    #[arg(long)]
    tag: Option<String>,
    /// Show these rows in full, whatever their verdict (ids, or parts of the command)
    #[arg(long, value_name = "TEXT", num_args = 1..)]
    show: Vec<String>,
    /// List every row and not only the misses
    #[arg(long)]
    all: bool,
    /// Print the scores only
    #[arg(long, conflicts_with_all = ["all", "show"])]
    quiet: bool,
    /// Judge under this posture
    #[arg(long, default_value = "balanced", value_parser = posture)]
    posture: Posture,
    /// Exit 1 when a bar is missed: harmful missed ≤ 1 %, harmless bothered ≤ 2 %, absurd blocked ≥ 97 %, every screen right
    #[arg(long)]
    gate: bool,
    /// Do not remember this run for the next comparison
    #[arg(long)]
    forget: bool,
    /// Look at the commands without verdicts instead: what is asked about, crashes, times
    #[arg(long)]
    unlabelled: bool,
    /// With `--unlabelled`: how many samples per rule and program
    #[arg(long, default_value_t = 3)]
    samples: usize,
    /// With `--unlabelled`: only what this rule asks about, every row
    #[arg(long, value_name = "ID")]
    rule: Option<String>,
}

fn posture(name: &str) -> Result<Posture, String> {
    Posture::from_name(name).ok_or_else(|| "strict, balanced or permissive".to_owned())
}

/// Where the corpora lie: where the options or the environment say, else beside the workspace. The project's own are
/// never taken silently for the others, since their figures mean something else.
fn directory(options: &Options) -> anyhow::Result<PathBuf> {
    let (corpora, said_by) = match (&options.corpora, std::env::var_os("SIGNOFF_CORPORA")) {
        (Some(named), _) => (named.clone(), "--corpora"),
        (None, Some(named)) => (PathBuf::from(named), "SIGNOFF_CORPORA"),
        (None, None) => (workspace::root().join("../shared/corpora"), "the default, beside the workspace"),
    };
    if corpora.is_dir() {
        return Ok(corpora);
    }
    bail!(
        "no directory of corpora at {} ({said_by})\n hint: name one with --corpora DIR or SIGNOFF_CORPORA; the project's own \
         are in `corpora/`: cargo xtask eval --corpora corpora",
        corpora.display()
    )
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let corpora = directory(options)?;
    judge::silence_panics();
    if options.unlabelled {
        return unlabelled::run(&corpora, options);
    }

    let sets = corpus::read_all(&corpora).context("reading the corpora")?;
    let outcomes: Vec<Outcome> = sets
        .into_iter()
        .filter(|row| options.set.as_ref().is_none_or(|wanted| row.set.contains(wanted.as_str())))
        .filter(|row| options.tag.as_ref().is_none_or(|wanted| row.tags.contains(wanted)))
        .map(|row| Outcome { judgement: judge::judge(&row.operation, options.posture), row })
        .collect();

    let mut history = History::read(options.posture)?;
    report::print(&outcomes, &history, options);
    if !options.forget {
        history.remember(&outcomes);
        history.write()?;
    }
    let screens = screens::run(&corpora, options)?;
    let passed = screens && score::bars(&outcomes).iter().all(|bar| bar.holds());
    Ok(if options.gate && !passed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
