//! Object stores: which way do the files go?

use super::{CHANGE, DELETE, DELETE_WHOLE, LOGIN, UPLOAD};
use crate::{
    shell::{
        Call, Shell,
        families::{files, network},
        subcommands::{Deed, Line},
    },
    value::{Arg, Feed, Origin},
    words::is_listed,
};

/// Whether an argument names something in an object store.
fn is_remote(arg: &Arg) -> bool {
    let shown = arg.shown();
    ["s3://", "gs://", "https://", "b2://", "oss://", "cos://", "az://"].iter().any(|scheme| shown.starts_with(scheme))
}

/// Files go from the first place to the last.
pub(super) fn transfer(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>, paths: &[&Arg], moves: bool) -> Feed {
    let (Some(from), Some(to)) = (paths.first(), paths.last()) else { return call.output() };
    if paths.len() < 2 {
        return call.output();
    }
    if is_remote(to) {
        let mut secret = None;
        if !is_remote(from) && !from.is("-") {
            secret = shell.read(from).secret().map(str::to_owned);
        } else if from.is("-") {
            secret = call.stdin.secret().map(str::to_owned);
        }
        if let Some(secret) = secret {
            let feed = Feed::from(Origin::Secret(secret));
            shell.send(&to.shown(), std::iter::empty(), &feed, call.span);
        }
        return Deed::Tell(if is_remote(from) { &CHANGE } else { &UPLOAD }).done(shell, call, line);
    }
    if moves {
        // What is fetched disappears where it was.
        Deed::Tell(&DELETE).done(shell, call, line);
    }
    if !to.is("-") {
        files::bring(shell, from, to);
    }
    Feed::from(Origin::Download { url: from.shown().into_owned(), encrypted: true })
}

pub(super) fn aws(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>, operation: &str) -> Feed {
    let paths = line.words_from(2);
    match operation {
        "ls" | "presign" | "" => call.output(),
        "cp" | "sync" => {
            let feed = transfer(shell, call, line, paths, false);
            if line.has(&["--delete"])
                && !paths.last().is_some_and(|to| is_remote(to))
                && let Some(to) = paths.last()
            {
                shell.delete(to, crate::path_effects::Depth::Recursive);
            }
            feed
        }
        "mv" => transfer(shell, call, line, paths, true),
        "rb" => Deed::Tell(&DELETE_WHOLE).done(shell, call, line),
        "rm" => {
            let words: Vec<_> = call.args.iter().filter_map(Arg::known).collect();
            if words.len() == call.args.len() && !words.iter().any(|word| word.contains([' ', '\'', '"', '$', '*'])) {
                shell.safer(format!("aws {} --dryrun", words.join(" ")));
            }
            Deed::Tell(if line.has(&["--recursive"]) { &DELETE_WHOLE } else { &DELETE }).done(shell, call, line)
        }
        _ => Deed::Tell(&CHANGE).done(shell, call, line),
    }
}

/// `gsutil`, `gcloud storage`.
pub(super) fn google(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>, operation: &str, paths: &[&Arg]) -> Feed {
    match operation {
        "ls" | "cat" | "du" | "stat" | "hash" | "version" | "help" | "" | "list" | "describe" | "diff" => call.output(),
        "cp" | "rsync" => transfer(shell, call, line, paths, false),
        "mv" => transfer(shell, call, line, paths, true),
        "rb" => Deed::Tell(&DELETE_WHOLE).done(shell, call, line),
        "rm" => Deed::Tell(if line.has(&["-r", "-R", "--recursive"]) { &DELETE_WHOLE } else { &DELETE })
            .done(shell, call, line),
        "signurl" | "config" | "sign-url" => Deed::Tell(&LOGIN).done(shell, call, line),
        _ if paths.first().is_some_and(|word| word.is("get") || word.is("list") || word.is("describe")) => {
            call.output()
        }
        _ => Deed::Tell(&CHANGE).done(shell, call, line),
    }
}

