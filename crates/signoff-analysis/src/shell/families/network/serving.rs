//! Small web servers: whatever lies in the directory that they are started on, everybody can fetch.

use super::SERVE_PRIVATE;
use crate::{
    place::{Extent, Nature},
    shell::{Call, Judge, Shell},
    value::{Arg, Feed, Value},
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "serve" | "http-server" | "live-server" | "sirv" | "servor" | "superstatic" | "miniserve" | "darkhttpd"
        | "webfsd" | "dufs" | "simple-http-server" | "basic-http-server" | "local-web-server" | "ws"
        | "browser-sync" | "sfz" | "goshs" | "updog" | "quark" | "thttpd" | "mini_httpd" => server,
        _ => return None,
    })
}

/// Options by which these programs are told the directory, and others that take a value.
const DIRECTORIES: &[&str] = &["-d", "--directory", "--dir", "--root", "-r", "-h", "--path", "-t", "-S"];
const VALUES: &[&str] =
    &["-p", "--port", "-l", "--listen", "-a", "--bind", "-b", "--host", "-c", "--config", "-i", "-L"];

fn server(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if !call.asks_for_help() {
        of_arguments(shell, &call.args, call);
    }
    call.output()
}

/// Judges a server by the arguments that follow its name.
pub(crate) fn of_arguments(shell: &mut Shell<'_>, args: &[Arg], call: &Call) {
    let mut directory: Option<Arg> = None;
    let mut operand: Option<Arg> = None;
    let mut local = false;
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let text = arg.value.prefix();
        let (name, inline) = match text.split_once('=') {
            Some((name, _)) if text.starts_with("--") => {
                (name, Some(Arg { value: crate::shell::options::strip(&arg.value, name.len() + 1), span: arg.span }))
            }
            _ => (text, None),
        };
        let is_local = |value: &Arg| {
            value.known().is_some_and(|text| text.starts_with("127.") || text.starts_with("localhost") || text == "::1")
        };
        if DIRECTORIES.contains(&name) && arg.is_option() {
            directory = inline.or_else(|| rest.next().cloned());
        } else if VALUES.contains(&name) {
            local |= inline.or_else(|| rest.next().cloned()).is_some_and(|value| is_local(&value));
        } else if !arg.is_option() && !text.chars().all(|letter| letter.is_ascii_digit() || letter == ':') {
            local |= is_local(arg);
            operand = operand.or_else(|| Some(arg.clone()));
        } else if arg.value.has_unknown() && !arg.is_option() {
            operand = operand.or_else(|| Some(arg.clone()));
        }
    }
    if local {
        return;
    }
    let here = Arg { value: Value::text("."), span: call.span };
    let served = directory.or(operand).unwrap_or(here);
    judge(shell, &served);
}

/// Everything below a directory can be fetched by others.
pub(crate) fn judge(shell: &mut Shell<'_>, directory: &Arg) {
    let place = shell.place(&directory.value);
    let private = matches!(place.nature, Nature::Secret | Nature::Root | Nature::HomeTree | Nature::Signoff)
        || place.nature == Nature::SystemTree && place.path == "/etc";
    if private && place.extent == Extent::Exact {
        shell.report(&SERVE_PRIVATE, place.target(), place.scope, directory.span);
    }
}
