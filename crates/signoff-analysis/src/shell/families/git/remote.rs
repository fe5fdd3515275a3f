//! Commands that talk to other repositories: publishing, fetching, and programs started on the way.

use signoff_model::{EffectKind, Refs, Scope, Span, Target};

use super::{
    Step, config,
    discards::{self, Brought},
    history, is_plainly_called, local, lose, rules, staged,
};
use crate::{
    rule::Rule,
    shell::{
        Shell,
        options::{Options, Syntax, strip},
        quote,
    },
    value::{Arg, Feed, Origin},
};

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

/// Judges a verb of this room; none if it is of another.
pub(super) fn judge(shell: &mut Shell<'_>, step: &Step<'_>, verb: &str) -> Option<Feed> {
    match verb {
        "push" => push(shell, step),
        "fetch" | "pull" | "fetch-pack" => fetch(shell, step),
        "clone" => clone(shell, step),
        "ls-remote" => {
            const LIST: Syntax = Syntax { short_values: "o", long_values: &["upload-pack", "exec", "sort"], ..NONE };
            let options = step.options(&LIST);
            programs(shell, &options, &["upload-pack", "exec"]);
            addresses(shell, step, &options.operands);
        }
        "remote" => remote(shell, step),
        "send-pack" | "http-push" => {
            shell.report(&rules::PUSH, Target::Named(step.shown()), Scope::Remote, step.span())
        }
        "send-email" | "imap-send" => {
            if !step.options(&NONE).has(&["dry-run"]) {
                let to = step
                    .args
                    .iter()
                    .find_map(|arg| arg.known().and_then(|text| text.strip_prefix("--to=")))
                    .unwrap_or("e-mail");
                shell.tell(&rules::SUBMIT, to, step.span());
            }
        }
        "svn" => {
            let first = step.args.first().and_then(|arg| arg.known()).unwrap_or_default();
            let options = step.options(&NONE);
            if matches!(first, "dcommit" | "commit-diff" | "set-tree" | "branch" | "tag")
                && !options.has(&["n", "dry-run"])
            {
                shell.tell(&rules::SUBMIT, "Subversion", step.span());
            } else if first == "reset" {
                lose(shell, &rules::MOVE_BRANCH, Target::Named(step.shown()), step.span());
            }
        }
        "p4" => {
            if step.args.first().is_some_and(|arg| arg.is("submit") || arg.is("unshelve"))
                && !step.options(&NONE).has(&["n", "dry-run"])
            {
                shell.tell(&rules::SUBMIT, "Perforce", step.span());
            }
        }
        "cvsexportcommit" => {
            if step.options(&NONE).has(&["c"]) {
                shell.tell(&rules::SUBMIT, "CVS", step.span());
            }
        }
        "subtree" => {
            if step.args.iter().any(|arg| arg.is("push")) {
                shell.report(&rules::PUSH, Target::Named(step.shown()), Scope::Remote, step.span());
            } else {
                return Some(local(shell, EffectKind::Create, step));
            }
        }
        "lfs" => lfs(shell, step),
        _ => return None,
    }
    Some(step.output())
}

/// Whether a repository to push to lies in the temporary directory of this machine.
fn is_thrown_away(shell: &Shell<'_>, remote: &Arg) -> bool {
    let text = remote.value.prefix();
    let value = text.strip_prefix("file://").map(|path| strip(&remote.value, text.len() - path.len()));
    let value = value.as_ref().unwrap_or(&remote.value);
    let named = value.prefix();
    // A plain word is the name of a remote, and what has a host before it is elsewhere.
    let is_path = named.is_empty() || named.starts_with(['/', '.', '~']);
    is_path && shell.place(value).scope == Scope::Temp
}

