//! Filters that work line by line, on a text that is known.

use super::{input, mapped};
use crate::{
    shell::{
        Call, Shell,
        options::{Options, Syntax},
    },
    value::Feed,
};

/// Each line backwards.
pub(super) fn rev(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        all.extend(bare.chars().rev());
        if line.ends_with('\n') {
            all.push('\n');
        }
    }
    all
}

/// The lines in the opposite order.
pub(super) fn tac(text: &str) -> String {
    text.split_inclusive('\n').rev().collect()
}

/// Lines of at most `width` bytes; only for plain letters, where a byte is a column.
pub(super) fn fold(text: &str, width: usize) -> Option<String> {
    if width == 0 || !text.bytes().all(|byte| byte == b'\n' || byte == b' ' || byte.is_ascii_graphic()) {
        return None;
    }
    let mut all = String::with_capacity(text.len() + text.len() / width);
    let mut column = 0;
    for letter in text.chars() {
        if letter == '\n' {
            column = 0;
        } else {
            if column == width {
                all.push('\n');
                column = 0;
            }
            column += 1;
        }
        all.push(letter);
    }
    Some(all)
}

/// All lines as one, with the delimiters in turn between them: `paste -s`.
pub(super) fn join(text: &str, delimiters: &str) -> Option<String> {
    let delimiters: Vec<&str> = match delimiters {
        "" | "\\0" => vec![""],
        "\\n" => vec!["\n"],
        "\\t" => vec!["\t"],
        text if text.contains('\\') => return None,
        text => text.split("").filter(|letter| !letter.is_empty()).collect(),
    };
    let mut all = String::with_capacity(text.len());
    for (at, line) in text.lines().enumerate() {
        if at > 0 {
            all.push_str(delimiters.get((at - 1) % delimiters.len()).copied().unwrap_or_default());
        }
        all.push_str(line);
    }
    all.push('\n');
    Some(all)
}

/// The first lines or bytes of a text, as `head` counts them; a negative number leaves out that many at the end.
pub fn head(text: &str, unit: Unit, count: i64) -> Option<&str> {
    let parts = positions(text, unit);
    let wanted = usize::try_from(count.unsigned_abs()).ok()?;
    let keep = if count < 0 { parts.len().saturating_sub(wanted) } else { wanted.min(parts.len()) };
    match parts.get(keep) {
        Some(end) => text.get(..*end),
        None => Some(text),
    }
}

/// The last lines or bytes of a text, as `tail` counts them; `from_start` begins at that line or byte instead.
pub fn tail(text: &str, unit: Unit, count: usize, from_start: bool) -> Option<&str> {
    let parts = positions(text, unit);
    let skip = if from_start { count.saturating_sub(1) } else { parts.len().saturating_sub(count) };
    match parts.get(skip) {
        Some(start) => text.get(*start..),
        None => Some(""),
    }
}

/// What `head`, `tail`, `sort` or `uniq` make of a text; none if files are named or an option is not followed.
pub(super) fn compute(call: &Call, text: &str) -> Option<String> {
    let options = Options::read(
        &call.args,
        &Syntax { short_values: "nc", long_values: &["lines", "bytes"], ..Syntax::default() },
    );
    if options.operands.iter().any(|operand| !operand.is("-")) {
        return None;
    }
    let only = |known: &[&str]| options.given.iter().all(|given| known.contains(&given.name.as_str()));
    match call.name.trim_start_matches('g') {
        "uniq" => only(&[]).then(|| uniq(text)),
        "sort" => {
            // `-n` takes no value here, so that a cluster such as `-nr` is read by its letters.
            let flags: Option<String> = call.args.iter().map(|arg| arg.known()?.strip_prefix('-')).collect();
            let flags = flags.filter(|flags| flags.chars().all(|flag| "nru".contains(flag)))?;
            Some(sort(text, flags.contains('n'), flags.contains('r'), flags.contains('u')))
        }
        name => {
            let digits =
                |arg: &crate::value::Arg| arg.known().and_then(|text| text.strip_prefix('-')?.parse::<i64>().ok());
            let (unit, count) = match call.args.as_slice() {
                [] => (Unit::Lines, "10".to_owned()),
                [only] if digits(only).is_some_and(|count| count >= 0) => (Unit::Lines, digits(only)?.to_string()),
                _ if !only(&["n", "c", "lines", "bytes"]) || options.given.len() != 1 => return None,
                _ => match options.value(&["n", "lines"]) {
                    Some(lines) => (Unit::Lines, lines.known()?.to_owned()),
                    None => (Unit::Bytes, options.value(&["c", "bytes"])?.known()?.to_owned()),
                },
            };
            match name {
                "head" => head(text, unit, count.parse().ok()?).map(str::to_owned),
                _ => tail(text, unit, count.trim_start_matches(['+', '-']).parse().ok()?, count.starts_with('+'))
                    .map(str::to_owned),
            }
        }
    }
}

