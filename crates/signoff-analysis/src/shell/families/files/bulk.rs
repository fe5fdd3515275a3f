//! Programs that change many files at once: renaming, hunting duplicates, farms of links.

use super::{ADOPT, BULK_RENAME, DELETE_DUPLICATES, PLAIN};
use crate::{
    shell::{
        Call, Language, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin},
};

/// Mass renaming. Some of these only show what they would do unless they are told to act.
pub(super) fn rename(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() || call.args.is_empty() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &Syntax { short_values: "e", long_values: &["expr"], ..PLAIN });
    let dry = match call.name.as_str() {
        "rnr" => !options.has(&["f", "force"]),
        "f2" => !options.has(&["x", "exec"]),
        "convmv" => !options.has(&["notest"]),
        "brename" => options.has(&["d", "dry-run"]),
        "mmv" => options.has(&["n"]),
        "nomino" => options.has(&["t", "test"]),
        _ => options.has(&["n", "no-act", "nono", "dry-run", "just-print"]),
    };
    let expressions =
        options.values(&["e", "expr"]).chain(options.operands.first().copied().filter(|first| looks_like_perl(first)));
    let expressions: Vec<Arg> = expressions.cloned().collect();
    for expression in &expressions {
        shell.run_code(Language::Perl, expression, Feed::none());
    }
    if !dry {
        let files = options.operands.iter().skip(1).map(|arg| arg.shown().into_owned()).collect::<Vec<_>>().join(" ");
        shell.tell(&BULK_RENAME, if files.is_empty() { call.name.to_string() } else { files }, call.span);
    }
    Feed::none()
}

/// Whether the first operand of `rename` is code and not a plain text to replace.
fn looks_like_perl(arg: &Arg) -> bool {
    arg.known().is_some_and(|text| text.contains(['/', '(', ';', '|', '$']))
}

/// Programs that find duplicates, and may delete them or replace them by links.
pub(super) fn duplicates(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &PLAIN);
    let acts = match call.name.as_str() {
        "fdupes" => options.has(&["d", "delete"]),
        "jdupes" => options.has(&["d", "delete", "L", "linkhard", "l", "linksoft", "B", "dedupe"]),
        "rdfind" => {
            let on = |name: &str| {
                call.args.windows(2).any(|pair| matches!(pair, [first, second] if first.is(name) && second.is("true")))
            };
            (on("-deleteduplicates") || on("-makehardlinks") || on("-makesymlinks")) && !on("-n") && !on("-dryrun")
        }
        "fclones" => matches!(call.arg(0), Some("remove" | "link" | "move" | "dedupe")) && !options.has(&["dry-run"]),
        "hardlink" => !options.has(&["n", "dry-run"]),
        "duff" | "dupd" => false,
        _ => false,
    };
    if acts {
        let place = options.operands.last().map_or(call.name.clone().into(), |last| last.shown());
        shell.tell(&DELETE_DUPLICATES, place.into_owned(), call.span);
    }
    Feed::from(Origin::listing(call.name.clone(), String::new()))
}

/// `stow` makes and removes links; only `--adopt` touches what others wrote.
pub(super) fn stow(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let syntax = Syntax { short_values: "dt", long_values: &["dir", "target", "ignore", "defer", "override"], ..PLAIN };
    let options = Options::read(&call.args, &syntax);
    if options.has(&["adopt"]) && !options.has(&["n", "no", "simulate"]) {
        shell.tell(&ADOPT, options.operand(0).unwrap_or_default(), call.span);
    }
    Feed::none()
}
