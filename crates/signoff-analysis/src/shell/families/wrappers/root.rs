//! Becoming somebody else: `sudo`, `doas`, `su` and their kin, and other roots of the file system.

use signoff_model::Dialect;

use super::{NAMESPACE, ROOT_RIGHTS, environment, run_from, run_words};
use crate::{
    path_effects::Write,
    shell::{
        Call, Language, Locus, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

const SUDO: Syntax = Syntax {
    short_values: "CDghpRrTtUu",
    long_values: &[
        "chdir",
        "chroot",
        "close-from",
        "command-timeout",
        "group",
        "host",
        "other-user",
        "prompt",
        "role",
        "type",
        "user",
    ],
    long_flags: &[
        "edit",
        "help",
        "list",
        "login",
        "preserve-env",
        "remove-timestamp",
        "reset-timestamp",
        "shell",
        "stdin",
        "validate",
        "version",
        "non-interactive",
    ],
    stops_at_operand: true,
    single_dash_long: false,
};

/// Says that a command runs with somebody else's rights. In a container that is thrown away nobody cares.
fn raise(shell: &mut Shell<'_>, call: &Call, user: Option<&Arg>) {
    if *shell.locus() == Locus::ThrowAway {
        return;
    }
    let user = user.map_or_else(|| "root".to_owned(), |user| user.shown().into_owned());
    shell.tell(&ROOT_RIGHTS, user, call.program.span);
}

pub(super) fn sudo(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &SUDO);
    let idle = call.output();
    if options.operands.is_empty() && matches!(call.args.as_slice(), [only] if only.is("-h")) {
        return idle;
    }
    if options.has(&["help", "V", "version", "k", "reset-timestamp", "K", "remove-timestamp", "l", "list"])
        && !options.has(&["s", "i"])
    {
        let lists = options.has(&["l", "list"]);
        if lists || options.operands.is_empty() {
            return idle;
        }
    }
    raise(shell, call, options.value(&["u", "user"]));
    if options.has(&["e", "edit"]) || call.name == "sudoedit" {
        for file in options.operands {
            shell.write(file, Write::Edit);
        }
        return idle;
    }
    let start = options.first_operand;
    let directory = options.value(&["D", "chdir"]).cloned();
    let is_shell = options.has(&["s", "shell", "i", "login"]);
    let chroot = options.value(&["R", "chroot"]).cloned();
    shell.subshell(|shell| {
        if let Some(directory) = &directory {
            enter(shell, directory);
        }
        let body = |shell: &mut Shell<'_>| run_assigned(shell, call, start, is_shell);
        match &chroot {
            Some(root) => shell.elsewhere(Locus::Remote(root.shown().into_owned()), body),
            None => body(shell),
        }
    })
}

/// Changes the working directory of a command that is about to run.
pub(super) fn enter(shell: &mut Shell<'_>, directory: &Arg) {
    let place = shell.place(&directory.value);
    shell.state.cwd = (place.extent == crate::place::Extent::Exact).then(|| place.path.clone().into());
}

/// Runs `VAR=value… command`, or a shell that reads what flows in when there is no command.
fn run_assigned(shell: &mut Shell<'_>, call: &Call, start: usize, is_shell: bool) -> Feed {
    let rest = call.args.get(start..).unwrap_or_default();
    let (assigned, words) = environment::assignments(rest);
    environment::environment(shell, &assigned, call.span);
    if words.is_empty() {
        return if is_shell && !call.stdin.is_none() {
            shell.run_feed(Language::Shell(Dialect::Bash), call.stdin.clone(), call.span)
        } else {
            call.output()
        };
    }
    let mut call = call.clone();
    call.variables.extend(assigned);
    let stdin = call.stdin.clone();
    run_words(shell, &call, words, stdin)
}

pub(super) fn doas(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options =
        Options::read(&call.args, &Syntax { short_values: "Cu", stops_at_operand: true, ..Syntax::default() });
    if options.has(&["L", "C"]) {
        return call.output();
    }
    raise(shell, call, options.value(&["u"]));
    let is_shell = options.has(&["s"]);
    run_assigned(shell, call, options.first_operand, is_shell)
}

pub(super) fn su(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SU: Syntax = Syntax {
        short_values: "csgGwT",
        long_values: &["command", "session-command", "shell", "group", "supp-group", "whitelist-environment"],
        long_flags: &["help", "version", "login", "preserve-environment", "pty"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let options = Options::read(&call.args, &SU);
    if options.has(&["help", "version", "V", "h"]) {
        return call.output();
    }
    let operands: Vec<&Arg> = options.operands.iter().copied().filter(|arg| !arg.is("-")).collect();
    raise(shell, call, operands.first().copied());
    // Behind the user, everything is for the shell: `su root -- -c 'id'`.
    let for_shell = operands.get(1..).and_then(|rest| match rest {
        [flag, code, ..] if flag.is("-c") => Some((*code).clone()),
        _ => None,
    });
    let code = options.value(&["c", "command", "session-command"]).cloned().or(for_shell);
    match (&code, operands.as_slice()) {
        (Some(code), _) => shell.run_code(Language::Shell(Dialect::Bash), code, call.stdin.clone()),
        (None, [_, script, rest @ ..]) => {
            let args: Vec<Arg> = rest.iter().map(|arg| (*arg).clone()).collect();
            shell.run_script(Language::Shell(Dialect::Bash), script, &args, call.stdin.clone())
        }
        (None, _) if !call.stdin.is_none() => {
            shell.run_feed(Language::Shell(Dialect::Bash), call.stdin.clone(), call.span)
        }
        _ => call.output(),
    }
}

pub(super) fn runuser(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "cusgGw",
            long_values: &["user", "command", "shell", "group"],
            stops_at_operand: true,
            ..Syntax::default()
        },
    );
    let Some(user) = options.value(&["u", "user"]) else { return su(shell, call) };
    raise(shell, call, Some(user));
    run_from(shell, call, options.first_operand)
}

/// `pkexec`, `run0` and the like: options, then the command.
pub(super) fn plain(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "ugDp",
            long_values: &[
                "user",
                "group",
                "chdir",
                "property",
                "unit",
                "slice",
                "nice",
                "setenv",
                "background",
                "machine",
                "description",
            ],
            stops_at_operand: true,
            ..Syntax::default()
        },
    );
    if options.has(&["help", "version"]) || options.operands.is_empty() && call.name == "pkexec" {
        return call.output();
    }
    raise(shell, call, options.value(&["u", "user"]));
    run_assigned(shell, call, options.first_operand, true)
}

