//! Package managers and runners of JavaScript.

use signoff_model::Dialect;

use super::{
    Source, behind, index, install, is_repository_short,
    manifest::{self, Outcome, PACKAGE},
    rules, run_rest, shown, source, span_from,
};
use crate::{
    rule::Rule,
    shell::{
        Call, Judge, Language, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

pub(super) const NODE: Syntax = Syntax {
    short_values: "wCF",
    long_values: &[
        "prefix",
        "workspace",
        "registry",
        "cwd",
        "dir",
        "filter",
        "loglevel",
        "tag",
        "access",
        "otp",
        "cache",
        "userconfig",
        "globalconfig",
        "modules-folder",
        "store-dir",
        "depth",
        "script-shell",
        "package",
        "call",
        "omit",
        "include",
        "location",
        "before",
        "network-timeout",
        "node-options",
    ],
    long_flags: &["global", "dry-run", "force", "help", "version", "json", "save-dev"],
    stops_at_operand: false,
    single_dash_long: false,
};

/// The scripts of a project that run when its packages are installed.
const INSTALL_HOOKS: &[&str] =
    &["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];

/// The scripts of a project that a verb runs by itself, besides installing.
fn hooks_of(verb: &str) -> &'static [&'static str] {
    match verb {
        "pack" => &["prepublish", "prepack", "prepare", "postpack"],
        "publish" => &["prepublishOnly", "prepack", "prepare", "postpack"],
        "version" => &["preversion", "version", "postversion"],
        "rebuild" | "rb" | "dedupe" | "ddp" | "prune" => INSTALL_HOOKS,
        _ => &[],
    }
}

/// Whether a script of this name is started without being asked for, by an installation or before something is published.
pub(in crate::shell::families) fn runs_by_itself(name: &str) -> bool {
    INSTALL_HOOKS.contains(&name) || hooks_of("pack").contains(&name) || hooks_of("publish").contains(&name)
}

/// The judgement for a program of this room.
pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "npm" | "cnpm" | "tnpm" => npm,
        "pnpm" | "yarn" | "yarnpkg" | "bun" | "ni" | "nr" | "nun" => pnpm_and_yarn,
        "npx" | "bunx" | "pnpx" | "nlx" | "pnx" => npx,
        _ => return None,
    })
}

/// A flag of a registry, a shell or a settings file on the command line.
fn common(shell: &mut Shell<'_>, options: &Options<'_>) {
    for address in options.values(&["registry"]) {
        index(shell, address);
    }
    for program in options.values(&["script-shell"]) {
        shell.run(std::slice::from_ref(program), Feed::none(), program.span);
    }
    for file in options.values(&["userconfig", "globalconfig"]) {
        if shell.place(&file.value).scope != signoff_model::Scope::Project {
            shell.tell(&rules::SETTINGS, file.shown(), file.span);
        }
    }
}

fn npm(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &NODE);
    common(shell, &options);
    let Some(verb) = options.operands.first().copied() else { return call.output() };
    let start = behind(call, verb);
    if call.asks_by(&["--help", "-h"]) && !matches!(verb.known(), Some("exec" | "x" | "run" | "explore")) {
        return call.output();
    }
    let directory = options.value(&["prefix", "C"]);
    let dry = options.has(&["dry-run"]);
    match verb.known().unwrap_or_default() {
        "run" | "run-script" | "rum" | "urn" => run_script(shell, call, &options, start, directory),
        name @ ("test" | "t" | "tst" | "start" | "stop" | "restart") => {
            let full = if name.starts_with("t") { "test" } else { name };
            let end = call.args.iter().position(|arg| arg.is("--")).unwrap_or(call.args.len());
            let args = call.args.get(end.saturating_add(1)..).unwrap_or_default();
            manifest::run(shell, PACKAGE, directory, &Arg::text(full, verb.span), args, call);
            call.output()
        }
        "exec" | "x" => npx_like(shell, call, start),
        "init" | "create" | "innit" => {
            if let Some(initializer) = options.operands.get(1) {
                fetch_and_run(shell, call, &created(initializer), call.args.get(start + 1..).unwrap_or_default());
            }
            call.output()
        }
        "explore" => {
            if let Some(at) = call.args.iter().position(|arg| arg.is("--")) {
                return run_rest(shell, call, at + 1);
            }
            call.output()
        }
        "bin" if !options.has(&["g", "global"]) => match shell.cwd() {
            Some(cwd) => Feed::of(crate::value::Value::text(format!("{cwd}/node_modules/.bin\n"))),
            None => call.output(),
        },
        "set-script" => {
            if let (Some(name), Some(code)) = (options.operand(1), options.operands.get(2)) {
                let mut setting = Arg::text(format!("scripts.{name}="), code.span);
                setting.value.extend(code.value.clone());
                set_script(shell, &setting);
            }
            call.output()
        }
        "pkg" if options.operand(1) == Some("set") => {
            for setting in options.operands.iter().skip(2) {
                set_script(shell, setting);
            }
            call.output()
        }
        "audit" if options.operand(1) == Some("fix") && options.has(&["f", "force"]) && !dry => {
            shell.tell(&rules::FORCE_FIX, shown(call), call.span);
            shell.safer("npm audit fix");
            call.output()
        }
        verb_name => {
            shared_verbs(shell, call, &options, verb, verb_name);
            run_hooks_of(shell, &options, verb, verb_name);
            call.output()
        }
    }
}

