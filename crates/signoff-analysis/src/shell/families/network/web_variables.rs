//! Arguments of `curl` that stand elsewhere: variables of its own, and files of options that are known.

use crate::{
    shell::{Call, Shell, Written, options::strip},
    value::{Arg, Feed, Piece, Value},
};

/// The arguments as `curl` sees them: `--expand-data '{{x}}'` as `--data` with what `--variable x@file` reads, and the
/// options of a known file in the place of `-K file`.
pub(super) fn expanded(shell: &mut Shell<'_>, call: &Call) -> Vec<Arg> {
    let mut variables: Vec<(String, Value)> = Vec::new();
    let mut all: Vec<Arg> = Vec::with_capacity(call.args.len());
    let mut args = call.args.iter();
    while let Some(arg) = args.next() {
        let text = arg.value.prefix();
        let (file, apart) = file_of(arg, args.as_slice().first());
        if let Some(options) = file.and_then(|file| written_options(shell, call, &file)) {
            all.extend(options);
            if apart {
                args.next();
            }
        } else if arg.is("--variable") {
            let Some(given) = args.next() else { break };
            variables.extend(variable(shell, call, given));
        } else if text.starts_with("--expand-") {
            let option = text.split_once("--expand-").map_or(text, |(_, name)| name);
            all.push(Arg::text(format!("--{option}"), arg.span));
            all.extend(args.next().map(|value| Arg { value: filled(&value.value, &variables), span: value.span }));
        } else {
            // No file is called like an address: `localhost:9200/logs-*/_search`.
            let host =
                text.split_once("://").map_or(text, |(scheme, _)| scheme).split(['/', '?']).next().unwrap_or(text);
            let is_address = text.contains("://") || host.contains(':');
            all.push(if is_address { arg.unmatched() } else { arg.clone() });
        }
    }
    all
}

/// The file of options that an argument names, and whether it is an argument of its own.
fn file_of(arg: &Arg, next: Option<&Arg>) -> (Option<Arg>, bool) {
    if arg.is("-K") || arg.is("--config") {
        return (next.cloned(), true);
    }
    let prefix = arg.value.prefix();
    let skip = ["--config=", "-K"].iter().find(|option| prefix.starts_with(**option)).map(|option| option.len());
    (skip.map(|skip| Arg { value: strip(&arg.value, skip), span: arg.span }), false)
}

/// The options in a file whose content is known: what flows in, or what the text has written.
fn written_options(shell: &Shell<'_>, call: &Call, file: &Arg) -> Option<Vec<Arg>> {
    let text = if file.is("-") || file.is("/dev/stdin") {
        call.stdin.known()?.to_owned()
    } else {
        match shell.written(&shell.place(&file.value).path) {
            Some(Written::Content(feed)) => feed.known()?.to_owned(),
            _ => return None,
        }
    };
    let mut options = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, value) =
            match line.split_once(|letter: char| letter == '=' || letter == ':' || letter.is_whitespace()) {
                Some((name, value)) => (name, value.trim_start_matches([' ', '\t', '=', ':']).trim()),
                None => (line, ""),
            };
        let name = if name.starts_with('-') { name.to_owned() } else { format!("--{name}") };
        options.push(Arg::text(name, file.span));
        let plain = match value.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next().unwrap_or(quoted),
            None => value,
        };
        if !plain.is_empty() {
            options.push(Arg::text(plain, file.span));
        }
    }
    Some(options)
}

/// `--variable name=text`, `name@file` and `%NAME` for a variable of the environment.
fn variable(shell: &mut Shell<'_>, call: &Call, given: &Arg) -> Option<(String, Value)> {
    let text = given.value.prefix();
    let at = text.find(['=', '@']);
    let name = at.map_or(text, |at| text.get(..at).unwrap_or_default()).trim_start_matches('%');
    let name = name.split('[').next().unwrap_or(name).to_owned();
    let value = match at {
        None => {
            let known = shell.variable(&name).cloned();
            known.unwrap_or_else(|| {
                Value::unknown(format!("${name}"), vec![crate::value::Origin::Variable(name.clone())])
            })
        }
        Some(at) if text.get(at..).is_some_and(|rest| rest.starts_with('=')) => strip(&given.value, at + 1),
        Some(at) => {
            let file = Arg { value: strip(&given.value, at + 1), span: given.span };
            let feed: Feed = if file.is("-") { call.stdin.clone() } else { shell.read(&file) };
            feed.into_value(&format!("{{{{{name}}}}}"))
        }
    };
    Some((name, value))
}

/// A text with its variables filled in.
fn filled(value: &Value, variables: &[(String, Value)]) -> Value {
    let Some(text) = value.known() else { return value.clone() };
    let mut all = Value::default();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        let Some((name, after)) = behind.split_once("}}") else { break };
        all.push(Piece::text(before));
        let name = name.split(':').next().unwrap_or(name).trim();
        if let Some((_, value)) = variables.iter().find(|(known, _)| known == name) {
            all.extend(value.clone());
        }
        rest = after;
    }
    all.push(Piece::text(rest));
    all
}
