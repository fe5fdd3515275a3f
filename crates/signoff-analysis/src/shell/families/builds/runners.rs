//! Runners of tasks whose files are read in part or not at all.

use signoff_model::{Dialect, Unread};

use super::{
    make::{assignment, look},
    rules, tasks,
};
use crate::{
    facts::FileText,
    shell::{
        Call, Language, Locus, Shell,
        families::{migrations, network::REMOTE_COMMAND, tool::speak, unknown},
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

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
        short_values: "tdfCesjxD",
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
    if call.name == "fab" && runs_elsewhere(shell, call, &options) {
        return call.output();
    }
    unknown::carried::judge(shell, call);
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
    let before = shell.state.cwd.clone();
    if matches!(call.name.as_str(), "task" | "go-task" | "jake" | "rake")
        && let Some(directory) = options.value(&["d", "dir", "C", "directory"])
    {
        let place = shell.place(&directory.value);
        shell.state.stand_in(&place.path);
    }
    let option: &[&str] = match call.name.as_str() {
        "task" | "go-task" => &["t", "taskfile"],
        "rake" | "drake" | "jake" => &["f", "rakefile"],
        "gulp" => &["f", "gulpfile"],
        "grunt" => &["gruntfile"],
        "ant" | "phing" => &["f", "buildfile"],
        "nox" => &["f"],
        _ => &[],
    };
    let named = options.value(option).cloned();
    read_file(shell, named.as_ref(), call);
    shell.state.cwd = before;
    // Some hand what stands behind the dashes, or behind the first name, to the task: a filter of tests is no task.
    let handed = match call.name.as_str() {
        "tox" | "nox" | "task" | "go-task" | "inv" | "invoke" => {
            call.args.iter().position(|arg| arg.is("--")).unwrap_or(usize::MAX)
        }
        "poe" => call.args.iter().position(|arg| !arg.is_option()).map_or(usize::MAX, |first| first + 1),
        _ => usize::MAX,
    };
    let is_task = |operand: &&Arg| call.args.iter().take(handed).any(|arg| std::ptr::eq(arg, *operand));
    for operand in options.operands.iter().copied().filter(is_task).chain(&sessions) {
        // `rake purge[365]`: no file is called so.
        let Some(name) = operand.value.known_with_globs() else { continue };
        let name = &*name;
        if assignment(operand).is_some() {
            continue;
        }
        if call.name == "rake" && (name.starts_with("db:") || name.starts_with("app:db:")) {
            return migrations::rails(shell, call);
        }
        let name = name.split('[').next().unwrap_or(name);
        // What fastlane brings along is called like any other task.
        if call.name == "fastlane"
            && (matches!(name, "supply" | "produce" | "register_devices" | "pem" | "precheck_upload") || is_track(name))
        {
            shell.tell(&rules::TASK_DEPLOYS, format!("fastlane {name}"), operand.span);
        }
        tasks::judge(shell, name, &format!("{} {name}", call.name), operand.span);
    }
    if let Some(first) = options.operands.first() {
        let behind = call.args.iter().skip_while(|arg| arg != first).skip(1);
        unknown::judge_flags(shell, call, first, &behind.cloned().collect::<Vec<_>>());
    }
    call.output()
}

/// `fab -H hosts -- command`: the command runs on those machines.
fn runs_elsewhere(shell: &mut Shell<'_>, call: &Call, options: &Options<'_>) -> bool {
    let end = call.args.iter().position(|arg| arg.is("--"));
    let command = end.and_then(|end| call.args.get(end + 1..)).filter(|command| !command.is_empty());
    let names_hosts = options.has(&["H", "hosts", "R", "roles"])
        || call.args.iter().any(|arg| arg.value.prefix().starts_with("--hosts="));
    let Some(command) = command.filter(|_| names_hosts) else { return false };
    speak(shell, call, &REMOTE_COMMAND, 0);
    let argv: Vec<Arg> = command.to_vec();
    shell.elsewhere(Locus::Remote("fab".to_owned()), |shell| match argv.as_slice() {
        [text] => shell.run_text(text, Dialect::Sh, Feed::none()),
        words => shell.run(words, Feed::none(), call.span),
    });
    true
}

/// Whether a lane is called after the people who get what it builds: stores and testers are always outside.
fn is_track(lane: &str) -> bool {
    const TRACKS: &[&str] = &[
        "beta",
        "alpha",
        "internal",
        "closed",
        "canary",
        "nightly",
        "rc",
        "store",
        "appstore",
        "playstore",
        "testers",
        "distribute",
        "distribution",
        "firebase",
    ];
    let words = crate::lexicon::words(lane);
    let builds =
        |word: &String| matches!(word.as_str(), "build" | "test" | "tests" | "lint" | "compile" | "check" | "assemble");
    words.iter().any(|word| TRACKS.contains(&word.as_str())) && !words.iter().any(builds)
}

/// How the file of a runner is read.
#[derive(Clone, Copy, Debug)]
enum Reading {
    /// As code of a language, with all its tasks.
    Code(Language),
    /// The commands of tox.
    Tox,
    /// The commands of task.
    Taskfile,
    /// Not at all: that there is one is a gap.
    Not,
}

/// The files that a runner looks for, and how they are read.
fn files_of(name: &str) -> (&'static [&'static str], Reading) {
    match name {
        "rake" | "drake" => (&["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"], Reading::Code(Language::Ruby)),
        "gulp" => {
            (&["gulpfile.js", "gulpfile.mjs", "gulpfile.cjs", "gulpfile.ts"], Reading::Code(Language::JavaScript))
        }
        "grunt" => (&["Gruntfile.js", "gruntfile.js", "Gruntfile.cjs"], Reading::Code(Language::JavaScript)),
        "jake" => (&["Jakefile", "Jakefile.js", "jakefile.js"], Reading::Code(Language::JavaScript)),
        "tox" => (&["tox.ini"], Reading::Tox),
        "task" | "go-task" => (
            &[
                "Taskfile.yml",
                "taskfile.yml",
                "Taskfile.yaml",
                "taskfile.yaml",
                "Taskfile.dist.yml",
                "taskfile.dist.yml",
                "Taskfile.dist.yaml",
                "taskfile.dist.yaml",
            ],
            Reading::Taskfile,
        ),
        "invoke" | "inv" | "pyinvoke" => (&["tasks.py", "tasks/__init__.py"], Reading::Not),
        "nox" => (&["noxfile.py"], Reading::Not),
        "fab" => (&["fabfile.py"], Reading::Not),
        "doit" => (&["dodo.py"], Reading::Not),
        "scons" => (&["SConstruct", "Sconstruct", "sconstruct"], Reading::Not),
        "waf" => (&["wscript"], Reading::Not),
        "ant" | "phing" => (&["build.xml", "phing.xml"], Reading::Not),
        "mage" => (&["magefile.go", "magefiles/magefile.go"], Reading::Not),
        "fastlane" => (&["fastlane/Fastfile", "Fastfile", ".fastlane/Fastfile"], Reading::Not),
        "thor" => (&["Thorfile"], Reading::Not),
        "cake" => (&["Cakefile"], Reading::Not),
        "robo" => (&["RoboFile.php"], Reading::Not),
        "castor" => (&["castor.php"], Reading::Not),
        "turbo" => (&["turbo.json", "turbo.jsonc"], Reading::Not),
        "nx" => (&["nx.json"], Reading::Not),
        "lerna" => (&["lerna.json"], Reading::Not),
        "moon" => (&[".moon/workspace.yml"], Reading::Not),
        "lage" => (&["lage.config.js"], Reading::Not),
        _ => (&[], Reading::Not),
    }
}

