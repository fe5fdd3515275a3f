//! The commands without verdicts: nearly all are harmless, so every question is worth a second look.

use std::{collections::BTreeMap, path::Path, process::ExitCode, time::Duration};

use anyhow::{Context, bail};
use serde::Deserialize;
use signoff_model::Verdict;

use super::{
    Options,
    corpus::{json_lines, lines, shell, stem},
    judge::{Judgement, judge},
    report::shortened,
};

/// How many rules, programs and slow commands are listed.
const TOP: usize = 40;

#[derive(Deserialize)]
struct WireRow {
    cmd: String,
}

struct Judged {
    command: String,
    judgement: Judgement,
}

/// What asks, with how often and some commands.
#[derive(Default)]
struct Askers<'a>(BTreeMap<String, Vec<&'a str>>);

pub(crate) fn run(corpora: &Path, options: &Options) -> anyhow::Result<ExitCode> {
    let directory = corpora.join("unlabelled");
    let mut rows: Vec<Judged> = Vec::new();
    println!("{:<14} {:>7} {:>15} {:>15} {:>7}", "source", "rows", "ask", "block", "crash");
    for path in json_lines(&directory)? {
        let source = stem(&path);
        if options.set.as_ref().is_some_and(|wanted| !source.contains(wanted.as_str())) {
            continue;
        }
        let mut of_source = Vec::new();
        for (number, line) in lines(&path)?.iter().enumerate() {
            let row: WireRow =
                serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), number + 1))?;
            let judgement = judge(&shell(row.cmd.clone()), options.posture);
            of_source.push(Judged { command: row.cmd, judgement });
        }
        source_line(&source, &of_source);
        rows.append(&mut of_source);
    }
    source_line("all", &rows);
    if rows.is_empty() {
        bail!("no commands in {}", directory.display());
    }
    if let Some(rule) = &options.rule {
        everything_of(rule, &rows);
        return Ok(ExitCode::SUCCESS);
    }
    askers(&rows, options.samples);
    times(&mut rows);
    let crashed = rows.iter().any(|row| row.judgement.verdict.is_none());
    Ok(if crashed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn source_line(source: &str, rows: &[Judged]) {
    let count = |verdict| rows.iter().filter(|row| row.judgement.verdict == verdict).count();
    let share = |n: usize| format!("{n} = {:.2} %", 100.0 * n as f64 / rows.len().max(1) as f64);
    println!(
        "{source:<14} {:>7} {:>15} {:>15} {:>7}",
        rows.len(),
        share(count(Some(Verdict::Ask))),
        share(count(Some(Verdict::Block))),
        count(None)
    );
}

fn everything_of(rule: &str, rows: &[Judged]) {
    for row in rows.iter().filter(|row| row.judgement.rules().contains(&rule)) {
        println!("{:<6} {}", row.judgement.name(), shortened(&row.command));
    }
}

fn askers(rows: &[Judged], samples: usize) {
    let mut rules = Askers::default();
    let mut programs = Askers::default();
    for row in rows.iter().filter(|row| row.judgement.verdict != Some(Verdict::Allow)) {
        match row.judgement.assessment.reasons.first() {
            Some(reason) => {
                rules.add(reason.rule.as_str(), &row.command);
                let cause = reason.span.of(&row.command).and_then(|text| text.split_whitespace().next());
                programs.add(cause.unwrap_or("(nowhere)"), &row.command);
            }
            None => rules.add("(no reason)", &row.command),
        }
    }
    rules.print("by gravest rule", samples);
    programs.print("by the first word of what causes it", samples);
}

impl<'a> Askers<'a> {
    fn add(&mut self, name: &str, command: &'a str) {
        self.0.entry(name.to_owned()).or_default().push(command);
    }

    fn print(self, title: &str, samples: usize) {
        println!("\nasked or blocked, {title}:");
        let mut sorted: Vec<_> = self.0.into_iter().collect();
        sorted.sort_by_key(|(_, commands)| std::cmp::Reverse(commands.len()));
        for (name, commands) in sorted.into_iter().take(TOP) {
            println!("{:>6}  {}", commands.len(), shortened(&name));
            // Spread over the whole list, since neighbours often come from one author.
            let stride = (commands.len() / samples.max(1)).max(1);
            for command in commands.into_iter().step_by(stride).take(samples) {
                println!("            {}", shortened(command));
            }
        }
    }
}

fn times(rows: &mut [Judged]) {
    rows.sort_by_key(|row| row.judgement.took);
    let at = |per_mille: usize| {
        rows.get((rows.len() * per_mille / 1000).min(rows.len().saturating_sub(1)))
            .map_or(Duration::ZERO, |row| row.judgement.took)
    };
    println!(
        "\ntimes: median {:?}, 90 % {:?}, 99 % {:?}, 99.9 % {:?}, longest {:?}",
        at(500),
        at(900),
        at(990),
        at(999),
        at(1000)
    );
    for row in rows.iter().rev().take(5) {
        println!("{:>12?}  {} bytes  {}", row.judgement.took, row.command.len(), shortened(&row.command));
    }
    for row in rows.iter().filter(|row| row.judgement.verdict.is_none()).take(TOP) {
        println!("CRASHED  {}", shortened(&row.command));
    }
}