fn run_hooks_of(shell: &mut Shell<'_>, options: &Options<'_>, verb: &Arg, name: &str) {
    let looks = name == "version" && options.operands.len() < 2;
    if !hooks_of(name).is_empty() && !looks && !options.has(&["ignore-scripts", "dry-run"]) {
        let directory = options.value(&["prefix", "C", "cwd", "dir"]).cloned();
        manifest::run_hooks(shell, PACKAGE, directory.as_ref(), hooks_of(name), verb.span);
    }
}

/// `scripts.postinstall=code`: what a package manager starts by itself counts as run; of the other scripts only what
/// nobody should ever write down.
fn set_script(shell: &mut Shell<'_>, setting: &Arg) {
    let text = setting.value.prefix();
    let Some((key, _)) = text.split_once('=') else { return };
    let Some(name) = key.strip_prefix("scripts.") else { return };
    let by_itself = runs_by_itself(name);
    let code = Arg { value: crate::shell::options::strip(&setting.value, key.len() + 1), span: setting.span };
    if let Some(code) = code.known() {
        let manifest = shell.place(&crate::value::Value::text("package.json")).path.clone();
        shell.remember_script(&manifest, name, code);
    }
    let before = std::mem::take(&mut shell.findings);
    shell.run_code(Language::Shell(Dialect::Sh), &code, Feed::none());
    let found = std::mem::replace(&mut shell.findings, before);
    if by_itself || found.is_prohibited() {
        shell.findings.append(found);
    }
}

