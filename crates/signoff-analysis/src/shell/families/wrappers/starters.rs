//! Programs that start another one in a way of their own: the dynamic loader, daemon starters, other groups, macros.

use signoff_model::Dialect;

use super::{run_from, run_words};
use crate::{
    shell::{
        Call, Judge, Language, Shell, families,
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "capsh" => capsh,
        "sg" => other_group,
        "newgrp" => new_group,
        "daemonize" => daemonize,
        "start-stop-daemon" => start_stop,
        "pueue" | "tsp" | "nq" => queue,
        "m4" | "gm4" => m4,
        "flatpak-spawn" | "host-spawn" | "distrobox-host-exec" => host_spawn,
        "xcrun" => developer_tool,
        name if is_loader(name) => loader,
        _ => return None,
    })
}

/// `ld.so`, `ld-linux-x86-64.so.2`, `ld-musl-x86_64.so.1`: the dynamic loader runs the program that it is given.
fn is_loader(name: &str) -> bool {
    name == "ld.so"
        || name.starts_with("ld.so.")
        || (name.starts_with("ld-") || name.starts_with("ld64")) && name.contains(".so")
}

fn loader(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const LOADER: Syntax = Syntax {
        short_values: "",
        long_values: &["library-path", "inhibit-rpath", "audit", "preload", "argv0", "glibc-hwcaps-prepend"],
        long_flags: &[],
        stops_at_operand: true,
        single_dash_long: false,
    };
    let options = Options::read(&call.args, &LOADER);
    if options.has(&["list", "verify", "help", "version", "list-tunables", "list-diagnostics"]) {
        return call.output();
    }
    for library in options.values(&["audit", "preload"]) {
        shell.tell(&super::PRELOADED, library.shown().into_owned(), library.span);
    }
    run_from(shell, call, options.first_operand)
}

/// `xcrun --sdk iphoneos tool …` finds a tool of Xcode and runs it.
fn developer_tool(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const XCRUN: Syntax = Syntax {
        short_values: "",
        long_values: &["sdk", "toolchain"],
        long_flags: &[],
        stops_at_operand: true,
        single_dash_long: true,
    };
    let options = Options::read(&call.args, &XCRUN);
    if options.has(&["f", "find", "show-sdk-path", "show-sdk-version", "show-sdk-platform-path", "help", "version"]) {
        return call.output();
    }
    run_from(shell, call, options.first_operand)
}

/// `capsh … -- arguments of bash`.
fn capsh(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some(at) = call.args.iter().position(|arg| arg.is("--") || arg.is("==") || arg.is("-+")) else {
        return call.output();
    };
    let mut words = vec![Arg::text("bash", call.program.span)];
    words.extend(call.args.iter().skip(at + 1).cloned());
    run_words(shell, call, &words, call.stdin.clone())
}

/// `sg group [-c] text`; another program of this name searches in code.
fn other_group(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands: Vec<&Arg> = call.args.iter().filter(|arg| !arg.is("-") && !arg.is("-c")).collect();
    let searches = operands.first().is_none_or(|first| {
        first.is_option()
            || matches!(first.known(), Some("run" | "scan" | "test" | "new" | "lsp" | "completions" | "help"))
    });
    if searches {
        return match crate::shell::families::text::find("ast-grep") {
            Some(judge) => judge(shell, &Call { name: "ast-grep".into(), ..call.clone() }),
            None => call.output(),
        };
    }
    match operands.get(1) {
        Some(code) => shell.run_code(Language::Shell(Dialect::Sh), code, call.stdin.clone()),
        None => new_group(shell, call),
    }
}

/// A shell in another group: it reads what flows in.
fn new_group(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.stdin.is_none() {
        return call.output();
    }
    shell.run_feed(Language::Shell(Dialect::Bash), call.stdin.clone(), call.span)
}

fn daemonize(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options =
        Options::read(&call.args, &Syntax { short_values: "ceopluE", stops_at_operand: true, ..Syntax::default() });
    run_from(shell, call, options.first_operand)
}

