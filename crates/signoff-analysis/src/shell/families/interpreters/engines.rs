//! Tools that have an interpreter inside: TeX, plotters, computer algebra, compilers that evaluate.

use signoff_model::Dialect;

use super::{idle, run_code};
use crate::{
    shell::{Call, Language, Shell, Written, options::strip},
    value::{Arg, Feed},
};

/// `ghc -e expression`.
pub(super) fn ghc(shell: &mut Shell<'_>, call: &Call) -> Feed {
    for code in behind(call, &["-e"]) {
        run_code(shell, Language::Other, &code, &[], Feed::none());
    }
    idle(call)
}

/// `gnuplot -e 'system "…"'`, `matlab -batch "…"`, `maxima --batch-string=…`.
pub(super) fn plotter(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut codes = behind(call, &["-e", "-batch", "-r", "--batch-string", "--eval"]);
    for arg in call.args.iter().filter(|arg| !arg.is_option()) {
        codes.extend(written(shell, arg));
    }
    if let Some(text) = &call.stdin.text {
        codes.push(Arg { value: text.clone(), span: call.span });
    }
    for code in codes {
        // A line that begins with an exclamation mark goes to the shell.
        for part in code.shown().split(['\n', ';']) {
            if let Some(command) = part.trim().strip_prefix('!') {
                shell.subshell(|shell| shell.run_text(&Arg::text(command, code.span), Dialect::Sh, Feed::none()));
            }
        }
        run_code(shell, Language::Other, &code, &[], Feed::none());
    }
    idle(call)
}

/// TeX: a document on the command line or one that the text has written can run the shell, if an option allows that,
/// and Lua.
pub(super) fn tex(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let escapes = call.args.iter().any(|arg| {
        let text = arg.value.prefix().trim_start_matches('-');
        text.starts_with("shell-escape") || text.starts_with("enable-write18")
    });
    let mut sources: Vec<Arg> = Vec::new();
    for arg in call.args.iter().filter(|arg| !arg.is_option()) {
        if arg.value.prefix().contains('\\') {
            sources.push(arg.clone());
        } else {
            sources.extend(written(shell, arg));
        }
    }
    if let Some(text) = &call.stdin.text {
        sources.push(Arg { value: text.clone(), span: call.span });
    }
    for source in sources {
        let text = source.shown().into_owned();
        for code in arguments_of(&text, "\\directlua").into_iter().chain(arguments_of(&text, "\\latelua")) {
            run_code(shell, Language::Lua, &Arg::text(code, source.span), &[], Feed::none());
        }
        if escapes {
            let piped = arguments_of(&text, "\\input")
                .into_iter()
                .filter_map(|file| file.strip_prefix('|').map(|command| command.trim_matches('"').to_owned()));
            let commands = ["\\write18", "\\ShellEscape"].iter().flat_map(|name| arguments_of(&text, name));
            for command in commands.chain(piped) {
                shell.subshell(|shell| shell.run_text(&Arg::text(command, source.span), Dialect::Sh, Feed::none()));
            }
        }
    }
    idle(call)
}

/// The values of these options, attached by `=` or in the next word.
fn behind(call: &Call, names: &[&str]) -> Vec<Arg> {
    let mut all = Vec::new();
    for (index, arg) in call.args.iter().enumerate() {
        let text = arg.value.prefix();
        if names.contains(&text) {
            all.extend(call.args.get(index + 1).cloned());
        } else if let Some((name, _)) = text.split_once('=')
            && names.contains(&name)
        {
            all.push(Arg { value: strip(&arg.value, name.len() + 1), span: arg.span });
        }
    }
    all
}

/// What the text has written to the file that an argument names.
fn written(shell: &Shell<'_>, arg: &Arg) -> Option<Arg> {
    let path = shell.place(&arg.value).path;
    let found = shell.written(&path).or_else(|| shell.written(&format!("{path}.tex")));
    match found {
        Some(Written::Content(feed)) => feed.text.clone().map(|value| Arg { value, span: arg.span }),
        _ => None,
    }
}

/// What stands in braces behind every use of a command.
fn arguments_of(text: &str, command: &str) -> Vec<String> {
    let mut all = Vec::new();
    for part in text.split(command).skip(1) {
        let Some(inner) = part.trim_start().strip_prefix('{') else { continue };
        let mut depth = 1;
        let end = inner.char_indices().find(|(_, letter)| {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        all.push(inner.get(..end.map_or(inner.len(), |(at, _)| at)).unwrap_or_default().to_owned());
    }
    all
}
