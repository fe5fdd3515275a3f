//! Clients that take orders of their own: `sftp`, `ftp`, `lftp`, `smbclient`. An order may send a file, and one that begins
//! with `!` is a command for the shell of this machine.

use signoff_model::{Dialect, EffectKind, Span};

use super::carries_secret;
use crate::{
    rule::Rule,
    shell::{
        Call, Judge, Shell, Written,
        families::{infrastructure, unknown},
        options::strip,
    },
    value::{Arg, Feed, Origin},
    words::is_listed,
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "lftp" | "ftp" | "tnftp" | "tftp" | "ncftp" | "cadaver" | "smbclient" | "smbclient.py" | "yafc" | "pftp" => {
            session
        }
        _ => return None,
    })
}

/// Orders that send what they name.
const SENDS: &[&str] = &["put", "mput", "send", "append", "reput", "newer-put", "mirror", "pput"];

fn session(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let out = call.output();
    if call.asks_for_help() || carries_secret(shell, call) {
        return out;
    }
    let lists = call.has_any(&["-L", "--list"]);
    let mut texts: Vec<Arg> = Vec::new();
    for (at, arg) in call.args.iter().enumerate() {
        match arg.known() {
            Some("-c" | "-e" | "--command") => {
                // `tftp host -c put file` takes the rest as one order.
                let rest = call.args.get(at + 1..).unwrap_or_default();
                let words = if call.name == "tftp" { rest } else { rest.get(..1).unwrap_or_default() };
                texts.extend(words.split_first().map(|(first, more)| {
                    let mut order = first.clone();
                    for word in more {
                        order.value.extend(crate::value::Value::text(" "));
                        order.value.extend(word.value.clone());
                    }
                    order
                }));
            }
            Some("-f") if call.name == "lftp" => {
                texts.extend(call.args.get(at + 1).and_then(|file| written(shell, file)));
            }
            _ => {}
        }
    }
    texts.extend(call.stdin.text.clone().map(|value| Arg { value, span: call.span }));
    let to = call.args.iter().find(|arg| !arg.is_option()).map_or_else(String::new, |arg| arg.shown().into_owned());
    let mut sent = false;
    for text in &texts {
        sent |= orders(shell, text, &to);
    }
    if !sent && !lists && (!call.args.is_empty() || !texts.is_empty()) {
        shell.send(&to, std::iter::empty(), &call.stdin, call.span);
    }
    out
}

/// What the text has written to a file of orders.
pub(super) fn written(shell: &Shell<'_>, file: &Arg) -> Option<Arg> {
    match shell.written(&shell.place(&file.value).path) {
        Some(Written::Content(feed)) => feed.text.clone().map(|value| Arg { value, span: file.span }),
        _ => None,
    }
}

/// Reads orders: runs what is for the shell and says which files are sent. Tells whether some are.
pub(super) fn orders(shell: &mut Shell<'_>, text: &Arg, to: &str) -> bool {
    let (mut sends, mut rehearsed) = (false, false);
    for order in text.value.shown().split(['\n', ';']).map(str::trim) {
        if let Some(command) = order.trim_start_matches(['-', '@']).strip_prefix('!') {
            if !command.trim().is_empty() {
                shell.run_text(&Arg::text(command.trim(), text.span), Dialect::Sh, Feed::none());
            }
            continue;
        }
        let mut words = order.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
        let verb = words.next().unwrap_or_default().trim_start_matches('-').to_ascii_lowercase();
        if verb == "shell" && to.is_empty() {
            continue;
        }
        let words: Vec<&str> = words.collect();
        // `mirror` fetches unless it is told to go the other way.
        let back = verb != "mirror" || words.iter().any(|word| matches!(*word, "-R" | "--reverse"));
        // Only this order knows a rehearsal; to the others it is one more name of a file.
        let rehearses = verb == "mirror" && words.contains(&"--dry-run");
        if matches!(verb.as_str(), "get" | "reget" | "pget") {
            fetched(shell, &words, to, text.span);
        }
        if !SENDS.contains(&verb.as_str()) || !back || rehearses {
            rehearsed |= rehearses;
            continue;
        }
        sends = true;
        let mut feed = Feed::none();
        for word in words.iter().filter(|word| !word.starts_with('-')) {
            let home = shell.whereabouts().home.clone();
            let path = match word.strip_prefix("~/") {
                Some(rest) => format!("{home}/{rest}"),
                None => (*word).to_owned(),
            };
            let place = shell.place(&crate::code::file_pattern(&path));
            feed = feed.then(shell.secret_at(&place, text.span));
        }
        shell.send(to, std::iter::empty(), &feed, text.span);
    }
    // Whoever rehearses an order has given one: nothing else is left to be sent.
    sends || rehearsed
}

