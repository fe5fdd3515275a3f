//! How long one `signoff check` takes as a process, beside `/bin/true` in the same run.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use clap::Args;

use crate::workspace;

/// What the project promises: at most so many times the wall time of `/bin/true`.
const BAR: f64 = 3.0;

/// The same in a repository, where what would be lost is counted as well.
const BAR_IN_REPOSITORY: f64 = 6.0;

/// So many files stand in each directory of the repository.
const IN_A_DIRECTORY: usize = 100;

/// What is asked about a repository: nothing of it, a directory, many files, many directories, and nothing that is there.
const IN_REPOSITORY: [(&str, &str); 5] = [
    ("git status", "git status"),
    ("rm -rf d5", "rm -rf d5"),
    ("rm d7/*.txt", "rm d7/*.txt"),
    ("rm -rf d1*", "rm -rf d1*"),
    ("rm -f nothing*", "rm -f nothing*"),
];

const TYPICAL: &str = r#"cd src && grep -rn "TODO" . | head -20 && git status --short"#;

#[derive(Args)]
pub(crate) struct Options {
    /// How often each program is started
    #[arg(long, default_value_t = 1000)]
    runs: usize,
    /// The binary to measure instead of the release build
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Ask about deletes in a repository of so many tracked files instead
    #[arg(long, value_name = "FILES")]
    repository: Option<usize>,
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
    let built = match &options.binary {
        Some(binary) => binary.clone(),
        None => build()?,
    };
    // Copied, as an installation does: a file that a linker has just written lies in memory in smaller pieces, and a
    // process that begins with it takes a fifth longer.
    let installed = tempfile::tempdir()?;
    let binary = installed.path().join("signoff");
    fs::copy(&built, &binary).with_context(|| format!("cannot copy {}", built.display()))?;
    let candidate = |name, program: &Path, arguments: &[&'static str]| Candidate {
        name,
        program: program.to_owned(),
        arguments: arguments.to_vec(),
        times: Vec::with_capacity(options.runs),
    };
    let mut candidates = vec![candidate("/bin/true", Path::new("/bin/true"), &[])];
    let repository = options.repository.map(make_repository).transpose()?;
    let (directory, bar) = match &repository {
        None => {
            candidates.extend([
                candidate("signoff check", &binary, &["check", TYPICAL]),
                candidate("signoff check --json", &binary, &["check", "--json", TYPICAL]),
                candidate("signoff check --facts none", &binary, &["check", "--facts", "none", TYPICAL]),
                candidate("signoff --version", &binary, &["--version"]),
            ]);
            (Path::new("."), BAR)
        }
        Some(repository) => {
            candidates.extend(IN_REPOSITORY.map(|(name, command)| candidate(name, &binary, &["check", command])));
            (repository.path(), BAR_IN_REPOSITORY)
        }
    };
    // Interleaved, so that whatever else the machine does hits all of them alike.
    for _ in 0..options.runs {
        for candidate in &mut candidates {
            let time = once(&candidate.program, &candidate.arguments, directory)?;
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
        holds &= ratio <= bar;
    }
    println!("{} the bar of {bar} × /bin/true", if holds { "holds" } else { "MISSES" });
    Ok(if options.gate && !holds { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A repository with so many tracked files, a hundred in each directory.
fn make_repository(files: usize) -> anyhow::Result<tempfile::TempDir> {
    let directory = tempfile::tempdir()?;
    let root = directory.path();
    for number in 0..files {
        let parent = root.join(format!("d{}", number / IN_A_DIRECTORY));
        if number % IN_A_DIRECTORY == 0 {
            fs::create_dir(&parent)?;
        }
        fs::write(parent.join(format!("file{number}.txt")), format!("content of file {number}\n"))?;
    }
    for arguments in [&["init", "-q"][..], &["add", "."], &["commit", "-q", "-m", "all"]] {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "gc.auto=0"];
        let status = Command::new("git").args(identity).args(arguments).current_dir(root).status()?;
        if !status.success() {
            bail!("git {arguments:?} failed");
        }
    }
    Ok(directory)
}

fn once(program: &Path, arguments: &[&str], directory: &Path) -> anyhow::Result<Duration> {
    let mut command = Command::new(program);
    command.current_dir(directory);
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
