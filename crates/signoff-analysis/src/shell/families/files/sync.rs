//! Keeping two trees alike: `rsync`, `rclone` and their kin.

use std::rc::Rc;

use signoff_model::{Dialect, Scope, Target};

use super::{
    PLAIN, REMOTE_FILES, SYNC_DELETE,
    copy::{copied, inside},
    overlay::{bring, is_over_database, overlay},
};
use crate::{
    facts::{Directories, Following, KeptAs, Replacing, Sparing},
    path_effects::{Depth, Write, delete_rule},
    place::Extent,
    shell::{
        Call, Contents, Locus, Manner, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Value},
};

const RSYNC: Syntax = Syntax {
    short_values: "eBfMT@",
    long_values: &[
        "rsh",
        "rsync-path",
        "block-size",
        "filter",
        "exclude",
        "exclude-from",
        "include",
        "include-from",
        "files-from",
        "temp-dir",
        "compare-dest",
        "copy-dest",
        "link-dest",
        "compress-level",
        "max-delete",
        "max-size",
        "min-size",
        "partial-dir",
        "timeout",
        "contimeout",
        "modify-window",
        "address",
        "port",
        "sockopts",
        "out-format",
        "log-file",
        "log-file-format",
        "password-file",
        "bwlimit",
        "write-batch",
        "read-batch",
        "only-write-batch",
        "protocol",
        "iconv",
        "checksum-seed",
        "chmod",
        "chown",
        "usermap",
        "groupmap",
        "backup-dir",
        "suffix",
        "info",
        "debug",
        "remote-option",
        "skip-compress",
        "stop-at",
        "stop-after",
        "early-input",
        "checksum-choice",
        "compress-choice",
        "outbuf",
    ],
    long_flags: &[
        "dry-run",
        "delete",
        "delete-before",
        "delete-during",
        "delete-after",
        "delete-excluded",
        "delete-delay",
        "delete-missing-args",
        "remove-source-files",
        "list-only",
        "existing",
        "ignore-existing",
        "archive",
        "recursive",
        "help",
        "version",
        "force",
        "inplace",
        "backup",
        "update",
        "copy-links",
    ],
    ..PLAIN
};

/// The host of `host:path` or `rsync://host/…`, and whether the argument is one.
pub(super) fn remote_host(arg: &Arg) -> Option<String> {
    let text = arg.shown();
    if let Some((_, rest)) = text.split_once("://") {
        return Some(rest.split('/').next().unwrap_or_default().to_owned());
    }
    let (host, _) = text.split_once(':')?;
    (!host.contains('/') && !host.is_empty()).then(|| host.to_owned())
}

pub(super) fn rsync(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &RSYNC);
    if let Some(transport) = options.value(&["e", "rsh"]) {
        run_transport(shell, transport);
    }
    let Some((target, sources)) = options.operands.split_last() else { return Feed::none() };
    if let (Some(path), Some(host)) =
        (options.value(&["rsync-path"]), options.operands.iter().find_map(|arg| remote_host(arg)))
    {
        let plain = path
            .known()
            .is_some_and(|text| text.rsplit(['/', ' ']).next() == Some("rsync") && !text.contains([';', '&', '|']));
        if !plain {
            shell.elsewhere(Locus::Remote(host), |shell| shell.run_text(path, Dialect::Sh, Feed::none()));
        }
    }
    if options.has(&["n", "dry-run", "list-only"]) || sources.is_empty() {
        return Feed::none();
    }
    if let Some(log) = options.value(&["log-file"]) {
        shell.write(log, Write::Append);
    }
    match remote_host(target) {
        Some(host) => send(shell, sources, &host, target.span),
        None => {
            let how = if options.has(&["ignore-existing"]) { Write::New } else { Write::Append };
            if let Some(manner) =
                manner(&options).filter(|_| sources.iter().all(|source| remote_host(source).is_none()))
            {
                shell.stake_arrivals(sources, target, &manner);
            }
            let keeps = how == Write::New || options.has(&["b", "backup"]);
            let over = sources.iter().find(|source| !keeps && is_over_database(shell, &named(source), target));
            match over {
                Some(source) => bring(shell, source, target),
                None => shell.write(target, how),
            }
            for source in sources.iter().filter(|_| how == Write::Append) {
                overlay(shell, source, target);
            }
            for source in sources.iter().filter(|source| remote_host(source).is_none()) {
                copied(shell, source, target);
                let path = shell.place(&source.value).path.clone();
                let carried = shell.moved_along(source);
                let to = shell.place(&target.value).path.clone();
                let name = path.rsplit('/').next().unwrap_or_default();
                shell.remember_copy(&path, &to);
                shell.remember_copy(&path, &format!("{to}/{name}"));
                if let Some(written) = carried {
                    shell.remember_written(&inside(target, source), written.clone());
                    shell.remember_written(target, written);
                }
            }
        }
    }
    let deletes = options
        .given
        .iter()
        .find(|given| given.name == "del" || (given.name.starts_with("delete") && given.name != "delete-missing-args"));
    if let Some(delete) = deletes {
        let span = delete.arg.span.to(target.span);
        delete_surplus(shell, target, span);
    }
    if options.has(&["remove-source-files"]) {
        for source in sources.iter().filter(|source| remote_host(source).is_none()) {
            shell.relocate(source, target, Write::Append);
        }
    }
    Feed::none()
}