/// Verbs that npm, pnpm, yarn and bun have in common. Tells whether the verb is one of them.
fn shared_verbs(shell: &mut Shell<'_>, call: &Call, options: &Options<'_>, verb: &Arg, name: &str) -> bool {
    let global = options.has(&["g", "global"])
        || matches!(options.value(&["location"]).and_then(|arg| arg.known()), Some("global"));
    let dry = options.has(&["dry-run"]);
    let names = options.operands.get(1..).unwrap_or_default();
    let sub = options.operand(1).unwrap_or_default();
    let reads = matches!(sub, "ls" | "list" | "get" | "" | "view" | "whoami" | "show");
    let tell = |shell: &mut Shell<'_>, rule: &'static Rule| {
        shell.tell(rule, shown(call), span_from(call, options.operands.last().copied().unwrap_or(verb)))
    };
    match name {
        "install" | "i" | "add" | "in" | "ins" | "inst" | "isntall" | "it" | "install-test" | "link" | "ln"
        | "dlx-install" | "patch" | "import" => {
            for arg in names.iter().filter(|arg| is_repository_short(arg) && !matches!(name, "patch" | "link" | "ln")) {
                shell.tell(&rules::FOREIGN, arg.shown(), arg.span);
            }
            let named: Vec<&Arg> = names.iter().copied().filter(|arg| !is_repository_short(arg)).collect();
            install(shell, &named, global && name != "link" && name != "ln");
            // Yarn runs the scripts of the project for one more package, too.
            if (names.is_empty() || call.name.starts_with("yarn")) && !options.has(&["ignore-scripts"]) {
                let directory = options.value(&["prefix", "C", "cwd", "dir"]).cloned();
                manifest::run_hooks(shell, PACKAGE, directory.as_ref(), INSTALL_HOOKS, verb.span);
            }
        }
        "ci" | "clean-install" | "install-ci-test" | "cit" => {
            if !options.has(&["ignore-scripts"]) {
                let directory = options.value(&["prefix", "C"]).cloned();
                manifest::run_hooks(shell, PACKAGE, directory.as_ref(), INSTALL_HOOKS, verb.span);
            }
        }
        "uninstall" | "remove" | "rm" | "un" | "unlink" | "r" | "update" | "up" | "upgrade" | "udpate"
            if global && !dry =>
        {
            tell(shell, &rules::INSTALL_GLOBAL)
        }
        "uninstall" | "remove" | "rm" | "un" | "unlink" | "r" | "update" | "up" | "udpate" => {}
        "publish" if !dry => {
            tell(shell, &rules::PUBLISH);
            if call.name == "npm" || call.name == "pnpm" {
                shell.safer(format!("{} publish --dry-run", call.name));
            }
        }
        "unpublish" | "deprecate" | "undeprecate" if !dry => tell(shell, &rules::WITHDRAW),
        "dist-tag" | "dist-tags" if !reads => tell(shell, &rules::WITHDRAW),
        "owner" | "author" | "access" | "team" | "org" | "ogr" | "token" | "hook" | "trust" if !reads => {
            tell(shell, &rules::ACCOUNT)
        }
        "profile" if !reads => tell(shell, &rules::ACCOUNT),
        "star" if options.has(&["list"]) => {}
        "login" | "adduser" | "add-user" | "logout" | "star" | "unstar" => tell(shell, &rules::ACCOUNT),
        "publish" | "unpublish" | "deprecate" | "undeprecate" | "dist-tag" | "dist-tags" | "owner" | "access"
        | "team" | "org" | "token" | "hook" | "profile" | "trust" => {}
        "config" | "c" | "set" => settings(shell, call, options, name),
        _ => return false,
    }
    true
}

/// `npm config set key=value`.
fn settings(shell: &mut Shell<'_>, call: &Call, options: &Options<'_>, verb: &str) {
    let skip = if verb == "set" { 1 } else { 2 };
    let sub = options.operand(1).unwrap_or_default();
    if verb != "set" && sub == "get" {
        if call.args.iter().any(|arg| arg.value.prefix().contains("_auth")) {
            shell.tell(&rules::SECRET, shown(call), call.span);
        }
        return;
    }
    if verb != "set" && !matches!(sub, "set" | "edit" | "delete" | "fix") {
        return;
    }
    const GRAVE: &[&str] = &[
        "registry",
        "npmRegistryServer",
        "script-shell",
        "shell",
        "prefix",
        "proxy",
        "https-proxy",
        "strict-ssl",
        "cafile",
        "ca",
        "node-options",
        "git",
        "editor",
        "init-module",
        "init.module",
        "globalconfig",
        "userconfig",
        "nodeLinker",
        "yarnPath",
        "plugins",
    ];
    let key = options.operands.get(skip).map(|arg| arg.shown().into_owned()).unwrap_or_default();
    let (key, value) =
        key.split_once('=').map_or((key.as_str(), None), |(key, value)| (key, Some(Arg::text(value, call.span))));
    let value = value.or_else(|| options.operands.get(skip + 1).map(|arg| (*arg).clone()));
    let own_registry = key.ends_with("registry") && value.as_ref().is_some_and(|value| !super::is_unusual_index(value));
    if sub == "edit"
        || !own_registry
            && (GRAVE.contains(&key) || key.contains("_auth") || key.ends_with(":registry") || key.contains("Token"))
            && sub != "delete"
    {
        shell.tell(&rules::SETTINGS, shown(call), call.span);
    }
}

/// `npm run name -- args`.
fn run_script(
    shell: &mut Shell<'_>,
    call: &Call,
    options: &Options<'_>,
    start: usize,
    directory: Option<&Arg>,
) -> Feed {
    let Some(name) = options.operands.get(1).copied() else { return call.output() };
    let end = call.args.iter().position(|arg| arg.is("--")).unwrap_or(call.args.len());
    let args = call.args.get(end.saturating_add(1).max(start)..).unwrap_or_default();
    manifest::run(shell, PACKAGE, directory, name, args, call);
    call.output()
}

