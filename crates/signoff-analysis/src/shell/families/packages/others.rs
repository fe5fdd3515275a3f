//! Package managers of other languages, Homebrew, and managers of versions.

use signoff_model::{Dialect, Scope};

use super::{
    Source, behind, install,
    manifest::{self, COMPOSER},
    modules::{self, Fetch},
    rules, run_rest, shown, source,
};
use crate::{
    facts::FileText,
    rule::Rule,
    shell::{
        Call, Judge, Language, Shell,
        families::{builds::tasks, cloud, migrations, unknown},
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

/// The judgement for a program of this room.
pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "go" => go,
        "gem" | "bundle" | "bundler" => ruby,
        "composer" => composer,
        "dotnet" | "nuget" | "paket" => dotnet,
        "mix" | "rebar3" | "hex" => elixir,
        "brew" | "linuxbrew" => brew,
        "cabal" | "stack" | "opam" | "luarocks" | "cpan" | "cpanm" | "vcpkg" | "conan" | "nimble" | "shards"
        | "dub" | "pub" | "flutter" | "pod" | "carthage" | "spago" | "raco" | "zef" | "ghcup" | "jbang"
        | "coursier" | "cs" | "scarb" | "forge" | "sui" | "aptos" => small,
        "rbenv" | "sdk" | "jenv" | "goenv" | "tfenv" | "rvm" | "chruby" | "proto" | "aqua" | "gvm" | "plenv"
        | "phpenv" | "swiftly" | "tfswitch" | "hermit" => versions,
        _ => return None,
    })
}

fn told(shell: &mut Shell<'_>, call: &Call, rule: &'static Rule) -> Feed {
    shell.tell(rule, shown(call), call.span);
    call.output()
}

/// The verb and the arguments behind it.
fn verb(call: &Call) -> Option<(&Arg, &str, &[Arg])> {
    let verb = call.args.iter().find(|arg| !arg.is_option())?;
    Some((verb, verb.known()?, call.args.get(behind(call, verb)..).unwrap_or_default()))
}

/// So many files of one program are read.
const MAX_SOURCES: usize = 64;

/// `go run` with files, or with the directory of a program: what can be read of them runs.
fn run_sources(shell: &mut Shell<'_>, operands: &[&Arg], args: &[Arg]) {
    let is_source = |arg: &&&Arg| arg.known().is_some_and(|name| name.ends_with(".go"));
    let mut sources: Vec<Arg> = operands.iter().take_while(is_source).map(|arg| (*arg).clone()).collect();
    if let (true, Some(directory)) = (sources.is_empty(), operands.first())
        && let Some(path) = directory.known().filter(|path| path.starts_with('.') || path.starts_with('/'))
    {
        let path = path.trim_end_matches('/');
        let is_part = |name: &String| name.ends_with(".go") && !name.ends_with("_test.go");
        let mut names = shell.facts().names(&shell.place(&directory.value).path).unwrap_or_default();
        names.retain(is_part);
        names.sort();
        let files = names.iter().map(|name| Arg::text(format!("{path}/{name}"), directory.span));
        sources = shell.first_of(files, MAX_SOURCES, directory.span);
        if sources.is_empty() {
            sources.push(Arg::text(format!("{path}/main.go"), directory.span));
        }
    }
    for source in sources {
        let place = shell.place(&source.value);
        let there = !matches!(shell.facts().text(&place.path), FileText::NotKnown | FileText::Missing);
        // What lies where anybody may put it is no source of the project.
        if shell.written(&place.path).is_none() && (there || place.scope == Scope::Temp) {
            shell.run_script(Language::Go, &source, args, Feed::none());
        }
    }
}

