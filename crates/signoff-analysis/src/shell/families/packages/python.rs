//! Package managers and runners of Python, and conda.

use super::{Source, behind, index, install, rules, run_rest, shown, source};
use crate::{
    rule::Rule,
    shell::{
        Call, Judge, Language, Shell,
        families::builds::tasks,
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

/// The judgement for a program of this room.
pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "pip" | "pip3" | "pip2" | "pip-sync" | "pip-compile" | "easy_install" => pip,
        name if name.starts_with("pip3.") => pip,
        "pipx" => pipx,
        "uv" => uv,
        "uvx" => uvx,
        "poetry" | "pdm" | "hatch" | "rye" | "pipenv" | "flit_core" | "maturin" => project_manager,
        "conda" | "mamba" | "micromamba" => conda,
        "pyenv" | "virtualenv" => versions,
        _ => return None,
    })
}

const PIP: Syntax = Syntax {
    short_values: "rcietfdbp",
    long_values: &[
        "requirement",
        "constraint",
        "index-url",
        "extra-index-url",
        "find-links",
        "editable",
        "target",
        "trusted-host",
        "prefix",
        "root",
        "platform",
        "python-version",
        "proxy",
        "cert",
        "python",
        "cache-dir",
        "config-settings",
        "global-option",
        "install-option",
        "only-binary",
        "no-binary",
        "upgrade-strategy",
        "log",
        "progress-bar",
        "timeout",
        "retries",
        "src",
        "build",
        "abi",
        "implementation",
        "default-index",
        "index",
        "dest",
        "wheel-dir",
        "format",
        "exclude",
        "path",
        "group",
        "report",
        "index-strategy",
        "requirements",
        "output-file",
        "override",
        "torch-backend",
        "keyring-provider",
        "build-option",
    ],
    long_flags: &["user", "upgrade", "yes", "break-system-packages", "dry-run", "force-reinstall", "no-deps", "system"],
    stops_at_operand: false,
    single_dash_long: false,
};

fn pip(shell: &mut Shell<'_>, call: &Call) -> Feed {
    pip_args(shell, call, &call.args);
    call.output()
}

fn pip_args(shell: &mut Shell<'_>, call: &Call, args: &[Arg]) {
    let options = Options::read(args, &PIP);
    if options.has(&["help", "h", "version", "V", "dry-run"]) {
        return;
    }
    let verb = options.operand(0).unwrap_or_default();
    let names = options.operands.get(1..).unwrap_or_default();
    match verb {
        "install" | "download" | "wheel" | "sync" => {
            sources(shell, &options);
            let elsewhere = options.values(&["t", "target", "prefix", "root"]).cloned().collect::<Vec<_>>();
            for place in elsewhere.iter().filter(|_| verb == "install") {
                shell.write(place, crate::path_effects::Write::New);
            }
            let system = options.has(&["break-system-packages"]);
            for name in options.values(&["e", "editable"]).filter(|name| source(name) == Source::Foreign) {
                shell.tell(&rules::FOREIGN, name.shown(), name.span);
            }
            install(shell, names, system && verb == "install");
        }
        "uninstall" if options.has(&["break-system-packages"]) => {
            shell.tell(&rules::INSTALL_GLOBAL, shown(call), call.span)
        }
        "config" if matches!(names.first().and_then(|arg| arg.known()), Some("set")) => {
            let value = names.get(2);
            let usual = value.is_some_and(|value| value.known().is_some() && !super::is_unusual_index(value))
                && !names.get(1).is_some_and(|key| key.shown().contains("trusted-host"));
            if !usual {
                shell.tell(&rules::SETTINGS, shown(call), call.span);
            }
        }
        _ => {}
    }
}

/// Indexes and requirement files from elsewhere.
fn sources(shell: &mut Shell<'_>, options: &Options<'_>) {
    for address in options.values(&["i", "index-url", "extra-index-url", "f", "find-links", "default-index", "index"]) {
        index(shell, address);
    }
    for host in options.values(&["trusted-host"]) {
        if !super::USUAL_HOSTS.contains(&host.shown().as_ref()) {
            shell.tell(&rules::INDEX, host.shown(), host.span);
        }
    }
    for file in options.values(&["r", "requirement", "c", "constraint", "requirements"]) {
        if source(file) == Source::Foreign {
            shell.tell(&rules::FOREIGN, file.shown(), file.span);
        }
    }
}

