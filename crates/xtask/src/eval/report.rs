//! The report for the terminal.

use std::collections::BTreeSet;

use signoff_card::visible;

use super::{
    Options,
    history::{Change, History},
    score::{Limit, Outcome, Score, Share, bars},
};

/// How much of a command a line shows.
const SHORT: usize = 150;

pub(crate) fn print(outcomes: &[Outcome], history: &History, options: &Options) {
    if !options.show.is_empty() {
        return show(outcomes, &options.show);
    }
    if !options.quiet {
        list(outcomes, options);
        changes(outcomes, history);
    }
    scores(outcomes);
}

/// A text on one line, with everything that deceives made visible, cut with the number of characters left out.
pub(crate) fn shortened(text: &str) -> String {
    let count = text.chars().count();
    let shown: String = text.chars().take(SHORT).collect();
    let rest = if count > SHORT { format!(" …+{}", count - SHORT) } else { String::new() };
    visible(&shown) + &rest
}

fn list(outcomes: &[Outcome], options: &Options) {
    let mut sorted: Vec<&Outcome> = outcomes.iter().filter(|outcome| options.all || outcome.miss().is_some()).collect();
    sorted.sort_by_key(|outcome| outcome.miss());
    for outcome in sorted {
        let row = &outcome.row;
        let kind = outcome.miss().map_or("", super::score::Miss::name);
        let dispute = if row.is_undisputed() { "" } else { " (debatable)" };
        println!(
            "{kind:<12} {} {}: {} for {}{dispute}  [{}]",
            row.set,
            row.id,
            outcome.judgement.name(),
            row.label,
            outcome.judgement.rules().join(", ")
        );
        println!("    {}", shortened(&row.text));
        println!("    {} [{}]", row.why, row.tags.join(" "));
    }
    println!();
}

fn changes(outcomes: &[Outcome], history: &History) {
    if history.is_empty() {
        println!("no previous run to compare with\n");
        return;
    }
    let mut counts = [0usize; 3];
    for outcome in outcomes {
        let Some((before, change)) = history.change(outcome) else { continue };
        let (place, word) = match change {
            Change::Better => (0, "better"),
            Change::Worse => (1, "WORSE"),
            Change::Sideways => (2, "other"),
        };
        if let Some(count) = counts.get_mut(place) {
            *count += 1;
        }
        let row = &outcome.row;
        println!(
            "{word:<7} {}: {before} → {} (wanted {})  {}",
            row.id,
            outcome.judgement.name(),
            row.label,
            shortened(&row.text)
        );
    }
    let [better, worse, other] = counts;
    println!("since the previous run: {better} better, {worse} worse, {other} other\n");
}

fn scores(outcomes: &[Outcome]) {
    println!(
        "{:<24} {:>5} {:>8} {:>8} {:>10} {:>16} {:>16} {:>16} {:>14}",
        "", "rows", "strict", "lenient", "undisputed", "missed", "bothered", "absurd blocked", "over-blocked"
    );
    let sets: BTreeSet<&str> = outcomes.iter().map(|outcome| outcome.row.set.as_str()).collect();
    let tags: BTreeSet<&str> =
        outcomes.iter().flat_map(|outcome| outcome.row.tags.iter().map(String::as_str)).collect();
    for set in sets {
        line(set, &Score::of(outcomes.iter().filter(|outcome| outcome.row.set == set)));
    }
    for tag in tags {
        let name = format!("  #{tag}");
        line(&name, &Score::of(outcomes.iter().filter(|outcome| outcome.row.tags.iter().any(|t| t == tag))));
    }
    line("all", &Score::of(outcomes));
    println!();
    for bar in bars(outcomes) {
        let limit = match bar.limit {
            Limit::AtMost(limit) => format!("≤ {limit} %"),
            Limit::AtLeast(limit) => format!("≥ {limit} %"),
        };
        let word = if bar.holds() { "holds" } else { "FAILS" };
        println!("{word}  {:<18} {:<18} {limit}", bar.name, counted(bar.share));
    }
}

fn line(name: &str, score: &Score) {
    println!(
        "{name:<24} {:>5} {:>8} {:>8} {:>10} {:>16} {:>16} {:>16} {:>14}",
        score.strict.whole,
        percent(score.strict),
        percent(score.lenient),
        percent(score.undisputed),
        counted(score.missed),
        counted(score.bothered),
        counted(score.absurd),
        counted(score.over_blocked),
    );
}

fn percent(share: Share) -> String {
    share.percent().map_or_else(|| "–".to_owned(), |percent| format!("{percent:.1}"))
}

fn counted(share: Share) -> String {
    if share.whole == 0 {
        return "–".to_owned();
    }
    format!("{}/{} = {} %", share.part, share.whole, percent(share))
}

fn show(outcomes: &[Outcome], wanted: &[String]) {
    for outcome in outcomes {
        let row = &outcome.row;
        if !wanted.iter().any(|text| row.id == *text || row.text.contains(text.as_str())) {
            continue;
        }
        println!("{} {}: {} for {:?}", row.set, row.id, outcome.judgement.name(), row.accept);
        println!("  {}", row.text.replace('\n', "\n  "));
        println!("  why: {} [{}]", row.why, row.tags.join(" "));
        let assessment = &outcome.judgement.assessment;
        println!(
            "  risk {}, prohibition {:?}, took {:?}",
            assessment.risk, assessment.prohibition, outcome.judgement.took
        );
        for reason in &assessment.reasons {
            let at = reason.span.of(&row.text).unwrap_or("");
            println!("  reason {} ({}): {}  ‹{}›", reason.rule, reason.risk, reason.message, shortened(at));
        }
        for effect in &assessment.effects {
            let at = effect.span.of(&row.text).unwrap_or("");
            println!(
                "  effect {} {:?} {} {}  ‹{}›",
                effect.kind.name(),
                effect.target,
                effect.scope.name(),
                effect.reversible.name(),
                shortened(at)
            );
        }
        println!("  coverage {:?}", assessment.coverage);
        for safer in &assessment.safer {
            println!("  safer {}", safer.command);
        }
        println!();
    }
}
