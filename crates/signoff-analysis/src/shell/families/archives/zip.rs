//! `zip` and `unzip`.

use signoff_model::Scope;

use super::{ARCHIVE_DELETE, PLAIN, pack, print_members, read_members, run_along, unpack};
use crate::{
    facts::{Archiver, MemberPaths},
    path_effects::{Depth, Write},
    place::Nature,
    shell::{
        Call, Packed, Shell, Wanted,
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
    let options = Options::read(&call.args, &Syntax { short_values: "dP", ..PLAIN });
    // Behind `-x` stand the members that are left out, up to the next option.
    let (operands, left_out) = parted(&call.args, &options);
    let Some(archive) = operands.first().copied() else { return call.stdin.clone().changed_by(&call.name) };
    let feed = shell.read(archive);
    let looks = call.name == "zipinfo" || options.has(&["l", "t", "z", "v", "Z", "h"]);
    match options.has(&["p", "c"]) {
        true => return print_members(shell, feed, operands.iter().skip(1).copied(), &call.name),
        false if looks => return Feed::from(Origin::listing(call.name.clone(), "")),
        false => {
            let here = Arg::text(".", call.span);
            let into = options.value(&["d"]).unwrap_or(&here);
            // Where nobody says so, it asks, and whatever flows in answers.
            let overwrites = options.has(&["o"]) || !options.has(&["n"]) && !call.stdin.is_none();
            let texts =
                |args: &[&Arg]| args.iter().map(|arg| arg.known().map(str::to_owned)).collect::<Option<Vec<_>>>();
            match (texts(operands.get(1..).unwrap_or_default()), texts(&left_out)) {
                _ if !overwrites => {}
                (Some(chosen), left_out) => {
                    let paths = match options.has(&["j"]) {
                        true => MemberPaths::Last,
                        false if options.has(&["L"]) => MemberPaths::Lowered,
                        false => MemberPaths::Stripped(0),
                    };
                    let left_out = left_out.unwrap_or_default();
                    let wanted = Wanted { by: Archiver::Zip, paths, chosen, left_out, kept_as: None };
                    shell.stake_unpacked(Packed::Named(archive), &wanted, into);
                }
                (None, _) => shell.stake_anything_at(into),
            }
            // Nobody has seen what comes over the files that are there.
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

/// The archive with the members that are wanted, and those that are left out.
fn parted<'a>(args: &'a [Arg], options: &Options<'a>) -> (Vec<&'a Arg>, Vec<&'a Arg>) {
    let Some(at) = args.iter().position(|arg| arg.is("-x")) else { return (options.operands.to_vec(), Vec::new()) };
    let listed = args.get(at + 1..).unwrap_or_default();
    let end = listed.iter().position(Arg::is_option).unwrap_or(listed.len());
    let left_out: Vec<&Arg> = listed.iter().take(end).collect();
    let is_left_out = |operand: &&&Arg| left_out.iter().any(|left| std::ptr::eq(*left, **operand));
    (options.operands.iter().filter(|operand| !is_left_out(operand)).copied().collect(), left_out)
}
