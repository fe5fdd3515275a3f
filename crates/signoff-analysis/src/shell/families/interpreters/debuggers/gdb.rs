//! The orders of gdb.

use signoff_model::Dialect;

use super::{
    Brings, Debugger, Session, evaluate, obey, obey_script, printed, run_shell, split_word, start, unread, write_word,
};
use crate::{
    shell::{Language, Shell, families::processes, options::strip},
    value::{Arg, Feed},
    words::is_short_for,
};

pub(super) static DEBUGGER: Debugger = Debugger { options: OPTIONS, obey: order };

const OPTIONS: &[(&str, Brings)] = &[
    ("ex", Brings::Order),
    ("iex", Brings::Order),
    ("eiex", Brings::Order),
    ("eval-command", Brings::Order),
    ("init-eval-command", Brings::Order),
    ("early-init-eval-command", Brings::Order),
    ("x", Brings::Script),
    ("ix", Brings::Script),
    ("eix", Brings::Script),
    ("command", Brings::Script),
    ("init-command", Brings::Script),
    ("early-init-command", Brings::Script),
    ("p", Brings::Process),
    ("pid", Brings::Process),
    ("e", Brings::Program),
    ("se", Brings::Program),
    ("exec", Brings::Program),
    ("s", Brings::Value),
    ("symbols", Brings::Value),
    ("c", Brings::Value),
    ("core", Brings::Value),
    ("d", Brings::Value),
    ("directory", Brings::Value),
    ("cd", Brings::Value),
    ("i", Brings::Value),
    ("ui", Brings::Value),
    ("interpreter", Brings::Value),
    ("t", Brings::Value),
    ("tty", Brings::Value),
    ("b", Brings::Value),
    ("l", Brings::Value),
    ("annotate", Brings::Value),
    ("args", Brings::Rest),
    ("no-escape-args", Brings::Rest),
    ("batch", Brings::Nothing),
    ("batch-silent", Brings::Nothing),
    ("configuration", Brings::Nothing),
    ("fullname", Brings::Nothing),
    ("f", Brings::Nothing),
    ("gdb", Brings::Nothing),
    ("h", Brings::Nothing),
    ("help", Brings::Nothing),
    ("n", Brings::Nothing),
    ("nh", Brings::Nothing),
    ("nw", Brings::Nothing),
    ("nowindows", Brings::Nothing),
    ("nx", Brings::Nothing),
    ("q", Brings::Nothing),
    ("quiet", Brings::Nothing),
    ("silent", Brings::Nothing),
    ("r", Brings::Nothing),
    ("readnow", Brings::Nothing),
    ("readnever", Brings::Nothing),
    ("return-child-result", Brings::Nothing),
    ("statistics", Brings::Nothing),
    ("tui", Brings::Nothing),
    ("v", Brings::Nothing),
    ("version", Brings::Nothing),
    ("w", Brings::Nothing),
    ("windows", Brings::Nothing),
];

/// Orders that look, stop, go on or say how things are shown. A bar stands behind the shortest form.
const HARMLESS: &str = "bt ba|cktrace whe|re i inf|o sho|w l lis|t f u up do|wn down-silently up-silently h he|lp q \
    qui|t exi|t apro|pos disas|semble c cont|inue fg n ne|xt nexti ni s st|ep stepi si fin|ish unt|il adva|nce k kil|l \
    det|ach disc|onnect b br|eak brea|k tb|reak rb|reak hb|reak thb|reak d del|ete dis|able en|able cl|ear ign|ore cat|ch tca|tch \
    han|dle undisp|lay tui lay|out foc|us ref|resh winh|eight sym|bol-file add-sym|bol-file remove-sym|bol-file cor|e-file \
    dir|ectory sha|redlibrary nosh|aredlibrary echo wha|tis pty|pe infe|rior skip pwd sea|rch forw|ard-search rev|erse-search \
    reverse-c|ontinue reverse-s|tep reverse-stepi reverse-n|ext reverse-nexti reverse-f|inish rec|ord checkp|oint commands end \
    rest|art tty macro demangle tstatus unset interrupt";

/// Orders with an expression.
const EXPRESSIONS: &str = "p pri|nt inspe|ct call out|put x printf disp|lay dprintf cond|ition wat|ch rw|atch aw|atch ret|urn \
    j jum|p if while explore";

/// Settings that say how things are shown, found and stopped at.
const SETTINGS: &str = "pag|ination conf|irm wid|th hei|ght p pr|int disassembly-|flavor disassemble-|next-line debuginf|od \
    verb|ose breakp|oint follow-fork|-mode follow-exec|-mode detach-on-fork schedul|er-locking non-stop sty|le lists|ize \
    lang|uage arch|itecture sysr|oot solib-|search-path substitute-path max-value-size backt|race disable-rand|omization \
    step-|mode unwindonsignal max-completions cplus-|overload-resolution opaque-type-resolution stop-on-solib-events \
    osabi endian case-sensitive charset host-charset target-charset multiple-symbols output-radix input-radix radix \
    remotetimeout mem tcp can-use-hw-watchpoints tui complaints print-symbol print-frame";

