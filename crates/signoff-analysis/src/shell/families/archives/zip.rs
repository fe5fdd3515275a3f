//! `zip` and `unzip`.

use signoff_model::Scope;

use super::{ARCHIVE_DELETE, PLAIN, pack, print_members, read_members, run_along, unpack};
use crate::{
    path_effects::{Depth, Write},
    place::Nature,
    shell::{
        Call, Shell,
        families::secrets::hostage,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin},
};

/// What `zip` was told, read by hand: its options have one or two letters, and some take lists.
#[derive(Default)]
struct Told<'a> {
    operands: Vec<&'a Arg>,
    test_commands: Vec<&'a Arg>,
    moves: bool,
    deletes: bool,
    looks: bool,
}

fn read_options(args: &[Arg]) -> Told<'_> {
    let mut told = Told::default();
    let mut rest = args.iter().peekable();
    while let Some(arg) = rest.next() {
        let text = arg.value.prefix();
        match text {
            "-TT" | "--unzip-command" => told.test_commands.extend(rest.next()),
            "-b"
            | "--temp-path"
            | "-n"
            | "--suffixes"
            | "-t"
            | "--from-date"
            | "-tt"
            | "--before-date"
            | "-P"
            | "--password"
            | "-s"
            | "--split-size"
            | "-O"
            | "--output-file"
            | "--out"
            | "-Z"
            | "--compression-method"
            | "-lf"
            | "--logfile-path" => drop(rest.next()),
            "-x" | "--exclude" | "-i" | "--include" | "-R" => {
                while rest.peek().is_some_and(|next| !next.is_option() && text != "-R") {
                    if rest.next().is_some_and(|next| next.is("@")) {
                        break;
                    }
                }
            }
            "-sf" | "--show-files" | "-h" | "-h2" | "-v" | "-L" | "--show-command" | "-sc" => told.looks = true,
            "--move" => told.moves = true,
            "--delete" => told.deletes = true,
            _ if text.starts_with("--") => {}
            _ if text.len() > 1 && text.starts_with('-') => {
                told.moves |= text.contains('m');
                told.deletes |=
                    text.contains('d') && !text.contains("dd") && text != "-db" && text != "-dc" && text != "-ds";
            }
            _ => told.operands.push(arg),
        }
    }
    told
}

pub(super) fn zip(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let told = read_options(&call.args);
    for command in &told.test_commands {
        run_along(shell, command, Feed::none());
    }
    let Some((archive, members)) = told.operands.split_first() else { return Feed::none() };
    if told.looks {
        return Feed::none();
    }
    if told.deletes {
        shell.tell(&ARCHIVE_DELETE, archive.shown().into_owned(), call.span);
        return Feed::none();
    }
    let content = read_members(shell, members);
    let locks = call.args.iter().filter_map(|arg| arg.known()).any(|text| {
        matches!(text, "--encrypt" | "--password")
            || text.starts_with('-') && !text.starts_with("--") && text.contains(['e', 'P'])
    });
    if told.moves && locks {
        members.iter().for_each(|member| hostage::packed(shell, member));
    }
    if told.moves {
        members.iter().for_each(|member| shell.delete(member, Depth::Recursive));
    }
    pack(shell, Some(archive), content, Write::Append)
}

pub(super) fn unzip(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &Syntax { short_values: "dxP", ..PLAIN });
    let Some(archive) = options.operands.first() else { return call.stdin.clone().changed_by(&call.name) };
    let feed = shell.read(archive);
    let looks = call.name == "zipinfo" || options.has(&["l", "t", "z", "v", "Z", "h"]);
    match options.has(&["p", "c"]) {
        true => return print_members(shell, feed, options.operands.iter().skip(1).copied(), &call.name),
        false if looks => return Feed::from(Origin::listing(call.name.clone(), "")),
        false => {
            // Nobody has seen what comes over the files that are there.
            let here = Arg::text(".", call.span);
            let into = options.value(&["d"]).unwrap_or(&here);
            // Of what is chosen or put elsewhere by other options it is not known where it goes.
            let usual = |name: &str| matches!(name, "o" | "q" | "d" | "qq" | "a" | "K" | "X");
            if options.has(&["o"])
                && options.operands.len() == 1
                && options.given.iter().all(|given| usual(&given.name))
            {
                shell.stake_unpacked(archive, 0, into);
            }
            let place = shell.place(&into.value);
            let over_sources = || matches!(place.nature, Nature::ProjectTree | Nature::Source);
            if options.has(&["o"])
                && (feed.is_foreign() || over_sources())
                && place.scope == Scope::Project
                && place.nature != Nature::Rebuilt
            {
                shell.report(&crate::path_effects::BULK_WRITE, place.target(), place.scope, archive.span);
            }
            unpack(shell, &archive.shown(), &feed, options.value(&["d"]), call.span);
        }
    }
    Feed::none()
}