/// `get there [here]`: what comes to lie here is what the other machine sends, and nothing on the way is encrypted.
fn fetched(shell: &mut Shell<'_>, words: &[&str], to: &str, span: Span) {
    let names: Vec<&str> = words.iter().filter(|word| !word.starts_with('-')).copied().collect();
    let (Some(there), Some(here)) = (names.first(), names.last()) else { return };
    let here = if names.len() > 1 { here } else { there.rsplit('/').next().unwrap_or(there) };
    let origin = Origin::Download { url: format!("ftp://{to}/{there}"), encrypted: false };
    shell.remember_written(&Arg::text(here, span), Written::Content(Feed::from(origin)));
}

/// Words in the name of an option whose file says who asks, or sets up the program itself.
const LOGS_IN: &[&str] = &[
    "key", "cert", "cred", "ident", "config", "profile", "token", "password", "auth", "env", "secret", "account",
    "state", "ssl", "tls", "sign", "login", "keystore",
];

/// Verbs by which a program is told to put files where others can fetch them.
const PUTS: &str = "put upload push cp copy mv move sync mirror send share publish deploy post add upload-file upload_file \
    upload-batch log-artifact import-dir transfer release-upload u rsync copyto";

/// Files among the arguments of a program that sends what it is given: the secrets in them, if there are any. A key that
/// an option names is for logging in.
fn secret_files(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut feed = Feed::none();
    let mut logs_in = false;
    for arg in &call.args {
        let text = arg.value.prefix();
        let (option, value) = match text.split_once('=') {
            Some((option, _)) if text.starts_with('-') => {
                (option, Some(Arg { value: strip(&arg.value, option.len() + 1), span: arg.span }))
            }
            _ if arg.is_option() => (text, None),
            _ => ("", Some(arg.clone())),
        };
        let names_login = says_login(option);
        if let Some(value) = value.filter(|_| !(names_login || option.is_empty() && logs_in)) {
            let place = shell.place(&value.value);
            // The state of the infrastructure lies where it is sent anyhow.
            if !is_own_state(call, place.file_name()) {
                feed = feed.then(shell.secret_at(&place, value.span));
            }
        }
        logs_in = names_login;
    }
    feed
}

/// Whether an option says that its file is what the program shows at the door, or signs with, and not what it sends.
fn says_login(option: &str) -> bool {
    let lower = option.to_ascii_lowercase();
    LOGS_IN.iter().any(|word| lower.contains(word))
        || lower
            .split(['-', '_'])
            .any(|word| matches!(word, "sa" | "ca" | "pkp" | "p8" | "p12" | "pfx" | "jks" | "pem"))
        || matches!(option, "-i" | "-F" | "-k")
}

/// Whether the file is the state of the infrastructure, given to the tool that keeps it.
fn is_own_state(call: &Call, name: &str) -> bool {
    matches!(call.name.as_str(), "terraform" | "tofu" | "opentofu" | "terragrunt") && name.contains(".tfstate")
}

/// A call is about to do what the rule says. If that puts files where others can fetch them, the secrets among them go
/// along.
pub(crate) fn takes_files_along(shell: &mut Shell<'_>, call: &Call, rule: &Rule) {
    let told = || {
        let words = call.args.iter().filter_map(Arg::known).filter(|word| !word.starts_with('-'));
        words.take(4).any(|word| is_listed(PUTS, word))
    };
    let puts = match rule.kind {
        // What keeps secrets is where they belong, and its paths are no files.
        _ if rule.id == infrastructure::VAULT.id && !chooses_vault(shell, call) => false,
        // A script that deploys may take a key to log in with; only what is told to send a file sends it.
        EffectKind::Publish if rule.id == unknown::SAYS_PUBLISHES.id => told() || sends_by_name(&call.name),
        EffectKind::Publish => true,
        EffectKind::NetworkWrite => told(),
        _ => false,
    };
    if puts {
        sends_secret_files(shell, call);
    }
}

/// Whether the text itself says which store of secrets is meant: then it may be anybody's.
fn chooses_vault(shell: &Shell<'_>, call: &Call) -> bool {
    let names = |name: &str| name == "VAULT_ADDR" || name == "BAO_ADDR";
    call.variables.iter().any(|(name, _)| names(name))
        || shell.variable("VAULT_ADDR").is_some()
        || shell.variable("BAO_ADDR").is_some()
        || call.args.iter().any(|arg| arg.value.prefix().trim_start_matches('-').starts_with("address"))
}

/// Whether the name of a program says that it sends the files that it is given.
fn sends_by_name(name: &str) -> bool {
    crate::lexicon::words(name).iter().any(|word| matches!(word.as_str(), "upload" | "uploader" | "transfer" | "send"))
}

/// Sends the secrets among the files of a program that sends; tells whether there were any.
pub(crate) fn sends_secret_files(shell: &mut Shell<'_>, call: &Call) -> bool {
    let feed = secret_files(shell, call);
    if feed.secret().is_none() {
        return false;
    }
    shell.send(&call.name, std::iter::empty(), &feed, call.span);
    true
}