fn pipx(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const PIPX: Syntax = Syntax {
        long_values: &["spec", "python", "index-url", "pip-args", "with", "suffix"],
        short_values: "i",
        stops_at_operand: true,
        ..NONE
    };
    let Some(verb) = call.args.iter().find(|arg| !arg.is_option()) else { return call.output() };
    let start = behind(call, verb);
    let options = Options::read(call.args.get(start..).unwrap_or_default(), &PIPX);
    for address in options.values(&["i", "index-url"]) {
        index(shell, address);
    }
    match verb.known().unwrap_or_default() {
        "run" => {
            for spec in options.values(&["spec"]).filter(|spec| source(spec) == Source::Foreign) {
                shell.tell(&rules::FOREIGN, spec.shown(), spec.span);
            }
            run_tool(shell, call, start + options.first_operand)
        }
        "install" | "inject" | "upgrade" => {
            let spec: Vec<&Arg> = options.values(&["spec"]).collect();
            install(shell, if spec.is_empty() { &options.operands } else { &spec }, false);
            call.output()
        }
        "uninstall-all" | "reinstall-all" => told(shell, call, &rules::TOOLCHAIN, None),
        "ensurepath" => {
            shell.tell(&crate::path_effects::WRITE_PROFILE, "pipx ensurepath", call.span);
            call.output()
        }
        _ => call.output(),
    }
}

/// A tool from the index runs: `uvx tool`, `pipx run tool`.
fn run_tool(shell: &mut Shell<'_>, call: &Call, at: usize) -> Feed {
    let Some(tool) = call.args.get(at) else { return call.output() };
    if source(tool) == Source::Foreign {
        shell.tell(&rules::FOREIGN, tool.shown(), tool.span);
        return call.output();
    }
    let Some(text) = tool.known() else { return call.output() };
    let name = text.split(['@', '=', '[', '<', '>', '~']).next().unwrap_or(text);
    if crate::shell::families::find(name).is_none() {
        shell.tell(&rules::INSTALL, tool.shown(), tool.span);
    }
    let argv: Vec<Arg> = std::iter::once(Arg::text(name, tool.span))
        .chain(call.args.get(at + 1..).unwrap_or_default().iter().cloned())
        .collect();
    shell.run(&argv, call.stdin.clone(), call.span)
}

const UV: Syntax = Syntax {
    short_values: "pcrCimsw",
    long_values: &[
        "python",
        "with",
        "with-requirements",
        "with-editable",
        "extra",
        "group",
        "only-group",
        "no-group",
        "env-file",
        "directory",
        "project",
        "package",
        "index",
        "index-url",
        "default-index",
        "extra-index-url",
        "find-links",
        "from",
        "refresh-package",
        "upgrade-package",
        "cache-dir",
        "config-file",
        "color",
        "module",
        "constraint",
        "override",
        "index-strategy",
        "resolution",
        "prerelease",
        "requirements",
        "config-setting",
        "link-mode",
        "python-platform",
        "exclude-newer",
        "publish-url",
        "token",
        "username",
        "password",
        "allow-insecure-host",
        "output-file",
        "format",
        "bump",
        "rev",
        "tag",
        "branch",
        "optional",
    ],
    long_flags: &["dry-run", "no-sync", "frozen", "locked", "help", "script", "gui-script", "isolated"],
    stops_at_operand: true,
    single_dash_long: false,
};

fn uv(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let globals = Options::read(&call.args, &UV);
    let Some(verb) = globals.operands.first().copied() else { return call.output() };
    let start = behind(call, verb);
    let rest = call.args.get(start..).unwrap_or_default();
    let sub = rest.iter().find(|arg| !arg.is_option()).and_then(|arg| arg.known()).unwrap_or_default();
    match verb.known().unwrap_or_default() {
        "run" => uv_run(shell, call, start),
        "pip" => {
            pip_args(shell, call, rest);
            call.output()
        }
        "tool" if sub == "run" => {
            uvx_from(shell, call, start + rest.iter().position(|arg| arg.is("run")).map_or(0, |at| at + 1))
        }
        verb_name @ ("add" | "tool") => {
            let options = Options::read(rest, &Syntax { stops_at_operand: false, ..UV });
            sources(shell, &options);
            let skip = usize::from(verb_name == "tool");
            if sub == "uninstall" && call.has("--all") {
                return told(shell, call, &rules::TOOLCHAIN, None);
            }
            if verb_name == "add" || sub == "install" {
                install(shell, options.operands.get(skip..).unwrap_or_default(), false);
            } else if sub == "update-shell" {
                shell.tell(&crate::path_effects::WRITE_PROFILE, "uv tool update-shell", call.span);
            }
            call.output()
        }
        "publish" if !call.rehearses(&["--dry-run"]) => {
            told(shell, call, &rules::PUBLISH, Some("uv publish --dry-run"))
        }
        "self" if sub == "update" && !call.rehearses(&["--dry-run"]) => told(shell, call, &rules::INSTALL_GLOBAL, None),
        "auth" if matches!(sub, "token") => told(shell, call, &rules::SECRET, None),
        "auth" if matches!(sub, "login" | "logout") => told(shell, call, &rules::ACCOUNT, None),
        _ => call.output(),
    }
}

