//! Runners of tasks: make, just, task, rake and their kin.

use signoff_model::{Dialect, Span, Unread};

use super::{recipes::Recipes, rules, tasks};
use crate::{
    facts::FileText,
    path_effects::DELETE_OUTSIDE,
    place::Nature,
    shell::{
        Call, Language, Shell,
        families::migrations,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Value},
};

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

/// Variables of make whose value runs as a command.
const PROGRAMS: &[&str] = &[
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "AS",
    "FC",
    "RM",
    "SHELL",
    "MAKE",
    "RANLIB",
    "STRIP",
    "INSTALL",
    "LEX",
    "YACC",
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "CARGO",
    "GO",
    "PYTHON",
    "NODE",
    "NPM",
    "SUDO",
    "DOCKER",
    "PERL",
    "TAR",
    "CURL",
    "GIT",
    "LINKER",
    "HOSTCC",
    "NVCC",
    "CCACHE",
    "CMAKE",
    "RUSTDOC",
    "JAVA",
    "MVN",
];

/// A variable on the command line or in front of the command: a program in it runs.
pub(super) fn variable(shell: &mut Shell<'_>, name: &str, value: &Value, span: Span) {
    if value.is_empty() {
        return;
    }
    let text = value.prefix();
    let strange = text.contains([' ', ';', '|', '&', '`', '>', '$', '/']) || value.has_unknown();
    if PROGRAMS.contains(&name) && strange && !value.has_unknown() || text.contains("$(shell ") || text.contains('`') {
        let code = if let Some(at) = text.find("$(shell ") {
            Value::text(text.get(at + "$(shell ".len()..).unwrap_or_default().trim_end_matches(')'))
        } else {
            value.clone()
        };
        shell.run_code(Language::Shell(Dialect::Sh), &Arg { value: code, span }, Feed::none());
    }
}

pub(super) fn variables_in_front(shell: &mut Shell<'_>, call: &Call) {
    for (name, value) in &call.variables {
        variable(shell, name, value, call.span);
    }
}

/// `make`, `gmake`, `bmake`, `nmake`, `remake`.
pub(super) fn make(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const MAKE: Syntax = Syntax {
        short_values: "fCIoWE",
        long_values: &[
            "file",
            "makefile",
            "directory",
            "include-dir",
            "old-file",
            "assume-old",
            "new-file",
            "what-if",
            "assume-new",
            "eval",
        ],
        long_flags: &["just-print", "dry-run", "recon", "question", "touch", "print-data-base", "version", "help"],
        ..NONE
    };
    let options = Options::read(&call.args, &MAKE);
    if options.has(&["help", "version", "v", "h"]) {
        return call.output();
    }
    variables_in_front(shell, call);
    for code in options.values(&["E", "eval"]) {
        eval(shell, code);
    }
    let mut targets: Vec<&Arg> = Vec::new();
    let mut settings: Vec<(String, Value)> = Vec::new();
    for operand in &options.operands {
        match assignment(operand) {
            Some((name, value)) => {
                variable(shell, &name, &value, operand.span);
                settings.push((name, value));
            }
            None => targets.push(operand),
        }
    }
    if options.has(&["n", "just-print", "dry-run", "recon", "q", "question", "p", "print-data-base"]) {
        return call.output();
    }
    let before = shell.state.cwd.clone();
    if let Some(directory) = options.value(&["C", "directory"]) {
        let place = shell.place(&directory.value);
        let whole = matches!(place.nature, Nature::Root | Nature::HomeTree | Nature::SystemTree);
        if whole && targets.iter().any(|target| target.value.prefix().contains("clean")) {
            shell.report(&DELETE_OUTSIDE, place.target(), place.scope, directory.span);
        }
        shell.state.cwd = Some(place.path).filter(|path| !path.is_empty());
    }
    let file = options.value(&["f", "file", "makefile"]).cloned();
    if let Some(file) = file.as_ref().filter(|file| file.is("-") || file.is("/dev/stdin")) {
        match call.stdin.known() {
            Some(text) => run_recipes(shell, Recipes::of_make(text), &settings, &targets, call),
            None => shell.opaque(Unread::Part("make -f -".to_owned()), file.span),
        }
    } else if !recipes_of(
        shell,
        file.as_ref(),
        &["GNUmakefile", "makefile", "Makefile"],
        Recipes::of_make,
        &settings,
        &targets,
        call,
    ) {
        by_name(shell, &targets, call);
    }
    shell.state.cwd = before;
    call.output()
}

