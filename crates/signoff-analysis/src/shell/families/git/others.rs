//! Other systems of version control, and tools around them.

use signoff_model::{Scope, Target};

use super::{harmless, is_scratch, losses, rules};
use crate::{
    rule::Rule,
    shell::{Call, Judge, Shell, options::Options, options::Syntax},
    value::{Arg, Feed},
};

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

/// The judgement for a program of this room.
pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "hg" | "chg" => mercurial,
        "svn" | "svnadmin" | "svnmucc" => subversion,
        "jj" => jujutsu,
        "tig" | "lazygit" | "gitui" | "gitlint" | "commitlint" | "onefetch" | "gource" | "svnversion" | "svnlook"
        | "cvs" | "bzr" | "brz" | "fossil" | "sl" | "p4" | "darcs" | "pijul" | "repo" | "got" | "gotadmin" | "mtn" => {
            small
        }
        "pre-commit" | "prek" | "husky" | "lefthook" | "overcommit" => hooks,
        "bfg" => rewriter,
        _ => return None,
    })
}

/// The verb behind global options, and the arguments behind it.
fn verb<'c>(call: &'c Call, valued: &[&str]) -> Option<(&'c str, &'c [Arg])> {
    let mut index = 0;
    loop {
        let arg = call.args.get(index)?;
        index += 1;
        if arg.known().is_some_and(|text| valued.contains(&text)) {
            index += 1;
        } else if !arg.is_option() {
            return Some((arg.known()?, call.args.get(index..).unwrap_or_default()));
        }
    }
}

fn lose(shell: &mut Shell<'_>, rule: &'static Rule, call: &Call, what: &str) {
    if !is_scratch(shell) {
        shell.report(rule, Target::Named(what.to_owned()), Scope::Project, call.span);
    }
}

fn mercurial(shell: &mut Shell<'_>, call: &Call) -> Feed {
    for (index, arg) in call.args.iter().enumerate() {
        // A setting can make an alias or a hook run a program.
        let pair = match arg.known() {
            Some("--config") => call.args.get(index + 1).map(|next| next.shown()),
            Some(text) => text.strip_prefix("--config=").map(Into::into),
            None => None,
        };
        if let Some(pair) = pair
            && let Some((key, code)) = pair.split_once('=')
            && (key.starts_with("alias.")
                || key.starts_with("hooks.")
                || key.starts_with("extensions.")
                || key.starts_with("ui.ssh")
                || key.starts_with("ui.editor")
                || key.starts_with("pager."))
        {
            let code = Arg::text(code.trim_start_matches('!'), arg.span);
            super::run_shell(shell, &code);
            if key.starts_with("extensions.") && !code.value.is_empty() {
                shell.opaque(pair.into_owned(), arg.span);
            }
        }
    }
    let Some((verb, args)) = verb(call, &["-R", "--repository", "--cwd", "--config"]) else { return call.output() };
    let options = Options::read(args, &NONE);
    let dry = options.has(&["n", "dry-run"]);
    match verb {
        _ if dry => {}
        "push" | "email" | "phabsend" | "ci-push" => {
            let to = options.operand(0).unwrap_or("default").to_owned();
            shell.tell(&rules::SUBMIT, to, call.span);
        }
        "update" | "up" | "checkout" | "co" if options.has(&["C", "clean"]) => lose(shell, &rules::DISCARD, call, "."),
        "revert" | "rever" => lose(shell, &rules::DISCARD, call, options.operand(0).unwrap_or(".")),
        "purge" | "clean" if !options.has(&["p", "print"]) => {
            lose(shell, &rules::CLEAN, call, options.operand(0).unwrap_or("."))
        }
        "remove" | "rm" if options.has(&["f", "force"]) => {
            lose(shell, &rules::REMOVE_TRACKED, call, options.operand(0).unwrap_or("."))
        }
        "shelve" | "unshelve" if options.has(&["d", "delete", "cleanup"]) => {
            lose(shell, &rules::DROP_STASH, call, "shelf")
        }
        _ if let Some(rule) = losses::rule("hg", verb, &options, "") => lose(shell, rule, call, verb),
        "serve" => shell.tell(&rules::SERVE, "hg serve", call.span),
        _ => {}
    }
    call.output()
}

fn subversion(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some((verb, args)) = verb(call, &["--username", "--password", "--config-dir", "--config-option"]) else {
        return call.output();
    };
    let options = Options::read(
        args,
        &Syntax { short_values: "mFrc", long_values: &["message", "file", "revision", "depth"], ..NONE },
    );
    let remote = options.operands.iter().any(|arg| arg.value.prefix().contains("://"));
    match verb {
        _ if options.has(&["dry-run"]) => {}
        "commit" | "ci" | "import" => shell.tell(&rules::SUBMIT, "Subversion", call.span),
        "delete" | "del" | "remove" | "rm" | "mkdir" | "copy" | "cp" | "move" | "mv" if remote => {
            shell.tell(&rules::SUBMIT, "Subversion", call.span)
        }
        "delete" | "del" | "remove" | "rm" if options.has(&["force"]) => {
            lose(shell, &rules::REMOVE_TRACKED, call, options.operand(0).unwrap_or("."))
        }
        "revert" => lose(shell, &rules::DISCARD, call, options.operand(0).unwrap_or(".")),
        "cleanup" if options.has(&["remove-unversioned", "remove-ignored"]) => lose(shell, &rules::CLEAN, call, "."),
        "lock" | "unlock" | "propset" | "propdel" if remote || options.has(&["revprop", "force"]) => {
            shell.tell(&rules::SUBMIT, "Subversion", call.span)
        }
        "rmtxns" | "setlog" | "setrevprop" | "load" | "recover" => lose(shell, &rules::REWRITE_HISTORY, call, verb),
        _ => {}
    }
    call.output()
}