/// What comes from another machine, by the name that it has there.
fn named(source: &Arg) -> Arg {
    match source.known().filter(|_| remote_host(source).is_some()) {
        Some(text) => Arg::text(text.rsplit_once(':').map_or(text, |(_, path)| path), source.span),
        None => source.clone(),
    }
}

/// How `rsync` lays things over others, unless it leaves alone or keeps what is there, or is told by more than names what
/// goes along.
fn manner(options: &Options<'_>) -> Option<Manner> {
    const NARROWS: &[&str] = &[
        "include",
        "include-from",
        "exclude-from",
        "files-from",
        "filter",
        "f",
        "F",
        "C",
        "cvs-exclude",
        "max-size",
        "min-size",
    ];
    if options.has(NARROWS) || options.has(&["ignore-existing", "only-write-batch"]) {
        return None;
    }
    let left_out =
        options.values(&["exclude"]).map(|pattern| pattern.known().and_then(plain_pattern)).collect::<Option<_>>()?;
    let whole = options.has(&["a", "archive", "r", "recursive"]);
    Some(Manner {
        replacing: Replacing::Name,
        directories: if whole { Directories::Merged } else { Directories::Refused },
        sparing: if options.has(&["u", "update"]) { Sparing::Newer } else { Sparing::Nothing },
        contents: Contents::BehindSlash,
        left_out,
        following: if options.has(&["L", "copy-links"]) { Following::Everything } else { Following::Nothing },
        kept_as: kept_as(options)?,
    })
}

/// Where `rsync` keeps what it replaces, if it does; none where that cannot be told.
fn kept_as(options: &Options<'_>) -> Option<Option<KeptAs>> {
    // Older versions make nothing of the other options alone.
    if !options.has(&["b", "backup"]) {
        return Some(None);
    }
    let told = |name: &str| match options.value(&[name]) {
        Some(value) => value.known().map(|text| Some(text.to_owned())),
        None => Some(None),
    };
    let (below, ending) = (told("backup-dir")?, told("suffix")?);
    let usual = if below.is_some() { "" } else { "~" };
    Some(Some(KeptAs { below, ending: ending.unwrap_or_else(|| usual.to_owned()) }))
}

/// A pattern that stands for names and nothing else, wherever they are.
fn plain_pattern(pattern: &str) -> Option<String> {
    let name = pattern.trim_end_matches('/');
    (!name.is_empty() && !name.contains(['/', '?', '[', '\\']) && !name.contains("**")).then(|| name.to_owned())
}

