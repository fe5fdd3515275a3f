//! How much memory one `signoff check` takes for a mebibyte of hostile input, as a process.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use anyhow::{Context, bail};
use clap::Args;
use signoff_hostile::MEBIBYTE;

use crate::{startup, workspace};

/// What the project promises, in KiB.
const BAR: u64 = 64 * 1024;

#[derive(Args)]
pub(crate) struct Options {
    /// The binary to measure instead of the release build
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Exit 1 when the bar is missed
    #[arg(long)]
    gate: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => startup::build()?,
    };
    let input = workspace::root().join("target/memory-input");
    fs::create_dir_all(workspace::root().join("target")).context("cannot make the directory `target`")?;
    let ways: [(&str, &[&str]); 3] = [("card", &[]), ("in full", &["--full"]), ("JSON", &["--json"])];
    println!("{:<40} {:>10} {:>10} {:>10}   KiB at most", "", ways[0].0, ways[1].0, ways[2].0);
    let mut worst = 0;
    for kind in signoff_hostile::all() {
        let name: String = kind.name.chars().take(40).collect();
        fs::write(&input, kind.bytes_of_length(MEBIBYTE))
            .with_context(|| format!("cannot write `{}`", input.display()))?;
        let mut line = format!("{name:<40}");
        for (_, arguments) in ways {
            let (peak, code) = once(&binary, arguments, &input)?;
            worst = worst.max(peak);
            // A text of blanks alone is refused as no operation at all.
            if !matches!(code, 2 | 10 | 20) {
                bail!("{name}: the exit code is {code}, so it was let through or failed");
            }
            line.push_str(&format!(" {peak:>10}"));
        }
        println!("{line}");
    }
    fs::remove_file(&input).with_context(|| format!("cannot remove `{}`", input.display()))?;
    let holds = worst <= BAR;
    println!("worst {worst} KiB: {} the bar of {BAR} KiB", if holds { "holds" } else { "MISSES" });
    Ok(if options.gate && !holds { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The most memory that one process held, in KiB, and its exit code. The program `time` asks the kernel for it.
fn once(binary: &Path, arguments: &[&str], input: &Path) -> anyhow::Result<(u64, u32)> {
    let output = Command::new("/usr/bin/time")
        .args(["--quiet", "--format", "%M %x"])
        .arg(binary)
        .args(["check", "--facts", "none"])
        .args(arguments)
        .stdin(fs::File::open(input).context("cannot read the input")?)
        .stdout(Stdio::null())
        .output()
        .context("cannot run `/usr/bin/time` (the Debian package `time`)")?;
    let printed = String::from_utf8_lossy(&output.stderr);
    let last = printed.lines().last().unwrap_or_default();
    let (peak, code) = last.split_once(' ').with_context(|| format!("`time` said {last:?}"))?;
    Ok((peak.parse()?, code.parse()?))
}
