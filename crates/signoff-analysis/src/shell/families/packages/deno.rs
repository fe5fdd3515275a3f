//! Deno, and managers of versions of node.

use signoff_model::Unread;

use super::{
    Source, behind, install,
    manifest::{self, DENO, DENO_COMMENTED, PACKAGE},
    node::NODE,
    rules, run_rest, shown, source,
};
use crate::{
    shell::{
        Call, Judge, Language, Shell,
        families::builds::tasks,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin},
};

/// The judgement for a program of this room.
pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "deno" => deno,
        "corepack" | "nvm" | "fnm" | "volta" | "n" | "nodenv" => versions,
        _ => return None,
    })
}

fn deno(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const DENO_OPTIONS: Syntax = Syntax {
        short_values: "cLr",
        long_values: &[
            "config",
            "import-map",
            "lock",
            "log-level",
            "env-file",
            "cert",
            "seed",
            "cwd",
            "output",
            "name",
            "root",
        ],
        stops_at_operand: true,
        ..NODE
    };
    let Some(verb) = call.args.iter().find(|arg| !arg.is_option()) else {
        return match call.stdin.is_none() {
            true => call.output(),
            false => shell.run_feed(Language::JavaScript, call.stdin.clone(), call.span),
        };
    };
    let start = behind(call, verb);
    let rest = call.args.get(start..).unwrap_or_default();
    let options = Options::read(rest, &DENO_OPTIONS);
    let first = options.operands.first().copied();
    match verb.known().unwrap_or_default() {
        "run" | "serve" | "test" | "bench" | "x" => {
            let Some(file) = first else { return call.output() };
            if file.is("-") {
                return shell.run_feed(Language::JavaScript, call.stdin.clone(), call.span);
            }
            // `deno run npm:tool` is `npx tool`.
            if let Some(package) = file.known().and_then(|text| text.strip_prefix("npm:")) {
                let mut argv = vec![Arg::text("npx", verb.span), Arg::text(package, file.span)];
                argv.extend(rest.iter().skip(options.first_operand + 1).cloned());
                return shell.run(&argv, call.stdin.clone(), call.span);
            }
            if source(file) == Source::Foreign {
                return run_address(shell, call, file);
            }
            if verb.is("test") || verb.is("bench") || file.value.prefix().contains(':') {
                return call.output();
            }
            shell.run_script(
                Language::JavaScript,
                file,
                rest.get(options.first_operand + 1..).unwrap_or_default(),
                call.stdin.clone(),
            )
        }
        "eval" => match first {
            Some(code) => shell.run_code(Language::JavaScript, code, Feed::none()),
            None => call.output(),
        },
        "task" => {
            if let Some(name) = first {
                let args = rest.get(options.first_operand + 1..).unwrap_or_default();
                let manifests = [DENO, DENO_COMMENTED, PACKAGE];
                manifest::run_first(shell, &manifests, options.value(&["cwd"]), name, args, call);
            }
            call.output()
        }
        "install" | "i" | "add" => {
            let global = options.has(&["g", "global"]);
            install(shell, &options.operands, global);
            call.output()
        }
        "publish" if !options.has(&["dry-run"]) => {
            shell.tell(&rules::PUBLISH, shown(call), call.span);
            shell.safer("deno publish --dry-run");
            call.output()
        }
        "deploy" => {
            shell.tell(&rules::PUBLISH, shown(call), call.span);
            call.output()
        }
        "upgrade" if !options.has(&["dry-run"]) => {
            shell.tell(&rules::INSTALL_GLOBAL, shown(call), call.span);
            call.output()
        }
        file if file.ends_with(".ts") || file.ends_with(".js") || file.ends_with(".tsx") => {
            if source(verb) == Source::Foreign {
                return run_address(shell, call, verb);
            }
            shell.run_script(Language::JavaScript, verb, rest, call.stdin.clone())
        }
        _ => call.output(),
    }
}

/// Code that is fetched from an address and run; without encryption anybody on the way may have changed it.
fn run_address(shell: &mut Shell<'_>, call: &Call, address: &Arg) -> Feed {
    if address.value.prefix().starts_with("http://") {
        let origin = Origin::Download { url: address.shown().into_owned(), encrypted: false };
        return shell.run_unknown(origin.into(), Unread::Inflow, address.span);
    }
    shell.tell(&rules::FOREIGN, address.shown(), address.span);
    call.output()
}

/// Managers of versions of node: they work in the user's own directory.
fn versions(shell: &mut Shell<'_>, call: &Call) -> Feed {
    match (call.name.as_str(), call.arg(0)) {
        ("nvm" | "nodenv", Some("exec")) => {
            let start = if call.name == "nodenv" { 1 } else { 2 };
            run_rest(shell, call, start)
        }
        ("volta", Some("run")) | ("fnm", Some("exec")) => {
            const RUN: Syntax = Syntax {
                long_values: &["node", "npm", "pnpm", "yarn", "env", "using", "fnm-dir", "log-level", "arch"],
                stops_at_operand: true,
                ..NODE
            };
            let options = Options::read(call.args.get(1..).unwrap_or_default(), &RUN);
            // A version may stand before the program: `fnm exec 20 npm test`.
            let is_version =
                |arg: &&Arg| arg.known().is_some_and(|text| text.starts_with(|first: char| first.is_ascii_digit()));
            let versions = usize::from(options.operands.first().copied().filter(is_version).is_some());
            run_rest(shell, call, options.first_operand.saturating_add(1 + versions))
        }
        ("corepack", Some(manager @ ("pnpm" | "yarn" | "npm"))) => {
            let manager = Arg::text(manager, call.span);
            let argv: Vec<Arg> = std::iter::once(manager).chain(call.args.iter().skip(1).cloned()).collect();
            shell.run(&argv, call.stdin.clone(), call.span)
        }
        ("volta", Some("setup")) => {
            shell.tell(&crate::path_effects::WRITE_PROFILE, "volta setup", call.span);
            call.output()
        }
        (_, Some(verb)) => {
            if verb != "uninstall" && verb != "install" {
                tasks::judge(shell, verb, &shown(call), call.span);
            }
            call.output()
        }
        _ => call.output(),
    }
}
