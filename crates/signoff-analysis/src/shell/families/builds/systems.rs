//! Build systems with verbs of their own.

use signoff_model::Dialect;

use super::{make, rules, runners, scripts, tasks};
use crate::{
    lexicon,
    path_effects::Depth,
    shell::{
        Call, Language, Shell,
        families::{interpreters, network, unknown},
        options::{Options, Syntax, is_off},
    },
    value::{Arg, Feed},
};

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

fn publishes(shell: &mut Shell<'_>, call: &Call, what: &str, arg: &Arg) {
    network::takes_files_along(shell, call, &rules::PUBLISH_BUILD);
    shell.tell(&rules::PUBLISH_BUILD, format!("{} {what}", call.name), call.program.span.to(arg.span));
}

/// A file of build code from elsewhere.
fn foreign_file(shell: &mut Shell<'_>, file: &Arg) {
    let place = shell.place(&file.value);
    if place.scope != signoff_model::Scope::Project {
        shell.tell(&rules::BUILD_PLUGIN, place.shown.clone(), file.span);
    }
}

pub(super) fn maven(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_by(&["--help", "-h", "--version", "-v"]) {
        return call.output();
    }
    for (index, arg) in call.args.iter().enumerate() {
        // Long words behind a single dash are few; `-pl`, `-am` and `-Dname=value` do not name goals.
        if arg.is("-f") || arg.is("-s") || arg.is("--settings") {
            if let Some(file) = call.args.get(index + 1).cloned() {
                foreign_file(shell, &file);
            }
            continue;
        }
        let handed = |text: &str| {
            text.strip_prefix("-Dexec.args=").or(text.strip_prefix("-Dspring-boot.run.arguments=")).map(str::to_owned)
        };
        if let Some(text) = arg.known().and_then(handed) {
            unknown::judge_text(shell, call, &text, arg);
        }
        let Some(goal) = arg.known().filter(|_| !arg.is_option()) else { continue };
        let previous = index.checked_sub(1).and_then(|before| call.arg(before)).unwrap_or_default();
        if matches!(
            previous,
            "-pl"
                | "-P"
                | "-T"
                | "-rf"
                | "-l"
                | "-t"
                | "--projects"
                | "--activate-profiles"
                | "--threads"
                | "--log-file"
                | "-D"
                | "--define"
        ) {
            continue;
        }
        let (plugin, name) = goal.rsplit_once(':').unwrap_or(("", goal));
        match (plugin, name) {
            ("", "deploy" | "site-deploy") => publishes(shell, call, goal, arg),
            ("release", _) if rehearses_release(call) => {}
            ("release" | "jgitflow" | "gitflow", "prepare" | "perform" | "rollback" | "branch" | "release-finish") => {
                publishes(shell, call, goal, arg)
            }
            ("exec" | "antrun" | "groovy", "exec") => {
                let program = define(call, "exec.executable");
                let args = define(call, "exec.args");
                if let Some(program) = program {
                    let code = format!("{program} {}", args.unwrap_or_default());
                    shell.run_code(Language::Shell(Dialect::Sh), &Arg::text(code, arg.span), Feed::none());
                }
            }
            (plugin, _)
                if plugin.contains("deploy")
                    || plugin.ends_with("jib")
                    || plugin.contains("cargo")
                    || plugin.contains("flyway")
                    || plugin.contains("liquibase") =>
            {
                let grave = plugin.contains("deploy")
                    || matches!(
                        name,
                        "build"
                            | "deploy"
                            | "redeploy"
                            | "undeploy"
                            | "clean"
                            | "dropAll"
                            | "migrate"
                            | "update"
                            | "rollback"
                    );
                if grave {
                    publishes(shell, call, goal, arg);
                }
            }
            (_, name) => {
                if !plugin.is_empty() && name != "install" {
                    tasks::judge(shell, name, &format!("{} {goal}", call.name), arg.span);
                }
            }
        }
    }
    call.output()
}

