//! The other archivers: by verb, by letter, or with a single job.

use super::{ARCHIVE_DELETE, PLAIN, pack, print_members, read_listed, read_members, unpack as unpack_into};
use crate::{
    path_effects::{Depth, Write},
    shell::{
        Call, Shell,
        families::secrets::hostage,
        options::{Options, Syntax, strip},
    },
    value::{Arg, Feed, Origin},
};

/// `7z`, `rar`: a verb, then the archive. Values stand directly behind their option.
pub(super) fn by_verb(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let operands: Vec<&Arg> = call.args.iter().filter(|arg| !arg.is_option()).collect();
    let Some((verb, rest)) = operands.split_first() else { return Feed::none() };
    let archive = rest.first().copied();
    let name = archive.map(|archive| archive.shown().into_owned()).unwrap_or_default();
    let members = rest.get(1..).unwrap_or_default();
    let removes = call.has_any(&["-sdel", "-df", "-dr", "-dw"]);
    match verb.known() {
        Some("a" | "u" | "m" | "f") => {
            let content = read_members(shell, members);
            let locks = call
                .args
                .iter()
                .any(|arg| arg.value.prefix().starts_with("-p") || arg.value.prefix().starts_with("-hp"));
            if locks && (removes || verb.is("m")) {
                members.iter().for_each(|member| hostage::packed(shell, member));
            }
            if removes || verb.is("m") {
                members.iter().for_each(|member| shell.delete(member, Depth::Recursive));
            }
            return pack(shell, archive, content, Write::Append);
        }
        Some("x" | "e") if call.has_any(&["-so"]) => {
            let content = archive.map_or_else(|| call.stdin.clone(), |archive| shell.read(archive));
            return print_members(shell, content, members.iter().copied(), &call.name);
        }
        Some("x" | "e") => {
            let chosen = call.args.iter().find(|arg| {
                arg.value.prefix().starts_with("-o") && arg.value.shown().len() > 2 && call.name.starts_with('7')
            });
            let directory = chosen.map(|arg| Arg { value: strip(&arg.value, 2), span: arg.span });
            let last = rest
                .last()
                .copied()
                .filter(|last| !call.name.starts_with('7') && rest.len() > 1 && last.shown().ends_with('/'));
            unpack_into(shell, &name, &call.stdin, directory.as_ref().or(last), call.span);
        }
        Some("d" | "rn") => shell.tell(&ARCHIVE_DELETE, name, call.span),
        Some("p") => {
            if let Some(archive) = archive {
                let content = shell.read(archive);
                return print_members(shell, content, members.iter().copied(), &call.name);
            }
        }
        _ => {}
    }
    Feed::from(Origin::listing(call.name.clone(), ""))
}

/// `ar`: letters say what happens; libraries are built again.
pub(super) fn ar(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands: Vec<&Arg> = call.args.iter().filter(|arg| !arg.value.prefix().starts_with("--")).collect();
    let Some((letters, rest)) = operands.split_first() else { return Feed::none() };
    let letters = letters.shown().trim_start_matches('-').to_owned();
    let Some(archive) = rest.first() else { return Feed::none() };
    match letters.chars().next() {
        Some('d') => shell.tell(&ARCHIVE_DELETE, archive.shown().into_owned(), call.span),
        Some('x') => unpack_into(shell, &archive.shown(), &call.stdin, None, call.span),
        Some('r' | 'q' | 'm' | 's') => shell.write(archive, Write::Append),
        Some('p') => {
            let content = shell.read(archive);
            return print_members(shell, content, rest.iter().skip(1).copied(), &call.name);
        }
        _ => {}
    }
    Feed::none()
}