/// Files go up; a secret among them is on its way.
pub(super) fn upload(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    network::sends_secret_files(shell, call);
    if call.stdin.secret().is_some() {
        shell.send(&call.name, std::iter::empty(), &call.stdin, call.span);
    }
    Deed::Tell(&UPLOAD).done(shell, call, line)
}

/// The verbs of the client of MinIO.
const MINIO_VERBS: &str = "\
    alias admin anonymous batch cp cat cors diff du encrypt event find get head idp ilm legalhold license ls mb mirror \
    mv od ping pipe put quota rb ready replicate retention rm share sql stat support tag tree undo update version watch";

pub(super) fn tool(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(
        &call.args,
        "\
        -c --config --access_key --secret_key --region --host --host-bucket --profile --endpoint-url \
        --include-pattern --exclude-pattern --from-to",
    );
    // To the client of MinIO the letter means something else.
    let letter = !matches!(call.name.as_str(), "mc" | "mcli") && line.has(&["-n"]);
    if line.asks_for_help() || letter || line.is_dry(&["--dry-run", "--dryrun", "--fake"]) {
        return call.output();
    }
    let Some(operation) = line.word(0) else { return call.output() };
    // A file manager has the same name; it is called with directories.
    if call.name == "mc" && !is_listed(MINIO_VERBS, operation) {
        return call.output();
    }
    let mut paths = line.words_from(1);
    let mut operation = operation;
    // Newer versions of some name the thing first: `gdrive files upload`, `b2 file upload`.
    if matches!((call.name.as_str(), operation), ("gdrive", "files") | ("b2", "file"))
        && let Some((verb, rest)) = paths.split_first()
    {
        operation = verb.known().unwrap_or_default();
        paths = rest;
    }
    match operation {
        "ls" | "la" | "info" | "du" | "list" | "cat" | "stat" | "find" | "tree" | "head" | "diff" | "ping"
        | "version" | "env" | "jobs" | "list-buckets" | "download-file" | "ready" | "sql" | "about"
        | "list-file-names" | "signurl" | "accesslog" | "get-file-info" | "files" | "watch" | "od" => call.output(),
        "get" | "pipe-out" | "download" => call.output(),
        "put" | "upload" | "upload-file" | "upload_file" | "pipe" => upload(shell, call, &line),
        "cp" | "copy" | "sync" | "mirror" | "modify" if call.name == "mc" || call.name == "mcli" => {
            // Aliases of this tool look like plain paths, so the first part decides nothing: only a leading dot or slash is local.
            let local = paths.last().is_some_and(|to| to.shown().starts_with(['.', '/', '~']));
            let rule = if line.has(&["--remove"]) { &DELETE_WHOLE } else { &UPLOAD };
            if local && !line.has(&["--remove"]) {
                return call.output();
            }
            network::sends_secret_files(shell, call);
            Deed::Tell(rule).done(shell, call, &line)
        }
        "cp" | "copy" | "sync" => transfer(shell, call, &line, paths, false),
        "mv" | "move" => transfer(shell, call, &line, paths, true),
        "rb" | "delete-bucket" => Deed::Tell(&DELETE_WHOLE).done(shell, call, &line),
        "rm" | "del" | "remove" | "delete" | "delete-file-version" => {
            Deed::Tell(if line.has(&["-r", "--recursive", "--recurse"]) { &DELETE_WHOLE } else { &DELETE })
                .done(shell, call, &line)
        }
        "login" | "logout" | "authorize-account" | "alias" | "config" | "account" => {
            if paths.first().is_some_and(|word| word.is("list") || word.is("ls")) {
                call.output()
            } else {
                Deed::Tell(&LOGIN).done(shell, call, &line)
            }
        }
        "admin"
            if paths.iter().any(|word| word.is("info") || word.is("list") || word.is("trace") || word.is("logs")) =>
        {
            call.output()
        }
        "mb" | "update" if paths.is_empty() => call.output(),
        _ if paths.iter().any(|word| word.is("list") || word.is("ls") || word.is("info") || word.is("status")) => {
            call.output()
        }
        _ => Deed::Tell(&CHANGE).done(shell, call, &line),
    }
}