/// `--eval='$(shell …)'` runs while the makefile is read; `--eval='x: ; code'` is a rule.
fn eval(shell: &mut Shell<'_>, code: &Arg) {
    let shown = code.shown();
    let text = match shown.find("$(shell ") {
        Some(at) => shown.get(at + "$(shell ".len()..).unwrap_or_default().trim_end_matches(')').to_owned(),
        None => shown.split_once([';', '\t']).map_or(String::new(), |(_, recipe)| recipe.trim().to_owned()),
    };
    // `$(HOME)` is a variable of the environment unless a makefile sets it, and `$$` a dollar sign.
    let mut text = text.replace("$$", "$");
    for name in ["HOME", "PWD", "USER", "TMPDIR", "OLDPWD"] {
        text = text.replace(&format!("$({name})"), &format!("${name}"));
    }
    shell.run_code(Language::Shell(Dialect::Sh), &Arg::text(text, code.span), Feed::none());
}

/// `NAME=value` on the command line.
pub(super) fn assignment(arg: &Arg) -> Option<(String, Value)> {
    let text = arg.value.prefix();
    let at = text.find('=')?;
    let name = text.get(..at)?.trim_end_matches([':', '+', '?', '!']);
    let named = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    named.then(|| (name.to_owned(), crate::shell::options::strip(&arg.value, at + 1)))
}

fn by_name(shell: &mut Shell<'_>, targets: &[&Arg], call: &Call) {
    for target in targets {
        let shown = format!("{} {}", call.name, target.shown());
        match target.known() {
            Some(name) => {
                tasks::judge(shell, name, &shown, call.program.span.to(target.span));
            }
            None if target.value.prefix().is_empty() => {}
            None => {
                tasks::judge(shell, target.value.prefix(), &shown, call.program.span.to(target.span));
            }
        }
    }
}

/// Reads the recipes from the project, if they can be looked at. Tells whether they were.
fn recipes_of(
    shell: &mut Shell<'_>,
    file: Option<&Arg>,
    names: &[&str],
    read: fn(&str) -> Recipes,
    settings: &[(String, Value)],
    targets: &[&Arg],
    call: &Call,
) -> bool {
    let candidates: Vec<Arg> = match file {
        Some(file) => vec![file.clone()],
        None => names.iter().map(|name| Arg::text(*name, call.program.span)).collect(),
    };
    for candidate in candidates {
        let place = shell.place(&candidate.value);
        let written = match shell.written(&place.path) {
            Some(crate::shell::Written::Content(feed)) => feed.known().map(str::to_owned),
            _ => None,
        };
        let text = match written {
            Some(text) => FileText::Text(text),
            None => shell.facts().text(&place.path),
        };
        match text {
            FileText::Text(text) => {
                run_recipes(shell, read(&text), settings, targets, call);
                return true;
            }
            FileText::TooLarge | FileText::Unreadable => {
                shell.opaque(place.shown, call.span);
                return true;
            }
            FileText::NotKnown if file.is_some() && place.nature == crate::place::Nature::Temporary => {
                shell.tell(&rules::BUILD_PLUGIN, place.shown, candidate.span);
                return true;
            }
            FileText::NotKnown | FileText::Missing | FileText::Binary => {}
        }
    }
    false
}

fn run_recipes(
    shell: &mut Shell<'_>,
    mut recipes: Recipes,
    settings: &[(String, Value)],
    targets: &[&Arg],
    call: &Call,
) {
    for (name, value) in settings {
        recipes.set(name, &value.shown());
    }
    let first = recipes.first().map(str::to_owned);
    let wanted: Vec<(String, Span)> = if targets.is_empty() {
        first.map(|name| (name, call.program.span)).into_iter().collect()
    } else {
        targets.iter().map(|target| (target.shown().into_owned(), target.span)).collect()
    };
    for (name, span) in wanted {
        let key = format!("{}#{name}", shell.cwd().unwrap_or_default());
        if shell.reading.contains(&key) {
            continue;
        }
        match recipes.code(&name) {
            Some(code) => {
                shell.reading.push(key);
                shell.run_code(Language::Shell(Dialect::Sh), &Arg::text(code, span), Feed::none());
                shell.reading.pop();
            }
            None => {
                tasks::judge(shell, &name, &format!("{} {name}", call.name), span);
            }
        }
    }
}

