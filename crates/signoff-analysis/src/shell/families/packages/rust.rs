//! Cargo and rustup.

use signoff_model::Dialect;

use super::{Source, behind, rules, run_rest, shown, source};
use crate::{
    shell::{
        Call, Judge, Language, Shell,
        families::{
            builds::tasks::{self, Says},
            own, unknown,
        },
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

/// The judgement for a program of this room.
pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "cargo" => cargo,
        "rustup" => rustup,
        "cargo-binstall" | "cargo-nextest" | "cargo-deny" | "cargo-audit" | "cargo-clippy" | "cargo-fmt" | "cross" => {
            harmless
        }
        _ => return None,
    })
}

fn harmless(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    call.output()
}

const CARGO: Syntax = Syntax {
    short_values: "pFjZC",
    long_values: &[
        "package",
        "features",
        "jobs",
        "target",
        "target-dir",
        "manifest-path",
        "bin",
        "example",
        "test",
        "bench",
        "profile",
        "config",
        "color",
        "message-format",
        "exclude",
        "git",
        "branch",
        "tag",
        "rev",
        "path",
        "root",
        "version",
        "vers",
        "index",
        "registry",
        "token",
        "name",
        "edition",
        "add",
        "remove",
        "precise",
        "lockfile-path",
    ],
    long_flags: &["dry-run", "list", "execute", "undo", "locked", "offline", "release", "workspace", "all-features"],
    stops_at_operand: false,
    single_dash_long: false,
};

/// Variables in front of cargo that name a program which runs during the build.
const PROGRAMS: &[&str] = &[
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC",
    "RUSTDOC",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "CARGO_BUILD_RUSTC",
    "CC",
    "CXX",
    "AR",
    "RUSTC_LINKER",
];

fn cargo(shell: &mut Shell<'_>, call: &Call) -> Feed {
    for (name, value) in &call.variables {
        let runner = PROGRAMS.contains(&name.as_str())
            || name.starts_with("CARGO_TARGET_") && (name.ends_with("_RUNNER") || name.ends_with("_LINKER"));
        if runner && value.known().is_none_or(|text| text.contains([' ', '/', ';'])) {
            shell.run_code(Language::Shell(Dialect::Sh), &Arg { value: value.clone(), span: call.span }, Feed::none());
        }
    }
    let end = call.args.iter().position(|arg| arg.is("--")).unwrap_or(call.args.len());
    let own = call.args.get(..end).unwrap_or_default();
    let options = Options::read(own, &CARGO);
    for pair in options.values(&["config"]) {
        config(shell, pair);
    }
    let mut operands = options.operands.as_slice();
    if let Some((first, rest)) = operands.split_first()
        && first.value.prefix().starts_with('+')
    {
        operands = rest;
    }
    let Some(verb) = operands.first().copied() else { return call.output() };
    let start = behind(call, verb);
    let verb_name = verb.known().unwrap_or_default();
    if options.has(&["help", "h"]) && verb_name != "run" {
        return call.output();
    }
    let dry = options.has(&["dry-run", "n"]);
    let tail = call.args.get(start..).unwrap_or_default();
    let rule = match verb_name {
        "publish" if !dry => {
            shell.tell(&rules::PUBLISH, shown(call), call.span);
            shell.safer("cargo publish --dry-run");
            return call.output();
        }
        "yank" => &rules::WITHDRAW,
        "owner" if !options.has(&["list", "l"]) => &rules::ACCOUNT,
        "login" | "logout" => &rules::ACCOUNT,
        "release" | "smart-release" if options.has(&["execute", "x"]) => &rules::PUBLISH,
        "workspaces" | "ws" if operands.get(1).is_some_and(|arg| arg.is("publish")) && !dry => &rules::PUBLISH,
        "dist" if operands.get(1).is_some_and(|arg| arg.is("host") || arg.is("announce")) => &rules::PUBLISH,
        "deb" if options.has(&["install"]) => &rules::INSTALL_GLOBAL,
        "dist" | "deb" | "rpm" | "bundle" | "packager" => return call.output(),
        "install" | "binstall" | "add" => {
            for address in options.values(&["git", "index"]) {
                shell.tell(&rules::FOREIGN, address.shown(), address.span);
            }
            for name in operands.iter().skip(1) {
                let rule = if source(name) == Source::Foreign { &rules::FOREIGN } else { &rules::INSTALL };
                shell.tell(rule, name.shown(), name.span);
            }
            return call.output();
        }
        "run" | "r" | "xtask" | "make" | "x" => {
            run_own(shell, call, &options, operands, end);
            return call.output();
        }
        "sqlx" | "diesel" | "shuttle" | "lambda" | "espflash" => {
            let argv: Vec<Arg> =
                std::iter::once(Arg::text(if verb_name == "lambda" { "cargo-lambda" } else { verb_name }, verb.span))
                    .chain(tail.iter().cloned())
                    .collect();
            return shell.run(&argv, call.stdin.clone(), call.span);
        }
        // `cargo watch -- program` is `cargo-watch -- program`.
        "watch" | "flamegraph" => {
            let argv: Vec<Arg> = std::iter::once(Arg::text(format!("cargo-{verb_name}"), verb.span))
                .chain(tail.iter().cloned())
                .collect();
            return shell.run(&argv, call.stdin.clone(), call.span);
        }
        _ => {
            // An extension that nobody knows is judged by its name.
            if !is_builtin(verb_name) && !dry {
                tasks::judge(shell, verb_name, &shown(call), call.span);
            }
            return call.output();
        }
    };
    shell.tell(rule, shown(call), call.span);
    call.output()
}