/// The transport of `rsync` is a command; plain `ssh` with its usual options is how everybody uses it.
fn run_transport(shell: &mut Shell<'_>, transport: &Arg) {
    let usual = transport.known().is_some_and(|text| {
        let program = text.split_whitespace().next().unwrap_or_default();
        matches!(program.rsplit('/').next(), Some("ssh" | "rsh"))
            && !text.to_ascii_lowercase().contains("command")
            && !text.contains([';', '&', '|', '`', '$'])
    });
    if !usual && !transport.value.is_empty() {
        shell.run_text(transport, Dialect::Sh, Feed::none());
        let wrapped = ["sshpass", "docker", "podman", "kubectl", "gcloud", "ssh", "rsh", "autossh", "cloudflared"];
        let first = transport.value.prefix().split_whitespace().next().unwrap_or_default();
        if !wrapped.contains(&first.rsplit('/').next().unwrap_or_default()) && transport.known().is_some() {
            shell.opaque(transport.shown().into_owned(), transport.span);
        }
    }
}

/// Local files go to another machine.
fn send(shell: &mut Shell<'_>, sources: &[&Arg], host: &str, span: signoff_model::Span) {
    let mut feed = Feed::none();
    for source in sources.iter().filter(|source| remote_host(source).is_none()) {
        let place = shell.place(&source.value);
        feed = feed.then(shell.secret_at(&place, source.span));
    }
    shell.send(host, sources.iter().map(|source| &source.value).collect::<Vec<&Value>>().into_iter(), &feed, span);
}

/// What the target holds and the source does not goes. What that is cannot be known from the text.
fn delete_surplus(shell: &mut Shell<'_>, target: &Arg, span: signoff_model::Span) {
    if remote_host(target).is_some() {
        shell.report(&SYNC_DELETE, Target::Named(target.shown().into_owned()), Scope::Remote, span);
        return;
    }
    let mut place = shell.place(&target.value);
    if place.extent == Extent::Exact {
        Rc::make_mut(&mut place).extent = Extent::Contents;
    }
    match delete_rule(&place, Depth::Recursive) {
        None => {}
        Some(rule) if rule.prohibition.is_some() || rule.risk <= signoff_model::Risk::Low => {
            shell.delete_at(&place, Depth::Recursive, span)
        }
        Some(_) => shell.report(&SYNC_DELETE, Target::Path(place.shown.clone()), place.scope, span),
    }
}

const RCLONE: Syntax = Syntax {
    short_values: "",
    long_values: &[
        "config",
        "exclude",
        "exclude-from",
        "include",
        "include-from",
        "filter",
        "filter-from",
        "files-from",
        "max-age",
        "min-age",
        "max-size",
        "min-size",
        "transfers",
        "checkers",
        "bwlimit",
        "log-file",
        "log-level",
        "backup-dir",
        "suffix",
        "stats",
        "retries",
        "timeout",
        "password-command",
        "max-depth",
        "drive-root-folder-id",
        "separator",
        "format",
        "cache-dir",
        "vfs-cache-mode",
        "addr",
        "user",
        "pass",
        "tpslimit",
        "multi-thread-streams",
    ],
    long_flags: &["dry-run", "interactive", "help", "version"],
    ..PLAIN
};