fn order(shell: &mut Shell<'_>, session: &mut Session, order: &Arg) {
    let (word, rest) = split_word(order);
    let text = rest.value.prefix();
    match word {
        "" if order.value.is_empty() || order.value.prefix().trim_start().starts_with('#') => {}
        "" if order.known().is_some_and(|text| text.trim().is_empty()) => {}
        "!" | "make" | "mak" => {
            let code = if word == "!" { rest } else { with_front("make ", &rest) };
            run_shell(shell, &code, Feed::none());
        }
        "|" => pipe(shell, session, &rest),
        "w" => with(shell, session, &rest),
        "thread" | "thr" | "t" => apply(shell, session, &rest, Skipped::Word),
        "frame" | "f" | "fra" | "fram" => apply(shell, session, &rest, Skipped::Word),
        "taas" | "tfaas" | "faas" => apply_to(shell, session, &rest, Skipped::Nothing),
        "r" | "sta" | "star" | "start" | "starti" => start(shell, session, &rest),
        "py" | "pi" => code(shell, session, Language::Python, &rest),
        "gu" | "gr" => guile(shell, &rest),
        "gcore" => write_word(shell, &rest, 0),
        "cd" => drop(shell.run_text(&with_front("cd ", &rest), Dialect::Sh, Feed::none())),
        _ if is_short_for("she|ll", word) => run_shell(shell, &rest, Feed::none()),
        _ if is_short_for("pip|e", word) => pipe(shell, session, &rest),
        _ if is_short_for("wit|h", word) => with(shell, session, &rest),
        _ if is_short_for("ru|n", word) => start(shell, session, &rest),
        _ if is_short_for("pyt|hon python-i|nteractive", word) => code(shell, session, Language::Python, &rest),
        _ if is_short_for("gui|le guile-r|epl", word) => guile(shell, &rest),
        _ if is_short_for("att|ach", word) => processes::attach_by(shell, order),
        _ if is_short_for("sou|rce", word) => {
            let file = Arg::text(text.split_whitespace().last().unwrap_or_default(), rest.span);
            match rest.known() {
                Some(_) => obey_script(shell, &DEBUGGER, session, &file),
                None => unread(shell, order),
            }
        }
        "file" | "exec-file" => session.program = text.split_whitespace().last().map(str::to_owned),
        _ if is_short_for("comp|ile", word) => {
            let (_, expression) = split_word(&rest);
            evaluate(shell, &expression);
        }
        _ if is_short_for("gene|rate-core-file", word) => write_word(shell, &rest, 0),
        _ if is_short_for("dum|p app|end", word) => {
            // `dump memory FILE`, `dump FORMAT value FILE`.
            let named =
                |at: usize| text.split_whitespace().nth(at).is_some_and(|word| is_short_for("mem|ory val|ue", word));
            write_word(shell, &rest, if named(0) { 1 } else { 2 });
        }
        _ if is_short_for("sav|e", word) => write_word(shell, &rest, 1),
        _ if is_short_for("set", word) => set(shell, session, order, &rest),
        _ if is_short_for("tar|get", word) => {
            // Behind a bar stands a program that speaks for the other side.
            match text.split_once('|') {
                Some((_, program)) => run_shell(shell, &Arg::text(program, rest.span), Feed::none()),
                None if rest.known().is_none() => unread(shell, order),
                None => {}
            }
        }
        _ if is_short_for("mon|itor", word) => {
            let fine = |text: &str| {
                is_short_for(
                    "reset halt init resume help leak_check v.info",
                    text.split_whitespace().next().unwrap_or_default(),
                )
            };
            if !rest.known().is_some_and(fine) {
                unread(shell, order);
            }
        }
        _ if is_short_for("main|tenance mt", word) && is_short_for("i inf|o pri|nt", split_word(&rest).0) => {}
        _ if is_short_for(EXPRESSIONS, word) => evaluate(shell, &rest),
        _ if is_short_for(HARMLESS, word) => {
            // Where to stop may depend on an expression, and some of these take one.
            if text.contains('(') {
                evaluate(
                    shell,
                    text.split_once(" if ").map(|(_, when)| Arg::text(when, rest.span)).as_ref().unwrap_or(&rest),
                );
            }
        }
        _ => unread(shell, order),
    }
}

/// Whether the first word behind an order says to what the next one is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skipped {
    Nothing,
    Word,
}

/// `thread apply all bt`: an order for several threads or frames.
fn apply(shell: &mut Shell<'_>, session: &mut Session, rest: &Arg, skipped: Skipped) {
    let (word, behind) = split_word(rest);
    if is_short_for("app|ly", word) {
        apply_to(shell, session, &behind, skipped);
    } else if rest.value.prefix().contains('(') {
        evaluate(shell, rest);
    }
}

