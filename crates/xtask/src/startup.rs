//! How long one `signoff check` or `signoff hook` takes as a process, beside `/bin/true` in the same run.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use clap::Args;
use nix::{
    fcntl::{AtFlags, OFlag, open},
    sys::stat::{Mode, fstatat},
};

use crate::workspace;

/// What the project promises: at most so many times the wall time of `/bin/true`.
const BAR: f64 = 3.0;

/// The same in a repository, where what would be lost is counted as well.
const BAR_IN_REPOSITORY: f64 = 6.0;

/// Up to so many files, what would be lost is counted within the same bar.
const SMALL_REPOSITORY: usize = 10_000;

/// In a larger one it is the verdict that stays below the bar, and a person waits so long for the preview.
const PREVIEW_WITHIN: Duration = Duration::from_secs(2);

/// So many files stand in each directory of the repository.
const IN_A_DIRECTORY: usize = 100;

/// What is asked about a repository: nothing of it, a directory, many files, many directories, nothing that is there, and
/// what git would throw away of all of it.
const IN_REPOSITORY: [&str; 8] = [
    "git status",
    "rm -rf d5",
    "rm d7/*.txt",
    "rm -rf d1*",
    "rm -f nothing*",
    "git reset --hard",
    "git restore .",
    "git clean -fd",
];

/// What no policy lets through: a verdict about a text that ends with it shows nobody what would be lost.
const PROHIBITED: &str = "; rm -rf /";

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

/// Something that is measured.
struct Candidate {
    name: String,
    work: Work,
    bar: Bar,
    times: Vec<Duration>,
}

enum Work {
    /// A process from its start to its end.
    Process { program: PathBuf, arguments: Vec<String> },
    /// One call of a hook, with what an agent says about it.
    Hook { program: PathBuf, payload: PathBuf },
    /// One look at each file of a repository, in one thread: whoever answers for all files needs as many.
    Looks(Vec<PathBuf>),
    /// The names in each directory, in one thread: whoever answers for what nobody tracks needs them.
    Names(Vec<PathBuf>),
}

/// What a candidate may take.
#[derive(Clone, Copy)]
enum Bar {
    Nothing,
    /// So many times the wall time of `/bin/true`.
    Times(f64),
    Within(Duration),
}

impl Candidate {
    fn new(name: impl Into<String>, work: Work, bar: Bar) -> Self {
        Self { name: name.into(), work, bar, times: Vec::new() }
    }

