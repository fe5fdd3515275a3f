//! `emacs`: files, and expressions by `--eval`, `-l` and `-f`.

use signoff_model::{Dialect, Unread};

use super::{PLAIN, open};
use crate::{
    path_effects::{Depth, Write},
    shell::{
        Call, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

const EMACS: Syntax = Syntax {
    short_values: "flLuTdase",
    long_values: &[
        "eval",
        "execute",
        "load",
        "script",
        "funcall",
        "visit",
        "file",
        "find-file",
        "insert",
        "directory",
        "user",
        "chdir",
        "init-directory",
        "socket-name",
        "alternate-editor",
    ],
    long_flags: &["batch", "quick", "no-init-file", "daemon", "help", "version"],
    single_dash_long: true,
    ..PLAIN
};

/// Functions that run a shell command given as a text.
const RUNNERS: &[&str] = &[
    "shell-command-to-string",
    "async-shell-command",
    "shell-command",
    "compile",
    "start-process-shell-command",
    "call-process-shell-command",
];
/// Functions that delete what their argument names.
const DELETERS: &[(&str, Depth)] =
    &[("delete-directory", Depth::Recursive), ("delete-file", Depth::Single), ("move-file-to-trash", Depth::Single)];
/// Functions that write to what their argument names.
const WRITERS: &[&str] = &["write-file", "with-temp-file", "append-to-file"];
/// Functions that run a program in a way that is not followed.
const OPAQUE: &[&str] = &[
    "call-process",
    "start-process",
    "make-process",
    "(eval ",
    "(load ",
    "url-copy-file",
    "rename-file",
    "write-region",
];

pub(super) fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let syntax = if call.name == "emacsclient" {
        Syntax { short_values: "sfad", single_dash_long: false, ..EMACS }
    } else {
        EMACS
    };
    let options = Options::read(&call.args, &syntax);
    let client_eval = call.name == "emacsclient" && options.has(&["e", "eval"]);
    let mut codes: Vec<Arg> = options.values(&["eval", "execute"]).cloned().collect();
    if client_eval {
        codes.extend(options.operands.iter().map(|operand| (*operand).clone()));
    }
    for code in &codes {
        expression(shell, code);
    }
    for script in options.values(&["l", "load", "script"]) {
        shell.run_script(crate::shell::Language::Other, script, &[], Feed::none());
    }
    let batch = options.has(&["batch", "script"]);
    for file in options.operands.iter().filter(|file| !client_eval && !file.value.prefix().starts_with('+')) {
        if !batch {
            open(shell, file);
        }
    }
    call.output()
}

fn expression(shell: &mut Shell<'_>, code: &Arg) {
    let text = code.shown().into_owned();
    let mut read = false;
    for name in RUNNERS {
        if let Some(command) = argument_of(&text, name) {
            shell.run_text(&Arg::text(command, code.span), Dialect::Sh, Feed::none());
            read = true;
            break;
        }
    }
    for (name, depth) in DELETERS {
        if let Some(file) = argument_of(&text, name) {
            shell.delete(&Arg::text(expand_home(shell, &file), code.span), *depth);
            read = true;
        }
    }
    for name in WRITERS {
        if let Some(file) = argument_of(&text, name) {
            shell.write(&Arg::text(expand_home(shell, &file), code.span), Write::Replace);
            read = true;
        }
    }
    for (name, skipped) in [("call-process", 0), ("process-file", 0), ("start-process", 1)] {
        if let Some((_, behind)) = text.split_once(&format!("({name} ")) {
            // The texts of the call in their order: the program and its arguments.
            let words: Vec<Arg> = behind
                .split('"')
                .skip(1)
                .step_by(2)
                .skip(skipped)
                .map(|word| Arg::text(expand_home(shell, word), code.span))
                .collect();
            if !words.is_empty() && !behind.contains('\\') {
                shell.run(&words, Feed::none(), code.span);
                read = true;
            }
        }
    }
    let hidden = RUNNERS.iter().chain(WRITERS).chain(OPAQUE).any(|name| text.contains(name))
        || DELETERS.iter().any(|(name, _)| text.contains(name));
    if hidden && !read {
        shell.opaque(Unread::EmacsExpression, code.span);
    }
}

fn expand_home(shell: &Shell<'_>, file: &str) -> String {
    match file.strip_prefix("~/") {
        Some(rest) => format!("{}/{rest}", shell.whereabouts().home),
        None if file == "~" => shell.whereabouts().home.clone(),
        None => file.to_owned(),
    }
}

/// The text that is the first argument of a call, if it is written out.
fn argument_of(text: &str, name: &str) -> Option<String> {
    let (_, behind) = text.split_once(&format!("({name} "))?;
    let behind = behind.trim_start();
    let behind = behind.strip_prefix("(expand-file-name ").map_or(behind, str::trim_start);
    if behind.starts_with("(getenv \"HOME\")") {
        return Some("~".to_owned());
    }
    let inner = behind.strip_prefix('"')?;
    let mut argument = String::new();
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Some(argument),
            '\\' => argument.extend(letters.next()),
            letter => argument.push(letter),
        }
    }
    None
}