/// Whether a release is only tried. The last definition holds, so all of them must say so.
fn rehearses_release(call: &Call) -> bool {
    const PLAIN: &str = "-DdryRun";
    let before_end = || call.args.iter().take_while(|arg| !arg.is("--"));
    let mut said = before_end().filter_map(|arg| arg.value.prefix().strip_prefix(PLAIN)).peekable();
    let is_on = |rest: &str| rest.is_empty() || rest.strip_prefix('=').is_some_and(|value| !is_off(value));
    said.peek().is_some() && said.all(is_on)
}

/// The value of `-Dname=value`: the last one holds.
fn define(call: &Call, name: &str) -> Option<String> {
    call.args.iter().rev().find_map(|arg| {
        let shown = arg.shown();
        shown
            .strip_prefix("-D")
            .and_then(|rest| rest.strip_prefix(name))
            .and_then(|rest| rest.strip_prefix('='))
            .map(str::to_owned)
    })
}

pub(super) fn gradle(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const GRADLE: Syntax = Syntax {
        short_values: "bcgIpxPD",
        long_values: &[
            "build-file",
            "settings-file",
            "gradle-user-home",
            "init-script",
            "project-dir",
            "exclude-task",
            "tests",
            "include-build",
            "configuration",
            "dependency",
            "console",
            "gradle-version",
            "distribution-type",
            "type",
            "args",
        ],
        ..NONE
    };
    let options = Options::read(&call.args, &GRADLE);
    if options.has(&["m", "dry-run", "help", "h", "version", "v"]) {
        return call.output();
    }
    for text in options.values(&["args"]) {
        unknown::judge_text(shell, call, &text.shown(), text);
    }
    for file in options.values(&["I", "init-script", "b", "build-file"]) {
        foreign_file(shell, file);
    }
    for operand in &options.operands {
        let Some(path) = operand.known() else { continue };
        let name = path.rsplit(':').next().unwrap_or(path);
        let lower = name.to_ascii_lowercase();
        if lower.contains("local")
            || lower.starts_with("test")
            || lower.starts_with("check")
            || lower.starts_with("install") && lower != "installrelease"
        {
            continue;
        }
        let uploads = [
            "publish",
            "uploadarchives",
            "upload",
            "deploy",
            "bintrayupload",
            "jib",
            "release",
            "closeandrelease",
            "appdistribution",
        ];
        let builds = matches!(lower.as_str(), "jibdockerbuild" | "jibbuildtar" | "releasenotes")
            || lower.starts_with("assemble")
            || lower.starts_with("bundle")
            || lower.starts_with("lint");
        if !builds && uploads.iter().any(|verb| lower.starts_with(verb) || lower.ends_with(verb)) {
            publishes(shell, call, path, operand);
        } else if !builds {
            tasks::judge(shell, name, &format!("{} {path}", call.name), operand.span);
        }
    }
    call.output()
}

/// `sbt`, `mill`, `lein`: verbs as operands, several in one word.
pub(super) fn lisp_and_scala(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if matches!(call.name.as_str(), "clj" | "clojure") && interpreters::runs_code(call) {
        return interpreters::language(shell, call);
    }
    // With `sbt` a task and what it is told are one word; the other tools take the names of tests as words of their own.
    let apart = !call.name.starts_with("sbt");
    let mut behind_tests = false;
    for arg in call.args.iter().filter(|arg| !arg.is_option()) {
        let Some(text) = arg.known() else { continue };
        for (at, order) in text.split([';', ',']).enumerate() {
            let task = order.split_whitespace().next().unwrap_or_default();
            let begins_anew = !apart || at > 0 || matches!(task, "" | "+" | "do");
            let runs_tests = is_test_task(task);
            let names_tests = runs_tests || behind_tests && !begins_anew && speaks_of_tests(task);
            behind_tests = runs_tests || behind_tests && !begins_anew;
            for word in order.split([' ', '/', ':', '.', '+', '_', '~']).filter(|word| !word.is_empty()) {
                let lower = word.to_ascii_lowercase();
                if names_tests || lower.contains("local") || lower.starts_with("publishm2") {
                    continue;
                }
                let releases =
                    || lexicon::words(word).iter().any(|part| matches!(part.as_str(), "release" | "promote"));
                if lower.starts_with("publish")
                    || lower.starts_with("deploy")
                    || lower == "release"
                    || lower.starts_with("cirelease")
                    || lower.starts_with("sonatype") && (releases() || lower.ends_with("upload"))
                {
                    publishes(shell, call, text, arg);
                } else if tasks::read(word) == tasks::Says::Destroys {
                    tasks::judge(shell, word, &format!("{} {text}", call.name), arg.span);
                }
            }
        }
    }
    call.output()
}

