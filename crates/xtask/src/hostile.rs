//! How long a decision takes on hostile texts, in process: every kind, at several lengths.

use std::{process::ExitCode, thread, time::Duration};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use signoff_hostile::{Hostile, MEBIBYTE};
use signoff_model::Verdict;
use signoff_policy::{Context, decide};

use crate::timing;

/// What the project promises for one text.
const BAR: Duration = Duration::from_millis(100);

/// Shows what grows faster than the text before it takes minutes, and is read to its end where that is possible: something
/// harmful behind such a text must be seen.
const SHORT: usize = 25_000;

/// The second length is the most that is read of code in other languages.
const LENGTHS: [usize; 4] = [SHORT, 120_000, 200_000, MEBIBYTE];

/// A text that takes longer than this is read again: what else the machine does is not its doing.
const SUSPICIOUS: Duration = Duration::from_millis(50);

#[derive(Args)]
pub(crate) struct Options {
    /// Which texts are read
    #[arg(long, value_enum, default_value_t = Search::All)]
    search: Search,
    /// Only kinds with this in their name
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Print only what takes longer than this, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    above: u64,
    /// Read only the shortest text of each kind: for a search through very many
    #[arg(long)]
    shortest: bool,
    /// Read only one of so many kinds: for a search through very many
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Exit 1 when the bar is missed
    #[arg(long)]
    gate: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Search {
    /// The list that tests and benchmarks have as well
    All,
    /// Every opening of every language behind everything that hands text to a reader
    Everywhere,
    /// Every two openings by turns
    Pairs,
    /// Every kind of small work in every place for it, in loops
    Rounds,
    /// Every use of every long value
    Uses,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    // A small stack, as the threads of a server have.
    thread::scope(|scope| {
        let reading = thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, || read(options))?;
        reading.join().map_err(|_| anyhow!("a text was too much for the reader"))?
    })
}

fn read(options: &Options) -> anyhow::Result<ExitCode> {
    let kinds: Box<dyn Iterator<Item = Hostile>> = match options.search {
        Search::All => Box::new(signoff_hostile::all().into_iter()),
        Search::Everywhere => Box::new(signoff_hostile::everywhere()),
        Search::Pairs => Box::new(signoff_hostile::pairs()),
        Search::Rounds => Box::new(signoff_hostile::rounds()),
        Search::Uses => Box::new(signoff_hostile::uses()),
    };
    let heads: String = LENGTHS.iter().map(|length| format!(" {length:>9}")).collect();
    println!("{:<44}{heads}   milliseconds", "bytes");
    let (mut worst, mut worst_name, mut missed, mut allowed, mut count) = (Duration::ZERO, String::new(), 0, 0, 0);
    let lengths = if options.shortest { LENGTHS.get(..1).unwrap_or_default() } else { &LENGTHS };
    let wanted = |kind: &Hostile| options.only.as_ref().is_none_or(|only| kind.name.contains(only));
    for kind in kinds.filter(wanted).step_by(options.every.max(1)) {
        count += 1;
        let mut line = format!("{:<44}", kind.name.chars().take(44).collect::<String>());
        let mut slowest = Duration::ZERO;
        for &length in lengths {
            let (taken, verdict) = judge(&kind.of_length(length));
            slowest = slowest.max(taken);
            line.push_str(&format!(" {:>9.1}", taken.as_secs_f64() * 1000.0));
            let hides = |text: &String| judge(text).1 == Verdict::Allow;
            if length == MEBIBYTE && verdict == Verdict::Allow
                || length == SHORT && kind.with_harm_behind(length).iter().all(hides)
            {
                allowed += 1;
                line.push_str("   LET THROUGH");
            }
            if taken > BAR {
                break;
            }
        }
        missed += usize::from(slowest > BAR);
        if slowest > worst {
            (worst, worst_name) = (slowest, kind.name.clone());
        }
        if slowest >= Duration::from_millis(options.above) {
            println!("{line}");
        }
    }
    let holds = missed == 0 && allowed == 0;
    println!(
        "{count} kinds: worst {:.1} ms ({worst_name}); {missed} above the bar of {} ms, {allowed} let through",
        worst.as_secs_f64() * 1000.0,
        BAR.as_millis(),
    );
    Ok(if options.gate && !holds { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The time to a decision, the best of three if it is long, and the verdict.
fn judge(text: &str) -> (Duration, Verdict) {
    let doubtful = |best, readings| readings < 3 && (SUSPICIOUS..10 * BAR).contains(&best);
    let (best, assessment) = timing::assessed(text, doubtful);
    (best, decide(&assessment, &Context::default()).verdict())
}
