//! Debuggers: the orders on their command line run programs, the shell and code. An order that is not known to be
//! harmless asks, since nearly every one of them can be given another order.

mod gdb;
mod lldb;
mod radare;

use signoff_model::{Dialect, Unread};

pub(super) use radare::judge as disassembler;

use super::run_code;
use crate::{
    path_effects::Write,
    shell::{Call, Language, Shell, families::processes, options::strip, quote},
    value::{Arg, Feed, Origin},
};

/// What an option of a debugger brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Brings {
    /// An order.
    Order,
    /// A file of orders.
    Script,
    /// The number or the name of a process that runs already.
    Process,
    /// The file of the program.
    Program,
    /// Something that does not matter.
    Value,
    /// Nothing.
    Nothing,
    /// The program and its arguments, which are all that follows.
    Rest,
}

/// How a debugger reads its command line and its orders.
struct Debugger {
    options: &'static [(&'static str, Brings)],
    obey: fn(&mut Shell<'_>, &mut Session, &Arg),
}

/// What a debugger knows while it obeys.
#[derive(Debug, Default)]
struct Session {
    /// The program that it would start, as the shell would read it.
    program: Option<String>,
    /// The arguments that it would start it with.
    arguments: String,
    /// The lines of code that the order before has opened, and its language.
    code: Option<(Language, String)>,
    /// How many orders stand around the one that is obeyed.
    depth: usize,
}

/// Orders in orders are read so deep.
const DEEPEST: usize = 16;

/// Debuggers: what their orders run, and the program that they start.
pub(super) fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help_first() {
        return call.output();
    }
    let debugger = if call.name.contains("lldb") { &lldb::DEBUGGER } else { &gdb::DEBUGGER };
    // It has a directory of its own to go around in.
    shell.subshell(|shell| {
        let read = read_line(shell, call, debugger);
        let mut session = Session { program: read.program, ..Session::default() };
        // Orders of its own lie in the directory; those that the text has put there are known.
        for name in [".gdbinit", ".lldbinit"] {
            let file = Arg::text(name, call.span);
            if shell.written(&shell.place(&file.value).path).is_some() {
                obey_script(shell, debugger, &mut session, &file);
            }
        }
        for given in &read.orders {
            match given {
                Given::Order(order) => obey_lines(shell, debugger, &mut session, order),
                Given::Script(file) => obey_script(shell, debugger, &mut session, file),
            }
        }
        match &call.stdin.text {
            Some(text) => {
                obey_lines(shell, debugger, &mut session, &Arg { value: text.clone(), span: call.span });
            }
            None if call.stdin.is_foreign() => drop(shell.run_feed(Language::Other, call.stdin.clone(), call.span)),
            None => {}
        }
        match read.rest {
            Some(argv) => shell.run(argv, call.stdin.clone(), call.span),
            None => call.output(),
        }
    })
}

/// What is to be obeyed.
enum Given {
    Order(Arg),
    Script(Arg),
}

/// What a command line brings.
#[derive(Default)]
struct Line<'a> {
    orders: Vec<Given>,
    program: Option<String>,
    rest: Option<&'a [Arg]>,
}

