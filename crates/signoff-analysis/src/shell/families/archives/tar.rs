//! `tar`: the mode, the archive, the directory, and the options that run programs.

use super::{
    ARCHIVE_DELETE, PLAIN, UNPACK_ANYWHERE, is_plain, pack, print_members, read_listed, read_members, run_along, unpack,
};
use crate::{
    facts::{Archiver, KeptAs, MemberPaths},
    path_effects::{Depth, Write},
    shell::{
        Call, Packed, Shell, Wanted,
        families::backups::{self, Backup},
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin, Value},
};

const VALUES: &str = "fCITXbgFHKLNV";

const TAR: Syntax = Syntax {
    short_values: VALUES,
    long_values: &[
        "file",
        "directory",
        "use-compress-program",
        "files-from",
        "exclude-from",
        "exclude",
        "exclude-tag",
        "exclude-caches",
        "checkpoint-action",
        "to-command",
        "info-script",
        "new-volume-script",
        "rsh-command",
        "rmt-command",
        "strip-components",
        "transform",
        "xform",
        "mode",
        "owner",
        "group",
        "mtime",
        "newer",
        "after-date",
        "newer-mtime",
        "format",
        "listed-incremental",
        "suffix",
        "starting-file",
        "blocking-factor",
        "level",
        "tape-length",
        "label",
        "volno-file",
        "index-file",
        "pax-option",
        "sort",
        "include",
        "one-top-level",
        "quoting-style",
        "hole-detection",
        "warning",
        "uid",
        "gid",
        "uname",
        "gname",
    ],
    long_flags: &[
        "create",
        "extract",
        "get",
        "list",
        "append",
        "update",
        "concatenate",
        "catenate",
        "delete",
        "diff",
        "compare",
        "remove-files",
        "absolute-names",
        "to-stdout",
        "keep-old-files",
        "checkpoint",
        "gzip",
        "verbose",
        "help",
        "version",
        "overwrite",
        "recursive-unlink",
        "unlink-first",
        "backup",
    ],
    ..PLAIN
};

/// The old form writes its options as one word without a dash; the values of all of them follow in order.
fn modern(args: &[Arg]) -> Vec<Arg> {
    let Some((first, rest)) = args.split_first() else { return Vec::new() };
    let Some(bundle) = first
        .known()
        .filter(|text| !text.starts_with('-') && text.chars().all(|letter| letter.is_ascii_alphanumeric()))
    else {
        return args.to_vec();
    };
    let mut values = rest.iter();
    let mut all = Vec::new();
    for letter in bundle.chars() {
        all.push(Arg::text(format!("-{letter}"), first.span));
        if VALUES.contains(letter) {
            all.extend(values.next().cloned());
        }
    }
    all.extend(values.cloned());
    all
}

pub(super) fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let args = modern(&call.args);
    let options = Options::read(&args, &TAR);
    run_programs(shell, &options);
    let archive = options.value(&["f", "file"]);
    let name = archive.map_or_else(|| "stdin".to_owned(), |archive| archive.shown().into_owned());
    let has = |names: &[&str]| options.has(names);
    if has(&["x", "extract", "get"]) {
        let feed = match archive {
            Some(archive) if !archive.is("-") => shell.read(archive),
            _ => call.stdin.clone(),
        };
        if has(&["O", "to-stdout"]) || has(&["to-command"]) {
            return print_members(shell, feed, options.operands.iter().copied(), "tar");
        }
        if has(&["P", "absolute-names", "absolute-paths"]) {
            shell.tell(&UNPACK_ANYWHERE, name, call.span);
        } else {
            let directory = options.value(&["C", "directory"]).or(options.value(&["one-top-level"]));
            // These take away directories that stand in the way, and what the archive does not have.
            if has(&["recursive-unlink", "g", "listed-incremental", "G", "incremental"]) {
                let here = Arg::text(".", call.span);
                shell.delete(directory.unwrap_or(&here), Depth::Recursive);
            }
            let packed = match archive {
                Some(archive) if !archive.is("-") => Packed::Named(archive),
                _ => Packed::Flowing(&feed),
            };
            let here = Arg::text(".", call.span);
            match members_told(shell, call, &options) {
                Members::Known(told) => shell.stake_unpacked(packed, &told, directory.unwrap_or(&here)),
                Members::Unknown => shell.stake_anything_at(directory.unwrap_or(&here)),
                Members::Harmless => {}
            }
            unpack(shell, &name, &feed, directory, call.span);
        }
        return Feed::from(Origin::listing("tar", ""));
    }
    if has(&["t", "list", "d", "diff", "compare"]) {
        return Feed::from(Origin::listing("tar", ""));
    }
    if has(&["delete"]) {
        shell.tell(&ARCHIVE_DELETE, name, call.span);
        return Feed::none();
    }
    let appends = has(&["r", "u", "A", "append", "update", "concatenate", "catenate"]);
    if !has(&["c", "create"]) && !appends {
        return Feed::none();
    }
    let members: Vec<Arg> = members(&options).collect();
    let members: Vec<&Arg> = members.iter().collect();
    let mut content = read_members(shell, &members);
    // The names of the members flow in.
    if options.value(&["T", "files-from"]).is_some_and(|list| list.is("-")) {
        content = content.then(read_listed(shell, &call.stdin, "-T -", call.span));
    }
    if has(&["remove-files"]) {
        members.iter().for_each(|member| shell.delete(member, Depth::Recursive));
    }
    if let Some((host, _)) = archive.and_then(|archive| archive.known()).and_then(|text| text.split_once(':'))
        && !host.contains('/')
        && !has(&["force-local"])
    {
        shell.send(
            host,
            members.iter().map(|member| &member.value).collect::<Vec<&Value>>().into_iter(),
            &content,
            call.span,
        );
        return Feed::none();
    }
    pack(shell, archive, content, if appends { Write::Append } else { Write::Replace })
}

