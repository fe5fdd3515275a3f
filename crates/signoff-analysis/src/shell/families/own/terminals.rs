//! Other terminals and windows: starting programs in them, and typing into them.

use signoff_model::{Dialect, Span};

use super::{END_SESSION, OWN_PROCESS, OWN_STATE, PROXY_ANSWER, TYPE_ELSEWHERE, is_own_process, is_own_session};
use crate::{
    path_effects::Write,
    shell::{
        Call, Language, Shell,
        families::{network::OPEN_SERVICE, tool, wrappers::joined},
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Value},
    words::is_listed,
};

/// Something is typed into a session. In one that is named after Signoff it is the gate's own question that is answered.
fn typed_into(shell: &mut Shell<'_>, session: Option<&Arg>, keys: &Value, span: Span) {
    if let Some(session) = session.filter(|session| is_own_session(session)) {
        shell.tell(&OWN_STATE, session.shown().into_owned(), span);
    }
    typed(shell, keys, span);
}

/// A session ends, with what runs in it.
fn ended(shell: &mut Shell<'_>, session: Option<&Arg>, verb: &str, span: Span) {
    if let Some(session) = session.filter(|session| is_own_session(session)) {
        shell.tell(&OWN_PROCESS, session.shown().into_owned(), span);
    }
    shell.tell(&END_SESSION, verb.to_owned(), span);
}

/// Something is typed into a terminal that is not ours. What it would run there is judged as well.
fn typed(shell: &mut Shell<'_>, keys: &Value, span: Span) {
    let Some(text) = keys.known() else {
        shell.tell(&PROXY_ANSWER, keys.shown().into_owned(), span);
        return;
    };
    let bare = text.trim_matches(['\n', '\r', ' ']);
    let shown = if bare.is_empty() { "Enter".to_owned() } else { bare.to_owned() };
    if is_answer(bare) {
        shell.tell(&PROXY_ANSWER, shown, span);
        return;
    }
    shell.tell(&TYPE_ELSEWHERE, shown, span);
    let code = Arg::text(text.replace('\r', "\n"), span);
    shell.run_code(Language::Shell(Dialect::Bash), &code, Feed::none());
}

/// Whether a text answers a question rather than being a command.
pub(super) fn is_answer(text: &str) -> bool {
    const ANSWERS: &[&str] = &[
        "yes", "ok", "okay", "approve", "approved", "allow", "confirm", "always", "proceed", "continue", "accept",
        "确认", "同意", "允许", "是", "好",
    ];
    text.chars().count() <= 1
        || text.bytes().all(|byte| byte.is_ascii_digit())
        || ANSWERS.iter().any(|answer| text.eq_ignore_ascii_case(answer))
}

pub(super) fn tmux(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options =
        Options::read(&call.args, &Syntax { short_values: "cfLST", stops_at_operand: true, ..Syntax::default() });
    if let Some(code) = options.value(&["c"]).cloned() {
        shell.run_code(Language::Shell(Dialect::Sh), &code, Feed::none());
    }
    let rest = call.args.get(options.first_operand..).unwrap_or_default();
    // Its sessions are open to whoever has the address.
    let opens = rest.first().is_none_or(|verb| verb.known().is_none_or(|verb| is_listed("new new-session", verb)));
    if call.name == "tmate" && opens && !call.has_any(&["-V", "-h", "--help"]) {
        tool::speak(shell, call, &OPEN_SERVICE, 0);
    }
    let mut shown = call.output();
    // A word that is, or ends with, a semicolon ends a tmux command.
    let mut command: Vec<Arg> = Vec::new();
    for arg in rest {
        match arg.known() {
            Some(";") => tmux_command(shell, &std::mem::take(&mut command), call, &mut shown),
            Some(text) if text.ends_with(';') && !text.ends_with("\\;") => {
                command.push(Arg::text(text.trim_end_matches(';'), arg.span));
                tmux_command(shell, &std::mem::take(&mut command), call, &mut shown);
            }
            _ => command.push(arg.clone()),
        }
    }
    tmux_command(shell, &command, call, &mut shown);
    shown
}