fn read_line<'a>(shell: &mut Shell<'_>, call: &'a Call, debugger: &Debugger) -> Line<'a> {
    let mut line = Line::default();
    let mut operands = 0;
    let mut args = call.args.as_slice();
    while let Some((arg, rest)) = args.split_first() {
        args = rest;
        let text = arg.value.prefix();
        // A front end hands on what stands behind this to the debugger itself.
        if arg.is("--") && call.name == "cgdb" {
            continue;
        }
        let Some(body) = text.strip_prefix('-').filter(|body| !body.is_empty()) else {
            // The second operand is what the program has left behind when it fell, or a process.
            let is_number = |text: &str| text.chars().all(|letter| letter.is_ascii_digit());
            match operands {
                0 => line.program = Some(word_of(arg)),
                _ if arg.known().map_or(arg.value.prefix().is_empty(), is_number) => processes::attach_by(shell, arg),
                _ => {}
            }
            operands += 1;
            continue;
        };
        let body = body.strip_prefix('-').unwrap_or(body);
        let (name, attached) = match body.split_once('=') {
            Some((name, _)) => {
                let at = text.find('=').map_or(0, |at| at + 1);
                (name, Some(Arg { value: strip(&arg.value, at), span: arg.span }))
            }
            None => (body, None),
        };
        let Some(brings) = meaning(debugger.options, name) else {
            unread(shell, arg);
            continue;
        };
        if brings == Brings::Rest {
            line.rest = Some(rest);
            // The orders may start it with other arguments than its own.
            line.program = line.program.or_else(|| rest.first().map(word_of));
            break;
        }
        if brings == Brings::Nothing {
            continue;
        }
        let value = attached.or_else(|| {
            let (next, rest) = rest.split_first()?;
            args = rest;
            Some(next.clone())
        });
        let Some(value) = value else { continue };
        match brings {
            Brings::Order => line.orders.push(Given::Order(value)),
            Brings::Script => line.orders.push(Given::Script(value)),
            Brings::Process => processes::attach_by(shell, &value),
            Brings::Program => {
                line.program = Some(word_of(&value));
                operands += 1;
            }
            Brings::Value | Brings::Nothing | Brings::Rest => {}
        }
    }
    line
}

/// What an option brings, which may be cut short. One that could be several brings the gravest of them.
fn meaning(options: &[(&str, Brings)], name: &str) -> Option<Brings> {
    if name.is_empty() {
        return Some(Brings::Rest);
    }
    let exact = options.iter().find(|(full, _)| *full == name);
    let mut short = options.iter().filter(|(full, _)| full.len() > 3 && full.starts_with(name));
    let grave = short.clone().find(|(_, brings)| *brings == Brings::Order);
    exact.or(grave).or_else(|| short.next()).map(|(_, brings)| *brings)
}

/// Obeys a text of orders, one a line.
fn obey_lines(shell: &mut Shell<'_>, debugger: &Debugger, session: &mut Session, orders: &Arg) {
    let Some(text) = orders.known().filter(|text| text.contains('\n')) else {
        return obey_line(shell, debugger, session, orders);
    };
    for line in text.lines() {
        obey_line(shell, debugger, session, &Arg::text(line, orders.span));
    }
    if let Some((language, code)) = session.code.take() {
        run_code(shell, language, &Arg::text(code, orders.span), &[], Feed::none());
    }
}

/// One line: an order, or a part of the code that an order has opened.
fn obey_line(shell: &mut Shell<'_>, debugger: &Debugger, session: &mut Session, line: &Arg) {
    let Some((language, code)) = &mut session.code else {
        return obey(shell, debugger, session, line);
    };
    if line.known().is_some_and(|text| text.trim() == "end") {
        let code = Arg::text(std::mem::take(code), line.span);
        let language = *language;
        session.code = None;
        run_code(shell, language, &code, &[], Feed::none());
        return;
    }
    code.push_str(&line.shown());
    code.push('\n');
}

fn obey(shell: &mut Shell<'_>, debugger: &Debugger, session: &mut Session, order: &Arg) {
    if session.depth >= DEEPEST {
        return unread(shell, order);
    }
    session.depth += 1;
    (debugger.obey)(shell, session, order);
    session.depth -= 1;
}

/// A file of orders: what stands in it is read if it is known; the project's own is as good as its scripts.
fn obey_script(shell: &mut Shell<'_>, debugger: &Debugger, session: &mut Session, file: &Arg) {
    if file.known().is_some_and(|path| path.ends_with(".py")) {
        shell.run_script(Language::Python, file, &[], Feed::none());
        return;
    }
    if session.depth >= DEEPEST {
        return unread(shell, file);
    }
    let feed = shell.read(file);
    match feed.text.clone().or_else(|| shell.text_of_copy(&feed)) {
        Some(value) => {
            session.depth += 1;
            obey_lines(shell, debugger, session, &Arg { value, span: file.span });
            session.depth -= 1;
        }
        None => drop(shell.run_script(Language::Other, file, &[], Feed::none())),
    }
}