/// `pnpm`, `yarn` and `bun`: a word that is no verb is a script or an installed program.
fn pnpm_and_yarn(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // `bun -` and `bun run -` read a script from what flows in.
    let words = call.args.iter().filter(|arg| !arg.is_option());
    if call.name == "bun" && words.skip_while(|arg| arg.is("run")).map(Arg::known).next() == Some(Some("-")) {
        return shell.run_feed(Language::JavaScript, call.stdin.clone(), call.span);
    }
    let options = Options::read(&call.args, &Syntax { stops_at_operand: true, ..NODE });
    let Some(verb) = options.operands.first().copied() else {
        if call.name == "bun" && options.has(&["e", "eval", "p", "print"]) {
            let code = call
                .args
                .iter()
                .skip_while(|arg| !matches!(arg.known(), Some("-e" | "--eval" | "-p" | "--print")))
                .nth(1);
            if let Some(code) = code {
                return shell.run_code(Language::JavaScript, code, Feed::none());
            }
        }
        common(shell, &options);
        // Alone, these install what the project declares.
        if matches!(call.name.as_str(), "yarn" | "yarnpkg" | "ni")
            && !options.has(&["ignore-scripts", "help", "h", "version", "v"])
        {
            let directory = options.value(&["cwd", "C"]).cloned();
            manifest::run_hooks(shell, PACKAGE, directory.as_ref(), INSTALL_HOOKS, call.program.span);
        }
        return call.output();
    };
    if call.name == "bun" && options.has(&["e", "eval", "p", "print"]) {
        return shell.run_code(Language::JavaScript, verb, Feed::none());
    }
    let start = behind(call, verb);
    let all = Options::read(&call.args, &NODE);
    common(shell, &all);
    let directory = options.value(&["C", "dir", "cwd", "prefix"]).cloned();
    let rest = call.args.get(start..).unwrap_or_default();
    if rest.first().is_some_and(|arg| arg.is("--help") || arg.is("-h")) {
        return call.output();
    }
    match (call.name.as_str(), verb.known().unwrap_or_default()) {
        (_, "run" | "run-script") | ("nr", _) => {
            let at = if call.name == "nr" { start.saturating_sub(1) } else { start };
            let position = call.args.iter().skip(at).position(|arg| !arg.is_option()).map(|found| found + at);
            let Some(position) = position else { return call.output() };
            if let Some(name) = call.args.get(position) {
                let args = call.args.get(position + 1..).unwrap_or_default();
                return script_or_program(shell, call, directory.as_ref(), name, args);
            }
            call.output()
        }
        ("pnpm" | "yarn" | "bun", "dlx") | ("bun", "x") => npx_like(shell, call, start),
        // Only bun has this verb; elsewhere it is a script like any other, if there is one.
        (_, "x") if manifest::run(shell, PACKAGE, directory.as_ref(), verb, rest, call) == Outcome::Judged => {
            call.output()
        }
        (_, "x") => npx_like(shell, call, start),
        ("pnpm" | "yarn", "exec") => run_rest(shell, call, start),
        ("yarn", "node") | ("pnpm", "node") => {
            let mut argv = vec![Arg::text("node", verb.span)];
            argv.extend(rest.iter().cloned());
            shell.run(&argv, call.stdin.clone(), call.span)
        }
        ("bun", "exec") => match rest.first() {
            Some(code) => shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none()),
            None => call.output(),
        },
        (_, "create" | "init") => {
            if let Some(initializer) = rest.iter().find(|arg| !arg.is_option()) {
                fetch_and_run(shell, call, &created(initializer), &[]);
            }
            call.output()
        }
        ("yarn", "global") => {
            let listing = rest.first().is_some_and(|arg| arg.is("list") || arg.is("bin") || arg.is("dir"));
            if !listing {
                shell.tell(&rules::INSTALL_GLOBAL, shown(call), call.span);
            }
            call.output()
        }
        ("yarn", "npm") => {
            let inner: Vec<Arg> = std::iter::once(Arg::text("npm", verb.span)).chain(rest.iter().cloned()).collect();
            shell.run(&inner, Feed::none(), call.span)
        }
        ("yarn", "workspace") => {
            let inner: Vec<Arg> = std::iter::once(call.program.clone()).chain(rest.iter().skip(1).cloned()).collect();
            shell.run(&inner, Feed::none(), call.span)
        }
        ("yarn", "workspaces") => {
            let skip = rest
                .iter()
                .position(|arg| {
                    arg.is("foreach") || arg.is("run") || arg.is("focus") || arg.is("list") || arg.is("info")
                })
                .map_or(0, |at| at + 1);
            let words = rest.get(skip..).unwrap_or_default();
            let at = words.iter().position(|arg| !arg.is_option()).unwrap_or(words.len());
            let inner: Vec<Arg> = std::iter::once(call.program.clone())
                .chain(words.get(at..).unwrap_or_default().iter().cloned())
                .collect();
            if rest.first().is_some_and(|arg| arg.is("foreach") || arg.is("run")) {
                return shell.run(&inner, Feed::none(), call.span);
            }
            call.output()
        }
        ("bun" | "pnpm", "upgrade" | "self-update") if call.name == "bun" || verb.is("self-update") => {
            shell.tell(&rules::INSTALL_GLOBAL, shown(call), call.span);
            call.output()
        }
        ("pnpm" | "yarn", "env" | "plugin" | "set") => {
            if rest.iter().any(|arg| source(arg) == Source::Foreign) {
                shell.tell(&rules::FOREIGN, shown(call), call.span);
            }
            call.output()
        }
        ("pnpm", "setup") => {
            shell.tell(&crate::path_effects::WRITE_PROFILE, "pnpm setup", call.span);
            call.output()
        }
        ("bun", file)
            if file.ends_with(".ts")
                || file.ends_with(".js")
                || file.ends_with(".tsx")
                || file.ends_with(".mjs")
                || file.ends_with(".jsx") =>
        {
            shell.run_script(Language::JavaScript, verb, rest, call.stdin.clone())
        }
        (_, "deploy") if call.name == "pnpm" => call.output(),
        ("bun", "test" | "build") => call.output(),
        ("bun", "feedback") => {
            shell.send("bun", rest.iter().map(|arg| &arg.value), &call.stdin, call.span);
            call.output()
        }
        (_, name) => {
            if shared_verbs(shell, call, &all, verb, name) || is_verb(name) {
                run_hooks_of(shell, &all, verb, name);
                return call.output();
            }
            script_or_program(shell, call, directory.as_ref(), verb, rest)
        }
    }
}