fn apply_to(shell: &mut Shell<'_>, session: &mut Session, rest: &Arg, skipped: Skipped) {
    let text = rest.value.prefix();
    let is_whom = |word: &str| {
        word.starts_with('-')
            || word == "all"
            || word == "level"
            || word.chars().all(|letter| letter.is_ascii_digit() || ".-*$".contains(letter))
    };
    let mut at = 0;
    while let Some(inside) = text.get(at..) {
        let gap = inside.len() - inside.trim_start().len();
        let word = inside.split_whitespace().next().unwrap_or_default();
        let is_skipped = if skipped == Skipped::Word { is_whom(word) } else { word.starts_with('-') };
        if word.is_empty() || !is_skipped {
            break;
        }
        at += gap + word.len();
    }
    obey(shell, &DEBUGGER, session, &Arg { value: strip(&rest.value, at), span: rest.span });
}

/// `with SETTING VALUE -- ORDER`.
fn with(shell: &mut Shell<'_>, session: &mut Session, rest: &Arg) {
    match rest.value.prefix().split_once("--") {
        Some((setting, _)) => {
            set(shell, session, rest, &Arg::text(setting, rest.span));
            let at = setting.len() + 2;
            obey(shell, &DEBUGGER, session, &Arg { value: strip(&rest.value, at), span: rest.span });
        }
        None => unread(shell, rest),
    }
}

/// `| ORDER | SHELL`: what the order prints flows into the shell.
fn pipe(shell: &mut Shell<'_>, session: &mut Session, rest: &Arg) {
    let text = rest.value.prefix();
    let (bar, body) = match text.strip_prefix("-d ").map(str::trim_start).and_then(|rest| rest.split_once(' ')) {
        Some((bar, body)) => (bar, body),
        None => ("|", text),
    };
    let Some((inner, _)) = body.split_once(bar) else { return unread(shell, rest) };
    let at = text.len() - body.len() + inner.len() + bar.len();
    let inner = Arg::text(inner, rest.span);
    obey(shell, &DEBUGGER, session, &inner);
    let (word, said) = split_word(&inner);
    let feed = match word {
        "echo" => Feed::of(said.value),
        _ => printed(),
    };
    run_shell(shell, &Arg { value: strip(&rest.value, at), span: rest.span }, feed);
}

/// `python …`, or the lines behind it up to `end`.
fn code(shell: &mut Shell<'_>, session: &mut Session, language: Language, rest: &Arg) {
    if rest.value.is_empty() {
        session.code = Some((language, String::new()));
    } else {
        super::run_code(shell, language, rest, &[], Feed::none());
    }
}

fn guile(shell: &mut Shell<'_>, rest: &Arg) {
    let word = |text: &str| Arg::text(text, rest.span);
    match rest.value.is_empty() {
        true => unread(shell, &word("guile")),
        false => drop(shell.run(&[word("guile"), word("-c"), rest.clone()], Feed::none(), rest.span)),
    }
}

/// `set args …`, `set var x = 1`, `set pagination off`.
fn set(shell: &mut Shell<'_>, session: &mut Session, order: &Arg, rest: &Arg) {
    let (word, behind) = split_word(rest);
    let text = behind.value.prefix();
    match word {
        "args" => session.arguments = behind.shown().into_owned(),
        "cwd" => {}
        "" if rest.value.prefix().starts_with('$') => evaluate(shell, rest),
        _ if is_short_for("var|iable", word) => evaluate(shell, &behind),
        _ if is_short_for("env|ironment", word) => {
            // What a variable does to a program is known to whoever sets it in front of one.
            let name = text.split(['=', ' ']).next().unwrap_or_default();
            let value = text.get(name.len()..).unwrap_or_default().trim_start_matches(['=', ' ']);
            let assignment = format!("{name}={}", crate::shell::quote(value));
            let argv = ["env", &assignment, "true"].map(|word| Arg::text(word, order.span));
            shell.run(&argv, Feed::none(), order.span);
        }
        _ if is_short_for("logg|ing", word) => match text.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["file", file, ..] => {
                shell.write(&Arg::text(*file, order.span), crate::path_effects::Write::Append);
            }
            ["on" | "off", file] => shell.write(&Arg::text(*file, order.span), crate::path_effects::Write::Append),
            _ => {}
        },
        _ if is_short_for(SETTINGS, word) => {}
        // What is no setting is a variable of the program.
        _ if text.starts_with('=') && !word.contains('-') && order.known().is_some() => evaluate(shell, &behind),
        _ => unread(shell, order),
    }
}

fn with_front(front: &str, rest: &Arg) -> Arg {
    let mut value = crate::value::Value::text(front);
    value.extend(rest.value.clone());
    Arg { value, span: rest.span }
}