/// An order that nobody here understands.
fn unread(shell: &mut Shell<'_>, order: &Arg) {
    shell.opaque(Unread::Part(order.shown().into_owned()), order.span);
}

/// A text for the shell, which the debugger starts anew each time.
fn run_shell(shell: &mut Shell<'_>, code: &Arg, stdin: Feed) {
    shell.subshell(|shell| shell.run_text(code, Dialect::Sh, stdin));
}

/// The program is started, with the words behind the order or those that were set before. The shell reads them.
fn start(shell: &mut Shell<'_>, session: &mut Session, words: &Arg) {
    if words.known().is_none_or(|words| !words.trim().is_empty()) {
        words.shown().trim().clone_into(&mut session.arguments);
    }
    if let Some(program) = &session.program {
        let text = Arg::text(format!("{program} {}", session.arguments), words.span);
        run_shell(shell, &text, Feed::none());
    } else if !session.arguments.is_empty() {
        // What is started is named somewhere else.
        unread(shell, words);
    }
}

/// An expression of the language of the program, which may call anything.
fn evaluate(shell: &mut Shell<'_>, expression: &Arg) {
    let text = expression.value.prefix();
    // How a value is to be shown stands in front: `p/x`, `x/20i`.
    let mut skipped = 0;
    if text.starts_with('/') {
        skipped = text.find(char::is_whitespace).unwrap_or(text.len());
    }
    // A cast in front of the call says what it gives: `(int)system("…")`.
    while let Some(rest) = text.get(skipped..).map(str::trim_start).filter(|rest| rest.starts_with('('))
        && let Some(end) = rest.find(')')
        && rest
            .get(1..end)
            .is_some_and(|cast| cast.chars().all(|letter| letter.is_alphanumeric() || "_ *()".contains(letter)))
    {
        skipped = text.len() - rest.len() + end + 1;
    }
    let mut code = Arg { value: strip(&expression.value, skipped), span: expression.span };
    // A function of the debugger itself does what that of the library does.
    if let Some(text) = code.known().filter(|text| text.contains("$_shell")) {
        code = Arg::text(text.replace("$_shell", "system"), code.span);
    }
    run_code(shell, Language::C, &code, &[], Feed::none());
}

/// A file that an order writes: one of the words behind it.
fn write_word(shell: &mut Shell<'_>, words: &Arg, at: usize) {
    match words.value.prefix().split_whitespace().filter(|word| !word.starts_with('-')).nth(at) {
        Some(file) => shell.write(&Arg::text(file, words.span), Write::Replace),
        None if words.value.has_unknown() => unread(shell, words),
        None => {}
    }
}

/// What is printed by the debugger.
fn printed() -> Feed {
    Feed::from(Origin::Program("gdb".into()))
}

/// A word as the shell would read it.
fn word_of(arg: &Arg) -> String {
    arg.known().map_or_else(|| arg.shown().into_owned(), quote)
}

/// The first word of an order, and what stands behind it.
fn split_word(order: &Arg) -> (&str, Arg) {
    let text = order.value.prefix();
    let start = text.len() - text.trim_start().len();
    let inside = text.get(start..).unwrap_or_default();
    let is_in_word = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    let length = match inside.chars().next() {
        Some('!' | '|') => 1,
        _ => inside.find(|letter| !is_in_word(letter)).unwrap_or(inside.len()),
    };
    let rest = inside.get(length..).unwrap_or_default();
    let gap = rest.len() - rest.trim_start().len();
    let behind = Arg { value: strip(&order.value, start + length + gap), span: order.span };
    (inside.get(..length).unwrap_or_default(), behind)
}

#[cfg(test)]
mod tests;