/// Verbs that only look at or tidy the project.
fn is_verb(name: &str) -> bool {
    matches!(
        name,
        "list"
            | "ls"
            | "why"
            | "outdated"
            | "audit"
            | "pm"
            | "cache"
            | "store"
            | "dedupe"
            | "prune"
            | "rebuild"
            | "pack"
            | "info"
            | "view"
            | "version"
            | "versions"
            | "bin"
            | "root"
            | "help"
            | "licenses"
            | "check"
            | "doctor"
            | "fetch"
            | "import"
            | "patch-commit"
            | "generate-lock-entry"
            | "autoclean"
            | "policies"
            | "constraints"
            | "explain"
            | "search"
            | "stage"
            | "repl"
            | "feedback"
            | "upgrade-interactive"
            | "ping"
            | "whoami"
            | "completion"
            | "sbom"
            | "approve-builds"
            | "outdate"
            | "c"
            | "unplug"
            | "discord"
            | "upgrade"
    )
}

/// A script of the project, or else a program that is installed in it.
fn script_or_program(shell: &mut Shell<'_>, call: &Call, directory: Option<&Arg>, name: &Arg, args: &[Arg]) -> Feed {
    let args = match args.split_first() {
        Some((first, rest)) if first.is("--") => rest,
        _ => args,
    };
    let Some(known) = name.known() else {
        manifest::run(shell, PACKAGE, directory, name, args, call);
        return call.output();
    };
    if call.name == "bun" && (known.contains('/') || known.contains('.')) {
        return shell.run_script(Language::JavaScript, name, args, call.stdin.clone());
    }
    // Without a look at the manifest a known program is judged as itself, anything else by its name.
    // Yarn and bun look for installed programs behind `run` as well.
    let scripts_only = call.has_any(&["run", "run-script"]) && !matches!(call.name.as_str(), "yarn" | "bun");
    let program = is_project_tool(known) && !scripts_only;
    if program && manifest::run(shell, PACKAGE, directory, name, args, call) != Outcome::Judged {
        let argv: Vec<Arg> = std::iter::once(name.clone()).chain(args.iter().cloned()).collect();
        return shell.run(&argv, call.stdin.clone(), call.span);
    }
    if !program {
        manifest::run(shell, PACKAGE, directory, name, args, call);
    }
    call.output()
}