fn go(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const GO: Syntax = Syntax {
        long_values: &[
            "C",
            "o",
            "p",
            "exec",
            "toolexec",
            "tags",
            "ldflags",
            "gcflags",
            "asmflags",
            "mod",
            "modfile",
            "overlay",
            "pkgdir",
            "run",
            "bench",
            "count",
            "timeout",
            "coverprofile",
            "buildmode",
            "coverpkg",
            "cpu",
            "parallel",
            "vettool",
        ],
        single_dash_long: true,
        stops_at_operand: true,
        ..NONE
    };
    let Some((_, name, rest)) = verb(call) else { return call.output() };
    // Options of one letter are read as long ones too: go makes no difference.
    let options = Options::read(rest, &GO);
    for code in options.values(&["exec", "toolexec", "vettool"]) {
        shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none());
    }
    match name {
        "install" | "get" => {
            for package in rest.iter().filter(|arg| !arg.is_option()) {
                let local = package.value.prefix().starts_with(['.', '/']) || !package.shown().contains('.');
                if !local {
                    shell.tell(&rules::INSTALL, package.shown(), package.span);
                }
            }
            call.output()
        }
        "run" => {
            let args = rest.get(options.first_operand + 1..).unwrap_or_default();
            let first = args.iter().find(|arg| !arg.is_option()).and_then(|arg| arg.known());
            let package = options.operand(0).unwrap_or_default();
            let fetch =
                if options.values(&["mod"]).any(|way| way.is("mod")) { Fetch::Missing } else { Fetch::Versions };
            if let Some(name) = options.operands.first().filter(|_| modules::is_foreign(package, fetch)) {
                shell.tell(&rules::FOREIGN, name.shown(), name.span);
            }
            run_sources(shell, &options.operands, args);
            let names =
                [package.rsplit('/').next().unwrap_or_default().trim_end_matches(".go"), first.unwrap_or_default()];
            for name in names.into_iter().filter(|name| !name.contains(['/', ' ', '.', '@'])) {
                if matches!(tasks::read(name), tasks::Says::Deploys | tasks::Says::Destroys)
                    && !call.rehearses(&["--dry-run", "-n"])
                    && !call.asks_for_help()
                {
                    tasks::judge(shell, name, &shown(call), call.span);
                }
            }
            if let Some(name) = options.operands.first() {
                unknown::judge_flags(shell, call, name, args);
            }
            call.output()
        }
        "env" if call.has_any(&["-w"]) => {
            const GRAVE: &[&str] = &[
                "GOPROXY",
                "GOSUMDB",
                "GONOSUMDB",
                "GONOSUMCHECK",
                "GOINSECURE",
                "GOFLAGS",
                "CC",
                "CXX",
                "GOTOOLCHAIN",
                "GOVCS",
                "GOROOT",
            ];
            let usual = ["proxy.golang.org", "goproxy.cn", "goproxy.io"];
            let grave = rest.iter().any(|arg| {
                let shown = arg.shown();
                shown
                    .split_once('=')
                    .is_some_and(|(key, value)| GRAVE.contains(&key) && !usual.iter().any(|host| value.contains(host)))
            });
            if grave { told(shell, call, &rules::SETTINGS) } else { call.output() }
        }
        _ => call.output(),
    }
}

fn ruby(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const RUBY: Syntax = Syntax {
        short_values: "vipsgn",
        long_values: &[
            "version",
            "source",
            "git",
            "github",
            "path",
            "group",
            "key",
            "host",
            "gemfile",
            "bindir",
            "install-dir",
        ],
        ..NONE
    };
    let Some((arg, name, rest)) = verb(call) else { return call.output() };
    let options = Options::read(rest, &RUBY);
    match (call.name.as_str(), name) {
        ("bundle" | "bundler", "exec" | "e") => run_rest(shell, call, behind(call, arg)),
        ("bundle" | "bundler", "add") | ("gem", "install" | "i") => {
            for address in options.values(&["source", "s"]) {
                super::index(shell, address);
            }
            for address in options.values(&["git", "github"]) {
                shell.tell(&rules::FOREIGN, address.shown(), address.span);
            }
            install(shell, &options.operands, false);
            call.output()
        }
        ("gem", "push") => told(shell, call, &rules::PUBLISH),
        ("gem", "yank") => told(shell, call, &rules::WITHDRAW),
        ("gem", "owner") if options.has(&["a", "add", "r", "remove"]) => told(shell, call, &rules::ACCOUNT),
        ("gem", "signin" | "signout") => told(shell, call, &rules::ACCOUNT),
        ("gem", "update") if call.has("--system") => told(shell, call, &rules::INSTALL_GLOBAL),
        ("gem", "sources") if options.has(&["a", "add"]) => told(shell, call, &rules::SETTINGS),
        ("gem", "exec") => run_rest(shell, call, behind(call, arg)),
        (_, "release") => told(shell, call, &rules::PUBLISH),
        _ => call.output(),
    }
}

