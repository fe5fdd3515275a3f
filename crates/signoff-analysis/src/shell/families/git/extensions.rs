//! Commands that git finds beside itself: extensions, collections of them, and aliases of which only the name is known.

use signoff_model::{Scope, Target};

use super::{Step, branch, history, lose, remote, rules};
use crate::{
    lexicon::{self, Meaning},
    rule::Rule,
    shell::Shell,
    value::{Feed, Origin},
    words::Words,
};

/// What an extension does, told by its name.
const KNOWN: &[(&str, &Rule)] = &[
    ("obliterate", &rules::REWRITE_HISTORY),
    ("reauthor", &rules::REWRITE_HISTORY),
    ("blame-someone-else", &rules::REWRITE_HISTORY),
    ("delete-branch", &rules::PUSH_DELETE),
    ("delete-tag", &rules::PUSH_DELETE),
    ("delete-squashed-branches", &rules::DELETE_BRANCH),
    ("delete-submodule", &rules::REMOVE_WORKTREE),
    ("delete-branches", &rules::DELETE_BRANCH),
    ("rename-tag", &rules::PUSH),
    ("rename-branch", &rules::PUSH),
    ("clear", &rules::CLEAN),
    ("clear-soft", &rules::DISCARD),
    ("force-clone", &rules::DISCARD),
    ("reset-file", &rules::DISCARD_FILE),
    ("unpublish", &rules::PUSH_DELETE),
    ("publish", &rules::PUSH),
    ("release", &rules::PUSH),
    ("ship", &rules::PUSH),
    ("pull-request", &rules::PUSH),
    ("fork", &rules::PUSH),
    ("paste", &rules::PUSH),
    ("scp", &rules::SUBMIT),
    ("sed", &rules::OVERWRITE_TRACKED),
    ("gh-pages", &rules::PUSH),
    ("pushall", &rules::PUSH),
    ("rscp", &rules::DISCARD),
    ("review", &rules::PUSH),
    ("open-pull-request", &rules::PUSH),
];

/// Words that say, in the name of an alias, that it destroys or publishes, besides the verbs that ruin everywhere: the slang
/// of people who name their own commands. `rm`, `submit` and the like are everyday names in git.
static GRAVE: Words<64> = Words::new(
    "obliterate discard undo-all trash yeet yolo force forcepush publish deploy release pf fpush pushf hard \
    clean prune expire kill burn remove overwrite push please ship sync-force fuck abandon annihilate",
);

/// Judges a command that is not git's own.
pub(super) fn judge(shell: &mut Shell<'_>, step: &Step<'_>, verb: &str) -> Feed {
    let first = step.args.iter().find(|arg| !arg.is_option()).and_then(|arg| arg.known()).unwrap_or_default();
    let second = step.args.iter().filter(|arg| !arg.is_option()).nth(1).and_then(|arg| arg.known()).unwrap_or_default();
    if let Some((_, rule)) = KNOWN.iter().find(|(name, _)| *name == verb) {
        speak(shell, rule, step);
        return step.output();
    }
    // `hub` adds verbs that speak to the forge.
    let posts = matches!(verb, "create" | "delete" | "sync" | "gist" | "api")
        || matches!(verb, "issue" | "release" | "pr")
            && matches!(first, "create" | "update" | "edit" | "delete" | "merge" | "labels");
    if step.call.name == "hub" && posts && !(verb == "api" && step.args.len() == 1) {
        speak(shell, &rules::PUSH, step);
        return step.output();
    }
    let forced = step.args.iter().any(|arg| arg.is("--force") || arg.is("-f") || arg.is("--hard"));
    match (verb, first) {
        // `git flow feature finish`, `git town ship`, `git machete traverse --push`: they push or delete on the way.
        ("flow", "init" | "version" | "config" | "log") => {}
        ("flow", _) if matches!(second, "publish" | "finish" | "delete") => speak(shell, &rules::PUSH, step),
        ("town", "ship" | "sync" | "propose" | "delete" | "kill") => speak(shell, &rules::PUSH, step),
        ("spr" | "stack", "submit" | "update" | "merge" | "land" | "push") => speak(shell, &rules::PUSH, step),
        ("annex", "drop" | "dropunused" | "unannex" | "uninit" | "dead") => speak(shell, &rules::DROP_HISTORY, step),
        ("annex", "sync" | "assist" | "copy" | "move" | "push") => speak(shell, &rules::PUSH, step),
        ("secret", "reveal" | "cat" | "changes") => {
            shell.tell(&rules::CREDENTIAL, step.shown(), step.span());
            return Feed::from(Origin::Secret("git secret".to_owned()));
        }
        ("secret", "tell" | "killperson" | "removeperson" | "remove" | "clean") => {
            shell.tell(&rules::CREDENTIAL, step.shown(), step.span())
        }
        ("crypt", "export-key" | "unlock" | "add-gpg-user") => {
            shell.tell(&rules::CREDENTIAL, step.shown(), step.span())
        }
        ("sync", _) if forced || !step.args.is_empty() => speak(shell, &rules::DISCARD, step),
        ("sync", _) => speak(shell, &rules::PUSH, step),
        ("undo", _) if step.args.iter().any(|arg| arg.is("--hard") || arg.is("-h")) => {
            speak(shell, &rules::DISCARD, step)
        }
        ("magic", _)
            if step.args.iter().any(|arg| {
                arg.known().is_some_and(|text| text.starts_with('-') && !text.starts_with("--") && text.contains('p'))
            }) =>
        {
            speak(shell, &rules::PUSH, step)
        }
        ("create-branch", _) if step.args.iter().any(|arg| arg.is("-r") || arg.is("--remote")) => {
            speak(shell, &rules::PUSH, step)
        }
        ("feature" | "bug" | "refactor" | "chore", "finish") => {}
        ("bug", "push") | ("bug" | "appraise", "bridge") if second == "push" || first == "push" => {
            speak(shell, &rules::PUSH, step)
        }
        ("bulk", _) => {
            let start = step.args.iter().position(|arg| !arg.is_option()).unwrap_or(step.args.len());
            return history::run_git(shell, step, step.args.get(start..).unwrap_or_default());
        }
        ("town" | "secret" | "crypt" | "annex" | "undo" | "flow", _) => {}
        (verb, _) if is_grave(verb) => shell.tell(&rules::GRAVE_ALIAS, format!("git {verb}"), step.span()),
        _ => {}
    }
    step.output()
}

fn speak(shell: &mut Shell<'_>, rule: &'static Rule, step: &Step<'_>) {
    let name =
        step.args.iter().find(|arg| !arg.is_option()).map_or_else(|| step.shown(), |arg| arg.shown().into_owned());
    if std::ptr::eq(rule, &rules::PUSH) {
        remote::publishes(shell, &step.shown(), step.span());
    } else if rule.risk == signoff_model::Risk::Medium || std::ptr::eq(rule, &rules::DELETE_BRANCH) {
        lose(shell, rule, branch(name), step.span());
    } else {
        shell.report(rule, Target::Named(step.shown()), Scope::Project, step.span());
    }
}

/// Whether a word of the name is grave. Names of looking, such as `show-merged-branches`, are not.
fn is_grave(verb: &str) -> bool {
    let mut words = verb.split(['-', '_', '.', ':']);
    let first = words.clone().next().unwrap_or_default();
    !matches!(first, "show" | "list" | "ls" | "find" | "count" | "dry" | "pre" | "delete-merged")
        && words.any(|word| lexicon::meaning(word) == Some(Meaning::Ruins) || GRAVE.holds(word))
        && verb != "delete-merged-branches"
}
