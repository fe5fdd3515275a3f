//! How long one `signoff check` takes as a process, beside `/bin/true` in the same run.

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use clap::Args;

use crate::workspace;

/// What the project promises: at most so many times the wall time of `/bin/true`.
const BAR: f64 = 3.0;

const TYPICAL: &str = r#"cd src && grep -rn "TODO" . | head -20 && git status --short"#;

#[derive(Args)]
pub(crate) struct Options {
    /// How often each program is started
    #[arg(long, default_value_t = 1000)]
    runs: usize,
    /// The binary to measure instead of the release build
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Exit 1 when the bar is missed
    #[arg(long)]
    gate: bool,
}

struct Candidate {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<&'static str>,
    times: Vec<Duration>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build()?,
    };
    let candidate = |name, program: &Path, arguments: &[&'static str]| Candidate {
        name,
        program: program.to_owned(),
        arguments: arguments.to_vec(),
        times: Vec::with_capacity(options.runs),
    };
    let mut candidates = [
        candidate("/bin/true", Path::new("/bin/true"), &[]),
        candidate("signoff check", &binary, &["check", TYPICAL]),
        candidate("signoff check --json", &binary, &["check", "--json", TYPICAL]),
        candidate("signoff check --facts none", &binary, &["check", "--facts", "none", TYPICAL]),
        candidate("signoff --version", &binary, &["--version"]),
    ];
    // Interleaved, so that whatever else the machine does hits all of them alike.
    for _ in 0..options.runs {
        for candidate in &mut candidates {
            let time = once(&candidate.program, &candidate.arguments)?;
            candidate.times.push(time);
        }
    }
    let mut baseline = None;
    let mut holds = true;
    // On a busy machine the median is mostly waiting; the tenth percentile shows what the work itself costs.
    println!("{:<28} {:>10} {:>7} {:>12} {:>7}", "", "median", "ratio", "10th perc.", "ratio");
    for candidate in &mut candidates {
        candidate.times.sort_unstable();
        let at = |share: usize| candidate.times.get(candidate.times.len() * share / 100).copied().unwrap_or_default();
        let (median, tenth) = (at(50), at(10));
        let (base_median, base_tenth) = *baseline.get_or_insert((median, tenth));
        let ratio = median.as_secs_f64() / base_median.as_secs_f64();
        let tenth_ratio = tenth.as_secs_f64() / base_tenth.as_secs_f64();
        println!("{:<28} {median:>10.1?} {ratio:>7.2} {tenth:>12.1?} {tenth_ratio:>7.2}", candidate.name);
        holds &= ratio <= BAR;
    }
    println!("{} the bar of {BAR} × /bin/true", if holds { "holds" } else { "MISSES" });
    Ok(if options.gate && !holds { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn once(program: &Path, arguments: &[&str]) -> anyhow::Result<Duration> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let status = command.status().with_context(|| format!("cannot start {}", program.display()))?;
    let took = started.elapsed();
    if !matches!(status.code(), Some(0 | 10 | 20)) {
        bail!("{} failed: {status}", program.display());
    }
    Ok(took)
}

/// Builds the release binary and tells where it lies.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--package", "signoff-cli"])
        .current_dir(workspace::root())
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("the build failed");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace::root().join("target"), PathBuf::from);
    Ok(target.join("release/signoff"))
}
