//! Raw connections: `nc`, `socat`, `telnet`, `openssl s_client`. What bash does with `/dev/tcp` is a matter of redirections.

use signoff_model::{Dialect, Span};

use super::{LISTEN, LOCAL_REQUEST, Reach, carries_secret, is_here, reach};
use crate::{
    place::Nature,
    shell::{
        Call, Judge, Shell,
        families::{
            databases, own,
            tool::{self, speak},
        },
        options::{Options, Syntax},
        rules::REVERSE_SHELL,
    },
    value::{Arg, Feed, Origin, Value},
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "nc" | "ncat" | "netcat" | "nc.traditional" | "nc.openbsd" | "cryptcat" => netcat,
        "socat" => socat,
        "telnet" => telnet,
        "websocat" | "wscat" => websocket,
        _ => return None,
    })
}

/// Whether this program is a shell that takes orders.
fn is_shell(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    matches!(
        base,
        "sh" | "bash"
            | "zsh"
            | "dash"
            | "ksh"
            | "ash"
            | "fish"
            | "tcsh"
            | "csh"
            | "busybox"
            | "cmd.exe"
            | "cmd"
            | "powershell"
            | "powershell.exe"
            | "pwsh"
            // What starts a shell, or becomes one when it is asked for nothing else.
            | "chroot"
            | "nsenter"
            | "su"
            | "login"
            | "script"
            | "sudo"
            | "doas"
    )
}

/// Whether a text runs a shell: `/bin/sh`, `bash -i`, `/usr/bin/env bash`.
fn runs_shell(text: &str) -> bool {
    text.split_whitespace().take(3).any(is_shell)
}

/// Whether what flows comes out of a shell that takes orders. `code` is what the machine calls code that nobody has
/// seen: orders that come from somewhere, with the answers going to another machine.
fn comes_from_shell(feed: &Feed) -> bool {
    feed.origins.iter().any(|origin| matches!(origin, Origin::Program(name) if is_shell(name) || name == "code"))
}

/// Something flows into a connection: a shell's output means somebody else holds the shell.
fn send_into(shell: &mut Shell<'_>, to: &str, feed: &Feed, span: Span) {
    if feed.is_none() {
        return;
    }
    if comes_from_shell(feed) {
        shell.tell(&REVERSE_SHELL, to, span);
        return;
    }
    if feed.secret().is_none() {
        let asks_only = feed.known().is_some_and(|text| {
            let text = text.trim_start();
            text.len() < 200
                && (text.is_empty()
                    || text.starts_with("GET ")
                    || text.starts_with("HEAD ")
                    || !text.contains('\n') && text.len() < 8)
        });
        if reach(to) == Reach::Local {
            if let Some(text) = feed.known() {
                databases::over_connection(shell, text, span);
            }
            if !asks_only {
                shell.tell(&LOCAL_REQUEST, to, span);
            }
            return;
        }
        if asks_only {
            return;
        }
    }
    shell.send(to, std::iter::empty(), feed, span);
}

/// Whether a path leads to a socket of Signoff.
fn is_own_socket(shell: &Shell<'_>, path: &Value) -> bool {
    own::is_own_socket(&path.shown()) || shell.place(path).nature == Nature::Signoff
}

