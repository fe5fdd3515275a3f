//! How long a decision takes on scripts that people have written, and how much of them is read.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context as _, ensure};
use clap::Args;
use signoff_model::{Coverage, Verdict};
use signoff_policy::{Context, decide};

use crate::timing;

/// What the project promises for a script of this length.
const BAR: Duration = Duration::from_millis(5);
const LENGTH: usize = 50_000;

#[derive(Args)]
pub(crate) struct Options {
    /// Scripts, or directories that are searched for them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Leave out what is shorter than this, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 20_000)]
    from: usize,
    /// Leave out what is longer than this, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 120_000)]
    to: usize,
    /// Read each script so often; the fastest reading counts
    #[arg(long, value_name = "N", default_value_t = 10)]
    readings: usize,
}

/// One script and what became of it.
struct Read {
    path: PathBuf,
    bytes: usize,
    taken: Duration,
    verdict: Verdict,
    /// What stayed unread.
    gaps: usize,
}

impl Read {
    /// The time for a script of [`LENGTH`] at the same pace, in milliseconds.
    fn pace(&self) -> f64 {
        self.taken.as_secs_f64() * 1000.0 * LENGTH as f64 / self.bytes.max(1) as f64
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut scripts = Vec::new();
    for path in &options.paths {
        gather(path, true, &mut scripts).with_context(|| format!("cannot read {}", path.display()))?;
    }
    scripts.sort();
    let mut read: Vec<Read> = scripts.into_iter().filter_map(|path| judge(path, options)).collect();
    ensure!(!read.is_empty(), "there is no shell script of such a length");
    read.sort_by(|one, other| other.pace().total_cmp(&one.pace()));
    println!("{:>9} {:>9} {:>9}  {:<6} {:>5}", "bytes", "ms", "ms/50 kB", "", "gaps");
    for script in &read {
        println!(
            "{:>9} {:>9.2} {:>9.2}  {:<6} {:>5}  {}",
            script.bytes,
            script.taken.as_secs_f64() * 1000.0,
            script.pace(),
            script.verdict.name(),
            script.gaps,
            script.path.display(),
        );
    }
    let median = read.get(read.len() / 2).map_or(0.0, Read::pace);
    let slow = read.iter().filter(|script| script.pace() > BAR.as_secs_f64() * 1000.0).count();
    let unread = read.iter().filter(|script| script.gaps > 0).count();
    println!(
        "{} scripts: median {median:.2} ms for 50 kB; {slow} slower than {} ms; {unread} not read to the end or in every part",
        read.len(),
        BAR.as_millis(),
    );
    Ok(ExitCode::SUCCESS)
}

/// Every shell script under a path; one that is named itself need not say that it is one.
fn gather(path: &Path, named: bool, scripts: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let kind = fs::symlink_metadata(path)?;
    if kind.is_dir() {
        for entry in fs::read_dir(path)? {
            gather(&entry?.path(), false, scripts)?;
        }
    } else if kind.is_file() && (named || is_script(&fs::read(path)?)) {
        scripts.push(path.to_owned());
    }
    Ok(())
}

fn is_script(content: &[u8]) -> bool {
    let line = content.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let program = line.strip_prefix("#!").and_then(|run| run.split_whitespace().find(|word| !word.ends_with("/env")));
    program.is_some_and(|program| matches!(program.rsplit('/').next(), Some("sh" | "bash" | "dash" | "ksh" | "zsh")))
}

fn judge(path: PathBuf, options: &Options) -> Option<Read> {
    let text = fs::read_to_string(&path).ok()?;
    let bytes = text.len();
    if !(options.from..=options.to).contains(&bytes) {
        return None;
    }
    let slow = Duration::from_secs(1);
    let (taken, assessment) = timing::assessed(&text, |best, readings| readings < options.readings && best < slow);
    let gaps = match &assessment.coverage {
        Coverage::Full => 0,
        Coverage::Partial(gaps) => gaps.len(),
    };
    let verdict = decide(&assessment, &Context::default()).verdict();
    Some(Read { path, bytes, taken, verdict, gaps })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_says_what_it_is_in_its_first_line() {
        for text in ["#!/bin/sh\n", "#! /bin/bash -e\nls", "#!/usr/bin/env bash\n", "#!/usr/bin/zsh"] {
            assert!(is_script(text.as_bytes()), "{text}");
        }
        for text in ["", "ls\n#!/bin/sh\n", "#!/usr/bin/env python3\n", "#!/usr/bin/perl -w\n", "\u{7f}ELF"] {
            assert!(!is_script(text.as_bytes()), "{text}");
        }
    }
}
