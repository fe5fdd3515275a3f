//! `vim` and its kin: files, and commands by `-c`, `+`, `--cmd`, `-S`, `-es` and what flows in.

use signoff_model::Unread;

use super::{PLAIN, commands, follow, open};
use crate::{
    place::Nature,
    shell::{
        Call, Language, Shell,
        options::{Options, Syntax, strip},
    },
    value::{Arg, Feed},
};

const LONG: &[&str] = &["cmd", "startuptime", "listen", "server", "servername", "remote-send", "remote-expr", "log"];

pub(super) fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let is_cluster = |arg: &Arg| arg.is_option() && !arg.value.prefix().starts_with("--");
    let ex_mode = call.name == "ex"
        || call.args.iter().any(|arg| {
            is_cluster(arg) && arg.value.prefix().contains(['e', 'E']) && !arg.value.prefix().starts_with("-c")
        });
    let syntax = Syntax { short_values: if ex_mode { "cSTuUwWi" } else { "cSTuUwWis" }, long_values: LONG, ..PLAIN };
    let options = Options::read(&call.args, &syntax);
    let mut codes: Vec<Arg> = options.values(&["c", "cmd", "remote-send", "remote-expr"]).cloned().collect();
    let mut files: Vec<&Arg> = Vec::new();
    for operand in &options.operands {
        match operand.value.prefix().starts_with('+') {
            true => codes.push(Arg { value: strip(&operand.value, 1), span: operand.span }),
            false if operand.is("-") => {}
            false => files.push(operand),
        }
    }
    for script in options.values(&["S", "s", "u", "U"]) {
        let harmless = script.is("NONE") || script.is("NORC") || script.is("DEFAULTS") || script.is("/dev/null");
        if harmless {
            continue;
        }
        let feed = match script.is("/dev/stdin") || script.is("-") {
            true => call.stdin.clone(),
            false => shell.read(script),
        };
        match feed.text.clone().or_else(|| shell.text_of_copy(&feed)) {
            // Keys as typed by `-s` are commands behind a colon as well.
            Some(value) => codes.push(Arg { value, span: script.span }),
            None if feed.is_foreign() => drop(shell.run_feed(Language::Other, feed, script.span)),
            // What lies where anybody can put it is nobody's own script.
            None if shell.place(&script.value).nature == Nature::Temporary => {
                shell.opaque(Unread::Script(script.shown().into_owned()), script.span);
            }
            None => {}
        }
    }
    if ex_mode && !call.stdin.is_none() {
        match call.stdin.text.as_ref() {
            Some(text) => codes.push(Arg { value: text.clone(), span: call.span }),
            None => shell.opaque(Unread::EditorInput, call.span),
        }
    }
    // What the commands do to the text counts for all of them together: one deletes, the next one writes.
    let mut steps = Vec::new();
    for code in &codes {
        steps.extend(commands::read_ex(&code.shown()));
    }
    if let Some(code) = codes.first() {
        let code =
            Arg { value: code.value.clone(), span: codes.iter().fold(code.span, |span, code| span.to(code.span)) };
        follow(shell, &steps, &files, &code);
    }
    let reads_only = matches!(call.name.as_str(), "view" | "rview") || options.has(&["R", "M", "m", "Z"]);
    for file in files {
        if reads_only {
            shell.read(file);
        } else {
            open(shell, file);
        }
    }
    call.output()
}