/// `start-stop-daemon --start --exec program -- arguments`.
fn start_stop(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "xanpugcrdNPIkRsO",
        long_values: &[
            "exec",
            "startas",
            "name",
            "pidfile",
            "user",
            "group",
            "chuid",
            "chroot",
            "chdir",
            "nicelevel",
            "procsched",
            "iosched",
            "umask",
            "retry",
            "signal",
            "output",
            "pid",
            "ppid",
            "notify-timeout",
        ],
        long_flags: &["start", "stop", "status", "test", "background", "make-pidfile", "quiet", "oknodo"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let end = call.args.iter().position(|arg| arg.is("--")).unwrap_or(call.args.len());
    let options = Options::read(call.args.get(..end).unwrap_or_default(), &SYNTAX);
    if !options.has(&["S", "start"]) || options.has(&["t", "test"]) {
        return call.output();
    }
    let Some(program) = options.value(&["a", "startas", "x", "exec"]) else { return call.output() };
    let mut words = vec![program.clone()];
    words.extend(options.operands.iter().map(|arg| (*arg).clone()));
    words.extend(call.args.iter().skip(end + 1).cloned());
    run_words(shell, call, &words, Feed::none())
}

/// Queues of commands: `pueue add text`, `tsp program …`.
fn queue(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let skip = usize::from(call.name == "pueue");
    if skip == 1 && !call.args.first().is_some_and(|arg| arg.is("add")) {
        families::unknown::judge_words(shell, call);
        return call.output();
    }
    let rest = call.args.get(skip..).unwrap_or_default();
    let syntax = Syntax {
        short_values: "wgdaoplLDN",
        long_values: &["working-directory", "group", "delay", "after", "priority", "label"],
        stops_at_operand: true,
        ..Syntax::default()
    };
    let options = Options::read(rest, &syntax);
    match rest.get(options.first_operand..).unwrap_or_default() {
        [text] if skip == 1 => shell.run_code(Language::Shell(Dialect::Sh), text, Feed::none()),
        words => run_words(shell, call, words, Feed::none()),
    }
}

/// Runs a command on the machine outside a container.
fn host_spawn(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &Syntax { stops_at_operand: true, ..Syntax::default() });
    run_from(shell, call, options.first_operand)
}

