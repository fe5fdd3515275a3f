//! Deleting: `rm` and its kin, with and without a way back.

use signoff_model::{EffectKind, Scope};

use super::{EMPTY_TRASH, PLAIN, SHRED, TO_TRASH};
use crate::{
    path_effects::{Depth, WRITE_DISK, Write, delete_rule},
    place::Nature,
    shell::{
        Call, Shell,
        families::{secrets::hostage, system::names_disk},
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Piece},
};

const RM: Syntax = Syntax {
    long_values: &["interactive"],
    long_flags: &[
        "recursive",
        "force",
        "no-preserve-root",
        "preserve-root",
        "one-file-system",
        "verbose",
        "dir",
        "help",
        "version",
    ],
    ..PLAIN
};

/// `rm`. Whoever runs it answers what `-i` asks, and that is the agent itself: it deletes as without.
pub(super) fn rm(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // Only GNU looks for options behind operands, and not when it is told to keep to POSIX.
    if call.asks_for_help_first() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &RM);
    let depth = if options.has(&["r", "R", "recursive"]) { Depth::Recursive } else { Depth::Single };
    for operand in options.operands.iter().filter(|operand| !operand.value.is_empty()) {
        hostage::remove(shell, operand);
        // On other systems than Linux, `-P` writes over what is in a file before.
        if options.has(&["P"]) { shell.delete(operand, depth) } else { shell.unlink(operand, depth) }
    }
    offer_look(shell, &options, depth);
    Feed::none()
}

/// Offers to look at what would go, where the names do not say it all: a whole tree, or what fits a pattern.
fn offer_look(shell: &mut Shell<'_>, options: &Options<'_>, depth: Depth) {
    let Some(words) = options.operands.iter().map(|operand| plain_word(operand)).collect::<Option<Vec<_>>>() else {
        return;
    };
    let asks = |operand: &&Arg| {
        let place = shell.place(&operand.value);
        if shell.is_own_file(&place) {
            return None;
        }
        delete_rule(&place, depth)
    };
    let rules: Vec<_> = options.operands.iter().filter_map(asks).collect();
    if rules.iter().all(|rule| rule.risk < signoff_model::Risk::Medium)
        || rules.iter().any(|rule| rule.prohibition.is_some())
    {
        return;
    }
    let words = words.join(" ");
    if depth == Depth::Recursive {
        shell.safer(format!("find {words}"));
    } else if options.operands.iter().any(|operand| operand.value.has_glob()) {
        shell.safer(format!("ls -d {words}"));
    }
}

/// The argument as it can be written again without quotes; none if it would need them.
fn plain_word(arg: &Arg) -> Option<String> {
    let text = arg.value.known_with_globs()?;
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+,=@%:*?~".contains(letter);
    let literal_glob = arg.known().is_some_and(|known| known.contains(['*', '?', '[']));
    let disguised = crate::disguise::find(&text).next().is_some();
    (!text.is_empty() && !text.starts_with(['-', '~']) && text.chars().all(plain) && !literal_glob && !disguised)
        .then(|| text.into_owned())
}

pub(super) fn rmdir(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if !call.asks_for_help_first() {
        let options = Options::read(&call.args, &PLAIN);
        for operand in &options.operands {
            shell.delete(operand, Depth::EmptyOnly);
        }
    }
    Feed::none()
}

pub(super) fn unlink(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if !call.asks_for_help_first() {
        let options = Options::read(&call.args, &PLAIN);
        for operand in &options.operands {
            hostage::remove(shell, operand);
            shell.delete(operand, Depth::Single);
        }
    }
    Feed::none()
}

const SHRED_OPTIONS: Syntax =
    Syntax { short_values: "nsp", long_values: &["iterations", "size", "random-source", "pattern", "remove"], ..PLAIN };

/// `shred`, `srm`, `wipe`: as deleting, and harmless only where nothing of worth can lie.
pub(super) fn shred(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help_first() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &SHRED_OPTIONS);
    let depth = if options.has(&["r", "R", "recursive"]) { Depth::Recursive } else { Depth::Single };
    for operand in &options.operands {
        hostage::remove(shell, operand);
        let place = shell.place(&operand.value);
        match delete_rule(&place, depth) {
            _ if names_disk(&operand.value) => shell.report(&WRITE_DISK, place.target(), place.scope, operand.span),
            _ if place.nature == Nature::Disk => shell.write_at(&place, Write::Replace, operand.span),
            None => shell.delete_at(&place, depth, operand.span),
            Some(rule) if rule.prohibition.is_some() => shell.delete_at(&place, depth, operand.span),
            Some(_) => shell.report(&SHRED, place.target(), place.scope, operand.span),
        }
    }
    Feed::none()
}

