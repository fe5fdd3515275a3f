//! Programs that hand a text to a shell, or run one of several commands: `watch`, `script`, `flock`, `hyperfine`, …

use signoff_model::{Dialect, Unread};

use super::{
    joined, run_from, run_words,
    words::{substitute, unknown_item},
};
use crate::{
    path_effects::Write,
    shell::{
        Call, Language, Shell,
        families::tool::attached_or_next,
        options::{Options, Syntax, strip},
    },
    value::{Arg, Feed},
};

/// Runs words joined with spaces as a shell would.
fn run_joined(shell: &mut Shell<'_>, call: &Call, words: &[Arg]) -> Feed {
    let words = match words {
        [first, rest @ ..] if first.is("--") => rest,
        words => words,
    };
    match joined(words) {
        Some(code) => shell.run_code(Language::Shell(Dialect::Sh), &code, call.stdin.clone()),
        None => call.output(),
    }
}

pub(super) fn watch(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "nqs",
            long_values: &["interval", "equexit", "shotsdir"],
            stops_at_operand: true,
            ..Syntax::default()
        },
    );
    if options.has(&["help", "version", "h", "v"]) {
        return call.output();
    }
    if options.has(&["x", "exec"]) {
        return run_from(shell, call, options.first_operand);
    }
    run_joined(shell, call, call.args.get(options.first_operand..).unwrap_or_default())
}

/// `script -c text file`; on BSD and macOS `script file command…`.
pub(super) fn script(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "coTOBImEt",
            long_values: &[
                "command",
                "output-limit",
                "log-out",
                "log-in",
                "log-io",
                "log-timing",
                "logging-format",
                "echo",
            ],
            ..Syntax::default()
        },
    );
    if options.has(&["help", "version", "h", "V"]) {
        return call.output();
    }
    let how = if options.has(&["a", "append"]) { Write::Append } else { Write::Replace };
    for file in options.values(&["T", "O", "B", "I", "log-out", "log-in", "log-io", "log-timing"]) {
        shell.write(file, how);
    }
    if let Some(file) = options.operands.first() {
        shell.write(file, how);
    }
    match options.value(&["c", "command"]).cloned() {
        Some(code) => shell.run_code(Language::Shell(Dialect::Sh), &code, call.stdin.clone()),
        // Behind a file, everything is a command with its own options.
        None if options.operands.len() > 1 => run_from(shell, call, options.first_operand + 1),
        None if !call.stdin.is_none() => shell.run_feed(Language::Shell(Dialect::Bash), call.stdin.clone(), call.span),
        None => call.output(),
    }
}

pub(super) fn flock(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "wEc",
            long_values: &["timeout", "wait", "conflict-exit-code", "command"],
            stops_at_operand: true,
            ..Syntax::default()
        },
    );
    if let Some(code) = options.value(&["c", "command"]).cloned() {
        return shell.run_code(Language::Shell(Dialect::Sh), &code, call.stdin.clone());
    }
    let rest = call.args.get(options.first_operand + 1..).unwrap_or_default();
    match rest {
        [flag, code] if flag.is("-c") || flag.is("--command") => {
            shell.run_code(Language::Shell(Dialect::Sh), code, call.stdin.clone())
        }
        [rest @ .., flag, code] if flag.is("-c") && rest.iter().all(Arg::is_option) => {
            shell.run_code(Language::Shell(Dialect::Sh), code, call.stdin.clone())
        }
        rest => run_words(shell, call, rest, call.stdin.clone()),
    }
}

pub(super) fn hyperfine(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "wmMrspcPDLSnu",
            long_values: &[
                "warmup",
                "min-runs",
                "max-runs",
                "runs",
                "setup",
                "prepare",
                "conclude",
                "cleanup",
                "parameter-scan",
                "parameter-step-size",
                "parameter-list",
                "shell",
                "export-json",
                "export-csv",
                "export-markdown",
                "export-asciidoc",
                "export-orgmode",
                "output",
                "input",
                "command-name",
                "style",
                "sort",
                "time-unit",
                "reference",
                "ignore-failure",
            ],
            ..Syntax::default()
        },
    );
    for file in options.values(&["export-json", "export-csv", "export-markdown", "export-asciidoc", "export-orgmode"]) {
        shell.write(file, Write::Replace);
    }
    let texts = options
        .values(&["s", "setup", "p", "prepare", "c", "cleanup", "conclude", "reference"])
        .chain(options.operands.iter().copied());
    for code in texts.cloned().collect::<Vec<_>>() {
        shell.run_code(Language::Shell(Dialect::Sh), &code, Feed::none());
    }
    call.output()
}