/// Whether the name of a thing says that it is a test: `app.deploy-test`, `DeploySpec`.
fn speaks_of_tests(name: &str) -> bool {
    lexicon::words(name).iter().any(|word| matches!(word.as_str(), "test" | "tests" | "spec" | "specs" | "suite"))
}

/// Whether a task runs tests, so that what stands behind it names some of them: `testOnly`, `core/Test/testQuick`.
fn is_test_task(task: &str) -> bool {
    task.rsplit(['/', ':', '.', '~']).next().is_some_and(|task| task.starts_with("test"))
}

pub(super) fn cmake(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help_first() {
        return call.output();
    }
    make::variables_in_front(shell, call);
    if call.args.first().is_some_and(|arg| arg.is("-E")) {
        return cmake_tool(shell, call);
    }
    if let Some(file) = call.args.iter().position(|arg| arg.is("-P")).and_then(|at| call.args.get(at + 1)) {
        let file = file.clone();
        match scripts::content(shell, call, &file) {
            Some(text) => scripts::cmake_script(shell, &Arg::text(text, file.span)),
            None => foreign_file(shell, &file),
        }
    }
    for arg in &call.args {
        // `-DCMAKE_C_COMPILER_LAUNCHER=…` runs at every compilation.
        let Some(text) = arg.known().and_then(|text| text.strip_prefix("-D")) else { continue };
        if let Some((name, value)) = text.split_once('=')
            && (name.contains("LAUNCHER") || name.contains("_COMPILER") || name.contains("MAKE_PROGRAM"))
            && value.contains([' ', ';', '|', '&'])
        {
            shell.run_code(Language::Shell(Dialect::Sh), &Arg::text(value.replace(';', " "), arg.span), Feed::none());
        }
    }
    const CMAKE: Syntax = Syntax {
        short_values: "BSGDCATjpt",
        long_values: &["install", "build", "target", "prefix", "config", "preset", "parallel"],
        ..NONE
    };
    let options = Options::read(&call.args, &CMAKE);
    if options.has(&["install"]) {
        match options.value(&["prefix"]) {
            Some(prefix) => {
                let prefix = prefix.clone();
                shell.write(&prefix, crate::path_effects::Write::New);
            }
            None => shell.tell(&rules::TASK_INSTALLS, "cmake --install", call.span),
        }
    }
    if options.has(&["build"]) {
        for target in options.values(&["t", "target"]) {
            tasks::judge(shell, &target.shown(), &format!("cmake --build --target {}", target.shown()), target.span);
        }
    }
    call.output()
}

/// `cmake -E rm …`: file commands of cmake's own.
fn cmake_tool(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let verb = call.arg(1).unwrap_or_default();
    let rest = call.args.get(2..).unwrap_or_default();
    let program = match verb {
        "rm" | "remove" => "rm",
        "rm_rf" | "remove_directory" => {
            for path in rest {
                shell.delete(path, Depth::Recursive);
            }
            return call.output();
        }
        "copy" | "copy_if_different" => "cp",
        "rename" => "mv",
        "tar" => "tar",
        "cat" => "cat",
        "env" => "env",
        "time" => {
            return shell.run(rest, call.stdin.clone(), call.span);
        }
        _ => return call.output(),
    };
    let mut argv = vec![Arg::text(program, call.program.span)];
    argv.extend(rest.iter().cloned());
    shell.run(&argv, call.stdin.clone(), call.span)
}