fn composer(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some((arg, name, rest)) = verb(call) else { return call.output() };
    let options = Options::read(rest, &Syntax { short_values: "d", long_values: &["working-dir"], ..NONE });
    match name {
        _ if options.has(&["dry-run", "help", "h"]) => call.output(),
        "require" | "req" | "r" => {
            for name in &options.operands {
                let rule = if source(name) == Source::Foreign { &rules::FOREIGN } else { &rules::INSTALL };
                shell.tell(rule, name.shown(), name.span);
            }
            call.output()
        }
        "global"
            if !matches!(options.operand(0), Some("show" | "list" | "outdated" | "config" | "status" | "info")) =>
        {
            told(shell, call, &rules::INSTALL_GLOBAL)
        }
        "exec" => run_rest(shell, call, behind(call, arg)),
        "run" | "run-script" => {
            if let Some(script) = options.operands.first() {
                let args = call.args.get(behind(call, script)..).unwrap_or_default();
                manifest::run(shell, COMPOSER, None, script, without_dashes(args), call);
            }
            call.output()
        }
        "config" => {
            let key = options.operand(0).unwrap_or_default();
            let writes = options.operands.len() > 1;
            // A script that runs by itself at the next installation counts as run.
            if let (Some(_), Some(code)) = (key.strip_prefix("scripts."), options.operands.get(1)) {
                shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none());
            }
            if writes
                && (key.starts_with("repo")
                    || key.contains("secure-http")
                    || key.contains("auth")
                    || key.contains("oauth")
                    || key.contains("http-basic"))
            {
                return told(shell, call, &rules::SETTINGS);
            }
            call.output()
        }
        name if is_composer_verb(name) => {
            if !options.has(&["no-scripts"]) {
                let directory = options.value(&["d", "working-dir"]).cloned();
                manifest::run_hooks(shell, COMPOSER, directory.as_ref(), composer_hooks(name), arg.span);
            }
            call.output()
        }
        _ => {
            manifest::run(shell, COMPOSER, None, arg, without_dashes(rest), call);
            call.output()
        }
    }
}

/// The scripts of a project that a verb of composer runs by itself.
fn composer_hooks(verb: &str) -> &'static [&'static str] {
    match verb {
        "install" | "i" => &[
            "pre-install-cmd",
            "pre-autoload-dump",
            "post-autoload-dump",
            "post-install-cmd",
            "pre-update-cmd",
            "post-update-cmd",
        ],
        "update" | "u" | "upgrade" | "remove" | "rm" => {
            &["pre-update-cmd", "pre-autoload-dump", "post-autoload-dump", "post-update-cmd"]
        }
        "dump-autoload" | "dumpautoload" => &["pre-autoload-dump", "post-autoload-dump"],
        _ => &[],
    }
}

/// Without the dashes that part the arguments of a script from those of whoever runs it.
fn without_dashes(args: &[Arg]) -> &[Arg] {
    match args.split_first() {
        Some((first, rest)) if first.is("--") => rest,
        _ => args,
    }
}

fn is_composer_verb(name: &str) -> bool {
    matches!(
        name,
        "install"
            | "i"
            | "update"
            | "u"
            | "upgrade"
            | "remove"
            | "rm"
            | "show"
            | "info"
            | "outdated"
            | "validate"
            | "dump-autoload"
            | "dumpautoload"
            | "audit"
            | "diagnose"
            | "why"
            | "why-not"
            | "depends"
            | "prohibits"
            | "init"
            | "create-project"
            | "clear-cache"
            | "clearcache"
            | "cc"
            | "licenses"
            | "search"
            | "status"
            | "about"
            | "archive"
            | "browse"
            | "home"
            | "bump"
            | "check-platform-reqs"
            | "fund"
            | "list"
            | "help"
            | "reinstall"
            | "suggests"
            | "self-update"
            | "selfupdate"
            | "global"
    )
}