fn push(shell: &mut Shell<'_>, step: &Step<'_>) {
    const PUSH: Syntax = Syntax {
        short_values: "o",
        long_values: &["push-option", "repo", "receive-pack", "exec"],
        long_flags: &[
            "force",
            "force-with-lease",
            "force-if-includes",
            "delete",
            "mirror",
            "prune",
            "all",
            "branches",
            "tags",
            "follow-tags",
            "dry-run",
            "set-upstream",
            "porcelain",
            "progress",
            "quiet",
            "verbose",
            "verify",
            "no-verify",
            "atomic",
            "thin",
            "no-thin",
            "signed",
            "no-signed",
            "recurse-submodules",
            "no-recurse-submodules",
            "ipv4",
            "ipv6",
        ],
        ..NONE
    };
    let options = step.options(&PUSH);
    programs(shell, &options, &["receive-pack", "exec"]);
    let remote = options.value(&["repo"]).or_else(|| options.operands.first().copied());
    if let Some(remote) = remote {
        transport(shell, remote);
        no_secret_in(shell, remote);
    }
    if options.has(&["n", "dry-run"]) {
        return;
    }
    if remote.is_some_and(|remote| is_thrown_away(shell, remote)) {
        return;
    }
    if let Some(feed) = crate::shell::families::secrets::hostage::hidden_in_project(shell) {
        shell.send("git push", std::iter::empty(), &feed, step.span());
    }
    if let Some(remote) = remote
        && let Some(secret) = staged::given_away(shell, remote)
    {
        shell.tell_sent(&secret, &remote.shown(), step.span());
    }
    let refs = options.operands.get(1..).unwrap_or_default();
    let name = remote.map(|remote| remote.shown().into_owned());
    if options.has(&["mirror"]) || options.has(&["prune"]) {
        let target = name.map_or(Target::DefaultRemote, Target::Named);
        shell.report(&rules::PUSH_MIRROR, target, Scope::Remote, step.span());
        return;
    }
    let forced = options.has(&["f", "force"]);
    let deletes = options.has(&["d", "delete"]);
    let lease = options.has(&["force-with-lease"]);
    let mut worst = None;
    for arg in refs {
        let rule = rule_for(arg, forced, deletes, lease);
        shell.report(rule, target_of(arg, name.clone()), Scope::Remote, step.span());
        worst = worst.max(Some(rule.risk));
        if std::ptr::eq(rule, &rules::FORCE_PUSH) {
            offer_lease(shell, &options);
        }
    }
    if worst.is_some() {
        return;
    }
    let what = if options.has(&["all", "branches"]) {
        Refs::AllBranches
    } else if options.has(&["tags"]) {
        Refs::AllTags
    } else {
        Refs::CurrentBranch
    };
    let rule = if forced { &rules::FORCE_PUSH } else { rule_of_lease(lease) };
    shell.report(rule, Target::Ref { name: what, remote: name }, Scope::Remote, step.span());
    if forced {
        offer_lease(shell, &options);
    }
}

fn rule_for(arg: &Arg, forced: bool, deletes: bool, lease: bool) -> &'static Rule {
    let text = arg.value.prefix();
    if deletes || text.starts_with(':') && text.len() > 1 || text.starts_with("+:") {
        &rules::PUSH_DELETE
    } else if forced || text.starts_with('+') {
        &rules::FORCE_PUSH
    } else {
        rule_of_lease(lease)
    }
}

fn rule_of_lease(lease: bool) -> &'static Rule {
    if lease { &rules::PUSH_LEASE } else { &rules::PUSH }
}

/// The ref on the other side that a refspec names.
fn target_of(arg: &Arg, remote: Option<String>) -> Target {
    let shown = arg.shown();
    let text = shown.trim_start_matches('+');
    let text = text.rsplit_once(':').map_or(text, |(_, there)| there);
    let text = text.strip_prefix("refs/heads/").or_else(|| text.strip_prefix("refs/tags/")).unwrap_or(text);
    Target::Ref { name: Refs::Named(text.to_owned()), remote }
}

fn offer_lease(shell: &mut Shell<'_>, options: &Options<'_>) {
    // What is deleted over there is deleted with a lease as well.
    let deletes = |arg: &&Arg| arg.value.prefix().trim_start_matches('+').starts_with(':');
    if options.has(&["d", "delete"]) || options.operands.iter().skip(1).any(deletes) {
        return;
    }
    let mut command = String::from("git push --force-with-lease");
    for operand in &options.operands {
        let Some(text) = operand.known() else { return };
        command.push(' ');
        command.push_str(&quote(text.trim_start_matches('+')));
    }
    shell.safer(command);
}

