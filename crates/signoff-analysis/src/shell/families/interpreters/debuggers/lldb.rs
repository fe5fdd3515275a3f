//! The orders of lldb: nouns and verbs, each of which may be cut short.

use super::{Brings, Debugger, Session, evaluate, obey_script, run_shell, split_word, start, unread, write_word};
use crate::{
    shell::{Language, Shell, families::processes},
    value::{Arg, Feed},
    words::is_short_for,
};

pub(super) static DEBUGGER: Debugger = Debugger { options: OPTIONS, obey: order };

const OPTIONS: &[(&str, Brings)] = &[
    ("o", Brings::Order),
    ("O", Brings::Order),
    ("k", Brings::Order),
    ("one-line", Brings::Order),
    ("one-line-before-file", Brings::Order),
    ("one-line-on-crash", Brings::Order),
    ("s", Brings::Script),
    ("S", Brings::Script),
    ("K", Brings::Script),
    ("source", Brings::Script),
    ("source-before-file", Brings::Script),
    ("source-on-crash", Brings::Script),
    ("p", Brings::Process),
    ("n", Brings::Process),
    ("attach-pid", Brings::Process),
    ("attach-name", Brings::Process),
    ("f", Brings::Program),
    ("file", Brings::Program),
    ("c", Brings::Value),
    ("core", Brings::Value),
    ("a", Brings::Value),
    ("arch", Brings::Value),
    ("l", Brings::Value),
    ("script-language", Brings::Value),
    ("repl-language", Brings::Value),
    ("b", Brings::Nothing),
    ("batch", Brings::Nothing),
    ("Q", Brings::Nothing),
    ("source-quietly", Brings::Nothing),
    ("w", Brings::Nothing),
    ("wait-for", Brings::Nothing),
    ("x", Brings::Nothing),
    ("no-lldbinit", Brings::Nothing),
    ("X", Brings::Nothing),
    ("no-use-colors", Brings::Nothing),
    ("P", Brings::Nothing),
    ("python-path", Brings::Nothing),
    ("print-script-interpreter-info", Brings::Nothing),
    ("d", Brings::Nothing),
    ("debug", Brings::Nothing),
    ("e", Brings::Nothing),
    ("editor", Brings::Nothing),
    ("h", Brings::Nothing),
    ("help", Brings::Nothing),
    ("v", Brings::Nothing),
    ("version", Brings::Nothing),
];

/// Orders that look, stop, go on or say how things are shown. A bar stands behind the shortest form.
const HARMLESS: &str = "bt th|read fr|ame f up down di|sassemble dis image reg|ister so|urce l lis|t wa|tchpoint q qu|it exit \
    c cont|inue n ne|xt ni s st|ep si nexti stepi fin|ish k kil|l det|ach h hel|p ap|ropos ve|rsion v var vo b tb|reak \
    tbreak hist|ory gui statistics lang|uage undisplay t";

/// Orders with an expression.
const EXPRESSIONS: &str = "p pri|nt call e ex expr|ession po dwim-p|rint x parr|ay poa|rray disp|lay ret|urn j jum|p";

fn order(shell: &mut Shell<'_>, session: &mut Session, order: &Arg) {
    let (word, rest) = split_word(order);
    let (verb, behind) = split_word(&rest);
    match word {
        "" if order.value.prefix().trim_start().starts_with('#') => {}
        "" if order.known().is_some_and(|text| text.trim().is_empty()) => {}
        "r" | "run" | "ru" => start(shell, session, &rest),
        "shell" | "sh" => run_shell(shell, &rest, Feed::none()),
        _ if is_short_for("pla|tform", word) => match verb {
            _ if is_short_for("sh|ell", verb) => run_shell(shell, &shell_text(&behind), Feed::none()),
            _ if is_short_for("li|st st|atus se|lect connect", verb) => {}
            _ => unread(shell, order),
        },
        _ if is_short_for("sc|ript", word) => {
            if rest.value.is_empty() {
                session.code = Some((Language::Python, String::new()));
            } else {
                super::run_code(shell, Language::Python, &rest, &[], Feed::none());
            }
        }
        _ if is_short_for("at|tach", word) => processes::attach_by(shell, order),
        _ if is_short_for("pro|cess", word) => match verb {
            _ if is_short_for("la|unch", verb) => launch(shell, session, &behind),
            _ if is_short_for("at|tach", verb) => processes::attach_by(shell, order),
            _ if is_short_for("sa|ve-core", verb) => write_word(shell, &behind, 0),
            _ if is_short_for(
                "c cont|inue det|ach ha|ndle inter|rupt k kil|l st|atus si|gnal u un|load t tr|ace",
                verb,
            ) => {}
            _ if is_short_for("con|nect", verb) => {}
            _ => unread(shell, order),
        },
        _ if is_short_for("fi|le", word) => session.program = last_word(&rest),
        _ if is_short_for("ta|rget", word) => match verb {
            _ if is_short_for("cr|eate", verb) => session.program = last_word(&behind),
            _ if is_short_for("li|st se|lect de|lete mo|dules va|riable sy|mbols", verb) => {}
            _ => unread(shell, order),
        },
        _ if is_short_for("com|mand", word) => match verb {
            _ if is_short_for("so|urce", verb) => match behind.known() {
                Some(_) => {
                    let file = Arg::text(last_word(&behind).unwrap_or_default(), behind.span);
                    obey_script(shell, &DEBUGGER, session, &file);
                }
                None => unread(shell, order),
            },
            _ if is_short_for("sc|ript", verb) && is_short_for("im|port", split_word(&behind).0) => {
                let file = Arg::text(last_word(&behind).unwrap_or_default(), behind.span);
                shell.run_script(Language::Python, &file, &[], Feed::none());
            }
            _ => unread(shell, order),
        },
        _ if is_short_for("br|eakpoint", word) => match verb {
            // What is done when it is reached.
            _ if is_short_for("com|mand", verb) => unread(shell, order),
            _ if given_order(&behind) => unread(shell, order),
            _ => {}
        },
        _ if is_short_for("se|ttings set", word) => match verb {
            _ if is_short_for("sh|ow li|st", verb) => {}
            _ if is_short_for("s|et", verb) => setting(shell, session, order, &behind),
            _ => unread(shell, order),
        },
        _ if is_short_for("me|mory", word) => match verb {
            _ if is_short_for("re|ad", verb)
                && !behind.value.prefix().contains("--out")
                && !behind.value.prefix().contains("-o") =>
            {
                evaluate(shell, &behind);
            }
            _ if is_short_for("fi|nd reg|ion hi|story", verb) => {}
            _ => unread(shell, order),
        },
        _ if is_short_for("th|read", word) && given_order(&rest) => unread(shell, order),
        _ if is_short_for(EXPRESSIONS, word) => evaluate(shell, &behind_options(&rest)),
        _ if is_short_for(HARMLESS, word) => {
            if given_order(&rest) {
                unread(shell, order);
            } else if rest.value.prefix().contains('(') {
                evaluate(shell, &rest);
            }
        }
        _ => unread(shell, order),
    }
}