fn tmux_command(shell: &mut Shell<'_>, words: &[Arg], call: &Call, shown: &mut Feed) {
    let Some((verb, args)) = words.split_first() else { return };
    let Some(name) = verb.known() else {
        shell.opaque(verb.shown(), verb.span);
        return;
    };
    let read = |short: &'static str| {
        Options::read(args, &Syntax { short_values: short, stops_at_operand: true, ..Syntax::default() })
    };
    match name {
        "new-session" | "new" => run_operands(shell, args, &read("ceFfnstxy")),
        "new-window" | "neww" | "split-window" | "splitw" => run_operands(shell, args, &read("ceFnlpt")),
        "respawn-pane" | "respawnp" | "respawn-window" | "respawnw" => {
            let options = read("cet");
            if options.has(&["k"]) {
                ended(shell, options.value(&["t"]), name, verb.span);
            }
            run_operands(shell, args, &options);
        }
        "display-popup" | "popup" => run_operands(shell, args, &read("bcdehsStTwxy")),
        "run-shell" | "run" => run_operands(shell, args, &read("cdt")),
        "pipe-pane" | "pipep" => run_operands(shell, args, &read("t")),
        "if-shell" | "if" => {
            let options = read("t");
            if let Some(code) = options.operands.first().filter(|_| !options.has(&["F"])) {
                shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none());
            }
            for branch in options.operands.iter().skip(1) {
                tmux_commands(shell, std::slice::from_ref(*branch), call, shown);
            }
        }
        "send-keys" | "send" => {
            let options = read("cNt");
            if options.has(&["X"]) {
                return;
            }
            let literal = options.has(&["l"]);
            let mut keys = Value::default();
            for arg in &options.operands {
                keys.extend(match arg.known() {
                    Some(key) if !literal => Value::text(key_text(key)),
                    _ => arg.value.clone(),
                });
            }
            let span = words.last().map_or(verb.span, |last| verb.span.to(last.span));
            typed_into(shell, options.value(&["t"]), &keys, span);
        }
        "paste-buffer" | "pasteb" => {
            let options = read("bst");
            if let Some(session) = options.value(&["t"]).filter(|session| is_own_session(session)) {
                shell.tell(&OWN_STATE, session.shown().into_owned(), verb.span);
            }
            shell.tell(&TYPE_ELSEWHERE, "paste-buffer", verb.span);
        }
        "kill-server" | "kill-session" | "kill-window" | "killw" | "kill-pane" | "killp" => {
            let span = words.last().map_or(verb.span, |last| verb.span.to(last.span));
            ended(shell, read("t").value(&["t"]), name, span);
        }
        "save-buffer" | "saveb" => {
            if let Some(file) = read("b").operands.first() {
                shell.write(file, Write::Replace);
            }
        }
        "source-file" | "source" => {
            for file in read("t").operands {
                shell.run_script(Language::Other, file, &[], Feed::none());
            }
        }
        "set-hook" | "bind-key" | "bind" | "confirm-before" | "confirm" => {
            let skip = usize::from(!name.starts_with("confirm"));
            let rest: Vec<Arg> = read("tnTNp").operands.iter().skip(skip).map(|arg| (*arg).clone()).collect();
            tmux_commands(shell, &rest, call, shown);
        }
        "command-prompt" | "display-menu" | "menu" => {
            for arg in read("1bFIkNpTtcCHsSxyOM").operands {
                tmux_commands(shell, std::slice::from_ref(arg), call, shown);
            }
        }
        // Under another name nobody would know it again.
        "rename-session" | "rename" | "rename-window" | "renamew" => {
            let options = read("t");
            if let Some(session) = options.value(&["t"]).filter(|session| is_own_session(session)) {
                shell.tell(&OWN_PROCESS, session.shown().into_owned(), verb.span);
            }
        }
        "capture-pane" | "capturep" | "show-buffer" | "showb" => *shown = call.output(),
        _ => {}
    }
}