/// `just recipe args`.
pub(super) fn just(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const JUST: Syntax = Syntax {
        short_values: "fd",
        long_values: &[
            "justfile",
            "working-directory",
            "shell",
            "shell-arg",
            "set",
            "dotenv-path",
            "dotenv-filename",
            "color",
            "dump-format",
        ],
        stops_at_operand: true,
        ..NONE
    };
    let options = Options::read(&call.args, &JUST);
    if options.has(&[
        "n",
        "dry-run",
        "l",
        "list",
        "summary",
        "dump",
        "show",
        "s",
        "evaluate",
        "init",
        "fmt",
        "variables",
        "help",
        "h",
        "version",
        "V",
        "groups",
        "completions",
        "man",
        "changelog",
    ]) {
        return call.output();
    }
    if options.has(&["c", "command"]) {
        return shell.run(call.args.get(options.first_operand..).unwrap_or_default(), call.stdin.clone(), call.span);
    }
    if let Some(program) = options.value(&["shell"]) {
        shell.run(std::slice::from_ref(program), Feed::none(), program.span);
    }
    let targets: Vec<&Arg> = options.operands.iter().copied().filter(|arg| assignment(arg).is_none()).collect();
    let file = options.value(&["f", "justfile"]).cloned();
    let first = targets.get(..targets.len().min(1)).unwrap_or_default();
    if !recipes_of(shell, file.as_ref(), &["justfile", "Justfile", ".justfile"], Recipes::of_just, &[], first, call) {
        by_name(shell, first, call);
    }
    call.output()
}

const LIST_VERBS: &[&str] = &[
    "add",
    "log",
    "list",
    "ls",
    "next",
    "done",
    "modify",
    "annotate",
    "projects",
    "completed",
    "waiting",
    "calendar",
    "summary",
    "sync",
];

/// Runners whose files are not read: `task`, `rake`, `invoke`, `ant`, `grunt`, `gulp`, `mage`, `tox`, `nox`, `fastlane`.
pub(super) fn runner(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const RUNNER: Syntax = Syntax {
        short_values: "tdfCesjx",
        long_values: &[
            "taskfile",
            "dir",
            "directory",
            "rakefile",
            "session",
            "sessions",
            "env",
            "jobs",
            "concurrency",
            "workdir",
            "conf",
            "gulpfile",
            "gruntfile",
            "buildfile",
            "collection",
            "output",
        ],
        ..NONE
    };
    let options = Options::read(&call.args, &RUNNER);
    let dry = options.has(&[
        "dry",
        "dry-run",
        "n",
        "list",
        "l",
        "list-all",
        "a",
        "summary",
        "status",
        "T",
        "P",
        "tasks",
        "prereqs",
        "help",
        "h",
        "version",
        "listenvs",
        "listenvs-all",
        "projecthelp",
        "notest",
    ]);
    if dry {
        return call.output();
    }
    if call.name == "rake"
        && options.has(&["e", "execute"])
        && let Some(code) = options.value(&["e"]).or_else(|| options.operands.first().copied())
    {
        return shell.run_code(Language::Ruby, code, Feed::none());
    }
    let sessions: Vec<Arg> = if matches!(call.name.as_str(), "tox" | "nox") {
        options.values(&["e", "s", "session", "sessions"]).cloned().collect()
    } else {
        Vec::new()
    };
    // The list of things to do of the same name: `task add 'delete old things'`.
    if call.name == "task" && call.arg(0).is_some_and(|first| LIST_VERBS.contains(&first)) {
        return call.output();
    }
    for operand in options.operands.iter().copied().chain(&sessions) {
        let Some(name) = operand.known() else { continue };
        if assignment(operand).is_some() {
            continue;
        }
        if (name.starts_with("db:") || name.starts_with("app:db:"))
            && let Some(judge) = migrations::find(&call.name)
        {
            return judge(shell, call);
        }
        let name = name.split('[').next().unwrap_or(name);
        tasks::judge(shell, name, &format!("{} {name}", call.name), operand.span);
    }
    call.output()
}
