//! Services that give power over this machine and are opened to others: a shell, a debugger, a database or an interface
//! of an administrator without a log-in, or on an address that everybody reaches.
//!
//! A development server that shows a page to the neighbours is not meant.

use super::OPEN_SERVICE;
use crate::{
    shell::{Call, Judge, Language, Shell, families::tool::speak, options::strip},
    value::{Arg, Feed},
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "code-server"
        | "openvscode-server"
        | "ttyd"
        | "gotty"
        | "wetty"
        | "shellinaboxd"
        | "x11vnc"
        | "vncserver"
        | "tigervncserver"
        | "Xvnc"
        | "x0vncserver"
        | "filebrowser"
        | "dlv"
        | "debugpy"
        | "google-chrome"
        | "google-chrome-stable"
        | "chrome"
        | "chromium"
        | "chromium-browser"
        | "microsoft-edge"
        | "msedge"
        | "brave-browser"
        | "jupyter"
        | "jupyter-lab"
        | "jupyter-notebook"
        | "jupyter-server"
        | "memcached" => server,
        // What is typed and shown goes by way of somebody else's server, to whoever has the address.
        "upterm" | "tty-share" | "teleconsole" | "sshx" | "termpair" | "warp-share" => shared,
        _ => return None,
    })
}

fn server(shell: &mut Shell<'_>, call: &Call) -> Feed {
    judge(shell, call);
    if call.name == "dlv" {
        obey(shell, call);
    }
    super::super::unknown::judge(shell, call)
}

fn shared(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if !call.asks_for_help() {
        speak(shell, call, &OPEN_SERVICE, 0);
    }
    call.output()
}

/// A debugger obeys the orders in a file, and those may call anything.
fn obey(shell: &mut Shell<'_>, call: &Call) {
    for (at, arg) in call.args.iter().enumerate().take_while(|(_, arg)| !arg.is("--")) {
        let text = arg.value.prefix();
        let file = match text.strip_prefix("--init") {
            Some("") => call.args.get(at + 1).cloned(),
            Some(rest) if rest.starts_with('=') => Some(Arg { value: strip(&arg.value, 7), span: arg.span }),
            _ => None,
        };
        if let Some(file) = file {
            shell.run_script(Language::Other, &file, &[], Feed::none());
        }
    }
}

/// Says so if a call opens such a service.
pub(crate) fn judge(shell: &mut Shell<'_>, call: &Call) {
    if !call.asks_for_help()
        && let Some(at) = opened(call)
    {
        speak(shell, call, &OPEN_SERVICE, at);
    }
}