/// Programs that options start, here or on the other side.
fn programs(shell: &mut Shell<'_>, options: &Options<'_>, names: &[&str]) {
    for code in options.values(names) {
        if code.known().is_some_and(|text| text.starts_with("git-") && !text.contains([' ', ';', '|', '&', '$', '`'])) {
            continue;
        }
        super::run_shell(shell, code);
        let usual =
            code.known().and_then(|text| text.rsplit(['/', ' ']).next()).is_some_and(|name| name.starts_with("git-"));
        if !usual {
            shell.tell(&rules::FOREIGN_CONFIG, code.shown(), code.span);
        }
    }
}

/// An address may be a command: `ext::sh -c …` runs it.
pub(super) fn transport(shell: &mut Shell<'_>, address: &Arg) {
    let text = address.value.prefix();
    if text.starts_with("ext::") {
        let code = Arg { value: strip(&address.value, "ext::".len()), span: address.span };
        super::run_shell(shell, &code);
        shell.tell(&rules::FOREIGN_CONFIG, address.shown(), address.span);
    } else if text.starts_with("-") && text.contains("upload-pack") {
        shell.opaque(address.shown(), address.span);
    }
}

/// A secret in the path of an address leaves with it. In front of the `@` it is what the address is for.
fn no_secret_in(shell: &mut Shell<'_>, address: &Arg) {
    if address.value.secret().is_some() && !address.shown().contains('@') {
        let to = address.shown().into_owned();
        shell.send(&to, std::iter::once(&address.value), &Feed::none(), address.span);
    }
}

fn addresses(shell: &mut Shell<'_>, step: &Step<'_>, operands: &[&Arg]) {
    for operand in operands {
        transport(shell, operand);
        no_secret_in(shell, operand);
    }
    let from = operands.first().map_or("origin".into(), |arg| arg.shown());
    shell.note(EffectKind::NetworkRead, Target::Named(from.into_owned()), Scope::Remote, step.span());
}

fn fetch(shell: &mut Shell<'_>, step: &Step<'_>) {
    const FETCH: Syntax = Syntax {
        short_values: "ojsX",
        long_values: &[
            "upload-pack",
            "exec",
            "depth",
            "deepen",
            "shallow-since",
            "shallow-exclude",
            "jobs",
            "refmap",
            "server-option",
            "strategy",
            "strategy-option",
            "negotiation-tip",
            "filter",
        ],
        long_flags: &[
            "force",
            "prune",
            "prune-tags",
            "tags",
            "all",
            "rebase",
            "autostash",
            "dry-run",
            "unshallow",
            "recurse-submodules",
        ],
        ..NONE
    };
    let options = step.options(&FETCH);
    programs(shell, &options, &["upload-pack", "exec"]);
    addresses(shell, step, &options.operands);
    if step.verb.is("pull") && !options.has(&["dry-run"]) {
        let named = options.operands.first().zip(options.operands.get(1));
        discards::stake_brought(shell, step, &[Brought::Remote(named.map(|(remote, branch)| (*remote, *branch)))]);
    }
    let forced = options.has(&["f", "force"]);
    for arg in options.operands.iter().skip(1) {
        let shown = arg.shown();
        let Some((from, to)) = shown.split_once(':') else { continue };
        let local_branch = !to.is_empty()
            && !to.starts_with("refs/remotes/")
            && !to.starts_with("refs/pull/")
            && !to.starts_with("refs/tags/");
        if local_branch && (forced || from.starts_with('+')) && !to.contains('*') {
            lose(shell, &rules::MOVE_BRANCH, super::branch(to), step.span());
        }
    }
}