/// `m4`: macros that run commands, in what flows in, in definitions, and in files that the text has written.
fn m4(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return call.output();
    }
    let mut texts: Vec<(String, Arg)> = Vec::new();
    let mut feed = Feed::none();
    let mut files = false;
    for arg in &call.args {
        let text = arg.value.prefix();
        if text.starts_with("-D") || text.starts_with("--define") {
            texts.push((text.to_owned(), arg.clone()));
        } else if !arg.is_option() && !arg.is("-") {
            files = true;
            feed = feed.then(shell.read(arg));
        }
    }
    if !files || call.has("-") {
        feed = feed.then(call.stdin.clone());
    }
    let fed = Arg { value: feed.text.clone().unwrap_or_default(), span: call.span };
    texts.extend(feed.known().map(|text| (text.to_owned(), fed)));
    for (text, arg) in texts {
        for part in text.split("syscmd(").skip(1) {
            let code = part.trim_start().trim_start_matches('`');
            let code = code.split(['\'', ')']).next().unwrap_or(code);
            shell.run_code(Language::Shell(Dialect::Sh), &Arg::text(code, arg.span), Feed::none());
        }
    }
    if feed.text.is_none() && feed.is_foreign() {
        // Its macros can run commands.
        shell.run_feed(Language::Other, feed.clone(), call.span);
    }
    feed.changed_by("m4")
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn starters_run_what_they_are_given() {
        check(
            Verdict::Block,
            &[
                "env --split='rm -rf /'",
                "env --split-s='rm -rf /'",
                "env -vS 'rm -rf /'",
                "ld.so /bin/rm -rf ~",
                "/lib64/ld-linux-x86-64.so.2 /bin/rm -rf ~",
                "/lib/ld-linux-aarch64.so.1 --library-path /x /bin/rm -rf ~",
                "/lib/ld-musl-x86_64.so.1 /bin/rm -rf ~",
                "capsh -- -c 'rm -rf ~'",
                "capsh --drop=cap_net_raw -- -c 'rm -rf ~'",
                "capsh --shell=/bin/sh -- -c 'rm -rf ~'",
                "sg x -c 'rm -rf ~'",
                "sg x 'rm -rf ~'",
                "newgrp <<< 'rm -rf ~'",
                "echo 'rm -rf ~' | newgrp docker",
                "chpst rm -rf ~",
                "chpst -u root rm -rf ~",
                "daemonize /bin/rm -rf ~",
                "daemonize -c / /bin/rm -rf ~",
                "start-stop-daemon -S -x /bin/rm -- -rf ~",
                "start-stop-daemon --start --exec /bin/rm -- -rf ~",
                "start-stop-daemon --start --startas /bin/rm -- -rf ~",
                "setuidgid root rm -rf ~",
                "softlimit -m 100 rm -rf ~",
                "envdir d rm -rf ~",
                "envuidgid u rm -rf ~",
                "setlock l rm -rf ~",
                "s6-setuidgid u rm -rf ~",
                "s6-envdir d rm -rf ~",
                "unshare -r rm -rf ~",
                "nsenter -t 1 -m rm -rf /",
                "fakeroot rm -rf ~",
                "proot -r / rm -rf /etc",
                "bwrap --bind / / rm -rf ~",
                "firejail --quiet rm -rf ~",
                "parallel --pipe sh <<< 'rm -rf ~'",
                "echo 'rm -rf ~' | parallel --pipe -j1 bash",
                r#"m4 <<< 'syscmd(`rm -rf /'"'"')'"#,
                r#"echo 'esyscmd(`rm -rf ~'"'"')' | m4"#,
                r#"m4 -D'x=syscmd(`rm -rf ~'"'"')' f.m4"#,
                "ftp <<< '!rm -rf /'",
                "echo 'shell rm -rf ~' | gdb",
                "echo '!rm -rf ~' | gdb -q",
                r#"printf '!rm -rf ~\nq\n' | ed"#,
                "ed <<< '!rm -rf ~'",
                "ex -s <<< '!rm -rf ~'",
                "vim -es <<< ':!rm -rf ~'",
                "scp -S 'rm -rf /' a b:c",
                r#"rsync -e 'sh -c "rm -rf ~"' a b:c"#,
                "ssh -o ProxyCommand='rm -rf ~' h",
                "scp -o ProxyCommand='rm -rf ~' a h:",
                r#"sed 's/x/rm -rf \//e' x"#,
                "sed '1e rm -rf ~' x",
                r#"nmap --script <(echo 'os.execute("rm -rf /")')"#,
                "doas -u x rm -rf ~",
                "systemd-run --user rm -rf ~",
                "runcon -t x rm -rf ~",
                "setarch x86_64 rm -rf ~",
                "dbus-run-session rm -rf ~",
                "cgexec -g cpu:x rm -rf ~",
                "catchsegv rm -rf ~",
                "tini -- rm -rf ~",
                "zsh -ic 'rm -rf ~'",
                "exec -a x rm -rf ~",
                "ssh-agent rm -rf ~",
                "script -qc 'rm -rf ~' /dev/null",
                "expect -c 'spawn rm -rf /'",
                "uv run -- rm -rf ~",
                "poetry run rm -rf ~",
                "chroot / rm -rf /etc",
                "pkexec rm -rf ~",
                "trickle -d 1 rm -rf ~",
                "aoss rm -rf ~",
                "distrobox enter x -- rm -rf ~",
                "toolbox run rm -rf ~",
                "toolbox run -c fedora rm -rf ~",
                "apptainer exec --bind /data image.sif rm -rf ~",
                "setarch -R rm -rf ~",
                "flatpak-spawn --host rm -rf ~",
                "pax11publish; pw-jack rm -rf ~",
            ],
        );
    }

    #[test]
    fn scripts_of_scanners_ask() {
        check(Verdict::Ask, &["nmap --script ./x.nse host"]);
    }

    #[test]
    fn their_harmless_uses_pass() {
        check(Verdict::Allow, &["m4 configure.ac"]);
    }
}