fn told(shell: &mut Shell<'_>, call: &Call, rule: &'static Rule, safer: Option<&str>) -> Feed {
    shell.tell(rule, shown(call), call.span);
    if let Some(safer) = safer {
        shell.safer(safer);
    }
    call.output()
}

/// `uv run [options] program args`.
fn uv_run(shell: &mut Shell<'_>, call: &Call, start: usize) -> Feed {
    let rest = call.args.get(start..).unwrap_or_default();
    let options = Options::read(rest, &UV);
    sources(shell, &options);
    for package in options.values(&["with", "w", "from"]).filter(|package| source(package) == Source::Foreign) {
        shell.tell(&rules::FOREIGN, package.shown(), package.span);
    }
    if let Some(module) = options.value(&["m", "module"]) {
        let argv: Vec<Arg> = [Arg::text("python3", module.span), Arg::text("-m", module.span), module.clone()]
            .into_iter()
            .chain(rest.get(options.first_operand..).unwrap_or_default().iter().cloned())
            .collect();
        return shell.run(&argv, call.stdin.clone(), call.span);
    }
    let Some(program) = options.operands.first().copied() else { return call.output() };
    let args = rest.get(options.first_operand + 1..).unwrap_or_default();
    if source(program) == Source::Foreign {
        shell.tell(&rules::FOREIGN, program.shown(), program.span);
        return call.output();
    }
    if options.has(&["script", "s"]) || program.known().is_some_and(|text| text.ends_with(".py")) {
        return shell.run_script(Language::Python, program, args, call.stdin.clone());
    }
    if program.is("-") {
        return shell.run_feed(Language::Python, call.stdin.clone(), call.span);
    }
    run_rest(shell, call, start + options.first_operand)
}

fn uvx(shell: &mut Shell<'_>, call: &Call) -> Feed {
    uvx_from(shell, call, 0)
}

fn uvx_from(shell: &mut Shell<'_>, call: &Call, start: usize) -> Feed {
    let rest = call.args.get(start..).unwrap_or_default();
    let options = Options::read(rest, &UV);
    sources(shell, &options);
    for package in options.values(&["with", "w", "from"]).filter(|package| source(package) == Source::Foreign) {
        shell.tell(&rules::FOREIGN, package.shown(), package.span);
    }
    run_tool(shell, call, start + options.first_operand)
}

/// Managers of whole projects: poetry, pdm, hatch, rye, pipenv, maturin.
fn project_manager(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const MANAGER: Syntax = Syntax {
        short_values: "CPePmGE",
        long_values: &[
            "directory",
            "project",
            "env",
            "source",
            "group",
            "extras",
            "python",
            "index",
            "repository",
            "username",
            "password",
            "repo",
            "manifest-path",
            "environment",
            "config",
            "pypi-mirror",
            "dist-dir",
            "feature",
        ],
        long_flags: &["dry-run", "help", "version"],
        stops_at_operand: true,
        ..NONE
    };
    let globals = Options::read(&call.args, &MANAGER);
    let Some(verb) = globals.operands.first().copied() else { return call.output() };
    let start = behind(call, verb);
    let rest = call.args.get(start..).unwrap_or_default();
    if rest.first().is_some_and(|arg| arg.is("--help") || arg.is("-h")) {
        return call.output();
    }
    let options = Options::read(rest, &Syntax { stops_at_operand: false, ..MANAGER });
    let sub = options.operand(0).unwrap_or_default();
    let dry = options.has(&["dry-run"]);
    match (call.name.as_str(), verb.known().unwrap_or_default()) {
        ("hatch", "env") if sub == "run" => task_or_program(shell, call, start + 1),
        (_, "run" | "r") => {
            let inner = Options::read(rest, &MANAGER);
            task_or_program(shell, call, start + inner.first_operand)
        }
        (_, "add" | "install" | "require") => {
            sources(shell, &options);
            // Addresses behind `--git` and the like are no names of a registry.
            for arg in rest.iter().filter(|arg| arg.is("--git") || arg.is("--url")) {
                shell.tell(&rules::FOREIGN, shown(call), arg.span);
            }
            install(shell, &options.operands, false);
            call.output()
        }
        (_, "publish" | "upload") if !dry => {
            told(shell, call, &rules::PUBLISH, (call.name == "poetry").then_some("poetry publish --dry-run"))
        }
        ("poetry", "config") => {
            let key = options.operand(0).unwrap_or_default();
            let writes = options.operands.len() > 1 || options.has(&["unset"]);
            if writes
                && (key.starts_with("pypi-token")
                    || key.starts_with("http-basic")
                    || key.starts_with("repositories")
                    || key.starts_with("certificates"))
            {
                return told(shell, call, &rules::SETTINGS, None);
            }
            call.output()
        }
        ("poetry", "source") if sub == "add" => {
            for address in options.operands.iter().skip(2) {
                index(shell, address);
            }
            call.output()
        }
        ("poetry" | "rye" | "pdm" | "hatch", "self" | "self-update") if matches!(sub, "update" | "uninstall" | "") => {
            told(shell, call, &rules::INSTALL_GLOBAL, None)
        }
        _ => call.output(),
    }
}