/// Judges the file of a runner, if somebody can look at it. Without a look nothing is said: the names of tasks decide.
pub(super) fn read_file(shell: &mut Shell<'_>, named: Option<&Arg>, call: &Call) {
    let (names, reading) = files_of(&call.name);
    let candidates: Vec<Arg> = match named {
        Some(file) => vec![file.clone()],
        None => names.iter().map(|name| Arg::text(*name, call.program.span)).collect(),
    };
    let found = candidates.into_iter().find_map(|file| match look(shell, &file.shown()) {
        FileText::Text(text) => Some((file, Some(text))),
        // What is not there now may be there when the command runs.
        FileText::Missing | FileText::Binary if named.is_some() => Some((file, None)),
        FileText::TooLarge | FileText::Unreadable => Some((file, None)),
        FileText::NotKnown | FileText::Missing | FileText::Binary => None,
    });
    let Some((file, text)) = found else { return };
    let unread = Unread::Part(file.shown().into_owned());
    let Some(text) = text else { return shell.opaque(unread, call.span) };
    let key = format!("{}#{}", shell.cwd().unwrap_or_default(), file.shown());
    if shell.reading.contains(&key) {
        return;
    }
    shell.reading.push(key);
    match reading {
        Reading::Code(language) => {
            shell.run_code(language, &Arg::text(text, call.program.span), Feed::none());
        }
        Reading::Tox => run_commands(shell, tox_commands(&text), call),
        Reading::Taskfile => match taskfile_commands(&text) {
            Some(commands) => run_commands(shell, commands, call),
            None => shell.opaque(unread, call.span),
        },
        Reading::Not => shell.opaque(unread, call.span),
    }
    shell.reading.pop();
}