/// What is known of the members that are unpacked.
enum Members {
    /// Which of them go where.
    Known(Wanted),
    /// They go over nothing that is there.
    Harmless,
    /// They go under other names, or nobody knows where to.
    Unknown,
}

fn members_told(shell: &Shell<'_>, call: &Call, options: &Options<'_>) -> Members {
    if options.has(&["k", "keep-old-files", "skip-old-files"]) {
        return Members::Harmless;
    }
    const RENAMES: &[&str] = &["transform", "xform", "s", "ignore-zeros", "i", "one-top-level"];
    let kept_as = match backups::made(options, &["backup", "suffix"], &["suffix"], shell, call) {
        Backup::None => None,
        Backup::As(ending) => Some(KeptAs::beside(ending)),
        Backup::Anew => return Members::Harmless,
    };
    let all_known = options.operands.iter().all(|member| member.known().is_some());
    if options.has(RENAMES) || options.values(&["C", "directory"]).count() > 1 || !all_known {
        return Members::Unknown;
    }
    let stripped = match options.value(&["strip-components"]) {
        Some(number) => match number.known().and_then(|number| number.parse().ok()) {
            Some(number) => number,
            None => return Members::Unknown,
        },
        None => 0,
    };
    let texts = |args: Vec<&Arg>| args.into_iter().filter_map(Arg::known).map(str::to_owned).collect::<Vec<String>>();
    Members::Known(Wanted {
        by: Archiver::Tar,
        paths: MemberPaths::Stripped(stripped),
        chosen: texts(options.operands.to_vec()),
        left_out: texts(options.values(&["exclude"]).collect()),
        kept_as,
    })
}

/// The members, as paths from where `-C` leads.
fn members<'o>(options: &'o Options<'_>) -> impl Iterator<Item = Arg> + 'o {
    let directory = options.value(&["C", "directory"]).and_then(Arg::known);
    options.operands.iter().map(move |member| match (directory, member.known()) {
        (Some(directory), Some(text)) if !text.starts_with('/') => {
            Arg::text(format!("{directory}/{text}"), member.span)
        }
        _ => (*member).clone(),
    })
}

/// The options by which `tar` runs other programs.
fn run_programs(shell: &mut Shell<'_>, options: &Options<'_>) {
    for action in options.values(&["checkpoint-action"]) {
        let text = action.value.prefix();
        if let Some(at) = text.find("exec=") {
            let command =
                Arg { value: crate::shell::options::strip(&action.value, at + "exec=".len()), span: action.span };
            run_along(shell, &command, Feed::none());
        }
    }
    for command in options.values(&["to-command", "info-script", "new-volume-script", "F", "rmt-command"]) {
        // What flows in is the content of the archive, which nobody has read.
        run_along(shell, command, Feed::from(Origin::File("the archive".to_owned())));
    }
    for command in options.values(&["rsh-command"]) {
        if !command.known().is_some_and(|text| matches!(text, "ssh" | "/usr/bin/ssh" | "rsh")) {
            run_along(shell, command, Feed::none());
        }
    }
    for program in options.values(&["I", "use-compress-program"]) {
        if !is_plain(program) {
            run_along(shell, program, Feed::none());
        }
    }
}