/// What stands behind `poetry run` or `pdm run`: a program, or a task of the project.
fn task_or_program(shell: &mut Shell<'_>, call: &Call, at: usize) -> Feed {
    let Some(program) = call.args.get(at) else { return call.output() };
    if let Some(name) = program.known()
        && crate::shell::families::find(name).is_none()
        && !name.contains('/')
    {
        // `hatch run env:task` has the environment in front.
        let task = name.rsplit_once(':').map_or(name, |(_, task)| task);
        if tasks::judge(shell, task, &shown(call), call.program.span.to(program.span)) {
            return call.output();
        }
    }
    if program.known().is_some_and(|name| name.ends_with(".py")) {
        return shell.run_script(
            Language::Python,
            program,
            call.args.get(at + 1..).unwrap_or_default(),
            call.stdin.clone(),
        );
    }
    run_rest(shell, call, at)
}

fn conda(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const CONDA: Syntax = Syntax {
        short_values: "ncpf",
        long_values: &[
            "name",
            "channel",
            "prefix",
            "file",
            "clone",
            "solver",
            "add",
            "set",
            "append",
            "prepend",
            "remove",
            "remove-key",
            "get",
            "show",
            "cwd",
        ],
        long_flags: &["all", "yes", "dry-run"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    if call.asks_for_help() {
        return call.output();
    }
    let Some(verb) = call.args.iter().find(|arg| !arg.is_option()) else { return call.output() };
    let start = behind(call, verb);
    let rest = call.args.get(start..).unwrap_or_default();
    let options = Options::read(rest, &CONDA);
    if options.has(&["d", "dry-run"]) {
        return call.output();
    }
    let sub = options.operand(0).unwrap_or_default();
    match verb.known().unwrap_or_default() {
        "run" => {
            let inner = Options::read(rest, &Syntax { stops_at_operand: true, ..CONDA });
            run_rest(shell, call, start + inner.first_operand)
        }
        "install" | "create" => {
            for address in options.values(&["c", "channel"]) {
                index(shell, address);
            }
            install(shell, &options.operands, false);
            call.output()
        }
        "remove" | "uninstall" if options.has(&["all"]) => told(shell, call, &rules::TOOLCHAIN, None),
        "env" if sub == "remove" => told(shell, call, &rules::TOOLCHAIN, None),
        "init" | "shell" if verb.is("init") || sub == "init" => told(shell, call, &rules::TOOLCHAIN, None),
        "config" => {
            let channel = options.values(&["add", "prepend", "append", "set"]).any(|key| {
                matches!(
                    key.known(),
                    Some("channels" | "ssl_verify" | "proxy_servers" | "channel_alias" | "default_channels")
                )
            });
            let foreign = channel && options.operands.iter().any(|arg| super::is_unusual_index(arg) || arg.is("false"));
            if foreign { told(shell, call, &rules::SETTINGS, None) } else { call.output() }
        }
        _ => call.output(),
    }
}

fn versions(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.name == "pyenv" && call.arg(0) == Some("exec") {
        return run_rest(shell, call, 1);
    }
    call.output()
}