/// Commands of tmux that are handed to another one: as words, or as one text with all of them.
fn tmux_commands(shell: &mut Shell<'_>, words: &[Arg], call: &Call, shown: &mut Feed) {
    const DEEPEST: usize = 20;
    if shell.depth >= DEEPEST {
        return;
    }
    shell.depth += 1;
    match words {
        [text] => match text.known() {
            Some(known) => {
                for command in tmux_words(known) {
                    let words: Vec<Arg> = command.into_iter().map(|word| Arg::text(word, text.span)).collect();
                    tmux_command(shell, &words, call, shown);
                }
            }
            None => shell.opaque(text.shown(), text.span),
        },
        words => tmux_command(shell, words, call, shown),
    }
    shell.depth -= 1;
}

/// The commands of a text of tmux, parted by `;` and line breaks, with their words.
fn tmux_words(text: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(letters.next()),
            (Some(_), letter) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ';' | '\n' | '{' | '}' | ' ' | '\t') => {
                if let (Some(word), Some(last)) = (word.take(), commands.last_mut()) {
                    last.push(word);
                }
                if !matches!(letter, ' ' | '\t') {
                    commands.push(Vec::new());
                }
            }
            (None, letter) => word.get_or_insert_default().push(letter),
        }
    }
    if let (Some(word), Some(last)) = (word, commands.last_mut()) {
        last.push(word);
    }
    commands
}

/// Runs what stands behind the options of a tmux command: one word is a text, several are words.
fn run_operands(shell: &mut Shell<'_>, args: &[Arg], options: &Options<'_>) {
    match args.get(options.first_operand..).unwrap_or_default() {
        [] => {}
        [code] => {
            shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none());
        }
        words => {
            let span =
                words.first().zip(words.last()).map_or_else(Span::default, |(first, last)| first.span.to(last.span));
            shell.run(words, Feed::none(), span);
        }
    }
}

/// The text that a key name of tmux or screen stands for.
fn key_text(key: &str) -> String {
    match key {
        "Enter" | "C-m" | "C-j" | "KPEnter" => "\n".to_owned(),
        "Space" => " ".to_owned(),
        "Tab" | "C-i" => "\t".to_owned(),
        "Escape" | "C-c" | "C-d" | "C-z" | "C-l" | "C-u" | "BSpace" | "Up" | "Down" | "Left" | "Right" | "C-a"
        | "C-b" => String::new(),
        key => key.to_owned(),
    }
}

pub(super) fn screen(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options =
        Options::read(&call.args, &Syntax { short_values: "cehpsStT", stops_at_operand: true, ..Syntax::default() });
    if options.has(&["l", "v", "w"]) {
        return call.output();
    }
    let rest = call.args.get(options.first_operand..).unwrap_or_default();
    if options.has(&["X", "Q"]) {
        let session = options.value(&["S"]).cloned();
        let span = rest.first().zip(rest.last()).map_or(call.span, |(first, last)| first.span.to(last.span));
        match rest {
            [verb, text, ..] if verb.is("stuff") || verb.is("paste") || verb.is("register") => {
                let value = match text.known() {
                    Some(text) => Value::text(text.replace("\\n", "\n").replace("^M", "\n").replace("\\015", "\n")),
                    None => text.value.clone(),
                };
                typed_into(shell, session.as_ref(), &value, span);
            }
            [verb, ..] if verb.is("stuff") || verb.is("paste") => {
                shell.tell(&PROXY_ANSWER, verb.shown().into_owned(), span)
            }
            [verb, ..] if verb.is("quit") || verb.is("kill") => {
                ended(shell, session.as_ref(), &verb.shown(), span);
            }
            [verb, words @ ..] if verb.is("screen") || verb.is("exec") => {
                shell.run(words, Feed::none(), span);
            }
            [verb, files @ ..]
                if verb.is("source") || verb.is("readbuf") || verb.is("hardcopy") || verb.is("logfile") =>
            {
                for file in files.iter().filter(|_| verb.is("hardcopy") || verb.is("logfile")) {
                    shell.write(file, Write::Replace);
                }
            }
            _ => {}
        }
        return call.output();
    }
    if options.has(&["r", "x", "R"]) || options.has(&["d", "D"]) && !options.has(&["m"]) {
        return call.output();
    }
    run_rest(shell, call, rest)
}