pub(super) fn ninja(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const NINJA: Syntax =
        Syntax { short_values: "CfjklwdtD", long_values: &["destdir", "prefix", "buildtype", "backend"], ..NONE };
    let options = Options::read(&call.args, &NINJA);
    if options.has(&["n", "t", "help", "h", "version", "dry-run"]) {
        return call.output();
    }
    if call.name != "meson" {
        let file = options.value(&["f"]).cloned().unwrap_or_else(|| Arg::text("build.ninja", call.program.span));
        if let Some(text) = scripts::content(shell, call, &file) {
            scripts::ninja_file(shell, call, &text);
        }
    }
    for operand in &options.operands {
        tasks::judge(shell, &operand.shown(), &format!("{} {}", call.name, operand.shown()), operand.span);
    }
    call.output()
}

pub(super) fn bazel(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some(at) = call.args.iter().position(|arg| !arg.is_option()) else { return call.output() };
    let verb = call.arg(at).unwrap_or_default();
    for arg in &call.args {
        if let Some(code) = arg.known().and_then(|text| text.strip_prefix("--run_under=")) {
            shell.run_code(Language::Shell(Dialect::Sh), &Arg::text(code, arg.span), Feed::none());
        }
    }
    if matches!(verb, "run" | "publish" | "deploy") {
        // The name of what runs stands behind the last colon: `//app:deploy`, `//app:image_push`.
        let label = call.args.iter().skip(at + 1).find(|arg| !arg.is_option());
        if let Some(label) = label {
            let shown = label.shown();
            let name = shown.rsplit([':', '/']).next().unwrap_or_default();
            tasks::judge(shell, name, &format!("{} run {shown}", call.name), label.span);
            let behind = call.args.iter().skip_while(|arg| !arg.is("--")).skip(1);
            unknown::judge_flags(shell, call, label, &behind.cloned().collect::<Vec<_>>());
        } else if verb != "run" {
            shell.tell(&rules::PUBLISH_BUILD, format!("{} {verb}", call.name), call.span);
        }
    }
    call.output()
}

/// `nx run app:deploy`, `turbo run deploy`, `lerna publish`.
pub(super) fn monorepo(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const MONOREPO: Syntax = Syntax {
        short_values: "tpcF",
        long_values: &[
            "target",
            "targets",
            "projects",
            "filter",
            "scope",
            "configuration",
            "base",
            "head",
            "parallel",
            "concurrency",
            "cwd",
            "exclude",
            "output-style",
            "graph",
            "token",
            "team",
        ],
        ..NONE
    };
    let options = Options::read(&call.args, &MONOREPO);
    if call.asks_for_help() || options.has(&["dry-run", "d", "dry", "graph"]) {
        return call.output();
    }
    let Some(verb) = options.operand(0) else { return call.output() };
    match (call.name.as_str(), verb) {
        ("lerna", "publish") | ("nx", "release") | ("lerna", "version") => {
            if let Some(arg) = options.operands.first() {
                let stays = verb == "version" && call.has_any(&["--no-push"]);
                if !stays {
                    publishes(shell, call, verb, arg);
                }
            }
        }
        ("lerna" | "nx" | "lage", "exec") => {
            let dashes = call.args.iter().position(|arg| arg.is("--"));
            let verb = call.args.iter().position(|arg| arg.is("exec"));
            // Without `--`, the command begins at the first word behind the verb that is no option.
            let start = dashes.map(|at| at + 1).or_else(|| {
                let behind = verb? + 1;
                call.args.iter().skip(behind).position(|arg| !arg.is_option()).map(|at| behind + at)
            });
            return match call.args.get(start.unwrap_or(call.args.len())..).unwrap_or_default() {
                [] => call.output(),
                // One word is a text for a shell.
                [text] => shell.run_code(Language::Shell(Dialect::Sh), text, Feed::none()),
                argv => shell.run(argv, Feed::none(), call.span),
            };
        }
        (
            "turbo",
            "login" | "logout" | "link" | "unlink" | "prune" | "gen" | "generate" | "daemon" | "ls" | "query" | "bin"
            | "info" | "watch",
        ) => {}
        (
            "nx",
            "reset" | "migrate" | "graph" | "show" | "list" | "report" | "g" | "generate" | "add" | "init" | "format"
            | "format:write" | "format:check" | "daemon" | "sync" | "repair" | "connect" | "login" | "logout",
        ) => {}
        (_, "run" | "run-many" | "affected" | "exec" | "ci" | "check") => {
            runners::read_file(shell, None, call);
            let targets = options.values(&["t", "target", "targets"]).map(|arg| (arg.shown().into_owned(), arg.span));
            let named = options.operands.iter().skip(1).map(|arg| (arg.shown().into_owned(), arg.span));
            let all: Vec<_> = targets.chain(named).collect();
            for (name, span) in all {
                for part in name.split(',') {
                    let task = part.split_once(':').map_or(part, |(_, task)| task);
                    tasks::judge(shell, task, &format!("{} {verb} {part}", call.name), span);
                }
            }
            if let Some(task) = options.operands.get(1) {
                let behind = call.args.iter().skip_while(|arg| arg != task).skip(1);
                unknown::judge_flags(shell, call, task, &behind.cloned().collect::<Vec<_>>());
            }
        }
        (_, task) => {
            runners::read_file(shell, None, call);
            if let Some(arg) = options.operands.first() {
                tasks::judge(shell, task, &format!("{} {task}", call.name), arg.span);
            }
        }
    }
    call.output()
}

