//! Small tools that run others: several scripts, a server and its tests, a program in another environment.

use signoff_model::Dialect;

use super::{make, rules};
use crate::{
    path_effects::Depth,
    shell::{
        Call, Language, Shell,
        families::unknown,
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

/// `run-s clean build deploy`: each operand is a script of the project.
pub(super) fn run_all(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // `wsrun -c rm -rf x` runs a program in every package.
    if call.name == "wsrun"
        && let Some(at) = call.args.iter().position(|arg| arg.is("-c") || arg.is("--exec") || arg.is("--cmd"))
    {
        return shell.run(call.args.get(at + 1..).unwrap_or_default(), Feed::none(), call.span);
    }
    for arg in call.args.iter().filter(|arg| !arg.is_option()) {
        let argv = [Arg::text("npm", arg.span), Arg::text("run", arg.span), arg.clone()];
        shell.run(&argv, Feed::none(), arg.span);
    }
    call.output()
}

/// `start-server-and-test 'program' http://localhost:3000 'program'`: what is no address is a script or a command.
pub(super) fn served(shell: &mut Shell<'_>, call: &Call) -> Feed {
    for arg in call.args.iter().filter(|arg| !arg.is_option()) {
        let text = arg.value.prefix();
        let address = text.contains("://")
            || text.starts_with(':')
            || text.chars().next().is_some_and(|letter| letter.is_ascii_digit());
        if address {
            continue;
        }
        if arg.value.has_unknown() || text.contains(' ') {
            shell.run_code(Language::Shell(Dialect::Sh), arg, Feed::none());
        } else {
            let argv = [Arg::text("npm", arg.span), Arg::text("run", arg.span), arg.clone()];
            shell.run(&argv, Feed::none(), arg.span);
        }
    }
    call.output()
}

/// `cross-env A=b program …`.
pub(super) fn with_environment(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const ENVIRONMENT: Syntax = Syntax {
        short_values: "efcvp",
        long_values: &["environments", "env-file", "file", "env"],
        stops_at_operand: true,
        ..NONE
    };
    let end = call.args.iter().position(|arg| arg.is("--")).map(|at| at + 1);
    let mut start = end.unwrap_or_else(|| Options::read(&call.args, &ENVIRONMENT).first_operand);
    let mut variables = Vec::new();
    while let Some((name, value)) = call.args.get(start).and_then(make::assignment) {
        variables.push((name, value));
        start += 1;
    }
    let argv = call.args.get(start..).unwrap_or_default();
    if call.name == "cross-env-shell"
        && let Some(code) = argv.first()
    {
        return shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none());
    }
    shell.run_with(variables, argv, call.stdin.clone(), call.span)
}

/// `tsc-watch --onSuccess 'program'`.
pub(super) fn watcher(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const WATCHER: Syntax = Syntax {
        short_values: "xwei",
        long_values: &["exec", "watch", "ext", "ignore", "onSuccess", "onFailure", "delay", "config"],
        ..NONE
    };
    let options = Options::read(&call.args, &WATCHER);
    for code in options.values(&["x", "exec", "onSuccess", "onFailure"]) {
        shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none());
    }
    call.output()
}

/// `pio run -t upload`: the target says what happens to the board.
pub(super) fn platformio(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const PLATFORMIO: Syntax = Syntax {
        short_values: "tedcfjp",
        long_values: &["target", "environment", "project-dir", "upload-port"],
        ..NONE
    };
    let options = Options::read(&call.args, &PLATFORMIO);
    for target in options.values(&["t", "target"]) {
        if matches!(target.known(), None | Some("upload" | "uploadfs" | "erase" | "program" | "bootloader" | "fuses")) {
            shell.tell(&rules::TASK_INSTALLS, format!("{} run -t {}", call.name, target.shown()), target.span);
        }
    }
    unknown::judge_words(shell, call);
    call.output()
}

/// `shx rm -rf x` is `rm -rf x`.
pub(super) fn shx(shell: &mut Shell<'_>, call: &Call) -> Feed {
    shell.run(&call.args, call.stdin.clone(), call.span)
}

pub(super) fn rimraf(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // Only one of them knows a rehearsal; to the other it is one more path.
    if call.name == "del-cli" && call.rehearses(&["--dry-run", "-d"]) {
        return call.output();
    }
    for arg in call.args.iter().filter(|arg| !arg.is_option()) {
        // These tools expand patterns themselves, quoted or not.
        let mut path = arg.clone();
        if let Some(text) = arg.known().filter(|text| text.contains(['*', '?'])) {
            let at = text.find(['*', '?']).unwrap_or_default();
            let mut value = crate::value::Value::text(text.get(..at).unwrap_or_default());
            value.push(crate::value::Piece::glob(text.get(at..).unwrap_or_default()));
            path.value = value;
        }
        shell.delete(&path, Depth::Recursive);
    }
    call.output()
}