fn dotnet(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some((_, name, rest)) = verb(call) else { return call.output() };
    if call.asks_for_help() {
        return call.output();
    }
    if let Some(file) = call.args.iter().find(|arg| arg.known().is_some_and(|text| text.ends_with(".dll"))) {
        unknown::judge_inner(shell, call, file);
    }
    // What stands behind the dashes is for the program of the project.
    if name == "run"
        && let Some(dashes) = call.args.iter().find(|arg| arg.is("--"))
    {
        unknown::judge_built(shell, call, dashes);
    }
    let words: Vec<&str> = rest.iter().filter(|arg| !arg.is_option()).filter_map(|arg| arg.known()).collect();
    let sub = words.first().copied().unwrap_or_default();
    match (call.name.as_str(), name, sub) {
        ("dotnet", "nuget", "push") | ("nuget" | "paket", "push", _) => told(shell, call, &rules::PUBLISH),
        ("dotnet", "nuget", "delete") | ("nuget", "delete", _) => told(shell, call, &rules::WITHDRAW),
        ("dotnet", "nuget", "add" | "update" | "enable" | "remove" | "disable")
        | ("nuget", "sources" | "setapikey", "add" | "update") => told(shell, call, &rules::SETTINGS),
        ("nuget", "setapikey", _) => told(shell, call, &rules::ACCOUNT),
        // `dotnet script eval code`, and what flows into an interpreter of F#.
        ("dotnet", "script", "eval") => match rest.iter().skip_while(|arg| !arg.is("eval")).nth(1) {
            Some(code) => shell.run_code(Language::Java, code, Feed::none()),
            None => call.output(),
        },
        ("dotnet", "fsi", "") if !call.stdin.is_none() => shell.run_feed(Language::Java, call.stdin.clone(), call.span),
        ("dotnet", "ef", _) => {
            let argv: Vec<Arg> =
                std::iter::once(Arg::text("dotnet-ef", call.program.span)).chain(rest.iter().cloned()).collect();
            shell.run_with(call.variables.clone(), &argv, call.stdin.clone(), call.span)
        }
        ("dotnet", "user-secrets", "list") => told(shell, call, &rules::SECRET),
        ("dotnet", "user-secrets", "clear" | "remove") => told(shell, call, &rules::TOOLCHAIN),
        ("dotnet", "dev-certs", _) if call.has_any(&["--trust", "--clean", "-t", "-c"]) => {
            told(shell, call, &rules::INSTALL_GLOBAL)
        }
        ("dotnet", "workload", "install" | "update" | "uninstall" | "restore") => {
            told(shell, call, &rules::INSTALL_GLOBAL)
        }
        ("dotnet", "tool", "install") => {
            let name = words.get(1).copied().unwrap_or_default().to_owned();
            shell.tell(&rules::INSTALL, name, call.span);
            call.output()
        }
        ("dotnet", "msbuild" | "build" | "publish", _) => {
            let deploys = call.args.iter().any(|arg| {
                arg.shown().to_ascii_lowercase().contains("deployonbuild=true")
                    || arg.shown().to_ascii_lowercase().contains("publishprofile=")
            });
            if deploys { told(shell, call, &rules::PUBLISH) } else { call.output() }
        }
        _ => call.output(),
    }
}

fn elixir(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some((arg, name, rest)) = verb(call) else { return call.output() };
    if call.rehearses(&["--dry-run"]) {
        return call.output();
    }
    match name {
        "hex" if rest.first().is_some_and(|arg| arg.is("publish")) => told(shell, call, &rules::PUBLISH),
        "hex.publish" | "publish" => told(shell, call, &rules::PUBLISH),
        "hex.retire" | "retire" => told(shell, call, &rules::WITHDRAW),
        "hex.owner" | "hex.user" | "hex.organization" => told(shell, call, &rules::ACCOUNT),
        "run" | "eval" if call.name == "mix" => migrations::mix(shell, call),
        name if ["ecto", "ash", "event_store"].contains(&name.split('.').next().unwrap_or_default()) => {
            migrations::mix(shell, call)
        }
        "do" => {
            // Tasks are parted by `+`, or by a comma behind the last word of each.
            let words = rest.iter().flat_map(|arg| match arg.known().and_then(|text| text.strip_suffix(',')) {
                Some(word) => vec![Arg::text(word, arg.span), Arg::text("+", arg.span)],
                None => vec![arg.clone()],
            });
            let words: Vec<Arg> = words.collect();
            for part in words.split(|arg| arg.is("+")) {
                let argv: Vec<Arg> = std::iter::once(call.program.clone()).chain(part.iter().cloned()).collect();
                shell.run(&argv, Feed::none(), call.span);
            }
            call.output()
        }
        "cmd" => shell.run(rest, Feed::none(), call.span),
        "release" | "as" | "release.init" | "archive.install" | "phx.gen.release" | "local.hex" | "local.rebar" => {
            call.output()
        }
        name => {
            tasks::judge(shell, name, &shown(call), call.program.span.to(arg.span));
            unknown::judge_flags(shell, call, arg, rest);
            call.output()
        }
    }
}

