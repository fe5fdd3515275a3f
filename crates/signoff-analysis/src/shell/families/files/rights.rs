//! Rights and owners: numeric and symbolic modes, access lists, attributes.

use super::PLAIN;
use crate::{
    path_effects::{Depth, ROOT_SHELL, Rights, is_shell},
    shell::{
        Call, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

/// `chmod`. A mode such as `-x` looks like an option and is none.
pub(super) fn chmod(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help_first() {
        return Feed::none();
    }
    let mut rights = None;
    let mut depth = Depth::Single;
    let mut files: Vec<&Arg> = Vec::new();
    let mut ended = false;
    for arg in &call.args {
        let text = arg.value.prefix();
        match text {
            _ if ended && rights.is_some() => files.push(arg),
            "--" => ended = true,
            "--recursive" => depth = Depth::Recursive,
            _ if text.starts_with("--reference") => rights = Some(Rights::Usual),
            _ if text.starts_with("--") => {}
            _ if text.starts_with('-') && rights.is_none() && is_removal(text) => rights = Some(of_mode(text)),
            _ if text.starts_with('-') && text.len() > 1 => {
                if text.contains('R') {
                    depth = Depth::Recursive;
                }
            }
            _ if rights.is_none() => {
                rights = Some(match arg.known() {
                    Some(mode) => of_mode(mode),
                    // An unknown mode may open the file to everybody.
                    None => Rights::Open,
                });
            }
            _ => files.push(arg),
        }
    }
    for file in files {
        shell.change_rights(file, rights.unwrap_or(Rights::Usual), depth);
    }
    Feed::none()
}

/// Whether an argument with a dash is a mode that takes rights away, such as `-x`, and not a cluster of options.
fn is_removal(text: &str) -> bool {
    text.len() > 1 && text.chars().skip(1).all(|letter| "rwxXst,+=ugoa-".contains(letter))
}

/// What a mode means for who may use the file.
pub(super) fn of_mode(mode: &str) -> Rights {
    if !mode.is_empty() && mode.chars().all(|letter| letter.is_digit(8)) {
        return of_number(u32::from_str_radix(mode, 8).unwrap_or(0o777));
    }
    let mut worst = Rights::Usual;
    for clause in mode.split(',') {
        let at = clause.find(['+', '-', '=']).unwrap_or(clause.len());
        let (who, change) = clause.split_at_checked(at).unwrap_or((clause, ""));
        let adds = change.starts_with(['+', '=']);
        let all = who.contains('a');
        let rights = if adds && change.contains('s') && (who.is_empty() || all || who.contains('u')) {
            Rights::SetUser
        } else if adds && change.contains('w') && (all || who.contains('o')) {
            Rights::Open
        } else if (change.starts_with('-') && change.contains('r') && (who.is_empty() || all || who.contains('u')))
            || (change == "=" && (who.is_empty() || all || who.contains('u')))
        {
            Rights::Closed
        } else if adds && change.contains('r') && (who.is_empty() || all || who.contains(['g', 'o'])) {
            Rights::Shown
        } else if change.starts_with('-') && change.contains('x') && (who.is_empty() || all || who.contains('u')) {
            Rights::NoExecution
        } else {
            Rights::Usual
        };
        if matches!(worst, Rights::Usual | Rights::Shown) && rights != Rights::Usual || rights == Rights::SetUser {
            worst = rights;
        }
    }
    worst
}

fn of_number(mode: u32) -> Rights {
    if mode & 0o4000 != 0 {
        Rights::SetUser
    } else if mode & 0o002 != 0 && mode & 0o1000 == 0 {
        Rights::Open
    } else if mode & 0o400 == 0 {
        Rights::Closed
    } else {
        match (mode & 0o044 != 0, mode & 0o111 != 0) {
            (true, true) => Rights::Shown,
            (true, false) => Rights::Plain,
            (false, true) => Rights::Usual,
            (false, false) => Rights::NoExecution,
        }
    }
}

const CHOWN: Syntax = Syntax { long_values: &["from", "reference"], long_flags: &["recursive", "help"], ..PLAIN };

pub(super) fn chown(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help_first() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &CHOWN);
    let depth = if options.has(&["R", "recursive"]) { Depth::Recursive } else { Depth::Single };
    let skip = usize::from(!options.has(&["reference"]));
    for file in options.operands.iter().skip(skip) {
        shell.change_rights(file, Rights::Owner, depth);
    }
    Feed::none()
}

const SETFACL: Syntax = Syntax {
    short_values: "mxMX",
    long_values: &["modify", "remove", "modify-file", "remove-file", "set", "set-file", "restore"],
    long_flags: &["recursive", "test", "remove-all", "help"],
    ..PLAIN
};

pub(super) fn setfacl(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &SETFACL);
    if call.asks_for_help_first() || options.has(&["test"]) {
        return Feed::none();
    }
    let depth = if options.has(&["R", "recursive"]) { Depth::Recursive } else { Depth::Single };
    for file in &options.operands {
        shell.change_rights(file, Rights::Owner, depth);
    }
    Feed::none()
}