pub(super) fn rclone(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &RCLONE);
    if let Some(command) = options.value(&["password-command"]) {
        shell.run_text(command, Dialect::Sh, Feed::none());
    }
    let Some((verb, rest)) = options.operands.split_first() else { return Feed::none() };
    if options.has(&["n", "dry-run"]) {
        return Feed::none();
    }
    let remote = |arg: &Arg| arg.shown().contains(':');
    let what = rest.last().map_or_else(|| verb.shown().into_owned(), |last| last.shown().into_owned());
    let span = verb.span.to(rest.last().map_or(verb.span, |last| last.span));
    match (verb.known(), rest) {
        (Some("sync" | "bisync"), [source, target]) => {
            if remote(target) {
                sends_secret(shell, &[source], target, span);
            }
            delete_surplus(shell, target, span);
        }
        (Some("copy" | "copyto" | "copyurl"), [sources @ .., target]) if !remote(target) => {
            if options.given.len() == options.values(&["log-file", "log-level"]).count()
                && !sources.iter().any(|source| remote(source))
            {
                let contents = Contents::Always;
                let directories = Directories::Merged;
                shell.stake_arrivals(
                    sources,
                    target,
                    &Manner { contents, directories, ..Manner::single(Replacing::Name) },
                );
            }
            sources.iter().for_each(|source| bring(shell, source, target));
        }
        (
            Some("copy" | "copyto" | "copyurl" | "rcat" | "mkdir" | "touch" | "settier" | "backend"),
            [sources @ .., target],
        ) => {
            send_to(shell, sources, target, span);
        }
        (Some("move" | "moveto"), [source, target]) => {
            if remote(source) || remote(target) {
                if remote(target) {
                    sends_secret(shell, &[source], target, span);
                }
                shell.tell(&REMOTE_FILES, what, span);
            } else {
                shell.relocate(source, target, Write::Append);
            }
        }
        (
            Some("delete" | "deletefile" | "purge" | "rmdir" | "rmdirs" | "cleanup" | "dedupe" | "link"),
            [target, ..],
        ) => {
            if remote(target) {
                shell.tell(&REMOTE_FILES, what, span);
            } else {
                shell.delete(target, Depth::Recursive);
            }
        }
        (Some("cat"), files) => {
            return files.iter().fold(Feed::none(), |feed, file| feed.then(shell.read(file)));
        }
        (Some("config"), [first, ..]) if first.is("show") || first.is("dump") => {
            return shell
                .read(&Arg::text(format!("{}/.config/rclone/rclone.conf", shell.whereabouts().home), first.span));
        }
        (Some("config"), [first, ..]) if !first.is("file") && !first.is("providers") && !first.is("paths") => {
            shell.tell(&REMOTE_FILES, what, span)
        }
        _ => {}
    }
    Feed::from(crate::value::Origin::Program("rclone".into()))
}

fn send_to(shell: &mut Shell<'_>, sources: &[&Arg], target: &Arg, span: signoff_model::Span) {
    if !sends_secret(shell, sources, target, span) {
        shell.tell(&REMOTE_FILES, target.shown().into_owned(), span);
    }
}

/// Says so when a secret is among the files that go to another machine.
fn sends_secret(shell: &mut Shell<'_>, sources: &[&Arg], target: &Arg, span: signoff_model::Span) -> bool {
    let mut feed = Feed::none();
    for source in sources.iter().filter(|source| remote_host(source).is_none()) {
        let place = shell.place(&source.value);
        feed = feed.then(shell.secret_at(&place, source.span));
    }
    let Some(secret) = feed.secret() else { return false };
    let secret = secret.to_owned();
    shell.tell_sent(&secret, &target.shown(), span);
    true
}

/// Two-way syncing changes both sides.
pub(super) fn unison(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let talks = call.asks_by(&["-doc", "-help", "-version", "-ignorearchives"]);
    if !call.asks_for_help() && !talks && !call.args.is_empty() {
        let what = call
            .args
            .iter()
            .filter(|arg| !arg.is_option())
            .map(|arg| arg.shown().into_owned())
            .collect::<Vec<_>>()
            .join(" ");
        shell.tell(&SYNC_DELETE, what, call.span);
    }
    Feed::none()
}

/// Programs that keep two sides equal from then on: a new pair with another machine changes what is there, and a side that
/// is taken out of it loses its settings.
pub(super) fn keeper(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let words: Vec<&str> = call.args.iter().filter(|arg| !arg.is_option()).filter_map(Arg::known).collect();
    // A container of this machine is no other one.
    let is_remote = |arg: &Arg| remote_host(arg).is_some() && !arg.value.prefix().starts_with("docker://");
    let remote = || call.args.iter().skip(1).any(|arg| !arg.is_option() && is_remote(arg));
    let changes = match words.as_slice() {
        ["sync", "create", ..] => remote() || call.args.iter().any(|arg| arg.known().is_none()),
        ["sync" | "project" | "forward", "reset" | "terminate", ..] => true,
        ["cli", ..] => {
            words.iter().any(|word| matches!(*word, "delete" | "remove" | "add" | "set" | "override" | "revert"))
        }
        _ => false,
    };
    if changes && !call.asks_for_help() {
        shell.tell(&SYNC_DELETE, words.join(" "), call.span);
    }
    call.output()
}