fn run_rest(shell: &mut Shell<'_>, call: &Call, words: &[Arg]) -> Feed {
    let words = match words {
        [first, rest @ ..] if first.is("--") => rest,
        words => words,
    };
    match words.first().zip(words.last()) {
        Some((first, last)) => shell.run_with(call.variables.clone(), words, Feed::none(), first.span.to(last.span)),
        None => call.output(),
    }
}

pub(super) fn zellij(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands: Vec<&Arg> = call.args.iter().filter(|arg| !arg.is_option()).collect();
    let named = call.args.iter().position(|arg| arg.is("-s") || arg.is("--session"));
    let session = named.and_then(|at| call.args.get(at + 1));
    let skip = usize::from(session.is_some() && named == Some(0));
    let text = |at: usize| operands.get(at + skip).and_then(|arg| arg.known()).unwrap_or_default();
    match (text(0), text(1)) {
        ("action" | "ac", "write-chars") => {
            let keys = operands.get(2 + skip).map(|arg| arg.value.clone()).unwrap_or_default();
            typed_into(shell, session, &keys, call.span);
        }
        ("action" | "ac", "write") => {
            let keys = Value::unknown("write", Vec::new());
            typed_into(shell, session, &keys, call.span);
        }
        ("action" | "ac", "new-pane" | "edit" | "new-tab") | ("run" | "r", _) => {
            if let Some(at) = call.args.iter().position(|arg| arg.is("--")) {
                return run_rest(shell, call, call.args.get(at + 1..).unwrap_or_default());
            }
        }
        (verb @ ("kill-session" | "k" | "kill-all-sessions" | "ka" | "delete-session" | "delete-all-sessions"), _) => {
            ended(shell, operands.get(1 + skip).copied(), verb, call.span);
        }
        _ => {}
    }
    call.output()
}

pub(super) fn kitty(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let at = call.args.iter().position(|arg| arg.is("@") || arg.is("+kitten") || arg.value.prefix().starts_with('@'));
    let Some(at) = at else {
        let options = Options::read(
            &call.args,
            &Syntax {
                short_values: "codT",
                long_values: &[
                    "config",
                    "override",
                    "directory",
                    "title",
                    "class",
                    "name",
                    "session",
                    "listen-on",
                    "instance-group",
                    "start-as",
                ],
                stops_at_operand: true,
                ..Syntax::default()
            },
        );
        return run_rest(shell, call, call.args.get(options.first_operand..).unwrap_or_default());
    };
    let rest = call.args.get(at..).unwrap_or_default();
    let verb = rest
        .iter()
        .map(|arg| arg.shown())
        .find(|text| text.contains("send-") || text.contains("launch") || text.contains("close-"));
    match verb.as_deref() {
        Some(verb) if verb.contains("send-text") || verb.contains("send-key") => {
            let keys = rest.iter().rev().find(|arg| !arg.is_option() && !arg.shown().contains("send-"));
            let text = keys.map(|arg| arg.value.clone()).unwrap_or_default();
            let text =
                text.known().map(|text| Value::text(text.replace("\\r", "\n").replace("\\n", "\n"))).unwrap_or(text);
            let chosen = rest.iter().position(|arg| arg.is("--match") || arg.is("-m")).and_then(|at| rest.get(at + 1));
            let window = chosen.and_then(Arg::known).map(|text| text.rsplit(':').next().unwrap_or(text));
            let window = window.map(|name| Arg::text(name, call.span));
            typed_into(shell, window.as_ref(), &text, call.span);
        }
        Some(verb) if verb.contains("close-") => shell.tell(&END_SESSION, verb.to_owned(), call.span),
        Some(_) => {
            let start = rest.iter().position(|arg| arg.is("launch")).map_or(rest.len(), |at| at + 1);
            let words: Vec<Arg> =
                rest.get(start..).unwrap_or_default().iter().skip_while(|arg| arg.is_option()).cloned().collect();
            return run_rest(shell, call, &words);
        }
        None => {}
    }
    call.output()
}

