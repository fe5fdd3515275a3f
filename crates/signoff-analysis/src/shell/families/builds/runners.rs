//! Runners of tasks whose files are read in part or not at all.

use super::{make::assignment, tasks};
use crate::{
    shell::{
        Call, Language, Shell,
        families::migrations,
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