/// `tmpreaper`, `tmpwatch`: what has not been used for a while is deleted below each directory.
pub(super) fn reap(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "UxX",
        long_values: &["user", "exclude", "exclude-pattern", "protect", "delay"],
        ..PLAIN
    };
    if call.asks_for_help() || call.rehearses(&["-t", "--test"]) {
        return Feed::none();
    }
    let options = Options::read(&call.args, &SYNTAX);
    // The first one is the time.
    for operand in options.operands.iter().skip(1) {
        let mut below = operand.value.clone();
        below.push(Piece::text("/"));
        below.push(Piece::glob("*"));
        shell.delete(&Arg { value: below, span: operand.span }, Depth::Recursive);
    }
    Feed::none()
}

/// Trash cans: what goes in comes out again.
pub(super) fn trash(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help_first() {
        return Feed::none();
    }
    match call.name.as_str() {
        "trash-empty" if call.rehearses(&["--dry-run"]) => {}
        "trash-empty" | "trash-rm" => shell.tell(&EMPTY_TRASH, call.name.clone(), call.span),
        "trash-list" | "trash-restore" | "restore-trash" => {}
        "trash" if matches!(call.arg(0), Some("list" | "restore" | "status")) => {}
        "trash" | "gtrash" | "gomi"
            if matches!(call.arg(0), Some("empty" | "-e" | "rm" | "prune" | "find" | "--empty" | "-s")) =>
        {
            shell.tell(&EMPTY_TRASH, call.name.clone(), call.span);
        }
        "rip" if call.has_any(&["-d", "--decompose"]) => shell.tell(&EMPTY_TRASH, call.name.clone(), call.span),
        "rip" if call.has_any(&["-s", "--seance", "-u", "--unbury"]) => {}
        _ => {
            let options = Options::read(&call.args, &PLAIN);
            let skip = usize::from(matches!(options.operand(0), Some("put" | "move")));
            for operand in options.operands.iter().skip(skip) {
                into_trash(shell, operand);
            }
        }
    }
    Feed::none()
}

/// `gio trash`, `gio remove`; the other verbs of `gio` look, copy or open.
pub(super) fn gio(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &PLAIN);
    let (verb, files) = if call.name == "gio" { (options.operand(0), 1) } else { (Some("trash"), 0) };
    let files = options.operands.get(files..).unwrap_or_default();
    match verb {
        Some("trash") if options.has(&["empty"]) => shell.tell(&EMPTY_TRASH, "gio trash", call.span),
        Some("trash") if options.has(&["list", "restore"]) => {}
        Some("trash") => files.iter().for_each(|file| into_trash(shell, file)),
        Some("remove") => files.iter().for_each(|file| shell.delete(file, Depth::Single)),
        Some("move" | "rename") => {
            if let [from, to] = files {
                shell.relocate(from, to, Write::Replace);
            }
        }
        Some("copy") => {
            if let Some((to, from)) = files.split_last() {
                from.iter().for_each(|from| super::copy::copy_one(shell, from, to, Write::Replace));
            }
        }
        Some("save") => files.iter().for_each(|file| shell.write(file, Write::Replace)),
        Some("cat") => {
            return files.iter().fold(Feed::none(), |feed, file| feed.then(shell.read(file)));
        }
        _ => {}
    }
    Feed::none()
}

/// Something goes to the trash: a routine step brings it back, unless it is a place that must not go at all.
fn into_trash(shell: &mut Shell<'_>, arg: &Arg) {
    let place = shell.place(&arg.value);
    match delete_rule(&place, Depth::Recursive) {
        Some(rule) if rule.prohibition.is_some() || place.scope == Scope::System => {
            shell.delete_at(&place, Depth::Recursive, arg.span)
        }
        Some(rule) if place.is_pattern() || rule.risk >= signoff_model::Risk::Critical => {
            shell.delete_at(&place, Depth::Recursive, arg.span);
        }
        Some(_) => shell.report(&TO_TRASH, place.target(), place.scope, arg.span),
        None => shell.note(EffectKind::Delete, place.target(), place.scope, arg.span),
    }
}