pub(super) fn wezterm(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands: Vec<&Arg> = call.args.iter().filter(|arg| !arg.is_option()).collect();
    let text = |at: usize| operands.get(at).and_then(|arg| arg.known()).unwrap_or_default();
    match (text(0), text(1)) {
        ("cli", "send-text") => {
            let keys = operands.last().filter(|arg| !arg.is("send-text")).map(|arg| arg.value.clone());
            let keys = keys.or_else(|| call.stdin.text.clone()).unwrap_or_default();
            typed(shell, &keys, call.span);
        }
        ("cli", "kill-pane") => shell.tell(&END_SESSION, "kill-pane", call.span),
        ("cli", "spawn" | "split-pane") | ("start", _) => {
            if let Some(at) = call.args.iter().position(|arg| arg.is("--")) {
                return run_rest(shell, call, call.args.get(at + 1..).unwrap_or_default());
            }
        }
        _ => {}
    }
    call.output()
}

/// Programs that press keys in whatever window has the focus.
pub(super) fn typist(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help_first() {
        return call.output();
    }
    let verb = call
        .args
        .iter()
        .position(|arg| matches!(arg.known(), Some("type" | "key" | "keydown" | "keyup" | "str" | "exec")));
    match (verb.and_then(|at| call.arg(at)), verb) {
        (Some("exec"), Some(at)) => return run_rest(shell, call, call.args.get(at + 1..).unwrap_or_default()),
        (Some("type" | "str"), Some(at)) => {
            let operands = Options::read(
                call.args.get(at + 1..).unwrap_or_default(),
                &Syntax { long_values: &["delay", "window", "file", "args", "key-delay"], ..Syntax::default() },
            );
            let keys = operands.operands.last().map(|arg| arg.value.clone()).unwrap_or_default();
            let bare = keys.known().map(str::trim);
            if bare.is_none_or(is_answer) {
                shell.tell(&PROXY_ANSWER, keys.shown().into_owned(), call.span);
            } else {
                shell.tell(&TYPE_ELSEWHERE, keys.shown().into_owned(), call.span);
            }
        }
        (Some(_), Some(at)) => {
            let keys = joined(call.args.get(at + 1..).unwrap_or_default());
            let shown = keys.map_or_else(String::new, |keys| keys.shown().into_owned());
            shell.tell(&PROXY_ANSWER, shown, call.span);
        }
        _ if matches!(call.name.as_str(), "wtype" | "dotool" | "xte" | "ttyecho" | "cliclick") => {
            shell.tell(&PROXY_ANSWER, call.name.clone(), call.span);
        }
        _ => {}
    }
    call.output()
}

/// `abduco` and `dtach`: sessions in the background; `dtach -p` copies its input into one.
pub(super) fn detached(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: if call.name == "dtach" { "eErcnAaN" } else { "e" },
            stops_at_operand: true,
            ..Syntax::default()
        },
    );
    if call.name == "dtach" && call.has("-p") {
        if call.args.iter().any(is_own_process) {
            shell.tell(&OWN_STATE, "dtach -p", call.span);
        }
        match &call.stdin.text {
            Some(keys) => typed(shell, &keys.clone(), call.span),
            None => shell.tell(&PROXY_ANSWER, "dtach -p", call.span),
        }
        return call.output();
    }
    let skip = usize::from(call.name == "abduco");
    run_rest(shell, call, call.args.get(options.first_operand + skip..).unwrap_or_default())
}

/// Terminal windows: `-e command…`, `-x command…`, `-- command…`.
pub(super) fn window(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // A window on the screen of another machine is a shell in the hands of whoever sits there.
    let display = call.args.iter().position(|arg| matches!(arg.known(), Some("-display" | "--display")));
    let host = display
        .and_then(|at| call.arg(at + 1))
        .and_then(|display| display.split_once(':'))
        .map_or("", |(host, _)| host);
    if !matches!(host, "" | "localhost" | "127.0.0.1" | "unix") {
        shell.tell(&crate::shell::rules::REVERSE_SHELL, host, call.span);
    }
    let flag =
        call.args.iter().position(|arg| matches!(arg.known(), Some("-e" | "-x" | "--" | "--command" | "--execute")));
    match flag.map(|at| call.args.get(at + 1..).unwrap_or_default()) {
        Some([code]) => shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none()),
        Some(words) => run_rest(shell, call, words),
        None => call.output(),
    }
}