/// `chattr +i`, `chflags uchg`: nobody can change the file any more, or everybody again.
pub(super) fn chattr(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let depth = if call.has("-R") { Depth::Recursive } else { Depth::Single };
    let mut seen = call.name == "chattr" && call.args.iter().any(|arg| arg.value.prefix().starts_with(['+', '=']));
    for arg in &call.args {
        let text = arg.value.prefix();
        if text.starts_with(['+', '=', '-']) {
            seen = true;
        } else if seen {
            shell.change_rights(arg, Rights::Closed, depth);
        } else {
            seen = true;
        }
    }
    Feed::none()
}

/// Parts of root's rights by which a program that runs code becomes root altogether.
const MIGHTY: &[&str] = &[
    "cap_setuid",
    "cap_setgid",
    "cap_sys_admin",
    "cap_dac_override",
    "cap_dac_read_search",
    "cap_sys_ptrace",
    "cap_sys_module",
    "cap_chown",
    "cap_fowner",
    "cap_setfcap",
    "cap_sys_rawio",
    "cap_mknod",
    "all",
];

/// `setcap` gives a program a part of root's rights.
pub(super) fn setcap(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &PLAIN);
    let removes = options.has(&["r"]);
    let mighty = !removes && options.operands.first().is_some_and(|clause| is_mighty(clause.known()));
    for file in options.operands.iter().skip(usize::from(!removes)) {
        let place = shell.place(&file.value);
        if mighty && runs_code(place.file_name()) {
            shell.report(&ROOT_SHELL, place.target(), place.scope, file.span);
        }
        shell.change_rights(file, if removes { Rights::Owner } else { Rights::SetUser }, Depth::Single);
    }
    Feed::none()
}

/// Whether a clause such as `cap_setuid,cap_net_raw+ep` or `=ep` gives what makes one root.
fn is_mighty(clause: Option<&str>) -> bool {
    let Some(clause) = clause else { return false };
    clause.to_ascii_lowercase().split_whitespace().any(|clause| {
        let at = clause.find(['=', '+', '-']).unwrap_or(clause.len());
        let (names, flags) = (clause.get(..at).unwrap_or_default(), clause.get(at..).unwrap_or_default());
        let gives = flags.contains(['e', 'p']) && !flags.starts_with('-');
        gives && (names.is_empty() || names.split(',').any(|name| MIGHTY.contains(&name)))
    })
}

/// Whether a program of this name runs whatever code it is given: a shell or an interpreter, in any version.
fn runs_code(name: &str) -> bool {
    let bare = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | '-'));
    is_shell(name)
        || is_shell(bare)
        || matches!(
            bare,
            "python"
                | "pypy"
                | "ruby"
                | "node"
                | "nodejs"
                | "php"
                | "lua"
                | "luajit"
                | "tclsh"
                | "wish"
                | "awk"
                | "gawk"
                | "mawk"
                | "gdb"
                | "deno"
                | "bun"
                | "irb"
                | "nvim"
                | "vi"
                | "emacs"
                | "tcsh"
                | "csh"
                | "ash"
                | "mksh"
                | "pwsh"
                | "expect"
                | "Rscript"
                | "julia"
                | "guile"
                | "java"
                | "jjs"
                | "jshell"
        )
}