/// `entr` runs a command when one of the files that it is given changes; `/_` stands for that file.
pub(super) fn entr(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &Syntax { stops_at_operand: true, ..Syntax::default() });
    let words = call.args.get(options.first_operand..).unwrap_or_default();
    if options.has(&["s"]) {
        return words
            .first()
            .map_or_else(|| call.output(), |code| shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none()));
    }
    let file = unknown_item(&call.stdin, "entr");
    let words: Vec<Arg> =
        words.iter().map(|word| Arg { value: substitute(&word.value, "/_", &file).0, span: word.span }).collect();
    run_words(shell, call, &words, Feed::none())
}

/// Watchers with `-x`, `--exec`, `-s` or a command behind `--`.
pub(super) fn on_change(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: match call.name.as_str() {
                "watchexec" => "wefidsIEo",
                "cargo-watch" => "wxsCdi",
                _ => "xweidgrRs",
            },
            long_values: &[
                "exec",
                "watch",
                "ext",
                "exts",
                "ignore",
                "delay",
                "filter",
                "shell",
                "signal",
                "debounce",
                "config",
                "inline-regex",
                "glob",
                "regex",
            ],
            stops_at_operand: true,
            ..Syntax::default()
        },
    );
    let text = options.values(&["x", "exec"]).chain(options.values(if call.name == "cargo-watch" {
        &["s", "shell"]
    } else {
        &[]
    }));
    let texts: Vec<Arg> = text.cloned().collect();
    for code in &texts {
        let code = match (call.name.as_str(), code.known()) {
            ("cargo-watch", Some(text)) if options.has(&["x", "exec"]) => Arg::text(format!("cargo {text}"), code.span),
            _ => code.clone(),
        };
        shell.run_code(Language::Shell(Dialect::Sh), &code, Feed::none());
    }
    if texts.is_empty() && call.name != "nodemon" {
        let words = call.args.get(options.first_operand..).unwrap_or_default();
        return run_joined(shell, call, words);
    }
    if texts.is_empty()
        && let Some(file) = options.operands.first()
    {
        return shell.run_script(Language::JavaScript, file, &[], Feed::none());
    }
    call.output()
}

/// Every operand is a text for a shell.
pub(super) fn all_texts(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "ncpstml",
            long_values: &[
                "names",
                "prefix-colors",
                "prefix",
                "success",
                "max-processes",
                "name-separator",
                "restart-tries",
                "restart-after",
                "prefix-length",
                "timestamp-format",
                "default-input-target",
            ],
            ..Syntax::default()
        },
    );
    for code in options.operands {
        shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none());
    }
    call.output()
}

/// One program with many names: the first argument says which.
pub(super) fn busybox(shell: &mut Shell<'_>, call: &Call) -> Feed {
    match call.args.split_first() {
        Some((applet, _)) if !applet.is_option() => run_words(shell, call, &call.args, call.stdin.clone()),
        Some((flag, rest)) if flag.is("--install") => {
            if let Some(directory) = rest.iter().find(|arg| !arg.is_option()) {
                shell.write(directory, Write::Replace);
            }
            call.output()
        }
        _ => call.output(),
    }
}

pub(super) fn run_parts(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax { short_values: "a", long_values: &["arg", "umask", "regex"], ..Syntax::default() },
    );
    if options.has(&["test", "list", "help", "V", "version"]) {
        return call.output();
    }
    for directory in options.operands {
        shell.opaque(Unread::Scripts(directory.shown().into_owned()), directory.span);
    }
    call.output()
}

/// `fzf --preview text --bind key:execute(text)`: what it runs for the line that is chosen.
pub(super) fn finder(shell: &mut Shell<'_>, call: &Call) -> Feed {
    for (at, arg) in call.args.iter().enumerate() {
        let name = arg.value.prefix().split('=').next().unwrap_or_default();
        if !matches!(name, "--preview" | "--bind" | "-b" | "-c" | "--cmd" | "--with-shell") {
            continue;
        }
        let Some(value) = attached_or_next(call, at) else { continue };
        if name != "--bind" && name != "-b" {
            shell.run_code(Language::Shell(Dialect::Sh), &value, Feed::none());
            continue;
        }
        for code in bound_commands(&value.shown()) {
            shell.run_code(Language::Shell(Dialect::Sh), &Arg::text(code, value.span), Feed::none());
        }
    }
    call.output()
}