fn jujutsu(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some((verb, args)) =
        verb(call, &["-R", "--repository", "--at-operation", "--at-op", "--config", "--config-file", "--color"])
    else {
        return call.output();
    };
    let options = Options::read(args, &NONE);
    match (verb, options.operand(0)) {
        _ if options.has(&["dry-run"]) || call.asks_for_help() || args.iter().any(|arg| arg.is("-h")) => {}
        ("git", Some("push")) => {
            let rule: &'static Rule = if options.has(&["deleted"]) { &rules::PUSH_DELETE } else { &rules::PUSH };
            shell.report(rule, Target::Named("jj git push".to_owned()), Scope::Remote, call.span);
        }
        ("gerrit", Some("upload" | "send")) => shell.tell(&rules::SUBMIT, "Gerrit", call.span),
        ("util", Some("gc")) if args.iter().any(|arg| arg.is("--expire=now") || arg.is("now")) => {
            lose(shell, &rules::DROP_HISTORY, call, "jj util gc")
        }
        ("util", Some("exec")) => {
            let start = args.iter().position(|arg| arg.is("--")).map_or(1, |at| at + 1);
            return shell.run(args.get(start..).unwrap_or_default(), Feed::none(), call.span);
        }
        ("bisect", Some("run")) => {
            if let Some(at) = args.iter().position(|arg| arg.is("--")) {
                return shell.run(args.get(at + 1..).unwrap_or_default(), Feed::none(), call.span);
            }
        }
        ("run", _) => {
            if let Some(code) = options.operands.first() {
                return super::run_shell(shell, code);
            }
        }
        (_, operand) => {
            let operand = operand.unwrap_or_default();
            if let Some(rule) = losses::rule("jj", verb, &options, operand) {
                lose(shell, rule, call, if operand.is_empty() { "." } else { operand });
            }
        }
    }
    call.output()
}

/// Systems that are seldom met: what publishes and what throws away, by the verb.
fn small(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some((verb, args)) = verb(call, &["-d", "-R", "-C", "-c"]) else { return harmless(shell, call) };
    let options = Options::read(args, &NONE);
    // `cvs -n commit` changes nothing; the switch stands before the verb.
    let global = call.args.iter().take_while(|arg| arg.is_option()).any(|arg| {
        let text = arg.value.prefix();
        call.name == "cvs" && !text.starts_with("--") && text.contains('n')
    });
    if options.has(&["n", "dry-run"]) || global || call.asks_for_help() {
        return harmless(shell, call);
    }
    if let Some(rule) = losses::rule(&call.name, verb, &options, options.operand(0).unwrap_or_default()) {
        lose(shell, rule, call, options.operand(0).unwrap_or("."));
        return harmless(shell, call);
    }
    match (call.name.as_str(), verb) {
        ("cvs", "commit" | "ci" | "import" | "rtag")
        | ("bzr" | "brz" | "darcs" | "pijul" | "sl" | "got" | "mtn", "push" | "send" | "pr") => {
            shell.tell(&rules::SUBMIT, call.name.clone(), call.span);
        }
        ("p4", "submit" | "delete" | "obliterate")
        | ("repo", "upload")
        | ("fossil", "push" | "sync" | "commit" | "ci") => {
            shell.tell(&rules::SUBMIT, call.name.clone(), call.span);
        }
        ("repo", "forall") => {
            if let Some(at) = args.iter().position(|arg| arg.is("-c")) {
                return super::tree::run_words(shell, args.get(at + 1..).unwrap_or_default());
            }
        }
        _ => {}
    }
    harmless(shell, call)
}

/// Tools that manage hooks: running the checks is harmless, planting hooks is not.
fn hooks(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some((verb, args)) = verb(call, &["-c", "--config"]) else {
        return call.output();
    };
    match (call.name.as_str(), verb) {
        (_, "install" | "init" | "add" | "set" | "init-templatedir") => {
            let what = format!("{} {verb}", call.name);
            shell.tell(&rules::HOOK_TOOL, what, call.span);
        }
        ("pre-commit" | "prek", "try-repo") => {
            shell.opaque(args.first().map_or_else(String::new, |arg| arg.shown().into_owned()), call.span)
        }
        ("lefthook", "run") | ("pre-commit", "run") => {}
        _ => {}
    }
    call.output()
}

fn rewriter(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if !call.asks_for_help() && !call.args.is_empty() {
        lose(shell, &rules::REWRITE_HISTORY, call, "bfg");
    }
    call.output()
}