fn netcat(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "egGiIoOpPqsTVwWXxm",
        long_values: &[
            "exec",
            "sh-exec",
            "lua-exec",
            "output",
            "source-port",
            "source",
            "proxy",
            "proxy-type",
            "wait",
            "idle-timeout",
            "delay",
            "ssl-cert",
            "ssl-key",
            "max-conns",
            "allow",
            "proxy-auth",
        ],
        long_flags: &["listen", "send-only", "recv-only", "udp", "ssl", "keep-open", "zero"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    if call.asks_for_help() || call.args.is_empty() {
        return call.output();
    }
    let options = Options::read(&call.args, &SYNTAX);
    let mut operands: Vec<&Arg> = options.operands.to_vec();
    let mut programs: Vec<Arg> = options.values(&["e", "exec", "sh-exec", "lua-exec"]).cloned().collect();
    // `-c` takes a command in some versions and none in others: only what looks like one is taken for one.
    if options.has(&["c"])
        && let Some(at) = operands
            .iter()
            .position(|arg| arg.known().is_some_and(|text| runs_shell(text) || text.contains([' ', '/'])))
    {
        programs.push(operands.remove(at).clone());
    }
    let host = operands.first().map_or_else(|| "?".to_owned(), |arg| arg.shown().into_owned());
    let to = match operands.get(1) {
        Some(port) => format!("{host}:{}", port.shown()),
        None => host,
    };
    // A socket file stands for the program behind it.
    if options.has(&["U", "unixsock"]) && operands.iter().any(|path| is_own_socket(shell, &path.value)) {
        shell.tell(&own::OWN_STATE, to, call.span);
        return call.output();
    }
    let listens = options.has(&["l", "listen"]);
    for program in &programs {
        if program.known().is_none_or(runs_shell) {
            shell.tell(&REVERSE_SHELL, tool::words_from(call, 0), program.span);
        } else {
            shell.run_text(program, Dialect::Sh, Feed::none());
            shell.send(&to, std::iter::empty(), &Feed::none(), program.span);
        }
    }
    if carries_secret(shell, call) {
        return Feed::none();
    }
    if options.has(&["z", "zero"]) {
        return call.output();
    }
    // As the address to listen at, four noughts are every one.
    let here = |host: &Arg| host.known().is_some_and(|host| is_here(host) && !host.starts_with("0."));
    let bound: Vec<&Arg> = options.values(&["s", "source"]).collect();
    let only_here = if bound.is_empty() {
        operands.len() > 1 && operands.first().is_some_and(|host| here(host))
    } else {
        bound.into_iter().all(here)
    };
    if listens && !only_here {
        speak(shell, call, &LISTEN, 0);
    }
    send_into(shell, &to, &call.stdin, call.span);
    Feed::from(Origin::Download { url: to, encrypted: options.has(&["ssl"]) })
}

fn socat(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let out = call.output();
    if call.asks_for_help() || call.args.is_empty() || carries_secret(shell, call) {
        return out;
    }
    let operands = tool::operands(call, "-b -t -T -lf -L -W -r -R -x");
    let sides: Vec<&Arg> = operands.iter().filter_map(|at| call.args.get(*at)).collect();
    let mut network = None;
    let mut programs = Vec::new();
    let mut files = Vec::new();
    for side in &sides {
        let text = side.shown().into_owned();
        let kind = text.split([':', ',']).next().unwrap_or_default().to_ascii_uppercase();
        match kind.as_str() {
            "EXEC" | "SYSTEM" | "SHELL" => programs.push(((*side).clone(), text)),
            "FILE" | "OPEN" | "GOPEN" | "CREATE" => files.push(
                text.split_once(':')
                    .map_or(String::new(), |(_, path)| path.split(',').next().unwrap_or_default().to_owned()),
            ),
            "-" | "STDIO" | "STDIN" | "STDOUT" | "PTY" | "FD" | "PIPE" => {}
            _ => {
                let unix = kind.starts_with("UNIX") || kind.starts_with("ABSTRACT") || kind == "LOCAL";
                let path = text.split_once(':').map_or("", |(_, path)| path.split(',').next().unwrap_or(path));
                if unix && (own::is_own_socket(path) || is_own_socket(shell, &Value::text(path))) {
                    shell.tell(&own::OWN_STATE, text, side.span);
                    return out;
                }
                network = network.or(Some(text));
            }
        }
    }
    let listens = sides.iter().any(|side| side.shown().to_ascii_uppercase().contains("LISTEN"));
    let to = network.clone().unwrap_or_default();
    for (side, text) in &programs {
        let code = text.split_once(':').map_or("", |(_, code)| code);
        let plain = code.split(",pty").next().unwrap_or(code).trim_matches(['\'', '"']);
        if network.is_some() && runs_shell(&plain.replace(',', " ")) {
            shell.tell(&REVERSE_SHELL, tool::words_from(call, 0), side.span);
        } else {
            let plain = plain.split(',').next().unwrap_or(plain);
            // What the other end says is typed into the program.
            let stdin = if call.stdin.is_none() { Feed::from(Origin::Input) } else { call.stdin.clone() };
            shell.run_text(&Arg::text(plain, side.span), Dialect::Sh, stdin);
        }
    }
    if listens {
        speak(shell, call, &LISTEN, 0);
    }
    if network.is_some() {
        for file in files {
            let feed = shell.read(&Arg::text(file, call.span));
            shell.send(&to, std::iter::empty(), &feed, call.span);
        }
        let target = to.split_once(':').map_or(to.as_str(), |(_, rest)| rest).to_owned();
        send_into(shell, &target, &call.stdin, call.span);
        return Feed::from(Origin::Download { url: target, encrypted: to.to_ascii_uppercase().starts_with("OPENSSL") });
    }
    out
}

fn telnet(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() || carries_secret(shell, call) {
        return call.output();
    }
    let operands = tool::operands(call, "-l -n -e -b");
    let to = operands
        .iter()
        .filter_map(|at| call.args.get(*at))
        .map(|arg| arg.shown().into_owned())
        .collect::<Vec<_>>()
        .join(":");
    send_into(shell, &to, &call.stdin, call.span);
    Feed::from(Origin::Download { url: to, encrypted: false })
}

/// `openssl s_client`: a look at a certificate, or a connection like any other.
pub(crate) fn tls_client(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let to = call
        .args
        .iter()
        .position(|arg| matches!(arg.known(), Some("-connect" | "-host")))
        .and_then(|at| call.args.get(at + 1))
        .map_or_else(String::new, |arg| arg.shown().into_owned());
    if comes_from_shell(&call.stdin) {
        shell.tell(&REVERSE_SHELL, to.as_str(), call.span);
    } else if call.stdin.secret().is_some()
        || call.stdin.origins.iter().any(|origin| matches!(origin, Origin::File(name) if !name.starts_with("/dev/")))
    {
        shell.send(&to, std::iter::empty(), &call.stdin, call.span);
    } else if call.stdin.known().is_some() {
        send_into(shell, &to, &call.stdin, call.span);
    }
    Feed::from(Origin::Download { url: to, encrypted: true })
}

fn websocket(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() || carries_secret(shell, call) {
        return call.output();
    }
    let to = call
        .args
        .iter()
        .find(|arg| arg.value.prefix().contains("ws"))
        .map_or_else(String::new, |arg| arg.shown().into_owned());
    if let Some(at) = call.args.iter().position(|arg| {
        let text = arg.value.prefix();
        ["exec:", "sh-c:", "cmd:"].iter().any(|start| text.starts_with(start))
    }) {
        let text = call.args.get(at).map(|arg| arg.shown().into_owned()).unwrap_or_default();
        if runs_shell(text.split_once(':').map_or("", |(_, code)| code)) {
            speak(shell, call, &REVERSE_SHELL, at);
        } else {
            shell.opaque(text, tool::span_from(call, at));
        }
    }
    if call.args.iter().any(|arg| matches!(arg.known(), Some("-s" | "--server-mode" | "-l" | "--listen"))) {
        speak(shell, call, &LISTEN, 0);
    }
    send_into(shell, &to, &call.stdin, call.span);
    Feed::from(Origin::Download { encrypted: to.starts_with("wss"), url: to })
}