/// The commands in `key:execute(text)+reload(text),key:become:text`.
fn bound_commands(bindings: &str) -> Vec<String> {
    const RUN: &[&str] = &[
        "execute-silent",
        "execute-multi",
        "execute",
        "become",
        "reload-sync",
        "reload",
        "transform",
        "preview",
        "change-preview",
        "bg-transform",
    ];
    let mut found = Vec::new();
    for name in RUN {
        for (at, _) in bindings.match_indices(name) {
            let rest = bindings.get(at + name.len()..).unwrap_or_default();
            let text = match rest.chars().next() {
                Some(open @ ('(' | '[' | '{' | '<')) => {
                    let close = match open {
                        '(' => ')',
                        '[' => ']',
                        '{' => '}',
                        _ => '>',
                    };
                    // A command may hold such brackets itself: the last one ends it.
                    rest.get(1..).and_then(|rest| rest.rsplit_once(close)).map(|(text, _)| text)
                }
                Some(':') => rest.get(1..),
                _ => None,
            };
            found.extend(text.map(str::to_owned));
        }
    }
    found
}

/// `rr replay` starts a debugger, and hands over what that shall obey.
fn replay(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut argv = vec![Arg::text("gdb", call.span)];
    let mut args = call.args.get(1..).unwrap_or_default().iter();
    while let Some(arg) = args.next() {
        let text = arg.value.prefix();
        let (name, attached) = match text.split_once('=').filter(|_| text.starts_with("--")) {
            Some((name, _)) => (name, Some(Arg { value: strip(&arg.value, name.len() + 1), span: arg.span })),
            // A letter may have its value attached: `-xfile`.
            None if text.len() > 2 && text.starts_with('-') && !text.starts_with("--") && text.is_char_boundary(2) => {
                (text.get(..2).unwrap_or(text), Some(Arg { value: strip(&arg.value, 2), span: arg.span }))
            }
            None => (text, None),
        };
        match name {
            "--" => argv.extend(args.by_ref().cloned()),
            "-x" | "--gdb-x" => {
                argv.push(Arg::text("-x", arg.span));
                argv.extend(attached.or_else(|| args.next().cloned()));
            }
            "-o" | "--debugger-option" => argv.extend(attached.or_else(|| args.next().cloned())),
            "-d" | "--debugger" => {
                if let Some(program) = attached.or_else(|| args.next().cloned())
                    && let Some(first) = argv.first_mut()
                {
                    *first = program;
                }
            }
            "-f" | "--onfork" | "-g" | "--goto" | "-p" | "--onprocess" | "-s" | "--dbgport" | "-h" | "--dbghost"
            | "-k" | "-t" | "--trace" | "-i"
                if attached.is_none() =>
            {
                args.next();
            }
            _ => {}
        }
    }
    shell.run(&argv, call.stdin.clone(), call.span)
}

/// `perf record`, `rr record`: they look on while a program runs.
pub(super) fn recorder(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let (start, short): (usize, &'static str) = match (call.name.as_str(), call.arg(0)) {
        ("perf", Some("stat" | "record" | "trace" | "mem" | "c2c" | "kvm" | "lock" | "sched" | "ftrace")) => {
            (1, "eoFpctCGjIxrDTM")
        }
        ("perf", _) | ("rr", Some("ps" | "ls" | "dump" | "pack" | "rerun") | None) => return call.output(),
        ("rr", Some("replay")) => return replay(shell, call),
        ("rr", Some("record")) => (1, "ocMpn"),
        _ => (0, "o"),
    };
    let rest = call.args.get(start..).unwrap_or_default();
    let options = Options::read(
        rest,
        &Syntax {
            short_values: short,
            long_values: &[
                "output",
                "event",
                "pid",
                "tid",
                "cpu",
                "count",
                "freq",
                "call-graph",
                "interval-print",
                "repeat",
                "delay",
            ],
            stops_at_operand: true,
            ..Syntax::default()
        },
    );
    for file in options.values(&["o", "output"]) {
        shell.write(file, Write::Replace);
    }
    run_from(shell, call, start + options.first_operand)
}