/// The position of the argument that opens a service, if one does.
fn opened(call: &Call) -> Option<usize> {
    let given = Options(&call.args);
    let is_local = |names: &[&str]| given.last(names).is_some_and(|(_, value)| is_local(&value));
    let public = |names: &[&str]| given.last(names).filter(|(_, value)| is_public(&value.shown())).map(|(at, _)| at);
    // Where a port alone means every address.
    let public_port = |names: &[&str]| {
        given
            .last(names)
            .filter(|(_, value)| is_public(&value.shown()) || has_no_host(&value.shown()))
            .map(|(at, _)| at)
    };
    let says = |names: &[&str], texts: &[&str]| {
        given.last(names).filter(|(_, value)| texts.contains(&value.shown().as_ref())).map(|(at, _)| at)
    };
    match call.name.as_str() {
        "jupyter" | "jupyter-lab" | "jupyter-notebook" | "jupyter-server" => {
            const TOKENS: &[&str] = &[
                "--ServerApp.token",
                "--NotebookApp.token",
                "--IdentityProvider.token",
                "--ServerApp.password",
                "--NotebookApp.password",
            ];
            let open = ["--ServerApp.ip", "--NotebookApp.ip", "--ip"];
            says(TOKENS, &["", "''", "\"\""]).or_else(|| public(&open))
        }
        "code-server" if is_local(&["--bind-addr", "--host"]) => None,
        "code-server" => says(&["--auth"], &["none"]),
        "openvscode-server" => given.flag(&["--without-connection-token"]),
        // These hand out a shell, on every address unless they are told otherwise.
        "ttyd" if is_local(&["-i", "--interface"]) => None,
        "gotty" if is_local(&["-a", "--address"]) => None,
        "wetty" if is_local(&["--host"]) => None,
        "shellinaboxd" if given.flag(&["--localhost-only"]).is_some() => None,
        "ttyd" | "gotty" | "shellinaboxd" => (!call.args.is_empty()).then_some(0),
        "wetty" => Some(0),
        "x11vnc" if given.flag(&["-localhost"]).is_some() => None,
        "x11vnc" => given.flag(&["-nopw"]),
        "vncserver" | "tigervncserver" | "Xvnc" | "x0vncserver" => {
            says(&["-SecurityTypes", "--SecurityTypes", "-securitytypes"], &["None", "none"])
        }
        "filebrowser" => given.flag(&["--noauth"]),
        "redis-server" | "valkey-server" => {
            let protected = given.last(&["--requirepass"]).is_some_and(|(_, word)| !word.value.is_empty());
            let bound = given.list("--bind").filter(|(_, values)| values.iter().any(|value| is_public(&value.shown())));
            says(&["--protected-mode"], &["no"]).or(bound.map(|(at, _)| at)).filter(|_| !protected)
        }
        "mongod" | "mongos" => {
            let protected = given.flag(&["--auth"]).is_some() || given.last(&["--keyFile"]).is_some();
            given.flag(&["--bind_ip_all"]).or_else(|| public(&["--bind_ip"])).filter(|_| !protected)
        }
        // Every test set-up starts one; over packets that name no real sender it answers to anybody.
        "memcached" if given.last(&["-U", "--udp-port"]).is_some_and(|(_, port)| !port.is("0")) => Some(0),
        "memcached" => public(&["-l", "--listen"]),
        "etcd" => public_port(&["--listen-client-urls"]),
        "dlv" => public_port(&["--listen", "-l"]),
        "debugpy" => public(&["--listen"]),
        "node" | "nodejs" | "bun" | "deno" | "tsx" | "ts-node" => {
            public(&["--inspect", "--inspect-brk", "--inspect-wait", "--inspect-port"])
        }
        "kubectl" | "oc" if call.has("proxy") => {
            let hosts = says(&["--accept-hosts"], &[".*", "^.*$", "^.*", ".+", "^.+$"]);
            hosts.or_else(|| public(&["--address"])).or_else(|| given.flag(&["--disable-filter"]))
        }
        // A browser under this control reads every page that the person is logged in to.
        _ => public(&["--remote-debugging-address"]),
    }
}

/// The options among arguments.
struct Options<'a>(&'a [Arg]);

impl Options<'_> {
    /// The last of these options with its value, behind `=` or in the next argument.
    fn last(&self, names: &[&str]) -> Option<(usize, Arg)> {
        let named = |arg: &Arg| names.contains(&arg.value.prefix().split('=').next().unwrap_or_default());
        let at = self.0.iter().rposition(named)?;
        let arg = self.0.get(at)?;
        let value = match arg.value.prefix().find('=') {
            Some(equals) => Arg { value: crate::shell::options::strip(&arg.value, equals + 1), span: arg.span },
            None => self.0.get(at + 1).cloned()?,
        };
        Some((at, value))
    }

    /// The last of an option that takes several words, up to the next option.
    fn list(&self, name: &str) -> Option<(usize, Vec<Arg>)> {
        let (at, first) = self.last(&[name])?;
        let inline = self.0.get(at).is_some_and(|arg| arg.value.prefix().contains('='));
        let behind = self.0.iter().skip(at + if inline { 1 } else { 2 });
        let more = behind.take_while(|arg| !arg.value.prefix().starts_with("--")).cloned();
        Some((at, std::iter::once(first).chain(more).collect()))
    }

    fn flag(&self, names: &[&str]) -> Option<usize> {
        self.0.iter().position(|arg| arg.known().is_some_and(|text| names.contains(&text)))
    }
}

/// The addresses of a list, without what says how they are spoken to.
fn addresses(list: &str) -> impl Iterator<Item = &str> {
    list.split(|letter: char| letter == ',' || letter.is_whitespace())
        .map(|address| address.split_once("://").map_or(address, |(_, rest)| rest))
        .filter(|address| !address.is_empty())
}