fn is_builtin(verb: &str) -> bool {
    matches!(
        verb,
        "build"
            | "b"
            | "check"
            | "c"
            | "clean"
            | "test"
            | "t"
            | "bench"
            | "doc"
            | "d"
            | "clippy"
            | "fmt"
            | "fix"
            | "tree"
            | "metadata"
            | "fetch"
            | "vendor"
            | "update"
            | "new"
            | "init"
            | "remove"
            | "rm"
            | "search"
            | "info"
            | "package"
            | "uninstall"
            | "rustc"
            | "rustdoc"
            | "version"
            | "help"
            | "nextest"
            | "publish"
            | "report"
            | "release"
    )
}

/// The project's own program runs: its name and its first argument say what for.
fn run_own(shell: &mut Shell<'_>, call: &Call, options: &Options<'_>, operands: &[&Arg], end: usize) {
    // A program of this name that is built here answers like the one that is installed.
    let is_own = |name: &Arg| name.known().is_some_and(|name| matches!(name, "signoff" | "signoff-cli"));
    let behind = call.args.get(end + 1..).unwrap_or_default();
    let chosen = options.values(&["bin", "p", "package", "example"]).next().is_some();
    let answers = !chosen && own::answers_in_tree(shell, behind);
    if (options.values(&["bin", "p", "package"]).any(is_own) || answers) && end < call.args.len() {
        let mut argv = vec![Arg::text("signoff", call.program.span)];
        argv.extend(call.args.iter().skip(end + 1).cloned());
        shell.run(&argv, call.stdin.clone(), call.span);
    }
    let named = options.values(&["bin", "example"]).cloned();
    let first = call.args.iter().skip(end + 1).find(|arg| !arg.is_option()).cloned();
    let task = operands.get(1).map(|arg| (*arg).clone());
    // What the program is asked about it answers itself, and then does nothing else.
    let asked = Call { args: behind.to_vec(), ..call.clone() }.asks_for_help();
    for arg in named.chain(first).chain(task) {
        if call.rehearses(&["--dry-run"]) || call.asks_for_help() || asked {
            continue;
        }
        if let Some(name) = arg.known().filter(|name| !name.contains(['/', ' ', '.']))
            && matches!(tasks::read(name), Says::Deploys | Says::Destroys)
        {
            tasks::judge(shell, name, &shown(call), arg.span);
        }
    }
    // Of `run` the options behind the dashes are for the program; of a task of the project all of them are.
    match operands {
        [verb] if matches!(verb.known(), Some("run" | "r")) => unknown::judge_flags(shell, call, verb, behind),
        [task] | [_, task, ..] => {
            unknown::judge_flags(shell, call, task, call.args.get(super::behind(call, task)..).unwrap_or_default());
        }
        [] => {}
    }
}

/// `--config 'build.rustc-wrapper="program"'` runs a program at every compilation.
fn config(shell: &mut Shell<'_>, pair: &Arg) {
    let shown = pair.shown();
    let Some((key, value)) = shown.split_once('=') else {
        // A file of settings.
        if shell.place(&pair.value).scope != signoff_model::Scope::Project {
            shell.tell(&rules::SETTINGS, shown, pair.span);
        }
        return;
    };
    let key = key.trim();
    let runs = [
        "runner",
        "rustc",
        "rustc-wrapper",
        "rustc-workspace-wrapper",
        "rustdoc",
        "linker",
        "credential-provider",
        "credential-process",
    ];
    if key.starts_with("alias.") || !runs.iter().any(|end| key.rsplit('.').next() == Some(end)) {
        return;
    }
    let code = value.trim().trim_matches(['[', ']']).replace(['"', ','], " ").replace("  ", " ");
    let code = code.trim();
    if matches!(code, "sccache" | "mold" | "lld" | "clang" | "rust-lld" | "cargo:token") {
        return;
    }
    shell.run_code(Language::Shell(Dialect::Sh), &Arg::text(code.trim_matches('\''), pair.span), Feed::none());
}

fn rustup(shell: &mut Shell<'_>, call: &Call) -> Feed {
    match (call.arg(0), call.arg(1)) {
        (Some("run"), _) => run_rest(shell, call, 2),
        (Some("self"), Some("uninstall")) => {
            shell.tell(&rules::TOOLCHAIN, "rustup self uninstall", call.span);
            call.output()
        }
        _ => call.output(),
    }
}
