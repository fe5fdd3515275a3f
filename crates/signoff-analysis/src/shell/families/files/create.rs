//! Making files: new ones, temporary ones, longer and shorter ones, and what a pipe is written to.

use signoff_model::{Dialect, EffectKind, Scope};

use super::PLAIN;
use crate::{
    path_effects::{BULK_WRITE, Write},
    place::{Extent, Nature},
    shell::{
        Call, Shell, Written,
        options::{Options, Syntax, strip},
    },
    value::{Arg, Feed, Origin, Piece, Value},
};

const TRUNCATE: Syntax = Syntax {
    short_values: "sr",
    long_values: &["size", "reference"],
    long_flags: &["no-create", "io-blocks", "help"],
    ..PLAIN
};

/// `truncate`: a size that grows keeps what is there.
pub(super) fn truncate(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &TRUNCATE);
    let size = options.value(&["s", "size"]).map(|size| size.shown().into_owned());
    for operand in &options.operands {
        let nature = shell.place(&operand.value).nature;
        let how = match size.as_deref() {
            Some(size) if size.starts_with(['+', '>', '%', '/']) => Write::Append,
            Some(size) if size.trim_start_matches('0').is_empty() || size.starts_with(['-', '<', '$']) => Write::Empty,
            Some(size) if !size.starts_with(|letter: char| letter.is_ascii_digit()) => Write::Empty,
            _ if matches!(nature, Nature::Data) => Write::Empty,
            _ => Write::Replace,
        };
        shell.write(operand, how);
    }
    Feed::none()
}

/// `fallocate` makes a file longer, unless it punches holes.
pub(super) fn fallocate(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let syntax = Syntax {
        short_values: "lo",
        long_values: &["length", "offset"],
        long_flags: &["punch-hole", "zero-range", "collapse-range"],
        ..PLAIN
    };
    let options = Options::read(&call.args, &syntax);
    let how = if options.has(&["p", "z", "c", "punch-hole", "zero-range", "collapse-range"]) {
        Write::Empty
    } else {
        Write::Append
    };
    options.operands.iter().for_each(|operand| shell.write(operand, how));
    Feed::none()
}

/// `touch` makes an empty file where there is none, and otherwise changes only a date.
pub(super) fn touch(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(
        &call.args,
        &Syntax { short_values: "drt", long_values: &["date", "reference", "time"], ..PLAIN },
    );
    options.operands.iter().for_each(|operand| make(shell, operand));
    Feed::none()
}

pub(super) fn mkdir(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &Syntax { short_values: "m", long_values: &["mode"], ..PLAIN });
    for operand in &options.operands {
        make_directory(shell, operand);
    }
    if fails_where_one_is(&call.args) {
        options.operands.iter().for_each(|operand| shell.note_made_directory(operand));
    }
    Feed::none()
}

/// Whether `mkdir` fails where there is a directory already: only if it is surely told nothing else. Every abbreviation
/// of `--parents` makes it succeed, and an argument that is not known may be one.
fn fails_where_one_is(args: &[Arg]) -> bool {
    let plain = |text: &str| {
        !text.starts_with('-')
            || matches!(text, "-m" | "-v" | "--verbose" | "--mode")
            || text.strip_prefix("-m").or(text.strip_prefix("--mode=")).is_some_and(|mode| mode.parse::<u32>().is_ok())
    };
    args.iter().all(|arg| arg.known().is_some_and(plain))
}

pub(super) fn mkfifo(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &Syntax { short_values: "m", long_values: &["mode"], ..PLAIN });
    if let Some(operand) = options.operands.first() {
        make(shell, operand);
    }
    Feed::none()
}

/// A directory is made, where none was.
pub(super) fn make_directory(shell: &mut Shell<'_>, arg: &Arg) {
    make(shell, arg);
}