/// Whether one of these addresses is one that every machine reaches.
fn is_public(list: &str) -> bool {
    addresses(list).any(|address| {
        // A dash says that it does not matter if there is no such address.
        let address = address.strip_prefix('-').unwrap_or(address);
        ["0.0.0.0", "[::]", "::*", "*"]
            .iter()
            .any(|open| address.strip_prefix(open).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/'])))
            || address == "::"
            || address == "0"
    })
}

/// Whether one of these addresses is a port without a host.
fn has_no_host(list: &str) -> bool {
    addresses(list).any(|address| address.starts_with(':') && !address.starts_with("::"))
}

/// Whether options of `node` let everybody into the debugger.
pub(in crate::shell::families) fn opens_debugger(options: &str) -> bool {
    options.split_whitespace().any(|option| {
        option.strip_prefix("--inspect").and_then(|rest| rest.split_once('=')).is_some_and(|(_, to)| is_public(to))
    })
}

fn is_local(value: &Arg) -> bool {
    value.known().is_some_and(|text| {
        matches!(text, "lo" | "lo0" | "localhost" | "::1")
            || text.starts_with("127.")
            || text.starts_with("localhost:")
            || text.starts_with("[::1]")
            || text.ends_with(".sock")
    })
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask};

    use crate::testing::check;

    #[test]
    fn power_over_the_machine_is_not_opened_to_everybody() {
        check(
            Ask,
            &[
                "jupyter server --ip=0.0.0.0 --ServerApp.token=''",
                "jupyter lab --NotebookApp.token= --no-browser",
                "kubectl proxy --address=0.0.0.0 --accept-hosts '.*'",
                "code-server --auth none",
                "code-server --bind-addr 0.0.0.0:8080 --auth=none .",
                "ttyd bash",
                "ttyd -p 8080 -W zsh",
                "gotty -w bash",
                "x11vnc -display :0 -nopw -forever",
                "vncserver :1 -SecurityTypes None",
                "redis-server --protected-mode no",
                "redis-server --bind 0.0.0.0",
                "mongod --bind_ip_all --noauth",
                "node --inspect=0.0.0.0 server.js",
                "node --inspect=0.0.0.0:9229 server.js",
                "chromium --headless --remote-debugging-address=0.0.0.0 --remote-debugging-port=9222",
                "dlv debug --headless --listen=0.0.0.0:2345",
                "python -m debugpy --listen 0.0.0.0:5678 app.py",
                "etcd --listen-client-urls http://127.0.0.1:2379,http://0.0.0.0:2379",
                "etcd --listen-client-urls http://:2379",
                "redis-server --bind 127.0.0.1 0.0.0.0",
                "redis-server --bind '* -::*'",
                "redis-server --bind 127.0.0.1 -::* --port 1",
                "redis-server --bind 0.0.0.0 --requirepass ''",
                "dlv debug --headless --listen=:2345",
                "NODE_OPTIONS=--inspect=0.0.0.0 node server.js",
                "NODE_OPTIONS='--trace-warnings --inspect-brk=0.0.0.0:9229' npm start",
                "memcached -l 0.0.0.0",
                "memcached -d -U 11211",
            ],
        );
        check(
            Allow,
            &[
                "vite --host 0.0.0.0",
                "uvicorn app:app --host 0.0.0.0 --port 8000",
                "python manage.py runserver 0.0.0.0:8000",
                "jupyter lab --no-browser",
                "jupyter nbconvert --to html a.ipynb",
                "kubectl proxy --port=8001",
                "code-server --version",
                "ttyd -i lo bash",
                "redis-server --port 7777",
                "redis-server --bind 0.0.0.0 --requirepass x",
                "mongod --dbpath /tmp/db",
                "node --inspect server.js",
                "node --inspect=127.0.0.1:9229 server.js",
                "google-chrome --headless --remote-debugging-port=9222 --screenshot https://example.com",
                "dlv debug ./cmd/app",
                "dlv debug --headless --listen=127.0.0.1:2345",
                "etcd --listen-client-urls http://127.0.0.1:2379,http://localhost:2379",
                "redis-server --bind 127.0.0.1 -::1",
                "NODE_OPTIONS=--inspect=127.0.0.1:9229 node server.js",
                "memcached -l 127.0.0.1",
                "memcached -V",
                "memcached",
                "memcached -d -m 64",
                "memcached -p 11211 -U 0 &",
                "code-server --auth none --bind-addr 127.0.0.1:8080",
                "docker run --rm redis redis-server --protected-mode no",
            ],
        );
    }
}