/// What `head` and `tail` count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Lines.
    Lines,
    /// Bytes.
    Bytes,
}

/// Where each line or byte begins.
fn positions(text: &str, unit: Unit) -> Vec<usize> {
    match unit {
        Unit::Bytes => (0..text.len()).collect(),
        Unit::Lines => {
            let mut at = 0;
            text.split_inclusive('\n')
                .map(|line| {
                    let start = at;
                    at += line.len();
                    start
                })
                .collect()
        }
    }
}

/// The lines sorted, as `sort` does in the C locale.
pub fn sort(text: &str, numeric: bool, reverse: bool, unique: bool) -> String {
    let number = |line: &str| {
        let text = line.trim_start();
        let end =
            text.find(|letter: char| !letter.is_ascii_digit() && letter != '-' && letter != '.').unwrap_or(text.len());
        text.get(..end).and_then(|digits| digits.parse::<f64>().ok()).unwrap_or(0.0)
    };
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_by(|a, b| {
        let order = if numeric { number(a).total_cmp(&number(b)).then(a.cmp(b)) } else { a.cmp(b) };
        if reverse { order.reverse() } else { order }
    });
    if unique {
        lines.dedup();
    }
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

/// The lines without repetitions of the line before, as `uniq` without options.
pub fn uniq(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.dedup();
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

/// Positions such as `1,3-5,7-`.
fn ranges(list: &str) -> Option<Vec<(usize, usize)>> {
    list.split([',', ' '])
        .filter(|part| !part.is_empty())
        .map(|part| match part.split_once('-') {
            Some((from, to)) => {
                let from = if from.is_empty() { 1 } else { from.parse().ok()? };
                let to = if to.is_empty() { usize::MAX } else { to.parse().ok()? };
                Some((from, to))
            }
            None => part.parse().ok().map(|at| (at, at)),
        })
        .collect()
}

/// `cut`, by bytes, characters or fields.
pub(super) fn cut(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "bcdfO",
            long_values: &["bytes", "characters", "delimiter", "fields", "output-delimiter"],
            long_flags: &["only-delimited", "complement", "zero-terminated"],
            ..Syntax::default()
        },
    );
    let feed = input(shell, call, &options.operands);
    let fields = options.value(&["f", "fields"]).cloned();
    let columns = options.value(&["b", "bytes", "c", "characters"]).cloned();
    let delimiter =
        options.value(&["d", "delimiter"]).map_or(Some("\t".to_owned()), |text| text.known().map(str::to_owned));
    let between = options.value(&["O", "output-delimiter"]).map(|text| text.known().map(str::to_owned));
    let only = options.has(&["s", "only-delimited"]);
    let complement = options.has(&["complement"]);
    let odd = options.has(&["z", "zero-terminated"]);
    mapped(feed, "cut", |text| {
        if odd {
            return None;
        }
        let delimiter = delimiter?;
        let between = match between {
            Some(between) => between?,
            None if fields.is_some() => delimiter.clone(),
            None => String::new(),
        };
        let list = ranges(fields.as_ref().or(columns.as_ref())?.known()?)?;
        let wanted = |at: usize| list.iter().any(|(from, to)| (*from..=*to).contains(&at)) != complement;
        let mut all = String::with_capacity(text.len());
        for line in text.lines() {
            if fields.is_some() {
                if !line.contains(&delimiter) || delimiter.is_empty() {
                    if !only {
                        all.push_str(line);
                        all.push('\n');
                    }
                    continue;
                }
                let kept: Vec<&str> = line
                    .split(&delimiter)
                    .enumerate()
                    .filter(|(at, _)| wanted(at + 1))
                    .map(|(_, field)| field)
                    .collect();
                all.push_str(&kept.join(&between));
            } else if line.is_ascii() {
                all.extend(line.chars().enumerate().filter(|(at, _)| wanted(at + 1)).map(|(_, letter)| letter));
            } else {
                return None;
            }
            all.push('\n');
        }
        Some(all.into_bytes())
    })
}