/// Whether a word that is no verb of the manager names a tool that projects install. A word such as `format` names a
/// script, although a system has a program of that name.
fn is_project_tool(name: &str) -> bool {
    use crate::shell::families::{builds, cloud, hosting, infrastructure, migrations};
    [builds::find, migrations::find, hosting::find, cloud::find, infrastructure::find]
        .iter()
        .any(|find| find(name).is_some())
}

fn npx(shell: &mut Shell<'_>, call: &Call) -> Feed {
    npx_like(shell, call, 0)
}

/// `npx tool args`, `npm exec -- tool args`, `npx -c 'text'`.
fn npx_like(shell: &mut Shell<'_>, call: &Call, start: usize) -> Feed {
    const NPX: Syntax = Syntax {
        short_values: "pcw",
        long_values: &[
            "package",
            "call",
            "workspace",
            "registry",
            "prefix",
            "cache",
            "userconfig",
            "shell",
            "node-options",
            "node-arg",
            "allow-build",
            "reporter",
        ],
        stops_at_operand: true,
        ..NODE
    };
    let args = call.args.get(start..).unwrap_or_default();
    let options = Options::read(args, &NPX);
    common(shell, &options);
    for package in options.values(&["p", "package"]) {
        if source(package) == Source::Foreign || is_repository_short(package) {
            shell.tell(&rules::FOREIGN, package.shown(), package.span);
        }
    }
    if let Some(code) = options.value(&["c", "call"]) {
        return shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none());
    }
    let Some(tool) = options.operands.first().copied() else { return call.output() };
    let rest = args.get(options.first_operand + 1..).unwrap_or_default();
    fetch_and_run(shell, call, tool, rest)
}

/// A tool from the registry, or from the project, runs.
fn fetch_and_run(shell: &mut Shell<'_>, call: &Call, tool: &Arg, args: &[Arg]) -> Feed {
    if source(tool) == Source::Foreign || is_repository_short(tool) {
        shell.tell(&rules::FOREIGN, tool.shown(), tool.span);
        return call.output();
    }
    let Some(text) = tool.known() else { return call.output() };
    if source(tool) == Source::Local {
        // A path is run as it is; only what is no file is a package in a directory.
        let argv: Vec<Arg> = std::iter::once(tool.clone()).chain(args.iter().cloned()).collect();
        return shell.run(&argv, call.stdin.clone(), call.span);
    }
    let name = program_of(text);
    // Taken as an installation that was asked for: the project may hold it, and nothing else is known about it.
    if crate::shell::families::find(name).is_none() {
        shell.tell(&rules::INSTALL, tool.shown(), tool.span);
    }
    let argv: Vec<Arg> = std::iter::once(Arg::text(name, tool.span)).chain(args.iter().cloned()).collect();
    shell.run(&argv, call.stdin.clone(), call.span)
}

/// The program that a package brings, as far as its name differs.
fn program_of(package: &str) -> &str {
    let bare = match package.get(1..).and_then(|rest| rest.find('@')) {
        Some(at) => package.get(..=at).unwrap_or(package),
        None => package,
    };
    match bare {
        "@angular/cli" => "ng",
        "@nestjs/cli" => "nest",
        "@changesets/cli" => "changeset",
        "@biomejs/biome" => "biome",
        "@railway/cli" => "railway",
        "@sentry/cli" => "sentry-cli",
        "@playwright/test" => "playwright",
        "@redocly/cli" => "redocly",
        "@cloudflare/wrangler" => "wrangler",
        "@azure/static-web-apps-cli" => "swa",
        "firebase-tools" => "firebase",
        "netlify-cli" => "netlify",
        "vercel" | "now" => "vercel",
        "aws-cdk" => "cdk",
        "typescript" => "tsc",
        "eas-cli" => "eas",
        bare => bare.rsplit('/').next().unwrap_or(bare),
    }
}

/// `npm create vite` runs `create-vite`.
fn created(initializer: &Arg) -> Arg {
    match initializer.known() {
        Some(name)
            if source(initializer) == Source::Registry
                && !name.starts_with('@')
                && !is_repository_short(initializer) =>
        {
            Arg::text(format!("create-{name}"), initializer.span)
        }
        _ => initializer.clone(),
    }
}