/// `breakpoint set -C 'platform shell …'`: whether an option brings another order or code.
fn given_order(words: &Arg) -> bool {
    let brings = |word: &str| {
        ["--command", "--com", "--one-liner", "--script", "--python", "--cond"]
            .iter()
            .any(|option| word.starts_with(option))
            || word.starts_with("-C")
            || word.starts_with("-P")
            || word.starts_with("-o")
            || word.starts_with("-c")
    };
    words.value.prefix().split_whitespace().any(brings)
}

/// `process launch -s -- -rf x`: the words of the program stand behind its options.
fn launch(shell: &mut Shell<'_>, session: &mut Session, behind: &Arg) {
    let text = behind.value.prefix();
    match text.split_once("--").filter(|(_, rest)| rest.is_empty() || rest.starts_with(' ')) {
        Some((options, _)) => {
            let at = options.len() + 2;
            start(shell, session, &Arg { value: crate::shell::options::strip(&behind.value, at), span: behind.span });
        }
        None if text.starts_with('-') => {
            let plain =
                |word: &str| matches!(word, "-s" | "--stop-at-entry" | "-n" | "--no-stdio" | "-X" | "true" | "false");
            if !behind.known().is_some_and(|text| text.split_whitespace().all(plain)) {
                unread(shell, behind);
            }
            start(shell, session, &Arg::text("", behind.span));
        }
        None => start(shell, session, behind),
    }
}

fn setting(shell: &mut Shell<'_>, session: &mut Session, order: &Arg, behind: &Arg) {
    const HARMLESS: &str = "auto-confirm stop-line-count-before stop-line-count-after use-color use-source-cache term-width \
        thread-format frame-format stop-disassembly-count target.x86-disassembly-flavor target.max-children-count \
        target.max-string-summary-length target.process.thread.step-avoid-regexp target.source-map target.language \
        target.skip-prologue target.disable-aslr show-statusline show-progress target.max-memory-read-size interpreter.prompt-on-quit \
        symbols.enable-external-lookup target.inline-breakpoint-strategy target.move-to-nearest-code";
    let text = behind.value.prefix();
    let name = text.split_whitespace().find(|word| !word.starts_with('-')).unwrap_or_default();
    if name == "target.run-args" {
        let at = text.find(name).unwrap_or_default() + name.len();
        session.arguments = text.get(at..).unwrap_or_default().to_owned();
        if behind.known().is_none() {
            unread(shell, order);
        }
    } else if !crate::words::is_listed(HARMLESS, name) {
        unread(shell, order);
    }
}

/// `platform shell -h -t 5 -- text`.
fn shell_text(behind: &Arg) -> Arg {
    let mut text = behind.clone();
    while text.value.prefix().starts_with('-') {
        let (option, rest) = split_word(&text);
        let ends = option == "--";
        let takes = ["-t", "--t", "-s", "--s"].iter().any(|start| option.starts_with(start));
        text = if takes && !ends { split_word(&rest).1 } else { rest };
        if ends {
            break;
        }
    }
    text
}

/// `expr -l c++ -- call()`.
fn behind_options(rest: &Arg) -> Arg {
    let text = rest.value.prefix();
    match text.find("-- ").filter(|_| text.starts_with('-')) {
        Some(at) => Arg { value: crate::shell::options::strip(&rest.value, at + 3), span: rest.span },
        None => rest.clone(),
    }
}

fn last_word(words: &Arg) -> Option<String> {
    words.value.prefix().split_whitespace().last().map(str::to_owned)
}