fn clone(shell: &mut Shell<'_>, step: &Step<'_>) {
    const CLONE: Syntax = Syntax {
        short_values: "ubojc",
        long_values: &[
            "upload-pack",
            "branch",
            "origin",
            "jobs",
            "config",
            "depth",
            "reference",
            "reference-if-able",
            "template",
            "separate-git-dir",
            "shallow-since",
            "shallow-exclude",
            "filter",
            "server-option",
            "bundle-uri",
            "revision",
        ],
        long_flags: &[
            "recursive",
            "recurse-submodules",
            "single-branch",
            "mirror",
            "bare",
            "quiet",
            "no-checkout",
            "no-tags",
        ],
        ..NONE
    };
    let options = step.options(&CLONE);
    programs(shell, &options, &["u", "upload-pack"]);
    for pair in options.values(&["c", "config"]) {
        config::from_pair(shell, pair);
        config::stays(shell, pair);
    }
    history::hooks_from_template(shell, step);
    if let Some((address, rest)) = options.operands.split_first() {
        let address_span = address.span;
        transport(shell, address);
        no_secret_in(shell, address);
        shell.note(EffectKind::NetworkRead, Target::Named(address.shown().into_owned()), Scope::Remote, address.span);
        shell.remember_clone(address, rest.first().copied());
        if let Some(directory) = rest.first() {
            let place = shell.place(&directory.value);
            shell.note(EffectKind::Create, place.target(), place.scope, directory.span);
        }
        let usual = || address.known().and_then(usual_directory).map(|name| Arg::text(name, address_span));
        if fails_where_one_is(step)
            && is_plainly_called(shell, step)
            && let Some(directory) = rest.first().map(|arg| (*arg).clone()).or_else(usual)
        {
            shell.note_made_directory(&directory);
        }
    }
}

/// Whether a clone fails where something lies already: only if it is surely told nothing else.
fn fails_where_one_is(step: &Step<'_>) -> bool {
    const PLAIN: &[&str] = &[
        "-q",
        "--quiet",
        "-v",
        "--verbose",
        "--progress",
        "--depth",
        "-b",
        "--branch",
        "--single-branch",
        "--no-tags",
        "-n",
        "--no-checkout",
        "--recursive",
        "--recurse-submodules",
        "--shallow-submodules",
        "-j",
        "--jobs",
        "--filter",
    ];
    let is_plain = |text: &str| !text.starts_with('-') || PLAIN.contains(&text.split('=').next().unwrap_or_default());
    step.args.iter().all(|arg| arg.known().is_some_and(is_plain))
}

/// The directory that a clone of a repository on another machine makes for itself, where that is beyond doubt.
fn usual_directory(address: &str) -> Option<&str> {
    let (_, path) = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?,
        None => address.split_once(':').filter(|(host, _)| !host.contains('/'))?,
    };
    let last = path.trim_end_matches('/').rsplit('/').next()?;
    let name = last.strip_suffix(".git").unwrap_or(last);
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

fn remote(shell: &mut Shell<'_>, step: &Step<'_>) {
    const REMOTE: Syntax = Syntax { short_values: "tm", ..NONE };
    let options = step.options(&REMOTE);
    match options.operand(0) {
        Some("add" | "set-url") => {
            for address in options.operands.iter().skip(2) {
                transport(shell, address);
            }
            if let Some(name) = options.operands.get(1) {
                staged::add_remote(shell, name);
            }
            local(shell, EffectKind::Overwrite, step);
        }
        Some("remove" | "rm" | "rename" | "set-head" | "set-branches") => {
            local(shell, EffectKind::Overwrite, step);
        }
        _ => {}
    }
}

fn lfs(shell: &mut Shell<'_>, step: &Step<'_>) {
    let options = step.options(&NONE);
    let dry = options.has(&["n", "dry-run", "d"]);
    match options.operand(0) {
        Some("migrate") if options.operand(1) != Some("info") => {
            lose(shell, &rules::REWRITE_HISTORY, Target::Named(step.shown()), step.span());
        }
        Some("push") if !dry => shell.report(&rules::PUSH, Target::Named(step.shown()), Scope::Remote, step.span()),
        Some("unlock") if options.has(&["force", "f"]) => {
            shell.report(&rules::PUSH, Target::Named(step.shown()), Scope::Remote, step.span());
        }
        _ => {}
    }
}

/// Something would be pushed by a command that is not `git push` itself.
pub(super) fn publishes(shell: &mut Shell<'_>, what: &str, span: Span) -> Feed {
    shell.report(&rules::PUSH, Target::Named(what.to_owned()), Scope::Remote, span);
    Feed::from(Origin::Program("git".into()))
}