/// Something empty is made, where nothing was; what is there stays as it is.
fn make(shell: &mut Shell<'_>, arg: &Arg) {
    let place = shell.place(&arg.value);
    shell.check_option_name(&place, arg.span);
    let guarded =
        place.scope == Scope::System || matches!(place.nature, Nature::Signoff | Nature::StartUp | Nature::Accounts);
    if guarded && !matches!(place.nature, Nature::Stream | Nature::Cache) {
        shell.write_at(&place, Write::New, arg.span);
    } else {
        shell.note(EffectKind::Create, place.target(), place.scope, arg.span);
    }
}

/// `mktemp` prints the name of something that nobody else uses.
pub(super) fn mktemp(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: if call.name == "tempfile" { "dmnps" } else { "p" },
            long_values: &["suffix", "directory", "mode", "name", "prefix"],
            ..PLAIN
        },
    );
    let named = options.given.iter().find(|given| given.name == "tmpdir" || given.name.starts_with("tmpdir="));
    let directory = options
        .value(&["p"])
        .map(|directory| directory.value.clone())
        .or_else(|| named.and_then(|given| Some(strip(&given.arg.value, given.arg.value.prefix().find('=')? + 1))))
        .or_else(|| shell.variable("TMPDIR").cloned())
        .unwrap_or_else(|| Value::text("/tmp"));
    let template = options.operands.first().map_or_else(|| Value::text("tmp.XXXXXXXXXX"), |arg| arg.value.clone());
    let in_directory = options.operands.is_empty() || options.has(&["p", "t", "tmpdir"]) || named.is_some();
    let suffix = options.value(&["suffix"]).and_then(Arg::known).unwrap_or_default();
    match (directory.known(), template.known()) {
        (Some(directory), Some(template)) if call.name != "tempfile" => {
            let path = match in_directory {
                true => format!("{}/{template}{suffix}", directory.trim_end_matches('/')),
                false => format!("{template}{suffix}"),
            };
            match shell.fresh_name(&path) {
                Some(path) => Feed::of(Value::text(format!("{path}\n"))),
                None => Feed::from(Origin::TemporaryName),
            }
        }
        _ => Feed::from(Origin::TemporaryName),
    }
}

/// `tee` and `sponge`: what flows in is written, and `tee` passes it on.
pub(super) fn tee(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &Syntax { long_flags: &["append", "ignore-interrupts", "help"], ..PLAIN });
    if call.name == "pee" {
        for command in &options.operands {
            shell.run_text(command, Dialect::Sh, call.stdin.clone());
        }
        return call.stdin.clone().changed_by("pee");
    }
    let how = match options.has(&["a", "append"]) {
        true => Write::Append,
        false if !call.stdin.is_none() && call.stdin.is_blank() || is_noise(&call.stdin) => Write::Empty,
        false => Write::Replace,
    };
    if how == Write::Replace && call.name != "sponge" {
        replaced_alike(shell, &options.operands);
    }
    for operand in &options.operands {
        let place = shell.place(&operand.value);
        if call.name != "sponge" && how != Write::Append {
            shell.check_read_before(operand);
        }
        // What flows in may be a script that reads the file itself; otherwise nobody looks before it is put behind.
        let is_file = place.extent == Extent::Exact && place.nature != Nature::Stream;
        let unseen = call.stdin.known().is_none() && operand.value.by_listing().is_none();
        if how == Write::Append && is_file && unseen {
            shell.write_behind(&place, how, operand.span);
            shell.remember_more(&place, None, call.stdin.clone());
            continue;
        }
        let before = shell.written(&place.path).cloned();
        shell.write(operand, how);
        if how != Write::Append {
            shell.remember_written(operand, Written::Content(call.stdin.clone()));
        } else {
            let place = shell.place(&operand.value);
            if let Some(text) = call.stdin.known() {
                shell.plant(&place, text, operand.span);
            }
            shell.remember_more(&place, before, call.stdin.clone());
        }
    }
    if call.name == "sponge" && !options.operands.is_empty() { Feed::none() } else { call.stdin.clone() }
}

