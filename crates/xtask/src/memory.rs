//! How much memory one `signoff check` takes for a mebibyte of hostile input, as a process.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use anyhow::{Context, bail};
use clap::Args;

use crate::{startup, workspace};

/// What the project promises, in KiB.
const BAR: u64 = 64 * 1024;

const SIZE: usize = 1 << 20;

#[derive(Args)]
pub(crate) struct Options {
    /// The binary to measure instead of the release build
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Exit 1 when the bar is missed
    #[arg(long)]
    gate: bool,
}

/// The classes of input: a name, what stands before, and what is repeated.
const CLASSES: [(&str, &str, &str); 44] = [
    ("one word", "", "a"),
    ("words", "", "a "),
    ("commands", "", "true;"),
    ("deletes", "", "rm -rf data;"),
    ("comments", "", "# x\n"),
    ("single quotes", "", "'"),
    ("double quotes", "", "\""),
    ("accented letters", "", "é"),
    ("hidden characters", "", "\u{202e}"),
    ("NUL bytes", "echo ", "\0"),
    ("substitutions", "", "$("),
    ("substitutions that close", "echo ", "$(a)"),
    ("subshells", "", "("),
    ("groups", "", "{ "),
    ("quoted substitutions", "", "\"$("),
    ("parameters", "", "${x:-"),
    ("arithmetic", "", "$(("),
    ("conditions", "", "if "),
    ("loops", "", "while "),
    ("tests", "", "[[ ( "),
    ("process substitutions", "", "<("),
    ("functions", "", "f() { "),
    ("back-quotes", "", "`"),
    ("assignments", "", "x=1;"),
    ("variables", "", "$x "),
    ("heredocs", "", "a <<E\nb\nE\n"),
    ("heredocs without a body", "a ", "<<E "),
    ("pipes", "", "a|"),
    ("braces", "echo ", "{a,b}"),
    ("an array", "a=(", "x "),
    ("redirections", "a ", ">a "),
    ("cases", "", "case x in x) a;; esac;"),
    ("padding before a delete", "rm -rf data #", " "),
    ("a value that doubles", "x=aaaaaaaa\n", "x=$x$x\n"),
    ("eval", "", "eval 'a';"),
    ("bash -c", "", "bash -c 'a';"),
    ("directories", "", "cd a;"),
    ("directories put aside", "", "pushd a;"),
    ("wrappers", "", "sudo "),
    ("wrappers with values", "", "env a=b "),
    ("batches", "", "xargs "),
    ("branches", "", "if a; then x=$x$y; else y=$y$x; fi;"),
    ("python", "python3 -c '", "import os;os.system(\"a\");"),
    ("all characters", "", ALL),
];

const ALL: &str = " !\"#$%&'()*+,-./0123456789:;<=>?@ABC[\\]^_`abc{|}~\t\n\u{1}\u{7f}é中";

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => startup::build()?,
    };
    let input = workspace::root().join("target/memory-input");
    fs::create_dir_all(workspace::root().join("target")).context("cannot make the directory `target`")?;
    let ways: [(&str, &[&str]); 3] = [("card", &[]), ("in full", &["--full"]), ("JSON", &["--json"])];
    println!("{:<28} {:>10} {:>10} {:>10}   KiB at most", "", ways[0].0, ways[1].0, ways[2].0);
    let mut worst = 0;
    for (name, before, piece) in CLASSES {
        let text = format!("{before}{}", piece.repeat((SIZE - before.len()) / piece.len()));
        fs::write(&input, text).with_context(|| format!("cannot write `{}`", input.display()))?;
        let mut line = format!("{name:<28}");
        for (_, arguments) in ways {
            let (peak, code) = once(&binary, arguments, &input)?;
            worst = worst.max(peak);
            if !matches!(code, 10 | 20) {
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