fn run_commands(shell: &mut Shell<'_>, commands: Vec<String>, call: &Call) {
    for command in commands {
        shell.run_code(Language::Shell(Dialect::Sh), &Arg::text(command, call.program.span), Feed::none());
    }
}

/// What stands between `open` and `close` becomes a variable, since its value is not known.
fn with_unknowns(text: &str, open: &str, close: &str) -> String {
    let mut all = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.split_once(open)
        && let Some((inner, behind)) = from.split_once(close)
    {
        all.push_str(before);
        let plain = inner.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
        all.push_str(&format!("${{_{}}}", plain.collect::<String>()));
        rest = behind;
    }
    all.push_str(rest);
    all
}

/// The commands of all environments of a `tox.ini`.
fn tox_commands(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut inside = false;
    let joined = text.replace("\\\n", " ");
    for line in joined.lines() {
        let own = line.trim();
        if own.is_empty() || own.starts_with(['#', ';']) {
            continue;
        }
        let command = if line.starts_with([' ', '\t']) {
            inside.then_some(own)
        } else {
            let (key, value) = own.split_once('=').unwrap_or((own, ""));
            inside = matches!(key.trim(), "commands" | "commands_pre" | "commands_post" | "install_command");
            inside.then_some(value.trim())
        };
        if let Some(command) = command.filter(|command| !command.is_empty()) {
            // `py311: pytest` holds for one environment; `- false` may fail.
            let command = match command.split_once(": ") {
                Some((factor, command)) if !factor.contains(' ') => command,
                _ => command,
            };
            all.push(with_unknowns(command.trim_start_matches(['-', '!', ' ']), "{", "}"));
        }
    }
    all
}

/// The commands of all tasks of a Taskfile; none if it is written in a way that is not read here.
fn taskfile_commands(text: &str) -> Option<Vec<String>> {
    let mut all: Vec<String> = Vec::new();
    // A text of several lines: the depth at which it began, and whether it runs. And the depths of the keys around.
    let mut block: Option<(usize, bool, Vec<&str>)> = None;
    let mut keys: Vec<(usize, String)> = Vec::new();
    for line in text.lines() {
        let own = line.trim();
        let depth = line.len() - line.trim_start().len();
        if let Some((start, runs, lines)) = &mut block {
            if own.is_empty() || depth > *start {
                lines.push(own);
                continue;
            }
            all.extend(runs.then(|| lines.join("\n")));
            block = None;
        }
        if own.is_empty() || own.starts_with('#') || own == "---" {
            continue;
        }
        let strange = own.contains(": *") || own.contains("<<:") || own.contains("- *") || line.starts_with('\t');
        if strange || own.contains("{ ") && own.contains(':') && !own.contains("{{") || own.starts_with("includes:") {
            return None;
        }
        let item = own.strip_prefix("- ");
        let own = item.unwrap_or(own).trim();
        let end =
            keys.iter().position(|(at, _)| *at >= depth && !(item.is_some() && *at == depth)).unwrap_or(keys.len());
        keys.truncate(end);
        let (key, value) = match own.split_once(':') {
            Some((key, value))
                if (value.is_empty() || value.starts_with(' '))
                    && key.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-:.*\"'".contains(letter)) =>
            {
                (Some(key.trim_matches(['"', '\''])), value.trim())
            }
            _ => (None, own),
        };
        let parent = keys.last().map(|(_, key)| key.as_str()).unwrap_or_default();
        let runs = match key {
            // `x: command`, `cmd: command`, `sh: command`, and `cmds: [a, b]`, which is not read.
            Some("cmds" | "status" | "preconditions") if value.starts_with('[') => return None,
            Some("cmd" | "sh" | "defer" | "cmds") => !value.is_empty(),
            Some(_) => parent == "tasks" && !value.is_empty(),
            None => {
                item.is_some() && matches!(parent, "cmds" | "status" | "preconditions" | "tasks")
                    || item.is_some() && keys.len() == 2
            }
        };
        if let Some(key) = key {
            keys.push((if item.is_some() { depth + 2 } else { depth }, key.to_owned()));
        }
        if value.starts_with(['|', '>']) {
            block = Some((depth, runs, Vec::new()));
        } else if runs {
            all.push(unquoted(value));
        }
    }
    if let Some((_, true, lines)) = block {
        all.push(lines.join("\n"));
    }
    Some(all.iter().map(|command| with_unknowns(command, "{{", "}}")).collect())
}

/// A plain or quoted value of YAML.
fn unquoted(value: &str) -> String {
    if let Some(inner) = value.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\'')) {
        return inner.replace("''", "'");
    }
    match value.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')) {
        Some(inner) => inner.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\"),
        None => value.split(" #").next().unwrap_or(value).to_owned(),
    }
}
