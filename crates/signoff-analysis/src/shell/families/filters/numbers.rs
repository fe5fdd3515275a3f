//! `seq` and `expr`.

use crate::{
    shell::{
        Call, Shell,
        options::{Options, Syntax},
    },
    value::{Feed, Origin, Value},
};

fn unknown(call: &Call) -> Feed {
    let origins: Vec<Origin> = call
        .args
        .iter()
        .flat_map(|arg| arg.value.origins())
        .cloned()
        .chain([Origin::Program(call.name.clone())])
        .collect();
    Feed::from_all(origins)
}

pub(super) fn seq(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax { short_values: "fst", long_values: &["format", "separator"], ..Syntax::default() },
    );
    // A negative number looks like an option, so the numbers are read from the plain arguments.
    let numbers: Option<Vec<i64>> = call
        .args
        .iter()
        .filter(|arg| !arg.is_option() || arg.known().is_some_and(|text| text.parse::<i64>().is_ok()))
        .map(|arg| arg.known().and_then(|text| text.parse().ok()))
        .collect();
    let plain = options.given.iter().all(|given| given.name.parse::<u8>().is_ok());
    let (first, step, last) = match numbers.as_deref() {
        Some([last]) if plain => (1, 1, *last),
        Some([first, last]) if plain => (*first, 1, *last),
        Some([first, step, last]) if plain && *step != 0 => (*first, *step, *last),
        _ => return unknown(call),
    };
    // Each number takes two letters at least: a list that is too long is not begun.
    let most = i64::try_from(super::MOST / 2).unwrap_or(i64::MAX);
    if last.checked_sub(first).is_none_or(|span| span / step > most) {
        return unknown(call);
    }
    let mut text = String::new();
    let mut at = first;
    while if step > 0 { at <= last } else { at >= last } {
        text.push_str(&at.to_string());
        text.push('\n');
        if text.len() > super::MOST {
            return unknown(call);
        }
        match at.checked_add(step) {
            Some(next) => at = next,
            None => break,
        }
    }
    shell.spend(text.len() / 256);
    Feed::of(Value::text(text))
}

pub(super) fn expr(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    let words: Option<Vec<&str>> = call.args.iter().map(|arg| arg.known()).collect();
    let number = |text: &str| text.parse::<i64>().ok();
    let result = match words.as_deref() {
        Some([one]) => Some((*one).to_owned()),
        Some(["length", text]) => Some(text.chars().count().to_string()),
        Some(["index", text, set]) => {
            Some(text.chars().position(|letter| set.contains(letter)).map_or(0, |at| at + 1).to_string())
        }
        Some(["substr", text, from, count]) => number(from).zip(number(count)).map(|(from, count)| {
            let from = usize::try_from(from - 1).unwrap_or(usize::MAX);
            text.chars().skip(from).take(usize::try_from(count).unwrap_or(0)).collect()
        }),
        Some([left, sign, right]) => number(left)
            .zip(number(right))
            .and_then(|(left, right)| match *sign {
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "*" => left.checked_mul(right),
                "/" => left.checked_div(right),
                "%" => left.checked_rem(right),
                _ => None,
            })
            .map(|number| number.to_string()),
        _ => None,
    };
    match result {
        Some(text) => Feed::of(Value::text(format!("{text}\n"))),
        None => unknown(call),
    }
}
