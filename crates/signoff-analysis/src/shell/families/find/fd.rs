//! `fd`: a search by a regular expression, and a program for each result.

use super::{replace, standing_in};
use crate::{
    shell::{
        Call, Shell,
        families::filters::Lines,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin, Origins, Value},
};

const FD: Syntax = Syntax {
    short_values: "dtEeScjoC",
    long_values: &[
        "max-depth",
        "min-depth",
        "exact-depth",
        "type",
        "exclude",
        "extension",
        "size",
        "changed-within",
        "changed-before",
        "newer",
        "older",
        "color",
        "threads",
        "owner",
        "base-directory",
        "search-path",
        "max-results",
        "ignore-file",
        "format",
        "and",
        "path-separator",
        "batch-size",
    ],
    long_flags: &["exec", "exec-batch", "glob", "hidden", "no-ignore", "list-details"],
    stops_at_operand: false,
    single_dash_long: false,
};

pub(super) fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help_first() {
        return Feed::none();
    }
    let is_exec = |arg: &Arg| {
        matches!(arg.known(), Some("-x" | "--exec" | "-X" | "--exec-batch"))
            || arg.value.prefix().starts_with("--exec=")
            || arg.value.prefix().starts_with("--exec-batch=")
    };
    let split = call.args.iter().position(is_exec).unwrap_or(call.args.len());
    let (search, run) = call.args.split_at_checked(split).unwrap_or((&call.args, &[]));
    let options = Options::read(search, &FD);
    match options.value(&["C", "base-directory"]).cloned() {
        Some(directory) => standing_in(shell, &directory, |shell| find(shell, call, &options, run)),
        None => find(shell, call, &options, run),
    }
}

/// Searches from where the shell stands, and runs a program for what is found.
fn find(shell: &mut Shell<'_>, call: &Call, options: &Options<'_>, run: &[Arg]) -> Feed {
    let origins = origins(&call.name, options);
    if run.is_empty() {
        // What is made of a path is none any more.
        let as_found = options.value(&["format"]).is_none_or(|format| format.is("{}"));
        return Lines::chosen_if(as_found).of(Feed::from_all(origins), &call.name);
    }
    let found = Value::unknown("{}", origins.clone());
    let mut argv: Vec<Arg> = Vec::new();
    for (index, arg) in run.iter().enumerate() {
        let text = arg.value.prefix();
        match (index, text.split_once('=')) {
            (0, Some((_, program))) => argv.push(Arg::text(program, arg.span)),
            (0, None) => {}
            _ if arg.is(";") => break,
            _ => argv.push(arg.clone()),
        }
    }
    // A part of a path leads elsewhere than the path does.
    let mut parts = origins;
    parts.blurred_by(Origin::Program(call.name.clone()));
    let part = Value::unknown("{}", parts);
    let marks = [("{}", &found), ("{/}", &part), ("{//}", &part), ("{.}", &part), ("{/.}", &part)];
    if !argv.iter().any(|arg| marks.iter().any(|(mark, _)| arg.shown().contains(mark))) {
        argv.push(Arg::text("{}", call.span));
    }
    for arg in &mut argv {
        for (mark, value) in marks {
            arg.value = replace(&arg.value, mark, value);
        }
    }
    let span = run.first().zip(run.last()).map_or(call.span, |(first, last)| first.span.to(last.span));
    shell.run(&argv, Feed::none(), span)
}

/// What is found: by extension, by glob, or by an expression that only narrows.
fn origins(program: &str, options: &Options<'_>) -> Origins {
    let mut roots: Vec<String> = options.operands.iter().skip(1).map(|root| root.shown().into_owned()).collect();
    roots.extend(options.values(&["search-path"]).map(|root| root.shown().into_owned()));
    if roots.is_empty() {
        roots.push(".".to_owned());
    }
    let pattern = options.operand(0).unwrap_or_default();
    let mut names: Vec<String> = options
        .values(&["e", "extension"])
        .map(|ending| format!("*.{}", ending.shown().trim_start_matches('.')))
        .collect();
    if names.is_empty() && !matches!(pattern, "" | "." | ".*") {
        let plain = pattern.trim_start_matches('^').trim_end_matches('$');
        let literal =
            !plain.is_empty() && plain.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter));
        names.push(match () {
            () if options.has(&["g", "glob"]) => pattern.to_owned(),
            () if literal => plain.to_owned(),
            () => "*".to_owned(),
        });
    }
    let narrowed = options.has(&["S", "size", "changed-within", "changed-before", "newer", "older", "o", "owner"]);
    if names.is_empty() && narrowed {
        names.push("*".to_owned());
    }
    let under = |root: &String| -> Vec<String> {
        let base = root.trim_end_matches('/');
        match names.is_empty() {
            true => vec![if base.is_empty() { "/".to_owned() } else { base.to_owned() }],
            false => names.iter().map(|name| format!("{base}/**/{name}")).collect(),
        }
    };
    roots.iter().flat_map(under).map(|under| Origin::listing(program, under)).collect()
}
