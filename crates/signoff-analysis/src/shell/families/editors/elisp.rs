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
    words::is_listed,
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
/// Functions that compute, say something or change the text that is open. Any other may do anything.
const HARMLESS: &str = "message princ print prin1 terpri progn prog1 prog2 let let* setq setq-default setq-local defvar if when \
    unless cond and or not while dolist dotimes concat format list car cdr cadr cons nth nthcdr length append reverse member memq \
    assoc assq push pop nreverse eq eql equal = /= < > <= >= + - * / 1+ 1- % mod max min null stringp numberp listp symbolp \
    string= string-equal string-match string-match-p match-string substring upcase downcase capitalize split-string string-trim \
    mapconcat number-to-string string-to-number replace-regexp-in-string regexp-quote identity ignore emacs-version \
    emacs-uptime version system-name system-type expand-file-name file-name-directory file-name-nondirectory \
    file-name-extension file-name-as-directory file-exists-p file-readable-p file-directory-p directory-files locate-library \
    featurep boundp fboundp require provide add-to-list add-hook package-initialize package-refresh-contents \
    package-installed-p with-temp-buffer with-current-buffer current-buffer buffer-string buffer-substring buffer-name \
    buffer-file-name insert goto-char goto-line forward-line beginning-of-line end-of-line point point-min point-max \
    beginning-of-buffer end-of-buffer search-forward re-search-forward replace-match replace-string replace-regexp \
    flush-lines keep-lines delete-matching-lines delete-non-matching-lines sort-lines indent-region untabify tabify \
    delete-trailing-whitespace whitespace-cleanup fill-region erase-buffer delete-region kill-line mark-whole-buffer save-excursion \
    save-restriction widen narrow-to-region find-file find-file-noselect save-buffer save-some-buffers basic-save-buffer \
    save-buffers-kill-emacs save-buffers-kill-terminal kill-emacs kill-buffer current-time-string format-time-string current-time json-read json-read-from-string json-encode \
    lambda quote function condition-case ignore-errors error user-error byte-compile-file check-parens emacs-lisp-mode \
    python-mode c-mode org-mode text-mode fundamental-mode load-theme menu-bar-mode tool-bar-mode ert-run-tests-batch-and-exit";
/// Functions by which what is open is written.
const SAVERS: &[&str] = &["save-buffer", "save-some-buffers", "save-buffers"];

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
    let functions: Vec<&Arg> = options.values(&["f", "funcall"]).collect();
    let saves = |text: &str| SAVERS.iter().any(|saver| text.contains(saver));
    let saved = codes.iter().chain(functions.iter().copied()).any(|code| saves(&code.shown()));
    let runs = functions.iter().any(|name| name.is("eval-buffer") || name.is("eval-current-buffer"));
    let batch = options.has(&["batch", "script"]);
    let visited = options.values(&["visit", "file", "find-file", "insert"]);
    let named = options.operands.iter().copied().filter(|file| !client_eval && !file.value.prefix().starts_with('+'));
    for file in named.chain(visited) {
        match batch {
            _ if runs => drop(shell.run_script(crate::shell::Language::Other, file, &[], Feed::none())),
            _ if saved => super::super::text::edit_in_place(shell, file, Write::Edit),
            false => open(shell, file),
            true => {}
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
    if SAVERS.iter().any(|saver| text.contains(saver)) {
        for name in ["find-file", "find-file-noselect"] {
            if let Some(file) = argument_of(&text, name) {
                shell.write(&Arg::text(expand_home(shell, &file), code.span), Write::Edit);
            }
        }
    }
    let known = |name: &str| {
        is_listed(HARMLESS, name)
            || read
                && (RUNNERS.contains(&name)
                    || WRITERS.contains(&name)
                    || DELETERS.iter().any(|(deleter, _)| *deleter == name)
                    || matches!(name, "call-process" | "process-file" | "start-process" | "getenv" | "concat"))
    };
    if !called(&text).all(known) {
        shell.opaque(Unread::EmacsExpression, code.span);
    }
}

/// The functions that an expression calls: what stands behind a bracket, outside of texts.
fn called(text: &str) -> impl Iterator<Item = &str> {
    let mut outside = text.split('"').step_by(2).flat_map(|part| part.split('(').skip(1));
    std::iter::from_fn(move || {
        let part = outside.next()?;
        let end = part.find(|letter: char| letter.is_whitespace() || "()'\"`".contains(letter)).unwrap_or(part.len());
        Some(part.get(..end).unwrap_or_default())
    })
    .filter(|name| !name.is_empty())
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