    fn process(name: impl Into<String>, program: &Path, arguments: &[&str], bar: Bar) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Self::new(name, Work::Process { program: program.to_owned(), arguments }, bar)
    }

    fn measure(&mut self, directory: &Path) -> anyhow::Result<()> {
        let time = match &self.work {
            Work::Process { program, arguments } => once(program, arguments, directory, Stdio::null())?.0,
            Work::Hook { program, payload } => {
                once(program, &["hook", "claude"], directory, fs::File::open(payload)?.into())?.0
            }
            Work::Looks(directories) => looks(directories)?,
            Work::Names(directories) => names(directories)?,
        };
        self.times.push(time);
        Ok(())
    }

    /// The time below which so many of a hundred runs stay.
    fn percentile(&self, share: usize) -> Duration {
        self.times.get(self.times.len() * share / 100).copied().unwrap_or_default()
    }
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
    let mut candidates = vec![Candidate::process("/bin/true", Path::new("/bin/true"), &[], Bar::Nothing)];
    let repository = options.repository.map(make_repository).transpose()?;
    let directory = match (&repository, options.repository) {
        (Some(repository), Some(files)) => {
            candidates.extend(in_repository(&binary, repository.path(), files)?);
            repository.path()
        }
        _ => {
            candidates.extend(anywhere(&binary));
            let payload = installed.path().join("payload.json");
            fs::write(&payload, hook_payload(&std::env::current_dir()?))?;
            let work = Work::Hook { program: binary, payload };
            candidates.push(Candidate::new("signoff hook claude", work, Bar::Times(BAR)));
            Path::new(".")
        }
    };
    // Interleaved, so that whatever else the machine does hits all of them alike.
    for _ in 0..options.runs {
        for candidate in &mut candidates {
            candidate.measure(directory)?;
        }
    }
    let holds = report(&mut candidates);
    Ok(if options.gate && !holds { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn anywhere(binary: &Path) -> Vec<Candidate> {
    let bar = Bar::Times(BAR);
    vec![
        Candidate::process("signoff check", binary, &["check", TYPICAL], bar),
        Candidate::process("signoff check --json", binary, &["check", "--json", TYPICAL], bar),
        Candidate::process("signoff check --facts none", binary, &["check", "--facts", "none", TYPICAL], bar),
        Candidate::process("signoff --version", binary, &["--version"], bar),
    ]
}

/// A harmless call, as Claude Code says it.
fn hook_payload(directory: &Path) -> String {
    let payload = serde_json::json!({
        "session_id": "s", "transcript_path": "/nonexistent", "cwd": directory, "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": TYPICAL, "description": "look around"}, "tool_use_id": "toolu_1",
    });
    payload.to_string()
}

fn in_repository(binary: &Path, root: &Path, files: usize) -> anyhow::Result<Vec<Candidate>> {
    let bar = Bar::Times(BAR_IN_REPOSITORY);
    let mut candidates = Vec::new();
    for command in IN_REPOSITORY {
        let arguments = ["check", command];
        let (_, verdict) = once(binary, &arguments, root, Stdio::null())?;
        if files <= SMALL_REPOSITORY || verdict != ASK {
            candidates.push(Candidate::process(command, binary, &arguments, bar));
            continue;
        }
        let alone = format!("{command}{PROHIBITED}");
        candidates.push(Candidate::process(format!("{command}, verdict"), binary, &["check", &alone], bar));
        let bar = Bar::Within(PREVIEW_WITHIN);
        candidates.push(Candidate::process(format!("{command}, preview"), binary, &arguments, bar));
    }
    let directories: Vec<PathBuf> =
        (0..files.div_ceil(IN_A_DIRECTORY)).map(|number| root.join(format!("d{number}"))).collect();
    candidates.push(Candidate::new("one look at each file", Work::Looks(directories.clone()), Bar::Nothing));
    candidates.push(Candidate::new("the names in each directory", Work::Names(directories), Bar::Nothing));
    Ok(candidates)
}

/// Prints what was measured, and tells whether every bar holds.
fn report(candidates: &mut [Candidate]) -> bool {
    let mut baseline = None;
    let mut all_hold = true;
    // On a busy machine the median is mostly waiting; the tenth percentile shows what the work itself costs.
    println!("{:<28} {:>10} {:>7} {:>12} {:>7}", "", "median", "ratio", "10th perc.", "ratio");
    for candidate in candidates {
        candidate.times.sort_unstable();
        let (median, tenth) = (candidate.percentile(50), candidate.percentile(10));
        let (base_median, base_tenth) = *baseline.get_or_insert((median, tenth));
        let ratio = median.as_secs_f64() / base_median.as_secs_f64();
        let tenth_ratio = tenth.as_secs_f64() / base_tenth.as_secs_f64();
        let (holds, bar) = match candidate.bar {
            Bar::Nothing => (true, String::new()),
            Bar::Times(bar) => (ratio <= bar, format!("the bar of {bar} × /bin/true")),
            Bar::Within(bar) => (
                median <= bar,
                format!("the bar of {} s: {:.3} s, at worst {:.3}", bar.as_secs(), median.as_secs_f64(), {
                    candidate.times.last().copied().unwrap_or_default().as_secs_f64()
                }),
            ),
        };
        let word = match (bar.is_empty(), holds) {
            (true, _) => "",
            (false, true) => "holds ",
            (false, false) => "MISSES ",
        };
        let times = format!("{median:>10.1?} {ratio:>7.2} {tenth:>12.1?} {tenth_ratio:>7.2}");
        println!("{}", format!("{:<28} {times}  {word}{bar}", candidate.name).trim_end());
        all_hold &= holds;
    }
    println!("{}", if all_hold { "every bar holds" } else { "a bar is MISSED" });
    all_hold
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

/// The exit code of a verdict that a person is asked about, and shown what would be lost.
const ASK: i32 = 10;

/// Runs a program once: how long it took, and what it said.
fn once<A: AsRef<std::ffi::OsStr>>(
    program: &Path,
    arguments: &[A],
    directory: &Path,
    input: Stdio,
) -> anyhow::Result<(Duration, i32)> {
    let mut command = Command::new(program);
    command.current_dir(directory);
    command.args(arguments).stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let status = command.status().with_context(|| format!("cannot start {}", program.display()))?;
    let took = started.elapsed();
    match status.code() {
        Some(code @ (0 | ASK | 20)) => Ok((took, code)),
        _ => bail!("{} failed: {status}", program.display()),
    }
}

/// One look at each file of some directories, in one thread and by the shortest way that there is.
fn looks(directories: &[PathBuf]) -> anyhow::Result<Duration> {
    let mut took = Duration::ZERO;
    for directory in directories {
        let names: Vec<_> =
            fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name())).collect::<anyhow::Result<_>>()?;
        let opened = open(directory, OFlag::O_DIRECTORY | OFlag::O_RDONLY | OFlag::O_CLOEXEC, Mode::empty())?;
        let started = Instant::now();
        for name in &names {
            fstatat(&opened, name.as_os_str(), AtFlags::AT_SYMLINK_NOFOLLOW)?;
        }
        took += started.elapsed();
    }
    Ok(took)
}

/// The names in some directories.
fn names(directories: &[PathBuf]) -> anyhow::Result<Duration> {
    let started = Instant::now();
    for directory in directories {
        for entry in fs::read_dir(directory)? {
            entry?;
        }
    }
    Ok(started.elapsed())
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
    Ok(workspace::target().join("release/signoff"))
}
