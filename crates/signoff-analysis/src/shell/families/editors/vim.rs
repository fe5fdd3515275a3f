//! `vim` and its kin: files, and commands by `-c`, `+`, `--cmd`, `-S`, `-es` and what flows in.

use signoff_model::Unread;

use super::{PLAIN, commands, follow, keys, open};
use crate::{
    place::Nature,
    shell::{
        Call, Language, Shell,
        options::{Options, Syntax, strip},
    },
    value::{Arg, Feed, Value},
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
    let mut codes: Vec<Arg> = options.values(&["c", "cmd"]).cloned().collect();
    let mut typed: Vec<Arg> = options.values(&["remote-send"]).cloned().collect();
    let expressions = options.values(&["remote-expr"]);
    codes.extend(expressions.map(|code| Arg { value: with_front("eval ", &code.value), span: code.span }));
    // What it does first stands in a variable.
    for name in ["VIMINIT", "EXINIT"] {
        let given = call.variables.iter().rfind(|(given, _)| given == name).map(|(_, value)| value.clone());
        let value = given.or_else(|| shell.variable(name).cloned());
        codes.extend(value.map(|value| Arg { value, span: call.span }));
    }
    let mut files: Vec<&Arg> = Vec::new();
    for operand in &options.operands {
        match operand.value.prefix().starts_with('+') {
            true => codes.push(Arg { value: strip(&operand.value, 1), span: operand.span }),
            false if operand.is("-") => {}
            false => files.push(operand),
        }
    }
    if call.name == "nvim" && options.has(&["l"]) && !files.is_empty() {
        return shell.run_script(Language::Lua, files.remove(0), &[], call.stdin.clone());
    }
    for given in options.given.iter().filter(|given| matches!(given.name.as_str(), "S" | "s" | "u" | "U")) {
        let Some(script) = &given.value else { continue };
        let harmless = script.is("NONE") || script.is("NORC") || script.is("DEFAULTS") || script.is("/dev/null");
        if harmless {
            continue;
        }
        let feed = match script.is("/dev/stdin") || script.is("-") {
            true => call.stdin.clone(),
            false => shell.read(script),
        };
        match feed.text.clone().or_else(|| shell.text_of_copy(&feed)) {
            Some(value) if given.name == "s" => typed.push(Arg { value, span: script.span }),
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
    for keys in &typed {
        keys::read(&keys.shown(), &mut steps, 0);
    }
    // What is not known of a command may be anything where the command itself stands.
    for code in
        codes.iter().chain(&typed).filter(|code| code.value.prefix().trim().is_empty() && code.value.has_unknown())
    {
        shell.opaque(code.value.unread(), code.span);
    }
    codes.extend(typed);
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

/// A value with a text in front of it.
fn with_front(front: &str, value: &Value) -> Value {
    let mut whole = Value::text(front);
    whole.extend(value.clone());
    whole
}