/// Says so if the same text replaces several files of the project: whatever told them apart is gone.
fn replaced_alike(shell: &mut Shell<'_>, files: &[&Arg]) {
    const SEVERAL: usize = 3;
    let kept = |file: &&&Arg| {
        let place = shell.place(&file.value);
        let notes = [".log", ".txt", ".out", ".tmp"].iter().any(|ending| place.path.ends_with(ending));
        let matters = matches!(place.nature, Nature::Ordinary | Nature::Source | Nature::Important | Nature::Data);
        place.scope == Scope::Project && matters && !notes && shell.written(&place.path).is_none()
    };
    let kept: Vec<&&Arg> = files.iter().filter(kept).collect();
    if let (Some(first), Some(last)) = (kept.first(), kept.last())
        && kept.len() >= SEVERAL
    {
        let place = shell.place(&first.value);
        shell.report(&BULK_WRITE, place.target(), place.scope, first.span.to(last.span));
    }
}

/// Whether what flows comes from a device that gives nothing, or noise.
fn is_noise(feed: &Feed) -> bool {
    let blank = |origin: &Origin| matches!(origin, Origin::File(path) if super::copy::is_blank(path));
    !feed.origins.is_empty() && feed.origins.iter().all(blank)
}

const SPLIT: Syntax = Syntax {
    short_values: "abCdlntf",
    long_values: &[
        "suffix-length",
        "bytes",
        "line-bytes",
        "lines",
        "number",
        "separator",
        "filter",
        "additional-suffix",
        "prefix",
        "suffix-format",
        "digits",
    ],
    ..PLAIN
};

/// How many parts come is not known: each file that has a name like one of them may be replaced.
fn stake_parts(shell: &mut Shell<'_>, prefix: &Arg) {
    const LETTERS: usize = 2;
    let Some(text) = prefix.known() else { return };
    let mut pattern = Value::text(text);
    pattern.push(Piece::glob("*"));
    for path in shell.matched(&pattern).unwrap_or_default() {
        let ending = path.strip_prefix(text).unwrap_or_default();
        if ending.len() >= LETTERS && ending.bytes().all(|sign| sign.is_ascii_alphanumeric()) {
            let place = shell.place(&Value::text(path));
            shell.overwrite_lost(&place, prefix.span);
        }
    }
}

/// `split` and `csplit` make new files beside the old one.
pub(super) fn split(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let syntax = if call.name == "csplit" {
        Syntax { short_values: "bfn", ..SPLIT }
    } else {
        Syntax { short_values: "abClnt", ..SPLIT }
    };
    let options = Options::read(&call.args, &syntax);
    let feed = match options.operands.first() {
        Some(input) if !input.is("-") => shell.read(input),
        _ => call.stdin.clone(),
    };
    if let Some(filter) = options.value(&["filter"]) {
        shell.run_text(filter, Dialect::Sh, feed.clone());
        return feed.changed_by("split");
    }
    let cuts =
        options.has(&["b", "bytes", "C", "line-bytes", "n", "number", "t", "separator"]) && call.name != "csplit";
    let feed = if cuts && feed.known().is_none() { feed.changed_by("split") } else { feed };
    let (usual, endings) = if call.name == "csplit" { ("xx", ["00", "01"]) } else { ("x", ["aa", "ab"]) };
    let prefix = match call.name == "csplit" {
        true => options.value(&["f", "prefix"]),
        false => options.operands.get(1).copied(),
    };
    stake_parts(shell, prefix.unwrap_or(&Arg::text(usual, call.span)));
    if let Some(prefix) = prefix {
        let mut made = prefix.clone();
        made.value.push(Piece::glob("*"));
        shell.write(&made, Write::New);
    }
    let prefix = prefix.cloned().unwrap_or_else(|| Arg::text(usual, call.span));
    let numbered = options.has(&["d", "numeric-suffixes"]);
    let endings = if numbered { ["00", "01"] } else { endings };
    for ending in endings {
        // Some of the lines come to stand in each, the first ones in the first: any of them may be all.
        let mut part = prefix.clone();
        part.value.push(Piece::text(ending));
        shell.remember_written(&part, Written::Content(feed.clone()));
    }
    Feed::none()
}