/// Tools whose purpose is to publish or to make a release.
pub(super) fn publisher(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const PUBLISHER: Syntax = Syntax {
        short_values: "rucpif",
        long_values: &["repository", "repository-url", "config", "username", "password", "skip", "dist"],
        ..NONE
    };
    let options = Options::read(&call.args, &PUBLISHER);
    if call.asks_for_help()
        || options.has(&["dry-run", "snapshot", "no-push", "dry"])
        || call.name == "semantic-release" && options.has(&["d"])
    {
        return call.output();
    }
    if options.values(&["skip"]).any(|skip| skip.shown().contains("publish")) {
        return call.output();
    }
    let verb = options.operand(0).unwrap_or_default();
    let speaks = match call.name.as_str() {
        "twine" => matches!(verb, "upload" | "register"),
        "dist" | "cargo-dist" => matches!(verb, "host" | "announce"),
        "flit" => matches!(verb, "publish"),
        "goreleaser" => matches!(verb, "release" | "publish" | "announce" | "continue" | "r"),
        "changeset" => matches!(verb, "publish" | "tag") && verb == "publish",
        "release-plz" => verb == "release" || verb == "release-pr",
        "release-please" => !verb.is_empty(),
        "jreleaser" => matches!(verb, "full-release" | "release" | "deploy" | "upload" | "announce" | "publish"),
        "vsce" | "ovsx" => matches!(verb, "publish" | "unpublish" | "login" | "create-namespace"),
        "web-ext" => verb == "sign",
        "snapcraft" => matches!(verb, "upload" | "release" | "push" | "promote" | "close" | "login"),
        "electron-builder" => {
            call.args.iter().any(|arg| arg.is("-p") || arg.value.prefix().starts_with("--publish"))
                && !call.has_any(&["never", "--publish=never"])
        }
        "electron-forge" => verb == "publish",
        "auto" => matches!(verb, "shipit" | "release" | "canary" | "latest" | "next"),
        "standard-version" | "bumpversion" | "bump2version" | "bump-my-version" | "cz" | "git-sumi" => false,
        "expo-cli" => matches!(verb, "publish" | "upload" | "submit"),
        "cap" | "mina" => {
            tasks::rule(call.arg(1).or(call.arg(0)).unwrap_or_default()).is_some()
                || call.args.iter().any(|arg| arg.known().is_some_and(|text| tasks::rule(text).is_some()))
        }
        _ => true,
    };
    if speaks {
        network::takes_files_along(shell, call, &rules::PUBLISH_BUILD);
        shell.tell(&rules::PUBLISH_BUILD, format!("{} {verb}", call.name).trim_end().to_owned(), call.span);
        match call.name.as_str() {
            "twine" => shell.safer("twine check dist/*"),
            "goreleaser" => shell.safer("goreleaser release --snapshot --clean"),
            _ => {}
        }
    }
    call.output()
}