fn brew(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some((_, name, rest)) = verb(call) else { return call.output() };
    let sub = rest.iter().find(|arg| !arg.is_option()).and_then(|arg| arg.known()).unwrap_or_default();
    if name == "bundle" && sub == "exec" {
        let at = rest.iter().position(|arg| arg.is("exec")).map_or(0, |at| at + 1);
        return shell.run(rest.get(at..).unwrap_or_default(), call.stdin.clone(), call.span);
    }
    if call.rehearses(&["-n", "--dry-run"]) || call.asks_for_help() {
        return call.output();
    }
    let changes = match name {
        "install" | "reinstall" | "upgrade" | "uninstall" | "remove" | "rm" | "link" | "ln" | "unlink"
        | "postinstall" | "migrate" | "autoremove" | "switch" => true,
        "tap" | "untap" => !sub.is_empty(),
        "bundle" => !matches!(sub, "list" | "check" | "dump" | "exec"),
        "services" => !matches!(sub, "" | "list" | "info"),
        "bump-formula-pr" | "bump-cask-pr" => true,
        _ => false,
    };
    if changes { told(shell, call, &rules::INSTALL_GLOBAL) } else { call.output() }
}

/// Managers that are met less often: the verb decides.
/// Smaller managers of projects: what they publish, install and run.
pub(in crate::shell::families) fn small(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some((arg, name, rest)) = verb(call) else { return call.output() };
    if call.rehearses(&["--dry-run"]) || call.asks_for_help() {
        return call.output();
    }
    let sub = rest.iter().find(|arg| !arg.is_option()).and_then(|arg| arg.known()).unwrap_or_default();
    match (call.name.as_str(), name) {
        ("cabal" | "stack", "upload")
        | ("opam", "publish")
        | ("luarocks", "upload")
        | ("conan", "upload")
        | ("nimble" | "shards" | "dub" | "scarb", "publish")
        | ("pod", "trunk") => told(shell, call, &rules::PUBLISH),
        ("dart" | "flutter", "pub") if sub == "publish" => told(shell, call, &rules::PUBLISH),
        ("pub", "publish" | "lish") | ("jbang", "publish") => told(shell, call, &rules::PUBLISH),
        ("forge", "create" | "script") if call.has_any(&["--broadcast"]) => told(shell, call, &rules::PUBLISH),
        ("sui" | "aptos", "client" | "move") if matches!(sub, "publish" | "call" | "deploy") => {
            told(shell, call, &rules::PUBLISH)
        }
        ("conan", "remove") | ("conan", "remote") if !matches!(sub, "list") => told(shell, call, &rules::SETTINGS),
        ("opam", "switch") if sub == "remove" => told(shell, call, &rules::TOOLCHAIN),
        ("ghcup", "nuke") => told(shell, call, &rules::TOOLCHAIN),
        ("stack" | "cabal" | "swift" | "dart" | "nimble" | "dub" | "shards" | "jbang", "run") => {
            unknown::judge_flags(shell, call, arg, rest);
            call.output()
        }
        ("stack" | "cabal" | "opam", "exec") => run_rest(shell, call, behind(call, arg)),
        // The object store of OpenStack has a client of the same name.
        ("swift", "delete" | "post" | "upload") => cloud::generic(shell, call),
        ("swift", "package-registry") if sub == "publish" => told(shell, call, &rules::PUBLISH),
        ("cpan" | "cpanm", _) => {
            for package in call.args.iter().filter(|arg| !arg.is_option()) {
                let rule = if source(package) == Source::Foreign { &rules::FOREIGN } else { &rules::INSTALL };
                shell.tell(rule, package.shown(), package.span);
            }
            call.output()
        }
        (_, "install") => {
            let names: Vec<&Arg> = rest.iter().filter(|arg| !arg.is_option()).collect();
            install(shell, &names, false);
            call.output()
        }
        _ => call.output(),
    }
}

/// Managers of versions: they work in the user's own directory.
fn versions(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some((arg, name, _)) = verb(call) else { return call.output() };
    match (call.name.as_str(), name) {
        ("rbenv" | "plenv" | "jenv" | "goenv" | "phpenv", "exec") => run_rest(shell, call, behind(call, arg)),
        // `proto run node 20 -- script.js`
        ("proto", "run" | "r") => {
            let dashes = call.args.iter().position(|arg| arg.is("--")).map_or(call.args.len(), |at| at + 1);
            let tool = call.args.iter().skip(behind(call, arg)).find(|arg| !arg.is_option());
            let argv: Vec<Arg> = tool.into_iter().chain(call.args.iter().skip(dashes)).cloned().collect();
            shell.run(&argv, call.stdin.clone(), call.span)
        }
        ("rvm", "implode") => told(shell, call, &rules::TOOLCHAIN),
        ("sdk", "selfupdate") => told(shell, call, &rules::INSTALL_GLOBAL),
        _ => call.output(),
    }
}
