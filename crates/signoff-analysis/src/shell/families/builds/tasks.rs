//! Tasks of a project, judged by their names when nobody can look at what they do.

use signoff_model::Span;

use super::rules;
use crate::{rule::Rule, shell::Shell};

/// Words that say that something leaves the machine.
const DEPLOYS: &[&str] = &[
    "deploy",
    "deploys",
    "deployment",
    "publish",
    "release",
    "ship",
    "push",
    "upload",
    "promote",
    "rollout",
    "rollback",
    "provision",
    "submit",
    "distribute",
    "apply",
    "golive",
    "sync-prod",
    "prod",
    "production",
    "live",
    "notarize",
    "broadcast",
];

/// Words that say that something is lost.
const DESTROYS: &[&str] = &[
    "destroy",
    "nuke",
    "wipe",
    "drop",
    "reset",
    "purge",
    "teardown",
    "delete",
    "obliterate",
    "erase",
    "truncate",
    "undeploy",
    "unpublish",
    "terminate",
    "factory",
    "flushdb",
    "flushall",
    "dropdb",
    "resetdb",
    "decommission",
];

/// Words that say that something is put on the machine or a device.
const INSTALLS: &[&str] = &["install", "uninstall", "flash", "burn", "setcap", "sudo"];

/// Words that say, in front, that a task only looks at, checks or builds what the other words name.
const LOOKS: &[&str] = &[
    "test",
    "tests",
    "lint",
    "check",
    "checks",
    "verify",
    "validate",
    "bench",
    "benchmark",
    "plan",
    "list",
    "show",
    "print",
    "docs",
    "doc",
    "diff",
    "generate",
    "gen",
    "preview",
    "dry",
    "dryrun",
    "compile",
    "bundle",
    "watch",
    "dev",
    "storybook",
    "typecheck",
    "format",
    "fmt",
    "e2e",
    "unit",
    "coverage",
    "analyze",
    "help",
    "status",
    "pre",
    "mock",
    "simulate",
    "explain",
    "view",
    "info",
    "get",
    "log",
    "logs",
    "start",
    "serve",
    "package",
    "pack",
    "archive",
    "debug",
];

/// Words that make a task harmless wherever they stand.
const HARMLESS: &[&str] = &[
    "dry",
    "dryrun",
    "test",
    "tests",
    "check",
    "lint",
    "local",
    "localhost",
    "snapshot",
    "notes",
    "mock",
    "cache",
    "deps",
    "dependencies",
    "hooks",
    "plan",
    "dev",
];

/// What the name of a task says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// Nothing grave.
    Harmless,
    /// It deploys or publishes.
    Deploys,
    /// It destroys or resets.
    Destroys,
    /// It installs on the machine.
    Installs,
}

/// Reads the name of a task: words between `:`, `-`, `_`, `.`, `/` and changes of case.
pub fn read(name: &str) -> Says {
    let words = words(name);
    let Some(first) = words.first().map(String::as_str) else { return Says::Harmless };
    let has = |set: &[&str]| words.iter().any(|word| set.contains(&word.as_str()));
    let destroys = has(DESTROYS);
    if has(HARMLESS)
        && !(destroys
            && has(&["prod", "production", "db", "database"])
            && !has(&["test", "tests", "dry", "dryrun", "check", "plan"]))
    {
        return Says::Harmless;
    }
    if LOOKS.contains(&first) {
        return Says::Harmless;
    }
    // `build:release` builds a release, `build:deploy` builds and then deploys.
    if first == "build" && !has(&["deploy", "publish", "push", "upload", "ship"]) {
        return Says::Harmless;
    }
    if destroys {
        return Says::Destroys;
    }
    if has(DEPLOYS) {
        return Says::Deploys;
    }
    // `install-deps`, `setup:install` and the like prepare the project; only the bare word is meant for the machine.
    if INSTALLS.contains(&first) && words.len() == 1 || matches!(first, "flash" | "burn" | "uninstall") {
        return Says::Installs;
    }
    Says::Harmless
}

/// The rule that speaks about a task of this name, if one does.
pub fn rule(name: &str) -> Option<&'static Rule> {
    match read(name) {
        Says::Harmless => None,
        Says::Deploys => Some(&rules::TASK_DEPLOYS),
        Says::Destroys => Some(&rules::TASK_DESTROYS),
        Says::Installs => Some(&rules::TASK_INSTALLS),
    }
}

/// Judges a task by its name alone. Tells whether a rule spoke.
pub fn judge(shell: &mut Shell<'_>, name: &str, shown: &str, span: Span) -> bool {
    match rule(name) {
        Some(rule) => {
            shell.tell(rule, shown, span);
            true
        }
        None => false,
    }
}

fn words(name: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut lower_before = false;
    for letter in name.chars() {
        let ends = !letter.is_alphanumeric() || letter.is_uppercase() && lower_before;
        if ends && !word.is_empty() {
            all.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        lower_before = letter.is_lowercase();
    }
    if !word.is_empty() {
        all.push(word);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_a_task_is_for() {
        let cases = [
            ("build", Says::Harmless),
            ("build:release", Says::Harmless),
            ("build-and-deploy", Says::Deploys),
            ("deploy:staging", Says::Deploys),
            ("deploy-dry-run", Says::Harmless),
            ("publishToMavenLocal", Says::Harmless),
            ("publishAllPublications", Says::Deploys),
            ("test:db:reset", Says::Harmless),
            ("db:reset", Says::Destroys),
            ("reset-db", Says::Destroys),
            ("clean", Says::Harmless),
            ("install", Says::Installs),
            ("install-deps", Says::Harmless),
            ("install-goyacc", Says::Harmless),
            ("release-notes", Says::Harmless),
            ("ci-publish", Says::Deploys),
            ("start:prod", Says::Harmless),
            ("migrate:prod", Says::Deploys),
            ("dev", Says::Harmless),
            ("lint", Says::Harmless),
        ];
        for (name, says) in cases {
            assert_eq!(read(name), says, "{name}");
        }
    }
}