/// Another directory as the root: the command sees other files under the same names.
pub(super) fn chroot(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let (short, long): (&str, &[&str]) = match call.name.as_str() {
        "proot" => ("rbqwRS", &["rootfs", "bind", "qemu", "pwd", "cwd"]),
        "systemd-nspawn" => (
            "DiMuE",
            &["directory", "image", "machine", "user", "bind", "bind-ro", "setenv", "tmpfs", "chdir", "private-users"],
        ),
        _ => ("u", &["userspec", "groups"]),
    };
    let options = Options::read(
        &call.args,
        &Syntax { short_values: short, long_values: long, stops_at_operand: true, ..Syntax::default() },
    );
    if options.has(&["help", "version"]) {
        return call.output();
    }
    let root = options.value(&["r", "rootfs", "R", "D", "directory", "i", "image", "M", "machine"]).cloned();
    let (root, start) = match (root, options.operands.first()) {
        (Some(root), _) => (root, options.first_operand),
        (None, Some(operand)) if call.name.ends_with("chroot") => ((*operand).clone(), options.first_operand + 1),
        (None, _) => return run_from(shell, call, options.first_operand),
    };
    if root.is("/") {
        return run_from(shell, call, start);
    }
    // A container that takes the root of this machine for its own has left its walls.
    let contained = matches!(shell.locus(), Locus::ThrowAway | Locus::Remote(_));
    if contained && shell.place(&root.value).path == "/" {
        return shell.broken_out(|shell| run_from(shell, call, start));
    }
    shell.elsewhere(Locus::Remote(root.shown().into_owned()), |shell| run_from(shell, call, start))
}

pub(super) fn nsenter(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "tSGW",
            long_values: &["target", "setuid", "setgid", "wdns"],
            stops_at_operand: true,
            ..Syntax::default()
        },
    );
    if options.has(&["help", "version", "h", "V"]) {
        return call.output();
    }
    let target = options.value(&["t", "target"]).map_or_else(|| "?".to_owned(), |pid| pid.shown().into_owned());
    // The first process of the machine, where the container sees it, is the machine.
    let breaks_out = target == "1" && matches!(shell.locus(), Locus::ThrowAway);
    shell.tell(&NAMESPACE, target, call.span);
    if breaks_out {
        return shell.broken_out(|shell| run_from(shell, call, options.first_operand));
    }
    run_from(shell, call, options.first_operand)
}