pub(super) fn jar(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let Some((letters, rest)) = call.args.split_first() else { return Feed::none() };
    let letters = letters.shown().trim_start_matches('-').to_owned();
    let archive = rest.iter().find(|arg| !arg.is_option());
    match letters.chars().next() {
        Some('x') | Some('e') if letters != "describe-module" => {
            let name = archive.map(|archive| archive.shown().into_owned()).unwrap_or_default();
            let directory = call.args.windows(2).find_map(|pair| match pair {
                [flag, directory] if flag.is("-C") || flag.is("--dir") => Some(directory),
                _ => None,
            });
            unpack_into(shell, &name, &call.stdin, directory, call.span);
        }
        Some('c' | 'u') => archive.iter().for_each(|archive| shell.write(archive, Write::Replace)),
        _ => {}
    }
    Feed::none()
}

/// `cpio` and `pax`: out, in, or past.
pub(super) fn cpio(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let syntax = Syntax {
        short_values: if call.name == "pax" { "bfosxBEGT" } else { "CDEFHIMORW" },
        long_values: &["file", "directory", "pattern-file", "format", "rsh-command", "owner"],
        long_flags: &["create", "extract", "pass-through", "list", "unconditional", "no-absolute-filenames"],
        ..PLAIN
    };
    let options = Options::read(&call.args, &syntax);
    if let Some(command) = options.value(&["rsh-command"]) {
        shell.run_text(command, signoff_model::Dialect::Sh, Feed::none());
    }
    let archive = options.value(&["F", "O", "I", "file", "f"]).cloned();
    let (reads, writes) = (options.has(&["r"]), options.has(&["w"]));
    let pax = call.name == "pax";
    if options.has(&["t", "list"]) {
        return Feed::from(Origin::listing(call.name.clone(), ""));
    }
    if options.has(&["p", "pass-through"]) && !pax || (pax && reads && writes) {
        if let Some(target) = options.operands.last() {
            shell.write(target, Write::Append);
        }
    } else if options.has(&["o", "create"]) && !pax || (pax && writes) {
        let content = match options.operands.as_slice() {
            members @ [_, ..] if pax => read_members(shell, members),
            _ => read_listed(shell, &call.stdin, &call.name, call.span),
        };
        return pack(shell, archive.as_ref(), content, Write::Replace);
    } else if options.has(&["i", "extract"]) && !pax || (pax && reads) {
        let name = archive.map_or_else(|| "stdin".to_owned(), |archive| archive.shown().into_owned());
        if options.has(&["to-stdout"]) {
            return print_members(shell, call.stdin.clone(), options.operands.iter().copied(), &call.name);
        }
        unpack_into(shell, &name, &call.stdin, options.value(&["D", "directory"]), call.span);
    }
    Feed::none()
}

/// Programs that only unpack.
pub(super) fn unpack(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "odXD",
            long_values: &["output-directory", "directory", "outdir", "dir", "extract-to", "dest"],
            ..PLAIN
        },
    );
    if call.asks_for_help() || options.has(&["l", "list", "t", "test"]) || call.name == "rpm2cpio" {
        return call.output();
    }
    let verb = options.operand(0);
    let skip = usize::from(matches!(
        verb,
        Some("extract" | "x" | "decompress" | "d" | "list" | "create" | "compress" | "c" | "test")
    ));
    if matches!(verb, Some("list" | "l" | "test" | "create" | "compress" | "c")) {
        return Feed::none();
    }
    let name = options.operands.get(skip).map(|archive| archive.shown().into_owned()).unwrap_or_default();
    let names = ["o", "d", "D", "output-directory", "directory", "outdir", "dir", "extract-to", "dest"];
    unpack_into(shell, &name, &call.stdin, options.value(&names), call.span);
    Feed::none()
}

/// Programs that only list.
pub(super) fn lists(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    Feed::from(Origin::listing(call.name.clone(), ""))
}

/// Programs that only pack.
pub(super) fn pack_only(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &Syntax { short_values: "oVA", long_values: &["output"], ..PLAIN });
    let last_is_archive = call.name == "mksquashfs";
    let archive =
        options.value(&["o", "output"]).or(if last_is_archive { options.operands.get(1).copied() } else { None });
    if let Some(archive) = archive {
        shell.write(archive, Write::Replace);
    }
    call.output()
}
